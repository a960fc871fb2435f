/* SPDX-License-Identifier: MIT */
/* vectors.h: arithmetic on sixteen numbers at a time.  Vectors of 32 bytes where the processor may
 * have registers for them, else plain loops, which give the same bits. */
#ifndef CGCT_VECTORS_H
#define CGCT_VECTORS_H
#include <stddef.h>

#include "elementary.h"

#if defined(__GNUC__)
/* Part of each copy that CGCT_CLONES makes of the caller. */
#define CGCT_INLINE static inline __attribute__((always_inline))
#define CGCT_UNROLL _Pragma("GCC unroll 8")
#define CGCT_PREFETCH(at) __builtin_prefetch(at)
#define CGCT_ALIGNED __attribute__((aligned(64)))
#else
#define CGCT_INLINE static inline
#define CGCT_UNROLL
#define CGCT_PREFETCH(at) ((void)(at))
#define CGCT_ALIGNED
#endif

#if defined(__GNUC__) && (defined(__AVX__) || defined(CGCT_DISPATCH))
typedef float cgct_half __attribute__((vector_size(32)));
typedef float cgct_half_at __attribute__((vector_size(32), aligned(4), may_alias));
typedef double cgct_four __attribute__((vector_size(32)));
typedef double cgct_four_at __attribute__((vector_size(32), aligned(8), may_alias));
typedef double cgct_two __attribute__((vector_size(16)));
typedef float cgct_few __attribute__((vector_size(16)));
typedef float cgct_few_at __attribute__((vector_size(16), aligned(4), may_alias));
typedef struct {
    cgct_half lo, hi;
} cgct_narrow;
typedef struct {
    cgct_four a, b, c, d;
} cgct_wide;
typedef union {
    cgct_four four;
    cgct_two two[2];
} cgct_split;
typedef union {
    cgct_half half;
    cgct_few few[2];
} cgct_split_half;
#define CGCT_FOUR_ZERO                                                                             \
    {                                                                                              \
        0                                                                                          \
    }
