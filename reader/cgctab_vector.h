/* SPDX-License-Identifier: MIT */
/* cgctab_vector.h: sixteen numbers side by side, in registers where the compiler has vectors. */
#ifndef CGCTAB_VECTOR_H
#define CGCTAB_VECTOR_H
#include <stddef.h>

#if defined(__GNUC__)
/* Part of each copy that CGCT_CLONES makes of the caller. */
#define CGCT_INLINE static inline __attribute__((always_inline))
#define CGCT_UNROLL _Pragma("GCC unroll 8")
#define CGCT_PREFETCH(at) __builtin_prefetch(at)
#define CGCT_ALIGNED __attribute__((aligned(64)))
typedef float cgct_narrow __attribute__((vector_size(64)));
typedef float cgct_narrow_at __attribute__((vector_size(64), aligned(4), may_alias));
typedef double cgct_four __attribute__((vector_size(32)));
typedef double cgct_four_at __attribute__((vector_size(32), aligned(8), may_alias));
typedef double cgct_eight __attribute__((vector_size(64)));
typedef double cgct_eight_at __attribute__((vector_size(64), aligned(8), may_alias));
typedef struct {
    cgct_eight lo, hi;
} cgct_wide;
typedef union {
    cgct_narrow all;
    float each[16];
} cgct_sixteen;
#define CGCT_ZERO                                                                                  \
    {                                                                                              \
        0                                                                                          \
    }
