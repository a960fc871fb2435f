/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_reader [FILE]: times of the reader on a table, best of several runs.  Without FILE a
 * synthetic one of 20 x 25 nodes and 48 x 48 momenta is written to TMPDIR (or /tmp) first. */
#define _DEFAULT_SOURCE /* madvise */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "reader/cgctab.h"
#include "synthetic.h"

enum { N = 100000, RUNS = 7 };

typedef struct {
    cgct_table *table;
    cgct_slice *slice;
    cgct_sampler *sampler;
    double *x, *eps, *q, *k, *theta, *out; /* N points */
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

static void random_points(bench *b)
{
    double *to[4] = {b->x, b->eps, b->q, b->k};
    uint64_t state = 1;
    for (int a = 0; a < 4; a++) {
        size_t n;
        const double *v = cgct_axis_values(b->table, (cgct_axis)a, &n);
        for (int i = 0; i < N; i++) to[a][i] = v[0] * pow(v[n - 1] / v[0], uniform(&state));
    }
    for (int i = 0; i < N; i++) b->theta[i] = 2 * SYNTHETIC_PI * uniform(&state);
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

/* Steps of a percent in every variable, as a Markov chain or an integrator makes them. */
static void walking(bench *b, size_t i0, size_t n)
{
    for (size_t i = i0; i < i0 + n; i++) {
        double t = 0.5 + 0.5 * sin(1e-3 * (double)i), u = 0.5 + 0.5 * cos(1.7e-3 * (double)i);
        cgct_eval(b->table, 2e-5 * (1 + 9 * t), 0.3 + 2 * u, 2 + 10 * t, 1.5 + 6 * u, 6 * t * u,
                  b->out + 2 * i);
    }
}

static void repeated(bench *b, size_t i0, size_t n)
{
    for (size_t i = i0; i < i0 + n; i++)
        cgct_eval(b->table, 1e-3, 1.1, 4.3, 2.2, b->theta[i], b->out + 2 * i);
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

static void events_many(bench *b, size_t i0, size_t n)
{
    enum { PART = 64 };
    uint64_t state = i0;
    for (size_t i = 0; i < n; i += PART) {
        double u[5 * PART];
        cgct_event part[PART];
        for (int j = 0; j < 5 * PART; j++) u[j] = uniform(&state);
        cgct_sample_many(b->sampler, PART, u, part, NULL);
        b->out[2 * (i0 + i)] = part[0].q;
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
    printf("%-28s %2d thread%s %8.1f ns\n", name, threads, threads > 1 ? "s" : " ", 1e9 * best / N);
}

/* What memory alone takes: to load lines of the cache in runs of neighbours at random places, all
 * of them asked for together; so many sets of them that few are met again in a cache. */
enum { LINE = 64, SETS = 20000, LARGE_PAGE = 1 << 21 };

static double load_lines(const char *const *at, size_t runs, size_t length)
{
    unsigned sum = 0;
    double start = now();
    for (const char *const *set = at; set < at + runs * SETS; set += runs) {
        for (size_t i = 0; i < runs; i++)
            for (size_t j = 0; j < length; j++) __builtin_prefetch(set[i] + LINE * j);
        for (size_t i = 0; i < runs; i++)
            for (size_t j = 0; j < length; j++) sum += (unsigned)set[i][LINE * j];
    }
    if (sum != (unsigned)(runs * length * SETS)) exit(1);
    return 1e9 * (now() - start) / SETS;
}

static void random_lines(size_t bytes, size_t runs, size_t length)
{
    uint64_t state = 1;
    double best = 1e9;
    const size_t size = (bytes / LARGE_PAGE + 1) * LARGE_PAGE;
    char *memory = (char *)aligned_alloc(LARGE_PAGE, size);
    const char **at = (const char **)malloc(runs * SETS * sizeof *at);
    if (!memory || !at) exit(1);
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, size, MADV_HUGEPAGE);
#endif
    memset(memory, 1, size);
    for (size_t i = 0; i < runs * SETS; i++)
        at[i] = memory + LINE * (size_t)(uniform(&state) * (double)(size / LINE - length));
    for (int r = 0; r < RUNS; r++) best = fmin(best, load_lines(at, runs, length));
    printf("%zu runs of %zu lines at random places of %.0f MB: %.0f ns, memory alone\n", runs,
           length, 1e-6 * (double)size, best);
    free(memory);
    free(at);
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

static void must(cgct_status st, const cgct_err *err)
{
    if (st == CGCT_OK) return;
    fprintf(stderr, "bench_reader: %s\n", err->text);
    exit(1);
}

static double open_time(const char *path, cgct_table **t)
{
    double best = 1e9;
    cgct_err err;
    *t = NULL;
    for (int r = 0; r < 3; r++) {
        cgct_close(*t);
        double start = now();
        must(cgct_open(path, t, &err), &err);
        best = fmin(best, now() - start);
    }
    return best;
}

static int write_synthetic(const char *path)
{
    double v[4][64];
    cgct_err err;
    synthetic s = {{20, 25, 48, 48}, {v[0], v[1], v[2], v[3]}, 1};
    synthetic_axis(1e-5, 1e-2, s.n[0], v[0]);
    synthetic_axis(0.1, 10, s.n[1], v[1]);
    synthetic_axis(1, 25, s.n[2], v[2]);
    synthetic_axis(0.2, 25, s.n[3], v[3]);
    cgct_writer_spec spec = {.level = 9, .bound = 1e-5, .split = 2, .order = {4, 6, 4, 4}};
    if (synthetic_write(&s, path, spec, &err) == CGCT_OK) return 0;
    fprintf(stderr, "bench_reader: %s\n", err.text);
    return 1;
}

/* Bytes of all ln s, zeroth ratios and modes at four each: the payloads of encoding 2, of which
 * times to open were reported first. */
static double number_bytes(const cgct_table *t)
{
    size_t n[4];
    double bytes = 0;
    for (int a = 0; a < 4; a++) cgct_axis_values(t, (cgct_axis)a, &n[a]);
    for (size_t i = 0; i < n[0] * n[1]; i++) {
        cgct_node_info node;
        if (cgct_node_sizes(t, i / n[1], i % n[1], &node) != CGCT_OK) continue;
        bytes += 4.0 * 2 * (double)(n[2] * n[3]) * (double)(node.modes + 1);
    }
    return bytes;
}

static void describe(const cgct_table *t, double seconds, long before)
{
    cgct_info info;
    double bytes = number_bytes(t);
    cgct_table_info(t, &info);
    printf("%s: %.1f MB, decoded %.1f MB, as 4-byte numbers %.1f MB; opened in %.4f s, %.2f s a GB "
           "of these, resident %.1f MB\n",
           cgct_table_path(t), 1e-6 * info.file_bytes, 1e-6 * info.raw_bytes, 1e-6 * bytes, seconds,
           1e9 * seconds / bytes, 1e-3 * (double)(resident_kib() - before));
}

/* before: resident when nothing was open, in KiB. */
static void time_prepared(bench *b, long before)
{
    cgct_err err;
    long opened = resident_kib();
    double start = now();
    must(cgct_prepare(b->table, &err), &err);
    printf("prepared in %.2f s, %.1f MB more\n", now() - start,
           1e-3 * (double)(resident_kib() - opened));
    random_lines((size_t)(1024 * (resident_kib() - before)), 20, 4);
    for (int threads = 1, cores = omp_get_num_procs(); threads <= cores;
         threads += cores > 1 ? cores - 1 : 1) {
        report("prepared: random", b, random_eval, threads);
        report("prepared: random, in arrays", b, random_many, threads);
        report("prepared: walking", b, walking, threads);
        report("prepared: repeated", b, repeated, threads);
    }
}

static void time_all(bench *b)
{
    const double factor[2] = {1, 1};
    cgct_err err;
    int cores = omp_get_num_procs();
    double start = now();
    must(cgct_slice_init(&b->slice, b->table, 1.3e-3, 0.9, &err), &err);
    double made = now();
    must(cgct_sampler_init(&b->sampler, b->slice, factor, &err), &err);
    printf("slice made in %.2f ms, its sampler in %.2f ms\n", 1e3 * (made - start),
           1e3 * (now() - made));
    for (int threads = 1; threads <= cores; threads += cores > 1 ? cores - 1 : 1) {
        report("random, all five variables", b, random_eval, threads);
        report("random, in arrays", b, random_many, threads);
        report("walking", b, walking, threads);
        report("repeated, new angle", b, repeated, threads);
        report("slice, random", b, on_slice, threads);
        report("slice, bulk", b, bulk, threads);
        report("slice, angles at one (q,k)", b, angles, threads);
        report("events from a slice", b, events, threads);
        report("events from a slice, many", b, events_many, threads);
    }
    cgct_sampler_free(b->sampler);
    cgct_slice_free(b->slice);
}

int main(int argc, char **argv)
{
    char path[512], unpacked[544];
    const char *folder = getenv("TMPDIR");
    bench b;
    snprintf(path, sizeof path, "%s/bench_reader.cgct", folder ? folder : "/tmp");
    if (argc > 1)
        snprintf(path, sizeof path, "%s", argv[1]);
    else if (write_synthetic(path))
        return 1;
    snprintf(unpacked, sizeof unpacked, "%s.unpacked", path);
    double *all = (double *)malloc(7 * N * sizeof *all);
    if (!all) return 1;
    b.x = all, b.eps = all + N, b.q = all + 2 * N, b.k = all + 3 * N, b.theta = all + 4 * N;
    b.out = all + 5 * N;
    memset(b.out, 0, 2 * N * sizeof *b.out);
    for (int pass = 0; pass < 2; pass++) {
        long before = resident_kib();
        double seconds = open_time(pass ? unpacked : path, &b.table);
        describe(b.table, seconds, before);
        random_points(&b);
        if (pass == 0 && cgct_unpack(b.table, unpacked, NULL) != CGCT_OK) return 1;
        time_all(&b);
        if (pass == 0) random_lines((size_t)(1024 * (resident_kib() - before)), 112, 2);
        time_prepared(&b, before);
        cgct_close(b.table);
    }
    free(all);
    remove(unpacked);
    if (argc == 1) remove(path);
    return 0;
}
