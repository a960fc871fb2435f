/* SPDX-License-Identifier: MIT */
/* rice.c: encodes planes of integers; of all orders of differences the shortest is taken. */
#include "rice.h"

#include <stdlib.h>
#include <string.h>

enum { ORDERS = 4, RUN = 8, RUNS_MAX = 1024 / RUN, LONGEST = 23, LARGEST_B = 24 };

static void put_bits(rice_bits *b, uint32_t value, unsigned n)
{
    while (n) {
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
        const unsigned left = 8 - b->used, some = n < left ? n : left;
        b->data[b->size - 1] |= (uint8_t)((value & ((1u << some) - 1)) << b->used);
        b->used += some;
        value >>= some;
        n -= some;
    }
}

void rice_append(rice_bits *b, const rice_bits *more)
{
    b->failed |= more->failed;
    for (size_t i = 0; i < more->size; i++)
        put_bits(b, more->data[i], i + 1 < more->size ? 8 : more->used);
}

/* Even for numbers >= 0, odd for those below. */
static uint32_t fold_sign(uint32_t v)
{
    return v >> 31 ? 2 * ~v + 1 : 2 * v;
}

/* ---- differences ---- */

/* The integers of a plane that have codes, row by row, and what is made of them. */
typedef struct {
    size_t rows, columns, n;
    uint32_t *v, *w, *z, *best; /* (n): differences from row to row; of these within rows; with the
                                   sign folded; the shortest so far */
    uint32_t *column, *count;   /* (n), (rows): where they are; how many of each row */
    uint32_t *last;             /* (columns) */
} residuals;

/* Returns whether any of them is not 0. */
static int take_integers(const int32_t *v, const rice_points *p, residuals *r)
{
    uint32_t any = 0;
    for (size_t i = 0; i < p->rows; i++) {
        const size_t first = r->n;
        for (size_t j = 0; j < p->columns; j++) {
            if (p->end && p->end[i * p->stride + j] <= p->m) continue;
            any |= r->v[r->n] = (uint32_t)v[i * p->stride + j];
            r->column[r->n++] = (uint32_t)j;
        }
        r->count[i] = (uint32_t)(r->n - first);
    }
    return any != 0;
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

/* The rows of a plane in runs; to == NULL: only their length, up to where it exceeds `most`. */
static uint64_t put_rows(rice_bits *to, const residuals *r, const uint32_t *z, uint64_t most)
{
    unsigned kind[RUNS_MAX] = {0}, bits;
    uint64_t all = 0;
    for (size_t i = 0; i < r->rows && all <= most; i++)
        for (size_t j = 0; j < r->count[i]; j += RUN) {
            const size_t left = r->count[i] - j, n = left < RUN ? left : (size_t)RUN;
            const unsigned one = best_kind(z, n, &bits), ones = fold_sign(one - kind[j / RUN]);
            kind[j / RUN] = one;
            all += ones + 1 + bits;
            if (to) put_ones(to, ones);
            if (to && one) put_run(to, z, n, one - 1);
            z += n;
        }
    return all;
}

/* ---- planes ---- */

/* Sets r->best; returns c + ORDERS d for order c within rows, d from row to row. */
static unsigned find_shortest(residuals *r)
{
    unsigned best = 0;
    uint64_t least = UINT64_MAX;
    for (unsigned order = 0; order < ORDERS * ORDERS; order++) {
        if (order % ORDERS) { /* once more within rows */
            uint32_t *w = r->w;
            for (size_t i = 0; i < r->rows; w += r->count[i++])
                for (size_t j = r->count[i]; j-- > 1;) w[j] -= w[j - 1];
        } else {
            if (order) { /* once more from row to row; points without a code are skipped */
                memset(r->last, 0, r->columns * sizeof *r->last);
                for (size_t i = 0; i < r->n; i++) {
                    uint32_t *last = &r->last[r->column[i]], value = r->v[i];
                    r->v[i] -= *last;
                    *last = value;
                }
            }
            memcpy(r->w, r->v, r->n * sizeof *r->w);
        }
        for (size_t i = 0; i < r->n; i++) r->z[i] = fold_sign(r->w[i]);
        const uint64_t length = put_rows(NULL, r, r->z, least);
        if (length >= least) continue;
        uint32_t *shorter = r->z;
        r->z = r->best;
        r->best = shorter;
        least = length;
        best = order;
    }
    return best;
}

void rice_put_plane(rice_bits *b, const int32_t *v, const rice_points *p, uint32_t *scratch)
{
    const size_t points = p->rows * p->columns;
    uint32_t *at = scratch;
    residuals r = {.rows = p->rows, .columns = p->columns, .v = at};
    r.w = at += points;
    r.z = at += points;
    r.best = at += points;
    r.column = at += points;
    r.count = at += points;
    r.last = at + p->rows;
    const int any = take_integers(v, p, &r);
    if (r.n) put_bits(b, (uint32_t)any, 1);
    if (!any) return;
    const unsigned order = find_shortest(&r);
    put_bits(b, order, 4); /* two bits of c, then two of d */
    put_rows(b, &r, r.best, UINT64_MAX);
}
