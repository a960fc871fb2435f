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

static cgct_status decode(const cgct_table *t, const cgct_entry *e, const uint8_t *raw,
                          cgct_plane *p, cgct_err *err)
{
    size_t nq = t->grid[CGCT_AXIS_Q].n, nk = t->grid[CGCT_AXIS_K].n;
    CGCT_TRY(cgct_plane_init(p, 2 * nq * nk, e->nm, err));
    cgct_status st = e->encoding == CGCT_ENCODING_F64 ? cgct_payload_unpack(raw, p, err)
                                                      : cgct_integers_unpack(raw, nq, nk, p, err);
    if (st == CGCT_OK && t->head.minor > 0 && p->flagged != e->flagged)
        st = cgct_fail(err, CGCT_E_FORMAT, "%zu flagged points, the index says %" PRIu32,
                       p->flagged, e->flagged);
    if (st != CGCT_OK) cgct_plane_free(p);
    return st;
}

static cgct_status load(const cgct_table *t, const cgct_file *f, const cgct_entry *e, cgct_plane *p,
                        cgct_err *err)
{
    if (e->raw_size > SIZE_MAX / 2 || e->stored_size > SIZE_MAX / 2)
        return cgct_fail(err, CGCT_E_NOMEM, "%" PRIu64 " bytes exceed this machine's memory",
                         e->raw_size);
    uint8_t *frame = (uint8_t *)malloc((size_t)e->stored_size + 1), *raw = NULL;
    if (!frame)
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %" PRIu64 " bytes", e->stored_size);
    cgct_status st = cgct_file_read(f, e->offset, frame, (size_t)e->stored_size, err);
    if (st == CGCT_OK)
        st = check_crc(t, "frame", frame, (size_t)e->stored_size, e->stored_crc, err);
    if (st == CGCT_OK && e->compression == CGCT_ZSTD) st = expand(t, e, frame, &raw, err);
    if (st == CGCT_OK && e->compression == CGCT_STORED) st = check_content(t, e, frame, err);
    if (st == CGCT_OK) st = decode(t, e, raw ? raw : frame, p, err);
    free(raw);
    free(frame);
    return st;
}

cgct_status cgct_node_load(const cgct_table *t, const cgct_file *f, size_t node, cgct_plane *p,
                           cgct_err *err)
{
    size_t neps = t->grid[CGCT_AXIS_EPS].n;
    cgct_status st = load(t, f, &t->entry[node], p, err);
    if (st == CGCT_OK) return st;
    return cgct_context(err, st, "node x = %g, eps = %g", t->grid[CGCT_AXIS_X].v[node / neps],
                        t->grid[CGCT_AXIS_EPS].v[node % neps]);
}
