/* SPDX-License-Identifier: MIT */
/* gnuplot.h: pictures by the program gnuplot, of which both programs write scripts. */
#ifndef CGCT_GNUPLOT_H
#define CGCT_GNUPLOT_H
#include "error.h"

/* Is there no gnuplot along PATH? */
int gnuplot_missing(void);

/* Runs gnuplot in the folder dir on the open file `script`, which it reads from where that stands;
 * its standard output is the open file `picture`.  E_IO, with the last line of its messages. */
cgct_status gnuplot_run(const char *dir, int script, int picture, cgct_err *err);

typedef enum { PICTURE_PNG, PICTURE_SVG, PICTURE_PDF, PICTURE_FORMS } picture_form;
extern const char *const picture_suffix[PICTURE_FORMS]; /* ".png" ... */

/* E_IO, with the name, unless the open file ends as a picture of that form: gnuplot does not tell
 * when the disk is full. */
cgct_status gnuplot_check(int picture, picture_form form, const char *name, cgct_err *err);
#endif
