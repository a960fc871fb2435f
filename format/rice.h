/* SPDX-License-Identifier: MIT */
/* rice.h: planes of integers as bits (FORMAT.md 6): differences along the axes, Rice codes. */
#ifndef CGCT_RICE_H
#define CGCT_RICE_H
#include <stddef.h>
#include <stdint.h>

/* A growing string of bits.  Zero before use; data is freed with free(). */
typedef struct {
    uint8_t *data;
    size_t size, room; /* bytes */
    unsigned used;     /* bits of the last byte */
    int failed;        /* no memory */
} rice_bits;

/* The points of a plane of rows x columns integers that have codes: those (i,j) where end[i stride
 * + j] > m.  All other integers are 0. */
typedef struct {
    size_t rows, columns, stride, m;
    const uint16_t *end; /* NULL: all points */
} rice_points;

/* Appends the plane v, whose rows are `stride` apart; nothing where no point has a code.  scratch:
 * 5 rows columns + rows + columns numbers.  A lack of memory shows in b->failed. */
void rice_put_plane(rice_bits *b, const int32_t *v, const rice_points *p, uint32_t *scratch);
/* Appends all bits of another string. */
void rice_append(rice_bits *b, const rice_bits *more);
#endif
