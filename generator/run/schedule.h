/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_schedule.h: independent tasks over threads.  Whole tasks side by side use cores better than
 * the loops inside one (README: production runs), so that is what happens as far as there are tasks
 * and memory; threads left over go inside. */
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

cgct_status run_schedule_go(const run_schedule *s, cgct_err *err);

/* Of this machine: what is free now less a fifth. */
size_t run_memory_budget(void);
#endif
