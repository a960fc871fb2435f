/* SPDX-License-Identifier: MIT */
/* predicted.h: encoding 5 (FORMAT.md 3.9), shared by both directions. */
#ifndef CGCT_PREDICTED_H
#define CGCT_PREDICTED_H
#include <stddef.h>
#include <stdint.h>

#include "codec.h"

enum {
    CGCT_PREDICTED_HEAD = 72,
    CGCT_PREDICTED_STREAMS = 10,
    CGCT_GROUP = 4,                /* symbols that come from one stream */
    CGCT_PREDICTED_QUANTITIES = 4, /* before the modes: error code, modes, ln s, I_0/s - 1 */
    CGCT_TAPS = 8,
    CGCT_TAPS_OF_PLANE = 4, /* the first of them lie in the plane itself */
    CGCT_TAP_ONE = 4096,    /* of a coefficient */
    CGCT_ORDER_ZERO = 4,    /* in place of an order: all integers are 0 */
    CGCT_TOKEN_LARGE = 128, /* smaller ones are the number itself */
    CGCT_TOKEN_MAX = 227,
    CGCT_LANES = 16 /* rows are worked on so many integers at a time */
};

/* Integers of a plane (nq, nk) with a row of zeros above and zeros on both sides. */
typedef struct {
    size_t nq, nk, stride;
} cgct_lattice;

static inline cgct_lattice cgct_lattice_of(size_t nq, size_t nk)
{
    const cgct_lattice l = {nq, nk, nk + 2 + CGCT_LANES};
    return l;
}

static inline size_t cgct_lattice_size(const cgct_lattice *l)
{
    return (l->nq + 1) * l->stride;
}

/* Of the integer at (iq,0). */
static inline size_t cgct_lattice_at(const cgct_lattice *l, size_t iq)
{
    return (iq + 1) * l->stride + 1;
}

/* The stream of a group of symbols, from the largest of the six symbols above it and its
 * neighbours; without branches. */
static inline uint8_t cgct_stream_of(uint8_t above)
{
    uint8_t stream = (uint8_t)((above >= 1) + (above >= 2) + (above >= 4));
    stream = (uint8_t)(stream + (above >= 8) + (above >= 16) + (above >= 32));
    return (uint8_t)(stream + (above >= 64) + (above >= 128) + (above >= 136));
}

/* order: differences along k. */
typedef struct {
    unsigned order;
    int32_t c[CGCT_TAPS];
} cgct_predictor;

/* v gets the predictions of integers first..first+n-1 of row iq of plane[0]; plane[1] and plane[2]
 * hold the two modes before.  v has room for n rounded up to CGCT_LANES. */
void cgct_predict(const cgct_predictor *p, const cgct_lattice *l, int32_t *const plane[3],
                  size_t iq, size_t first, size_t n, uint32_t *v);

/* Narrows first..end of each row (nq each) to where more than m modes are; falls with m. */
void cgct_narrow_rows(const uint16_t *modes, size_t nq, size_t nk, size_t m, uint32_t *first,
                      uint32_t *end);

/* Largest payload: no overflow within the format's limits. */
static inline uint64_t cgct_predicted_size_max(uint64_t n, uint64_t nm)
{
    uint64_t planes = 2 * (nm - 1 + CGCT_PREDICTED_QUANTITIES);
    return CGCT_PREDICTED_HEAD + n + planes * (2 + 2 * CGCT_TAPS) + planes * (n / 2) * 5;
}

/* cgct_payload_open and cgct_payload_mode for encoding 5; modes in order, T before L. */
cgct_status cgct_predicted_open(cgct_payload *s, cgct_plane *p, cgct_err *err);
cgct_status cgct_predicted_mode(cgct_payload *s, size_t pol, size_t m, cgct_mode *out,
                                cgct_err *err);

/* ---- writer's side ---- */

/* Estimate of the bits that n residuals take: the entropy of their symbols and the low bits. */
double cgct_predicted_cost(const uint32_t *residual, size_t n);
/* The symbol of a residual, and how many of its lowest bits stand apart. */
uint8_t cgct_token(uint32_t residual, uint32_t *z, unsigned *low);
/* Differences along k of the residuals of each row, packed; returns how many.  first, end (nq);
 * row: scratch (nk + CGCT_LANES). */
size_t cgct_residuals(const cgct_predictor *p, const cgct_lattice *l, int32_t *const plane[3],
                      const uint32_t *first, const uint32_t *end, uint32_t *row, uint32_t *out);
/* The predictor that costs least among fixed and fitted ones; taps: how many may be fitted.
 * E_NOMEM. */
cgct_status cgct_predictor_choose(const cgct_lattice *l, int32_t *const plane[3],
                                  const uint32_t *first, const uint32_t *end, size_t taps,
                                  cgct_predictor *best, cgct_err *err);
#endif
