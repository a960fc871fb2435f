/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cublas_load.h"

#include "device_error.h"

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

static cgct_status find_all(cublas_calls *c, const char *device, cgct_err *err)
{
    CGCT_TRY(find(c, SYMBOL_TEXT(cublasCreate), &c->create, device, err));
    CGCT_TRY(find(c, SYMBOL_TEXT(cublasDestroy), &c->destroy, device, err));
    CGCT_TRY(find(c, SYMBOL_TEXT(cublasSetStream), &c->set_stream, device, err));
    CGCT_TRY(find(c, SYMBOL_TEXT(cublasGetStatusString), &c->text, device, err));
    return find(c, SYMBOL_TEXT(cublasDgemmStridedBatched), &c->gemm, device, err);
}

/* Where memory is short, as if a product needed it: what comes with it in smaller chunks may do. */
static cgct_status create(cublas_calls *c, cudaStream_t stream, const char *device, cgct_err *err)
{
    size_t left = 0, total = 0;
    cublasStatus_t st = c->create(&c->handle);
    if (st == CUBLAS_STATUS_ALLOC_FAILED) {
        c->handle = NULL;
        CUDA_TRY(err, cudaMemGetInfo(&left, &total));
        return cgct_fail(err, CGCT_E_NOMEM, "%s: cublasCreate: %s, %.3f GiB of %.3f are free",
                         device, c->text(st), (double)left / (1 << 30), (double)total / (1 << 30));
    }
    if (st != CUBLAS_STATUS_SUCCESS)
        return cgct_fail(
            err, CGCT_E_DEVICE,
            "%s: cublasCreate: %s; run again, with another --device or --backend separable", device,
            c->text(st));
    st = c->set_stream(c->handle, stream);
    if (st == CUBLAS_STATUS_SUCCESS) return CGCT_OK;
    return cgct_fail(err, CGCT_E_DEVICE, "%s: cublasSetStream: %s", device, c->text(st));
}

cgct_status cublas_load(cublas_calls *c, cudaStream_t stream, const char *device, cgct_err *err)
{
    if (c->handle) return CGCT_OK;
    if (!c->library) CGCT_TRY(open_library(c, device, err));
    if (!c->gemm) CGCT_TRY(find_all(c, device, err));
    return create(c, stream, device, err);
}

void cublas_unload(cublas_calls *c)
{
    if (c->handle) c->destroy(c->handle);
    if (c->library) dlclose(c->library);
    memset(c, 0, sizeof *c);
}
