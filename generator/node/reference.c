/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.c: the one-dimensional transforms G, H and that of S by Filon weights, and the closed
 * forms of the cross section that G and H enter.
 *
 * In logarithmic derivatives, D = r d/dr, all integrands are smooth functions of ln r over b^2:
 *
 *   w (Gamma'' + Gamma'/b) = (1 - 1/Nc^2) (1 - S^p)/2 (D^2 Gamma)/Gamma / b^2
 *   w (Gamma'' - Gamma'/b) = (1 - 1/Nc^2) (1 - S^p)/2 (D^2 Gamma - 2 D Gamma)/Gamma / b^2
 *   -Laplacian of S        = S [D^2 Gamma - (D Gamma)^2] / b^2
 *
 * Between the knots of the dipole's spline, where derivatives jump, they are replaced by local
 * polynomials in b. */
#include "node/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sf_bessel.h>
#include <gsl/gsl_sort.h>

#include "inner/table.h"
#include "numerics/filon.h"
#include "numerics/memory.h"

/* A segment ends at the next knot, or at this ratio: a polynomial of degree 8 through Chebyshev's
 * nodes leaves 1e-13 of a function that varies with ln r over some units. */
static const double SEGMENT_RATIO = 1.1;
enum { NODES = FILON_DEGREE_MAX + 1 };
/* In units of 1/max(q,Qs): the part of G below it is 1e-14. */
static const double FIRST_RADIUS = 1e-7;
/* q b at which the expansion of the tail begins.  A tail that is no exact power, as that of an MV
 * dipole, is one to 1e-3 there, and J_m(q b)/(q b)^2, which that multiplies, is 2e-13. */
static const double LAST_PHASE = 1e5;
enum { TAIL_TERMS = 3 };
/* Where S is 0 to double precision, and its derivatives could overflow. */
static const double GAMMA_MAX = 700;

/* Order of the Bessel function, and factor, of each transform. */
static const int tensor_order[REFERENCE_TRANSFORMS] = {0, 2, 0, 0, 2, 0, 2, 0, 0};
static const double tensor_factor[REFERENCE_TRANSFORMS] = {
    2 * M_PI, -2 * M_PI, 2 * M_PI, 2 * M_PI, -2 * M_PI, 2 * M_PI, -2 * M_PI, 2 * M_PI, 2 * M_PI};

typedef struct {
    const dipole *d;
    double Nc;
    size_t nq;       /* momenta that are not finished, the lowest ones */
    const double *q; /* rising, GeV */
    double *sum;     /* (momenta, REFERENCE_TRANSFORMS), without the factors */
} tensor_sums;

/* The integrands of G_n, of -H_n, of q^2 times the transforms of S and S^2, and of that of
 * (dS/dr)^2, without 2 pi b J_m, at b: 1/GeV^2. */
static void tensor_integrands(const tensor_sums *s, double b, double of[REFERENCE_TRANSFORMS])
{
    double gamma, first, second, inverse = 1 / (s->Nc * s->Nc);
    dipole_gamma(s->d, 1, &b, &gamma, &first, &second);
    double share = -0.5 * (1 - inverse) * expm1(-2 * gamma / (1 - inverse)) / (gamma * b * b);
    of[REFERENCE_G] = share * second;
    of[REFERENCE_H] = share * (second - 2 * first);
    const double S = gamma < GAMMA_MAX ? exp(-gamma) : 0;
    of[REFERENCE_S] = S > 0 ? S * (second - first * first) / (b * b) : 0;
    of[REFERENCE_S2] = S > 0 ? S * S * (2 * second - 4 * first * first) / (b * b) : 0;
    of[REFERENCE_SLOPE2] = S > 0 ? S * S * first * first / (b * b) : 0;
    of[REFERENCE_G1] = S * of[REFERENCE_G];
    of[REFERENCE_H1] = S * of[REFERENCE_H];
    of[REFERENCE_G2] = S * of[REFERENCE_G1];
    of[REFERENCE_H2] = S * of[REFERENCE_H1];
}

/* Adds the integrals over [x, end], inside of which no derivative jumps; w has room for (2, nq,
 * NODES).  The integrands at the end: of. */
static cgct_status tensor_add_segment(tensor_sums *s, double x, double end, double *w,
                                      double of[REFERENCE_TRANSFORMS], cgct_err *err)
{
    static const int orders[2] = {0, 2};
    double b[NODES], f[NODES][REFERENCE_TRANSFORMS];
    for (int i = 0; i < NODES; i++) {
        b[i] = i + 1 < NODES ? x + (end - x) * pow(sin(M_PI / 2 * i / (NODES - 1)), 2) : end;
        tensor_integrands(s, b[i], f[i]);
    }
    const filon_task t = {NODES, s->nq, 2, b, s->q, orders, FILON_DEGREE_MAX, NULL};
    CGCT_TRY(filon_weights(&t, w, err));
    for (size_t iq = 0; iq < s->nq; iq++)
        for (size_t j = 0; j < REFERENCE_TRANSFORMS; j++) {
            const double *at = w + ((tensor_order[j] ? s->nq : 0) + iq) * NODES;
            double *sum = s->sum + iq * REFERENCE_TRANSFORMS + j;
            for (int i = 0; i < NODES; i++) *sum += at[i] * f[i][j];
        }
    memcpy(of, f[NODES - 1], sizeof f[NODES - 1]);
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

/* Each momentum up to the phase LAST_PHASE, where its tail follows; w as above. */
static cgct_status tensor_add_all(tensor_sums *s, double x, double *w, cgct_err *err)
{
    double end, of[REFERENCE_TRANSFORMS];
    for (; s->nq; x = end) {
        end = fmin(fmin(dipole_next_knot(s->d, x), SEGMENT_RATIO * x), LAST_PHASE / s->q[0]);
        CGCT_TRY(tensor_add_segment(s, x, end, w, of, err));
        for (; s->nq && end >= LAST_PHASE / s->q[s->nq - 1]; s->nq--)
            for (size_t j = 0; j < REFERENCE_TRANSFORMS; j++)
                s->sum[(s->nq - 1) * REFERENCE_TRANSFORMS + j] +=
                    tensor_tail(tensor_order[j], s->q[s->nq - 1], end, of[j]);
    }
    return CGCT_OK;
}

cgct_status reference_transforms(const dipole *d, double Nc, size_t nq, const double *q,
                                 double *out, cgct_err *err)
{
    if (!(Nc >= 2))
        return cgct_fail(err, CGCT_E_DOMAIN, "Nc = %g; it must be 2 or more, or infinite", Nc);
    if (d->singlet)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "gluon distributions and the correlation limit belong to "
                         "correlator.channel = all, not singlet; leave channel out");
    for (size_t iq = 0; iq < nq; iq++)
        if (!(q[iq] > 0 && isfinite(q[iq])))
            return cgct_fail(err, CGCT_E_DOMAIN, "q = %g GeV; it must be positive and finite",
                             q[iq]);
    double *rising = memory_zeros((1 + REFERENCE_TRANSFORMS + 2 * NODES) * nq, sizeof *rising);
    double *sum = rising + nq;
    size_t *order = memory_new(nq, sizeof *order);
    gsl_sort_index(order, q, 1, nq);
    for (size_t i = 0; i < nq; i++) rising[i] = q[order[i]];
    tensor_sums s = {d, Nc, nq, rising, sum};
    const double high = fmax(sqrt(d->Qs2), nq ? rising[nq - 1] : 0);
    const cgct_status st =
        tensor_add_all(&s, FIRST_RADIUS / high, sum + REFERENCE_TRANSFORMS * nq, err);
    for (size_t i = 0; i < nq; i++)
        for (size_t j = 0; j < REFERENCE_TRANSFORMS; j++) {
            const double unit = j == REFERENCE_S || j == REFERENCE_S2 ? rising[i] : 1;
            out[j * nq + order[i]] =
                tensor_factor[j] * sum[i * REFERENCE_TRANSFORMS + j] / (unit * unit);
        }
    free(order);
    free(rising);
    return st;
}

/* With u = K.qhat + s q and a^2 = K_perp^2 + eps^2, u = u1 and u2 at s = 1/2 and -1/2:
 *   Int ds/(u^2+a^2)   = J1 = atan2(a q, a^2 + u1 u2)/(q a)
 *   Int ds/(u^2+a^2)^2 = J2 = [J1 + (a^2 - u1 u2)/(D1 D2)]/(2 a^2)
 * and the other integrals over s are differences of psi at k1 and -k2. */
void reference_value(const reference_point *p, double G, double H, double I[2])
{
    const double along = p->k1 * cos(p->theta) - p->q / 2; /* K.qhat */
    const double across = p->k1 * sin(p->theta), perp = across * across;
    const double a2 = perp + p->eps * p->eps, a = sqrt(a2);
    const double u1 = along + p->q / 2, u2 = along - p->q / 2;
    const double product = (u1 * u1 + a2) * (u2 * u2 + a2), straight = (a2 - u1 * u2) / product;
    const double J1 = atan2(a * p->q, a2 + u1 * u2) / (a * p->q), J2 = (J1 + straight) / (2 * a2);
    const double par = 2 * along / product, mixed = perp * par * par, bent = J1 - 2 * perp * J2;
    const double g_par = 2 * M_PI * M_PI * (G + H), g_perp = 2 * M_PI * M_PI * (G - H);
    I[POL_L] = g_par * par * par + g_perp * 4 * perp * J2 * J2;
    I[POL_T] = (g_par * (straight * straight + mixed) + g_perp * (bent * bent + mixed)) /
               (p->eps * p->eps);
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

void reference_back_to_back(const reference_point *p, double G, double H, double I[2])
{
    double along = p->k1 * cos(p->theta) - p->q / 2, across = p->k1 * sin(p->theta);
    double K2 = along * along + across * across, eps2 = p->eps * p->eps, D = K2 + eps2;
    double K2_cosine = along * along - across * across; /* K^2 cos(2 phi), phi = angle(K,q) */
    double unit = 4 * M_PI * M_PI / (D * D * D * D);
    I[POL_L] = unit * 2 * (G * K2 + H * K2_cosine);
    I[POL_T] = unit / eps2 * (G * (K2 * K2 + eps2 * eps2) - 2 * eps2 * H * K2_cosine);
}
