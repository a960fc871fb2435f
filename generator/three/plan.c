/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the plan of a three-momentum transform: checks, order of the loops, weights and angles. */
#include "three/plan.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Tiles of a thread in a subset of Delta: enough for threads to finish together, few enough for
     * frequent checkpoints. */
    TILES_PER_THREAD = 16,
    /* Nodes of b in one product: their modes P, SWEEP (2M+1) THREE_COLUMNS numbers for each alpha,
     * stay in the second-level cache. */
    SWEEP = 32
};

static cgct_status check_task(const three_opts *o, const three_integrand *g, cgct_err *err)
{
    int degree = o->degree ? o->degree : THREE_DEGREE_DEFAULT;
    if (!g || (!g->block && !o->engine))
        return cgct_fail(err, CGCT_E_USAGE, "three_momentum: no integrand");
    if (degree < THREE_DEGREE_MIN || degree > FILON_DEGREE_MAX)
        return cgct_fail(err, CGCT_E_DOMAIN, "three_momentum: degree %d outside %d..%d", degree,
                         THREE_DEGREE_MIN, FILON_DEGREE_MAX);
    if (o->modes < 0 || o->modes > THREE_ORDER_MAX)
        return cgct_fail(err, CGCT_E_DOMAIN, "three_momentum: M = %d modes outside 0..%d", o->modes,
                         THREE_ORDER_MAX);
    if (o->nphi <= 2 * o->modes)
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "three_momentum: %d angles cannot tell modes to M = %d apart, more than "
                         "2M = %d are needed; raise the angles or lower M",
                         o->nphi, o->modes, 2 * o->modes);
    const three_axis *axes[] = {&o->delta, &o->rp, &o->b};
    static const char names[3][8] = {"Delta", "r'", "b"};
    for (int i = 0; i < 3; i++)
        if (axes[i]->nmom == 0 || axes[i]->n == 0)
            return cgct_fail(err, CGCT_E_DOMAIN,
                             "three_momentum: axis %s has %zu nodes and %zu momenta; give both",
                             names[i], axes[i]->n, axes[i]->nmom);
    return CGCT_OK;
}

/* ---- weights ---- */

/* Where the weights of one axis go: the n weights of order m, momentum i and set s begin at
 * to + m order + i momentum + s set. */
typedef struct {
    double *to;
    size_t nm; /* orders 0..nm-1 */
    size_t order, momentum, set;
} weight_table;

/* The coarse set has a degree two lower and leaves out the last tenth of the nodes, unless too few
 * for its polynomials would remain. */
static cgct_status axis_weights(const three_axis *a, int degree, const weight_table *w,
                                cgct_err *err)
{
    size_t nm = w->nm;
    int *m = malloc(nm * sizeof *m);
    double *v = malloc(nm * a->nmom * a->n * sizeof *v);
    cgct_status st =
        m && v ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "no memory for weights of %zu nodes", a->n);
    for (size_t i = 0; st == CGCT_OK && i < nm; i++) m[i] = (int)i;
    for (size_t s = 0; st == CGCT_OK && s < THREE_NSET; s++) {
        size_t n = a->n, least = (size_t)degree + 1;
        if (s == THREE_COARSE && n - n / 10 >= least) n -= n / 10;
        int lower = s == THREE_COARSE ? 2 : 0;
        const filon_task t = {n, a->nmom, nm, a->node, a->mom, m, degree - lower, a->tail};
        st = filon_weights(&t, v, err);
        for (size_t im = 0; st == CGCT_OK && im < nm; im++)
            for (size_t i = 0; i < a->nmom; i++) {
                double *row = w->to + im * w->order + i * w->momentum + s * w->set;
                memcpy(row, v + (im * a->nmom + i) * n, n * sizeof *row);
                memset(row + n, 0, (a->n - n) * sizeof *row);
            }
    }
    free(v);
    free(m);
    return st;
}

static cgct_status fill_three_weights(three_plan *p, cgct_err *err)
{
    const three_axis *b = &p->o->b, *r = &p->o->rp, *d = &p->o->delta;
    int degree = p->o->degree ? p->o->degree : THREE_DEGREE_DEFAULT;
    const struct {
        const three_axis *axis;
        const char *name;
        weight_table to;
    } all[] = {
        {b, "b, q", {p->wb, p->M + 1, b->nmom * THREE_NSET * b->n, THREE_NSET * b->n, b->n}},
        {r, "r', p", {p->wr, p->nn, THREE_NSET * r->nmom * r->n, r->n, r->nmom * r->n}},
        {d, "Delta, k", {p->wd, p->M + 1, THREE_NSET * d->nmom * d->n, d->n, d->nmom * d->n}}};
    for (int i = 0; i < 3; i++) {
        cgct_status st = axis_weights(all[i].axis, degree, &all[i].to, err);
        if (st != CGCT_OK) return cgct_context(err, st, "axis %s", all[i].name);
    }
    return CGCT_OK;
}

