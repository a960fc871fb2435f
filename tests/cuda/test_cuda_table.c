/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of cuda-table, cuda-table-blas and cuda-fused, emulated, against the direct builder;
 * chunks, memory and failures of a device. */
#include <gsl/gsl_sf_bessel.h>
#include <gsl/gsl_sf_expint.h>
#include <math.h>

#include "cuda/direct_stage.h"
#include "check_rel.h"
#include "cuda_cases.h"
#include "emulated_gpu.h"
#include "gpu_profile.h"
#include "run_suite.h"

#define TOL_LOOKUP 1e-13 /* of max(1, |f|) */
#define TOL_CHUNK 0      /* chunks change no bit */
#define ROOM ((size_t)1 << 30)

/* ---- pointwise mathematics ---- */

START_TEST(divided_difference)
{
    uint64_t seed = 3;
    double worst = 0;
    for (int i = 0; i < 200000; i++) {
        double A = -pow(10, -8 + 11 * chain_random(&seed));
        double B = i % 2 ? A * (1 + pow(10, -9 + 9 * chain_random(&seed)))
                         : -pow(10, -8 + 11 * chain_random(&seed));
        long double d = (long double)A - B;
        long double want = fabsl(d) < 1e-9L ? expl(B) * (1 + d / 2) : expl(B) * expm1l(d) / d;
        if (want < 1e-290L) continue;
        double got = expdiff_roots(A - B, exp(A / 2), exp(B / 2));
        double e = (double)(fabsl(got - want) / want), scale = 1 + 1e-1 * fmax(-A, -B);
        worst = larger_error(worst, e / scale); /* e^(A/2) itself carries A's rounding */
    }
    ck_assert_msg(worst <= 5e-15, "%g", worst);
    ck_assert(expdiff_roots(-3, 0, 0) == 0);
}
END_TEST

START_TEST(lookups)
{
    static const char *const names[] = {"mv", "mvgamma", "table"};
    lookup_table t;
    cgct_err err = {""};
    uint64_t seed = 5;
    dipole *d = cuda_dipole(names[_i]);
    ck_assert_msg(lookup_lnS(&t, d, 2e4, &err) == CGCT_OK, "%s", err.text);
    printf("%s: %zu cells, %d per octave, error %.1e; K0 %.1e, K1 %.1e\n", names[_i], t.cells,
           1 << (20 - t.at.shift), t.error, lookup_K0.error, lookup_K1.error);
    for (int i = 0; i < 100000; i++) {
        double r2 = 2e4 * pow(10, -20 * chain_random(&seed)), L;
        double z = 30 * pow(10, -11 * chain_random(&seed));
        dipole_lnS(d, 1, &r2, &L);
        CHECK_ABS(lookup_at(&t.at, r2), L, TOL_LOOKUP * fmax(1, fabs(L)));
        double K0 = z * gsl_sf_bessel_K0_scaled(z), K1 = z * gsl_sf_bessel_K1_scaled(z);
        CHECK_ABS(lookup_at(&lookup_K0.at, z), K0, TOL_LOOKUP * fmax(1, K0));
        CHECK_ABS(lookup_at(&lookup_K1.at, z), K1, TOL_LOOKUP * fmax(1, K1));
    }
    ck_assert_double_le(fabs(lookup_at(&t.at, 0)), 1e-14);
    lookup_free(&t);
    dipole_free(d);
}
END_TEST

static void jagged(const void *self, size_t n, const double *x, double *out)
{
    for (size_t i = 0; i < n; i++) out[i] = sin(*(const double *)self * x[i]);
}

START_TEST(rough_function)
{
    const double frequency = 1e6;
    const lookup_function noise = {"noise", jagged, &frequency};
    lookup_table t;
    cgct_err err = {""};
    ck_assert_int_eq(lookup_init(&t, &noise, 1, 8, &err), CGCT_E_ACCURACY);
    ck_assert_msg(strstr(err.text, "noise") && strstr(err.text, "--backend separable"), "%s",
                  err.text);
    ck_assert_int_eq(lookup_init(&t, &noise, 0, 8, &err), CGCT_E_DOMAIN);
}
END_TEST

/* ---- tables ---- */

