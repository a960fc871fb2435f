/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checksum, writer and round trip of the container. */
#include <float.h>
#include <zstd.h>

#include "format/crc64.h"
#include "table_folder.h"
#include "run_suite.h"
#include "reader/cgctab.h"

START_TEST(crc_check_value)
{
    cgct_crc64_table t;
    uint8_t buffer[80];
    cgct_crc64_init(&t);
    ck_assert_uint_eq(cgct_crc64(&t, "123456789", 9), UINT64_C(0x995DC9BBDF1939FA));
    ck_assert_uint_eq(cgct_crc64(&t, "", 0), 0);
    for (int i = 0; i < 80; i++) buffer[i] = (uint8_t)(37 * i + 11);
    /* Every alignment and length against the definition, bit by bit. */
    for (size_t start = 0; start < 8; start++)
        for (size_t n = 0; n <= 64; n++) {
            uint64_t c = ~UINT64_C(0);
            for (size_t i = start; i < start + n; i++) {
                c ^= buffer[i];
                for (int bit = 0; bit < 8; bit++)
                    c = (c & 1) ? (c >> 1) ^ UINT64_C(0xC96C5795D7870F42) : c >> 1;
            }
            ck_assert_uint_eq(cgct_crc64(&t, buffer + start, n), ~c);
        }
}
END_TEST

START_TEST(errors_are_bounded)
{
    cgct_err err;
    char longer[2000];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    ck_assert_int_eq(cgct_fail(&err, CGCT_E_IO, "%s", longer), CGCT_E_IO);
    ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
    ck_assert_int_eq(cgct_context(&err, CGCT_E_IO, "%s", "where"), CGCT_E_IO);
    ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
    ck_assert_int_eq(strncmp(err.text, "where: aaa", 10), 0);
    cgct_context(&err, CGCT_E_IO, "%s", longer);
    ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
    cgct_fail(&err, CGCT_E_IO, "what");
    cgct_context(&err, CGCT_E_IO, "where %d", 7);
    ck_assert_str_eq(err.text, "where 7: what");
    ck_assert_int_eq(cgct_fail(NULL, CGCT_E_IO, "x"), CGCT_E_IO);
    ck_assert_int_eq(cgct_context(NULL, CGCT_E_IO, "x"), CGCT_E_IO);
}
END_TEST

/* ---- golden file ---- */

static double golden_mode(int pol, size_t m, const double at[4], const void *arg)
{
    (void)arg;
    int iq = at[2] > 1.5, ik = at[3] > 2;
    if (pol == 0 && iq && ik) return m ? 1.0 / 128 : -1.0 / 64;
    return ldexp(m ? 0.25 : 1, -(3 + pol + iq + 2 * ik));
}

static const char golden_card[] = "[axes]\nq = 1,2\nk1 = 1,3\n";

