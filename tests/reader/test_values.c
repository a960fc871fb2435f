/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every call of the reader against the closed forms of the golden tables (refs/golden_*.ref):
 * points
 * inside, at nodes, joints of panels, ends and k = 0, in both patches, of every member. */
#include "table_folder.h"
#include "have.h"
#include "run_suite.h"
#include "reseal.h"

#define TOL_ROUNDING 1e-12 /* of e^l: some tens of additions under the exponential */
#define TOL_SAME 1e-13     /* two ways through the reader */

/* A line of a .ref file. */
typedef struct {
    int member;
    double at[5], value[2], bound[2], reference[2];
} golden_point;

static const char *const golden[] = {GOLDEN_SMALL, GOLDEN_PANELS, GOLDEN_NEGATIVE, GOLDEN_VARIED};
static const char *const refs[] = {
    TESTS_DIR "/refs/golden_small.ref", TESTS_DIR "/refs/golden_panels.ref",
    TESTS_DIR "/refs/golden_negative.ref", TESTS_DIR "/refs/golden_varied.ref"};
enum { NGOLDEN = 4, POINTS_MAX = 200, MEMBERS_MAX = 4 };

static size_t read_points(const char *path, golden_point *p)
{
    char line[1024];
    size_t n = 0;
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "%s cannot be opened", path);
    while (fgets(line, sizeof line, f)) {
        char *end = line;
        if (*line == '#') continue;
        ck_assert_uint_lt(n, POINTS_MAX);
        p[n].member = (int)strtol(line, &end, 10);
        for (int i = 0; i < 5; i++) p[n].at[i] = strtod(end, &end);
        for (int i = 0; i < 2; i++) p[n].value[i] = strtod(end, &end);
        for (int i = 0; i < 2; i++) p[n].bound[i] = strtod(end, &end);
        for (int i = 0; i < 2; i++) p[n].reference[i] = strtod(end, &end);
        n++;
    }
    fclose(f);
    ck_assert_uint_gt(n, 10);
    return n;
}

static cgct_table *open_member(const char *file, int member)
{
    char path[PATH_SIZE + 16];
    cgct_table *t;
    cgct_err err;
    snprintf(path, sizeof path, "%s@%d", file, member);
    ck_assert_msg(cgct_open(path, &t, &err) == CGCT_OK, "%s", err.text);
    ck_assert_int_eq(cgct_set_negative(t, CGCT_NEGATIVE_KEEP), CGCT_OK);
    return t;
}

/* Call of the table of its member at each point; scale[2]: e^l there, as a bound of 1 would be. */
typedef void (*point_check)(const cgct_table *t, const golden_point *p, const double scale[2]);

static void at_all_points(int which, point_check check)
{
    static golden_point p[POINTS_MAX];
    cgct_table *t[MEMBERS_MAX] = {NULL};
    size_t n = read_points(refs[which], p);
    for (size_t i = 0; i < n; i++) {
        double scale[2], *at = p[i].at;
        ck_assert_int_lt(p[i].member, MEMBERS_MAX);
        if (!t[p[i].member]) t[p[i].member] = open_member(golden[which], p[i].member);
        ck_assert_int_eq(cgct_modes(t[p[i].member], at[0], at[1], at[2], at[3], 1, scale), CGCT_OK);
        for (int pol = 0; pol < 2; pol++) scale[pol] = fabs(scale[pol]) + fabs(p[i].value[pol]);
        check(t[p[i].member], &p[i], scale);
    }
    for (int i = 0; i < MEMBERS_MAX; i++) cgct_close(t[i]);
}

static void check_value(const cgct_table *t, const golden_point *p, const double scale[2])
{
    const double *a = p->at;
    double I[2];
    ck_assert_int_eq(cgct_eval(t, a[0], a[1], a[2], a[3], a[4], I), CGCT_OK);
    ck_assert_int_eq(cgct_check(t, a[0], a[1], a[2], a[3], a[4], NULL), CGCT_OK);
    for (int pol = 0; pol < 2; pol++) CHECK_ABS(I[pol], p->value[pol], TOL_ROUNDING * scale[pol]);
}

START_TEST(values)
{
    at_all_points(_i, check_value);
}
END_TEST

static void check_bound(const cgct_table *t, const golden_point *p, const double scale[2])
{
    const double *a = p->at;
    double error[2];
    (void)scale;
    ck_assert_int_eq(cgct_eval_error(t, a[0], a[1], a[2], a[3], a[4], error), CGCT_OK);
    for (int pol = 0; pol < 2; pol++) CHECK_REL(error[pol], p->bound[pol], TOL_ROUNDING);
}

