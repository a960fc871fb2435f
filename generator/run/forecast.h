/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forecast.h: what a run will take in time, memory and size, from a few of its nodes, which are
 * computed on this machine. */
#ifndef CGCT_RUN_FORECAST_H
#define CGCT_RUN_FORECAST_H
#include "run/job.h"

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
    double seconds_device;         /* of each device, where samples used one */
    double bytes_file;             /* 0 without a sample: unknown */
    size_t bytes_memory;
    double seconds_sample; /* without a sample: what one would take, ... */
    size_t bytes_sample;   /* ... and its memory */
} run_forecast;

/* Told before the samples are computed, and after each: done of n, and about how many seconds all
 * of them take. */
typedef struct {
    void (*tell)(void *self, size_t done, size_t n, double seconds);
    void *self;
} forecast_listener;

/* Computes up to four nodes, those that take no more than RUN_SAMPLING seconds together, by the
 * number of their operations and the rate of this machine's matrix products.  Time and size:
 * theirs, interpolated in ln eps, the time in proportion to the work; size of the file to a third;
 * on devices the longer of two times, that of the devices alone and that of the threads, each of
 * which is taken until the device has done its part; the time of a device is elapsed between a
 * node's first and last call of it, and where two samples share one, half of it counts for each;
 * memory: the largest nodes that run side by side, and what assembling them takes.  Where every
 * node would take longer there is no sample: the time follows from operations and rate alone, to a
 * factor of two or so, and memory is that of the nodes.
 * l: or NULL.  Errors: those of run_compute. */
#define RUN_SAMPLING 8.0
cgct_status run_plan(const run_job *j, const run_load *load, const forecast_listener *l,
                     run_forecast *f, cgct_err *err);
#endif
