/* SPDX-License-Identifier: GPL-3.0-or-later */
/* separable_ell.h: the modes of L on a device.  Private to cuda-separable. */
#ifndef CGCT_CUDA_SEPARABLE_ELL_H
#define CGCT_CUDA_SEPARABLE_ELL_H
#include "ell_kernels.h"
#include "gpu.h"

/* Angular rules on the device, rule i as list_rule counts them. */
typedef struct {
    const double *const *hav, *const *weight;
} separable_device_rules;

/* ell (nm, nr, ns), lost and patch as in separable_plan, into new buffers. */
cgct_status separable_device_ell(gpu *g, const separable_plan *p, const device_lnS *lnS,
                                 const double *r, separable_device_rules rules, gpu_buffer *ell,
                                 gpu_buffer *lost, gpu_buffer *patch, cgct_err *err);
#endif
