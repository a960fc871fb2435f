/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time of each stage on the production grid (48 x 48 momenta in [1, 25] GeV) beside products of
 * matrices through the same BLAS, and where the rest to the limit of such products goes. */
#include <math.h>
#include <omp.h>

#include "numerics/memory.h"
#include "numerics/blas.h"
#include "numerics/clock.h"
#include "node/hankel.h"
#include "node/node.h"
#include "chain.h"
#include "limit.h"

enum { NMOMENTA = 48, RUNS = 3 };

typedef struct {
    const char *dipole;
    double eps;
} bench_case;

static double middle(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* GFLOP/s of all threads in large products. */
static double product_rate(void)
{
    const double rate = 1e-9 * blas_rate(BLAS_LARGE);
    printf("%s; threads %d; DGEMM %.1f GFLOP/s each; memory %.1f GB/s of one thread\n",
           blas_describe(), omp_get_max_threads(), rate, memory_limit());
    return rate * omp_get_max_threads();
}

static void line(const char *what, double seconds, double gflop, double limit)
{
    printf("    %-34s %8.2f s", what, seconds);
    if (gflop > 0)
        printf("  %9.1f GFLOP  %6.1f GFLOP/s  %4.0f%% of DGEMM", gflop, gflop / seconds,
               100 * gflop / seconds / limit);
    printf("\n");
}

/* One thread's rate is held against that of DGEMM with the same clock. */
static void stages(const node_report *r, double limit)
{
    static const char *const name[INNER_STAGES] = {"  modes of L and S", "  phi", "  products",
                                                   "  g", "  colours"};
    inner_stage all = {0, 0};
    for (int i = 0; i < INNER_STAGES; i++) {
        if (!(r->stage[i].seconds > 0)) continue;
        line(name[i], r->stage[i].seconds, 1e-9 * r->stage[i].operations, limit);
        all.seconds += r->stage[i].seconds;
        all.operations += r->stage[i].operations;
    }
    line("  together, of all threads", all.seconds, 1e-9 * all.operations, limit);
}

static void account(const bench_case *c, const node_report *r, double fields, double limit)
{
    double nm = r->modes / 2 + 1 /* even ones: lam = 1/2 */, nd = (double)r->n_delta,
           nr = (double)r->n_r;
    double hankel = 2e-9 * 2 * nm * NMOMENTA * nd * (nr + (double)r->n_p);
    printf(
        "\n%s, x = 0.01, eps = %g GeV: Delta %zu, R %zu, s %zu, P %zu nodes, %g modes to %d, rank "
        "%d, sum rule %.0e\n",
        c->dipole, c->eps, r->n_delta, r->n_r, r->n_s, r->n_p, nm, r->modes, r->rank, r->sum_rule);
    line("inner table", r->seconds_inner, 0, limit);
    stages(r, 1e-9 * blas_rate(BLAS_LARGE));
    line("Filon weights", r->seconds_weights, 0, limit);
    line("Hankel products", r->seconds_hankel, hankel, limit);
    line("certificate (coarser pass)", r->seconds_certificate, 0, limit);
    line("fields from I_m(q,P)", fields, 0, limit);
    line("total", r->seconds_total + fields, 0, limit);
}

static void one(const bench_case *c, const double *q, double limit)
{
    enum { SHORT = 10 }; /* seconds; longer ones are not repeated */
    node_report r[RUNS];
    double fields_time = 0;
    config card;
    dipole_source *src = chain_source(c->dipole);
    chain_card(&card, "");
    const backend_set builders = cuda_backends(NULL);
    const node_grid grid = {NMOMENTA, NMOMENTA / 2, NMOMENTA / 2, q, 0.3, q[NMOMENTA - 1], NULL};
    const node_task task = {.settings = &card.run.node,
                            .source = src,
                            .x = 0.01,
                            .eps = c->eps,
                            .nq = NMOMENTA,
                            .q = q,
                            .grid = &grid,
                            .builders = &builders};
    int n = 0;
    do {
        double t = clock_wall();
        node_tables *computed; /* through the tables, whose stages are timed */
        node_fields fields;
        cgct_err err = {""};
        cgct_status st = node_compute(&task, &computed, &fields, &r[n], &err);
        CHAIN_REQUIRE(st == CGCT_OK, "bench: %s\n", err.text);
        fields_time = clock_wall() - t - r[n++].seconds_total;
        node_fields_free(&fields);
        node_tables_free(computed);
    } while (n < RUNS && r[0].seconds_total < SHORT);
    config_free(&card);
    int best = 0;
    for (int i = 0; i < n && n == RUNS; i++)
        if (r[i].seconds_total ==
            middle(r[0].seconds_total, r[1].seconds_total, r[2].seconds_total))
            best = i;
    account(c, &r[best], fields_time, limit);
    dipole_source_close(src);
    fflush(stdout);
}

/* Without arguments all cases; else that of one dipole, a set of mv, gbw or a file, and eps. */
int main(int argc, char **argv)
{
    static const bench_case cases[] = {{"gbw", 1},   {"gbw", 0.1}, {"mve", 1},
                                       {"mve", 0.1}, {EVOLVED, 1}, {EVOLVED, 0.1}};
    memory_keep_freed();
    double q[NMOMENTA], limit = product_rate();
    for (int i = 0; i < NMOMENTA; i++) q[i] = pow(25, i / (NMOMENTA - 1.0));
    if (argc == 3) one(&(bench_case){argv[1], atof(argv[2])}, q, limit);
    for (size_t i = 0; argc != 3 && i < sizeof cases / sizeof *cases; i++) one(&cases[i], q, limit);
    return 0;
}
