/* SPDX-License-Identifier: MIT */
/* Rows of integers of encoding 5: what is predicted, and what symbols add. */
#include "predicted_rows.h"

#include <string.h>

#include "vectors.h"

/* ---- prediction ---- */

/* The places that coefficients belong to, where v begins. */
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

CGCT_INLINE uint32_t rounded(int64_t sum)
{
    return (uint32_t)((uint64_t)(sum + CGCT_TAP_ONE / 2) >> 12);
}

/* Sums are exact, so that their order does not matter.  What a loop makes stands in a local array
 * until it is whole: a compiler cannot know that it overlaps with nothing else. */
CGCT_INLINE void predict_near(const surroundings *s, const int32_t *c, size_t n, uint32_t *v)
{
    const int32_t c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
    for (size_t i = 0; i < n; i += CGCT_LANES) {
        const int32_t *x0 = s->tap[0] + i, *x1 = s->tap[1] + i, *x2 = s->tap[2] + i;
        const int32_t *x3 = s->tap[3] + i;
        uint32_t sum[CGCT_LANES];
        for (int j = 0; j < CGCT_LANES; j++)
            sum[j] = rounded((int64_t)c0 * x0[j] + (int64_t)c1 * x1[j] + (int64_t)c2 * x2[j] +
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
            sum[j] = rounded((int64_t)c0 * x0[j] + (int64_t)c1 * x1[j] + (int64_t)c2 * x2[j] +
                             (int64_t)c3 * x3[j] + (int64_t)c4 * x4[j] + (int64_t)c5 * x5[j] +
                             (int64_t)c6 * x6[j] + (int64_t)c7 * x7[j]);
        memcpy(v + i, sum, sizeof sum);
    }
}

/* Whole lanes; a call of memset would take longer than most rows. */
CGCT_INLINE void clear(uint32_t *v, size_t n)
{
    static const uint32_t zeros[CGCT_LANES] = {0};
    for (size_t i = 0; i < n; i += CGCT_LANES) memcpy(v + i, zeros, sizeof zeros);
}

CGCT_INLINE void clear_bytes(uint8_t *v, size_t n)
{
    static const uint8_t zeros[CGCT_LANES] = {0};
    for (size_t i = 0; i < n; i += CGCT_LANES) memcpy(v + i, zeros, sizeof zeros);
}

CGCT_INLINE void predict(const cgct_predictor *p, const cgct_lattice *l, int32_t *const plane[3],
                         size_t iq, size_t first, size_t n, uint32_t *v)
{
    const surroundings s = look_around(p, l, plane, iq, first);
    if (s.far)
        predict_far(&s, p->c, n, v);
    else if (p->c[0] || p->c[1] || p->c[2] || p->c[3])
        predict_near(&s, p->c, n, v);
    else
        clear(v, n);
}

CGCT_CLONES_512
void cgct_predict(const cgct_predictor *p, const cgct_lattice *l, int32_t *const plane[3],
                  size_t iq, size_t first, size_t n, uint32_t *v)
{
    predict(p, l, plane, iq, first, n, v);
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

/* A symbol's residual: four symbols to an octave; the bits below follow in the stream, lowest
 * first.  0: not allowed, or no bits are left. */
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

/* The stream of every group of a row, at its first symbol's place. */
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

/* Symbols of a row, zeros behind them; 0: a stream has ended. */
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

/* Residual of a symbol; adds to *bad where it is not allowed. */
CGCT_INLINE uint32_t get_residual(struct cgct_predicted *d, uint32_t symbol, int *bad)
{
    if (symbol < CGCT_TOKEN_LARGE) return symbol >> 1 ^ (0u - (symbol & 1));
    *bad += !get_large(d, symbol, &symbol);
    return symbol;
}

/* Prediction v and what differences along a row add, to the plane; each kind of them begins with
 * the first integer that has a neighbour for it. */
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

CGCT_CLONES_512
int cgct_predicted_rows(struct cgct_predicted *d, const cgct_predictor *p, int32_t *const plane[3],
                        const uint32_t *first, const uint32_t *end)
{
    const cgct_lattice l = d->lattice;
    memset(d->symbol[1], 0, l.nk);
    for (size_t iq = 0; iq < l.nq; iq++) {
        size_t n = end[iq] - first[iq];
        uint32_t *row = (uint32_t *)plane[0] + cgct_lattice_at(&l, iq);
        uint8_t *symbol = d->symbol[iq % 2] + first[iq];
        clear_bytes(d->symbol[iq % 2], l.nk);
        clear(row, l.nk);
        if (n == 0) continue;
        choose_streams(d->symbol[(iq + 1) % 2] + first[iq], n, d->choice);
        if (!get_symbols(d, n, symbol)) return 0;
        predict(p, &l, plane, iq, first[iq], n, d->row);
        if (!put_row(d, symbol, n, p->order, d->row, row + first[iq])) return 0;
    }
    return 1;
}
