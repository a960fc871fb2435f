/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solutions.h: solutions of the BK equation in a file beside an unfinished table, FILE.solutions,
 * so that a run that is continued does not solve again. */
#ifndef CGCT_CLI_SOLUTIONS_H
#define CGCT_CLI_SOLUTIONS_H
#include "dipole/bk.h"

typedef struct {
    bk_keeper keeper;
    char *path;
} cli_solutions;

/* The keeper, for bk_opts; NULL where memory is missing.  The file is made with the first solution;
 * one that is damaged, locked or cannot be written counts as empty. */
const bk_keeper *cli_solutions_beside(cli_solutions *s, const char *output);
/* The table is complete, or was given up: removes the file. */
void cli_solutions_remove(const cli_solutions *s);
void cli_solutions_free(cli_solutions *s);
#endif
