/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_driver.h: the functions of CUDA's driver and of cuBLAS that the transform calls, loaded at
 * run time; the declarations follow their public interface. */
#ifndef CGCT_THREE_DRIVER_H
#define CGCT_THREE_DRIVER_H
#include <stdint.h>

#include "../format/error.h"

typedef struct {
    void *handle;
    int (*error_text)(int, const char **);
    int (*init)(unsigned);
    int (*count)(int *);
    int (*get)(int *, int);
    int (*name)(char *, int, int);
    int (*attribute)(int *, int, int);
    int (*retain)(void **, int);
    int (*release)(int);
    int (*set_current)(void *);
    int (*memory_info)(size_t *, size_t *);
    int (*allocate)(uint64_t *, size_t);
    int (*free)(uint64_t);
    int (*to_device)(uint64_t, const void *, size_t);
    int (*to_host)(void *, uint64_t, size_t);
    int (*load)(void **, const void *);
    int (*unload)(void *);
    int (*function)(void **, void *, const char *);
    int (*global)(uint64_t *, size_t *, void *, const char *);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  void *, void **, void **);
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

/* E_DEVICE with the call's name and the driver's or the library's words for it. */
cgct_status three_driver_check(const three_driver *d, const char *call, int code, cgct_err *err);
cgct_status three_cublas_check(const char *call, int code, cgct_err *err);
#endif