START_TEST(bounds)
{
    at_all_points(_i, check_bound);
}
END_TEST

static void check_reference(const cgct_table *t, const golden_point *p, const double scale[2])
{
    const double *a = p->at;
    double I[2];
    (void)scale;
    ck_assert_int_eq(cgct_reference(t, a[0], a[1], a[2], a[3], a[4], I), CGCT_OK);
    for (int pol = 0; pol < 2; pol++) {
        if (isnan(p->reference[pol]))
            ck_assert(isnan(I[pol]));
        else
            CHECK_REL(I[pol], p->reference[pol], TOL_ROUNDING);
    }
}

START_TEST(references)
{
    at_all_points(_i, check_reference);
}
END_TEST

/* Slice, arrays, angles, members. */
static void check_other_ways(const cgct_table *t, const golden_point *p, const double scale[2])
{
    const double *a = p->at;
    double want[2], got[2], three[3][2], members[2 * MEMBERS_MAX];
    size_t first;
    cgct_slice *s;
    ck_assert_int_eq(cgct_eval(t, a[0], a[1], a[2], a[3], a[4], want), CGCT_OK);
    ck_assert_int_eq(cgct_slice_init(&s, t, a[0], a[1], NULL), CGCT_OK);
    ck_assert_int_eq(cgct_slice_eval(s, a[2], a[3], a[4], got), CGCT_OK);
    for (int pol = 0; pol < 2; pol++) CHECK_ABS(got[pol], want[pol], TOL_SAME * scale[pol]);
    const double x[3] = {a[0], a[0], a[0]}, eps[3] = {a[1], a[1], a[1]}, q[3] = {a[2], a[2], a[2]};
    const double k1[3] = {0, a[3], a[3]}, theta[3] = {1, a[4], -a[4]};
    ck_assert_int_eq(cgct_eval_many(t, 3, x, eps, q, k1, theta, three[0], &first), CGCT_OK);
    for (int i = 0; i < 4; i++)
        CHECK_ABS(three[1 + i / 2][i % 2], want[i % 2], TOL_SAME * scale[i % 2]);
    ck_assert_int_eq(cgct_slice_many(s, 3, q, k1, theta, three[0], NULL), CGCT_OK);
    for (int i = 0; i < 4; i++)
        CHECK_ABS(three[1 + i / 2][i % 2], want[i % 2], TOL_SAME * scale[i % 2]);
    ck_assert_int_eq(cgct_slice_angles(s, a[2], a[3], 2, theta + 1, three[0]), CGCT_OK);
    for (int i = 0; i < 4; i++)
        CHECK_ABS(three[i / 2][i % 2], want[i % 2], TOL_SAME * scale[i % 2]);
    ck_assert_int_eq(cgct_eval_members(t, a[0], a[1], a[2], a[3], a[4], members), CGCT_OK);
    for (int pol = 0; pol < 2; pol++)
        CHECK_ABS(members[2 * p->member + pol], want[pol], TOL_SAME * scale[pol]);
    cgct_slice_free(s);
}

START_TEST(other_ways)
{
    at_all_points(_i, check_other_ways);
}
END_TEST

/* k1 and k2 exchanged; not at k = q/2, where v goes like the root of k - q/2: of its rounding. */
static void check_exchange(const cgct_table *t, const golden_point *p, const double scale[2])
{
    const double *a = p->at, s = sin(a[4] / 2);
    double along = (a[2] - a[3]) + 2 * a[3] * s * s, across = a[3] * sin(a[4]), I[2];
    double k2 = sqrt(along * along + across * across), angle = atan2(across, along);
    if (!(k2 < 1e3) || fabs(fmin(a[3], k2) - a[2] / 2) < 1e-12 * a[2]) return;
    ck_assert_int_eq(cgct_eval(t, a[0], a[1], a[2], k2, angle, I), CGCT_OK);
    for (int pol = 0; pol < 2; pol++)
        CHECK_ABS(I[pol], p->value[pol], 10 * TOL_ROUNDING * scale[pol]);
}

START_TEST(exchange)
{
    at_all_points(_i, check_exchange);
}
END_TEST

