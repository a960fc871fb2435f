/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.h: a folder with files of data, and pictures that gnuplot draws of them. */
#ifndef CGCT_CLI_PLOT_H
#define CGCT_CLI_PLOT_H
#include "cli/common.h"
#include "format/tmpfile.h"

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

/* DIR/vn.dat, script and picture.  The card is read; x, eps, q and K (in k1) are still text. */
cgct_status plot_vn(cli_task *t, const char *dir, cgct_err *err);
#endif
