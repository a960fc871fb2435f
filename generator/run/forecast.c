/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forecast.c: chooses and computes samples, and carries them over to all nodes of a run. */
#include "run/forecast.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cuda/gpu_crew.h"
#include "numerics/blas.h"
#include "numerics/clock.h"
#include "numerics/memory.h"
#include "run/metadata.h"
#include "run/record.h"
#include "run/schedule.h"
#include "run/segments.h"

static const size_t BYTES_PROGRAM = 8u << 20; /* of the process without its nodes */
enum { SAMPLES_MAX = 4, NODES_PER_SAMPLE = 4 };

/* What a sample says of nodes at its eps, as logarithms: for a unit of work seconds of one thread,
 * and those of a device among them; bytes in a file, and bytes as exact as the differences of
 * members with coarse nodes are. */
enum { SECONDS, DEVICE, BYTES, BYTES_COARSE, COSTS };
static const double NO_SECONDS = 1e-9; /* has a logarithm */

typedef struct {
    size_t at; /* in the load */
    double ln_eps, ln_cost[COSTS];
    double fields; /* all numbers of the node */
} cost_sample;

typedef struct {
    const run_job *j;
    const run_load *load;
    const forecast_listener *listener;
    double slowness; /* of this machine */
    pthread_mutex_t lock;
    size_t n, done;
    cost_sample s[SAMPLES_MAX]; /* eps rises */
} cost_samples;

/* ---- which nodes ---- */

/* Seconds of one thread for a unit of work, and for a point (q, k) of a node with its angles, where
 * products of matrices run at RATE operations a second; these take about SHARE of the time.  With
 * 4e-7 s for the work the sum was 0.7 to 1 times what nodes of gbw and mv at eps = 0.1, 1, 10 GeV
 * took; evolved ones at 0.1 and 1 GeV take two thirds of that since. */
static const double SECONDS_OF_WORK = 2.7e-7, SECONDS_OF_POINT = 1.3e-4;
static const double RATE = 50e9, SHARE = 0.4;
enum { SIZE = 200 };
static const double BYTES_OF_SAMPLES = 2e9; /* at most, of all together */

/* By the number of operations. */
static double estimate_seconds(const cost_samples *k, size_t at)
{
    const node_grid *g = &k->j->grid;
    return k->slowness * (SECONDS_OF_WORK * k->load->work[at] +
                          SECONDS_OF_POINT * (double)(g->nq * (g->nl + g->nu)));
}

static double workers_of(const cost_samples *k)
{
    return fmin(k->load->threads, (double)k->n);
}

static double seconds_of_samples(const cost_samples *k)
{
    double sum = 0, longest = 0;
    for (size_t i = 0; i < k->n; i++) {
        const double seconds = estimate_seconds(k, k->s[i].at);
        sum += seconds;
        longest = fmax(longest, seconds);
    }
    return k->n ? fmax(longest, sum / workers_of(k)) : 0;
}

static int samples_are_cheap(const cost_samples *k)
{
    double bytes = 0;
    for (size_t i = 0; i < k->n; i++) bytes = fmax(bytes, (double)k->load->bytes[k->s[i].at]);
    return seconds_of_samples(k) <= RUN_SAMPLING &&
           bytes * workers_of(k) <= fmin(BYTES_OF_SAMPLES, (double)k->load->budget);
}

/* One node in four, but at most four, and fewer where they take too long: at equal steps from the
 * first that is cheap to the last.  Nodes with a larger eps, which come later, are cheaper. */
static void choose_samples(cost_samples *k)
{
    size_t nodes = 0, first = 0;
    while (nodes < k->load->n && run_job_is_node(k->j, k->load->item[nodes])) nodes++;
    for (k->n = 1; first < nodes; first++) {
        k->s[0].at = first;
        if (samples_are_cheap(k)) break;
    }
    k->n = first < nodes ? (nodes + NODES_PER_SAMPLE - 1) / NODES_PER_SAMPLE : 0;
    for (k->n = k->n < SAMPLES_MAX ? k->n : SAMPLES_MAX; k->n; k->n--) {
        const size_t cells = k->n > 1 ? k->n - 1 : 2; /* one sample: in the middle */
        for (size_t i = 0; i < k->n; i++)
            k->s[i].at = first + (k->n > 1 ? i : 1) * (nodes - 1 - first) / cells;
        if (samples_are_cheap(k)) break;
    }
}

