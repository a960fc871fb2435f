/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_progress.h: how far a run is: a line that is rewritten on a terminal, a line for each item
 * elsewhere, or an object a line on standard output for programs. */
#ifndef CGCT_CLI_PROGRESS_H
#define CGCT_CLI_PROGRESS_H
#include "run/assembly.h"

typedef struct {
    int quiet, json;
    size_t all, done;       /* items of this run, those of earlier ones included */
    size_t before;          /* done when it began */
    double work, work_left; /* of all items that were left then, and that are left now */
    double start;           /* seconds */
    size_t flagged;
    double worst;
    double seconds_writing; /* spent on durability and on this */
} cli_progress;

void cli_progress_start(cli_progress *p, const char *path, size_t dropped);
/* One item is durable; s: of a node, x and eps its own; NULL for a check. */
void cli_progress_item(cli_progress *p, double work, double x, double eps, const run_summary *s);
/* text: metadata lines. */
void cli_progress_summary(const cli_progress *p, const run_total *t, const char *text,
                          const char *path, double flag);
#endif
