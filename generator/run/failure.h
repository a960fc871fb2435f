/* SPDX-License-Identifier: GPL-3.0-or-later */
/* failure.h: of what fails in the iterations of a parallel loop, that of the first iteration, as a
 * loop on one thread would tell it. */
#ifndef CGCT_RUN_FAILURE_H
#define CGCT_RUN_FAILURE_H
#include "format/error.h"

/* Zero before use. */
typedef struct {
    size_t at;
    cgct_status st;
    cgct_err err;
} first_failure;

/* Iteration i has returned st, and err where it failed. */
static inline void failure_keep(first_failure *f, size_t i, cgct_status st, const cgct_err *err)
{
    if (st == CGCT_OK) return;
#pragma omp critical(first_failure)
    if (f->st == CGCT_OK || i < f->at) {
        f->at = i;
        f->st = st;
        f->err = *err;
    }
}

static inline cgct_status failure_tell(const first_failure *f, cgct_err *err)
{
    if (f->st != CGCT_OK && err) *err = f->err;
    return f->st;
}
#endif
