/* SPDX-License-Identifier: MIT */
/* Events from a slice.  With ln q and ln k as variables the marginal density is q^2 k^2 J_0: a cell
 * of the grid is drawn by its exact share, a point in it from exponentials through the corners (the
 * rest is the weight), and the angle by inverting the CDF, a sine series in the modes. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "cgctab_math.h"
#include "cgctab_slice.h"

#define PI 3.14159265358979323846

enum { GAUSS = 4, STEPS = 40 };

/* Row 0 of the cells is, in a folded table, the disc k < k_0 where J_0 is constant. */
struct cgct_sampler {
    const cgct_slice *slice;
    double factor[2], unit; /* the larger factor is 1, in units of unit */
    size_t nq, nk, rows;    /* nodes; rows of cells in k for each cell in q */
    int fold;
    double *corner; /* (nq, nk): ln of the density at nodes */
    double *slope;  /* (cells, 2): c of the density e^(c t) in ln q, t = 0..1, and e^c - 1 */
    double *share;  /* (cells): integral of the density up to the end of the cell */
    size_t ncell;
    double total;    /* of share */
    uint32_t *guide; /* (cells): the first cell that ends beyond i/ncell of the total */
};

/* ---- density in (ln q, ln k): where I_0 drowned in its error and is negative, 0 ---- */

static double density(const cgct_sampler *s, const double zeroth[2], double q, double k)
{
    double sum = s->factor[0] * zeroth[0] + s->factor[1] * zeroth[1], product = q * k;
    return sum > 0 ? sum * (product * product) : 0;
}

static double density_at(const cgct_sampler *s, double ln_q, double ln_k)
{
    double zeroth[2];
    cgct_zeroth_at(cgct_slice_planes(s->slice), ln_q, ln_k, zeroth);
    return density(s, zeroth, cgct_exp(ln_q), cgct_exp(ln_k));
}

static const cgct_grid *axis(const cgct_sampler *s, cgct_axis a)
{
    return &s->slice->table->grid[a];
}

/* Sums, ratios and the floor below stay normal numbers. */
static const double FIRST_MAX = 0.99; /* of the start of an inversion */
/* of an inversion: what is left goes like the third power of the step, or is half the bracket */
static const double LAST_STEP = 1e-4, LAST_HALF = 1e-12;

static const double DENSITY_MIN = 1e-200;

/* Only the shape within a cell depends on corners, so that a floor does no harm. */
static cgct_status fill_corners(cgct_sampler *s, cgct_err *err)
{
    const cgct_grid *q = axis(s, CGCT_AXIS_Q), *k = axis(s, CGCT_AXIS_K);
    double most = 0;
    for (size_t i = 0; i < s->nq * s->nk; i++) {
        s->corner[i] = density_at(s, q->ln[i / s->nk], k->ln[i % s->nk]);
        most = s->corner[i] > most ? s->corner[i] : most;
    }
    if (!(most > DENSITY_MIN && most < 1 / DENSITY_MIN))
        return cgct_fail(err, CGCT_E_DOMAIN, "largest density at a node is %g, want %g to %g", most,
                         DENSITY_MIN, 1 / DENSITY_MIN);
    for (size_t i = 0; i < s->nq * s->nk; i++)
        s->corner[i] = cgct_ln(s->corner[i] > 1e-30 * most ? s->corner[i] : 1e-30 * most);
    return CGCT_OK;
}

/* Of the density summed over k; in the disc, where it does not depend on k, that of its rim. */
static void fill_slope(cgct_sampler *s, size_t cell)
{
    size_t row = cell % s->rows, disc = s->fold && row == 0;
    const double *c = s->corner + cell / s->rows * s->nk + (disc ? 0 : row - (size_t)s->fold);
    double mean = c[s->nk] - c[0];
    if (!disc)
        mean += cgct_ln((1 + cgct_exp(c[s->nk + 1] - c[s->nk])) / (1 + cgct_exp(c[1] - c[0])));
    s->slope[2 * cell] = mean;
    s->slope[2 * cell + 1] = cgct_exp(mean) - 1;
}

/* Gauss-Legendre on [0,1]. */
static const double node[GAUSS] = {0.0694318442029737, 0.3300094782075719, 0.6699905217924281,
                                   0.9305681557970263};
static const double gauss[GAUSS] = {0.1739274225687269, 0.3260725774312731, 0.3260725774312731,
                                    0.1739274225687269};

