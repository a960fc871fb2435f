/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_parts.h: the records of one or several journals, by item; and the table made from them. */
#ifndef CGCT_RUN_PARTS_H
#define CGCT_RUN_PARTS_H
#include "run/journal.h"
#include "run/node.h"

typedef struct {
    const journal *from; /* NULL: not there */
    const journal_record *record;
} run_part;

/* part: (j->nitems).  Adds what a journal holds; E_FORMAT for items that the job does not have,
 * that belong to another shard, or that are there already (naming both files). */
cgct_status run_parts_add(const run_job *j, run_part *part, const journal *from, cgct_err *err);

/* Summary of all nodes; freed with run_total_free. */
typedef struct {
    size_t nodes, points, flagged, missed_rounding, missed_grids, continued, refined;
    int modes_max, rank_max;
    double sum_rule,
        seconds[5]; /* inner table, weights, Hankel, certificate, total: of all threads */
    float *error;   /* relative estimates of all points */
    double rounding;
} run_total;

/* Writes the table; every item must be there.  total: zero before; text: metadata lines. */
cgct_status run_parts_table(const run_job *j, const run_part *part, const char *path,
                            run_total *total, char *text, size_t size, cgct_err *err);
void run_total_free(run_total *t);
#endif
