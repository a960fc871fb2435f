/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_events [FILE...]: what an event of cgctab-events takes, and the start of a run, with the
 * default cuts at 18x275 GeV and one thread, on tables that are shipped or on those named. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reader/events/events.h"

enum { N_BLOCKS = 16 };

/* Seconds of this process alone. */
static double spent(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void require(cgct_status st, const cgct_err *err)
{
    if (st == CGCT_OK) return;
    fprintf(stderr, "bench_events: %s\n", err->text);
    exit(1);
}

static ev_setup default_setup(const cgct_table *table)
{
    cgct_info f;
    cgct_table_info(table, &f);
    const double area = cgct_member_S_perp(table, f.member);
    return (ev_setup){
        .electron = 18,
        .proton = 275,
        .s = 4 * 18 * 275,
        .Q2 = {2, 50},
        .y = {0.05, 0.95},
        .z = {0.1, 0.9},
        .q = {f.q[0], f.q[1]},
        .k = {1, f.k_max},
        .K = {0, INFINITY},
        .x = {f.x[0], f.x[1]},
        .eps = {f.eps[0], f.eps[1]},
        .q_table = {f.q[0], f.q[1]},
        .alpha_em = 1 / 137.036,
        .S_perp = area > 0 ? area : 40, /* GeV^-2 */
        .same_area = 1,
        .kind = {[EV_LIGHT] = {.mass = 0.14, .n = 3, .id = {2, 1, 3}, .charges2 = 2 / 3.}}};
}

/* Microseconds of n draws from the grid. */
static double time_draws(const ev_grid *grid, size_t n)
{
    ev_random r;
    ev_point p;
    int pol, kind;
    double sum = 0, start = spent();
    ev_random_start(&r, 1, 0);
    for (size_t i = 0; i < n; i++) sum += ev_grid_draw(grid, &r, &p, &pol, &kind);
    return sum >= 0 ? 1e6 * (spent() - start) : 0;
}

/* Microseconds of the texts of n events; zip: compressed, too; *bytes of all. */
static double time_texts(const ev_format *f, const ev_event *events, size_t n, size_t *bytes)
{
    ev_text text = {NULL, 0, 0};
    cgct_err err;
    const double start = spent();
    for (size_t i = 0; i < n; i++) require(ev_append(f, &events[i], &text, &err), &err);
    *bytes = text.n;
    if (f->zipped) {
        unsigned char *out;
        require(ev_pack(text.text, text.n, EV_EVENTS, &out, bytes, &err), &err);
        free(out);
    }
    const double took = 1e6 * (spent() - start);
    ev_text_free(&text);
    return took;
}

/* Microseconds of the trials of all blocks, whose events are added to those of *all. */
static double time_blocks(const ev_source *source, ev_event *events, size_t *n, ev_batch *batches)
{
    const double start = spent();
    *n = 0;
    for (uint64_t b = 0; b < N_BLOCKS; b++) {
        require(ev_block(source, b, &batches[b]), &batches[b].err);
        memcpy(events + *n, batches[b].events, batches[b].n * sizeof *events);
        *n += batches[b].n;
    }
    return 1e6 * (spent() - start);
}

static void free_batches(ev_batch *batches)
{
    for (int b = 0; b < N_BLOCKS; b++) ev_batch_free(&batches[b]);
}

/* The stages of events, in microseconds each. */
static void print_stages(ev_source source, const ev_weights *weights, const ev_sums *pilot)
{
    static ev_event events[N_BLOCKS * EV_ROOM];
    static ev_batch batches[N_BLOCKS];
    ev_weights none = {0};
    size_t n = 0, plain, all, packed;
    double sigma, error;
    const double trials = time_blocks(&source, events, &n, batches), each = 1 / (double)n;
    const double draws = time_draws(source.grid, (size_t)N_BLOCKS * EV_BLOCK);
    ev_format f = {.source = &source, .weights = &none};
    const double text = time_texts(&f, events, n, &plain);
    f.zipped = ev_has_gzip();
    const double zip = time_texts(&f, events, n, &packed) - text;
    free_batches(batches);
    source.weights = f.weights = weights;
    f.zipped = 0;
    const double more = time_blocks(&source, events, &n, batches) - trials;
    const double longer = time_texts(&f, events, n, &all) - text;
    free_batches(batches);
    ev_cross_section(pilot, &sigma, &error);
    printf(
        "  an event (us): draw %.2f, evaluation %.2f, text %.2f, gzip %.2f; %zu weights %.2f and "
        "%.2f in the text; efficiency %.3f; bytes %.0f, gzip %.0f, with weights %.0f\n",
        draws * each, (trials - draws) * each, text * each, zip * each, weights->n, more * each,
        longer * each, sigma / source.top, (double)plain * each, (double)packed * each,
        (double)all * each);
}

static void time_events(const char *path)
{
    cgct_table *table;
    cgct_err err;
    ev_shapes *shapes;
    ev_grid *grid;
    ev_weights weights;
    require(cgct_open(path, &table, &err), &err);
    cgct_set_negative(table, CGCT_NEGATIVE_KEEP);
    const ev_setup setup = default_setup(table);
    ev_run run = {.threads = 1, .quiet = 1};
    const double start = spent();
    require(ev_shapes_make(&shapes, table, &setup, &err), &err);
    const double shaped = spent();
    require(ev_grid_make(&grid, shapes, &setup, &err), &err);
    const double filled = spent();
    run.source = (ev_source){.table = table, .setup = &setup, .grid = grid, .seed = 1};
    require(ev_pilot(&run, &err), &err);
    printf("%s: slices %.2f s, grid %.2f s, first pass %.2f s\n", path, shaped - start,
           filled - shaped, spent() - filled);
    require(ev_weights_make(&weights, table, &setup, &err), &err);
    print_stages(run.source, &weights, &run.sums);
    ev_weights_free(&weights);
    ev_grid_free(grid);
    ev_shapes_free(shapes);
    cgct_close(table);
}

int main(int argc, char **argv)
{
    static const char *const shipped[] = {"tables/gbw.cgct", "tables/proton-mve.cgct",
                                          "tables/gold.cgct", "tables/proton.cgct"};
    const int n = argc > 1 ? argc - 1 : (int)(sizeof shipped / sizeof *shipped);
    for (int i = 0; i < n; i++) time_events(argc > 1 ? argv[i + 1] : shipped[i]);
    return 0;
}
