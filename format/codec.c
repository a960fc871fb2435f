/* SPDX-License-Identifier: MIT */
/* Decodes the nodes of a table: encodings 1 and 2 (FORMAT.md 3.6 and 3.7), what these share with
 * encoding 5, and zstd frames. */
#include "codec.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#ifdef CGCT_WITH_ZSTD
#include <zstd.h>
#endif

#include "elementary.h"
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

/* ---- what encodings share ---- */

void cgct_error_codes(double bound[256])
{
    static const double part[CGCT_ERROR_CODES_PER_OCTAVE] = {
        1, 1.189207115002721, 1.414213562373095, 1.681792830507429}; /* 2^(i/4) */
    bound[0] = 0;
    for (int code = 1; code < 256; code++)
        bound[code] = ldexp(part[code % CGCT_ERROR_CODES_PER_OCTAVE],
                            code / CGCT_ERROR_CODES_PER_OCTAVE -
                                CGCT_ERROR_CODE_ZERO_AT / CGCT_ERROR_CODES_PER_OCTAVE);
}

cgct_status cgct_get_steps(const uint8_t *in, double step[3], cgct_err *err)
{
    for (int i = 0; i < 3; i++) {
        step[i] = cgct_get_f64(in + 8 * i);
        if (!(step[i] > 0 && step[i] <= 1))
            return cgct_fail(err, CGCT_E_FORMAT, "%s is %g, the format allows 0 < step <= 1",
                             i == 0   ? "bound"
                             : i == 1 ? "step of the ratios"
                                      : "step of ln s",
                             step[i]);
    }
    return CGCT_OK;
}

cgct_status cgct_get_flags(const uint8_t *in, size_t padded, cgct_plane *p, cgct_err *err)
{
    for (size_t i = 0; i < padded; i++)
        if (in[i] > (i < p->n ? CGCT_FLAG_SCALE : 0))
            return cgct_fail(err, CGCT_E_FORMAT, "flag %zu is %d, the format allows %s", i, in[i],
                             i < p->n ? "0 and 1" : "0");
    p->flagged = 0;
    for (size_t i = 0; i < p->n; i++) {
        p->flag[i] = in[i];
        p->flagged += in[i];
    }
    return CGCT_OK;
}

CGCT_CLONES_512
static void exponentials(size_t n, double *v)
{
    for (size_t i = 0; i < n; i++) v[i] = cgct_exp(v[i]);
}

cgct_status cgct_scales_from_logs(size_t n, double *v, cgct_err *err)
{
    exponentials(n, v);
    for (size_t i = 0; i < n; i++)
        if (!(v[i] >= DBL_MIN && isfinite(v[i])))
            return cgct_fail(err, CGCT_E_FORMAT, "point %zu has the scale %g", i, v[i]);
    return CGCT_OK;
}

cgct_status cgct_zeroth_from_rest(const uint8_t *flag, size_t n, double *v, cgct_err *err)
{
    for (size_t i = 0; i < n; i++) {
        v[i] += 1;
        if (!cgct_zero_allowed(v[i], flag[i]))
            return cgct_fail(
                err, CGCT_E_FORMAT,
                "point %zu has zeroth ratio %g and flag %d; want the ratio 1 where the "
                "flag is 0, else at most 1.5",
                i, v[i], flag[i]);
    }
    return CGCT_OK;
}

/* ---- encoding 1 ---- */

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
static cgct_status get_lossless_heads(const uint8_t *in, cgct_plane *p, cgct_err *err)
{
    size_t n = p->n, flag_bytes = (n + 7) / 8 * 8;
    CGCT_TRY(get_block("scale", in, n, 0, p->scale, err));
    CGCT_TRY(get_block("error bound", in + 8 * n, n, 0, p->error, err));
    CGCT_TRY(get_block("zeroth ratio", in + 16 * n, n, -INFINITY, p->zero, err));
    CGCT_TRY(cgct_get_flags(in + 24 * n, flag_bytes, p, err));
    for (size_t i = 0; i < n; i++)
        if (!(p->scale[i] >= DBL_MIN) || !cgct_zero_allowed(p->zero[i], p->flag[i]))
            return cgct_fail(
                err, CGCT_E_FORMAT,
                "point %zu has scale %g, zeroth ratio %g and flag %d; want a normal scale > 0 "
                "and the ratio 1 where the flag is 0, else at most 1.5",
                i, p->scale[i], p->zero[i], p->flag[i]);
    return CGCT_OK;
}

