/* SPDX-License-Identifier: MIT */
#include "inner_codec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { ORDER_MAX = 4, SAMPLE_ROWS = 16 };
#define STEPS_MAX 0x1p52

/* --- packing --- */

static cgct_status to_integers(size_t count, const double *v, double step, uint64_t *u,
                               cgct_err *err)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(v[i]))
            return cgct_fail(err, CGCT_E_DOMAIN, "value %zu is %g, want a finite number", i, v[i]);
        if (step == 0) {
            memcpy(&u[i], &v[i], sizeof u[i]);
            continue;
        }
        double k = nearbyint(v[i] / step);
        if (!(fabs(k) < STEPS_MAX))
            return cgct_fail(err, CGCT_E_DOMAIN,
                             "value %zu is %g, beyond 2^52 steps of %g; ask for a larger error", i,
                             v[i], step);
        u[i] = (uint64_t)(int64_t)k;
    }
    return CGCT_OK;
}

/* Differences of one order more, modulo 2^64; the first value of a row stays. */
static void difference(size_t n, uint64_t *row)
{
    for (size_t i = n; i-- > 1;) row[i] -= row[i - 1];
}

static uint64_t zigzag(uint64_t d)
{
    return d << 1 ^ (0 - (d >> 63));
}

static unsigned bits(uint64_t z)
{
    unsigned n = 0;
    for (; z; z >>= 1) n++;
    return n;
}

/* Order with the fewest bits on a sample of rows. */
static uint32_t choose_order(size_t nrow, size_t n, const uint64_t *u, uint64_t *row)
{
    uint64_t cost[ORDER_MAX + 1] = {0};
    size_t stride = nrow / SAMPLE_ROWS + 1;
    uint32_t best = 0;
    for (size_t r = stride / 2; r < nrow; r += stride) {
        memcpy(row, u + r * n, n * sizeof *row);
        for (uint32_t k = 0; k <= ORDER_MAX; k++) {
            for (size_t i = 0; i < n; i++) cost[k] += bits(zigzag(row[i]));
            difference(n, row);
        }
    }
    for (uint32_t k = 1; k <= ORDER_MAX; k++)
        if (cost[k] < cost[best]) best = k;
    return best;
}

/* u becomes its zigzag differences; returns the bytes that the largest needs, at least 1. */
static uint32_t transform(size_t nrow, size_t n, uint32_t order, uint64_t *u)
{
    uint64_t all = 0;
    for (size_t r = 0; r < nrow; r++) {
        for (uint32_t k = 0; k < order; k++) difference(n, u + r * n);
        for (size_t i = 0; i < n; i++) all |= u[r * n + i] = zigzag(u[r * n + i]);
    }
    uint32_t width = (bits(all) + 7) / 8;
    return width ? width : 1;
}

static cgct_status compress(size_t count, const uint64_t *u, int level, cgct_inner_block *b,
                            cgct_err *err)
{
    size_t capacity = ZSTD_compressBound(b->raw_size);
    uint8_t *raw = malloc(b->raw_size), *frame = malloc(capacity), *small;
    size_t size = 0;
    if (raw && frame) {
        for (uint32_t w = 0; w < b->width; w++)
            for (size_t i = 0; i < count; i++) raw[w * count + i] = (uint8_t)(u[i] >> 8 * w);
        size = ZSTD_compress(frame, capacity, raw, b->raw_size, level);
    }
    free(raw);
    if (!size || ZSTD_isError(size)) {
        free(frame);
        return cgct_fail(err, CGCT_E_NOMEM, "cannot compress %zu bytes: %s", b->raw_size,
                         size ? ZSTD_getErrorName(size) : "no memory");
    }
    small = realloc(frame, size);
    b->frame = small ? small : frame;
    b->size = size;
    return CGCT_OK;
}

static cgct_status measure(size_t nrow, size_t n, const double *v, cgct_inner_block *b,
                           cgct_err *err)
{
    double *back = malloc(nrow * n * sizeof *back);
    if (!back) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu values", nrow * n);
    cgct_status st = cgct_inner_unpack(b, nrow, n, back, err);
    b->error = 0;
    for (size_t i = 0; st == CGCT_OK && i < nrow * n; i++)
        b->error = fmax(b->error, fabs(back[i] - v[i]));
    free(back);
    return st;
}

