/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_solve.c: a BK solution with its accuracy, from two runs of different resolution. */
#include <math.h>
#include <stdlib.h>

#include "dipole/bk_impl.h"

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

cgct_status bk_run_grid(bk_solution *s, double tmax, cgct_err *err)
{
    const bk_grid_opts o = {log(R_MIN), tmax, s->o.refine, &s->o.profile, &s->alpha, s->o.Ymax};
    return bk_grid_init(&s->grid, &o, err);
}

static cgct_status solve_once(bk_solution *s, double tmax, cgct_err *err)
{
    CGCT_TRY(bk_run_grid(s, tmax, err));
    if (s->alpha.equation != BK_CONSTRAINED && s->alpha.equation != BK_TARGET)
        return bk_path_run(&s->path, &s->grid, &s->o, err);
    bk_kernel k;
    CGCT_TRY(bk_kernel_init(&k, &s->grid, err));
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
static cgct_status compare_solutions(bk_solution *s, cgct_err *err)
{
    const bk_solution *c = s->coarser;
    double *fine = malloc((s->grid.n + c->grid.n) * sizeof *fine);
    if (!fine) return cgct_fail(err, CGCT_E_NOMEM, "dipole bk: out of memory");
    double *coarse = fine + s->grid.n;
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
    return CGCT_OK;
}

cgct_status bk_solve(bk_solution **out, const bk_opts *opts, cgct_err *err)
{
    *out = NULL;
    bk_solution *s = calloc(1, sizeof *s), *coarse = calloc(1, sizeof *s);
    if (!s || !coarse) {
        free(s);
        free(coarse);
        return cgct_fail(err, CGCT_E_NOMEM, "dipole bk: out of memory");
    }
    s->o = *opts;
    cgct_status st = bk_opts_check(&s->o, err);
    bk_alpha_init(&s->alpha, &s->o.coupling);
    if (!s->o.profile.lnGamma) s->o.profile = (bk_profile){bk_initial_lnGamma, &s->o.initial};
    *coarse = *s;
    coarse->o.refine /= COARSER;
    s->coarser = coarse;
    int found = 0;
    if (st == CGCT_OK && s->o.keeper) st = bk_kept_find(s, &found, err);
    if (st == CGCT_OK && !found) {
        bk_free_run(s);
        bk_free_run(coarse);
        st = solve_coarse(coarse, err);
        s->reach = coarse->reach;
        if (st == CGCT_OK) st = solve_once(s, s->reach + MARGIN, err);
        if (st == CGCT_OK && s->o.keeper) bk_kept_keep(s);
    }
    if (st == CGCT_OK) st = compare_solutions(s, err);
    if (st == CGCT_OK)
        *out = s;
    else
        bk_free(s);
    return st;
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
