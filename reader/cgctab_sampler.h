/* SPDX-License-Identifier: MIT */
/* cgctab_sampler.h: the sampler as the file that makes it and the one that draws from it see it;
 * not installed. */
#ifndef CGCTAB_SAMPLER_H
#define CGCTAB_SAMPLER_H
#include "cgctab_slice.h"

/* Row 0 of the cells is, in a folded table, the disc k < k_0 where J_0 is constant. */
struct cgct_sampler {
    const cgct_slice *slice;
    double factor[2], unit; /* the larger factor is 1, in units of unit */
    size_t nq, nk, rows;    /* nodes; rows of cells in k for each cell in q */
    int fold;
    double *corner; /* (nq, nk): ln of the density at nodes */
    double *slope;  /* (cells, 2): c of the density e^(c t) in ln q, t = 0..1, and e^c - 1 */
    double *share;  /* (cells): integral of the density up to the end of the cell */
    size_t ncell;
    double total;    /* of share */
    uint32_t *guide; /* (cells): the first cell that ends beyond i/ncell of the total */
    double inverse[CGCT_SPECTRUM_MODES]; /* 1/m, m = 1.. */
};

/* u times the total, in spite of rounding below it for u < 1. */
double cgct_sampler_target(const cgct_sampler *s, double u);

static inline const cgct_grid *cgct_sampler_axis(const cgct_sampler *s, cgct_axis a)
{
    return &s->slice->table->grid[a];
}

/* Density in (ln q, ln k) from I_0/2 of both polarisations; 0 where it is dominated by its error
 * and negative. */
static inline double cgct_sampler_density(const cgct_sampler *s, const double zeroth[2], double q,
                                          double k)
{
    double sum = s->factor[0] * zeroth[0] + s->factor[1] * zeroth[1], product = q * k;
    return sum > 0 ? sum * (product * product) : 0;
}
#endif
