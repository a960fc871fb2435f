/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_work.h: what a stage costs at least, for rates: operations in double precision (a
 * multiply-add is one), and bytes that must move between device memory and multiprocessors. */
#ifndef CGCT_GPU_WORK_H
#define CGCT_GPU_WORK_H
#include "gpu.h"

typedef struct {
    double operations, bytes;
} gpu_work;

/* Of a kernel with its argument.  assemble: counted in the compiled code; others from the formulas,
 * to some 20 %. */
gpu_work gpu_kernel_work(gpu_stage kernel, size_t n, const void *args);
gpu_work gpu_product_work(const gpu_product *p);
#endif
