/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer of tables: what comes back, what it refuses, and what it leaves behind when the system
 * refuses: nothing.  Beside it checksums, messages, and the second reader (read_table.py). */
#include <float.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "field_table.h"
#include "format/crc64.h"
#include "format/rice.h"
#include "table_folder.h"
#include "run_suite.h"

/* ---- checksums and messages ---- */

START_TEST(crc_check_value)
{
    cgct_crc64_table t;
    uint8_t buffer[80];
    cgct_crc64_init(&t);
    ck_assert_uint_eq(cgct_crc64(&t, 0, "123456789", 9), UINT64_C(0x995DC9BBDF1939FA));
    ck_assert_uint_eq(cgct_crc64(&t, 0, "", 0), 0);
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
            ck_assert_uint_eq(cgct_crc64(&t, 0, buffer + start, n), ~c);
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

/* FORMAT.md 8. */
static double bound_of(uint8_t code)
{
    return code ? exp2((code - 200) / 4.0) : 0;
}

/* The code of a bound is the least whose value is not below it. */
START_TEST(codes_of_bounds)
{
    uint64_t state = 3;
    ck_assert_uint_eq(table_bound_code(0), 0);
    ck_assert_uint_eq(table_bound_code(1), 200);
    ck_assert_uint_eq(table_bound_code(INFINITY), 255);
    ck_assert(table_bound_code(2) == 204);
    for (int i = 0; i < 10000; i++) {
        double bound = pow(2, 60 * uniform(&state) - 49);
        uint8_t code = table_bound_code(bound);
        ck_assert_double_ge(bound_of(code) * (1 + 1e-9), bound);
        ck_assert_double_lt(bound_of((uint8_t)(code - 1)), bound * (1 + 1e-9));
    }
}
END_TEST

/* ---- what comes back ---- */

static const char card[] = "; a card\twith tab\r\n[x]\\n \\ \\\\ end\n\n\xce\xb5 = 1";

/* Different at every node, with steps, zeros, and numbers that need all 32 bits. */
static double rough_field(size_t member, int pol, size_t m, const double at[4])
{
    double ripple = sin(37 * at[2] * at[3] + 3 * (double)m + at[0] * 100);
    if (m == 0) return 20 * ripple - 3 * log(at[2]) - pol + (double)member;
    if (m == 2) return 0;
    if (m == 3) return at[2] > 2 ? 1e-5 : 0;
    return 0.3 * ripple * pow(0.5, (double)m) * at[1];
}

static field_table rough_table(void)
{
    return (field_table){.n = {2, 3, 5},
                         .v = {{1e-3, 1e-2}, {0.5, 1, 2}, {1, 1.5, 2, 3, 4}},
                         .nl = 4,
                         .nu = 3,
                         .nm = 5,
                         .members = 2,
                         .k0 = 0.5,
                         .k_max = 6,
                         .bound = 1e-3,
                         .field = rough_field,
                         .nmeta = 3,
                         .meta = {{"members", "one two"}, {"card", card}, {"empty", ""}}};
}

/* I at every node from the fields as they were given. */
START_TEST(nodes_come_back)
{
    const field_table f = rough_table();
    field_table_write(&f, table);
    cgct_table *t = open_table(table);
    cgct_set_negative(t, CGCT_NEGATIVE_KEEP);
    for (size_t node = 0; node < 2 * 3 * 5 * 7; node++) {
        const size_t ix = node / 105, ie = node / 35 % 3, iq = node / 7 % 5, j = node % 7;
        double at[4] = {f.v[0][ix], f.v[1][ie], f.v[2][iq], field_table_k(&f, f.v[2][iq], j)};
        if (at[3] > f.k_max || at[3] == 0 || j == 4) continue; /* k = q/2 counts as lower */
        double top = j < 4 ? 1 : at[2] / (2 * at[3]), values[4];
        double mu = -1 + (1 + top) * 0.65, theta = acos(mu);
        ck_assert_int_eq(cgct_eval_members(t, at[0], at[1], at[2], at[3], theta, values), CGCT_OK);
        for (int i = 0; i < 4; i++) {
            double sum = 1, size = 1;
            for (size_t m = 1; m < f.nm; m++) {
                double r = rough_field((size_t)i / 2, i % 2, m, at);
                sum += r * cos((double)m * acos(0.3));
                size += fabs(r);
            }
            double scale = exp(rough_field((size_t)i / 2, i % 2, 0, at));
            CHECK_ABS(values[i], scale * sum, 4e-6 * scale * size);
        }
    }
    cgct_close(t);
}
END_TEST

START_TEST(metadata_is_verbatim)
{
    const field_table f = rough_table();
    field_table_write(&f, table);
    cgct_table *t = open_table(table);
    ck_assert_str_eq(cgct_meta(t, "card"), card);
    ck_assert_str_eq(cgct_meta(t, "empty"), "");
    ck_assert_str_eq(cgct_member_name(t, 1), "two");
    ck_assert_ptr_null(cgct_meta(t, "nosuch"));
    ck_assert_uint_eq(cgct_meta_count(t), 3);
    ck_assert_str_eq(cgct_meta_key(t, 2), "empty");
    ck_assert_ptr_null(cgct_meta_key(t, 3));
    cgct_close(t);
}
END_TEST

/* ---- the second reader ---- */

enum { NPOINT = 60 };

/* read_table.py, written from FORMAT.md alone, at random points of a table of the writer. */
START_TEST(second_reader_agrees)
{
    char points[PATH_SIZE], values[PATH_SIZE], command[8 * PATH_SIZE];
    double at[NPOINT][5];
    uint64_t state = 5;
    const field_table table_of = rough_table();
    if (system("command -v python3 >/dev/null") != 0) {
        printf("skipped: no python3\n");
        return;
    }
    field_table_write(&table_of, table);
    cgct_table *t = open_table(table);
    path_in(folder, "points", points);
    path_in(folder, "values", values);
    FILE *f = fopen(points, "w");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < NPOINT; i++) {
        const double lo[4] = {1e-3, 0.5, 1, 0.01}, hi[4] = {1e-2, 2, 4, 6};
        for (int a = 0; a < 4; a++) at[i][a] = lo[a] * pow(hi[a] / lo[a], uniform(&state));
        at[i][4] = 7 * uniform(&state) - 3.5;
        for (int a = 0; a < 5; a++) fprintf(f, "%.17g%c", at[i][a], a < 4 ? ' ' : '\n');
    }
    fclose(f);
    snprintf(command, sizeof command, "python3 %s/read_table.py %s < %s > %s", TESTS_DIR, table,
             points, values);
    ck_assert_msg(system(command) == 0, "%s", command);
    f = fopen(values, "r");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < NPOINT; i++) {
        double I[2], want[2];
        ck_assert_int_eq(fscanf(f, "%lf %lf", &want[0], &want[1]), 2);
        ck_assert_int_eq(cgct_eval(t, at[i][0], at[i][1], at[i][2], at[i][3], at[i][4], I),
                         CGCT_OK);
        for (int pol = 0; pol < 2; pol++) CHECK_REL(I[pol], want[pol], 1e-11);
    }
    fclose(f);
    cgct_close(t);
}
END_TEST

