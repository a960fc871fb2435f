/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds from fields whose interpolation error is known: polynomials, and one power more. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/bounds.h"
#include "run/checks.h"
#include "run_suite.h"
#include "larger_error.h"

enum { NQ = 9, NL = 12, NU = 8, NK = NL + NU, NM = 3, PLANE = NQ * NK, FIELDS = NPOL * NM * PLANE };
enum { BLOCKS_MAX = 96 };

static double q_of(size_t i)
{
    return exp(0.1 * (double)i);
}

static bounds_shape shape_of(node_grid *g, double *q)
{
    for (size_t i = 0; i < NQ; i++) q[i] = q_of(i);
    *g = (node_grid){.nq = NQ, .nl = NL, .nu = NU, .q = q, .k0 = 0.1, .k_max = 10};
    return bounds_shape_of(g, NM, 0, 4, 4);
}

/* l = a u^n + b v^n in units of the nodes, r_1 = 1/2, r_2 = 0. */
static void fill(double *value, int n, double a, double b)
{
    for (size_t c = 0; c < FIELDS; c++) {
        size_t m = c / PLANE % NM, j = c % NK, v = j < NL ? j : j - NL, iq = c / NK % NQ;
        value[c] = m == 0 ? a * pow((double)iq, n) + b * pow((double)v, n) : m == 1 ? 0.5 : 0;
    }
}

static void interpolate(const bounds_shape *s, const double *value, double *in_q, double *in_v)
{
    ck_assert_uint_eq(bounds_blocks(s), NPOL * s->bq * (s->bl + s->bu));
    ck_assert_uint_le(bounds_blocks(s), BLOCKS_MAX);
    for (size_t i = 0; i < BLOCKS_MAX; i++) in_q[i] = in_v[i] = 0;
    bounds_interpolate(s, value, value, in_q, in_v);
}

START_TEST(cubics_leave_nothing)
{
    static double value[FIELDS];
    double q[NQ], in_q[BLOCKS_MAX], in_v[BLOCKS_MAX];
    node_grid g;
    const bounds_shape s = shape_of(&g, q);
    fill(value, 3, 1e-2, 1e-2);
    interpolate(&s, value, in_q, in_v);
    for (size_t i = 0; i < bounds_blocks(&s); i++) {
        ck_assert_double_le(in_q[i], 1e-11);
        ck_assert_double_le(in_v[i], 1e-11);
    }
}
END_TEST

/* The cubic through four nodes is off by the product of the distances from them, where the
 * polynomial through six is exact: 9/16 in the middle of inner cells, 15/16 in the cells at the
 * ends.  */
START_TEST(quartics_leave_their_remainder)
{
    static double value[FIELDS];
    double q[NQ], in_q[BLOCKS_MAX], in_v[BLOCKS_MAX], a = 1e-7, b = 2e-7;
    node_grid g;
    const bounds_shape s = shape_of(&g, q);
    /* dl I over (2 I + e^l)/3 grows with I = e^l (1 + t/2), up to the last angle */
    const double most = 1 + 0.5 * cos(acos(-1) / 2 / NODE_ANGLES);
    const double share = 3 * most / (2 * most + 1);
    fill(value, 4, a, b);
    interpolate(&s, value, in_q, in_v);
    for (size_t i = 0; i < bounds_blocks(&s); i++) {
        size_t iq = i / (s.bl + s.bu) % s.bq, j = i % (s.bl + s.bu);
        int q_end = iq == 0 || iq == s.bq - 1;
        int v_end = j == 0 || j == s.bl - 1 || j == s.bl || j == s.bl + s.bu - 1;
        ck_assert_double_eq_tol(in_q[i], share * a * (q_end ? 15 : 9) / 16, 1e-4 * a);
        ck_assert_double_eq_tol(in_v[i], share * b * (v_end ? 15 : 9) / 16, 1e-4 * b);
    }
}
END_TEST

/* e^l (1 + Sum r_m T_m) at the angles before and after, with either sign of the mean or not: the
 * bound holds at all of them, and at one it is the change. */
START_TEST(changes_of_values)
{
    static double value[FIELDS], changed[FIELDS], point[NPOL * PLANE];
    double q[NQ];
    node_grid g;
    bounds_shape s = shape_of(&g, q);
    s.either_sign = _i;
    for (size_t c = 0; c < FIELDS; c++) {
        value[c] = sin(1.3 * (double)c);
        changed[c] = value[c] + 0.2 * cos(2.7 * (double)c);
    }
    bounds_change(&s, value, changed, point);
    for (size_t i = 0; i < NPOL * PLANE; i++) {
        const double *a = value + i / PLANE * NM * PLANE + i % PLANE, *b = changed + (a - value);
        double most = 0;
        for (int n = 0; n < NODE_ANGLES; n++) {
            const double t = cos(acos(-1) * (n + 0.5) / NODE_ANGLES);
            const double T1 = _i ? 1 : t, T2 = _i ? t : 2 * t * t - 1;
            const double before = 1 + a[PLANE] * T1 + a[2 * PLANE] * T2;
            const double after = exp(b[0] - a[0]) * (1 + b[PLANE] * T1 + b[2 * PLANE] * T2);
            most = larger_error(most, 3 * fabs(after - before) / (2 * fabs(before) + 1));
        }
        ck_assert_double_eq_tol(most, point[i], 1e-12 * most);
    }
    value[PLANE] = NAN;
    bounds_change(&s, value, changed, point);
    ck_assert(isnan(point[0]));
}
END_TEST

