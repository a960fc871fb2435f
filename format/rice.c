/* SPDX-License-Identifier: MIT */
/* rice.c: encodes planes of integers; of all orders of differences the shortest is taken. */
#include "rice.h"

#include <stdlib.h>
#include <string.h>

enum { ORDERS = 4, ROW_BITS = 5, ROW_OF_ZEROS = 31, LONGEST = 23, LARGEST_B = 30 };

static void put_bits(rice_bits *b, uint32_t value, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (b->used == 0 || b->used == 8) {
            if (b->size == b->room) {
                size_t room = b->room ? 2 * b->room : 4096;
                uint8_t *data = realloc(b->data, room);
                b->failed |= !data;
                if (!data) return;
                b->data = data;
                b->room = room;
            }
            b->data[b->size++] = 0;
            b->used = 0;
        }
        b->data[b->size - 1] |= (uint8_t)((value >> i & 1) << b->used++);
    }
}

/* ---- differences ---- */

static void difference_columns(uint32_t *v, size_t rows, size_t columns)
{
    for (size_t i = rows - 1; i > 0; i--)
        for (size_t j = 0; j < columns; j++) v[i * columns + j] -= v[(i - 1) * columns + j];
}

static void difference_rows(uint32_t *v, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = columns - 1; j > 0; j--) v[i * columns + j] -= v[i * columns + j - 1];
}

/* Even for residuals >= 0, odd for those below. */
static uint32_t fold_sign(uint32_t residual)
{
    return residual >> 31 ? 2 * ~residual + 1 : 2 * residual;
}

/* ---- rows ---- */

static uint64_t length_of_row(const uint32_t *residual, size_t n, unsigned b)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t z = fold_sign(residual[i]), g = z >> b;
        bits += g > LONGEST ? LONGEST + 1 + 32 : g + 1 + b;
    }
    return bits;
}

/* The best b of a row, or ROW_OF_ZEROS; *bits: without those of b. */
static unsigned best_b(const uint32_t *residual, size_t n, uint64_t *bits)
{
    uint64_t sum = 0;
    unsigned b = 0;
    *bits = 0;
    for (size_t i = 0; i < n; i++) sum += fold_sign(residual[i]);
    if (!sum) return ROW_OF_ZEROS;
    while (b < LARGEST_B && sum / n >> (b + 1)) b++;
    *bits = length_of_row(residual, n, b);
    for (unsigned other = b ? b - 1 : 0; other <= b + 1 && other <= LARGEST_B; other++) {
        uint64_t length = length_of_row(residual, n, other);
        if (length < *bits) {
            *bits = length;
            b = other;
        }
    }
    return b;
}

static void put_row(rice_bits *to, const uint32_t *residual, size_t n)
{
    uint64_t bits;
    unsigned b = best_b(residual, n, &bits);
    put_bits(to, b, ROW_BITS);
    for (size_t i = 0; b != ROW_OF_ZEROS && i < n; i++) {
        uint32_t z = fold_sign(residual[i]), g = z >> b;
        if (g > LONGEST) {
            put_bits(to, 0xffffff, LONGEST + 1);
            put_bits(to, z, 32);
        } else {
            put_bits(to, (UINT32_C(1) << g) - 1, g + 1);
            put_bits(to, z, b);
        }
    }
}

/* ---- planes ---- */

static uint64_t length_of_plane(const uint32_t *residual, size_t rows, size_t columns)
{
    uint64_t bits, sum = 0;
    for (size_t i = 0; i < rows; i++) {
        best_b(residual + i * columns, columns, &bits);
        sum += ROW_BITS + bits;
    }
    return sum;
}

/* Leaves the differences of order d along the rows' number and c within rows in `to`. */
static void differences(const uint32_t *v, size_t rows, size_t columns, unsigned c, unsigned d,
                        uint32_t *to)
{
    memcpy(to, v, rows * columns * sizeof *to);
    for (unsigned i = 0; i < d; i++) difference_columns(to, rows, columns);
    for (unsigned i = 0; i < c; i++) difference_rows(to, rows, columns);
}

void rice_put_plane(rice_bits *b, const int32_t *v, size_t rows, size_t columns, size_t stride,
                    uint32_t *scratch)
{
    uint32_t *plane = scratch, *residual = scratch + rows * columns, any = 0;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            any |= plane[i * columns + j] = (uint32_t)v[i * stride + j];
    put_bits(b, any != 0, 1);
    if (!any) return;
    unsigned best = 0;
    uint64_t least = UINT64_MAX;
    for (unsigned order = 0; order < ORDERS * ORDERS; order++) {
        differences(plane, rows, columns, order % ORDERS, order / ORDERS, residual);
        uint64_t length = length_of_plane(residual, rows, columns);
        if (length < least) {
            least = length;
            best = order;
        }
    }
    differences(plane, rows, columns, best % ORDERS, best / ORDERS, residual);
    put_bits(b, best, 4); /* two bits of c, then two of d */
    for (size_t i = 0; i < rows; i++) put_row(b, residual + i * columns, columns);
}
