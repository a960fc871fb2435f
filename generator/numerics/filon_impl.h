/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon_impl.h: int g_k(x) J_m(q x) dx for a few functions g_k and many orders m at one q: the
 * engine below filon_weights, filon_moments and the tail.
 *
 * Short intervals, and all of q x < X0: composite Gauss-Legendre rules with J_m at the nodes.  Long
 * intervals beyond X0: J_m = Re H_m, and the integral of g H_m along [a,b] is the difference of
 * those along a + i y and b + i y, where H_m decays: Gauss-Laguerre rules.  Either way one interval
 * is a product (orders, lanes) x (lanes, functions); lanes are collected until a block is full.
 *
 * Momenta of one band share the nodes and the values of g_k; bands are fixed half octaves, so that
 * a weight does not depend on which momenta are asked for together with its own. */
#ifndef CGCT_FILON_IMPL_H
#define CGCT_FILON_IMPL_H
#include <stddef.h>
#include <stdint.h>

#include "numerics/filon.h"

enum {
    FILON_LANES = 128, /* lanes of a block */
    FILON_ROWS = 256,  /* rows of coefficients: contour lanes serve the intervals on both sides */
    FILON_SEGMENTS = 32,
    FILON_BATCHES = 16, /* blocks that wait for their momenta: with one after the other, the weights
                           of a momentum stay in the cache */
    FILON_FUNCTIONS = 16, /* most functions g_k */
    FILON_GAUSS_MAX = 96,
    FILON_LAGUERRE =
        16, /* nodes of a contour for polynomials: 1e-15, see tests/numerics/test_filon.c */
    FILON_LAGUERRE_TAIL = 24, /* for inverse powers up to 16 */
    FILON_TAIL_TERMS = 16
};

/* Beyond this q x one contour rule serves all orders up to mmax. */
#define FILON_X0_MIN 30.0
#define FILON_X0_PER_ORDER 2.0
/* Phase q h up to which one Gauss panel is used; a contour costs as much as a panel of phase 32. */
#define FILON_PANEL_PHASE 32.0
/* Largest q x: beyond it the rounding of q and x themselves leaves no phase. */
#define FILON_PHASE_MAX 1e12

typedef struct {
    int n;
    const double *t, *w;
} filon_rule;

filon_rule filon_gauss(int n);    /* nodes and weights on [0,1], n even, 4..FILON_GAUSS_MAX */
filon_rule filon_laguerre(int n); /* int_0^inf e^-t f(t) dt; n = FILON_LAGUERRE or _TAIL */

/* Nodes of a Gauss panel [a,b], phase = q (b - a); m: largest order that has its turning point
 * beyond a and counts at b, 0 if none.  Error 1e-16 of the largest |g J|. */
int filon_gauss_nodes(double phase, double a, double b, int m, double degree, double power);

/* Momenta q[first] .. q[first+n-1], all in [lo, hi): 2^(k/2) and 2^((k+1)/2), or 0 and 0. */
typedef struct {
    double lo, hi;
    size_t first, n;
} filon_band;
filon_band filon_band_from(size_t nq, const double *q, size_t first); /* as many as are alike */

/* Functions g_k, k < nk, of x = a + u: g[k*FILON_LANES + i] at u[i], or at u + i y[i].  degree and
 * power: of the polynomial and of the inverse power in them, at most. */
typedef struct filon_functions filon_functions;
struct filon_functions {
    int nk;
    double degree, power;
    void (*real)(const filon_functions *f, int n, const double *u, double *g);
    void (*imag)(const filon_functions *f, int n, double u, const double *y, double *re,
                 double *im);
    /* interval: weights and moments */
    double a, scale;                                       /* g in units of scale */
    double offset[FILON_FUNCTIONS], bary[FILON_FUNCTIONS]; /* a - x_l; 1/prod (x_k - x_l)/scale */
    const double *exponent;                                /* tail */
};

/* ---- panels ---- */

/* A Gauss rule on [a+u, a+u+h], a = f->a, that serves a band and the orders up to mmax; orders
 * above `cut` vanish there. */
typedef struct {
    double u, h;
    filon_rule rule;
    int cut;
} filon_panel;
filon_panel filon_panel_at(const filon_band *band, int mmax, const filon_functions *f, double u,
                           double h);
size_t filon_panel_count(const filon_band *band, double h); /* equal panels of an interval */
/* Length of the next panel of a tail at u: with x, so that inverse powers are resolved. */
double filon_panel_tail(const filon_band *band, const filon_functions *f, double u, double end);
/* u[n] */
void filon_panel_nodes(const filon_panel *p, double *u);
/* The same, and c (n, pad): weight g_k(u), zeros from nk on */
void filon_panel_rows(const filon_panel *p, const filon_functions *f, int pad, double *u,
                      double *c);
