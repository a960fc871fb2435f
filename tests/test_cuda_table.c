/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of cuda-table, cuda-table-blas and cuda-fused, emulated, against the direct builder;
 * chunks, memory and failures of a device. */
#include <gsl/gsl_sf_bessel.h>
#include <gsl/gsl_sf_expint.h>
#include <math.h>

#include "../cuda/builders.h"
#include "../cuda/direct_stage.h"
#include "../generator/hankel.h"
#include "../generator/inner_direct.h"
#include "chain.h"
#include "check_rel.h"
#include "emulated_gpu.h"
#include "run_suite.h"

#define TOL_DIRECT 1e-12 /* of the largest entry of the polarisation */
#define TOL_LOOKUP 1e-13 /* of max(1, |f|) */
#define TOL_CHUNK 0      /* chunks change no bit */
#define TOL_FUSED 1e-12  /* of the largest mode at (q,P = the first), both routes */
#define ROOM ((size_t)1 << 30)

static const int orders[] = {0, 1, 2, 3, 5}, even[] = {0, 2, 4};
static const double delta[] = {0, 0.15, 0.8, 2.1, 4};
static const double radius[] = {0,   0.02, 0.04, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9,
                                1,   1.1,  1.2,  1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2,   2.2,
                                2.4, 2.6,  2.8,  3,   3.3, 3.6, 4,   5,   7,   10,  40};
enum { ND = sizeof delta / sizeof *delta, NR = sizeof radius / sizeof *radius };

static inner_opts opts(double eps, double lam, int gauss, int phi)
{
    return (inner_opts){.eps = eps,
                        .lam = lam,
                        .nm = lam == 0.5 ? 3 : 5,
                        .m = lam == 0.5 ? even : orders,
                        .nd = ND,
                        .nr = NR,
                        .delta = delta,
                        .r = radius,
                        .s_max = 30 / eps,
                        .n_gauss = gauss,
                        .n_phi = phi};
}

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

/* Largest difference of one polarisation, of its largest entry; NaN counts as infinite. */
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

static void build(inner_table *t, const inner_opts *o, const dipole *d, int full, emulated_gpu *e)
{
    cgct_err err = {""};
    ck_assert_msg(cuda_table_build(t, o, d, full, &e->g, &err) == CGCT_OK, "%s", err.text);
    ck_assert_uint_eq(e->used, 0);
    ck_assert_uint_eq(e->g.bytes, 0);
}

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
        double got = correlator_W_roots(A - B, exp(A / 2), exp(B / 2));
        double e = (double)(fabsl(got - want) / want), scale = 1 + 1e-1 * fmax(-A, -B);
        if (!(e / scale <= worst)) worst = e / scale; /* e^(A/2) itself carries A's rounding */
    }
    ck_assert_msg(worst <= 5e-15, "%g", worst);
    ck_assert(correlator_W_roots(-3, 0, 0) == 0);
}
END_TEST

