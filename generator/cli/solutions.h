/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solutions.h: solutions of the BK equation that the program keeps between its runs, one file each
 * in the user's cache folder, $XDG_CACHE_HOME/cgctab or ~/.cache/cgctab. */
#ifndef CGCT_CLI_SOLUTIONS_H
#define CGCT_CLI_SOLUTIONS_H
#include "dipole/bk.h"

typedef struct {
    bk_keeper keeper;
    char *folder;
} cli_solutions;

/* The keeper, for bk_opts; NULL, so that every solution is computed, where `off` is set or
 * CGCTAB_NO_CACHE in the environment, or where there is no home.  Files that are not what was
 * written are named in one line on standard error and count as missing; what cannot be written is
 * not kept.  Beyond SOLUTIONS_BYTES those that were not used for the longest time are removed. */
#define SOLUTIONS_BYTES ((uint64_t)256 << 20)
const bk_keeper *cli_solutions_open(cli_solutions *s, int off);
void cli_solutions_free(cli_solutions *s);
#endif
