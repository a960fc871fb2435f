/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the plan of a three-momentum transform: checks, order of the loops, weights and angles. */
#include <math.h>
#include <omp.h>

#include "numerics/memory.h"
#include "three/plan.h"

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
    const double modes = 2.0 * o->modes + 1;
    if (modes * modes * (double)o->delta.nmom * (double)o->rp.nmom * (double)o->b.nmom > 1e15)
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "three_momentum: %zu, %zu and %zu momenta with M = %d are more than any "
                         "memory holds; give shorter lists",
                         o->delta.nmom, o->rp.nmom, o->b.nmom, o->modes);
    return CGCT_OK;
}

/* ---- weights ---- */

/* to (nm, NSET, nmom, n), or with `rows` (nm, nmom, NSET, n): orders 0..nm-1.  The coarse set has a
 * degree two lower and leaves out the last tenth of the nodes, unless too few for its polynomials
 * would remain. */
static cgct_status axis_weights(const three_axis *a, int degree, size_t nm, int rows, double *to,
                                cgct_err *err)
{
    int *m = memory_new(nm, sizeof *m);
    double *v = memory_new(nm * a->nmom * a->n, sizeof *v);
    cgct_status st = CGCT_OK;
    for (size_t i = 0; i < nm; i++) m[i] = (int)i;
    for (size_t s = 0; st == CGCT_OK && s < THREE_NSET; s++) {
        size_t n = a->n, least = (size_t)degree + 1;
        if (s == THREE_COARSE && n - n / 10 >= least) n -= n / 10;
        int lower = s == THREE_COARSE ? 2 : 0;
        const filon_task t = {n, a->nmom, nm, a->node, a->mom, m, degree - lower, NULL};
        st = filon_weights(&t, v, err);
        for (size_t im = 0; st == CGCT_OK && im < nm; im++)
            for (size_t i = 0; i < a->nmom; i++) {
                size_t at = rows ? i * THREE_NSET + s : s * a->nmom + i;
                double *row = to + (im * THREE_NSET * a->nmom + at) * a->n;
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
    const three_opts *o = p->o;
    int degree = o->degree ? o->degree : THREE_DEGREE_DEFAULT;
    cgct_status st = axis_weights(&o->b, degree, p->M + 1, 1, p->wb, err);
    if (st != CGCT_OK) return cgct_context(err, st, "axis b, q");
    st = axis_weights(&o->rp, degree, p->nn, 0, p->wr, err);
    if (st != CGCT_OK) return cgct_context(err, st, "axis r', p");
    st = axis_weights(&o->delta, degree, p->M + 1, 0, p->wd, err);
    return st == CGCT_OK ? st : cgct_context(err, st, "axis Delta, k");
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

static size_t total_bytes(const three_plan *p, size_t group, size_t subset)
{
    three_work none;
    if (p->o->engine) return p->o->engine->bytes(p, group, subset);
    size_t H = p->nplane * p->nmode * subset * group * THREE_NSET * p->o->rp.n;
    size_t K = subset * group * p->o->rp.nmom, work = three_work_cut(&none, NULL, p, group);
    return sizeof(double) * (fixed_numbers(p) + H + p->nthread * (K + work));
}

/* All momenta q at once if they fit into the budget, else halves, quarters...; then as many nodes
 * of Delta as are useful and fit. */
static cgct_status choose_loops(three_plan *p, cgct_err *err)
{
    const three_engine *e = p->o->engine;
    size_t sweep = e ? e->sweep : SWEEP, group = p->o->b.nmom;
    size_t given = p->o->bytes ? p->o->bytes : THREE_BYTES_DEFAULT;
    size_t tiles = (p->o->rp.n + THREE_BLOCK_MAX - 1) / THREE_BLOCK_MAX; /* of one Delta */
    /* nodes of Delta that keep all threads, or the device, at work */
    size_t useful = e ? e->subset : (TILES_PER_THREAD * p->nthread + tiles - 1) / tiles;
    if (e && e->bytes_max < given) given = e->bytes_max;
    p->sweep = sweep < p->o->b.n ? sweep : p->o->b.n;
    for (; total_bytes(p, group, 1) > given; group = (group + 1) / 2)
        if (group == 1)
            return cgct_fail(err, CGCT_E_NOMEM,
                             "three_momentum: one Delta row needs %zu bytes with %zu threads, the "
                             "budget is %zu; raise it, or use fewer momenta, modes or threads",
                             total_bytes(p, 1, 1), p->nthread, given);
    p->group = group;
    p->subset = 1;
    while (p->subset < useful && p->subset < p->o->delta.n &&
           total_bytes(p, group, p->subset + 1) <= given)
        p->subset++;
    p->bytes = total_bytes(p, group, p->subset);
    return CGCT_OK;
}

/* ---- the plan ---- */

static void allocate_tables(three_plan *p)
{
    const three_opts *o = p->o;
    const array_part all[] = {
        ARRAY_PART(p->cos, p->N),
        ARRAY_PART(p->sin, p->N),
        ARRAY_PART(p->beta_cos, (p->M + 1) * p->neven),
        ARRAY_PART(p->beta_sin, p->M * p->nodd),
        ARRAY_PART(p->alpha_cos, (p->M + 1) * p->nalpha),
        ARRAY_PART(p->alpha_sin, (p->M + 1) * p->nalpha),
        ARRAY_PART(p->wb, (p->M + 1) * o->b.nmom * THREE_NSET * o->b.n),
        ARRAY_PART(p->wr, p->nn * THREE_NSET * o->rp.nmom * o->rp.n),
        ARRAY_PART(p->wd, (p->M + 1) * THREE_NSET * o->delta.nmom * o->delta.n)};
    p->tables = ARRAYS_UNSET(all);
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
    if (st == CGCT_OK) {
        allocate_tables(p);
        st = fill_three_weights(p, err);
    }
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
                     "make it finite there",
                     value, p->o->delta.node[at->delta], p->o->rp.node[at->rp], p->o->b.node[at->b],
                     step * (double)at->alpha, step * (double)at->beta);
}

cgct_status three_fail_sums(const three_plan *p, size_t delta, size_t r0, size_t r1, cgct_err *err)
{
    return cgct_fail(err, CGCT_E_DOMAIN,
                     "sum over b overflows at Delta = %g, r' = %g to %g /GeV; scale the integrand",
                     p->o->delta.node[delta], p->o->rp.node[r0], p->o->rp.node[r1]);
}
