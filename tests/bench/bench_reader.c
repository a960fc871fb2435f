/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_reader [FILE...]: times of the reader, best of several runs, on the shipped tables or on
 * those named. */
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "reader/cgctab.h"

enum { N = 100000, RUNS = 7 };
static const double PI = 3.14159265358979323846;

typedef struct {
    cgct_table *table;
    cgct_slice *slice;
    cgct_sampler *sampler;
    double *x, *eps, *q, *k, *theta, *out; /* N points */
    double *members;                       /* values of all members */
} bench;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double uniform(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void must(cgct_status st, const cgct_err *err)
{
    if (st == CGCT_OK) return;
    fprintf(stderr, "bench_reader: %s\n", err->text);
    exit(1);
}

/* Uniform in the logarithms over the whole range of the table. */
static void random_points(bench *b)
{
    cgct_info f;
    uint64_t state = 1;
    cgct_table_info(b->table, &f);
    const double from[4] = {f.x[0], f.eps[0], f.q[0], 0.04 * f.k_max};
    const double up_to[4] = {f.x[1], f.eps[1], f.q[1], f.k_max};
    double *to[4] = {b->x, b->eps, b->q, b->k};
    for (int a = 0; a < 4; a++)
        for (int i = 0; i < N; i++) to[a][i] = from[a] * pow(up_to[a] / from[a], uniform(&state));
    for (int i = 0; i < N; i++) b->theta[i] = 2 * PI * uniform(&state);
}

static void random_eval(bench *b, size_t i0, size_t n)
{
    for (size_t i = i0; i < i0 + n; i++)
        cgct_eval(b->table, b->x[i], b->eps[i], b->q[i], b->k[i], b->theta[i], b->out + 2 * i);
}

static void random_many(bench *b, size_t i0, size_t n)
{
    cgct_eval_many(b->table, n, b->x + i0, b->eps + i0, b->q + i0, b->k + i0, b->theta + i0,
                   b->out + 2 * i0, NULL);
}

static void random_error(bench *b, size_t i0, size_t n)
{
    for (size_t i = i0; i < i0 + n; i++)
        cgct_eval_error(b->table, b->x[i], b->eps[i], b->q[i], b->k[i], b->theta[i],
                        b->out + 2 * i);
}

static void all_members(bench *b, size_t i0, size_t n)
{
    for (size_t i = i0; i < i0 + n; i++)
        cgct_eval_members(b->table, b->x[i], b->eps[i], b->q[i], b->k[i], b->theta[i], b->members);
}

static void on_slice(bench *b, size_t i0, size_t n)
{
    for (size_t i = i0; i < i0 + n; i++)
        cgct_slice_eval(b->slice, b->q[i], b->k[i], b->theta[i], b->out + 2 * i);
}

static void bulk(bench *b, size_t i0, size_t n)
{
    cgct_slice_many(b->slice, n, b->q + i0, b->k + i0, b->theta + i0, b->out + 2 * i0, NULL);
}

static void angles(bench *b, size_t i0, size_t n)
{
    cgct_slice_angles(b->slice, 9.3, 2.2, n, b->theta + i0, b->out + 2 * i0);
}

static void events(bench *b, size_t i0, size_t n)
{
    uint64_t state = i0;
    for (size_t i = i0; i < i0 + n; i++) {
        double u[5];
        cgct_event event;
        for (int j = 0; j < 5; j++) u[j] = uniform(&state);
        cgct_sample(b->sampler, u, &event);
        b->out[2 * i] = event.q;
    }
}

static void report(const char *name, bench *b, void (*run)(bench *, size_t, size_t), int threads)
{
    double best = 1e9;
    for (int r = 0; r < RUNS; r++) {
        double start = now();
#pragma omp parallel num_threads(threads)
        {
            size_t me = (size_t)omp_get_thread_num(), each = N / (size_t)threads;
            run(b, me * each, each);
        }
        best = fmin(best, now() - start);
    }
    printf("  %-26s %2d thread%s %8.1f ns\n", name, threads, threads > 1 ? "s" : " ",
           1e9 * best / N);
}

static long resident_kib(void)
{
    long pages = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f) return 0;
    if (fscanf(f, "%ld %ld", &pages, &resident) != 2) resident = 0;
    fclose(f);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void open_table(const char *path, bench *b)
{
    double best = 1e9, unpack = 1e9;
    long before = resident_kib(), more = 0;
    cgct_info f;
    cgct_err err;
    b->table = NULL;
    for (int r = 0; r < RUNS; r++) {
        cgct_close(b->table);
        double start = now();
        must(cgct_open(path, &b->table, &err), &err);
        best = fmin(best, now() - start);
        start = now();
        must(cgct_load(b->table, &err), &err);
        unpack = fmin(unpack, now() - start);
        if (!r) more = resident_kib() - before;
    }
    cgct_table_info(b->table, &f);
    printf("%s: file %.2f MB, opened in %.1f ms, unpacked in %.1f ms, memory %.1f MB (resident "
           "%.1f MB)\n",
           path, 1e-6 * f.file_bytes, 1e3 * best, 1e3 * unpack, 1e-6 * f.memory_bytes,
           1e-3 * (double)more);
    printf("  %zu q, %zu + %zu k, at most %zu coefficients, %zu segments of rank up to %zu, %zu "
           "members\n",
           f.nq, f.nk_lower, f.nk_upper, f.modes, f.segments, f.rank, f.members);
    b->members = malloc(2 * f.members * sizeof *b->members);
    if (!b->members) exit(1);
}

static void make_slice(bench *b)
{
    const double factor[2] = {1, 1};
    double slice = 1e9, sampler = 1e9;
    cgct_err err;
    for (int r = 0; r < RUNS; r++) {
        if (r) cgct_sampler_free(b->sampler), cgct_slice_free(b->slice);
        double start = now();
        must(cgct_slice_init(&b->slice, b->table, b->x[0], 0.9, &err), &err);
        double made = now();
        must(cgct_sampler_init(&b->sampler, b->slice, factor, &err), &err);
        slice = fmin(slice, made - start);
        sampler = fmin(sampler, now() - made);
    }
    printf("  slice made in %.3f ms, its sampler in %.2f ms\n", 1e3 * slice, 1e3 * sampler);
}

static void time_all(bench *b)
{
    int cores = omp_get_num_procs();
    make_slice(b);
    for (int threads = 1; threads <= cores; threads += cores > 1 ? cores - 1 : 1) {
        report("random, all five variables", b, random_eval, threads);
        report("random, in arrays", b, random_many, threads);
        report("bound of a random point", b, random_error, threads);
        report("slice, random", b, on_slice, threads);
        report("slice, bulk", b, bulk, threads);
        report("slice, angles at one (q,k)", b, angles, threads);
        report("events from a slice", b, events, threads);
        if (threads == 1) report("all members at one point", b, all_members, threads);
    }
    cgct_sampler_free(b->sampler);
    cgct_slice_free(b->slice);
}

int main(int argc, char **argv)
{
    static const char *const shipped[] = {"tables/proton-mve.cgct", "tables/mv.cgct",
                                          "tables/gbw.cgct", "tables/proton.cgct",
                                          "tables/gold.cgct"};
    double *all = calloc(7 * N, sizeof *all);
    if (!all) return 1;
    bench b = {.x = all,
               .eps = all + N,
               .q = all + 2 * N,
               .k = all + 3 * N,
               .theta = all + 4 * N,
               .out = all + 5 * N};
    int n = argc > 1 ? argc - 1 : (int)(sizeof shipped / sizeof *shipped);
    for (int i = 0; i < n; i++) {
        open_table(argc > 1 ? argv[i + 1] : shipped[i], &b);
        random_points(&b);
        time_all(&b);
        free(b.members);
        cgct_close(b.table);
    }
    free(all);
    return 0;
}
