/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The difference of the inner table between Nc and infinitely many colours, or the table of the
 * correlator's singlet part, on a coarse grid.
 *
 * At one (Delta,R,gamma) the integral over r' is a sum over a lattice (inner/lattice.h).  The
 * difference is singular at r + b = 0 and at b - r' = 0, where a = b and
 *
 *   d(difference)/dk = e^-a [e^(-t z) cosh(sqrt(c t) z) - 1]        z = k - a, c and t as in
 *
 * correlator.h; what the lattice misses there is known. */
#include "inner/colours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/clock.h"
#include "numerics/memory.h"

enum { COLOURS_BLOCK = 128 }; /* points at a time: buffers fit the first-level cache */
/* In nu, where Delta is small, for an error of 1e-6; the error falls like 10^(-LATTICE_RATE/h). */
static const double LATTICE_SPACING = 0.155, LATTICE_RATE = 1.19;
/* By what it is wider in the coarser pass, and in that of the singlet part. */
static const double LATTICE_COARSER = 1.1, LATTICE_COARSER_SINGLET = 1.18;
static const double OF_ERROR = 1e-6;    /* that the constants here are for */
static const double EXPONENT_CUT = 24;  /* wave functions are cut where they fell by e^-24, 4e-11 */
static const double DELTA_LEAST = 3e-4; /* units of 1/(eps + Qs): smaller ones count as this */
/* What modes may have that are left out, of the largest, for an error of 1e-6; as much more as the
 * column at Delta is smaller by more than e^-TAIL_FROM, but at most by TAIL_LARGER ... */
static const double MODE_TAIL = 1e-10, TAIL_FROM = 6, TAIL_LARGER = 1e5;
/* ... and by this in the coarser pass. */
static const double TAIL_COARSER = 4;
/* The spacing of the lattice grows by this where that is larger by e. */
static const double WIDENING = 0.2;
static const double LEAST_DISTANCE = 1e-4; /* of two points, in units of the least Delta */
/* Panels are octaves, but wider below SMALL in units of 1/(eps + Qs); those of R are narrower where
 * -ln S(R) lies between FALL_FIRST and FALL_LAST. */
static const double SMALL = 0.1, SMALL_RATIO = 4;
static const double FALL_FIRST = 0.3, FALL_LAST = 40, FALL_RATIO = 1.3;
static const double NEGLIGIBLE = 60; /* of -ln S(Delta): above it the difference counts as 0 */
/* Nodes of a panel for an error of 1e-6, by its end in units of 1/(eps + Qs): of Delta, and of R
 * beyond those that are divided about b = 0 and Delta + b = 0.  They were chosen so that no panel
 * makes I less accurate than with 17 in each; the first one of R/Delta and large Delta need most.
 * At 1e-8 they are up to PANELS_NODES_MAX. */
typedef struct {
    double end;
    size_t nodes;
} panel_size;
static const panel_size NODES_DELTA[] = {{0.1, 6},  {0.4, 8},  {0.8, 10},     {1.6, 11},
                                         {3.2, 14}, {6.4, 17}, {HUGE_VAL, 20}},
                        NODES_FAR[] = {{0.1, 6}, {0.8, 9}, {1.6, 10}, {HUGE_VAL, 20}};
/* Those of a panel of R/Delta that spans more than a factor of WIDE, as the first does; of the
 * other panels of R/Delta; and of a panel of R where S(R) falls. */
enum { NODES_WIDE = 18, NODES_NEAR = 12, NODES_FALL = 14 };
static const double WIDE = 2.5;
/* Each factor of 10 in the error takes this share of these numbers off; a panel keeps the least. */
static const double NODES_DECADE = 0.17, NODES_LEAST = 6;

/* ---- what all nodes share ---- */

static double unit_of(const colours_grid *g)
{
    return 1 / (g->o->eps + sqrt(g->d->Qs2));
}

static double ratio_at(const colours_grid *g, double length)
{
    return length < SMALL * unit_of(g) ? SMALL_RATIO : 2;
}

