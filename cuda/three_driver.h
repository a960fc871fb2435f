/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_driver.h: the functions of CUDA's driver and of cuBLAS that the transform calls, loaded at
 * run time; the declarations follow their public interface. */
#ifndef CGCT_THREE_DRIVER_H
#define CGCT_THREE_DRIVER_H
#include <stdint.h>

#include "format/error.h"

typedef struct { /* members are called as the driver calls them */
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
} three_driver;

typedef struct {
    void *handle;
    int (*create)(void **);
    int (*destroy)(void *);
    int (*product)(void *, int, int, int, int, int, const double *, const double *, int, long long,
                   const double *, int, long long, const double *, double *, int, long long, int);
} three_cublas;

enum { THREE_CUBLAS_N = 0, THREE_CUBLAS_T = 1 }; /* cublasOperation_t */

cgct_status three_driver_load(three_driver *d, cgct_err *err);
cgct_status three_cublas_load(three_cublas *b, cgct_err *err);

/* E_DEVICE with the device, the call's name and the driver's or the library's words for it. */
cgct_status three_driver_check(const three_driver *d, const char *device, const char *call,
                               int code, cgct_err *err);
cgct_status three_cublas_check(const char *device, const char *call, int code, cgct_err *err);
#endif