START_TEST(against_direct)
{
    emulated_gpu e;
    double difference[2];
    emulated_init(&e, ROOM);
    cuda_table_case(_i, &e.g, difference);
    printf("%s, lam = %g: gamma %.1e, all angles %.1e\n", cuda_table_cases[_i].dipole,
           cuda_table_cases[_i].lam, difference[0], difference[1]);
    ck_assert_double_le(difference[0], TOL_DIRECT);
    ck_assert_double_le(difference[1], TOL_DIRECT);
    ck_assert_uint_eq(e.used, 0);
}
END_TEST

START_TEST(against_transform)
{
    emulated_gpu e;
    emulated_init(&e, ROOM);
    ck_assert_double_le(cuda_fused_case(_i, &e.g), TOL_FUSED);
    ck_assert_uint_eq(e.used, 0);
}
END_TEST

/* ---- chunks, memory, failures ---- */

START_TEST(chunk_plan)
{
    direct_sizes s = {200, 2048, 256, 64, 33, 32, 0};
    direct_chunk all = direct_chunk_plan(&s, (size_t)40 << 30);
    ck_assert(all.nd == 200 && all.nr == 512);
    for (size_t bytes = 1; bytes < (size_t)4 << 30; bytes = bytes * 5 / 4 + 1) {
        direct_chunk c = direct_chunk_plan(&s, bytes), more = {c.nd + 1, c.nr};
        if (c.nd == 0) {
            ck_assert_uint_gt(8 * direct_chunk_numbers(&s, (direct_chunk){1, 1}), bytes);
            continue;
        }
        ck_assert_uint_le(8 * direct_chunk_numbers(&s, c), bytes);
        if (c.nd < 200) ck_assert_uint_gt(8 * direct_chunk_numbers(&s, more), bytes);
    }
    /* the paper's buffers: 2 x 8 N_r' N_phi^2, 17 MB for each Delta */
    s.full = 1;
    direct_chunk one = {1, 1}, two = {2, 1};
    ck_assert_uint_gt(8 * (direct_chunk_numbers(&s, two) - direct_chunk_numbers(&s, one)),
                      (size_t)16 * 256 * 64 * 64);
    int steps = 0;
    for (direct_chunk c = {200, 512}; c.nd; c = direct_chunk_shrink(c)) steps++;
    ck_assert_int_eq(steps, 1 + 8 + 9);
}
END_TEST

/* From one element at a time to all at once: the same bits. */
START_TEST(chunks_change_nothing)
{
    static const direct_chunk chunks[] = {{1, 1}, {1, 4}, {1, CUDA_NR}, {2, CUDA_NR}, {3, CUDA_NR}};
    inner_opts o = cuda_opts(1, _i ? 0.5 : 0, 4, 13);
    direct_sizes s = {CUDA_ND, CUDA_NR, 4, 13, 7, o.nm, 0};
    dipole *d = cuda_dipole("mv");
    inner_table whole, t;
    emulated_gpu e;
    emulated_init(&e, ROOM);
    cuda_build(&whole, &o, d, 0, &e.g);
    size_t peak = 0;
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        size_t last = peak;
        emulated_init(&e, ROOM);
        size_t bytes = 8 * direct_chunk_numbers(&s, chunks[i]);
        direct_chunk c = direct_chunk_plan(&s, bytes);
        ck_assert(c.nd == chunks[i].nd && c.nr == chunks[i].nr);
        e.promised = (size_t)((double)bytes / 0.9) + 8;
        cuda_build(&t, &o, d, 0, &e.g);
        peak = e.g.bytes_peak;
        ck_assert_uint_gt(peak, last);
        for (int pol = 0; pol < NPOL; pol++) {
            ck_assert_double_le(cuda_apart(&t, &whole, pol), TOL_CHUNK);
            ck_assert(t.origin[pol] == whole.origin[pol]);
        }
        inner_table_free(&t);
    }
    inner_table_free(&whole);
    dipole_free(d);
}
END_TEST

