/* SPDX-License-Identifier: GPL-3.0-or-later */
/* synthetic.h: a closed form with the ridges and scales of a production table, for tests of speed
 * and size at lengths that the generator would take hours for. */
#ifndef SYNTHETIC_H
#define SYNTHETIC_H
#include <math.h>
#include <stdlib.h>

#include "format/writer.h"

#define SYNTHETIC_PI 3.14159265358979323846
enum { SYNTHETIC_P = 6, SYNTHETIC_MODES = 64, SYNTHETIC_ANGLES = 192 };

typedef struct {
    size_t n[4];
    double *v[4]; /* x, eps, q, k */
    int fold;
} synthetic;

static inline double synthetic_qs2(double x)
{
    return pow(3.04e-4 / x, 0.288);
}

/* Two ridges of width sqrt(eps^2 + Qs^2), at k1 -> 0 and k2 -> 0, symmetric under exchange. */
static inline void synthetic_value(const double at[4], double theta, double value[2])
{
    double x = at[0], eps = at[1], q = at[2], k1 = at[3], qs2 = synthetic_qs2(x);
    double w2 = eps * eps + qs2, k2sq = q * q + k1 * k1 - 2 * q * k1 * cos(theta);
    double a = k1 * k1 + w2, b = k2sq + w2;
    double common = log1p(qs2 / (q * q)) / (a * b * sqrt(a * b)) / (1 + q * q / (qs2 + 4 * w2));
    value[0] = common * (1 / (eps * eps + 0.1 * qs2) + 1 / (a + b));
    value[1] = common * 4 / (a + b);
}

/* Factor that makes J of I: k2^p/(k1^p + k2^p). */
static inline double synthetic_chi(double q, double k1, double theta)
{
    double k2sq = fmax(q * q + k1 * k1 - 2 * q * k1 * cos(theta), 1e-300), r = k1 * k1 / k2sq;
    return 1 / (1 + r * r * r);
}

/* cosine (SYNTHETIC_ANGLES + 1, SYNTHETIC_MODES): quadrature weights of the modes on [0,pi]. */
static inline void synthetic_cosines(double *cosine)
{
    for (int i = 0; i <= SYNTHETIC_ANGLES; i++)
        for (int m = 0; m < SYNTHETIC_MODES; m++) {
            double w = (i == 0 || i == SYNTHETIC_ANGLES ? 0.5 : 1.0) / SYNTHETIC_ANGLES;
            cosine[i * SYNTHETIC_MODES + m] = w / (2 * SYNTHETIC_PI) * (m & 1 ? -1 : 1) *
                                              cos(m * SYNTHETIC_PI * i / SYNTHETIC_ANGLES);
        }
}

/* modes (2, nq, nk, SYNTHETIC_MODES), error (2, nq, nk) of one (x,eps). */
static inline void synthetic_node(const synthetic *s, const double *cosine, size_t ix, size_t ie,
                                  double *modes, double *error)
{
    size_t nq = s->n[2], nk = s->n[3];
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < nq * nk; i++) {
        double at[4] = {s->v[0][ix], s->v[1][ie], s->v[2][i / nk], s->v[3][i % nk]}, value[2];
        double *t = modes + i * SYNTHETIC_MODES, *l = modes + (nq * nk + i) * SYNTHETIC_MODES;
        for (int m = 0; m < SYNTHETIC_MODES; m++) t[m] = l[m] = 0;
        for (int j = 0; j <= SYNTHETIC_ANGLES; j++) {
            double theta = SYNTHETIC_PI * j / SYNTHETIC_ANGLES;
            synthetic_value(at, theta, value);
            double chi = s->fold ? synthetic_chi(at[2], at[3], theta) : 1;
            for (int m = 0; m < SYNTHETIC_MODES; m++) {
                t[m] += chi * value[0] * cosine[j * SYNTHETIC_MODES + m];
                l[m] += chi * value[1] * cosine[j * SYNTHETIC_MODES + m];
            }
        }
        error[i] = 1e-7 * fabs(t[0]);
        error[nq * nk + i] = 1e-7 * fabs(l[0]);
    }
}

static inline void synthetic_axis(double lo, double hi, size_t n, double *v)
{
    for (size_t i = 0; i < n; i++)
        v[i] = lo * pow(hi / lo, (double)i / (double)(n > 1 ? n - 1 : 1));
}

/* A whole table; spec fields beside the axes are the caller's. */
static inline cgct_status synthetic_write(const synthetic *s, const char *path,
                                          cgct_writer_spec spec, cgct_err *err)
{
    size_t n = 2 * s->n[2] * s->n[3];
    double *cosine = (double *)malloc((SYNTHETIC_ANGLES + 1) * SYNTHETIC_MODES * sizeof(double));
    double *modes = (double *)malloc(n * (SYNTHETIC_MODES + 1) * sizeof(double));
    cgct_writer *w = NULL;
    spec.nx = s->n[0], spec.neps = s->n[1], spec.nq = s->n[2], spec.nk = s->n[3];
    spec.x = s->v[0], spec.eps = s->v[1], spec.q = s->v[2], spec.k = s->v[3];
    spec.card = "none\n", spec.generator = "synthetic 1", spec.dipole = "closed form";
    spec.backend = "closed form", spec.fold = s->fold, spec.fold_power = s->fold ? SYNTHETIC_P : 0;
    synthetic_cosines(cosine);
    cgct_status st = cgct_writer_open(&w, path, &spec, err);
    for (size_t i = 0; i < s->n[0] * s->n[1] && st == CGCT_OK; i++) {
        cgct_node node = {SYNTHETIC_MODES, modes, modes + n * SYNTHETIC_MODES};
        synthetic_node(s, cosine, i / s->n[1], i % s->n[1], modes, modes + n * SYNTHETIC_MODES);
        st = cgct_writer_node(w, i / s->n[1], i % s->n[1], &node, err);
    }
    if (st == CGCT_OK)
        st = cgct_writer_close(w, NULL, err);
    else
        cgct_writer_abort(w);
    free(cosine);
    free(modes);
    return st;
}
#endif
