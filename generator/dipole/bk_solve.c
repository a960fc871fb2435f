/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_solve.c: a BK solution with its accuracy, from two runs of different resolution, which are
 * computed or those of a keeper. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/bk_impl.h"
#include "format/crc64.h"
#include "numerics/memory.h"

/* The coarser run. */
#define COARSER 1.3
/* Range: from R_MIN, a decade below the smallest r that is promised because the continuation to
 * smaller r is felt there, to where S stays below 1e-60 at all Y, plus MARGIN in ln r. */
#define R_MIN 1e-8
#define R_PROMISED 1e-6
#define GAMMA_SMALL_S 27.631
#define MARGIN 0.35
/* First guess of the upper end: Gamma at Y = 0; how often it may double. */
#define GAMMA_GUESS 8000.0
#define TRIES 8
/* The two runs are compared at some Y before each one at which an accuracy is stated as well, for
 * their difference passes through zero: number of Y, and their ratio. */
enum { AROUND = 6 };
#define AROUND_RATIO 0.9

void bk_run_grid(bk_solution *s, double tmax)
{
    const bk_grid_opts o = {log(R_MIN), tmax, s->o.refine, &s->o.profile, &s->alpha, s->o.Ymax};
    bk_grid_init(&s->grid, &o);
}

static cgct_status solve_once(bk_solution *s, double tmax, cgct_err *err)
{
    bk_run_grid(s, tmax);
    if (s->alpha.equation != BK_CONSTRAINED && s->alpha.equation != BK_TARGET)
        return bk_path_run(&s->path, &s->grid, &s->o, err);
    bk_kernel k;
    bk_kernel_init(&k, &s->grid);
    cgct_status st = bk_delay_run(&s->path, &k, &s->o, 0, err);
    bk_kernel_free(&k);
    return st;
}

static void bk_free_run(bk_solution *s)
{
    bk_grid_free(&s->grid);
    bk_path_free(&s->path);
}

/* Smallest ln r above which Gamma > BK_GAMMA_PROMISED at every step; infinity where there is
 * none. */
static double find_reach(const bk_solution *s)
{
    const size_t n = s->grid.n;
    size_t j = n;
    while (j > 0) {
        double least = INFINITY;
        for (size_t i = 0; i < s->path.steps; i++) least = fmin(least, s->path.f[i * n + j - 1]);
        if (least < log(BK_GAMMA_PROMISED)) break;
        j--;
    }
    return j < n ? s->grid.t[j] : INFINITY;
}

/* The coarse run on a range that is long enough. */
static cgct_status solve_coarse(bk_solution *s, cgct_err *err)
{
    double tmax = 0;
    while (tmax < 60 && s->o.profile.lnGamma(s->o.profile.of, tmax) < log(GAMMA_GUESS)) tmax += 0.1;
    for (int i = 0; i < TRIES; i++, tmax += 0.7) {
        CGCT_TRY(solve_once(s, tmax, err));
        s->reach = find_reach(s);
        if (s->reach + MARGIN <= tmax) return CGCT_OK;
        bk_free_run(s);
    }
    return cgct_fail(
        err, CGCT_E_ACCURACY,
        "dipole bk: S does not fall below 1e-60 up to r = %.3g/GeV; use a larger Qs0sq", exp(tmax));
}

double bk_interpolate(const bk_solution *s, const double *lnGamma, double lnr)
{
    double w[BK_STENCIL], v = 0;
    const size_t first = bk_grid_weights(&s->grid, lnr, w);
    for (int k = 0; k < BK_STENCIL; k++) v += w[k] * lnGamma[first + (size_t)k];
    return v;
}

