/* SPDX-License-Identifier: MIT */
/* inner_codec.h: one block of an inner-table archive (INNER.md section 4) between memory and bytes.
 */
#ifndef CGCT_INNER_CODEC_H
#define CGCT_INNER_CODEC_H
#include <stddef.h>
#include <stdint.h>

#include "error.h"

enum { CGCT_INNER_ORDER_MAX = 4 }; /* of the differences */

typedef struct {
    uint8_t *frame; /* one zstd frame; owned */
    size_t size, raw_size;
    uint32_t width, order; /* bytes of an integer; order of the differences along rows */
    double step;           /* a value is an integer times step; 0: the integer is its bit pattern */
    double error;          /* largest |decoded - given|, measured by decoding */
} cgct_inner_block;

/* v (nrow, n) row-major, finite.  step > 0 keeps |decoded - given| <= step/2 but for rounding;
 * step = 0 is lossless.  Returns OK, E_DOMAIN (NaN, infinity, or beyond 2^52 steps), E_NOMEM. */
cgct_status cgct_inner_pack(size_t nrow, size_t n, const double *v, double step, int level,
                            cgct_inner_block *b, cgct_err *err);
/* Returns OK, E_FORMAT where the block is not what pack writes, E_NOMEM. */
cgct_status cgct_inner_unpack(const cgct_inner_block *b, size_t nrow, size_t n, double *v,
                              cgct_err *err);
void cgct_inner_block_free(cgct_inner_block *b);
#endif
