/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole.c: the interface that all dipoles share: opening and describing a source, the dipole at
 * one x, and the choice of model or table. */
#include "dipole/dipole.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dipole/dipole_impl.h"
#include "dipole/nucleus.h"
#include "numerics/memory.h"

/* Relative tolerance at the ends of the x range: rapidities in files are rounded when printed. */
#define X_SLACK 1e-9
/* Below this R^2 (GeV^-2), far below any length of the problem, L(sqrt(R2)) counts as 0. */
#define R2_ZERO 1e-100

static cgct_status dipole_table_open(dipole_source *s, cgct_err *err)
{
    dipole_grid *g = s->grid;
    CGCT_TRY(dipole_grid_read(g, s->name, s->o.is_S, s->o.x0, err));
    s->lo = memory_new(2 * g->ny, sizeof *s->lo);
    s->hi = s->lo + g->ny;
    for (size_t iy = 0; iy < g->ny; iy++)
        CGCT_TRY(dipole_grid_usable(g, iy, s->name, &s->lo[iy], &s->hi[iy], err));
    if (g->has_x) {
        s->xmax = g->x0.value * exp(-g->Y[0]) * (1 + X_SLACK);
        s->xmin = g->x0.value * exp(-g->Y[g->ny - 1]) * (1 - X_SLACK);
        if (g->ny > 1) s->x_second = g->x0.value * exp(-g->Y[1]) * (1 + X_SLACK);
    }
    dipole_noise_measure(s);
    return CGCT_OK;
}

/* Writes cut and power at one x, which also verifies that the dipole exists there. */
static cgct_status dipole_describe_cut(const dipole_source *s, double x, FILE *to, cgct_err *err)
{
    dipole *d;
    CGCT_TRY(dipole_init(&d, s, x, err));
    fprintf(to, ", r^%.4g from r = %.4g", d->power, d->cut);
    if (s->o.smooth > 0) fprintf(to, ", smoothing moves S by %.1e", d->moved);
    if (s->grid->has_x) fprintf(to, " at x = %.4g", x);
    dipole_free(d);
    return CGCT_OK;
}

static cgct_status dipole_describe_table(const dipole_source *s, FILE *to, cgct_err *err)
{
    const dipole_grid *g = s->grid;
    fprintf(to, "table %.200s, crc64 %016" PRIx64 ", layout %s, %zu r x %zu Y, ", s->name,
            g->checksum, g->layout, g->nr, g->ny);
    dipole_noise_describe(s->noise, to);
    fputs(", ", to);
    if (s->o.smooth > 0) fprintf(to, "smoothed over %.6g in ln r, ", s->o.smooth);
    if (!g->has_x) {
        fprintf(to, "no x in the file (the same at every x)");
        return dipole_describe_cut(s, 1, to, err);
    }
    fprintf(to, "x from %.6g to %.6g", s->xmin, s->xmax);
    CGCT_TRY(dipole_describe_cut(s, s->xmax, to, err));
    return g->ny > 1 ? dipole_describe_cut(s, s->xmin, to, err) : CGCT_OK;
}

static cgct_status dipole_source_fill(dipole_source *s, cgct_err *err)
{
    const char *const models[] = {[DIPOLE_GBW] = "gbw", [DIPOLE_MV] = "mv", [DIPOLE_BK] = "bk"};
    const char *name = s->kind == DIPOLE_TABLE ? s->o.path : models[s->kind];
    if (!name || !*name)
        return cgct_fail(err, CGCT_E_CONFIG, "dipole table: no file named; set dipole.file");
    s->name = memory_copy_text(name);
    if (s->kind == DIPOLE_GBW) return dipole_gbw_defaults(&s->o, err);
    if (s->kind == DIPOLE_MV) return dipole_mv_defaults(&s->o, err);
    if (s->kind == DIPOLE_BK && s->o.impacts) return dipole_impacts_open(s, err);
    if (s->kind == DIPOLE_BK) return dipole_bk_open(s, err);
    return dipole_table_open(s, err);
}

