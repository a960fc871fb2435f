/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole.c: the models behind one interface: options, life cycle, x, dispatch. */
#include "dipole/dipole.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/dipole_impl.h"

#define E_NUMBER 2.71828182845904523536
#define DESCRIBE_BYTES 512
/* Relative slack of the ends of the x range: the rapidities of a file are printed numbers. */
#define X_SLACK 1e-9
/* R^2 (GeV^-2) below which a difference from R is a value: no length of the problem comes near. */
#define R2_ZERO 1e-100

/* lambda = 0 is a model, not a default, as soon as another number of gbw is given. */
static cgct_status gbw_defaults(dipole_opts *o, cgct_err *err)
{
    if (!o->Q0 && !o->x0 && !o->lambda) o->lambda = 0.288;
    if (!o->Q0) o->Q0 = 1;
    if (!o->x0) o->x0 = 3.04e-4;
    if (o->Q0 > 0 && o->Q0 <= 1e3 && o->x0 > 0 && o->x0 <= 1 && o->lambda >= 0 && o->lambda <= 2)
        return CGCT_OK;
    return cgct_fail(err, CGCT_E_CONFIG,
                     "dipole gbw: Q0 = %g GeV, x0 = %g, lambda = %g; want Q0 in (0, 1000], x0 in "
                     "(0, 1], lambda in [0, 2]",
                     o->Q0, o->x0, o->lambda);
}

/* arXiv:1309.6963; mvgamma from arXiv:1012.4408 */
static const struct {
    const char *name;
    double Qs0sq, gamma, ec;
} mv_sets[] = {{"mv", 0.104, 1, 1}, {"mve", 0.060, 1, 18.9}, {"mvgamma", 0.1586, 1.129, 1}};

static cgct_status mv_defaults(dipole_opts *o, cgct_err *err)
{
    const char *name = o->mv_set && *o->mv_set ? o->mv_set : "mv";
    size_t i = 0, n = sizeof mv_sets / sizeof *mv_sets;
    while (i < n && strcmp(name, mv_sets[i].name) != 0) i++;
    if (i == n)
        return cgct_fail(err, CGCT_E_CONFIG, "dipole mv: no set '%.40s'; want mv, mve or mvgamma",
                         name);
    if (!o->Qs0sq) o->Qs0sq = mv_sets[i].Qs0sq;
    if (!o->gamma) o->gamma = mv_sets[i].gamma;
    if (!o->ec) o->ec = mv_sets[i].ec;
    if (!o->Lambda) o->Lambda = 0.241;
    if (!(o->Qs0sq > 0 && o->Qs0sq <= 1e3 && o->gamma > 0 && o->gamma <= 2 && o->Lambda > 0 &&
          o->Lambda <= 10 && o->ec <= 1e3))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "dipole mv: Qs0sq = %g GeV^2, gamma = %g, Lambda = %g GeV, ec = %g; want "
                         "them positive, at most 1000, 2, 10 and 1000",
                         o->Qs0sq, o->gamma, o->Lambda, o->ec);
    if (!(o->ec * E_NUMBER > 1))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "dipole mv: ec = %g makes S exceed 1 at large r; want ec > 1/e = 0.367879",
                         o->ec);
    return CGCT_OK;
}

static cgct_status table_open(dipole_source *s, const dipole_opts *o, cgct_err *err)
{
    dipole_grid *g = &s->grid;
    CGCT_TRY(dipole_grid_read(g, s->name, o->is_S, err));
    s->lo = malloc(g->ny * sizeof *s->lo);
    s->hi = malloc(g->ny * sizeof *s->hi);
    if (!s->lo || !s->hi)
        return cgct_fail(err, CGCT_E_NOMEM, "%s: out of memory for %zu blocks", s->name, g->ny);
    for (size_t iy = 0; iy < g->ny; iy++)
        CGCT_TRY(dipole_grid_usable(g, iy, s->name, &s->lo[iy], &s->hi[iy], err));
    if (g->has_x) {
        s->xmax = g->x0 * exp(-g->Y[0]) * (1 + X_SLACK);
        s->xmin = g->x0 * exp(-g->Y[g->ny - 1]) * (1 - X_SLACK);
    }
    return CGCT_OK;
}

