/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_fixture.h: small tables for the tests of writer, reader and program, and files. */
#ifndef TABLE_FIXTURE_H
#define TABLE_FIXTURE_H
#include <dirent.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/table_writer.h"
#include "check_rel.h"

#ifndef TESTS_DIR
#define TESTS_DIR "tests"
#endif
/* refs/make_golden.py writes them. */
#define GOLDEN_SMALL TESTS_DIR "/golden/small.cgct"
#define GOLDEN_PANELS TESTS_DIR "/golden/panels.cgct"
#define GOLDEN_NEGATIVE TESTS_DIR "/golden/negative.cgct"

enum { AXIS_MAX = 128, PATH_SIZE = 256 };

/* l (m = 0) or r_m (FORMAT.md 5) at (x,eps,q,k). */
typedef double (*fixture_field)(size_t member, int pol, size_t m, const double at[4]);

/* One panel in x and in eps, each interpolated by all nodes; the orders in q and v are 4. */
typedef struct {
    size_t n[3];
    double v[3][AXIS_MAX]; /* x, eps, q */
    size_t nl, nu, nm, members;
    double k0, k_max, bound; /* bound on |error of I| over e^l */
    fixture_field field;
    size_t nmeta;
    table_meta meta[8];
} fixture;

/* How many times as long random tests are to be: TEST_MULT, which long runs set; 1. */
static inline int test_mult(void)
{
    const char *text = getenv("TEST_MULT");
    return text && atoi(text) > 0 ? atoi(text) : 1;
}

/* Splitmix64: reproducible on every machine. */
static inline double uniform(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static inline void geometric(double lo, double hi, size_t n, double *v)
{
    for (size_t i = 0; i < n; i++)
        v[i] = n == 1 ? lo : lo * pow(hi / lo, (double)i / (double)(n - 1));
}

static inline double fixture_k(const fixture *f, double q, size_t j)
{
    double K = f->k_max * pow(1 + pow(q / (2 * f->k_max), 4), 0.25);
    double v =
        j < f->nl ? (double)j / (double)(f->nl - 1) : (double)(j - f->nl) / (double)(f->nu - 1);
    return j < f->nl ? f->k0 * sinh(v * asinh(q / (2 * f->k0))) : q / 2 * pow(2 * K / q, v);
}

/* Every node of every member has its own r, so that any field can be stored: to a millionth. */
static inline void fixture_numbers(const fixture *f, double step, double *U, int32_t *V)
{
    size_t nodes = f->n[0] * f->n[1], R = f->members * nodes, nk = f->nl + f->nu;
    size_t points = f->n[2] * nk;
    for (size_t i = 0; i < R * R; i++) U[i] = i / R == i % R;
    for (size_t i = 0; i < 2 * f->nm * R * points; i++) {
        size_t r = i / points % R, m = i / points / R % f->nm, node = r % nodes;
        double at[4] = {f->v[0][node / f->n[1]], f->v[1][node % f->n[1]], f->v[2][i % points / nk]};
        at[3] = fixture_k(f, at[2], i % nk);
        double value = f->field(r / nodes, i >= f->nm * R * points, m, at);
        V[i] = (int32_t)lround((m && i % nk == 0 ? 0 : value) / step);
    }
}

/* G = 1/q, H = G/2. */
static inline void fixture_tensor(const fixture *f, double *tensor)
{
    for (size_t i = 0; i < f->members * f->n[0] * f->n[2]; i++) {
        tensor[2 * i] = -log(f->v[2][i % f->n[2]]);
        tensor[2 * i + 1] = 0.5;
    }
}

static inline void fixture_write(const fixture *given, const char *path)
{
    fixture copy = *given, *f = &copy;
    if (!f->members) f->members = 1;
    const size_t nodes = f->n[0] * f->n[1], R = f->members * nodes, nk = f->nl + f->nu;
    const uint32_t panel_x = (uint32_t)f->n[0], panel_eps = (uint32_t)f->n[1];
    const double step = 0x1p-20;
    double *U = malloc(R * R * sizeof *U);
    double *tensor = malloc(2 * f->members * f->n[0] * f->n[2] * sizeof *tensor);
    int32_t *V = malloc(2 * f->nm * R * f->n[2] * nk * sizeof *V);
    uint8_t *bounds = malloc(R * 2 * 2);
    cgct_err err;
    ck_assert(U && tensor && V && bounds);
    memset(bounds, table_bound_code(f->bound), R * 2 * 2);
    fixture_numbers(f, step, U, V);
    fixture_tensor(f, tensor);
    const table_segment segment = {R, step, U, V};
    const table_content content = {f->members,
                                   f->n[0],
                                   f->n[1],
                                   f->n[2],
                                   f->nl,
                                   f->nu,
                                   f->nm,
                                   1,
                                   1,
                                   &panel_x,
                                   &panel_eps,
                                   f->v[0],
                                   f->v[1],
                                   f->v[2],
                                   {f->v[0][0], f->v[0][f->n[0] - 1]},
                                   {f->v[1][0], f->v[1][f->n[1] - 1]},
                                   f->k0,
                                   f->k_max,
                                   {32, 32, 4, 4},
                                   1,
                                   1,
                                   2,
                                   "fixture 2",
                                   f->nmeta,
                                   f->meta,
                                   tensor,
                                   &segment,
                                   bounds};
    ck_assert_msg(table_write(&content, path, &err) == CGCT_OK, "%s", err.text);
    free(U);
    free(tensor);
    free(V);
    free(bounds);
}

/* Whole file; *n bytes, the caller frees. */
static inline uint8_t *slurp(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "%s cannot be opened", path);
    uint8_t *bytes = malloc(1 << 24);
    ck_assert_ptr_nonnull(bytes);
    *n = fread(bytes, 1, 1 << 24, f);
    fclose(f);
    return bytes;
}

static inline void spill(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    ck_assert_msg(f != NULL, "%s cannot be written", path);
    ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
    ck_assert_int_eq(fclose(f), 0);
}

/* A new folder, removed by remove_folder; in memory where there is such a file system: some tests
 * write ten thousands of files. */
static inline void make_folder(char folder[PATH_SIZE])
{
    strcpy(folder,
           access("/dev/shm", W_OK) == 0 ? "/dev/shm/cgct_test_XXXXXX" : "/tmp/cgct_test_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

/* Removes the files in the folder and counts them. */
static inline int empty_folder(const char *folder)
{
    int n = 0;
    DIR *d = opendir(folder);
    ck_assert_ptr_nonnull(d);
    for (struct dirent *e; (e = readdir(d));) {
        char path[2 * PATH_SIZE];
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        remove(path);
        n++;
    }
    closedir(d);
    return n;
}

static inline void remove_folder(const char *folder)
{
    empty_folder(folder);
    rmdir(folder);
}

static inline void path_in(const char *folder, const char *name, char path[PATH_SIZE])
{
    int n = snprintf(path, PATH_SIZE, "%s/%s", folder, name);
    ck_assert_int_lt(n, PATH_SIZE);
}
#endif
