/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CUDA kernels: launches around the bodies in *_kernels.h. */
#include <cuda_runtime_api.h>

#include "colours_kernels.h"
#include "direct_kernels.h"
#include "filon_kernels.h"
#include "kernels.h"
#include "product_kernels.h"
#include "separable_kernels.h"

enum { BLOCKS_PER_SM = 2 };

#define DEFINE_KERNEL(name, args)                                                                  \
    __global__ void name##_kernel(const args a, size_t n)                                          \
    {                                                                                              \
        size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;                                  \
        if (i < n) name##_thread(&a, i);                                                           \
    }
GPU_KERNELS(DEFINE_KERNEL)

/* Two blocks share a multiprocessor, where the registers suffice: one fills its shared memory while
 * the other computes. */
template <int FAR, int WHICH>
__global__ void __launch_bounds__(TILE_THREADS, WHICH == DIRECT_MANY ? BLOCKS_PER_SM : 1)
    assemble_kernel(const direct_view a)
{
    __shared__ assemble_shared sh;
    __shared__ assemble_place p; /* kept in registers it would make the compiler spill others */
    assemble_state q;
    const int thread = (int)threadIdx.x;
    if (thread == 0) p = assemble_at(&a, blockIdx.x);
    __syncthreads();
    assemble_begin(&a, p, thread, &q);
    for (int is = 0; is < (int)a.ns; is++)
        for (int i0 = 0; i0 < (int)a.n; i0 += TILE_ALPHA) {
            const int left = (int)a.n - i0, count = left < TILE_ALPHA ? left : TILE_ALPHA;
            __syncthreads();
            assemble_stage(&a, p, is, i0, thread, &sh);
            __syncthreads();
#pragma unroll 1 /* unrolling spills registers; the gammas of a thread are independent anyway */
            for (int i = 0; i < count; i++) assemble_add(&a, &sh, i, thread, FAR, WHICH, &q);
        }
    assemble_end(&a, p, thread, &q);
}

template <int WHICH>
static void launch_assemble(const direct_view *a, unsigned blocks, cudaStream_t stream)
{
    if (a->far == FAR_LINEAR)
        assemble_kernel<FAR_LINEAR, WHICH><<<blocks, TILE_THREADS, 0, stream>>>(*a);
    else if (a->far == FAR_TURNED)
        assemble_kernel<FAR_TURNED, WHICH><<<blocks, TILE_THREADS, 0, stream>>>(*a);
    else
        assemble_kernel<FAR_LOOKUP, WHICH><<<blocks, TILE_THREADS, 0, stream>>>(*a);
}

static void launch_assemble_of(const direct_view *a, unsigned blocks, cudaStream_t stream)
{
    if (a->which == DIRECT_MANY)
        launch_assemble<DIRECT_MANY>(a, blocks, stream);
    else if (a->which == DIRECT_FEW)
        launch_assemble<DIRECT_FEW>(a, blocks, stream);
    else
        launch_assemble<DIRECT_SINGLET>(a, blocks, stream);
}

#define LAUNCH_CASE(name, args)                                                                    \
    case GPU_##name:                                                                               \
        name##_kernel<<<blocks, GPU_BLOCK, 0, stream>>>(*(const args *)a, n);                      \
        break;

cudaError_t kernels_launch(gpu_kernel kernel, size_t n, const void *a, cudaStream_t stream)
{
    unsigned blocks = (unsigned)(kernel == GPU_assemble ? n : (n + GPU_BLOCK - 1) / GPU_BLOCK);
    switch (kernel) {
        GPU_KERNELS(LAUNCH_CASE)
    case GPU_assemble:
        launch_assemble_of((const direct_view *)a, blocks, stream);
        break;
    default:
        return cudaErrorInvalidDeviceFunction;
    }
    return cudaGetLastError();
}

cudaError_t kernels_present(void)
{
    cudaFuncAttributes unused;
    return cudaFuncGetAttributes(&unused, assemble_kernel<FAR_LOOKUP, DIRECT_MANY>);
}