static void describe_model(dipole_source *s)
{
    const dipole_opts *o = &s->o;
    if (s->kind == DIPOLE_GBW)
        snprintf(s->describe, DESCRIBE_BYTES, "gbw Q0 = %.15g GeV, x0 = %.15g, lambda = %.15g",
                 o->Q0, o->x0, o->lambda);
    else
        snprintf(s->describe, DESCRIBE_BYTES,
                 "mv Qs0sq = %.15g GeV^2, gamma = %.15g, ec = %.15g, Lambda = %.15g GeV (the same "
                 "at every x)",
                 o->Qs0sq, o->gamma, o->ec, o->Lambda);
}

/* Appends cut and power at one x; a table that fails there is refused. */
static cgct_status describe_cut(dipole_source *s, double x, cgct_err *err)
{
    dipole *d;
    size_t n = strlen(s->describe);
    CGCT_TRY(dipole_init(&d, s, x, err));
    snprintf(s->describe + n, DESCRIBE_BYTES - n, ", r^%.4g from r = %.4g", d->power, d->cut);
    n = strlen(s->describe);
    if (s->o.smooth > 0)
        snprintf(s->describe + n, DESCRIBE_BYTES - n, ", smoothing moves S by %.1e", d->moved);
    n = strlen(s->describe);
    if (s->grid.has_x) snprintf(s->describe + n, DESCRIBE_BYTES - n, " at x = %.4g", x);
    dipole_free(d);
    return CGCT_OK;
}

static cgct_status describe_table(dipole_source *s, cgct_err *err)
{
    const dipole_grid *g = &s->grid;
    int n = snprintf(s->describe, DESCRIBE_BYTES,
                     "table %.200s, crc64 %016" PRIx64 ", layout %s, %zu r x %zu Y, ", s->name,
                     g->checksum, g->layout, g->nr, g->ny);
    if (s->o.smooth > 0)
        n += snprintf(s->describe + n, DESCRIBE_BYTES - (size_t)n, "smoothed over %.6g in ln r, ",
                      s->o.smooth);
    size_t room = DESCRIBE_BYTES - (size_t)n;
    if (!g->has_x) {
        snprintf(s->describe + n, room, "no x in the file (the same at every x)");
        return describe_cut(s, 1, err);
    }
    snprintf(s->describe + n, room, "x from %.6g to %.6g", s->xmin, s->xmax);
    CGCT_TRY(describe_cut(s, s->xmax, err));
    return g->ny > 1 ? describe_cut(s, s->xmin, err) : CGCT_OK;
}

static cgct_status source_fill(dipole_source *s, const dipole_opts *o, cgct_err *err)
{
    const char *name = o->kind == DIPOLE_GBW ? "gbw" : o->kind == DIPOLE_MV ? "mv" : o->path;
    if (o->kind == DIPOLE_TABLE && (!name || !*name))
        return cgct_fail(err, CGCT_E_CONFIG, "dipole table: no file named; set dipole.file");
    s->name = malloc(strlen(name) + 1);
    s->describe = calloc(DESCRIBE_BYTES, 1);
    if (!s->name || !s->describe) return cgct_fail(err, CGCT_E_NOMEM, "dipole: out of memory");
    strcpy(s->name, name);
    if (o->kind == DIPOLE_GBW) CGCT_TRY(gbw_defaults(&s->o, err));
    if (o->kind == DIPOLE_MV) CGCT_TRY(mv_defaults(&s->o, err));
    if (o->kind == DIPOLE_TABLE) {
        CGCT_TRY(table_open(s, o, err));
        return describe_table(s, err);
    }
    describe_model(s);
    return CGCT_OK;
}

cgct_status dipole_source_open(dipole_source **src, const dipole_opts *o, cgct_err *err)
{
    *src = NULL;
    if (o->kind != DIPOLE_GBW && o->kind != DIPOLE_MV && o->kind != DIPOLE_TABLE)
        return cgct_fail(err, CGCT_E_CONFIG, "dipole: kind %d; want gbw, mv or table",
                         (int)o->kind);
    dipole_source *s = calloc(1, sizeof *s);
    if (!s) return cgct_fail(err, CGCT_E_NOMEM, "dipole: out of memory");
    *s = (dipole_source){.kind = o->kind, .o = *o, .xmax = 1};
    cgct_status st = source_fill(s, o, err);
    if (st == CGCT_OK)
        *src = s;
    else
        dipole_source_close(s);
    return st;
}

