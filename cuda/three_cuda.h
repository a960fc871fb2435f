/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_cuda.h: the three-momentum transform on a CUDA device for an integrand given as text. */
#ifndef CGCT_THREE_CUDA_H
#define CGCT_THREE_CUDA_H
#include "three/momentum.h"
#include "three_compile.h"

typedef struct three_cuda three_cuda;

/* Purpose  Compiles the text, also where there is no device; then opens device 0 and cuBLAS.
 * In       source (text NULL: path is read); par[npar], which must live as long as *c
 * Out      *c (close with three_cuda_close, also after a failure); *g without a name and without a
 *          block function: it runs only in *engine, for three_opts
 * Returns  OK; E_IO (cannot be read), E_FORMAT (does not compile: reported), E_DEVICE (no compiler,
 *          no device, their failures), E_DOMAIN (number of parameters). */
cgct_status three_cuda_open(three_cuda **c, const three_source *source, size_t npar,
                            const double *par, three_integrand *g, three_engine **engine,
                            cgct_err *err);
void three_cuda_close(three_cuda *c); /* NULL is accepted */

const char *three_cuda_device(const three_cuda *c); /* its name */
#endif
