/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stored.c: folding and continuation of the modes of a node. */
#include "node/stored.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "node/evaluate.h"
#include "numerics/blas.h"

/* ---- the k axis of a folded table ---- */

/* Beyond this share of q no coarse steps: chi changes fastest where k1 = k2, at k >= q/2. */
static const double EXCHANGE = 0.4;
enum { COARSER = 3 };              /* steps where k1 = k2 is out of reach, in those of k1 */
static const double LONGEST = 0.5; /* step in ln k where J hardly changes */

/* n geometric steps from lo to hi, where the next stretch begins. */
typedef struct {
    double lo, hi;
    size_t n;
} k_stretch;

static k_stretch stretch_between(double lo, double hi, double step)
{
    return (k_stretch){lo, hi, lo < hi ? (size_t)ceil(log(hi / lo) / step) : 0};
}

cgct_status fold_axis(const grid_axis *k1, const fold_range *r, grid_axis *k, cgct_err *err)
{
    const double first = k1->v[0], step = k1->n > 1 ? log(k1->v[1] / first) : 0.1;
    double longest = fmax(LONGEST, COARSER * step);
    double end = fmin(fmax(r->low, EXCHANGE * r->q_min), first);
    double middle = fmin(fmax(r->low, r->flat), end);
    const k_stretch part[] = {stretch_between(r->low, middle, longest),
                              stretch_between(middle, end, COARSER * step),
                              stretch_between(end, first, step)};
    k->n = k1->n + part[0].n + part[1].n + part[2].n;
    k->v = malloc(k->n * sizeof *k->v);
    if (!k->v) return cgct_fail(err, CGCT_E_NOMEM, "no memory for an axis of %zu momenta", k->n);
    double *to = k->v;
    for (const k_stretch *p = part; p < part + 3; p++)
        for (size_t i = 0; i < p->n; i++)
            *to++ = p->lo * pow(p->hi / p->lo, (double)i / (double)p->n);
    memcpy(to, k1->v, k1->n * sizeof *to);
    return CGCT_OK;
}

/* ---- folding ---- */

/* J needs far fewer modes than I: so many are computed, on so many angles at least. */
enum { FOLDED_MAX = 192, ANGLES_MIN = 384 };
static const double SHARE_OF_ERROR = 0.01; /* smaller modes are not worth storing */

typedef struct {
    const node_modes *I;
    double power;
    double *J;        /* (NPOL, nq, nk, FOLDED_MAX) */
    size_t nt;        /* angles 0..nt-1 on [0,pi] */
    size_t columns;   /* the larger number of modes, of I or J */
    double *to_angle; /* (nt, columns): factors of I(theta) */
    double *to_mode;  /* (nt, FOLDED_MAX): weights of J_m */
} folding;

static cgct_status folding_init(folding *f, const node_modes *I, double power, cgct_err *err)
{
    size_t points = NPOL * I->nq * I->nk;
    *f = (folding){.I = I, .power = power};
    f->nt = (I->nm > ANGLES_MIN ? I->nm : ANGLES_MIN) + 1;
    f->columns = I->nm > FOLDED_MAX ? I->nm : FOLDED_MAX;
    f->J = malloc(points * FOLDED_MAX * sizeof(double));
    f->to_angle = malloc(f->nt * f->columns * sizeof(double));
    f->to_mode = projection_weights(f->nt, FOLDED_MAX);
    if (!f->J || !f->to_angle || !f->to_mode)
        return cgct_fail(err, CGCT_E_NOMEM, "no memory to fold %zu modes", I->nm);
    for (size_t i = 0; i < f->nt; i++) {
        double theta = M_PI * (double)i / (double)(f->nt - 1);
        for (size_t m = 0; m < f->columns; m++)
            f->to_angle[i * f->columns + m] =
                (m ? 4 : 2) * M_PI * (m & 1 ? -1 : 1) * cos((double)m * theta);
    }
    return CGCT_OK;
}

/* At k2 -> 0 it is 0. */
static double chi(double q, double k1, double theta, double power)
{
    double half = sin(theta / 2), along = (q - k1) + 2 * k1 * half * half;
    double k2 = hypot(along, k1 * sin(theta));
    return k2 > 0 ? 1 / (1 + pow(k1 / k2, power)) : 0;
}