/* ---- samples ---- */

static void tell_listener(cost_samples *k, size_t done)
{
    pthread_mutex_lock(&k->lock);
    k->done += done;
    if (k->listener) k->listener->tell(k->listener->self, k->done, k->n, seconds_of_samples(k));
    pthread_mutex_unlock(&k->lock);
}

static cgct_status measure_record(const cost_samples *k, const uint8_t *record, size_t size,
                                  cost_sample *s, cgct_err *err)
{
    run_record r;
    double bytes, coarse;
    const segment_source source = segment_source_of(k->j, NULL, 1, 0);
    CGCT_TRY(run_record_parse(record, size, &r, err));
    CGCT_TRY(segment_row_bytes(&source, &r, k->j->settings->bound, &bytes, err));
    CGCT_TRY(segment_row_bytes(&source, &r, k->j->coarse.bound, &coarse, err));
    s->ln_cost[BYTES] = log(bytes);
    s->ln_cost[BYTES_COARSE] = log(coarse);
    s->fields = (double)(r.s.nm * r.s.points);
    return CGCT_OK;
}

/* The first node on a device waits until its libraries are loaded. */
static cgct_status warm_device(void *self, size_t i, cgct_err *err)
{
    const cost_samples *k = self;
    uint8_t *record;
    size_t size;
    run_summary summary;
    (void)i;
    CGCT_TRY(run_compute(k->j, k->load->item[k->s[k->n - 1].at], &record, &size, &summary, err));
    free(record);
    return CGCT_OK;
}

/* The time of a thread, on which other programs have no influence; that of a device is elapsed, and
 * the thread waits for it, whether or not this takes the processor. */
static cgct_status compute_sample(void *self, size_t i, cgct_err *err)
{
    cost_samples *k = self;
    cost_sample *s = &k->s[i];
    size_t item = k->load->item[s->at], size;
    uint8_t *record;
    run_summary summary;
    gpu_crew *crew = k->j->builders ? k->j->builders->crew : NULL;
    const gpu_use before = gpu_crew_use(crew);
    const double start = clock_thread();
    CGCT_TRY(run_compute(k->j, item, &record, &size, &summary, err));
    const gpu_use after = gpu_crew_use(crew);
    const double device = after.device - before.device,
                 alone = clock_thread() - start - (after.processor - before.processor);
    s->ln_cost[SECONDS] = log((alone + device) / k->load->work[s->at]);
    s->ln_cost[DEVICE] = log(fmax(device, NO_SECONDS) / k->load->work[s->at]);
    s->ln_eps = log(k->j->settings->eps.v[run_job_place(k->j, item).ieps]);
    cgct_status st = measure_record(k, record, size, s, err);
    free(record);
    tell_listener(k, 1);
    return st;
}

/* Bytes of the most demanding items that run side by side. */
static size_t largest_together(size_t n, const size_t *bytes, int threads, size_t budget)
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

static cgct_status take_samples(cost_samples *k, run_forecast *f, cgct_err *err)
{
    struct rusage use;
    size_t bytes[SAMPLES_MAX];
    for (size_t i = 0; i < k->n; i++) bytes[i] = k->load->bytes[k->s[i].at];
    run_schedule s = {.n = k->n,
                      .bytes = bytes,
                      .budget = k->load->budget,
                      .threads = (int)workers_of(k),
                      .self = k,
                      .work = warm_device};
    const double start = clock_wall();
    tell_listener(k, 0);
    if (k->j->on_device) CGCT_TRY(run_schedule_go(&s, err));
    s.work = compute_sample;
    CGCT_TRY(run_schedule_go(&s, err));
    f->seconds_sampling = clock_wall() - start;
    f->samples = k->n;
    /* The bounds count pages that are never touched, or not at the same time: they are scaled by
     * what the samples really took. */
    const run_load *all = k->load;
    double bound = (double)largest_together(all->n, all->bytes, all->threads, all->budget);
    double expected = (double)largest_together(k->n, bytes, s.threads, all->budget);
    if (!getrusage(RUSAGE_SELF, &use)) bound *= 1024 * (double)use.ru_maxrss / expected;
    f->bytes_memory = (size_t)bound;
    return CGCT_OK;
}

