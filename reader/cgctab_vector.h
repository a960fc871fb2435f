/* SPDX-License-Identifier: MIT */
/* cgctab_vector.h: eight doubles side by side, in registers where the compiler has vectors. */
#ifndef CGCTAB_VECTOR_H
#define CGCTAB_VECTOR_H
#include <stddef.h>

#if defined(__GNUC__)
#define CGCT_PREFETCH(at) __builtin_prefetch(at)
#define CGCT_ALIGNED __attribute__((aligned(64)))
#define CGCT_LANES_ZERO                                                                            \
    {                                                                                              \
        0                                                                                          \
    }
#define CGCT_HALVES_ZERO                                                                           \
    {                                                                                              \
        0                                                                                          \
    }
typedef double cgct_lanes __attribute__((vector_size(64)));
typedef float cgct_halves __attribute__((vector_size(32))); /* eight floats */
typedef double cgct_doubles __attribute__((vector_size(64), aligned(8), may_alias));
typedef float cgct_floats __attribute__((vector_size(32), aligned(4), may_alias));

/* sum += w times eight numbers: doubles, floats in double precision, floats in single precision. */
static inline void cgct_lanes_add(cgct_lanes *sum, double w, const double *from)
{
    *sum += w * *(const cgct_doubles *)from;
}

static inline void cgct_lanes_add_floats(cgct_lanes *sum, double w, const float *from)
{
    *sum += w * __builtin_convertvector(*(const cgct_floats *)from, cgct_lanes);
}

static inline void cgct_halves_add(cgct_halves *sum, float w, const float *from)
{
    *sum += w * *(const cgct_floats *)from;
}

/* out += a + b */
static inline void cgct_lanes_add_to(double *out, const cgct_lanes *a, const cgct_lanes *b)
{
    *(cgct_doubles *)out += *a + *b;
}

static inline void cgct_halves_add_to(double *out, const cgct_halves *a, const cgct_halves *b)
{
    *(cgct_doubles *)out += __builtin_convertvector(*a + *b, cgct_lanes);
}

static inline void cgct_lanes_add_product(cgct_lanes *to, const cgct_lanes *a, const double *b)
{
    *to += *a * *(const cgct_doubles *)b;
}

/* (re + i im) times (c + i s). */
static inline void cgct_lanes_rotate(cgct_lanes *re, cgct_lanes *im, double c, double s)
{
    cgct_lanes next = c * *re - s * *im;
    *im = c * *im + s * *re;
    *re = next;
}

static inline void cgct_lanes_pairs(cgct_lanes *to, double a, double b, double c, double d)
{
    const cgct_lanes pairs = {a, a, b, b, c, c, d, d};
    *to = pairs;
}

static inline void cgct_lanes_store(const cgct_lanes *from, double *to)
{
    *(cgct_doubles *)to = *from;
}
#else
#define CGCT_PREFETCH(at) ((void)(at))
#define CGCT_ALIGNED
#define CGCT_LANES_ZERO                                                                            \
    {                                                                                              \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
#define CGCT_HALVES_ZERO                                                                           \
    {                                                                                              \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
typedef struct {
    double v[8];
} cgct_lanes;
typedef struct {
    float v[8];
} cgct_halves;

static inline void cgct_lanes_add(cgct_lanes *sum, double w, const double *from)
{
    for (int i = 0; i < 8; i++) sum->v[i] += w * from[i];
}

static inline void cgct_lanes_add_floats(cgct_lanes *sum, double w, const float *from)
{
    for (int i = 0; i < 8; i++) sum->v[i] += w * (double)from[i];
}

static inline void cgct_halves_add(cgct_halves *sum, float w, const float *from)
{
    for (int i = 0; i < 8; i++) sum->v[i] += w * from[i];
}

static inline void cgct_lanes_add_to(double *out, const cgct_lanes *a, const cgct_lanes *b)
{
    for (int i = 0; i < 8; i++) out[i] += a->v[i] + b->v[i];
}

static inline void cgct_halves_add_to(double *out, const cgct_halves *a, const cgct_halves *b)
{
    for (int i = 0; i < 8; i++) {
        float sum = a->v[i] + b->v[i];
        out[i] += (double)sum;
    }
}

static inline void cgct_lanes_add_product(cgct_lanes *to, const cgct_lanes *a, const double *b)
{
    for (int i = 0; i < 8; i++) to->v[i] += a->v[i] * b[i];
}

static inline void cgct_lanes_rotate(cgct_lanes *re, cgct_lanes *im, double c, double s)
{
    for (int i = 0; i < 8; i++) {
        double next = c * re->v[i] - s * im->v[i];
        im->v[i] = c * im->v[i] + s * re->v[i];
        re->v[i] = next;
    }
}

static inline void cgct_lanes_pairs(cgct_lanes *to, double a, double b, double c, double d)
{
    const double v[8] = {a, a, b, b, c, c, d, d};
    for (int i = 0; i < 8; i++) to->v[i] = v[i];
}

static inline void cgct_lanes_store(const cgct_lanes *from, double *to)
{
    for (int i = 0; i < 8; i++) to[i] = from->v[i];
}
#endif
#endif
