/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_fixture.h: the golden tables, random numbers, and folders of a test's own. */
#ifndef TABLE_FIXTURE_H
#define TABLE_FIXTURE_H
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check_rel.h"

#ifndef TESTS_DIR
#define TESTS_DIR "tests"
#endif
/* Written by refs/make_golden.py; exact values of them are in refs/golden_NAME.ref. */
#define GOLDEN_SMALL TESTS_DIR "/golden/small.cgct"
#define GOLDEN_PANELS TESTS_DIR "/golden/panels.cgct"
#define GOLDEN_NEGATIVE TESTS_DIR "/golden/negative.cgct"
#define GOLDEN_VARIED TESTS_DIR "/golden/varied.cgct"

enum { PATH_SIZE = 256 };

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
