/* SPDX-License-Identifier: MIT */
/* The parts of a table file around its nodes, as a writer makes them. */
#include "sections.h"

#include <stdlib.h>
#include <string.h>

/* ---- metadata ---- */

static const char key_chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

static int metadata_has(const cgct_metadata *m, const char *key, size_t nkey)
{
    for (size_t i = 0; i < m->size; i++) {
        if (m->size - i > nkey && !memcmp(m->text + i, key, nkey) && m->text[i + nkey] == '\t')
            return 1;
        const char *lf = (const char *)memchr(m->text + i, '\n', m->size - i);
        if (!lf) break;
        i = (size_t)(lf - m->text);
    }
    return 0;
}

static cgct_status reserve_text(cgct_metadata *m, size_t more, cgct_err *err)
{
    if (m->capacity - m->size >= more) return CGCT_OK;
    size_t capacity = 2 * m->capacity + more;
    char *text = (char *)realloc(m->text, capacity);
    if (!text) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu bytes of metadata", capacity);
    m->text = text;
    m->capacity = capacity;
    return CGCT_OK;
}

static void put_escaped(cgct_metadata *m, const char *value, size_t n)
{
    static const char special[] = "\\\n\r\t", letter[] = "\\nrt";
    for (size_t i = 0; i < n; i++) {
        const char *at = strchr(special, value[i]);
        if (at) m->text[m->size++] = '\\';
        m->text[m->size++] = at ? letter[at - special] : value[i];
    }
}

static cgct_status add_metadata(cgct_metadata *m, const char *key, size_t nkey, const char *value,
                                size_t nvalue, cgct_err *err)
{
    if (nkey == 0 || strspn(key, key_chars) < nkey)
        return cgct_fail(err, CGCT_E_USAGE,
                         "metadata key '%.*s': want letters, digits, '_', '.' and '-'", (int)nkey,
                         key);
    if (metadata_has(m, key, nkey))
        return cgct_fail(err, CGCT_E_USAGE, "metadata key '%.*s' occurs twice", (int)nkey, key);
    CGCT_TRY(reserve_text(m, nkey + 2 * nvalue + 2, err));
    memcpy(m->text + m->size, key, nkey);
    m->size += nkey;
    m->text[m->size++] = '\t';
    put_escaped(m, value, nvalue);
    m->text[m->size++] = '\n';
    return CGCT_OK;
}

cgct_status cgct_metadata_add(cgct_metadata *m, const char *key, const char *value, cgct_err *err)
{
    return add_metadata(m, key, strlen(key), value, strlen(value), err);
}

/* What a message shows of a line. */
static int shown_length(const char *line)
{
    size_t n = strcspn(line, "\n");
    return n < 60 ? (int)n : 60;
}

cgct_status cgct_metadata_add_lines(cgct_metadata *m, const char *lines, cgct_err *err)
{
    for (const char *p = lines; p && *p;) {
        const char *lf = strchr(p, '\n'), *tab = strchr(p, '\t');
        if (!lf || !tab || tab > lf)
            return cgct_fail(err, CGCT_E_USAGE,
                             "metadata line '%.*s': want key, tab, value, newline", shown_length(p),
                             p);
        CGCT_TRY(add_metadata(m, p, (size_t)(tab - p), tab + 1, (size_t)(lf - tab - 1), err));
        p = lf + 1;
    }
    return CGCT_OK;
}

void cgct_metadata_free(cgct_metadata *m)
{
    free(m->text);
    memset(m, 0, sizeof *m);
}

/* ---- sections ---- */

cgct_status cgct_section_append(cgct_tmpfile *f, const cgct_crc64_table *crc, const void *data,
                                size_t n, size_t align, cgct_section *s, cgct_err *err)
{
    static const uint8_t zeros[CGCT_ALIGN_RECORDS] = {0};
    CGCT_TRY(cgct_tmpfile_append(f, zeros, (size_t)(-f->end % align), err));
    s->offset = f->end;
    s->size = n;
    s->crc = cgct_crc64(crc, data, n);
    return cgct_tmpfile_append(f, data, n, err);
}

/* The same for data that were allocated for this, or could not be. */
static cgct_status append_and_free(cgct_tmpfile *f, const cgct_crc64_table *crc, uint8_t *data,
                                   size_t n, cgct_section *s, cgct_err *err)
{
    if (!data) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu bytes", n);
    cgct_status st = cgct_section_append(f, crc, data, n, CGCT_ALIGN, s, err);
    free(data);
    return st;
}

cgct_status cgct_axes_append(cgct_tmpfile *f, const cgct_crc64_table *crc, const double *values,
                             cgct_header *h, cgct_err *err)
{
    size_t n = (size_t)h->n[0] + h->n[1] + h->n[2] + h->n[3];
    uint8_t *bytes = (uint8_t *)malloc(8 * n);
    for (size_t i = 0; bytes && i < n; i++) cgct_put_f64(bytes + 8 * i, values[i]);
    return append_and_free(f, crc, bytes, 8 * n, &h->axes, err);
}

cgct_status cgct_table_finish(cgct_tmpfile *f, const cgct_crc64_table *crc, cgct_header *h,
                              const cgct_metadata *meta, const uint16_t *shape,
                              const cgct_entry *entry, cgct_err *err)
{
    uint8_t head[CGCT_HEADER_SIZE];
    size_t points = (size_t)h->n[1] * h->n[2] * h->n[3];
    size_t nodes = (size_t)h->members * h->n[0] * h->n[1];
    CGCT_TRY(cgct_section_append(f, crc, meta->text, meta->size, CGCT_ALIGN, &h->meta, err));
    uint8_t *bytes = (uint8_t *)malloc(2 * points);
    for (size_t i = 0; bytes && i < points; i++) cgct_put_u16(bytes + 2 * i, shape[i]);
    CGCT_TRY(append_and_free(f, crc, bytes, 2 * points, &h->shape, err));
    bytes = (uint8_t *)malloc(CGCT_NODE_SIZE * nodes);
    for (size_t i = 0; bytes && i < nodes; i++)
        cgct_entry_pack(&entry[i], bytes + CGCT_NODE_SIZE * i);
    CGCT_TRY(append_and_free(f, crc, bytes, CGCT_NODE_SIZE * nodes, &h->index, err));
    h->file_size = f->end;
    cgct_header_pack(crc, h, head);
    return cgct_tmpfile_write_at(f, 0, head, sizeof head, err);
}
