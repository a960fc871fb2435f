/* SPDX-License-Identifier: MIT */
/* The importance grid of cgctab-events: cells in (kind of flavours, ln Q2, y, zs, polarisation of
 * I, ln q, ln k, phi); ln k is ln(k + soft) where k begins below SOFT.  In the place of y stands
 * the share of the way, in ln y, through what Q2 and the table's range of x leave of its range: no
 * draw is lost to them.
 *
 * I at the middle of each cell comes from slices at a few x and eps, linear in the logarithms
 * between them.  A cell is drawn by its share of the sum; within it the density is an exponential
 * in each variable, with the slope between the neighbours.  Whatever is wrong with this density is
 * made up for by the weight: the cross section itself is never taken from the grid. */
#include <math.h>
#include <stdlib.h>

#include "events.h"

enum { N_X = 8, N_EPS = 8, DIMS = 6, POLS = 2 };
enum { N_Q2 = 8, N_Y = 6, N_Z = 8, N_Q = 24, N_K = 24, N_PHI = 12 };
enum { INNER = N_Q * N_K * N_PHI, BLOCK = POLS * INNER, BLOCKS = N_Q2 * N_Y * N_Z };
static const int count[DIMS] = {N_Q2, N_Y, N_Z, N_Q, N_K, N_PHI};
/* from one cell to the next along each variable */
static const size_t stride[DIMS] = {
    (size_t)N_Y * N_Z * BLOCK, (size_t)N_Z *BLOCK, BLOCK, (size_t)N_K *N_PHI, N_PHI, 1};

#define SLOPE_LARGEST 2.0
#define SOFT 0.3 /* GeV: the shorter momentum below which I changes little */
/* Of the longest range of ln y in a cell: what the cell counts with at least. */
#define EDGE 0.5

typedef struct {
    double lo[DIMS], width[DIMS]; /* of the first cell, and of each; y and phi: as shares */
    double soft;                  /* GeV: what is added to k */
    double gap;                   /* between the lower and the upper half of the cells in zs */
} ev_axes;

/* ln I of slices at the middles of the cells in q, k, phi. */
struct ev_shapes {
    ev_axes axes;
    double x[N_X], eps[N_EPS]; /* logarithms, rising */
    float *l;                  /* (N_X, N_EPS, POLS, INNER) */
};

/* The cells of a kind of flavours. */
typedef struct {
    float *value;             /* (BLOCKS, BLOCK); NULL where the kind is not wanted */
    double *sum;              /* the same, summed within each block */
    double block[BLOCKS + 1]; /* sums of blocks before this one */
} ev_cells;

struct ev_grid {
    ev_axes axes;
    const ev_setup *setup;
    ev_cells of[EV_KINDS];
};

/* The value i cells behind the beginning of an axis. */
static double axis_at(const ev_axes *a, int d, double i)
{
    return a->lo[d] + i * a->width[d];
}

static double middle(const ev_axes *a, int d, int i)
{
    return axis_at(a, d, i + 0.5);
}

/* zs at the place t of its cell i. */
static double zs_of(const ev_axes *a, int i, double t)
{
    return axis_at(a, 2, i + t) + (i >= N_Z / 2 ? a->gap : 0);
}

/* k at a value of its axis. */
static double k_of(const ev_axes *a, double v)
{
    return fmax(exp(v) - a->soft, 1e-30);
}

