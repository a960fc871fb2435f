/* SPDX-License-Identifier: MIT */
/* rice.h: planes of integers as bits (FORMAT.md 6): differences along the axes, Rice codes. */
#ifndef CGCT_RICE_H
#define CGCT_RICE_H
#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* A growing string of bits.  Zero before use; data is freed with free(). */
typedef struct {
    uint8_t *data;
    size_t size, room; /* bytes */
    unsigned used;     /* bits of the last byte */
    int failed;        /* no memory */
} rice_bits;

/* Appends the plane v of rows x columns integers, `stride` apart from row to row.  scratch: 2 rows
 * columns numbers.  A lack of memory shows in b->failed. */
void rice_put_plane(rice_bits *b, const int32_t *v, size_t rows, size_t columns, size_t stride,
                    uint32_t *scratch);
#endif