static cgct_status dipole_describe(const dipole_source *s, FILE *to, cgct_err *err)
{
    const dipole_opts *o = &s->o;
    const dipole_impacts *p = &s->impacts;
    if (p->n)
        fprintf(to,
                "nucleus A = %d integrated over b: %zu nodes up to %.6g fm, beyond it the proton, "
                "S_perp = %.9g GeV^-2, ",
                o->nucleus, p->n - 1, p->b[p->n - 1], s->area);
    if (s->kind == DIPOLE_TABLE)
        CGCT_TRY(dipole_describe_table(s, to, err));
    else if (s->kind == DIPOLE_BK)
        dipole_bk_describe(p->n ? p->source[p->n - 1] : s, to);
    else if (s->kind == DIPOLE_GBW)
        fprintf(to, "gbw Q0 = %.15g GeV, x0 = %.15g, lambda = %.15g", o->Q0, o->x0, o->lambda);
    else
        fprintf(to,
                "mv Qs0sq = %.15g GeV^2, gamma = %.15g, ec = %.15g, Lambda = %.15g GeV (the same "
                "at every x)",
                o->Qs0sq, o->gamma, o->ec, o->Lambda);
    if (o->Nc > 0) fprintf(to, ", correlator of Nc = %.15g", o->Nc);
    if (o->singlet) fputs(", colour-singlet part", to);
    if (o->process == PROCESS_QG) fputs(", times S(b)", to);
    if (o->process == PROCESS_GG) fputs(", times S(b) S(Delta+b)", to);
    return CGCT_OK;
}

static void dipole_describe_accuracy(const dipole_source *s, FILE *to)
{
    if (s->kind == DIPOLE_TABLE)
        dipole_noise_describe(s->noise, to);
    else if (s->kind == DIPOLE_BK)
        dipole_bk_describe_accuracy(s, to);
    else
        fputs("closed form", to);
    if (s->table) {
        fprintf(to, "; %s: ", s->table->name);
        dipole_noise_describe(s->table->noise, to);
    }
}

/* Fills describe and accuracy. */
static cgct_status dipole_write_lines(dipole_source *s, cgct_err *err)
{
    size_t size[2];
    FILE *describe = memory_text_open(&s->describe, &size[0]);
    FILE *accuracy = memory_text_open(&s->accuracy, &size[1]);
    const cgct_status st = dipole_describe(s, describe, err);
    dipole_describe_accuracy(s, accuracy);
    memory_text_close(describe);
    memory_text_close(accuracy);
    return st;
}

/* Refuses what would change the dipole of no other kind than bk, and x0 where bk has none. */
static cgct_status dipole_check_kind(const dipole_opts *o, cgct_err *err)
{
    const int initial = o->initial && *o->initial;
    const char *name = initial ? "initial" : o->nucleus > 1 ? "nucleus" : "b";
    if (o->x0 != 0 && o->kind != DIPOLE_GBW && !(o->x0 > 0 && o->x0 <= 1))
        return cgct_fail(err, CGCT_E_CONFIG, "dipole: x0 = %.9g; want it in (0, 1]", o->x0);
    if (o->x0 != 0 && o->kind == DIPOLE_BK && !initial)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "dipole bk: x0 = %.9g is for gbw and for files; an evolution begins at "
                         "x_initial: set dipole.x0 = 0",
                         o->x0);
    if (o->kind == DIPOLE_BK || (!initial && o->nucleus <= 1 && o->b == 0 && !o->impacts))
        return CGCT_OK;
    return cgct_fail(err, CGCT_E_CONFIG,
                     "dipole: %s is for kind = bk alone; set dipole.kind = bk or leave it out",
                     name);
}

