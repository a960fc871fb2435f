/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes as they are stored: cgct_node_sizes, cgct_node_checksum, cgct_node_read, for every
 * encoding. */
#include "run_suite.h"
#include "table_folder.h"
#include "reader/cgctab.h"

enum { NQ = 3, NK = 2, NM = 5 };
#define BOUND 1e-5

static double mode(int pol, size_t m, const double at[4], const void *arg)
{
    (void)arg;
    double size = at[1] / (at[0] + at[2] * at[3]) / (pol ? 3 : 1);
    return size * pow(-0.3, (double)m);
}

/* At q = 4, k = 8 of T the mean is negative: flagged. */
static double flagged_mode(int pol, size_t m, const double at[4], const void *arg)
{
    double v = mode(pol, m, at, arg);
    return !pol && at[2] == 4 && at[3] == 8 && m == 0 ? -v : v;
}

static fixture make_fixture(fixture_mode f, double bound)
{
    return (fixture){.n = {1, 2, NQ, NK},
                     .v = {{0.01}, {1, 2}, {1, 2, 4}, {2, 8}},
                     .nm = NM,
                     .error = 1e-4,
                     .level = 3,
                     .bound = bound,
                     .mode = f};
}

/* Every number of both nodes is the fixture's, to tol times I_0. */
static void holds(const cgct_table *t, const fixture *f, double tol)
{
    cgct_node_data d;
    cgct_err err;
    for (size_t ie = 0; ie < 2; ie++) {
        ck_assert_msg(cgct_node_read(t, 0, ie, &d, &err) == CGCT_OK, "%s", err.text);
        ck_assert(d.nq == NQ && d.nk == NK && d.nm == NM);
        for (size_t i = 0; i < 2 * NQ * NK; i++) {
            int pol = i >= NQ * NK;
            const double at[4] = {0.01, f->v[1][ie], f->v[2][i % (NQ * NK) / NK], f->v[3][i % NK]};
            double largest = fabs(f->mode(pol, 0, at, NULL));
            for (size_t m = 0; m < NM; m++) {
                double want = f->mode(pol, m, at, NULL), got = d.modes[i * NM + m];
                ck_assert_msg(fabs(got - want) <= tol * largest, "%g, want %g", got, want);
            }
            /* encoding 5 rounds the bound up to a quarter of an octave */
            ck_assert(d.error[i] >= 1e-4 * (1 - 1e-6) && d.error[i] < 1.2 * 1e-4);
            ck_assert_int_eq(d.flag[i], f->mode(pol, 0, at, NULL) <= 0);
        }
        cgct_node_free(&d);
        ck_assert(!d.modes && !d.error && !d.flag);
    }
}

/* The same table packed, and unpacked. */
static void all_ways(const fixture *f, double tol, double tol_unpacked)
{
    cgct_table *t, *index;
    cgct_err err;
    cgct_node_data d;
    char unpacked[PATH_SIZE];
    t = open_fixture(f);
    holds(t, f, tol);
    ck_assert_int_eq(cgct_open_index(table, &index, &err), CGCT_OK);
    holds(index, f, tol);
    cgct_close(index);
    path_in(folder, "u.cgct", unpacked);
    ck_assert_int_eq(cgct_unpack(t, unpacked, &err), CGCT_OK);
    cgct_close(t);
    ck_assert_int_eq(cgct_open(unpacked, &t, &err), CGCT_OK);
    holds(t, f, tol_unpacked);
    cgct_close(t);
    ck_assert_int_eq(cgct_open_index(unpacked, &t, &err), CGCT_OK);
    ck_assert_int_eq(cgct_node_checksum(t, 0, 1, &err), CGCT_OK);
    ck_assert_int_eq(cgct_node_read(t, 0, 0, &d, &err), CGCT_E_USAGE);
    ck_assert_msg(strstr(err.text, "open it with cgct_open") && !d.modes, "%s", err.text);
    cgct_close(t);
}

START_TEST(numbers)
{
    const fixture whole = make_fixture(mode, 0), rounded = make_fixture(mode, BOUND);
    const fixture flagged = make_fixture(flagged_mode, 0);
    all_ways(&whole, 1e-15, 1e-14);
    all_ways(&rounded, 2 * BOUND, 2 * BOUND);
    all_ways(&flagged, 1e-15, 1e-14);
}
END_TEST

START_TEST(sizes_and_checksums)
{
    const fixture f = make_fixture(mode, 0);
    cgct_table *t = open_fixture(&f);
    cgct_node_info info;
    cgct_info all;
    double stored = 0, raw = 0;
    for (size_t ie = 0; ie < 2; ie++) {
        ck_assert_int_eq(cgct_node_sizes(t, 0, ie, &info), CGCT_OK);
        ck_assert_int_eq(cgct_node_checksum(t, 0, ie, NULL), CGCT_OK);
        ck_assert_uint_eq(info.modes, NM);
        stored += info.stored_bytes;
        raw += info.raw_bytes;
    }
    ck_assert_int_eq(cgct_table_info(t, &all), CGCT_OK);
    ck_assert(all.stored_bytes == stored && all.raw_bytes == raw);
    cgct_close(t);
}
END_TEST

START_TEST(refusals)
{
    const fixture f = make_fixture(mode, 0);
    cgct_table *t = open_fixture(&f);
    cgct_node_info info;
    cgct_node_data d;
    cgct_err err;
    ck_assert_int_eq(cgct_node_sizes(NULL, 0, 0, &info), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_node_sizes(t, 0, 0, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_node_sizes(t, 1, 0, &info), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_node_checksum(NULL, 0, 0, &err), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_node_checksum(t, 0, 2, &err), CGCT_E_USAGE);
    ck_assert_msg(strstr(err.text, "node (0,2) of 1 x 2") != NULL, "%s", err.text);
    ck_assert_int_eq(cgct_node_read(t, 0, 2, &d, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_node_read(NULL, 0, 0, &d, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_node_read(t, 0, 0, NULL, NULL), CGCT_E_USAGE);
    cgct_node_free(NULL);
    remove(table);
    ck_assert_int_eq(cgct_node_read(t, 0, 0, &d, &err), CGCT_E_IO);
    ck_assert_int_eq(cgct_node_checksum(t, 0, 0, &err), CGCT_E_IO);
    cgct_close(t);
}
END_TEST

START_TEST(damage)
{
    const fixture f = make_fixture(mode, 0);
    cgct_table *t = open_fixture(&f);
    cgct_node_data d;
    cgct_err err;
    size_t n;
    uint8_t *bytes = slurp(table, &n);
    uint64_t index = cgct_get_u64(bytes + CGCT_AT_INDEX);
    bytes[cgct_get_u64(bytes + index) + 9] ^= 4;
    spill(table, bytes, n);
    free(bytes);
    ck_assert_int_eq(cgct_node_checksum(t, 0, 0, &err), CGCT_E_CHECKSUM);
    ck_assert_msg(strstr(err.text, "node x = 0.01, eps = 1: frame damaged") != NULL, "%s",
                  err.text);
    ck_assert_int_eq(cgct_node_read(t, 0, 0, &d, &err), CGCT_E_CHECKSUM);
    ck_assert_int_eq(cgct_node_checksum(t, 0, 1, &err), CGCT_OK);
    cgct_close(t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("look");
    TCase *c = tcase_create("look");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, numbers);
    tcase_add_test(c, sizes_and_checksums);
    tcase_add_test(c, refusals);
    tcase_add_test(c, damage);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
