/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.h: what a user may set of the inner table and its transform.  A run card fills it in
 * (config/params.def has the meaning, unit, range and default of each key of the same name); 0 and
 * "auto" leave the choice to the program. */
#ifndef CGCT_INNER_SETTINGS_H
#define CGCT_INNER_SETTINGS_H

typedef struct {
    int degree;                 /* of the local polynomials of the Filon weights */
    int tail_terms, tail_nodes; /* of the continuation beyond the last R node */
    double p_spacing;           /* relative, of the dense P grid */
} hankel_settings;

typedef struct {
    const char *backend; /* builder of the inner table */
    const char *device;  /* list of CUDA devices */
    double tolerance;    /* aim of the automatic grids, relative to I */
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
#endif
