/* SPDX-License-Identifier: MIT */
/* Opens, verifies and closes a table. */
#include "cgctab_everett.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* A section with its checksum verified, one zero byte behind it.  Its size was checked against the
 * file's before (cgct_header_parse), so memory is bounded by the file. */
static cgct_status read_table_section(const cgct_table *t, const cgct_file *f, const char *name,
                                      const cgct_section *s, uint8_t **out, cgct_err *err)
{
    if (s->size > SIZE_MAX - 1 || !(*out = (uint8_t *)malloc((size_t)s->size + 1)))
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %" PRIu64 " bytes of %s", s->size, name);
    (*out)[s->size] = 0;
    CGCT_TRY(cgct_file_read(f, s->offset, *out, (size_t)s->size, err));
    uint64_t got = cgct_crc64(&t->crc, *out, (size_t)s->size);
    if (got != s->crc)
        return cgct_fail(err, CGCT_E_CHECKSUM,
                         "%s damaged: checksum %016" PRIx64 ", stored %016" PRIx64
                         "; copy the file again",
                         name, got, s->crc);
    return CGCT_OK;
}

static cgct_status read_header(cgct_table *t, const cgct_file *f, cgct_err *err)
{
    uint8_t bytes[CGCT_HEADER_SIZE];
    size_t have = f->size < sizeof bytes ? (size_t)f->size : sizeof bytes;
    CGCT_TRY(cgct_file_read(f, 0, bytes, have, err));
    return cgct_header_parse(&t->crc, bytes, have, f->size, &t->head, err);
}

/* Doubles for the values of all axes and for what the grids need beside them. */
static size_t axes_storage(const cgct_header *h)
{
    size_t total = (size_t)(h->axes.size / 8);
    for (int a = 0; a < 4; a++) total += cgct_grid_size(h->n[a], h->order[a]);
    return total;
}

static cgct_status read_axes(cgct_table *t, const cgct_file *f, cgct_err *err)
{
    static const char *const name[4] = {"x", "eps", "q", "k"};
    size_t total = (size_t)(t->head.axes.size / 8), at = 0;
    uint8_t *bytes = NULL;
    cgct_status st = read_table_section(t, f, "axes", &t->head.axes, &bytes, err);
    if (st == CGCT_OK && !(t->values = (double *)malloc(axes_storage(&t->head) * sizeof(double))))
        st = cgct_fail(err, CGCT_E_NOMEM, "no memory for axes of %zu values", total);
    if (st == CGCT_OK) {
        double *storage = t->values + total;
        for (size_t i = 0; i < total; i++) t->values[i] = cgct_get_f64(bytes + 8 * i);
        for (int a = 0; st == CGCT_OK && a < 4; a++) {
            size_t n = t->head.n[a], order = t->head.order[a];
            st = cgct_axis_check(name[a], n, t->values + at, err);
            if (st == CGCT_OK)
                cgct_grid_init(&t->grid[a], name[a], n, order, t->values + at, storage);
            storage += cgct_grid_size(n, order);
            at += n;
        }
    }
    free(bytes);
    return st;
}

/* The place of a name in the blank-separated list; -1: it is not there. */
static long place_of(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (long i = 0; *list; i++) {
        size_t length = strcspn(list, " ");
        if (n && length == n && !strncmp(list, name, n)) return i;
        list += length + (list[length] == ' ');
    }
    return -1;
}

/* name NULL: the only one, or for a look at the index the first. */
static cgct_status choose_member(cgct_table *t, const char *name, int with_nodes, cgct_err *err)
{
    const char *list = cgct_meta(t, "members");
    if (t->head.members == 1 && !name) return CGCT_OK;
    if (t->head.members == 1 || !list)
        return cgct_fail(err, CGCT_E_FORMAT, "holds no named members; leave out '@%s'",
                         name ? name : "");
    if (!name && !with_nodes) return CGCT_OK;
    long at = name ? place_of(list, name) : -1;
    if (at < 0 || (size_t)at >= t->head.members)
        return cgct_fail(err, CGCT_E_RANGE, "%s%s; append @NAME, one of: %.200s",
                         name ? "no member " : "holds several tables", name ? name : "", list);
    t->member = (size_t)at;
    return CGCT_OK;
}

