/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_validate.h: what the studies of 'validate' share: the folder, its report, tables on the grids
 * of the paper, pictures. */
#ifndef CGCT_CLI_VALIDATE_H
#define CGCT_CLI_VALIDATE_H
#include <stdio.h>

#include "cli/common.h"
#include "inner/grids.h"
#include "node/node.h"

enum { VALIDATION_NQ = 3 };

typedef struct {
    const char *dir, *dipole; /* folder; dipole as typed */
    FILE *report;
    const dipole_source *source;
    double x, q[VALIDATION_NQ], q_angles; /* -, GeV: momenta of studies b and d, and e */
    int is_long;                          /* the paper's sizes; else reduced ones */
} validation;

typedef struct {
    char letter;
    const char *title;
    cgct_status (*run)(const validation *v, cgct_err *err);
} validation_study;

cgct_status validate_modes(const validation *v, cgct_err *err);  /* a */
cgct_status validate_filon(const validation *v, cgct_err *err);  /* b and c */
cgct_status validate_slices(const validation *v, cgct_err *err); /* d */
cgct_status validate_angles(const validation *v, cgct_err *err); /* e */
cgct_status validate_exact(const validation *v, cgct_err *err);  /* f */

/* A line of the report, on standard output, too. */
void validation_say(const validation *v, const char *fmt, ...) CGCT_PRINTF_(2, 3);

/* DIR/name for writing, and its end: E_IO when not all could be written. */
cgct_status validation_open(const validation *v, const char *name, FILE **f, cgct_err *err);
cgct_status validation_close(const validation *v, const char *name, FILE *f, cgct_err *err);

/* Writes DIR/name.gp (script behind the lines that make DIR/name.png; q: the words of v->q) and
 * runs gnuplot on it; without gnuplot a line of the report says so. */
cgct_status validation_plot(const validation *v, const char *name, int width, int height,
                            const char *script, cgct_err *err);

/* Inner table of one (dipole, x, eps) as settings ("key=value key=value ...") say. */
typedef struct {
    config card;
    inner_grids g;
    inner_table t;
    double seconds;
} validation_table;

/* The table holds g itself, ridges included. */
cgct_status validation_table_init(validation_table *t, const dipole_source *s, double x, double eps,
                                  double q_max, double k_max, const char *settings, cgct_err *err);
void validation_table_free(validation_table *t);

/* Allocates *I (NPOL, nm, nq, nk): modes at momenta in the table's frame. */
cgct_status validation_transform(const validation_table *t, size_t nq, const double *q, size_t nk,
                                 const double *k, double **I, cgct_err *err);

/* 2 pi I_0 + 4 pi sum_{m=1}^{M} (-1)^m cos(m theta) I_m, mode m at I[m stride]. */
double validation_sum(const double *I, size_t stride, int M, double theta);

/* The production route for the same dipole: I and its error estimate. */
cgct_status validation_reference(node_tables **p, const dipole_source *s, double x, double eps,
                                 size_t nq, const double *q, double k_max, double tolerance,
                                 cgct_err *err);
#endif
