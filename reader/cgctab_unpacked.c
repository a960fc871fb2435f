/* SPDX-License-Identifier: MIT */
/* Unpacked files: records that stay in the file, which is mapped.  Each node is checked the first
 * time that it is wanted, so that opening costs nothing and damage is still named.  cgct_unpack
 * writes such a file. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cgctab_internal.h"
#include "../format/elementary.h"
#include "../format/sections.h"

enum { UNKNOWN = 0, GOOD = 1, DAMAGED = 2 };

#if defined(__GNUC__)
#define STATE_GET(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define STATE_SET(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#endif

static size_t mapped_points(const cgct_table *t)
{
    return t->grid[CGCT_AXIS_Q].n * t->grid[CGCT_AXIS_K].n;
}

static uint32_t block_count(const cgct_table *t, size_t node)
{
    size_t n = mapped_points(t);
    return t->shape.start[node % t->grid[CGCT_AXIS_EPS].n * (n + 1) + n];
}

static cgct_status check_records_size(const cgct_table *t, size_t node, cgct_err *err)
{
    const cgct_entry *e = &t->entry[node];
    uint64_t want = cgct_records_size(2 * mapped_points(t), block_count(t, node), e->encoding);
    if (!cgct_is_records(e->encoding) || e->stored_size != want || e->raw_size != want)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "node %zu has encoding %" PRIu32 " and %" PRIu64
                         " bytes; the shape implies records of %" PRIu64,
                         node, e->encoding, e->stored_size, want);
    return CGCT_OK;
}

/* ---- numbers ---- */

static double record_number(const uint8_t *record, int wide, size_t i)
{
    return wide ? cgct_get_f64(record + 8 * i) : (double)cgct_get_f32(record + 4 * i);
}

static cgct_status check_record(const cgct_table *t, const cgct_entry *e, const uint8_t *bytes,
                                const uint32_t *at, size_t i, cgct_err *err)
{
    size_t n = mapped_points(t), point = i % n, pol = i / n, blocks = at[n];
    int wide = e->encoding == CGCT_ENCODING_RECORDS_F64;
    const uint8_t *error = bytes + CGCT_BLOCK * (wide ? 8u : 4u) * blocks, *flag = error + 16 * n;
    double bound = cgct_get_f64(error + 8 * i);
    if (flag[i] > CGCT_FLAG_SCALE)
        return cgct_fail(err, CGCT_E_FORMAT, "flag %zu is %d, want 0 or 1", i, flag[i]);
    if (!(bound >= 0 && isfinite(bound)))
        return cgct_fail(err, CGCT_E_FORMAT, "error bound %zu is %g", i, bound);
    size_t head = CGCT_BLOCK * (size_t)at[point];
    double a = record_number(bytes, wide, head + pol),
           b = record_number(bytes, wide, head + 2 + pol);
    if (!(cgct_exp(a) > 0 && isfinite(cgct_exp(a))) ||
        !(fabs(b) <= (flag[i] ? CGCT_ZERO_MAX_RECORD : CGCT_SCALE_REST_MAX)))
        return cgct_fail(err, CGCT_E_FORMAT, "point %zu begins with %g and %g, no scale", i, a, b);
    for (size_t j = head + 4 + pol; j < CGCT_BLOCK * (size_t)at[point + 1]; j += 2)
        if (!isfinite(record_number(bytes, wide, j)))
            return cgct_fail(err, CGCT_E_FORMAT, "ratio of point %zu is %g", i,
                             record_number(bytes, wide, j));
    return CGCT_OK;
}

cgct_status cgct_records_check(const cgct_table *t, size_t node, const uint8_t *bytes,
                               cgct_err *err)
{
    const cgct_entry *e = &t->entry[node];
    size_t n = mapped_points(t), flagged = 0;
    const uint32_t *at = t->shape.start + node % t->grid[CGCT_AXIS_EPS].n * (n + 1);
    CGCT_TRY(check_records_size(t, node, err));
    uint64_t got = cgct_crc64(&t->crc, bytes, (size_t)e->stored_size);
    if (got != e->stored_crc)
        return cgct_fail(err, CGCT_E_CHECKSUM,
                         "records damaged: checksum %016" PRIx64 ", stored %016" PRIx64
                         "; copy the file again",
                         got, e->stored_crc);
    for (size_t i = 0; i < 2 * n; i++) CGCT_TRY(check_record(t, e, bytes, at, i, err));
    const uint8_t *flag =
        bytes + cgct_records_size(2 * n, at[n], e->encoding) - (2 * n + 7) / 8 * 8;
    for (size_t i = 0; i < 2 * n; i++) flagged += flag[i];
    if (flagged != e->flagged)
        return cgct_fail(err, CGCT_E_FORMAT, "%zu flagged points, the index says %" PRIu32, flagged,
                         e->flagged);
    return CGCT_OK;
}