/* Narrower panels where S(Delta) falls fast. */
static void choose_delta(colours_grid *g)
{
    const inner_opts *o = g->o;
    chebyshev_panels *p = &g->axes.delta;
    const double last = o->delta[o->nd - 1];
    p->end[0] = DELTA_LEAST * unit_of(g);
    for (p->n = 0; p->n < PANELS_MAX && (p->n == 0 || p->end[p->n] < last); p->n++) {
        const double at = p->end[p->n], exponent = -dipole_lnS_at(g->d, at * at);
        if (exponent > NEGLIGIBLE) break;
        p->end[p->n + 1] = at * fmin(ratio_at(g, at), exp(8 / (1 + exponent)));
    }
}

/* R up to 2 Delta or so, divided about the radii lam Delta and (1 - lam) Delta where b or Delta + b
 * can vanish; beyond, narrower panels where S(R) falls. */
static void choose_r(colours_grid *g)
{
    /* the last ones for the singlet part alone, which varies more about these radii */
    static const double about[] = {0.5, 0.75, 1, 1.5, 2, 0.25, 0.875, 1.125, 1.25};
    const size_t n = sizeof about / sizeof *about - (g->d->singlet ? 0 : 4);
    const inner_opts *o = g->o;
    chebyshev_panels *p = &g->axes.near, *q = &g->axes.far;
    const double lam = o->lam, most = fmax(lam, 1 - lam), least = fmin(lam, 1 - lam);
    for (size_t i = 0; i < n; i++) {
        panels_divide(p, most * about[i]);
        if (least > 0) panels_divide(p, least * about[i]);
    }
    q->end[0] = p->end[p->n] * g->axes.delta.end[0];
    for (q->n = 0; q->n < PANELS_MAX && (q->n == 0 || q->end[q->n] < o->r[o->nr - 1]); q->n++) {
        const double at = q->end[q->n], exponent = -dipole_lnS_at(g->d, at * at);
        const int falls = exponent > FALL_FIRST && exponent < FALL_LAST;
        q->end[q->n + 1] = at * (falls ? FALL_RATIO : ratio_at(g, at));
    }
}

colours_row colours_row_at(const colours_grid *g, size_t panel, size_t k)
{
    const double eps = g->o->eps, delta = panels_at(&g->axes.delta, panel, k);
    const double beyond = fmax(0, inner_column_exponent(g->d, eps, delta) - TAIL_FROM);
    const double tail = g->tail * fmin(TAIL_LARGER, exp(beyond));
    const double scale = eps / 10 + sqrt(g->d->Qs2), wider = 1 + WIDENING * log(tail / g->tail);
    const double columns = ceil(M_PI * (1 + delta * scale / 4) / (g->spacing * wider));
    return (colours_row){tail, lattice_shape_of(eps, delta, (size_t)columns, EXPONENT_CUT)};
}

size_t colours_panels_r(const colours_grid *g)
{
    return g->axes.near.n + g->axes.far.n;
}

size_t colours_nodes_r(const colours_grid *g, size_t panel)
{
    const chebyshev_panels *near = &g->axes.near;
    return panel < near->n ? panels_nodes(near, panel)
                           : panels_nodes(&g->axes.far, panel - near->n);
}

double colours_r_at(const colours_grid *g, size_t panel, size_t k, double delta)
{
    const chebyshev_panels *near = &g->axes.near;
    return panel < near->n ? panels_at(near, panel, k) * delta
                           : panels_at(&g->axes.far, panel - near->n, k);
}

size_t colours_order(const colours_grid *g, size_t im)
{
    return (size_t)lround(g->o->m[im] * g->span / M_PI);
}

double colours_delta_of(const colours_grid *g, size_t id)
{
    return fmax(g->o->delta[id], g->axes.delta.end[0]);
}

static void mark_needed(const colours_grid *g)
{
    const inner_opts *o = g->o;
    const chebyshev_panels *near = &g->axes.near, *far = &g->axes.far;
    const double last = g->axes.delta.end[g->axes.delta.n];
    for (size_t id = 0; id < o->nd && colours_delta_of(g, id) <= last; id++) {
        const double delta = colours_delta_of(g, id), edge = near->end[near->n] * delta;
        char *need = g->need + panels_panel(&g->axes.delta, delta) * colours_panels_r(g);
        for (size_t ir = 0; ir < o->nr; ir++)
            need[o->r[ir] < edge ? panels_panel(near, o->r[ir] / delta)
                                 : near->n + panels_panel(far, o->r[ir])] = 1;
    }
}

