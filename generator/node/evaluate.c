/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluate.c: I at points and at the angles of a grid, from the two computations of a node. */
#include <math.h>

#include "node/passes.h"

/* ---- points ---- */

/* Value, and the mean square of the difference of the two computations at neighbouring P, these in
 * units of max(P, eps, Qs); of that the largest at neighbouring q, since the difference may be zero
 * at every P of one q. */
static void value_and_variance(const node_tables *n, size_t iq, double P, double phi,
                               double I[NPOL], double variance[NPOL])
{
    variance[POL_T] = variance[POL_L] = 0;
    for (size_t row = n->fine.nq / n->nq; row-- > 0;) {
        double squares[NPOL] = {0, 0}, other[NPOL];
        for (int j = NEIGHBOURS - 1; j >= 0; j--) {
            const double at = fabs(P + NEIGHBOUR[j] * fmax(P, n->scale));
            mode_table_eval(&n->fine, iq + row * n->nq, at, phi, I);
            mode_table_eval(&n->coarse, iq + row * n->nq, at, phi, other);
            for (int pol = 0; pol < NPOL; pol++)
                squares[pol] += pow(I[pol] - other[pol], 2) / NEIGHBOURS;
        }
        for (int pol = 0; pol < NPOL; pol++)
            if (!(squares[pol] <= variance[pol])) variance[pol] = squares[pol];
    }
}

static cgct_status check_point(const node_tables *n, const mode_table *t, size_t iq, double k1,
                               double theta, cgct_err *err)
{
    if (t->nq && iq < n->nq && k1 >= 0 && k1 <= n->k_max * (1 + 1e-12) && isfinite(theta))
        return CGCT_OK;
    return cgct_fail(err, CGCT_E_RANGE, "k1 = %g GeV, theta = %g: k1 must lie in [0, %g]", k1,
                     theta, n->k_max);
}

static cgct_status point_of_part(const node_tables *n, size_t iq, double k1, double theta,
                                 double I[NPOL], double error[NPOL], cgct_err *err)
{
    double P, phi;
    CGCT_TRY(check_point(n, &n->fine, iq, k1, theta, err));
    mode_recentre(n->fine.lam, n->fine.q[iq], k1, theta, &P, &phi);
    if (n->forward) {
        evaluate_forward(n, iq, k1, theta, I, error);
    } else {
        value_and_variance(n, iq, P, phi, I, error);
        for (int pol = 0; pol < NPOL; pol++) error[pol] = n->safety.point * sqrt(error[pol]);
        single_add(&n->single, iq, n->fine.q[iq], k1, mode_k2(n->fine.q[iq], k1, theta), I, error);
    }
    for (int pol = 0; pol < NPOL; pol++) error[pol] += MODE_ROUNDING * fabs(I[pol]);
    if (!isfinite(I[POL_T] + I[POL_L] + error[POL_T] + error[POL_L]))
        return cgct_fail(err, CGCT_E_ACCURACY,
                         "I is not finite at q = %g, k1 = %g GeV, theta = %g: the dipole or the "
                         "grids given do not allow it",
                         n->fine.q[iq], k1, theta);
    return CGCT_OK;
}

cgct_status node_point(const node_tables *n, size_t iq, double k1, double theta, double I[NPOL],
                       double error[NPOL], cgct_err *err)
{
    for (int pol = 0; pol < NPOL; pol++) I[pol] = error[pol] = 0;
    for (; n; n = n->next) {
        double part[NPOL] = {0}, bound[NPOL] = {0};
        CGCT_TRY(point_of_part(n, iq, k1, theta, part, bound, err));
        for (int pol = 0; pol < NPOL; pol++) {
            I[pol] += n->share * part[pol];
            error[pol] += n->share * bound[pol];
        }
    }
    return CGCT_OK;
}

cgct_status node_point_coarser(const node_tables *n, size_t iq, double k1, double theta,
                               double I[NPOL], cgct_err *err)
{
    for (int pol = 0; pol < NPOL; pol++) I[pol] = 0;
    for (; n; n = n->next) {
        double P, phi, part[NPOL], unused[NPOL] = {0};
        CGCT_TRY(check_point(n, &n->coarse, iq, k1, theta, err));
        const double q = n->coarse.q[iq];
        mode_recentre(n->coarse.lam, q, k1, theta, &P, &phi);
        mode_table_eval(&n->coarse, iq, P, phi, part);
        single_add(&n->single, iq, q, k1, mode_k2(q, k1, theta), part, unused);
        for (int pol = 0; pol < NPOL; pol++) I[pol] += n->share * part[pol];
    }
    return CGCT_OK;
}

/* ---- the angles of a grid ---- */

void evaluate_angles(const node_tables *n, field_values *v)
{
    const size_t places = v->grid->nq * v->nk;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < places; i++)
        for (size_t j = i * NODE_ANGLES; j < (i + 1) * NODE_ANGLES; j++) {
            double I[NPOL], error[NPOL];
            const size_t iq = i / v->nk;
            const double q = n->fine.q[iq], k1 = v->k[i], theta = v->theta[j];
            if (n->forward) {
                evaluate_forward(n, iq, k1, theta, I, error);
            } else {
                double P, phi, coarse[NPOL];
                mode_recentre(n->fine.lam, q, k1, theta, &P, &phi);
                mode_table_eval(&n->fine, iq, P, phi, I);
                mode_table_eval(&n->coarse, iq, P, phi, coarse);
                for (int pol = 0; pol < NPOL; pol++)
                    error[pol] = n->safety.field * fabs(I[pol] - coarse[pol]);
                single_add(&n->single, iq, q, k1, mode_k2(q, k1, theta), I, error);
                for (int pol = 0; pol < NPOL; pol++) error[pol] += MODE_ROUNDING * fabs(I[pol]);
            }
            for (size_t pol = 0; pol < NPOL; pol++) {
                const size_t at = pol * places * NODE_ANGLES + j;
                v->I[at] = I[pol];
                v->bound[at] = error[pol];
            }
        }
}