static double integrate(const cgct_sampler *s, size_t iq, size_t row)
{
    const double *q = axis(s, CGCT_AXIS_Q)->ln + iq, *k = axis(s, CGCT_AXIS_K)->ln;
    double sum = 0, hq = q[1] - q[0];
    if (s->fold && row == 0) { /* Int_0^k_0 k dk = k_0^2/2 */
        for (int i = 0; i < GAUSS; i++)
            sum += 0.5 * gauss[i] * density_at(s, q[0] + node[i] * hq, k[0]);
        return hq * sum;
    }
    k += row - (size_t)s->fold;
    for (int i = 0; i < GAUSS; i++)
        for (int j = 0; j < GAUSS; j++)
            sum += gauss[i] * gauss[j] *
                   density_at(s, q[0] + node[i] * hq, k[0] + node[j] * (k[1] - k[0]));
    return hq * (k[1] - k[0]) * sum;
}

/* u times the total, in spite of rounding below it for u < 1. */
static double target(const cgct_sampler *s, double u)
{
    return u * s->total * (1 - 4 * DBL_EPSILON);
}

static cgct_status fill(cgct_sampler *s, cgct_err *err)
{
    s->corner = (double *)malloc(s->nq * s->nk * sizeof *s->corner);
    s->slope = (double *)malloc(2 * s->ncell * sizeof *s->slope);
    s->share = (double *)malloc(s->ncell * sizeof *s->share);
    s->guide = (uint32_t *)malloc(s->ncell * sizeof *s->guide);
    if (!s->corner || !s->slope || !s->share || !s->guide)
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu cells", s->ncell);
    CGCT_TRY(fill_corners(s, err));
    for (size_t i = 0; i < s->ncell; i++) fill_slope(s, i);
    for (size_t i = 0; i < s->ncell; i++) {
        s->total += integrate(s, i / s->rows, i % s->rows);
        s->share[i] = s->total;
    }
    if (!(s->total > 0 && isfinite(s->total)))
        return cgct_fail(err, CGCT_E_DOMAIN, "integral of the density is %g, want a number > 0",
                         s->total);
    for (size_t i = 0, cell = 0; i < s->ncell; i++) {
        while (cell + 1 < s->ncell && !(s->share[cell] > target(s, (double)i / (double)s->ncell)))
            cell++;
        s->guide[i] = (uint32_t)cell;
    }
    return CGCT_OK;
}

static cgct_status check(const cgct_slice *slice, const double factor[2], cgct_err *err)
{
    const cgct_table *t = slice->table;
    if (!(factor[0] >= 0 && factor[1] >= 0 && factor[0] + factor[1] > 0 &&
          isfinite(factor[0] + factor[1])))
        return cgct_fail(err, CGCT_E_DOMAIN, "factors %g and %g, want >= 0 and not both 0",
                         factor[0], factor[1]);
    if (t->grid[CGCT_AXIS_Q].n < 2 || t->grid[CGCT_AXIS_K].n < 2)
        return cgct_fail(err, CGCT_E_DOMAIN, "%s: %zu values of q and %zu of k leave no range",
                         t->path, t->grid[CGCT_AXIS_Q].n, t->grid[CGCT_AXIS_K].n);
    size_t cells = cgct_grid_cells(&t->grid[CGCT_AXIS_Q]) * cgct_grid_cells(&t->grid[CGCT_AXIS_K]);
    for (size_t i = 0; i < cells; i++) {
        size_t n = slice->dense.need[i];
        if (n > CGCT_SPECTRUM_BLOCKS)
            return cgct_fail(err, CGCT_E_DOMAIN, "%s: up to %zu modes, a sampler has room for %d",
                             t->path, cgct_modes_in(n), CGCT_SPECTRUM_MODES - 2);
    }
    return CGCT_OK;
}

cgct_status cgct_sampler_init(cgct_sampler **out, const cgct_slice *slice, const double factor[2],
                              cgct_err *err)
{
    if (out) *out = NULL;
    if (!out || !slice || !factor)
        return cgct_fail(err, CGCT_E_USAGE, "cgct_sampler_init: an argument is NULL");
    CGCT_TRY(check(slice, factor, err));
    cgct_sampler *s = (cgct_sampler *)calloc(1, sizeof *s);
    if (!s) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a sampler");
    s->slice = slice;
    s->unit = factor[0] > factor[1] ? factor[0] : factor[1];
    for (int pol = 0; pol < 2; pol++) s->factor[pol] = factor[pol] / s->unit;
    s->fold = (slice->table->head.features & CGCT_FEATURE_FOLD) != 0;
    s->nq = slice->table->grid[CGCT_AXIS_Q].n;
    s->nk = slice->table->grid[CGCT_AXIS_K].n;
    s->rows = s->nk - 1 + (size_t)s->fold;
    s->ncell = (s->nq - 1) * s->rows;
    cgct_status st = fill(s, err);
    if (st == CGCT_OK)
        *out = s;
    else
        cgct_sampler_free(s);
    return st;
}

/* J covers all of k; I = J(k1) + J(k2), so that its integral is twice as large. */
double cgct_sampler_total(const cgct_sampler *s)
{
    return s ? 8 * PI * PI * PI * (s->fold ? 2 : 1) * s->total * s->unit : NAN;
}