/* ---- what is refused ---- */

static const uint32_t panel[1] = {2};
static const double good_axis[2] = {1, 2}, tensor[8] = {0}, units[16] = {1};
static const int32_t numbers[2 * 4 * 8] = {1};
static const uint8_t bounds[4 * 2 * 2];
static const table_segment segment = {4, 0.5, units, numbers, NULL};

static table_content good_content(void)
{
    return (table_content){.members = 1,
                           .nx = 2,
                           .neps = 2,
                           .nq = 2,
                           .nl = 2,
                           .nu = 2,
                           .nm = 1,
                           .px = 1,
                           .peps = 1,
                           .panel_x = panel,
                           .panel_eps = panel,
                           .x = good_axis,
                           .eps = good_axis,
                           .q = good_axis,
                           .x_range = {1, 2},
                           .eps_range = {1, 2},
                           .k0 = 1,
                           .k_max = 2,
                           .order = {2, 2, 2, 2},
                           .bq = 1,
                           .bl = 1,
                           .bu = 1,
                           .program = "test",
                           .tensor = tensor,
                           .segment = &segment,
                           .bounds = bounds};
}

/* Must fail with this status and a message that holds `word`; nothing may be left. */
static void refused(const table_content *c, const char *path, cgct_status want, const char *word)
{
    cgct_err err = {""};
    cgct_status st = table_write(c, path, &err);
    ck_assert_msg(st == want && strstr(err.text, word), "status %d, want %d and '%s': %s", st, want,
                  word, err.text);
    ck_assert_int_eq(empty_folder(folder), 0);
}

