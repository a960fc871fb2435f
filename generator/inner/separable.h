/* SPDX-License-Identifier: GPL-3.0-or-later */
/* separable.h: the separable builder of the inner table, METHOD.md 3, and those of its parts that a
 * builder on a device uses, too.
 *
 *   g(Delta,R,gamma) = - sum_k v_k(B) [ 2 sum_m cos(m gamma) R_{k,m}(Delta,R) - dB P_k(Delta) ]
 *   R_{k,m} = int s ds phi_{k,m}(Delta,s) l_m(R,s)
 *
 * Single scattering (single.h) is one more k, called e, with u_e = e^A in place of u_k(A) and
 * S(|R-s|) in place of its logarithm:
 *
 *   g_1 = f(Delta) [S(|b|) + S(|Delta+b|)] - 2 S(R) P_e - 2 sum_m cos(m gamma) E_m(Delta,R)
 *   E_m = int s ds phi_{e,m}(Delta,s) e_m(R,s)
 *
 * separable_ell.c makes l_m and e_m once for a table, separable_phi.c phi for one Delta,
 * separable_product.c R_{k,m}, and separable_gamma.c from these the
 * table; separable.c calls them.  A column is what belongs to one Delta; nu is the number of
 * functions of A, ncol = 2 nu that of pairs (polarisation, k): first u_k of T, u_k of L, then e of
 * T and L.  Lengths in 1/GeV. */
#ifndef CGCT_SEPARABLE_H
#define CGCT_SEPARABLE_H
#include "inner/table.h"
#include "numerics/quadrature.h"
#include "numerics/skeleton.h"

/* The builder on the processor.  Deterministic for any number of threads.
 * Returns OK, E_ACCURACY where W is not approximated to o->rank_tolerance. */
cgct_status inner_separable(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err);
size_t inner_separable_bytes(const inner_opts *o);

enum {
    RADIAL_NODES = 16,           /* of one panel of the inner integral, at most */
    SEPARABLE_NODES = 7,         /* of the local polynomials on the coarse s grid */
    OVERLAP_NODES = 12,          /* exact for polynomials of 16 and of 8 nodes times one another */
    KINK_CELLS = 8,              /* cells of s about R in which l_m is tabulated once more ... */
    KINK_NODES = 8,              /* ... at so many Gauss nodes each */
    KINK_MOMENTS = 3,            /* of what interpolation loses there */
    ELL_SMOOTH = 8,              /* angular modes of l_m that no singularity causes */
    NEAR_CELLS = 2 * KINK_CELLS, /* cells about a centre in which phi is kept cell by cell */
    SEPARABLE_ALIKE = 4,         /* nodes of s with equal rules in alpha at a time */
    SPREAD_ROWS = 16,            /* coarse nodes of a panel at a time */
    SEPARABLE_BLOCK = 128        /* arguments of ln S at a time */
};

/* A node of the Gauss rule of KINK_NODES on one cell of s. */
typedef struct {
    double s, ds, ln;                 /* node, weight, ln s */
    double lagrange[SEPARABLE_NODES]; /* coarse interpolation at it: coefficients ... */
    uint32_t window;                  /* ... of the coarse nodes from this one on */
} separable_cell;

/* An angular rule by its number, and how many leading modes are not negligible there. */
typedef struct {
    uint16_t rule, nm;
} separable_choice;

/* Everything that all columns share; constant while they are computed. */
typedef struct {
    const inner_opts *o;
    const dipole *d;
    int symmetric; /* lam = 1/2: odd modes vanish, of a table that has them before its factor */
    size_t step, orders; /* 2: the table has odd orders, too, one after each of o->m; else 1.
                            Orders of the table */
    skeleton w;
    quad_gauss gauss, gauss_log[2]; /* radial panels: ordinary; beginning, ending at a centre */
    quad_gauss gauss_overlap;       /* of products of their polynomials with coarse ones */
    angle_rules angles;
    size_t most_angles;    /* nodes of the largest angular rule */
    double *ln_r, *ln_s;   /* (nr), (ns): ln R, -infinity at 0; ln s, infinity at 0 */
    separable_cell *cell;  /* (ns - 1, KINK_NODES) */
    quad_gauss gauss_cell; /* the rule of KINK_NODES */
    double *ell;           /* (nm, nr, ns): modes of L(|R-s|) - L(R) */
    size_t *kink_node;     /* (nr): node of s at R, 0: none */
    size_t kink_stride;    /* from one m of `lost` to the next */
    double *lost;          /* (nm, nr, KINK_CELLS KINK_NODES): l_m less its interpolation */
    double *patch;         /* (nm, nr, KINK_MOMENTS): what was added to ell for that about R */
    double *LR;            /* (nr): L(R) */
    size_t nu;       /* functions of A: rank, and one more where single scattering is taken off */
    size_t nr1, ns1; /* beyond so many nodes R and s single scattering vanishes */
    double *profile; /* (2, NPOL, nd): f(Delta) of single.h, and S f */
    double *share;   /* (nd): of the digits, how many the column at Delta needs */
    double *ess;     /* (nm, nr1, ns1): e_m, modes of S(|R-s|) - S(R), patched like ell */
    /* allocations: ln_r, ln_s, LR, profile, share, cell, kink_node; the others; o where step = 2 */
    void *nodes, *modes, *even;
} separable_plan;

