/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.c: independent tasks over threads, and what a run of them will take. */
#include "run/schedule.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "format/layout.h"
#include "numerics/clock.h"
#include "run/record.h"
#include "run/segments.h"

/* ---- tasks over threads ---- */

typedef struct {
    const run_schedule *s;
    pthread_mutex_t lock;
    pthread_cond_t freed;
    size_t next, running, used; /* first task not begun; tasks being done, and their bytes */
    cgct_status st;
    cgct_err err; /* of the first failure */
} worker_pool;

/* The next task and the threads it may use; 0: no more.  Called with the lock held. */
static int take_task(worker_pool *p, size_t *i, int *inside)
{
    const run_schedule *s = p->s;
    while (p->st == CGCT_OK && p->next < s->n && p->running &&
           p->used + s->bytes[p->next] > s->budget)
        pthread_cond_wait(&p->freed, &p->lock);
    if (p->st != CGCT_OK || p->next == s->n) return 0;
    *i = p->next++;
    p->running++;
    p->used += s->bytes[*i];
    size_t active = p->running + (s->n - p->next);
    if (s->bytes[*i] && s->budget / s->bytes[*i] < active) active = s->budget / s->bytes[*i];
    if (active < p->running) active = p->running;
    *inside = active < (size_t)s->threads ? s->threads / (int)active : 1;
    return 1;
}

static void finish_task(worker_pool *p, size_t i, cgct_status st, const cgct_err *err)
{
    p->running--;
    p->used -= p->s->bytes[i];
    if (st != CGCT_OK && p->st == CGCT_OK) {
        p->st = st;
        p->err = *err;
    }
    pthread_cond_broadcast(&p->freed);
}

