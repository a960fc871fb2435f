/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assembly.h: the table, assembled from the records in one or several journals: a reduced basis for
 * each segment, bounds for each node, and what the checks say of them. */
#ifndef CGCT_ASSEMBLY_H
#define CGCT_ASSEMBLY_H
#include "run/record.h"

/* Summary of all nodes; zero before use. */
typedef struct {
    size_t nodes, points, flagged, missed_rounding, missed_grids, continued, refined;
    size_t modes_max; /* largest m of a coefficient */
    size_t negative;  /* points as in run_summary, of all nodes, and the first of them */
    double negative_q, negative_k;
    int rank_max; /* of the cross approximation in a node */
    double sum_rule;
    double seconds[5]; /* inner table, weights, Hankel, certificate, total: of all threads */
    char made_by[4 * RUN_MAKER]; /* the makers of all records, each once, with "; " between */
    char text[4096];             /* lines of metadata, also for the user */
} run_total;

/* Writes the table to `path`; every item must have its slot filled. */
cgct_status run_assemble(const run_job *j, const run_slot *slot, const char *path, run_total *total,
                         cgct_err *err);
#endif
