/* SPDX-License-Identifier: MIT */
/* codec.h: one node between memory (cgct_plane) and its bytes in a container. */
#ifndef CGCT_CODEC_H
#define CGCT_CODEC_H
#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* One (x,eps), or a blend of several: n = 2 nq nk points, (polarisation, q, k) row-major.
 * I_m = scale * ratio: ratio zero[i] for m = 0, mode[i*(nm-1) + m-1] for m >= 1.  See
 * FORMAT.md 3.5. */
typedef struct {
    size_t n, nm;
    double *scale, *ln_scale, *error, *zero,
        *mode;      /* scale in GeV^-6; error and ratios without unit */
    uint8_t *flag;  /* 1: scale is not I_0, ln_scale is no basis */
    size_t flagged; /* number of points with flag */
    void *owned;
} cgct_plane;

cgct_status cgct_plane_init(cgct_plane *p, size_t n, size_t nm, cgct_err *err); /* zeroed arrays */
void cgct_plane_free(cgct_plane *p);

/* Writer's side.  modes (n, nm) and error (n) in GeV^-6; out has cgct_payload_size(n, nm) bytes.
 * Returns E_DOMAIN for numbers that are not finite or a bound below 0, naming (polarisation,
 * point). */
cgct_status cgct_payload_pack(size_t n, size_t nm, const double *modes, const double *error,
                              uint8_t *out, cgct_err *err);
/* Reader's side; p was made by cgct_plane_init(n, nm).  Returns E_FORMAT for any number or flag
 * that the format does not allow. */
cgct_status cgct_payload_unpack(const uint8_t *in, cgct_plane *p, cgct_err *err);

/* Upper bound of the frame of raw_size bytes, and the frame itself (level >= 1). */
size_t cgct_frame_bound(size_t raw_size);
cgct_status cgct_frame_pack(const uint8_t *raw, size_t raw_size, int level, uint8_t *out,
                            size_t capacity, size_t *size, cgct_err *err);
/* The frame must hold exactly raw_size bytes. */
cgct_status cgct_frame_check(const uint8_t *frame, size_t size, size_t raw_size, cgct_err *err);
cgct_status cgct_frame_unpack(const uint8_t *frame, size_t size, uint8_t *raw, size_t raw_size,
                              cgct_err *err);
#endif
