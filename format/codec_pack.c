/* SPDX-License-Identifier: MIT */
#include "codec.h"

#include <float.h>
#include <math.h>
#include <zstd.h>

#include "layout.h"

static cgct_status check_point(size_t i, size_t nm, const double *modes, double error,
                               cgct_err *err)
{
    for (size_t m = 0; m < nm; m++)
        if (!isfinite(modes[m]))
            return cgct_fail(err, CGCT_E_DOMAIN,
                             "mode %zu of point %zu is %g, want a finite number", m, i, modes[m]);
    if (!(error >= 0 && isfinite(error)))
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "error bound of point %zu is %g, want a finite number >= 0", i, error);
    return CGCT_OK;
}

/* s = I_0 wherever that is a scale; see FORMAT.md 3.6 for the rest. */
static double choose_scale(size_t nm, const double *modes, double error, double ratio_max,
                           uint8_t *flag)
{
    double largest = 0;
    for (size_t m = 0; m < nm; m++) largest = fmax(largest, fabs(modes[m]));
    int good = modes[0] >= DBL_MIN && largest / modes[0] <= ratio_max &&
               error / modes[0] <= fmax(ratio_max, CGCT_ERROR_RATIO_MAX);
    *flag = good ? 0 : CGCT_FLAG_SCALE;
    return good ? modes[0] : fmax(fmax(largest, error), DBL_MIN);
}

cgct_status cgct_plane_set(cgct_plane *p, size_t n, size_t nm, const double *modes,
                           const double *error, double ratio_max, cgct_err *err)
{
    CGCT_TRY(cgct_plane_init(p, n, nm, err));
    for (size_t i = 0; i < n; i++) {
        const double *I = modes + i * nm;
        cgct_status st = check_point(i, nm, I, error[i], err);
        if (st != CGCT_OK) {
            cgct_plane_free(p);
            return st;
        }
        double s = p->scale[i] = choose_scale(nm, I, error[i], ratio_max, &p->flag[i]);
        p->flagged += p->flag[i];
        p->error[i] = error[i] / s;
        p->zero[i] = I[0] / s;
        for (size_t m = 1; m < nm; m++) p->mode[(m - 1) * n + i] = I[m] / s;
    }
    return CGCT_OK;
}

static void put_block(uint8_t *out, const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++) cgct_put_f64(out + 8 * i, v[i]);
}

void cgct_payload_pack(const cgct_plane *p, uint8_t *out)
{
    size_t n = p->n, flag_bytes = (n + 7) / 8 * 8;
    put_block(out, p->scale, n);
    put_block(out + 8 * n, p->error, n);
    put_block(out + 16 * n, p->zero, n);
    memset(out + 24 * n, 0, flag_bytes);
    memcpy(out + 24 * n, p->flag, n);
    uint8_t *mode = out + 24 * n + flag_bytes;
    for (size_t i = 0; i < n; i++)
        for (size_t m = 1; m < p->nm; m++, mode += 8) cgct_put_f64(mode, p->mode[(m - 1) * n + i]);
}

size_t cgct_frame_bound(const cgct_raw *raw)
{
    const size_t of_block = 16; /* what one more block may cost */
    return ZSTD_compressBound(raw->size) + of_block * (raw->cuts.n + 1);
}

/* With cuts: their blocks end where they say, and are no place for matches. */
static size_t compress(ZSTD_CCtx *c, const cgct_raw *raw, uint8_t *out, size_t capacity)
{
    ZSTD_outBuffer to = {out, capacity, 0};
    size_t done = 0, left = 0;
    if (raw->cuts.n == 0) return ZSTD_compress2(c, out, capacity, raw->data, raw->size);
    ZSTD_CCtx_setParameter(c, ZSTD_c_minMatch, 7);
    ZSTD_CCtx_setPledgedSrcSize(c, raw->size);
    for (size_t i = 0; i <= raw->cuts.n && !ZSTD_isError(left); i++) {
        int last = i == raw->cuts.n;
        size_t end = last ? raw->size : raw->cuts.at[i];
        ZSTD_inBuffer from = {raw->data + done, end - done, 0};
        do left = ZSTD_compressStream2(c, &to, &from, last ? ZSTD_e_end : ZSTD_e_flush);
        while (left > 0 && !ZSTD_isError(left));
        done = end;
    }
    return ZSTD_isError(left) ? left : to.pos;
}

cgct_status cgct_frame_pack(const cgct_raw *raw, int level, uint8_t *out, size_t capacity,
                            size_t *size, cgct_err *err)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    if (!c) return cgct_fail(err, CGCT_E_NOMEM, "no memory for zstd");
    ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, level);
    *size = compress(c, raw, out, capacity);
    ZSTD_freeCCtx(c);
    if (ZSTD_isError(*size))
        return cgct_fail(err, CGCT_E_NOMEM, "zstd cannot compress %zu bytes at level %d: %s",
                         raw->size, level, ZSTD_getErrorName(*size));
    return CGCT_OK;
}
