/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk.c: a solution of the BK equation as a source of dipoles, one spline of ln Gamma for each x. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/bk_impl.h"
#include "dipole/dipole_impl.h"
#include "dipole/nucleus.h"
#include "numerics/memory.h"

#define X_INITIAL 0.01
#define Y_DEFAULT 7.0
#define Y_LARGEST 30.0
/* Shortest evolution, for tables at x_initial alone. */
#define Y_LEAST 0.01
/* Relative tolerance at both ends of the range in x. */
#define BK_X_SLACK 1e-12

static const char *const scheme_names[] = {[BK_BALITSKY] = "balitsky",
                                           [BK_PARENT] = "parent",
                                           [BK_SMALLEST] = "smallest",
                                           [BK_FIXED] = "fixed"};

static const char *const equation_names[] = {
    [BK_LO] = "lo", [BK_RESUM] = "resum", [BK_CONSTRAINED] = "kc", [BK_TARGET] = "t"};
/* What the equation evolves in, ln(x_initial/x). */
static const char *const equation_rapidities[] = {[BK_LO] = "Y",
                                                  [BK_RESUM] = "Y",
                                                  [BK_CONSTRAINED] = "projectile rapidity Y",
                                                  [BK_TARGET] = "target rapidity eta"};

cgct_status bk_equation_named(const char *name, bk_equation *equation, cgct_err *err)
{
    for (bk_equation e = BK_LO; e <= BK_TARGET; e++)
        if (strcmp(name, equation_names[e]) == 0) return *equation = e, CGCT_OK;
    return cgct_fail(err, CGCT_E_CONFIG, "dipole bk: no equation '%.40s'; want lo, resum, kc or t",
                     name);
}

cgct_status bk_scheme_named(const char *name, bk_scheme *scheme, cgct_err *err)
{
    for (bk_scheme s = BK_BALITSKY; s <= BK_FIXED; s++)
        if (strcmp(name, scheme_names[s]) == 0) return *scheme = s, CGCT_OK;
    return cgct_fail(err, CGCT_E_CONFIG,
                     "dipole bk: no coupling '%.40s'; want balitsky, parent, smallest or fixed",
                     name);
}

cgct_status dipole_bk_open(dipole_source *s, cgct_err *err)
{
    dipole_opts *o = &s->o;
    if (!o->x_initial) o->x_initial = X_INITIAL;
    if (!(o->x_initial > 0 && o->x_initial <= 1))
        return cgct_fail(err, CGCT_E_CONFIG, "dipole bk: x_initial = %.9g; want it in (0, 1]",
                         o->x_initial);
    if (!(o->xmin <= o->x_initial * (1 + BK_X_SLACK)))
        return cgct_fail(err, CGCT_E_RANGE,
                         "dipole bk: x = %.9g lies above x_initial = %.9g, where the evolution "
                         "begins; ask for smaller x or raise dipole.x_initial",
                         o->xmin, o->x_initial);
    if (o->xmin > 0 && log(o->x_initial / o->xmin) > Y_LARGEST)
        return cgct_fail(err, CGCT_E_RANGE,
                         "dipole bk: x = %.9g lies %.6g in Y from x_initial = %.9g, at most %g are "
                         "allowed; ask for x above %.3g",
                         o->xmin, log(o->x_initial / o->xmin), o->x_initial, Y_LARGEST,
                         o->x_initial * exp(-Y_LARGEST));
    o->bk.Ymax = o->xmin > 0 ? fmax(log(o->x_initial / o->xmin), Y_LEAST) : Y_DEFAULT;
    s->xmin = o->x_initial * exp(-o->bk.Ymax) * (1 - BK_X_SLACK);
    s->xmax = o->x_initial * (1 + BK_X_SLACK);
    bk_opts b;
    CGCT_TRY(dipole_bk_initial(s, &b, err));
    CGCT_TRY(bk_solve(&s->bk, &b, err));
    s->shown = s->bk;
    return CGCT_OK;
}

