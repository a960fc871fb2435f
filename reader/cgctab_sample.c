/* SPDX-License-Identifier: MIT */
/* Events from a sampler: a cell by its share, a point in it from exponentials through the corners
 * (the rest is the weight), and the angle by inverting the CDF, a sine series in the modes.  Many
 * events are worked on in groups of eight, a number that the compiler knows and turns into vectors;
 * a single one is a group of one. */
#include <math.h>

#include "../format/elementary.h"
#include "cgctab_sampler.h"
#include "../format/vectors.h"

#define PI 3.14159265358979323846

enum { GROUP = 8, STEPS = 40 };
enum { FEW = 4 }; /* events that take less time one by one than as a group */

static const double U_MIN = 1e-30; /* of k^2 in units of the disc's: products stay normal numbers */
static const double FIRST_MAX = 0.99; /* of the start of an inversion */
/* Tolerance of an inversion: the remaining error is about the third power of the step, or half the
 * bracket. */
static const double LAST_STEP = 1e-4, LAST_HALF = 1e-12;

/* Events being drawn, and the numbers of their cells. */
typedef struct {
    double u[5][GROUP];
    double q[GROUP], hq[GROUP], k[GROUP], hk[GROUP]; /* logarithms: where the cell begins, length */
    double slope[GROUP], grown[GROUP];               /* of the density in ln q */
    double low[GROUP], high[GROUP];                  /* slopes in ln k at both ends in ln q */
    double share[GROUP], disc[GROUP];
    double ln_q[GROUP], ln_k[GROUP], tilt[GROUP];
    double p[GROUP]; /* the density that they were drawn from, 1 when integrated over the cell */
    double zeroth[2][GROUP], theta[GROUP];
    size_t iq[GROUP], ik[GROUP]; /* cells */
} draws;

/* r_m of the mixture over its zeroth mode, with the sign (-1)^m: (modes, group), modes a multiple
 * of eight. */
typedef struct {
    size_t modes;
    double r[CGCT_SPECTRUM_MODES * GROUP];
} series;

/* ---- a point in a cell ---- */

/* The first cell whose share ends beyond u times the total. */
static size_t cell_of_share(const cgct_sampler *s, double u)
{
    size_t cell = s->guide[(size_t)(u * (double)s->ncell)];
    double end = cgct_sampler_target(s, u);
    while (cell + 1 < s->ncell && !(s->share[cell] > end)) cell++;
    return cell;
}

static void enter_cell(const cgct_sampler *s, size_t cell, size_t i, draws *d)
{
    size_t iq = cell / s->rows, row = cell % s->rows, disc = s->fold && row == 0;
    size_t ik = disc ? 0 : row - (size_t)s->fold;
    const double *q = cgct_sampler_axis(s, CGCT_AXIS_Q)->ln + iq;
    const double *k = cgct_sampler_axis(s, CGCT_AXIS_K)->ln + ik;
    const double *c = s->corner + iq * s->nk + ik;
    d->iq[i] = iq;
    d->ik[i] = ik;
    d->q[i] = q[0];
    d->hq[i] = q[1] - q[0];
    d->k[i] = k[0];
    d->hk[i] = k[1] - k[0];
    d->slope[i] = s->slope[2 * cell];
    d->grown[i] = s->slope[2 * cell + 1];
    d->low[i] = c[1] - c[0];
    d->high[i] = c[s->nk + 1] - c[s->nk];
    d->share[i] = s->share[cell] - (cell ? s->share[cell - 1] : 0);
    d->disc[i] = (double)disc;
}

/* Draws t in [0,1] from the density proportional to e^(c t), with e = e^c - 1; *p is that density
 * at t. For small c the expression of first order is used; above it e has a relative error below
 * 1e-11. */
CGCT_INLINE void exponential(double c, double e, double u, double *t, double *p)
{
    int small = fabs(c) < 1e-5;
    double slope = cgct_select(small, 1, c), grown = 1 + u * cgct_select(small, 1, e);
    double first = u * (1 + c / 2 * (1 - u));
    *t = cgct_select(small, first, cgct_ln(grown) / slope);
    *p = cgct_select(small, 1 + c * (first - 0.5), slope * grown / cgct_select(small, 1, e));
}

/* In the disc k < k_0 the density is even in k, so k^2 is uniform. What only few events of a group
 * need is computed for the whole group, and for a single event only if it needs it. */
