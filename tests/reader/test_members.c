/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of an ensemble: FILE@NAME, their metadata, what they say of the uncertainty. */
#include "field_table.h"
#include "have.h"
#include "run_suite.h"
#include "table_folder.h"

START_TEST(members)
{
    const struct {
        const char *suffix, *name;
        double S_perp;
    } want[] = {
        {"", "central", 70.5}, {"@up", "up", 71.25}, {"@2", "down", 70.5}, {"@0", "central", 70.5}};
    char path[PATH_SIZE + 16];
    cgct_table *t;
    cgct_err err;
    for (int i = 0; i < 4; i++) {
        cgct_info info;
        snprintf(path, sizeof path, "%s%s", GOLDEN_PANELS, want[i].suffix);
        t = open_table(path);
        ck_assert_int_eq(cgct_table_info(t, &info), CGCT_OK);
        ck_assert_str_eq(cgct_member_name(t, info.member), want[i].name);
        CHECK_REL(cgct_member_S_perp(t, info.member), want[i].S_perp, 0);
        cgct_close(t);
    }
    t = open_table(GOLDEN_PANELS);
    ck_assert_ptr_null(cgct_member_name(t, 3));
    ck_assert(isnan(cgct_member_S_perp(t, 3)));
    cgct_close(t);
    for (int i = 0; i < 3; i++) {
        static const char *const none[] = {"@3", "@sideways", "@999999999999"};
        snprintf(path, sizeof path, "%s%s", GOLDEN_PANELS, none[i]);
        ck_assert_int_eq(cgct_open(path, &t, &err), CGCT_E_RANGE);
        ck_assert_msg(!t && strstr(err.text, none[i] + 1) && strstr(err.text, "central"), "%s",
                      err.text);
    }
    t = open_table(GOLDEN_SMALL);
    ck_assert_str_eq(cgct_member_name(t, 0), "");
    ck_assert(isnan(cgct_member_S_perp(t, 0)));
    cgct_close(t);
}
END_TEST

/* Members of an open table, which share its numbers: those of the file that is opened for each. */
START_TEST(of_an_open_table)
{
    static const char *const file[] = {GOLDEN_PANELS, GOLDEN_VARIED};
    char path[PATH_SIZE + 8], member[24];
    double I[2], want[2];
    cgct_table *whole = open_table(file[_i]), *t;
    cgct_err err;
    cgct_info info;
    ck_assert_int_eq(cgct_table_info(whole, &info), CGCT_OK);
    ck_assert_int_eq(cgct_set_policy(whole, CGCT_POLICY_FREEZE), CGCT_OK);
    for (size_t i = info.members; i-- > 0;) {
        snprintf(member, sizeof member, "%zu", i);
        snprintf(path, sizeof path, "%s@%zu", file[_i], i);
        cgct_table *alone = open_table(path);
        ck_assert_msg(cgct_open_member(whole, member, &t, &err) == CGCT_OK, "%s", err.text);
        for (int k = 0; k < 2; k++) {
            const double x = info.x[k], eps = info.eps[1 - k];
            ck_assert_int_eq(cgct_eval(t, x, eps, 2, 0.5, 1, I), CGCT_OK);
            ck_assert_int_eq(cgct_eval(alone, x, eps, 2, 0.5, 1, want), CGCT_OK);
            ck_assert(I[0] == want[0] && I[1] == want[1]);
            ck_assert_int_eq(cgct_eval_error(t, x, eps, 2, 0.5, 1, I), CGCT_OK);
            ck_assert_int_eq(cgct_eval_error(alone, x, eps, 2, 0.5, 1, want), CGCT_OK);
            ck_assert(I[0] == want[0] && I[1] == want[1]);
        }
        ck_assert_int_eq(cgct_eval(t, 2 * info.x[1], info.eps[1], 2, 0.5, 1, I), CGCT_OK);
        cgct_close(t);
        cgct_close(alone);
    }
    ck_assert_int_eq(cgct_open_member(whole, "nobody", &t, &err), CGCT_E_RANGE);
    ck_assert_msg(!t && strstr(err.text, "no member nobody among"), "%s", err.text);
    ck_assert_int_eq(cgct_open_member(whole, NULL, &t, &err), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_open_member(whole, "", &t, &err), CGCT_E_RANGE);
    cgct_close(whole);
}
END_TEST

