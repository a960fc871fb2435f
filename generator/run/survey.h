/* SPDX-License-Identifier: GPL-3.0-or-later */
/* survey.h: what the nodes of a run need, from the grids of some of them.
 *
 * The grids of a node take milliseconds, and a table may have many nodes; its grids change little
 * from one x or eps to the next. */
#ifndef CGCT_RUN_SURVEY_H
#define CGCT_RUN_SURVEY_H
#include <stddef.h>

#include "format/error.h"
#include "run/job.h"

typedef struct {
    node_report report; /* grids and bytes; the rest is 0 */
    double work;        /* as node_plan says */
} survey_node;

typedef struct {
    const run_job *job;
    run_places x, eps;
    survey_node *node;      /* (full members, x.n, eps.n) */
    run_places coarse;      /* eps of coarse nodes, ... */
    survey_node *at_coarse; /* (coarse.n): ... of the first member at the first x */
} run_survey;

/* Errors: those of node_plan; run_survey_free also after a failure. */
cgct_status run_survey_init(run_survey *s, const run_job *j, cgct_err *err);
void run_survey_free(run_survey *s);

/* An item of the job: each number is the largest of those of the surveyed nodes next to it, in x
 * and eps, on both sides.  A check is taken to be like the middle node, a member like the
 * first one. */
survey_node run_survey_item(const run_survey *s, size_t item);
/* Each number of *to becomes the larger one. */
void survey_widen(survey_node *to, const survey_node *v);
#endif