/* A mode of encoding 1, where m runs fastest. */
static cgct_status get_lossless_mode(const cgct_payload *s, size_t pol, size_t m, cgct_mode *to,
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

/* ---- encoding 2 ---- */

/* Offsets in the payload of n = 2 nq nk points of nm modes: orders of differences, flags, error
 * codes, and the four planes of bytes, each of `count` bytes. */
typedef struct {
    size_t orders, flags, errors, bytes, count;
} differences_layout;

static size_t pad8(size_t n)
{
    return (n + 7) / 8 * 8;
}

static differences_layout differences_at(size_t n, size_t nm)
{
    differences_layout l = {CGCT_STEPS_SIZE, 0, 0, 0, 0};
    l.flags = l.orders + pad8(2 * (nm + 1));
    l.errors = l.flags + pad8(n);
    l.bytes = l.errors + pad8(n);
    l.count = n * (nm + 1);
    return l;
}

/* Four planes of bytes -> integers, modulo 2^32; even is n >= 0, odd is n < 0.  0: all are 0. */
CGCT_CLONES_512
static uint32_t gather_bytes(const uint8_t *in, size_t stride, size_t n, uint32_t *out)
{
    const uint8_t *b1 = in + stride, *b2 = b1 + stride, *b3 = b2 + stride;
    uint32_t any = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t z =
            (uint32_t)in[i] | (uint32_t)b1[i] << 8 | (uint32_t)b2[i] << 16 | (uint32_t)b3[i] << 24;
        out[i] = (z >> 1) ^ (0u - (z & 1));
        any |= z;
    }
    return any;
}

/* Undoes differences: `order` times sums along the rows of (nq, nk); all in one pass. */
static inline void sum_along_rows(uint32_t *v, size_t nq, size_t nk, int order)
{
    for (uint32_t *end = v + nq * nk; v < end; v += nk) {
        uint32_t once = 0, twice = 0, thrice = 0;
        for (size_t i = 0; i < nk; i++) {
            once += v[i];
            twice += once;
            thrice += twice;
            v[i] = order == 1 ? once : order == 2 ? twice : thrice;
        }
    }
}

static void sum_along_k(uint32_t *v, size_t nq, size_t nk, int order)
{
    if (order == 1) sum_along_rows(v, nq, nk, 1);
    if (order == 2) sum_along_rows(v, nq, nk, 2);
    if (order == 3) sum_along_rows(v, nq, nk, 3);
}

CGCT_CLONES_512
static void sum_along_q(uint32_t *v, size_t nq, size_t nk, int order)
{
    for (; order > 0; order--)
        for (uint32_t *row = v + nk; row < v + nq * nk; row += nk) {
            const uint32_t *before = row - nk;
            for (size_t i = 0; i < nk; i++) row[i] += before[i];
        }
}

static inline double to_double(uint32_t v)
{
    int32_t two_complement;
    memcpy(&two_complement, &v, sizeof v);
    return (double)two_complement;
}

static cgct_status get_codes(const uint8_t *in, const differences_layout *l, size_t nm,
                             cgct_plane *p, cgct_err *err)
{
    double bound[256];
    for (size_t i = 2 * (nm + 1); i < l->flags - l->orders; i++)
        if (in[l->orders + i])
            return cgct_fail(err, CGCT_E_FORMAT, "padding of the orders is not zero");
    for (size_t i = p->n; i < l->errors - l->flags; i++)
        if (in[l->errors + i])
            return cgct_fail(err, CGCT_E_FORMAT, "padding of the error codes is not zero");
    CGCT_TRY(cgct_get_flags(in + l->flags, l->errors - l->flags, p, err));
    cgct_error_codes(bound);
    for (size_t i = 0; i < p->n; i++) p->error[i] = bound[in[l->errors + i]];
    return CGCT_OK;
}

/* Quantity j (0: ln s, 1: I_0/s - 1, then I_m/s) of one polarisation -> s->work, signed; *zero: all
 * are 0. */
