/* SPDX-License-Identifier: MIT */
/* inner_archive.h: a file of one inner table (INNER.md): blocks of numbers, named arrays, texts.
 * Plain arrays in and out; what they mean is the caller's. */
#ifndef CGCT_INNER_ARCHIVE_H
#define CGCT_INNER_ARCHIVE_H
#include <stddef.h>
#include <stdint.h>

#include "chunks.h"

/* ---- a block of numbers (inner_pack.c, inner_unpack.c) ---- */

enum { CGCT_INNER_ORDER_MAX = 4 }; /* of the differences */

typedef struct {
    uint8_t *frame; /* one zstd frame; owned */
    size_t size;
    uint32_t width, order; /* bytes of an integer; order of the differences along rows */
    double step;           /* a value is an integer times step; 0: the integer is its bit pattern */
    double error;          /* largest |decoded - given|, measured by decoding */
} cgct_inner_block;

/* v (nrow, n) row-major, finite.  step > 0 keeps |decoded - given| <= step/2 but for rounding;
 * step = 0 is lossless.  Returns OK, E_DOMAIN (NaN, infinity, or beyond 2^52 steps), E_NOMEM. */
cgct_status cgct_inner_pack(size_t nrow, size_t n, const double *v, double step,
                            cgct_inner_block *b, cgct_err *err);
/* Returns OK, E_FORMAT where the block is not what pack writes, E_NOMEM. */
cgct_status cgct_inner_unpack(const cgct_inner_block *b, size_t nrow, size_t n, double *v,
                              cgct_err *err);
void cgct_inner_block_free(cgct_inner_block *b);

/* ---- the file ---- */

enum {
    CGCT_INNER_NPOL = 2,
    CGCT_INNER_NAME_SIZE = 16, /* of an array, NUL included */
    CGCT_INNER_ARRAYS_MAX = 64,
    CGCT_INNER_TEXTS = 4
};

/* Order of the texts. */
enum { CGCT_INNER_GENERATOR, CGCT_INNER_DIPOLE, CGCT_INNER_BACKEND, CGCT_INNER_CARD };

typedef struct {
    char name[CGCT_INNER_NAME_SIZE];
    size_t n;
    const double *v;
} cgct_inner_array;

typedef struct {
    size_t nm, nd, nr, narray;
    double bound;                     /* asked for, relative to the largest entry; 0: lossless */
    double largest[CGCT_INNER_NPOL];  /* |entry| of each polarisation */
    double measured[CGCT_INNER_NPOL]; /* largest |decoded - given|, same units */
    cgct_inner_array array[CGCT_INNER_ARRAYS_MAX];
    const char *text[CGCT_INNER_TEXTS];
} cgct_inner_head;

/* block (NPOL nm), each (nd, nr), polarisation slowest.  The file appears under its name only when
 * complete.  Returns OK, E_USAGE, E_IO, E_NOMEM. */
cgct_status cgct_inner_save(const char *path, const cgct_inner_head *h,
                            const cgct_inner_block *block, cgct_err *err);

/* An open archive; const after open, so that threads may load different blocks. */
typedef struct {
    cgct_inner_head head; /* points into owned memory */
    const char *path;
    cgct_chunks f;
    uint8_t *texts;
} cgct_inner_archive;

/* Returns OK, E_IO, E_FORMAT, E_VERSION (also for files of another kind), E_CHECKSUM, E_NOMEM. */
cgct_status cgct_inner_open(cgct_inner_archive **a, const char *path, cgct_err *err);
void cgct_inner_close(cgct_inner_archive *a);
/* The array of that name, which must have n numbers (n = 0: any number). */
cgct_status cgct_inner_find(const cgct_inner_archive *a, const char *name, size_t n,
                            const cgct_inner_array **found, cgct_err *err);
/* v (nd, nr) = block i: checksum, then cgct_inner_unpack. */
cgct_status cgct_inner_load(const cgct_inner_archive *a, size_t i, double *v, cgct_err *err);
#endif
