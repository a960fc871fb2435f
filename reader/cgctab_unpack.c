/* SPDX-License-Identifier: MIT */
/* The table as it lies in memory, written so that another process can map it. */
#include <stdlib.h>

#include "../format/tmpfile.h"
#include "cgctab_internal.h"

typedef struct {
    const cgct_table *t;
    cgct_tmpfile file;
    cgct_header head;
    cgct_entry *entry;
} unpacker;

static size_t nodes(const cgct_table *t)
{
    return t->grid[CGCT_AXIS_X].n * t->grid[CGCT_AXIS_EPS].n;
}

static size_t points(const cgct_table *t)
{
    return t->grid[CGCT_AXIS_Q].n * t->grid[CGCT_AXIS_K].n;
}

static cgct_status append(unpacker *u, const uint8_t *data, size_t n, size_t align, cgct_section *s,
                          cgct_err *err)
{
    static const uint8_t zeros[CGCT_ALIGN_RECORDS] = {0};
    CGCT_TRY(cgct_tmpfile_append(&u->file, zeros, (size_t)(-u->file.end % align), err));
    s->offset = u->file.end;
    s->size = n;
    s->crc = cgct_crc64(&u->t->crc, data, n);
    return cgct_tmpfile_append(&u->file, data, n, err);
}

static cgct_status append_free(unpacker *u, uint8_t *data, size_t n, cgct_section *s, cgct_err *err)
{
    if (!data) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu bytes", n);
    cgct_status st = append(u, data, n, CGCT_ALIGN, s, err);
    free(data);
    return st;
}

static cgct_status write_axes(unpacker *u, cgct_err *err)
{
    size_t n = (size_t)(u->head.axes.size / 8);
    uint8_t *bytes = (uint8_t *)malloc(8 * n);
    for (size_t i = 0; bytes && i < n; i++) cgct_put_f64(bytes + 8 * i, u->t->values[i]);
    return append_free(u, bytes, 8 * n, &u->head.axes, err);
}

/* As many modes as the blocks hold: a few zeros more than the table had. */
static cgct_status write_shape(unpacker *u, cgct_err *err)
{
    size_t neps = u->t->grid[CGCT_AXIS_EPS].n, n = points(u->t);
    uint8_t *bytes = (uint8_t *)malloc(2 * neps * n);
    for (size_t i = 0; bytes && i < neps * n; i++) {
        const uint32_t *at = u->t->shape.start + i / n * (n + 1) + i % n;
        size_t modes = cgct_modes_in(at[1] - at[0]);
        cgct_put_u16(bytes + 2 * i,
                     (uint16_t)(modes < CGCT_MODES_MAX ? modes : (size_t)CGCT_MODES_MAX));
    }
    return append_free(u, bytes, 2 * neps * n, &u->head.shape, err);
}

static size_t put_escaped(const char *value, uint8_t *out)
{
    static const char special[] = "\\\n\r\t", letter[] = "\\nrt";
    size_t n = 0;
    for (; *value; value++) {
        const char *at = strchr(special, *value);
        if (at) out[n++] = '\\';
        out[n++] = (uint8_t)(at ? letter[at - special] : *value);
    }
    return n;
}

static cgct_status write_meta(unpacker *u, cgct_err *err)
{
    const cgct_table *t = u->t;
    size_t most = 1, n = 0;
    for (size_t i = 0; i < t->nmeta; i++)
        most += strlen(t->meta[i].key) + 2 * strlen(t->meta[i].value) + 2;
    uint8_t *text = (uint8_t *)malloc(most);
    for (size_t i = 0; text && i < t->nmeta; i++) {
        if (t->head.members > 1 && !strcmp(t->meta[i].key, "members")) continue;
        size_t nkey = strlen(t->meta[i].key);
        memcpy(text + n, t->meta[i].key, nkey);
        n += nkey;
        text[n++] = '\t';
        n += put_escaped(t->meta[i].value, text + n);
        text[n++] = '\n';
    }
    return append_free(u, text, n, &u->head.meta, err);
}

static void put_numbers(const cgct_records *r, size_t n, uint8_t *out)
{
    for (size_t i = 0; i < n; i++)
        if (r->wide)
            cgct_put_f64(out + 8 * i, ((const double *)r->record)[i]);
        else
            cgct_put_f32(out + 4 * i, ((const float *)r->record)[i]);
}

static cgct_status write_node(unpacker *u, size_t node, cgct_err *err)
{
    const cgct_records *r = &u->t->node[node];
    size_t n = points(u->t), numbers = CGCT_BLOCK * (size_t)r->start[n];
    uint32_t encoding = r->wide ? CGCT_ENCODING_RECORDS_F64 : CGCT_ENCODING_RECORDS_F32;
    size_t size = (size_t)cgct_records_size(2 * n, r->start[n], encoding);
    uint8_t *bytes = (uint8_t *)calloc(1, size);
    if (!bytes) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu bytes", size);
    uint8_t *error = bytes + numbers * (r->wide ? 8 : 4);
    put_numbers(r, numbers, bytes);
    for (size_t i = 0; i < 2 * n; i++) cgct_put_f64(error + 8 * i, r->error[i]);
    memcpy(error + 16 * n, r->flag, 2 * n);
    cgct_section s = {0, 0, 0};
    cgct_status st = append(u, bytes, size, CGCT_ALIGN_RECORDS, &s, err);
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

static cgct_status write_index(unpacker *u, cgct_err *err)
{
    size_t n = nodes(u->t);
    uint8_t *bytes = (uint8_t *)malloc(CGCT_NODE_SIZE * n);
    for (size_t i = 0; bytes && i < n; i++)
        cgct_entry_pack(&u->entry[i], bytes + CGCT_NODE_SIZE * i);
    return append_free(u, bytes, CGCT_NODE_SIZE * n, &u->head.index, err);
}

static cgct_status write_all(unpacker *u, cgct_err *err)
{
    uint8_t head[CGCT_HEADER_SIZE] = {0};
    CGCT_TRY(cgct_tmpfile_append(&u->file, head, sizeof head, err));
    CGCT_TRY(write_axes(u, err));
    for (size_t i = 0; i < nodes(u->t); i++) {
        if (u->t->map && cgct_node_check(u->t, i) != CGCT_OK)
            return cgct_fail(err, CGCT_E_CHECKSUM, "node %zu is damaged; copy the file again", i);
        CGCT_TRY(write_node(u, i, err));
    }
    CGCT_TRY(write_meta(u, err));
    CGCT_TRY(write_shape(u, err));
    CGCT_TRY(write_index(u, err));
    u->head.file_size = u->file.end;
    cgct_header_pack(&u->t->crc, &u->head, head);
    CGCT_TRY(cgct_tmpfile_write_at(&u->file, 0, head, sizeof head, err));
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
    u.entry = (cgct_entry *)calloc(nodes(t), sizeof *u.entry);
    cgct_status st = u.entry ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "%s: no memory", path);
    if (st == CGCT_OK) st = cgct_tmpfile_open(&u.file, path, err);
    if (st == CGCT_OK) st = write_all(&u, err);
    cgct_tmpfile_discard(&u.file);
    free(u.entry);
    return st;
}
