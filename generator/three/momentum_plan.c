/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks, weights, angles, and how much is held at once. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "three/momentum_impl.h"

enum {
    TILES_PER_THREAD =
        16,    /* in a subset of Delta: threads end together, checkpoints are frequent */
    SWEEP = 32 /* nodes of b in one product, whose modes lie in the second cache */
};

static cgct_status check(const three_opts *o, const three_integrand *g, cgct_err *err)
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

/* Rows of order m, momentum i, set s go to w + m sm + i si + s ss, of n numbers each. */
typedef struct {
    size_t sm, si, ss;
} strides;

static void orders(size_t nm, int *m)
{
    for (size_t i = 0; i < nm; i++) m[i] = (int)i;
}

static cgct_status axis_weights(const three_axis *a, int degree, size_t nm, strides to, double *w,
                                cgct_err *err)
{
    int *m = malloc(nm * sizeof *m);
    double *v = malloc(nm * a->nmom * a->n * sizeof *v);
    cgct_status st =
        m && v ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "no memory for weights of %zu nodes", a->n);
    if (st == CGCT_OK) orders(nm, m);
    for (size_t s = 0; st == CGCT_OK && s < THREE_NSET; s++) {
        size_t n = a->n, least = (size_t)degree + 1;
        if (s == THREE_COARSE && n - n / 10 >= least) n -= n / 10;
        int lower = s == THREE_COARSE ? 2 : 0;
        const filon_task t = {n, a->nmom, nm, a->node, a->mom, m, degree - lower, a->tail};
        st = filon_weights(&t, v, err);
        for (size_t im = 0; st == CGCT_OK && im < nm; im++)
            for (size_t i = 0; i < a->nmom; i++) {
                double *row = w + im * to.sm + i * to.si + s * to.ss;
                memcpy(row, v + (im * a->nmom + i) * n, n * sizeof *row);
                memset(row + n, 0, (a->n - n) * sizeof *row);
            }
    }
    free(v);
    free(m);
    return st;
}

static cgct_status weights(three_plan *p, cgct_err *err)
{
    const three_axis *b = &p->o->b, *r = &p->o->rp, *d = &p->o->delta;
    int degree = p->o->degree ? p->o->degree : THREE_DEGREE_DEFAULT;
    const strides to_b = {b->nmom * THREE_NSET * b->n, THREE_NSET * b->n, b->n};
    const strides to_r = {THREE_NSET * r->nmom * r->n, r->n, r->nmom * r->n};
    const strides to_d = {THREE_NSET * d->nmom * d->n, d->n, d->nmom * d->n};
    cgct_status st = axis_weights(b, degree, p->M + 1, to_b, p->wb, err);
    if (st != CGCT_OK) return cgct_context(err, st, "axis b, q");
    st = axis_weights(r, degree, p->nn, to_r, p->wr, err);
    if (st != CGCT_OK) return cgct_context(err, st, "axis r', p");
    st = axis_weights(d, degree, p->M + 1, to_d, p->wd, err);
    return st == CGCT_OK ? st : cgct_context(err, st, "axis Delta, k");
}

/* ---- angles ---- */

/* Bitwise even in the angle, as an integrand may make use of. */
static double cosine(size_t m, size_t i, size_t N)
{
    i = m * i % N;
    if (2 * i > N) i = N - i;
    return cos(2 * M_PI * (double)i / (double)N);
}

static double sine(size_t m, size_t i, size_t N)
{
    return sin(2 * M_PI * (double)(m * i % N) / (double)N);
}

/* The 1/N of each mean, and the two of reflected samples, stand in the projections. */
static void angles(three_plan *p)
{
    size_t N = p->N;
    double mean = 1 / (double)N;
    for (size_t i = 0; i < N; i++) {
        p->cos[i] = cosine(1, i, N);
        p->sin[i] = sine(1, i, N);
    }
    for (size_t n = 0; n <= p->M; n++)
        for (size_t j = 0; j < p->neven; j++)
            p->beta_cos[n * p->neven + j] = mean * cosine(n, j, N);
    for (size_t n = 1; n <= p->M; n++)
        for (size_t j = 0; j < p->nodd; j++)
            p->beta_sin[(n - 1) * p->nodd + j] = mean * sine(n, N - (p->neven + j), N);
    for (size_t m = 0; m <= p->M; m++)
        for (size_t i = 0; i < p->nalpha; i++) {
            int twice = p->g->is_symmetric && i > 0 && 2 * i != N;
            p->alpha_cos[m * p->nalpha + i] = (twice ? 2 : 1) * mean * cosine(m, i, N);
            p->alpha_sin[m * p->nalpha + i] = (twice ? 2 : 1) * mean * sine(m, i, N);
        }
}

