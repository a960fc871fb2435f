/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz.h: what the fuzz targets share.  A target takes any bytes; it aborts where a parser breaks a
 * promise, and the sanitizers see the rest.  entry.c makes a program of them for libFuzzer and
 * AFL++, test_fuzz.c runs them over the corpus. */
#ifndef FUZZ_H
#define FUZZ_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/cgctab.h"

typedef struct {
    const char *name; /* of the folder of its corpus, too */
    void (*run)(const uint8_t *bytes, size_t n);
    int mutations; /* of each input in make check, times TEST_MULT */
} fuzz_target;
extern const fuzz_target fuzz_targets[]; /* ends with name NULL */

/* The bytes are a container: as they are, and once more with all checksums made right. */
void fuzz_open(const uint8_t *bytes, size_t n);
/* The bytes are doubles: arguments of every function that evaluates, on sound tables. */
void fuzz_eval(const uint8_t *bytes, size_t n);
/* The bytes are the metadata of an otherwise sound container. */
void fuzz_meta(const uint8_t *bytes, size_t n);
/* The bytes are a text: a table of a dipole, a run card, members, points, a list of numbers, a grid
 * of parton distributions or the file beside it. */
void fuzz_dipole(const uint8_t *bytes, size_t n);
void fuzz_card(const uint8_t *bytes, size_t n);
void fuzz_members(const uint8_t *bytes, size_t n);
void fuzz_rows(const uint8_t *bytes, size_t n);
void fuzz_lists(const uint8_t *bytes, size_t n);
void fuzz_pdf(const uint8_t *bytes, size_t n);
/* A file of the generator, as it is and with all checksums made right: of finished nodes, of an
 * inner table, of three momenta. */
void fuzz_journal(const uint8_t *bytes, size_t n);
void fuzz_inner(const uint8_t *bytes, size_t n);
void fuzz_three(const uint8_t *bytes, size_t n);
/* A file of the cache of evolutions, whole and behind the right key; changes of the numbers of a
 * solution that is kept there. */
void fuzz_cache(const uint8_t *bytes, size_t n);
void fuzz_kept(const uint8_t *bytes, size_t n);
/* The lines are the words of a command line; the first one names the program. */
void fuzz_options(const uint8_t *bytes, size_t n);

#define PROMISE(holds)                                                                             \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, #holds);            \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* A failure says something. */
#define PROMISE_MESSAGE(err) PROMISE(*(err).text && !strchr((err).text, '\n'))

/* Path of a file of this process with these bytes, in memory where there is such a file system;
 * which: 0 or 1. */
const char *fuzz_file(int which, const uint8_t *bytes, size_t n);
/* From here on standard output and error go nowhere, until they come back. */
void fuzz_quiet(int on);
/* A file of tests/golden, read once. */
enum { FUZZ_SMALL, FUZZ_NEGATIVE, FUZZ_PANELS, FUZZ_VARIED, FUZZ_GOLDEN };
const char *fuzz_golden(int which);
uint8_t *fuzz_slurp(const char *path, size_t *n); /* the caller frees */
/* Makes the checksum of every chunk right, up to the first that does not lie in the file. */
void fuzz_reseal(uint8_t *bytes, size_t n);
#endif