static double held(double v, double lo, double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

static void divide_axis(ev_axes *a, int d, double lo, double hi)
{
    a->lo[d] = lo;
    a->width[d] = (hi - lo) / count[d];
}

static void set_axes(ev_axes *a, const ev_setup *s)
{
    /* zs lies in the range of z or in that of 1 - z, and not between them */
    const double least = fmin(s->z[0], 1 - s->z[1]);
    const double end = fmin(fmin(s->z[1], 1 - s->z[0]), 0.5);
    double k[2];
    a->gap = 1 - 2 * end;
    ev_k_range(s, k);
    a->soft = fmax(SOFT - k[0], 0);
    divide_axis(a, 0, log(ev_Q2_least(s, s->y[0])), log(s->Q2[1]));
    divide_axis(a, 1, 0, 1);
    divide_axis(a, 2, least, 2 * end - least);
    divide_axis(a, 3, log(s->q[0]), log(s->q[1]));
    divide_axis(a, 4, log(k[0] + a->soft), log(k[1] + a->soft));
    divide_axis(a, 5, 0, 1);
}

/* ---- I of slices ---- */

static cgct_status fill_shape(const ev_axes *a, const cgct_slice *slice, float *l)
{
    double phi[N_PHI], value[2 * N_PHI];
    for (int i = 0; i < N_Q * N_K; i++) {
        double q = exp(middle(a, 3, i / N_K)), k = k_of(a, middle(a, 4, i % N_K));
        double least = ev_phi_min(q, k);
        for (int j = 0; j < N_PHI; j++) phi[j] = least + (EV_PI - least) * middle(a, 5, j);
        CGCT_TRY(cgct_slice_angles(slice, q, k, N_PHI, phi, value));
        for (int j = 0; j < N_PHI; j++)
            for (int pol = 0; pol < POLS; pol++) {
                double v = fabs(value[2 * j + pol]);
                l[(size_t)pol * INNER + (size_t)(i * N_PHI + j)] =
                    (float)log(v > 1e-30 ? v : 1e-30);
            }
    }
    return CGCT_OK;
}

static cgct_status fill_shapes(ev_shapes *s, const cgct_table *table, cgct_err *err)
{
    for (int i = 0; i < N_X * N_EPS; i++) {
        cgct_slice *slice;
        const double x = exp(s->x[i / N_EPS]), eps = exp(s->eps[i % N_EPS]);
        CGCT_TRY(cgct_slice_init(&slice, table, x, eps, err));
        cgct_status st = fill_shape(&s->axes, slice, s->l + (size_t)i * BLOCK);
        cgct_slice_free(slice);
        if (st != CGCT_OK) return cgct_fail(err, st, "a slice of the table cannot be evaluated");
    }
    return CGCT_OK;
}

/* The x and eps that the cuts leave of the table.  I changes most where the evolution begins, so x
 * crowd at the upper end. */
static void set_nodes(ev_shapes *shapes, const ev_setup *s)
{
    ev_ends all = {{INFINITY, 0}, INFINITY}, one;
    for (int i = 0; i < EV_KINDS; i++) {
        if (!s->kind[i].n) continue;
        ev_limits(s, &s->kind[i], &one);
        all.eps[0] = fmin(all.eps[0], one.eps[0]);
        all.eps[1] = fmax(all.eps[1], one.eps[1]);
        all.x = fmin(all.x, one.x);
    }
    const double x[2] = {log(held(all.x, s->x[0], s->x[1])), log(s->x[1])};
    const double eps[2] = {log(held(all.eps[0], s->eps[0], s->eps[1])),
                           log(held(all.eps[1], s->eps[0], s->eps[1]))};
    for (int i = 0; i < N_X; i++) {
        const double below = 1 - i / (N_X - 1.0);
        shapes->x[i] = x[1] - (x[1] - x[0]) * below * below;
    }
    for (int i = 0; i < N_EPS; i++) shapes->eps[i] = eps[0] + (eps[1] - eps[0]) * i / (N_EPS - 1);
}

cgct_status ev_shapes_make(ev_shapes **shapes, const cgct_table *table, const ev_setup *setup,
                           cgct_err *err)
{
    ev_shapes *s = (ev_shapes *)calloc(1, sizeof *s);
    *shapes = s;
    if (s) s->l = (float *)malloc((size_t)N_X * N_EPS * BLOCK * sizeof *s->l);
    if (!s || !s->l) return cgct_fail(err, CGCT_E_NOMEM, "no memory for the grid");
    set_axes(&s->axes, setup);
    set_nodes(s, setup);
    return fill_shapes(s, table, err);
}

void ev_shapes_free(ev_shapes *s)
{
    if (!s) return;
    free(s->l);
    free(s);
}

/* The node below v, held in their range, and the share of the way to the next. */
static int node_below(const double *node, int n, double v, double *share)
{
    int i = 0;
    while (i + 2 < n && node[i + 1] <= v) i++;
    const double step = node[i + 1] - node[i];
    *share = step > 0 ? held((v - node[i]) / step, 0, 1) : 0;
    return i;
}

/* I_T and I_L. */
static void shape_at(const ev_shapes *s, const double x_eps[2], size_t inner, double I[2])
{
    const size_t eps = BLOCK, x = N_EPS * eps;
    double a, b;
    int i = node_below(s->x, N_X, x_eps[0], &a), j = node_below(s->eps, N_EPS, x_eps[1], &b);
    for (int pol = 0; pol < POLS; pol++) {
        const float *l = s->l + (size_t)i * x + (size_t)j * eps + (size_t)pol * INNER + inner;
        I[pol] =
            exp((1 - a) * ((1 - b) * l[0] + b * l[eps]) + a * ((1 - b) * l[x] + b * l[x + eps]));
    }
}

/* ---- cells ---- */

/* What cells in (q, k, phi) at one zs share, for all Q2 and y: ev_mass2 in the middle, and what it
 * is at least and at most; the measure, 0 where no point has a K of its range. */
typedef struct {
    double mass2, least, most, measure;
} ev_cell;

static void measure_cell(const ev_grid *g, double mass, int z, size_t inner, ev_cell *c)
{
    const ev_axes *a = &g->axes;
    const ev_setup *s = g->setup;
    const int i[DIMS] = {
        0, 0, z, (int)(inner / (N_K * N_PHI)), (int)(inner / N_PHI % N_K), (int)(inner % N_PHI)};
    double lo[DIMS], hi[DIMS]; /* ends of z, q and k, and shares of the way from phi_min to pi */
    ev_point p = {.zs = zs_of(a, z, 0.5),
                  .q = exp(middle(a, 3, i[3])),
                  .k = k_of(a, middle(a, 4, i[4])),
                  .mass = mass};
    for (int d = 2; d < DIMS; d++) {
        lo[d] = axis_at(a, d, i[d]);
        hi[d] = axis_at(a, d, i[d] + 1);
        if (d == 2) lo[d] = zs_of(a, z, 0), hi[d] = zs_of(a, z, 1);
        if (d == 3) lo[d] = exp(lo[d]), hi[d] = exp(hi[d]);
        if (d == 4) lo[d] = k_of(a, lo[d]), hi[d] = k_of(a, hi[d]);
    }
    const double first = ev_phi_min(p.q, p.k);
    p.phi = first + (EV_PI - first) * middle(a, 5, i[5]);
    c->mass2 = ev_mass2(&p);
    /* K^2 = (k - z q)^2 + 2 k z q (1 - cos phi) */
    const double m[2] = {lo[2] * lo[3], hi[2] * hi[3]}; /* z q */
    const double near = fmax(0, fmax(lo[4] - m[1], m[0] - hi[4]));
    const double far = fmax(hi[4] - m[0], m[1] - lo[4]);
    const double least = ev_phi_min(hi[3], lo[4]), most = ev_phi_min(lo[3], hi[4]);
    const double phi[2] = {least + (EV_PI - least) * lo[5], most + (EV_PI - most) * hi[5]};
    const double K2[2] = {near * near + 2 * lo[4] * m[0] * (1 - cos(phi[0])),
                          far * far + 2 * hi[4] * m[1] * (1 - cos(phi[1]))};
    const double zz[2] = {lo[2] * (1 - lo[2]), hi[2] * (1 - hi[2])};
    const double widest = lo[2] < 0.5 && hi[2] > 0.5 ? 0.25 : fmax(zz[0], zz[1]);
    c->least = lo[3] * lo[3] + (K2[0] + mass * mass) / widest;
    c->most = hi[3] * hi[3] + (K2[1] + mass * mass) / fmin(zz[0], zz[1]);
    const int counts = K2[0] <= s->K[1] * s->K[1] && K2[1] >= s->K[0] * s->K[0];
    c->measure = counts ? p.q * p.q * p.k * (p.k + a->soft) * (EV_PI - first) : 0;
}

/* The cells at one zs and Q2, for all y. */
static void fill_blocks(ev_grid *g, const ev_shapes *shape, int kind, const int at_Q2_z[2],
                        const ev_cell *cell)
{
    const int i_Q2 = at_Q2_z[0], z = at_Q2_z[1];
    const ev_axes *a = &g->axes;
    const ev_setup *s = g->setup;
    const double Q2 = exp(middle(a, 0, i_Q2)), zs = zs_of(a, z, 0.5);
    const double end[2] = {exp(axis_at(a, 0, i_Q2)), exp(axis_at(a, 0, i_Q2 + 1))};
    const double mass = s->kind[kind].mass, ln_eps = log(zs * (1 - zs) * Q2 + mass * mass) / 2;
    /* where eps is frozen, eps^2 I_T is */
    const double rise = fmax(2 * (log(s->eps[0]) - ln_eps), 0);
    double factor[2][2], at[2] = {0, ln_eps};
    ev_factors(s, &s->kind[kind], Q2, zs, factor);
    factor[CGCT_T][CGCT_T] *= exp(rise);
    float *value = g->of[kind].value + ((size_t)i_Q2 * N_Y * N_Z + (size_t)z) * BLOCK;
    for (size_t i = 0; i < INNER; i++) {
        double y[2], least[2], most[2];
        ev_y_range(s, Q2, cell[i].mass2, y);
        ev_y_range(s, end[0], cell[i].least, least);
        ev_y_range(s, end[1], cell[i].most, most);
        const int counts = cell[i].measure > 0 && least[0] < most[1];
        double Q2_at = Q2;
        if (y[0] > y[1]) { /* not in the middle, but elsewhere in the cell */
            /* the flux of real photons falls steeply */
            y[0] = y[1] = s->photons.real || !counts ? least[0] : sqrt(least[0] * most[1]);
            Q2_at = fmax(Q2, sqrt(fmax(end[0], ev_Q2_least(s, y[0])) * end[1]));
        }
        const double start = log(y[0]), length = log(y[1]) - start;
        const double most_length = counts ? log(most[1] / least[0]) : 0;
        const double measure = 1e6 * Q2_at * cell[i].measure * fmax(length, EDGE * most_length);
        const double ln_mass2 = log((Q2 + cell[i].mass2) / s->s);
        for (int j = 0; j < N_Y; j++) {
            float *to = value + (size_t)j * N_Z * BLOCK + i;
            to[0] = to[INNER] = 0;
            if (!counts) continue;
            const double ln_y = start + length * middle(a, 1, j), y_at = exp(ln_y);
            double density[POLS], I[POLS];
            at[0] = ln_mass2 - ln_y;
            ev_densities(s, factor, Q2_at, y_at, density);
            shape_at(shape, at, i, I);
            for (int pol = 0; pol < POLS; pol++)
                to[(size_t)pol * INNER] = (float)(measure * y_at * density[pol] * I[pol]);
        }
    }
}

static cgct_status fill_kind(ev_grid *g, const ev_shapes *shapes, int kind, cgct_err *err)
{
    ev_cells *c = &g->of[kind];
    ev_cell *cell = (ev_cell *)malloc(INNER * sizeof *cell);
    c->value = (float *)malloc((size_t)BLOCKS * BLOCK * sizeof *c->value);
    c->sum = (double *)malloc((size_t)BLOCKS * BLOCK * sizeof *c->sum);
    if (!cell || !c->value || !c->sum) {
        free(cell);
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for the grid");
    }
    for (int z = 0; z < N_Z; z++) {
        for (size_t i = 0; i < INNER; i++)
            measure_cell(g, g->setup->kind[kind].mass, z, i, &cell[i]);
        for (int i = 0; i < N_Q2; i++) fill_blocks(g, shapes, kind, (const int[]){i, z}, cell);
    }
    for (int i = 0; i < BLOCKS; i++) {
        const float *value = c->value + (size_t)i * BLOCK;
        double *sum = c->sum + (size_t)i * BLOCK, all = 0;
        for (size_t j = 0; j < BLOCK; j++) sum[j] = all += value[j];
        c->block[i + 1] = c->block[i] + all;
    }
    free(cell);
    return CGCT_OK;
}

cgct_status ev_grid_make(ev_grid **grid, const ev_shapes *shapes, const ev_setup *s, cgct_err *err)
{
    ev_grid *g = (ev_grid *)calloc(1, sizeof *g);
    *grid = g;
    if (!g) return cgct_fail(err, CGCT_E_NOMEM, "no memory for the grid");
    g->axes = shapes->axes;
    g->setup = s;
    for (int i = 0; i < EV_KINDS; i++)
        if (s->kind[i].n) CGCT_TRY(fill_kind(g, shapes, i, err));
    return CGCT_OK;
}

void ev_grid_free(ev_grid *g)
{
    for (int i = 0; g && i < EV_KINDS; i++) {
        free(g->of[i].value);
        free(g->of[i].sum);
    }
    free(g);
}

double ev_grid_total(const ev_grid *g)
{
    double total = 0;
    for (int i = 0; i < EV_KINDS; i++) total += g->of[i].block[BLOCKS];
    return total;
}

/* ---- drawing ---- */

/* Of the logarithm of the value from one end of the cell to the other. */
static double slope_at(const float *value, size_t at, int d, int i)
{
    float own = value[at], below = i > 0 ? value[at - stride[d]] : 0;
    float above = i + 1 < count[d] ? value[at + stride[d]] : 0, slope = 0;
    if (below > 0 && above > 0)
        slope = logf(above / below) / 2;
    else if (above > 0)
        slope = logf(above / own);
    else if (below > 0)
        slope = logf(own / below);
    return held(slope, -SLOPE_LARGEST, SLOPE_LARGEST);
}

/* t in (0,1) from the density proportional to e^(c t); *density: it is multiplied with that. */
static double draw_slope(double c, double u, double *density)
{
    if (fabs(c) < 1e-6) return u;
    double e = exp(c) - 1, grown = 1 + u * e;
    *density *= c * grown / e;
    return log(grown) / c;
}

/* The first of n running sums that lies above v, or the last one. */
static size_t first_above(const double *sum, size_t n, double v)
{
    size_t lo = 0, hi = n - 1;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (sum[mid] > v)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

double ev_grid_draw(const ev_grid *g, ev_random *r, ev_point *p, int *pol, int *kind)
{
    const double total = ev_grid_total(g);
    double v[DIMS], y[2], density = 1, left = ev_uniform(r) * total;
    int last = EV_KINDS - 1;
    while (last > 0 && !(g->of[last].block[BLOCKS] > 0)) last--;
    for (*kind = 0; *kind < last && left >= g->of[*kind].block[BLOCKS]; ++*kind)
        left -= g->of[*kind].block[BLOCKS];
    const ev_cells *c = &g->of[*kind];
    size_t block = first_above(c->block + 1, BLOCKS, fmin(left, c->block[BLOCKS] * (1 - 1e-15)));
    const double *sum = c->sum + block * BLOCK;
    size_t cell = first_above(sum, BLOCK, ev_uniform(r) * sum[BLOCK - 1]),
           at = block * BLOCK + cell;
    const size_t inner = cell % INNER;
    const int i[DIMS] = {(int)(block / (N_Y * N_Z)), (int)(block / N_Z % N_Y),
                         (int)(block % N_Z),         (int)(inner / (N_K * N_PHI)),
                         (int)(inner / N_PHI % N_K), (int)(inner % N_PHI)};
    *pol = cell >= INNER ? CGCT_L : CGCT_T;
    for (int d = 0; d < DIMS; d++) {
        double t = draw_slope(slope_at(c->value, at, d, i[d]), ev_uniform(r), &density);
        v[d] = d == 2 ? zs_of(&g->axes, i[d], t) : axis_at(&g->axes, d, i[d] + t);
        density /= g->axes.width[d];
    }
    *p = (ev_point){.Q2 = exp(v[0]),
                    .y = g->setup->y[1],
                    .zs = v[2],
                    .q = exp(v[3]),
                    .k = k_of(&g->axes, v[4]),
                    .mass = g->setup->kind[*kind].mass};
    double least = ev_phi_min(p->q, p->k);
    p->phi = least + (EV_PI - least) * v[5];
    ev_y_range(g->setup, p->Q2, ev_mass2(p), y);
    if (!(y[0] < y[1])) return 0;
    const double length = log(y[1] / y[0]);
    p->y = y[0] * exp(v[1] * length);
    density *= p->k / (p->k + g->axes.soft) / (EV_PI - least) / length; /* in ln k, phi and ln y */
    return density * c->value[at] / total;
}
