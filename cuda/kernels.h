/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernels.h: the list of all kernels, and how gpu.cu launches them.
 *
 * NAME_thread(argument, i) in one of the headers *_kernels.h is the body of a kernel: what thread i
 * does.  These bodies compile as C and as CUDA, so that tests run them on the processor. */
#ifndef CGCT_KERNELS_H
#define CGCT_KERNELS_H
#include <stddef.h>

enum { GPU_BLOCK = 256 }; /* threads in a block, except for `assemble` */

/* Name and type of the argument of every kernel but `assemble`, whose blocks share memory. */
#define GPU_KERNELS(X)                                                                             \
    X(bessel, filon_view)                                                                          \
    X(widen, filon_view)                                                                           \
    X(weigh, filon_view)                                                                           \
    X(tail, filon_view)                                                                            \
    X(wave, direct_view)                                                                           \
    X(cross, direct_view)                                                                          \
    X(project, direct_view)                                                                        \
    X(pair, full_view)                                                                             \
    X(full, full_view)                                                                             \
    X(radial, full_view)                                                                           \
    X(cosine, angle_view)                                                                          \
    X(ell, ell_view)                                                                               \
    X(place, ell_view)                                                                             \
    X(kink, ell_view)                                                                              \
    X(patch, ell_view)                                                                             \
    X(share, separable_view)                                                                       \
    X(phi, separable_view)                                                                         \
    X(spread, separable_view)                                                                      \
    X(pick, separable_view)                                                                        \
    X(put, separable_view)                                                                         \
    X(near, separable_view)                                                                        \
    X(gather, separable_view)                                                                      \
    X(combine, separable_view)                                                                     \
    X(scatter, separable_view)                                                                     \
    X(lattice, colours_view)                                                                       \
    X(colours, colours_view)                                                                       \
    X(resolve, colours_view)                                                                       \
    X(blend, colours_view)                                                                         \
    X(widen_r, colours_view)                                                                       \
    X(recentre, product_view)

#define GPU_KERNEL_NUMBER(name, args) GPU_##name,
typedef enum { GPU_KERNELS(GPU_KERNEL_NUMBER) GPU_assemble, GPU_KERNEL_COUNT } gpu_kernel;

#if defined(__CUDACC__)
/* Starts n threads (n blocks of `assemble`) on the stream; returns the failure of the launch. */
cudaError_t kernels_launch(gpu_kernel kernel, size_t n, const void *args, cudaStream_t stream);
/* A failure where this program holds no code for the current device. */
cudaError_t kernels_present(void);
#endif
#endif
