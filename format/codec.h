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

/* Places where the frame of a payload is to begin a new block (n offsets, rising). */
typedef struct {
    size_t n, *at;
} cgct_cuts;
/* A payload before it is compressed. */
typedef struct {
    uint8_t *data;
    size_t size;
    cgct_cuts cuts;
} cgct_raw;

void cgct_raw_free(cgct_raw *r);
/* Blocks for count symbols at data + first, so that each has symbols of one kind.  E_NOMEM. */
cgct_status cgct_cuts_choose(cgct_cuts *cuts, const uint8_t *data, size_t first, size_t count,
                             cgct_err *err);
/* Encoding 5.  p gets the values that a reader will find, *measured the largest |I_m - stored|/s of
 * all of them, which stays below the bound; out needs cgct_raw_free in any case.  Returns E_NOMEM,
 * or E_ACCURACY where the bound asks for more than 31 bits. */
cgct_status cgct_predicted_pack(cgct_plane *p, size_t nq, size_t nk, double bound, cgct_raw *out,
                                double *measured, cgct_err *err);

/* ---- reader's side ---- */

/* The payload of a node, decoded mode by mode: nothing that is read twice is kept. */
typedef struct {
    const uint8_t *in;
    size_t size;
    uint32_t encoding; /* CGCT_ENCODING_F64, DIFFERENCES or PREDICTED */
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

/* s: the caller sets in, size, encoding and lengths, the rest is zero; encodings 1 and 2 have the
 * size that they imply.  p, made by cgct_plane_init(2 nq nk, any), gets scale, error, zero, flag
 * and flagged.  Returns E_NOMEM, or E_FORMAT for any number or flag that the format does not
 * allow; s needs cgct_payload_close in either case. */
cgct_status cgct_payload_open(cgct_payload *s, cgct_plane *p, cgct_err *err);
/* I_m/s of one polarisation.  Each of 1 <= m < nm once, in rising order, T before L.  E_FORMAT. */
cgct_status cgct_payload_mode(cgct_payload *s, size_t pol, size_t m, cgct_mode *out, cgct_err *err);
void cgct_payload_close(cgct_payload *s);
/* The whole of a payload that is not open yet into p, made by cgct_plane_init(2 nq nk, nm). */
cgct_status cgct_payload_unpack(cgct_payload s, cgct_plane *p, cgct_err *err);

/* ---- what encodings 2 and 5 share ---- */

enum { CGCT_STEPS_SIZE = 24, CGCT_ERROR_CODE_ZERO_AT = 200, CGCT_ERROR_CODES_PER_OCTAVE = 4 };

/* Bounds over s of all codes: 0, then 2^((code - 200)/4). */
void cgct_error_codes(double bound[256]);
/* Bound, step of ratios, step of ln s, with which a payload begins. */
cgct_status cgct_get_steps(const uint8_t *in, double step[3], cgct_err *err);
/* p->flag and p->flagged; padded >= p->n: flags with zeros behind them. */
cgct_status cgct_get_flags(const uint8_t *in, size_t padded, cgct_plane *p, cgct_err *err);
/* v (n): ln s becomes s, which must be a normal number. */
cgct_status cgct_scales_from_logs(size_t n, double *v, cgct_err *err);
/* v (n): I_0/s - 1 becomes I_0/s, which must be allowed with these flags. */
cgct_status cgct_zeroth_from_rest(const uint8_t *flag, size_t n, double *v, cgct_err *err);

/* ---- frames ---- */

/* The frame must hold exactly raw_size bytes. */
cgct_status cgct_frame_check(const uint8_t *frame, size_t size, size_t raw_size, cgct_err *err);
cgct_status cgct_frame_unpack(const uint8_t *frame, size_t size, uint8_t *raw, size_t raw_size,
                              cgct_err *err);
#endif