cgct_status dipole_source_open(dipole_source **src, const dipole_opts *o, cgct_err *err)
{
    *src = NULL;
    if (o->kind < DIPOLE_GBW || o->kind > DIPOLE_BK)
        return cgct_fail(err, CGCT_E_CONFIG, "dipole: kind %d; want gbw, mv, table or bk",
                         (int)o->kind);
    CGCT_TRY(dipole_check_kind(o, err));
    if (o->Nc != 0 && !(o->Nc >= 2 && isfinite(o->Nc)))
        return cgct_fail(err, CGCT_E_CONFIG, "correlator.Nc = %g; want a number from 2 on, or inf",
                         o->Nc);
    if (o->singlet && o->Nc == 0)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "correlator.channel = singlet vanishes for correlator.Nc = inf; set "
                         "correlator.Nc = 3");
    if (o->process != PROCESS_DIS && o->Nc != 0)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "correlator.Nc = %g: dijets of a proton are computed for infinitely many "
                         "colours only; set correlator.Nc = inf",
                         o->Nc);
    dipole_source *s = memory_new(1, sizeof *s);
    *s = (dipole_source){.kind = o->kind,
                         .o = *o,
                         .xmax = 1,
                         .Nc = o->Nc > 0 ? o->Nc : INFINITY,
                         .grid = memory_zeros(1, sizeof(dipole_grid)),
                         .noise = memory_zeros(1, sizeof(dipole_noise))};
    cgct_status st = dipole_source_fill(s, err);
    if (st == CGCT_OK) st = dipole_write_lines(s, err);
    if (st != CGCT_OK) return dipole_source_close(s), st;
    s->depends_on_x = s->kind == DIPOLE_TABLE
                          ? s->grid->has_x
                          : s->kind == DIPOLE_BK || (s->kind == DIPOLE_GBW && s->o.lambda != 0);
    s->x0 = s->impacts.n ? s->impacts.source[0]->x0 : &(s->table ? s->table : s)->grid->x0;
    if (s->kind == DIPOLE_BK && !s->impacts.n && s->o.nucleus <= 1)
        s->area = s->o.half_sigma0 * NUCLEUS_FM2_PER_MB / (NUCLEUS_HBARC * NUCLEUS_HBARC);
    *src = s;
    return CGCT_OK;
}

void dipole_source_close(dipole_source *src)
{
    if (!src) return;
    if (src->grid) free(src->grid->arrays), free(src->grid->x0.text);
    free(src->grid);
    free(src->noise);
    free(src->lo);
    free(src->warning);
    bk_free(src->bk);
    dipole_free(src->start);
    dipole_source_close(src->table);
    for (size_t i = 0; i < src->impacts.n; i++) dipole_source_close(src->impacts.source[i]);
    free(src->impacts.source);
    free(src->impacts.b); /* and weight; NULL in a change, which borrows the weights */
    free(src->name);
    free(src->describe);
    free(src->accuracy);
    free(src);
}

size_t dipole_source_parts(const dipole_source *src)
{
    return src->impacts.n ? src->impacts.n : 1;
}

const dipole_source *dipole_source_part(const dipole_source *src, size_t i, double *share)
{
    const dipole_impacts *p = &src->impacts;
    *share = p->n ? p->weight[i] / src->area : 1;
    return p->n ? p->source[i] : src;
}

/* Bisection of Gamma(r^2) = 1/2 in ln r^2; Gamma rises. */
static double dipole_find_Qs2(const dipole *d)
{
    double lo = -80, hi = 80;
    for (int i = 0; i < 100; i++) {
        const double mid = 0.5 * (lo + hi);
        if (dipole_lnS_at(d, exp(mid)) > -0.5)
            lo = mid;
        else
            hi = mid;
    }
    return 2 * exp(-lo);
}

