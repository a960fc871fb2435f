/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of cuda-separable, emulated, against the separable builder. */
#include <math.h>
#include <omp.h>

#include "check_rel.h"
#include "cuda/separable_stage.h"
#include "cuda_cases.h"
#include "emulated_gpu.h"
#include "run_suite.h"

#define TOL_CHUNK 1e-15 /* of the largest entry: products of other sizes */
#define ROOM ((size_t)4 << 30)

START_TEST(against_separable)
{
    emulated_gpu e;
    emulated_init(&e, ROOM);
    double at_points, difference = cuda_separable_case(_i, &e.g, &at_points);
    printf("%s, eps = %g: %.1e, at short distances %.1e of each point\n",
           cuda_separable_cases[_i].dipole, cuda_separable_cases[_i].eps, difference, at_points);
    ck_assert_double_le(difference, TOL_SEPARABLE);
    ck_assert_double_le(at_points, TOL_POINT);
    ck_assert_uint_eq(e.used, 0);
}
END_TEST

/* The table that stays on the device and its transforms, in one chunk and in several. */
START_TEST(transformed)
{
    dipole *d = cuda_dipole("mv");
    cuda_grids t;
    inner_table table;
    emulated_gpu e;
    cgct_err err = {""};
    double seconds[2] = {0, 0};
    backend_facts facts;
    separable_pass plan;
    cuda_grids_init(&t, d, "accuracy.tolerance=1e-2 inner.modes=6", 2, 2, 6, 5);
    backend_transform k = {&t.g.inner, CUDA_NQ, CUDA_NP, cuda_q, cuda_P, 6, &t.g.tail};
    size_t per = t.g.inner.nm * CUDA_NQ * CUDA_NP;
    double *want = malloc(2 * NPOL * per * sizeof *want), *got = want + NPOL * per;
    ck_assert(inner_separable(&table, &t.g.inner, d, &err) == CGCT_OK);
    ck_assert(hankel_transform(&table, &k, want, seconds, &err) == CGCT_OK);
    ck_assert_msg(separable_pass_init(&plan, &k, d, NULL, 1, &err) == CGCT_OK, "%s", err.text);
    for (int tight = 0; tight < 2; tight++) {
        emulated_init(&e, ROOM);
        e.promised = tight ? (size_t)1 << 20 : 0;
        ck_assert_msg(separable_pass_transform(&plan, &e.g, got, &facts, &err) == CGCT_OK, "%s",
                      err.text);
        ck_assert_int_eq(facts.rank, table.rank);
        ck_assert_uint_eq(e.used, 0);
        for (size_t pol = 0; pol < NPOL; pol++) {
            double most = 0;
            for (size_t i = pol * per; i < (pol + 1) * per; i++) most = fmax(most, fabs(want[i]));
            for (size_t i = pol * per; i < (pol + 1) * per; i++)
                CHECK_ABS(got[i], want[i], TOL_SEPARABLE * most);
            CHECK_REL(facts.origin[pol], table.origin[pol], TOL_SEPARABLE);
        }
    }
    separable_pass_free(&plan);
    free(want);
    inner_table_free(&table);
    cuda_grids_free(&t);
    dipole_free(d);
}
END_TEST

#define SAME_ARRAYS(a, b, n) ck_assert_mem_eq(a, b, (n) * sizeof *(a))

/* One thread and five make the same plan, bit for bit. */
START_TEST(plan_by_threads)
{
    dipole *d = cuda_dipole("mv");
    cuda_grids t;
    cgct_err err = {""};
    separable_pass plan[2];
    const int before = omp_get_max_threads();
    cuda_grids_init(&t, d, "accuracy.tolerance=1e-2 inner.modes=6", 2, 2, 6, 5);
    backend_transform k = {&t.g.inner, CUDA_NQ, CUDA_NP, cuda_q, cuda_P, 6, &t.g.tail};
    for (int i = 0; i < 2; i++) {
        omp_set_num_threads(i ? 5 : 1);
        ck_assert(separable_pass_init(&plan[i], &k, d, NULL, 1, &err) == CGCT_OK);
    }
    omp_set_num_threads(before);
    const cuda_separable_plan *a = &plan[0].plan, *b = &plan[1].plan;
    const separable_lists *l = &a->lists;
    const filon_plan *q = &plan[0].weights.q;
    SAME_ARRAYS(a->ell.at, b->ell.at, ANGLE_RULES + 1);
    SAME_ARRAYS(a->ell.pair, b->ell.pair, a->ell.pairs);
    SAME_ARRAYS(a->ell.single, b->ell.single, a->ell.singles);
    SAME_ARRAYS(l->node_at, b->lists.node_at, ANGLE_RULES + 1);
    SAME_ARRAYS(l->node, b->lists.node, l->nodes);
    SAME_ARRAYS(l->place, b->lists.place, l->nodes);
    SAME_ARRAYS(l->point, b->lists.point, l->points);
    SAME_ARRAYS(l->close, b->lists.close, l->nclose);
    SAME_ARRAYS(l->block, b->lists.block, l->blocks);
    SAME_ARRAYS(l->node_nm, b->lists.node_nm, ANGLE_RULES);
    SAME_ARRAYS(l->point_nm, b->lists.point_nm, ANGLE_RULES);
    for (size_t e = 0; e < l->blocks; e++) { /* the most that any node of a panel has */
        uint32_t most = 0;
        for (uint32_t i = 0; i < l->block[e].n; i++) {
            const uint32_t nm = l->node[l->place[l->block[e].node + i]].nm;
            most = nm > most ? nm : most;
        }
        ck_assert_uint_eq(l->block[e].nm, most);
    }
    ck_assert_uint_gt(q->nband, 1);
    ck_assert_uint_eq(q->nlane, plan[1].weights.q.nlane);
    SAME_ARRAYS(q->lane, plan[1].weights.q.lane, q->nlane);
    SAME_ARRAYS(q->start, plan[1].weights.q.start, q->nband * (q->ngroup + 2));
    for (int i = 0; i < 2; i++) separable_pass_free(&plan[i]);
    cuda_grids_free(&t);
    dipole_free(d);
}
END_TEST

