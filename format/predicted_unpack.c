/* SPDX-License-Identifier: MIT */
/* Decodes encoding 5 (FORMAT.md 3.9): rounded modes that are predicted from their neighbours. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elementary.h"
#include "layout.h"
#include "predicted.h"
#include "vectors.h"

/* A payload while it is being decoded. */
struct cgct_predicted {
    cgct_lattice lattice;
    const uint8_t *descriptor, *descriptor_end;
    const uint8_t *next[CGCT_PREDICTED_STREAMS], *last[CGCT_PREDICTED_STREAMS]; /* of symbols */
    const uint8_t *bits;
    uint64_t bit, nbits;
    int32_t *plane[2][3];  /* by polarisation: a mode and the two before */
    uint16_t *modes;       /* (2, nq nk) */
    uint32_t *first, *end; /* (2, nq): where the next mode's integers lie */
    uint32_t *row;
    uint8_t *symbol[2], *choice; /* of a row and the one before; the streams of its groups */
};

/* ---- prediction ---- */

/* For each coefficient of a predictor the integers that it multiplies, from the first one of a row
 * on. */
typedef struct {
    const int32_t *tap[CGCT_TAPS];
    int far; /* taps of other planes count, too */
} surroundings;

CGCT_INLINE surroundings look_around(const cgct_predictor *p, const cgct_lattice *l,
                                     int32_t *const plane[3], size_t iq, size_t first)
{
    size_t here = cgct_lattice_at(l, iq) + first, up = here - l->stride;
    size_t upper = iq == 1 ? up : iq == 0 ? first + 1 : up - l->stride; /* row 0: zeros */
    const surroundings s = {{plane[0] + up, plane[0] + up + 1, plane[0] + up - 1, plane[0] + upper,
                             plane[1] + here, plane[1] + up, plane[2] + here, plane[2] + up},
                            p->c[4] || p->c[5] || p->c[6] || p->c[7]};
    return s;
}

CGCT_INLINE uint32_t round_tap_sum(int64_t sum)
{
    return (uint32_t)((uint64_t)(sum + CGCT_TAP_ONE / 2) >> 12);
}

/* The sums are exact, so their order does not matter. Each loop fills a local array, which the
 * compiler knows not to overlap with its inputs, so that the loop vectorises. */
CGCT_INLINE void predict_near(const surroundings *s, const int32_t *c, size_t n, uint32_t *v)
{
    const int32_t c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
    for (size_t i = 0; i < n; i += CGCT_LANES) {
        const int32_t *x0 = s->tap[0] + i, *x1 = s->tap[1] + i, *x2 = s->tap[2] + i;
        const int32_t *x3 = s->tap[3] + i;
        uint32_t sum[CGCT_LANES];
        for (int j = 0; j < CGCT_LANES; j++)
            sum[j] = round_tap_sum((int64_t)c0 * x0[j] + (int64_t)c1 * x1[j] + (int64_t)c2 * x2[j] +
                                   (int64_t)c3 * x3[j]);
        memcpy(v + i, sum, sizeof sum);
    }
}

CGCT_INLINE void predict_far(const surroundings *s, const int32_t *c, size_t n, uint32_t *v)
{
    const int32_t c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
    const int32_t c4 = c[4], c5 = c[5], c6 = c[6], c7 = c[7];
    for (size_t i = 0; i < n; i += CGCT_LANES) {
        const int32_t *x0 = s->tap[0] + i, *x1 = s->tap[1] + i, *x2 = s->tap[2] + i;
        const int32_t *x3 = s->tap[3] + i, *x4 = s->tap[4] + i, *x5 = s->tap[5] + i;
        const int32_t *x6 = s->tap[6] + i, *x7 = s->tap[7] + i;
        uint32_t sum[CGCT_LANES];
        for (int j = 0; j < CGCT_LANES; j++)
            sum[j] = round_tap_sum((int64_t)c0 * x0[j] + (int64_t)c1 * x1[j] + (int64_t)c2 * x2[j] +
                                   (int64_t)c3 * x3[j] + (int64_t)c4 * x4[j] + (int64_t)c5 * x5[j] +
                                   (int64_t)c6 * x6[j] + (int64_t)c7 * x7[j]);
        memcpy(v + i, sum, sizeof sum);
    }
}

/* Clears whole groups of CGCT_LANES; for rows this short a call of memset takes longer. */
CGCT_INLINE void clear_integers(uint32_t *v, size_t n)
{
    static const uint32_t zeros[CGCT_LANES] = {0};
    for (size_t i = 0; i < n; i += CGCT_LANES) memcpy(v + i, zeros, sizeof zeros);
}

CGCT_INLINE void clear_bytes(uint8_t *v, size_t n)
{
    static const uint8_t zeros[CGCT_LANES] = {0};
    for (size_t i = 0; i < n; i += CGCT_LANES) memcpy(v + i, zeros, sizeof zeros);
}