/* The file that make_golden.py wrote from FORMAT.md, byte for byte. */
START_TEST(golden_bytes)
{
    fixture f = {
        .n = {1, 1, 2, 2}, .v = {{0.01}, {1}, {1, 2}, {1, 3}}, .nm = 2, .mode = golden_mode};
    cgct_writer_spec spec = fixture_spec(&f);
    spec.card = golden_card;
    spec.generator = "golden 1.0";
    spec.dipole = "powers of two";
    spec.backend = "none";
    double modes[16], error[8];
    fixture_node(&f, 0, 0, modes, error);
    for (int i = 0; i < 8; i++) error[i] = i == 3 ? 1.0 / 1024 : modes[2 * i] / 1024;
    cgct_node node = {2, modes, error};
    cgct_writer *w;
    ck_assert_int_eq(cgct_writer_open(&w, table, &spec, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_writer_node(w, 0, 0, &node, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_writer_close(w, "certificate.flagged\t0 of 8\n", NULL), CGCT_OK);
    size_t n, n_golden;
    uint8_t *got = slurp(table, &n), *want = slurp(GOLDEN_LOSSLESS, &n_golden);
    ck_assert_uint_eq(n, n_golden);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(got[i] == want[i], "byte 0x%zx: got %02x, want %02x", i, got[i], want[i]);
    free(got);
    free(want);
}
END_TEST

START_TEST(golden_files_open)
{
    const char *const names[] = {GOLDEN_LOSSLESS, GOLDEN_LOSSLESS_ZSTD};
    for (int i = 0; i < 2; i++) {
        cgct_table *t;
        cgct_err err;
        double modes[4], I[2], error[2];
        ck_assert_msg(cgct_open(names[i], &t, &err) == CGCT_OK, "%s", err.text);
        for (int point = 0; point < 4; point++) {
            double at[4] = {0.01, 1, point / 2 ? 2 : 1, point % 2 ? 3 : 1};
            ck_assert_int_eq(cgct_modes(t, at[0], at[1], at[2], at[3], 2, modes, NULL), CGCT_OK);
            for (int j = 0; j < 4; j++)
                ck_assert_double_eq(modes[j], golden_mode(j / 2, j % 2, at, NULL));
        }
        /* theta = 0: 2 pi/8 - 4 pi/32 = pi/8 */
        ck_assert_int_eq(cgct_eval(t, 0.01, 1, 1, 1, 0, I), CGCT_OK);
        CHECK_REL(I[CGCT_T], 0.39269908169872415481, 4 * DBL_EPSILON);
        ck_assert_int_eq(cgct_eval_error(t, 0.01, 1, 2, 3, 0, error), CGCT_OK);
        ck_assert_double_eq(error[CGCT_T], 1.0 / 1024);
        ck_assert_str_eq(cgct_meta(t, "card"), golden_card);
        ck_assert_str_eq(cgct_meta(t, "certificate.flagged"), "0 of 8");
        cgct_close(t);
    }
}
END_TEST

/* ---- round trip ---- */

enum { RNX = 3, RNEPS = 4, RNQ = 5, RNK = 6, RPOINTS = 2 * RNQ * RNK, RNM_MAX = 40 };
static double random_modes[RNX * RNEPS][RPOINTS * RNM_MAX], random_error[RNX * RNEPS][RPOINTS];
static size_t random_nm[RNX * RNEPS];

static void random_nodes(uint64_t *state)
{
    for (int node = 0; node < RNX * RNEPS; node++) {
        random_nm[node] = 1 + (size_t)(uniform(state) * RNM_MAX);
        for (size_t i = 0; i < RPOINTS; i++) {
            double s = exp(40 * uniform(state) - 30);
            random_error[node][i] = s * 1e-6 * uniform(state);
            for (size_t m = 0; m < random_nm[node]; m++)
                random_modes[node][i * random_nm[node] + m] = s * (m ? uniform(state) - 0.5 : 1);
        }
    }
}

static void check_nodes(const cgct_table *t, const fixture *f)
{
    double modes[2 * RNM_MAX], error[2];
    for (size_t node = 0; node < RNX * RNEPS; node++)
        for (size_t point = 0; point < RNQ * RNK; point++) {
            double x = f->v[0][node / RNEPS], eps = f->v[1][node % RNEPS];
            double q = f->v[2][point / RNK], k = f->v[3][point % RNK];
            size_t nm;
            ck_assert_int_eq(cgct_modes(t, x, eps, q, k, RNM_MAX, modes, &nm), CGCT_OK);
            ck_assert_int_eq(cgct_eval_error(t, x, eps, q, k, 1, error), CGCT_OK);
            ck_assert_uint_eq(nm, random_nm[node]);
            for (size_t pol = 0; pol < 2; pol++) {
                size_t i = pol * RNQ * RNK + point;
                CHECK_REL(error[pol], random_error[node][i], 2 * DBL_EPSILON);
                for (size_t m = 0; m < RNM_MAX; m++) {
                    double want = m < nm ? random_modes[node][i * nm + m] : 0;
                    CHECK_REL(modes[pol * RNM_MAX + m], want, 2 * DBL_EPSILON);
                }
            }
        }
}

START_TEST(round_trip)
{
    static const int levels[] = {0, 1, 9, 19};
    fixture f = {.n = {RNX, RNEPS, RNQ, RNK}, .level = levels[_i]};
    double lo[4] = {1e-4, 0.1, 1, 1}, hi[4] = {1e-2, 10, 9, 25};
    uint64_t state = 1000 + (uint64_t)_i;
    for (int a = 0; a < 4; a++) geometric(lo[a], hi[a], f.n[a], f.v[a]);
    random_nodes(&state);
    cgct_writer_spec spec = fixture_spec(&f);
    cgct_writer *w;
    cgct_err err;
    ck_assert_msg(cgct_writer_open(&w, table, &spec, &err) == CGCT_OK, "%s", err.text);
    ck_assert_int_ne(access(table, F_OK), 0);
    for (size_t i = 0; i < RNX * RNEPS; i++) {
        size_t node = (7 * i + 5) % (RNX * RNEPS); /* any order */
        cgct_node data = {random_nm[node], random_modes[node], random_error[node]};
        ck_assert_msg(cgct_writer_node(w, node / RNEPS, node % RNEPS, &data, &err) == CGCT_OK, "%s",
                      err.text);
    }
    ck_assert_msg(cgct_writer_close(w, NULL, &err) == CGCT_OK, "%s", err.text);
    cgct_table *t;
    ck_assert_msg(cgct_open(table, &t, &err) == CGCT_OK, "%s", err.text);
    check_nodes(t, &f);
    cgct_close(t);
    ck_assert_int_eq(empty_folder(folder), 1);
}
END_TEST

/* A stock decoder reads a frame cut out by the index. */
START_TEST(frames_are_plain_zstd)
{
    size_t n;
    fixture f = {.n = {1, 1, 2, 2},
                 .v = {{0.01}, {1}, {1, 2}, {1, 3}},
                 .nm = 2,
                 .mode = golden_mode,
                 .level = 9};
    fixture_write(&f, table);
    uint8_t *bytes = slurp(table, &n), raw[264];
    const uint8_t *entry = bytes + cgct_get_u64(bytes + CGCT_AT_INDEX);
    size_t size =
        ZSTD_decompress(raw, sizeof raw, bytes + cgct_get_u64(entry + CGCT_NODE_AT_OFFSET),
                        cgct_get_u64(entry + CGCT_NODE_AT_STORED));
    ck_assert_uint_eq(size, sizeof raw);
    ck_assert_double_eq(cgct_get_f64(raw), 0.125);
    free(bytes);
}
END_TEST

/* Scales that are not I_0: all values come back, whatever their size. */
START_TEST(awkward_numbers)
{
    static const double I[][3] = {{0, 0, 0},        {-1, 0.5, 0},          {0, 1e300, -1e300},
                                  {1e-310, 1, 0},   {DBL_MIN, DBL_MAX, 0}, {1e-300, 1e10, 1e10},
                                  {DBL_MAX, 1, -1}, {1, 1e-310, 1e-320}};
    enum { N = sizeof I / sizeof *I };
    double axis[1] = {1}, modes[2 * N * 3], error[2 * N], k[N], got[6];
    geometric(1, 2, N, k);
    for (int pol = 0; pol < 2; pol++)
        for (int i = 0; i < N; i++) {
            memcpy(modes + 3 * (pol * N + i), I[i], sizeof I[i]);
            error[pol * N + i] = 1e-3;
        }
    cgct_writer_spec spec = {.nx = 1,
                             .neps = 1,
                             .nq = 1,
                             .nk = N,
                             .x = axis,
                             .eps = axis,
                             .q = axis,
                             .k = k,
                             .card = "",
                             .generator = "g",
                             .dipole = "d",
                             .backend = "b",
                             .level = 3};
    cgct_node node = {3, modes, error};
    cgct_writer *w;
    cgct_table *t;
    cgct_err err;
    ck_assert_int_eq(cgct_writer_open(&w, table, &spec, NULL), CGCT_OK);
    ck_assert_msg(cgct_writer_node(w, 0, 0, &node, &err) == CGCT_OK, "%s", err.text);
    ck_assert_int_eq(cgct_writer_close(w, NULL, NULL), CGCT_OK);
    ck_assert_msg(cgct_open(table, &t, &err) == CGCT_OK, "%s", err.text);
    for (int i = 0; i < N; i++) {
        ck_assert_int_eq(cgct_modes(t, 1, 1, 1, k[i], 3, got, NULL), CGCT_OK);
        double largest = fmax(fabs(I[i][0]), fmax(fabs(I[i][1]), fabs(I[i][2])));
        for (int m = 0; m < 6; m++) {
            /* To rounding of the value itself or, where the ratio underflows, of the scale. */
            double tol = fmax(fabs(I[i][m % 3]), DBL_MIN * fmax(largest, 1)) * 2 * DBL_EPSILON;
            CHECK_ABS(got[m], I[i][m % 3], fmax(tol, 1e-323));
        }
    }
    cgct_close(t);
}
END_TEST

START_TEST(metadata_is_verbatim)
{
    static const char card[] = "; a card\twith tab\r\n[x]\\n \\ \\\\ end\n\n\xce\xb5 = 1";
    fixture f = {
        .n = {1, 1, 2, 2}, .v = {{0.01}, {1}, {1, 2}, {1, 3}}, .nm = 2, .mode = golden_mode};
    cgct_writer_spec spec = fixture_spec(&f);
    double modes[16], error[8];
    cgct_writer *w;
    cgct_table *t;
    cgct_err err;
    spec.card = card;
    fixture_node(&f, 0, 0, modes, error);
    cgct_node node = {2, modes, error};
    ck_assert_int_eq(cgct_writer_open(&w, table, &spec, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_writer_node(w, 0, 0, &node, NULL), CGCT_OK);
    ck_assert_msg(cgct_writer_close(w, "a.b\tone\\two\ttab\nempty\t\n", &err) == CGCT_OK, "%s",
                  err.text);
    ck_assert_msg(cgct_open(table, &t, &err) == CGCT_OK, "%s", err.text);
    ck_assert_str_eq(cgct_meta(t, "card"), card);
    ck_assert_str_eq(cgct_meta(t, "a.b"), "one\\two\ttab");
    ck_assert_str_eq(cgct_meta(t, "empty"), "");
    ck_assert_str_eq(cgct_meta(t, "generator"), "fixture 1");
    ck_assert_ptr_null(cgct_meta(t, "nosuch"));
    ck_assert_uint_eq(cgct_meta_count(t), 7);
    ck_assert_str_eq(cgct_meta_key(t, 6), "empty");
    ck_assert_ptr_null(cgct_meta_key(t, 7));
    cgct_close(t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("container");
    TCase *c = tcase_create("container");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, crc_check_value);
    tcase_add_test(c, errors_are_bounded);
    tcase_add_test(c, golden_bytes);
    tcase_add_test(c, golden_files_open);
    tcase_add_loop_test(c, round_trip, 0, 4);
    tcase_add_test(c, frames_are_plain_zstd);
    tcase_add_test(c, awkward_numbers);
    tcase_add_test(c, metadata_is_verbatim);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
