/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_crew.h: open devices that the threads of a run share.  A thread takes one for as long as its
 * node is on a device; what comes before and after is the processor's work and goes on meanwhile.
 */
#ifndef CGCT_GPU_CREW_H
#define CGCT_GPU_CREW_H
#include "gpu.h"

enum { GPU_LANES = 2 }; /* nodes on one device at once: one is copied while the other is computed */

typedef struct gpu_crew gpu_crew;

/* "0", "0,2" or "all" -> *id (n), allocated.  E_CONFIG, or E_DEVICE where "all" finds none. */
cgct_status gpu_list(const char *text, size_t *n, int **id, cgct_err *err);

/* Opens each listed device GPU_LANES times. */
cgct_status gpu_crew_open(gpu_crew **c, const char *devices, cgct_err *err);
/* The same of devices that are open; they are closed with the crew, or here on failure. */
cgct_status gpu_crew_init(gpu_crew **c, size_t n, gpu *const *g, cgct_err *err);
void gpu_crew_close(gpu_crew *c); /* accepts NULL; no device may be out */

/* The calling thread's until given back; waits while all are out.  E_DEVICE and why, when none
 * works any more. */
cgct_status gpu_crew_take(gpu_crew *c, gpu **g, cgct_err *err);
/* st E_DEVICE: it has failed and is not handed out again; why: of its failure. */
void gpu_crew_give(gpu_crew *c, gpu *g, cgct_status st, const cgct_err *why);
#endif
