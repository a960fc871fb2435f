/* SPDX-License-Identifier: MIT */
/* Encodes one block of an inner table (INNER.md section 3): rounded, differenced, compressed.  A
 * file of its own, so that programs that only decode do not contain zstd's encoder. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "inner_archive.h"

enum { SAMPLE_ROWS = 16, LEVEL = 9 }; /* of zstd */
#define STEPS_MAX 0x1p52

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
static void difference_row(size_t n, uint64_t *row)
{
    for (size_t i = n; i-- > 1;) row[i] -= row[i - 1];
}

static uint64_t zigzag(uint64_t d)
{
    return d << 1 ^ (0 - (d >> 63));
}

static unsigned bit_length(uint64_t z)
{
    unsigned n = 0;
    for (; z; z >>= 1) n++;
    return n;
}

/* Order with the fewest bits on a sample of rows. */
static uint32_t choose_difference_order(size_t nrow, size_t n, const uint64_t *u, uint64_t *row)
{
    uint64_t cost[CGCT_INNER_ORDER_MAX + 1] = {0};
    size_t stride = nrow / SAMPLE_ROWS + 1;
    uint32_t best = 0;
    for (size_t r = stride / 2; r < nrow; r += stride) {
        memcpy(row, u + r * n, n * sizeof *row);
        for (uint32_t k = 0; k <= CGCT_INNER_ORDER_MAX; k++) {
            for (size_t i = 0; i < n; i++) cost[k] += bit_length(zigzag(row[i]));
            difference_row(n, row);
        }
    }
    for (uint32_t k = 1; k <= CGCT_INNER_ORDER_MAX; k++)
        if (cost[k] < cost[best]) best = k;
    return best;
}

static cgct_status compress_planes(size_t count, const uint64_t *u, cgct_inner_block *b,
                                   cgct_err *err)
{
    const size_t raw_size = count * b->width, capacity = ZSTD_compressBound(raw_size);
    uint8_t *raw = malloc(raw_size), *frame = malloc(capacity), *small;
    size_t size = 0;
    if (raw && frame) {
        for (uint32_t w = 0; w < b->width; w++)
            for (size_t i = 0; i < count; i++) raw[w * count + i] = (uint8_t)(u[i] >> 8 * w);
        size = ZSTD_compress(frame, capacity, raw, raw_size, LEVEL);
    }
    free(raw);
    if (!size || ZSTD_isError(size)) {
        free(frame);
        return cgct_fail(err, CGCT_E_NOMEM, "cannot compress %zu bytes: %s", raw_size,
                         size ? ZSTD_getErrorName(size) : "no memory");
    }
    small = realloc(frame, size);
    b->frame = small ? small : frame;
    b->size = size;
    return CGCT_OK;
}

cgct_status cgct_inner_pack(size_t nrow, size_t n, const double *v, double step,
                            cgct_inner_block *b, cgct_err *err)
{
    size_t count = nrow * n;
    memset(b, 0, sizeof *b);
    uint64_t *u = malloc((count + n) * sizeof *u);
    if (!u) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu values", count);
    cgct_status st = to_integers(count, v, step, u, err);
    if (st == CGCT_OK) {
        b->step = step;
        b->order = choose_difference_order(nrow, n, u, u + count);
        uint64_t all = 0;
        for (size_t r = 0; r < nrow; r++) {
            for (uint32_t k = 0; k < b->order; k++) difference_row(n, u + r * n);
            for (size_t i = 0; i < n; i++) all |= u[r * n + i] = zigzag(u[r * n + i]);
        }
        b->width = all ? (bit_length(all) + 7) / 8 : 1; /* bytes of the largest */
        st = compress_planes(count, u, b, err);
    }
    free(u);
    double *back = st == CGCT_OK ? malloc(count * sizeof *back) : NULL; /* what it decodes to */
    if (st == CGCT_OK)
        st = back ? cgct_inner_unpack(b, nrow, n, back, err)
                  : cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu values", count);
    for (size_t i = 0; st == CGCT_OK && i < count; i++)
        b->error = fmax(b->error, fabs(back[i] - v[i]));
    free(back);
    if (st != CGCT_OK) cgct_inner_block_free(b);
    return st;
}
