/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.h: the two clocks of the generator, in seconds from an arbitrary origin. */
#ifndef CGCT_CLOCK_H
#define CGCT_CLOCK_H
#include <time.h>

static inline double clock_seconds(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Elapsed time; monotonic, so that setting the system's time does not disturb it. */
static inline double clock_wall(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

/* Processor time of the calling thread alone: independent of what else runs on the machine. */
static inline double clock_thread(void)
{
    return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}
#endif
