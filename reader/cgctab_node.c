/* SPDX-License-Identifier: MIT */
#include "cgctab_internal.h"

#include <inttypes.h>
#include <stdlib.h>

static cgct_status check_crc(const cgct_table *t, const char *what, const uint8_t *bytes, size_t n,
                             uint64_t want, cgct_err *err)
{
    uint64_t got = cgct_crc64(&t->crc, bytes, n);
    if (got != want)
        return cgct_fail(err, CGCT_E_CHECKSUM,
                         "%s damaged: checksum %016" PRIx64 ", stored %016" PRIx64
                         "; copy the file again",
                         what, got, want);
    return CGCT_OK;
}

/* Encoding 1 only: elsewhere the frame's checksum, and zstd's own, say all. */
static cgct_status check_content(const cgct_table *t, const cgct_entry *e, const uint8_t *raw,
                                 cgct_err *err)
{
    if (e->encoding != CGCT_ENCODING_F64) return CGCT_OK;
    return check_crc(t, "content", raw, (size_t)e->raw_size, e->raw_crc, err);
}

/* stored frame -> raw payload, in memory of its own; checked before it is asked for. */
static cgct_status expand(const cgct_table *t, const cgct_entry *e, const uint8_t *frame,
                          uint8_t **raw, cgct_err *err)
{
    size_t raw_size = (size_t)e->raw_size;
    CGCT_TRY(cgct_frame_check(frame, (size_t)e->stored_size, raw_size, err));
    if (!(*raw = (uint8_t *)malloc(raw_size)))
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu bytes", raw_size);
    CGCT_TRY(cgct_frame_unpack(frame, (size_t)e->stored_size, *raw, raw_size, err));
    return check_content(t, e, *raw, err);
}

static cgct_status read_frame(const cgct_table *t, const cgct_file *f, const cgct_entry *e,
                              cgct_node_stream *s, cgct_err *err)
{
    if (e->raw_size > SIZE_MAX / 2 || e->stored_size > SIZE_MAX / 2)
        return cgct_fail(err, CGCT_E_NOMEM, "%" PRIu64 " bytes exceed this machine's memory",
                         e->raw_size);
    if (!(s->frame = (uint8_t *)malloc((size_t)e->stored_size + 1)))
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %" PRIu64 " bytes", e->stored_size);
    CGCT_TRY(cgct_file_read(f, e->offset, s->frame, (size_t)e->stored_size, err));
    CGCT_TRY(check_crc(t, "frame", s->frame, (size_t)e->stored_size, e->stored_crc, err));
    if (e->compression == CGCT_ZSTD) return expand(t, e, s->frame, &s->raw, err);
    return check_content(t, e, s->frame, err);
}

/* The payload as it lies in memory, not yet open. */
static cgct_payload payload_of(const cgct_table *t, const cgct_entry *e, const cgct_node_stream *s)
{
    cgct_payload p;
    memset(&p, 0, sizeof p);
    p.in = s->raw ? s->raw : s->frame;
    p.size = (size_t)e->raw_size;
    p.encoding = e->encoding;
    p.nq = t->grid[CGCT_AXIS_Q].n;
    p.nk = t->grid[CGCT_AXIS_K].n;
    p.nm = e->nm;
    return p;
}

static cgct_status begin_node(const cgct_table *t, const cgct_file *f, const cgct_entry *e,
                              cgct_node_stream *s, cgct_err *err)
{
    CGCT_TRY(read_frame(t, f, e, s, err));
    s->payload = payload_of(t, e, s);
    CGCT_TRY(cgct_plane_init(&s->heads, 2 * s->payload.nq * s->payload.nk, 1, err));
    CGCT_TRY(cgct_payload_open(&s->payload, &s->heads, err));
    if (s->heads.flagged != e->flagged)
        return cgct_fail(err, CGCT_E_FORMAT, "%zu flagged points, the index says %" PRIu32,
                         s->heads.flagged, e->flagged);
    return CGCT_OK;
}

/* Says which node it is. */
static cgct_status name_node(const cgct_table *t, size_t node, cgct_status st, cgct_err *err)
{
    size_t neps = t->grid[CGCT_AXIS_EPS].n;
    return cgct_context(err, st, "node x = %g, eps = %g", t->grid[CGCT_AXIS_X].v[node / neps],
                        t->grid[CGCT_AXIS_EPS].v[node % neps]);
}

cgct_status cgct_node_begin(const cgct_table *t, const cgct_file *f, size_t node,
                            cgct_node_stream *s, cgct_err *err)
{
    memset(s, 0, sizeof *s);
    cgct_status st = begin_node(t, f, &t->entry[node], s, err);
    if (st == CGCT_OK) return st;
    cgct_node_end(s);
    return name_node(t, node, st, err);
}

void cgct_node_end(cgct_node_stream *s)
{
    cgct_payload_close(&s->payload);
    cgct_plane_free(&s->heads);
    free(s->raw);
    free(s->frame);
    memset(s, 0, sizeof *s);
}

cgct_status cgct_node_load(const cgct_table *t, const cgct_file *f, size_t node, cgct_plane *p,
                           cgct_err *err)
{
    cgct_node_stream s;
    const cgct_entry *e = &t->entry[node];
    CGCT_TRY(cgct_node_begin(t, f, node, &s, err));
    cgct_status st = cgct_plane_init(p, s.heads.n, e->nm, err);
    if (st == CGCT_OK) {
        st = cgct_payload_unpack(payload_of(t, e, &s), p, err);
        if (st != CGCT_OK) cgct_plane_free(p);
    }
    cgct_node_end(&s);
    return st == CGCT_OK ? st : name_node(t, node, st, err);
}

cgct_status cgct_node_verify(const cgct_table *t, const cgct_file *f, size_t node, cgct_err *err)
{
    cgct_node_stream s;
    cgct_mode mode;
    cgct_status st = CGCT_OK;
    CGCT_TRY(cgct_node_begin(t, f, node, &s, err));
    for (size_t i = 0; i < 2 * (s.payload.nm - 1) && st == CGCT_OK; i++)
        st = cgct_payload_mode(&s.payload, i % 2, 1 + i / 2, &mode, err);
    cgct_node_end(&s);
    return st == CGCT_OK ? st : name_node(t, node, st, err);
}
