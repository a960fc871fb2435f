/* SPDX-License-Identifier: MIT */
#include "writer_node.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "codec.h"

enum { AT_ROUNDING = CGCT_NODE_SIZE, AT_SHAPE = AT_ROUNDING + 8 };

/* Modes up to the last that is not zero, of any point. */
static size_t modes_kept(const cgct_plane *p, size_t point)
{
    size_t nm = p->nm;
    while (nm > 1 && p->mode[(nm - 2) * p->n + point] == 0) nm--;
    return nm;
}

static void put_shape(const cgct_plane *p, uint8_t *to)
{
    size_t points = p->n / 2;
    for (size_t i = 0; i < points; i++) {
        size_t T = modes_kept(p, i), L = modes_kept(p, points + i);
        cgct_put_u16(to + 2 * i, (uint16_t)(T > L ? T : L));
    }
}

/* Drops modes that round to zero at every point: they need no place in the payload. */
static void trim(cgct_plane *p, double below)
{
    size_t n = p->n * (p->nm - 1);
    while (n > 0 && !(fabs(p->mode[n - 1]) > below)) n--;
    p->nm = 1 + (n + p->n - 1) / p->n;
}

static cgct_status encode(const cgct_writer_spec *s, cgct_plane *p, cgct_raw *raw, double *rounding,
                          cgct_err *err)
{
    *rounding = 0;
    if (s->bound > 0) {
        CGCT_TRY(cgct_predicted_pack(p, s->nq, s->nk, s->bound, raw, rounding, err));
        if (*rounding <= s->bound) return CGCT_OK;
        return cgct_fail(err, CGCT_E_ACCURACY, "decoded modes are off by %g of I_0, allowed %g",
                         *rounding, s->bound);
    }
    uint64_t size = cgct_payload_size(p->n, p->nm);
    if (size > SIZE_MAX / 2 || !(raw->data = malloc((size_t)size)))
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu points of %zu modes", p->n, p->nm);
    raw->size = (size_t)size;
    cgct_payload_pack(p, raw->data);
    return CGCT_OK;
}

/* Entry, rounding, shape, and the frame of raw or raw itself. */
static cgct_status assemble(const cgct_writer_spec *s, const cgct_plane *p, const cgct_raw *raw,
                            double rounding, uint8_t **packed, size_t *size, cgct_err *err)
{
    size_t at = AT_SHAPE + p->n, frame_size = raw->size;
    size_t room = s->level ? cgct_frame_bound(raw) : raw->size;
    cgct_crc64_table crc;
    uint8_t *to = malloc(at + room);
    if (!to) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a node of %zu bytes", raw->size);
    cgct_status st = CGCT_OK;
    if (s->level)
        st = cgct_frame_pack(raw, s->level, to + at, room, &frame_size, err);
    else
        memcpy(to + at, raw->data, raw->size);
    if (st != CGCT_OK) {
        free(to);
        return st;
    }
    cgct_crc64_init(&crc);
    const cgct_entry e = {.stored_size = frame_size,
                          .raw_size = raw->size,
                          .stored_crc = cgct_crc64(&crc, to + at, frame_size),
                          .raw_crc = s->bound > 0 ? 0 : cgct_crc64(&crc, raw->data, raw->size),
                          .nm = (uint32_t)p->nm,
                          .encoding = s->bound > 0 ? CGCT_ENCODING_PREDICTED : CGCT_ENCODING_F64,
                          .compression = s->level ? CGCT_ZSTD : CGCT_STORED,
                          .flagged = (uint32_t)p->flagged};
    cgct_entry_pack(&e, to);
    cgct_put_f64(to + AT_ROUNDING, rounding);
    put_shape(p, to + AT_SHAPE);
    uint8_t *fit = realloc(to, at + frame_size);
    *packed = fit ? fit : to;
    *size = at + frame_size;
    return CGCT_OK;
}

cgct_status cgct_node_pack(const cgct_writer_spec *s, const cgct_node *node, uint8_t **packed,
                           size_t *size, cgct_err *err)
{
    size_t n = 2 * s->nq * s->nk;
    double rounding, ratio_max = s->bound > 0 ? CGCT_RATIO_MAX : DBL_MAX;
    cgct_raw raw = {NULL, 0, {0, NULL}};
    cgct_plane p;
    *packed = NULL;
    if (node->nm < 1 || node->nm > CGCT_MODES_MAX)
        return cgct_fail(err, CGCT_E_USAGE, "%zu modes, want 1 to %d", node->nm, CGCT_MODES_MAX);
    CGCT_TRY(cgct_plane_set(&p, n, node->nm, node->modes, node->error, ratio_max, err));
    trim(&p, 0.8 * s->bound); /* such a mode, left out, is off by less than the bound */
    cgct_status st = encode(s, &p, &raw, &rounding, err);
    if (st == CGCT_OK) st = assemble(s, &p, &raw, rounding, packed, size, err);
    cgct_raw_free(&raw);
    cgct_plane_free(&p);
    return st;
}

cgct_status cgct_packed_parse(const uint8_t *packed, size_t size, size_t points,
                              cgct_packed_node *node, cgct_err *err)
{
    size_t at = AT_SHAPE + 2 * points;
    if (size < at || cgct_get_u64(packed + CGCT_NODE_AT_STORED) != size - at)
        return cgct_fail(err, CGCT_E_FORMAT, "%zu bytes are no packed node of %zu points", size,
                         points);
    node->entry = (cgct_entry){.stored_size = cgct_get_u64(packed + CGCT_NODE_AT_STORED),
                               .raw_size = cgct_get_u64(packed + CGCT_NODE_AT_RAW),
                               .stored_crc = cgct_get_u64(packed + CGCT_NODE_AT_STORED_CRC),
                               .raw_crc = cgct_get_u64(packed + CGCT_NODE_AT_RAW_CRC),
                               .nm = cgct_get_u32(packed + CGCT_NODE_AT_NM),
                               .encoding = cgct_get_u32(packed + CGCT_NODE_AT_ENCODING),
                               .compression = cgct_get_u32(packed + CGCT_NODE_AT_COMPRESSION),
                               .flagged = cgct_get_u32(packed + CGCT_NODE_AT_FLAGGED)};
    node->rounding = cgct_get_f64(packed + AT_ROUNDING);
    node->shape = packed + AT_SHAPE;
    node->frame = packed + at;
    return CGCT_OK;
}