/* error (nk) grows by what the modes beyond the last hold: the largest difference at any angle. */
static void add_truncation_error(const folding *f, const double *at_angle, const double *J,
                                 double *again, double *error)
{
    const int nk = (int)f->I->nk, nt = (int)f->nt;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, nk, nt, FOLDED_MAX, 1, J, FOLDED_MAX,
                f->to_angle, (int)f->columns, 0, again, nt);
    for (size_t k = 0; k < f->I->nk; k++) {
        double most = 0;
        for (size_t i = k * f->nt; i < (k + 1) * f->nt; i++)
            most = fmax(most, fabs(again[i] - at_angle[i]));
        error[k] += most;
    }
}

/* All k of one q, both polarisations: two matrix products with the factor chi between them; scratch
 * holds 3 nk nt numbers. */
static void fold_one_q(const folding *f, size_t iq, double *scratch)
{
    const node_modes *I = f->I;
    const int nk = (int)I->nk, nt = (int)f->nt, nm = (int)I->nm;
    size_t n = I->nk * f->nt;
    double *factor = scratch, *at_angle = factor + n, *again = at_angle + n;
    for (size_t i = 0; i < n; i++) {
        double theta = M_PI * (double)(i % f->nt) / (double)(f->nt - 1);
        factor[i] = chi(I->q[iq], I->k[i / f->nt], theta, f->power);
    }
    for (size_t pol = 0; pol < NPOL; pol++) {
        size_t row = (pol * I->nq + iq) * I->nk;
        double *J = f->J + row * FOLDED_MAX;
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, nk, nt, nm, 1, I->value + row * I->nm,
                    nm, f->to_angle, (int)f->columns, 0, at_angle, nt);
        for (size_t i = 0; i < n; i++) at_angle[i] *= factor[i];
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, nk, FOLDED_MAX, nt, 1, at_angle, nt,
                    f->to_mode, FOLDED_MAX, 0, J, FOLDED_MAX);
        add_truncation_error(f, at_angle, J, again, I->error + row);
    }
}

static cgct_status fold_all_q(const folding *f, cgct_err *err)
{
    int failed = 0;
    blas_single_threaded();
#pragma omp parallel reduction(| : failed)
    {
        double *scratch = malloc(3 * f->I->nk * f->nt * sizeof *scratch);
        failed |= !scratch;
#pragma omp for schedule(static)
        for (size_t iq = 0; iq < f->I->nq; iq++)
            if (scratch) fold_one_q(f, iq, scratch);
        free(scratch);
    }
    if (!failed) return CGCT_OK;
    return cgct_fail(err, CGCT_E_NOMEM, "no memory to fold %zu momenta on %zu angles", f->I->nk,
                     f->nt);
}

/* Modes of one point up to the last that is neither below keep J_0 nor lost in the error. */
static size_t significant_modes(const double *J, double keep, double error)
{
    size_t nm = FOLDED_MAX;
    double least = fmax(keep * fabs(J[0]), SHARE_OF_ERROR * error / (4 * M_PI));
    if (error >= 2 * M_PI * J[0]) return 1; /* nothing but error: isotropic, so never negative */
    while (nm > 1 && !(fabs(J[nm - 1]) > least)) nm--;
    return nm;
}

/* Leaves the significant modes, then zeros, no J_0 < 0, and rows as long as any point needs. */
static void keep_significant(node_modes *m, double *J, double keep)
{
    size_t need = 1, points = NPOL * m->nq * m->nk;
    for (size_t i = 0; i < points; i++) {
        double *at = J + i * FOLDED_MAX, lost = 0;
        size_t n = significant_modes(at, keep, m->error[i]);
        for (size_t im = n; im < FOLDED_MAX; im++) {
            lost += 4 * M_PI * fabs(at[im]);
            at[im] = 0;
        }
        if (at[0] < 0) lost -= 2 * M_PI * at[0];
        at[0] = fmax(at[0], 0);
        m->error[i] += lost;
        need = n > need ? n : need;
    }
    for (size_t i = 0; i < points; i++) memmove(J + i * need, J + i * FOLDED_MAX, need * sizeof *J);
    m->nm = need;
}

cgct_status fold_modes(double power, double keep, node_modes *m, cgct_err *err)
{
    folding f;
    cgct_status st = folding_init(&f, m, power, err);
    if (st == CGCT_OK) st = fold_all_q(&f, err);
    if (st == CGCT_OK) {
        double *I = m->value;
        keep_significant(m, f.J, keep);
        m->value = f.J;
        f.J = I;
    }
    free(f.J);
    free(f.to_angle);
    free(f.to_mode);
    return st;
}

/* ---- continuation ---- */