cgct_status cgct_inner_pack(size_t nrow, size_t n, const double *v, double step, int level,
                            cgct_inner_block *b, cgct_err *err)
{
    size_t count = nrow * n;
    memset(b, 0, sizeof *b);
    uint64_t *u = malloc((count + n) * sizeof *u);
    if (!u) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu values", count);
    cgct_status st = to_integers(count, v, step, u, err);
    if (st == CGCT_OK) {
        b->step = step;
        b->order = choose_order(nrow, n, u, u + count);
        b->width = transform(nrow, n, b->order, u);
        b->raw_size = count * b->width;
        st = compress(count, u, level, b, err);
    }
    free(u);
    if (st == CGCT_OK) st = measure(nrow, n, v, b, err);
    if (st != CGCT_OK) cgct_inner_block_free(b);
    return st;
}

void cgct_inner_block_free(cgct_inner_block *b)
{
    free(b->frame);
    memset(b, 0, sizeof *b);
}

/* --- unpacking --- */

/* Row of integers from its byte planes, which lie `count` apart. */
static void gather(size_t n, size_t count, uint32_t width, const uint8_t *plane, uint64_t *u)
{
    for (size_t i = 0; i < n; i++) u[i] = plane[i];
    for (uint32_t w = 1; w < width; w++) {
        const uint8_t *p = plane + w * count;
        for (size_t i = 0; i < n; i++) u[i] |= (uint64_t)p[i] << 8 * w;
    }
    for (size_t i = 0; i < n; i++) u[i] = u[i] >> 1 ^ (0 - (u[i] & 1));
}

static void accumulate(size_t n, uint32_t order, uint64_t *u)
{
    for (uint32_t k = 0; k < order; k++)
        for (size_t i = 1; i < n; i++) u[i] += u[i - 1];
}

/* Returns 0 where a value is not finite. */
static int to_values(size_t n, double step, const uint64_t *u, double *v)
{
    int good = 1;
    if (step == 0)
        memcpy(v, u, n * sizeof *v);
    else
        for (size_t i = 0; i < n; i++) v[i] = step * (double)(int64_t)u[i];
    for (size_t i = 0; i < n; i++) good &= isfinite(v[i]) != 0;
    return good;
}

static cgct_status rows(const cgct_inner_block *b, size_t nrow, size_t n, const uint8_t *raw,
                        uint64_t *u, double *v, cgct_err *err)
{
    for (size_t r = 0; r < nrow; r++) {
        gather(n, nrow * n, b->width, raw + r * n, u);
        accumulate(n, b->order, u);
        if (!to_values(n, b->step, u, v + r * n))
            return cgct_fail(err, CGCT_E_FORMAT, "row %zu holds a number that is not finite", r);
    }
    return CGCT_OK;
}

static cgct_status check_block(const cgct_inner_block *b, size_t count, cgct_err *err)
{
    if (b->width < 1 || b->width > 8 || b->order > ORDER_MAX || b->raw_size / b->width != count ||
        b->raw_size % b->width)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%zu bytes of width %u, differences of order %u; want %zu values of width "
                         "1 to 8, order up to %d",
                         b->raw_size, b->width, b->order, count, ORDER_MAX);
    if (!(b->step >= 0 && isfinite(b->step)))
        return cgct_fail(err, CGCT_E_FORMAT, "step %g, want a finite number >= 0", b->step);
    if (ZSTD_getFrameContentSize(b->frame, b->size) != b->raw_size)
        return cgct_fail(err, CGCT_E_FORMAT, "not a zstd frame of %zu bytes", b->raw_size);
    return CGCT_OK;
}

cgct_status cgct_inner_unpack(const cgct_inner_block *b, size_t nrow, size_t n, double *v,
                              cgct_err *err)
{
    CGCT_TRY(check_block(b, nrow * n, err));
    uint8_t *raw = malloc(b->raw_size);
    uint64_t *u = malloc(n * sizeof *u);
    cgct_status st = CGCT_OK;
    if (!raw || !u)
        st = cgct_fail(err, CGCT_E_NOMEM, "no memory for a block of %zu bytes", b->raw_size);
    if (st == CGCT_OK) {
        size_t got = ZSTD_decompress(raw, b->raw_size, b->frame, b->size);
        if (got != b->raw_size)
            st = cgct_fail(err, CGCT_E_FORMAT, "zstd cannot read the frame: %s",
                           ZSTD_isError(got) ? ZSTD_getErrorName(got) : "too short");
    }
    if (st == CGCT_OK) st = rows(b, nrow, n, raw, u, v, err);
    free(raw);
    free(u);
    return st;
}
