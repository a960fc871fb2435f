/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_impl.h: what the files bk_*.c share: coupling, grid in r, quadrature in z, evolution in Y. */
#ifndef CGCT_BK_IMPL_H
#define CGCT_BK_IMPL_H
#include <stddef.h>

#include "dipole/bk.h"
#include "numerics/quadrature.h"

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

/* --- initial condition ---------------------------------------------------------------------------
 * The profile of a bk_initial. */
double bk_initial_lnGamma(const void *initial, double lnr);
/* Gamma as the evolution begins it: large values are less than those of the profile. */
double bk_start_Gamma(const bk_profile *p, double lnr);

/* --- grid and cells ------------------------------------------------------------------------------
 * ln Gamma is known at nodes in ln r and is interpolated by polynomials of local degree
 * BK_STENCIL - 1 that never reach across a kink.  The right-hand side reads Gamma from a table of
 * cells, each a polynomial of degree BK_DEGREE in the position u in [0,1) within the cell, and S
 * (equations without shifts) from its values at the edges of the cells. */
enum { BK_STENCIL = 10, BK_DEGREE = 5, BK_ROW = 8, BK_SEGMENTS = 3, BK_LANES = 8, BK_ANGLES = 64 };

typedef struct {
    double tmin, tmax, refine;
    const bk_profile *start;
    const bk_alpha *alpha;
    double Ymax; /* equations with shifts: largest Y */
} bk_grid_opts;

typedef struct {
    bk_grid_opts o;
    quad_gauss gauss[BK_ANGLES / BK_LANES]; /* of 8, 16, .. nodes */
    size_t n;
    double *t;                          /* n nodes ln r */
    size_t nseg, edge[BK_SEGMENTS + 1]; /* nodes at which segments begin and end */
    double *lnGamma;                    /* n: for which the cells are made */
    size_t *cell;                       /* n: the cell that begins at a node */
    size_t ncell;
    double *left;   /* ncell + 1 edges of the cells */
    size_t *first;  /* ncell: first node of the stencil */
    double *weight; /* (ncell, BK_STENCIL, BK_ROW): ln Gamma at the samples of a cell, in rows */
    /* S between the edges of cells is the polynomial through its values at BK_STENCIL of them: */
    size_t *edges;   /* ncell: the first of these */
    double *rule;    /* (ncell, BK_STENCIL): their barycentric weights */
    int points;      /* kernels sum over points, not rows, and the cells never change */
    void *arrays[2]; /* the allocations of what belongs to nodes, and to cells */
} bk_grid;

void bk_grid_init(bk_grid *g, const bk_grid_opts *o);
void bk_grid_free(bk_grid *g);
/* Cells for rows, and for lnGamma at the nodes at a later Y; whether rows call for other cells. */
void bk_grid_adapt(bk_grid *g, const double *lnGamma);
int bk_grid_worn(const bk_grid *g, const double *lnGamma);
/* ln Gamma for which the cells are made, roughly. */
double bk_grid_lnGamma(const bk_grid *g, double t);
/* Weights of the stencil at t, and its first node. */
size_t bk_grid_weights(const bk_grid *g, double t, double w[BK_STENCIL]);
/* Lagrange weights at t of the nodes first, first + stride, .., count of them, into w. */
void bk_lagrange(const double *node, size_t count, size_t stride, double t, double *w);
/* Number of the cell plus the position within it; clamped at the upper end. */
double bk_grid_locate(const bk_grid *g, double t);

/* Gamma at one Y in the forms that the right-hand side reads. */
typedef struct {
    double *table; /* (ncell, BK_ROW): Gamma in the cells; the allocation of all */
    double *N, *S; /* (ncell + 1 + BK_LANES): at the edges of the cells, then 0 */
} bk_values;
void bk_values_init(bk_values *v, const bk_grid *g);
void bk_values_free(bk_values *v);
/* From lnGamma at the nodes. */
void bk_values_set(bk_values *v, const bk_grid *g, const double *lnGamma);
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
void bk_history_append(bk_history *h, double Y, double length);
/* Sets the rows of the last step from its values at the nodes v[BK_STAGES]. */
void bk_history_set(bk_history *h, const double *v, const bk_values values[BK_STAGES]);
void bk_history_free(bk_history *h);
/* c[k] of the polynomial Sum c[k] v^k, k < n <= BK_STAGES, through a sample at every place:
 * c[k] = Sum_i m[k n + i] sample[i]. */
void bk_monomials(int n, const double *place, double *m);

/* --- right-hand side -----------------------------------------------------------------------------
 * For each node r a list of radii x; weights include K and d2z.  Without shifts of Y the sum over
 * the angles of a radius is linear in S(y), and S(y) in its values at the edges of cells: a radius
 * has a row with the weights of those edges.  With shifts, or where nodes are too far apart for
 * that, it has a list of points y. */
typedef struct {
    double x;      /* place of ln x in the table */
    double shift;  /* of Y, for Gamma(x) */
    double weight; /* rows: its sum */
    size_t first;  /* first of its row, or of its y */
    size_t n;      /* length of the row, or number of its y; a multiple of BK_LANES */
    size_t edge;   /* rows: the edge of cells at which the row begins */
} bk_radius;

