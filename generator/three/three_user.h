/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_user.h: an integrand of your own for 'cgctab-generate three'.
 *
 *   #include "three_user.h"
 *   #include <math.h>
 *   static double value(const three_point *x, const double *par)
 *   {
 *       double r2 = x->delta * x->delta + x->rp * x->rp + 2 * x->delta * x->rp * x->cos_alpha;
 *       return exp(-par[0] * (r2 + x->rp * x->rp + x->b * x->b));
 *   }
 *   THREE_INTEGRAND(value, 1, THREE_SYMMETRIC)
 *
 *   cc -x c -O3 -march=native -fPIC -shared -I DIR mine.cu -o mine.so -lm
 *
 * mine.so runs on the processor.  For a device give the source itself (--integrand mine.cu), which
 * is compiled as CUDA C++; of the standard headers, <math.h> and <stddef.h> are available there.
 *
 * Or fill in cgct_three_library yourself, with a block function of your own.  Functions are called
 * by several threads at once; a value that is not finite ends the run, which reports its place. */
#ifndef CGCT_THREE_USER_H
#define CGCT_THREE_USER_H
#include "three_integrand.h"

enum { THREE_LIBRARY_VERSION = 1, THREE_GENERAL = 0, THREE_SYMMETRIC = 1 };

/* What the shared object exports under the name cgct_three_library; the members mean what those of
 * three_integrand mean, and self is the array of nparam numbers given with --params. */
typedef struct {
    int version, nparam, is_complex, is_symmetric;
    void (*block)(const void *self, const three_block *at, double *re, double *im);
} three_library;

#ifdef __CUDACC_RTC__
#include "three_kernel.h" /* the same macros for a device */
#else
#define THREE_LIBRARY_(nparam, is_complex, symmetric, evaluate)                                    \
    static void three_block_(const void *self, const three_block *at, double *re, double *im)      \
    {                                                                                              \
        three_point x = {.delta = at->delta, .b = at->b};                                          \
        size_t i = 0;                                                                              \
        (void)im;                                                                                  \
        for (size_t jb_ = 0; jb_ < at->nbeta; jb_++)                                               \
            for (size_t ja_ = 0; ja_ < at->nalpha; ja_++)                                          \
                for (size_t jr_ = 0; jr_ < at->n; jr_++, i++) {                                    \
                    x.rp = at->rp[jr_];                                                            \
                    x.cos_alpha = at->cos_alpha[ja_], x.sin_alpha = at->sin_alpha[ja_];            \
                    x.cos_beta = at->cos_beta[jb_], x.sin_beta = at->sin_beta[jb_];                \
                    evaluate;                                                                      \
                }                                                                                  \
    }                                                                                              \
    extern const three_library cgct_three_library;                                                 \
    const three_library cgct_three_library = {THREE_LIBRARY_VERSION, nparam, is_complex,           \
                                              symmetric, three_block_};

/* double value(const three_point *x, const double *par); symmetric: THREE_SYMMETRIC where
 * G(-alpha,-beta) = G(alpha,beta), else THREE_GENERAL. */
#define THREE_INTEGRAND(value, nparam, symmetric)                                                  \
    THREE_LIBRARY_(nparam, 0, symmetric, re[i] = value(&x, self))

/* void value(const three_point *x, const double *par, double *re, double *im) */
#define THREE_INTEGRAND_COMPLEX(value, nparam, symmetric)                                          \
    THREE_LIBRARY_(nparam, 1, symmetric, value(&x, self, &re[i], &im[i]))
#endif
#endif