START_TEST(contents_refused)
{
    static const double falling[2] = {2, 1}, equal[2] = {1, 1}, zero[2] = {0, 1};
    const double nan_axis[2] = {1, NAN}, inf_axis[2] = {1, INFINITY};
    const double *bad[] = {falling, equal, zero, nan_axis, inf_axis};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        table_content c = good_content();
        c.q = bad[i];
        refused(&c, table, CGCT_E_USAGE, "q[");
        c = good_content();
        c.eps = bad[i];
        refused(&c, table, CGCT_E_USAGE, "eps[");
    }
    const double not_finite[16] = {1, NAN};
    const table_segment bad_U = {4, 0.5, not_finite, numbers, NULL},
                        bad_step = {4, 0, units, numbers, NULL};
    table_content c = good_content();
    c.segment = &bad_U;
    refused(&c, table, CGCT_E_RANGE, "U");
    c.segment = &bad_step;
    refused(&c, table, CGCT_E_USAGE, "step 0");
    const int32_t large[2 * 4 * 8] = {0, INT32_MAX - 0x7fff};
    const table_segment bad_V = {4, 0.5, units, large, NULL};
    c = good_content();
    c.segment = &bad_V;
    refused(&c, table, CGCT_E_RANGE, "integer 2147450880 above");
    const uint32_t three[1] = {3};
    c = good_content();
    c.panel_x = three;
    refused(&c, table, CGCT_E_USAGE, "panels of x have 3 nodes");
    c = good_content();
    c.tensor = not_finite;
    refused(&c, table, CGCT_E_RANGE, "tensor");
    c = good_content();
    c.members = 4097;
    refused(&c, table, CGCT_E_USAGE, "4097 members");
    const table_meta key = {"S_perp.a+b", "1"};
    c = good_content();
    c.nmeta = 1;
    c.meta = &key;
    refused(&c, table, CGCT_E_USAGE, "metadata key 'S_perp.a+b'");
}
END_TEST

/* The smallest and the largest integer: l = -1 at k = 0, and nearly 1 at k = q/2. */
START_TEST(widest_integers)
{
    const int32_t widest[2 * 4 * 8] = {INT32_MIN, INT32_MAX - 0x8000};
    const double l[2] = {-1, 1 - 0x8001p-31};
    const table_segment wide = {4, 0x1p-31, units, widest, NULL};
    table_content c = good_content();
    double I[2];
    cgct_err err;
    c.segment = &wide;
    ck_assert_msg(table_write(&c, table, &err) == CGCT_OK, "%s", err.text);
    cgct_table *t = open_table(table);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(cgct_eval(t, 1, 1, 1, 0.5 * i, 0, I), CGCT_OK);
        CHECK_REL(I[CGCT_T], exp(l[i]), 1e-13);
        ck_assert(I[CGCT_L] == 1);
    }
    cgct_close(t);
}
END_TEST

START_TEST(targets_refused)
{
    const table_content c = good_content();
    char path[PATH_SIZE];
    struct stat st;
    path_in(folder, "none/t.cgct", path);
    refused(&c, path, CGCT_E_IO, "No such file or directory");
    refused(&c, folder, CGCT_E_IO, "is a directory");
    refused(&c, "", CGCT_E_USAGE, "empty");
    if (stat("/dev/full", &st) == 0) {
        refused(&c, "/dev/full", CGCT_E_IO, "/dev/full");
        ck_assert_int_eq(stat("/dev/full", &st), 0);
        ck_assert_msg(S_ISCHR(st.st_mode), "/dev/full was replaced");
    }
    if (geteuid() == 0) return; /* root may write anywhere */
    ck_assert_int_eq(chmod(folder, 0500), 0);
    refused(&c, table, CGCT_E_IO, "Permission denied");
    ck_assert_int_eq(chmod(folder, 0700), 0);
}
END_TEST

/* The disk is full from a certain size on: whatever that size, an error with its reason, the older
 * file of that name untouched and no other. */
START_TEST(disk_full)
{
    const table_content c = good_content();
    signal(SIGXFSZ, SIG_IGN);
    int done = 0;
    for (rlim_t limit = 8; limit < 4000 && !done; limit += 40) {
        const struct rlimit small = {limit, RLIM_INFINITY}, none = {RLIM_INFINITY, RLIM_INFINITY};
        cgct_err err = {""};
        size_t n;
        spill(table, "older", 5);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
        cgct_status st = table_write(&c, table, &err);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
        done = st == CGCT_OK;
        if (done) break;
        ck_assert_int_eq(st, CGCT_E_IO);
        ck_assert_msg(strstr(err.text, table) && strstr(err.text, "File too large"), "%s",
                      err.text);
        uint8_t *bytes = slurp(table, &n);
        ck_assert_uint_eq(n, 5);
        free(bytes);
        ck_assert_int_eq(empty_folder(folder), 1);
    }
    ck_assert_msg(done, "never large enough");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("table_writer");
    TCase *c = tcase_create("table_writer");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, crc_check_value);
    tcase_add_test(c, errors_are_bounded);
    tcase_add_test(c, codes_of_bounds);
    tcase_add_test(c, nodes_come_back);
    tcase_add_test(c, metadata_is_verbatim);
    tcase_add_test(c, second_reader_agrees);
    tcase_add_test(c, contents_refused);
    tcase_add_test(c, widest_integers);
    tcase_add_test(c, targets_refused);
    tcase_add_test(c, disk_full);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
