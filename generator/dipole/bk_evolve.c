/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_evolve.c: the BK equation integrated in Y, with every step kept so that any Y follows.
 *
 * The equation is quadratic in S, and S(r) may rise within one step by orders of magnitude where it
 * is small; ln S is then no polynomial of Y, but S is.  A step therefore integrates
 *     z(r) = S(r,Y)/S(r,Y_n) - 1,   dz/dY = (1 + z) R[Gamma_n - log1p z],   R = (dS/dY)/S,
 * which is the Runge-Kutta step of S itself, for it is linear in S, with full relative accuracy of
 * Gamma where S is near 1 and of S where S is small. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/bk_impl.h"
#include "numerics/memory.h"

/* Error estimate allowed in one step, at refine = 1: relative in Gamma, and in S where that is
 * small; beyond Gamma = GAMMA_LEAST S is only kept positive.  Before EARLY_Y, where small S changes
 * by orders of magnitude and is soon forgotten, in proportion to 1/Y. */
#define STEP_GAMMA 1e-7
#define STEP_S 3e-5
#define EARLY_Y 0.02
#define GAMMA_SMALL 27.6
#define GAMMA_LEAST 140.0
/* The right-hand side is a sum over points before this Y, while S rises by many orders of magnitude
 * at one r and not yet at the next, so that S between the edges of cells may become negative; and
 * always below this refinement, where nodes are so far apart that ln Gamma wiggles between them. */
#define ROWS_Y 1e-3
#define ROWS_REFINE 0.6
/* Growth of steps; order of the error estimate of the 8(7) pair. */
#define GROWTH 4.0
#define ORDER 8.0
/* Steps on each side in the interpolation in Y, and the smallest Y used relative to the one asked
 * for: close to Y = 0 ln S varies like ln Y. */
enum { SIDE = 3 };
#define REACH 0.2
/* Interpolation further from a straight line than this is replaced by it: S changes by many orders
 * of magnitude in the first steps. */
#define FURTHEST 0.5

typedef struct {
    bk_grid *grid;
    bk_kernel kernel;
    bk_values values;
    double *Gamma; /* at the beginning of the step */
    double *f, *z, *error, *k;
} bk_step;

static void evaluate_rate(bk_step *s, double *rate)
{
    bk_values_set(&s->values, s->grid, s->f);
    bk_kernel_apply(&s->kernel, &s->values, rate);
}

double bk_step_Gamma(double Gamma, double z)
{
    return Gamma - log1p(fmax(z, BK_LEAST_Z));
}

int bk_step_possible(double Gamma, double z)
{
    return (z > BK_LEAST_Z || Gamma >= GAMMA_LEAST) && bk_step_Gamma(Gamma, z) > 0;
}

double bk_step_weight(double Gamma, double z, double Y, double refine)
{
    const double now = bk_step_Gamma(Gamma, z);
    if (!(now < GAMMA_LEAST)) return 0;
    const double allowed = now < GAMMA_SMALL ? STEP_GAMMA * now : STEP_S * fmax(1, EARLY_Y / Y);
    return pow(refine, 6) / ((1 + z) * allowed);
}

double bk_step_fit(double Y, double h, double stop, double *end)
{
    *end = stop;
    if (Y + h >= stop * (1 - 1e-12)) return stop - Y;
    if (Y + 2 * h > stop) h = 0.5 * (stop - Y);
    *end = Y + h;
    return h;
}

/* For GSL: dz/dY; fails where S would change its sign. */
static int step_derivative(double Y, const double z[], double dz[], void *state)
{
    bk_step *s = state;
    (void)Y;
    for (size_t i = 0; i < s->grid->n; i++) {
        if (!bk_step_possible(s->Gamma[i], z[i])) return GSL_EBADFUNC;
        s->f[i] = log(bk_step_Gamma(s->Gamma[i], z[i]));
    }
    evaluate_rate(s, dz);
    for (size_t i = 0; i < s->grid->n; i++) dz[i] *= 1 + fmax(z[i], BK_LEAST_Z);
    return GSL_SUCCESS;
}

void bk_path_append(bk_path *p, double Y, const double *Gamma, const double *rate)
{
    if (p->steps == p->cap) {
        const size_t cap = 2 * p->cap + 64;
        double *y = memory_resize(p->Y, cap * (1 + 2 * p->n), sizeof *y);
        memmove(y + cap * (1 + p->n), y + p->cap * (1 + p->n), p->steps * p->n * sizeof *y);
        memmove(y + cap, y + p->cap, p->steps * p->n * sizeof *y);
        *p = (bk_path){p->n, p->steps, cap, y, y + cap, y + cap * (1 + p->n)};
    }
    p->Y[p->steps] = Y;
    for (size_t i = 0; i < p->n; i++) {
        p->f[p->steps * p->n + i] = log(Gamma[i]);
        p->rate[p->steps * p->n + i] = -rate[i] / Gamma[i];
    }
    p->steps++;
}

static void make_kernel(bk_step *s)
{
    bk_kernel_free(&s->kernel);
    bk_values_free(&s->values);
    bk_kernel_init(&s->kernel, s->grid);
    bk_values_init(&s->values, s->grid);
}

