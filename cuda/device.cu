/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device_error.h"

#include <stdio.h>

cgct_status device_count(int *count, cgct_err *err)
{
    *count = 0;
    CUDA_TRY(err, cudaGetDeviceCount(count));
    if (*count < 1)
        return cgct_fail(err, CGCT_E_DEVICE, "cudaGetDeviceCount: the driver lists %d devices",
                         *count);
    return CGCT_OK;
}

static cgct_status probe(int id, device_info *info, cgct_err *err)
{
    cudaDeviceProp prop;
    memset(info, 0, sizeof *info);
    CUDA_TRY(err, cudaGetDeviceProperties(&prop, id));
    CUDA_TRY(err, cudaSetDevice(id));
    CUDA_TRY(err, cudaMemGetInfo(&info->bytes_free, &info->bytes_total));
    CUDA_TRY(err, cudaDriverGetVersion(&info->driver));
    CUDA_TRY(err, cudaRuntimeGetVersion(&info->runtime));
    int clock_khz = 0, memory_khz = 0, bus_bits = 0;
    CUDA_TRY(err, cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, id));
    CUDA_TRY(err, cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, id));
    CUDA_TRY(err, cudaDeviceGetAttribute(&bus_bits, cudaDevAttrGlobalMemoryBusWidth, id));
    info->clock = 1e3 * clock_khz;
    info->bytes_per_second = 2 * 1e3 * memory_khz * bus_bits / 8;
    snprintf(info->name, sizeof info->name, "%s", prop.name);
    info->major = prop.major;
    info->minor = prop.minor;
    info->multiprocessors = prop.multiProcessorCount;
    return CGCT_OK;
}

cgct_status device_probe(int id, device_info *info, cgct_err *err)
{
    cgct_status st = probe(id, info, err);
    return st == CGCT_OK ? st : cgct_context(err, st, "device %d", id);
}