/* A plan without ell, lost, patch and ess.  o and d are kept by reference.  matrices: whether
 * the angular rules hold their cosines, which the processor's builder needs. */
cgct_status separable_plan_init(separable_plan *p, const inner_opts *o, const dipole *d,
                                int matrices, cgct_err *err);
void separable_plan_free(separable_plan *p);

/* Delta itself, or a tiny one for 0, where the centres of the wave functions coincide. */
static inline double separable_delta(const separable_plan *p, double delta)
{
    return fmax(delta, p->o->s[1]);
}

/* Radius of a centre: r' = 0 at angle 0 (end 0), r = 0 at angle pi (end 1).  In the midpoint frame
 * both are folded to angle 0. */
static inline double separable_centre(const separable_plan *p, double delta, int end)
{
    return end ? (1 - p->o->lam) * delta : p->o->lam * delta;
}

/* How many leading orders are wanted at Delta[id]; Delta = 0 has no direction. */
static inline size_t separable_orders(const separable_plan *p, size_t id)
{
    if (!(p->o->delta[id] > 0)) return 1;
    return p->o->nm_delta ? p->o->nm_delta[id] : p->o->nm;
}

/* ---- l_m(R,s), separable_ell.c ---- */

/* cell and kink_node of the plan. */
void separable_cells_init(separable_plan *p);
/* ell, lost, patch and ess of the plan; OpenMP over R.  *stage gains what it took. */
void separable_ell(separable_plan *p, inner_stage *stage);

/* The rule in beta at R[ir] and the s with that logarithm, for a function that is singular at s = R
 * and has `smooth` modes of its own: ELL_SMOOTH for l_m. */
static inline separable_choice separable_ell_choice(const separable_plan *p, size_t ir, double ln_s,
                                                    double smooth)
{
    double b = angle_bandwidth(p->angles.decay, fabs(ln_s - p->ln_r[ir]), smooth);
    separable_choice c = {(uint16_t)angle_trapezoid(&p->angles, b, p->angles.m_max),
                          (uint16_t)angle_modes(&p->angles, b)};
    return c;
}

/* At R[ir] and all s, l (ns) for l_m and, where ir < nr1, e (ns1) for e_m: one rule for both, and
 * how many orders of each. */
void separable_ell_choices(const separable_plan *p, size_t ir, separable_choice *l,
                           separable_choice *e);

/* The kink of l_m at R[ir], which is node `at` of s.  Its KINK_CELLS KINK_NODES points start at
 * cell[first].  What interpolation loses there is summed with weights ds, t ds, t^2 ds, where
 * t = (s - R)/h and h is the width of the cell behind R; `inverse` times these sums is added to the
 * nodes at-1, at, at+1. */
typedef struct {
    double inverse[KINK_MOMENTS][KINK_MOMENTS];
    uint32_t ir, at, first;
} separable_kink_rule;
/* Returns 0 where there is no kink. */
int separable_kink_rule_at(const separable_plan *p, size_t ir, separable_kink_rule *k);

/* ---- phi_{k,m}(Delta,s) and P_k(Delta), separable_phi.c ---- */

/* The rule of a panel that has these n nodes.  Those of the rules for centres crowd there. */
static inline const quad_gauss *separable_panel_rule(const separable_plan *p, int n,
                                                     const double *x)
{
    return n == p->gauss.n ? &p->gauss : &p->gauss_log[x[1] - x[0] > x[n - 1] - x[n - 2]];
}

/* Fine nodes of s; the rules in alpha at n of them, for Delta[id]; the first of NEAR_CELLS cells
 * about each centre, returning the number of centres whose cells do not overlap. */
void separable_radial_nodes(const separable_plan *p, size_t id, quad_rule *q);
void separable_alpha_choices(const separable_plan *p, size_t id, size_t n, const double *s,
                             separable_choice *c);
size_t separable_near_cells(const separable_plan *p, double delta, size_t first[2]);

/* swing (n): half of the change of L(|x - lam Delta|) + L(|x + (1-lam) Delta|) when the vector x of
 * length x[i] turns from the direction of Delta to the opposite one, or in the midpoint frame,
 * where these are equal, to the transverse one.  n <= SEPARABLE_BLOCK. */
