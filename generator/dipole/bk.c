/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk.c: a solution of the BK equation as a source of dipoles, one spline of ln Gamma for each x. */
#include "dipole/bk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/dipole_impl.h"

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
    for (size_t i = 0; i < sizeof equation_names / sizeof *equation_names; i++)
        if (strcmp(name, equation_names[i]) == 0) {
            *equation = (bk_equation)i;
            return CGCT_OK;
        }
    return cgct_fail(err, CGCT_E_CONFIG, "dipole bk: no equation '%.40s'; want lo, resum, kc or t",
                     name);
}

cgct_status bk_scheme_named(const char *name, bk_scheme *scheme, cgct_err *err)
{
    for (size_t i = 0; i < sizeof scheme_names / sizeof *scheme_names; i++)
        if (strcmp(name, scheme_names[i]) == 0) {
            *scheme = (bk_scheme)i;
            return CGCT_OK;
        }
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
        const bk_accuracy *a;
        const size_t n = bk_accuracies(dipole_source_part(s, i, &share)->bk, &a);
        for (size_t k = 0; k < n; k++) {
            lnGamma = fmax(lnGamma, a[k].lnGamma);
            lnS = fmax(lnS, a[k].lnS);
        }
    }
    fprintf(to, "ln(-ln S) to %.1e, ln S below 1e-12 to %.1e", lnGamma, lnS);
}

void dipole_bk_describe(const dipole_source *s, FILE *to)
{
    const bk_coupling *c = &s->o.bk.coupling;
    dipole_bk_describe_initial(s, to);
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

/* ln Gamma on knots y: the first `nodes` nodes, the points halfway between them, and
 * DIPOLE_TAIL_KNOTS more. */
static void bk_fill_knots(const bk_solution *s, size_t nodes, const double *at, long double *y,
                          long double *f)
{
    const double *t;
    const size_t last = 2 * nodes - 2;
    bk_nodes(s, &t);
    for (size_t i = 0; i < nodes; i++) {
        y[2 * i] = t[i];
        f[2 * i] = at[i];
        if (i + 1 == nodes) break;
        double half = 0.5 * (t[i] + t[i + 1]), value;
        bk_interpolate(s, at, 1, &half, &value);
        y[2 * i + 1] = half;
        f[2 * i + 1] = value;
    }
    for (size_t i = 1; i <= DIPOLE_TAIL_KNOTS; i++)
        y[last + i] = y[last] + dipole_tail_step * (long double)i;
    dipole_continue(last + 1 + DIPOLE_TAIL_KNOTS, y, 0, last, f);
}

cgct_status dipole_bk_init(dipole *d, const dipole_source *src, double x, cgct_err *err)
{
    const double Y = fmin(fmax(log(src->o.x_initial / x), 0), bk_Ymax(src->shown)), *t;
    const size_t all = bk_nodes(src->shown, &t), most = 2 * all - 1 + DIPOLE_TAIL_KNOTS;
    double *at = malloc(all * sizeof *at);
    long double *y = malloc(2 * most * sizeof *y);
    cgct_status st = at && y ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "dipole bk: out of memory");
    if (st == CGCT_OK) st = bk_at(src->shown, Y, at, err);
    if (st == CGCT_OK) {
        /* up to the first node with S < 1e-60: beyond, a solution is only kept positive; close to
         * x_initial its S may rise again there, and a continuation of that would end at S = 1 */
        size_t nodes = 0;
        while (nodes < all && at[nodes] < log(BK_GAMMA_PROMISED)) nodes++;
        if (nodes < all) nodes++;
        const size_t n = 2 * nodes - 1 + DIPOLE_TAIL_KNOTS;
        bk_fill_knots(src->shown, nodes, at, y, y + n);
        d->cut = exp(t[nodes - 1]);
        st = dipole_spline_init(d->spline, n, y, y + n, err);
    }
    if (st == CGCT_OK) {
        d->power = d->spline->cell[d->spline->n].c[0];
        d->r_min = exp(t[0]);
    }
    free(at);
    free(y);
    return st;
}
