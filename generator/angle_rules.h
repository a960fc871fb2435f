/* SPDX-License-Identifier: GPL-3.0-or-later */
/* angle_rules.h: quadratures over an angle with the cosines of all modes at their nodes; knows no
 * physics.
 *
 * A function of an angle that is even, and for a two-fold symmetric frame also even about pi/2, is
 * sampled on [0, span], span = pi or pi/2.  Trapezoids converge like exp(-N t) for a singularity at
 * the complex angle i t; closer singularities take rules graded to one end. */
#ifndef CGCT_ANGLE_RULES_H
#define CGCT_ANGLE_RULES_H
#include <stddef.h>

#include "../format/error.h"

typedef struct {
    size_t n;
    double *x;      /* nodes in [0, span] */
    double *hav;    /* sin^2(x/2): cos x = 1 - 2 hav without loss near 0 */
    double *weight; /* (n, nm): w_j cos(m x_j); sum_j weight f = int_0^2pi f cos(m x) dx */
    double *cosine; /* (n, nm): cos(m x_j) */
} angle_rule;

enum { ANGLE_TRAPEZOIDS = 24, ANGLE_GRADES = 16 };

typedef struct {
    int m_max;
    size_t nm;
    double span, decay; /* decay = ln 10 times the digits aimed at */
    int n_trapezoid;
    angle_rule trapezoid[ANGLE_TRAPEZOIDS]; /* rising number of nodes */
    angle_rule graded[2][ANGLE_GRADES];     /* towards 0 and towards span; innermost panel 4^-j */
} angle_rules;

/* m[nm]: orders; symmetric: all even and span pi/2.  graded: build the graded rules too. */
cgct_status angle_rules_init(angle_rules *a, size_t nm, const int *m, int symmetric, double digits,
                             int graded, cgct_err *err);
void angle_rules_free(angle_rules *a);

/* The cheapest trapezoid that resolves modes up to m_max of a function with its nearest singularity
 * at distance t (infinity allowed) and `smooth` modes of its own. */
const angle_rule *angle_trapezoid(const angle_rules *a, double t, double smooth);
/* The cheaper of that trapezoid and the rule graded towards end (0 or 1). */
const angle_rule *angle_any(const angle_rules *a, double t, int end, double smooth);
/* Number of leading orders of m[] that such a function can have above 10^-digits. */
size_t angle_modes(const angle_rules *a, const int *m, double t, double smooth);
#endif
