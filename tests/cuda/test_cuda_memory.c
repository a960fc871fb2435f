/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What backends state as memory of a device beside what they then take, counted on a device that
 * does nothing else; and what they do where there is less. */
#include <math.h>

#include "cuda_cases.h"
#include "emulated_gpu.h"
#include "run_suite.h"

enum { MOMENTA_MAX = 48, ANGLES = 64 };
#define ROOM ((size_t)1 << 44)
#define STATED_OVER_TAKEN 1.5

static const struct {
    const char *dipole, *settings;
    double eps;
    size_t momenta;
} cases[] = {{"mv", "accuracy.tolerance=1e-5", 0.1, 48},
             {"mv", "accuracy.tolerance=1e-5", 1, 48},
             {"mv", "accuracy.tolerance=1e-5", 10, 48},
             {"mv", "accuracy.tolerance=1e-3", 1, 8},
             {"mvgamma", "accuracy.tolerance=1e-4 inner.lam=0.3 inner.modes=20", 2, 20},
             {"gbw", "accuracy.tolerance=1e-6", 0.3, 30},
             {"gbw", "accuracy.tolerance=1e-4 inner.lam=0", 4, 12},
             {"table", "accuracy.tolerance=1e-4", 0.5, 48},
             {"table", "accuracy.tolerance=1e-2", 5, 6},
             {"mv:Nc3", "accuracy.tolerance=1e-5 accuracy.colours=3", 1, 48},
             {"table:Nc3", "accuracy.tolerance=1e-5 accuracy.colours=3", 10, 48}};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct {
    config card;
    dipole *d;
    double k[MOMENTA_MAX];
    inner_grids fine, coarse;
    inner_opts change[2]; /* at three colours: of what these change, in both passes */
    backend_product task, colours;
    double *at, *theta, *out, *error;
} fixture;

static backend_transform pass(const fixture *f, const inner_grids *g, size_t n)
{
    return (backend_transform){
        &g->inner, n, g->np, f->k, g->P, f->card.run.node.inner.hankel.degree, &g->tail};
}

static int is_divided(const fixture *f)
{
    return isfinite(f->d->Nc);
}

static void setup(fixture *f, int i)
{
    cgct_err err = {""};
    size_t n = cases[i].momenta;
    chain_card(&f->card, cases[i].settings);
    f->d = cuda_dipole(cases[i].dipole);
    for (size_t k = 0; k < n; k++) {
        f->k[k] = pow(25, (double)k / (double)(n - 1));
    }
    f->at = malloc(n * n * (1 + (1 + 2 * NPOL) * ANGLES) * sizeof *f->at);
    ck_assert_ptr_nonnull(f->at);
    f->theta = f->at + n * n;
    f->out = f->theta + n * n * ANGLES;
    f->error = f->out + NPOL * n * n * ANGLES;
    for (size_t k = 0; k < n * n; k++) {
        f->at[k] = f->k[k % n];
        for (size_t j = 0; j < ANGLES; j++)
            f->theta[k * ANGLES + j] = M_PI * ((double)j + 0.5) / ANGLES;
    }
    inner_grids_task t = {&f->card.run.node.inner, f->d, cases[i].eps, 25, 50, 1};
    ck_assert_msg(inner_grids_init(&f->fine, &t, &err) == CGCT_OK, "%s", err.text);
    t.coarser = 1.2;
    ck_assert_msg(inner_grids_init(&f->coarse, &t, &err) == CGCT_OK, "%s", err.text);
    f->task = (backend_product){.pass = {pass(f, &f->fine, n), pass(f, &f->coarse, n)},
                                .nk = n,
                                .nt = ANGLES,
                                .k = f->at,
                                .theta = f->theta,
                                .safety = 1,
                                .I = f->out,
                                .bound = f->error};
    f->colours = f->task;
    if (!is_divided(f)) return;
    for (int k = 0; k < 2; k++) {
        inner_opts *o = k ? &f->coarse.inner : &f->fine.inner;
        o->part = INNER_MANY_COLOURS;
        f->change[k] = *o;
        f->change[k].part = INNER_DIFFERENCE;
        f->change[k].nm = o->nm < COLOURS_MODES ? o->nm : COLOURS_MODES;
        f->colours.pass[k].inner = &f->change[k];
    }
}

static void teardown(fixture *f)
{
    inner_grids_free(&f->fine);
    inner_grids_free(&f->coarse);
    dipole_free(f->d);
    config_free(&f->card);
    free(f->at);
}

static cgct_status run_node(const cuda_product *n, emulated_gpu *e, cgct_err *err)
{
    backend_facts facts[2];
    cgct_status st = cuda_product_run(n, &e->g, facts, err);
    ck_assert_uint_eq(e->used, 0);
    return st;
}

static void check_stated(const char *what, int i, size_t stated, size_t taken)
{
    printf("%s, eps = %g, %zu momenta, %s: %.1f MiB stated, %.1f taken\n", cases[i].dipole,
           cases[i].eps, cases[i].momenta, what, (double)stated / 0x1p20, (double)taken / 0x1p20);
    ck_assert_uint_le(taken, stated);
    ck_assert_double_le((double)stated, STATED_OVER_TAKEN * (double)taken);
}

static size_t stated_of(const fixture *f, size_t momenta)
{
    const backend_size size = {&f->fine.inner,           f->d, momenta,
                               momenta ? f->fine.np : 0, f->k, f->fine.P};
    size_t stated;
    cgct_err err = {""};
    ck_assert_msg(cuda_separable_bytes(&size, &stated, &err) == CGCT_OK, "%s", err.text);
    return stated;
}

