/* SPDX-License-Identifier: MIT */
/* writer.h: write a container (FORMAT.md) node by node; the file appears under its name only when
 * complete. */
#ifndef CGCT_WRITER_H
#define CGCT_WRITER_H
#include <stddef.h>

#include "error.h"

enum { CGCT_POL_T = 0, CGCT_POL_L = 1, CGCT_NPOL = 2 };

/* All pointers are the caller's and are copied by cgct_writer_open. */
typedef struct {
    size_t nx, neps, nq, nk;       /* axes, each strictly rising */
    const double *x, *eps, *q, *k; /* -, GeV, GeV, GeV */
    const char *card;              /* run card, verbatim, after all --set */
    const char *generator;         /* program and version */
    const char *dipole;            /* one line from dipole_source_describe */
    const char *backend;
    int fold;          /* 0: plain modes of I in theta = angle(k1,q) */
    double fold_power; /* p of chi = k2^p/(k1^p + k2^p); 0 where fold = 0 */
    int level;         /* zstd level; 0: stored uncompressed */
} cgct_writer_spec;

/* One (x,eps): modes I_m(q,k), I = 2 pi I_0 + 4 pi sum_{m>=1} (-1)^m cos(m theta) I_m, GeV^-6. */
typedef struct {
    size_t nm;           /* modes m = 0..nm-1; may differ from node to node */
    const double *modes; /* (CGCT_NPOL, nq, nk, nm) row-major */
    const double *error; /* (CGCT_NPOL, nq, nk): bound on |error of I| at any theta, GeV^-6 */
} cgct_node;

typedef struct cgct_writer cgct_writer;

cgct_status cgct_writer_open(cgct_writer **w, const char *path, const cgct_writer_spec *spec,
                             cgct_err *err);
/* Nodes may come in any order, each exactly once; compresses and writes at once. */
cgct_status cgct_writer_node(cgct_writer *w, size_t ix, size_t ieps, const cgct_node *node,
                             cgct_err *err);
/* Writes index and checksums, syncs, renames; on any failure nothing is left.  Frees w in all
 * cases. extra_meta: further "key\tvalue\n" lines for the metadata (summary of the certificate), or
 * NULL. */
cgct_status cgct_writer_close(cgct_writer *w, const char *extra_meta, cgct_err *err);
void cgct_writer_abort(cgct_writer *w); /* removes the temporary file; accepts NULL */
#endif