static const double RESOLVED = 0.1;     /* error over I of a point to continue from */
static const double LEAST_ERROR = 1e-5; /* relative; the fitted form itself is no better */
/* I_0 over the error at least: the file measures errors in units of I_0 up to 8192 (FORMAT.md). */
static const double LOWEST = 0x1p-11;
/* Points after the last resolved one that keep its shape; power of q with which t falls then. */
enum { SHAPE_KEPT = 2, FADING = 4 };
/* Points of a fit; with fewer than CURVED the Gaussian is left out. */
enum { FITTED = 6, CURVED = 4 };

/* One polarisation at one k, along q. */
typedef struct {
    size_t nq, stride, nm; /* points are stride apart */
    const double *q;
    double *modes, *error;
} q_column;

static double *column_modes(const q_column *c, size_t i)
{
    return c->modes + i * c->stride * c->nm;
}

static double column_error(const q_column *c, size_t i)
{
    double I = 2 * M_PI * *column_modes(c, i);
    return I > 0 ? c->error[i * c->stride] / I : INFINITY;
}

/* ln I_0(q) - ln I_0(q_last) = power ln(q/q_last) + gauss (q^2/q_last^2 - 1) */
typedef struct {
    double power, gauss;
} falloff;

static falloff fit_falloff(const q_column *c, size_t last, size_t *n)
{
    double uu = 0, ug = 0, gg = 0, uy = 0, gy = 0;
    *n = 1;
    for (size_t i = last; i-- > 0 && last - i < FITTED;) {
        double e = column_error(c, i);
        if (!(e <= RESOLVED)) continue;
        double w = pow(fmax(e, LEAST_ERROR), -2), ratio = c->q[i] / c->q[last];
        double u = log(ratio), g = ratio * ratio - 1,
               y = log(*column_modes(c, i) / *column_modes(c, last));
        uu += w * u * u;
        ug += w * u * g;
        gg += w * g * g;
        uy += w * u * y;
        gy += w * g * y;
        ++*n;
    }
    double det = uu * gg - ug * ug;
    falloff f = {(uy * gg - gy * ug) / det, (gy * uu - uy * ug) / det};
    if (*n < CURVED || !(f.gauss < 0) || !isfinite(f.power)) f = (falloff){uy / uu, 0};
    return f;
}

/* I_0 at point i; never above that of the last one. */
static double continued_I0(const q_column *c, const falloff *f, size_t last, size_t i)
{
    double ratio = c->q[i] / c->q[last], room = c->error[i * c->stride] / (2 * M_PI);
    double computed = fmax(*column_modes(c, i), 0), lowest = LOWEST * c->error[i * c->stride];
    double ln = f->power * log(ratio) + f->gauss * (ratio * ratio - 1);
    double s = *column_modes(c, last) * exp(fmin(ln, 0));
    return fmax(fmin(s, computed + room), fmax(computed - room, lowest));
}

/* t of the factors t^m that make I isotropic: a Poisson kernel, which keeps I(theta) positive. */
static double fading(const q_column *c, size_t last, size_t i)
{
    return i <= last + SHAPE_KEPT ? 1 : pow(c->q[last + SHAPE_KEPT] / c->q[i], FADING);
}

static void put_continued(const q_column *c, size_t last, size_t i, double I0)
{
    const double *shape = column_modes(c, last);
    double *to = column_modes(c, i), changed = 0, t = fading(c, last, i), power = 1;
    for (size_t m = 0; m < c->nm; m++, power *= t) {
        double I = I0 * (shape[m] / shape[0]) * power;
        changed += (m ? 4 : 2) * M_PI * fabs(I - to[m]);
        to[m] = I;
    }
    c->error[i * c->stride] += changed;
}

static size_t continue_column(const q_column *c)
{
    size_t last = c->nq, n;
    while (last > 0 && !(column_error(c, last - 1) <= RESOLVED)) last--;
    if (last < 2 || last == c->nq) return 0;
    last--;
    const falloff f = fit_falloff(c, last, &n);
    if (n < 2) return 0;
    for (size_t i = last + 1; i < c->nq; i++)
        put_continued(c, last, i, continued_I0(c, &f, last, i));
    return c->nq - last - 1;
}

size_t continue_modes(node_modes *m)
{
    size_t continued = 0;
    for (size_t row = 0; row < NPOL * m->nk; row++) {
        size_t first = row / m->nk * m->nq * m->nk + row % m->nk;
        const q_column c = {m->nq, m->nk, m->nm, m->q, m->value + first * m->nm, m->error + first};
        continued += continue_column(&c);
    }
    return continued;
}