static cgct_status read_index(cgct_table *t, const cgct_file *f, cgct_err *err)
{
    size_t nodes = t->grid[CGCT_AXIS_X].n * t->grid[CGCT_AXIS_EPS].n;
    uint8_t *bytes = NULL;
    cgct_status st = read_table_section(t, f, "index", &t->head.index, &bytes, err);
    if (st == CGCT_OK && !(t->entry = (cgct_entry *)calloc(nodes, sizeof *t->entry)))
        st = cgct_fail(err, CGCT_E_NOMEM, "no memory for an index of %zu nodes", nodes);
    for (size_t i = 0; st == CGCT_OK && i < nodes; i++) {
        st = cgct_entry_parse(bytes + CGCT_NODE_SIZE * (t->member * nodes + i), &t->head,
                              &t->entry[i], err);
        if (st != CGCT_OK) cgct_context(err, st, "index entry %zu", i);
    }
    free(bytes);
    return st;
}

static cgct_status read_meta(cgct_table *t, const cgct_file *f, cgct_err *err)
{
    uint8_t *bytes = NULL;
    cgct_status st = read_table_section(t, f, "metadata", &t->head.meta, &bytes, err);
    t->meta_text = (char *)bytes;
    return st == CGCT_OK ? cgct_meta_parse(t, (size_t)t->head.meta.size, err) : st;
}

static cgct_status read_shape(cgct_table *t, const cgct_file *f, cgct_err *err)
{
    uint8_t *bytes = NULL;
    uint16_t *modes = NULL;
    size_t n = (size_t)(t->head.shape.size / 2);
    cgct_status st = read_table_section(t, f, "shape", &t->head.shape, &bytes, err);
    if (st == CGCT_OK && !(modes = (uint16_t *)malloc(n * sizeof *modes)))
        st = cgct_fail(err, CGCT_E_NOMEM, "no memory for a shape of %zu points", n);
    for (size_t i = 0; st == CGCT_OK && i < n; i++) modes[i] = cgct_get_u16(bytes + 2 * i);
    if (st == CGCT_OK) st = cgct_shape_init(&t->shape, t, modes, err);
    free(modes);
    free(bytes);
    return st;
}

/* Single precision where the numbers were rounded more coarsely than that anyway. */
static cgct_status load_node(cgct_table *t, const cgct_file *f, size_t node, cgct_err *err)
{
    size_t neps = t->grid[CGCT_AXIS_EPS].n, n = t->grid[CGCT_AXIS_Q].n * t->grid[CGCT_AXIS_K].n;
    const uint32_t *start = t->shape.start + node % neps * (n + 1);
    cgct_node_stream s;
    CGCT_TRY(cgct_node_begin(t, f, node, &s, err));
    int wide = t->entry[node].encoding == CGCT_ENCODING_F64;
    size_t left = t->grid[CGCT_AXIS_X].n * neps - node - 1;
    cgct_status st = cgct_records_pack(&t->node[node], &s, start, wide, left, &t->pool, err);
    cgct_node_end(&s);
    return st == CGCT_OK ? st : cgct_context(err, st, "node %zu", node);
}

static cgct_status read_nodes(cgct_table *t, const cgct_file *f, cgct_err *err)
{
    size_t nodes = t->grid[CGCT_AXIS_X].n * t->grid[CGCT_AXIS_EPS].n;
    CGCT_TRY(read_shape(t, f, err));
    if (!(t->node = (cgct_records *)calloc(nodes, sizeof *t->node)))
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu nodes", nodes);
    for (size_t i = 1; i < nodes; i++)
        if (t->entry[i].encoding != t->entry[0].encoding)
            return cgct_fail(err, CGCT_E_FORMAT, "encodings %" PRIu32 " and %" PRIu32 " mixed",
                             t->entry[0].encoding, t->entry[i].encoding);
    if (cgct_is_records(t->entry[0].encoding)) return cgct_map_nodes(t, f, err);
    for (; t->nnode < nodes; t->nnode++) CGCT_TRY(load_node(t, f, t->nnode, err));
    return CGCT_OK;
}

static cgct_status read_table(cgct_table *t, const cgct_file *f, const char *member, int with_nodes,
                              cgct_err *err)
{
    cgct_crc64_init(&t->crc);
    CGCT_TRY(read_header(t, f, err));
    CGCT_TRY(read_axes(t, f, err));
    CGCT_TRY(read_meta(t, f, err));
    CGCT_TRY(choose_member(t, member, with_nodes, err));
    CGCT_TRY(read_index(t, f, err));
    return with_nodes ? read_nodes(t, f, err) : CGCT_OK;
}

/* FILE, or FILE@MEMBER where no file has that name; *member points into path, or NULL. */
static cgct_status open_file(cgct_file *f, const char *path, const char **member, cgct_err *err)
{
    const char *at = strrchr(path, '@');
    cgct_status st = cgct_file_open(f, path, 1, err);
    *member = NULL;
    if (st == CGCT_OK || !at || strchr(at, '/')) return st;
    char *file = (char *)malloc((size_t)(at - path) + 1);
    if (!file) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory", path);
    memcpy(file, path, (size_t)(at - path));
    file[at - path] = 0;
    st = cgct_file_open(f, file, 1, err);
    free(file);
    *member = at + 1;
    return st;
}