/* q x from which contours serve all orders */
double filon_contour_phase(int mmax);

/* ---- local polynomials ---- */

typedef struct {
    size_t nx;
    const double *x;
    int degree;
    double *bary; /* (nx-1, degree+1): scale^degree / prod_{l != k} (x_k - x_l) of each window */
} filon_local;
cgct_status filon_local_init(filon_local *t, size_t nx, const double *x, int degree, cgct_err *err);
void filon_local_free(filon_local *t);
/* First node of the window of interval i: i - d/2, one-sided at the ends. */
size_t filon_local_window(const filon_local *t, size_t i);
/* g_k = x l_k(x) about interval i */
void filon_local_functions(const filon_local *t, size_t i, filon_functions *f);

/* What filon_weights asks of its arguments; degree: none of 0. */
cgct_status filon_check(size_t nx, const double *x, size_t nq, const double *q, size_t nm,
                        const int *m, int degree, int has_tail, cgct_err *err);

/* ---- the engine ---- */

typedef struct {
    int lane, n, row;
    size_t column;
} filon_segment;

typedef struct {
    int nlane, nrow, nsegment, cut; /* cut: largest order that counts */
    filon_segment segment[FILON_SEGMENTS];
    double a[FILON_LANES], u[FILON_LANES]; /* x = a + u of the lanes of panels */
    double c[FILON_ROWS * FILON_FUNCTIONS];
} filon_batch;

typedef struct {
    filon_band band;
    const double *q; /* (band.n) */
    double x0;       /* q x from which contours are allowed */
    int nm, mmax, nk, laguerre;
    const int *m;
    double *out; /* out[im*stride + iq*pitch + column + k] += ..., iq < band.n */
    size_t stride, pitch;
    /* blocks: of panels for the whole band, or one of contours at q[iq], J at hand */
    int contour, last_lane, nbatch;
    size_t iq;
    double last_position; /* of the contour at last_lane */
    filon_batch batch[FILON_BATCHES];
    double J[]; /* (mmax+1, FILON_LANES) of one block, and a pack behind them */
} filon_work;

filon_work *filon_work_new(int mmax); /* NULL: out of memory; free() it */
/* Start on a new output: orders m[nm], nk functions, momenta q[band->n]. */
void filon_begin(filon_work *s, const filon_band *band, const double *q, int nm, const int *m,
                 int nk, int laguerre, double *out, size_t stride, size_t pitch);
/* Where contours take over in [0,h]; h where they do not. */
double filon_split(const filon_work *s, const filon_functions *f, double h);
/* Add the integrals over [a, a+split], a = f->a, for all momenta to columns column..column+nk-1,
 * and over [a+split, a+h] for the momentum iq; both in any order, filon_flush between them. */
void filon_add_panels(filon_work *s, const filon_functions *f, double split, size_t column);
void filon_add_contours(filon_work *s, const filon_functions *f, double split, double h, size_t iq,
                        size_t column);
/* All of [a, a+h], and of [a, infinity), for a band of one momentum. */
void filon_add_interval(filon_work *s, const filon_functions *f, double h, size_t column);
void filon_add_tail(filon_work *s, const filon_functions *f, size_t column);
void filon_flush(filon_work *s);

/* out += J c for the segments of a block at momentum iq; c has `pad` (8 or 16) numbers per row.
 */
void filon_product(const filon_work *s, const filon_batch *b, int pad, size_t iq);
/* Lanes of contours: J[m*FILON_LANES + l] = Re, [.. + l + n] = Im of H_m^(1)(z + i t_l) e^{t_l - i
 * z}. */
void filon_hankel(int mmax, const filon_rule *rule, double z, double *J);

typedef struct {
    int nfit, nterm;
    double a;      /* last node */
    double *power; /* nterm */
    double *fit;   /* (nterm, nfit): coefficients from the last nfit values */
} filon_tail_fit;

cgct_status filon_tail_init(filon_tail_fit *t, size_t nx, const double *x, const filon_tail_opts *o,
                            cgct_err *err);
void filon_tail_free(filon_tail_fit *t);
filon_functions filon_tail_functions(const filon_tail_fit *t); /* x (x/a)^-power */
/* w[im*stride + i] += tail weights of node i of the last nfit; scratch (nm, FILON_FUNCTIONS). */
void filon_tail_add(const filon_tail_fit *t, filon_work *s, double q, int nm, const int *m,
                    double *scratch, double *w, size_t stride);
#endif
