/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The archive of inner tables: round trip, bounds, damage; its transform against node_point. */
#include "format/inner_archive.h"
#include "node/hankel.h"
#include "chain.h"
#include "check_rel.h"
#include "run_suite.h"
#include "reader/cgctab.h"

#include <unistd.h>

/* The same numbers by the same route, but in products with another number of rows: where I falls by
 * decades with q and k1, their rounding shows.  Of the value at k1 = 0 and the same q and angle. */
#define TOL_SAME 1e-10
#define TOL_WHOLE 1e-4 /* an archive of a process holds single scattering, a node does not */
#define TOL_SINGLE                                                                                 \
    1e-11 /* sigma(q) is interpolated; where single scattering and the rest cancel, of the former  \
           */

static char path[] = "/tmp/cgct_archive_XXXXXX";

static void make_path(void)
{
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

static void remove_path(void)
{
    unlink(path);
    strcpy(path + sizeof path - 7, "XXXXXX");
}

/* ---- one block ---- */

enum { ROWS = 7, COLUMNS = 50 };

/* Shapes that differ in sign, size and smoothness; 3: nothing but zeros. */
static void fill(double *v, int shape, uint64_t *seed)
{
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < COLUMNS; i++) {
            double x = 0.1 * i;
            double f[] = {exp(-x) * cos(x + r),
                          chain_random(seed) - 0.5,
                          pow(10, 40 * chain_random(seed) - 20),
                          0,
                          -1e300 * exp(-40 * x),
                          5e-324};
            v[r * COLUMNS + i] = f[shape];
        }
}

START_TEST(block)
{
    double v[ROWS * COLUMNS], back[ROWS * COLUMNS], most = 0;
    static const double bound[] = {0, 1e-3, 1e-9, 1e-14};
    uint64_t seed = 3;
    cgct_err err = {""};
    fill(v, _i, &seed);
    for (int i = 0; i < ROWS * COLUMNS; i++) most = fmax(most, fabs(v[i]));
    for (int k = 0; k < 4; k++) {
        cgct_inner_block b;
        double step = 2 * bound[k] * most;
        cgct_status st = cgct_inner_pack(ROWS, COLUMNS, v, step, &b, &err);
        ck_assert_msg(st == CGCT_OK, "%s", err.text);
        ck_assert(cgct_inner_unpack(&b, ROWS, COLUMNS, back, &err) == CGCT_OK);
        if (b.step == 0) ck_assert(!memcmp(v, back, sizeof v));
        for (int i = 0; i < ROWS * COLUMNS; i++)
            ck_assert_double_le(fabs(v[i] - back[i]), 1.01 * bound[k] * most);
        ck_assert_int_eq(cgct_inner_unpack(&b, ROWS, COLUMNS + 1, back, &err), CGCT_E_FORMAT);
        cgct_inner_block_free(&b);
    }
}
END_TEST

START_TEST(block_refuses)
{
    double v[4] = {1, NAN, 2, 3};
    cgct_inner_block b;
    cgct_err err = {""};
    ck_assert_int_eq(cgct_inner_pack(2, 2, v, 0, &b, &err), CGCT_E_DOMAIN);
    ck_assert_msg(strstr(err.text, "value 1"), "%s", err.text);
    v[1] = 1e30;
    ck_assert_int_eq(cgct_inner_pack(2, 2, v, 1e-9, &b, &err), CGCT_E_DOMAIN);
    ck_assert_ptr_null(b.frame);
}
END_TEST

/* ---- files ---- */

static void build(archive *a, const char *name, const char *settings, double q_max, double k_max)
{
    config card;
    dipole_source *s = chain_source(name);
    cgct_err err = {""};
    chain_card(&card, settings);
    archive_task task = {&card.run.node.inner, s, 0.01, 1, q_max, k_max, NULL};
    ck_assert_msg(archive_build(a, &task, &err) == CGCT_OK, "%s", err.text);
    dipole_source_close(s);
    config_free(&card);
}

#define SMALL                                                                                      \
    "inner.delta_grid=uniform inner.delta_n=9 inner.r_grid=uniform inner.r_n=11 inner.modes=4"

static void save(archive *a, double bound)
{
    archive_save_opts o = {"generator", "dipole", "backend", "card\nof two lines", bound};
    cgct_err err = {""};
    ck_assert_msg(archive_save(a, path, &o, &err) == CGCT_OK, "%s", err.text);
}

