/* SPDX-License-Identifier: MIT */
#include "predicted.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../reader/cgctab_math.h"
#include "integers.h"
#include "layout.h"

struct cgct_predicted {
    cgct_lattice lattice;
    const uint8_t *descriptor, *descriptor_end;
    const uint8_t *next[CGCT_PREDICTED_STREAMS], *last[CGCT_PREDICTED_STREAMS]; /* of symbols */
    const uint8_t *bits;
    uint64_t bit, nbits;
    uint8_t stream[256];   /* by the largest symbol above */
    int32_t *plane[2][3];  /* by polarisation: a mode and the two before */
    uint16_t *modes;       /* (2, nq nk) */
    uint32_t *first, *end; /* (2, nq): where the next mode's integers lie */
    uint32_t *row;
    uint8_t *symbol, *above; /* of this row and the one before, zeros on both sides */
    uint8_t *largest;        /* of three above */
};

/* ---- prediction ---- */

CGCT_CLONES
static void predict_inside(const int32_t *const x[CGCT_TAPS], const int32_t *c, size_t n,
                           uint32_t *v)
{
    const int32_t *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3];
    const int64_t c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
    for (size_t i = 0; i < n; i++) {
        int64_t sum = c0 * x0[i] + c1 * x1[i] + c2 * x2[i] + c3 * x3[i];
        v[i] += (uint32_t)((uint64_t)(sum + CGCT_TAP_ONE / 2) >> 12);
    }
}

CGCT_CLONES
static void predict_all(const int32_t *const x[CGCT_TAPS], const int32_t *c, size_t n, uint32_t *v)
{
    const int32_t *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3];
    const int32_t *x4 = x[4], *x5 = x[5], *x6 = x[6], *x7 = x[7];
    const int64_t c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
    const int64_t c4 = c[4], c5 = c[5], c6 = c[6], c7 = c[7];
    for (size_t i = 0; i < n; i++) {
        int64_t sum = c0 * x0[i] + c1 * x1[i] + c2 * x2[i] + c3 * x3[i];
        sum += c4 * x4[i] + c5 * x5[i] + c6 * x6[i] + c7 * x7[i];
        v[i] += (uint32_t)((uint64_t)(sum + CGCT_TAP_ONE / 2) >> 12);
    }
}

void cgct_predict(const cgct_predictor *p, const cgct_lattice *l, int32_t *const plane[3],
                  size_t iq, size_t first, size_t n, uint32_t *v)
{
    size_t here = cgct_lattice_at(l, iq) + first, up = here - l->stride;
    size_t upper = iq == 1 ? up : iq == 0 ? first + 1 : up - l->stride; /* row 0: zeros */
    const int32_t *const x[CGCT_TAPS] = {plane[0] + up,    plane[0] + up + 1, plane[0] + up - 1,
                                         plane[0] + upper, plane[1] + here,   plane[1] + up,
                                         plane[2] + here,  plane[2] + up};
    size_t lanes = (n + CGCT_LANES - 1) / CGCT_LANES * CGCT_LANES;
    if (p->c[4] || p->c[5] || p->c[6] || p->c[7])
        predict_all(x, p->c, lanes, v);
    else if (p->c[0] || p->c[1] || p->c[2] || p->c[3])
        predict_inside(x, p->c, lanes, v);
}

void cgct_narrow(const uint16_t *modes, size_t nq, size_t nk, size_t m, uint32_t *first,
                 uint32_t *end)
{
    for (size_t iq = 0; iq < nq; iq++, modes += nk) {
        while (first[iq] < end[iq] && modes[first[iq]] <= m) first[iq]++;
        while (first[iq] < end[iq] && modes[end[iq] - 1] <= m) end[iq]--;
    }
}

/* ---- residuals ---- */

/* Small tokens -> signed residuals; returns whether all are small. */
CGCT_CLONES
static int unfold(const uint8_t *token, size_t n, uint32_t *v)
{
    uint8_t any = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t z = token[i];
        v[i] = z >> 1 ^ (0u - (z & 1));
        any |= token[i];
    }
    return any < CGCT_TOKEN_LARGE;
}

