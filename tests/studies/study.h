/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study.h: what the studies share: report and pictures, and modes and cross sections at the momenta
 * of a study. */
#ifndef STUDY_H
#define STUDY_H
#include <stdio.h>

#include "cli/common.h"
#include "cli/plot.h"
#include "inner/grids.h"
#include "node/node.h"

enum { STUDY_NQ = 3 };

typedef struct {
    const char *dir, *dipole; /* folder; dipole as typed */
    FILE *report;             /* or NULL */
    const dipole_source *source;
    double x, q[STUDY_NQ], q_angles; /* q in GeV: of studies b and d, and of e */
    int is_long;                     /* the paper's sizes; else reduced ones */
} study;

/* The studies; METHOD.md 8 reports on f.  Each fails with E_IO where a file cannot be written, and
 * with the errors of the builders and of the pipeline. */
cgct_status study_mode_sums(const study *v, cgct_err *err);      /* a */
cgct_status study_filon_rule(const study *v, cgct_err *err);     /* b and c */
cgct_status study_slices(const study *v, cgct_err *err);         /* d */
cgct_status study_angular_stress(const study *v, cgct_err *err); /* e */
cgct_status study_exact_errors(const study *v, cgct_err *err);   /* f */
/* These fail with E_ACCURACY where an assertion does not hold. */
cgct_status study_dilute(const study *v, cgct_err *err);              /* g and i */
cgct_status study_approach(const study *v, cgct_err *err);            /* h */
cgct_status study_colours(const study *v, cgct_err *err);             /* j */
cgct_status study_structure_functions(const study *v, cgct_err *err); /* k */
cgct_status study_masses(const study *v, cgct_err *err);              /* l */

/* ---- report and pictures ---- */

/* A line on standard output and in the report. */
void study_say(const study *v, const char *fmt, ...) CGCT_PRINTF_(2, 3);

/* A picture as of picture_begin and picture_end, of the study's folder, dipole and x. */
cgct_status study_draw(const study *v, const char *name, const char *variables, const char *script,
                       cgct_err *err);

/* The files plots/NAME.gp, which ../rules.mk makes arrays. */
extern const char text_a_modes_gp[], text_b_filon_gp[], text_c_maps_gp[], text_d_slices_gp[],
    text_e_angles_gp[], text_f_errors_gp[], text_g_dilute_gp[], text_h_approach_gp[],
    text_j_colours_gp[], text_k_f2_gp[];

/* ---- modes and cross sections ---- */

/* One (dipole, x, eps) and the momenta of a study. */
typedef struct {
    const dipole_source *source;
    double x, eps; /* -, GeV */
    size_t nq;
    const double *q; /* GeV, rising */
    double k_max;    /* GeV */
} study_node;

/* Inner table of a node as settings ("key=value key=value ...") say, and its modes. */
typedef struct {
    const study_node *node;
    config card;
    inner_grids grids;
    inner_table inner; /* of g itself, with single scattering */
    double seconds;    /* that its builder took */
    size_t nk;
    double *modes; /* (NPOL, inner.nm, nq, nk), GeV^-6; NULL before study_modes */
} study_table;

/* *node must outlive the table. */
cgct_status study_table_init(study_table *t, const study_node *node, const char *settings,
                             cgct_err *err);
void study_table_free(study_table *t);

/* Modes at the q of the node and k[nk] (GeV, in the table's frame), in place of those before. */
cgct_status study_modes(study_table *t, size_t nk, const double *k, cgct_err *err);

/* Mode number m at q[iq], k[ik]. */
double study_mode(const study_table *t, size_t pol, size_t m, size_t iq, size_t ik);

/* 2 pi I_0 + 4 pi sum_{m=1}^{M} (-1)^m cos(m theta) I_m, pol and momenta as in study_mode. */
double study_sum(const study_table *t, size_t pol, size_t iq, size_t ik, int M, double theta);

/* The production route for the same node, with accuracy.tolerance = tolerance.  report or NULL. */
cgct_status study_production(node_tables **p, const study_node *node, double tolerance,
                             node_report *report, cgct_err *err);

/* Momentum number i of n from 1 to 25 GeV, equally spaced in ln k1. */
double study_k1(int i, int n);
#define STUDY_K_MAX 25.0

/* Closes the file, which appears also where an assertion does not hold (st = E_ACCURACY).  Returns
 * st, or why it cannot be written. */
cgct_status picture_close(cgct_textfile *f, cgct_status st, cgct_err *err);
#endif