START_TEST(round_trip)
{
    archive a, b;
    cgct_err err = {""};
    build(&a, _i & 1 ? "mv" : "gbw", _i & 2 ? SMALL " inner.lam=0" : SMALL, 2, 3);
    double bound = _i & 4 ? 1e-9 : 0;
    make_path();
    save(&a, bound);
    ck_assert_msg(archive_load(&b, path, &err) == CGCT_OK, "%s", err.text);
    const inner_table *t = &a.table, *u = &b.table;
    size_t n = t->nm * t->nd * t->nr;
    ck_assert(t->nm == u->nm && t->nd == u->nd && t->nr == u->nr && t->lam == u->lam);
    ck_assert(!memcmp(t->m, u->m, t->nm * sizeof *t->m) &&
              !memcmp(t->delta, u->delta, t->nd * sizeof *t->delta) &&
              !memcmp(t->r, u->r, t->nr * sizeof *t->r) && !memcmp(a.P, b.P, a.np * sizeof *a.P));
    ck_assert(a.single.nk == b.single.nk && a.tail_terms == b.tail_terms && a.degree == b.degree);
    for (size_t pol = 0; pol < NPOL; pol++)
        for (size_t i = 0; i < n; i++)
            ck_assert_double_le(fabs(t->g[pol * n + i] - u->g[pol * n + i]), b.measured[pol]);
    for (int pol = 0; pol < NPOL; pol++)
        ck_assert_double_le(b.measured[pol], bound * b.largest[pol]);
    archive_free(&a);
    archive_free(&b);
    remove_path();
}
END_TEST

static size_t read_file(unsigned char **bytes)
{
    FILE *f = fopen(path, "rb");
    ck_assert_ptr_nonnull(f);
    fseek(f, 0, SEEK_END);
    size_t n = (size_t)ftell(f);
    rewind(f);
    *bytes = malloc(n);
    ck_assert(*bytes && fread(*bytes, 1, n, f) == n);
    fclose(f);
    return n;
}

static void write_file(const unsigned char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    ck_assert(f && fwrite(bytes, 1, n, f) == n);
    fclose(f);
}

/* Bytes changed (all of them under make check-long), and every length: a named error, or (padding)
 * the same numbers. */
START_TEST(damage)
{
    archive a, b;
    unsigned char *bytes;
    build(&a, "gbw", SMALL, 2, 3);
    make_path();
    save(&a, _i ? 1e-6 : 0);
    size_t n = read_file(&bytes), harmless = 0,
           entries = NPOL * a.table.nm * a.table.nd * a.table.nr;
    archive first;
    ck_assert(archive_load(&first, path, NULL) == CGCT_OK);
    size_t step = chain_long() ? 1 : 7;
    for (size_t i = 0; i < n; i += i < 256 ? 1 : step) {
        cgct_err err = {""};
        bytes[i] ^= 0x41;
        write_file(bytes, n);
        bytes[i] ^= 0x41;
        cgct_status st = archive_load(&b, path, &err);
        if (st == CGCT_OK) {
            ck_assert(!memcmp(b.table.g, first.table.g, entries * sizeof *b.table.g));
            archive_free(&b);
            harmless++;
            continue;
        }
        ck_assert_msg(st == CGCT_E_FORMAT || st == CGCT_E_VERSION || st == CGCT_E_CHECKSUM,
                      "byte %zu: status %d", i, st);
        ck_assert_msg(!strncmp(err.text, path, strlen(path)), "byte %zu: %s", i, err.text);
        ck_assert_ptr_null(b.table.g);
    }
    ck_assert_uint_le(harmless, 8 * (3 + NPOL * a.table.nm)); /* gaps of up to 7 bytes */
    for (size_t i = 0; i < n; i += 1 + n / 199) {
        write_file(bytes, i);
        ck_assert_int_ne(archive_load(&b, path, NULL), CGCT_OK);
    }
    free(bytes);
    archive_free(&a);
    archive_free(&first);
    remove_path();
}
END_TEST

START_TEST(empty_axis)
{
    archive a, b;
    cgct_err err = {""};
    build(&a, "gbw", SMALL, 2, 3);
    a.np = 0;
    make_path();
    save(&a, 0);
    ck_assert_int_eq(archive_load(&b, path, &err), CGCT_E_FORMAT);
    ck_assert_msg(strstr(err.text, "array 'P' is empty"), "%s", err.text);
    archive_free(&a);
    remove_path();
}
END_TEST

/* Each reader names what the other kind is. */
START_TEST(kinds)
{
    archive a;
    cgct_table *table;
    cgct_err err = {""};
    ck_assert_int_eq(archive_load(&a, TESTS_DIR "/golden/small.cgct", &err), CGCT_E_VERSION);
    ck_assert_msg(strstr(err.text, "a table of the cross section"), "%s", err.text);
    build(&a, "gbw", SMALL, 2, 3);
    make_path();
    save(&a, 0);
    ck_assert_int_eq(cgct_open(path, &table, &err), CGCT_E_VERSION);
    ck_assert_msg(strstr(err.text, "holds no table, but something of kind 2"), "%s", err.text);
    archive_free(&a);
    remove_path();
    ck_assert_int_eq(archive_load(&a, "/no/such.cgci", &err), CGCT_E_IO);
}
END_TEST

