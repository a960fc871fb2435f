/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cublas_load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#ifndef CUDA_LIBDIR
#define CUDA_LIBDIR "/usr/local/cuda/lib64"
#endif

static cgct_status open_library(cublas_calls *c, const char *device, cgct_err *err)
{
    char name[64], path[4096];
    snprintf(name, sizeof name, "libcublas.so.%d", CUBLAS_VER_MAJOR);
    snprintf(path, sizeof path, "%s/%s", CUDA_LIBDIR, name);
    c->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!c->library) c->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (c->library) return CGCT_OK;
    const char *why = dlerror();
    return cgct_fail(err, CGCT_E_DEVICE,
                     "%s: cuBLAS cannot be opened: %s; put the folder of %s into LD_LIBRARY_PATH",
                     device, why ? why : "no reason given", name);
}

/* The versioned names that the header's macros stand for. */
#define SYMBOL_TEXT_(name) #name
#define SYMBOL_TEXT(name) SYMBOL_TEXT_(name)

static cgct_status find(cublas_calls *c, const char *name, void *to, const char *device,
                        cgct_err *err)
{
    void *symbol = dlsym(c->library, name);
    memcpy(to, &symbol, sizeof symbol);
    return symbol ? CGCT_OK
                  : cgct_fail(err, CGCT_E_DEVICE, "%s: cuBLAS has no %s; it is not version %d",
                              device, name, CUBLAS_VER_MAJOR);
}

cgct_status cublas_load(cublas_calls *c, cudaStream_t stream, const char *device, cgct_err *err)
{
    if (c->handle) return CGCT_OK;
    CGCT_TRY(open_library(c, device, err));
    CGCT_TRY(find(c, SYMBOL_TEXT(cublasCreate), &c->create, device, err));
    CGCT_TRY(find(c, SYMBOL_TEXT(cublasDestroy), &c->destroy, device, err));
    CGCT_TRY(find(c, SYMBOL_TEXT(cublasSetStream), &c->set_stream, device, err));
    CGCT_TRY(find(c, SYMBOL_TEXT(cublasGetStatusString), &c->text, device, err));
    CGCT_TRY(find(c, SYMBOL_TEXT(cublasDgemmStridedBatched), &c->gemm, device, err));
    cublasStatus_t st = c->create(&c->handle);
    if (st == CUBLAS_STATUS_SUCCESS) st = c->set_stream(c->handle, stream);
    return st == CUBLAS_STATUS_SUCCESS
               ? CGCT_OK
               : cgct_fail(err, CGCT_E_DEVICE, "%s: cublasCreate: %s", device, c->text(st));
}

void cublas_unload(cublas_calls *c)
{
    if (c->handle) c->destroy(c->handle);
    if (c->library) dlclose(c->library);
    memset(c, 0, sizeof *c);
}