void cgct_sampler_free(cgct_sampler *s)
{
    if (!s) return;
    free(s->corner);
    free(s->slope);
    free(s->share);
    free(s->guide);
    free(s);
}

/* ---- a point in a cell ---- */

/* The first cell whose share ends beyond u times the total. */
static size_t find_cell(const cgct_sampler *s, double u)
{
    size_t cell = s->guide[(size_t)(u * (double)s->ncell)];
    for (double end = target(s, u); cell + 1 < s->ncell && !(s->share[cell] > end);) cell++;
    return cell;
}

/* t in [0,1] from the density proportional to e^(c t), e = e^c - 1; *p that density at t. */
static double exponential(double c, double e, double u, double *p)
{
    if (fabs(c) < 1e-5) { /* to first order; beyond it e is good to 1e-11 */
        double t = u * (1 + c / 2 * (1 - u));
        *p = 1 + c * (t - 0.5);
        return t;
    }
    double grown = 1 + u * e;
    *p = c * grown / e;
    return cgct_ln(grown) / c;
}

/* ln q, ln k and the density that they were drawn from, 1 when integrated over the cell. */
static void draw_point(const cgct_sampler *s, size_t cell, const double *u, double *ln_q,
                       double *ln_k, double *p)
{
    size_t iq = cell / s->rows, row = cell % s->rows, disc = s->fold && row == 0;
    size_t ik = disc ? 0 : row - (size_t)s->fold;
    const double *q = axis(s, CGCT_AXIS_Q)->ln + iq, *k = axis(s, CGCT_AXIS_K)->ln + ik;
    const double *c = s->corner + iq * s->nk + ik, *slope = s->slope + 2 * cell;
    double hq = q[1] - q[0], pq, pk, a = exponential(slope[0], slope[1], u[0], &pq);
    *ln_q = q[0] + hq * a;
    if (disc) {
        *ln_k = k[0] + 0.5 * cgct_ln(u[1] > 0 ? u[1] : 1e-300);
        *p = pq / hq * 2 * cgct_exp(2 * (*ln_k - k[0]));
        return;
    }
    double hk = k[1] - k[0], low = c[1] - c[0], high = c[s->nk + 1] - c[s->nk];
    double across = low + a * (high - low),
           b = exponential(across, cgct_exp(across) - 1, u[1], &pk);
    *ln_k = k[0] + hk * b;
    *p = pq / hq * pk / hk;
}

/* ---- the angle ---- */

/* r_m of the mixture over its zeroth mode, with the sign (-1)^m, r_m/m and m r_m, m = 1.., in
 * blocks of eight. */
typedef struct {
    size_t blocks;
    double r[CGCT_SPECTRUM_MODES], over_m[CGCT_SPECTRUM_MODES], times_m[CGCT_SPECTRUM_MODES];
} series;

CGCT_CLONES
static void combine(double t, double l, const double *pairs, series *to)
{
    enum { N = CGCT_MODES_BLOCK };
    for (size_t v = 0; v < to->blocks; v++)
        for (size_t j = 0, i = N * v; j < N; j++, i++) {
            double m = (double)(int)(i + 1), sign = j % 2 ? 1 : -1;
            double r = sign * (t * pairs[2 * i] + l * pairs[2 * i + 1]);
            to->r[i] = r;
            to->over_m[i] = r / m;
            to->times_m[i] = r * m;
        }
}

static void incline(double tilt, series *r)
{
    double power = tilt;
    for (size_t i = 0; i < CGCT_MODES_BLOCK * r->blocks; i++, power *= tilt) {
        r->r[i] *= power;
        r->over_m[i] *= power;
        r->times_m[i] *= power;
    }
}

/* Below the k axis times tilt^m, tilt = k/k_0.  Where the density counts as 0, so does the weight,
 * and any angle will do. */
static void mix(const cgct_sampler *s, const cgct_spectrum *f, double tilt, series *r)
{
    double t = s->factor[0] * f->s[0], l = s->factor[1] * f->s[1];
    double zeroth = t * f->zeroth[0] + l * f->zeroth[1], unit = zeroth > 0 ? 0.5 / zeroth : 0;
    r->blocks = (f->n - 1) / CGCT_MODES_BLOCK;
    combine(unit * t, unit * l, f->r, r);
    if (tilt < 1) incline(tilt, r);
}

