/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_kernel.h: the two kernels of the three-momentum transform on a device; all else are matrix
 * products.  What a thread does with its item is written in inline functions that the C compiler
 * accepts, too, so that tests run them on the processor (tests/three_emulation.h); the kernels
 * themselves exist only where NVRTC compiles an integrand. */
#ifndef CGCT_THREE_KERNEL_H
#define CGCT_THREE_KERNEL_H
#include "three_integrand.h"

#ifdef __CUDACC_RTC__
#define THREE_INLINE static __device__ __forceinline__
#else
#define THREE_INLINE static inline
#endif

/* Samples at one Delta: v[channel] (nb, N, nalpha, nr), of Re G and Im G.  Item (ib, j, ia, ir),
 * j = 0..N/2, takes angles j and N-j of beta: their sum goes to row j and their difference to row
 * N-j, or with `is_raw` the values themselves. */
typedef struct {
    double delta;
    size_t nb, N, nalpha, nr;
    int is_raw;
    const double *b, *rp;    /* (nb), (nr) */
    const double *cos, *sin; /* (N) */
    const double *par;
    double *v[2];
} three_sampling;

THREE_INLINE size_t three_sampling_items(const three_sampling *s)
{
    return s->nb * (s->N / 2 + 1) * s->nalpha * s->nr;
}

/* Fills in the points of item i and their places in v; returns how many there are, one or two. */
THREE_INLINE int three_sampling_points(const three_sampling *s, size_t i, three_point x[2],
                                       size_t to[2])
{
    size_t columns = s->nalpha * s->nr, column = i % columns, row = i / columns;
    size_t half = s->N / 2 + 1, j = row % half, ib = row / half, mirror = s->N - j;
    size_t ia = column / s->nr;
    x[0].delta = s->delta;
    x[0].rp = s->rp[column % s->nr];
    x[0].b = s->b[ib];
    x[0].cos_alpha = s->cos[ia];
    x[0].sin_alpha = s->sin[ia];
    x[0].cos_beta = s->cos[j];
    x[0].sin_beta = s->sin[j];
    to[0] = (ib * s->N + j) * columns + column;
    if (j == 0 || j == mirror) return 1;
    x[1] = x[0];
    x[1].cos_beta = s->cos[mirror];
    x[1].sin_beta = s->sin[mirror];
    to[1] = (ib * s->N + mirror) * columns + column;
    return 2;
}

THREE_INLINE void three_sampling_store(const three_sampling *s, double *v, const size_t to[2],
                                       int n, const double value[2])
{
    v[to[0]] = n == 2 && !s->is_raw ? value[0] + value[1] : value[0];
    if (n == 2) v[to[1]] = s->is_raw ? value[1] : value[0] - value[1];
}

/* Modes (m, +n) and (m, -n) at one Delta from the projections on cos(m alpha), c, and sin(m alpha),
 * s, of the modes in beta: c, s (2M+1, nrow, M+1, nr), cosines n = 0..M, then sines n = 1..M.
 * H points to m = 0, n = -M; the sign of J_-n = (-1)^n J_n is included. */
typedef struct {
    size_t M, nrow, nr;
    int is_symmetric; /* then there is no plane of imaginary parts */
    const double *c, *s;
    double *H;
    size_t mode_step, plane_step; /* of H, whose rows of nr follow one another */
} three_combining;

THREE_INLINE size_t three_combining_items(const three_combining *a)
{
    return (a->M + 1) * (a->M + 1) * a->nrow * a->nr;
}

THREE_INLINE void three_combine(const three_combining *a, size_t i)
{
    size_t nm = a->M + 1, ir = i % a->nr, row = i / a->nr % a->nrow, mn = i / a->nr / a->nrow;
    size_t n = mn % nm, m = mn / nm;
    size_t cosine = ((n * a->nrow + row) * nm + m) * a->nr + ir;
    size_t sine = cosine + a->M * a->nrow * nm * a->nr; /* of n > 0 */
    double cc = a->c[cosine], ss = n ? a->s[sine] : 0, odd = n % 2 ? -1 : 1;
    double *to = a->H + m * (2 * a->M + 1) * a->mode_step + row * a->nr + ir;
    double *up = to + (a->M + n) * a->mode_step, *down = to + (a->M - n) * a->mode_step;
    *up = cc - ss;
    if (n) *down = odd * (cc + ss);
    if (a->is_symmetric) return;
    double sc = a->s[cosine], cs = n ? a->c[sine] : 0;
    up[a->plane_step] = sc + cs;
    if (n) down[a->plane_step] = odd * (sc - cs);
}

#ifdef __CUDACC_RTC__
/* The item of this thread. */
THREE_INLINE size_t three_item()
{
    return blockIdx.x * (size_t)blockDim.x + threadIdx.x;
}

extern "C" __global__ void three_combine_kernel(three_combining a)
{
    if (three_item() < three_combining_items(&a)) three_combine(&a, three_item());
}

/* Beside the kernel stand the members of three_library (three_user.h) that the host reads. */
#define THREE_DEVICE_(nparam, is_complex, symmetric, evaluate)                                     \
    extern "C" __constant__ int cgct_three_device[4] = {THREE_LIBRARY_VERSION, nparam, is_complex, \
                                                        symmetric};                                \
    extern "C" __global__ void three_sample_kernel(three_sampling a)                               \
    {                                                                                              \
        three_point x[2];                                                                          \
        size_t to[2];                                                                              \
        double re[2], im[2];                                                                       \
        if (three_item() >= three_sampling_items(&a)) return;                                      \
        int n = three_sampling_points(&a, three_item(), x, to);                                    \
        for (int i = 0; i < n; i++) evaluate;                                                      \
        three_sampling_store(&a, a.v[0], to, n, re);                                               \
        if (is_complex) three_sampling_store(&a, a.v[1], to, n, im);                               \
    }
#define THREE_INTEGRAND(value, nparam, symmetric)                                                  \
    THREE_DEVICE_(nparam, 0, symmetric, re[i] = value(&x[i], a.par))
#define THREE_INTEGRAND_COMPLEX(value, nparam, symmetric)                                          \
    THREE_DEVICE_(nparam, 1, symmetric, value(&x[i], a.par, &re[i], &im[i]))
#endif
#endif