/* Fills the accuracies: the largest differences around each Y. */
static void compare_solutions(bk_solution *s)
{
    const bk_solution *c = s->coarser;
    double *fine = memory_new(s->grid.n + c->grid.n, sizeof *fine), *coarse = fine + s->grid.n;
    for (int i = 0; i < BK_ACCURACIES; i++) {
        bk_accuracy *a = &s->accuracy[i];
        const double Y =
            i < BK_EARLY ? s->o.Ymax * (i + 1) * 1e-2 : s->o.Ymax * (i - BK_EARLY + 1) / BK_LATE;
        *a = (bk_accuracy){.Y = Y};
        for (int k = 0; k < AROUND; k++) {
            bk_path_at(&s->path, Y * pow(AROUND_RATIO, k), fine);
            bk_path_at(&c->path, Y * pow(AROUND_RATIO, k), coarse);
            for (size_t j = 0; j < s->grid.n; j++) {
                const double Gamma = exp(fine[j]), t = s->grid.t[j];
                if (t < log(R_PROMISED) || Gamma > BK_GAMMA_PROMISED) continue;
                const double d = fabs(fine[j] - bk_interpolate(c, coarse, t));
                if (Gamma < GAMMA_SMALL_S)
                    a->lnGamma = fmax(a->lnGamma, d);
                else
                    a->lnS = fmax(a->lnS, d * Gamma);
            }
        }
    }
    free(fine);
}

/* ---- a solution as numbers that a keeper stores ---- */

/* Raised when the same options give another solution, or other numbers are kept. */
#define SOLVER_REVISION 5
enum { KEY_MAX = 512, START_SAMPLES = 256 };
/* ln r between which the initial condition is sampled for the key. */
#define START_FIRST (-18.0)
#define START_STEP 0.1

static void write_key(const bk_solution *s, char key[KEY_MAX])
{
    const bk_coupling *c = &s->o.coupling;
    double start[START_SAMPLES]; /* the initial condition counts by its values: it may be any */
    for (int i = 0; i < START_SAMPLES; i++)
        start[i] = s->o.profile.lnGamma(s->o.profile.of, START_FIRST + START_STEP * i);
    snprintf(key, KEY_MAX,
             "solver %d equation %d coupling %d %d C2 %.17g Lambda %.17g Nf %.17g cap %.17g "
             "c %.17g alpha %.17g Ksub %.17g Ymax %.17g refine %.17g start %016llx",
             SOLVER_REVISION, (int)c->equation, (int)c->scheme, (int)c->freeze, c->C2, c->Lambda,
             c->Nf, c->cap, c->c, c->alpha, c->Ksub, s->o.Ymax, s->o.refine,
             (unsigned long long)cgct_crc64_of(start, sizeof start));
}

/* One run: tmax, reach, nodes, steps; Y, ln Gamma and its rate at each step. */
enum { RUN_HEAD = 4 };
/* Larger tmax than any solution has. */
#define TMAX_MOST 100.0

static size_t run_size(const bk_path *p)
{
    return RUN_HEAD + p->steps * (1 + 2 * p->n);
}

static double *put_path(double *to, const bk_solution *s)
{
    const bk_path *p = &s->path;
    const double head[RUN_HEAD] = {s->grid.o.tmax, s->reach, (double)p->n, (double)p->steps};
    memcpy(to, head, sizeof head);
    memcpy(to += RUN_HEAD, p->Y, p->steps * sizeof *to);
    memcpy(to += p->steps, p->f, p->steps * p->n * sizeof *to);
    memcpy(to += p->steps * p->n, p->rate, p->steps * p->n * sizeof *to);
    return to + p->steps * p->n;
}

/* Both runs to s->o.keeper. */
static void bk_kept_keep(const bk_solution *s)
{
    const size_t n = run_size(&s->path) + run_size(&s->coarser->path);
    double *numbers = memory_new(n, sizeof *numbers);
    char key[KEY_MAX];
    put_path(put_path(numbers, s), s->coarser);
    write_key(s, key);
    s->o.keeper->keep(s->o.keeper->self, key, n, numbers);
    free(numbers);
}

