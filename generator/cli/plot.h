/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.h: a folder with files of data, and pictures that gnuplot draws of them; harmonics in an
 * angle. */
#ifndef CGCT_CLI_PLOT_H
#define CGCT_CLI_PLOT_H
#include "cli/common.h"
#include "format/tmpfile.h"
#include "node/node.h"

cgct_status picture_make_folder(const char *dir, cgct_err *err); /* no failure: it is there */
/* DIR/name for writing; its first line is the heading, unless that is NULL. */
cgct_status picture_open(const char *dir, const char *name, const char *heading, cgct_textfile *f,
                         cgct_err *err);

/* Opens DIR/name.gp and writes subject, which describes the dipole, and plots/common.gp; the caller
 * prints the variables, lines "name = value". */
cgct_status picture_begin(const char *dir, const dipole_source *source, const char *name,
                          cgct_textfile *script, cgct_err *err);
/* Adds the text, which draws DIR/name.png, closes, runs gnuplot, and names the picture on standard
 * output; without gnuplot a line says so. */
cgct_status picture_end(const char *dir, const char *name, cgct_textfile *script, const char *text,
                        cgct_err *err);

/* The files plots/NAME.gp, which ../rules.mk makes arrays. */
extern const char text_common_gp[], text_dipole_gp[], text_vn_gp[];

/* ---- averages over the angle phi between K = k1 - q/2 and q, and the harmonics
 * v_n = <cos(n phi)>; odd ones vanish ---- */

/* The cross section, its back-to-back limit, and that with all kinematic twists. */
enum { HARMONICS_FULL, HARMONICS_TMD, HARMONICS_ITMD, HARMONICS_KINDS };

typedef struct {
    size_t iq;        /* of the node */
    double q, K, eps; /* GeV; K + q/2 <= k_max of the node */
    double G, H;      /* of node_tensor at q */
} harmonics_point;

typedef struct {
    double mean, v2, v4; /* mean in GeV^-6 */
} harmonics;

/* error[T,L]: bound on the error of the mean of I, averaged over the angles as I is, GeV^-6; that
 * of v_n is at most twice that share of the mean.  Errors of node_point. */
cgct_status harmonics_at(const node_tables *n, const harmonics_point *p,
                         harmonics out[HARMONICS_KINDS][NPOL], double error[NPOL], cgct_err *err);
#endif
