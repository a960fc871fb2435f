/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reduced basis on families of known rank: how many rows it takes, the differences that are
 * left, noise below what is allowed, outliers, batches, and the same bits again. */
#include <check.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "run/basis.h"
#include "run_suite.h"
#include "larger_error.h"

enum { PLANES = 6, POINTS = 50, COLUMNS = PLANES * POINTS };
enum { FEW = 40, MANY = 200 }; /* rows */
enum { WIDE = 21 * COLUMNS };  /* columns of rows that are worked on in stripes */

/* Sum of `rank` products, each a tenth of the one before, and noise that is nowhere above `noise`
 * times the scale of its column: 1, or in the last plane of COLUMNS 1000.  In the first `outliers`
 * rows a number is off by 1.5 times the bound. */
typedef struct {
    size_t rank;
    double noise, bound;
    size_t outliers;
    size_t columns; /* 0: COLUMNS */
} family;

static size_t columns_of(const family *f)
{
    return f->columns ? f->columns : COLUMNS;
}

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return 2 * (double)(*state >> 11) * 0x1p-53 - 1;
}

static double scale_of(size_t c)
{
    return c / POINTS % PLANES == PLANES - 1 ? 1000 : 1;
}

static double exact(const family *f, size_t i, size_t c)
{
    double sum = 0, size = 10;
    for (size_t r = 0; r < f->rank; r++, size *= 0.1)
        sum += size * cos((double)r * (0.3 + 0.05 * (double)i)) *
               sin(0.1 + 0.37 * (double)((r + 1) * c));
    return sum;
}

static cgct_status read_family(void *self, size_t i, double *value, double *scale, cgct_err *err)
{
    const family *f = self;
    uint64_t state = 77 + 1000 * i;
    (void)err;
    for (size_t c = 0; c < columns_of(f); c++) {
        scale[c] = scale_of(c);
        value[c] = exact(f, i, c) + f->noise * f->bound * scale[c] * uniform(&state);
    }
    if (i < f->outliers) value[7 * i % POINTS] += 1.5 * f->bound;
    return CGCT_OK;
}

static basis_task task_of(family *f, size_t rows)
{
    return (basis_task){.rows = rows,
                        .planes = columns_of(f) / POINTS,
                        .points = POINTS,
                        .bound = f->bound,
                        .reduction = 0.1 * f->bound,
                        .reduce = 1,
                        .self = f,
                        .read = read_family};
}

/* Row i as the basis gives it. */
static void combine_row(const basis_task *t, const basis *b, size_t i, double *got)
{
    double out[POINTS * (1 + MANY)];
    for (size_t p = 0; p < t->planes; p++) {
        basis_combine(b, POINTS, p * POINTS, POINTS, 1, b->U + i * b->R, out);
        memcpy(got + p * POINTS, out, POINTS * sizeof *got);
    }
}

/* Largest difference of rows and combinations, in units of scale; *outside: how many numbers are
 * off by more than the bound. */
static double differences_of(const basis_task *t, const basis *b, size_t *outside)
{
    static double value[WIDE], scale[WIDE], got[WIDE];
    double worst = 0;
    *outside = 0;
    for (size_t i = 0; i < t->rows; i++) {
        read_family(t->self, i, value, scale, NULL);
        combine_row(t, b, i, got);
        for (size_t c = 0; c < t->planes * t->points; c++) {
            const double off = fabs(got[c] - value[c]) / scale[c];
            worst = larger_error(worst, off);
            *outside += !(off <= t->bound * (1 + 1e-12));
        }
    }
    return worst;
}

static double largest_difference(const basis_task *t, const basis *b)
{
    size_t outside;
    return differences_of(t, b, &outside);
}

static size_t count_outside(const basis_task *t, const basis *b)
{
    size_t outside;
    differences_of(t, b, &outside);
    return outside;
}

static void make(const basis_task *t, basis *b)
{
    cgct_err err = {""};
    ck_assert_msg(basis_make(t, b, &err) == CGCT_OK, "%s", err.text);
}

