/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.h: independent tasks over threads.
 *
 * Whole tasks side by side use the cores better than the loops inside one.  Hence as many tasks run
 * at once as threads and memory allow, and only spare threads work within a task. */
#ifndef CGCT_RUN_SCHEDULE_H
#define CGCT_RUN_SCHEDULE_H
#include <stddef.h>

#include "format/error.h"

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
#endif
