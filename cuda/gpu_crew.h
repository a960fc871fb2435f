/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_crew.h: open devices that the threads of a run share.  A thread takes a device only for the
 * part of its node that runs there; the processor's parts of other nodes go on meanwhile. */
#ifndef CGCT_GPU_CREW_H
#define CGCT_GPU_CREW_H
#include "gpu.h"

enum { GPU_LANES = 2 }; /* nodes on a device at once: one is copied, the other computed */

typedef struct gpu_crew gpu_crew;

/* "0", "0,2" or "all" -> *id (n), allocated.  E_CONFIG, or E_DEVICE where "all" finds none. */
cgct_status gpu_list(const char *text, size_t *n, int **id, cgct_err *err);

/* Opens each listed device GPU_LANES times. */
cgct_status gpu_crew_open(gpu_crew **c, const char *devices, cgct_err *err);
/* Of n that are open already, of which i and i + devices are the same device; they are closed with
 * the crew. */
gpu_crew *gpu_crew_new(size_t devices, size_t n, gpu *const *g);
void gpu_crew_close(gpu_crew *c); /* accepts NULL; no device may be out */

/* Of its first device, for metadata. */
const char *gpu_crew_name(const gpu_crew *c);

/* *g belongs to the calling thread until it is given back; waits while all devices are in use.
 * E_DEVICE and the reason when none works any more. */
cgct_status gpu_crew_take(gpu_crew *c, gpu **g, cgct_err *err);
/* st = E_DEVICE: the device has failed, for the reason why, and is not handed out again. */
void gpu_crew_give(gpu_crew *c, gpu *g, cgct_status st, const cgct_err *why);

/* Seconds of what the calling thread has taken and given back; c: NULL for none.  device: elapsed,
 * divided by the number of threads that had the same device at that time, so that the sum over all
 * threads is the time in which devices were taken; the time a kernel waits for its launch counts.
 * processor: of this thread meanwhile, which depends on how CUDA waits. */
typedef struct {
    double device, processor;
} gpu_use;
gpu_use gpu_crew_use(gpu_crew *c);

size_t gpu_crew_devices(const gpu_crew *c);
/* Seconds in which a device was taken, the mean over devices. */
double gpu_crew_seconds(gpu_crew *c);
#endif