/* The last of five products has the size 1e-3, the sixth would have 1e-4. */
START_TEST(known_rank)
{
    static const double bound[] = {1e-6, 1e-2, 1e-1, 1};
    static const size_t want[] = {5, 4, 3, 2};
    family f = {.rank = 5};
    for (int i = 0; i < 4; i++) {
        basis b;
        f.bound = bound[i];
        const basis_task t = task_of(&f, FEW);
        make(&t, &b);
        ck_assert_msg(b.R <= want[i] + (i > 0) && b.R + 1 >= want[i], "%g: R = %zu", bound[i], b.R);
        ck_assert_double_le(b.reduction, t.reduction);
        ck_assert_double_le(b.rounding, 0.9 * t.bound * (1 + 1e-12));
        ck_assert_double_le(largest_difference(&t, &b), t.bound * (1 + 1e-12));
        basis_free(&b);
    }
}
END_TEST

/* Fewer rows or columns would not do: one less leaves more than is allowed. */
START_TEST(least_rank)
{
    family f = {.rank = 5, .bound = 1e-2};
    basis b, less;
    basis_task t = task_of(&f, FEW);
    make(&t, &b);
    t.reduction = b.reduction * (1 + 1e-9);
    make(&t, &less);
    ck_assert_uint_eq(less.R, b.R);
    basis_free(&less);
    t.reduction = b.reduction * (1 - 1e-9);
    make(&t, &less);
    ck_assert_uint_eq(less.R, b.R + 1);
    basis_free(&less);
    basis_free(&b);
}
END_TEST

/* Noise below the reduction asks for no rows, also where it is 1000 times as large as elsewhere;
 * noise above it asks for all. */
START_TEST(noise)
{
    family f = {.rank = 5, .noise = 0.05, .bound = 1e-5};
    basis b;
    basis_task t = task_of(&f, FEW);
    make(&t, &b);
    ck_assert_uint_eq(b.R, 5);
    ck_assert_double_le(largest_difference(&t, &b), f.bound * (1 + 1e-12));
    basis_free(&b);
    f.noise = 0.5;
    make(&t, &b);
    ck_assert_uint_ge(b.R, 30);
    ck_assert_double_le(largest_difference(&t, &b), f.bound * (1 + 1e-12));
    basis_free(&b);
}
END_TEST

/* Of 60000 numbers six may be off: so many ask for no rows and are reported, one more does ask. */
START_TEST(outliers)
{
    family f = {.rank = 5, .bound = 1e-5, .outliers = 6};
    basis b;
    basis_task t = task_of(&f, MANY);
    t.outliers = 1e-4;
    make(&t, &b);
    ck_assert_uint_eq(b.R, 5);
    ck_assert_uint_eq(count_outside(&t, &b), 6);
    ck_assert_double_gt(b.reduction, f.bound);
    basis_free(&b);
    f.outliers = 7;
    make(&t, &b);
    ck_assert_uint_gt(b.R, 5);
    ck_assert_uint_le(count_outside(&t, &b), 6);
    basis_free(&b);
}
END_TEST

/* More rows than are kept at once, and more basis rows than that. */
START_TEST(batches)
{
    family f = {.rank = 5, .noise = 0.05, .bound = 1e-5};
    basis b;
    basis_task t = task_of(&f, 500);
    make(&t, &b);
    ck_assert_uint_eq(b.R, 5);
    ck_assert_double_le(largest_difference(&t, &b), f.bound * (1 + 1e-12));
    basis_free(&b);
    t = task_of(&f, MANY);
    f.noise = 0.5;
    make(&t, &b);
    ck_assert_uint_gt(b.R, BASIS_KEPT);
    ck_assert_double_le(largest_difference(&t, &b), f.bound * (1 + 1e-12));
    basis_free(&b);
}
END_TEST

START_TEST(few_rows)
{
    family f = {.rank = 5, .bound = 1e-5};
    for (size_t rows = 1; rows <= 3; rows++) {
        basis b;
        const basis_task t = task_of(&f, rows);
        make(&t, &b);
        ck_assert_uint_eq(b.R, rows);
        ck_assert_double_le(largest_difference(&t, &b), f.bound * (1 + 1e-12));
        basis_free(&b);
    }
}
END_TEST

/* The same bits on any number of threads, of rows in one stripe and in several, which fit in one
 * stack or do not. */
