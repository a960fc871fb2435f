/* SPDX-License-Identifier: MIT */
/* Writes a table node by node; nodes may come in any order and from any thread's packing. */
#include "writer.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <zstd.h>

#include "node_pack.h"
#include "sections.h"

static const double BOUND_MIN = 1e-8, BOUND_MAX = 0.1; /* of rounding: 31 bits, and one digit */

struct cgct_writer {
    cgct_tmpfile file;
    cgct_crc64_table crc;
    cgct_header head;
    cgct_metadata meta;
    double *axes;    /* x, eps, q, k one after the other */
    uint16_t *shape; /* (neps, nq, nk): modes that any node needs so far */
    double bound, rounding;
    cgct_entry *entry; /* (nx, neps); nm = 0: not yet written */
    int level;
    int failed; /* a write failed: the file can only be given up */
};

/* x of all members */
static size_t writer_rows(const cgct_writer *w)
{
    return (size_t)w->head.members * w->head.n[0];
}

static cgct_status check_spec_axes(const cgct_writer_spec *s, cgct_err *err)
{
    if (!s->x || !s->eps || !s->q || !s->k)
        return cgct_fail(err, CGCT_E_USAGE, "writer: an axis is NULL");
    int bad = cgct_axis_check("x", s->nx, s->x, err) ||
              cgct_axis_check("eps", s->neps, s->eps, err) ||
              cgct_axis_check("q", s->nq, s->q, err) || cgct_axis_check("k", s->nk, s->k, err);
    return bad ? CGCT_E_USAGE : CGCT_OK; /* the caller's axis, not a file's */
}

static cgct_status check_spec(const cgct_writer_spec *s, cgct_err *err)
{
    CGCT_TRY(check_spec_axes(s, err));
    if (!s->card || !s->generator || !s->dipole || !s->backend)
        return cgct_fail(err, CGCT_E_USAGE, "writer: card, generator, dipole or backend is NULL");
    if (strlen(s->generator) >= CGCT_GENERATOR_SIZE)
        return cgct_fail(err, CGCT_E_USAGE, "generator text has %zu bytes, the header takes %d",
                         strlen(s->generator), CGCT_GENERATOR_SIZE - 1);
    if (s->level < 0 || s->level > ZSTD_maxCLevel())
        return cgct_fail(err, CGCT_E_USAGE, "zstd level %d, want 0 (stored) to %d", s->level,
                         ZSTD_maxCLevel());
    if (!(s->bound == 0 || (s->bound >= BOUND_MIN && s->bound <= BOUND_MAX)))
        return cgct_fail(err, CGCT_E_USAGE, "bound %g, want 0 (no rounding) or %g to %g", s->bound,
                         BOUND_MIN, BOUND_MAX);
    for (int a = 0; a < 4; a++)
        if (s->order[a] != 0 && (s->order[a] < CGCT_ORDER_MIN || s->order[a] > CGCT_ORDER_MAX))
            return cgct_fail(err, CGCT_E_USAGE, "order %d of axis %d, want %d to %d", s->order[a],
                             a, CGCT_ORDER_MIN, CGCT_ORDER_MAX);
    if (s->members > CGCT_MEMBERS_MAX || (s->members > 1) != (s->names != NULL))
        return cgct_fail(err, CGCT_E_USAGE, "%zu members %s names, want at most %d, with names",
                         s->members, s->names ? "with" : "without", CGCT_MEMBERS_MAX);
    if (s->split < 0 || s->split > 2)
        return cgct_fail(err, CGCT_E_USAGE, "split %d, want 0, 1 or 2", s->split);
    if (s->fold != 0 && s->fold != 1)
        return cgct_fail(err, CGCT_E_USAGE, "fold %d, want 0 or 1", s->fold);
    if (!(s->fold ? s->fold_power > 0 && s->fold_power < 1e3 : s->fold_power == 0))
        return cgct_fail(err, CGCT_E_USAGE, "fold power %g with fold %d; want %s", s->fold_power,
                         s->fold, s->fold ? "0 < p < 1000" : "0");
    return CGCT_OK;
}

static void fill_table_header(cgct_header *h, const cgct_writer_spec *s)
{
    *h = (cgct_header){.features = (s->fold ? CGCT_FEATURE_FOLD : 0) |
                                   (s->split ? CGCT_FEATURE_SPLIT : 0) |
                                   (s->split == 2 ? CGCT_FEATURE_CROSS : 0) |
                                   (s->members > 1 ? CGCT_FEATURE_MEMBERS : 0),
                       .members = s->members > 1 ? (uint32_t)s->members : 1,
                       .n = {(uint32_t)s->nx, (uint32_t)s->neps, (uint32_t)s->nq, (uint32_t)s->nk},
                       .fold_power = s->fold_power};
    for (int a = 0; a < 4; a++)
        h->order[a] = (uint8_t)(s->order[a] ? s->order[a] : CGCT_ORDER_WRITTEN);
    memcpy(h->generator, s->generator, strlen(s->generator));
}

