/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device_filon.h: Filon weights computed on the device on which the transforms use them. */
#ifndef CGCT_DEVICE_FILON_H
#define CGCT_DEVICE_FILON_H
#include "gpu.h"
#include "numerics/filon_parts.h"

/* Purpose  w (nm, nq, nx) of a plan, into a new buffer; only the plan is copied to the device
 * Returns  OK, E_NOMEM, E_DEVICE; on failure the buffer is freed
 * Accuracy as filon_weights; bit for bit reproducible on one architecture with the same memory
 * Source   generator/numerics/filon_parts.h */
cgct_status device_filon(gpu *g, const filon_plan *p, gpu_buffer *w, cgct_err *err);

/* Bytes needed in addition to the weights (nm, nq, nx) while they are made, at most. */
double device_filon_bytes(size_t nm, size_t nx, size_t nq, const double *q);
#endif
