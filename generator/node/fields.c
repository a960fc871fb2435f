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

#include "numerics/blas.h"
#include "numerics/grid.h"
#include "numerics/memory.h"

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

static double angle_of_node(size_t j)
{
    return M_PI * ((double)j + 0.5) / NODE_ANGLES;
}

void node_fields_at_angles(size_t n, size_t apart, size_t nm, int either_sign, const double *r,
                           double *sum)
{
    enum { HALF = NODE_ANGLES / 2 };
    double T[HALF * (HALF + 1)];
    /* As T_m(-t) = (-1)^m T_m(t), the sums over even and over odd m at t > 0 are enough: those over
     * odd m are laid where I(-t) goes. */
    for (size_t odd = 0; odd < 2; odd++) {
        const size_t first = odd == (size_t)either_sign; /* row i is that of T_(i+1), or T_i */
        const size_t rows = nm > first ? (nm - first) / 2 : 0;
        for (size_t j = 0; j < HALF; j++) {
            const double t = cos(angle_of_node(odd ? HALF - 1 - j : j)), T2 = 2 * t * t - 1;
            double now = odd ? t : first ? T2 : 1, before = odd ? t : first ? 1 : T2;
            for (size_t i = 0; i < rows; i++) {
                const double next = 2 * T2 * now - before;
                T[j * rows + i] = before = now;
                now = next;
            }
        }
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, HALF, (int)n, (int)rows, 1, T,
                    (int)rows + !rows, r + first * apart, 2 * (int)apart, 0, sum + odd * HALF * n,
                    (int)n);
    }
    for (size_t j = 0; j < HALF; j++) {
        double *even = sum + j * n, *odd = sum + (NODE_ANGLES - 1 - j) * n;
        for (size_t i = 0; i < n; i++) {
            const double e = even[i], o = odd[i];
            even[i] = e + o;
            odd[i] = e - o;
        }
    }
}

void field_values_init(field_values *v, const node_grid *g)
{
    const size_t nk = g->nl + g->nu, n = g->nq * nk, values = NPOL * n * NODE_ANGLES;
    *v = (field_values){.grid = g, .nk = nk, .points = NPOL * n};
    v->owned = memory_new(n + n * NODE_ANGLES + 2 * values, sizeof *v->owned);
    double *k = v->owned, *theta = k + n;
    v->k = k;
    v->theta = theta;
    v->I = theta + n * NODE_ANGLES;
    v->bound = v->I + values;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        double top = node_grid_top(g, i / nk, i % nk);
        k[i] = node_grid_k(g, i / nk, i % nk);
        /* between k and q at t = cos a: from sin^2(theta/2) = (1 - mu)/2, which nothing cancels in,
         * mu = -1 + (1 + top)(1 + t)/2 */
        for (size_t j = 0; j < NODE_ANGLES; j++) {
            const double half = sin(angle_of_node(j) / 2);
            theta[i * NODE_ANGLES + j] =
                2 * asin(fmin(sqrt(((1 - top) + (1 + top) * half * half) / 2), 1));
        }
    }
}

/* ---- the sign ---- */

void field_values_find_sign(field_values *v)
{
    v->either_sign = 0;
    for (size_t i = 0; i < v->points && !v->either_sign; i++) {
        double sum = 0, most = 0;
        for (size_t j = i * NODE_ANGLES; j < (i + 1) * NODE_ANGLES; j++) {
            sum += v->I[j];
            most = fmax(most, v->bound[j]);
        }
        v->either_sign = most < -FIELD_RESOLVED * sum / NODE_ANGLES;
    }
}

/* d I_0/d ln q is the difference between momenta that differ by this from q: of the polynomial
 * through SLOPE_NODES nodes. */
static const double SLOPE_STEP = 0.05, SLOPE_SHARE = 0.25;
enum { SLOPE_NODES = 6 };

/* unit (nq, nk): the root of the mean of I^2; where I_0 (nq, nk) may change its sign at all angles
 * at once, it becomes the root of that mean and (d I_0/d ln q)^2/16. */