#define CGCT_NARROW_ZERO                                                                           \
    {                                                                                              \
        {0},                                                                                       \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
#define CGCT_WIDE_ZERO                                                                             \
    {                                                                                              \
        {0}, {0}, {0},                                                                             \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

/* sum += w times as many numbers as sum has. */
CGCT_INLINE void cgct_wide_add(cgct_wide *sum, double w, const double *from)
{
    sum->a += w * *(const cgct_four_at *)from;
    sum->b += w * *(const cgct_four_at *)(from + 4);
    sum->c += w * *(const cgct_four_at *)(from + 8);
    sum->d += w * *(const cgct_four_at *)(from + 12);
}

CGCT_INLINE void cgct_narrow_product(cgct_narrow *to, float w, const float *from)
{
    to->lo = w * *(const cgct_half_at *)from;
    to->hi = w * *(const cgct_half_at *)(from + 8);
}

CGCT_INLINE void cgct_narrow_add(cgct_narrow *sum, float w, const float *from)
{
    sum->lo += w * *(const cgct_half_at *)from;
    sum->hi += w * *(const cgct_half_at *)(from + 8);
}

CGCT_INLINE void cgct_four_add(cgct_four *sum, double w, const float *from)
{
    const cgct_four four = {from[0], from[1], from[2], from[3]};
    *sum += w * four;
}

CGCT_INLINE void cgct_wide_load(cgct_wide *to, const double *from)
{
    to->a = *(const cgct_four_at *)from;
    to->b = *(const cgct_four_at *)(from + 4);
    to->c = *(const cgct_four_at *)(from + 8);
    to->d = *(const cgct_four_at *)(from + 12);
}

CGCT_INLINE void cgct_wide_store(const cgct_wide *from, double *to)
{
    *(cgct_four_at *)to = from->a;
    *(cgct_four_at *)(to + 4) = from->b;
    *(cgct_four_at *)(to + 8) = from->c;
    *(cgct_four_at *)(to + 12) = from->d;
}

/* sum += w from, from a sum itself. */
CGCT_INLINE void cgct_wide_add_sum(cgct_wide *sum, double w, const cgct_wide *from)
{
    sum->a += w * from->a;
    sum->b += w * from->b;
    sum->c += w * from->c;
    sum->d += w * from->d;
}

CGCT_INLINE void cgct_narrow_add_sum(cgct_narrow *sum, float w, const cgct_narrow *from)
{
    sum->lo += w * from->lo;
    sum->hi += w * from->hi;
}

/* out += a + b */
CGCT_INLINE void cgct_wide_add_to(double *out, const cgct_wide *a, const cgct_wide *b)
{
    cgct_wide sum;
    cgct_wide_load(&sum, out);
    sum.a += a->a + b->a;
    sum.b += a->b + b->b;
    sum.c += a->c + b->c;
    sum.d += a->d + b->d;
    cgct_wide_store(&sum, out);
}

CGCT_INLINE void cgct_four_add_to(double *out, const cgct_four *a, const cgct_four *b)
{
    *(cgct_four_at *)out += *a + *b;
}

/* Numbers 0..3 and 4..7 of a half in double precision. */
CGCT_INLINE void cgct_widen(const cgct_half *from, cgct_four *lo, cgct_four *hi)
{
    const cgct_split_half s = {*from};
    *lo = __builtin_convertvector(s.few[0], cgct_four);
    *hi = __builtin_convertvector(s.few[1], cgct_four);
}

CGCT_INLINE void cgct_narrow_store(double *out, const cgct_narrow *from)
{
    cgct_wide wide;
    cgct_widen(&from->lo, &wide.a, &wide.b);
    cgct_widen(&from->hi, &wide.c, &wide.d);
    cgct_wide_store(&wide, out);
}

/* out = (a + b) + (c + d) */
CGCT_INLINE void cgct_narrow_put(double *out, const cgct_narrow *a, const cgct_narrow *b,
                                 const cgct_narrow *c, const cgct_narrow *d)
{
    const cgct_narrow sum = {(a->lo + b->lo) + (c->lo + d->lo), (a->hi + b->hi) + (c->hi + d->hi)};
    cgct_narrow_store(out, &sum);
}

/* out += (a + b) + (c + d) from number `first` on */
CGCT_INLINE void cgct_narrow_add_to(double *out, int first, const cgct_narrow *a,
                                    const cgct_narrow *b, const cgct_narrow *c,
                                    const cgct_narrow *d)
{
    double sum[16];
    cgct_narrow_put(sum, a, b, c, d);
    for (int i = first; i < 16; i++) out[i] += sum[i];
}

CGCT_INLINE void cgct_wide_add_product(cgct_wide *to, const cgct_wide *a, const double *b)
{
    to->a += a->a * *(const cgct_four_at *)b;
    to->b += a->b * *(const cgct_four_at *)(b + 4);
    to->c += a->c * *(const cgct_four_at *)(b + 8);
    to->d += a->d * *(const cgct_four_at *)(b + 12);
}

/* sum += pair, eight times over, times sixteen numbers. */
CGCT_INLINE void cgct_wide_add_pairs(cgct_wide *sum, const double pair[2], const double *by)
{
    const cgct_four both = {pair[0], pair[1], pair[0], pair[1]};
    sum->a += both * *(const cgct_four_at *)by;
    sum->b += both * *(const cgct_four_at *)(by + 4);
    sum->c += both * *(const cgct_four_at *)(by + 8);
    sum->d += both * *(const cgct_four_at *)(by + 12);
}

CGCT_INLINE void cgct_four_rotate(cgct_four *re, cgct_four *im, double c, double s)
{
    const cgct_four next = c * *re - s * *im;
    *im = c * *im + s * *re;
    *re = next;
}

/* (re + i im) times (c + i s). */
CGCT_INLINE void cgct_wide_rotate(cgct_wide *re, cgct_wide *im, double c, double s)
{
    cgct_four_rotate(&re->a, &im->a, c, s);
    cgct_four_rotate(&re->b, &im->b, c, s);
    cgct_four_rotate(&re->c, &im->c, c, s);
    cgct_four_rotate(&re->d, &im->d, c, s);
}

/* sum[i] += w[i] Sum_r by[r] from[r row + i], r = 0..n-1. */
CGCT_INLINE void cgct_four_add_rows(cgct_four *sum, const double *from, size_t row, size_t n,
                                    const double *by, const double *w)
{
    cgct_four rows = by[0] * *(const cgct_four_at *)from;
    CGCT_UNROLL
    for (size_t r = 1; r < n; r++) rows += by[r] * *(const cgct_four_at *)(from + r * row);
    *sum += rows * *(const cgct_four_at *)w;
}

/* out = narrow = Sum_j v^j c[j stride + i], i = 0..3, j = 0..n-1. */
CGCT_INLINE void cgct_four_horner(const double *c, size_t n, size_t stride, double v, double *out,
                                  float *narrow)
{
    const double *from = c + (n - 1) * stride;
    cgct_four sum = *(const cgct_four_at *)from;
    CGCT_UNROLL
    for (size_t j = 1; j < n; j++) sum = sum * v + *(const cgct_four_at *)(from - j * stride);
    *(cgct_four_at *)out = sum;
    *(cgct_few_at *)narrow = __builtin_convertvector(sum, cgct_few);
}

/* out = the sums of the even and of the odd ones. */
CGCT_INLINE void cgct_four_pairs(const cgct_four *from, double out[2])
{
    cgct_split s = {*from};
    s.two[0] += s.two[1];
    out[0] = s.two[0][0];
    out[1] = s.two[0][1];
}

/* out[i] = factor Sum_j c[2 j + i] v^j, j = 0..7. */
CGCT_INLINE void cgct_wide_polynomial(const cgct_wide *c, double v, double factor, double out[2])
{
    const double v2 = v * v, v4 = v2 * v2;
    cgct_split s = {(c->a + v4 * c->c) + v2 * (c->b + v4 * c->d)};
    s.two[0] = (s.two[0] + v * s.two[1]) * factor;
    out[0] = s.two[0][0];
    out[1] = s.two[0][1];
}

CGCT_INLINE void cgct_narrow_polynomial(const cgct_narrow *c, double v, double out[2])
{
    cgct_wide wide;
    cgct_widen(&c->lo, &wide.a, &wide.b);
    cgct_widen(&c->hi, &wide.c, &wide.d);
    cgct_wide_polynomial(&wide, v, 1, out);
}
#else
#define CGCT_FOUR_ZERO                                                                             \
    {                                                                                              \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
#define CGCT_NARROW_ZERO                                                                           \
    {                                                                                              \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
#define CGCT_WIDE_ZERO                                                                             \
    {                                                                                              \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
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

CGCT_INLINE void cgct_narrow_product(cgct_narrow *to, float w, const float *from)
{
    for (int i = 0; i < 16; i++) to->v[i] = w * from[i];
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

CGCT_INLINE void cgct_narrow_store(double *out, const cgct_narrow *from)
{
    for (int i = 0; i < 16; i++) out[i] = (double)from->v[i];
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

CGCT_INLINE void cgct_wide_add_pairs(cgct_wide *sum, const double pair[2], const double *by)
{
    for (int i = 0; i < 16; i++) sum->v[i] += pair[i % 2] * by[i];
}

CGCT_INLINE void cgct_wide_add_sum(cgct_wide *sum, double w, const cgct_wide *from)
{
    for (int i = 0; i < 16; i++) sum->v[i] += w * from->v[i];
}

CGCT_INLINE void cgct_wide_rotate(cgct_wide *re, cgct_wide *im, double c, double s)
{
    for (int i = 0; i < 16; i++) {
        double next = c * re->v[i] - s * im->v[i];
        im->v[i] = c * im->v[i] + s * re->v[i];
        re->v[i] = next;
    }
}

CGCT_INLINE void cgct_narrow_add_sum(cgct_narrow *sum, float w, const cgct_narrow *from)
{
    for (int i = 0; i < 16; i++) sum->v[i] += w * from->v[i];
}

CGCT_INLINE void cgct_four_add_rows(cgct_four *sum, const double *from, size_t row, size_t n,
                                    const double *by, const double *w)
{
    for (size_t i = 0; i < 4; i++) {
        double rows = by[0] * from[i];
        for (size_t r = 1; r < n; r++) rows += by[r] * from[r * row + i];
        sum->v[i] += rows * w[i];
    }
}

CGCT_INLINE void cgct_four_horner(const double *c, size_t n, size_t stride, double v, double *out,
                                  float *narrow)
{
    for (size_t i = 0; i < 4; i++) {
        double sum = c[(n - 1) * stride + i];
        for (size_t j = n - 1; j-- > 0;) sum = sum * v + c[j * stride + i];
        out[i] = sum;
        narrow[i] = (float)sum;
    }
}

CGCT_INLINE void cgct_four_pairs(const cgct_four *from, double out[2])
{
    for (int i = 0; i < 2; i++) out[i] = from->v[i] + from->v[i + 2];
}

CGCT_INLINE void cgct_narrow_polynomial(const cgct_narrow *c, double v, double out[2])
{
    const double v2 = v * v, v4 = v2 * v2;
    double a[8];
    for (int i = 0; i < 8; i++) a[i] = (double)c->v[i] + v4 * (double)c->v[i + 8];
    for (int i = 0; i < 4; i++) a[i] += v2 * a[i + 4];
    for (int i = 0; i < 2; i++) out[i] = a[i] + v * a[i + 2];
}

CGCT_INLINE void cgct_wide_polynomial(const cgct_wide *c, double v, double factor, double out[2])
{
    const double v2 = v * v, v4 = v2 * v2;
    double a[8];
    for (int i = 0; i < 8; i++) a[i] = c->v[i] + v4 * c->v[i + 8];
    for (int i = 0; i < 4; i++) a[i] += v2 * a[i + 4];
    for (int i = 0; i < 2; i++) out[i] = (a[i] + v * a[i + 2]) * factor;
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