/* A point reaches the blocks of all cells that it is a corner of, and no others. */
START_TEST(corners)
{
    static double point[NPOL * PLANE];
    double q[NQ], block[BLOCKS_MAX];
    node_grid g;
    const bounds_shape s = shape_of(&g, q);
    ck_assert_uint_eq(s.bq, 4);
    ck_assert_uint_eq(s.bl, 6);
    ck_assert_uint_eq(s.bu, 4);
    for (size_t at = 0; at < NPOL * PLANE; at++) {
        memset(point, 0, sizeof point);
        memset(block, 0, sizeof block);
        point[at] = 1;
        bounds_raise(&s, point, block);
        for (size_t i = 0; i < bounds_blocks(&s); i++) {
            size_t b = s.bl + s.bu, j = at % NK, iq = at / NK % NQ, jb = i % b, n, first, want = 0;
            int upper = jb >= s.bl;
            n = upper ? NU : NL;
            first = upper ? NL : 0;
            for (size_t cq = 0; cq + 1 < NQ; cq++)
                for (size_t ck = 0; ck + 1 < n; ck++)
                    want |= (cq == iq || cq + 1 == iq) &&
                            (first + ck == j || first + ck + 1 == j) &&
                            cq * s.bq / (NQ - 1) == i / b % s.bq &&
                            ck * (upper ? s.bu : s.bl) / (n - 1) == jb - (upper ? s.bl : 0);
            want &= at / PLANE == i / b / s.bq;
            ck_assert_double_eq(block[i], (double)want);
        }
    }
}
END_TEST

/* Polynomials of one degree less than the nodes allow are lost by nothing; the next power by the
 * product of its distances from the nodes that stay. */
START_TEST(nodes_left_out)
{
    double node[6], w[6];
    for (size_t i = 0; i < 6; i++) node[i] = pow((double)i, 1.9) / 10;
    for (size_t cell = 0; cell < 5; cell++) {
        double y = 0.5 * (node[cell] + node[cell + 1]), far = 0, want = 1, got = 0, sum = 0;
        bounds_leave_out(6, node, 32, cell, w);
        for (size_t i = 0; i < 6; i++) far = fmax(far, fabs(y - node[i]));
        for (size_t i = 0; i < 6; i++) {
            double d = y - node[i];
            if (fabs(d) < far) want *= d;
            sum += w[i] * pow(node[i], 4);
            got += w[i] * pow(node[i], 5);
        }
        ck_assert_double_eq_tol(sum, 0, 1e-12);
        ck_assert_double_eq_tol(got, want, 1e-11); /* y^5 less the polynomial through five nodes */
    }
    bounds_leave_out(6, node, 4, 0, w);
    ck_assert_double_eq(w[4], 0);
    ck_assert_double_ne(w[3], 0);
}
END_TEST

/* In the middle of two nodes weights are 1/2, which is less than 1; in the middle of the first cell
 * of six evenly spaced nodes 63, 315, -210, 126, -45 and 7, over 256: the largest of all cells,
 * which a seventh and eighth node leave as they are. */
START_TEST(weights)
{
    double node[8];
    for (size_t i = 0; i < 8; i++) node[i] = 3 + 0.5 * (double)i;
    const double want = sqrt(63 * 63 + 315 * 315 + 210 * 210 + 126 * 126 + 45 * 45 + 49) / 256;
    ck_assert_double_eq(bounds_weight(1, node, 6), 1);
    ck_assert_double_eq(bounds_weight(2, node, 6), 1);
    ck_assert_double_eq_tol(bounds_weight(6, node, 6), want, 1e-13);
    ck_assert_double_eq_tol(bounds_weight(8, node, 6), want, 1e-13);
}
END_TEST

/* The two coarse nodes beside a place are around one of the two nodes of the table beside it,
 * whichever axis has more nodes; where both axes are the same, those two alone. */
START_TEST(coarse_nodes_around)
{
    double few[] = {1, 1.9, 2, 4}, many[] = {1, 1.05, 1.3, 1.5, 2, 2.1, 2.5, 3, 3.9, 4};
    const grid_axis axis[] = {{.n = 4, .v = few}, {.n = 10, .v = many}};
    for (int k = 0; k < 4; k++) {
        const grid_axis *coarse = &axis[k / 2], *table = &axis[k % 2];
        for (double v = 1; v < 4; v += 0.01) {
            const size_t at = grid_cell_of(table->n, table->v, v);
            const size_t beside = grid_cell_of(coarse->n, coarse->v, v);
            for (size_t i = beside; i < beside + 2; i++)
                ck_assert_msg(bounds_is_around(coarse, coarse->n, i, table, table->n, at) ||
                                  bounds_is_around(coarse, coarse->n, i, table, table->n, at + 1),
                              "axes %d, at %g: node %zu", k, v, i);
        }
    }
    for (size_t at = 0; at + 1 < 10; at++)
        for (size_t i = 0; i < 10; i++)
            ck_assert_int_eq(bounds_is_around(&axis[1], 10, i, &axis[1], 10, at),
                             i == at || i == at + 1);
    ck_assert(bounds_is_around(&axis[0], 1, 0, &axis[1], 1, 0));
}
END_TEST