cgct_status dipole_init(dipole **d, const dipole_source *src, double x, cgct_err *err)
{
    *d = NULL;
    if (src->impacts.n)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "a nucleus integrated over b has no single dipole; set dipole.b (fm)");
    if (!(x > 0 && x >= src->xmin && x <= src->xmax))
        return cgct_fail(err, CGCT_E_RANGE,
                         "%s: x = %.17g lies outside its range, %.10g to %.10g%s", src->name, x,
                         src->xmin, src->xmax, src->xmin > 0 ? "" : " (0 excluded)");
    dipole *p = memory_new(1, sizeof *p);
    *p = (dipole){.kind = src->kind,
                  .origin = {src, x},
                  .o = src->o,
                  .power = src->kind == DIPOLE_MV ? 2 * src->o.gamma : 2,
                  .cut = INFINITY,
                  .Nc = src->Nc,
                  .singlet = src->o.singlet,
                  .process = src->o.process,
                  .forward_parts = src->o.forward_parts};
    cgct_status st = CGCT_OK;
    if (src->kind == DIPOLE_TABLE || src->kind == DIPOLE_BK) {
        p->spline = memory_zeros(1, sizeof *p->spline);
        st = src->kind == DIPOLE_TABLE ? dipole_table_init(p, src, x, err)
                                       : dipole_bk_init(p, src, x, err);
    }
    if (st != CGCT_OK) return dipole_free(p), st;
    p->Qs2 = src->kind == DIPOLE_GBW ? src->o.Q0 * src->o.Q0 * pow(src->o.x0 / x, src->o.lambda)
                                     : dipole_find_Qs2(p);
    *d = p;
    return CGCT_OK;
}

void dipole_free(dipole *d)
{
    if (!d) return;
    if (d->spline) free(d->spline->arrays);
    free(d->spline);
    free(d);
}

void dipole_lnS(const dipole *d, size_t n, const double *r2, double *out)
{
    const double a = d->Qs2 / 4;
    if (d->kind == DIPOLE_GBW)
        for (size_t i = 0; i < n; i++) out[i] = -a * r2[i];
    else if (d->kind == DIPOLE_MV)
        dipole_mv_lnS(d, n, r2, out);
    else
        dipole_spline_lnS(d->spline, n, r2, out);
}

double dipole_lnS_at(const dipole *d, double r2)
{
    double L;
    dipole_lnS(d, 1, &r2, &L);
    return L;
}

double dipole_radius(const dipole *d, double exponent, double most)
{
    double lo = 0, hi = most;
    for (int i = 0; i < 60; i++) {
        const double mid = 0.5 * (lo + hi);
        if (-dipole_lnS_at(d, mid * mid) < exponent)
            lo = mid;
        else
            hi = mid;
    }
    return hi;
}

void dipole_diff(const dipole *d, double R2, size_t n, const double *x, double *out)
{
    if (d->kind == DIPOLE_GBW || R2 < R2_ZERO)
        dipole_lnS(d, n, x, out);
    else if (d->kind == DIPOLE_MV)
        dipole_mv_diff(d, R2, n, x, out);
    else
        dipole_spline_diff(d->spline, R2, n, x, out);
}

void dipole_gamma(const dipole *d, size_t n, const double *r, double *gamma, double *first,
                  double *second)
{
    for (size_t i = 0; i < n; i++) {
        if (d->kind == DIPOLE_GBW) {
            gamma[i] = d->Qs2 / 4 * r[i] * r[i];
            first[i] = 2 * gamma[i];
            second[i] = 4 * gamma[i];
        } else if (d->kind == DIPOLE_MV) {
            dipole_mv_gamma(d, r[i], &gamma[i], &first[i], &second[i]);
        } else {
            double f, slope, bend;
            dipole_spline_jet(d->spline, log(r[i]), &f, &slope, &bend);
            gamma[i] = exp(f);
            first[i] = gamma[i] * slope;
            second[i] = gamma[i] * (slope * slope + bend);
        }
    }
}

double dipole_next_knot(const dipole *d, double r)
{
    if (!d->spline) return INFINITY;
    /* rounding of exp must not give the knot itself again */
    return exp(dipole_spline_next(d->spline, log(r) + 1e-13));
}