/* A node, then with less and less: more chunks, until the message says what is missing. */
START_TEST(node)
{
    fixture f;
    cuda_product *n;
    emulated_gpu e;
    cgct_err err = {""};
    setup(&f, _i);
    size_t stated = stated_of(&f, cases[_i].momenta), room = stated - 1, sizes = 0;
    ck_assert_msg(cuda_product_init(&n, &f.task, is_divided(&f) ? &f.colours : NULL, f.d, &err) ==
                      CGCT_OK,
                  "%s", err.text);
    emulated_init(&e, ROOM);
    e.dry = 1;
    ck_assert_msg(run_node(n, &e, &err) == CGCT_OK, "%s", err.text);
    check_stated("node", _i, stated, e.g.bytes_peak);
    for (;; room = room / 3 * 2, sizes++) {
        emulated_init(&e, room);
        e.dry = 1;
        if (run_node(n, &e, &err) != CGCT_OK) break;
    }
    printf("%zu sizes, the last %.1f MiB: %s\n", sizes, (double)room / 0x1p20, err.text);
    ck_assert_uint_ge(sizes, 4);
    ck_assert_msg(strstr(err.text, "device 0 (emulated)") && strstr(err.text, " free"), "%s",
                  err.text);
    cuda_product_free(n);
    teardown(&f);
}
END_TEST

START_TEST(table)
{
    fixture f;
    inner_table t;
    emulated_gpu e;
    cgct_err err = {""};
    setup(&f, _i);
    emulated_init(&e, ROOM);
    e.dry = 1;
    ck_assert_msg(cuda_separable_build(&t, &f.fine.inner, f.d, &e.g, &err) == CGCT_OK, "%s",
                  err.text);
    check_stated("table", _i, stated_of(&f, 0), e.g.bytes_peak);
    inner_table_free(&t);
    teardown(&f);
}
END_TEST

/* The paper's discretisation: angles and nodes as the card has them. */
START_TEST(direct)
{
    fixture f;
    inner_table t;
    emulated_gpu e;
    cgct_err err = {""};
    size_t stated;
    setup(&f, _i);
    inner_opts *o = &f.fine.inner;
    double r[900];
    for (int i = 0; i < 900; i++) r[i] = 0.05 * i;
    o->nd = 12;
    o->nr = 900;
    o->r = r;
    o->s_max = 20;
    o->n_gauss = 24;
    o->n_phi = 2 * o->m[o->nm - 1] + 4;
    const backend_size size = {o, f.d, 0, 0, NULL, NULL};
    for (int full = 0; full < 2; full++) {
        emulated_init(&e, ROOM);
        e.dry = 1;
        ck_assert_msg(cuda_table_build(&t, o, f.d, full, &e.g, &err) == CGCT_OK, "%s", err.text);
        ck_assert((full ? cuda_table_blas_bytes : cuda_table_bytes)(&size, &stated, &err) ==
                  CGCT_OK);
        check_stated(full ? "cuda-table-blas" : "cuda-table", _i, stated, e.g.bytes_peak);
        inner_table_free(&t);
    }
    teardown(&f);
}
END_TEST

START_TEST(fused)
{
    fixture f;
    emulated_gpu e;
    cuda_fused_plan *p;
    cgct_err err = {""};
    double origin[NPOL];
    size_t stated;
    setup(&f, _i);
    f.fine.inner.nd = 40;
    const backend_transform k = pass(&f, &f.fine, cases[_i].momenta);
    const backend_size size = {k.inner, f.d, k.nq, k.np, k.q, k.P};
    emulated_init(&e, ROOM);
    e.dry = 1;
    double *modes = malloc(NPOL * k.inner->nm * k.nq * k.np * sizeof *modes);
    ck_assert_msg(cuda_fused_init(&p, &k, &e.g, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(cuda_fused_apply(p, f.d, modes, origin, &err) == CGCT_OK, "%s", err.text);
    cuda_fused_free(p);
    ck_assert(cuda_fused_bytes(&size, &stated, &err) == CGCT_OK);
    check_stated("cuda-fused", _i, stated, e.g.bytes_peak);
    free(modes);
    teardown(&f);
}
END_TEST

/* What `run --plan` says: nothing for the processor. */
START_TEST(planned)
{
    static const char *const names[] = {"separable", "cuda-separable", "cuda-fused", "cuda-table"};
    const double q[] = {1, 2, 4};
    emulated_gpu e;
    cgct_err err = {""};
    emulated_init(&e, ROOM);
    gpu *g = &e.g;
    dipole_source *s = chain_source("mv");
    gpu_crew *crew = gpu_crew_new(1, 1, &g);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        config card;
        node_report report;
        size_t bytes = 1;
        double work;
        char text[128];
        snprintf(text, sizeof text, "accuracy.tolerance=1e-3 inner.backend=%s", names[i]);
        chain_card(&card, text);
        const backend_set builders = cuda_backends(crew);
        const node_task task = {.settings = &card.run.node,
                                .source = s,
                                .x = 0.01,
                                .eps = 2,
                                .nq = 3,
                                .q = q,
                                .k_max = 4,
                                .builders = &builders};
        ck_assert_msg(node_plan(&task, &report, &work, &bytes, &err) == CGCT_OK, "%s", err.text);
        ck_assert_msg(i == 0 ? bytes == 0 : bytes > (1 << 20), "%s: %zu", names[i], bytes);
        config_free(&card);
    }
    gpu_crew_close(crew);
    dipole_source_close(s);
}
END_TEST

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    Suite *s = suite_create("cuda_memory");
    TCase *t = tcase_create("cuda_memory");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, node, 0, CASES);
    tcase_add_loop_test(t, table, 0, CASES);
    tcase_add_loop_test(t, direct, 3, 4);
    tcase_add_loop_test(t, fused, 3, 5);
    tcase_add_test(t, planned);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
