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
typedef float cgct_narrow_half __attribute__((vector_size(32)));
typedef double cgct_two __attribute__((vector_size(16)));
typedef union {
    cgct_narrow all;
    cgct_narrow_half half[2];
    float each[16];
} cgct_sixteen;
typedef union {
    cgct_eight eight;
    cgct_four four[2];
    cgct_two two[4];
} cgct_split;
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

/* sum += pair, eight times over, times sixteen numbers. */
CGCT_INLINE void cgct_wide_add_pairs(cgct_wide *sum, const double pair[2], const double *by)
{
    const double t = pair[0], l = pair[1];
    const cgct_eight both = {t, l, t, l, t, l, t, l};
    sum->lo += both * *(const cgct_eight_at *)by;
    sum->hi += both * *(const cgct_eight_at *)(by + 8);
}

CGCT_INLINE void cgct_wide_add_sum(cgct_wide *sum, double w, const cgct_wide *from)
{
    sum->lo += w * from->lo;
    sum->hi += w * from->hi;
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

/* sum += w from, from a sum itself. */
CGCT_INLINE void cgct_narrow_add_sum(cgct_narrow *sum, float w, const cgct_narrow *from)
{
    *sum += w * *from;
}

/* out[i] += Sum_j w[2 j + i] Sum_r by[r] from[r row + 2 j + i], j = 0..3 and r = 0..n-1. */
CGCT_INLINE void cgct_four_pairs(const double *from, size_t row, size_t n, const double *by,
                                 const double *w, double out[2])
{
    cgct_split s;
    s.eight = by[0] * *(const cgct_eight_at *)from;
    CGCT_UNROLL
    for (size_t r = 1; r < n; r++) s.eight += by[r] * *(const cgct_eight_at *)(from + r * row);
    s.eight *= *(const cgct_eight_at *)w;
    s.four[0] += s.four[1];
    s.two[0] += s.two[1];
    out[0] += s.two[0][0];
    out[1] += s.two[0][1];
}

/* out[i] = Sum_j c[2 j + i] v^j, j = 0..7. */
CGCT_INLINE void cgct_narrow_polynomial(const cgct_narrow *c, double v, double out[2])
{
    const cgct_sixteen s = {*c};
    const double v2 = v * v, v4 = v2 * v2;
    cgct_split a, b;
    a.eight = __builtin_convertvector(s.half[0], cgct_eight) +
              v4 * __builtin_convertvector(s.half[1], cgct_eight);
    b.four[0] = a.four[0] + v2 * a.four[1];
    b.two[0] += v * b.two[1];
    out[0] = b.two[0][0];
    out[1] = b.two[0][1];
}

/* The same in double precision, times factor. */
CGCT_INLINE void cgct_wide_polynomial(const cgct_wide *c, double v, double factor, double out[2])
{
    const double v2 = v * v, v4 = v2 * v2;
    cgct_split a, b;
    a.eight = c->lo + v4 * c->hi;
    b.four[0] = a.four[0] + v2 * a.four[1];
    b.two[0] += v * b.two[1];
    b.two[0] *= factor;
    out[0] = b.two[0][0];
    out[1] = b.two[0][1];
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

CGCT_INLINE void cgct_four_pairs(const double *from, size_t row, size_t n, const double *by,
                                 const double *w, double out[2])
{
    double a[8];
    for (int i = 0; i < 8; i++) a[i] = by[0] * from[i];
    for (size_t r = 1; r < n; r++)
        for (int i = 0; i < 8; i++) a[i] += by[r] * from[r * row + (size_t)i];
    for (int i = 0; i < 8; i++) a[i] *= w[i];
    for (int i = 0; i < 4; i++) a[i] += a[i + 4];
    for (int i = 0; i < 2; i++) out[i] += a[i] + a[i + 2];
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
