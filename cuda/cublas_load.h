/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cublas_load.h: cuBLAS as a library that is opened when the first product is asked for, so that
 * the program starts where there is none. */
#ifndef CGCT_CUBLAS_LOAD_H
#define CGCT_CUBLAS_LOAD_H
#include <cublas_v2.h>

#include "gpu.h"

typedef struct {
    void *library;
    cublasHandle_t handle;
    decltype(&cublasCreate) create;
    decltype(&cublasDestroy) destroy;
    decltype(&cublasSetStream) set_stream;
    decltype(&cublasGetStatusString) text;
    decltype(&cublasDgemmStridedBatched) gemm;
} cublas_calls;

/* Opens the library, once, and makes a handle on the stream.  E_DEVICE with the loader's words. */
cgct_status cublas_load(cublas_calls *c, cudaStream_t stream, const char *device, cgct_err *err);
void cublas_unload(cublas_calls *c);
#endif
