/* SPDX-License-Identifier: MIT */
/* The importance grid of cgctab-events: cells in (ln Q2, ln y, zs, polarisation, ln q, ln k, phi);
 * ln k is ln(k + soft) where k begins below SOFT.
 *
 * I at the middle of each cell comes from slices at a few x and eps, linear in the logarithms
 * between them.  A cell is drawn by its share of the sum; within it the density is an exponential
 * in each variable, with the slope between the neighbours.  Whatever is wrong with this density is
 * made up for by the weight: the cross section itself is never taken from the grid. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

enum { N_X = 7, N_EPS = 10, DIMS = 6, POLS = 2 };
enum { N_Q2 = 8, N_Y = 6, N_Z = 8, N_Q = 24, N_K = 24, N_PHI = 12 };
enum { INNER = N_Q * N_K * N_PHI, BLOCK = POLS * INNER, BLOCKS = N_Q2 * N_Y * N_Z };
static const int count[DIMS] = {N_Q2, N_Y, N_Z, N_Q, N_K, N_PHI};
/* from one cell to the next along each variable */
static const size_t stride[DIMS] = {
    (size_t)N_Y * N_Z * BLOCK, (size_t)N_Z *BLOCK, BLOCK, (size_t)N_K *N_PHI, N_PHI, 1};

#define SLOPE_LARGEST 2.0
#define SOFT 0.3   /* GeV: the shorter momentum below which I changes little */
#define BEYOND 8.0 /* factor beyond the table's x from which a cell is not drawn less often */

struct ev_grid {
    double lo[DIMS], width[DIMS]; /* of the first cell, and of each; phi: as a share */
    double soft;                  /* GeV: what is added to k */
    int freeze;
    float *value;             /* (BLOCKS, BLOCK) */
    double *sum;              /* the same, summed within each block */
    double block[BLOCKS + 1]; /* sums of blocks before this one */
};

/* ln I of slices at the middles of the cells in q, k, phi. */
typedef struct {
    double lx[2], le[2]; /* ranges of ln x, ln eps */
    float *l;            /* (N_X, N_EPS, POLS, INNER) */
} shapes;

static double middle(const ev_grid *g, int d, int i)
{
    return g->lo[d] + (i + 0.5) * g->width[d];
}

/* k at a value of its axis. */
static double k_of(const ev_grid *g, double v)
{
    return fmax(exp(v) - g->soft, 1e-30);
}

static double node_of(const double range[2], int n, int i)
{
    return range[0] + (range[1] - range[0]) * i / (n - 1);
}

