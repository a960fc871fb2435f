/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quadrature.h: composite Gauss-Legendre rules over an interval, and rules over an angle with the
 * cosines of all modes at their nodes. */
#ifndef CGCT_QUADRATURE_H
#define CGCT_QUADRATURE_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format/error.h"

/* Nodes and weights of one rule.  Panels are appended; after n = 0 a rule is built again in
 * the same memory. */
typedef struct {
    size_t n, cap;
    double *x, *w;
    int *panel; /* the number of nodes of the panel that starts at this node, else 0 */
} quad_rule;

enum { QUAD_GAUSS_MAX = 64 };

/* One rule on [-1,1], the pattern of appended panels. */
typedef struct {
    int n;
    double x[QUAD_GAUSS_MAX], w[QUAD_GAUSS_MAX];
} quad_gauss;

/* Panels that grow by the factor `ratio` away from a singular end, which is the lower (end = 0) or
 * the upper one (end = 1).  The smallest panel is at most hmin wide, none is wider than hmax. */
typedef struct {
    int end;
    double hmin, ratio, hmax;
} quad_grading;

/* Gauss-Legendre, 1 <= n <= QUAD_GAUSS_MAX, asserted. */
void quad_gauss_init(quad_gauss *g, int n);
/* The rule that is exact for d^i and d^i ln d, i < n, where d is the distance from the lower
 * (end = 0) or the upper end; n is fixed (log_rule_data.h). */
void quad_log_init(quad_gauss *g, int end);

void quad_free(quad_rule *q);
/* Appends [a,b], cut into equal panels no wider than hmax; nothing if b <= a. */
void quad_append(quad_rule *q, const quad_gauss *g, double a, double b, double hmax);
/* Appends one Gauss-Legendre rule of any number n >= 1 of nodes on [a,b].  Returns OK, E_DOMAIN. */
cgct_status quad_append_gauss(quad_rule *q, int n, double a, double b, cgct_err *err);
/* Appends [a,b] in graded panels; nothing if b <= a. */
void quad_append_graded(quad_rule *q, const quad_gauss *g, double a, double b,
                        const quad_grading *grading);

/* ---- rules over an angle ----
 *
 * An even function of an angle is sampled on [0, span], span = pi, or pi/2 where it is even about
 * pi/2, too (two-fold symmetry).  The trapezoidal rule with N intervals converges as exp(-N t) for
 * a singularity at the complex angle i t; rules graded to one end serve closer singularities. */

typedef struct {
    size_t n;       /* 0: there is no such rule */
    double *x;      /* nodes in [0, span] */
    double *hav;    /* sin^2(x/2): cos x = 1 - 2 hav without cancellation near 0 */
    double *w;      /* sum_j w f = int_0^2pi f dx */
    size_t nm;      /* leading orders in the matrices, which the rule resolves */
    double *weight; /* (n, nm): w_j cos(m x_j), or NULL */
    double *cosine; /* (n, nm): cos(m x_j), or NULL; in the same allocation */
} angle_rule;

enum {
    ANGLE_TRAPEZOIDS = 24,
    ANGLE_GRADES = 16,
    ANGLE_LEVELS = 6, /* of graded rules: 2^(-l/2) of all orders are resolved at level l */
    ANGLE_RULES = ANGLE_TRAPEZOIDS + 2 * ANGLE_GRADES * ANGLE_LEVELS
};

typedef struct {
    int m_max;
    size_t nm;
    const int *m;       /* (nm), kept by reference */
    double per_order;   /* (nm - 1)/m_max */
    double span, decay; /* decay = ln 10 times the digits that are wanted */
    int n_trapezoid;
    int m_level[ANGLE_LEVELS];
    /* Trapezoidal rules with rising numbers of nodes; from ANGLE_TRAPEZOIDS on, for each level,
     * ANGLE_GRADES rules graded towards 0, with innermost panels of 4^-j, and as many graded
     * towards span, which do not exist where span = pi/2. */
    angle_rule rule[ANGLE_RULES];
    double circle[ANGLE_TRAPEZOIDS]; /* nodes of each trapezoidal rule on the whole circle; infinity
                                      * where there is none */
} angle_rules;

/* m[nm]: rising orders, kept by reference; all even for symmetric (span pi/2).  matrices: fill
 * weight and cosine, too. */
void angle_rules_init(angle_rules *a, size_t nm, const int *m, int symmetric, double digits,
                      int matrices);
void angle_rules_free(angle_rules *a);

/* The highest mode above e^-decay of a function whose nearest singularity lies at the distance t
 * (infinity allowed) and that has `smooth` modes of its own. */
static inline double angle_bandwidth(double decay, double t, double smooth)
{
    return decay / (t > 1e-12 ? t : 1e-12) + smooth;
}

/* The number of the cheapest trapezoidal rule that resolves the modes up to order m of a function
 * of bandwidth b. */
static inline size_t angle_trapezoid(const angle_rules *a, double b, int m)
{
    const double circle = b + (b < m ? b : m) + 4;
    int i = 0;
    for (int k = 0; k < ANGLE_TRAPEZOIDS; k++) i += circle > a->circle[k];
    return (size_t)(i < a->n_trapezoid ? i : a->n_trapezoid - 1);
}

/* The smallest j with 4^-j <= t, 0 < t. */
static inline int angle_grade(double t)
{
    uint64_t bits;
    memcpy(&bits, &t, sizeof bits);
    int e = (int)(bits >> 52) - 1023; /* t >= 2^e */
    return e < 0 ? (1 - e) / 2 : 0;
}

/* The cheaper of that trapezoidal rule and the rule graded towards end (0 or 1). */
static inline size_t angle_any(const angle_rules *a, double t, int end, double b, int m)
{
    size_t r = angle_trapezoid(a, b, m), level = 0;
    int j = angle_grade(t > 1e-12 ? t : 1e-12);
    while (level + 1 < ANGLE_LEVELS && a->m_level[level + 1] >= (b < m ? b : m)) level++;
    size_t g = ANGLE_TRAPEZOIDS + (2 * level + (size_t)end) * ANGLE_GRADES +
               (size_t)(j < ANGLE_GRADES ? j : ANGLE_GRADES - 1);
    return a->circle[r] >= b && a->rule[r].n <= a->rule[g].n ? r : g;
}

/* How many leading orders of a function of bandwidth b can exceed 10^-digits, at least 1.  The
 * first guess is right where the orders are equally spaced. */
static inline size_t angle_modes(const angle_rules *a, double b)
{
    size_t n = b < a->m_max ? (size_t)(b * a->per_order) + 1 : a->nm;
    while (n > 1 && a->m[n - 1] > b) n--;
    while (n < a->nm && !(a->m[n] > b)) n++;
    return n;
}
#endif
