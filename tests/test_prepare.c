/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A prepared table against the same table as it was opened: differences in place of neighbours give
 * the same values, or what cgct_prepare says. */
#include "../reader/cgctab.h"
#include "run_suite.h"
#include "synthetic.h"
#include "table_fixture.h"

enum { POINTS = 3000 };

typedef struct {
    char folder[PATH_SIZE], path[PATH_SIZE];
    cgct_table *plain, *prepared;
} both;

static void open_prepared(const char *path, cgct_table **t)
{
    cgct_err err;
    ck_assert_msg(cgct_open(path, t, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(cgct_prepare(*t, &err) == CGCT_OK, "%s", err.text);
}

static void open_both(const fixture *f, both *b)
{
    make_folder(b->folder);
    path_in(b->folder, "t.cgct", b->path);
    fixture_write(f, b->path);
    ck_assert_int_eq(cgct_open(b->path, &b->plain, NULL), CGCT_OK);
    open_prepared(b->path, &b->prepared);
}

static void close_both(both *b)
{
    cgct_close(b->plain);
    cgct_close(b->prepared);
    remove_folder(b->folder);
}

/* ---- tables ---- */

/* ln s and r_m, polynomials of degree 3 in each logarithm with products of q and k, and an
 * exponential for what polynomials of four nodes cannot follow.  ln s is so large that rounding it
 * to single precision shows in its differences. */
static double smooth_mode(int pol, size_t m, const double at[4], const void *arg)
{
    double u[4], ln_s = -60 - 0.3 * pol, r = 0.5 + 0.1 * pol, bent = *(const double *)arg;
    for (int a = 0; a < 4; a++) {
        u[a] = log(at[a]) / 3;
        ln_s += (0.3 - 0.1 * a) * u[a] + 0.2 * u[a] * u[a] - 0.1 * (a + 1) * u[a] * u[a] * u[a];
        ln_s += 0.02 * bent * exp(2 * u[a]);
        r += 1e-4 * u[a] * (1 - u[a] * u[a]);
    }
    ln_s += 0.3 * u[2] * u[3] - 0.2 * u[2] * u[2] * u[3] * u[3];
    r += 1e-4 * u[2] * u[2] * u[3] * u[3];
    return exp(ln_s) * (m == 0 ? 1 : 0.6 * r / (double)(m * m));
}

static fixture smooth_table(const double *bent)
{
    fixture f = {.n = {6, 7, 9, 11},
                 .nm = 30,
                 .error = 1e-36,
                 .bound = 1e-7,
                 .level = 3,
                 .split = 2,
                 .mode = smooth_mode,
                 .arg = bent};
    return f;
}

/* Axes whose steps grow by half from the first to the last; uneven: by five times. */
static void fill_axes(fixture *f, int uneven)
{
    static const double lo[] = {1e-4, 0.3, 1, 0.5}, hi[] = {1e-2, 3, 20, 20};
    for (int a = 0; a < 4; a++)
        for (size_t i = 0; i < f->n[a]; i++) {
            double t = f->n[a] > 1 ? (double)i / (double)(f->n[a] - 1) : 0;
            t = uneven ? t * (0.4 + 0.6 * t) : t * (0.8 + 0.2 * t);
            f->v[a][i] = lo[a] * pow(hi[a] / lo[a], t);
        }
}

static double random_value(const cgct_table *t, int axis, uint64_t *state)
{
    size_t n;
    const double *v = cgct_axis_values(t, (cgct_axis)axis, &n);
    double u = uniform(state);
    if (u < 0.1) return v[(size_t)(uniform(state) * (double)n)];
    return v[0] * pow(v[n - 1] / v[0], uniform(state));
}

/* Largest |a - b| over I_0, T and L, at random points; *rms (or NULL) its root mean square. */
static double differences(const cgct_table *a, const cgct_table *b, double *rms)
{
    uint64_t state = 5;
    double largest = 0, sum = 0;
    for (int i = 0; i < POINTS; i++) {
        double at[5], one[2], two[2], modes[2];
        for (int k = 0; k < 4; k++) at[k] = random_value(a, k, &state);
        at[4] = 7 * uniform(&state);
        ck_assert_int_eq(cgct_eval(a, at[0], at[1], at[2], at[3], at[4], one), CGCT_OK);
        ck_assert_int_eq(cgct_eval(b, at[0], at[1], at[2], at[3], at[4], two), CGCT_OK);
        ck_assert_int_eq(cgct_modes(a, at[0], at[1], at[2], at[3], 1, modes, NULL), CGCT_OK);
        for (int pol = 0; pol < 2; pol++) {
            double miss = fabs(one[pol] - two[pol]) / (4 * SYNTHETIC_PI * modes[pol]);
            ck_assert(isfinite(miss));
            largest = fmax(largest, miss);
            sum += miss * miss;
        }
    }
    if (rms) *rms = sqrt(sum / (2 * POINTS));
    return largest;
}

static double difference(const cgct_table *a, const cgct_table *b)
{
    return differences(a, b, NULL);
}

/* ---- tests ---- */

/* Up to four nodes nothing is left out: what remains is the step of the fields, some 1e-6 of each
 * mode here. */
START_TEST(four_nodes_exact)
{
    static const int order[][4] = {{4, 4, 4, 4}, {3, 4, 3, 4}, {2, 3, 4, 3}, {2, 2, 2, 2}};
    static const size_t n[][4] = {{6, 7, 9, 11}, {4, 4, 4, 4}, {1, 5, 2, 9},
                                  {3, 1, 3, 3},  {2, 2, 7, 1}, {5, 3, 1, 4}};
    const double bent = 1;
    fixture f = smooth_table(&bent);
    both b;
    memcpy(f.order, order[_i % 4], sizeof f.order);
    memcpy(f.n, n[_i / 8], sizeof f.n);
    fill_axes(&f, _i / 4 % 2);
    open_both(&f, &b);
    double miss = difference(b.plain, b.prepared);
    ck_assert_msg(miss <= 1e-6, "order %d: %g", f.order[3], miss);
    close_both(&b);
}
END_TEST

/* One mode that bends along every axis: fields are rounded together with what lies below them in a
 * word, to half a step each.  Rounded one by one they miss 1.3 times as much. */
static double bent_mode(int pol, size_t m, const double at[4], const void *arg)
{
    double sum = 1, mixed = log(at[2]) * log(at[3]);
    (void)pol;
    (void)arg;
    for (int a = 0; a < 4; a++) sum += 1e-3 * log(at[a]) * log(at[a]);
    return m > 1 ? 0 : m == 1 ? 0.1 * (sum + 1e-4 * mixed * mixed) : 1;
}

START_TEST(fields_rounded_together)
{
    fixture f = smooth_table(NULL);
    double rms;
    both b;
    f.mode = bent_mode;
    f.nm = 2;
    fill_axes(&f, 0);
    open_both(&f, &b);
    differences(b.plain, b.prepared, &rms);
    ck_assert_msg(rms < 4e-8, "%g", rms);
    close_both(&b);
}
END_TEST

/* Further nodes: 3% of what they contribute, more where steps differ. */
START_TEST(further_nodes_mostly)
{
    const double bent = 3;
    const int order = 5 + _i / 2, uneven = _i % 2;
    fixture f = smooth_table(&bent), less;
    both b, four;
    for (int a = 0; a < 4; a++) f.n[a] = 9, f.order[a] = order;
    fill_axes(&f, uneven);
    less = f;
    for (int a = 0; a < 4; a++) less.order[a] = 4;
    open_both(&f, &b);
    open_both(&less, &four);
    double miss = difference(b.plain, b.prepared), all = difference(b.plain, four.plain);
    ck_assert_msg(all > 2e-5, "order %d: the table is too smooth, %g", order, all);
    ck_assert_msg(miss <= (uneven ? 0.2 : 0.1) * all, "order %d: %g of %g", order, miss, all);
    close_both(&b);
    close_both(&four);
}
END_TEST

START_TEST(nodes_as_they_are)
{
    const double bent = 3;
    fixture f = smooth_table(&bent);
    both b;
    for (int a = 0; a < 4; a++) f.order[a] = 6;
    fill_axes(&f, 1);
    open_both(&f, &b);
    for (size_t i = 0; i < f.n[0] * f.n[1] * f.n[2] * f.n[3]; i++) {
        double q = f.v[2][i / f.n[3] % f.n[2]], k = f.v[3][i % f.n[3]], one[2], two[2];
        double x = f.v[0][i / (f.n[1] * f.n[2] * f.n[3])],
               eps = f.v[1][i / (f.n[2] * f.n[3]) % f.n[1]];
        ck_assert_int_eq(cgct_eval(b.plain, x, eps, q, k, 0.4, one), CGCT_OK);
        ck_assert_int_eq(cgct_eval(b.prepared, x, eps, q, k, 0.4, two), CGCT_OK);
        for (int pol = 0; pol < 2; pol++) CHECK_REL(two[pol], one[pol], 1e-14);
    }
    close_both(&b);
}
END_TEST

/* More modes than one pass sums; numbers of modes that differ from point to point, so that corners
 * lack blocks that others have: what those differ by is not seen, a part of the bound. */
static double power_mode(int pol, size_t m, const double at[4], const void *arg)
{
    double r = *(const double *)arg * (1 - 0.2 / (1 + at[3])) - 0.02 * pol;
    return (1 + 0.1 * sin(log(at[2] * at[3]))) * pow(r, (double)m) / at[2];
}

START_TEST(many_modes)
{
    static const double r[] = {0.3, 0.8, 0.99};
    fixture f = {.n = {3, 4, 12, 24}, .nm = 400, .bound = 1e-6, .level = 3, .split = 2};
    both b;
    f.mode = power_mode;
    f.arg = &r[_i];
    fill_axes(&f, 0);
    open_both(&f, &b);
    double miss = difference(b.plain, b.prepared);
    ck_assert_msg(miss <= 2e-5, "%g: %g", r[_i], miss);
    close_both(&b);
}
END_TEST

/* Ridges and scales of a production table, folded and not. */
START_TEST(production)
{
    char folder[PATH_SIZE], path[PATH_SIZE];
    double x[8], eps[9], q[24], k[30], miss[2][POINTS * 2];
    synthetic s = {{8, 9, 24, 30}, {x, eps, q, k}, _i};
    cgct_writer_spec spec = {.level = 3, .bound = 1e-6, .split = 2, .order = {4, 6, 4, 6}};
    cgct_table *plain, *prepared;
    uint64_t state = 3;
    make_folder(folder);
    path_in(folder, "t.cgct", path);
    synthetic_axis(1e-4, 1e-2, 8, x);
    synthetic_axis(0.3, 3, 9, eps);
    synthetic_axis(1, 10, 24, q);
    synthetic_axis(0.1, 10, 30, k);
    ck_assert_int_eq(synthetic_write(&s, path, spec, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_open(path, &plain, NULL), CGCT_OK);
    open_prepared(path, &prepared);
    for (int i = 0; i < POINTS; i++) {
        double at[5], exact[2], one[2], two[2];
        for (int a = 0; a < 4; a++) at[a] = random_value(plain, a, &state);
        at[4] = 7 * uniform(&state);
        synthetic_value(at, at[4], exact);
        ck_assert_int_eq(cgct_eval(plain, at[0], at[1], at[2], at[3], at[4], one), CGCT_OK);
        ck_assert_int_eq(cgct_eval(prepared, at[0], at[1], at[2], at[3], at[4], two), CGCT_OK);
        for (int pol = 0; pol < 2; pol++) {
            miss[0][2 * i + pol] = fabs(one[pol] / exact[pol] - 1);
            miss[1][2 * i + pol] = fabs(two[pol] / exact[pol] - 1);
        }
    }
    double sum[2] = {0};
    for (int i = 0; i < 2 * POINTS; i++)
        for (int j = 0; j < 2; j++) sum[j] += log(miss[j][i] + 1e-9) / (2 * POINTS);
    /* as far from the truth as the table itself, on the (geometric) mean */
    ck_assert_msg(sum[1] < sum[0] + 0.1, "%g, plain %g", exp(sum[1]), exp(sum[0]));
    cgct_close(plain);
    cgct_close(prepared);
    remove_folder(folder);
}
END_TEST

/* I_0 < 0 at one point of one node sets its flag. */
static double flagged_mode(int pol, size_t m, const double at[4], const void *arg)
{
    const double *flag = (const double *)arg, none = 0;
    for (int a = 0; a < 4; a++)
        if (fabs(at[a] / flag[a] - 1) > 1e-9) return smooth_mode(pol, m, at, &none);
    return m == 0 ? -1e-30 : 1e-30;
}

/* Around a flag every value is that of the table itself, bit by bit; farther away none need be, and
 * some are not. */
START_TEST(flags_as_they_are)
{
    fixture f = smooth_table(NULL);
    uint64_t state = 9;
    double flag[4];
    int away = 0;
    both b;
    f.mode = flagged_mode;
    f.arg = flag;
    fill_axes(&f, 0);
    for (int a = 0; a < 4; a++) flag[a] = f.v[a][f.n[a] / 2];
    open_both(&f, &b);
    for (int i = 0; i < 5 * POINTS; i++) {
        double at[4], one[2], two[2], far = 0;
        for (int a = 0; a < 4; a++) {
            at[a] = random_value(b.plain, a, &state);
            size_t n = f.n[a] / 2;
            far = fmax(far, at[a] > flag[a] ? log(at[a] / flag[a]) / log(f.v[a][n + 1] / flag[a])
                                            : log(flag[a] / at[a]) / log(flag[a] / f.v[a][n - 1]));
        }
        ck_assert_int_eq(cgct_eval(b.plain, at[0], at[1], at[2], at[3], 1, one), CGCT_OK);
        ck_assert_int_eq(cgct_eval(b.prepared, at[0], at[1], at[2], at[3], 1, two), CGCT_OK);
        int same = one[0] == two[0] && one[1] == two[1];
        if (far < 1) ck_assert(same);
        for (int pol = 0; pol < 2; pol++)
            if (far > 1) CHECK_REL(two[pol], one[pol], 1e-5);
        away += !same;
    }
    ck_assert_int_gt(away, POINTS);
    close_both(&b);
}
END_TEST

/* Noise from node to node: no field can hold its differences. */
static double noise_mode(int pol, size_t m, const double at[4], const void *arg)
{
    uint64_t state = (uint64_t)(1e9 * (log(at[0]) + 20)) * 31 + (uint64_t)(1e9 * at[1]) * 37 +
                     (uint64_t)(1e9 * at[2]) * 41 + (uint64_t)(1e9 * at[3]) + m;
    (void)pol;
    (void)arg;
    return m == 0 ? 1 : 0.5 * uniform(&state);
}

START_TEST(noise_as_it_is)
{
    fixture f = smooth_table(NULL);
    both b;
    f.mode = noise_mode;
    fill_axes(&f, 0);
    open_both(&f, &b);
    ck_assert(difference(b.plain, b.prepared) == 0);
    close_both(&b);
}
END_TEST

/* Without rounding, and by other rules. */
START_TEST(other_tables_as_they_are)
{
    const double bent = 1;
    fixture f = smooth_table(&bent);
    both b;
    f.bound = _i == 0 ? 0 : f.bound;
    f.split = _i == 0 ? 2 : _i - 1;
    fill_axes(&f, 0);
    open_both(&f, &b);
    ck_assert(difference(b.plain, b.prepared) == 0);
    close_both(&b);
}
END_TEST

/* An array gives what its points give alone, in the same order of failures as unprepared. */
START_TEST(arrays)
{
    static const double bad[] = {NAN, INFINITY, -1, 0, 1e300, 1e-300};
    enum { EACH = 7, N = 6 * 5 * EACH };
    const double bent = 1;
    fixture f = smooth_table(&bent);
    double at[5][N], many[2 * N];
    uint64_t state = 4;
    size_t first;
    both b;
    fill_axes(&f, 0);
    open_both(&f, &b);
    for (int policy = 0; policy < 2; policy++) {
        cgct_set_policy(b.plain, (cgct_policy)policy);
        cgct_set_policy(b.prepared, (cgct_policy)policy);
        for (int i = 0; i < N; i++) {
            for (int a = 0; a < 4; a++) at[a][i] = random_value(b.plain, a, &state);
            at[4][i] = 7 * uniform(&state);
            if (i % EACH == 3) at[i / EACH % 5][i] = bad[i / EACH / 5];
        }
        cgct_status st =
            cgct_eval_many(b.prepared, N, at[0], at[1], at[2], at[3], at[4], many, &first);
        size_t expected = N;
        for (int i = 0; i < N; i++) {
            double one[2], plain[2], v[5];
            for (int a = 0; a < 5; a++) v[a] = at[a][i];
            cgct_status s1 = cgct_eval(b.prepared, v[0], v[1], v[2], v[3], v[4], one);
            cgct_status s2 = cgct_eval(b.plain, v[0], v[1], v[2], v[3], v[4], plain);
            ck_assert_int_eq(s1, s2);
            if (s1 != CGCT_OK && expected == N) {
                ck_assert_int_eq(st, s1);
                expected = (size_t)i;
            }
            for (int pol = 0; pol < 2; pol++)
                if (s1 == CGCT_OK)
                    CHECK_REL(many[2 * i + pol], one[pol], 1e-13);
                else
                    ck_assert(isnan(many[2 * i + pol]) && isnan(one[pol]));
        }
        ck_assert_uint_eq(first, expected);
    }
    close_both(&b);
}
END_TEST

/* Unpacked: the same bits; a damaged node is found out, and the rest of the table stays of use. */
START_TEST(mapped)
{
    const double bent = 1;
    fixture f = smooth_table(&bent);
    char path[PATH_SIZE];
    cgct_table *t;
    cgct_err err;
    double v[2];
    long size;
    both b;
    fill_axes(&f, 0);
    open_both(&f, &b);
    path_in(b.folder, "u.cgct", path);
    ck_assert_int_eq(cgct_unpack(b.plain, path, NULL), CGCT_OK);
    open_prepared(path, &t);
    ck_assert(difference(b.prepared, t) == 0);
    cgct_close(t);
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    fseek(file, 0, SEEK_END);
    size = ftell(file) / 2;
    fseek(file, size, SEEK_SET);
    int c = fgetc(file);
    fseek(file, size, SEEK_SET);
    fputc(c ^ 16, file);
    fclose(file);
    ck_assert_int_eq(cgct_open(path, &t, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_prepare(t, &err), CGCT_E_CHECKSUM);
    ck_assert_ptr_nonnull(strstr(err.text, "damaged"));
    ck_assert_int_eq(cgct_eval(t, f.v[0][0], f.v[1][0], 2, 2, 1, v), CGCT_OK);
    cgct_close(t);
    close_both(&b);
}
END_TEST

START_TEST(misuse)
{
    const double bent = 1;
    fixture f = smooth_table(&bent);
    cgct_table *t;
    cgct_err err;
    double one[2], two[2];
    both b;
    fill_axes(&f, 0);
    open_both(&f, &b);
    ck_assert_int_eq(cgct_prepare(NULL, &err), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_open_index(b.path, &t, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_prepare(t, NULL), CGCT_E_USAGE);
    cgct_close(t);
    ck_assert_int_eq(cgct_eval(b.prepared, 1e-3, 1, 2, 2, 1, one), CGCT_OK);
    ck_assert_int_eq(cgct_prepare(b.prepared, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_eval(b.prepared, 1e-3, 1, 2, 2, 1, two), CGCT_OK);
    ck_assert(one[0] == two[0] && one[1] == two[1]);
    ck_assert_int_eq(cgct_eval(b.prepared, 1e-3, 1, 2, 2, 1, NULL), CGCT_E_USAGE);
    close_both(&b);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("prepare");
    TCase *c = tcase_create("prepare");
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, four_nodes_exact, 0, 48);
    tcase_add_test(c, fields_rounded_together);
    tcase_add_loop_test(c, further_nodes_mostly, 0, 8);
    tcase_add_test(c, nodes_as_they_are);
    tcase_add_loop_test(c, many_modes, 0, 3);
    tcase_add_loop_test(c, production, 0, 2);
    tcase_add_test(c, flags_as_they_are);
    tcase_add_test(c, noise_as_it_is);
    tcase_add_loop_test(c, other_tables_as_they_are, 0, 3);
    tcase_add_test(c, arrays);
    tcase_add_test(c, mapped);
    tcase_add_test(c, misuse);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
