/* SPDX-License-Identifier: MIT */
/* writer.h: write a container (FORMAT.md) node by node; the file appears under its name only when
 * complete. */
#ifndef CGCT_WRITER_H
#define CGCT_WRITER_H
#include <stddef.h>
#include <stdint.h>

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
    double bound;      /* modes are rounded to within this share of I_0; 0: kept bit by bit */
    int split;         /* FORMAT.md section 5; 1: "split", 2: "split" and "cross" */
    size_t members;    /* tables in one file; 0: one */
    const char *names; /* of the members, separated by blanks; NULL where there is one */
    int order[4];      /* nodes of the polynomials in ln x, ln eps, ln q, ln k; 0: 4 */
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
/* Largest |I_m - stored| / I_0 of all nodes so far, measured by decoding what was written. */
double cgct_writer_rounding(const cgct_writer *w);
/* Members one after the other: ix + member nx stands for ix here and below.
 * Nodes may come in any order, each exactly once; compresses and writes at once. */
cgct_status cgct_writer_node(cgct_writer *w, size_t ix, size_t ieps, const cgct_node *node,
                             cgct_err *err);
/* A node as it will lie in a file: spec's nq, nk, level and bound are read.  Any thread may pack;
 * *packed[*size] is freed with free(), kept anywhere, and written later without packing again. */
cgct_status cgct_node_pack(const cgct_writer_spec *spec, const cgct_node *node, uint8_t **packed,
                           size_t *size, cgct_err *err);
cgct_status cgct_writer_packed(cgct_writer *w, size_t ix, size_t ieps, const uint8_t *packed,
                               size_t size, cgct_err *err);
/* The node (ix,ieps) is that of (as,ieps), already written: both share one frame. */
cgct_status cgct_writer_same(cgct_writer *w, size_t ix, size_t ieps, size_t as, cgct_err *err);
/* Makes the file a complete table under its temporary name, *path, for a look before the close; the
 * metadata are still without extra_meta. */
cgct_status cgct_writer_preview(cgct_writer *w, const char **path, cgct_err *err);
/* Writes index and checksums, syncs, renames; on any failure nothing is left.  Frees w in all
 * cases. extra_meta: further "key\tvalue\n" lines for the metadata (summary of the certificate), or
 * NULL. */
cgct_status cgct_writer_close(cgct_writer *w, const char *extra_meta, cgct_err *err);
void cgct_writer_abort(cgct_writer *w); /* removes the temporary file; accepts NULL */
#endif