/* ---- all nodes ---- */

/* Between samples logarithms are linear in ln eps; beyond them they have these slopes.  The nodes
 * of the tables mv, gbw, proton-mve, gold and proton have 1.8 to 2.3 times as many bytes at eps =
 * 0.1 GeV as at 10 GeV. */
static double cost_at(const cost_samples *k, int cost, double eps)
{
    static const double slope[COSTS] = {[BYTES] = -0.15, [BYTES_COARSE] = -0.15};
    const double x = log(eps);
    const cost_sample *a = k->s, *b = k->s + k->n - 1;
    if (x <= a->ln_eps) return exp(a->ln_cost[cost] + slope[cost] * (x - a->ln_eps));
    if (x >= b->ln_eps) return exp(b->ln_cost[cost] + slope[cost] * (x - b->ln_eps));
    for (b = a + 1; b->ln_eps < x; b++) a = b;
    const double t = (x - a->ln_eps) / (b->ln_eps - a->ln_eps);
    return exp((1 - t) * a->ln_cost[cost] + t * b->ln_cost[cost]);
}

/* The schedule is simulated: each item in turn goes to the thread that is free first.  Devices are
 * no faster than if they always had something to do. */
static void predict_time(const cost_samples *k, run_forecast *f)
{
    const run_load *load = k->load;
    const size_t threads = (size_t)load->threads, workers = load->n < threads ? load->n : threads;
    const double devices =
        k->j->on_device && f->samples ? (double)gpu_crew_devices(k->j->builders->crew) : 0;
    double *busy = memory_zeros(workers, sizeof *busy);
    for (size_t i = 0; i < load->n; i++) {
        size_t item = load->item[i], first = 0;
        if (run_job_is_check(k->j, item)) item = k->j->nnode / 2;
        double eps = run_node_task(k->j, item).eps;
        double seconds = cost_at(k, SECONDS, eps) * load->work[i];
        if (devices) f->seconds_device += cost_at(k, DEVICE, eps) * load->work[i] / devices;
        for (size_t w = 1; w < workers; w++)
            if (busy[w] < busy[first]) first = w;
        busy[first] += seconds / (double)(threads / workers);
        f->seconds_nodes += seconds;
    }
    f->seconds = f->seconds_device;
    for (size_t w = 0; w < workers; w++) f->seconds = fmax(f->seconds, busy[w]);
    free(busy);
}

/* A reduced segment takes as many bytes as its nodes would, of so many nodes at most: of gbw, 56
 * nodes, 0.72 of all of them, of proton-mve, 77 nodes, 0.59. */
static const double NODES_OF_SEGMENT = 42;
/* Members with nodes of their own are combinations of about so many variations: proton has 7.  A
 * node of one takes this share of the bytes of a node that is as exact: gold 0.61, proton 0.69. */
static const double VARIATIONS = 6, SHARE_OF_VARIATION = 0.65;
static const double SUMMARY = 1100; /* bytes of the metadata that say how the table came out */

