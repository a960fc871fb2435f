/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine of three_stream.h on a device: memory, kernels by the driver, products by cuBLAS. */
#include "three_cuda.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/rows.h"
#include "three/three_user.h"
#include "libraries.h"
#include "numerics/memory.h"
#include "three_stream.h"

struct three_cuda {
    cuda_driver driver;
    cublas_calls cublas;
    int device;
    void *context, *module, *sample, *combine, *blas;
    char name[128];
    three_image image;
    three_machine machine;
    three_stream stream;
};

enum { THREE_BLOCK = 256 }; /* threads in a block */
/* values of CUdevice_attribute and CUresult in cuda.h */
enum { CAPABILITY_MAJOR = 75, CAPABILITY_MINOR = 76, OUT_OF_MEMORY = 2 };

#define DRIVER_TRY(c, err, call, ...)                                                              \
    CGCT_TRY(driver_check(&(c)->driver, (c)->name, #call, (c)->driver.call(__VA_ARGS__), err))

static cgct_status check_cublas(const three_cuda *c, const char *call, int code, cgct_err *err)
{
    if (code == CUBLAS_OK) return CGCT_OK;
    return cgct_fail(err, CGCT_E_DEVICE, "%s: %s: %s (%d); run again or on another device", c->name,
                     call, c->cublas.text(code), code);
}

/* ---- the machine ---- */

static cgct_status three_device_allocate(void *self, size_t n, double **v, cgct_err *err)
{
    three_cuda *c = self;
    uint64_t at = 0;
    size_t left = 0, total = 0;
    int code = c->driver.cuMemAlloc(&at, n * sizeof **v);
    if (code == OUT_OF_MEMORY) {
        DRIVER_TRY(c, err, cuMemGetInfo, &left, &total);
        return cgct_fail(err, CGCT_E_NOMEM,
                         "%s: cuMemAlloc: %.3f GiB needed, %.3f of %.3f free; use fewer angles or "
                         "nodes",
                         c->name, (double)n * sizeof **v / (1 << 30), (double)left / (1 << 30),
                         (double)total / (1 << 30));
    }
    CGCT_TRY(driver_check(&c->driver, c->name, "cuMemAlloc", code, err));
    *v = (double *)(uintptr_t)at;
    return CGCT_OK;
}

static void three_device_release(void *self, double *v)
{
    three_cuda *c = self;
    c->driver.cuMemFree((uint64_t)(uintptr_t)v);
}

static cgct_status three_device_put(void *self, double *to, const double *from, size_t n,
                                    cgct_err *err)
{
    three_cuda *c = self;
    DRIVER_TRY(c, err, cuMemcpyHtoD, (uint64_t)(uintptr_t)to, from, n * sizeof *to);
    return CGCT_OK;
}

/* Waits for the kernels and products before it and returns their failure. */
static cgct_status three_device_get(void *self, double *to, const double *from, size_t n,
                                    cgct_err *err)
{
    three_cuda *c = self;
    DRIVER_TRY(c, err, cuMemcpyDtoH, to, (uint64_t)(uintptr_t)from, n * sizeof *to);
    return CGCT_OK;
}

static cgct_status three_device_product(void *self, const gpu_product *p, cgct_err *err)
{
    three_cuda *c = self;
    if (p->n > INT_MAX || p->ldb > INT_MAX || p->batch > INT_MAX)
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "three_momentum: %zu columns in a product, cuBLAS takes %d; use fewer "
                         "angles or nodes of r'",
                         p->ldb, INT_MAX);
    int code = cublas_multiply(&c->cublas, c->blas, p);
    return check_cublas(c, "cublasDgemmStridedBatched", code, err);
}

/* The kernel takes one argument, a struct by value. */
static cgct_status launch_three_kernel(three_cuda *c, void *kernel, size_t items,
                                       const void *argument, cgct_err *err)
{
    size_t blocks = (items + THREE_BLOCK - 1) / THREE_BLOCK;
    void *arguments[] = {(void *)argument}; /* the driver only reads it */
    if (blocks > INT_MAX)
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "three_momentum: %zu items in a kernel, %d blocks of %d are the most; use "
                         "fewer angles or nodes of r'",
                         items, INT_MAX, THREE_BLOCK);
    DRIVER_TRY(c, err, cuLaunchKernel, kernel, (unsigned)blocks, 1, 1, THREE_BLOCK, 1, 1, 0, NULL,
               arguments, NULL);
    return CGCT_OK;
}

static cgct_status three_device_sample(void *self, const three_sampling *a, cgct_err *err)
{
    three_cuda *c = self;
    return launch_three_kernel(c, c->sample, three_sampling_items(a), a, err);
}

static cgct_status three_device_combine(void *self, const three_combining *a, cgct_err *err)
{
    three_cuda *c = self;
    return launch_three_kernel(c, c->combine, three_combining_items(a), a, err);
}

/* ---- opening ---- */

