/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk.c: a solution of the BK equation as a source of dipoles: its initial condition, and one spline
 * of ln Gamma for each x. */
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

/* ---- where the evolution begins ----
 *
 * The dipole of a set, of own parameters or of a table file, for a proton or for a nucleus at one
 * impact parameter.
 *
 * Nucleus in the optical Glauber model, T = A T_A(b) sigma0/2:
 *     T >= 1   Gamma_A(r; b) = T Gamma_p(r) at x_initial, evolved on its own;
 *     T < 1    Qs would lie below the proton's: the dipole is the proton's at every x, and the
 *              cross section per area is T times the proton's. */

#define HALF_SIGMA0_MAX 1000.0 /* mb */

static int bk_has_file(const dipole_opts *o)
{
    return o->initial && *o->initial;
}

static const char *bk_set_name(const dipole_opts *o)
{
    return o->set && *o->set ? o->set : "mv";
}

double dipole_bk_half_sigma0(const dipole_opts *o)
{
    const bk_set *set = bk_has_file(o) ? NULL : bk_set_named(bk_set_name(o));
    return o->half_sigma0 || !set ? o->half_sigma0 : set->half_sigma0;
}

/* Initial condition and C2: of the set, where the options leave them 0. */
static cgct_status bk_from_set(const dipole_opts *o, bk_opts *b, cgct_err *err)
{
    const bk_set *set = bk_set_named(bk_set_name(o));
    if (!set)
        return cgct_fail(err, CGCT_E_CONFIG, "dipole bk: no set '%.40s'; there are %s",
                         bk_set_name(o), BK_SET_NAMES);
    b->initial = set->initial;
    if (o->Qs0sq) b->initial.Qs0sq = o->Qs0sq;
    if (o->gamma) b->initial.gamma = o->gamma;
    if (o->ec) b->initial.ec = o->ec;
    if (o->Lambda) b->initial.Lambda = o->Lambda;
    if (!b->coupling.C2) b->coupling.C2 = set->C2;
    return CGCT_OK;
}

/* Nothing but the file says what the initial condition is, and no set supplies C2. */
static cgct_status bk_check_file(const dipole_opts *o, cgct_err *err)
{
    if (o->set && *o->set)
        return cgct_fail(
            err, CGCT_E_CONFIG,
            "dipole bk: set = %.40s and initial = %.200s exclude each other; leave set "
            "out and give its C2 and half_sigma0",
            o->set, o->initial);
    const char *name = o->Qs0sq ? "Qs0sq" : o->gamma ? "gamma" : "ec";
    const double given = o->Qs0sq ? o->Qs0sq : o->gamma ? o->gamma : o->ec;
    if (given)
        return cgct_fail(
            err, CGCT_E_CONFIG,
            "dipole bk: %s = %.9g has no meaning beside initial = %.200s; leave it out", name,
            given, o->initial);
    if (o->bk.coupling.C2 || o->bk.coupling.scheme == BK_FIXED) return CGCT_OK;
    return cgct_fail(err, CGCT_E_CONFIG,
                     "dipole bk: initial = %.200s needs C2, the scale of alpha_s, which no set "
                     "supplies; set dipole.C2 (or coupling = fixed)",
                     o->initial);
}

/* ln Gamma of the file, times the thickness. */
static double file_lnGamma(const void *of, double lnr)
{
    const dipole_source *s = of;
    double f, slope, bend;
    dipole_spline_jet(s->start->spline, lnr, &f, &slope, &bend);
    return f + log(fmax(s->thickness, 1));
}

static cgct_status bk_from_file(dipole_source *s, bk_opts *b, cgct_err *err)
{
    const dipole_opts *o = &s->o;
    const dipole_opts file = {.kind = DIPOLE_TABLE,
                              .path = o->initial,
                              .x0 = o->x0,
                              .is_S = o->is_S,
                              .smooth = o->smooth,
                              .shake = o->shake};
    CGCT_TRY(bk_check_file(o, err));
    CGCT_TRY(dipole_source_open(&s->table, &file, err));
    cgct_status st = dipole_init(&s->start, s->table, o->x_initial, err);
    if (st != CGCT_OK)
        return cgct_context(err, st, "dipole.initial at x_initial = %.9g", o->x_initial);
    b->profile = (bk_profile){file_lnGamma, s};
    return CGCT_OK;
}

/* Initial condition, C2 and nucleus from the options: fills b, and table, start, thickness and
 * o.half_sigma0 of s. */
static cgct_status bk_initial_of(dipole_source *s, bk_opts *b, cgct_err *err)
{
    dipole_opts *o = &s->o;
    nucleus n;
    *b = o->bk;
    if (!(o->half_sigma0 >= 0 && o->half_sigma0 <= HALF_SIGMA0_MAX))
        return cgct_fail(err, CGCT_E_CONFIG, "dipole bk: half_sigma0 = %.9g mb, allowed is 0 to %g",
                         o->half_sigma0, HALF_SIGMA0_MAX);
    if (!(o->b >= 0 && o->b <= NUCLEUS_B_MAX))
        return cgct_fail(err, CGCT_E_CONFIG, "dipole bk: b = %.9g fm, allowed is 0 to %d", o->b,
                         NUCLEUS_B_MAX);
    if (o->b > 0 && (o->nucleus == 0 || o->nucleus == 1))
        return cgct_fail(
            err, CGCT_E_CONFIG,
            "dipole bk: b = %.9g fm is for a nucleus; set dipole.nucleus, or leave b out", o->b);
    CGCT_TRY(bk_has_file(o) ? bk_from_file(s, b, err) : bk_from_set(o, b, err));
    if (o->Lambda) b->coupling.Lambda = o->Lambda;
    CGCT_TRY(bk_opts_check(b, err));
    o->bk = *b;
    o->half_sigma0 = dipole_bk_half_sigma0(o);
    s->thickness = 1;
    if (o->nucleus == 0 || o->nucleus == 1) return CGCT_OK;
    if (!(o->half_sigma0 > 0))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "dipole bk: a nucleus with initial = %.200s needs sigma0/2 of the proton; "
                         "set dipole.half_sigma0 (mb)",
                         o->initial);
    CGCT_TRY(nucleus_init(&n, o->nucleus, err));
    s->thickness = n.A * nucleus_thickness(&n, o->b) * o->half_sigma0 * NUCLEUS_FM2_PER_MB;
    nucleus_free(&n);
    /* of the formula, T times Gamma is another Qs0^2 */
    if (s->thickness > 1) b->initial.Qs0sq *= pow(s->thickness, 1 / b->initial.gamma);
    return CGCT_OK;
}

/* ---- the source ---- */

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
    CGCT_TRY(bk_initial_of(s, &b, err));
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
