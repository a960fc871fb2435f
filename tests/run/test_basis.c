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

enum { PLANES = 6, POINTS = 50, COLUMNS = PLANES * POINTS };
enum { FEW = 40, MANY = 200 }; /* rows */

/* Sum of `rank` products, each a tenth of the one before, and noise that is nowhere above `noise`
 * times the scale of its column: 1, or in the last plane 1000.  In the first `outliers` rows a
 * number is off by 1.5 times the bound. */
typedef struct {
    size_t rank;
    double noise, bound;
    size_t outliers;
} family;

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return 2 * (double)(*state >> 11) * 0x1p-53 - 1;
}

static double scale_of(size_t c)
{
    return c / POINTS == PLANES - 1 ? 1000 : 1;
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
    for (size_t c = 0; c < COLUMNS; c++) {
        scale[c] = scale_of(c);
        value[c] = exact(f, i, c) + f->noise * f->bound * scale[c] * uniform(&state);
    }
    if (i < f->outliers) value[7 * i % POINTS] += 1.5 * f->bound;
    return CGCT_OK;
}

static basis_task task_of(family *f, size_t rows)
{
    return (basis_task){.rows = rows,
                        .planes = PLANES,
                        .points = POINTS,
                        .bound = f->bound,
                        .reduction = 0.1 * f->bound,
                        .reduce = 1,
                        .self = f,
                        .read = read_family};
}

/* Row i as the basis gives it, of COLUMNS numbers. */
static void combine_row(const basis *b, size_t i, double *got)
{
    double out[POINTS * (1 + MANY)];
    for (size_t p = 0; p < PLANES; p++) {
        basis_combine(b, POINTS, p * POINTS, POINTS, 1, b->U + i * b->R, out);
        memcpy(got + p * POINTS, out, POINTS * sizeof *got);
    }
}

/* Largest difference of rows and combinations, in units of scale. */
static double largest_difference(const basis_task *t, const basis *b)
{
    double value[COLUMNS], scale[COLUMNS], got[COLUMNS], worst = 0;
    for (size_t i = 0; i < t->rows; i++) {
        read_family(t->self, i, value, scale, NULL);
        combine_row(b, i, got);
        for (size_t c = 0; c < COLUMNS; c++)
            worst = fmax(worst, fabs(got[c] - value[c]) / scale[c]);
    }
    return worst;
}

/* How many numbers are off by more than the bound. */
static size_t count_outside(const basis_task *t, const basis *b)
{
    double value[COLUMNS], scale[COLUMNS], got[COLUMNS];
    size_t count = 0;
    for (size_t i = 0; i < t->rows; i++) {
        read_family(t->self, i, value, scale, NULL);
        combine_row(b, i, got);
        for (size_t c = 0; c < COLUMNS; c++)
            count += !(fabs(got[c] - value[c]) <= t->bound * scale[c] * (1 + 1e-12));
    }
    return count;
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

START_TEST(same_again)
{
    family f = {.rank = 5, .noise = 0.5, .bound = 1e-5};
    basis a, b;
    const basis_task t = task_of(&f, 150);
    make(&t, &a);
    omp_set_num_threads(3);
    make(&t, &b);
    ck_assert_uint_eq(a.R, b.R);
    ck_assert_double_eq(a.step, b.step);
    ck_assert_int_eq(memcmp(a.U, b.U, t.rows * a.R * sizeof *a.U), 0);
    ck_assert_int_eq(memcmp(a.V, b.V, COLUMNS * a.R * sizeof *a.V), 0);
    basis_free(&a);
    basis_free(&b);
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
    tcase_add_test(t, no_reduction);
    tcase_add_test(t, too_fine);
    suite_add_tcase(s, t);
    return run_suite(s) ? EXIT_FAILURE : EXIT_SUCCESS;
}