static cgct_status write_spec_axes(cgct_writer *w, const cgct_writer_spec *s, cgct_err *err)
{
    size_t n[4] = {s->nx, s->neps, s->nq, s->nk}, total = s->nx + s->neps + s->nq + s->nk;
    const double *v[4] = {s->x, s->eps, s->q, s->k};
    if (!(w->axes = malloc(sizeof *w->axes * total)))
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for axes of %zu values", total);
    for (size_t a = 0, at = 0; a < 4; at += n[a++]) memcpy(w->axes + at, v[a], n[a] * sizeof **v);
    return cgct_axes_append(&w->file, &w->crc, w->axes, &w->head, err);
}

static cgct_status begin_metadata(cgct_metadata *m, const cgct_writer_spec *s, cgct_err *err)
{
    const char *const pair[][2] = {
        {"quantity", s->fold ? "modes m of J_T, J_L in GeV^-6, I(q,k1,theta) = J(q,k1,theta) + "
                               "J(q,k2,theta2), theta2 = angle(k2,q), "
                               "J = 2 pi J_0 + 4 pi sum_{m>=1} (-1)^m cos(m theta) J_m"
                             : "modes m of I_T, I_L in GeV^-6, theta = angle(k1,q), "
                               "I = 2 pi I_0 + 4 pi sum_{m>=1} (-1)^m cos(m theta) I_m"},
        {"generator", s->generator},
        {"dipole", s->dipole},
        {"backend", s->backend},
        {"card", s->card},
        {"members", s->names}};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        if (pair[i][1]) CGCT_TRY(cgct_metadata_add(m, pair[i][0], pair[i][1], err));
    return CGCT_OK;
}

cgct_status cgct_writer_open(cgct_writer **out, const char *path, const cgct_writer_spec *spec,
                             cgct_err *err)
{
    if (out) *out = NULL;
    if (!out || !path || !spec)
        return cgct_fail(err, CGCT_E_USAGE, "cgct_writer_open: an argument is NULL");
    cgct_status st = check_spec(spec, err);
    if (st != CGCT_OK) return cgct_context(err, st, "%s", path);
    cgct_writer *w = calloc(1, sizeof *w);
    if (!w) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for the writer", path);
    w->file = cgct_tmpfile_none();
    w->level = spec->level;
    w->bound = spec->bound;
    cgct_crc64_init(&w->crc);
    fill_table_header(&w->head, spec);

    /* A zero header holds the place: no magic before the file is complete. */
    static const uint8_t zeros[CGCT_HEADER_SIZE];
    w->shape = calloc(spec->neps * spec->nq * spec->nk, sizeof *w->shape);
    if (!(w->entry = calloc(writer_rows(w) * spec->neps, sizeof *w->entry)) || !w->shape)
        st = cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for the index", path);
    if (st == CGCT_OK) st = begin_metadata(&w->meta, spec, err);
    if (st == CGCT_OK) st = cgct_tmpfile_open(&w->file, path, err);
    if (st == CGCT_OK) st = cgct_tmpfile_append(&w->file, zeros, sizeof zeros, err);
    if (st == CGCT_OK) st = write_spec_axes(w, spec, err);
    if (st != CGCT_OK) {
        cgct_writer_abort(w);
        return st;
    }
    *out = w;
    return CGCT_OK;
}

double cgct_writer_rounding(const cgct_writer *w)
{
    return w->rounding;
}

/* The place of a node in the index, or NULL with a message. */
static cgct_entry *new_entry(cgct_writer *w, size_t ix, size_t ieps, cgct_err *err)
{
    const char *path = w->file.path;
    if (ix >= writer_rows(w) || ieps >= w->head.n[1]) {
        cgct_fail(err, CGCT_E_USAGE, "%s: node (%zu,%zu) of %zu x %u nodes", path, ix, ieps,
                  writer_rows(w), w->head.n[1]);
        return NULL;
    }
    cgct_entry *e = &w->entry[ix * w->head.n[1] + ieps];
    if (!e->nm) return e;
    cgct_fail(err, CGCT_E_USAGE, "%s: node x = %g, eps = %g is written twice", path,
              w->axes[ix % w->head.n[0]], w->axes[w->head.n[0] + ieps]);
    return NULL;
}

cgct_status cgct_writer_packed(cgct_writer *w, size_t ix, size_t ieps, const uint8_t *packed,
                               size_t size, cgct_err *err)
{
    cgct_section s = {0};
    cgct_packed_node node;
    if (!w || !packed) return cgct_fail(err, CGCT_E_USAGE, "cgct_writer_packed: NULL argument");
    cgct_entry *e = new_entry(w, ix, ieps, err);
    if (!e) return CGCT_E_USAGE;
    if (w->failed)
        return cgct_fail(err, CGCT_E_IO, "%s: an earlier write failed; nothing is kept",
                         w->file.path);
    size_t points = (size_t)w->head.n[2] * w->head.n[3];
    uint32_t encoding = w->bound > 0 ? CGCT_ENCODING_PREDICTED : CGCT_ENCODING_F64;
    cgct_status st = cgct_packed_parse(packed, size, points, &node, err);
    if (st != CGCT_OK) return cgct_context(err, st, "%s: node (%zu,%zu)", w->file.path, ix, ieps);
    if (node.entry.encoding != encoding)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s: node (%zu,%zu) has encoding %u, want %u: another version packed it; "
                         "begin without its files",
                         w->file.path, ix, ieps, node.entry.encoding, encoding);
    st = cgct_section_append(&w->file, &w->crc, node.frame, node.entry.stored_size, CGCT_ALIGN, &s,
                             err);
    w->failed |= st != CGCT_OK;
    if (st != CGCT_OK) return st;
    *e = node.entry;
    e->offset = s.offset;
    for (size_t i = 0; i < points; i++) {
        uint16_t nm = cgct_get_u16(node.shape + 2 * i), *to = &w->shape[ieps * points + i];
        if (nm > *to) *to = nm;
    }
    w->rounding = fmax(w->rounding, node.rounding);
    return CGCT_OK;
}

