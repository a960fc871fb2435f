/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon_parts.h: what Filon weights are made of, shared by the sources filon*.c and by cuda/, which
 * evaluates the Bessel functions of a filon_plan on a device.
 *
 * All of them need int g_k(x) J_m(q x) dx over an interval for a few smooth functions g_k (the
 * polynomials of a window times x, or the inverse powers of a tail) and many orders m:
 *
 *   Short intervals, and all x with q x < X0, are cut into panels with a Gauss-Legendre rule each.
 *   On long intervals beyond X0, J_m = Re H_m, and the integral of g H_m from a to b is the
 *   difference of the integrals along a + i y and b + i y, where H_m decays: Gauss-Laguerre rules.
 *
 * Either way an interval is a matrix product (orders, points) x (points, functions).  A lane is one
 * point at which all orders of J_m or H_m are known.  The momenta of a band share the points and
 * the values of g_k.  Bands are fixed half octaves, so that a weight does not depend on which other
 * momenta are asked for. */
#ifndef CGCT_FILON_PARTS_H
#define CGCT_FILON_PARTS_H
#include <stddef.h>
#include <stdint.h>

#include "numerics/bessel.h"
#include "numerics/filon.h"

enum {
    FILON_FUNCTIONS = 16, /* at most so many functions g_k */
    FILON_GAUSS_MIN = 4,  /* nodes of a panel, always even: from this number ... */
    FILON_GAUSS_MAX = 96, /* ... to this one */
    FILON_TAIL_TERMS = 16,
    /* nodes of a contour: for polynomials, to 1e-15 (tests/numerics/test_filon.c), and for inverse
     * powers up to 16 */
    FILON_LAGUERRE = 16,
    FILON_LAGUERRE_TAIL = 24
};

/* The phase q h up to which one Gauss panel is used; a contour costs as much as such a panel. */
#define FILON_PANEL_PHASE 32.0
/* The largest q x: beyond it the rounding of q and x leaves no digit of the phase. */
#define FILON_PHASE_MAX 1e12

/* ---- the functions g_k (filon_functions.c) ---- */

/* Functions g_k, k < nk, of x = a + u.  real: g[k*FILON_LANES + i] at u[i], i < n; imag: the same
 * at u + i y[i], in two parts.  degree and power bound the polynomial and the inverse power in
 * them. */
enum { FILON_LANES = 128 };
typedef struct filon_functions filon_functions;
struct filon_functions {
    int nk;
    double degree, power;
    void (*real)(const filon_functions *f, int n, const double *u, double *g);
    void (*imag)(const filon_functions *f, int n, double u, const double *y, double *re,
                 double *im);
    double a, scale; /* scale: the span of the window */
    /* local polynomials: a - x_k, and the barycentric weight scale^d / prod_{l != k} (x_k - x_l) */
    double offset[FILON_FUNCTIONS], bary[FILON_FUNCTIONS];
    const double *exponent; /* tail: (nk) */
};

/* The local polynomials on all intervals; x is kept by reference. */
typedef struct {
    size_t nx;
    const double *x;
    int degree;
    double *bary; /* (nx-1, degree+1): barycentric weights of each window; to be freed */
} filon_local;

void filon_local_init(filon_local *l, size_t nx, const double *x, int degree);
/* The first node of the window of interval i: i - d/2, one-sided at the ends of the grid. */
size_t filon_local_window(const filon_local *l, size_t i);
/* g_k = x l_k(x), l_k being the cardinal functions of the window of interval i. */
void filon_local_functions(const filon_local *l, size_t i, filon_functions *f);

/* The tail as a linear function of the values at the last nodes. */
typedef struct {
    int nfit, nterm;
    double a;            /* the last node */
    const double *power; /* (nterm), kept by reference */
    double *fit;         /* (nterm, nfit): coefficients from the last nfit values; to be freed */
} filon_tail_fit;

/* Returns OK, E_DOMAIN, E_ACCURACY where the powers at those nodes have no fit. */
cgct_status filon_tail_init(filon_tail_fit *t, size_t nx, const double *x, const filon_tail_opts *o,
                            cgct_err *err);
/* g_k = x (x/a)^-power[k] */
filon_functions filon_tail_functions(const filon_tail_fit *t);

/* x l_k(x) at x = a + u, where l_k is the cardinal function of node k of a window of nk nodes. */
CGCT_INLINE double filon_cardinal(size_t nk, const double *node, const double *bary, double a,
                                  double u, size_t k)
{
    double inv = 1 / (node[nk - 1] - node[0]), v = (a + u) * bary[k];
    for (size_t l = 0; l < nk; l++) v *= l == k ? 1 : (u + (a - node[l])) * inv;
    return v;
}

/* x (x/a)^-p at x = a + u. */
CGCT_INLINE double filon_real_power(double a, double u, double p)
{
    return a * exp((1 - p) * log1p(u / a));
}

/* x (x/a)^-p at x = a + u + i y. */
CGCT_INLINE bessel_complex filon_power(double a, double u, double y, double p)
{
    double vx = 1 + u / a, vy = y / a, angle = (1 - p) * atan2(vy, vx);
    double mod = a * exp((1 - p) * log(hypot(vx, vy)));
    bessel_complex v = {mod * cos(angle), mod * sin(angle)};
    return v;
}

/* ---- rules, bands and panels (filon_functions.c) ---- */

typedef struct {
    int n;
    const double *t, *w;
} filon_rule;

