/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_stream.h: the three-momentum transform for a device with little memory, as plain C over any
 * machine that has memory, matrix products and the two kernels of three/three_kernel.h.
 *
 * For one Delta and some b at a time, all r' and angles at once: samples -> modes in beta -> sum
 * over b -> modes in alpha -> sums over r' and Delta.  All steps but the samples and the
 * combination of modes in alpha and beta are matrix products.  three_cuda.h has a machine that is
 * a CUDA device; tests/three_emulation.h has one in serial C. */
#ifndef CGCT_THREE_STREAM_H
#define CGCT_THREE_STREAM_H
#include "gpu.h"
#include "three/plan.h"
#include "three/three_kernel.h"

/* ---- the machine ---- */

typedef struct {
    void *self;
    size_t bytes_free; /* memory for the transform */
    /* The pointers v, and `to` of put, `from` of get, are to the device's memory. */
    cgct_status (*allocate)(void *self, size_t n, double **v, cgct_err *err);
    void (*release)(void *self, double *v);
    cgct_status (*put)(void *self, double *to, const double *from, size_t n, cgct_err *err);
    cgct_status (*get)(void *self, double *to, const double *from, size_t n, cgct_err *err);
    cgct_status (*product)(void *self, const gpu_product *p, cgct_err *err);
    cgct_status (*sample)(void *self, const three_sampling *a, cgct_err *err);
    cgct_status (*combine)(void *self, const three_combining *a, cgct_err *err);
} three_machine;

/* ---- the transform ---- */

typedef struct {
    three_engine engine; /* for three_opts */
    const three_machine *machine;
    const three_plan *p;
    size_t npar;
    const double *par; /* of the integrand, on the host */
    double *orders;    /* on the host: weights of r', (3M+1, NSET, np, nr), orders -M..2M signed */
    double *memory;    /* on the device: one block that holds all arrays below */
    /* tables */
    double *cos, *sin, *beta_cos, *beta_sin, *alpha_cos, *alpha_sin, *wb, *wr, *wd, *b, *rp,
        *params;
    double *samples;       /* (nchannel, sweep, N, columns), columns = nalpha nr */
    double *P;             /* (sweep, nn, columns): modes in beta */
    double *h;             /* (nchannel, nn, nrow, columns), nrow = NSET nq: summed over b */
    double *c, *s;         /* (nn, nrow, M+1, nr): their cosine and sine modes in alpha */
    double *H;             /* (nplane, nmode, nd, nq, NSET, nr) */
    double *K;             /* (nplane, nmode, NSET, nd, nq, np): summed over r' */
    double *A[THREE_NSET]; /* the modes of both sets */
} three_stream;

/* Fills in s->engine.  The machine and par[npar] must live as long as *s. */
void three_stream_init(three_stream *s, const three_machine *m, size_t npar, const double *par);
void three_stream_free(three_stream *s);
#endif