static cgct_status get_integers(cgct_payload *s, size_t pol, size_t j, int *zero, cgct_err *err)
{
    size_t n = s->nq * s->nk, i = pol * (s->nm + 1) + j;
    uint32_t *v = (uint32_t *)s->work;
    const differences_layout l = differences_at(2 * n, s->nm);
    int along_k = s->in[l.orders + i] & 15, along_q = s->in[l.orders + i] >> 4;
    if (along_k > CGCT_DIFFERENCES_MAX || along_q > CGCT_DIFFERENCES_MAX)
        return cgct_fail(err, CGCT_E_FORMAT, "differences of order %d and %d, want at most %d",
                         along_k, along_q, CGCT_DIFFERENCES_MAX);
    *zero = !gather_bytes(s->in + l.bytes + i * n, l.count, n, v);
    if (!*zero) {
        sum_along_k(v, s->nq, s->nk, along_k);
        sum_along_q(v, s->nq, s->nk, along_q);
    }
    return CGCT_OK;
}

static cgct_status open_differences(cgct_payload *s, cgct_plane *p, cgct_err *err)
{
    size_t n = s->nq * s->nk;
    const differences_layout l = differences_at(2 * n, s->nm);
    double step[3];
    int zero;
    CGCT_TRY(cgct_get_steps(s->in, step, err));
    CGCT_TRY(get_codes(s->in, &l, s->nm, p, err));
    s->step = step[1];
    const uint32_t *v = (uint32_t *)(s->work = malloc(n * sizeof *v));
    if (!v) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu integers", n);
    for (size_t at = 0, pol = 0; pol < 2; pol++, at += n) {
        CGCT_TRY(get_integers(s, pol, 0, &zero, err));
        for (size_t i = 0; i < n; i++) p->scale[at + i] = to_double(v[i]) * step[2];
        CGCT_TRY(cgct_scales_from_logs(n, p->scale + at, err));
        CGCT_TRY(get_integers(s, pol, 1, &zero, err));
        for (size_t i = 0; i < n; i++) p->zero[at + i] = to_double(v[i]) * step[1];
        CGCT_TRY(cgct_zeroth_from_rest(p->flag + at, n, p->zero + at, err));
    }
    return CGCT_OK;
}

static cgct_status get_differences_mode(cgct_payload *s, size_t pol, size_t m, cgct_mode *out,
                                        cgct_err *err)
{
    const cgct_mode made = {(const int32_t *)s->work, NULL, s->step, s->nk, 0};
    *out = made;
    return get_integers(s, pol, m + 1, &out->zero, err);
}

/* ---- any encoding ---- */

cgct_status cgct_payload_open(cgct_payload *s, cgct_plane *p, cgct_err *err)
{
    if (s->encoding == CGCT_ENCODING_PREDICTED) return cgct_predicted_open(s, p, err);
    if (s->encoding == CGCT_ENCODING_DIFFERENCES) return open_differences(s, p, err);
    if (!(s->work = malloc(s->nq * s->nk * sizeof(double))))
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu points", s->nq * s->nk);
    return get_lossless_heads(s->in, p, err);
}

cgct_status cgct_payload_mode(cgct_payload *s, size_t pol, size_t m, cgct_mode *out, cgct_err *err)
{
    if (s->encoding == CGCT_ENCODING_PREDICTED) return cgct_predicted_mode(s, pol, m, out, err);
    if (s->encoding == CGCT_ENCODING_DIFFERENCES) return get_differences_mode(s, pol, m, out, err);
    return get_lossless_mode(s, pol, m, out, err);
}

void cgct_payload_close(cgct_payload *s)
{
    free(s->work);
    free(s->predicted);
    memset(s, 0, sizeof *s);
}

cgct_status cgct_payload_unpack(cgct_payload s, cgct_plane *p, cgct_err *err)
{
    cgct_mode mode;
    cgct_status st = cgct_payload_open(&s, p, err);
    for (size_t i = 0; i < 2 * (p->nm - 1) && st == CGCT_OK; i++) {
        double *to = p->mode + i / 2 * p->n + i % 2 * (p->n / 2);
        st = cgct_payload_mode(&s, i % 2, 1 + i / 2, &mode, err);
        for (size_t j = 0; j < s.nq * s.nk && st == CGCT_OK; j++) {
            size_t from = j / s.nk * mode.stride + j % s.nk;
            to[j] = mode.integer ? mode.integer[from] * mode.step : mode.real[from];
        }
    }
    cgct_payload_close(&s);
    return st;
}

/* ---- frames ---- */

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
