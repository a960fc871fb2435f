/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "format/layout.h"
#include "format/node_pack.h"
#include "node/hankel.h"
#include "run/schedule.h"

static const size_t BYTES_PROGRAM = 8u << 20; /* of the process beside its nodes */
enum { META_BESIDE_CARD = 2000, NODES_PER_SAMPLE = 4 };

typedef struct {
    size_t at; /* in the load */
    double ln_eps, seconds_per_work;
    double bytes, bytes_read; /* in the file; in memory once it is read */
} sample;

typedef struct {
    const run_job *j;
    const run_load *load;
    size_t n;
    sample s[RUN_SAMPLES];
} sampling;

/* Nodes at equal steps from the first to the last in the order of the items: eps rises. */
static void choose(sampling *k)
{
    size_t nodes = 0;
    while (nodes < k->load->n && run_job_is_node(k->j, k->load->item[nodes])) nodes++;
    k->n = nodes / NODES_PER_SAMPLE;
    if (k->n > RUN_SAMPLES) k->n = RUN_SAMPLES;
    if (k->n < 1) k->n = nodes > 0;
    for (size_t i = 0; i < k->n; i++)
        k->s[i].at = k->n == 1 ? nodes / 2 : i * (nodes - 1) / (k->n - 1);
}

/* Of the processor, which the load of the machine does not lengthen; the thread works alone. */
static double thread_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What a reader makes of a node: blocks of records, error and flag of each point. */
static cgct_status count_bytes(const run_record *r, sample *s, cgct_err *err)
{
    cgct_packed_node node;
    size_t points = r->s.points / CGCT_NPOL, numbers = 0;
    CGCT_TRY(cgct_packed_parse(r->packed, r->packed_size, points, &node, err));
    for (size_t i = 0; i < points; i++) {
        size_t modes = cgct_get_u16(node.shape + 2 * i), point = CGCT_NPOL * (modes + 1);
        numbers += (point + CGCT_BLOCK - 1) / CGCT_BLOCK * CGCT_BLOCK;
    }
    s->bytes = (double)node.entry.stored_size;
    size_t number = node.entry.encoding == CGCT_ENCODING_F64 ? sizeof(double) : sizeof(float);
    s->bytes_read = (double)(numbers * number + r->s.points * (sizeof(double) + 1));
    return CGCT_OK;
}

static cgct_status compute(void *self, size_t i, cgct_err *err)
{
    sampling *k = self;
    sample *s = &k->s[i];
    size_t item = k->load->item[s->at], size, member, ix, ieps;
    uint8_t *record;
    run_summary summary;
    run_record r;
    double t0 = thread_seconds();
    CGCT_TRY(run_compute(k->j, item, &record, &size, &summary, err));
    s->seconds_per_work = (thread_seconds() - t0) / k->load->work[s->at];
    cgct_status st = run_record_parse(record, size, &r, err);
    if (st == CGCT_OK) st = count_bytes(&r, s, err);
    run_job_node(k->j, item, &member, &ix, &ieps);
    s->ln_eps = log(k->j->settings->eps.v[ieps]);
    free(record);
    return st;
}

/* The largest items that run side by side. */
static size_t memory(size_t n, const size_t *bytes, int threads, size_t budget)
{
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        size_t sum = bytes[i];
        for (size_t k = i + 1; k < n && k < i + (size_t)threads; k++)
            if (sum + bytes[k] <= budget) sum += bytes[k];
        if (sum > most) most = sum;
    }
    return most + BYTES_PROGRAM;
}

/* Pages that a bound counts are not all touched, and not all at once: what the samples needed tells
 * by how much. */
static void scale_memory(const run_load *load, size_t n, const size_t *bytes, int threads,
                         run_forecast *f)
{
    struct rusage use;
    double bound = (double)memory(load->n, load->bytes, load->threads, load->budget);
    if (!getrusage(RUSAGE_SELF, &use))
        bound *= 1024 * (double)use.ru_maxrss / (double)memory(n, bytes, threads, load->budget);
    f->bytes_memory = (size_t)bound;
}