/* I(theta) = 2 pi I_0 + 4 pi Sum (-1)^m cos(m theta) I_m; smooth where k1 stays the shorter. */
static void check_modes(const cgct_table *t, const golden_point *p, const double scale[2])
{
    enum { MODES = 24 };
    const double *a = p->at;
    double modes[2 * MODES];
    if (2 * a[3] > a[2]) return;
    ck_assert_int_eq(cgct_modes(t, a[0], a[1], a[2], a[3], MODES, modes), CGCT_OK);
    for (int pol = 0; pol < 2; pol++) {
        double sum = 2 * M_PI * modes[MODES * pol];
        for (int m = 1; m < MODES; m++)
            sum += 4 * M_PI * (m % 2 ? -1 : 1) * cos(m * a[4]) * modes[MODES * pol + m];
        CHECK_ABS(sum, p->value[pol], 1e-11 * scale[pol]);
    }
}

START_TEST(modes_sum_up)
{
    at_all_points(_i, check_modes);
}
END_TEST

/* Where k2 becomes the shorter: I is piecewise, its modes are those of a fine sum over angles; a
 * slice has the same. */
START_TEST(modes_beyond_half_q)
{
    enum { MODES = 4, ANGLES = 400000 };
    cgct_table *t = open_member(GOLDEN_PANELS, 1);
    const double x = 1e-3, eps = 2, q = 3, k1[3] = {2, 3, 3.7};
    double modes[2 * MODES], sliced[2 * MODES], sum[2 * MODES] = {0}, I[2];
    cgct_slice *s;
    ck_assert_int_eq(cgct_modes(t, x, eps, q, k1[_i], MODES, modes), CGCT_OK);
    ck_assert_int_eq(cgct_slice_init(&s, t, x, eps, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_slice_modes(s, q, k1[_i], MODES, sliced), CGCT_OK);
    cgct_slice_free(s);
    for (int m = 0; m < 2 * MODES; m++)
        CHECK_ABS(sliced[m], modes[m], 1e-13 * fabs(modes[m - m % MODES]));
    for (int i = 0; i < ANGLES; i++) {
        double theta = M_PI * (i + 0.5) / ANGLES;
        ck_assert_int_eq(cgct_eval(t, x, eps, q, k1[_i], theta, I), CGCT_OK);
        for (int m = 0; m < 2 * MODES; m++)
            sum[m] += (m % MODES % 2 ? -1 : 1) * I[m / MODES] * cos(m % MODES * theta) /
                      (2 * M_PI * ANGLES);
    }
    for (int m = 0; m < 2 * MODES; m++)
        CHECK_ABS(modes[m], sum[m], 1e-4 * fabs(sum[m - m % MODES])); /* they have steps there */
    cgct_close(t);
}
END_TEST

/* Code 255 in the file: no bound is known, and both readers say so; the neighbour keeps its own. */
START_TEST(unknown_bound)
{
    enum { CODE = 0x204 }; /* eps = 2, T, lower patch (FORMAT.md, worked example) */
    size_t n;
    double error[2], before[2], want[2];
    char command[4 * PATH_SIZE];
    cgct_table *t = open_table(GOLDEN_SMALL);
    ck_assert_int_eq(cgct_eval_error(t, 0.01, 2, 2, 1, 0.5, before), CGCT_OK);
    cgct_close(t);
    uint8_t *bytes = slurp(GOLDEN_SMALL, &n);
    bytes[CODE] = 255;
    reseal(bytes, n);
    spill(table, bytes, n);
    free(bytes);
    t = open_table(table);
    ck_assert_int_eq(cgct_eval_error(t, 0.01, 2, 2, 1, 0.5, error), CGCT_OK);
    cgct_close(t);
    ck_assert(isinf(error[CGCT_T]) && error[CGCT_T] > 0 && error[CGCT_L] == before[CGCT_L]);
    if (!have("python3")) return;
    snprintf(command, sizeof command, "python3 %s/read_table.py %s --error 0.01 2 2 1 0.5",
             TESTS_DIR, table);
    FILE *f = popen(command, "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(fscanf(f, "%lf %lf", &want[0], &want[1]), 2);
    ck_assert_int_eq(pclose(f), 0);
    ck_assert(isinf(want[CGCT_T]));
    CHECK_REL(error[CGCT_L], want[CGCT_L], TOL_ROUNDING);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("values");
    TCase *c = tcase_create("values");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_test(c, unknown_bound);
    tcase_add_loop_test(c, values, 0, NGOLDEN);
    tcase_add_loop_test(c, bounds, 0, NGOLDEN);
    tcase_add_loop_test(c, references, 0, NGOLDEN);
    tcase_add_loop_test(c, other_ways, 0, NGOLDEN);
    tcase_add_loop_test(c, exchange, 0, NGOLDEN);
    tcase_add_loop_test(c, modes_sum_up, 0, NGOLDEN);
    tcase_add_loop_test(c, modes_beyond_half_q, 0, 3);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