/* Nodes of a panel for the error that is asked for; fewer in the coarser pass. */
static size_t nodes_of(const colours_grid *g, size_t nodes)
{
    const double n = fmax(NODES_LEAST, (double)nodes * (1 - NODES_DECADE * g->decades));
    return (size_t)lround(g->o->coarser > 1 ? fmin(n - 1, n * 7 / 8) : n);
}

static size_t nodes_by_end(const colours_grid *g, const panel_size *s, double end)
{
    while (end > s->end * unit_of(g)) s++;
    return nodes_of(g, s->nodes);
}

static void choose_nodes(colours_grid *g)
{
    chebyshev_panels *delta = &g->axes.delta, *near = &g->axes.near, *far = &g->axes.far;
    size_t nodes[PANELS_MAX];
    for (size_t i = 0; i < delta->n; i++)
        nodes[i] = nodes_by_end(g, NODES_DELTA, delta->end[i + 1]);
    panels_set_nodes(delta, nodes);
    for (size_t i = 0; i < near->n; i++)
        nodes[i] = nodes_of(g, near->end[i + 1] > WIDE * near->end[i] ? NODES_WIDE : NODES_NEAR);
    panels_set_nodes(near, nodes);
    for (size_t i = 0; i < far->n; i++)
        nodes[i] = far->end[i + 1] > 1.01 * FALL_RATIO * far->end[i]
                       ? nodes_by_end(g, NODES_FAR, far->end[i + 1])
                       : nodes_of(g, NODES_FALL);
    panels_set_nodes(far, nodes);
    g->nr = near->first[near->n] + far->first[far->n];
}

/* Spacing of the lattice, for the error that is asked for and for the pass. */
static void choose_fineness(colours_grid *g)
{
    const inner_opts *o = g->o;
    const double looser = o->colours > 0 ? o->colours / OF_ERROR : 1;
    const double decades = log10(looser);
    g->tail = MODE_TAIL * looser;
    g->spacing = 1 / (1 / LATTICE_SPACING - decades / LATTICE_RATE);
    g->decades = decades;
    if (!(o->coarser > 1)) return;
    g->tail *= TAIL_COARSER;
    g->spacing *= g->d->singlet ? LATTICE_COARSER_SINGLET : LATTICE_COARSER;
}

void colours_grid_init(colours_grid *g, const inner_opts *o, const dipole *d)
{
    *g = (colours_grid){
        .o = o, .d = d, .colours = correlator_of(d->Nc), .span = o->lam == 0.5 ? M_PI_2 : M_PI};
    for (size_t j = 0; j < 2 * COLOURS_ANGLES; j++)
        g->cosine[j] = cos(M_PI * (double)j / COLOURS_ANGLES);
    choose_fineness(g);
    choose_delta(g);
    choose_r(g);
    lattice_dipole_init(&g->singular, d);
    /* no distance of two points is larger than |R| + |Delta| + |r| + |r'| */
    const double first = g->axes.delta.end[0], last_r = g->axes.far.end[g->axes.far.n];
    const double last = 2 * last_r + 2 * o->delta[o->nd - 1] + EXPONENT_CUT / o->eps;
    dipole_lookup_init(&g->L, d, first * first * LEAST_DISTANCE * LEAST_DISTANCE, last * last);
    g->need = memory_zeros(g->axes.delta.n * colours_panels_r(g), 1);
    mark_needed(g);
    choose_nodes(g);
}

void colours_grid_free(colours_grid *g)
{
    free(g->need);
    dipole_lookup_free(&g->L);
    *g = (colours_grid){0};
}

/* ---- one (Delta,R): modes in gamma ---- */

typedef struct {
    double g[NPOL], whole[NPOL]; /* the difference; infinitely many colours, or the singlet part */
} colours_value;

/* One block of points: N there, and S4 or its difference, beside what that is a part of.  Each kind
 * has a loop of its own, since compilers compute both sides of a condition within a loop. */
typedef struct {
    size_t n;
    double B, rootB;
    const double *A, *root;
    double N[COLOURS_BLOCK], value[COLOURS_BLOCK], whole[COLOURS_BLOCK];
} colours_block;

static void block_difference(correlator few, colours_block *q)
{
    for (size_t k = 0; k < q->n; k++)
        q->value[k] = colours_difference(few, q->A[k], q->root[k], q->B, q->rootB, q->N[k] - q->B,
                                         &q->whole[k]);
}