/* Less and less memory: fewer columns, then smaller batches, the same table; at last a refusal. */
START_TEST(chunks)
{
    dipole *d = cuda_dipole(_i ? "mv:Nc3" : "mv");
    cuda_grids t;
    inner_table whole, got;
    emulated_gpu e;
    cgct_err err = {""};
    size_t refusals = 0, sizes = 0;
    cuda_grids_init(&t, d, "accuracy.tolerance=1e-2 inner.modes=4", 4, 2, 12, 11);
    emulated_init(&e, ROOM);
    ck_assert(cuda_separable_build(&whole, &t.g.inner, d, &e.g, &err) == CGCT_OK);
    size_t room = e.g.bytes_peak;
    for (;; room = room * 5 / 6, sizes++) {
        emulated_init(&e, room);
        e.promised = sizes % 2 ? ROOM : 0; /* what is promised may not be there */
        if (cuda_separable_build(&got, &t.g.inner, d, &e.g, &err) != CGCT_OK) break;
        refusals += e.refusals;
        for (int pol = 0; pol < NPOL; pol++)
            ck_assert_double_le(cuda_apart(&got, &whole, pol), TOL_CHUNK);
        inner_table_free(&got);
    }
    ck_assert_uint_gt(sizes, 3);
    ck_assert_uint_gt(refusals, 3);
    ck_assert_uint_eq(e.used, 0);
    ck_assert_msg(strstr(err.text, "device 0 (emulated)"), "%s", err.text);
    printf("%zu sizes, %zu refusals; then: %s\n", sizes, refusals, err.text);
    inner_table_free(&whole);
    cuda_grids_free(&t);
    dipole_free(d);
}
END_TEST

START_TEST(failures)
{
    static const gpu_kernel stages[] = {GPU_ell,    GPU_kink,    GPU_patch,  GPU_phi,
                                        GPU_share,  GPU_spread,  GPU_pick,   GPU_put,
                                        GPU_gather, GPU_combine, GPU_scatter};
    dipole *d = cuda_dipole("mv");
    cuda_grids t;
    cuda_grids_init(&t, d, "accuracy.tolerance=1e-2", 4, 2, 30, 30);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        inner_table got;
        emulated_gpu e;
        cgct_err err = {""};
        emulated_init(&e, ROOM);
        e.fails = 1;
        e.fail_at = stages[i];
        ck_assert_int_eq(cuda_separable_build(&got, &t.g.inner, d, &e.g, &err), CGCT_E_DEVICE);
        ck_assert_msg(strstr(err.text, gpu_kernel_name(stages[i])), "%s", err.text);
        ck_assert_ptr_null(got.g);
        ck_assert_uint_eq(e.used, 0);
    }
    cuda_grids_free(&t);
    dipole_free(d);
}
END_TEST

/* Lists count by 32 bits. */
START_TEST(absurd)
{
    const inner_opts o = {.nd = 2, .nr = 10, .ns = 10};
    const separable_plan p = {.o = &o};
    const separable_column c[2] = {{.n = 5, .nweight = 3000000000u},
                                   {.n = 5, .nweight = 3000000000u}};
    separable_lists l;
    cgct_err err = {""};
    ck_assert_int_eq(separable_lists_init(&l, &p, c, 0, 2, &err), CGCT_E_CONFIG);
    ck_assert_msg(strstr(err.text, "6000000000 weights") && strstr(err.text, "inner.spacing"), "%s",
                  err.text);
}
END_TEST

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    Suite *s = suite_create("cuda_separable");
    TCase *t = tcase_create("cuda_separable");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, against_separable, 0, CUDA_SEPARABLE_CASES);
    tcase_add_test(t, transformed);
    tcase_add_test(t, plan_by_threads);
    tcase_add_loop_test(t, chunks, 0, 2);
    tcase_add_test(t, failures);
    tcase_add_test(t, absurd);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