static void add_slopes(const node_grid *g, const double *log_q, const double *I0, double *unit)
{
    const size_t nk = g->nl + g->nu, p = g->nq < SLOPE_NODES ? g->nq : SLOPE_NODES;
    for (size_t iq = 0; iq < g->nq; iq++) {
        double up[SLOPE_NODES], down[SLOPE_NODES];
        size_t first = iq > p / 2 ? iq - p / 2 : 0;
        if (first > g->nq - p) first = g->nq - p;
        grid_lagrange(p, log_q + first, log_q[iq] + SLOPE_STEP, up);
        grid_lagrange(p, log_q + first, log_q[iq] - SLOPE_STEP, down);
        for (size_t ik = 0; ik < nk; ik++) {
            double rise = 0;
            for (size_t l = 0; l < p; l++) rise += (up[l] - down[l]) * I0[(first + l) * nk + ik];
            unit[iq * nk + ik] = hypot(unit[iq * nk + ik], SLOPE_SHARE * rise / (2 * SLOPE_STEP));
        }
    }
}

/* Standard deviation in ln q of the smoothing.  Polynomials in ln q through the roots above, which
 * turn sharply beside a zero of I_0, would be 30 times worse than through smooth units (a dipole of
 * anomalous dimension 1.1, 12 momenta from 0.5 to 3 GeV). */
static const double SMOOTHING = 0.4;

/* ln unit becomes the straight line through its neighbours in ln q, with Gaussian weights. */
static void smooth_units(const node_grid *g, const double *log_q, double *unit)
{
    const size_t nk = g->nl + g->nu;
    double *log_unit = memory_new(g->nq * nk, sizeof *log_unit);
    for (size_t i = 0; i < g->nq * nk; i++) log_unit[i] = log(unit[i]);
    for (size_t iq = 0; iq < g->nq; iq++)
        for (size_t ik = 0; ik < nk; ik++) {
            double w0 = 0, w1 = 0, w2 = 0, v0 = 0, v1 = 0;
            for (size_t l = 0; l < g->nq; l++) {
                const double u = (log_q[l] - log_q[iq]) / SMOOTHING, w = exp(-u * u / 2);
                const double v = log_unit[l * nk + ik];
                w0 += w, w1 += w * u, w2 += w * u * u, v0 += w * v, v1 += w * u * v;
            }
            const double det = w0 * w2 - w1 * w1;
            unit[iq * nk + ik] = exp(det > 1e-6 * w0 * w0 ? (w2 * v0 - w1 * v1) / det : v0 / w0);
        }
    free(log_unit);
}

/* Of both polarisations, (NPOL, nq, nk); I_0 of L lies `apart` behind that of T. */
static void units_of(const node_grid *g, const double *I0, size_t apart, double *unit)
{
    double *log_q = memory_new(g->nq, sizeof *log_q);
    for (size_t iq = 0; iq < g->nq; iq++) log_q[iq] = log(g->q[iq]);
    for (size_t pol = 0; pol < NPOL; pol++) {
        double *of = unit + pol * g->nq * (g->nl + g->nu);
        add_slopes(g, log_q, I0 + pol * apart, of);
        smooth_units(g, log_q, of);
    }
    free(log_q);
}

void field_values_units(const field_values *v, double *unit)
{
    double *mean = memory_new(v->points, sizeof *mean);
    for (size_t i = 0; i < v->points; i++) {
        const double *I = v->I + i * NODE_ANGLES;
        double sum = 0, root = 0;
        for (size_t j = 0; j < NODE_ANGLES; j++) {
            sum += I[j];
            if (v->either_sign) root = hypot(root, I[j]);
        }
        mean[i] = sum / NODE_ANGLES;
        unit[i] = v->either_sign ? root / sqrt(NODE_ANGLES) : mean[i];
    }
    if (v->either_sign) units_of(v->grid, mean, v->points / NPOL, unit);
    free(mean);
}

void node_fields_either_sign(const node_grid *g, size_t nm, double *value, double *error)
{
    const size_t plane = g->nq * (g->nl + g->nu);
    double *unit = memory_new(NPOL * plane, sizeof *unit);
    for (size_t i = 0; i < NPOL * plane; i++) {
        const double *I = value + i / plane * nm * plane + i % plane;
        unit[i] = I[0];
        for (size_t m = 1; m < nm; m++) unit[i] = hypot(unit[i], I[m * plane] / M_SQRT2);
    }
    units_of(g, value, nm * plane, unit);
    for (size_t i = 0; i < NPOL * plane; i++) {
        double *I = value + i / plane * nm * plane + i % plane;
        for (size_t m = nm; m-- > 1;) I[m * plane] = I[(m - 1) * plane] / unit[i];
        I[plane] -= 1;
        I[0] = log(unit[i]);
        error[i] /= unit[i] * node_bound_unit(0);
    }
    free(unit);
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
enum { TAIL = NODE_ANGLES * 3 / 4 };

/* (points, NODE_ANGLES): a_m of every point, allocated. */
static double *all_coefficients(const field_values *v)
{
    double *a = memory_new((v->points + NODE_ANGLES) * NODE_ANGLES, sizeof *a);
    double *cosine = a + v->points * NODE_ANGLES;
    for (size_t j = 0; j < NODE_ANGLES; j++)
        for (size_t m = 0; m < NODE_ANGLES; m++)
            cosine[j * NODE_ANGLES + m] =
                (m ? 2. : 1.) / NODE_ANGLES * cos((double)m * angle_of_node(j));
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)v->points, NODE_ANGLES, NODE_ANGLES,
                1, v->I, NODE_ANGLES, cosine, NODE_ANGLES, 0, a, NODE_ANGLES);
    return a;
}

