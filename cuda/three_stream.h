/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_stream.h: the three-momentum transform on a device: one Delta and some b at a time, all r'
 * and angles at once.  Samples -> modes in beta -> sum over b -> modes in alpha -> sums over r' and
 * Delta are matrix products but for the kernels of three_kernel.h.  Plain C over any machine. */
#ifndef CGCT_THREE_STREAM_H
#define CGCT_THREE_STREAM_H
#include "three/plan.h"
#include "three_machine.h"

typedef struct {
    three_engine engine; /* for three_opts */
    const three_machine *machine;
    const three_plan *p;
    size_t npar;
    const double *par; /* of the integrand, on the host */
    double *orders;    /* on the host: weights of r', (3M+1, NSET, np, nr), orders -M..2M signed */
    double *memory;    /* on the device, one block, in which are: */
    /* Tables; (nchannel, sweep, N, columns); (sweep, nn, columns);
     * (nchannel, nn, nrow, columns); 2 (nn, nrow, M+1, nr); (nplane, nmode, nd, nq, NSET, nr);
     * (nplane, nmode, NSET, nd, nq, np); and the modes of both sets. */
    double *cos, *sin, *beta_cos, *beta_sin, *alpha_cos, *alpha_sin, *wb, *wr, *wd, *b, *rp,
        *params;
    double *samples, *P, *h, *c, *s, *H, *K, *A[THREE_NSET];
} three_stream;

/* Fills in s->engine.  The machine and par[npar] must live as long as *s. */
void three_stream_init(three_stream *s, const three_machine *m, size_t npar, const double *par);
void three_stream_free(three_stream *s);
#endif
