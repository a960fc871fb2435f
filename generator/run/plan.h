/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_plan.h: what a run will take, from the grids of all its nodes and a few that are computed. */
#ifndef CGCT_RUN_PLAN_H
#define CGCT_RUN_PLAN_H
#include "run/node.h"

enum { RUN_SAMPLES = 4 };

/* Items of one run with what pipeline_plan says of each: (n). */
typedef struct {
    size_t n;
    const size_t *item, *bytes;
    const double *work;
    int threads;
    size_t budget; /* bytes */
} run_load;

typedef struct {
    size_t samples;                /* nodes that were computed ... */
    double seconds_sampling;       /* ... and how long that took */
    double seconds, seconds_nodes; /* elapsed on a free machine, and of all processors together */
    double bytes_file;
    size_t bytes_memory;
} run_forecast;

/* Time and size of the samples, in proportion to the work, interpolated in ln eps; memory: the
 * largest nodes that meet, and the table that is read to be checked. */
cgct_status run_plan(const run_job *j, const run_load *load, run_forecast *f, cgct_err *err);
#endif