/* F = (theta + 2 Sum r_m sin(m theta)/m)/pi on [0,pi] and its first two derivatives. */
CGCT_CLONES
static void cdf(const series *r, double theta, double F[3])
{
    enum { N = CGCT_MODES_BLOCK };
    double c[N], s[N], value[N] = {0}, slope[N] = {0}, bend[N] = {0}, sums[3] = {0, 0.5, 0};
    cgct_sincos(theta, &s[0], &c[0]);
    for (int m = 1; m < N; m++) { /* e^(i (m+1) theta) from its halves */
        int a = (m - 1) / 2, b = m - 1 - a;
        c[m] = c[a] * c[b] - s[a] * s[b];
        s[m] = c[a] * s[b] + s[a] * c[b];
    }
    double c8 = c[N - 1], s8 = s[N - 1];
    for (size_t v = 0; v < r->blocks; v++)
        for (int j = 0; j < N; j++) {
            value[j] += r->over_m[N * v + (size_t)j] * s[j];
            slope[j] += r->r[N * v + (size_t)j] * c[j];
            bend[j] += r->times_m[N * v + (size_t)j] * s[j];
            double next = c[j] * c8 - s[j] * s8;
            s[j] = s[j] * c8 + c[j] * s8;
            c[j] = next;
        }
    for (int j = 0; j < N; j++) {
        sums[0] += value[j];
        sums[1] += slope[j];
        sums[2] += bend[j];
    }
    F[0] = (theta + 2 * sums[0]) / PI;
    F[1] = 2 * sums[1] / PI;
    F[2] = -2 * sums[2] / PI;
}

/* Where F is u if r_m = r^m: a wrapped Cauchy distribution, which the first mode decides; to 0.01.
 */
static double guess(const series *r, double u)
{
    double first = r->blocks ? r->r[0] : 0, sine, cosine;
    first = first > FIRST_MAX ? FIRST_MAX : first < -FIRST_MAX ? -FIRST_MAX : first;
    cgct_sincos(PI * u, &sine, &cosine);
    double y = (1 - first) * sine, x = (1 + first) * (1 + cosine); /* tan(theta/2) = y/x */
    double t = y < x ? y / x : x / y, angle = t * (PI / 2 + 0.546 * (1 - t));
    return y < x ? angle : PI - angle;
}

/* Halley's method inside a bracket, which also serves where a truncated series falls. */
static double invert(const series *r, double u)
{
    double lo = 0, hi = PI, theta = guess(r, u);
    for (int i = 0; i < STEPS; i++) {
        double F[3];
        cdf(r, theta, F);
        if (F[0] < u)
            lo = theta;
        else
            hi = theta;
        double newton = (F[0] - u) / F[1], bend = 0.5 * newton * F[2] / F[1];
        double next = theta - (fabs(bend) < 0.5 ? newton / (1 - bend) : newton);
        int inside = next > lo && next < hi;
        if (!inside) next = (lo + hi) / 2;
        double moved = fabs(next - theta);
        theta = next;
        if (moved < (inside ? LAST_STEP : LAST_HALF)) break;
    }
    return theta;
}

/* The same event with the partons' labels exchanged. */
static void exchange(cgct_event *e)
{
    double s, c;
    cgct_sincos(e->theta, &s, &c);
    double along = (e->q - e->k1) + e->k1 * (1 - c), across = -e->k1 * s;
    e->k1 = sqrt(along * along + across * across);
    e->theta = atan2(across, along);
}

cgct_status cgct_sample(const cgct_sampler *s, const double u[5], cgct_event *e)
{
    cgct_spectrum f;
    series r;
    double ln_q, ln_k, p;
    if (!e) return CGCT_E_USAGE;
    e->q = e->k1 = e->theta = e->weight = NAN;
    if (!s || !u) return CGCT_E_USAGE;
    for (int i = 0; i < 5; i++)
        if (!(u[i] >= 0 && u[i] < 1)) return CGCT_E_DOMAIN;
    size_t cell = find_cell(s, u[0]);
    draw_point(s, cell, u + 1, &ln_q, &ln_k, &p);
    double first = axis(s, CGCT_AXIS_K)->ln[0], at_k = ln_k > first ? ln_k : first;
    f.n = 0;
    if (!cgct_spectrum_at(cgct_slice_planes(s->slice), ln_q, at_k, &f)) return CGCT_E_DOMAIN;
    mix(s, &f, ln_k < at_k ? cgct_exp(ln_k - at_k) : 1, &r);
    const double zeroth[2] = {2 * f.s[0] * f.zeroth[0], 2 * f.s[1] * f.zeroth[1]};
    double share = s->share[cell] - (cell ? s->share[cell - 1] : 0);
    double side = u[3] < 0.5 ? 1 : -1, v = u[3] < 0.5 ? 2 * u[3] : 2 * u[3] - 1;
    e->q = cgct_exp(ln_q);
    e->k1 = cgct_exp(ln_k);
    e->theta = side * invert(&r, v);
    e->weight = density(s, zeroth, e->q, e->k1) / (share * p);
    if (s->fold && u[4] < 0.5) exchange(e);
    return CGCT_OK;
}