CGCT_INLINE void predict_row(const cgct_predictor *p, const cgct_lattice *l,
                             int32_t *const plane[3], size_t iq, size_t first, size_t n,
                             uint32_t *v)
{
    const surroundings s = look_around(p, l, plane, iq, first);
    if (s.far)
        predict_far(&s, p->c, n, v);
    else if (p->c[0] || p->c[1] || p->c[2] || p->c[3])
        predict_near(&s, p->c, n, v);
    else
        clear_integers(v, n);
}

CGCT_CLONES_512
void cgct_predict(const cgct_predictor *p, const cgct_lattice *l, int32_t *const plane[3],
                  size_t iq, size_t first, size_t n, uint32_t *v)
{
    predict_row(p, l, plane, iq, first, n, v);
}

void cgct_narrow_rows(const uint16_t *modes, size_t nq, size_t nk, size_t m, uint32_t *first,
                      uint32_t *end)
{
    for (size_t iq = 0; iq < nq; iq++, modes += nk) {
        while (first[iq] < end[iq] && modes[first[iq]] <= m) first[iq]++;
        while (first[iq] < end[iq] && modes[end[iq] - 1] <= m) end[iq]--;
    }
}

/* ---- residuals ---- */

/* The residual of a symbol of 128 and more: there are four of these to an octave, and the bits
 * below follow in the part `bits`, lowest first. Returns 0 where the symbol is not allowed or no
 * bits are left. */
static int get_large(struct cgct_predicted *d, unsigned token, uint32_t *v)
{
    unsigned octave = (token - CGCT_TOKEN_LARGE) / 4, n = octave + 5;
    uint64_t low = 0;
    if (token > CGCT_TOKEN_MAX || d->nbits - d->bit < n) return 0;
    const uint8_t *from = d->bits + d->bit / 8;
    unsigned shift = (unsigned)(d->bit % 8);
    for (unsigned i = 0; i < (shift + n + 7) / 8; i++) low |= (uint64_t)from[i] << 8 * i;
    d->bit += n;
    uint32_t z = (4 + token % 4) << n | (uint32_t)(low >> shift & ((UINT64_C(1) << n) - 1));
    *v = z >> 1 ^ (0u - (z & 1));
    return 1;
}

/* choice[i] gets the stream of a group that begins at symbol i. */
CGCT_INLINE void choose_streams(const uint8_t *above, size_t n, uint8_t *choice)
{
    for (size_t i = 0; i < n; i += CGCT_LANES) {
        uint8_t chosen[CGCT_LANES];
        for (size_t j = 0; j < CGCT_LANES; j++) {
            const uint8_t *six = above + i + j - 1;
            uint8_t a = six[0] > six[1] ? six[0] : six[1], b = six[2] > six[3] ? six[2] : six[3];
            uint8_t c = six[4] > six[5] ? six[4] : six[5], most = a > b ? a : b;
            chosen[j] = cgct_stream_of(most > c ? most : c);
        }
        memcpy(choice + i, chosen, CGCT_LANES);
    }
}

/* Reads the symbols of a row and puts zeros behind them; returns 0 where a stream has ended. */
CGCT_INLINE int get_symbols(struct cgct_predicted *d, size_t n, uint8_t *symbol)
{
    for (size_t i = 0; i < n; i += CGCT_GROUP) {
        unsigned stream = d->choice[i];
        const uint8_t *next = d->next[stream];
        size_t left = (size_t)(d->last[stream] - next);
        size_t take = n - i < CGCT_GROUP ? n - i : (size_t)CGCT_GROUP;
        if (left < take) return 0;
        if (left >= CGCT_GROUP)
            memcpy(symbol + i, next, CGCT_GROUP);
        else
            memcpy(symbol + i, next, take);
        d->next[stream] = next + take;
    }
    memset(symbol + n, 0, CGCT_LANES);
    return 1;
}

/* The residual of a symbol; *bad counts symbols that are not allowed. */
CGCT_INLINE uint32_t get_residual(struct cgct_predicted *d, uint32_t symbol, int *bad)
{
    if (symbol < CGCT_TOKEN_LARGE) return symbol >> 1 ^ (0u - (symbol & 1));
    *bad += !get_large(d, symbol, &symbol);
    return symbol;
}

/* Writes a row of the plane: prediction v plus residuals, which are differences of the given order
 * along the row. A difference of order t begins at integer t of the row. */
CGCT_INLINE int put_row(struct cgct_predicted *d, const uint8_t *symbol, size_t n, unsigned order,
                        const uint32_t *v, uint32_t *to)
{
    uint32_t sum = 0, slope = 0, bend = 0;
    size_t i = 0;
    int bad = 0;
    if (order >= 2) {
        sum = get_residual(d, symbol[0], &bad);
        to[0] = v[0] + sum;
        i = 1;
    }
    if (order == 3 && n > 1) {
        slope = get_residual(d, symbol[1], &bad);
        sum += slope;
        to[1] = v[1] + sum;
        i = 2;
    }
    if (order == 0)
        for (; i < n; i++) to[i] = v[i] + get_residual(d, symbol[i], &bad);
    else if (order == 1)
        for (; i < n; i++) to[i] = v[i] + (sum += get_residual(d, symbol[i], &bad));
    else if (order == 2)
        for (; i < n; i++) to[i] = v[i] + (sum += slope += get_residual(d, symbol[i], &bad));
    else
        for (; i < n; i++)
            to[i] = v[i] + (sum += slope += bend += get_residual(d, symbol[i], &bad));
    return !bad;
}