/* ---- angles ---- */

/* cos(2 pi m i/N), bit for bit the same at angles i and N - i: integrands may compare them. */
static double grid_cos(size_t m, size_t i, size_t N)
{
    i = m * i % N;
    if (2 * i > N) i = N - i;
    return cos(2 * M_PI * (double)i / (double)N);
}

static double grid_sin(size_t m, size_t i, size_t N)
{
    return sin(2 * M_PI * (double)(m * i % N) / (double)N);
}

/* The projections include the factor 1/N of a mean over angles, and the factor two of samples that
 * stand for their reflection, too. */
static void fill_three_angles(three_plan *p)
{
    size_t N = p->N;
    double mean = 1 / (double)N;
    for (size_t i = 0; i < N; i++) {
        p->cos[i] = grid_cos(1, i, N);
        p->sin[i] = grid_sin(1, i, N);
    }
    for (size_t n = 0; n <= p->M; n++)
        for (size_t j = 0; j < p->neven; j++)
            p->beta_cos[n * p->neven + j] = mean * grid_cos(n, j, N);
    for (size_t n = 1; n <= p->M; n++)
        for (size_t j = 0; j < p->nodd; j++)
            p->beta_sin[(n - 1) * p->nodd + j] = mean * grid_sin(n, N - (p->neven + j), N);
    for (size_t m = 0; m <= p->M; m++)
        for (size_t i = 0; i < p->nalpha; i++) {
            int twice = p->g->is_symmetric && i > 0 && 2 * i != N;
            p->alpha_cos[m * p->nalpha + i] = (twice ? 2 : 1) * mean * grid_cos(m, i, N);
            p->alpha_sin[m * p->nalpha + i] = (twice ? 2 : 1) * mean * grid_sin(m, i, N);
        }
}

/* ---- sizes ---- */

/* Weights of all axes with the scratch of their making, the result, and tables of angles. */
static size_t fixed_numbers(const three_plan *p)
{
    const three_opts *o = p->o;
    size_t wb = (p->M + 1) * o->b.nmom * o->b.n, wr = p->nn * o->rp.nmom * o->rp.n;
    size_t wd = (p->M + 1) * o->delta.nmom * o->delta.n;
    size_t scratch = wb > wr ? wb : wr;
    size_t result = p->nplane * p->nmode * o->delta.nmom * o->rp.nmom * o->b.nmom;
    size_t angle = 2 * p->N + p->nn * p->N + 2 * (p->M + 1) * p->nalpha;
    return THREE_NSET * (wb + wr + wd + result) + (scratch > wd ? scratch : wd) + angle;
}

three_work_sizes three_work_sizes_of(const three_plan *p, size_t group)
{
    size_t c = THREE_BLOCK_MAX;
    three_work_sizes s = {
        .samples = p->nchannel * p->N * THREE_ALPHAS * c,
        .wide = p->N * c,
        .P = p->nchannel * THREE_ALPHAS * p->sweep * p->nn * c,
        .h = p->nchannel * p->nalpha * p->nn * THREE_NSET * group * c,
        .part = 4 * (p->M + 1) * c,
    };
    s.bytes = sizeof(double) * (s.samples + s.wide + s.P + s.h + s.part);
    return s;
}

/* H, and K of each thread. */
static size_t subset_bytes(const three_plan *p, size_t group, size_t subset)
{
    size_t H = p->nplane * p->nmode * subset * group * THREE_NSET * p->o->rp.n;
    return 8 * (H + p->nthread * subset * group * p->o->rp.nmom);
}

static size_t total_bytes(const three_plan *p, size_t group, size_t subset)
{
    if (p->o->engine) return p->o->engine->bytes(p, group, subset);
    return 8 * fixed_numbers(p) + p->nthread * three_work_sizes_of(p, group).bytes +
           subset_bytes(p, group, subset);
}

/* Nodes of Delta that keep all threads, or the device, at work. */
static size_t useful_subset(const three_plan *p)
{
    if (p->o->engine) return p->o->engine->subset;
    size_t tiles = (p->o->rp.n + THREE_BLOCK_MAX - 1) / THREE_BLOCK_MAX;
    return (TILES_PER_THREAD * p->nthread + tiles - 1) / tiles;
}

static size_t byte_budget(const three_opts *o)
{
    size_t given = o->bytes ? o->bytes : THREE_BYTES_DEFAULT;
    return o->engine && o->engine->bytes_max < given ? o->engine->bytes_max : given;
}

