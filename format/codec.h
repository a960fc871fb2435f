/* SPDX-License-Identifier: MIT */
/* codec.h: one node between memory (cgct_plane) and its bytes in a container. */
#ifndef CGCT_CODEC_H
#define CGCT_CODEC_H
#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* One (x,eps): n = 2 nq nk points, (polarisation, q, k) row-major.
 * I_m = scale * ratio: ratio zero[i] for m = 0, mode[(m-1) n + i] for m >= 1.  See FORMAT.md 3.6
 * and 3.7. */
typedef struct {
    size_t n, nm;
    double *scale, *error, *zero, *mode; /* scale in GeV^-6; error and ratios without unit */
    uint8_t *flag;                       /* 1: scale is not I_0, its logarithm is no basis */
    size_t flagged;                      /* number of points with flag */
    void *owned;
} cgct_plane;

cgct_status cgct_plane_init(cgct_plane *p, size_t n, size_t nm, cgct_err *err);
void cgct_plane_free(cgct_plane *p);

/* ---- writer's side ---- */

/* modes (n, nm) and error (n) in GeV^-6 -> p, made here by cgct_plane_init.  ratio_max: a point
 * where a mode exceeds this multiple of I_0 is flagged, or the error bound the larger one of it and
 * CGCT_ERROR_RATIO_MAX.  Returns E_NOMEM, or
 * E_DOMAIN for numbers that are not finite or a bound below 0, naming (polarisation, point). */
cgct_status cgct_plane_set(cgct_plane *p, size_t n, size_t nm, const double *modes,
                           const double *error, double ratio_max, cgct_err *err);
/* Encoding 1; out has cgct_payload_size(n, nm) bytes. */
void cgct_payload_pack(const cgct_plane *p, uint8_t *out);
/* A payload, and where its frame is to begin a new block (n offsets, rising). */
typedef struct {
    size_t n, *at;
} cgct_cuts;
typedef struct {
    uint8_t *data;
    size_t size;
    cgct_cuts cuts;
} cgct_raw;

void cgct_raw_free(cgct_raw *r);
/* Blocks for count symbols at data + first, so that each has symbols of one kind.  E_NOMEM. */
cgct_status cgct_cuts_choose(cgct_cuts *cuts, const uint8_t *data, size_t first, size_t count,
                             cgct_err *err);
void cgct_cuts_free(cgct_cuts *cuts);
/* Encoding 5.  p gets the values that a reader will find, *measured the largest |I_m - stored|/s of
 * all of them, which stays below the bound; out needs cgct_raw_free in any case.  Returns E_NOMEM,
 * or E_ACCURACY where the bound asks for more than 31 bits. */
cgct_status cgct_predicted_pack(cgct_plane *p, size_t nq, size_t nk, double bound, cgct_raw *out,
                                double *measured, cgct_err *err);
/* The ratio_max of encoding 5.  I >= 0 implies |I_m| <= I_0: beyond it there is nothing but error,
 * and a point of noise would make the steps of all others small. */
#define CGCT_RATIO_MAX 8.0
/* Encoding 5 has codes for bounds up to here. */
#define CGCT_ERROR_RATIO_MAX 0x1p13

/* Upper bound of a payload's frame, and the frame itself (level >= 1). */
size_t cgct_frame_bound(const cgct_raw *raw);
cgct_status cgct_frame_pack(const cgct_raw *raw, int level, uint8_t *out, size_t capacity,
                            size_t *size, cgct_err *err);

/* ---- reader's side ---- */

/* The payload of a node, decoded mode by mode: nothing that is read twice is kept. */
typedef struct {
    const uint8_t *in;
    uint32_t encoding; /* CGCT_ENCODING_F64, INTEGERS or PREDICTED */
    size_t nq, nk, nm;
    double step;                      /* of ratios, but for encoding 1 */
    void *work;                       /* (nq nk) f64, or u32 for encoding 2 */
    struct cgct_predicted *predicted; /* encoding 5 */
} cgct_payload;

/* One mode of one polarisation, rows of nk numbers `stride` apart, valid until the next is asked
 * for: integers in steps, or where integer is NULL the ratios themselves. */
typedef struct {
    const int32_t *integer;
    const double *real;
    double step;
    size_t stride;
    int zero; /* all are 0 */
} cgct_mode;

/* in of encodings 1 and 2 has the size that they imply; p, made by cgct_plane_init(2 nq nk, any),
 * gets scale, error, zero, flag and flagged.  Returns E_NOMEM, or E_FORMAT for any number or flag
 * that the format does not allow; s needs cgct_payload_close in either case. */
cgct_status cgct_payload_open(cgct_payload *s, uint32_t encoding, const uint8_t *in, size_t size,
                              size_t nq, size_t nk, size_t nm, cgct_plane *p, cgct_err *err);
/* I_m/s of one polarisation.  Each of 1 <= m < nm once, in rising order, T before L.  E_FORMAT. */
cgct_status cgct_payload_mode(cgct_payload *s, size_t pol, size_t m, cgct_mode *out, cgct_err *err);
void cgct_payload_close(cgct_payload *s);
/* All modes into p, made by cgct_plane_init(2 nq nk, nm). */
cgct_status cgct_payload_unpack(uint32_t encoding, const uint8_t *in, size_t size, size_t nq,
                                size_t nk, cgct_plane *p, cgct_err *err);

/* The frame must hold exactly raw_size bytes. */
cgct_status cgct_frame_check(const uint8_t *frame, size_t size, size_t raw_size, cgct_err *err);
cgct_status cgct_frame_unpack(const uint8_t *frame, size_t size, uint8_t *raw, size_t raw_size,
                              cgct_err *err);
#endif