cgct_status cgct_writer_same(cgct_writer *w, size_t ix, size_t ieps, size_t as, cgct_err *err)
{
    cgct_entry *e = new_entry(w, ix, ieps, err);
    if (!e) return CGCT_E_USAGE;
    if (as >= writer_rows(w) || !w->entry[as * w->head.n[1] + ieps].nm)
        return cgct_fail(err, CGCT_E_USAGE,
                         "%s: node (%zu,%zu) is to be that of x %zu, not written", w->file.path, ix,
                         ieps, as);
    *e = w->entry[as * w->head.n[1] + ieps];
    return CGCT_OK;
}

cgct_status cgct_writer_node(cgct_writer *w, size_t ix, size_t ieps, const cgct_node *node,
                             cgct_err *err)
{
    uint8_t *packed;
    size_t size;
    if (!w || !node || !node->modes || !node->error)
        return cgct_fail(err, CGCT_E_USAGE, "cgct_writer_node: an argument is NULL");
    if (!new_entry(w, ix, ieps, err)) return CGCT_E_USAGE;
    const cgct_writer_spec spec = {
        .nq = w->head.n[2], .nk = w->head.n[3], .level = w->level, .bound = w->bound};
    cgct_status st = cgct_node_pack(&spec, node, &packed, &size, err);
    if (st != CGCT_OK)
        return cgct_context(err, st, "%s: node (%zu,%zu): x = %g, eps = %g", w->file.path, ix, ieps,
                            w->axes[ix % w->head.n[0]], w->axes[w->head.n[0] + ieps]);
    st = cgct_writer_packed(w, ix, ieps, packed, size, err);
    free(packed);
    return st;
}

static cgct_status check_all_nodes_written(const cgct_writer *w, cgct_err *err)
{
    size_t nodes = writer_rows(w) * w->head.n[1], neps = w->head.n[1], missing = 0, first = 0;
    for (size_t i = nodes; i-- > 0;)
        if (!w->entry[i].nm) {
            missing++;
            first = i;
        }
    if (missing)
        return cgct_fail(err, CGCT_E_USAGE,
                         "%s: %zu of %zu nodes missing, the first x = %g, eps = %g", w->file.path,
                         missing, nodes, w->axes[first / neps % w->head.n[0]],
                         w->axes[w->head.n[0] + first % neps]);
    return CGCT_OK;
}

/* Everything behind the nodes, and the header. */
static cgct_status write_table_end(cgct_writer *w, cgct_err *err)
{
    if (w->failed)
        return cgct_fail(err, CGCT_E_IO, "%s: an earlier write failed; nothing is kept",
                         w->file.path);
    CGCT_TRY(check_all_nodes_written(w, err));
    cgct_status st =
        cgct_table_finish(&w->file, &w->crc, &w->head, &w->meta, w->shape, w->entry, err);
    w->failed |= st != CGCT_OK;
    return st;
}

/* The close writes over it: metadata only grow, so that the file never has to shrink. */
cgct_status cgct_writer_preview(cgct_writer *w, const char **path, cgct_err *err)
{
    uint64_t end = w->file.end;
    cgct_status st = write_table_end(w, err);
    w->file.end = end;
    *path = w->file.tmp;
    return st;
}

static cgct_status add_metadata_and_commit(cgct_writer *w, const char *extra_meta, cgct_err *err)
{
    cgct_status st = cgct_metadata_add_lines(&w->meta, extra_meta, err);
    if (st != CGCT_OK) return cgct_context(err, st, "%s", w->file.path);
    CGCT_TRY(write_table_end(w, err));
    return cgct_tmpfile_commit(&w->file, err);
}

cgct_status cgct_writer_close(cgct_writer *w, const char *extra_meta, cgct_err *err)
{
    if (!w) return cgct_fail(err, CGCT_E_USAGE, "cgct_writer_close: the writer is NULL");
    cgct_status st = add_metadata_and_commit(w, extra_meta, err);
    cgct_writer_abort(w); /* after a commit there is no temporary file left to remove */
    return st;
}

void cgct_writer_abort(cgct_writer *w)
{
    if (!w) return;
    cgct_tmpfile_discard(&w->file);
    cgct_metadata_free(&w->meta);
    free(w->axes);
    free(w->shape);
    free(w->entry);
    free(w);
}
