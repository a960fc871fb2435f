/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.h: the inner table G_m(Delta,R; x,eps), both polarisations, which depends on no momenta,
 * and what it is built from.  Every builder fills this object; node/hankel.h transforms it. */
#ifndef CGCT_INNER_TABLE_H
#define CGCT_INNER_TABLE_H
#include <stddef.h>

#include "dipole/dipole.h"

enum { POL_T, POL_L, NPOL };

/* All of the table at the dipole's Nc; that of infinitely many colours; or what Nc changes. */
typedef enum { INNER_WHOLE, INNER_MANY_COLOURS, INNER_DIFFERENCE } inner_part;

/* Discretisation of one table.  Grids are the caller's and are copied into the table. */
typedef struct {
    double eps, lam; /* GeV; frame b = R - lam Delta, r' = s - lam Delta */
    size_t nm;
    const int *m;           /* rising orders from 0; only even ones may be asked for if lam = 1/2 */
    const size_t *nm_delta; /* (nd): orders wanted at each Delta, others may be 0; NULL: all */
    size_t nd, nr, ns;
    const double *delta, *r, *s; /* 1/GeV, rising from 0; s: coarse grid of the inner integral */
    double digits;               /* internal quadratures aim at 10^-digits */
    double rank_tolerance;
    double colours;  /* error that what colours change may have, of the largest mode, 1e-8 to 1e-3;
                       0: 1e-6 */
    double coarser;  /* of the pass that estimates the error: ratio of spacings; else 0 or 1 */
    inner_part part; /* of builders that divide the table */
    int single;      /* whether the table is to hold g less single scattering (single.h) */
    int n_gauss, n_phi; /* direct builder only: nodes in |s| on [0, s_max], angles */
    double s_max;
    int device;            /* builders on a GPU only: its number, unless ... */
    struct gpu_crew *crew; /* ... one of these is to be used; or NULL */
} inner_opts;

/* Stages of the separable builder: l_m and e_m; phi and P; R_{k,m}; G_m from them; what a finite
 * number of colours changes. */
enum { STAGE_ELL, STAGE_PHI, STAGE_PRODUCT, STAGE_GAMMA, STAGE_COLOURS, INNER_STAGES };

/* Processor time of all threads, and operations of the matrix products among what was done, a
 * multiplication and an addition counted as two; zeros where a builder does not count. */
typedef struct {
    double seconds, operations;
} inner_stage;

typedef struct {
    double eps, lam;
    size_t nm, nd, nr;
    int *m;
    double *delta, *r; /* 1/GeV */
    double *g;         /* (NPOL, nm, nd, nr) row-major: int_0^2pi dgamma cos(m gamma) g; 1/GeV^2 */
    int single;        /* whether single scattering was taken off */
    int rank;          /* of the cross approximation; 0 where none is used */
    double origin[NPOL]; /* g(Delta -> 0, R = 0), to be compared with the sum rule */
    inner_stage stage[INNER_STAGES];
} inner_table;

/* Whether the odd modes vanish: in the midpoint frame, unless S(|b|) multiplies the correlator. */
static inline int inner_is_symmetric(double lam, const dipole *d)
{
    return lam == 0.5 && d->process != PROCESS_QG;
}

/* Copies the grids and allocates g, zeroed. */
void inner_table_init(inner_table *t, const inner_opts *o);
void inner_table_free(inner_table *t);

/* The columns at Delta are smaller than the largest by about e^-this: by the wave functions,
 * e^-eps Delta, and the larger of S(Delta) and S(Delta/2)^2. */
double inner_column_exponent(const dipole *d, double eps, double delta);

/* Right-hand side of the sum rule: int d2r |psi_p|^2 S4(a,0,a) with a = -2 ln S, p = T, L; relative
 * 1e-10.  S4 = 1 - S^2, or its singlet part.  Source: METHOD.md 7.2, 11. */
void inner_sum_rule(const dipole *d, double eps, double value[NPOL]);
#endif