/* The same members from bytes, which are gone when the values are asked for; a copy of the file. */
START_TEST(from_memory)
{
    static const char *const member[] = {NULL, "down", "2"};
    size_t n;
    double I[2], want[2];
    char path[PATH_SIZE + 8];
    for (int i = 0; i < 3; i++) {
        uint8_t *bytes = slurp(GOLDEN_PANELS, &n);
        cgct_table *t;
        cgct_err err;
        snprintf(path, sizeof path, i ? "%s@%s" : "%s", GOLDEN_PANELS, member[i]);
        ck_assert_msg(cgct_open_memory(bytes, n, member[i], &t, &err) == CGCT_OK, "%s", err.text);
        memset(bytes, 0, n);
        free(bytes);
        cgct_table *of_file = open_table(path);
        ck_assert_str_eq(cgct_table_path(t), "memory");
        ck_assert_int_eq(cgct_eval(t, 0.005, 1, 1.5, 2, 1, I), CGCT_OK);
        ck_assert_int_eq(cgct_eval(of_file, 0.005, 1, 1.5, 2, 1, want), CGCT_OK);
        ck_assert_mem_eq(I, want, sizeof I);
        cgct_close(t);
        cgct_close(of_file);
    }
}
END_TEST

/* A file whose own name holds an @. */
START_TEST(at_sign)
{
    char path[PATH_SIZE], member[PATH_SIZE + 8];
    size_t n;
    uint8_t *bytes = slurp(GOLDEN_PANELS, &n);
    path_in(folder, "a@up", path);
    spill(path, bytes, n);
    free(bytes);
    cgct_table *t = open_table(path);
    cgct_info info;
    ck_assert_int_eq(cgct_table_info(t, &info), CGCT_OK);
    ck_assert_uint_eq(info.member, 0);
    cgct_close(t);
    snprintf(member, sizeof member, "%s@down", path);
    t = open_table(member);
    ck_assert_int_eq(cgct_table_info(t, &info), CGCT_OK);
    ck_assert_uint_eq(info.member, 2);
    cgct_close(t);
}
END_TEST

/* Six members whose I are 3, 1, 4, 1.5, 9 and 100 everywhere, the last for comparison. */
static double constant_field(size_t member, int pol, size_t m, const double at[4])
{
    static const double value[] = {3, 1, 4, 1.5, 9, 100};
    (void)at;
    return m ? 0 : log(value[member] * (pol ? 2 : 1));
}

static field_table constant_members(size_t n)
{
    return (field_table){.n = {1, 1, 3},
                         .v = {{0.01}, {1}, {1, 2, 4}},
                         .nl = 4,
                         .nu = 4,
                         .nm = 1,
                         .members = n,
                         .k0 = 1,
                         .k_max = 8,
                         .bound = 1e-6,
                         .field = constant_field};
}

/* Central, low, high of members a to e; replicas are four draws: 1, 1.5, 4, 9. */
START_TEST(uncertainties)
{
    static const char *const meaning[] = {"replicas", "hessian", "none", NULL};
    const double up = sqrt(1 + 36), down = sqrt(4 + 2.25);
    const double want[][3] = {
        {3, 1 + 0.48 * 0.5, 4 + 0.52 * 5}, {3, 3 - down, 3 + up}, {3, 1, 9}, {3, 1, 9}};
    double central[2], low[2], high[2], range[3], each[] = {3, 1, 4, 1.5, 9, NAN};
    field_table f = constant_members(6);
    f.nmeta = meaning[_i] ? 3 : 2;
    f.meta[0] = (table_meta){"members", "a b c d e f"};
    f.meta[1] = (table_meta){"comparison", "f"};
    f.meta[2] = (table_meta){"uncertainty", meaning[_i]};
    field_table_write(&f, table);
    cgct_table *t = open_table(table);
    ck_assert_int_eq(cgct_uncertainty(t, 0.01, 1, 2, 1.5, 1, central, low, high), CGCT_OK);
    for (int pol = 0; pol < 2; pol++) {
        CHECK_REL(central[pol], (1 + pol) * want[_i][0], 2e-6);
        CHECK_REL(low[pol], (1 + pol) * want[_i][1], 2e-6);
        CHECK_REL(high[pol], (1 + pol) * want[_i][2], 2e-6);
    }
    ck_assert_int_eq(cgct_uncertainty(t, 0.01, 1, 99, 1.5, 1, central, low, high), CGCT_E_RANGE);
    ck_assert(isnan(central[0]) && isnan(low[1]) && isnan(high[0]));
    ck_assert_int_eq(cgct_uncertainty_of(t, each, range), CGCT_OK);
    for (int i = 0; i < 3; i++) CHECK_REL(range[i], want[_i][i], 1e-15);
    each[2] = NAN;
    ck_assert_int_eq(cgct_uncertainty_of(t, each, range), CGCT_E_DOMAIN);
    ck_assert(isnan(range[0]) && isnan(range[2]));
    ck_assert_int_eq(cgct_uncertainty_of(t, NULL, range), CGCT_E_USAGE);
    cgct_close(t);
}
END_TEST

