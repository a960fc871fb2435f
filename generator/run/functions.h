/* SPDX-License-Identifier: GPL-3.0-or-later */
/* functions.h: the functions of one variable that a table of a proton's dijets holds in the place
 * of the tensor: blocks of node/forward.h. */
#ifndef CGCT_RUN_FUNCTIONS_H
#define CGCT_RUN_FUNCTIONS_H
#include <stdint.h>

#include "run/job.h"

/* Those of all parts of the dipole of the first member at one x, with what the dipole's own error
 * changes in them, as numbers of the file.  Errors of forward_table_fill. */
cgct_status functions_compute(const run_job *j, const dipole_source *source, double x, uint8_t *to,
                              cgct_err *err);
/* f (nx, parts, FORWARD_BLOCK): their errors grow by that of interpolation in x. */
void functions_interpolate(const run_job *j, size_t parts, double *f);
#endif