static cgct_status run_steps(bk_path *p, bk_step *s, gsl_odeiv2_step *rk, const bk_opts *o,
                             cgct_err *err)
{
    const gsl_odeiv2_system system = {step_derivative, NULL, p->n, s};
    double Y = 0, h = BK_FIRST_STEP;
    for (;;) {
        for (size_t i = 0; i < p->n; i++) s->f[i] = log(s->Gamma[i]);
        const int points = s->grid->o.refine < ROWS_REFINE || Y < ROWS_Y;
        if (s->grid->points ? !points : bk_grid_worn(s->grid, s->f)) {
            bk_grid_adapt(s->grid, s->f);
            make_kernel(s);
        }
        evaluate_rate(s, s->k);
        bk_path_append(p, Y, s->Gamma, s->k);
        if (Y >= o->Ymax) return CGCT_OK;
        double end, tried, worst; /* worst: in units of the error allowed */
        const double fitted = h = bk_step_fit(Y, h, o->Ymax, &end);
        do {
            if (h < BK_LEAST_STEP)
                return cgct_fail(err, CGCT_E_ACCURACY,
                                 "dipole bk: at Y = %.6g no step above %g keeps the accuracy; use "
                                 "a dipole.c > 0 or a smaller dipole.cap",
                                 Y, BK_LEAST_STEP);
            memset(s->z, 0, p->n * sizeof *s->z);
            gsl_odeiv2_step_reset(rk);
            const int status = gsl_odeiv2_step_apply(rk, Y, h, s->z, s->error, s->k, NULL, &system);
            worst = status == GSL_SUCCESS ? 0 : INFINITY;
            for (size_t i = 0; i < p->n && status == GSL_SUCCESS; i++)
                worst = fmax(worst, fabs(s->error[i]) *
                                        bk_step_weight(s->Gamma[i], s->z[i], Y + h, o->refine));
            const double factor = BK_SAFETY * pow(worst, -1 / ORDER);
            tried = h;
            h *= worst > 1 ? fmax(BK_SHRINK, fmin(factor, 0.9)) : fmin(GROWTH, factor);
        } while (!(worst <= 1));
        for (size_t i = 0; i < p->n; i++) {
            s->z[i] = s->Gamma[i] - bk_step_Gamma(s->Gamma[i], s->z[i]);
            s->Gamma[i] -= s->z[i];
        }
        Y = tried == fitted ? end : Y + tried;
        h = fmin(h, BK_LARGEST_STEP / o->refine);
    }
}

cgct_status bk_path_run(bk_path *p, bk_grid *g, const bk_opts *o, cgct_err *err)
{
    const size_t n = g->n;
    *p = (bk_path){.n = n};
    bk_step s = {.grid = g};
    const array_part part[] = {ARRAY_PART(s.Gamma, n), ARRAY_PART(s.f, n), ARRAY_PART(s.z, n),
                               ARRAY_PART(s.error, n), ARRAY_PART(s.k, n)};
    void *arrays = ARRAYS(part);
    gsl_odeiv2_step *rk =
        memory_or_end(gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, n), n, sizeof(double));
    make_kernel(&s);
    for (size_t i = 0; i < n; i++) s.Gamma[i] = bk_start_Gamma(g->o.start, g->t[i]);
    const cgct_status st = run_steps(p, &s, rk, o, err);
    gsl_odeiv2_step_free(rk);
    free(arrays);
    bk_values_free(&s.values);
    bk_kernel_free(&s.kernel);
    return st;
}

void bk_path_free(bk_path *p)
{
    free(p->Y);
    *p = (bk_path){0};
}

/* Weights of values and slopes of the Hermite polynomial through m steps at Y. */
static void hermite_weights(const double *node, size_t m, double Y, double *value, double *slope)
{
    for (size_t i = 0; i < m; i++) {
        double l = 1, d = 0;
        for (size_t k = 0; k < m; k++) {
            if (k == i) continue;
            l *= (Y - node[k]) / (node[i] - node[k]);
            d += 1 / (node[i] - node[k]);
        }
        value[i] = (1 - 2 * d * (Y - node[i])) * l * l;
        slope[i] = (Y - node[i]) * l * l;
    }
}

void bk_path_at(const bk_path *p, double Y, double *lnGamma)
{
    size_t i = 0;
    while (i + 2 < p->steps && Y >= p->Y[i + 1]) i++;
    size_t first = i, last = i + 1; /* Y[first] <= Y <= Y[last] */
    while (first > 1 && i - first < SIDE - 1 && p->Y[first - 1] > REACH * Y) first--;
    while (last + 1 < p->steps && last - i < SIDE) last++;
    const size_t m = last - first + 1;
    double value[2 * SIDE], slope[2 * SIDE];
    hermite_weights(p->Y + first, m, Y, value, slope);
    memset(lnGamma, 0, p->n * sizeof *lnGamma);
    for (size_t k = 0; k < m; k++) {
        const double *f = p->f + (first + k) * p->n, *rate = p->rate + (first + k) * p->n;
        for (size_t j = 0; j < p->n; j++) lnGamma[j] += value[k] * f[j] + slope[k] * rate[j];
    }
    const double u = (Y - p->Y[i]) / (p->Y[i + 1] - p->Y[i]), *f = p->f + i * p->n;
    for (size_t j = 0; j < p->n; j++) {
        const double straight = (1 - u) * f[j] + u * f[p->n + j];
        if (!(fabs(lnGamma[j] - straight) < FURTHEST)) lnGamma[j] = straight;
    }
}
