/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_gpu [DEVICE]: time of each builder on a GPU from start to end, then once more stage by
 * stage: calls, seconds, rate in double precision, bandwidth, their shares of the device's limits,
 * peak memory.  The sizes are the paper's; cuda-separable makes nodes of a production, one alone
 * and a hundred by all threads.  Without a GPU: the processor's part of these nodes, and how much
 * there is for a device to do. */
#include <omp.h>

#include "numerics/memory.h"
#include "numerics/clock.h"
#include "run/schedule.h"
#include "cuda_cases.h"
#include "emulated_gpu.h"
#include "gpu/bench_weights.h"
#include "gpu_profile.h"

enum { MOMENTA = 48 };

/* One size of the paper's discretisation, and its seconds on an A800: tables of section tablecuda
 * (inner table and transform) and of section fusedcuda; 0: not in the paper. */
typedef struct {
    const char *name;
    double eps, delta_max, s_max;
    int nd, quadratic, gauss, phi, modes;
    double table, fused, sums;
} paper_size;

static const paper_size sizes[] = {
    {"eps = 4", 4, 15, 60, 200, 0, 256, 64, 31, 62, 49, 23},
    {"eps = 0.1", 0.1, 107, 100, 535, 1, 384, 64, 31, 122, 84, 74},
    {"eps = 0.5, 256 angles", 0.5, 30, 60, 283, 1, 256, 256, 127, 0, 0, 0}};
enum { NB = 2048 };
static const double R_MAX = 40;

typedef struct {
    gpu *g;
    device_info info;
} device;

typedef struct {
    inner_opts o;
    int m[128];
    double delta[1024], r[NB], k[MOMENTA];
} paper_grids;

static void fill(paper_grids *t, const paper_size *z)
{
    for (int i = 0; i <= z->modes; i++) t->m[i] = i;
    for (int i = 0; i < z->nd; i++)
        t->delta[i] = z->delta_max * pow(i / (z->nd - 1.), z->quadratic ? 2 : 1);
    for (int i = 0; i < NB; i++) t->r[i] = R_MAX * i / (NB - 1.);
    for (int i = 0; i < MOMENTA; i++) t->k[i] = pow(25, i / (MOMENTA - 1.));
    t->o = (inner_opts){.eps = z->eps,
                        .nm = (size_t)z->modes + 1,
                        .m = t->m,
                        .nd = (size_t)z->nd,
                        .nr = NB,
                        .delta = t->delta,
                        .r = t->r,
                        .s_max = z->s_max,
                        .n_gauss = z->gauss,
                        .n_phi = z->phi};
}

static double samples(const inner_opts *o)
{
    return (double)o->nd * (double)o->nr * o->n_gauss * o->n_phi * (o->n_phi / 2 + 1);
}

static double percent(double rate, double limit)
{
    return limit > 0 ? 100 * rate / limit : 0;
}

static void print_stages(const device_info *d, const gpu *g, const gpu_profile *p)
{
    printf("    %-10s %7s %10s  %16s %5s  %9s %5s\n", "stage", "calls", "seconds", "operations/s",
           "limit", "GB/s", "limit");
    for (int i = 0; i < STAGE_COUNT; i++) {
        if (!p->calls[i]) continue;
        double rate = p->operations[i] / p->seconds[i], bytes = p->bytes[i] / p->seconds[i];
        printf("    %-10s %7zu %10.4f  %16.3g %4.0f%%  %9.1f %4.0f%%\n", gpu_stage_name(i),
               p->calls[i], p->seconds[i], rate, percent(rate, device_fp64_rate(d)), 1e-9 * bytes,
               i == STAGE_FETCH || i == STAGE_UPLOAD ? 0 : percent(bytes, d->bytes_per_second));
    }
    printf("    peak memory of the device %.2f GiB\n", (double)g->bytes_peak / (1 << 30));
}

