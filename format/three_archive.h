/* SPDX-License-Identifier: MIT */
/* three_archive.h: a file of results of three momenta (THREE.md). */
#ifndef CGCT_THREE_ARCHIVE_H
#define CGCT_THREE_ARCHIVE_H
#include <stddef.h>

#include "error.h"

enum { CGCT_THREE_NSET = 2, CGCT_THREE_ORDER_MAX = 256, CGCT_THREE_LENGTH_MAX = 65536 };

/* Numbers in the order of THREE.md. */
typedef struct {
    size_t nk, np, nq, M, nphi_p, nphi_q, npar;
    int is_complex, is_symmetric;
    const double *k, *p, *q, *phi_p, *phi_q, *par;
    const double *A[CGCT_THREE_NSET]; /* cgct_three_count numbers each */
    const char *generator, *integrand, *settings;
} cgct_three;

/* Numbers of one set; 0 where that exceeds what a file can hold. */
size_t cgct_three_count(const cgct_three *t);

/* The file appears under its name only when complete.  Returns OK, E_USAGE (lengths, numbers that
 * are not finite), E_IO, E_NOMEM. */
cgct_status cgct_three_save(const char *path, const cgct_three *t, cgct_err *err);

/* Out      *t, whose pointers lie in *memory (free it, also after a failure)
 * Returns  OK, E_IO, E_FORMAT, E_VERSION (also for files of another kind), E_CHECKSUM, E_NOMEM. */
cgct_status cgct_three_load(cgct_three *t, void **memory, const char *path, cgct_err *err);
#endif
