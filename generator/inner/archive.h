/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive.h: an inner table with all that its transform to any momenta needs, in memory and as a
 * file (format/INNER.md).  Building it is the expensive stage of the cross section; the transform
 * takes about a second. */
#ifndef CGCT_ARCHIVE_H
#define CGCT_ARCHIVE_H
#include "inner/backend.h"
#include "inner/grids.h"

typedef struct {
    inner_table table;
    double x, q_max, k_max; /* -, GeV, GeV: the grids are fit for q <= q_max, k1 <= k_max */
    int degree, tail_nodes, tail_terms;
    double power[TAIL_TERMS_MAX]; /* of R beyond the last node */
    size_t np;
    double *P;       /* GeV: grid on which the modes are tabulated before interpolation */
    ridge ridges;    /* sigma on ridge_q; empty where the table holds g itself */
    double *ridge_q; /* GeV */
    double largest[NPOL], measured[NPOL]; /* of a file: |entry|, |error| of what was read */
    const char *backend;                  /* of a table that was built: which made it */
    char fallback[BACKEND_REASON];        /* why "auto" gave another one up; empty: it did not */
} archive;

typedef struct {
    const inner_settings *settings;
    const dipole_source *source;
    double x, eps, q_max, k_max;
    const backend_set *builders; /* or NULL: the processor's */
} archive_task;

/* The table that pipeline_init makes for the same largest momenta. */
cgct_status archive_build(archive *a, const archive_task *task, cgct_err *err);
void archive_free(archive *a);

typedef struct {
    const char *generator, *dipole, *backend, *card; /* texts for the file */
    double bound; /* on the error of an entry, relative to the largest of its polarisation; 0: the
                     numbers themselves */
    int level;    /* zstd */
} archive_save_opts;

/* Both in parallel over blocks.  measured (of a) is set by saving, too. */
cgct_status archive_save(archive *a, const char *path, const archive_save_opts *o, cgct_err *err);
cgct_status archive_load(archive *a, const char *path, cgct_err *err);
#endif