/* Whether these are the numbers of a run: all finite, Y rising from 0 to Ymax. */
static int is_path(const bk_solution *s, const double *at, size_t n, size_t steps)
{
    const double *Y = at + RUN_HEAD;
    int good = Y[0] == 0 && Y[steps - 1] >= s->o.Ymax;
    for (size_t i = 1; i < steps; i++) good &= Y[i] > Y[i - 1];
    for (size_t i = 0; i < RUN_HEAD + steps * (1 + 2 * n); i++) good &= isfinite(at[i]) != 0;
    return good;
}

/* *from moves on.  Returns 0 where the numbers are not those of such a run. */
static int take_path(bk_solution *s, const double **from, const double *end)
{
    const double *at = *from;
    if (end - at < RUN_HEAD || !(at[0] >= 0 && at[0] <= TMAX_MOST)) return 0;
    bk_run_grid(s, at[0]);
    const size_t n = s->grid.n, left = (size_t)(end - at) - RUN_HEAD;
    if (at[2] != (double)n || !(at[3] >= 2 && at[3] <= (double)(left / (1 + 2 * n))) ||
        !is_path(s, at, n, (size_t)at[3]))
        return 0;
    s->reach = at[1];
    const size_t steps = (size_t)at[3], numbers = steps * (1 + 2 * n);
    double *Y = memory_new(numbers, sizeof *Y);
    s->path = (bk_path){n, steps, steps, Y, Y + steps, Y + steps * (1 + n)};
    memcpy(Y, at + RUN_HEAD, numbers * sizeof *Y);
    *from = at + RUN_HEAD + numbers;
    return 1;
}

int bk_kept_find(bk_solution *s)
{
    char key[KEY_MAX];
    size_t n;
    write_key(s, key);
    double *numbers = s->o.keeper->find(s->o.keeper->self, key, &n);
    if (!numbers) return 0;
    const double *at = numbers;
    const int found = take_path(s, &at, numbers + n) && take_path(s->coarser, &at, numbers + n);
    free(numbers);
    return found;
}

/* ---- the solution ---- */

cgct_status bk_solve(bk_solution **out, const bk_opts *opts, cgct_err *err)
{
    *out = NULL;
    bk_solution *s = memory_zeros(1, sizeof *s), *coarse = memory_zeros(1, sizeof *s);
    s->o = *opts;
    cgct_status st = bk_opts_check(&s->o, err);
    bk_alpha_init(&s->alpha, &s->o.coupling);
    if (!s->o.profile.lnGamma) s->o.profile = (bk_profile){bk_initial_lnGamma, &s->o.initial};
    *coarse = *s;
    coarse->o.refine /= COARSER;
    s->coarser = coarse;
    if (st == CGCT_OK && !(s->o.keeper && bk_kept_find(s))) {
        bk_free_run(s);
        bk_free_run(coarse);
        st = solve_coarse(coarse, err);
        s->reach = coarse->reach;
        if (st == CGCT_OK) st = solve_once(s, s->reach + MARGIN, err);
        if (st == CGCT_OK && s->o.keeper) bk_kept_keep(s);
    }
    if (st != CGCT_OK) return bk_free(s), st;
    compare_solutions(s);
    *out = s;
    return CGCT_OK;
}

void bk_free(bk_solution *s)
{
    if (!s) return;
    bk_free_run(s);
    bk_free(s->coarser);
    free(s);
}

cgct_status bk_at(const bk_solution *s, double Y, double *lnGamma, cgct_err *err)
{
    if (!(Y >= 0 && Y <= s->o.Ymax))
        return cgct_fail(err, CGCT_E_RANGE,
                         "dipole bk: Y = %.9g, solved from 0 to %.9g; ask for a larger Ymax or "
                         "smaller x0",
                         Y, s->o.Ymax);
    if (Y > 0)
        bk_path_at(&s->path, Y, lnGamma);
    else
        for (size_t i = 0; i < s->grid.n; i++)
            lnGamma[i] = s->o.profile.lnGamma(s->o.profile.of, s->grid.t[i]);
    return CGCT_OK;
}