/* ---- mapping ---- */

static cgct_status point_into_map(const cgct_table *t, size_t node, cgct_records *r, cgct_err *err)
{
    const cgct_entry *e = &t->entry[node];
    size_t n = mapped_points(t), blocks = block_count(t, node);
    CGCT_TRY(check_records_size(t, node, err));
    int wide = e->encoding == CGCT_ENCODING_RECORDS_F64;
    const uint8_t *record = t->map + e->offset;
    const uint8_t *error = record + CGCT_BLOCK * (wide ? 8u : 4u) * blocks;
    const cgct_records in_file = {t->shape.start + node % t->grid[CGCT_AXIS_EPS].n * (n + 1),
                                  record,
                                  wide,
                                  (const double *)(const void *)error,
                                  error + 16 * n,
                                  e->flagged};
    *r = in_file;
    return CGCT_OK;
}

static int little_endian(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 1;
}

cgct_status cgct_map_nodes(cgct_table *t, const cgct_file *f, cgct_err *err)
{
    size_t nodes = t->grid[CGCT_AXIS_X].n * t->grid[CGCT_AXIS_EPS].n;
    if (!little_endian())
        return cgct_fail(err, CGCT_E_VERSION,
                         "unpacked tables are for little-endian machines; open the packed one");
    if (!(t->map = cgct_file_map(f, err))) return CGCT_E_IO;
    if (!(t->checked = (uint8_t *)calloc(nodes, 1)))
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu nodes", nodes);
    for (; t->nnode < nodes; t->nnode++)
        CGCT_TRY(point_into_map(t, t->nnode, &t->node[t->nnode], err));
#ifndef STATE_GET
    for (size_t i = 0; i < nodes; i++)
        CGCT_TRY(cgct_records_check(t, i, t->map + t->entry[i].offset, err));
#endif
    return CGCT_OK;
}

cgct_status cgct_node_check(const cgct_table *t, size_t node)
{
#ifdef STATE_GET
    uint8_t *state = &t->checked[node], now = STATE_GET(state);
    if (now == UNKNOWN) {
        const uint8_t *bytes = t->map + t->entry[node].offset;
        now = cgct_records_check(t, node, bytes, NULL) == CGCT_OK ? GOOD : DAMAGED;
        STATE_SET(state, now);
    }
    return now == GOOD ? CGCT_OK : CGCT_E_CHECKSUM;
#else
    (void)t;
    (void)node;
    return CGCT_OK;
#endif
}

/* ---- write ---- */

typedef struct {
    const cgct_table *t;
    cgct_tmpfile file;
    cgct_header head;
    cgct_entry *entry;
} unpacker;

static size_t unpack_nodes(const cgct_table *t)
{
    return t->grid[CGCT_AXIS_X].n * t->grid[CGCT_AXIS_EPS].n;
}

/* As many modes as the blocks hold: a few zeros more than the table had. */
static uint16_t *shape_of_blocks(const cgct_table *t)
{
    size_t neps = t->grid[CGCT_AXIS_EPS].n, n = mapped_points(t);
    uint16_t *shape = (uint16_t *)malloc(neps * n * sizeof *shape);
    for (size_t i = 0; shape && i < neps * n; i++) {
        const uint32_t *at = t->shape.start + i / n * (n + 1) + i % n;
        size_t modes = cgct_modes_in(at[1] - at[0]);
        shape[i] = (uint16_t)(modes < CGCT_MODES_MAX ? modes : (size_t)CGCT_MODES_MAX);
    }
    return shape;
}

/* Metadata, but for the names of members: an unpacked file has one. */
static cgct_status copy_metadata(const cgct_table *t, cgct_metadata *to, cgct_err *err)
{
    for (size_t i = 0; i < t->nmeta; i++)
        if (t->head.members == 1 || strcmp(t->meta[i].key, "members"))
            CGCT_TRY(cgct_metadata_add(to, t->meta[i].key, t->meta[i].value, err));
    return CGCT_OK;
}

