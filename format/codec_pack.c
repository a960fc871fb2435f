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

/* s = I_0 wherever that is a scale; see FORMAT.md 3.5 for the rest. */
static double choose_scale(size_t nm, const double *modes, double error, int *flag)
{
    double largest = error;
    for (size_t m = 0; m < nm; m++) largest = fmax(largest, fabs(modes[m]));
    *flag = !(modes[0] >= DBL_MIN && isfinite(largest / modes[0]));
    return *flag ? fmax(largest, DBL_MIN) : modes[0];
}

cgct_status cgct_payload_pack(size_t n, size_t nm, const double *modes, const double *error,
                              uint8_t *out, cgct_err *err)
{
    uint8_t *scale = out, *bound = scale + 8 * n, *zero = bound + 8 * n, *flags = zero + 8 * n;
    size_t flag_bytes = (n + 7) / 8 * 8;
    uint8_t *mode = flags + flag_bytes;
    memset(flags, 0, flag_bytes);
    for (size_t i = 0; i < n; i++) {
        const double *I = modes + i * nm;
        int flag;
        CGCT_TRY(check_point(i, nm, I, error[i], err));
        double s = choose_scale(nm, I, error[i], &flag);
        cgct_put_f64(scale + 8 * i, s);
        cgct_put_f64(bound + 8 * i, error[i] / s);
        cgct_put_f64(zero + 8 * i, I[0] / s);
        flags[i] = (uint8_t)(flag ? CGCT_FLAG_SCALE : 0);
        for (size_t m = 1; m < nm; m++) cgct_put_f64(mode + 8 * (i * (nm - 1) + m - 1), I[m] / s);
    }
    return CGCT_OK;
}

size_t cgct_frame_bound(size_t raw_size)
{
    return ZSTD_compressBound(raw_size);
}

cgct_status cgct_frame_pack(const uint8_t *raw, size_t raw_size, int level, uint8_t *out,
                            size_t capacity, size_t *size, cgct_err *err)
{
    *size = ZSTD_compress(out, capacity, raw, raw_size, level);
    if (ZSTD_isError(*size))
        return cgct_fail(err, CGCT_E_NOMEM, "zstd cannot compress %zu bytes at level %d: %s",
                         raw_size, level, ZSTD_getErrorName(*size));
    return CGCT_OK;
}