START_TEST(lookups)
{
    static const char *const names[] = {"mv", "mvgamma", "table"};
    lookup_table t, k0, k1;
    cgct_err err = {""};
    uint64_t seed = 5;
    dipole *d = open_dipole(names[_i]);
    ck_assert_msg(lookup_lnS(&t, d, 2e4, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(lookup_bessel(&k0, &k1, 30, &err) == CGCT_OK, "%s", err.text);
    printf("%s: %zu cells, %d per octave, error %.1e; K0 %.1e, K1 %.1e\n", names[_i], t.cells,
           1 << (20 - t.at.shift), t.error, k0.error, k1.error);
    for (int i = 0; i < 100000; i++) {
        double r2 = 2e4 * pow(10, -20 * chain_random(&seed)), L;
        double z = 30 * pow(10, -11 * chain_random(&seed));
        dipole_lnS(d, 1, &r2, &L);
        CHECK_ABS(lookup_at(&t.at, r2), L, TOL_LOOKUP * fmax(1, fabs(L)));
        double K0 = z * gsl_sf_bessel_K0_scaled(z), K1 = z * gsl_sf_bessel_K1_scaled(z);
        CHECK_ABS(lookup_at(&k0.at, z), K0, TOL_LOOKUP * fmax(1, K0));
        CHECK_ABS(lookup_at(&k1.at, z), K1, TOL_LOOKUP * fmax(1, K1));
    }
    ck_assert_double_le(fabs(lookup_at(&t.at, 0)), 1e-14);
    lookup_free(&t);
    lookup_free(&k0);
    lookup_free(&k1);
    dipole_free(d);
}
END_TEST

static void jagged(const void *self, size_t n, const double *x, double *out)
{
    for (size_t i = 0; i < n; i++) out[i] = sin(*(const double *)self * x[i]);
}

START_TEST(rough_function)
{
    double frequency = 1e6;
    lookup_table t;
    cgct_err err = {""};
    ck_assert_int_eq(lookup_init(&t, "noise", jagged, &frequency, 1, 8, 1e-13, &err),
                     CGCT_E_ACCURACY);
    ck_assert_msg(strstr(err.text, "noise") && strstr(err.text, "--backend direct"), "%s",
                  err.text);
    ck_assert_int_eq(lookup_init(&t, "nothing", jagged, &frequency, 0, 8, 1e-13, &err),
                     CGCT_E_DOMAIN);
}
END_TEST

/* ---- tables ---- */

static const struct {
    const char *dipole;
    double lam, eps;
    int gauss, phi;
} cases[] = {{"gbw", 0, 1.3, 9, 64}, {"gbw", 0.5, 1, 7, 70},   {"mv", 0, 1, 8, 64},
             {"mv", 0.5, 4, 6, 66},  {"mv", 0.5, 4, 6, 13},    {"mvgamma", 0.3, 0.5, 5, 67},
             {"table", 0, 1, 9, 12}, {"table", 0.5, 2, 5, 40}, {"table", 1, 0.2, 7, 130},
             {"mve", 0, 0.1, 1, 10}};
enum { NCASE = sizeof cases / sizeof *cases };

START_TEST(against_direct)
{
    inner_opts o = opts(cases[_i].eps, cases[_i].lam, cases[_i].gauss, cases[_i].phi);
    dipole *d = open_dipole(cases[_i].dipole);
    inner_table want, got, paper;
    emulated_gpu e;
    emulated_init(&e, ROOM);
    ck_assert(inner_direct(&want, &o, d, NULL) == CGCT_OK);
    build(&got, &o, d, 0, &e);
    build(&paper, &o, d, 1, &e);
    for (int pol = 0; pol < NPOL; pol++) {
        double a = apart(&got, &want, pol), b = apart(&paper, &want, pol);
        printf("%s lam = %g %c: gamma %.1e, all angles %.1e\n", cases[_i].dipole, o.lam, "TL"[pol],
               a, b);
        ck_assert_msg(a <= TOL_DIRECT && b <= TOL_DIRECT, "%g, %g", a, b);
        CHECK_REL(got.origin[pol], want.origin[pol], TOL_DIRECT);
        CHECK_REL(paper.origin[pol], want.origin[pol], TOL_DIRECT);
    }
    inner_table_free(&want);
    inner_table_free(&got);
    inner_table_free(&paper);
    dipole_free(d);
}
END_TEST

/* ---- fused ---- */

static const double q[] = {0.3, 1.1, 2.5}, P[] = {0, 0.4, 0.9, 2};
enum { NQ = 3, NP = 4 };

static void fused(const inner_opts *o, const dipole *const d[2], const filon_tail_opts *tail,
                  emulated_gpu *e, double *modes[2], double origin[2][NPOL])
{
    cuda_fused_task task = {o, NQ, NP, q, P, 4, tail};
    cuda_fused_plan *p;
    cgct_err err = {""};
    ck_assert_msg(cuda_fused_init(&p, &task, &e->g, &err) == CGCT_OK, "%s", err.text);
    for (int i = 0; i < 2; i++)
        ck_assert_msg(cuda_fused_apply(p, d[i], modes[i], origin[i], &err) == CGCT_OK, "%s",
                      err.text);
    cuda_fused_free(p);
    ck_assert_uint_eq(e->used, 0);
}

/* One plan, two dipoles, against the direct builder's table and its transform.  A tail fitted to
 * the last nodes multiplies their rounding: then the largest mode of all (q,P) is the measure. */
START_TEST(against_transform)
{
    static const double power[] = {2, 3};
    static const filon_tail_opts fitted = {6, 2, power};
    const filon_tail_opts *tail = _i ? &fitted : NULL;
    inner_opts o = opts(1.2, 0.5 * _i, 6, 24);
    double r[NR];
    for (int i = 0; i < NR; i++) r[i] = 0.2 * i;
    o.r = r;
    dipole *d[2] = {open_dipole("gbw"), _i ? chain_dipole("gbw", 1e-4) : open_dipole("table")};
    double *got[2], *want, seconds[2] = {0, 0}, origin[2][NPOL];
    size_t n = NPOL * o.nm * NQ * NP;
    emulated_gpu e;
    emulated_init(&e, ROOM);
    want = malloc(n * sizeof *want);
    for (int i = 0; i < 2; i++) got[i] = malloc(n * sizeof *want);
    fused(&o, (const dipole *const *)d, tail, &e, got, origin);
    for (int i = 0; i < 2; i++) {
        inner_table t;
        ck_assert(inner_direct(&t, &o, d[i], NULL) == CGCT_OK);
        ck_assert(hankel_transform(&t, NQ, q, NP, P, 4, tail, want, seconds, NULL) == CGCT_OK);
        for (size_t j = 0; j < n; j++) {
            double most = 0; /* largest mode at the same (q,P) and polarisation */
            size_t per = n / NPOL, m = NQ * NP, first = j / per * per;
            for (size_t k = first + (tail ? 0 : j % m); k < first + per; k += tail ? 1 : m)
                most = fmax(most, fabs(want[k]));
            CHECK_ABS(got[i][j], want[j], TOL_FUSED * most);
        }
        for (int pol = 0; pol < NPOL; pol++) CHECK_REL(origin[i][pol], t.origin[pol], TOL_DIRECT);
        inner_table_free(&t);
        free(got[i]);
        dipole_free(d[i]);
    }
    free(want);
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
    static const direct_chunk chunks[] = {{1, 1}, {1, 4}, {1, NR}, {2, NR}, {3, NR}};
    inner_opts o = opts(1, _i ? 0.5 : 0, 4, 13);
    direct_sizes s = {ND, NR, 4, 13, 7, o.nm, 0};
    dipole *d = open_dipole("mv");
    inner_table whole, t;
    emulated_gpu e;
    emulated_init(&e, ROOM);
    build(&whole, &o, d, 0, &e);
    size_t peak = 0;
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        size_t last = peak;
        emulated_init(&e, ROOM);
        size_t bytes = 8 * direct_chunk_numbers(&s, chunks[i]);
        direct_chunk c = direct_chunk_plan(&s, bytes);
        ck_assert(c.nd == chunks[i].nd && c.nr == chunks[i].nr);
        e.promised = (size_t)((double)bytes / 0.9) + 8;
        build(&t, &o, d, 0, &e);
        peak = e.g.bytes_peak;
        ck_assert_uint_gt(peak, last);
        for (int pol = 0; pol < NPOL; pol++) {
            ck_assert_double_le(apart(&t, &whole, pol), TOL_CHUNK);
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
    inner_opts o = opts(1, 0, 6, 24);
    dipole *d = open_dipole("gbw");
    inner_table want, t;
    emulated_gpu e;
    cgct_err err = {""};
    emulated_init(&e, ROOM);
    build(&want, &o, d, _i, &e);
    size_t most = e.g.bytes_peak, seen = 0, share;
    for (share = 95; share > 0; share--) {
        emulated_init(&e, most / 100 * share);
        e.promised = ROOM;
        if (cuda_table_build(&t, &o, d, _i, &e.g, &err) != CGCT_OK) break;
        if (e.refusals > seen) seen = e.refusals;
        for (int pol = 0; pol < NPOL; pol++)
            ck_assert_double_le(apart(&t, &want, pol), _i ? TOL_DIRECT : TOL_CHUNK);
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
    inner_opts o = opts(1, 0, 3, 24);
    dipole *d = open_dipole("mv");
    inner_table t;
    emulated_gpu e;
    static const gpu_stage stages[] = {GPU_wave, GPU_cross, GPU_assemble, GPU_project};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        cgct_err err = {""};
        emulated_init(&e, ROOM);
        e.fails = 1;
        e.fail_at = stages[i];
        ck_assert_int_eq(cuda_table_build(&t, &o, d, 0, &e.g, &err), CGCT_E_DEVICE);
        ck_assert_msg(strstr(err.text, gpu_stage_name(stages[i])), "%s", err.text);
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
    cuda_fused_task task = {&o, NQ, NP, q, P, 4, NULL};
    cuda_fused_plan *p;
    ck_assert(cuda_fused_init(&p, &task, &e.g, &err) != CGCT_OK);
    ck_assert_ptr_null(p);
    ck_assert_uint_eq(e.used, 0);
    dipole_free(d);
}
END_TEST

START_TEST(profiled)
{
    inner_opts o = opts(1, 0, 3, 24);
    dipole *d = open_dipole("gbw");
    inner_table t;
    emulated_gpu e;
    gpu_profile profile = {{0}, {0}};
    emulated_init(&e, ROOM);
    e.g.profile = &profile;
    build(&t, &o, d, 0, &e);
    ck_assert_uint_eq(profile.calls[GPU_wave], 1);
    ck_assert_uint_eq(profile.calls[GPU_assemble], 1);
    ck_assert_double_gt(profile.seconds[GPU_assemble], 0);
    ck_assert_str_eq(gpu_stage_name(GPU_assemble), "assemble");
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
    tcase_add_loop_test(t, against_direct, 0, NCASE);
    tcase_add_loop_test(t, against_transform, 0, 2);
    tcase_add_test(t, chunk_plan);
    tcase_add_loop_test(t, chunks_change_nothing, 0, 2);
    tcase_add_loop_test(t, shrinks, 0, 2);
    tcase_add_test(t, failures);
    tcase_add_test(t, profiled);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
