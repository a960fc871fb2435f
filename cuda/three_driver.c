/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "three_driver.h"

#include "three_load.h"

cgct_status three_driver_load(three_driver *d, cgct_err *err)
{
    static const char *const suffixes[] = {".1", "", NULL};
    const three_symbol symbols[] = {{"cuGetErrorString", &d->error_text},
                                    {"cuInit", &d->init},
                                    {"cuDeviceGetCount", &d->count},
                                    {"cuDeviceGet", &d->get},
                                    {"cuDeviceGetName", &d->name},
                                    {"cuDeviceGetAttribute", &d->attribute},
                                    {"cuDevicePrimaryCtxRetain", &d->retain},
                                    {"cuDevicePrimaryCtxRelease_v2", &d->release},
                                    {"cuCtxSetCurrent", &d->set_current},
                                    {"cuMemGetInfo_v2", &d->memory_info},
                                    {"cuMemAlloc_v2", &d->allocate},
                                    {"cuMemFree_v2", &d->free},
                                    {"cuMemcpyHtoD_v2", &d->to_device},
                                    {"cuMemcpyDtoH_v2", &d->to_host},
                                    {"cuModuleLoadData", &d->load},
                                    {"cuModuleUnload", &d->unload},
                                    {"cuModuleGetFunction", &d->function},
                                    {"cuModuleGetGlobal_v2", &d->global},
                                    {"cuLaunchKernel", &d->launch}};
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

cgct_status three_driver_check(const three_driver *d, const char *call, int code, cgct_err *err)
{
    const char *text = NULL;
    if (code == 0) return CGCT_OK;
    if (d->error_text(code, &text) != 0 || !text) text = "unknown error";
    return cgct_fail(err, CGCT_E_DEVICE, "%s: %s (%d)", call, text, code);
}

cgct_status three_cublas_check(const char *call, int code, cgct_err *err)
{
    if (code == 0) return CGCT_OK;
    return cgct_fail(err, CGCT_E_DEVICE, "%s: cuBLAS status %d", call, code);
}
