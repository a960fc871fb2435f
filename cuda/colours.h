/* SPDX-License-Identifier: GPL-3.0-or-later */
/* colours.h: the difference between a finite and infinitely many colours, or the singlet part, on a
 * device, for cuda-separable. */
#ifndef CGCT_CUDA_COLOURS_H
#define CGCT_CUDA_COLOURS_H
#include "device_hankel.h"
#include "inner/colours.h"

/* Computes the whole of the grid, whose plan needs no device, chunk by chunk of Delta, as many
 * panels at once as the device has room for.  Columns beyond the grid are left out.  origin: g at
 * the first point.
 * Returns  OK, E_NOMEM, E_DEVICE
 * Accuracy 1e-11 of the largest entry, compared with inner_colours_add;
 *          tests/cuda/test_cuda_separable.c
 * Source   METHOD.md 11 */
cgct_status device_colours(const colours_grid *grid, gpu *g, const device_output *to,
                           double origin[NPOL], cgct_err *err);

/* Bytes of all chunks at once. */
double device_colours_bytes(const colours_grid *grid);
#endif
