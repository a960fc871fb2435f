/* SPDX-License-Identifier: GPL-3.0-or-later */
/* separable_ell.h: the modes of L on a device.  Private to cuda-separable. */
#ifndef CGCT_CUDA_SEPARABLE_ELL_H
#define CGCT_CUDA_SEPARABLE_ELL_H
#include "ell_kernels.h"
#include "gpu.h"
#include "separable_lists.h"

/* All pairs (R,s) ordered by their rule in beta, and what the kinks need. */
typedef struct {
    size_t pairs, kinks, at[ANGLE_RULES + 1];
    ell_pair *pair;
    separable_kink_rule *rule;
} ell_lists;
cgct_status ell_lists_init(ell_lists *l, const separable_plan *p, cgct_err *err);
void ell_lists_free(ell_lists *l);

/* Angular rules on the device. */
typedef struct {
    const double *const *hav, *const *weight;
} separable_device_rules;

/* ell (nm, nr, ns), lost and patch as in separable_plan, into new buffers; r (nr), s (ns) there. */
cgct_status separable_device_ell(gpu *g, const separable_plan *p, const ell_lists *l,
                                 const device_lnS *lnS, const double *r, const double *s,
                                 separable_device_rules rules, gpu_buffer *ell, gpu_buffer *lost,
                                 gpu_buffer *patch, cgct_err *err);
#endif
