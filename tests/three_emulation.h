/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_emulation.h: a machine for cuda/three_stream.h in serial C: the kernels' own text item by
 * item, products as a device's library gets them. */
#ifndef THREE_EMULATION_H
#define THREE_EMULATION_H
#include <stdlib.h>
#include <string.h>

#include "cuda/three_stream.h"
#include "emulated_cublas.h"

typedef struct {
    three_machine machine;
    three_stream stream;
    const three_integrand *g; /* its block function stands for the kernel's inner part */
    size_t in_use;            /* bytes, and the most there were */
    size_t most;
} emulation;

/* Behind each allocation lies a number that must survive. */
#define EMULATION_FENCE 0x1.23456789abcdep77

static inline cgct_status emulation_allocate(void *self, size_t n, double **v, cgct_err *err)
{
    emulation *e = self;
    (void)err;
    *v = malloc((n + 2) * sizeof **v);
    ck_assert_ptr_nonnull(*v);
    for (size_t i = 0; i < n; i++) (*v)[i] = NAN;
    (*v)[n] = EMULATION_FENCE;
    (*v)[n + 1] = (double)n;
    e->in_use = n * sizeof **v;
    e->most = e->in_use > e->most ? e->in_use : e->most;
    return CGCT_OK;
}

static inline void emulation_release(void *self, double *v)
{
    emulation *e = self;
    ck_assert(v[e->in_use / sizeof *v] == EMULATION_FENCE);
    e->in_use = 0;
    free(v);
}

static inline cgct_status emulation_copy(void *self, double *to, const double *from, size_t n,
                                         cgct_err *err)
{
    (void)self;
    (void)err;
    memcpy(to, from, n * sizeof *to);
    return CGCT_OK;
}

static inline cgct_status emulation_product(void *self, const gpu_product *p, cgct_err *err)
{
    (void)self;
    (void)err;
    cublas_multiply(&emulated_cublas, NULL, p);
    return CGCT_OK;
}

static inline cgct_status emulation_sample(void *self, const three_sampling *a, cgct_err *err)
{
    const emulation *e = self;
    (void)err;
    for (size_t i = 0; i < three_sampling_items(a); i++) {
        three_point x[2];
        size_t to[2];
        double re[2], im[2];
        int n = three_sampling_points(a, i, x, to);
        for (int j = 0; j < n; j++) {
            const three_block at = {
                x[j].delta,     x[j].b,        1, 1, 1, &x[j].rp, &x[j].cos_alpha, &x[j].sin_alpha,
                &x[j].cos_beta, &x[j].sin_beta};
            e->g->block(e->g->self, &at, &re[j], e->g->is_complex ? &im[j] : NULL);
        }
        three_sampling_store(a, a->v[0], to, n, re);
        if (e->g->is_complex) three_sampling_store(a, a->v[1], to, n, im);
    }
    return CGCT_OK;
}

static inline cgct_status emulation_combine(void *self, const three_combining *a, cgct_err *err)
{
    (void)self;
    (void)err;
    for (size_t i = 0; i < three_combining_items(a); i++) three_combine(a, i);
    return CGCT_OK;
}

static inline void emulation_init(emulation *e, const three_integrand *g, size_t bytes)
{
    *e = (emulation){.g = g};
    e->machine = (three_machine){.self = e,
                                 .bytes_free = bytes,
                                 .allocate = emulation_allocate,
                                 .release = emulation_release,
                                 .put = emulation_copy,
                                 .get = emulation_copy,
                                 .product = emulation_product,
                                 .sample = emulation_sample,
                                 .combine = emulation_combine};
    three_stream_init(&e->stream, &e->machine, 0, NULL);
}

static inline void emulation_free(emulation *e)
{
    three_stream_free(&e->stream);
    ck_assert_uint_eq(e->in_use, 0);
}
#endif
