/* SPDX-License-Identifier: MIT */
/* Decodes one block of an inner table (INNER.md section 4). */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "inner_archive.h"

void cgct_inner_block_free(cgct_inner_block *b)
{
    free(b->frame);
    memset(b, 0, sizeof *b);
}

/* Row of integers from its byte planes, which lie `count` apart. */
static void gather_planes(size_t n, size_t count, uint32_t width, const uint8_t *plane, uint64_t *u)
{
    for (size_t i = 0; i < n; i++) u[i] = plane[i];
    for (uint32_t w = 1; w < width; w++) {
        const uint8_t *p = plane + w * count;
        for (size_t i = 0; i < n; i++) u[i] |= (uint64_t)p[i] << 8 * w;
    }
    for (size_t i = 0; i < n; i++) u[i] = u[i] >> 1 ^ (0 - (u[i] & 1));
}

static void sum_differences(size_t n, uint32_t order, uint64_t *u)
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

static cgct_status decode_rows(const cgct_inner_block *b, size_t nrow, size_t n, const uint8_t *raw,
                               uint64_t *u, double *v, cgct_err *err)
{
    for (size_t r = 0; r < nrow; r++) {
        gather_planes(n, nrow * n, b->width, raw + r * n, u);
        sum_differences(n, b->order, u);
        if (!to_values(n, b->step, u, v + r * n))
            return cgct_fail(err, CGCT_E_FORMAT, "row %zu holds a number that is not finite", r);
    }
    return CGCT_OK;
}

static cgct_status check_block_sizes(const cgct_inner_block *b, size_t count, cgct_err *err)
{
    if (b->width < 1 || b->width > 8 || b->order > CGCT_INNER_ORDER_MAX ||
        ZSTD_getFrameContentSize(b->frame, b->size) != count * b->width)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "want a zstd frame of %zu integers of width %u, 1 to 8; order of "
                         "differences %u, up to %d",
                         count, b->width, b->order, CGCT_INNER_ORDER_MAX);
    if (!(b->step >= 0 && isfinite(b->step)))
        return cgct_fail(err, CGCT_E_FORMAT, "step %g, want a finite number >= 0", b->step);
    return CGCT_OK;
}

cgct_status cgct_inner_unpack(const cgct_inner_block *b, size_t nrow, size_t n, double *v,
                              cgct_err *err)
{
    CGCT_TRY(check_block_sizes(b, nrow * n, err));
    const size_t raw_size = nrow * n * b->width;
    uint8_t *raw = malloc(raw_size);
    uint64_t *u = malloc(n * sizeof *u);
    cgct_status st = CGCT_OK;
    if (!raw || !u)
        st = cgct_fail(err, CGCT_E_NOMEM, "no memory for a block of %zu bytes", raw_size);
    if (st == CGCT_OK) {
        size_t got = ZSTD_decompress(raw, raw_size, b->frame, b->size);
        if (got != raw_size)
            st = cgct_fail(err, CGCT_E_FORMAT, "zstd cannot read the frame: %s",
                           ZSTD_isError(got) ? ZSTD_getErrorName(got) : "too short");
    }
    if (st == CGCT_OK) st = decode_rows(b, nrow, n, raw, u, v, err);
    free(raw);
    free(u);
    return st;
}
