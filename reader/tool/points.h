/* SPDX-License-Identifier: MIT */
/* points.h: the points of 'cgctab eval', from lists, from a file or from standard input. */
#ifndef CGCTAB_POINTS_H
#define CGCTAB_POINTS_H
#include "tool.h"

/* Columns: x eps q k1 theta, or x z Q2 q k1 theta for cross sections. */
enum { POINT_COLUMNS_MAX = 6 };

typedef struct {
    int ncol;
    number_list v; /* (number of points, ncol) row-major */
} tool_points;

/* Outer product of ncol lists, the last fastest. */
int points_product(int ncol, const number_list *lists, tool_points *p);
/* Lines of ncol numbers; blank lines and lines that begin with '#' are skipped.  "-": standard
 * input. */
int points_read(const char *file, int ncol, tool_points *p);
void points_free(tool_points *p);
#endif