/* Inner table and both transforms, then the table by stages. */
static void bench_table(device *d, const paper_grids *t, const dipole *p, int full)
{
    inner_table table;
    cgct_err err = {""};
    gpu_profile profile;
    double seconds[2] = {0, 0}, t0 = clock_wall();
    double *I = malloc(NPOL * t->o.nm * MOMENTA * MOMENTA * sizeof *I);
    CHAIN_REQUIRE(cuda_table_build(&table, &t->o, p, full, d->g, &err) == CGCT_OK, "%s\n",
                  err.text);
    double built = clock_wall() - t0;
    const backend_transform w = {&t->o, MOMENTA, MOMENTA, t->k, t->k, 4, NULL};
    CHAIN_REQUIRE(hankel_transform(&table, &w, I, seconds, &err) == CGCT_OK, "%s\n", err.text);
    printf("  %s: table %.2f s, transform on the processor %.2f s (weights %.2f s)\n",
           full ? "cuda-table-blas" : "cuda-table", built, clock_wall() - t0 - built, seconds[0]);
    inner_table_free(&table);
    gpu_profile_attach(&profile, d->g);
    d->g->bytes_peak = 0;
    CHAIN_REQUIRE(cuda_table_build(&table, &t->o, p, full, d->g, &err) == CGCT_OK, "%s\n",
                  err.text);
    gpu_profile_detach(&profile, d->g);
    print_stages(&d->info, d->g, &profile);
    inner_table_free(&table);
    free(I);
}

static void bench_fused(device *d, const paper_grids *t, const dipole *p)
{
    cuda_fused_plan *plan;
    cgct_err err = {""};
    gpu_profile profile;
    backend_transform task = {&t->o, MOMENTA, MOMENTA, t->k, t->k, 4, NULL};
    double *I = malloc(NPOL * t->o.nm * MOMENTA * MOMENTA * sizeof *I), origin[NPOL];
    double t0 = clock_wall();
    CHAIN_REQUIRE(cuda_fused_init(&plan, &task, d->g, &err) == CGCT_OK, "%s\n", err.text);
    double t1 = clock_wall();
    CHAIN_REQUIRE(cuda_fused_apply(plan, p, I, origin, &err) == CGCT_OK, "%s\n", err.text);
    double t2 = clock_wall();
    printf("  cuda-fused: plan %.2f s, each dipole %.2f s, together %.2f s\n", t1 - t0, t2 - t1,
           t2 - t0);
    gpu_profile_attach(&profile, d->g);
    CHAIN_REQUIRE(cuda_fused_apply(plan, p, I, origin, &err) == CGCT_OK, "%s\n", err.text);
    gpu_profile_detach(&profile, d->g);
    print_stages(&d->info, d->g, &profile);
    cuda_fused_free(plan);
    free(I);
}

/* ---- nodes of a production ---- */

enum { NODES = 100 };
static const double alone[] = {0.1, 1, 10}; /* GeV */
static const char *const node_card =
    "accuracy.tolerance=1e-5 accuracy.colours=3 inner.backend=cuda-separable";

typedef struct {
    config card;
    dipole_source *source;
    gpu_crew *crew;
    struct tensor_shelf *shelf;
    double k[MOMENTA], eps[NODES];
} production;

static cgct_status one_node(void *self, size_t i, cgct_err *err)
{
    const production *n = self;
    const backend_set builders = cuda_backends(n->crew);
    const node_grid grid = {MOMENTA, MOMENTA / 2, MOMENTA / 2, n->k, 0.3, 25, n->shelf};
    const node_task task = {.settings = &n->card.run.node,
                            .source = n->source,
                            .x = 0.01,
                            .eps = n->eps[i],
                            .nq = MOMENTA,
                            .q = n->k,
                            .grid = &grid,
                            .builders = &builders};
    node_fields fields;
    CGCT_TRY(node_compute(&task, NULL, &fields, NULL, err));
    node_fields_free(&fields);
    return CGCT_OK;
}

