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
    double Ymax; /* equations with shifts: largest Y */
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

/* --- history -------------------------------------------------------------------------------------
 * Gamma at all earlier Y, for equations with shifts: one table for each step, in whose cells Gamma
 * is a polynomial of degree BK_STAGES - 1 in v = (Y - beginning)/length and BK_DEGREE in u. */
enum { BK_STAGES = 7 };
typedef struct {
    size_t n, cap, ncell;
    double *Y;    /* n + 1 ends of steps */
    double **row; /* n: (ncell, BK_STAGES, BK_ROW) */
} bk_history;
/* One step more, from Y to Y + h; its rows are not set. */
cgct_status bk_history_append(bk_history *h, double Y, double length, cgct_err *err);
/* Sets the rows of the last step from its tables at the nodes v[BK_STAGES]. */
void bk_history_set(bk_history *h, const double *v, double *const table[BK_STAGES]);
void bk_history_free(bk_history *h);
/* c[k] of the polynomial Sum c[k] v^k, k < n <= BK_STAGES, through a sample at every place:
 * c[k] = Sum_i m[k n + i] sample[i]. */
void bk_monomials(int n, const double *place, double *m);

/* --- right-hand side -----------------------------------------------------------------------------
 * For each node r a list of radii x, each with a list of y; weights include K and d2z. */
typedef struct {
    double x;     /* place of ln x in the table */
    double shift; /* of Y, for Gamma(x) */
    size_t first; /* first of its y */
    size_t n;     /* a multiple of BK_LANES */
} bk_radius;
enum { BK_LANES = 8 };

/* BK_RADIAL radii between two places in ln x; root: their integral begins like a square root;
 * far: their largest shift. */
typedef struct {
    double begin, end, far;
    int root;
} bk_panel;
enum { BK_RADIAL = 8 };

typedef struct {
    size_t npanel, nradius, npoint, cap_panel, cap_radius, cap_point;
    bk_panel *panel;
    bk_radius *radius;     /* of all panels in their order, then some without shift */
    double *y, *w, *shift; /* npoint: place of ln y in the table, weight, shift of Y for Gamma(y) */
    double r, lnr;         /* place of ln r itself */
} bk_points;

cgct_status bk_points_init(bk_points *p, const bk_grid *g, const bk_grid_opts *o, double lnr,
                           cgct_err *err);
void bk_points_free(bk_points *p);
/* (dS/dY)/S at its r from the table of Gamma. */
double bk_points_sum(const bk_points *p, const double *table);
/* Equations with shifts: the panel that is divided at Y, as far as it counts; and the sum of both
 * at Y from the table there and the history. */
cgct_status bk_points_cut(bk_points *cut, const bk_points *p, const bk_grid *g,
                          const bk_grid_opts *o, double Y, cgct_err *err);
typedef struct {
    double Y;
    const double *table;
    const bk_history *history;
} bk_past;
double bk_points_sum_past(const bk_points *p, const bk_points *cut, const bk_past *past);

typedef struct {
    const bk_grid *grid;
    const bk_grid_opts *o;
    bk_points *of; /* one list for each node */
} bk_kernel;
cgct_status bk_kernel_init(bk_kernel *k, const bk_grid *g, const bk_grid_opts *o, cgct_err *err);
void bk_kernel_free(bk_kernel *k);
/* out[i] = (dS/dY)/S at node i from the table of Gamma. */
void bk_kernel_apply(const bk_kernel *k, const double *table, double *out);
/* The same with shifts; cut: one for each node, from bk_kernel_cut at past->Y. */
cgct_status bk_kernel_cut(const bk_kernel *k, double Y, bk_points *cut, cgct_err *err);
void bk_kernel_apply_past(const bk_kernel *k, const bk_points *cut, const bk_past *past,
                          double *out);

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
/* The same for equations with shifts (bk_delay.c); step > 0: all steps have this length. */
cgct_status bk_delay_run(bk_path *p, const bk_kernel *k, const bk_start *s, const bk_opts *o,
                         double step, cgct_err *err);
/* A step from Gamma: Gamma after S has grown by the factor 1 + z; whether that is possible; and
 * what an error of z at Y is multiplied by to be 1 where it is just allowed. */
double bk_step_Gamma(double Gamma, double z);
int bk_step_possible(double Gamma, double z);
double bk_step_weight(double Gamma, double z, double Y, double refine);
/* One more Y of a path: d ln S/dY = rate[i]. */
cgct_status bk_path_append(bk_path *p, double Y, const double *Gamma, const double *rate,
                           cgct_err *err);
/* Gamma at Y = 0 at all nodes, as the evolution begins it. */
void bk_path_begin(const bk_grid *g, const bk_start *s, double *Gamma);
void bk_path_free(bk_path *p);
void bk_path_at(const bk_path *p, double Y, double *lnGamma);

/* --- a solution: two runs of different resolution (bk_solve.c) -------------------------------- */
enum { BK_EARLY = 2, BK_LATE = 8 }; /* Y at which they are compared: close to 0, then equal steps */

struct bk_solution {
    bk_opts o; /* with the refinement of this run */
    bk_alpha alpha;
    bk_start start;
    double tmax; /* upper end of the grid, ln r */
    bk_grid grid;
    bk_path path;
    bk_accuracy accuracy[BK_EARLY + BK_LATE];
    double reach;                /* ln r from which S < 1e-60 at all Y */
    struct bk_solution *coarser; /* the other run; NULL in it */
};
/* The grid of a run up to tmax. */
cgct_status bk_run_grid(bk_solution *s, double tmax, cgct_err *err);

/* bk_kept.c: both runs from s->o.keeper, which may have none (*found = 0), and to it. */
cgct_status bk_kept_find(bk_solution *s, int *found, cgct_err *err);
void bk_kept_keep(const bk_solution *s);
#endif