/* Four tokens to an octave; the bits below follow in the stream, lowest first. */
static cgct_status get_large(struct cgct_predicted *d, unsigned token, uint32_t *v, cgct_err *err)
{
    unsigned octave = (token - CGCT_TOKEN_LARGE) / 4, n = octave + 5;
    uint64_t low = 0;
    if (token > CGCT_TOKEN_MAX || d->nbits - d->bit < n)
        return cgct_fail(err, CGCT_E_FORMAT, "symbol %u of at most %d with %llu bits left", token,
                         CGCT_TOKEN_MAX, (unsigned long long)(d->nbits - d->bit));
    const uint8_t *from = d->bits + d->bit / 8;
    unsigned shift = (unsigned)(d->bit % 8);
    for (unsigned i = 0; i < (shift + n + 7) / 8; i++) low |= (uint64_t)from[i] << 8 * i;
    d->bit += n;
    uint32_t z = (4 + token % 4) << n | (uint32_t)(low >> shift & ((UINT64_C(1) << n) - 1));
    *v = z >> 1 ^ (0u - (z & 1));
    return CGCT_OK;
}

CGCT_CLONES
static void largest_above(const uint8_t *above, size_t n, uint8_t *largest)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t two = above[i] > above[i - 1] ? above[i] : above[i - 1];
        largest[i] = above[i + 1] > two ? above[i + 1] : two;
    }
}

/* Symbols first.. of a row, each from the stream that those above it choose. */
static cgct_status get_symbols(struct cgct_predicted *d, size_t first, size_t n, cgct_err *err)
{
    uint8_t *out = d->symbol + first;
    largest_above(d->above + first, (n + CGCT_LANES - 1) / CGCT_LANES * CGCT_LANES, d->largest);
    for (size_t i = 0; i < n; i++) {
        unsigned stream = d->stream[d->largest[i]];
        if (d->next[stream] == d->last[stream])
            return cgct_fail(err, CGCT_E_FORMAT, "stream %u of symbols ends too early", stream);
        out[i] = *d->next[stream]++;
    }
    return CGCT_OK;
}

/* Residuals of a row that begins at first, into d->row. */
static cgct_status get_residuals(struct cgct_predicted *d, size_t first, size_t n, cgct_err *err)
{
    size_t lanes = (n + CGCT_LANES - 1) / CGCT_LANES * CGCT_LANES;
    const uint8_t *symbol = d->symbol + first;
    CGCT_TRY(get_symbols(d, first, n, err));
    int small = unfold(symbol, lanes, d->row);
    for (size_t i = 0; i < n && !small; i++)
        if (symbol[i] >= CGCT_TOKEN_LARGE) CGCT_TRY(get_large(d, symbol[i], &d->row[i], err));
    return CGCT_OK;
}

/* Undoes differences; each began with the first integer that has a neighbour for it. */
static void sum_row(uint32_t *v, size_t n, unsigned order)
{
    for (; order > 0; order--) {
        uint32_t sum = order <= n ? v[order - 1] : 0;
        for (size_t i = order; i < n; i++) v[i] = sum += v[i];
    }
}

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
    const cgct_lattice *l = &d->lattice;
    cgct_predictor p;
    CGCT_TRY(get_predictor(d, &p, err));
    *zero = p.order == CGCT_ORDER_ZERO;
    memset(plane[0], 0, cgct_lattice_size(l) * sizeof **plane);
    memset(d->symbol, 0, l->nk);
    for (size_t iq = 0; iq < l->nq && !*zero; iq++) {
        size_t n = end[iq] - first[iq];
        uint8_t *above = d->symbol;
        d->symbol = d->above;
        d->above = above;
        memset(d->symbol, 0, l->nk);
        if (n == 0) continue;
        CGCT_TRY(get_residuals(d, first[iq], n, err));
        sum_row(d->row, n, p.order);
        cgct_predict(&p, l, plane, iq, first[iq], n, d->row);
        memcpy(plane[0] + cgct_lattice_at(l, iq) + first[iq], d->row, n * sizeof *d->row);
    }
    return CGCT_OK;
}