/* *capability: 10 major + minor of device 0 */
static cgct_status find_three_device(three_cuda *c, int *capability, cgct_err *err)
{
    int count = 0, major = 0, minor = 0;
    char name[sizeof c->name - sizeof "device 0 ()"];
    snprintf(c->name, sizeof c->name, "device 0");
    CGCT_TRY(driver_open(&c->driver, err));
    DRIVER_TRY(c, err, cuInit, 0);
    DRIVER_TRY(c, err, cuDeviceGetCount, &count);
    if (count < 1) return cgct_fail(err, CGCT_E_DEVICE, "the driver lists no device");
    DRIVER_TRY(c, err, cuDeviceGet, &c->device, 0);
    DRIVER_TRY(c, err, cuDeviceGetName, name, sizeof name, c->device);
    snprintf(c->name, sizeof c->name, "device 0 (%s)", name);
    DRIVER_TRY(c, err, cuDeviceGetAttribute, &major, CAPABILITY_MAJOR, c->device);
    DRIVER_TRY(c, err, cuDeviceGetAttribute, &minor, CAPABILITY_MINOR, c->device);
    *capability = 10 * major + minor;
    return CGCT_OK;
}

static cgct_status check_integrand(three_cuda *c, const char *path, size_t npar, three_integrand *g,
                                   cgct_err *err)
{
    uint64_t at = 0;
    size_t size = 0;
    int l[4] = {0}; /* version, nparam, is_complex, is_symmetric */
    DRIVER_TRY(c, err, cuModuleGetGlobal, &at, &size, c->module, "cgct_three_device");
    if (size != sizeof l)
        return cgct_fail(err, CGCT_E_FORMAT, "%s: cgct_three_device has %zu bytes, want %zu", path,
                         size, sizeof l);
    DRIVER_TRY(c, err, cuMemcpyDtoH, l, at, sizeof l);
    if (l[0] != THREE_LIBRARY_VERSION)
        return cgct_fail(err, CGCT_E_VERSION, "%s: version %d of three_user.h, want %d", path, l[0],
                         THREE_LIBRARY_VERSION);
    if (l[1] < 0 || (size_t)l[1] != npar)
        return cgct_fail(err, CGCT_E_DOMAIN, "%s: takes %d parameters, %zu are given; give as many",
                         path, l[1], npar);
    *g = (three_integrand){.is_complex = l[2] != 0, .is_symmetric = l[3] != 0};
    return CGCT_OK;
}

static cgct_status load_three_device(three_cuda *c, const char *path, size_t npar,
                                     three_integrand *g, cgct_err *err)
{
    size_t total = 0, left = 0;
    DRIVER_TRY(c, err, cuDevicePrimaryCtxRetain, &c->context, c->device);
    DRIVER_TRY(c, err, cuCtxSetCurrent, c->context);
    DRIVER_TRY(c, err, cuModuleLoadData, &c->module, c->image.code);
    CGCT_TRY(check_integrand(c, path, npar, g, err));
    DRIVER_TRY(c, err, cuModuleGetFunction, &c->sample, c->module, "three_sample_kernel");
    DRIVER_TRY(c, err, cuModuleGetFunction, &c->combine, c->module, "three_combine_kernel");
    CGCT_TRY(cublas_open(&c->cublas, 0, err));
    CGCT_TRY(check_cublas(c, "cublasCreate", c->cublas.create(&c->blas), err));
    DRIVER_TRY(c, err, cuMemGetInfo, &left, &total);
    c->machine = (three_machine){.self = c,
                                 .bytes_free = left - left / 10, /* cuBLAS takes some */
                                 .allocate = three_device_allocate,
                                 .release = three_device_release,
                                 .put = three_device_put,
                                 .get = three_device_get,
                                 .product = three_device_product,
                                 .sample = three_device_sample,
                                 .combine = three_device_combine};
    return CGCT_OK;
}

static cgct_status compile_and_load(three_cuda *c, const three_source *source, size_t npar,
                                    three_integrand *g, cgct_err *err)
{
    cgct_err why;
    int capability = 0;
    cgct_status found = find_three_device(c, &capability, &why);
    CGCT_TRY(three_compile(source, capability, &c->image, err));
    if (found != CGCT_OK)
        return cgct_fail(err, CGCT_E_DEVICE,
                         "%s: compiles (%s), but there is no CUDA device to run it: %s",
                         source->path, c->image.arch, why.text);
    return load_three_device(c, source->path, npar, g, err);
}

cgct_status three_cuda_open(three_cuda **to, const three_source *source, size_t npar,
                            const double *par, three_integrand *g, three_engine **engine,
                            cgct_err *err)
{
    text_lines file = {.name = NULL};
    three_source own = *source;
    three_cuda *c = *to = memory_zeros(1, sizeof *c);
    cgct_status st = CGCT_OK;
    if (!source->text) {
        st = text_lines_open(&file, source->path, err);
        own.text = file.text;
        if (st == CGCT_OK && (file.size == 0 || strlen(file.text) < file.size))
            st = cgct_fail(err, CGCT_E_FORMAT, "%s: %s", source->path,
                           file.size ? "a zero byte; only text is read" : "the file is empty");
    }
    if (st == CGCT_OK) st = compile_and_load(c, &own, npar, g, err);
    text_lines_close(&file);
    if (st != CGCT_OK) return st;
    three_stream_init(&c->stream, &c->machine, npar, par);
    *engine = &c->stream.engine;
    return CGCT_OK;
}

const char *three_cuda_device(const three_cuda *c)
{
    return c->name;
}

void three_cuda_close(three_cuda *c)
{
    if (!c) return;
    three_stream_free(&c->stream);
    if (c->blas) c->cublas.destroy(c->blas);
    if (c->module) c->driver.cuModuleUnload(c->module);
    if (c->context) c->driver.cuDevicePrimaryCtxRelease(c->device);
    if (c->cublas.handle) dlclose(c->cublas.handle);
    if (c->driver.handle) dlclose(c->driver.handle);
    free(c->image.code);
    free(c);
}
