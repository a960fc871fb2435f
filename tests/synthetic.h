/* SPDX-License-Identifier: GPL-3.0-or-later */
/* synthetic.h: tables of a closed form with the ridges and scales of a real one, for tests of
 * accuracy, speed and size. */
#ifndef SYNTHETIC_H
#define SYNTHETIC_H
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/table_writer.h"

enum { SYNTHETIC_ANGLES = 64, SYNTHETIC_MODES = 40 };

/* One segment, whose basis are its nodes; nodes in x and eps geometric, as those in q. */
typedef struct {
    size_t nx, neps, nq, nl, nu;
    double x[2], eps[2], q[2]; /* first and last node; with one node the range */
    double k0, k_max, step;    /* step: of l and r_m, h of FORMAT.md */
    int order[4];
    double scale; /* of I; 0: 1 */
} synthetic;

/* Two ridges of width sqrt(eps^2 + Qs^2), at k1 -> 0 and k2 -> 0; k2^2 is given for its accuracy.
 * */
static inline void synthetic_ridges(double x, double eps, double q, const double square[2],
                                    double value[2])
{
    double qs2 = pow(3.04e-4 / x, 0.288), w2 = eps * eps + qs2;
    double a = square[0] + w2, b = square[1] + w2;
    double common = log1p(qs2 / (q * q)) / (a * b * sqrt(a * b)) / (1 + q * q / (qs2 + 4 * w2));
    value[0] = common * (1 / (eps * eps + 0.1 * qs2) + 1 / (a + b));
    value[1] = common * 4 / (a + b);
}

/* I_T and I_L, symmetric under the exchange of k1 and k2. */
static inline void synthetic_value(double x, double eps, double q, double k1, double theta,
                                   double value[2])
{
    double along = q - k1 * cos(theta), across = k1 * sin(theta);
    const double square[2] = {k1 * k1, along * along + across * across};
    synthetic_ridges(x, eps, q, square, value);
}

/* The momentum of node j = 0..nl+nu-1 and the largest cosine there. */
static inline double synthetic_k(const synthetic *s, double q, size_t j, double *top)
{
    double half = q / 2, B = asinh(half / s->k0) / 2, a = s->k_max * s->k_max;
    double most = sqrt(sqrt(a * a + pow(half, 4)) - half * half);
    *top = 1;
    if (j == 0) return 0;
    if (j < s->nl)
        return half / 2 * (1 + tanh((2. * (double)j / (double)(s->nl - 1) - 1) * B) / tanh(B));
    double v = (double)(j - s->nl) / (double)(s->nu - 1);
    double k = hypot(half, s->k0 * sinh(v * asinh(most / s->k0)));
    *top = q / (2 * k);
    return k;
}

/* l and r_m at one node: Chebyshev coefficients of I in t by its values at their zeros. */
static inline void synthetic_fields(const synthetic *s, const double at[3], size_t j,
                                    double out[2][SYNTHETIC_MODES])
{
    enum { N = SYNTHETIC_ANGLES };
    const double pi = 3.14159265358979323846;
    double top, k = synthetic_k(s, at[2], j, &top);
    memset(out, 0, 2 * sizeof *out);
    for (int i = 0; i < N; i++) {
        double angle = pi * (i + 0.5) / N, value[2];
        double mu = (1 + cos(angle)) * (1 + top) / 2 - 1;
        const double square[2] = {k * k, at[2] * at[2] + k * k - 2 * at[2] * k * mu};
        synthetic_ridges(at[0], at[1], at[2], square, value);
        for (int pol = 0; pol < 2; pol++)
            for (int m = 0; m < SYNTHETIC_MODES; m++)
                out[pol][m] += value[pol] * cos(m * angle) * (m ? 2 : 1) / N;
    }
    for (int pol = 0; pol < 2; pol++) {
        for (int m = 1; m < SYNTHETIC_MODES; m++) out[pol][m] *= (k > 0) / out[pol][0];
        out[pol][0] = log(out[pol][0] * (s->scale > 0 ? s->scale : 1));
    }
}