CGCT_INLINE void draw_points(size_t group, double first, draws *d)
{
    for (size_t i = 0; i < group; i++) {
        double pq, pk, a, b, uk = d->u[2][i] > U_MIN ? d->u[2][i] : U_MIN;
        int disc = d->disc[i] > 0, vectors = group > 1;
        exponential(d->slope[i], d->grown[i], d->u[1][i], &a, &pq);
        double across = d->low[i] + a * (d->high[i] - d->low[i]);
        exponential(across, cgct_exp(across) - 1, d->u[2][i], &b, &pk);
        d->ln_q[i] = d->q[i] + d->hq[i] * a;
        double fall = vectors || disc ? 0.5 * cgct_ln(uk) : 0;
        d->ln_k[i] = d->k[i] + cgct_select(disc, fall, d->hk[i] * b);
        d->p[i] = pq / d->hq[i] * cgct_select(disc, 2 * uk, pk / d->hk[i]);
        double below = d->ln_k[i] < first ? d->ln_k[i] - first : 0;
        d->tilt[i] = vectors || below < 0 ? cgct_exp(below) : 1;
    }
}

/* ---- modes ---- */

/* Below the k axis times tilt^m, tilt = k/k_0.  Where the density counts as 0, so does the weight,
 * and any angle will do. */
CGCT_INLINE void mix_polarisations(const cgct_sampler *s, const cgct_spectrum *f, double tilt,
                                   size_t group, size_t i, series *to)
{
    double t = s->factor[0] * f->s[0], l = s->factor[1] * f->s[1];
    double zeroth = t * f->zeroth[0] + l * f->zeroth[1], unit = zeroth > 0 ? 0.5 / zeroth : 0;
    double power = -1, *r = to->r + i;
    for (size_t j = group * to->modes; j < group * (f->n - 1); j++) to->r[j] = 0;
    to->modes = f->n - 1 > to->modes ? f->n - 1 : to->modes;
    t *= unit;
    l *= unit;
    for (size_t m = 0; m + 1 < f->n; m += 2) { /* an even number */
        r[group * m] = -(t * f->r[2 * m] + l * f->r[2 * m + 1]);
        r[group * (m + 1)] = t * f->r[2 * m + 2] + l * f->r[2 * m + 3];
    }
    for (size_t m = 0; m + 1 < f->n && tilt < 1; m++) r[group * m] *= power = fabs(power) * tilt;
}

CGCT_INLINE cgct_status mix_all(const cgct_sampler *s, size_t group, draws *d, series *to)
{
    double first = cgct_sampler_axis(s, CGCT_AXIS_K)->ln[0];
    to->modes = 0;
    for (size_t i = 0; i < group; i++) {
        cgct_spectrum f;
        f.n = 0;
        double at_k = d->ln_k[i] > first ? d->ln_k[i] : first;
        if (!cgct_spectrum_in(cgct_slice_planes(s->slice), d->iq[i], d->ik[i], d->ln_q[i], at_k,
                              &f))
            return CGCT_E_DOMAIN;
        mix_polarisations(s, &f, d->tilt[i], group, i, to);
        for (int pol = 0; pol < 2; pol++) d->zeroth[pol][i] = 2 * f.s[pol] * f.zeroth[pol];
    }
    return CGCT_OK;
}

/* ---- the angle ---- */

/* pi F = theta + 2 Sum r_m sin(m theta)/m on [0,pi], F being the CDF, its derivative, and half of
 * the next. */
typedef struct {
    double F[GROUP], slope[GROUP], bend[GROUP];
} cdf;

CGCT_INLINE void finish_cdf(double theta, double value, double slope, double bend, size_t i,
                            cdf *to)
{
    to->F[i] = theta + 2 * value;
    to->slope[i] = 1 + 2 * slope;
    to->bend[i] = -bend;
}

/* e^(i m theta), m = 1..8. */
CGCT_INLINE void first_powers(double theta, double *c, double *s)
{
    cgct_sincos(theta, &s[0], &c[0]);
    c[1] = c[0] * c[0] - s[0] * s[0];
    s[1] = 2 * (c[0] * s[0]);
    c[2] = c[0] * c[1] - s[0] * s[1];
    s[2] = c[0] * s[1] + s[0] * c[1];
    c[3] = c[1] * c[1] - s[1] * s[1];
    s[3] = 2 * (c[1] * s[1]);
    const double c4 = c[3], s4 = s[3];
    for (int m = 0; m < 4; m++) c[4 + m] = c[m] * c4 - s[m] * s4;
    for (int m = 0; m < 4; m++) s[4 + m] = c[m] * s4 + s[m] * c4;
}

/* The order of the sum is that of the vector form, so that both give the same bits. */
CGCT_INLINE double sum_of_eight(const double *v)
{
    double four[4];
    for (int j = 0; j < 4; j++) four[j] = v[j] + v[4 + j];
    return (four[0] + four[2]) + (four[1] + four[3]);
}