/* What the second reader makes of the same file. */
static void same_as_second_reader(const char *path, const double p[5])
{
    double got[3][2], want[6];
    char command[4 * PATH_SIZE];
    cgct_table *t = open_table(path);
    ck_assert_int_eq(cgct_uncertainty(t, p[0], p[1], p[2], p[3], p[4], got[0], got[1], got[2]),
                     CGCT_OK);
    cgct_close(t);
    snprintf(command, sizeof command,
             "python3 %s/read_table.py %s --uncertainty %.17g %.17g %.17g %.17g %.17g", TESTS_DIR,
             path, p[0], p[1], p[2], p[3], p[4]);
    FILE *f = popen(command, "r");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < 6; i++) ck_assert_int_eq(fscanf(f, "%lf", &want[i]), 1);
    ck_assert_int_eq(pclose(f), 0);
    for (int i = 0; i < 6; i++) CHECK_REL(got[i / 2][i % 2], want[i], 1e-12);
}

static double growing_field(size_t member, int pol, size_t m, const double at[4])
{
    return m ? 0 : sin(7 * (double)member + pol) * at[2] - at[3];
}

START_TEST(second_reader_agrees)
{
    static const char *const meaning[] = {"replicas", "hessian", "none"};
    const double of_panels[] = {0.002, 0.7, 3, 4, 1}, here[] = {0.01, 1, 2.5, 1.5, 1};
    if (!have("python3")) return;
    same_as_second_reader(GOLDEN_PANELS, of_panels);
    for (int i = 0; i < 3; i++) {
        field_table f = constant_members(8);
        f.field = growing_field;
        f.nmeta = 3;
        f.meta[0] = (table_meta){"members", "a b c d e f g h"};
        f.meta[1] = (table_meta){"comparison", "d"};
        f.meta[2] = (table_meta){"uncertainty", meaning[i]};
        field_table_write(&f, table);
        same_as_second_reader(table, here);
    }
}
END_TEST

/* Differences of members at nodes of their own: polynomials of ln x and ln eps that these nodes
 * determine, beside a first member that the nodes of the table determine. */
static double differing_field(size_t member, int pol, size_t m, const double at[4])
{
    const double x = log(at[0]), eps = log(at[1]), j = (double)member, q = log(at[2]);
    if (m > 1) return 0;
    if (m) return 0.1 * (1 + 0.2 * j * eps) * fmin(at[3], 1);
    return x * eps - q + pol + 0.3 * j * (1 + x - 0.2 * j * eps * eps * eps);
}

START_TEST(differences_of_members)
{
    static const double nodes[2][4] = {{1 / 200., 1 / 50.}, {0.9, 1.2, 1.6, 2.2}};
    const double eps = 1.7, x = 0.01, q = 2, k1 = q / 2, theta = 2;
    double values[6], one[2], of_slice[2];
    char path[PATH_SIZE + 8];
    cgct_slice *s;
    field_table f = field_table_small(differing_field);
    f.members = 3;
    f.dn[0] = 2;
    f.dn[1] = 4;
    for (int i = 0; i < 2; i++) memcpy(f.dv[i], nodes[i], sizeof nodes[i]);
    f.nmeta = 1;
    f.meta[0] = (table_meta){"members", "a b c"};
    field_table_write(&f, table);
    cgct_table *t = open_table(table);
    ck_assert_int_eq(cgct_eval_members(t, x, eps, q, k1, theta, values), CGCT_OK);
    cgct_close(t);
    for (size_t j = 0; j < 3; j++) {
        snprintf(path, sizeof path, "%s@%zu", table, j);
        t = open_table(path);
        ck_assert_int_eq(cgct_eval(t, x, eps, q, k1, theta, one), CGCT_OK);
        ck_assert_int_eq(cgct_slice_init(&s, t, x, eps, NULL), CGCT_OK);
        ck_assert_int_eq(cgct_slice_eval(s, q, k1, theta, of_slice), CGCT_OK);
        cgct_slice_free(s);
        cgct_close(t);
        for (int pol = 0; pol < 2; pol++) {
            const double at[4] = {x, eps, q, k1}, l = differing_field(j, pol, 0, at);
            const double want = exp(l) * (1 + differing_field(j, pol, 1, at) * cos(theta));
            CHECK_REL(one[pol], want, 2e-5);
            CHECK_REL(values[2 * j + (size_t)pol], one[pol], 1e-13);
            CHECK_REL(of_slice[pol], one[pol], 1e-13);
        }
    }
    const double place[] = {x, eps, 2.3, 1.7, 0.4};
    if (have("python3")) same_as_second_reader(table, place);
}
END_TEST

