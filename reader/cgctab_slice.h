/* SPDX-License-Identifier: MIT */
/* cgctab_slice.h: a slice as its own file and the sampler see it; not installed. */
#ifndef CGCTAB_SLICE_H
#define CGCTAB_SLICE_H
#include "cgctab_dense.h"

struct cgct_slice {
    const cgct_table *table;
    cgct_planes nodes; /* of the table: they know dense and dirty */
    cgct_dense dense;
    cgct_pool pool; /* of dense */
    uint8_t *dirty; /* (cells in q, k), or NULL: flagged points have no ln s to blend */
};

static inline const cgct_planes *cgct_slice_planes(const cgct_slice *s)
{
    return &s->nodes;
}

/* Interpolated modes at one (q,k): I_0 = 2 s zeroth, I_m = s r_m. */
enum {
    CGCT_SPECTRUM_BLOCKS = 32,
    CGCT_SPECTRUM_MODES = 1 + CGCT_MODES_BLOCK * CGCT_SPECTRUM_BLOCKS
};
typedef struct {
    size_t n;          /* modes, m = 0 included: one more than a multiple of eight; 0: none yet */
    double ln_q, ln_k; /* where */
    double s[2], zeroth[2];
    double r[CGCT_BLOCK * CGCT_SPECTRUM_BLOCKS]; /* r_1 r_1' r_2 r_2' ..., T and L */
} cgct_spectrum;

/* p of a slice.  0: more modes than there is room for; 1: done, or done before at the same place.
 */
int cgct_spectrum_at(const cgct_planes *p, double ln_q, double ln_k, cgct_spectrum *f);
/* The same, to rounding, where the cells in q and k are known. */
int cgct_spectrum_in(const cgct_planes *p, size_t q, size_t k, double ln_q, double ln_k,
                     cgct_spectrum *f);
/* I_0 alone. */
void cgct_zeroth_at(const cgct_planes *p, double ln_q, double ln_k, double zeroth[2]);
#endif