static double held(double v, double lo, double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

static cgct_status fill_shape(const ev_grid *g, const cgct_slice *slice, float *l)
{
    double phi[N_PHI], value[2 * N_PHI];
    for (int i = 0; i < N_Q * N_K; i++) {
        double q = exp(middle(g, 3, i / N_K)), k = k_of(g, middle(g, 4, i % N_K));
        double least = ev_phi_min(q, k);
        for (int j = 0; j < N_PHI; j++) phi[j] = least + (EV_PI - least) * middle(g, 5, j);
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

static cgct_status fill_shapes(const ev_grid *g, const cgct_table *table, shapes *s, cgct_err *err)
{
    for (int i = 0; i < N_X * N_EPS; i++) {
        cgct_slice *slice;
        double x = exp(node_of(s->lx, N_X, i / N_EPS)), e = exp(node_of(s->le, N_EPS, i % N_EPS));
        CGCT_TRY(cgct_slice_init(&slice, table, x, e, err));
        cgct_status st = fill_shape(g, slice, s->l + (size_t)i * BLOCK);
        cgct_slice_free(slice);
        if (st != CGCT_OK) return cgct_fail(err, st, "a slice of the table cannot be evaluated");
    }
    return CGCT_OK;
}

/* Cell below v and the share of the way to the next. */
static int node_below(const double range[2], int n, double v, double *share)
{
    double at = range[1] > range[0] ? (v - range[0]) / (range[1] - range[0]) * (n - 1) : 0;
    at = held(at, 0, n - 1);
    int i = at < n - 2 ? (int)at : n - 2;
    *share = at - i;
    return i;
}

static double shape_at(const shapes *s, const double x_eps[2], int pol, size_t inner)
{
    double a, b;
    int i = node_below(s->lx, N_X, x_eps[0], &a), j = node_below(s->le, N_EPS, x_eps[1], &b);
    const float *l = s->l + ((size_t)(i * N_EPS + j) * POLS + (size_t)pol) * INNER + inner;
    const size_t next = (size_t)N_EPS * BLOCK;
    return exp((1 - a) * ((1 - b) * l[0] + b * l[BLOCK]) +
               a * ((1 - b) * l[next] + b * l[next + BLOCK]));
}

static double edge_of(const ev_grid *g, int d, int i)
{
    return g->lo[d] + i * g->width[d];
}

/* Whether no point of the cell has an x of the table. */
static int has_no_x(const ev_setup *s, const double lo[DIMS], const double hi[DIMS])
{
    const double zz = fmin(lo[2] * (1 - lo[2]), hi[2] * (1 - hi[2])), K = hi[4] + hi[2] * hi[3];
    return (lo[0] + lo[3] * lo[3]) / (hi[1] * s->s) > s->x[1] ||
           (hi[0] + hi[3] * hi[3] + K * K / zz) / (lo[1] * s->s) < s->x[0];
}

/* Whether no point of the cell has a K in its range: K^2 = (k - z q)^2 + 2 k z q (1 - cos phi). */
static int has_no_K(const ev_setup *s, const double lo[DIMS], const double hi[DIMS])
{
    if (s->K[0] <= 0 && isinf(s->K[1])) return 0;
    const double m[2] = {lo[2] * lo[3], hi[2] * hi[3]}; /* z q */
    const double near = fmax(0, fmax(lo[4] - m[1], m[0] - hi[4]));
    const double far = fmax(hi[4] - m[0], m[1] - lo[4]);
    const double least = ev_phi_min(hi[3], lo[4]), most = ev_phi_min(lo[3], hi[4]);
    const double phi[2] = {least + (EV_PI - least) * lo[5], most + (EV_PI - most) * hi[5]};
    return near * near + 2 * lo[4] * m[0] * (1 - cos(phi[0])) > s->K[1] * s->K[1] ||
           far * far + 2 * hi[4] * m[1] * (1 - cos(phi[1])) < s->K[0] * s->K[0];
}

/* Whether no point of the cell counts. */
static int is_outside(const ev_grid *g, const ev_setup *s, const int i[DIMS])
{
    double lo[DIMS], hi[DIMS];
    for (int d = 0; d < DIMS; d++) {
        lo[d] = edge_of(g, d, i[d]);
        hi[d] = edge_of(g, d, i[d] + 1);
        if (d == 0 || d == 1 || d == 3) lo[d] = exp(lo[d]), hi[d] = exp(hi[d]);
        if (d == 4) lo[d] = k_of(g, lo[d]), hi[d] = k_of(g, hi[d]);
    }
    return (!s->freeze && has_no_x(s, lo, hi)) || has_no_K(s, lo, hi);
}

static void fill_block(ev_grid *g, const ev_setup *s, const shapes *shape, int block)
{
    ev_point p = {.Q2 = exp(middle(g, 0, block / (N_Y * N_Z))),
                  .y = exp(middle(g, 1, block / N_Z % N_Y)),
                  .zs = middle(g, 2, block % N_Z)};
    double factor[2];
    float *value = g->value + (size_t)block * BLOCK;
    ev_factors(s, &p, factor);
    const double le = log(p.zs * (1 - p.zs) * p.Q2) / 2;
    for (size_t i = 0; i < INNER; i++) {
        const int cell[DIMS] = {block / (N_Y * N_Z),      block / N_Z % N_Y,      block % N_Z,
                                (int)(i / (N_K * N_PHI)), (int)(i / N_PHI % N_K), (int)(i % N_PHI)};
        value[i] = value[INNER + i] = 0;
        if (is_outside(g, s, cell)) continue;
        p.q = exp(middle(g, 3, cell[3]));
        p.k = k_of(g, middle(g, 4, cell[4]));
        double least = ev_phi_min(p.q, p.k);
        p.phi = least + (EV_PI - least) * middle(g, 5, cell[5]);
        double x = ev_x(s, &p);
        double beyond = x > s->x[1] ? x / s->x[1] : x < s->x[0] ? s->x[0] / x : 1;
        double measure = p.Q2 * p.y * p.q * p.q * p.k * (p.k + g->soft) * (EV_PI - least);
        if (!s->freeze) measure /= pow(fmin(beyond, BEYOND), 2);
        const double at[2] = {log(x), le};
        for (int pol = 0; pol < POLS; pol++)
            value[(size_t)pol * INNER + i] =
                (float)(measure * factor[pol] * shape_at(shape, at, pol, i) * 1e6);
    }
}

static void sum_block(ev_grid *g, int block)
{
    const float *value = g->value + (size_t)block * BLOCK;
    double *sum = g->sum + (size_t)block * BLOCK, all = 0;
    for (size_t i = 0; i < BLOCK; i++) sum[i] = all += value[i];
    g->block[block + 1] = g->block[block] + sum[BLOCK - 1];
}

static void divide_axis(ev_grid *g, int d, double lo, double hi)
{
    g->lo[d] = lo;
    g->width[d] = (hi - lo) / count[d];
}

static void set_axes(ev_grid *g, const ev_setup *s)
{
    double z = s->z[0] < 1 - s->z[1] ? s->z[0] : 1 - s->z[1];
    double most = s->z[1] > 1 - s->z[0] ? s->z[1] : 1 - s->z[0];
    double k[2];
    ev_k_range(s, k);
    g->soft = fmax(SOFT - k[0], 0);
    divide_axis(g, 0, log(s->Q2[0]), log(s->Q2[1]));
    divide_axis(g, 1, log(s->y[0]), log(s->y[1]));
    divide_axis(g, 2, z, most);
    divide_axis(g, 3, log(s->q[0]), log(s->q[1]));
    divide_axis(g, 4, log(k[0] + g->soft), log(k[1] + g->soft));
    divide_axis(g, 5, 0, 1);
    g->freeze = s->freeze;
}

cgct_status ev_grid_make(ev_grid **grid, const cgct_table *table, const ev_setup *s, cgct_err *err)
{
    shapes shape = {{log(s->x[0]), log(s->x[1])}, {log(s->eps[0]), log(s->eps[1])}, NULL};
    ev_grid *g = (ev_grid *)calloc(1, sizeof *g);
    *grid = g;
    if (!g) return cgct_fail(err, CGCT_E_NOMEM, "no memory for the grid");
    set_axes(g, s);
    shape.l = (float *)malloc((size_t)N_X * N_EPS * BLOCK * sizeof *shape.l);
    g->value = (float *)malloc((size_t)BLOCKS * BLOCK * sizeof *g->value);
    g->sum = (double *)malloc((size_t)BLOCKS * BLOCK * sizeof *g->sum);
    cgct_status st = CGCT_OK;
    if (!shape.l || !g->value || !g->sum)
        st = cgct_fail(err, CGCT_E_NOMEM, "no memory for the grid");
    if (st == CGCT_OK) st = fill_shapes(g, table, &shape, err);
    for (int i = 0; i < BLOCKS && st == CGCT_OK; i++) {
        fill_block(g, s, &shape, i);
        sum_block(g, i);
    }
    free(shape.l);
    return st;
}

void ev_grid_free(ev_grid *g)
{
    if (!g) return;
    free(g->value);
    free(g->sum);
    free(g);
}

double ev_grid_total(const ev_grid *g)
{
    return g->block[BLOCKS];
}

/* ---- drawing ---- */

static size_t find_block(const ev_grid *g, double v)
{
    size_t lo = 0, hi = BLOCKS;
    while (hi - lo > 1) {
        size_t mid = (lo + hi) / 2;
        if (g->block[mid] <= v)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* The first cell whose sum lies above v. */
static size_t cell_at(const double *sum, double v)
{
    size_t lo = 0, hi = BLOCK - 1;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (sum[mid] > v)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

/* Of the logarithm of the value from one end of the cell to the other. */
static double slope_at(const ev_grid *g, size_t at, int d, int i)
{
    double own = g->value[at], below = i > 0 ? g->value[at - stride[d]] : 0;
    double above = i + 1 < count[d] ? g->value[at + stride[d]] : 0, slope = 0;
    if (below > 0 && above > 0)
        slope = log(above / below) / 2;
    else if (above > 0)
        slope = log(above / own);
    else if (below > 0)
        slope = log(own / below);
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

double ev_grid_draw(const ev_grid *g, ev_random *r, ev_point *p, int *pol)
{
    double v[DIMS], density = 1;
    size_t block = find_block(g, ev_uniform(r) * ev_grid_total(g));
    const double *sum = g->sum + block * BLOCK;
    size_t cell = cell_at(sum, ev_uniform(r) * sum[BLOCK - 1]), at = block * BLOCK + cell;
    const size_t inner = cell % INNER;
    const int i[DIMS] = {(int)(block / (N_Y * N_Z)), (int)(block / N_Z % N_Y),
                         (int)(block % N_Z),         (int)(inner / (N_K * N_PHI)),
                         (int)(inner / N_PHI % N_K), (int)(inner % N_PHI)};
    *pol = cell >= INNER;
    for (int d = 0; d < DIMS; d++) {
        double t = draw_slope(slope_at(g, at, d, i[d]), ev_uniform(r), &density);
        v[d] = g->lo[d] + (i[d] + t) * g->width[d];
        density /= g->width[d];
    }
    *p = (ev_point){exp(v[0]), exp(v[1]), v[2], exp(v[3]), k_of(g, v[4]), 0};
    double least = ev_phi_min(p->q, p->k);
    p->phi = least + (EV_PI - least) * v[5];
    density *= p->k / (p->k + g->soft) / (EV_PI - least); /* in ln k and phi */
    return density * g->value[at] / ev_grid_total(g);
}
