/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grids.h: what a user may set of the inner table and its transform, and the discretisation of one
 * (x,eps) that follows from it, from the dipole and from the momenta. */
#ifndef CGCT_INNER_GRIDS_H
#define CGCT_INNER_GRIDS_H
#include "inner/table.h"
#include "numerics/filon.h"

/* A run card fills these in; config/params.def has the meaning, unit, range and default of each key
 * of the same name.  0 and "auto" leave the choice to the program. */
typedef struct {
    int degree;                 /* of the local polynomials of the Filon weights */
    int tail_terms, tail_nodes; /* of the continuation beyond the last R node */
    double p_spacing;           /* relative, of the dense P grid */
} hankel_settings;

typedef struct {
    const char *backend; /* builder of the inner table */
    const char *device;  /* list of CUDA devices */
    double tolerance;    /* aim of the automatic grids, relative to I */
    double colours;      /* of what a finite number of colours changes: in units of tolerance */
    double lam;          /* frame: b = R - lam Delta */
    int modes;           /* largest angular mode */
    double rank_tolerance;
    const char *delta_grid, *r_grid;
    int delta_n, r_n;
    double delta_max, r_max, s_max; /* 1/GeV */
    int gauss_n, phi_n;             /* backend direct: nodes in |s|, angles */
    double scale, spacing, step;    /* graded grids: 1/GeV, relative, 1/GeV */
    hankel_settings hankel;
} inner_settings;

enum { TAIL_TERMS_MAX = 12 };

typedef struct {
    inner_opts inner; /* points into the arrays below */
    int *m;
    size_t *nm_delta;
    double *delta, *r, *s; /* 1/GeV */
    size_t np;
    double *P; /* GeV: where I_m(q,P) is tabulated before it is interpolated */
    double power[TAIL_TERMS_MAX];
    filon_tail_opts tail; /* nterm = 0: cut at the last R node */
} inner_grids;

typedef struct {
    const inner_settings *settings;
    const dipole *dipole;
    double eps, q_max, P_max; /* GeV */
    double coarser; /* 1; of the second pass, which estimates the error: ratio of all spacings */
} inner_grids_task;

/* Returns OK, E_CONFIG where the settings do not determine a grid. */
cgct_status inner_grids_init(inner_grids *g, const inner_grids_task *task, cgct_err *err);
void inner_grids_free(inner_grids *g);
#endif
