/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_impl.h: what the files bk_*.c share: coupling, grid in r, quadrature in z, evolution in Y. */
#ifndef CGCT_BK_IMPL_H
#define CGCT_BK_IMPL_H
#include <stddef.h>

#include "dipole/bk.h"

/* --- coupling ------------------------------------------------------------------------------------
 * alpha_s and its ratios without cancellation.  Tests put a coupling of their own in place. */
typedef struct bk_alpha {
    double (*value)(const struct bk_alpha *a, double r2);
    /* alpha(x)/alpha(y) - 1 for y^2 = x^2 (1 + w) */
    double (*ratio_m1)(const struct bk_alpha *a, double x2, double w);
    bk_scheme scheme;
    bk_equation equation;
    double Ksub;
    double kink;       /* r of the sharp freeze, infinity where there is none */
    double transition; /* r of the smooth freeze, infinity where there is none */
    double b, scale;   /* alpha = 1/(b l), l = ln(scale/r^2) */
    double l_min, c;   /* least l; smooth: its c */
    double fixed;
} bk_alpha;
void bk_alpha_init(bk_alpha *a, const bk_coupling *o);
/* (2 pi^2/Nc) K x^2 y^2/r^2 with the factors of the equation; x <= y, y^2 = x^2 (1 + w). */
double bk_bracket(const bk_alpha *a, double r2, double x2, double w);

/* --- initial condition ------------------------------------------------------------------------ */
typedef struct bk_start {
    /* ln Gamma at ln r */
    double (*lnGamma)(const struct bk_start *s, double lnr);
    bk_initial mv;
    bk_profile profile;
    double power; /* for tests */
} bk_start;
void bk_start_init(bk_start *s, const bk_initial *o);

/* --- grid and table ------------------------------------------------------------------------------
 * ln Gamma is known at nodes in ln r and is interpolated by polynomials of local degree
 * BK_STENCIL - 1 that never reach across a kink.  The right-hand side reads Gamma from a table of
 * cells, each a polynomial of degree BK_DEGREE in the position u in [0,1) within the cell. */
enum { BK_STENCIL = 10, BK_DEGREE = 5, BK_ROW = 8, BK_SEGMENTS = 3 };

typedef struct {
    size_t n;
    double *t;                          /* n nodes ln r */
    size_t nseg, edge[BK_SEGMENTS + 1]; /* nodes at which segments begin and end */
    size_t ncell;
    double *left;   /* ncell + 1 edges of the cells */
    size_t *first;  /* ncell: first node of the stencil */
    double *weight; /* (ncell, BK_DEGREE + 1, BK_STENCIL): ln Gamma at the samples of a cell */
} bk_grid;

typedef struct {
    double tmin, tmax, refine;
    const bk_start *start;
    const bk_alpha *alpha;
} bk_grid_opts;
cgct_status bk_grid_init(bk_grid *g, const bk_grid_opts *o, cgct_err *err);
void bk_grid_free(bk_grid *g);
/* Number of the cell plus the position within it; clamped at the upper end. */
double bk_grid_locate(const bk_grid *g, double t);
/* table (ncell, BK_ROW) of Gamma from lnGamma at the nodes. */
void bk_grid_table(const bk_grid *g, const double *lnGamma, double *table);
/* Weights of the stencil at t, and its first node. */
size_t bk_grid_weights(const bk_grid *g, double t, double w[BK_STENCIL]);
double bk_table_at(const double *table, double where);

/* --- right-hand side -----------------------------------------------------------------------------
 * For each node r a list of radii x, each with a list of y; weights include K and d2z. */
typedef struct {
    double x;     /* place of ln x in the table */
    size_t first; /* first of its y */
    size_t n;     /* a multiple of BK_LANES */
} bk_radius;
enum { BK_LANES = 8 };

typedef struct {
    size_t nradius, npoint, cap_radius, cap_point;
    bk_radius *radius;
    double *y, *w; /* npoint: place of ln y in the table, weight */
    double r;      /* place of ln r itself */
} bk_points;

cgct_status bk_points_init(bk_points *p, const bk_grid *g, const bk_grid_opts *o, double lnr,
                           cgct_err *err);
void bk_points_free(bk_points *p);
/* (dS/dY)/S at its r from the table of Gamma. */
double bk_points_sum(const bk_points *p, const double *table);

typedef struct {
    const bk_grid *grid;
    bk_points *of; /* one list for each node */
} bk_kernel;
cgct_status bk_kernel_init(bk_kernel *k, const bk_grid *g, const bk_grid_opts *o, cgct_err *err);
void bk_kernel_free(bk_kernel *k);
/* out[i] = (dS/dY)/S at node i from the table of Gamma. */
void bk_kernel_apply(const bk_kernel *k, const double *table, double *out);

/* --- evolution -----------------------------------------------------------------------------------
 * The solution at all accepted steps. */
typedef struct {
    size_t n, steps, cap, evaluations; /* nodes, steps */
    double *Y;                         /* steps */
    double *f;                         /* (steps, n): ln Gamma */
    double *rate;                      /* (steps, n): d ln Gamma/dY */
} bk_path;
cgct_status bk_path_run(bk_path *p, const bk_kernel *k, const bk_start *s, const bk_opts *o,
                        cgct_err *err);
void bk_path_free(bk_path *p);
void bk_path_at(const bk_path *p, double Y, double *lnGamma);
#endif
