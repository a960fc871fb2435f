/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of cuda-separable, emulated, against the separable builder. */
#include <math.h>

#include "../cuda/builders.h"
#include "../generator/inner_grids.h"
#include "chain.h"
#include "check_rel.h"
#include "emulated_gpu.h"
#include "run_suite.h"

#define TOL_SEPARABLE 1e-11 /* of the largest entry of the polarisation */
#define TOL_CHUNK 1e-15     /* likewise: products of other sizes */
#define ROOM ((size_t)4 << 30)

static dipole *open_dipole(const char *name)
{
    if (strcmp(name, "table") != 0) return chain_dipole(name, 0.01);
    dipole_opts o = {.kind = DIPOLE_TABLE, .path = TESTS_DIR "/refs/dipole_table.dat"};
    dipole_source *s;
    dipole *d;
    cgct_err err = {""};
    ck_assert_msg(dipole_source_open(&s, &o, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(dipole_init(&d, s, 1e-3, &err) == CGCT_OK, "%s", err.text);
    dipole_source_close(s);
    return d;
}

/* Every so manieth node of the automatic grids in Delta and R; the first, 0, is one of them. */
static void thin(double *x, size_t *n, size_t every)
{
    size_t kept = 0;
    for (size_t i = 0; i < *n; i += every) x[kept++] = x[i];
    *n = kept;
}

typedef struct {
    config card;
    inner_grids g;
} grids;

static void grids_of(grids *t, const dipole *d, const char *settings, double eps, size_t every_d,
                     size_t every_r)
{
    cgct_err err = {""};
    chain_card(&t->card, settings);
    inner_grids_task task = {&t->card, d, eps, 2, 4, 1};
    ck_assert_msg(inner_grids_init(&t->g, &task, &err) == CGCT_OK, "%s", err.text);
    thin(t->g.delta, &t->g.inner.nd, every_d);
    thin(t->g.r, &t->g.inner.nr, every_r);
}

static void grids_free(grids *t)
{
    inner_grids_free(&t->g);
    config_free(&t->card);
}

static double apart(const inner_table *a, const inner_table *b, int pol)
{
    size_t n = a->nm * a->nd * a->nr;
    double most = 0, worst = 0;
    for (size_t i = (size_t)pol * n; i < ((size_t)pol + 1) * n; i++) {
        double e = fabs(a->g[i] - b->g[i]);
        if (!(e <= worst)) worst = isnan(e) ? INFINITY : e;
        most = fmax(most, fabs(b->g[i]));
    }
    return worst / most;
}

static const struct {
    const char *dipole, *settings;
    double eps;
} cases[] = {{"gbw", "accuracy.tolerance=1e-4", 1},
             {"gbw", "accuracy.tolerance=1e-3 inner.lam=0 inner.modes=5", 2},
             {"mv", "accuracy.tolerance=1e-6", 1},
             {"mvgamma", "accuracy.tolerance=1e-3 inner.lam=0.3 inner.modes=9", 4},
             {"table", "accuracy.tolerance=1e-3", 0.5},
             {"table", "accuracy.tolerance=1e-2 inner.lam=0 inner.modes=7", 1}};
enum { NCASE = sizeof cases / sizeof *cases };

START_TEST(against_separable)
{
    dipole *d = open_dipole(cases[_i].dipole);
    grids t;
    inner_table want, got;
    emulated_gpu e;
    cgct_err err = {""};
    grids_of(&t, d, cases[_i].settings, cases[_i].eps, 40, 9);
    emulated_init(&e, ROOM);
    ck_assert(inner_separable(&want, &t.g.inner, d, &err) == CGCT_OK);
    ck_assert_msg(cuda_separable_build(&got, &t.g.inner, d, &e.g, &err) == CGCT_OK, "%s", err.text);
    ck_assert_uint_eq(e.used, 0);
    for (int pol = 0; pol < NPOL; pol++) {
        double a = apart(&got, &want, pol);
        printf("%s, eps = %g, lam = %g, %zu x %zu x %zu, rank %d, %c: %.1e\n", cases[_i].dipole,
               cases[_i].eps, t.g.inner.lam, got.nm, got.nd, got.nr, got.rank, "TL"[pol], a);
        ck_assert_msg(a <= TOL_SEPARABLE, "%g", a);
        CHECK_REL(got.origin[pol], want.origin[pol], TOL_SEPARABLE);
    }
    ck_assert_int_eq(got.rank, want.rank);
    ck_assert(got.ridge_cut == want.ridge_cut);
    inner_table_free(&want);
    inner_table_free(&got);
    grids_free(&t);
    dipole_free(d);
}
END_TEST

/* Less and less memory: fewer columns, then smaller batches, the same table; at last a refusal. */
START_TEST(chunks)
{
    dipole *d = open_dipole("mv");
    grids t;
    inner_table whole, got;
    emulated_gpu e;
    cgct_err err = {""};
    size_t refusals = 0, sizes = 0;
    grids_of(&t, d, "accuracy.tolerance=1e-2 inner.modes=4", 4, 12, 11);
    emulated_init(&e, ROOM);
    ck_assert(cuda_separable_build(&whole, &t.g.inner, d, &e.g, &err) == CGCT_OK);
    size_t room = e.g.bytes_peak;
    for (;; room = room * 3 / 4, sizes++) {
        emulated_init(&e, room);
        e.promised = sizes % 2 ? ROOM : 0; /* what is promised may not be there */
        if (cuda_separable_build(&got, &t.g.inner, d, &e.g, &err) != CGCT_OK) break;
        refusals += e.refusals;
        for (int pol = 0; pol < NPOL; pol++)
            ck_assert_double_le(apart(&got, &whole, pol), TOL_CHUNK);
        inner_table_free(&got);
    }
    ck_assert_uint_gt(sizes, 3);
    ck_assert_uint_gt(refusals, 3);
    ck_assert_uint_eq(e.used, 0);
    ck_assert_msg(strstr(err.text, "device 0 (emulated)"), "%s", err.text);
    printf("%zu sizes, %zu refusals; then: %s\n", sizes, refusals, err.text);
    inner_table_free(&whole);
    grids_free(&t);
    dipole_free(d);
}
END_TEST

START_TEST(failures)
{
    static const gpu_stage stages[] = {GPU_phi, GPU_spread, GPU_gather, GPU_combine, GPU_scatter};
    dipole *d = open_dipole("gbw");
    grids t;
    grids_of(&t, d, "accuracy.tolerance=1e-2", 4, 30, 30);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        inner_table got;
        emulated_gpu e;
        cgct_err err = {""};
        emulated_init(&e, ROOM);
        e.fails = 1;
        e.fail_at = stages[i];
        ck_assert_int_eq(cuda_separable_build(&got, &t.g.inner, d, &e.g, &err), CGCT_E_DEVICE);
        ck_assert_msg(strstr(err.text, gpu_stage_name(stages[i])), "%s", err.text);
        ck_assert_ptr_null(got.g);
        ck_assert_uint_eq(e.used, 0);
    }
    grids_free(&t);
    dipole_free(d);
}
END_TEST

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    Suite *s = suite_create("cuda_separable");
    TCase *t = tcase_create("cuda_separable");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, against_separable, 0, NCASE);
    tcase_add_test(t, chunks);
    tcase_add_test(t, failures);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