void dipole_source_close(dipole_source *src)
{
    if (!src) return;
    dipole_grid_free(&src->grid);
    free(src->lo);
    free(src->hi);
    free(src->name);
    free(src->describe);
    free(src);
}

const char *dipole_source_name(const dipole_source *src)
{
    return src->name;
}

const char *dipole_source_describe(const dipole_source *src)
{
    return src->describe;
}

void dipole_source_x_range(const dipole_source *src, double *xmin, double *xmax)
{
    *xmin = src->xmin;
    *xmax = src->xmax;
}

int dipole_source_depends_on_x(const dipole_source *src)
{
    if (src->kind == DIPOLE_TABLE) return src->grid.has_x;
    return src->kind == DIPOLE_GBW && src->o.lambda != 0;
}

/* Bisection of Gamma(r^2) = 1/2 in ln r^2; Gamma rises. */
static double find_Qs2(const dipole *d)
{
    double lo = -80, hi = 80;
    for (int i = 0; i < 100; i++) {
        double mid = 0.5 * (lo + hi), r2 = exp(mid), L;
        dipole_lnS(d, 1, &r2, &L);
        if (L > -0.5)
            lo = mid;
        else
            hi = mid;
    }
    return 2 * exp(-lo);
}

static cgct_status dipole_fill(dipole *d, const dipole_source *src, double x, cgct_err *err)
{
    const dipole_opts *o = &src->o;
    switch (src->kind) {
    case DIPOLE_GBW:
        d->Qs2 = o->Q0 * o->Q0 * pow(o->x0 / x, o->lambda);
        d->a = d->Qs2 / 4;
        d->power = 2;
        return CGCT_OK;
    case DIPOLE_MV:
        d->Qs0sq = o->Qs0sq;
        d->gamma = o->gamma;
        d->C = o->ec * E_NUMBER;
        d->Lambda = o->Lambda;
        d->power = 2 * o->gamma;
        break;
    default:
        CGCT_TRY(dipole_table_init(d, src, x, err));
    }
    d->Qs2 = find_Qs2(d);
    return CGCT_OK;
}

cgct_status dipole_init(dipole **d, const dipole_source *src, double x, cgct_err *err)
{
    *d = NULL;
    if (!(x > 0 && x >= src->xmin && x <= src->xmax))
        return cgct_fail(err, CGCT_E_RANGE,
                         "%s: x = %.17g lies outside its range, %.10g to %.10g%s", src->name, x,
                         src->xmin, src->xmax, src->xmin > 0 ? "" : " (0 excluded)");
    dipole *p = calloc(1, sizeof *p);
    if (!p) return cgct_fail(err, CGCT_E_NOMEM, "dipole: out of memory");
    *p = (dipole){.kind = src->kind, .cut = INFINITY};
    cgct_status st = dipole_fill(p, src, x, err);
    if (st == CGCT_OK)
        *d = p;
    else
        dipole_free(p);
    return st;
}

void dipole_free(dipole *d)
{
    if (!d) return;
    dipole_spline_free(&d->spline);
    free(d);
}

dipole_kind dipole_kind_of(const dipole *d)
{
    return d->kind;
}

double dipole_Qs2(const dipole *d)
{
    return d->Qs2;
}

double dipole_large_r_power(const dipole *d)
{
    return d->power;
}

double dipole_cut(const dipole *d)
{
    return d->cut;
}

double dipole_r_min(const dipole *d)
{
    return d->r_min;
}

void dipole_lnS(const dipole *d, size_t n, const double *r2, double *out)
{
    switch (d->kind) {
    case DIPOLE_GBW:
        dipole_gbw_lnS(d, n, r2, out);
        break;
    case DIPOLE_MV:
        dipole_mv_lnS(d, n, r2, out);
        break;
    default:
        dipole_table_lnS(d, n, r2, out);
    }
}

void dipole_diff(const dipole *d, double R2, size_t n, const double *x, double *out)
{
    if (d->kind == DIPOLE_GBW)
        dipole_gbw_diff(d, n, x, out);
    else if (R2 < R2_ZERO)
        dipole_lnS(d, n, x, out);
    else if (d->kind == DIPOLE_MV)
        dipole_mv_diff(d, R2, n, x, out);
    else
        dipole_table_diff(d, R2, n, x, out);
}
