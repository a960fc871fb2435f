/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the shared libraries of CUDA and their functions at run time. */
#include "libraries.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

#ifndef CUDA_HOME_BUILT /* where the build found nvcc */
#define CUDA_HOME_BUILT "/usr/local/cuda"
#endif

/* CUDA's libraries own memory and threads that outlive a handle, hence RTLD_NODELETE. */
static void *open_in_folder(const char *folder, const library_request *r)
{
    void *handle = NULL;
    for (size_t i = 0; r->suffixes[i] && !handle; i++) {
        char path[PATH_SIZE];
        if (snprintf(path, sizeof path, "%s%s%s", folder, r->base, r->suffixes[i]) < PATH_SIZE)
            handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    }
    return handle;
}

static void *open_anywhere(const library_request *r)
{
    static const char *const lib[] = {"/lib64/", "/lib/", "/targets/x86_64-linux/lib/",
                                      "/targets/sbsa-linux/lib/"};
    const char *home[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), CUDA_HOME_BUILT,
                          "/usr/local/cuda"};
    void *handle = open_in_folder("", r);
    for (size_t i = 0; i < sizeof home / sizeof *home && !handle; i++)
        for (size_t j = 0; home[i] && j < sizeof lib / sizeof *lib && !handle; j++) {
            char folder[PATH_SIZE];
            if (snprintf(folder, sizeof folder, "%s%s", home[i], lib[j]) < PATH_SIZE)
                handle = open_in_folder(folder, r);
        }
    return handle;
}

cgct_status library_open(void **handle, const library_request *r, cgct_err *err)
{
    *handle = open_anywhere(r);
    if (!*handle)
        return cgct_fail(err, CGCT_E_DEVICE,
                         "%s not found: neither by the dynamic linker nor in CUDA_HOME, CUDA_PATH, "
                         "/usr/local/cuda; %s",
                         r->base, r->remedy);
    for (size_t i = 0; i < r->n; i++) {
        void *found = dlsym(*handle, r->symbol[i].name);
        if (!found)
            return cgct_fail(err, CGCT_E_DEVICE, "%s has no %s: too old; %s", r->base,
                             r->symbol[i].name, r->remedy);
        memcpy(r->symbol[i].to, &found, sizeof found); /* ISO C has no cast to a function */
    }
    return CGCT_OK;
}

cgct_status driver_open(cuda_driver *d, cgct_err *err)
{
    static const char *const suffixes[] = {".1", "", NULL};
    const library_symbol symbols[] = {
        {"cuGetErrorString", &d->cuGetErrorString},
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
    const library_request r = {"libcuda.so", suffixes, "install the driver of the device",
                               sizeof symbols / sizeof *symbols, symbols};
    return library_open(&d->handle, &r, err);
}

cgct_status cublas_open(cublas_calls *b, int version, cgct_err *err)
{
    static const char *const newest[] = {".13", ".12", ".11", "", NULL};
    char own[16];
    const char *const given[] = {own, NULL};
    snprintf(own, sizeof own, ".%d", version);
    const library_symbol symbols[] = {{"cublasCreate_v2", &b->create},
                                      {"cublasDestroy_v2", &b->destroy},
                                      {"cublasSetStream_v2", &b->set_stream},
                                      {"cublasGetStatusString", &b->text},
                                      {"cublasDgemmStridedBatched", &b->product}};
    const library_request r = {"libcublas.so", version ? given : newest,
                               "install CUDA's cuBLAS or set LD_LIBRARY_PATH",
                               sizeof symbols / sizeof *symbols, symbols};
    return library_open(&b->handle, &r, err);
}

/* cuBLAS stores matrices by columns: it is given C^T = B^T A^T. */
int cublas_multiply(const cublas_calls *b, void *handle, const gpu_product *p)
{
    enum { PLAIN, TRANSPOSED }; /* cublasOperation_t */
    const double one = 1;
    return b->product(handle, p->turned_b ? TRANSPOSED : PLAIN, p->turned_a ? TRANSPOSED : PLAIN,
                      (int)p->n, (int)p->m, (int)p->k, &one, p->b, (int)p->ldb, (long long)p->sb,
                      p->a, (int)p->lda, (long long)p->sa, &p->beta, p->c, (int)p->ldc,
                      (long long)p->sc, (int)p->batch);
}

cgct_status driver_check(const cuda_driver *d, const char *device, const char *call, int code,
                         cgct_err *err)
{
    const char *text = NULL;
    if (code == 0) return CGCT_OK;
    if (d->cuGetErrorString(code, &text) != 0 || !text) text = "unknown error";
    return cgct_fail(err, CGCT_E_DEVICE, "%s: %s: %s (%d); run again or on another device", device,
                     call, text, code);
}
