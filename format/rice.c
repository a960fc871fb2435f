/* SPDX-License-Identifier: MIT */
/* rice.c: encodes planes of integers; of all orders of differences the shortest is taken. */
#include "rice.h"

#include <stdlib.h>
#include <string.h>

enum { ORDERS = 4, RUN = 8, RUNS_MAX = 1024 / RUN, LONGEST = 23, LARGEST_B = 24 };

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

/* Even for numbers >= 0, odd for those below. */
static uint32_t fold_sign(uint32_t v)
{
    return v >> 31 ? 2 * ~v + 1 : 2 * v;
}

/* ---- differences ---- */

static int has_code(const rice_points *p, size_t i, size_t j)
{
    return !p->end || p->end[i * p->stride + j] > p->m;
}

/* Residuals of a plane, with the number of them in each row. */
typedef struct {
    uint32_t *z, *count; /* (points), folded; (rows) */
    uint32_t *sum;       /* (ORDERS - 1, columns) */
} residuals;

/* Differences of order c within rows, after those of order d from row to row.  Both skip the points
 * without a code. */
static void differences(const int32_t *v, const rice_points *p, unsigned c, unsigned d,
                        residuals *out)
{
    uint32_t *z = out->z;
    memset(out->sum, 0, (ORDERS - 1) * p->columns * sizeof *out->sum);
    for (size_t i = 0; i < p->rows; i++) {
        uint32_t before[ORDERS] = {0};
        const uint32_t *first = z;
        for (size_t j = 0; j < p->columns; j++) {
            if (!has_code(p, i, j)) continue;
            uint32_t value = (uint32_t)v[i * p->stride + j];
            for (unsigned k = d; k-- > 0;) {
                uint32_t *sum = out->sum + k * p->columns + j, last = *sum;
                *sum = value;
                value -= last;
            }
            for (unsigned k = c; k-- > 0;) {
                uint32_t last = before[k];
                before[k] = value;
                value -= last;
            }
            *z++ = fold_sign(value);
        }
        out->count[i] = (uint32_t)(z - first);
    }
}

/* ---- runs ---- */

static unsigned length_of_run(const uint32_t *z, size_t n, unsigned b)
{
    unsigned bits = 0;
    for (size_t i = 0; i < n; i++)
        bits += z[i] >> b > LONGEST ? LONGEST + 1 + 32 : (z[i] >> b) + 1 + b;
    return bits;
}

/* 0 where all are 0, else the best b plus 1; *bits: of the codes. */
static unsigned best_kind(const uint32_t *z, size_t n, unsigned *bits)
{
    uint64_t sum = 0;
    unsigned b = 0, best;
    *bits = 0;
    for (size_t i = 0; i < n; i++) sum += z[i];
    if (!sum) return 0;
    while (b < LARGEST_B && sum / n >> (b + 1)) b++;
    *bits = length_of_run(z, n, best = b);
    for (unsigned other = b ? b - 1 : 0; other <= b + 1 && other <= LARGEST_B; other++) {
        unsigned length = length_of_run(z, n, other);
        if (length < *bits) {
            *bits = length;
            best = other;
        }
    }
    return best + 1;
}

static void put_ones(rice_bits *to, unsigned n)
{
    for (; n > 31; n--) put_bits(to, 1, 1);
    put_bits(to, (UINT32_C(1) << n) - 1, n + 1);
}

static void put_run(rice_bits *to, const uint32_t *z, size_t n, unsigned b)
{
    for (size_t i = 0; i < n; i++)
        if (z[i] >> b > LONGEST) {
            put_bits(to, 0xffffff, LONGEST + 1);
            put_bits(to, z[i], 32);
        } else {
            put_ones(to, z[i] >> b);
            put_bits(to, z[i], b);
        }
}

/* The rows of a plane in runs; to == NULL: only their length. */
static uint64_t put_rows(rice_bits *to, const residuals *r, size_t rows)
{
    unsigned kind[RUNS_MAX] = {0}, bits;
    const uint32_t *z = r->z;
    uint64_t all = 0;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < r->count[i]; j += RUN, z += RUN) {
            const size_t left = r->count[i] - j, n = left < RUN ? left : (size_t)RUN;
            const unsigned one = best_kind(z, n, &bits), ones = fold_sign(one - kind[j / RUN]);
            kind[j / RUN] = one;
            all += ones + 1 + bits;
            if (to) put_ones(to, ones);
            if (to && one) put_run(to, z, n, one - 1);
            if (n < RUN) z -= RUN - n;
        }
    return all;
}

/* ---- planes ---- */

void rice_put_plane(rice_bits *b, const int32_t *v, const rice_points *p, uint32_t *scratch)
{
    residuals r = {scratch, scratch + p->rows * p->columns, NULL};
    size_t points = 0;
    int any = 0;
    r.sum = r.count + p->rows;
    for (size_t i = 0; i < p->rows; i++)
        for (size_t j = 0; j < p->columns; j++) {
            if (!has_code(p, i, j)) continue;
            points++;
            any |= v[i * p->stride + j] != 0;
        }
    if (points) put_bits(b, (uint32_t)any, 1);
    if (!any) return;
    unsigned best = 0;
    uint64_t least = UINT64_MAX;
    for (unsigned order = 0; order < ORDERS * ORDERS; order++) {
        differences(v, p, order % ORDERS, order / ORDERS, &r);
        uint64_t length = put_rows(NULL, &r, p->rows);
        if (length < least) {
            least = length;
            best = order;
        }
    }
    differences(v, p, best % ORDERS, best / ORDERS, &r);
    put_bits(b, best, 4); /* two bits of c, then two of d */
    put_rows(b, &r, p->rows);
}