static inline void synthetic_axis(const double range[2], size_t n, double *v)
{
    for (size_t i = 0; i < n; i++)
        v[i] = n == 1       ? sqrt(range[0] * range[1])
               : i == 0     ? range[0]
               : i + 1 == n ? range[1]
                            : range[0] * pow(range[1] / range[0], (double)i / (double)(n - 1));
}

/* U is the unit matrix, V the fields at the nodes (x, eps) in units of the step. */
static inline void synthetic_segment(const synthetic *s, const double *x, const double *eps,
                                     const double *q, table_segment *to)
{
    const size_t R = s->nx * s->neps, nk = s->nl + s->nu;
    double *U = (double *)calloc(R * R, sizeof *U);
    int32_t *V = (int32_t *)malloc(2 * SYNTHETIC_MODES * R * s->nq * nk * sizeof *V);
    for (size_t i = 0; i < R * s->nq * nk; i++) {
        size_t r = i / (s->nq * nk), iq = i / nk % s->nq, j = i % nk;
        const double at[3] = {x[r / s->neps], eps[r % s->neps], q[iq]};
        double field[2][SYNTHETIC_MODES];
        synthetic_fields(s, at, j, field);
        U[r * R + r] = 1;
        for (size_t f = 0; f < 2 * SYNTHETIC_MODES; f++)
            V[((f * R + r) * s->nq + iq) * nk + j] =
                (int32_t)lround(field[f / SYNTHETIC_MODES][f % SYNTHETIC_MODES] / s->step);
    }
    *to = (table_segment){R, s->step, U, V, NULL};
}

static inline cgct_status synthetic_write(const synthetic *s, const char *path, cgct_err *err)
{
    const uint32_t panel[2] = {(uint32_t)s->nx, (uint32_t)s->neps};
    static const table_meta meta[] = {{"quantity", "I_T, I_L in GeV^-6"},
                                      {"generator", "synthetic 2"},
                                      {"dipole", "closed form"},
                                      {"backend", "closed form"},
                                      {"card", "none\n"}};
    const size_t nodes = s->nx * s->neps, tensors = 2 * s->nx * s->nq;
    double *x = (double *)malloc(s->nx * sizeof *x), *eps = (double *)malloc(s->neps * sizeof *eps);
    double *q = (double *)malloc(s->nq * sizeof *q);
    double *tensor = (double *)calloc(tensors, sizeof *tensor);
    uint8_t *bounds = (uint8_t *)malloc(4 * nodes);
    table_segment segment;
    synthetic_axis(s->x, s->nx, x);
    synthetic_axis(s->eps, s->neps, eps);
    synthetic_axis(s->q, s->nq, q);
    synthetic_segment(s, x, eps, q, &segment);
    memset(bounds, table_bound_code(1e-4), 4 * nodes);
    const table_content content = {.members = 1,
                                   .nx = s->nx,
                                   .neps = s->neps,
                                   .nq = s->nq,
                                   .nl = s->nl,
                                   .nu = s->nu,
                                   .nm = SYNTHETIC_MODES,
                                   .px = 1,
                                   .peps = 1,
                                   .panel_x = &panel[0],
                                   .panel_eps = &panel[1],
                                   .x = x,
                                   .eps = eps,
                                   .q = q,
                                   .x_range = {s->x[0], s->x[1]},
                                   .eps_range = {s->eps[0], s->eps[1]},
                                   .k0 = s->k0,
                                   .k_max = s->k_max,
                                   .order = {s->order[0], s->order[1], s->order[2], s->order[3]},
                                   .bq = 1,
                                   .bl = 1,
                                   .bu = 1,
                                   .program = "synthetic 2",
                                   .nmeta = sizeof meta / sizeof *meta,
                                   .meta = meta,
                                   .tensor = tensor,
                                   .segment = &segment,
                                   .bounds = bounds};
    cgct_status st = table_write(&content, path, err);
    void *owned[] = {x, eps, q, tensor, bounds, (void *)segment.U, (void *)segment.V};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free(owned[i]);
    return st;
}
#endif