/* Decodes all rows of a plane into plane[0]; returns 0 where symbols or bits run out or a symbol
 * is not allowed. */
CGCT_CLONES_512
static int get_rows(struct cgct_predicted *d, const cgct_predictor *p, int32_t *const plane[3],
                    const uint32_t *first, const uint32_t *end)
{
    const cgct_lattice l = d->lattice;
    memset(d->symbol[1], 0, l.nk);
    for (size_t iq = 0; iq < l.nq; iq++) {
        size_t n = end[iq] - first[iq];
        uint32_t *row = (uint32_t *)plane[0] + cgct_lattice_at(&l, iq);
        uint8_t *symbol = d->symbol[iq % 2] + first[iq];
        clear_bytes(d->symbol[iq % 2], l.nk);
        clear_integers(row, l.nk);
        if (n == 0) continue;
        choose_streams(d->symbol[(iq + 1) % 2] + first[iq], n, d->choice);
        if (!get_symbols(d, n, symbol)) return 0;
        predict_row(p, &l, plane, iq, first[iq], n, d->row);
        if (!put_row(d, symbol, n, p->order, d->row, row + first[iq])) return 0;
    }
    return 1;
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

/* Decodes the next plane into plane[0]; first, end (nq): where the integers of each row lie.
 * *zero: all of them are 0. */
static cgct_status get_predicted_plane(struct cgct_predicted *d, int32_t *const plane[3],
                                       const uint32_t *first, const uint32_t *end, int *zero,
                                       cgct_err *err)
{
    cgct_predictor p;
    CGCT_TRY(get_predictor(d, &p, err));
    *zero = p.order == CGCT_ORDER_ZERO;
    if (*zero) memset(plane[0], 0, cgct_lattice_size(&d->lattice) * sizeof **plane);
    if (*zero || get_rows(d, &p, plane, first, end)) return CGCT_OK;
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

/* Turns quantity j of a polarisation, integers in plane[0], into numbers of p. */
static cgct_status place_quantity(cgct_payload *s, size_t j, size_t pol, const double step[3],
                                  const double *bound, cgct_plane *p, cgct_err *err)
{
    struct cgct_predicted *d = s->predicted;
    size_t n = s->nq * s->nk, at = pol * n;
    double *v = j == 0 ? p->error + at : j == 2 ? p->scale + at : p->zero + at;
    to_multiples(&d->lattice, d->plane[pol][0], j == 2 ? step[2] : j == 3 ? step[1] : 1, v);
    if (j == 0) return place_codes(bound, n, v, err);
    if (j == 1) return place_counts(s->nm, n, v, d->modes + at, err);
    if (j == 2) return cgct_scales_from_logs(n, v, err);
    return cgct_zeroth_from_rest(p->flag + at, n, v, err);
}

static cgct_status get_predicted_heads(cgct_payload *s, const double step[3], cgct_plane *p,
                                       cgct_err *err)
{
    struct cgct_predicted *d = s->predicted;
    double bound[256];
    int zero;
    cgct_error_codes(bound);
    for (size_t i = 0; i < 2 * CGCT_PREDICTED_QUANTITIES; i++) {
        CGCT_TRY(get_predicted_plane(d, d->plane[i % 2], d->first, d->end, &zero, err));
        CGCT_TRY(place_quantity(s, i / 2, i % 2, step, bound, p, err));
    }
    for (size_t pol = 0; pol < 2; pol++)
        memset(d->plane[pol][0], 0, cgct_lattice_size(&d->lattice) * sizeof(int32_t));
    return CGCT_OK;
}

/* Allocates the decoder's state and all its arrays as one piece of memory. */
static cgct_status predicted_room(cgct_payload *s, cgct_err *err)
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

/* Where the parts of a payload lie. */
static cgct_status find_parts(cgct_payload *s, cgct_err *err)
{
    struct cgct_predicted *d = s->predicted;
    size_t start = CGCT_PREDICTED_HEAD + 2 * s->nq * s->nk, left = s->size - start;
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

cgct_status cgct_predicted_open(cgct_payload *s, cgct_plane *p, cgct_err *err)
{
    double step[3];
    if (s->size < CGCT_PREDICTED_HEAD + p->n)
        return cgct_fail(err, CGCT_E_FORMAT, "%zu bytes, want at least %zu", s->size,
                         CGCT_PREDICTED_HEAD + p->n);
    CGCT_TRY(cgct_get_steps(s->in, step, err));
    CGCT_TRY(cgct_get_flags(s->in + CGCT_PREDICTED_HEAD, p->n, p, err));
    CGCT_TRY(predicted_room(s, err));
    CGCT_TRY(find_parts(s, err));
    s->step = step[1];
    CGCT_TRY(get_predicted_heads(s, step, p, err));
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
    CGCT_TRY(get_predicted_plane(d, plane, first, end, &out->zero, err));
    return pol == 1 && m + 1 == s->nm ? check_end(d, err) : CGCT_OK;
}
