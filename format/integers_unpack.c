/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elementary.h"
#include "codec.h"
#include "integers.h"
#include "layout.h"

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

/* Four planes of bytes -> integers, modulo 2^32; even is n >= 0, odd is n < 0.  0: all are 0. */
CGCT_CLONES_512
static uint32_t gather(const uint8_t *in, size_t stride, size_t n, uint32_t *out)
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
static inline void sum_rows(uint32_t *v, size_t nq, size_t nk, int order)
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
    if (order == 1) sum_rows(v, nq, nk, 1);
    if (order == 2) sum_rows(v, nq, nk, 2);
    if (order == 3) sum_rows(v, nq, nk, 3);
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

static cgct_status get_codes(const uint8_t *in, const cgct_integers_layout *l, size_t nm,
                             cgct_plane *p, cgct_err *err)
{
    for (size_t i = 2 * (nm + 1); i < l->flags - l->orders; i++)
        if (in[l->orders + i])
            return cgct_fail(err, CGCT_E_FORMAT, "padding of the orders is not zero");
    for (size_t i = 0; i < l->errors - l->flags; i++)
        if (in[l->flags + i] > (i < p->n ? CGCT_FLAG_SCALE : 0) || (i >= p->n && in[l->errors + i]))
            return cgct_fail(err, CGCT_E_FORMAT, "flag %zu is %d, the format allows %s", i,
                             in[l->flags + i], i < p->n ? "0 and 1" : "0");
    double bound[256];
    cgct_error_codes(bound);
    p->flagged = 0;
    for (size_t i = 0; i < p->n; i++) {
        p->flag[i] = in[l->flags + i];
        p->flagged += p->flag[i];
        p->error[i] = bound[in[l->errors + i]];
    }
    return CGCT_OK;
}

CGCT_CLONES_512
static void exponentials(const uint32_t *v, double step, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++) out[i] = cgct_exp(to_double(v[i]) * step);
}

static cgct_status place_scales(cgct_plane *p, size_t first, size_t n, double step,
                                const uint32_t *v, cgct_err *err)
{
    double *scale = p->scale + first;
    exponentials(v, step, n, scale);
    for (size_t i = 0; i < n; i++)
        if (!(scale[i] >= DBL_MIN && isfinite(scale[i])))
            return cgct_fail(err, CGCT_E_FORMAT, "point %zu: ln s = %g has no scale", first + i,
                             to_double(v[i]) * step);
    return CGCT_OK;
}

static cgct_status place_zeroth(cgct_plane *p, size_t first, size_t n, double step,
                                const uint32_t *v, cgct_err *err)
{
    for (size_t i = first; i < first + n; i++) {
        p->zero[i] = 1 + to_double(v[i - first]) * step;
        if (!cgct_zero_allowed(p->zero[i], p->flag[i]))
            return cgct_fail(
                err, CGCT_E_FORMAT,
                "point %zu has zeroth ratio %g and flag %d; want the ratio 1 where the "
                "flag is 0, else at most 1.5",
                i, p->zero[i], p->flag[i]);
    }
    return CGCT_OK;
}

/* Quantity j (0: ln s, 1: I_0/s - 1, then I_m/s) of one polarisation -> s->work, signed; *zero: all
 * are 0. */
static cgct_status get_plane(cgct_payload *s, size_t pol, size_t j, int *zero, cgct_err *err)
{
    size_t n = s->nq * s->nk, i = pol * (s->nm + 1) + j;
    uint32_t *v = (uint32_t *)s->work;
    const cgct_integers_layout l = cgct_integers_at(2 * n, s->nm);
    int along_k = s->in[l.orders + i] & 15, along_q = s->in[l.orders + i] >> 4;
    if (along_k > CGCT_DIFFERENCES_MAX || along_q > CGCT_DIFFERENCES_MAX)
        return cgct_fail(err, CGCT_E_FORMAT, "differences of order %d and %d, want at most %d",
                         along_k, along_q, CGCT_DIFFERENCES_MAX);
    *zero = !gather(s->in + l.bytes + i * n, l.count, n, v);
    if (!*zero) {
        sum_along_k(v, s->nq, s->nk, along_k);
        sum_along_q(v, s->nq, s->nk, along_q);
    }
    return CGCT_OK;
}

cgct_status cgct_integers_open(cgct_payload *s, cgct_plane *p, cgct_err *err)
{
    size_t n = s->nq * s->nk;
    const cgct_integers_layout l = cgct_integers_at(2 * n, s->nm);
    double step[3];
    int zero;
    CGCT_TRY(cgct_get_steps(s->in, step, err));
    CGCT_TRY(get_codes(s->in, &l, s->nm, p, err));
    s->step = step[1];
    const uint32_t *v = (uint32_t *)(s->work = malloc(n * sizeof *v));
    if (!v) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu integers", n);
    for (size_t pol = 0; pol < 2; pol++) {
        CGCT_TRY(get_plane(s, pol, 0, &zero, err));
        CGCT_TRY(place_scales(p, pol * n, n, step[2], v, err));
        CGCT_TRY(get_plane(s, pol, 1, &zero, err));
        CGCT_TRY(place_zeroth(p, pol * n, n, step[1], v, err));
    }
    return CGCT_OK;
}

cgct_status cgct_integers_mode(cgct_payload *s, size_t pol, size_t m, cgct_mode *out, cgct_err *err)
{
    const cgct_mode made = {(const int32_t *)s->work, NULL, s->step, s->nk, 0};
    *out = made;
    return get_plane(s, pol, m + 1, &out->zero, err);
}
