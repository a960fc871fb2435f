/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.c: the one-dimensional transforms G and H by Filon weights, and the closed form of the
 * cross section that they enter.
 *
 * In logarithmic derivatives, D = r d/dr, both integrands are smooth functions of ln r over b^2:
 *
 *   w (Gamma'' + Gamma'/b) = (1 - S^2)/2 (D^2 Gamma)/Gamma / b^2
 *   w (Gamma'' - Gamma'/b) = (1 - S^2)/2 (D^2 Gamma - 2 D Gamma)/Gamma / b^2
 *
 * Between the knots of the dipole's spline, where derivatives jump, they are replaced by local
 * polynomials in b. */
#include "node/reference.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_sf_bessel.h>

#include "inner/table.h"
#include "numerics/filon.h"

/* Nodes at ratios of 1.02: the polynomials of degree 8 through nine of them leave 1e-13 of a
 * function that varies with ln r over some units. */
static const double NODE_RATIO = 1.02;
enum { NODES_MIN = FILON_DEGREE_MAX + 1 };
/* In units of 1/max(q,Qs): the part of G below it is 1e-14. */
static const double FIRST_RADIUS = 1e-7;
/* q b at which the expansion of the tail begins.  A tail that is no exact power, as that of an MV
 * dipole, is one to 1e-3 there, and J_m(q b)/(q b)^2, which that multiplies, is 2e-13. */
static const double LAST_PHASE = 1e5;
enum { TAIL_TERMS = 3 };

typedef struct {
    const dipole *d;
    size_t nq;
    const double *q; /* GeV */
    double *G, *H;   /* (nq): sums so far, without 2 pi and the sign of H */
} tensor_sums;

/* The integrands of G and of -H, without 2 pi b J_m, at b: 1/GeV^2. */
static void tensor_integrands(const dipole *d, double b, double *of_G, double *of_H)
{
    double gamma, first, second;
    dipole_gamma(d, 1, &b, &gamma, &first, &second);
    double share = -0.5 * expm1(-2 * gamma) / (gamma * b * b);
    *of_G = share * second;
    *of_H = share * (second - 2 * first);
}

/* Adds the integrals over [x, end], inside of which no derivative jumps. */
static cgct_status tensor_add_segment(tensor_sums *s, double x, double end, cgct_err *err)
{
    static const int orders[2] = {0, 2};
    size_t n = (size_t)ceil(log(end / x) / log(NODE_RATIO)) + 1;
    n = n < NODES_MIN ? NODES_MIN : n;
    double *b = malloc((3 * n + 2 * s->nq * n) * sizeof *b);
    if (!b) return cgct_fail(err, CGCT_E_NOMEM, "no memory for weights at %zu momenta", s->nq);
    double *of_G = b + n, *of_H = of_G + n, *w = of_H + n, *w2 = w + s->nq * n;
    for (size_t i = 0; i < n; i++) {
        b[i] = i + 1 < n ? x * pow(end / x, (double)i / (double)(n - 1)) : end;
        tensor_integrands(s->d, b[i], &of_G[i], &of_H[i]);
    }
    const filon_task t = {n, s->nq, 2, b, s->q, orders, FILON_DEGREE_MAX, NULL};
    cgct_status st = filon_weights(&t, w, err);
    for (size_t iq = 0; iq < s->nq && st == CGCT_OK; iq++)
        for (size_t i = 0; i < n; i++) {
            s->G[iq] += w[iq * n + i] * of_G[i];
            s->H[iq] += w2[iq * n + i] * of_H[i];
        }
    free(b);
    return st;
}

/* Int_X^inf b J_m(q b) A(b) db for A ~ b^-2, by parts:
 * -A X^2 [ J_{m+1}/(qX) + (m+2) J_{m+2}/(qX)^2 + (m+2)(m+4) J_{m+3}/(qX)^3 + ... ] */
static double tensor_tail(int order, double q, double X, double A)
{
    double sum = 0, factor = A * X * X;
    for (int i = 1; i <= TAIL_TERMS; i++) {
        factor /= q * X;
        sum -= factor * gsl_sf_bessel_Jn(order + i, q * X);
        factor *= order + 2 * i;
    }
    return sum;
}

cgct_status reference_tensor(const dipole *d, size_t nq, const double *q, double *G, double *H,
                             cgct_err *err)
{
    double low = INFINITY, high = sqrt(dipole_Qs2(d)), A[2];
    for (size_t iq = 0; iq < nq; iq++) {
        if (!(q[iq] > 0 && isfinite(q[iq])))
            return cgct_fail(err, CGCT_E_DOMAIN, "q = %g GeV; it must be positive and finite",
                             q[iq]);
        low = fmin(low, q[iq]);
        high = fmax(high, q[iq]);
        G[iq] = H[iq] = 0;
    }
    tensor_sums s = {d, nq, q, G, H};
    double last = LAST_PHASE / low; /* 0 without momenta */
    for (double x = FIRST_RADIUS / high, end; x < last; x = end) {
        end = fmin(dipole_next_knot(d, x), last);
        CGCT_TRY(tensor_add_segment(&s, x, end, err));
    }
    if (!nq) return CGCT_OK;
    tensor_integrands(d, last, &A[0], &A[1]);
    for (size_t iq = 0; iq < nq; iq++) {
        G[iq] = 2 * M_PI * (G[iq] + tensor_tail(0, q[iq], last, A[0]));
        H[iq] = -2 * M_PI * (H[iq] + tensor_tail(2, q[iq], last, A[1]));
    }
    return CGCT_OK;
}

void reference_smeared(const reference_point *p, double soft, double G, double H, double I[2])
{
    double cosine = cos(p->theta), q2 = p->q * p->q, k12 = p->k1 * p->k1;
    double along = p->k1 * cosine - p->q / 2; /* K.qhat */
    double across = p->k1 * sin(p->theta);
    double par = along * along, perp = across * across, K2 = par + perp;
    double k22 = k12 + q2 - 2 * p->q * p->k1 * cosine;
    double product = (k12 + p->mu2) * (k22 + p->mu2), unit = 4 * M_PI * M_PI / (product * product);
    double Dbar = K2 + q2 / 4 + p->mu2, g_par = (G + H) / 2, g_perp = (G - H) / 2;
    I[POL_L] = unit * 4 * (g_par * par + g_perp * perp + G * soft);
    I[POL_T] = unit / (p->eps * p->eps) *
               (g_par * (Dbar * Dbar - 4 * par * (Dbar - K2)) +
                g_perp * (Dbar * Dbar - 4 * perp * (Dbar - K2)) + 4 * G * K2 * soft);
}

void reference_value(const reference_point *p, double G, double H, double I[2])
{
    reference_smeared(p, 0, G, H, I);
}