#define CGCT_WIDE_ZERO                                                                             \
    {                                                                                              \
        {0},                                                                                       \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

/* sum += w times as many numbers as sum has. */
CGCT_INLINE void cgct_wide_add(cgct_wide *sum, double w, const double *from)
{
    sum->lo += w * *(const cgct_eight_at *)from;
    sum->hi += w * *(const cgct_eight_at *)(from + 8);
}

CGCT_INLINE void cgct_narrow_add(cgct_narrow *sum, float w, const float *from)
{
    *sum += w * *(const cgct_narrow_at *)from;
}

CGCT_INLINE void cgct_four_add(cgct_four *sum, double w, const float *from)
{
    const cgct_four four = {from[0], from[1], from[2], from[3]};
    *sum += w * four;
}

/* out += a + b, or (a + b) + (c + d) from number `first` on, a multiple of 4 */
CGCT_INLINE void cgct_wide_add_to(double *out, const cgct_wide *a, const cgct_wide *b)
{
    *(cgct_eight_at *)out += a->lo + b->lo;
    *(cgct_eight_at *)(out + 8) += a->hi + b->hi;
}

CGCT_INLINE void cgct_four_add_to(double *out, const cgct_four *a, const cgct_four *b)
{
    *(cgct_four_at *)out += *a + *b;
}

CGCT_INLINE void cgct_narrow_add_to(double *out, int first, const cgct_narrow *a,
                                    const cgct_narrow *b, const cgct_narrow *c,
                                    const cgct_narrow *d)
{
    const cgct_sixteen sum = {(*a + *b) + (*c + *d)};
    for (int i = first; i < 16; i++) out[i] += (double)sum.each[i];
}

/* out = (a + b) + (c + d) */
CGCT_INLINE void cgct_narrow_put(double *out, const cgct_narrow *a, const cgct_narrow *b,
                                 const cgct_narrow *c, const cgct_narrow *d)
{
    const cgct_sixteen sum = {(*a + *b) + (*c + *d)};
    for (int i = 0; i < 16; i++) out[i] = (double)sum.each[i];
}

CGCT_INLINE void cgct_wide_add_product(cgct_wide *to, const cgct_wide *a, const double *b)
{
    to->lo += a->lo * *(const cgct_eight_at *)b;
    to->hi += a->hi * *(const cgct_eight_at *)(b + 8);
}

/* (re + i im) times (c + i s). */
CGCT_INLINE void cgct_wide_rotate(cgct_wide *re, cgct_wide *im, double c, double s)
{
    cgct_eight lo = c * re->lo - s * im->lo, hi = c * re->hi - s * im->hi;
    im->lo = c * im->lo + s * re->lo;
    im->hi = c * im->hi + s * re->hi;
    re->lo = lo;
    re->hi = hi;
}

CGCT_INLINE void cgct_wide_load(cgct_wide *to, const double *from)
{
    to->lo = *(const cgct_eight_at *)from;
    to->hi = *(const cgct_eight_at *)(from + 8);
}

CGCT_INLINE void cgct_wide_store(const cgct_wide *from, double *to)
{
    *(cgct_eight_at *)to = from->lo;
    *(cgct_eight_at *)(to + 8) = from->hi;
}
#else
#define CGCT_INLINE static inline
#define CGCT_UNROLL
#define CGCT_PREFETCH(at) ((void)(at))
#define CGCT_ALIGNED
#define CGCT_ZERO                                                                                  \
    {                                                                                              \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
#define CGCT_WIDE_ZERO CGCT_ZERO
typedef struct {
    double v[16];
} cgct_wide;
typedef struct {
    double v[4];
} cgct_four;
typedef struct {
    float v[16];
} cgct_narrow;

CGCT_INLINE void cgct_wide_add(cgct_wide *sum, double w, const double *from)
{
    for (int i = 0; i < 16; i++) sum->v[i] += w * from[i];
}

CGCT_INLINE void cgct_narrow_add(cgct_narrow *sum, float w, const float *from)
{
    for (int i = 0; i < 16; i++) sum->v[i] += w * from[i];
}

CGCT_INLINE void cgct_four_add(cgct_four *sum, double w, const float *from)
{
    for (int i = 0; i < 4; i++) sum->v[i] += w * (double)from[i];
}

CGCT_INLINE void cgct_wide_add_to(double *out, const cgct_wide *a, const cgct_wide *b)
{
    for (int i = 0; i < 16; i++) out[i] += a->v[i] + b->v[i];
}

CGCT_INLINE void cgct_four_add_to(double *out, const cgct_four *a, const cgct_four *b)
{
    for (int i = 0; i < 4; i++) out[i] += a->v[i] + b->v[i];
}

CGCT_INLINE void cgct_narrow_add_to(double *out, int first, const cgct_narrow *a,
                                    const cgct_narrow *b, const cgct_narrow *c,
                                    const cgct_narrow *d)
{
    for (int i = first; i < 16; i++) {
        float sum = (a->v[i] + b->v[i]) + (c->v[i] + d->v[i]);
        out[i] += (double)sum;
    }
}

CGCT_INLINE void cgct_narrow_put(double *out, const cgct_narrow *a, const cgct_narrow *b,
                                 const cgct_narrow *c, const cgct_narrow *d)
{
    for (int i = 0; i < 16; i++) out[i] = (double)((a->v[i] + b->v[i]) + (c->v[i] + d->v[i]));
}

CGCT_INLINE void cgct_wide_add_product(cgct_wide *to, const cgct_wide *a, const double *b)
{
    for (int i = 0; i < 16; i++) to->v[i] += a->v[i] * b[i];
}

CGCT_INLINE void cgct_wide_rotate(cgct_wide *re, cgct_wide *im, double c, double s)
{
    for (int i = 0; i < 16; i++) {
        double next = c * re->v[i] - s * im->v[i];
        im->v[i] = c * im->v[i] + s * re->v[i];
        re->v[i] = next;
    }
}

CGCT_INLINE void cgct_wide_load(cgct_wide *to, const double *from)
{
    for (int i = 0; i < 16; i++) to->v[i] = from[i];
}

CGCT_INLINE void cgct_wide_store(const cgct_wide *from, double *to)
{
    for (int i = 0; i < 16; i++) to[i] = from->v[i];
}
#endif
#endif
