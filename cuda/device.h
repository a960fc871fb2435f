/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.h: what CUDA device there is, in C linkage; without nvcc the same functions say so. */
#ifndef CGCT_DEVICE_H
#define CGCT_DEVICE_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "format/error.h" /* plain C, hence inside */

typedef struct {
    char name[256];
    int major, minor; /* compute capability */
    int multiprocessors;
    size_t bytes_total, bytes_free; /* device memory */
    int driver, runtime;            /* CUDA versions as the API gives them: 1000 major + 10 minor */
    double clock;                   /* Hz, the highest */
    double bytes_per_second;        /* of the device memory, in theory; 0: not known */
} device_info;

/* Operations in double precision (a multiply-add is one) in a second, in theory and without tensor
 * cores.  Source: CUDA C programming guide, throughput of native arithmetic instructions. */
double device_fp64_rate(const device_info *d);

/* *count of devices.  E_DEVICE where there is none, no driver, or no CUDA in this build: the
 * message is the reason, e.g. "cudaGetDeviceCount: no CUDA-capable device is detected". */
cgct_status device_count(int *count, cgct_err *err);

/* *info of device 0 <= id < count.  E_DEVICE with the failing call's name and text. */
cgct_status device_probe(int id, device_info *info, cgct_err *err);

#ifdef __cplusplus
}
#endif
#endif