/* BK_RADIAL radii between two places in ln x; root: their integral begins like a square root;
 * far: their largest shift. */
typedef struct {
    double begin, end, far;
    int root;
} bk_panel;
enum { BK_RADIAL = 8 };

typedef struct {
    size_t npanel, nradius, npoint, nrow, cap_panel, cap_radius, cap_point, cap_row;
    bk_panel *panel;
    bk_radius *radius;     /* of all panels in their order, then some without shift */
    double *y, *w, *shift; /* npoint: place of ln y in the table, weight, shift of Y for Gamma(y) */
    double *row;           /* nrow: weights of S(y) at the edges of cells */
    double r, lnr;         /* place of ln r itself */
} bk_points;

void bk_points_init(bk_points *p, const bk_grid *g, double lnr);
void bk_points_free(bk_points *p);
/* Without shifts: (dS/dY)/S at its r; from rows, or from points. */
double bk_points_sum(const bk_points *p, const bk_values *v);
/* Equations with shifts: the panel that is divided at Y, as far as it counts; and the sum of both
 * at Y from the values there and the history. */
void bk_points_cut(bk_points *cut, const bk_points *p, const bk_grid *g, double Y);
typedef struct {
    double Y;
    const double *table;
    const bk_history *history;
} bk_past;
double bk_points_sum_past(const bk_points *p, const bk_points *cut, const bk_past *past);

typedef struct {
    const bk_grid *grid;
    bk_points *of; /* one list for each node */
} bk_kernel;
void bk_kernel_init(bk_kernel *k, const bk_grid *g);
void bk_kernel_free(bk_kernel *k);
/* out[i] = (dS/dY)/S at node i. */
void bk_kernel_apply(const bk_kernel *k, const bk_values *v, double *out);
/* With shifts, for the first n nodes; cut: one for each node, from bk_kernel_cut at past->Y. */
void bk_kernel_cut(const bk_kernel *k, size_t n, double Y, bk_points *cut);
void bk_kernel_apply_past(const bk_kernel *k, size_t n, const bk_points *cut, const bk_past *past,
                          double *out);

/* --- evolution -----------------------------------------------------------------------------------
 * The solution at all accepted steps. */
typedef struct {
    size_t n, steps, cap; /* nodes, steps */
    double *Y;            /* steps; the allocation of all */
    double *f;            /* (steps, n): ln Gamma */
    double *rate;         /* (steps, n): d ln Gamma/dY */
} bk_path;
/* Without shifts; the cells of g become those of the last Y.  bk_path_free also after a failure. */
cgct_status bk_path_run(bk_path *p, bk_grid *g, const bk_opts *o, cgct_err *err);
/* The same for equations with shifts (bk_delay.c); step > 0: all steps have this length. */
cgct_status bk_delay_run(bk_path *p, const bk_kernel *k, const bk_opts *o, double step,
                         cgct_err *err);
/* Steps in Y; the growth of a step is multiplied by BK_SAFETY, and BK_SHRINK at least. */
#define BK_FIRST_STEP 1e-6
#define BK_LEAST_STEP 1e-13
#define BK_LARGEST_STEP 0.5
#define BK_SAFETY 0.85
#define BK_SHRINK 0.2
/* Least z that is let pass where S is below what is needed. */
#define BK_LEAST_Z (1e-6 - 1)
/* A step from Gamma: Gamma after S has grown by the factor 1 + z; whether that is possible; and
 * what an error of z at Y is multiplied by to be 1 where it is just allowed. */
double bk_step_Gamma(double Gamma, double z);
int bk_step_possible(double Gamma, double z);
double bk_step_weight(double Gamma, double z, double Y, double refine);
/* The length h of a step from Y, shortened to end at `stop`; two steps before it are equal.  *end:
 * where the step ends. */
double bk_step_fit(double Y, double h, double stop, double *end);
/* One more Y of a path: d ln S/dY = rate[i]. */
void bk_path_append(bk_path *p, double Y, const double *Gamma, const double *rate);
void bk_path_free(bk_path *p);
void bk_path_at(const bk_path *p, double Y, double *lnGamma);

/* --- a solution: two runs of different resolution (bk_solve.c) -------------------------------- */
/* Y at which they are compared: close to 0, then equal steps. */
enum { BK_EARLY = 2, BK_LATE = 8, BK_ACCURACIES = BK_EARLY + BK_LATE };

struct bk_solution {
    bk_opts o; /* with the refinement of this run, and a profile in any case */
    bk_alpha alpha;
    bk_grid grid;
    bk_path path;
    bk_accuracy accuracy[BK_ACCURACIES]; /* at rising Y; 0 in the coarser run */
    double reach;                        /* ln r from which S < 1e-60 at all Y */
    struct bk_solution *coarser;         /* the other run; NULL in it */
};
/* The grid of a run up to tmax. */
void bk_run_grid(bk_solution *s, double tmax);

/* Both runs from s->o.keeper, or 0 where it has none. */
int bk_kept_find(bk_solution *s);
#endif
