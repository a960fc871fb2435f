/* SPDX-License-Identifier: MIT */
#include "codec.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#ifdef CGCT_WITH_ZSTD
#include <zstd.h>
#endif

#include "integers.h"
#include "layout.h"
#include "predicted.h"

cgct_status cgct_plane_init(cgct_plane *p, size_t n, size_t nm, cgct_err *err)
{
    memset(p, 0, sizeof *p);
    p->n = n;
    p->nm = nm;
    size_t doubles = 3 * n + n * (nm - 1);
    if (n > SIZE_MAX / 16 / (nm + 4) || !(p->owned = malloc(8 * doubles + n)))
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu points of %zu modes", n, nm);
    p->scale = (double *)p->owned;
    p->error = p->scale + n;
    p->zero = p->error + n;
    p->mode = p->zero + n;
    p->flag = (uint8_t *)(p->scale + doubles);
    return CGCT_OK;
}

void cgct_plane_free(cgct_plane *p)
{
    free(p->owned);
    memset(p, 0, sizeof *p);
}

/* Number i of a block, >= least. */
static cgct_status get_number(const char *what, const uint8_t *in, size_t i, double least,
                              double *out, cgct_err *err)
{
    *out = cgct_get_f64(in);
    if (*out >= least && isfinite(*out)) return CGCT_OK;
    return cgct_fail(err, CGCT_E_FORMAT, "%s %zu is %g, the format allows finite numbers%s", what,
                     i, *out, least == 0 ? " >= 0" : "");
}

static cgct_status get_block(const char *what, const uint8_t *in, size_t n, double least,
                             double *out, cgct_err *err)
{
    for (size_t i = 0; i < n; i++) CGCT_TRY(get_number(what, in + 8 * i, i, least, out + i, err));
    return CGCT_OK;
}

/* Scales, bounds, zeroth ratios and flags of encoding 1. */
static cgct_status get_heads(const uint8_t *in, cgct_plane *p, cgct_err *err)
{
    size_t n = p->n, flag_bytes = (n + 7) / 8 * 8;
    const uint8_t *flags = in + 24 * n;
    CGCT_TRY(get_block("scale", in, n, 0, p->scale, err));
    CGCT_TRY(get_block("error bound", in + 8 * n, n, 0, p->error, err));
    CGCT_TRY(get_block("zeroth ratio", in + 16 * n, n, -INFINITY, p->zero, err));
    for (size_t i = 0; i < flag_bytes; i++)
        if (flags[i] > (i < n ? CGCT_FLAG_SCALE : 0))
            return cgct_fail(err, CGCT_E_FORMAT, "flag %zu is %d, the format allows %s", i,
                             flags[i], i < n ? "0 and 1" : "0");
    p->flagged = 0;
    for (size_t i = 0; i < n; i++) {
        p->flag[i] = flags[i];
        p->flagged += flags[i];
        if (!(p->scale[i] >= DBL_MIN) || !cgct_zero_allowed(p->zero[i], flags[i]))
            return cgct_fail(
                err, CGCT_E_FORMAT,
                "point %zu has scale %g, zeroth ratio %g and flag %d; want a normal scale > 0 "
                "and the ratio 1 where the flag is 0, else at most 1.5",
                i, p->scale[i], p->zero[i], flags[i]);
    }
    return CGCT_OK;
}

/* A mode of encoding 1, where m runs fastest. */
static cgct_status get_mode(const cgct_payload *s, size_t pol, size_t m, cgct_mode *to,
                            cgct_err *err)
{
    size_t points = s->nq * s->nk, n = 2 * points, stride = s->nm - 1;
    const uint8_t *mode = s->in + 24 * n + (n + 7) / 8 * 8 + 8 * (pol * points * stride + m - 1);
    const uint64_t exponent = UINT64_C(0x7ff) << 52;
    double *out = (double *)s->work;
    uint64_t any = 0;
    int bad = 0;
    for (size_t i = 0; i < points; i++) {
        uint64_t bits = cgct_get_u64(mode + 8 * stride * i);
        memcpy(&out[i], &bits, sizeof bits);
        any |= bits << 1;
        bad |= (bits & exponent) == exponent;
    }
    for (size_t i = 0; i < points && bad; i++)
        CGCT_TRY(get_number("ratio", mode + 8 * stride * i, (pol * points + i) * stride + m - 1,
                            -INFINITY, &out[i], err));
    const cgct_mode made = {NULL, out, 1, s->nk, any == 0};
    *to = made;
    return CGCT_OK;
}