/* Seconds of n nodes, all at one eps unless 0. */
static double nodes(production *t, size_t n, double eps)
{
    const size_t bytes[NODES] = {0};
    const run_schedule s = {.n = n,
                            .bytes = bytes,
                            .budget = 1,
                            .threads = omp_get_max_threads(),
                            .self = t,
                            .work = one_node};
    cgct_err err = {""};
    for (size_t i = 0; i < NODES; i++)
        t->eps[i] = eps > 0 ? eps : 0.1 * pow(100, (double)i / (NODES - 1.));
    double t0 = clock_wall();
    t->shelf = tensor_shelf_new();
    CHAIN_REQUIRE(run_schedule_go(&s, &err) == CGCT_OK, "%s\n", err.text);
    tensor_shelf_free(t->shelf);
    t->shelf = NULL;
    return clock_wall() - t0;
}

/* Nc = 0: infinitely many colours. */
static void production_init(production *t, double Nc)
{
    t->crew = NULL;
    t->shelf = NULL;
    chain_card(&t->card, node_card);
    t->source = chain_source_Nc("mv", Nc);
    for (int i = 0; i < MOMENTA; i++) t->k[i] = pow(25, i / (MOMENTA - 1.));
}

static void production_free(production *t)
{
    gpu_crew_close(t->crew);
    dipole_source_close(t->source);
    config_free(&t->card);
}

/* The weights of each eps by one core, and by a device where there is one. */
static void bench_all_weights(gpu *g)
{
    production t;
    int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    production_init(&t, 0);
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        bench_weights(&t.card, alone[i], MOMENTA, t.k, g);
    production_free(&t);
    omp_set_num_threads(threads);
}

/* Seconds of a plan by this many threads, the least of some, as of the second node of a process:
 * with a crew of none, a node is its plan. */
static double plan_seconds(production *t, int threads)
{
    enum { REPEATS = 8 };
    double least = INFINITY;
    cgct_err err = {""};
    omp_set_num_threads(threads);
    for (int i = 0; i <= REPEATS; i++) {
        const double t0 = clock_wall();
        CHAIN_REQUIRE(one_node(t, 0, &err) == CGCT_E_DEVICE, "a device where there is none\n");
        if (i) least = fmin(least, clock_wall() - t0);
    }
    return least;
}

/* What the processor does for a node before a device is asked for. */
static void bench_plans(void)
{
    production t;
    const int threads = omp_get_max_threads();
    production_init(&t, 0);
    t.crew = gpu_crew_new(0, 0, NULL);
    printf("plan of a node on the processor, mv, tolerance 1e-5, %d x %d momenta, by one thread "
           "and by %d:",
           MOMENTA, MOMENTA, threads);
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        t.eps[0] = alone[i];
        printf("%s eps = %g: %.4f s and", i ? "," : "", alone[i], plan_seconds(&t, 1));
        printf(" %.4f s", plan_seconds(&t, threads));
    }
    printf("\n");
    production_free(&t);
}

/* One device of a crew with a profile attached. */
static void node_stages(const device *d, production *t, double eps)
{
    gpu *g;
    cgct_err err = {""};
    gpu_profile profile;
    CHAIN_REQUIRE(gpu_crew_take(t->crew, &g, &err) == CGCT_OK, "%s\n", err.text);
    gpu_profile_attach(&profile, g);
    g->bytes_peak = 0;
    gpu_crew_give(t->crew, g, CGCT_OK, NULL); /* the last given is the first to be had */
    nodes(t, 1, eps);
    gpu_profile_detach(&profile, g);
    print_stages(&d->info, g, &profile);
}

static void bench_nodes(const device *d, int id, double Nc)
{
    production t;
    char devices[16];
    cgct_err err = {""};
    snprintf(devices, sizeof devices, "%d", id);
    production_init(&t, Nc);
    CHAIN_REQUIRE(gpu_crew_open(&t.crew, devices, &err) == CGCT_OK, "%s\n", err.text);
    printf(
        "cuda-separable, nodes with certificate, mv, %s colours, tolerance 1e-5, %d x %d momenta, "
        "%d threads\n",
        Nc > 0 ? "three" : "many", MOMENTA, MOMENTA, omp_get_max_threads());
    nodes(&t, 1, 10); /* opens cuBLAS */
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        printf("  alone, eps = %g: %.3f s\n", alone[i], nodes(&t, 1, alone[i]));
        node_stages(d, &t, alone[i]);
    }
    printf("  %d nodes, eps = 0.1 to 10: %.4f s each\n", NODES, nodes(&t, NODES, 0) / NODES);
    production_free(&t);
}