/* All momenta q at once if they fit into the budget, else halves, quarters...; then as many nodes
 * of Delta as are useful and fit. */
static cgct_status choose_loops(three_plan *p, cgct_err *err)
{
    size_t sweep = p->o->engine ? p->o->engine->sweep : SWEEP;
    p->sweep = sweep < p->o->b.n ? sweep : p->o->b.n;
    size_t given = byte_budget(p->o), useful = useful_subset(p), group = p->o->b.nmom;
    for (;; group = (group + 1) / 2) {
        if (total_bytes(p, group, 1) <= given) break;
        if (group == 1)
            return cgct_fail(err, CGCT_E_NOMEM,
                             "three_momentum: one Delta row needs %zu bytes with %zu threads, the "
                             "budget is %zu; raise it, or use fewer momenta, modes or threads",
                             total_bytes(p, 1, 1), p->nthread, given);
    }
    p->group = group;
    p->subset = 1;
    while (p->subset < useful && p->subset < p->o->delta.n &&
           total_bytes(p, group, p->subset + 1) <= given)
        p->subset++;
    p->bytes = total_bytes(p, group, p->subset);
    return CGCT_OK;
}

/* ---- the plan ---- */

static int allocate_tables(three_plan *p)
{
    const three_opts *o = p->o;
    const struct {
        double **to;
        size_t n;
    } all[] = {{&p->cos, p->N},
               {&p->sin, p->N},
               {&p->beta_cos, (p->M + 1) * p->neven},
               {&p->beta_sin, p->M * p->nodd},
               {&p->alpha_cos, (p->M + 1) * p->nalpha},
               {&p->alpha_sin, (p->M + 1) * p->nalpha},
               {&p->wb, (p->M + 1) * o->b.nmom * THREE_NSET * o->b.n},
               {&p->wr, p->nn * THREE_NSET * o->rp.nmom * o->rp.n},
               {&p->wd, (p->M + 1) * THREE_NSET * o->delta.nmom * o->delta.n}};
    size_t total = 0, ntable = sizeof all / sizeof *all;
    for (size_t i = 0; i < ntable; i++) total += all[i].n;
    double *at = p->tables = malloc(total * sizeof *at);
    for (size_t i = 0; at && i < ntable; at += all[i++].n) *all[i].to = at;
    return at != NULL;
}

cgct_status three_plan_init(three_plan *p, const three_opts *o, const three_integrand *g,
                            cgct_err *err)
{
    *p = (three_plan){.o = o, .g = g};
    CGCT_TRY(check_task(o, g, err));
    p->M = (size_t)o->modes;
    p->N = (size_t)o->nphi;
    p->nn = 2 * p->M + 1;
    p->nmode = (p->M + 1) * p->nn;
    p->nchannel = g->is_complex ? 2 : 1;
    p->nplane = p->nchannel * (g->is_symmetric ? 1 : 2);
    p->neven = p->N / 2 + 1;
    p->nodd = p->N - p->neven;
    p->nalpha = g->is_symmetric ? p->neven : p->N;
    p->nthread = o->engine ? 1 : (size_t)omp_get_max_threads();
    cgct_status st = choose_loops(p, err);
    if (st == CGCT_OK && !allocate_tables(p))
        st = cgct_fail(err, CGCT_E_NOMEM, "three_momentum: no memory for the weights");
    if (st == CGCT_OK) st = fill_three_weights(p, err);
    if (st == CGCT_OK) fill_three_angles(p);
    if (st != CGCT_OK) three_plan_free(p);
    return st;
}

void three_plan_free(three_plan *p)
{
    free(p->tables);
    memset(p, 0, sizeof *p);
}

/* ---- numbers that are not finite ---- */

cgct_status three_fail_value(const three_plan *p, double value, const three_sample_index *at,
                             cgct_err *err)
{
    double step = 2 * M_PI / (double)p->N;
    return cgct_fail(err, CGCT_E_DOMAIN,
                     "integrand is %g at Delta = %g, r' = %g, b = %g /GeV, alpha = %g, beta = %g; "
                     "make it finite there or start the grid elsewhere",
                     value, p->o->delta.node[at->delta], p->o->rp.node[at->rp], p->o->b.node[at->b],
                     step * (double)at->alpha, step * (double)at->beta);
}

cgct_status three_fail_sums(const three_plan *p, size_t delta, size_t r0, size_t r1, cgct_err *err)
{
    return cgct_fail(err, CGCT_E_DOMAIN,
                     "sum over b overflows at Delta = %g, r' = %g to %g /GeV; scale the integrand",
                     p->o->delta.node[delta], p->o->rp.node[r0], p->o->rp.node[r1]);
}
