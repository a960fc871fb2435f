/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_initial.c: where the evolution begins: the dipole of a set, of own parameters or of a table
 * file, for a proton or for a nucleus at one impact parameter.
 *
 * Nucleus in the optical Glauber model, T = A T_A(b) sigma0/2:
 *     T >= 1   Gamma_A(r; b) = T Gamma_p(r) at x_initial, evolved on its own;
 *     T < 1    Qs would lie below the proton's: the dipole is the proton's at every x, and the
 *              cross section per area is T times the proton's. */
#include <math.h>

#include "dipole/dipole_impl.h"
#include "dipole/nucleus.h"

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

cgct_status dipole_bk_initial(dipole_source *s, bk_opts *b, cgct_err *err)
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
