/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernels.h: the kernels as device.cu's launcher sees them. */
#ifndef CGCT_KERNELS_H
#define CGCT_KERNELS_H
#include <cuda_runtime_api.h>

#include "gpu.h"

/* n threads (or blocks of assemble) on the stream. */
cudaError_t kernels_launch(gpu_stage kernel, size_t n, const void *args, cudaStream_t stream);
/* Error where this program holds no code for the current device. */
cudaError_t kernels_present(void);
#endif
