/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz.h: what the fuzz targets share.  A target takes any bytes; it aborts where the reader breaks
 * a promise, and the sanitizers see the rest.  entry.c makes a program of each for libFuzzer and
 * AFL++, tests/reader/test_fuzz.c runs them over the corpus. */
#ifndef FUZZ_H
#define FUZZ_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "reader/cgctab.h"

/* The bytes are a container: as they are, and once more with all checksums made right. */
void fuzz_open(const uint8_t *bytes, size_t n);
/* The bytes are doubles: arguments of every function that evaluates, on sound tables. */
void fuzz_eval(const uint8_t *bytes, size_t n);
/* The bytes are the metadata of an otherwise sound container. */
void fuzz_meta(const uint8_t *bytes, size_t n);

#define PROMISE(holds)                                                                             \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, #holds);            \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* Path of a file of this process with these bytes, in memory where there is such a file system;
 * which: 0 or 1. */
const char *fuzz_file(int which, const uint8_t *bytes, size_t n);
/* A file of tests/golden, read once. */
enum { FUZZ_SMALL, FUZZ_NEGATIVE, FUZZ_PANELS, FUZZ_VARIED, FUZZ_GOLDEN };
const char *fuzz_golden(int which);
uint8_t *fuzz_slurp(const char *path, size_t *n); /* the caller frees */
/* Makes the checksum of every chunk right, up to the first that does not lie in the file. */
void fuzz_reseal(uint8_t *bytes, size_t n);
#endif