/* One event: eight modes side by side. */
CGCT_INLINE void cdf_of_one(const series *r, const double *inverse, double theta, cdf *to)
{
    enum { N = CGCT_MODES_BLOCK };
    double c[N], s[N], times[N], value[N] = {0}, slope[N] = {0}, bend[N] = {0};
    first_powers(theta, c, s);
    const double c8 = c[N - 1], s8 = s[N - 1];
    for (int j = 0; j < N; j++) times[j] = j + 1;
    for (size_t m = 0; m < r->modes; m += N)
        for (size_t j = 0; j < N; j++) {
            double rs = r->r[m + j] * s[j];
            value[j] += rs * inverse[m + j];
            slope[j] += r->r[m + j] * c[j];
            bend[j] += rs * times[j];
            times[j] += N;
            double next = c[j] * c8 - s[j] * s8;
            s[j] = s[j] * c8 + c[j] * s8;
            c[j] = next;
        }
    finish_cdf(theta, sum_of_eight(value), sum_of_eight(slope), sum_of_eight(bend), 0, to);
}

/* Eight events side by side. */
CGCT_INLINE void cdf_of_group(const series *r, const double *inverse, const double *theta, cdf *to)
{
    double c1[GROUP], s1[GROUP], c[GROUP], s[GROUP];
    double value[GROUP] = {0}, slope[GROUP] = {0}, bend[GROUP] = {0};
    for (size_t i = 0; i < GROUP; i++) cgct_sincos(theta[i], &s1[i], &c1[i]);
    for (size_t i = 0; i < GROUP; i++) c[i] = c1[i];
    for (size_t i = 0; i < GROUP; i++) s[i] = s1[i];
    for (size_t m = 0; m < r->modes; m++) {
        const double *rm = r->r + GROUP * m, over = inverse[m], times = (double)(int)(m + 1);
        for (size_t i = 0; i < GROUP; i++) {
            double rs = rm[i] * s[i];
            value[i] += rs * over;
            slope[i] += rm[i] * c[i];
            bend[i] += rs * times;
            double next = c[i] * c1[i] - s[i] * s1[i];
            s[i] = s[i] * c1[i] + c[i] * s1[i];
            c[i] = next;
        }
    }
    for (size_t i = 0; i < GROUP; i++) finish_cdf(theta[i], value[i], slope[i], bend[i], i, to);
}

/* Where F is u if r_m = r^m: a wrapped Cauchy distribution, which the first mode decides; to 0.01.
 */
CGCT_INLINE double guess(double first, double u)
{
    double sine, cosine;
    first = first > FIRST_MAX ? FIRST_MAX : first < -FIRST_MAX ? -FIRST_MAX : first;
    cgct_sincos(PI * u, &sine, &cosine);
    double y = (1 - first) * sine, x = (1 + first) * (1 + cosine); /* tan(theta/2) = y/x */
    int near = y < x;
    double t = cgct_select(near, y, x) / cgct_select(near, x, y);
    double angle = t * (PI / 2 + 0.546 * (1 - t));
    return cgct_select(near, angle, PI - angle);
}

/* Halley's method inside a bracket, which also covers truncated series that are not monotonic.
 * Events that have converged are not changed any more. */
CGCT_INLINE void invert(const series *r, const double *inverse, size_t group, const double *u,
                        double *theta)
{
    double lo[GROUP], hi[GROUP], open[GROUP];
    cdf at;
    for (size_t i = 0; i < group; i++) {
        theta[i] = guess(r->modes ? r->r[i] : 0, u[i]);
        lo[i] = 0;
        hi[i] = PI;
        open[i] = 1;
    }
    for (int step = 0; step < STEPS; step++) {
        double left = 0;
        if (group == 1)
            cdf_of_one(r, inverse, theta[0], &at);
        else
            cdf_of_group(r, inverse, theta, &at);
        for (size_t i = 0; i < group; i++) {
            double far = at.F[i] - PI * u[i], slope = at.slope[i], square = slope * slope;
            int below = far < 0;
            lo[i] = cgct_select(below, theta[i], lo[i]);
            hi[i] = cgct_select(below, hi[i], theta[i]);
            double bend = far * at.bend[i]; /* 0 makes it Newton's */
            bend = cgct_select(fabs(bend) < 0.5 * square, bend, 0);
            double next = theta[i] - far * slope / (square - bend);
            int inside = (next > lo[i]) & (next < hi[i]);
            next = cgct_select(inside, next, (lo[i] + hi[i]) / 2);
            double moved = fabs(next - theta[i]);
            theta[i] = cgct_select(open[i] > 0, next, theta[i]);
            open[i] = cgct_select(moved < cgct_select(inside, LAST_STEP, LAST_HALF), 0, open[i]);
        }
        for (size_t i = 0; i < group; i++) left += open[i];
        if (left == 0) break;
    }
}

/* ---- events ---- */

