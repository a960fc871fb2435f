/* SPDX-License-Identifier: GPL-3.0-or-later */
/* separable_impl.h: what the parts of the separable builder share.  Private to inner_separable*.c.
 *
 *   g(Delta,R,gamma) = - sum_k v_k(B) [ 2 sum_m cos(m gamma) R_{k,m}(Delta,R) - dB P_k(Delta) ]
 *   R_{k,m} = int s ds phi_{k,m}(Delta,s) l_m(R,s)             METHOD.md 3 */
#ifndef CGCT_SEPARABLE_IMPL_H
#define CGCT_SEPARABLE_IMPL_H
#include "inner/table.h"
#include "numerics/quadrature.h"
#include "numerics/skeleton.h"

enum {
    RADIAL_NODES = 16,   /* of one panel of the inner integral */
    SEPARABLE_NODES = 7, /* of the local polynomials over the coarse s grid */
    KINK_CELLS = 8,      /* of s about R in which l_m is tabulated again ... */
    KINK_NODES = 8,      /* ... at so many nodes each */
    KINK_MOMENTS = 3,
    ELL_SMOOTH = 8,             /* modes that l_m has of its own */
    NEAR_CELLS = 2 * KINK_CELLS /* cells about a centre in which phi is kept cell by cell */
};

/* One node of the Gauss rule of KINK_NODES on one cell of s. */
typedef struct {
    double s, ds, ln;                 /* node, weight, ln s */
    double lagrange[SEPARABLE_NODES]; /* interpolation at it: coefficients ... */
    uint32_t window;                  /* ... of the coarse nodes from this one on */
} separable_cell;

/* Number of an angular rule, and how many leading orders live there. */
typedef struct {
    uint16_t rule, nm;
} separable_choice;

/* Const while the columns Delta are computed. */
typedef struct {
    const inner_opts *o;
    const dipole *d;
    int symmetric; /* lam = 1/2: odd modes vanish */
    skeleton w;
    quad_gauss gauss, gauss_close; /* radial panels: ordinary, and next to a centre */
    angle_rules angles;
    double *ln_r, *ln_s;   /* (nr), (ns): ln R, -infinity at 0; ln s, infinity at 0 */
    separable_cell *cell;  /* (ns - 1, KINK_NODES) */
    double *ell;           /* (nm, nr, ns): modes of L(|R-s|) - L(R) */
    double *ell_max;       /* (nm): largest |entry| */
    quad_gauss gauss_cell; /* KINK_NODES */
    size_t *kink_node;     /* (nr): node of s at R, 0: none */
    size_t kink_stride;    /* from one m of `lost` to the next */
    double *lost;          /* (nm, nr, KINK_CELLS KINK_NODES): l_m less its interpolation */
    double *patch;         /* (nm, nr, KINK_MOMENTS): what ell holds for it about R */
    double *LR;            /* (nr): L(R) */
    double *ridge;         /* (NPOL, nd): f(Delta) of ridge.h, or NULL */
} separable_plan;

/* Cells first..first+n-1 of s about one centre. */
typedef struct {
    size_t first, n;
    double *phi; /* (nm, NEAR_CELLS, KINK_NODES, ncol): phi_{k,m} s ds projected on each cell */
} separable_near;

/* Scratch and result of one Delta; one per thread. */
typedef struct {
    size_t ncol;   /* 2 rank: T then L */
    quad_rule s;   /* fine nodes of the inner integral */
    double *angle; /* buffers over the nodes of one angle rule */
    double *panel; /* modes (n, nm, ncol) and weights (n, ns) of the nodes of one panel */
    double *phi;   /* (nm, ns, ncol): phi_{k,m} s ds projected on the coarse grid */
    size_t nnear;  /* centres apart from each other */
    separable_near near[2];
    double *P;               /* (ncol) */
    double *R;               /* (nm, nr, ncol) */
    separable_choice *gamma; /* (nr) */
    size_t *r_lo, *r_hi;     /* (nm) range of R where R_m is not zero */
    size_t *lo, *hi;         /* (nm) range of s that phi_m occupies */
} separable_work;

/* The plan of a table but for ell, lost and patch.  o and d are kept by reference.  matrices: of
 * the angular rules, too. */
cgct_status separable_plan_init(separable_plan *p, const inner_opts *o, const dipole *d,
                                int matrices, cgct_err *err);
void separable_plan_free(separable_plan *p);

size_t separable_angle_buffer(const separable_plan *p); /* doubles */

/* Delta itself, or a tiny one for 0, where the centres of the transverse wave functions coincide.
 */
double separable_delta(const separable_plan *p, double delta);

/* ell, lost and patch of the plan: l_m(R,s) for all nodes; OpenMP over R. */
cgct_status separable_ell(separable_plan *p, cgct_err *err);

typedef struct {
    double *x, *f, *mode; /* buffers of separable_angle_buffer() numbers; (nm) */
} separable_ell_work;

/* w->mode[im] = l_m(R[ir],s) for the leading orders; returns how many, the others vanish. */
size_t separable_ell_modes(const separable_plan *p, size_t ir, double s, double ln_s,
                           separable_ell_work *w);
/* The rule in beta at R[ir] and the s with that logarithm. */
static inline separable_choice separable_ell_choice(const separable_plan *p, size_t ir, double ln_s)
{
    double b = angle_bandwidth(&p->angles, fabs(ln_s - p->ln_r[ir]), ELL_SMOOTH);
    separable_choice c = {(uint16_t)angle_trapezoid(&p->angles, b),
                          (uint16_t)angle_modes(&p->angles, b)};
    return c;
}

cgct_status separable_kink_nodes(separable_plan *p, cgct_err *err);
cgct_status separable_kink_init(separable_plan *p, cgct_err *err);

/* The kink at R[ir], node `at` of s, and its KINK_CELLS KINK_NODES points from cell[first] on: what
 * interpolation loses there times 1, t, t^2 and ds, summed and times inverse, goes onto the nodes
 * at-1..at+1; t = (s - R)/h, h the cell behind R. */
typedef struct {
    double inverse[KINK_MOMENTS][KINK_MOMENTS];
    uint32_t ir, at, first;
} separable_kink_rule;
/* 0 where there is no kink. */
int separable_kink_rule_at(const separable_plan *p, size_t ir, separable_kink_rule *k);
/* Row ir of lost, patch and ell. */
void separable_kink(separable_plan *p, size_t ir, separable_ell_work *w);
/* Rows of R_m next to a centre. */
void separable_kink_near(const separable_plan *p, const separable_work *w, size_t im);
/* The parts of phi at one Delta: fine nodes of s; the rule in alpha at n of them; the first of
 * NEAR_CELLS cells about each centre, returning how many centres there are. */
cgct_status separable_radial_nodes(const separable_plan *p, double delta, quad_rule *q);
void separable_alpha_choices(const separable_plan *p, double delta, size_t n, const double *s,
                             separable_choice *c);
size_t separable_near_cells(const separable_plan *p, double delta, size_t first[2]);

/* phi and P at one Delta. */
cgct_status separable_phi(const separable_plan *p, double delta, separable_work *w);
/* The rules in gamma at Delta[id] and all R. */
void separable_gamma_choices(const separable_plan *p, size_t id, separable_choice *c);
/* Row id of the table from R and P; sets t->origin at id = 0. */
void separable_gamma(const separable_plan *p, size_t id, const separable_work *w, inner_table *t);
#endif