void dipole_bk_describe_accuracy(const dipole_source *s, FILE *to)
{
    double lnGamma = 0, lnS = 0, share;
    for (size_t i = 0; i < dipole_source_parts(s); i++) {
        const bk_accuracy *a = dipole_source_part(s, i, &share)->bk->accuracy;
        for (int k = 0; k < BK_ACCURACIES; k++) {
            lnGamma = fmax(lnGamma, a[k].lnGamma);
            lnS = fmax(lnS, a[k].lnS);
        }
    }
    fprintf(to, "ln(-ln S) to %.1e, ln S below 1e-12 to %.1e", lnGamma, lnS);
}

void dipole_bk_describe(const dipole_source *s, FILE *to)
{
    const dipole_opts *o = &s->o;
    const bk_initial *i = &o->bk.initial;
    const bk_coupling *c = &o->bk.coupling;
    fputs("bk ", to);
    if (o->nucleus > 1)
        fprintf(to, "nucleus A = %d at b = %.15g fm, %s %.15g times the proton's: ", o->nucleus,
                o->b, s->thickness < 1 ? "dipole of the proton, cross section" : "Gamma",
                s->thickness);
    if (s->table)
        fprintf(to, "%s, taken at x = %.15g, Lambda = %.15g GeV", s->table->describe, o->x_initial,
                c->Lambda);
    else
        fprintf(to,
                "Qs0sq = %.15g GeV^2, gamma = %.15g, ec = %.15g, Lambda = %.15g GeV at x = %.15g",
                i->Qs0sq, i->gamma, i->ec, i->Lambda, o->x_initial);
    if (o->half_sigma0 > 0)
        fprintf(to, ", sigma0/2 = %.6g mb = %.6g GeV^-2", o->half_sigma0,
                o->half_sigma0 * NUCLEUS_FM2_PER_MB / (NUCLEUS_HBARC * NUCLEUS_HBARC));
    fprintf(to, ", equation %s, %s = ln(x_initial/x), coupling %s, ", equation_names[c->equation],
            equation_rapidities[c->equation], scheme_names[c->scheme]);
    if (c->scheme == BK_FIXED)
        fprintf(to, "alpha = %.15g", c->alpha);
    else
        fprintf(to, "C2 = %.15g, Nf = %.15g, cap = %.15g, c = %.15g", c->C2, c->Nf, c->cap,
                c->freeze == BK_SHARP ? 0 : c->c);
    fprintf(to, ", x from %.6g to %.6g, ", s->xmin, s->xmax);
    dipole_bk_describe_accuracy(s, to);
}

cgct_status dipole_bk_init(dipole *d, const dipole_source *src, double x, cgct_err *err)
{
    const bk_solution *s = src->shown;
    const double Y = fmin(fmax(log(src->o.x_initial / x), 0), s->o.Ymax), *t = s->grid.t;
    const size_t most = 2 * s->grid.n - 1 + DIPOLE_TAIL_KNOTS;
    double *at;
    long double *y, *f;
    const array_part part[] = {ARRAY_PART(at, s->grid.n), ARRAY_PART(y, most), ARRAY_PART(f, most)};
    void *arrays = ARRAYS(part);
    const cgct_status st = bk_at(s, Y, at, err);
    if (st == CGCT_OK) {
        /* up to the first node with S < 1e-60: beyond, a solution is only kept positive; close to
         * x_initial its S may rise again there, and a continuation of that would end at S = 1 */
        size_t last = 0;
        while (last + 1 < s->grid.n && at[last] < log(BK_GAMMA_PROMISED)) last++;
        /* knots: these nodes, the points halfway between them, and a continuation */
        for (size_t i = 0; i <= 2 * last; i++) {
            y[i] = i % 2 ? 0.5 * (t[i / 2] + t[i / 2 + 1]) : t[i / 2];
            f[i] = i % 2 ? bk_interpolate(s, at, (double)y[i]) : at[i / 2];
        }
        const size_t n = 2 * last + 1 + DIPOLE_TAIL_KNOTS;
        for (size_t i = 2 * last + 1; i < n; i++)
            y[i] = y[2 * last] + dipole_tail_step * (long double)(i - 2 * last);
        dipole_continue(n, y, 0, 2 * last, f);
        dipole_spline_init(d->spline, n, y, f);
        d->cut = exp(t[last]);
        d->r_min = exp(t[0]);
        d->power = d->spline->cell[d->spline->n].c[0];
    }
    free(arrays);
    return st;
}