static cgct_status open_table(const char *path, int with_nodes, cgct_table **out, cgct_err *err)
{
    cgct_file f;
    if (out) *out = NULL;
    if (!path || !out) return cgct_fail(err, CGCT_E_USAGE, "cgct_open: path or table is NULL");
    const char *member;
    CGCT_TRY(open_file(&f, path, &member, err));
    cgct_table *t = (cgct_table *)calloc(1, sizeof *t);
    cgct_status st = CGCT_OK;
    if (!t) {
        st = cgct_fail(err, CGCT_E_NOMEM, "%s: no memory", path);
    } else {
        t->path = f.path;
        f.path = NULL; /* moved: the table owns it now */
        cgct_file borrowed = {f.fd, f.size, t->path};
        st = read_table(t, &borrowed, member, with_nodes, err);
        if (st != CGCT_OK && st != CGCT_E_IO) cgct_context(err, st, "%s", t->path);
    }
    cgct_file_close(&f);
    if (st == CGCT_OK)
        *out = t;
    else
        cgct_close(t);
    return st;
}

cgct_status cgct_open(const char *path, cgct_table **table, cgct_err *err)
{
    return open_table(path, 1, table, err);
}

cgct_status cgct_open_index(const char *path, cgct_table **table, cgct_err *err)
{
    return open_table(path, 0, table, err);
}

/* Records are checked against the shape, which a table of cgct_open_index has not read. */
static cgct_status verify_records(const cgct_table *t, const cgct_file *f, size_t node,
                                  cgct_err *err)
{
    const cgct_entry *e = &t->entry[node];
    cgct_table with_shape = *t;
    if (e->stored_size > SIZE_MAX / 2)
        return cgct_fail(err, CGCT_E_NOMEM, "%" PRIu64 " bytes exceed this machine's memory",
                         e->stored_size);
    uint8_t *bytes = (uint8_t *)malloc((size_t)e->stored_size + 1);
    if (!bytes)
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %" PRIu64 " bytes", e->stored_size);
    memset(&with_shape.shape, 0, sizeof with_shape.shape);
    cgct_status st = read_shape(&with_shape, f, err);
    if (st == CGCT_OK) st = cgct_file_read(f, e->offset, bytes, (size_t)e->stored_size, err);
    if (st == CGCT_OK) st = cgct_records_check(&with_shape, node, bytes, err);
    cgct_shape_free(&with_shape.shape);
    free(bytes);
    return st;
}

static cgct_status verify_table_node(const cgct_table *t, const cgct_file *f, size_t node,
                                     cgct_err *err)
{
    if (f->size != t->head.file_size)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "has %" PRIu64 " bytes now, %" PRIu64 " when it was opened", f->size,
                         t->head.file_size);
    if (cgct_is_records(t->entry[node].encoding)) return verify_records(t, f, node, err);
    return cgct_node_verify(t, f, node, err);
}

cgct_status cgct_verify_node(const cgct_table *t, size_t ix, size_t ieps, size_t *modes,
                             cgct_err *err)
{
    cgct_file f;
    if (modes) *modes = 0;
    if (!t) return cgct_fail(err, CGCT_E_USAGE, "cgct_verify_node: table is NULL");
    size_t nx = t->grid[CGCT_AXIS_X].n, neps = t->grid[CGCT_AXIS_EPS].n;
    if (ix >= nx || ieps >= neps)
        return cgct_fail(err, CGCT_E_USAGE, "%s: node (%zu,%zu) of %zu x %zu", t->path, ix, ieps,
                         nx, neps);
    CGCT_TRY(cgct_file_open(&f, t->path, 0, err));
    cgct_status st = verify_table_node(t, &f, ix * neps + ieps, err);
    if (st != CGCT_OK && st != CGCT_E_IO) cgct_context(err, st, "%s", t->path);
    if (st == CGCT_OK && modes) *modes = t->entry[ix * neps + ieps].nm;
    cgct_file_close(&f);
    return st;
}

void cgct_close(cgct_table *t)
{
    if (!t) return;
    cgct_everett_free(t->everett);
    cgct_pool_free(&t->pool);
    cgct_file_unmap(t->map, t->head.file_size);
    cgct_shape_free(&t->shape);
    free(t->checked);
    free(t->node);
    free(t->entry);
    free(t->values);
    free(t->meta);
    free(t->meta_text);
    free(t->path);
    free(t);
}