/* Without a draw there is no range; the members for comparison need not stand last. */
START_TEST(central_member_alone)
{
    static const char *const meaning[] = {"replicas", "hessian", "none"};
    const double each[] = {3, 1, 4};
    double range[3];
    field_table f = constant_members(3);
    f.nmeta = 3;
    f.meta[0] = (table_meta){"members", "a b c"};
    f.meta[1] = (table_meta){"comparison", "c b"};
    f.meta[2] = (table_meta){"uncertainty", meaning[_i]};
    field_table_write(&f, table);
    cgct_table *t = open_table(table);
    ck_assert_int_eq(cgct_uncertainty_of(t, each, range), CGCT_OK);
    ck_assert(range[0] == 3 && range[1] == 3 && range[2] == 3);
    cgct_close(t);
    f.meta[1] = (table_meta){"comparison", "b"};
    f.meta[2] = (table_meta){"uncertainty", "replicas"};
    field_table_write(&f, table);
    t = open_table(table);
    ck_assert_int_eq(cgct_uncertainty_of(t, each, range), CGCT_OK);
    ck_assert(range[0] == 3 && range[1] == 4 && range[2] == 4);
    cgct_close(t);
    f.meta[2] = (table_meta){"uncertainty", "hessian"}; /* half a pair */
    field_table_write(&f, table);
    cgct_err err;
    ck_assert_int_eq(cgct_open(table, &t, &err), CGCT_E_FORMAT);
    ck_assert_msg(strstr(err.text, "besides those for comparison, not 2") != NULL, "%s", err.text);
}
END_TEST

/* Areas of their own widen or narrow the range. */
START_TEST(cross_sections_of_members)
{
    const double area[] = {50, 60, 70}, p[] = {0.01, 2, 1.5, 1};
    double d[6], I[6], eps, F[2][2];
    cgct_dis dis = {.alpha_em = 1 / 137., .e_q2 = 2 / 3., .z = 0.5, .Q2 = 4};
    field_table f = constant_members(3);
    f.nmeta = 4;
    f.meta[0] = (table_meta){"members", "a b c"};
    f.meta[1] = (table_meta){"S_perp.b", "60"};
    f.meta[2] = (table_meta){"S_perp", "50"};
    f.meta[3] = (table_meta){"S_perp.c", "70"};
    field_table_write(&f, table);
    cgct_table *t = open_table(table);
    ck_assert_int_eq(cgct_eval_members(t, p[0], 1, p[1], p[2], p[3], I), CGCT_OK);
    for (int given = 0; given < 3; given++) {
        dis.S_perp = given ? 40 : 0;
        if (given == 2) dis.mass = sqrt(1 - 0.25 * (dis.Q2 = 1)); /* eps is 1 again */
        ck_assert_int_eq(cgct_dsigma_members(t, &dis, p[0], p[1], p[2], p[3], d), CGCT_OK);
        for (int i = 0; i < 6; i++) {
            cgct_dis one = dis;
            one.S_perp = given ? 40 : area[i / 2];
            ck_assert_int_eq(cgct_dis_factors(&one, &eps, F), CGCT_OK);
            const double *I_i = I + i / 2 * 2, *to = F[i % 2];
            CHECK_REL(d[i], to[CGCT_T] * I_i[CGCT_T] + to[CGCT_L] * I_i[CGCT_L], 1e-15);
        }
    }
    dis.S_perp = -1;
    ck_assert_int_eq(cgct_dsigma_members(t, &dis, p[0], p[1], p[2], p[3], d), CGCT_E_DOMAIN);
    ck_assert(isnan(d[0]) && isnan(d[5]));
    dis.S_perp = 0;
    ck_assert_int_eq(cgct_dsigma_members(t, &dis, p[0], 99, p[2], p[3], d), CGCT_E_RANGE);
    ck_assert(isnan(d[0]) && isnan(d[5]));
    cgct_close(t);
    f.meta[2].key = "other";
    field_table_write(&f, table);
    t = open_table(table);
    ck_assert_int_eq(cgct_dsigma_members(t, &dis, p[0], p[1], p[2], p[3], d), CGCT_E_DOMAIN);
    ck_assert(isnan(d[0]) && isnan(d[1]) && d[2] > 0 && d[5] > 0); /* b and c have their own */
    cgct_close(t);
}
END_TEST

