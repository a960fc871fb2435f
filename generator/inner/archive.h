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
    double x, q_max, k_max; /* -, GeV, GeV: the grids suffice for q <= q_max, k1 <= k_max */
    int degree, tail_nodes, tail_terms;
    double power[TAIL_TERMS_MAX]; /* of R beyond the last node */
    size_t np;
    double *P;             /* GeV: grid on which the modes are tabulated before interpolation */
    single_factors single; /* sigma on single_q; empty where the table holds g itself */
    double *single_q;      /* GeV */
    double largest[NPOL], measured[NPOL]; /* in a file: largest |entry|, largest |error| */
    const char *backend;                  /* the builder, where the table was built and not read */
    char fallback[BACKEND_REASON];        /* as from backend_try */
} archive;

typedef struct {
    const inner_settings *settings;
    const dipole_source *source;
    double x, eps, q_max, k_max;
    const backend_set *builders; /* or NULL: the processor's */
} archive_task;

/* The table that node_compute makes for the same largest momenta.
 * Returns OK, E_DOMAIN, or what the dipole, the grids or the builder return. */
cgct_status archive_build(archive *a, const archive_task *task, cgct_err *err);
void archive_free(archive *a);

/* The error estimate of a node needs P this far beyond the largest one asked for, in units of
 * max(P, eps, Qs). */
#define ARCHIVE_REACH 0.07

typedef struct {
    const char *generator, *dipole, *backend, *card; /* texts for the file */
    double bound; /* on the error of an entry, relative to the largest; 0: all digits are kept */
} archive_save_opts;

/* Both work in parallel over blocks, one for each polarisation and mode, and set largest and
 * measured.  Returns OK, E_ACCURACY where the bound is not met, or what
 * format/inner_archive.h returns; E_FORMAT where the arrays of a file do not fit together. */
cgct_status archive_save(archive *a, const char *path, const archive_save_opts *o, cgct_err *err);
cgct_status archive_load(archive *a, const char *path, cgct_err *err);
#endif