static void block_singlet(correlator few, colours_block *q)
{
    for (size_t k = 0; k < q->n; k++)
        q->value[k] = q->whole[k] =
            correlator_singlet(few, q->A[k], q->B, q->N[k] - q->B, q->root[k] * q->root[k]);
}

static void take_excess_off(const colours_grid *g, const lattice *q, double X, double Y, double B,
                            colours_value *v)
{
    const double other = dipole_lookup_at(&g->L, 4 * (X * X + Y * Y));
    double excess[NPOL];
    lattice_excess(q, &g->singular, X, Y, colours_singularity(g->colours, B, other), excess);
    for (int pol = 0; pol < NPOL; pol++) v->g[pol] -= excess[pol];
}

static colours_value difference_at(const colours_grid *g, const lattice *q, double R, double gamma)
{
    const double c = q->shape.delta / 2, X = R * cos(gamma) + (1 - 2 * g->o->lam) * c;
    const double Y = R * sin(gamma), R2 = X * X + Y * Y;
    const dipole_lookup L = g->L;
    colours_block b;
    uint64_t from[2][COLOURS_BLOCK];
    double u[2][COLOURS_BLOCK];
    b.B = dipole_lookup_at(&L, (X - c) * (X - c) + Y * Y) +
          dipole_lookup_at(&L, (X + c) * (X + c) + Y * Y);
    b.rootB = vexp(0.5 * b.B);
    colours_value v = {{0}, {0}};
    for (size_t first = 0; first < q->n; first += b.n) {
        const double *px = q->x + first, *py = q->y + first, *t2 = q->t2 + first;
        const double *T = q->psi[POL_T] + first, *F = q->psi[POL_L] + first;
        double sum[4] = {0};
        b.n = q->n - first < COLOURS_BLOCK ? q->n - first : COLOURS_BLOCK;
        b.A = q->A + first;
        b.root = q->root + first;
        for (size_t k = 0; k < b.n; k++) {
            const double dot = 2 * (px[k] * X + py[k] * Y);
            const lookup_place less = dipole_lookup_place(&L, t2[k] + R2 - dot);
            const lookup_place more = dipole_lookup_place(&L, t2[k] + R2 + dot);
            from[0][k] = less.from;
            from[1][k] = more.from;
            u[0][k] = less.u;
            u[1][k] = more.u;
        }
        for (size_t k = 0; k < b.n; k++)
            b.N[k] = dipole_lookup_value(&L, from[0][k], u[0][k]) +
                     dipole_lookup_value(&L, from[1][k], u[1][k]);
        if (g->d->singlet)
            block_singlet(g->colours, &b);
        else
            block_difference(g->colours, &b);
        for (size_t k = 0; k < b.n; k++) {
            sum[0] += T[k] * b.value[k];
            sum[1] += F[k] * b.value[k];
            sum[2] += T[k] * b.whole[k];
            sum[3] += F[k] * b.whole[k];
        }
        v.g[POL_T] += sum[0];
        v.g[POL_L] += sum[1];
        v.whole[POL_T] += sum[2];
        v.whole[POL_L] += sum[3];
    }
    if (!g->d->singlet) take_excess_off(g, q, X, Y, b.B, &v);
    return v;
}

/* G (NPOL, nm) at one (Delta,R). */
static void difference_modes(const colours_grid *g, const lattice *q, double R, double tail,
                             double *G)
{
    double f[COLOURS_ANGLES + 1][NPOL], whole[NPOL] = {0};
    size_t n = COLOURS_ANGLES_FIRST, step = COLOURS_ANGLES / n, from = 0;
    const inner_opts *o = g->o;
    for (;; n *= 2, step /= 2, from = step) {
        for (size_t k = from; k <= COLOURS_ANGLES; k += from ? 2 * step : step) {
            const colours_value v = difference_at(g, q, R, g->span * (double)k / COLOURS_ANGLES);
            for (int pol = 0; pol < NPOL; pol++) {
                f[k][pol] = v.g[pol];
                whole[pol] = fmax(whole[pol], fabs(v.whole[pol]));
            }
        }
        int done = 1;
        for (int pol = 0; pol < NPOL; pol++)
            done &= colours_resolved(g->cosine, &f[0][pol], step * NPOL, n, whole[pol], tail);
        if (n == COLOURS_ANGLES || done) break;
    }
    for (int pol = 0; pol < NPOL; pol++)
        for (size_t im = 0; im < o->nm; im++) {
            const size_t i = colours_order(g, im);
            G[(size_t)pol * o->nm + im] =
                i < n ? colours_mode(g->cosine, &f[0][pol], step * NPOL, n, i) : 0;
        }
}

