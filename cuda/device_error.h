/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device_error.h: every CUDA call goes through CUDA_TRY, which turns its failure into a
 * cgct_status. */
#ifndef CGCT_DEVICE_ERROR_H
#define CGCT_DEVICE_ERROR_H
#include <string.h>

#include <cuda_runtime_api.h>

#include "device.h"

#define CUDA_TRY(err, call)                                                                        \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess)                                                                     \
            return cgct_fail(err, CGCT_E_DEVICE, "%.*s: %s", (int)strcspn(#call, "("), #call,      \
                             cudaGetErrorString(e_));                                              \
    } while (0)
#endif
