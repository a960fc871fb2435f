/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of gpu.cu in a program that is built without CUDA: each says so. */
#include "gpu.h"

static cgct_status fail_without_cuda(cgct_err *err)
{
    return cgct_fail(err, CGCT_E_DEVICE, "built without CUDA; install nvcc and build again");
}

cgct_status device_count(int *count, cgct_err *err)
{
    *count = 0;
    return fail_without_cuda(err);
}

cgct_status device_probe(int id, device_info *info, cgct_err *err)
{
    (void)id;
    *info = (device_info){0};
    return fail_without_cuda(err);
}

cgct_status gpu_open(gpu **g, int id, int shares, cgct_err *err)
{
    (void)id, (void)shares;
    *g = NULL;
    return fail_without_cuda(err);
}
