/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon_impl.h: int g_k(x) J_m(q x) dx for a few functions g_k and many orders m at one q: the
 * engine below filon_weights, filon_moments and the tail.
 *
 * Short intervals, and all of q x < X0: composite Gauss-Legendre rules with J_m at the nodes.  Long
 * intervals beyond X0: J_m = Re H_m, and the integral of g H_m along [a,b] is the difference of
 * those along a + i y and b + i y, where H_m decays: Gauss-Laguerre rules.  Either way one interval
 * is a product (orders, lanes) x (lanes, functions); lanes are collected until a block is full. */
#ifndef CGCT_FILON_IMPL_H
#define CGCT_FILON_IMPL_H
#include <stddef.h>

#include "filon.h"

enum {
    FILON_LANES = 128, /* lanes of a block */
    FILON_ROWS = 256,  /* rows of coefficients: contour lanes serve the intervals on both sides */
    FILON_SEGMENTS = 32,
    FILON_FUNCTIONS = 16, /* most functions g_k */
    FILON_GAUSS_MAX = 96,
    FILON_LAGUERRE = 16, /* nodes of a contour for polynomials: 1e-15, see tests/test_filon.c */
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

typedef struct {
    int lane, n, row;
    size_t column;
} filon_segment;

typedef struct {
    double q, x0; /* x0: q x from which contours are allowed */
    int nm, mmax, nk, laguerre;
    const int *m;
    double *out; /* out[im*stride + column + k] += ... */
    size_t stride;
    int contour, cut, nlane, nrow, nsegment,
        last_lane;        /* the block; cut: largest order that counts */
    double last_position; /* of the contour at last_lane */
    filon_segment segment[FILON_SEGMENTS];
    double z[FILON_LANES], low[FILON_LANES];
    double g[2][FILON_FUNCTIONS * FILON_LANES];
    double c[FILON_ROWS * FILON_FUNCTIONS];
    double J[]; /* (mmax+1, FILON_LANES) */
} filon_work;

filon_work *filon_work_new(int mmax); /* NULL: out of memory; free() it */
/* Start on a new output: orders m[nm], nk functions, momentum q. */
void filon_begin(filon_work *s, double q, int nm, const int *m, int nk, int laguerre, double *out,
                 size_t stride);
/* Add the integrals over [a, a+h], a = f->a, to columns column..column+nk-1. */
void filon_add_interval(filon_work *s, const filon_functions *f, double h, size_t column);
/* The same over [a, infinity). */
void filon_add_tail(filon_work *s, const filon_functions *f, size_t column);
void filon_flush(filon_work *s);

/* out += J c for the segments of the block; c has `pad` (8 or 16) numbers per row. */
void filon_product(const filon_work *s, int pad);
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
/* w[im*stride + i] += tail weights of node i of the last nfit; scratch (nm, FILON_FUNCTIONS). */
void filon_tail_add(const filon_tail_fit *t, filon_work *s, double q, int nm, const int *m,
                    double *scratch, double *w, size_t stride);
#endif