/* One point: a_m are zeros from the returned number on, and *left_out is their sum.
 * noise: mean of the bound over the angles, which is about what it does to a coefficient. */
static size_t select_coefficients(const field_selection *s, double unit, double noise, double *a,
                                  double *left_out)
{
    const double least = fmax(s->keep * unit, SHARE_OF_ERROR * fmin(noise, FIELD_RESOLVED * unit));
    size_t n = s->m_max ? (size_t)s->m_max + 1 : NODE_ANGLES;
    if (n > NODE_ANGLES) n = NODE_ANGLES;
    while (n > 1 && !(fabs(a[n - 1]) > least)) n--;
    *left_out = 0;
    for (size_t m = n < TAIL ? n : TAIL; m < NODE_ANGLES; m++) *left_out += fabs(a[m]);
    for (size_t m = n; m < NODE_ANGLES; m++) a[m] = 0;
    return n;
}

/* Into out, which has room for NODE_ANGLES + 1 coefficients; rows of m as long as any point
 * needs. */
static cgct_status put_fields(const field_values *v, const field_selection *s, const double *unit,
                              double *a, node_fields *out, cgct_err *err)
{
    const size_t plane = v->grid->nq * v->nk;
    size_t most = 1, bad = v->points; /* the first that is not finite */
#pragma omp parallel for schedule(static) reduction(max : most) reduction(min : bad)
    for (size_t i = 0; i < v->points; i++) {
        double *at = a + i * NODE_ANGLES, left_out;
        const double *bound = v->bound + i * NODE_ANGLES;
        size_t n = select_coefficients(s, v->either_sign ? unit[i] : at[0], field_mean(bound), at,
                                       &left_out);
        const double mean = at[0];
        out->error[i] = 0; /* of I at the angles, with their bounds and what is left out */
        for (size_t j = 0; j < NODE_ANGLES; j++) {
            const double I = v->I[i * NODE_ANGLES + j] / mean;
            const double c =
                (bound[j] + left_out) / (v->either_sign ? 1 : mean * node_bound_unit(I));
            if (!(c <= out->error[i])) out->error[i] = c;
        }
        for (size_t m = 1; m < NODE_ANGLES && !v->either_sign; m++) at[m] /= mean;
        if (!v->either_sign) at[0] = log(mean);
        if (n > most) most = n;
        if (!isfinite(at[0] + out->error[i]) && i < bad) bad = i;
    }
    if (bad < v->points)
        return cgct_fail(err, CGCT_E_ACCURACY,
                         "I is not finite at q = %g, k = %g GeV: the dipole or the grids given "
                         "do not allow it",
                         v->grid->q[bad % plane / v->nk], v->k[bad % plane]);
    out->nm = most + (size_t)v->either_sign;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < v->points; i++)
        for (size_t m = 0; m < out->nm; m++)
            out->value[(i / plane * out->nm + m) * plane + i % plane] =
                m < most ? a[i * NODE_ANGLES + m] : 0;
    if (v->either_sign) node_fields_either_sign(v->grid, out->nm, out->value, out->error);
    return CGCT_OK;
}

cgct_status field_values_project(const field_values *v, const field_selection *s, node_fields *out,
                                 cgct_err *err)
{
    double *a = all_coefficients(v), *unit = memory_new(v->points, sizeof *unit);
    *out = (node_fields){.nq = v->grid->nq, .nk = v->nk, .either_sign = v->either_sign};
    out->value = memory_new(v->points * (NODE_ANGLES + 1), sizeof *out->value);
    out->error = memory_new(v->points, sizeof *out->error);
    field_values_units(v, unit);
    const cgct_status st = put_fields(v, s, unit, a, out, err);
    free(a);
    free(unit);
    if (st != CGCT_OK) node_fields_free(out);
    return st;
}

void node_fields_free(node_fields *f)
{
    free(f->value);
    free(f->error);
    *f = (node_fields){0};
}
