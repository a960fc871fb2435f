/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backend.h: the builders of the inner table as rows of one table. */
#ifndef CGCT_BACKEND_H
#define CGCT_BACKEND_H
#include "inner_table.h"

typedef struct {
    const char *name;                            /* as typed on the command line */
    const char *doc;                             /* one line */
    const char *(*unavailable)(void);            /* NULL when usable, else the reason */
    size_t (*bytes_needed)(const inner_opts *o); /* upper bound, the table itself included */
    cgct_status (*run)(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err);
} backend;

extern const backend *const backends[]; /* NULL-terminated, fastest last */

/* "auto" (or NULL): the fastest available. */
cgct_status backend_find(const backend **b, const char *name, cgct_err *err);
#endif