/* The file, and the memory of assembling it. */
static void predict_size(const cost_samples *k, run_forecast *f)
{
    const run_job *j = k->j;
    const grid_axis *eps = &j->settings->eps, *coarse_eps = &j->coarse.eps;
    const segment_source s = segment_source_of(j, NULL, 1, 0);
    const double rows = (double)(j->nfull * s.each_x * s.each_eps);
    const double R = j->settings->reduce ? fmin(rows, NODES_OF_SEGMENT) : rows;
    double nodes = 0, fields = 0;
    for (size_t pe = 0; pe < s.peps; pe++)
        for (size_t i = 0; i < s.each_eps; i++)
            nodes += cost_at(k, BYTES, eps->v[pe * (s.each_eps - 1) + i]);
    nodes *= R / (double)s.each_eps;
    const double variations = j->ncoarse ? fmin((double)j->nmember - 1, VARIATIONS) : 0;
    const double coarse = j->ncoarse ? (double)(j->coarse_nx * coarse_eps->n) : 0;
    const double varied_rows = variations * coarse;
    const double Rv = fmin(varied_rows, NODES_OF_SEGMENT);
    double varied = 0;
    for (size_t i = 0; i < coarse_eps->n && j->ncoarse; i++)
        varied += SHARE_OF_VARIATION * cost_at(k, BYTES_COARSE, coarse_eps->v[i]);
    varied *= Rv / fmax((double)coarse_eps->n, 1);
    const double segments = (double)(s.px * s.peps), px = (double)s.px;
    const double bounds =
        (double)((j->nfull + (j->ncoarse > 0)) * s.nx * s.neps * bounds_blocks(&s.shape));
    const size_t of_x = j->settings->forward
                            ? dipole_source_parts(j->members->source[0]) * FORWARD_BLOCK
                            : 2 * j->nmember * j->grid.nq;
    const double tensor = 8 * (double)(j->nx * of_x);
    double metadata = SUMMARY;
    meta_list m = metadata_list(j, "");
    for (size_t i = 0; i < m.n; i++)
        metadata += (double)(strlen(m.list[i].key) + strlen(m.list[i].value) + 2);
    metadata_free(&m);
    f->bytes_file = metadata + 8 * (double)(j->nx + eps->n + j->grid.nq) + tensor + px * nodes +
                    segments * 8 * R * rows + varied + 8 * Rv * varied_rows + bounds;
    for (size_t i = 0; i < k->n; i++) fields = fmax(fields, k->s[i].fields);
    /* A segment, whose integers become bits before the next one, or for bounds of members two
     * of them at every coarse node; or a reader's table, in which
     * integers take two bytes each, while it is compared with the checks.  What nodes have used is
     * not always handed back. */
    const double made = (4 * fmax(R, Rv) + 8 * fmax(varied_rows, 2 * coarse)) * fields +
                        (double)basis_bytes((size_t)fmax(rows, varied_rows), (size_t)fields);
    f->bytes_memory += (size_t)fmax(made, 2 * (segments * R + Rv) * fields);
}

/* From the number of operations: one sample in the middle stands for all. */
static void predict_from_operations(cost_samples *k, run_forecast *f)
{
    const run_load *load = k->load;
    const size_t at = load->n / 2;
    f->seconds_sample = estimate_seconds(k, at);
    f->bytes_sample = load->bytes[at];
    f->bytes_memory = largest_together(load->n, load->bytes, load->threads, load->budget);
    k->n = 1;
    k->s[0] = (cost_sample){.at = at};
    k->s[0].ln_cost[SECONDS] = log(f->seconds_sample / load->work[at]);
    predict_time(k, f);
}

cgct_status run_plan(const run_job *j, const run_load *load, const forecast_listener *l,
                     run_forecast *f, cgct_err *err)
{
    *f = (run_forecast){0};
    if (!load->n) return CGCT_OK;
    const double rate = blas_rate(SIZE); /* small: it counts in the memory of the samples */
    cost_samples k = {.j = j,
                      .load = load,
                      .listener = l,
                      .slowness = 1 - SHARE + SHARE * RATE / rate,
                      .lock = PTHREAD_MUTEX_INITIALIZER};
    choose_samples(&k);
    if (!k.n) {
        predict_from_operations(&k, f);
        return CGCT_OK;
    }
    CGCT_TRY(take_samples(&k, f, err));
    predict_time(&k, f);
    predict_size(&k, f);
    return CGCT_OK;
}
