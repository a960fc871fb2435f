/* SPDX-License-Identifier: MIT */
/* cgctab_line.h: sums of a prepared table (cgctab_everett.h) in vectors of one cache line, sixteen
 * floats or words with fields; these sums are long enough to gain from AVX-512. */
#ifndef CGCTAB_LINE_H
#define CGCTAB_LINE_H
#include "../format/vectors.h"

#if defined(__GNUC__) && (defined(__AVX__) || defined(CGCT_DISPATCH))
typedef float cgct_line __attribute__((vector_size(64)));
typedef float cgct_line_at __attribute__((vector_size(64), may_alias));
typedef uint32_t cgct_words __attribute__((vector_size(64)));
typedef uint32_t cgct_words_at __attribute__((vector_size(64), may_alias));
typedef int32_t cgct_signed __attribute__((vector_size(64)));
#define CGCT_LINE_ZERO                                                                             \
    {                                                                                              \
        0                                                                                          \
    }

/* out = l straight + d bent, sixteen numbers. */
CGCT_INLINE void cgct_line_weigh(cgct_line *out, float l, const float *straight, float d,
                                 const float *bent)
{
    *out = l * *(const cgct_line_at *)straight + d * *(const cgct_line_at *)bent;
}

CGCT_INLINE void cgct_line_product(cgct_line *out, const cgct_line *a, const cgct_line *b)
{
    *out = *a * *b;
}

/* What a corner's blocks are multiplied by. */
typedef struct {
    cgct_line value, unit[5];
    uint32_t shift[5];
} cgct_fields;

/* head: fifteen floats and a word, a line in all.  sum += a b head, of which numbers 10 to 14 are
 * the units of the fields; shift: five bits for each field; w: weight of the values. */
CGCT_INLINE void cgct_fields_init(cgct_fields *f, const void *head, const cgct_line *a,
                                  const cgct_line *b, uint32_t shift, float w, cgct_line *sum)
{
    const cgct_line none = {0}, product = *a * *b * *(const cgct_line_at *)head;
    *sum += product;
    f->value = none + w;
    CGCT_UNROLL
    for (int r = 0; r < 5; r++) f->unit[r] = none + product[10 + r];
    CGCT_UNROLL
    for (int r = 0; r < 5; r++) f->shift[r] = shift >> 5 * r & 31;
}

/* sum += w value + Sum_r unit[r] (words shifted up by shift[r], as signed integers), r = 0..4. */
CGCT_INLINE void cgct_fields_add(cgct_line *sum, const cgct_fields *f, const float *value,
                                 const uint32_t *from)
{
    const cgct_words words = *(const cgct_words_at *)from;
    cgct_line v[5];
    CGCT_UNROLL
    for (int r = 0; r < 5; r++)
        v[r] = f->unit[r] * __builtin_convertvector((cgct_signed)(words << f->shift[r]), cgct_line);
    v[4] += f->value * *(const cgct_line_at *)value;
    *sum += ((v[0] + v[1]) + (v[2] + v[3])) + v[4];
}

CGCT_INLINE void cgct_line_put(double *out, const cgct_line *from)
{
    for (int i = 0; i < 16; i++) out[i] = (double)(*from)[i];
}
#else
#define CGCT_LINE_ZERO                                                                             \
    {                                                                                              \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
typedef struct {
    float v[16];
} cgct_line;

CGCT_INLINE void cgct_line_weigh(cgct_line *out, float l, const float *straight, float d,
                                 const float *bent)
{
    for (int i = 0; i < 16; i++) out->v[i] = l * straight[i] + d * bent[i];
}

CGCT_INLINE void cgct_line_product(cgct_line *out, const cgct_line *a, const cgct_line *b)
{
    for (int i = 0; i < 16; i++) out->v[i] = a->v[i] * b->v[i];
}

typedef struct {
    float value, unit[5];
    uint32_t shift[5];
} cgct_fields;

CGCT_INLINE void cgct_fields_init(cgct_fields *f, const void *head, const cgct_line *a,
                                  const cgct_line *b, uint32_t shift, float w, cgct_line *sum)
{
    const float *number = (const float *)head;
    f->value = w;
    for (int i = 0; i < 15; i++) {
        const float product = a->v[i] * b->v[i] * number[i];
        sum->v[i] += product;
        if (i >= 10) f->unit[i - 10] = product;
    }
    for (int r = 0; r < 5; r++) f->shift[r] = shift >> 5 * r & 31;
}

CGCT_INLINE void cgct_fields_add(cgct_line *sum, const cgct_fields *f, const float *value,
                                 const uint32_t *from)
{
    for (int i = 0; i < 16; i++) {
        float v[5];
        for (int r = 0; r < 5; r++) v[r] = f->unit[r] * (float)(int32_t)(from[i] << f->shift[r]);
        v[4] += f->value * value[i];
        sum->v[i] += ((v[0] + v[1]) + (v[2] + v[3])) + v[4];
    }
}

CGCT_INLINE void cgct_line_put(double *out, const cgct_line *from)
{
    for (int i = 0; i < 16; i++) out[i] = (double)from->v[i];
}
#endif
#endif
