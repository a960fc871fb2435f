/* SPDX-License-Identifier: MIT */
/* Decodes one block of an inner table (INNER.md section 3). */
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

static cgct_status decode_rows(const cgct_inner_block *b, size_t nrow, size_t n, const uint8_t *raw,
                               uint64_t *u, double *v, cgct_err *err)
{
    for (size_t r = 0; r < nrow; r++) {
        double *to = v + r * n;
        int finite = 1;
        /* integers from their byte planes, which lie nrow n apart; then from their differences */
        for (size_t i = 0; i < n; i++) u[i] = raw[r * n + i];
        for (uint32_t w = 1; w < b->width; w++)
            for (size_t i = 0; i < n; i++) u[i] |= (uint64_t)raw[(w * nrow + r) * n + i] << 8 * w;
        for (size_t i = 0; i < n; i++) u[i] = u[i] >> 1 ^ (0 - (u[i] & 1));
        for (uint32_t k = 0; k < b->order; k++)
            for (size_t i = 1; i < n; i++) u[i] += u[i - 1];
        if (b->step == 0) memcpy(to, u, n * sizeof *to);
        for (size_t i = 0; i < n && b->step != 0; i++) to[i] = b->step * (double)(int64_t)u[i];
        for (size_t i = 0; i < n; i++) finite &= isfinite(to[i]) != 0;
        if (!finite)
            return cgct_fail(err, CGCT_E_FORMAT, "row %zu holds a number that is not finite", r);
    }
    return CGCT_OK;
}

cgct_status cgct_inner_unpack(const cgct_inner_block *b, size_t nrow, size_t n, double *v,
                              cgct_err *err)
{
    const size_t raw_size = nrow * n * b->width;
    if (b->width < 1 || b->width > 8 || b->order > CGCT_INNER_ORDER_MAX ||
        ZSTD_getFrameContentSize(b->frame, b->size) != raw_size)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "want a zstd frame of %zu integers of width %u, 1 to 8; order of "
                         "differences %u, up to %d",
                         nrow * n, b->width, b->order, CGCT_INNER_ORDER_MAX);
    if (!(b->step >= 0 && isfinite(b->step)))
        return cgct_fail(err, CGCT_E_FORMAT, "step %g, want a finite number >= 0", b->step);
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