static void put_records(const cgct_records *r, size_t n, uint8_t *out)
{
    for (size_t i = 0; i < n; i++)
        if (r->wide)
            cgct_put_f64(out + 8 * i, ((const double *)r->record)[i]);
        else
            cgct_put_f32(out + 4 * i, ((const float *)r->record)[i]);
}

static cgct_status write_records(unpacker *u, size_t node, cgct_err *err)
{
    const cgct_records *r = &u->t->node[node];
    size_t n = mapped_points(u->t), numbers = CGCT_BLOCK * (size_t)r->start[n];
    uint32_t encoding = r->wide ? CGCT_ENCODING_RECORDS_F64 : CGCT_ENCODING_RECORDS_F32;
    size_t size = (size_t)cgct_records_size(2 * n, r->start[n], encoding);
    uint8_t *bytes = (uint8_t *)calloc(1, size);
    if (!bytes) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu bytes", size);
    uint8_t *error = bytes + numbers * (r->wide ? 8 : 4);
    put_records(r, numbers, bytes);
    for (size_t i = 0; i < 2 * n; i++) cgct_put_f64(error + 8 * i, r->error[i]);
    memcpy(error + 16 * n, r->flag, 2 * n);
    cgct_section s = {0, 0, 0};
    cgct_status st =
        cgct_section_append(&u->file, &u->t->crc, bytes, size, CGCT_ALIGN_RECORDS, &s, err);
    u->entry[node] = u->t->entry[node];
    u->entry[node].offset = s.offset;
    u->entry[node].stored_size = u->entry[node].raw_size = size;
    u->entry[node].stored_crc = s.crc;
    u->entry[node].raw_crc = 0;
    u->entry[node].encoding = encoding;
    u->entry[node].compression = CGCT_STORED;
    u->entry[node].flagged = (uint32_t)r->flagged;
    free(bytes);
    return st;
}

static cgct_status write_tail(unpacker *u, cgct_err *err)
{
    cgct_metadata meta = {NULL, 0, 0};
    uint16_t *shape = shape_of_blocks(u->t);
    cgct_status st = shape ? copy_metadata(u->t, &meta, err)
                           : cgct_fail(err, CGCT_E_NOMEM, "no memory for the shape");
    if (st == CGCT_OK)
        st = cgct_table_finish(&u->file, &u->t->crc, &u->head, &meta, shape, u->entry, err);
    cgct_metadata_free(&meta);
    free(shape);
    return st;
}

static cgct_status write_unpacked(unpacker *u, cgct_err *err)
{
    uint8_t head[CGCT_HEADER_SIZE] = {0};
    CGCT_TRY(cgct_tmpfile_append(&u->file, head, sizeof head, err));
    CGCT_TRY(cgct_axes_append(&u->file, &u->t->crc, u->t->values, &u->head, err));
    for (size_t i = 0; i < unpack_nodes(u->t); i++) {
        if (u->t->map && cgct_node_check(u->t, i) != CGCT_OK)
            return cgct_fail(err, CGCT_E_CHECKSUM, "node %zu is damaged; copy the file again", i);
        CGCT_TRY(write_records(u, i, err));
    }
    CGCT_TRY(write_tail(u, err));
    return cgct_tmpfile_commit(&u->file, err);
}

cgct_status cgct_unpack(const cgct_table *t, const char *path, cgct_err *err)
{
    if (!t || !t->node || !path)
        return cgct_fail(err, CGCT_E_USAGE, "cgct_unpack: NULL, or a table without nodes");
    unpacker u;
    memset(&u, 0, sizeof u);
    u.t = t;
    u.file = cgct_tmpfile_none();
    u.head = t->head;
    u.head.features &= ~(uint32_t)CGCT_FEATURE_MEMBERS;
    u.head.members = 1;
    u.entry = (cgct_entry *)calloc(unpack_nodes(t), sizeof *u.entry);
    cgct_status st = u.entry ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "%s: no memory", path);
    if (st == CGCT_OK) st = cgct_tmpfile_open(&u.file, path, err);
    if (st == CGCT_OK) st = write_unpacked(&u, err);
    cgct_tmpfile_discard(&u.file);
    free(u.entry);
    return st;
}