/* Row number k of a panel of Delta of G (rows, nr, NPOL, nm), where it is needed. */
static void fill_row(const colours_grid *g, size_t panel, size_t k, double *G)
{
    const size_t n = colours_panels_r(g), row_size = NPOL * g->o->nm;
    const char *need = g->need + panel * n;
    lattice q;
    if (!memchr(need, 1, n)) return;
    const colours_row row = colours_row_at(g, panel, k);
    lattice_init(&q, g->d, g->o->eps, &row.shape);
    for (size_t i = 0; i < n; i++) {
        const size_t nodes = colours_nodes_r(g, i);
        for (size_t l = 0; l < nodes && need[i]; l++)
            difference_modes(g, &q, colours_r_at(g, i, l, row.shape.delta), row.tail,
                             G + l * row_size);
        G += nodes * row_size;
    }
    lattice_free(&q);
}

/* ---- the table ---- */

/* Row id of the table from the grid's G (nodes of Delta, nr, NPOL, nm); line (nr, NPOL, nm) is
 * scratch. */
static void add_row(const colours_grid *g, const double *G, inner_table *t, size_t id, double *line)
{
    const size_t row = NPOL * t->nm, all = g->nr * row;
    const double delta = colours_delta_of(g, id);
    double c[PANELS_NODES_MAX];
    size_t n;
    if (delta > g->axes.delta.end[g->axes.delta.n]) return;
    const double *from = G + panels_weights(&g->axes.delta, delta, c, &n) * all;
    memset(line, 0, all * sizeof *line);
    for (size_t k = 0; k < n; k++, from += all)
        for (size_t i = 0; i < all; i++) line[i] += c[k] * from[i];
    for (size_t ir = 0; ir < t->nr; ir++) {
        const double *at = line + colours_weights_of_r(&g->axes, t->r[ir], delta, c, &n) * row;
        for (size_t pol = 0; pol < NPOL; pol++)
            for (size_t im = 0; im < (t->delta[id] > 0 ? t->nm : 1); im++) {
                double *to = t->g + ((pol * t->nm + im) * t->nd + id) * t->nr + ir;
                for (size_t k = 0; k < n; k++) *to += c[k] * at[k * row + pol * t->nm + im];
            }
    }
}

static void add_grid(const colours_grid *g, inner_table *t)
{
    const chebyshev_panels *p = &g->axes.delta;
    const size_t rows = p->first[p->n], all = g->nr * NPOL * t->nm;
    double *G = memory_zeros(rows * all, sizeof *G);
#pragma omp parallel
    {
        const double start = clock_thread();
        double *line = memory_new(all, sizeof *line);
#pragma omp for schedule(dynamic, 1)
        for (size_t at = 0; at < rows; at++) {
            size_t panel = 0;
            while (p->first[panel + 1] <= at) panel++;
            fill_row(g, panel, at - p->first[panel], G + at * all);
        }
#pragma omp for schedule(dynamic, 4)
        for (size_t id = 0; id < t->nd; id++) add_row(g, G, t, id, line);
        free(line);
#pragma omp critical(colours_stage)
        t->stage[STAGE_COLOURS].seconds += clock_thread() - start;
    }
    free(G);
}

void inner_colours_add(inner_table *t, const inner_opts *o, const dipole *d)
{
    colours_grid g;
    if (!isfinite(d->Nc)) return;
    colours_grid_init(&g, o, d);
    add_grid(&g, t);
    colours_grid_free(&g);
}

void inner_colours_singlet(inner_table *t, const inner_opts *o, const dipole *d)
{
    inner_table_init(t, o);
    inner_colours_add(t, o, d);
    for (size_t pol = 0; pol < NPOL; pol++)
        t->origin[pol] = t->g[pol * t->nm * t->nd * t->nr] / (2 * M_PI);
}