void separable_swing(const separable_plan *p, double delta, size_t n, const double *x,
                     double *swing);
/* Number of modes in an angle of a smooth function that varies like exp(swing cos(angle)), above
 * e^-decay. */
double separable_smooth_modes(double decay, double swing);

/* The NEAR_CELLS cells of s from `first` on, about one centre. */
typedef struct {
    size_t first;
    double *phi; /* (NEAR_CELLS, KINK_NODES, nm, ncol): phi_{k,m} s ds projected on each cell, of
                  * the orders that are wanted at this Delta */
} separable_near;

/* Buffers over the n angles alpha of one rule at count <= SEPARABLE_ALIKE values of s. */
typedef struct {
    double *r2, *z, *K0, *K1, *L; /* (2, count, n): at r' and at r: square, eps r, K_0, K_1, ln S */
    double *psi;                  /* (NPOL, count, n): psi_p(r).psi_p(r'); before, r.r' */
    double *u;                    /* (nu, count, n): u_k(A) */
    double *F;                    /* (count, ncol, n): their products */
    double *mode;                 /* (count, ncol, nm): modes of F */
} separable_alpha_work;

/* Buffers over the n angles gamma of one rule at one R, for the columns of a group. */
typedef struct {
    double *x, *diff; /* (columns, 2, n): |Delta+b|^2, |b|^2 less R^2; L there less L(R) */
    double *S;        /* (2, n): S there, of one column */
    double *dB, *B;   /* (columns, n) */
    double *v;        /* (rank, columns, n): v_k(B) */
    double *sum;      /* (columns, ncol, n): 2 sum_m cos(m gamma) R_{k,m} */
    double *g, *mode; /* (columns, NPOL, n); its modes (columns, NPOL, nm) */
} separable_gamma_work;

/* Where phi_m(s) and R_m(R) are not zero: from the first node to the one before the last. */
typedef struct {
    size_t s, s_end, r, r_end;
} separable_range;

/* One Delta of a group: its columns of phi and R, and what belongs to it alone. */
typedef struct {
    double *phi, *R; /* of w, at its first column */
    size_t nnear;    /* centres whose cells do not overlap */
    separable_near near[2];
    double *phi1, *R1;      /* the same of e, where there is one */
    double *P;              /* (ncol) */
    separable_range *range; /* (nm) */
} separable_part;

/* Neighbouring Delta are multiplied by l_m together, which is read from memory once for them. */
enum { SEPARABLE_GROUP = 4 };

/* Scratch and result of one group; one per thread. */
typedef struct {
    size_t ncol, plain, stride; /* 2 nu; without e; of SEPARABLE_GROUP Delta */
    quad_rule s;                /* fine nodes of the inner integral */
    separable_alpha_work alpha;
    separable_gamma_work gamma;
    double *panel_mode;       /* (RADIAL_NODES, nm, ncol): modes of F on the nodes of one panel, at
                               * most nm of them */
    double *panel_weight;     /* (RADIAL_NODES, ns): weights that project them */
    double *spread;           /* (SPREAD_ROWS, nm, ncol): what they make at some coarse nodes */
    double *phi;              /* (nm, ns, stride): phi_{k,m} s ds projected on the coarse grid; all
                               * u_k of the first Delta, of the second .., then e of each */
    double *R;                /* (nm, nr, stride), the same */
    separable_range *range;   /* (nm): of the product */
    separable_choice *choice; /* (SEPARABLE_GROUP, nr): rules in gamma */
    separable_part column[SEPARABLE_GROUP];
    inner_stage stage[INNER_STAGES];
    void *block; /* holds all these arrays */
} separable_work;

/* phi, near, P and the range of s of a column of w, at Delta[id]. */
void separable_phi(const separable_plan *p, size_t id, separable_work *w, separable_part *c);

/* ---- R_{k,m}(Delta,R), separable_product.c ---- */

/* l_m falls like (s/R)^m or (R/s)^m: it is negligible where the larger exceeds this times the
 * smaller. */
double separable_ell_reach(const separable_plan *p, size_t im);
/* R, range and the count of operations of w from phi of its first n columns. */
void separable_product(const separable_plan *p, separable_work *w, size_t n);

/* ---- G_m(Delta,R), separable_gamma.c ---- */

/* c (n, nr): for n <= SEPARABLE_GROUP Delta from Delta[id] on, at each R one rule in gamma and the
 * most orders of any, as far as each Delta wants them.  id is a multiple of SEPARABLE_GROUP. */
void separable_gamma_choices(const separable_plan *p, size_t id, size_t n, separable_choice *c);
/* n rows of the table from id on, from R and P; sets t->origin at id = 0. */
void separable_fill_rows(const separable_plan *p, size_t id, size_t n, separable_work *w,
                         inner_table *t);
#endif
