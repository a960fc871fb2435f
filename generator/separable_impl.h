/* SPDX-License-Identifier: GPL-3.0-or-later */
/* separable_impl.h: what the parts of the separable builder share.  Private to inner_separable*.c.
 *
 *   g(Delta,R,gamma) = - sum_k v_k(B) [ 2 sum_m cos(m gamma) R_{k,m}(Delta,R) - dB P_k(Delta) ]
 *   R_{k,m} = int s ds phi_{k,m}(Delta,s) l_m(R,s)             DESIGN section 2 */
#ifndef CGCT_SEPARABLE_IMPL_H
#define CGCT_SEPARABLE_IMPL_H
#include "angle_rules.h"
#include "inner_table.h"
#include "quadrature.h"
#include "skeleton.h"

enum { RADIAL_NODES = 16 }; /* of one panel of the inner integral */

/* Const while the columns Delta are computed. */
typedef struct {
    const inner_opts *o;
    const dipole *d;
    int symmetric; /* lam = 1/2: odd modes vanish */
    skeleton w;
    quad_gauss gauss, gauss_close; /* radial panels: ordinary, and next to a centre */
    angle_rules angles;
    double *ell;     /* (nm, nr, ns): modes of L(|R-s|) - L(R) */
    double *ell_max; /* (nm): largest |entry| */
    double *LR;      /* (nr): L(R) */
    double *ridge;   /* (NPOL, nd): f(Delta) of ridge.h, or NULL */
} separable_plan;

/* Scratch and result of one Delta; one per thread. */
typedef struct {
    size_t ncol;         /* 2 rank: T then L */
    quad_rule s;         /* fine nodes of the inner integral */
    double *angle;       /* buffers over the nodes of one angle rule */
    double *panel;       /* modes (n, nm, ncol) and weights (n, ns) of the nodes of one panel */
    double *phi;         /* (nm, ns, ncol): phi_{k,m} s ds projected on the coarse grid */
    double *P;           /* (ncol) */
    double *R;           /* (nm, nr, ncol) */
    size_t *r_lo, *r_hi; /* (nm) range of R where R_m is not zero */
    size_t *lo, *hi;     /* (nm) range of s that phi_m occupies */
} separable_work;

size_t separable_angle_buffer(const separable_plan *p); /* doubles */

/* Delta itself, or a tiny one for 0, where the centres of the transverse wave functions coincide.
 */
double separable_delta(const separable_plan *p, double delta);

/* l_m(R,s) for all nodes; OpenMP over R. */
cgct_status separable_ell(separable_plan *p, cgct_err *err);
/* phi and P at one Delta. */
cgct_status separable_phi(const separable_plan *p, double delta, separable_work *w);
/* Row id of the table from R and P; sets t->origin at id = 0. */
void separable_gamma(const separable_plan *p, size_t id, const separable_work *w, inner_table *t);
#endif
