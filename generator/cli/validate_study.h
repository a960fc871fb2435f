/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_study.h: what the studies of 'cgctab-generate validate' share: the folder with its
 * report and data files, pictures, and modes and cross sections at the momenta of a study. */
#ifndef CGCT_CLI_VALIDATE_STUDY_H
#define CGCT_CLI_VALIDATE_STUDY_H
#include <stdio.h>

#include "cli/common.h"
#include "format/tmpfile.h"
#include "inner/grids.h"
#include "node/node.h"

enum { VALIDATION_NQ = 3 };

typedef struct {
    const char *dir, *dipole; /* folder; dipole as typed */
    FILE *report;             /* or NULL */
    const dipole_source *source;
    double x, q[VALIDATION_NQ], q_angles; /* q in GeV: of studies b and d, and of e */
    int is_long;                          /* the paper's sizes; else reduced ones */
} validation;

/* The studies; METHOD.md 8 reports on f.  Each fails with E_IO where a file cannot be written, and
 * with the errors of the builders and of the pipeline. */
cgct_status study_mode_sums(const validation *v, cgct_err *err);      /* a */
cgct_status study_filon_rule(const validation *v, cgct_err *err);     /* b and c */
cgct_status study_slices(const validation *v, cgct_err *err);         /* d */
cgct_status study_angular_stress(const validation *v, cgct_err *err); /* e */
cgct_status study_exact_errors(const validation *v, cgct_err *err);   /* f */
/* These fail with E_ACCURACY where an assertion does not hold. */
cgct_status study_dilute(const validation *v, cgct_err *err);              /* g and i */
cgct_status study_approach(const validation *v, cgct_err *err);            /* h */
cgct_status study_colours(const validation *v, cgct_err *err);             /* j */
cgct_status study_structure_functions(const validation *v, cgct_err *err); /* k */
cgct_status study_masses(const validation *v, cgct_err *err);              /* l */

/* ---- files ---- */

/* A line on standard output and in the report. */
void validation_say(const validation *v, const char *fmt, ...) CGCT_PRINTF_(2, 3);

cgct_status validation_make_folder(const char *dir, cgct_err *err); /* no failure: it is there */
/* DIR/name for writing; its first line is the heading, unless that is NULL. */
cgct_status validation_open(const validation *v, const char *name, const char *heading,
                            cgct_textfile *f, cgct_err *err);
/* Closes the file, which appears also where an assertion does not hold (st = E_ACCURACY).  Returns
 * st, or why it cannot be written. */
cgct_status validation_close(cgct_textfile *f, cgct_status st, cgct_err *err);

/* Writes DIR/name.gp (subject, which is dipole and x of v as far as they are set, plots/common.gp,
 * the variables, lines "name = value", and the script, whose output is DIR/name.png) and runs
 * gnuplot on it; without gnuplot a line of the report says so. */
cgct_status validation_plot(const validation *v, const char *name, const char *variables,
                            const char *script, cgct_err *err);

/* The files plots/NAME.gp, which ../rules.mk makes arrays. */
extern const char text_common_gp[], text_a_modes_gp[], text_b_filon_gp[], text_c_maps_gp[],
    text_d_slices_gp[], text_dipole_gp[], text_e_angles_gp[], text_f_errors_gp[],
    text_g_dilute_gp[], text_h_approach_gp[], text_j_colours_gp[], text_k_f2_gp[], text_vn_gp[];

/* ---- modes and cross sections ---- */

/* One (dipole, x, eps) and the momenta of a study. */
typedef struct {
    const dipole_source *source;
    double x, eps; /* -, GeV */
    size_t nq;
    const double *q; /* GeV, rising */
    double k_max;    /* GeV */
} validation_node;

/* Inner table of a node as settings ("key=value key=value ...") say, and its modes. */
typedef struct {
    const validation_node *node;
    config card;
    inner_grids grids;
    inner_table inner; /* of g itself, with single scattering */
    double seconds;    /* that its builder took */
    size_t nk;
    double *modes; /* (NPOL, inner.nm, nq, nk), GeV^-6; NULL before validation_modes */
} validation_table;

/* *node must outlive the table. */
cgct_status validation_table_init(validation_table *t, const validation_node *node,
                                  const char *settings, cgct_err *err);
void validation_table_free(validation_table *t);

/* Modes at the q of the node and k[nk] (GeV, in the table's frame), in place of those before. */
cgct_status validation_modes(validation_table *t, size_t nk, const double *k, cgct_err *err);

/* Mode number m at q[iq], k[ik]. */
double validation_mode(const validation_table *t, size_t pol, size_t m, size_t iq, size_t ik);

/* 2 pi I_0 + 4 pi sum_{m=1}^{M} (-1)^m cos(m theta) I_m, pol and momenta as in validation_mode. */
double validation_sum(const validation_table *t, size_t pol, size_t iq, size_t ik, int M,
                      double theta);

/* The production route for the same node, with accuracy.tolerance = tolerance.  report or NULL. */
cgct_status validation_production(node_tables **p, const validation_node *node, double tolerance,
                                  node_report *report, cgct_err *err);

/* Momentum number i of n from 1 to 25 GeV, equally spaced in ln k1. */
double validation_k1(int i, int n);
#define VALIDATION_K_MAX 25.0
#endif