/* Made by make_filon_rules.c: nodes, then weights, of the rules of FILON_GAUSS_MIN, then 2 more,
 * .., FILON_GAUSS_MAX nodes; and of FILON_LAGUERRE and FILON_LAGUERRE_TAIL nodes. */
extern const double filon_gauss_rules[], filon_laguerre_rules[];

/* int_0^inf e^-t f(t) dt with n = FILON_LAGUERRE or FILON_LAGUERRE_TAIL nodes. */
filon_rule filon_laguerre(int n);

/* The momenta q[first] .. q[first+n-1], all in [lo, hi) = [2^(k/2), 2^((k+1)/2)); a momentum 0 is a
 * band of its own, with lo = hi = 0. */
typedef struct {
    double lo, hi;
    size_t first, n;
} filon_band;

/* The band that begins with momentum `first` and takes in as many of the next ones as it can. */
filon_band filon_band_from(size_t nq, const double *q, size_t first);
/* X0, the phase q x from which contours serve all orders up to mmax. */
double filon_contour_phase(int mmax);

/* A Gauss-Legendre rule (on [0,1]) for [a+u, a+u+h], a = f->a, that serves all momenta of a band
 * and the orders up to mmax; the orders above `cut` vanish there. */
typedef struct {
    double u, h;
    filon_rule rule;
    int cut;
} filon_panel;

filon_panel filon_panel_at(const filon_band *band, int mmax, const filon_functions *f, double u,
                           double h);
/* u[n], the nodes of the panel as distances from a. */
void filon_panel_nodes(const filon_panel *p, double *u);
/* How many equal panels an interval of length h takes. */
size_t filon_panel_count(const filon_band *band, double h);
/* The length of the next panel of a tail, at u: proportional to x, so that inverse powers are
 * resolved, as far as the phase and `end` allow. */
double filon_panel_tail(const filon_band *band, const filon_functions *f, double u, double end);

/* ---- sums of integrals on the processor (filon_engine.c) ---- */

typedef struct filon_work filon_work; /* scratch of one thread */

/* Where the integrals go: out[im*stride + iq*pitch + column + k] += int g_k J_{m[im]}(q[iq] x) dx,
 * iq counting within the band. */
typedef struct {
    double *out;
    size_t stride, pitch;
} filon_output;

/* Scratch for the orders m[nm], rising, nm > 0, kept by reference.  The caller frees it with
 * free(). */
filon_work *filon_work_new(size_t nm, const int *m);
/* Starts the sums of nk functions, with the momenta q[band->n] and a rule of `laguerre` nodes on
 * the contours. */
void filon_begin(filon_work *s, const filon_band *band, const double *q, int nk, int laguerre,
                 filon_output to);
/* The position in [0,h] from which the interval [a, a+h] is integrated along contours; h where
 * panels serve it all. */
double filon_split(const filon_work *s, const filon_functions *f, double h);
/* Add the integrals over [a, a+split] for all momenta, and those over [a+split, a+h] for momentum
 * iq.  Intervals come in any order; filon_flush stands between panels and contours, between two
 * momenta, and at the end. */
void filon_add_panels(filon_work *s, const filon_functions *f, double split, size_t column);
void filon_add_contours(filon_work *s, const filon_functions *f, double split, double h, size_t iq,
                        size_t column);
/* Add the integrals over [a, infinity), for a band of one momentum, from column 0 on. */
void filon_add_tail(filon_work *s, const filon_functions *f);
void filon_flush(filon_work *s);

/* ---- the plan of a device (filon_plan.c) ----
 *
 *   w_m[j](q) = sum over lanes of weight g_j(x) J_m(q x),  x = x_interval + u,
 *
 * with lanes that all momenta of a band share.  Long intervals are cut into panels here, too, whose
 * number grows with the phase q h; only the tail ends in a contour, which the device evaluates. */

/* Nodes are counted in groups; a lane belongs to the group in which the window of its interval
 * begins, and its functions belong to nodes of this group and of the next. */
enum { FILON_GROUP = FILON_DEGREE_MAX, FILON_ROW = 2 * FILON_GROUP };

/* A point x[interval] + u with its weight; interval FILON_TAIL lies behind the last node. */
typedef struct {
    double u, weight;
    size_t interval;
} filon_lane;
#define FILON_TAIL SIZE_MAX

typedef struct {
    filon_band band;
    double split; /* the contour of the tail rises at tail.a + split */
} filon_plan_band;

typedef struct {
    size_t nx, nq, nm, nband;
    const double *q; /* (nq), kept by reference */
    const int *m;    /* (nm), kept by reference */
    filon_local local;
    int has_tail;
    filon_tail_fit tail;
    filon_plan_band *band;
    size_t ngroup;
    uint32_t *start;    /* (nband, ngroup + 2): first lane of each group, of the tail; the end */
    size_t nlane, room; /* room: lanes for which there is memory */
    filon_lane *lane;   /* (nlane), by band and interval, those of the tail last */
} filon_plan;

/* The arguments and errors of filon_weights, and E_NOMEM where the plan would be too large; x and
 * the powers of the tail are kept by reference, too. */
cgct_status filon_plan_init(filon_plan *p, const filon_task *t, cgct_err *err);
void filon_plan_free(filon_plan *p);

/* What filon_weights demands of a task (filon.c). */
cgct_status filon_check(const filon_task *t, cgct_err *err);
#endif
