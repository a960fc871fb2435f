/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of sixteen columns against plain loops, of every size about the number of registers. */
#include <stdlib.h>

#include "three/plan.h"
#include "check_rel.h"
#include "run_suite.h"

enum { MOST = 40, LD = THREE_COLUMNS + 3, COUNT = 3 };
#define TOL_SUM 1e-13 /* of forty terms below 1 */

static double A[COUNT * MOST * MOST], B[MOST * COUNT * THREE_COLUMNS], C[COUNT * MOST * LD];

static void fill(size_t n, double *v, unsigned seed)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        v[i] = (double)(seed >> 8) / (1 << 23) - 1;
    }
}

/* c[i][x] of A (m, k), row length MOST, and B (k, 16), row length ldb, added to `before` */
static double plain(size_t i, size_t x, size_t k, const double *a, const double *b, size_t ldb,
                    double before)
{
    double sum = before;
    for (size_t j = 0; j < k; j++) sum += a[i * MOST + j] * b[j * ldb + x];
    return sum;
}

START_TEST(one_product)
{
    static double before[COUNT * MOST * LD];
    fill(sizeof A / sizeof *A, A, 1);
    fill(sizeof B / sizeof *B, B, 2);
    fill(sizeof C / sizeof *C, before, 3);
    for (size_t m = 0; m <= MOST; m++)
        for (size_t k = 0; k <= MOST; k += k < 4 ? 1 : 9) {
            for (size_t i = 0; i < COUNT * MOST * LD; i++) C[i] = before[i];
            const three_tile_product p = {.count = 1,
                                          .m = m,
                                          .k = k,
                                          .add = _i,
                                          .A = A,
                                          .B = B,
                                          .C = C,
                                          .lda = MOST,
                                          .ldb = THREE_COLUMNS,
                                          .ldc = LD};
            three_tile_multiply(&p);
            for (size_t i = 0; i < MOST; i++)
                for (size_t x = 0; x < LD; x++) {
                    double was = before[i * LD + x];
                    int inside = i < m && x < THREE_COLUMNS;
                    double want = inside ? plain(i, x, k, A, B, THREE_COLUMNS, _i ? was : 0) : was;
                    CHECK_ABS(C[i * LD + x], want, inside ? TOL_SUM : 0);
                }
        }
}
END_TEST

START_TEST(several_products)
{
    static double before[COUNT * MOST * LD];
    size_t ldb = COUNT * THREE_COLUMNS, stepA = MOST * MOST, stepC = MOST * THREE_COLUMNS;
    fill(sizeof A / sizeof *A, A, 4);
    fill(sizeof B / sizeof *B, B, 5);
    fill(sizeof C / sizeof *C, before, 6);
    for (size_t m = 1; m <= 5; m++)
        for (size_t k = 1; k <= MOST; k += 13) {
            for (size_t i = 0; i < COUNT * MOST * LD; i++) C[i] = before[i];
            const three_tile_product p = {.count = COUNT,
                                          .m = m,
                                          .k = k,
                                          .add = _i,
                                          .A = A,
                                          .B = B,
                                          .C = C,
                                          .lda = MOST,
                                          .ldb = ldb,
                                          .ldc = THREE_COLUMNS,
                                          .stepA = stepA,
                                          .stepC = stepC};
            three_tile_multiply(&p);
            for (size_t ip = 0; ip < COUNT; ip++)
                for (size_t i = 0; i < m; i++)
                    for (size_t x = 0; x < THREE_COLUMNS; x++) {
                        size_t at = ip * stepC + i * THREE_COLUMNS + x;
                        double want = plain(i, x, k, A + ip * stepA, B + ip * THREE_COLUMNS, ldb,
                                            _i ? before[at] : 0);
                        CHECK_ABS(C[at], want, TOL_SUM);
                    }
        }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("three_product");
    TCase *t = tcase_create("three_product");
    tcase_add_loop_test(t, one_product, 0, 2);
    tcase_add_loop_test(t, several_products, 0, 2);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