/* ---- the transform ---- */

START_TEST(equals_point)
{
    static const double q[] = {0.3, 0.7, 1.9, 3}, k1[] = {0, 0.5, 2.2, 6}, theta[] = {0, 1, 2.5};
    static const char *const names[] = {"gbw", "mv", "mv:qg", "mv:gg"};
    const char *name = names[_i], *settings = _i > 0 ? "accuracy.tolerance=1e-4" : "";
    archive a, b;
    stored_modes t;
    cgct_err err = {""};
    node_report report;
    build(&a, name, settings, 3, 6);
    make_path();
    save(&a, 0);
    ck_assert_msg(archive_load(&b, path, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(stored_modes_init(&t, &b, 4, q, &err) == CGCT_OK, "%s", err.text);
    dipole_source *s = chain_source(name);
    node_tables *p = chain_node(s, settings, 0.01, 1, 4, q, 6, &report);
    double worst = 0, largest[3][NPOL];
    for (size_t iq = 0; iq < 4; iq++)
        for (int ik = 0; ik < 4; ik++)
            for (int it = 0; it < 3; it++) {
                double got[NPOL], error[NPOL], want[NPOL], bound[NPOL];
                ck_assert(stored_modes_point(&t, iq, k1[ik], theta[it], got, error, &err) ==
                          CGCT_OK);
                ck_assert(node_point(p, iq, k1[ik], theta[it], want, bound, &err) == CGCT_OK);
                if (!ik) memcpy(largest[it], want, sizeof want);
                for (int pol = 0; pol < NPOL; pol++) {
                    double e = fabs(got[pol] - want[pol]) / (_i ? want : largest[it])[pol];
                    worst = larger_error(worst, fabs(e));
                    ck_assert(error[pol] > 0 && isfinite(error[pol]));
                }
            }
    printf("%s: transform and point differ by %.1e\n", name, worst);
    ck_assert_double_le(worst, _i == 0 ? TOL_SAME : _i == 1 ? TOL_SINGLE : TOL_WHOLE);
    node_tables_free(p);
    dipole_source_close(s);
    stored_modes_free(&t);
    archive_free(&a);
    archive_free(&b);
    remove_path();
}
END_TEST

/* The error column covers what a lossy file loses. */
START_TEST(lossy_error)
{
    static const double q[] = {0.4, 1.1, 2}, k1[] = {0.3, 1, 3};
    archive a, b;
    stored_modes t, u, none;
    cgct_err err = {""};
    size_t low = 0, n = 0;
    build(&a, "gbw", "", 2, 3);
    make_path();
    save(&a, 1e-8);
    ck_assert(archive_load(&b, path, &err) == CGCT_OK);
    a.measured[POL_T] = a.measured[POL_L] = 0; /* of the table before it was rounded */
    ck_assert(stored_modes_init(&t, &a, 3, q, &err) == CGCT_OK);
    ck_assert(stored_modes_init(&u, &b, 3, q, &err) == CGCT_OK);
    for (size_t iq = 0; iq < 3; iq++)
        for (int ik = 0; ik < 3; ik++) {
            double want[NPOL], got[NPOL], error[NPOL], e0[NPOL];
            ck_assert(stored_modes_point(&t, iq, k1[ik], 1, want, e0, &err) == CGCT_OK);
            ck_assert(stored_modes_point(&u, iq, k1[ik], 1, got, error, &err) == CGCT_OK);
            for (int pol = 0; pol < NPOL; pol++, n++)
                low += !(fabs(got[pol] - want[pol]) <= error[pol] - e0[pol]);
        }
    ck_assert_msg(low <= n / 6, "%zu of %zu errors above their estimate", low, n);
    ck_assert_int_eq(stored_modes_init(&none, &b, 1, (double[]){2.1}, &err), CGCT_E_RANGE);
    ck_assert_int_eq(stored_modes_point(&u, 0, 3.1, 0, (double[2]){0}, (double[2]){0}, &err),
                     CGCT_E_RANGE);
    stored_modes_free(&t);
    stored_modes_free(&u);
    archive_free(&a);
    archive_free(&b);
    remove_path();
}
END_TEST

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* a failing test ends its process */
    Suite *s = suite_create("archive");
    TCase *t = tcase_create("archive");
    tcase_add_loop_test(t, block, 0, 6);
    tcase_add_test(t, block_refuses);
    tcase_add_loop_test(t, round_trip, 0, 8);
    tcase_add_loop_test(t, damage, 0, 2);
    tcase_add_test(t, empty_axis);
    tcase_add_test(t, kinds);
    tcase_add_loop_test(t, equals_point, 0, 4);
    tcase_add_test(t, lossy_error);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
