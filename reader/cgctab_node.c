/* SPDX-License-Identifier: MIT */
/* Nodes as they lie in the file: read, checked and decoded, for tables in memory and for programs
 * that inspect a table. */
#include "cgctab_internal.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../format/elementary.h"

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

/* ---- public calls ---- */

static cgct_status find_node(const cgct_table *t, size_t ix, size_t ieps, size_t *node,
                             cgct_err *err)
{
    *node = 0;
    if (!t) return cgct_fail(err, CGCT_E_USAGE, "table is NULL");
    size_t nx = t->grid[CGCT_AXIS_X].n, neps = t->grid[CGCT_AXIS_EPS].n;
    *node = ix * neps + ieps;
    if (ix < nx && ieps < neps) return CGCT_OK;
    return cgct_fail(err, CGCT_E_USAGE, "%s: node (%zu,%zu) of %zu x %zu", t->path, ix, ieps, nx,
                     neps);
}

cgct_status cgct_node_sizes(const cgct_table *t, size_t ix, size_t ieps, cgct_node_info *info)
{
    size_t node;
    if (!info) return CGCT_E_USAGE;
    memset(info, 0, sizeof *info);
    CGCT_TRY(find_node(t, ix, ieps, &node, NULL));
    info->modes = t->entry[node].nm;
    info->stored_bytes = (double)t->entry[node].stored_size;
    info->raw_bytes = (double)t->entry[node].raw_size;
    return CGCT_OK;
}

cgct_status cgct_node_checksum(const cgct_table *t, size_t ix, size_t ieps, cgct_err *err)
{
    size_t node;
    cgct_file f;
    CGCT_TRY(find_node(t, ix, ieps, &node, err));
    const cgct_entry *e = &t->entry[node];
    uint8_t *bytes = e->stored_size < SIZE_MAX ? (uint8_t *)malloc((size_t)e->stored_size) : NULL;
    if (!bytes) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for a node", t->path);
    cgct_status st = cgct_file_open(&f, t->path, 0, err);
    if (st == CGCT_OK) {
        st = cgct_file_read(&f, e->offset, bytes, (size_t)e->stored_size, err);
        if (st == CGCT_OK && cgct_crc64(&t->crc, bytes, (size_t)e->stored_size) != e->stored_crc)
            st = cgct_fail(err, CGCT_E_CHECKSUM,
                           "%s: node x = %g, eps = %g: frame damaged: checksum differs from the "
                           "stored one; copy the file again",
                           t->path, t->grid[CGCT_AXIS_X].v[ix], t->grid[CGCT_AXIS_EPS].v[ieps]);
        cgct_file_close(&f);
    }
    free(bytes);
    return st;
}

/* ---- numbers of a node ---- */

static cgct_status node_data_init(const cgct_table *t, size_t nm, cgct_node_data *d, cgct_err *err)
{
    d->nq = t->grid[CGCT_AXIS_Q].n;
    d->nk = t->grid[CGCT_AXIS_K].n;
    d->nm = nm;
    size_t n = 2 * d->nq * d->nk;
    d->modes = (double *)calloc(n, nm * sizeof *d->modes);
    d->error = (double *)calloc(n, sizeof *d->error);
    d->flag = (unsigned char *)calloc(n, 1);
    if (d->modes && d->error && d->flag) return CGCT_OK;
    return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for %zu points of %zu modes", t->path, n,
                     nm);
}

static cgct_status node_from_file(const cgct_table *t, size_t node, cgct_node_data *d,
                                  cgct_err *err)
{
    cgct_file f;
    cgct_plane p;
    CGCT_TRY(cgct_file_open(&f, t->path, 0, err));
    cgct_status st = cgct_node_load(t, &f, node, &p, err);
    if (st != CGCT_OK && st != CGCT_E_IO) cgct_context(err, st, "%s", t->path);
    cgct_file_close(&f);
    if (st != CGCT_OK) return st;
    st = node_data_init(t, p.nm, d, err);
    for (size_t i = 0; i < p.n && st == CGCT_OK; i++) {
        double *modes = d->modes + i * p.nm;
        modes[0] = p.scale[i] * p.zero[i];
        for (size_t m = 1; m < p.nm; m++) modes[m] = p.scale[i] * p.mode[(m - 1) * p.n + i];
        d->error[i] = p.scale[i] * p.error[i];
        d->flag[i] = p.flag[i];
    }
    cgct_plane_free(&p);
    return st;
}

static cgct_status node_from_records(const cgct_table *t, size_t node, cgct_node_data *d,
                                     cgct_err *err)
{
    const cgct_records *r = &t->node[node];
    if (cgct_node_check(t, node) != CGCT_OK)
        return cgct_fail(err, CGCT_E_CHECKSUM, "%s: node %zu is damaged; copy the file again",
                         t->path, node);
    CGCT_TRY(node_data_init(t, t->entry[node].nm, d, err));
    for (size_t i = 0; i < 2 * d->nq * d->nk; i++) {
        const uint32_t *at = r->start + i % (d->nq * d->nk);
        size_t pol = i / (d->nq * d->nk), room = cgct_modes_in(at[1] - at[0]);
        double *modes = d->modes + i * d->nm;
        double s = cgct_exp(cgct_record_get(r, at[0], pol)), b = cgct_record_get(r, at[0], 2 + pol);
        modes[0] = s * (r->flag[i] ? b : 1 + b);
        if (!r->flag[i]) s = modes[0];
        for (size_t m = 1; m < d->nm && m < room; m++)
            modes[m] = s * cgct_record_get(r, at[0], 2 + 2 * m + pol);
        d->error[i] = s * r->error[i];
        d->flag[i] = r->flag[i];
    }
    return CGCT_OK;
}

cgct_status cgct_node_read(const cgct_table *t, size_t ix, size_t ieps, cgct_node_data *d,
                           cgct_err *err)
{
    size_t node;
    if (!d) return cgct_fail(err, CGCT_E_USAGE, "cgct_node_read: nowhere to put the node");
    memset(d, 0, sizeof *d);
    CGCT_TRY(find_node(t, ix, ieps, &node, err));
    if (!cgct_is_records(t->entry[node].encoding)) {
        cgct_status st = node_from_file(t, node, d, err);
        if (st != CGCT_OK) cgct_node_free(d);
        return st;
    }
    if (!t->node)
        return cgct_fail(err, CGCT_E_USAGE, "%s: an unpacked table; open it with cgct_open",
                         t->path);
    cgct_status st = node_from_records(t, node, d, err);
    if (st != CGCT_OK) cgct_node_free(d);
    return st;
}

void cgct_node_free(cgct_node_data *d)
{
    if (!d) return;
    free(d->modes);
    free(d->error);
    free(d->flag);
    memset(d, 0, sizeof *d);
}
