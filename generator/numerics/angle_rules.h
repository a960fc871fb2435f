/* SPDX-License-Identifier: GPL-3.0-or-later */
/* angle_rules.h: quadratures over an angle with the cosines of all modes at their nodes; knows no
 * physics.
 *
 * A function of an angle that is even, and for a two-fold symmetric frame also even about pi/2, is
 * sampled on [0, span], span = pi or pi/2.  Trapezoids converge like exp(-N t) for a singularity at
 * the complex angle i t; closer singularities take rules graded to one end. */
#ifndef CGCT_ANGLE_RULES_H
#define CGCT_ANGLE_RULES_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format/error.h"

typedef struct {
    size_t n;       /* 0: no such rule */
    double *x;      /* nodes in [0, span] */
    double *hav;    /* sin^2(x/2): cos x = 1 - 2 hav without loss near 0 */
    double *w;      /* sum_j w f = int_0^2pi f dx */
    double *weight; /* (n, nm): w_j cos(m x_j), or NULL */
    double *cosine; /* (n, nm): cos(m x_j), or NULL */
} angle_rule;

enum {
    ANGLE_TRAPEZOIDS = 24,
    ANGLE_GRADES = 16,
    ANGLE_RULES = ANGLE_TRAPEZOIDS + 2 * ANGLE_GRADES
};

typedef struct {
    int m_max;
    size_t nm;
    double span, decay; /* decay = ln 10 times the digits aimed at */
    int n_trapezoid;
    /* Trapezoids of rising numbers of nodes; from ANGLE_TRAPEZOIDS on, ANGLE_GRADES graded towards
     * 0 and as many towards span, with innermost panels 4^-j. */
    angle_rule rule[ANGLE_RULES];
    double
        circle[ANGLE_TRAPEZOIDS]; /* nodes of each trapezoid on the whole circle, a whole number */
    unsigned char *fit;           /* (circle of the last + 1): trapezoid with so many */
    uint16_t *live;               /* (m_max + 1): orders up to each */
} angle_rules;

/* m[nm]: rising orders; symmetric: all even and span pi/2.  matrices: weight and cosine, too. */
cgct_status angle_rules_init(angle_rules *a, size_t nm, const int *m, int symmetric, double digits,
                             int matrices, cgct_err *err);
void angle_rules_free(angle_rules *a);

/* Highest mode above 10^-digits of a function with its nearest singularity at distance t (infinity
 * allowed) and `smooth` modes of its own. */
static inline double angle_bandwidth(const angle_rules *a, double t, double smooth)
{
    return a->decay / (t > 1e-12 ? t : 1e-12) + smooth;
}

/* Number of the cheapest trapezoid that resolves modes up to m_max of a function of bandwidth b. */
static inline size_t angle_trapezoid(const angle_rules *a, double b)
{
    double circle = b + (b < a->m_max ? b : a->m_max) + 4;
    if (!(circle < a->circle[a->n_trapezoid - 1])) return (size_t)a->n_trapezoid - 1;
    return a->fit[(int)ceil(circle)];
}

/* The smallest j with 4^-j <= t, 0 < t. */
static inline int angle_grade(double t)
{
    uint64_t bits;
    memcpy(&bits, &t, sizeof bits);
    int e = (int)(bits >> 52) - 1023; /* t >= 2^e */
    return e < 0 ? (1 - e) / 2 : 0;
}

/* The cheaper of that trapezoid and the rule graded towards end (0 or 1). */
static inline size_t angle_any(const angle_rules *a, double t, int end, double b)
{
    size_t r = angle_trapezoid(a, b);
    int j = angle_grade(t > 1e-12 ? t : 1e-12);
    size_t g =
        (size_t)(ANGLE_TRAPEZOIDS + end * ANGLE_GRADES + (j < ANGLE_GRADES ? j : ANGLE_GRADES - 1));
    return a->circle[r] >= b && a->rule[r].n <= a->rule[g].n ? r : g;
}

/* Number of leading orders that such a function can have above 10^-digits, at least 1. */
static inline size_t angle_modes(const angle_rules *a, double b)
{
    return b < a->m_max ? a->live[(int)b] : a->nm;
}
#endif
