/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "three_driver.h"

#include "three_load.h"

cgct_status three_driver_load(three_driver *d, cgct_err *err)
{
    static const char *const suffixes[] = {".1", "", NULL};
    const three_symbol symbols[] = {{"cuGetErrorString", &d->cuGetErrorString},
                                    {"cuInit", &d->cuInit},
                                    {"cuDeviceGetCount", &d->cuDeviceGetCount},
                                    {"cuDeviceGet", &d->cuDeviceGet},
                                    {"cuDeviceGetName", &d->cuDeviceGetName},
                                    {"cuDeviceGetAttribute", &d->cuDeviceGetAttribute},
                                    {"cuDevicePrimaryCtxRetain", &d->cuDevicePrimaryCtxRetain},
                                    {"cuDevicePrimaryCtxRelease_v2", &d->cuDevicePrimaryCtxRelease},
                                    {"cuCtxSetCurrent", &d->cuCtxSetCurrent},
                                    {"cuMemGetInfo_v2", &d->cuMemGetInfo},
                                    {"cuMemAlloc_v2", &d->cuMemAlloc},
                                    {"cuMemFree_v2", &d->cuMemFree},
                                    {"cuMemcpyHtoD_v2", &d->cuMemcpyHtoD},
                                    {"cuMemcpyDtoH_v2", &d->cuMemcpyDtoH},
                                    {"cuModuleLoadData", &d->cuModuleLoadData},
                                    {"cuModuleUnload", &d->cuModuleUnload},
                                    {"cuModuleGetFunction", &d->cuModuleGetFunction},
                                    {"cuModuleGetGlobal_v2", &d->cuModuleGetGlobal},
                                    {"cuLaunchKernel", &d->cuLaunchKernel}};
    return three_load(&d->handle, "libcuda.so", suffixes, "install the driver of the device",
                      sizeof symbols / sizeof *symbols, symbols, err);
}

cgct_status three_cublas_load(three_cublas *b, cgct_err *err)
{
    static const char *const suffixes[] = {".13", ".12", ".11", "", NULL};
    const three_symbol symbols[] = {{"cublasCreate_v2", &b->create},
                                    {"cublasDestroy_v2", &b->destroy},
                                    {"cublasDgemmStridedBatched", &b->product}};
    return three_load(&b->handle, "libcublas.so", suffixes,
                      "install CUDA's cuBLAS or set LD_LIBRARY_PATH",
                      sizeof symbols / sizeof *symbols, symbols, err);
}

cgct_status three_driver_check(const three_driver *d, const char *device, const char *call,
                               int code, cgct_err *err)
{
    const char *text = NULL;
    if (code == 0) return CGCT_OK;
    if (d->cuGetErrorString(code, &text) != 0 || !text) text = "unknown error";
    return cgct_fail(err, CGCT_E_DEVICE, "%s: %s: %s (%d); run again or on another device", device,
                     call, text, code);
}

cgct_status three_cublas_check(const char *device, const char *call, int code, cgct_err *err)
{
    if (code == 0) return CGCT_OK;
    return cgct_fail(err, CGCT_E_DEVICE, "%s: %s: cuBLAS status %d; run again or on another device",
                     device, call, code);
}