CGCT_CLONES
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

CGCT_CLONES
static void exponentials(size_t n, double *v)
{
    for (size_t i = 0; i < n; i++) v[i] = cgct_exp(v[i]);
}

/* Quantity j of a polarisation, as it stands in plane[0]. */
static cgct_status place(cgct_payload *s, size_t j, size_t pol, const double step[3],
                         const double *bound, cgct_plane *p, cgct_err *err)
{
    struct cgct_predicted *d = s->predicted;
    size_t points = s->nq * s->nk, at = pol * points;
    const double limit[2] = {255, (double)s->nm - 1};
    double *value = j == 0 ? p->error + at : j == 2 ? p->scale + at : p->zero + at;
    to_multiples(&d->lattice, d->plane[pol][0], j == 2 ? step[2] : j == 3 ? step[1] : 1, value);
    if (j == 2) exponentials(points, value);
    for (size_t i = 0; i < points; i++) {
        if (j < 2 && !(value[i] >= 0 && value[i] <= limit[j]))
            return cgct_fail(err, CGCT_E_FORMAT, "point %zu has %s %g, want 0 to %g", at + i,
                             j ? "last mode" : "error code", value[i], limit[j]);
        if (j == 0) value[i] = bound[(int)value[i]];
        if (j == 1) d->modes[at + i] = (uint16_t)(1 + value[i]);
        if (j == 2 && !(value[i] >= DBL_MIN && isfinite(value[i])))
            return cgct_fail(err, CGCT_E_FORMAT, "point %zu has the scale %g", at + i, value[i]);
        if (j == 3 && !cgct_zero_allowed(value[i] += 1, p->flag[at + i]))
            return cgct_fail(err, CGCT_E_FORMAT, "point %zu has zeroth ratio %g and flag %d",
                             at + i, value[i], p->flag[at + i]);
    }
    return CGCT_OK;
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
    size_t plane = cgct_lattice_size(&l), n = s->nq * s->nk, row = s->nk + 2 + CGCT_LANES;
    size_t integers = 6 * plane + 4 * s->nq + row;
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
    d->symbol = (uint8_t *)(d->modes + 2 * n) + 1;
    d->above = d->symbol + row;
    d->largest = d->above + row;
    for (unsigned i = 0; i < 256; i++) d->stream[i] = (uint8_t)cgct_stream_of(i);
    for (size_t i = 0; i < 2 * s->nq; i++) d->end[i] = (uint32_t)s->nk;
    return CGCT_OK;
}

/* Nothing may be left after the last plane. */
static cgct_status check_end(const struct cgct_predicted *d, cgct_err *err)
{
    size_t descriptors = (size_t)(d->descriptor_end - d->descriptor), symbols = 0;
    for (int i = 0; i < CGCT_PREDICTED_STREAMS; i++) symbols += (size_t)(d->last[i] - d->next[i]);
    if (descriptors || symbols || d->nbits - d->bit > 7)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%zu bytes of predictors, %zu symbols, %llu bits are left over",
                         descriptors, symbols, (unsigned long long)(d->nbits - d->bit));
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

cgct_status cgct_predicted_mode(cgct_payload *s, size_t pol, size_t m, double *out, int *zero,
                                cgct_err *err)
{
    struct cgct_predicted *d = s->predicted;
    int32_t **plane = d->plane[pol], *oldest = plane[2];
    uint32_t *first = d->first + pol * s->nq, *end = d->end + pol * s->nq;
    plane[2] = plane[1];
    plane[1] = plane[0];
    plane[0] = oldest;
    cgct_narrow(d->modes + pol * s->nq * s->nk, s->nq, s->nk, m, first, end);
    CGCT_TRY(get_plane(d, plane, first, end, zero, err));
    to_multiples(&d->lattice, plane[0], s->step, out);
    return pol == 1 && m + 1 == s->nm ? check_end(d, err) : CGCT_OK;
}
