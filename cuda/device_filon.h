/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device_filon.h: Filon weights made on a device, where the transforms use them. */
#ifndef CGCT_DEVICE_FILON_H
#define CGCT_DEVICE_FILON_H
#include "numerics/filon_parts.h"
#include "gpu.h"

/* Purpose  w (nm, nq, nx) of a plan, into a new buffer; only the plan travels to the device
 * Returns  OK, E_NOMEM, E_DEVICE; on failure the buffer is freed
 * Accuracy as filon_weights; the same bits each time on one architecture with the same memory
 * Source   generator/numerics/filon_parts.h */
cgct_status device_filon(gpu *g, const filon_plan *p, gpu_buffer *w, cgct_err *err);

/* Bytes that weights (nm, nq, nx) take beside them while they are made, at most. */
double device_filon_bytes(size_t nm, size_t nx, size_t nq, const double *q);
#endif
