/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fields.c: the momenta and angles of a table's grid, and the coefficients of I in the angle.
 *
 * With a_j = pi (j + 1/2)/n, t_j = cos a_j and n angles,
 *
 *   I(t) = Sum_{m<n} a_m T_m(t)     a_m = (2 - delta_m0)/n Sum_j cos(m a_j) I(t_j)
 *   l = ln a_0     r_m = a_m/a_0 */
#include "node/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/blas.h"

/* ---- the grid ---- */

double node_grid_k(const node_grid *g, size_t iq, size_t j)
{
    const double half = g->q[iq] / 2, k2 = g->k_max * g->k_max, h2 = half * half;
    if (j == 0) return 0;
    if (j + 1 == g->nl || j == g->nl) return half;
    if (j < g->nl) {
        double B = asinh(half / g->k0) / 2, v = (double)j / (double)(g->nl - 1);
        return half / 2 * (1 + tanh((2 * v - 1) * B) / tanh(B));
    }
    double most = k2 / sqrt(hypot(k2, h2) + h2), v = (double)(j - g->nl) / (double)(g->nu - 1);
    return hypot(half, g->k0 * sinh(v * asinh(most / g->k0)));
}

double node_grid_top(const node_grid *g, size_t iq, size_t j)
{
    return j < g->nl ? 1 : g->q[iq] / (2 * node_grid_k(g, iq, j));
}

/* The angle between k and q at t = cos a: from sin^2(theta/2) = (1 - mu)/2, which nothing cancels
 * in, mu = -1 + (1 + top)(1 + t)/2. */
static double angle_at_node(double top, double a)
{
    double half = sin(a / 2);
    return 2 * asin(fmin(sqrt(((1 - top) + (1 + top) * half * half) / 2), 1));
}

static double angle_of_node(size_t j)
{
    return M_PI * ((double)j + 0.5) / FIELD_ANGLES;
}

cgct_status field_values_init(field_values *v, const node_grid *g, cgct_err *err)
{
    const size_t nk = g->nl + g->nu, n = g->nq * nk, values = NPOL * n * FIELD_ANGLES;
    *v = (field_values){.grid = g, .nk = nk, .points = NPOL * n};
    v->owned = malloc((n + n * FIELD_ANGLES + 2 * values) * sizeof *v->owned);
    if (!v->owned) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu values of I", values);
    double *k = v->owned, *theta = k + n;
    v->k = k;
    v->theta = theta;
    v->I = theta + n * FIELD_ANGLES;
    v->bound = v->I + values;
    for (size_t i = 0; i < n; i++) {
        double top = node_grid_top(g, i / nk, i % nk);
        k[i] = node_grid_k(g, i / nk, i % nk);
        for (size_t j = 0; j < FIELD_ANGLES; j++)
            theta[i * FIELD_ANGLES + j] = angle_at_node(top, angle_of_node(j));
    }
    return CGCT_OK;
}

void field_values_free(field_values *v)
{
    free(v->owned);
    *v = (field_values){0};
}

/* ---- coefficients ---- */

/* Coefficients below this share of the error are not worth storing; where I was lost in it, those
 * below this share of FIELD_RESOLVED. */
static const double SHARE_OF_ERROR = 0.1;
/* From here on coefficients measure what more angles would change. */
enum { TAIL = FIELD_ANGLES * 3 / 4 };

/* (points, FIELD_ANGLES): a_m of every point, allocated; NULL: no memory. */
static double *all_coefficients(const field_values *v)
{
    double *a = malloc((v->points + FIELD_ANGLES) * FIELD_ANGLES * sizeof *a);
    if (!a) return NULL;
    double *cosine = a + v->points * FIELD_ANGLES;
    for (size_t j = 0; j < FIELD_ANGLES; j++)
        for (size_t m = 0; m < FIELD_ANGLES; m++)
            cosine[j * FIELD_ANGLES + m] =
                (m ? 2. : 1.) / FIELD_ANGLES * cos((double)m * angle_of_node(j));
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)v->points, FIELD_ANGLES,
                FIELD_ANGLES, 1, v->I, FIELD_ANGLES, cosine, FIELD_ANGLES, 0, a, FIELD_ANGLES);
    return a;
}

/* One point: a_m becomes l, r_m with zeros from the returned number on; error over e^l.  noise:
 * mean of the bound over the angles, which is about what it does to a coefficient. */
static size_t select_coefficients(const field_selection *s, double noise, double *a, double *error)
{
    const double mean = a[0];
    const double least = fmax(s->keep * mean, SHARE_OF_ERROR * fmin(noise, FIELD_RESOLVED * mean));
    size_t n = s->m_max ? (size_t)s->m_max + 1 : FIELD_ANGLES;
    if (n > FIELD_ANGLES) n = FIELD_ANGLES;
    while (n > 1 && !(fabs(a[n - 1]) > least)) n--;
    for (size_t m = n < TAIL ? n : TAIL; m < FIELD_ANGLES; m++) *error += fabs(a[m]);
    for (size_t m = 1; m < FIELD_ANGLES; m++) a[m] = m < n ? a[m] / mean : 0;
    a[0] = log(mean);
    *error /= mean;
    return n;
}

/* The largest bound at any angle, and the mean. */
static double largest_bound(const double *bound, double *mean)
{
    double most = 0, sum = 0;
    for (size_t j = 0; j < FIELD_ANGLES; j++) {
        if (!(bound[j] <= most)) most = bound[j];
        sum += bound[j];
    }
    *mean = sum / FIELD_ANGLES;
    return most;
}

/* Into out, which has room for FIELD_ANGLES coefficients; rows of m as long as any point needs. */
static cgct_status put_fields(const field_values *v, const field_selection *s, double *a,
                              node_fields *out, cgct_err *err)
{
    const size_t plane = v->grid->nq * v->nk;
    out->nm = 1;
    for (size_t i = 0; i < v->points; i++) {
        double *at = a + i * FIELD_ANGLES, noise;
        out->error[i] = largest_bound(v->bound + i * FIELD_ANGLES, &noise);
        size_t n = select_coefficients(s, noise, at, &out->error[i]);
        if (n > out->nm) out->nm = n;
        if (!isfinite(at[0] + out->error[i]))
            return cgct_fail(err, CGCT_E_ACCURACY,
                             "I is not finite at q = %g, k = %g GeV: the dipole or the grids given "
                             "do not allow it",
                             v->grid->q[i % plane / v->nk], v->k[i % plane]);
    }
    for (size_t i = 0; i < v->points; i++)
        for (size_t m = 0; m < out->nm; m++)
            out->value[(i / plane * out->nm + m) * plane + i % plane] = a[i * FIELD_ANGLES + m];
    return CGCT_OK;
}

cgct_status field_values_project(const field_values *v, const field_selection *s, node_fields *out,
                                 cgct_err *err)
{
    double *a = all_coefficients(v);
    *out = (node_fields){.nq = v->grid->nq, .nk = v->nk};
    out->value = malloc(v->points * FIELD_ANGLES * sizeof *out->value);
    out->error = malloc(v->points * sizeof *out->error);
    cgct_status st = a && out->value && out->error
                         ? put_fields(v, s, a, out, err)
                         : cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu x %d coefficients",
                                     v->points, FIELD_ANGLES);
    free(a);
    if (st != CGCT_OK) node_fields_free(out);
    return st;
}

void node_fields_free(node_fields *f)
{
    free(f->value);
    free(f->error);
    *f = (node_fields){0};
}
