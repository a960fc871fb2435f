/* SPDX-License-Identifier: MIT */
#include "predicted.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elementary.h"
#include "integers.h"
#include "layout.h"
#include "predicted_rows.h"

/* ---- planes ---- */

static cgct_status get_predictor(struct cgct_predicted *d, cgct_predictor *p, cgct_err *err)
{
    size_t left = (size_t)(d->descriptor_end - d->descriptor);
    memset(p, 0, sizeof *p);
    if (left < 1 || d->descriptor[0] > CGCT_ORDER_ZERO)
        return cgct_fail(err, CGCT_E_FORMAT, "%zu bytes of predictors left, order %d, want 0 to %d",
                         left, left ? d->descriptor[0] : -1, CGCT_ORDER_ZERO);
    p->order = *d->descriptor++;
    if (p->order == CGCT_ORDER_ZERO) return CGCT_OK;
    unsigned taps = left < 2 ? 0 : *d->descriptor++, count = 0;
    for (int i = 0; i < CGCT_TAPS; i++) count += taps >> i & 1;
    if (left < 2 + 2 * count)
        return cgct_fail(err, CGCT_E_FORMAT, "%zu bytes of predictors left, want %u", left,
                         2 + 2 * count);
    for (int i = 0; i < CGCT_TAPS; i++) {
        if (!(taps >> i & 1)) continue;
        int32_t c = cgct_get_u16(d->descriptor);
        p->c[i] = c < 0x8000 ? c : c - 0x10000;
        d->descriptor += 2;
    }
    return CGCT_OK;
}

/* The next plane into plane[0]; first, end (nq). */
static cgct_status get_plane(struct cgct_predicted *d, int32_t *const plane[3],
                             const uint32_t *first, const uint32_t *end, int *zero, cgct_err *err)
{
    cgct_predictor p;
    CGCT_TRY(get_predictor(d, &p, err));
    *zero = p.order == CGCT_ORDER_ZERO;
    if (*zero) memset(plane[0], 0, cgct_lattice_size(&d->lattice) * sizeof **plane);
    if (*zero || cgct_predicted_rows(d, &p, plane, first, end)) return CGCT_OK;
    return cgct_fail(err, CGCT_E_FORMAT,
                     "a plane needs more symbols or bits than are left, or one beyond %d",
                     CGCT_TOKEN_MAX);
}

CGCT_CLONES_512
static void multiples(const int32_t *v, double step, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++) out[i] = (double)v[i] * step;
}

static void to_multiples(const cgct_lattice *l, const int32_t *plane, double step, double *out)
{
    for (size_t iq = 0; iq < l->nq; iq++)
        multiples(plane + cgct_lattice_at(l, iq), step, l->nk, out + iq * l->nk);
}

/* ---- heads ---- */

CGCT_CLONES_512
static void exponentials(size_t n, double *v)
{
    for (size_t i = 0; i < n; i++) v[i] = cgct_exp(v[i]);
}

static cgct_status place_codes(const double *bound, size_t n, double *v, cgct_err *err)
{
    for (size_t i = 0; i < n; i++) {
        if (!(v[i] >= 0 && v[i] <= 255))
            return cgct_fail(err, CGCT_E_FORMAT, "point %zu has error code %g, want 0 to 255", i,
                             v[i]);
        v[i] = bound[(int)v[i]];
    }
    return CGCT_OK;
}

static cgct_status place_counts(size_t nm, size_t n, const double *v, uint16_t *modes,
                                cgct_err *err)
{
    for (size_t i = 0; i < n; i++) {
        if (!(v[i] >= 0 && v[i] <= (double)(nm - 1)))
            return cgct_fail(err, CGCT_E_FORMAT, "point %zu has the last mode %g, want 0 to %zu", i,
                             v[i], nm - 1);
        modes[i] = (uint16_t)(1 + v[i]);
    }
    return CGCT_OK;
}