/* A point in the middle of a cell lies in the region of the block that has the cell; the exchange
 * of k1 and k2 changes nothing; regions are many. */
START_TEST(regions)
{
    double q[NQ];
    node_grid g;
    const bounds_shape s = shape_of(&g, q);
    char seen[CHECKS_REGIONS] = {0};
    for (int pol = 0; pol < NPOL; pol++)
        for (size_t cell = 0; cell + 1 < NQ; cell++)
            for (size_t upper = 0; upper < 2; upper++) {
                const double Q = sqrt(q[cell] * q[cell + 1]), k = (upper ? 0.6 : 0.4) * Q;
                const double theta = upper ? acos(Q / 2 / k) + 0.3 : 0.7;
                const double other = sqrt(Q * Q + k * k - 2 * Q * k * cos(theta));
                const check_point p = {.at = {0.01, 1, Q, k, theta}};
                const check_point exchanged = {
                    .at = {0.01, 1, Q, other, atan2(k * sin(theta), Q - k * cos(theta))}};
                const size_t iq = (size_t)pol * s.bq + cell * s.bq / (NQ - 1);
                const size_t block = iq * (s.bl + s.bu) + (upper ? s.bl : 0);
                const size_t region = checks_region_of_block(&s, block);
                ck_assert_uint_lt(region, CHECKS_REGIONS);
                ck_assert_uint_eq(checks_region_of_point(&s, &p, pol), region);
                ck_assert_uint_eq(checks_region_of_point(&s, &exchanged, pol), region);
                ck_assert_uint_eq(checks_region_of_block(&s, block + (upper ? s.bu : s.bl) - 1),
                                  region);
                seen[region] = 1;
            }
    size_t n = 0;
    for (size_t i = 0; i < CHECKS_REGIONS; i++) n += (size_t)seen[i];
    ck_assert_uint_eq(n, NPOL * CHECKS_PATCHES * s.bq); /* fewer blocks than parts of the axis */
}
END_TEST

/* The factor of the region of `each` points at so many places: off by 0.4 of a part of the bound,
 * and the first `beyond` values by far more.  *other: that of a region without points. */
static double factor(size_t places, size_t each, size_t beyond, double *other)
{
    double q[NQ], factor[CHECKS_REGIONS];
    node_grid g;
    const bounds_shape s = shape_of(&g, q);
    const size_t n = places * each, size = 2 * NPOL * n;
    check_point *v = calloc(n + 1, sizeof *v);
    double *known = calloc(2 * size + 1, sizeof *known), *more = known + size;
    for (size_t i = 0; i < n; i++) {
        const double part = 1 + (double)(i % 7), error = 1e-5;
        v[i] = (check_point){.at = {0.01, 1 + (double)(i / each), q[0], q[0], 0.7},
                             .I = {1, 1},
                             .error = {error, error}};
        for (size_t at = i * 2 * NPOL; at < i * 2 * NPOL + NPOL; at++) {
            known[at + NPOL] = 0.25;
            more[at + NPOL] = part;
            known[at] = 1 + error + 0.25 + (i < beyond ? 1e3 : 0.4 * part);
        }
    }
    const check_set set = {n, v};
    checks_factors(&set, &s, known, more, 2, 0.25, factor);
    const size_t region = checks_region_of_point(&s, v, 0);
    *other = factor[CHECKS_REGIONS - 1 - region];
    const double found = factor[region];
    free(v);
    free(known);
    return found;
}

/* Three values in ten thousand may be beyond their bounds; few places allow no factor below 2. */
START_TEST(factors)
{
    double other;
    ck_assert_double_eq_tol(factor(32, 330, 3, &other), 0.4 * 1.09, 1e-12);
    ck_assert_double_eq(other, 2);
    ck_assert_double_eq(factor(32, 330, 4, &other), 32);
    ck_assert_double_eq(factor(31, 330, 0, &other), 2);
    ck_assert_double_eq(factor(0, 330, 0, &other), 2);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bounds");
    TCase *t = tcase_create("bounds");
    tcase_add_test(t, cubics_leave_nothing);
    tcase_add_test(t, quartics_leave_their_remainder);
    tcase_add_loop_test(t, changes_of_values, 0, 2);
    tcase_add_test(t, corners);
    tcase_add_test(t, nodes_left_out);
    tcase_add_test(t, weights);
    tcase_add_test(t, coarse_nodes_around);
    tcase_add_test(t, regions);
    tcase_add_test(t, factors);
    suite_add_tcase(s, t);
    return run_suite(s) ? EXIT_FAILURE : EXIT_SUCCESS;
}