/* The same event with the partons' labels exchanged. */
static void exchange_partons(cgct_event *e)
{
    double s, c;
    cgct_sincos(e->theta, &s, &c);
    double along = (e->q - e->k1) + e->k1 * (1 - c), across = -e->k1 * s;
    e->k1 = sqrt(along * along + across * across);
    e->theta = atan2(across, along);
}

/* n <= group events; the rest of the group repeats the last one. */
CGCT_INLINE cgct_status draw(const cgct_sampler *s, size_t n, size_t group, draws *d, cgct_event *e)
{
    series r;
    double v[GROUP], qk[2 * GROUP];
    for (size_t i = 0; i < group; i++) enter_cell(s, cell_of_share(s, d->u[0][i]), i, d);
    draw_points(group, cgct_sampler_axis(s, CGCT_AXIS_K)->ln[0], d);
    CGCT_TRY(mix_all(s, group, d, &r));
    for (size_t i = 0; i < group; i++) {
        v[i] = d->u[3][i] < 0.5 ? 2 * d->u[3][i] : 2 * d->u[3][i] - 1;
        qk[i] = d->ln_q[i];
        qk[group + i] = d->ln_k[i];
    }
    for (size_t i = 0; i < 2 * group; i++) qk[i] = cgct_exp(qk[i]);
    invert(&r, s->inverse, group, v, d->theta);
    for (size_t i = 0; i < n; i++) {
        const double zeroth[2] = {d->zeroth[0][i], d->zeroth[1][i]};
        e[i].q = qk[i];
        e[i].k1 = qk[group + i];
        e[i].theta = d->u[3][i] < 0.5 ? d->theta[i] : -d->theta[i];
        e[i].weight = cgct_sampler_density(s, zeroth, e[i].q, e[i].k1) / (d->share[i] * d->p[i]);
        if (s->fold && d->u[4][i] < 0.5) exchange_partons(&e[i]);
    }
    return CGCT_OK;
}

CGCT_CLONES
static cgct_status draw_one(const cgct_sampler *s, draws *d, cgct_event *e)
{
    return draw(s, 1, 1, d, e);
}

CGCT_CLONES_512
static cgct_status draw_group(const cgct_sampler *s, size_t n, draws *d, cgct_event *e)
{
    return draw(s, n, GROUP, d, e);
}

static cgct_status load_draw(const double u[5], size_t i, draws *d)
{
    cgct_status st = CGCT_OK;
    for (int j = 0; j < 5; j++) {
        if (!(u[j] >= 0 && u[j] < 1)) st = CGCT_E_DOMAIN;
        d->u[j][i] = u[j];
    }
    for (int j = 0; j < 5 && st != CGCT_OK; j++) d->u[j][i] = 0.5;
    return st;
}

static void spoil(cgct_event *e)
{
    e->q = e->k1 = e->theta = e->weight = NAN;
}

/* n <= GROUP events into a group that is filled up with the last one; bad ones are NaN. */
static cgct_status sample_group(const cgct_sampler *s, size_t n, const double *u, cgct_event *e,
                                size_t *first)
{
    cgct_status each[GROUP], result = CGCT_OK;
    draws d;
    for (size_t j = 0; j < GROUP; j++) each[j] = load_draw(u + 5 * (j < n ? j : n - 1), j, &d);
    cgct_status all = draw_group(s, n, &d, e);
    for (size_t j = n; j-- > 0;) {
        cgct_status st = all != CGCT_OK ? all : each[j];
        if (st == CGCT_OK) continue;
        spoil(&e[j]);
        *first = j;
        result = st;
    }
    return result;
}

cgct_status cgct_sample(const cgct_sampler *s, const double u[5], cgct_event *e)
{
    draws d;
    if (!e) return CGCT_E_USAGE;
    spoil(e);
    if (!s || !u) return CGCT_E_USAGE;
    CGCT_TRY(load_draw(u, 0, &d));
    return draw_one(s, &d, e);
}

cgct_status cgct_sample_many(const cgct_sampler *s, size_t n, const double *u, cgct_event *events,
                             size_t *first)
{
    cgct_status result = CGCT_OK;
    if (first) *first = n;
    for (size_t i = 0; i < n && events && !(s && u); i++) spoil(&events[i]);
    if (!s || (n && (!u || !events))) return CGCT_E_USAGE;
    for (size_t i = 0, m; i < n; i += m) {
        size_t left = n - i, bad = 0;
        m = left <= FEW ? 1 : left < GROUP ? left : (size_t)GROUP;
        cgct_status st = m == 1 ? cgct_sample(s, u + 5 * i, events + i)
                                : sample_group(s, m, u + 5 * i, events + i, &bad);
        if (st == CGCT_OK || result != CGCT_OK) continue;
        result = st;
        if (first) *first = i + bad;
    }
    return result;
}