static cgct_status place_scales(size_t n, double *v, cgct_err *err)
{
    exponentials(n, v);
    for (size_t i = 0; i < n; i++)
        if (!(v[i] >= DBL_MIN && isfinite(v[i])))
            return cgct_fail(err, CGCT_E_FORMAT, "point %zu has the scale %g", i, v[i]);
    return CGCT_OK;
}

static cgct_status place_zeroth(const uint8_t *flag, size_t n, double *v, cgct_err *err)
{
    for (size_t i = 0; i < n; i++) {
        v[i] += 1;
        if (!cgct_zero_allowed(v[i], flag[i]))
            return cgct_fail(err, CGCT_E_FORMAT, "point %zu has zeroth ratio %g and flag %d", i,
                             v[i], flag[i]);
    }
    return CGCT_OK;
}

/* Quantity j of a polarisation, as it stands in plane[0]. */
static cgct_status place(cgct_payload *s, size_t j, size_t pol, const double step[3],
                         const double *bound, cgct_plane *p, cgct_err *err)
{
    struct cgct_predicted *d = s->predicted;
    size_t n = s->nq * s->nk, at = pol * n;
    double *v = j == 0 ? p->error + at : j == 2 ? p->scale + at : p->zero + at;
    to_multiples(&d->lattice, d->plane[pol][0], j == 2 ? step[2] : j == 3 ? step[1] : 1, v);
    if (j == 0) return place_codes(bound, n, v, err);
    if (j == 1) return place_counts(s->nm, n, v, d->modes + at, err);
    if (j == 2) return place_scales(n, v, err);
    return place_zeroth(p->flag + at, n, v, err);
}

static cgct_status get_heads(cgct_payload *s, const double step[3], cgct_plane *p, cgct_err *err)
{
    struct cgct_predicted *d = s->predicted;
    double bound[256];
    int zero;
    cgct_error_codes(bound);
    for (size_t i = 0; i < 2 * CGCT_PREDICTED_QUANTITIES; i++) {
        CGCT_TRY(get_plane(d, d->plane[i % 2], d->first, d->end, &zero, err));
        CGCT_TRY(place(s, i / 2, i % 2, step, bound, p, err));
    }
    for (size_t pol = 0; pol < 2; pol++)
        memset(d->plane[pol][0], 0, cgct_lattice_size(&d->lattice) * sizeof(int32_t));
    return CGCT_OK;
}

static cgct_status get_flags(const uint8_t *flag, cgct_plane *p, cgct_err *err)
{
    p->flagged = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (flag[i] > CGCT_FLAG_SCALE)
            return cgct_fail(err, CGCT_E_FORMAT, "flag %zu is %d, the format allows 0 and 1", i,
                             flag[i]);
        p->flag[i] = flag[i];
        p->flagged += flag[i];
    }
    return CGCT_OK;
}

/* One piece of memory for everything. */
static cgct_status make_room(cgct_payload *s, cgct_err *err)
{
    const cgct_lattice l = cgct_lattice_of(s->nq, s->nk);
    size_t plane = cgct_lattice_size(&l), n = s->nq * s->nk, row = s->nk + 2 + 2 * CGCT_LANES;
    size_t integers = 6 * plane + 4 * s->nq + row;
    if ((uint64_t)(s->nq + 1) * l.stride > SIZE_MAX / 64)
        return cgct_fail(err, CGCT_E_NOMEM, "%zu x %zu integers exceed this machine's memory",
                         s->nq, s->nk);
    struct cgct_predicted *d = (struct cgct_predicted *)calloc(
        1, sizeof *d + integers * sizeof(int32_t) + 2 * n * sizeof(uint16_t) + 3 * row);
    if (!d) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu integers", integers);
    s->predicted = d;
    d->lattice = l;
    int32_t *at = (int32_t *)(void *)(d + 1);
    for (int i = 0; i < 6; i++) d->plane[i / 3][i % 3] = at + (size_t)i * plane;
    d->first = (uint32_t *)at + 6 * plane;
    d->end = d->first + 2 * s->nq;
    d->row = d->end + 2 * s->nq;
    d->modes = (uint16_t *)(d->row + row);
    d->symbol[0] = (uint8_t *)(d->modes + 2 * n) + 1;
    d->symbol[1] = d->symbol[0] + row;
    d->choice = d->symbol[1] + row;
    for (size_t i = 0; i < 2 * s->nq; i++) d->end[i] = (uint32_t)s->nk;
    return CGCT_OK;
}

