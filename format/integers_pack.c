/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integers.h"
#include "layout.h"

/* ln s gets an eighth of the error: it multiplies every mode, and there is one of it to many. */
#define SHARE_OF_SCALE 8.0

/* Within them e^v is a normal number. */
#define LN_MIN -708.396418532
#define LN_MAX 709.782712893

typedef struct {
    size_t nq, nk, n; /* n = nq nk integers in each plane */
    double step, ln_step;
    uint32_t *v, *trial;
} packer;

/* The smallest code whose bound is not below e. */
static unsigned code_of_error(const double bound[256], double e)
{
    unsigned code = 1;
    if (e == 0) return 0;
    while (code < 255 && bound[code] < e) code++;
    return code;
}

static double quantity(const cgct_plane *p, size_t j, size_t at)
{
    if (j == 0) return log(p->scale[at]);
    return j == 1 ? p->zero[at] - 1 : p->mode[(j - 2) * p->n + at];
}

static cgct_status round_plane(const packer *k, const cgct_plane *p, size_t j, size_t first,
                               cgct_err *err)
{
    double step = j ? k->step : k->ln_step;
    for (size_t i = 0; i < k->n; i++) {
        double value = j == 1 && !p->flag[first + i] ? 0 : quantity(p, j, first + i) / step;
        if (!(fabs(value) < 2147483647.0))
            return cgct_fail(err, CGCT_E_ACCURACY,
                             "point %zu: %g steps of %g exceed 31 bits; ask for a larger bound or "
                             "store without loss (bound 0)",
                             first + i, value, step);
        if (j == 0) value = fmin(fmax(value, ceil(LN_MIN / step)), floor(LN_MAX / step));
        k->v[i] = (uint32_t)(int32_t)lround(value);
    }
    return CGCT_OK;
}

static void differences(uint32_t *v, size_t nq, size_t nk, int along_k, int along_q)
{
    for (; along_k > 0; along_k--)
        for (size_t iq = 0; iq < nq; iq++)
            for (size_t ik = nk - 1; ik > 0; ik--) v[iq * nk + ik] -= v[iq * nk + ik - 1];
    for (; along_q > 0; along_q--)
        for (size_t i = nq * nk; i-- > nk;) v[i] -= v[i - nk];
}

static uint32_t fold_sign(uint32_t v)
{
    return v << 1 ^ (v >> 31 ? UINT32_MAX : 0);
}

/* About the bits that an entropy coder needs. */
static double cost(const uint32_t *v, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += log2(1 + (double)fold_sign(v[i]));
    return sum;
}

/* The orders that cost least; leaves the differences in k->v. */
static uint8_t choose_orders(const packer *k)
{
    double least = INFINITY;
    int best = 0;
    for (int order = 0; order < 16; order++) {
        memcpy(k->trial, k->v, k->n * sizeof *k->v);
        differences(k->trial, k->nq, k->nk, order & 3, order >> 2);
        double bits = cost(k->trial, k->n);
        if (bits < least) {
            least = bits;
            best = order;
        }
    }
    differences(k->v, k->nq, k->nk, best & 3, best >> 2);
    return (uint8_t)((best & 3) | (best >> 2) << 4);
}

static void scatter(const packer *k, size_t stride, uint8_t *out)
{
    for (size_t i = 0; i < k->n; i++) {
        uint32_t z = fold_sign(k->v[i]);
        for (size_t byte = 0; byte < 4; byte++) out[i + byte * stride] = (uint8_t)(z >> 8 * byte);
    }
}

static cgct_status pack_planes(const packer *k, const cgct_plane *p, const cgct_integers_layout *l,
                               uint8_t *out, cgct_err *err)
{
    for (size_t i = 0; i < 2 * (p->nm + 1); i++) {
        CGCT_TRY(round_plane(k, p, i % (p->nm + 1), i / (p->nm + 1) * k->n, err));
        out[l->orders + i] = choose_orders(k);
        scatter(k, l->count, out + l->bytes + i * k->n);
    }
    return CGCT_OK;
}

/* Decodes what was written, puts it into p and returns the largest |I_m - stored|/s. */
static cgct_status measure(cgct_plane *p, size_t nq, size_t nk, const uint8_t *in, double *worst,
                           cgct_err *err)
{
    cgct_plane back;
    CGCT_TRY(cgct_plane_init(&back, p->n, p->nm, err));
    cgct_status st = cgct_payload_unpack(CGCT_ENCODING_INTEGERS, in, nq, nk, &back, err);
    *worst = 0;
    for (size_t i = 0; i < p->n && st == CGCT_OK; i++) {
        double growth = back.scale[i] / p->scale[i];
        *worst = fmax(*worst, fabs(growth * back.zero[i] - p->zero[i]));
        for (size_t j = i; j < p->n * (p->nm - 1); j += p->n)
            *worst = fmax(*worst, fabs(growth * back.mode[j] - p->mode[j]));
    }
    cgct_plane_free(p);
    *p = back;
    return st;
}

static double largest_ratio(const cgct_plane *p)
{
    double r = 1;
    for (size_t i = 0; i < p->n * (p->nm - 1); i++) r = fmax(r, fabs(p->mode[i]));
    return r;
}

cgct_status cgct_integers_pack(cgct_plane *p, size_t nq, size_t nk, double bound, uint8_t *out,
                               double *measured, cgct_err *err)
{
    const cgct_integers_layout l = cgct_integers_at(p->n, p->nm);
    /* Half a step from each ratio, and from s an eighth of that times the ratio. */
    double half = bound / (1 + largest_ratio(p) / SHARE_OF_SCALE);
    packer k = {nq, nk, nq * nk, 2 * half, 2 * half / SHARE_OF_SCALE, NULL, NULL};
    double codes[256];
    cgct_error_codes(codes);
    memset(out, 0, l.size);
    cgct_put_f64(out, bound);
    cgct_put_f64(out + 8, k.step);
    cgct_put_f64(out + 16, k.ln_step);
    for (size_t i = 0; i < p->n; i++) {
        out[l.flags + i] = p->flag[i];
        out[l.errors + i] = (uint8_t)code_of_error(codes, p->error[i]);
    }
    k.v = malloc(k.n * sizeof *k.v);
    k.trial = malloc(k.n * sizeof *k.trial);
    cgct_status st =
        k.v && k.trial ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu integers", k.n);
    if (st == CGCT_OK) st = pack_planes(&k, p, &l, out, err);
    if (st == CGCT_OK) st = measure(p, nq, nk, out, measured, err);
    free(k.v);
    free(k.trial);
    return st;
}
