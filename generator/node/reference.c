/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.c: the one-dimensional transforms G and H by Filon weights on short cells, and the closed
 * form of the cross section that they enter.
 *
 * In logarithmic derivatives, D = r d/dr, both integrands are smooth functions of ln r over b^2:
 *
 *   w (Gamma'' + Gamma'/b) = (1 - S^2)/2 (D^2 Gamma)/Gamma / b^2
 *   w (Gamma'' - Gamma'/b) = (1 - S^2)/2 (D^2 Gamma - 2 D Gamma)/Gamma / b^2
 *
 * On each cell they are replaced by the polynomial through its nodes.  A cell ends where a derivative
 * jumps: at a knot of the dipole's spline. */
#include "node/reference.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_sf_bessel.h>

#include "inner/table.h"
#include "numerics/filon.h"

/* Nine nodes, as many as FILON_DEGREE_MAX allows, on cells of 6%: the error that is left for functions
 * of ln r is below 1e-14 of them. */
enum { CELL_NODES = FILON_DEGREE_MAX + 1 };
static const double CELL_RATIO = 1.06;
/* In units of 1/max(q,Qs): the part of G below it is 1e-14. */
static const double FIRST_RADIUS = 1e-7;
/* q b at which the expansion of the tail begins.  A tail that is no exact power, as that of an MV
 * dipole, is one to 1e-3 there, and J_m(q b)/(q b)^2, which that multiplies, is 2e-13. */
static const double LAST_PHASE = 1e5;
enum { TAIL_TERMS = 3 };

/* The integrands of G and of -H, without 2 pi b J_m, at b[n], n <= CELL_NODES: 1/GeV^2. */
static void tensor_integrands(const dipole *d, size_t n, const double *b, double *of_G,
                              double *of_H)
{
    double gamma[CELL_NODES], first[CELL_NODES], second[CELL_NODES];
    dipole_gamma(d, n, b, gamma, first, second);
    for (size_t i = 0; i < n; i++) {
        double share = -0.5 * expm1(-2 * gamma[i]) / (gamma[i] * b[i] * b[i]);
        of_G[i] = share * second[i];
        of_H[i] = share * (second[i] - 2 * first[i]);
    }
}

/* Adds both integrals over [x, end] for all momenta; w (2, nq, CELL_NODES) is scratch. */
static cgct_status tensor_add_cell(const dipole *d, double x, double end, filon_task *t, double *w,
                                   double *G, double *H, cgct_err *err)
{
    double b[CELL_NODES], of_G[CELL_NODES], of_H[CELL_NODES];
    for (int i = 0; i < CELL_NODES; i++)
        b[i] = x + (end - x) * (0.5 - 0.5 * cos(M_PI * i / (CELL_NODES - 1)));
    b[CELL_NODES - 1] = end;
    tensor_integrands(d, CELL_NODES, b, of_G, of_H);
    t->x = b;
    CGCT_TRY(filon_weights(t, w, err));
    const double *w2 = w + t->nq * CELL_NODES;
    for (size_t iq = 0; iq < t->nq; iq++)
        for (size_t i = 0; i < CELL_NODES; i++) {
            G[iq] += w[iq * CELL_NODES + i] * of_G[i];
            H[iq] += w2[iq * CELL_NODES + i] * of_H[i];
        }
    return CGCT_OK;
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

static cgct_status tensor_sums(const dipole *d, size_t nq, const double *q, double *G, double *H,
                               cgct_err *err)
{
    static const int orders[2] = {0, 2};
    double low = INFINITY, high = sqrt(dipole_Qs2(d)), A[2];
    for (size_t iq = 0; iq < nq; iq++) {
        if (!(q[iq] > 0 && isfinite(q[iq])))
            return cgct_fail(err, CGCT_E_DOMAIN, "q = %g GeV; it must be positive and finite",
                             q[iq]);
        low = fmin(low, q[iq]);
        high = fmax(high, q[iq]);
        G[iq] = H[iq] = 0;
    }
    double x = FIRST_RADIUS / high, last = LAST_PHASE / low;
    double *w = malloc(2 * nq * CELL_NODES * sizeof *w);
    if (!w) return cgct_fail(err, CGCT_E_NOMEM, "no memory for weights at %zu momenta", nq);
    filon_task t = {CELL_NODES, nq, 2, NULL, q, orders, FILON_DEGREE_MAX, NULL};
    cgct_status st = CGCT_OK;
    while (x < last && st == CGCT_OK) {
        double end = fmin(dipole_next_knot(d, x), fmin(CELL_RATIO * x, last));
        st = tensor_add_cell(d, x, end, &t, w, G, H, err);
        x = end;
    }
    free(w);
    tensor_integrands(d, 1, &x, &A[0], &A[1]);
    for (size_t iq = 0; iq < nq; iq++) {
        G[iq] = 2 * M_PI * (G[iq] + tensor_tail(0, q[iq], x, A[0]));
        H[iq] = -2 * M_PI * (H[iq] + tensor_tail(2, q[iq], x, A[1]));
    }
    return st;
}

cgct_status reference_tensor(const dipole *d, size_t nq, const double *q, double *G, double *H,
                             cgct_err *err)
{
    return nq ? tensor_sums(d, nq, q, G, H, err) : CGCT_OK;
}

void reference_value(const reference_point *p, double G, double H, double I[2])
{
    double cosine = cos(p->theta), q2 = p->q * p->q, k12 = p->k1 * p->k1;
    double along = p->k1 * cosine - p->q / 2; /* K.qhat */
    double across = p->k1 * sin(p->theta);
    double par = along * along, perp = across * across, K2 = par + perp;
    double k22 = k12 + q2 - 2 * p->q * p->k1 * cosine;
    double product = (k12 + p->mu2) * (k22 + p->mu2), unit = 4 * M_PI * M_PI / (product * product);
    double Dbar = K2 + q2 / 4 + p->mu2, g_par = (G + H) / 2, g_perp = (G - H) / 2;
    I[POL_L] = unit * 4 * (g_par * par + g_perp * perp);
    I[POL_T] = unit / (p->eps * p->eps) *
               (g_par * (Dbar * Dbar - 4 * par * (Dbar - K2)) +
                g_perp * (Dbar * Dbar - 4 * perp * (Dbar - K2)));
}
