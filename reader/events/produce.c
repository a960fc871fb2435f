/* SPDX-License-Identifier: MIT */
/* The two passes of cgctab-events: trials that find the weight that counts as 1, and events. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../format/lists.h"
#include "events.h"

enum { PILOT = 16, ROUND = 2 }; /* blocks; blocks a thread in each round */
#define ABOVE 1e-3              /* share of the cross section in weights above 1 */

typedef struct {
    ev_batch batch;
    ev_text text;
    unsigned char *packed; /* the text as a member of a gzip file, or NULL */
    size_t packed_size;
    cgct_status status;
} block_result;

typedef struct {
    const ev_run *run;
    const ev_format *format; /* NULL: no text */
    uint64_t begin;          /* block of results[0] */
    block_result *results;   /* (n), of which a thread makes first, first + run->threads ... */
    uint64_t first, n;
} block_task;

/* The texts of a block's events in place of those before. */
static cgct_status write_block(const ev_format *format, block_result *r)
{
    r->text.n = 0;
    for (size_t i = 0; i < r->batch.n; i++)
        CGCT_TRY(ev_append(format, &r->batch.events[i], &r->text, &r->batch.err));
    free(r->packed);
    r->packed = NULL;
    if (!format->zipped || !r->batch.n) return CGCT_OK;
    return ev_pack(r->text.text, r->text.n, EV_EVENTS, &r->packed, &r->packed_size, &r->batch.err);
}

static void *work(void *data)
{
    const block_task *t = (const block_task *)data;
    for (uint64_t i = t->first; i < t->n; i += (uint64_t)t->run->threads) {
        block_result *r = &t->results[i];
        memset(r, 0, sizeof *r);
        r->status = ev_block(&t->run->source, t->begin + i, &r->batch);
        if (t->format && r->status == CGCT_OK) r->status = write_block(t->format, r);
    }
    return NULL;
}

/* Blocks begin..begin+n-1 on all threads; where no thread can be had, on this one. */
static void run_blocks(const ev_run *run, const ev_format *format, uint64_t begin, uint64_t n,
                       block_result *results)
{
    pthread_t thread[EV_THREADS];
    int started[EV_THREADS] = {0};
    block_task task[EV_THREADS];
    for (int i = 0; i < run->threads; i++) {
        task[i] = (block_task){run, format, begin, results, (uint64_t)i, n};
        started[i] = i > 0 && pthread_create(&thread[i], NULL, work, &task[i]) == 0;
    }
    for (int i = 0; i < run->threads; i++)
        if (!started[i]) work(&task[i]);
    for (int i = 0; i < run->threads; i++)
        if (started[i]) pthread_join(thread[i], NULL);
}

static void add_sums(ev_sums *to, const ev_sums *from)
{
    to->sum += from->sum;
    to->square += from->square;
    for (int i = 0; i < EV_PLACES; i++) to->outside[i] += from->outside[i];
    for (int i = 0; i < EV_KINDS; i++) {
        to->kind[i] += from->kind[i];
        to->kind_square[i] += from->kind_square[i];
    }
    to->pdf_edge += from->pdf_edge;
    to->low_P += from->low_P;
    to->high_q += from->high_q;
    to->first_q += from->first_q;
    to->negative += from->negative;
    if (from->most > to->most) to->most = from->most;
    to->above += from->above;
    to->trials += from->trials;
    to->copies += from->copies;
}

static void free_results(block_result *r, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ev_batch_free(&r[i].batch);
        ev_text_free(&r[i].text);
        free(r[i].packed);
    }
}

/* The least weight above which the excess is the share ABOVE of the sum. */
static double find_top(double *w, size_t n, double sum)
{
    double over = 0; /* of the weights from i on, what lies above w[i - 1] */
    qsort(w, n, sizeof *w, number_compare);
    for (size_t i = n; i-- > 1;) {
        over += (double)(n - i) * (w[i] - w[i - 1]);
        if (over > ABOVE * sum) return w[i];
    }
    return n ? w[0] : 0;
}

/* Blocks of the first pass have numbers of their own. */
#define PILOT_FROM (UINT64_C(1) << 62)

cgct_status ev_pilot(ev_run *run, cgct_err *err)
{
    const uint64_t blocks = run->pilot ? run->pilot : PILOT;
    double *w = (double *)malloc(blocks * EV_BLOCK * sizeof *w);
    const uint64_t round = (uint64_t)ROUND * (uint64_t)run->threads;
    block_result *r = (block_result *)calloc(round, sizeof *r);
    cgct_status st = CGCT_OK;
    size_t n = 0;
    if (!w || !r) {
        free(w);
        free(r);
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for the first pass");
    }
    run->source.top = 0;
    memset(&run->sums, 0, sizeof run->sums);
    for (uint64_t from = 0, of; from < blocks; from += of) {
        of = blocks - from < round ? blocks - from : round;
        run_blocks(run, NULL, PILOT_FROM + from, of, r);
        for (uint64_t i = 0; i < of; i++) {
            if (r[i].status != CGCT_OK) *err = r[i].batch.err, st = r[i].status;
            add_sums(&run->sums, &r[i].batch.sums);
            for (size_t j = 0; j < r[i].batch.n; j++) w[n++] = r[i].batch.events[j].weight;
        }
        free_results(r, of);
    }
    run->source.top = find_top(w, n, run->sums.sum);
    free(r);
    free(w);
    return st;
}

/* Appends the texts of a round in the order of the blocks, until there are enough events. */
static cgct_status take_round(ev_run *run, const ev_format *format, block_result *r, size_t n,
                              cgct_tmpfile *file, cgct_err *err)
{
    for (size_t i = 0; i < n && run->written < run->n; i++) {
        if (r[i].status == CGCT_OK && r[i].batch.n > run->n - run->written) {
            r[i].batch.n = run->n - run->written;
            r[i].status = write_block(format, &r[i]);
        }
        if (r[i].status != CGCT_OK) return *err = r[i].batch.err, r[i].status;
        add_sums(&run->sums, &r[i].batch.sums);
        if (r[i].packed)
            CGCT_TRY(cgct_tmpfile_append(file, r[i].packed, r[i].packed_size, err));
        else
            CGCT_TRY(cgct_tmpfile_append(file, r[i].text.text, r[i].text.n, err));
        run->written += r[i].batch.n;
    }
    return CGCT_OK;
}

cgct_status ev_produce(ev_run *run, const ev_format *format, cgct_tmpfile *file, cgct_err *err)
{
    const size_t n = (size_t)ROUND * (size_t)run->threads;
    block_result *r = (block_result *)calloc(n, sizeof *r);
    cgct_status st = CGCT_OK;
    if (!r) return cgct_fail(err, CGCT_E_NOMEM, "no memory for events");
    memset(&run->sums, 0, sizeof run->sums);
    for (uint64_t b = 0; run->written < run->n && st == CGCT_OK; b += n) {
        run_blocks(run, format, b, n, r);
        st = take_round(run, format, r, n, file, err);
        free_results(r, n);
        if (run->quiet || !isatty(2)) continue;
        fprintf(stderr, "\rcgctab-events: %zu of %zu events", run->written, run->n);
        if (run->written >= run->n) fputc('\n', stderr);
    }
    free(r);
    return st;
}