/* Nothing may be left after the last plane. */
static cgct_status check_end(const struct cgct_predicted *d, cgct_err *err)
{
    size_t descriptors = (size_t)(d->descriptor_end - d->descriptor), symbols = 0;
    for (int i = 0; i < CGCT_PREDICTED_STREAMS; i++) symbols += (size_t)(d->last[i] - d->next[i]);
    uint64_t left = d->nbits - d->bit;
    if (descriptors || symbols || left > 7 || (left && d->bits[d->bit / 8] >> d->bit % 8))
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%zu bytes of predictors, %zu symbols, %llu bits are left over",
                         descriptors, symbols, (unsigned long long)left);
    return CGCT_OK;
}

/* Where the parts of a payload of so many bytes lie. */
static cgct_status find_parts(cgct_payload *s, size_t size, cgct_err *err)
{
    struct cgct_predicted *d = s->predicted;
    size_t start = CGCT_PREDICTED_HEAD + 2 * s->nq * s->nk, left = size - start;
    const uint8_t *at = s->in + start;
    for (int i = -1; i < CGCT_PREDICTED_STREAMS; i++) {
        size_t part = cgct_get_u32(s->in + 28 + 4 * i);
        if (part > left)
            return cgct_fail(err, CGCT_E_FORMAT, "part %d has %zu bytes, %zu are left", i + 1, part,
                             left);
        *(i < 0 ? &d->descriptor : &d->next[i]) = at;
        *(i < 0 ? &d->descriptor_end : &d->last[i]) = at += part;
        left -= part;
    }
    if (cgct_get_u32(s->in + CGCT_PREDICTED_HEAD - 4))
        return cgct_fail(err, CGCT_E_FORMAT, "reserved bytes are not zero");
    d->bits = at;
    d->nbits = 8 * (uint64_t)left;
    return CGCT_OK;
}

cgct_status cgct_predicted_open(cgct_payload *s, size_t size, cgct_plane *p, cgct_err *err)
{
    double step[3];
    if (size < CGCT_PREDICTED_HEAD + p->n)
        return cgct_fail(err, CGCT_E_FORMAT, "%zu bytes, want at least %zu", size,
                         CGCT_PREDICTED_HEAD + p->n);
    CGCT_TRY(cgct_get_steps(s->in, step, err));
    CGCT_TRY(get_flags(s->in + CGCT_PREDICTED_HEAD, p, err));
    CGCT_TRY(make_room(s, err));
    CGCT_TRY(find_parts(s, size, err));
    s->step = step[1];
    CGCT_TRY(get_heads(s, step, p, err));
    return s->nm > 1 ? CGCT_OK : check_end(s->predicted, err);
}

cgct_status cgct_predicted_mode(cgct_payload *s, size_t pol, size_t m, cgct_mode *out,
                                cgct_err *err)
{
    struct cgct_predicted *d = s->predicted;
    int32_t **plane = d->plane[pol], *oldest = plane[2];
    uint32_t *first = d->first + pol * s->nq, *end = d->end + pol * s->nq;
    plane[2] = plane[1];
    plane[1] = plane[0];
    plane[0] = oldest;
    cgct_narrow_rows(d->modes + pol * s->nq * s->nk, s->nq, s->nk, m, first, end);
    const cgct_mode made = {plane[0] + cgct_lattice_at(&d->lattice, 0), NULL, s->step,
                            d->lattice.stride, 0};
    *out = made;
    CGCT_TRY(get_plane(d, plane, first, end, &out->zero, err));
    return pol == 1 && m + 1 == s->nm ? check_end(d, err) : CGCT_OK;
}