/* ---- sizes ---- */

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

/* Of H, and of K in each thread. */
static size_t subset_bytes(const three_plan *p, size_t group, size_t subset)
{
    size_t H = p->nplane * p->nmode * subset * group * THREE_NSET * p->o->rp.n;
    return 8 * (H + p->nthread * subset * group * p->o->rp.nmom);
}

static size_t total_bytes(const three_plan *p, size_t group, size_t subset)
{
    if (p->o->engine) return p->o->engine->bytes(p, group, subset);
    return 8 * fixed_numbers(p) + p->nthread * three_work_bytes(p, group) +
           subset_bytes(p, group, subset);
}

/* Nodes of Delta that suffice to keep all threads, or the device, at work. */
static size_t useful_subset(const three_plan *p)
{
    if (p->o->engine) return p->o->engine->subset;
    size_t tiles = (p->o->rp.n + THREE_BLOCK_MAX - 1) / THREE_BLOCK_MAX;
    return (TILES_PER_THREAD * p->nthread + tiles - 1) / tiles;
}

static size_t budget(const three_opts *o)
{
    size_t given = o->bytes ? o->bytes : THREE_BYTES_DEFAULT;
    return o->engine && o->engine->bytes_max < given ? o->engine->bytes_max : given;
}

/* All q at once if they fit, else halves, quarters...; then as many Delta as are useful and fit. */
static cgct_status order_loops(three_plan *p, cgct_err *err)
{
    size_t sweep = p->o->engine ? p->o->engine->sweep : SWEEP;
    p->sweep = sweep < p->o->b.n ? sweep : p->o->b.n;
    size_t given = budget(p->o), useful = useful_subset(p), group = p->o->b.nmom;
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

/* ---- life ---- */

static int allocate(three_plan *p)
{
    const three_opts *o = p->o;
    struct {
        double **to;
        size_t n;
    } all[] = {{&p->cos, p->N},
               {&p->sin, p->N},
               {&p->beta_cos, (p->M + 1) * p->neven},
               {&p->beta_sin, p->M * p->nodd + 1},
               {&p->alpha_cos, (p->M + 1) * p->nalpha},
               {&p->alpha_sin, (p->M + 1) * p->nalpha},
               {&p->wb, (p->M + 1) * o->b.nmom * THREE_NSET * o->b.n},
               {&p->wr, p->nn * THREE_NSET * o->rp.nmom * o->rp.n},
               {&p->wd, (p->M + 1) * THREE_NSET * o->delta.nmom * o->delta.n}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(*all[i].to = malloc(all[i].n * sizeof(double)))) return 0;
    return 1;
}

cgct_status three_plan_init(three_plan *p, const three_opts *o, const three_integrand *g,
                            cgct_err *err)
{
    *p = (three_plan){.o = o, .g = g};
    CGCT_TRY(check(o, g, err));
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
    cgct_status st = order_loops(p, err);
    if (st == CGCT_OK && !allocate(p))
        st = cgct_fail(err, CGCT_E_NOMEM, "three_momentum: no memory for the weights");
    if (st == CGCT_OK) st = weights(p, err);
    if (st == CGCT_OK) angles(p);
    if (st != CGCT_OK) three_plan_free(p);
    return st;
}

void three_plan_free(three_plan *p)
{
    free(p->cos);
    free(p->sin);
    free(p->beta_cos);
    free(p->beta_sin);
    free(p->alpha_cos);
    free(p->alpha_sin);
    free(p->wb);
    free(p->wr);
    free(p->wd);
    memset(p, 0, sizeof *p);
}
