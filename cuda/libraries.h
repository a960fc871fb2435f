/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libraries.h: CUDA's libraries, opened by name at run time, so that the program starts without
 * them.  The declarations follow the public interface of each library. */
#ifndef CGCT_CUDA_LIBRARIES_H
#define CGCT_CUDA_LIBRARIES_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "gpu.h"

typedef struct {
    const char *name;
    void *to; /* address of the function pointer */
} library_symbol;

/* A library of CUDA and the functions that are wanted of it. */
typedef struct {
    const char *base;            /* e.g. "libnvrtc.so" */
    const char *const *suffixes; /* of the file name, best first, ended by NULL; e.g. ".13" */
    const char *remedy;          /* for the message where there is no such library */
    size_t n;
    const library_symbol *symbol; /* (n) */
} library_request;

/* Purpose  Opens a library as the dynamic linker finds it, else in CUDA_HOME, CUDA_PATH, the CUDA
 *          of the build and /usr/local/cuda, and looks up its functions.
 * Out      *handle (dlclose by the caller), all symbols
 * Returns  OK; E_DEVICE: no such library, or one without a symbol. */
cgct_status library_open(void **handle, const library_request *r, cgct_err *err);

typedef struct { /* members have the names of the driver's functions */
    void *handle;
    int (*cuGetErrorString)(int, const char **);
    int (*cuInit)(unsigned);
    int (*cuDeviceGetCount)(int *);
    int (*cuDeviceGet)(int *, int);
    int (*cuDeviceGetName)(char *, int, int);
    int (*cuDeviceGetAttribute)(int *, int, int);
    int (*cuDevicePrimaryCtxRetain)(void **, int);
    int (*cuDevicePrimaryCtxRelease)(int);
    int (*cuCtxSetCurrent)(void *);
    int (*cuMemGetInfo)(size_t *, size_t *);
    int (*cuMemAlloc)(uint64_t *, size_t);
    int (*cuMemFree)(uint64_t);
    int (*cuMemcpyHtoD)(uint64_t, const void *, size_t);
    int (*cuMemcpyDtoH)(void *, uint64_t, size_t);
    int (*cuModuleLoadData)(void **, const void *);
    int (*cuModuleUnload)(void *);
    int (*cuModuleGetFunction)(void **, void *, const char *);
    int (*cuModuleGetGlobal)(uint64_t *, size_t *, void *, const char *);
    int (*cuLaunchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                          unsigned, void *, void **, void **);
} cuda_driver;

typedef struct {
    void *handle;
    int (*create)(void **);
    int (*destroy)(void *);
    int (*set_stream)(void *, void *);
    const char *(*text)(int); /* of a status */
    /* cublasDgemmStridedBatched; matrices are column-major */
    int (*product)(void *, int, int, int, int, int, const double *, const double *, int, long long,
                   const double *, int, long long, const double *, double *, int, long long, int);
} cublas_calls;

enum { CUBLAS_OK = 0, CUBLAS_ALLOC_FAILED = 3 }; /* cublasStatus_t */

cgct_status driver_open(cuda_driver *d, cgct_err *err);
/* version of CUDA whose cuBLAS is wanted, e.g. 12; 0: the newest that is there */
cgct_status cublas_open(cublas_calls *b, int version, cgct_err *err);

/* The product of gpu.h, whose sizes must fit into int, with a handle; returns the status. */
int cublas_multiply(const cublas_calls *b, void *handle, const gpu_product *p);

/* OK, or E_DEVICE with the device, the name of the call and the driver's text for the code. */
cgct_status driver_check(const cuda_driver *d, const char *device, const char *call, int code,
                         cgct_err *err);
#ifdef __cplusplus
}
#endif
#endif
