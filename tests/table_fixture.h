/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_fixture.h: small containers for the tests of writer, reader and program. */
#ifndef TABLE_FIXTURE_H
#define TABLE_FIXTURE_H
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/header.h"
#include "format/writer.h"
#include "check_rel.h"

#ifndef TESTS_DIR
#define TESTS_DIR "tests"
#endif
/* Each form of a table once (refs/make_golden.py); DIFFERENCES is that of tables/mv.cgct. */
#define GOLDEN_LOSSLESS TESTS_DIR "/golden/lossless.cgct"
#define GOLDEN_LOSSLESS_ZSTD TESTS_DIR "/golden/lossless_zstd.cgct"
#define GOLDEN_ROUNDED TESTS_DIR "/golden/rounded.cgct"
#define GOLDEN_ROUNDED_ZSTD TESTS_DIR "/golden/rounded_zstd.cgct"
#define GOLDEN_UNPACKED TESTS_DIR "/golden/unpacked.cgct"
#define GOLDEN_UNPACKED_F64 TESTS_DIR "/golden/unpacked_f64.cgct"
#define GOLDEN_DIFFERENCES TESTS_DIR "/golden/differences_1_1.cgct"

enum { AXIS_MAX = 128, PATH_SIZE = 256 };

/* I_m at (x,eps,q,k); the last argument is the caller's. */
typedef double (*fixture_mode)(int pol, size_t m, const double at[4], const void *arg);

typedef struct {
    size_t n[4];
    double v[4][AXIS_MAX]; /* x, eps, q, k */
    size_t nm;
    double error; /* of every point */
    int fold, level, split;
    double fold_power, bound;
    int order[4]; /* 0: 4 */
    fixture_mode mode;
    const void *arg;
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

static inline cgct_writer_spec fixture_spec(const fixture *f)
{
    return (cgct_writer_spec){.nx = f->n[0],
                              .neps = f->n[1],
                              .nq = f->n[2],
                              .nk = f->n[3],
                              .x = f->v[0],
                              .eps = f->v[1],
                              .q = f->v[2],
                              .k = f->v[3],
                              .card = "[axes]\nx = 0.01\n",
                              .generator = "fixture 1",
                              .dipole = "none",
                              .backend = "closed form",
                              .fold = f->fold,
                              .fold_power = f->fold_power,
                              .level = f->level,
                              .bound = f->bound,
                              .split = f->split,
                              .order = {f->order[0], f->order[1], f->order[2], f->order[3]}};
}

static inline void fixture_node(const fixture *f, size_t ix, size_t ieps, double *modes,
                                double *error)
{
    size_t at = 0, point = 0;
    for (int pol = 0; pol < 2; pol++)
        for (size_t iq = 0; iq < f->n[2]; iq++)
            for (size_t ik = 0; ik < f->n[3]; ik++) {
                double v[4] = {f->v[0][ix], f->v[1][ieps], f->v[2][iq], f->v[3][ik]};
                error[point++] = f->error;
                for (size_t m = 0; m < f->nm; m++) modes[at++] = f->mode(pol, m, v, f->arg);
            }
}

static inline void fixture_write(const fixture *f, const char *path)
{
    cgct_writer *w;
    cgct_err err;
    cgct_writer_spec spec = fixture_spec(f);
    size_t n = 2 * f->n[2] * f->n[3];
    double *modes = malloc(n * f->nm * sizeof *modes), *error = malloc(n * sizeof *error);
    ck_assert_ptr_nonnull(modes);
    ck_assert_ptr_nonnull(error);
    ck_assert_msg(cgct_writer_open(&w, path, &spec, &err) == CGCT_OK, "%s", err.text);
    for (size_t i = 0; i < f->n[0]; i++)
        for (size_t j = 0; j < f->n[1]; j++) {
            cgct_node node = {f->nm, modes, error};
            fixture_node(f, i, j, modes, error);
            ck_assert_msg(cgct_writer_node(w, i, j, &node, &err) == CGCT_OK, "%s", err.text);
        }
    ck_assert_msg(cgct_writer_close(w, NULL, &err) == CGCT_OK, "%s", err.text);
    free(modes);
    free(error);
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

/* Repairs the checksums of axes, metadata, index and header after a test changed their bytes. */
static inline void reseal(uint8_t *bytes, size_t n)
{
    static const int section[] = {CGCT_AT_META, CGCT_AT_AXES, CGCT_AT_INDEX, CGCT_AT_SHAPE};
    int sections = cgct_get_u16(bytes + CGCT_AT_MINOR) ? 4 : 3;
    cgct_crc64_table crc;
    cgct_crc64_init(&crc);
    for (int i = 0; i < sections; i++) {
        uint64_t at = cgct_get_u64(bytes + section[i]), size = cgct_get_u64(bytes + section[i] + 8);
        if (at <= n && size <= n - at)
            cgct_put_u64(bytes + section[i] + 16, cgct_crc64(&crc, bytes + at, size));
    }
    cgct_put_u64(bytes + CGCT_AT_CRC, cgct_crc64(&crc, bytes, CGCT_AT_CRC));
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