START_TEST(same_again)
{
    static const family cases[] = {{.rank = 5, .noise = 0.5, .bound = 1e-5},
                                   {.rank = 5, .noise = 0.05, .bound = 1e-5, .columns = WIDE},
                                   {.rank = 5, .noise = 0.05, .bound = 1e-5, .columns = WIDE}};
    static const size_t rows[] = {150, FEW, 150};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        family f = cases[i];
        basis a, b;
        const basis_task t = task_of(&f, rows[i]);
        omp_set_num_threads(1);
        make(&t, &a);
        for (int threads = 2; threads < 8; threads += 3) {
            omp_set_num_threads(threads);
            make(&t, &b);
            ck_assert_uint_eq(a.R, b.R);
            ck_assert_double_eq(a.step, b.step);
            ck_assert_int_eq(memcmp(a.U, b.U, t.rows * a.R * sizeof *a.U), 0);
            ck_assert_int_eq(memcmp(a.V, b.V, columns_of(&f) * a.R * sizeof *a.V), 0);
            basis_free(&b);
        }
        basis_free(&a);
    }
}
END_TEST

/* Stripes find what is there: the rank of the family, and no difference above the bound. */
START_TEST(stripes)
{
    family f = {.rank = 5, .noise = 0.05, .bound = 1e-5, .columns = WIDE};
    for (size_t rows = FEW; rows <= 150; rows += 110) {
        basis b;
        const basis_task t = task_of(&f, rows);
        make(&t, &b);
        ck_assert_uint_eq(b.R, 5);
        ck_assert_double_le(b.reduction, t.reduction);
        ck_assert_double_le(largest_difference(&t, &b), f.bound * (1 + 1e-12));
        basis_free(&b);
    }
}
END_TEST

static cgct_status read_no_odd_row(void *self, size_t i, double *value, double *scale,
                                   cgct_err *err)
{
    if (i % 2) return cgct_fail(err, CGCT_E_IO, "row %zu", i);
    return read_family(self, i, value, scale, err);
}

/* Of the rows that cannot be read the first is named. */
START_TEST(failing_rows)
{
    family f = {.rank = 5, .bound = 1e-5, .columns = WIDE};
    basis b;
    basis_task t = task_of(&f, FEW);
    t.read = read_no_odd_row;
    omp_set_num_threads(4);
    for (t.reduce = 0; t.reduce < 2; t.reduce++) {
        cgct_err err = {""};
        ck_assert_int_eq(basis_make(&t, &b, &err), CGCT_E_IO);
        ck_assert_str_eq(err.text, "row 1");
        basis_free(&b);
    }
}
END_TEST

START_TEST(no_reduction)
{
    family f = {.rank = 5, .bound = 1e-5};
    basis b;
    basis_task t = task_of(&f, 7);
    t.reduce = 0;
    make(&t, &b);
    ck_assert_uint_eq(b.R, 7);
    for (size_t i = 0; i < 49; i++) ck_assert_double_eq(b.U[i], i / 7 == i % 7);
    ck_assert_double_le(largest_difference(&t, &b), f.bound * (1 + 1e-12));
    basis_free(&b);
}
END_TEST

START_TEST(too_fine)
{
    family f = {.rank = 5, .bound = 1e-10};
    basis b;
    cgct_err err = {""};
    basis_task t = task_of(&f, 7);
    for (t.reduce = 0; t.reduce < 2; t.reduce++) {
        ck_assert_int_eq(basis_make(&t, &b, &err), CGCT_E_CONFIG);
        ck_assert_ptr_nonnull(strstr(err.text, "raise output.bound"));
        basis_free(&b);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("basis");
    TCase *t = tcase_create("basis");
    tcase_add_test(t, known_rank);
    tcase_add_test(t, least_rank);
    tcase_add_test(t, noise);
    tcase_add_test(t, outliers);
    tcase_add_test(t, batches);
    tcase_add_test(t, few_rows);
    tcase_add_test(t, same_again);
    tcase_add_test(t, stripes);
    tcase_add_test(t, failing_rows);
    tcase_add_test(t, no_reduction);
    tcase_add_test(t, too_fine);
    suite_add_tcase(s, t);
    return run_suite(s) ? EXIT_FAILURE : EXIT_SUCCESS;
}
