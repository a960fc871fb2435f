/* SPDX-License-Identifier: MIT */
/* cgct_unpack: writes the records of a table as they lie in memory, so that processes can map them. */
#include <stdlib.h>

#include "../format/sections.h"
#include "cgctab_internal.h"

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

static size_t unpack_points(const cgct_table *t)
{
    return t->grid[CGCT_AXIS_Q].n * t->grid[CGCT_AXIS_K].n;
}

/* As many modes as the blocks hold: a few zeros more than the table had. */
static uint16_t *shape_of_blocks(const cgct_table *t)
{
    size_t neps = t->grid[CGCT_AXIS_EPS].n, n = unpack_points(t);
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
    size_t n = unpack_points(u->t), numbers = CGCT_BLOCK * (size_t)r->start[n];
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
    u.head.minor = CGCT_MINOR;
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
