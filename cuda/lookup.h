/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lookup.h: a smooth function of x > 0 by local polynomials, one inline text for C and CUDA.
 *
 * Every octave of x is cut into 2^bits equal cells, so that the leading bits of x are the number of
 * its cell and finding it costs no arithmetic.  A cell holds the coefficients of the powers of x
 * less its middle: 48 bytes, three vector loads. */
#ifndef CGCT_LOOKUP_H
#define CGCT_LOOKUP_H
#include <stdint.h>
#include <string.h>

#include "numerics/pointwise.h"

enum { LOOKUP_TERMS = 6, LOOKUP_BITS_MIN = 6, LOOKUP_BITS_MAX = 12 };

/* Last x of the tables of e^x x K(x): e^-x is 0 in effect, and K itself not yet. */
#define LOOKUP_K_MAX 640.

/* Without a host pointer of its own, so that it can be handed to a kernel by value. */
typedef struct {
    const double *c; /* (cells, LOOKUP_TERMS) */
    double
        lo; /* below it, and for x < 0, the value at lo; above the last cell nothing is checked */
    uint32_t first; /* leading bits of the first cell */
    int shift;      /* 20 - bits: what the high word of x is shifted by */
} lookup;

CGCT_KERNEL uint32_t lookup_high(double x)
{
#if defined(__CUDACC__)
    return (uint32_t)__double2hiint(x);
#else
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return (uint32_t)(u >> 32);
#endif
}

CGCT_KERNEL double lookup_from_high(uint32_t high)
{
#if defined(__CUDACC__)
    return __hiloint2double((int)high, 0);
#else
    uint64_t u = (uint64_t)high << 32;
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
#endif
}

CGCT_KERNEL double lookup_middle(uint32_t cell, int shift)
{
    return lookup_from_high((cell << shift) + (1u << (shift - 1)));
}

/* Needs 1 addition and 5 multiply-adds in double precision: lo has no bits in its low word, so that
 * comparing high words does. */
CGCT_KERNEL double lookup_at(const lookup *t, double x)
{
    double v = (int32_t)lookup_high(x) < (int32_t)lookup_high(t->lo) ? t->lo : x;
    uint32_t cell = lookup_high(v) >> t->shift;
    double u = v - lookup_middle(cell, t->shift);
#if defined(__CUDACC__)
    const double2 *c = (const double2 *)(t->c + (size_t)(cell - t->first) * LOOKUP_TERMS);
    double2 a = __ldg(c), b = __ldg(c + 1), e = __ldg(c + 2);
    return a.x + u * (a.y + u * (b.x + u * (b.y + u * (e.x + u * e.y))));
#else
    const double *c = t->c + (size_t)(cell - t->first) * LOOKUP_TERMS;
    return c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5]))));
#endif
}
#endif