/* ---- without a GPU ---- */

static void print_work(const gpu_profile *p)
{
    size_t calls = 0;
    printf("    %-10s %7s %11s %11s\n", "stage", "calls", "operations", "bytes");
    for (int i = 0; i < STAGE_COUNT; i++) {
        if (!p->calls[i]) continue;
        printf("    %-10s %7zu %11.3g %11.3g\n", gpu_stage_name(i), p->calls[i], p->operations[i],
               p->bytes[i]);
        calls += i < STAGE_UPLOAD ? p->calls[i] : 0;
    }
    printf("    %zu kernels and products\n", calls);
}

/* One node on a device that does nothing but count. */
static void count_work(double Nc)
{
    static const size_t ROOM = (size_t)72 << 30; /* bytes: nothing has to be divided */
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        production t;
        emulated_gpu e;
        gpu *g = &e.g;
        gpu_profile profile;
        emulated_init(&e, ROOM);
        e.dry = 1;
        production_init(&t, Nc);
        t.crew = gpu_crew_new(1, 1, &g);
        double seconds = INFINITY;
        for (int k = 0; k < 4; k++) {
            gpu_profile_attach(&profile, g);
            seconds = fmin(seconds, nodes(&t, 1, alone[i]));
            gpu_profile_detach(&profile, g);
        }
        printf("  alone, eps = %g: %.3f s of the processor's part; for a device:\n", alone[i],
               seconds);
        print_work(&profile);
        production_free(&t);
    }
}

static void count_all_work(void)
{
    for (int few = 0; few < 2; few++) {
        printf("cuda-separable, nodes with certificate, mv, %s colours, tolerance 1e-5, %d x %d "
               "momenta, %d threads\n",
               few ? "three" : "many", MOMENTA, MOMENTA, omp_get_max_threads());
        count_work(few ? 3 : 0);
    }
}

int main(int argc, char **argv)
{
    device d;
    cgct_err err = {""};
    int id = argc > 1 ? atoi(argv[1]) : 0;
    memory_keep_freed();
    setvbuf(stdout, NULL, _IOLBF, 0);
    bench_plans();
    if (gpu_open(&d.g, id, 1, &err) != CGCT_OK || device_probe(id, &d.info, &err) != CGCT_OK) {
        bench_all_weights(NULL);
        count_all_work();
        printf("bench-gpu: skipped, no GPU: %s\n", err.text);
        return 0;
    }
    printf("%s, limit %.3g multiply-adds/s in double precision, %.0f GB/s\n", d.g->name,
           device_fp64_rate(&d.info), 1e-9 * d.info.bytes_per_second);
    bench_all_weights(d.g);
    dipole *p = chain_dipole("mv", 0.01);
    paper_grids *t = malloc(sizeof *t);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        fill(t, &sizes[i]);
        printf("%s: N_Delta %d, N_b %d, N_r' %d, N_phi %d, M %d, T and L, %.3g samples\n",
               sizes[i].name, sizes[i].nd, NB, sizes[i].gauss, sizes[i].phi, sizes[i].modes,
               samples(&t->o));
        if (sizes[i].table > 0)
            printf("  the paper, on an A800: table and transform %g s, fused %g s, sums %g s\n",
                   sizes[i].table, sizes[i].fused, sizes[i].sums);
        bench_fused(&d, t, p);
        bench_table(&d, t, p, 0);
        if (i == 0) bench_table(&d, t, p, 1);
    }
    free(t);
    dipole_free(p);
    gpu_close(d.g);
    bench_nodes(&d, id, 0);
    bench_nodes(&d, id, 3);
    return 0;
}