/* Each is that of the member when it is opened alone. */
START_TEST(references_of_members)
{
    static const char *const file[] = {GOLDEN_PANELS, GOLDEN_VARIED};
    double values[8], one[2];
    char path[PATH_SIZE + 8];
    cgct_info info;
    cgct_table *t = open_table(file[_i]);
    ck_assert_int_eq(cgct_table_info(t, &info), CGCT_OK);
    ck_assert_uint_le(info.members, 4);
    const double x = sqrt(info.x[0] * info.x[1]), eps = sqrt(info.eps[0] * info.eps[1]);
    const double q = sqrt(info.q[0] * info.q[1]), k1 = 0.3 * q, theta = 0.7;
    ck_assert_int_eq(cgct_reference_members(t, x, eps, q, k1, theta, values), CGCT_OK);
    for (size_t i = 0; i < info.members; i++) {
        snprintf(path, sizeof path, "%s@%zu", file[_i], i);
        cgct_table *alone = open_table(path);
        ck_assert_int_eq(cgct_reference(alone, x, eps, q, k1, theta, one), CGCT_OK);
        cgct_close(alone);
        ck_assert(one[0] > 0 && one[1] > 0);
        for (size_t pol = 0; pol < 2; pol++) CHECK_REL(values[2 * i + pol], one[pol], 1e-15);
    }
    ck_assert_int_eq(cgct_reference_members(t, x, eps, 1e9, k1, theta, values), CGCT_E_RANGE);
    for (size_t i = 0; i < 2 * info.members; i++) ck_assert(isnan(values[i]));
    ck_assert_int_eq(cgct_reference_members(t, x, eps, q, k1, theta, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_reference_members(NULL, x, eps, q, k1, theta, values), CGCT_E_USAGE);
    cgct_close(t);
}
END_TEST

static void expect_refusal(const table_meta *meta, size_t nmeta, const char *word)
{
    field_table f = {.n = {1, 1, 2},
                     .v = {{0.01}, {1}, {1, 2}},
                     .nl = 2,
                     .nu = 2,
                     .nm = 1,
                     .members = 2,
                     .k0 = 1,
                     .k_max = 8,
                     .field = constant_field,
                     .nmeta = nmeta};
    cgct_table *t;
    cgct_err err;
    memcpy(f.meta, meta, nmeta * sizeof *meta);
    field_table_write(&f, table);
    ck_assert_int_eq(cgct_open(table, &t, &err), CGCT_E_FORMAT);
    ck_assert_msg(strstr(err.text, word) != NULL, "%s", err.text);
}

START_TEST(names_of_members)
{
    static const char *const bad[] = {"a", "a b c", "a a", "a ", " a", "a  b", "a b ", ""};
    const table_meta none = {"quantity", "I"};
    const table_meta odd[] = {{"members", "a b"}, {"uncertainty", "hessian"}};
    static const char *const aside[][2] = {{"a", "'a' is the first member"},
                                           {"c", "'c' is not a"},
                                           {"b b", "'b' is named twice"},
                                           {"", "'' is not a"},
                                           {"b ", "'' is not a"}};
    const table_meta word[] = {{"members", "a b"}, {"uncertainty", "guess"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const table_meta meta = {"members", bad[i]};
        expect_refusal(&meta, 1, "members");
    }
    expect_refusal(&none, 1, "members");
    expect_refusal(odd, 2, "odd number");
    expect_refusal(word, 2, "guess");
    for (size_t i = 0; i < sizeof aside / sizeof *aside; i++) {
        const table_meta meta[] = {{"members", "a b"}, {"comparison", aside[i][0]}};
        expect_refusal(meta, 2, aside[i][1]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("members");
    TCase *c = tcase_create("members");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, members);
    tcase_add_test(c, at_sign);
    tcase_add_test(c, from_memory);
    tcase_add_loop_test(c, of_an_open_table, 0, 2);
    tcase_add_loop_test(c, uncertainties, 0, 4);
    tcase_add_test(c, second_reader_agrees);
    tcase_add_test(c, differences_of_members);
    tcase_add_loop_test(c, central_member_alone, 0, 3);
    tcase_add_test(c, cross_sections_of_members);
    tcase_add_loop_test(c, references_of_members, 0, 2);
    tcase_add_test(c, names_of_members);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
