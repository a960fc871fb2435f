/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.h: independent tasks over threads, and a forecast of the time, memory and size of a run.
 *
 * Whole tasks side by side use the cores better than the loops inside one.  Hence as many tasks run
 * at once as threads and memory allow, and only spare threads work within a task. */
#ifndef CGCT_RUN_SCHEDULE_H
#define CGCT_RUN_SCHEDULE_H
#include <stddef.h>

#include "format/error.h"
#include "run/job.h"

typedef struct {
    size_t n;
    const size_t *bytes; /* (n): what each task needs; it waits until that is free */
    size_t budget;       /* a task that needs more than all of it runs alone */
    int threads;
    void *self;
    /* Called by several threads, tasks in order 0..n-1; the first failure stops all. */
    cgct_status (*work)(void *self, size_t i, cgct_err *err);
} run_schedule;

/* Returns the status and message of the first failure. */
cgct_status run_schedule_go(const run_schedule *s, cgct_err *err);

/* Items of one run with what node_plan says of each: (n). */
typedef struct {
    size_t n;
    size_t *item, *bytes;
    double *work;
    int threads;
    size_t budget; /* bytes */
} run_load;

typedef struct {
    size_t samples;                /* nodes that were computed ... */
    double seconds_sampling;       /* ... and how long that took */
    double seconds, seconds_nodes; /* elapsed on a free machine, and of all processors together */
    double bytes_file;             /* 0 without a sample: unknown */
    size_t bytes_memory;
    double seconds_sample; /* without a sample: what one would take, ... */
    size_t bytes_sample;   /* ... and its memory */
} run_forecast;

/* Computes up to four nodes, as long as that takes no more than RUN_SAMPLING seconds by the number
 * of their operations.  Time and size: theirs, in proportion to the work, interpolated in ln eps;
 * size of the file within a factor of two or so; memory: the largest nodes that run side by side,
 * and what assembling them takes.  Without a sample the time follows from the operations alone, to
 * a factor of three or so, and memory is that of the nodes. */
#define RUN_SAMPLING 6.0
cgct_status run_plan(const run_job *j, const run_load *load, run_forecast *f, cgct_err *err);
#endif