/* The device promises more than it has: chunks are halved until they fit, down to one element. */
START_TEST(shrinks)
{
    inner_opts o = cuda_opts(1, 0, 6, 24);
    dipole *d = cuda_dipole("gbw");
    inner_table want, t;
    emulated_gpu e;
    cgct_err err = {""};
    emulated_init(&e, ROOM);
    cuda_build(&want, &o, d, _i, &e.g);
    size_t most = e.g.bytes_peak, seen = 0, share;
    for (share = 95; share > 0; share--) {
        emulated_init(&e, most / 100 * share);
        e.promised = ROOM;
        if (cuda_table_build(&t, &o, d, _i, &e.g, &err) != CGCT_OK) break;
        if (e.refusals > seen) seen = e.refusals;
        for (int pol = 0; pol < NPOL; pol++)
            ck_assert_double_le(cuda_apart(&t, &want, pol), _i ? TOL_DIRECT : TOL_CHUNK);
        inner_table_free(&t);
    }
    ck_assert_uint_ge(seen, 3);
    ck_assert_uint_gt(share, 0);
    ck_assert_msg(strstr(err.text, "device 0 (emulated)") && strstr(err.text, "need") &&
                      strstr(err.text, "are free") && strstr(err.text, "inner.phi_n"),
                  "%s", err.text);
    ck_assert_uint_eq(e.used, 0);
    inner_table_free(&want);
    dipole_free(d);
}
END_TEST

START_TEST(failures)
{
    inner_opts o = cuda_opts(1, 0, 3, 24);
    dipole *d = cuda_dipole("mv");
    inner_table t;
    emulated_gpu e;
    static const gpu_kernel stages[] = {GPU_wave, GPU_cross, GPU_assemble, GPU_project};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        cgct_err err = {""};
        emulated_init(&e, ROOM);
        e.fails = 1;
        e.fail_at = stages[i];
        ck_assert_int_eq(cuda_table_build(&t, &o, d, 0, &e.g, &err), CGCT_E_DEVICE);
        ck_assert_msg(strstr(err.text, gpu_kernel_name(stages[i])), "%s", err.text);
        ck_assert_ptr_null(t.g);
        ck_assert_uint_eq(e.used, 0);
    }
    cgct_err err = {""};
    emulated_init(&e, ROOM);
    o.n_phi = 9; /* modes to 5 need 10 */
    ck_assert_int_eq(cuda_table_build(&t, &o, d, 0, &e.g, &err), CGCT_E_CONFIG);
    ck_assert_msg(strstr(err.text, "9 angles"), "%s", err.text);
    o.n_phi = 10;
    o.n_gauss = 0;
    ck_assert_int_eq(cuda_table_build(&t, &o, d, 0, &e.g, &err), CGCT_E_DOMAIN);
    ck_assert_uint_eq(e.used, 0);
    backend_transform task = {&o, CUDA_NQ, CUDA_NP, cuda_q, cuda_P, 4, NULL};
    cuda_fused_plan *p;
    ck_assert(cuda_fused_init(&p, &task, &e.g, &err) != CGCT_OK);
    ck_assert_ptr_null(p);
    ck_assert_uint_eq(e.used, 0);
    dipole_free(d);
}
END_TEST

START_TEST(profiled)
{
    inner_opts o = cuda_opts(1, 0, 3, 24);
    dipole *d = cuda_dipole("gbw");
    inner_table t;
    emulated_gpu e;
    gpu_profile profile;
    emulated_init(&e, ROOM);
    gpu_profile_attach(&profile, &e.g);
    cuda_build(&t, &o, d, 0, &e.g);
    ck_assert_uint_eq(profile.calls[GPU_wave], 1);
    ck_assert_uint_eq(profile.calls[GPU_assemble], 1);
    ck_assert_double_gt(profile.seconds[GPU_assemble], 0);
    ck_assert_uint_gt(profile.calls[STAGE_UPLOAD], 0);
    ck_assert_double_gt(profile.bytes[STAGE_UPLOAD], 0);
    ck_assert_str_eq(gpu_stage_name(GPU_assemble), "assemble");
    ck_assert_str_eq(gpu_stage_name(STAGE_UPLOAD), "copy in");
    inner_table_free(&t);
    dipole_free(d);
}
END_TEST

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    Suite *s = suite_create("cuda_table");
    TCase *t = tcase_create("cuda_table");
    tcase_set_timeout(t, 300);
    tcase_add_test(t, divided_difference);
    tcase_add_loop_test(t, lookups, 0, 3);
    tcase_add_test(t, rough_function);
    tcase_add_loop_test(t, against_direct, 0, CUDA_TABLE_CASES);
    tcase_add_loop_test(t, against_transform, 0, CUDA_FUSED_CASES);
    tcase_add_test(t, chunk_plan);
    tcase_add_loop_test(t, chunks_change_nothing, 0, 2);
    tcase_add_loop_test(t, shrinks, 0, 2);
    tcase_add_test(t, failures);
    tcase_add_test(t, profiled);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
