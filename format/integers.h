/* SPDX-License-Identifier: MIT */
/* integers.h: the layout of encoding 2 (FORMAT.md 3.7), shared by both directions. */
#ifndef CGCT_INTEGERS_H
#define CGCT_INTEGERS_H
#include <stddef.h>
#include <stdint.h>

#include "codec.h"

enum { CGCT_INTEGERS_HEAD = 24, CGCT_ERROR_CODE_ZERO_AT = 200, CGCT_ERROR_CODES_PER_OCTAVE = 4 };

/* Offsets in the payload of n = 2 nq nk points of nm modes: orders of differences, flags, error
 * codes, and the four planes of bytes, each of `count` bytes. */
typedef struct {
    size_t orders, flags, errors, bytes, count, size;
} cgct_integers_layout;

static inline size_t cgct_pad8(size_t n)
{
    return (n + 7) / 8 * 8;
}

static inline cgct_integers_layout cgct_integers_at(size_t n, size_t nm)
{
    cgct_integers_layout l = {CGCT_INTEGERS_HEAD, 0, 0, 0, 0, 0};
    l.flags = l.orders + cgct_pad8(2 * (nm + 1));
    l.errors = l.flags + cgct_pad8(n);
    l.bytes = l.errors + cgct_pad8(n);
    l.count = n * (nm + 1);
    l.size = l.bytes + 4 * l.count;
    return l;
}

/* No overflow within the format's limits. */
static inline uint64_t cgct_integers_size(uint64_t n, uint64_t nm)
{
    return CGCT_INTEGERS_HEAD + (2 * (nm + 1) + 7) / 8 * 8 + 2 * ((n + 7) / 8 * 8) +
           4 * n * (nm + 1);
}

/* Bounds over s of all codes: 0, then 2^((code - 200)/4). */
void cgct_error_codes(double bound[256]);

/* Bound, step of ratios, step of ln s, as encodings 2 and 5 begin. */
cgct_status cgct_get_steps(const uint8_t *in, double step[3], cgct_err *err);
/* cgct_payload_open and cgct_payload_mode for encoding 2. */
cgct_status cgct_integers_open(cgct_payload *s, cgct_plane *p, cgct_err *err);
cgct_status cgct_integers_mode(cgct_payload *s, size_t pol, size_t m, cgct_mode *out,
                               cgct_err *err);
#endif
