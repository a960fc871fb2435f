/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lookup.h: tables of smooth functions of x > 0 by local polynomials, prepared on the processor and
 * evaluated on a device; the evaluation is inline text for C and CUDA.
 *
 * Every octave of x is divided into 2^bits equal cells, so that the leading bits of x are the
 * number of its cell and finding it needs no arithmetic.  A cell holds the coefficients of the
 * powers of x minus its middle: 48 bytes, three vector loads. */
#ifndef CGCT_LOOKUP_H
#define CGCT_LOOKUP_H
#include <stdint.h>
#include <string.h>

#include "dipole/dipole.h"
#include "numerics/pointwise.h"

enum { LOOKUP_TERMS = 6, LOOKUP_BITS_MIN = 6, LOOKUP_BITS_MAX = 12 };

/* Last x of the tables of e^x x K(x): there e^-x = 1e-278 is negligible, but not yet 0. */
#define LOOKUP_K_MAX 640.

/* Evaluation of a table; passed to kernels by value. */
typedef struct {
    const double *c; /* (cells, LOOKUP_TERMS) */
    double lo; /* below it, and for x < 0, the value at lo; beyond the last cell: not checked */
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

/* Takes 1 addition and 5 multiply-adds in double precision.  The low word of lo is zero, so that
 * comparing the high words is enough. */
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

/* ---- preparation, on the processor ---- */

typedef struct {
    lookup at;      /* its c points to the coefficients on the processor */
    size_t cells;   /* of LOOKUP_TERMS numbers each */
    double error;   /* largest error found between the nodes: |difference|/max(1, |f|) */
    double *coeffs; /* to be freed, or NULL */
} lookup_table;

/* A function to be tabulated: out[n] at x[n]. */
typedef struct {
    const char *name; /* for messages */
    void (*values)(const void *self, size_t n, const double *x, double *out);
    const void *self;
} lookup_function;

#define LOOKUP_TOLERANCE 1e-13 /* of |difference|/max(1, |f|) */

/* Purpose  a table of f from lo to hi with the fewest bits that reach LOOKUP_TOLERANCE between the
 *          nodes; 0 < lo < hi
 * Returns  OK, E_ACCURACY where LOOKUP_BITS_MAX is not enough, E_DOMAIN */
cgct_status lookup_init(lookup_table *t, const lookup_function *f, double lo, double hi,
                        cgct_err *err);
void lookup_free(lookup_table *t);

/* L = ln S as a function of r^2 in GeV^-2 up to r2_max. */
cgct_status lookup_lnS(lookup_table *t, const dipole *d, double r2_max, cgct_err *err);
/* e^x x K0(x) and e^x x K1(x) up to LOOKUP_K_MAX, made by make_bessel_lookup.c. */
extern const lookup_table lookup_K0, lookup_K1;
#endif