cgct_status cgct_payload_open(cgct_payload *s, uint32_t encoding, const uint8_t *in, size_t size,
                              size_t nq, size_t nk, size_t nm, cgct_plane *p, cgct_err *err)
{
    const cgct_payload opened = {in, encoding, nq, nk, nm, 0, NULL, NULL};
    *s = opened;
    if (encoding == CGCT_ENCODING_PREDICTED) return cgct_predicted_open(s, size, p, err);
    if (encoding == CGCT_ENCODING_INTEGERS) return cgct_integers_open(s, p, err);
    if (!(s->work = malloc(nq * nk * sizeof(double))))
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu points", nq * nk);
    return get_heads(in, p, err);
}

cgct_status cgct_payload_mode(cgct_payload *s, size_t pol, size_t m, cgct_mode *out, cgct_err *err)
{
    if (s->encoding == CGCT_ENCODING_PREDICTED) return cgct_predicted_mode(s, pol, m, out, err);
    if (s->encoding == CGCT_ENCODING_INTEGERS) return cgct_integers_mode(s, pol, m, out, err);
    return get_mode(s, pol, m, out, err);
}

void cgct_payload_close(cgct_payload *s)
{
    free(s->work);
    free(s->predicted);
    memset(s, 0, sizeof *s);
}

cgct_status cgct_payload_unpack(uint32_t encoding, const uint8_t *in, size_t size, size_t nq,
                                size_t nk, cgct_plane *p, cgct_err *err)
{
    cgct_payload s;
    cgct_mode mode;
    cgct_status st = cgct_payload_open(&s, encoding, in, size, nq, nk, p->nm, p, err);
    for (size_t i = 0; i < 2 * (p->nm - 1) && st == CGCT_OK; i++) {
        double *to = p->mode + i / 2 * p->n + i % 2 * (p->n / 2);
        st = cgct_payload_mode(&s, i % 2, 1 + i / 2, &mode, err);
        for (size_t j = 0; j < nq * nk && st == CGCT_OK; j++) {
            size_t from = j / nk * mode.stride + j % nk;
            to[j] = mode.integer ? mode.integer[from] * mode.step : mode.real[from];
        }
    }
    cgct_payload_close(&s);
    return st;
}

#ifndef CGCT_WITH_ZSTD
cgct_status cgct_frame_check(const uint8_t *frame, size_t size, size_t raw_size, cgct_err *err)
{
    (void)frame;
    return cgct_fail(err, CGCT_E_VERSION,
                     "compressed with zstd (%zu bytes from %zu), and this reader was built without "
                     "it; 'cgctab unpack' writes the table so that it can be read",
                     size, raw_size);
}

cgct_status cgct_frame_unpack(const uint8_t *frame, size_t size, uint8_t *raw, size_t raw_size,
                              cgct_err *err)
{
    (void)raw;
    return cgct_frame_check(frame, size, raw_size, err);
}
#else
cgct_status cgct_frame_check(const uint8_t *frame, size_t size, size_t raw_size, cgct_err *err)
{
    unsigned long long content = ZSTD_getFrameContentSize(frame, size);
    if (content == ZSTD_CONTENTSIZE_ERROR || content == ZSTD_CONTENTSIZE_UNKNOWN)
        return cgct_fail(err, CGCT_E_FORMAT, "not a zstd frame with content size");
    if (content != raw_size)
        return cgct_fail(err, CGCT_E_FORMAT, "the frame holds %llu bytes, the index says %zu",
                         content, raw_size);
    return CGCT_OK;
}

cgct_status cgct_frame_unpack(const uint8_t *frame, size_t size, uint8_t *raw, size_t raw_size,
                              cgct_err *err)
{
    size_t got = ZSTD_decompress(raw, raw_size, frame, size);
    if (ZSTD_isError(got))
        return cgct_fail(err, CGCT_E_FORMAT, "zstd cannot read the frame: %s",
                         ZSTD_getErrorName(got));
    if (got != raw_size)
        return cgct_fail(err, CGCT_E_FORMAT, "the frame gave %zu bytes, the index says %zu", got,
                         raw_size);
    return CGCT_OK;
}
#endif