static cgct_status take_samples(sampling *k, run_forecast *f, cgct_err *err)
{
    size_t bytes[RUN_SAMPLES];
    for (size_t i = 0; i < k->n; i++) bytes[i] = k->load->bytes[k->s[i].at];
    const run_schedule s = {.n = k->n,
                            .bytes = bytes,
                            .budget = k->load->budget,
                            .threads = k->load->threads < (int)k->n ? k->load->threads : (int)k->n,
                            .self = k,
                            .work = compute};
    double t0 = hankel_clock();
    CGCT_TRY(run_schedule_go(&s, err));
    f->seconds_sampling = hankel_clock() - t0;
    f->samples = k->n;
    scale_memory(k->load, k->n, bytes, s.threads, f);
    return CGCT_OK;
}

/* A sample for one eps, logarithms linear in ln eps between samples. */
static sample between(const sampling *k, double eps)
{
    const sample *a = &k->s[0], *b = a;
    double x = log(eps), t = 0;
    for (size_t i = 1; i < k->n && b->ln_eps < x; i++) {
        a = b;
        b = &k->s[i];
    }
    if (b->ln_eps > a->ln_eps) t = fmin(1, fmax(0, (x - a->ln_eps) / (b->ln_eps - a->ln_eps)));
    return (sample){.seconds_per_work =
                        pow(a->seconds_per_work, 1 - t) * pow(b->seconds_per_work, t),
                    .bytes = pow(a->bytes, 1 - t) * pow(b->bytes, t),
                    .bytes_read = pow(a->bytes_read, 1 - t) * pow(b->bytes_read, t)};
}

/* Items in their order, each to the thread that is free first. */
static cgct_status simulate(const run_load *load, const double *seconds, run_forecast *f,
                            cgct_err *err)
{
    size_t crew = load->n < (size_t)load->threads ? load->n : (size_t)load->threads;
    size_t inside = crew ? (size_t)load->threads / crew : 1;
    double *busy = calloc(crew + 1, sizeof *busy);
    if (!busy) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu threads", crew);
    for (size_t i = 0; i < load->n; i++) {
        size_t first = 0;
        for (size_t w = 1; w < crew; w++)
            if (busy[w] < busy[first]) first = w;
        busy[first] += seconds[i] / (double)inside;
        f->seconds_nodes += seconds[i];
    }
    for (size_t w = 0; w < crew; w++) f->seconds = fmax(f->seconds, busy[w]);
    free(busy);
    return CGCT_OK;
}

static double bytes_around(const run_job *j)
{
    const run_settings *c = j->settings;
    double nodes = (double)(c->x.n * c->eps.n * j->nmember);
    double axes = (double)(c->x.n + c->eps.n + c->q.n + j->nk);
    double shape = 2 * (double)(c->eps.n * c->q.n * j->nk);
    return CGCT_HEADER_SIZE + CGCT_NODE_SIZE * nodes + 8 * axes + shape + META_BESIDE_CARD +
           (double)strlen(j->card);
}

/* Of the table that is open while the checks are compared with it: its first member. */
static double bytes_open(const run_job *j, double computed)
{
    double same = (double)j->settings->x.n / (double)j->nx; /* x that share what was computed */
    return j->nnode < j->nitems ? same * computed / (double)j->nmember : 0;
}

static cgct_status predict(const sampling *k, run_forecast *f, cgct_err *err)
{
    const run_load *load = k->load;
    double read = 0;
    double *seconds = malloc((load->n + 1) * sizeof *seconds);
    if (!seconds) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu items", load->n);
    for (size_t i = 0; i < load->n; i++) {
        size_t member, ix, ieps, item = load->item[i];
        int node = run_job_is_node(k->j, item);
        run_job_node(k->j, node ? item : k->j->nnode / 2, &member, &ix, &ieps);
        const sample s = between(k, k->j->settings->eps.v[ieps]);
        seconds[i] = s.seconds_per_work * load->work[i];
        if (!node) continue;
        f->bytes_file += s.bytes;
        read += s.bytes_read;
    }
    cgct_status st = simulate(load, seconds, f, err);
    free(seconds);
    f->bytes_file += bytes_around(k->j);
    f->bytes_memory += (size_t)bytes_open(k->j, read);
    return st;
}

cgct_status run_plan(const run_job *j, const run_load *load, run_forecast *f, cgct_err *err)
{
    sampling k = {.j = j, .load = load};
    *f = (run_forecast){0};
    choose(&k);
    if (k.n) CGCT_TRY(take_samples(&k, f, err));
    return k.n ? predict(&k, f, err) : CGCT_OK;
}
