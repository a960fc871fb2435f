/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_gpu [DEVICE]: time of each builder on a GPU from start to end, then once more stage by
 * stage: calls, seconds, rate in double precision and its share of the device's limit, bandwidth,
 * peak memory.  The sizes are the paper's. */
#include "../../cuda/device.h"
#include "../../cuda/direct_kernels.h"
#include "../cuda_cases.h"

enum { MOMENTA = 48 };

/* One size of the paper's discretisation. */
typedef struct {
    const char *name;
    double eps, delta_max, s_max;
    int nd, quadratic, gauss, phi, modes;
} paper_size;

static const paper_size sizes[] = {{"eps = 4", 4, 15, 60, 200, 0, 256, 64, 31},
                                   {"eps = 0.1", 0.1, 107, 100, 535, 1, 384, 64, 31},
                                   {"eps = 0.5, 256 angles", 0.5, 30, 60, 283, 1, 256, 256, 127}};
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

static void print_stages(const device *d, const gpu_profile *p, const inner_opts *o, int far)
{
    double limit = device_fp64_rate(&d->info);
    for (int i = 0; i < GPU_NSTAGE; i++) {
        if (!p->calls[i]) continue;
        printf("    %-10s %6zu calls %9.4f s", gpu_stage_name((gpu_stage)i), p->calls[i],
               p->seconds[i]);
        if (i == GPU_assemble) {
            double rate = samples(o) / p->seconds[i];
            printf(", %.3g samples/s, %.3g operations/s in double precision, %.0f %% of %.3g", rate,
                   rate * assemble_operations(far), 100 * rate * assemble_operations(far) / limit,
                   limit);
        }
        if (i == GPU_fetch) {
            double bytes = 16. * (double)(o->nm * o->nd * o->nr);
            printf(", %.1f GB/s", 1e-9 * bytes / p->seconds[i]);
        }
        putchar('\n');
    }
    printf("    peak memory of the device %.2f GiB\n", (double)d->g->bytes_peak / (1 << 30));
}

/* Inner table and both transforms, then the table by stages. */
static void bench_table(device *d, const paper_grids *t, const dipole *p, int full)
{
    inner_table table;
    cgct_err err = {""};
    gpu_profile profile = {{0}, {0}};
    double seconds[2] = {0, 0}, t0 = hankel_clock();
    double *I = malloc(NPOL * t->o.nm * MOMENTA * MOMENTA * sizeof *I);
    CHAIN_REQUIRE(cuda_table_build(&table, &t->o, p, full, d->g, &err) == CGCT_OK, "%s\n",
                  err.text);
    double built = hankel_clock() - t0;
    CHAIN_REQUIRE(hankel_transform(&table, MOMENTA, t->k, MOMENTA, t->k, 4, NULL, I, seconds,
                                   &err) == CGCT_OK,
                  "%s\n", err.text);
    printf("  %s: table %.2f s, transform on the processor %.2f s (weights %.2f s)\n",
           full ? "cuda-table-blas" : "cuda-table", built, hankel_clock() - t0 - built, seconds[0]);
    inner_table_free(&table);
    d->g->profile = &profile;
    d->g->bytes_peak = 0;
    CHAIN_REQUIRE(cuda_table_build(&table, &t->o, p, full, d->g, &err) == CGCT_OK, "%s\n",
                  err.text);
    d->g->profile = NULL;
    print_stages(d, &profile, &t->o, FAR_LOOKUP);
    inner_table_free(&table);
    free(I);
}

static void bench_fused(device *d, const paper_grids *t, const dipole *p)
{
    cuda_fused_plan *plan;
    cgct_err err = {""};
    gpu_profile profile = {{0}, {0}};
    cuda_fused_task task = {&t->o, MOMENTA, MOMENTA, t->k, t->k, 4, NULL};
    double *I = malloc(NPOL * t->o.nm * MOMENTA * MOMENTA * sizeof *I), origin[NPOL];
    double t0 = hankel_clock();
    CHAIN_REQUIRE(cuda_fused_init(&plan, &task, d->g, &err) == CGCT_OK, "%s\n", err.text);
    double t1 = hankel_clock();
    CHAIN_REQUIRE(cuda_fused_apply(plan, p, I, origin, &err) == CGCT_OK, "%s\n", err.text);
    double t2 = hankel_clock();
    printf("  cuda-fused: plan %.2f s, each dipole %.2f s, together %.2f s\n", t1 - t0, t2 - t1,
           t2 - t0);
    d->g->profile = &profile;
    CHAIN_REQUIRE(cuda_fused_apply(plan, p, I, origin, &err) == CGCT_OK, "%s\n", err.text);
    d->g->profile = NULL;
    print_stages(d, &profile, &t->o, FAR_LOOKUP);
    cuda_fused_free(plan);
    free(I);
}

static void bench_separable(device *d, const char *name, double eps)
{
    config card;
    inner_grids g;
    inner_table table;
    cgct_err err = {""};
    gpu_profile profile = {{0}, {0}};
    dipole *p = chain_dipole(name, 0.01);
    chain_card(&card, "accuracy.tolerance=1e-6");
    inner_grids_task task = {&card, p, eps, 25, 25 + 12.5, 1};
    CHAIN_REQUIRE(inner_grids_init(&g, &task, &err) == CGCT_OK, "%s\n", err.text);
    for (int run = 0; run < 2; run++) {
        double t0 = hankel_clock();
        d->g->profile = run ? &profile : NULL;
        CHAIN_REQUIRE(cuda_separable_build(&table, &g.inner, p, d->g, &err) == CGCT_OK, "%s\n",
                      err.text);
        if (!run)
            printf("cuda-separable, %s, eps = %g, tolerance 1e-6, %zu modes x %zu x %zu: table "
                   "%.3f s\n",
                   name, eps, table.nm, table.nd, table.nr, hankel_clock() - t0);
        inner_table_free(&table);
    }
    d->g->profile = NULL;
    print_stages(d, &profile, &g.inner, FAR_LOOKUP);
    inner_grids_free(&g);
    config_free(&card);
    dipole_free(p);
}

int main(int argc, char **argv)
{
    device d;
    cgct_err err = {""};
    int id = argc > 1 ? atoi(argv[1]) : 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (gpu_open(&d.g, id, &err) != CGCT_OK || device_probe(id, &d.info, &err) != CGCT_OK) {
        printf("bench-gpu: skipped, no GPU: %s\n", err.text);
        return 0;
    }
    printf("%s, limit %.3g multiply-adds/s in double precision, %.0f GB/s\n", d.g->name,
           device_fp64_rate(&d.info), 1e-9 * d.info.bytes_per_second);
    dipole *p = chain_dipole("mv", 0.01);
    paper_grids *t = malloc(sizeof *t);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        fill(t, &sizes[i]);
        printf("%s: N_Delta %d, N_b %d, N_r' %d, N_phi %d, M %d, T and L, %.3g samples\n",
               sizes[i].name, sizes[i].nd, NB, sizes[i].gauss, sizes[i].phi, sizes[i].modes,
               samples(&t->o));
        bench_fused(&d, t, p);
        bench_table(&d, t, p, 0);
        if (i == 0) bench_table(&d, t, p, 1);
    }
    bench_separable(&d, "gbw", 1);
    bench_separable(&d, "mve", 1);
    bench_separable(&d, "mve", 0.1);
    free(t);
    dipole_free(p);
    gpu_close(d.g);
    return 0;
}
