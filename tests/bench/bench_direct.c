/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Throughput of the direct builder on one core, both polarisations, beside a matrix product; and
 * the size and reading speed of the paper's largest inner table as an archive. */
#include <math.h>
#include <omp.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inner/archive.h"
#include "node/hankel.h"
#include "inner/direct.h"
#include "chain.h"
#include "bench/limit.h"

enum { RUNS = 5, NDELTA = 4, NR = 16, NPHI = 64, NGAUSS = 256, NM = 32 };
/* Of one gbw sample: squared length 5, L 1, N 2, W 45 (expm1 33, exprel 9, the rest 3), both
 * products and sums 6. */
enum { FLOP = 59 };

static void throughput(const char *name, double limit)
{
    static const double delta[NDELTA] = {0.2, 1, 3, 6};
    double r[NR], best = INFINITY;
    int m[NM];
    dipole *d = chain_dipole(name, 0.01);
    for (int i = 0; i < NR; i++) r[i] = 0.2 * i;
    for (int i = 0; i < NM; i++) m[i] = i;
    inner_opts o = {.eps = 4,
                    .nm = NM,
                    .m = m,
                    .nd = NDELTA,
                    .nr = NR,
                    .delta = delta,
                    .r = r,
                    .n_gauss = NGAUSS,
                    .n_phi = NPHI,
                    .s_max = 60};
    for (int run = 0; run < RUNS; run++) {
        inner_table t;
        double start = core_clock();
        CHAIN_REQUIRE(inner_direct(&t, &o, d, NULL) == CGCT_OK, "bench: direct builder\n");
        best = fmin(best, core_clock() - start);
        inner_table_free(&t);
    }
    double rate = (double)NDELTA * NR * NGAUSS * (NPHI / 2 + 1) * NPHI / best;
    printf("direct builder, %-20s %.2e samples/s and core", name, rate);
    if (!strcmp(name, "gbw"))
        printf(", %.1f GFLOP/s of %d FLOP each (DGEMM %d^3: %.1f)", 1e-9 * FLOP * rate, FLOP, NGEMM,
               limit);
    putchar('\n');
    dipole_free(d);
}

/* The paper's grids at eps = 0.1. */
static void paper_archive(const char *name)
{
    static const char path[] = "/tmp/cgct_bench.cgci";
    config card;
    cgct_err err = {""};
    archive a, b;
    struct stat info;
    dipole_source *s = chain_source(name);
    chain_card(&card, "inner.lam=0 inner.modes=31 inner.delta_grid=quadratic inner.delta_n=535 "
                      "inner.delta_max=107 inner.r_grid=uniform inner.r_n=2048 inner.r_max=40");
    archive_task task = {&card.run.node.inner, s, 0.01, 0.1, 25, 25, NULL};
    CHAIN_REQUIRE(archive_build(&a, &task, &err) == CGCT_OK, "bench: %s\n", err.text);
    double raw = 8e-6 * NPOL * (double)(a.table.nm * a.table.nd * a.table.nr);
    for (int lossless = 0; lossless < 2; lossless++) {
        archive_save_opts o = {"bench", name, "separable", "", lossless ? 0 : 1e-9};
        CHAIN_REQUIRE(archive_save(&a, path, &o, &err) == CGCT_OK, "bench: %s\n", err.text);
        stat(path, &info);
        double best = INFINITY;
        for (int run = 0; run < RUNS; run++) {
            double start = core_clock();
            CHAIN_REQUIRE(archive_load(&b, path, &err) == CGCT_OK, "bench: %s\n", err.text);
            best = fmin(best, core_clock() - start);
            archive_free(&b);
        }
        printf("archive, %s, eps = 0.1, 2 x %zu x %zu x %zu, %s: %.1f MB of %.0f MB, read at %.0f "
               "MB/s and core\n",
               name, a.table.nm, a.table.nd, a.table.nr, lossless ? "lossless" : "error 1e-9",
               1e-6 * (double)info.st_size, raw, raw / best);
    }
    unlink(path);
    archive_free(&a);
    dipole_source_close(s);
    config_free(&card);
}

int main(void)
{
    static const char *const name[] = {"gbw", "mv", "mvgamma", "rcbk_proton_mve.dat"};
    int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    double limit = product_limit();
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) throughput(name[i], limit);
    omp_set_num_threads(threads);
    paper_archive("mv");
    return 0;
}
