/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes in gamma of the points of inner_graded.c, and a whole table of them. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "inner/graded.h"

enum { ANGLES_FIRST = 16, ANGLES_MAX = 4096 };
/* Share of the largest mode that the modes next to the sampling limit may have. */
static const double TAIL = 1e-9;

/* g at gamma_k = 2 pi k/n, k = 0..n/2; the other half is its reflection. */
typedef struct {
    size_t n;
    double g[NPOL][ANGLES_MAX / 2 + 1];
    double *wave;
} graded_angles;

static void sample(const inner_integrand *f, const graded_rule *rule, double lam, double delta,
                   double R, size_t k, graded_angles *a)
{
    double g[NPOL];
    graded_point(f, rule, lam, delta, R, 2 * M_PI * (double)k / (double)a->n, a->wave, g);
    for (int pol = 0; pol < NPOL; pol++) a->g[pol][k] = g[pol];
}

static double mode(const graded_angles *a, int pol, size_t m)
{
    double G = 0;
    for (size_t k = 0; 2 * k <= a->n; k++) {
        double w = k == 0 || 2 * k == a->n ? 1 : 2;
        G += w * cos(2 * M_PI * (double)(m * k % a->n) / (double)a->n) * a->g[pol][k];
    }
    return 2 * M_PI / (double)a->n * G;
}

/* The last quarter of the modes that n angles tell apart is negligible, for m = 0..n/4 as well. */
static int resolved(const graded_angles *a, size_t m_max)
{
    if (a->n < 4 * m_max) return 0;
    for (int pol = 0; pol < NPOL; pol++) {
        double most = 0, tail = 0;
        for (size_t m = 0; m <= a->n / 4; m++) most = fmax(most, fabs(mode(a, pol, m)));
        for (size_t m = 3 * a->n / 8; m <= a->n / 2; m++) tail = fmax(tail, fabs(mode(a, pol, m)));
        if (!(tail <= TAIL * most)) return 0;
    }
    return 1;
}

/* Twice as many angles; the old ones keep their values. */
static void refine(const inner_integrand *f, const graded_rule *rule, double lam, double delta,
                   double R, graded_angles *a)
{
    a->n *= 2;
    for (int pol = 0; pol < NPOL; pol++)
        for (size_t k = a->n / 4 + 1; k-- > 0;) a->g[pol][2 * k] = a->g[pol][k];
    for (size_t k = 1; 2 * k < a->n; k += 2) sample(f, rule, lam, delta, R, k, a);
}

/* Returns 0 where ANGLES_MAX do not resolve the modes. */
static int all_angles(const inner_integrand *f, const graded_rule *rule, const inner_opts *o,
                      size_t id, size_t ir, graded_angles *a)
{
    double delta = o->delta[id], R = o->r[ir];
    size_t m_max = (size_t)o->m[o->nm - 1];
    a->n = ANGLES_FIRST;
    for (size_t k = 0; 2 * k <= a->n; k++) sample(f, rule, o->lam, delta, R, k, a);
    while (!resolved(a, m_max)) {
        if (a->n == ANGLES_MAX) return 0;
        refine(f, rule, o->lam, delta, R, a);
    }
    return 1;
}

static void store(const graded_angles *a, size_t id, size_t ir, inner_table *t)
{
    for (int pol = 0; pol < NPOL; pol++) {
        for (size_t im = 0; im < t->nm; im++)
            t->g[(((size_t)pol * t->nm + im) * t->nd + id) * t->nr + ir] =
                mode(a, pol, (size_t)t->m[im]);
        if (id == 0 && ir == 0) t->origin[pol] = a->g[pol][0];
    }
}

/* Returns the number of points + 1 of the first one that is not resolved, or 0. */
static size_t all_points(const inner_integrand *f, const graded_rule *rule, const inner_opts *o,
                         inner_table *t, int *no_memory)
{
    size_t failed = 0, points = o->nd * o->nr;
    int starved = 0;
#pragma omp parallel reduction(max : failed) reduction(| : starved)
    {
        graded_angles *a = calloc(1, sizeof *a);
        if (a) a->wave = malloc(graded_wave_doubles(f) * sizeof *a->wave);
        starved |= !a || !a->wave;
#pragma omp for schedule(dynamic, 1)
        for (size_t i = 0; i < points; i++) {
            if (starved || failed) continue;
            if (all_angles(f, rule, o, i / o->nr, i % o->nr, a))
                store(a, i / o->nr, i % o->nr, t);
            else
                failed = i + 1;
        }
        if (a) free(a->wave);
        free(a);
    }
    *no_memory = starved;
    return failed;
}

cgct_status inner_graded_build(inner_table *t, const inner_opts *o, const inner_integrand *f,
                               cgct_err *err)
{
    graded_rule *rule;
    int no_memory;
    CGCT_TRY(inner_table_init(t, o, err));
    cgct_status st = graded_rule_init(&rule, err);
    if (st == CGCT_OK) {
        size_t failed = all_points(f, rule, o, t, &no_memory);
        if (no_memory) st = cgct_fail(err, CGCT_E_NOMEM, "direct-graded builder: no memory");
        if (failed)
            st = cgct_fail(err, CGCT_E_ACCURACY,
                           "direct-graded builder: %d angles do not resolve the modes at Delta = "
                           "%g, R = %g; move R away from lam Delta and (1-lam) Delta",
                           ANGLES_MAX, o->delta[(failed - 1) / o->nr], o->r[(failed - 1) % o->nr]);
    }
    free(rule);
    if (st != CGCT_OK) inner_table_free(t);
    return st;
}

cgct_status inner_graded_point(const inner_integrand *f, double lam, double delta, double R,
                               double gamma, double g[NPOL], cgct_err *err)
{
    graded_rule *rule;
    CGCT_TRY(graded_rule_init(&rule, err));
    double *wave = malloc(graded_wave_doubles(f) * sizeof *wave);
    if (wave) graded_point(f, rule, lam, delta, R, gamma, wave, g);
    free(rule);
    free(wave);
    return wave ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "direct-graded builder: no memory");
}

cgct_status inner_graded(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err)
{
    inner_dijet self = {d, o->eps};
    inner_integrand f = inner_dijet_integrand(&self);
    return inner_graded_build(t, o, &f, err);
}

size_t inner_graded_bytes(const inner_opts *o)
{
    return sizeof(double) * NPOL * o->nm * o->nd * o->nr +
           (size_t)omp_get_max_threads() * sizeof(graded_angles);
}