static void *work_on_tasks(void *pool)
{
    worker_pool *p = pool;
    size_t i;
    int inside;
    pthread_mutex_lock(&p->lock);
    while (take_task(p, &i, &inside)) {
        cgct_err err = {""};
        pthread_mutex_unlock(&p->lock);
        omp_set_num_threads(inside);
        cgct_status st = p->s->work(p->s->self, i, &err);
        pthread_mutex_lock(&p->lock);
        finish_task(p, i, st, &err);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

cgct_status run_schedule_go(const run_schedule *s, cgct_err *err)
{
    size_t want = s->n < (size_t)s->threads ? s->n : (size_t)s->threads, have = 0;
    worker_pool p = {.s = s, .lock = PTHREAD_MUTEX_INITIALIZER, .freed = PTHREAD_COND_INITIALIZER};
    pthread_t *thread = malloc((want + 1) * sizeof *thread);
    if (!thread) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu threads", want);
    while (have < want && !pthread_create(&thread[have], NULL, work_on_tasks, &p)) have++;
    for (size_t i = 0; i < have; i++) pthread_join(thread[i], NULL);
    free(thread);
    if (want && !have) return cgct_fail(err, CGCT_E_NOMEM, "no thread can be started");
    if (p.st != CGCT_OK && err) *err = p.err;
    return p.st;
}

/* ---- forecast ---- */

static const size_t BYTES_PROGRAM = 8u << 20; /* of the process without its nodes */
/* Bytes of the metadata without the card, roughly; samples at most, and nodes for each. */
enum { META_BESIDE_CARD = 2000, SAMPLES_MAX = 4, NODES_PER_SAMPLE = 4 };

typedef struct {
    size_t at; /* in the load */
    double ln_eps, seconds_per_work;
    double numbers; /* of the node that are not lost in rounding */
    double fields;  /* all numbers of the node */
} cost_sample;

typedef struct {
    const run_job *j;
    const run_load *load;
    size_t n;
    cost_sample s[SAMPLES_MAX];
} cost_samples;

/* Seconds of one thread for a unit of work, and for a point (q, k) of a node with its angles.  For
 * gbw, mv and bk:mve at eps = 0.1, 1, 10 GeV with 16 and 48 q the sum was 0.6 to 1.4 times what the
 * node took. */
static const double SECONDS_OF_WORK = 1.5e-6, SECONDS_OF_POINT = 1.3e-4;
static const size_t BYTES_OF_SAMPLE = 768u << 20; /* at most, of all samples together */

/* By the number of operations. */
static double estimate_seconds(const cost_samples *k, size_t at)
{
    const node_grid *g = &k->j->grid;
    return SECONDS_OF_WORK * k->load->work[at] +
           SECONDS_OF_POINT * (double)(g->nq * (g->nl + g->nu));
}

/* At equal steps from the first, which has the smallest eps, to the last. */
static void place_samples(cost_samples *k, size_t nodes, size_t n)
{
    k->n = n;
    for (size_t i = 0; i < n; i++) k->s[i].at = n == 1 ? nodes / 2 : i * (nodes - 1) / (n - 1);
}

/* Whether the samples can be computed in RUN_SAMPLING seconds and in little memory. */
static int samples_are_cheap(const cost_samples *k)
{
    const double workers = fmin(k->load->threads, (double)k->n);
    double sum = 0, longest = 0, bytes = 0;
    for (size_t i = 0; i < k->n; i++) {
        const double seconds = estimate_seconds(k, k->s[i].at);
        sum += seconds;
        longest = fmax(longest, seconds);
        bytes = fmax(bytes, (double)k->load->bytes[k->s[i].at]);
    }
    return fmax(longest, sum / workers) <= RUN_SAMPLING &&
           bytes * workers <= (double)BYTES_OF_SAMPLE;
}

/* One node in four, but at most four, and fewer where they take too long. */
static void choose_samples(cost_samples *k)
{
    size_t nodes = 0;
    while (nodes < k->load->n && run_job_is_node(k->j, k->load->item[nodes])) nodes++;
    size_t n = nodes / NODES_PER_SAMPLE;
    if (n > SAMPLES_MAX) n = SAMPLES_MAX;
    if (n < 1) n = nodes > 0;
    for (place_samples(k, nodes, n); n && !samples_are_cheap(k);) place_samples(k, nodes, --n);
}

/* Numbers of a node that are not lost in rounding: they cost bytes in each basis field. */
static size_t count_numbers(const run_record *r, double bound)
{
    size_t numbers = r->s.points, n = r->s.points * (r->s.nm - 1);
    for (size_t i = 0; i < n; i++) numbers += fabs(cgct_get_f32(r->r + 4 * i)) > bound;
    return numbers;
}

static cgct_status compute_sample(void *self, size_t i, cgct_err *err)
{
    cost_samples *k = self;
    cost_sample *s = &k->s[i];
    size_t item = k->load->item[s->at], size, member, ix, ieps;
    uint8_t *record;
    run_summary summary;
    run_record r;
    double t0 = clock_thread();
    CGCT_TRY(run_compute(k->j, item, &record, &size, &summary, err));
    s->seconds_per_work = (clock_thread() - t0) / k->load->work[s->at];
    cgct_status st = run_record_parse(record, size, &r, err);
    if (st == CGCT_OK) s->numbers = (double)count_numbers(&r, k->j->settings->bound);
    if (st == CGCT_OK) s->fields = (double)(r.s.nm * r.s.points);
    run_job_node(k->j, item, &member, &ix, &ieps);
    s->ln_eps = log(k->j->settings->eps.v[ieps]);
    free(record);
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
    const run_schedule s = {.n = k->n,
                            .bytes = bytes,
                            .budget = k->load->budget,
                            .threads = k->load->threads < (int)k->n ? k->load->threads : (int)k->n,
                            .self = k,
                            .work = compute_sample};
    double t0 = clock_wall();
    CGCT_TRY(run_schedule_go(&s, err));
    f->seconds_sampling = clock_wall() - t0;
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

/* Interpolated to one eps: logarithms are linear in ln eps between samples. */
static double seconds_per_work_at(const cost_samples *k, double eps)
{
    const cost_sample *a = &k->s[0], *b = a;
    double x = log(eps), t = 0;
    for (size_t i = 1; i < k->n && b->ln_eps < x; i++) {
        a = b;
        b = &k->s[i];
    }
    if (b->ln_eps > a->ln_eps) t = fmin(1, fmax(0, (x - a->ln_eps) / (b->ln_eps - a->ln_eps)));
    return pow(a->seconds_per_work, 1 - t) * pow(b->seconds_per_work, t);
}

/* A segment has as many basis fields as rows, up to about so many that take this many bytes for
 * each number; further fields are small.  Six tables of gbw, mv and bk with 2 to 20 nodes had 0.8
 * to 1.2 times the bytes that follow. */
static const double FIELDS_OF_SEGMENT = 24, BYTES_OF_NUMBER = 0.6;
/* Members with nodes of their own are combinations of about so many variations. */
static const double VARIATIONS = 8;

static double fields_of(const run_job *j, double rows)
{
    return j->settings->reduce ? fmin(rows, FIELDS_OF_SEGMENT) : rows;
}

/* The file, and the memory of assembling it: one segment after the other, beside those that are
 * finished. */
static void predict_size(const cost_samples *k, run_forecast *f)
{
    const run_job *j = k->j;
    double numbers = 0, fields = 0;
    for (size_t i = 0; i < k->n; i++) {
        numbers = fmax(numbers, k->s[i].numbers);
        fields = fmax(fields, k->s[i].fields);
    }
    const segment_source s = segment_source_of(j, NULL, 1, 0);
    const double segments = (double)(s.px * s.peps);
    const double rows = (double)(j->nfull * s.each_x * s.each_eps);
    const double others = fmin((double)j->nmember - 1, VARIATIONS);
    const double varied = j->ncoarse ? others * (double)(j->coarse_nx * j->coarse.eps.n) : 0;
    const double R = fields_of(j, rows), Rv = fields_of(j, varied);
    const double axes = 8 * (double)(j->nx + j->settings->eps.n + j->grid.nq);
    const double bounds = (double)((j->nfull + (j->ncoarse > 0)) * s.nx * s.neps);
    f->bytes_file = segments * R * (BYTES_OF_NUMBER * numbers + 8 * rows) +
                    Rv * (BYTES_OF_NUMBER * numbers + 8 * varied) + axes + META_BESIDE_CARD +
                    (double)strlen(run_identity_card(j->identity)) +
                    bounds * (double)bounds_blocks(&s.shape);
    /* the basis fields are there twice while the table is compared with its checks; what nodes have
     * used is not always handed back */
    f->bytes_memory += (size_t)(2 * (segments * R + Rv) * 4 * fields + varied * 8 * fields) +
                       basis_bytes((size_t)fmax(rows, varied), (size_t)fields) +
                       segment_bytes((size_t)fields);
}

/* The schedule is simulated: each item in turn goes to the thread that is free first. */
static cgct_status predict_time(const cost_samples *k, run_forecast *f, cgct_err *err)
{
    const run_load *load = k->load;
    const size_t threads = (size_t)load->threads, workers = load->n < threads ? load->n : threads;
    double *busy = calloc(workers, sizeof *busy);
    if (!busy) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu threads", workers);
    for (size_t i = 0; i < load->n; i++) {
        size_t item = load->item[i], first = 0;
        if (run_job_is_check(k->j, item)) item = k->j->nnode / 2;
        double eps = run_node_task(k->j, item).eps;
        double seconds = seconds_per_work_at(k, eps) * load->work[i];
        for (size_t w = 1; w < workers; w++)
            if (busy[w] < busy[first]) first = w;
        busy[first] += seconds / (double)(threads / workers);
        f->seconds_nodes += seconds;
    }
    for (size_t w = 0; w < workers; w++) f->seconds = fmax(f->seconds, busy[w]);
    free(busy);
    return CGCT_OK;
}

/* From the number of operations: one sample in the middle stands for all. */
static cgct_status predict_from_operations(cost_samples *k, run_forecast *f, cgct_err *err)
{
    const run_load *load = k->load;
    const size_t at = load->n / 2;
    f->seconds_sample = estimate_seconds(k, at);
    f->bytes_sample = load->bytes[at];
    f->bytes_memory = largest_together(load->n, load->bytes, load->threads, load->budget);
    k->n = 1;
    k->s[0] = (cost_sample){.at = at, .seconds_per_work = f->seconds_sample / load->work[at]};
    return predict_time(k, f, err);
}

cgct_status run_plan(const run_job *j, const run_load *load, run_forecast *f, cgct_err *err)
{
    cost_samples k = {.j = j, .load = load};
    *f = (run_forecast){0};
    if (!load->n) return CGCT_OK;
    choose_samples(&k);
    if (!k.n) return predict_from_operations(&k, f, err);
    CGCT_TRY(take_samples(&k, f, err));
    CGCT_TRY(predict_time(&k, f, err));
    predict_size(&k, f);
    return CGCT_OK;
}
