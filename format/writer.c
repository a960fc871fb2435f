/* SPDX-License-Identifier: MIT */
#include "writer.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <zstd.h>

#include "codec.h"
#include "header.h"
#include "integers.h"
#include "tmpfile.h"
#include "writer_meta.h"

static const double BOUND_MIN = 1e-8, BOUND_MAX = 0.1; /* of rounding: 31 bits, and one digit */

struct cgct_writer {
    cgct_tmpfile file;
    cgct_crc64_table crc;
    cgct_header head;
    cgct_writer_meta meta;
    double *axes;    /* x, eps, q, k one after the other */
    uint16_t *shape; /* (neps, nq, nk): modes that any node needs so far */
    double bound, rounding;
    cgct_entry *entry; /* (nx, neps); nm = 0: not yet written */
    int level;
    int failed; /* a write failed: the file can only be given up */
};

static cgct_status check_axes(const cgct_writer_spec *s, cgct_err *err)
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
    CGCT_TRY(check_axes(s, err));
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
    if (s->split < 0 || s->split > 2)
        return cgct_fail(err, CGCT_E_USAGE, "split %d, want 0, 1 or 2", s->split);
    if (s->fold != 0 && s->fold != 1)
        return cgct_fail(err, CGCT_E_USAGE, "fold %d, want 0 or 1", s->fold);
    if (!(s->fold ? s->fold_power > 0 && s->fold_power < 1e3 : s->fold_power == 0))
        return cgct_fail(err, CGCT_E_USAGE, "fold power %g with fold %d; want %s", s->fold_power,
                         s->fold, s->fold ? "0 < p < 1000" : "0");
    return CGCT_OK;
}

static void fill_header(cgct_header *h, const cgct_writer_spec *s)
{
    *h = (cgct_header){.major = CGCT_MAJOR,
                       .minor = CGCT_MINOR,
                       .kind = CGCT_KIND_CROSS_SECTION,
                       .data_version = CGCT_DATA_VERSION,
                       .features = (s->fold ? CGCT_FEATURE_FOLD : 0) |
                                   (s->split ? CGCT_FEATURE_SPLIT : 0) |
                                   (s->split == 2 ? CGCT_FEATURE_CROSS : 0),
                       .n = {(uint32_t)s->nx, (uint32_t)s->neps, (uint32_t)s->nq, (uint32_t)s->nk},
                       .fold_power = s->fold_power};
    for (int a = 0; a < 4; a++)
        h->order[a] = (uint8_t)(s->order[a] ? s->order[a] : CGCT_ORDER_WRITTEN);
    memcpy(h->generator, s->generator, strlen(s->generator));
}

/* Appends at the next multiple of CGCT_ALIGN and fills offset, size and crc. */
static cgct_status append(cgct_writer *w, const void *data, size_t n, cgct_section *s,
                          cgct_err *err)
{
    static const uint8_t zeros[CGCT_ALIGN];
    size_t gap = (size_t)(-w->file.end % CGCT_ALIGN);
    cgct_status st = cgct_tmpfile_append(&w->file, zeros, gap, err);
    if (st == CGCT_OK) {
        *s = (cgct_section){w->file.end, n, cgct_crc64(&w->crc, data, n)};
        st = cgct_tmpfile_append(&w->file, data, n, err);
    }
    if (st != CGCT_OK) w->failed = 1;
    return st;
}

static cgct_status write_axes(cgct_writer *w, const cgct_writer_spec *s, cgct_err *err)
{
    size_t n[4] = {s->nx, s->neps, s->nq, s->nk}, total = s->nx + s->neps + s->nq + s->nk;
    const double *v[4] = {s->x, s->eps, s->q, s->k};
    uint8_t *bytes = malloc(8 * total);
    w->axes = malloc(sizeof *w->axes * total);
    if (!bytes || !w->axes) {
        free(bytes);
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for axes of %zu values", total);
    }
    size_t at = 0;
    for (int a = 0; a < 4; a++)
        for (size_t i = 0; i < n[a]; i++, at++) {
            w->axes[at] = v[a][i];
            cgct_put_f64(bytes + 8 * at, v[a][i]);
        }
    cgct_status st = append(w, bytes, 8 * total, &w->head.axes, err);
    free(bytes);
    return st;
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
    fill_header(&w->head, spec);

    /* A zero header holds the place: no magic before the file is complete. */
    static const uint8_t zeros[CGCT_HEADER_SIZE];
    w->shape = calloc(spec->neps * spec->nq * spec->nk, sizeof *w->shape);
    if (!(w->entry = calloc(spec->nx * spec->neps, sizeof *w->entry)) || !w->shape)
        st = cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for the index", path);
    if (st == CGCT_OK) st = cgct_writer_meta_init(&w->meta, spec, err);
    if (st == CGCT_OK) st = cgct_tmpfile_open(&w->file, path, err);
    if (st == CGCT_OK) st = cgct_tmpfile_append(&w->file, zeros, sizeof zeros, err);
    if (st == CGCT_OK) st = write_axes(w, spec, err);
    if (st != CGCT_OK) {
        cgct_writer_abort(w);
        return st;
    }
    *out = w;
    return CGCT_OK;
}

/* Modes up to the last that is not zero, of any point. */
static size_t modes_kept(const cgct_plane *p, size_t point)
{
    size_t nm = p->nm;
    while (nm > 1 && p->mode[point * (p->nm - 1) + nm - 2] == 0) nm--;
    return nm;
}

static void raise_shape(cgct_writer *w, const cgct_plane *p, size_t ieps)
{
    size_t n = p->n / 2;
    for (size_t i = 0; i < p->n; i++) {
        uint16_t *to = &w->shape[ieps * n + i % n];
        size_t nm = modes_kept(p, i);
        if (nm > *to) *to = (uint16_t)nm;
    }
}

/* Drops modes that round to zero at every point: they need no place in the payload. */
static void trim(cgct_plane *p, double below)
{
    size_t nm = 1;
    for (size_t i = 0; i < p->n; i++)
        for (size_t m = p->nm - 1; m >= nm; m--)
            if (fabs(p->mode[i * (p->nm - 1) + m - 1]) > below) {
                nm = m + 1;
                break;
            }
    for (size_t i = 0; i < p->n; i++)
        memmove(p->mode + i * (nm - 1), p->mode + i * (p->nm - 1), (nm - 1) * sizeof *p->mode);
    p->nm = nm;
}

static cgct_status encode(cgct_writer *w, cgct_plane *p, uint8_t **raw, size_t *raw_size,
                          cgct_err *err)
{
    uint64_t size = w->bound > 0 ? cgct_integers_size(p->n, p->nm) : cgct_payload_size(p->n, p->nm);
    if (size > SIZE_MAX / 2 || !(*raw = malloc((size_t)size)))
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu points of %zu modes", p->n, p->nm);
    *raw_size = (size_t)size;
    if (w->bound == 0) {
        cgct_payload_pack(p, *raw);
        return CGCT_OK;
    }
    double found;
    CGCT_TRY(cgct_integers_pack(p, w->head.n[2], w->head.n[3], w->bound, *raw, &found, err));
    if (!(found <= w->bound))
        return cgct_fail(err, CGCT_E_ACCURACY, "decoded modes are off by %g of I_0, allowed %g",
                         found, w->bound);
    if (found > w->rounding) w->rounding = found;
    return CGCT_OK;
}

/* payload -> frame -> file; e->nm is set last, it marks the node as written. */
static cgct_status write_payload(cgct_writer *w, const cgct_plane *p, const uint8_t *raw,
                                 size_t raw_size, cgct_entry *e, cgct_err *err)
{
    size_t bound = w->level ? cgct_frame_bound(raw_size) : 0, frame_size = raw_size;
    uint8_t *frame = bound ? malloc(bound) : NULL;
    cgct_status st = CGCT_OK;
    cgct_section s = {0};
    if (bound && !frame)
        st = cgct_fail(err, CGCT_E_NOMEM, "no memory for a node of %zu bytes", raw_size);
    if (st == CGCT_OK && w->level)
        st = cgct_frame_pack(raw, raw_size, w->level, frame, bound, &frame_size, err);
    if (st == CGCT_OK) st = append(w, frame ? frame : raw, frame_size, &s, err);
    if (st == CGCT_OK)
        *e = (cgct_entry){.offset = s.offset,
                          .stored_size = s.size,
                          .raw_size = raw_size,
                          .stored_crc = s.crc,
                          .raw_crc = w->bound > 0 ? 0 : cgct_crc64(&w->crc, raw, raw_size),
                          .nm = (uint32_t)p->nm,
                          .encoding = w->bound > 0 ? CGCT_ENCODING_INTEGERS : CGCT_ENCODING_F64,
                          .compression = w->level ? CGCT_ZSTD : CGCT_STORED,
                          .flagged = (uint32_t)p->flagged};
    free(frame);
    return st;
}

static cgct_status write_node(cgct_writer *w, const cgct_node *node, size_t ieps, cgct_entry *e,
                              cgct_err *err)
{
    size_t n = 2 * (size_t)w->head.n[2] * w->head.n[3], raw_size = 0;
    double ratio_max = w->bound > 0 ? CGCT_RATIO_MAX : DBL_MAX;
    uint8_t *raw = NULL;
    cgct_plane p;
    CGCT_TRY(cgct_plane_set(&p, n, node->nm, node->modes, node->error, ratio_max, err));
    trim(&p, 0.8 * w->bound); /* such a mode, left out, is off by less than the bound */
    cgct_status st = encode(w, &p, &raw, &raw_size, err);
    if (st == CGCT_OK) st = write_payload(w, &p, raw, raw_size, e, err);
    if (st == CGCT_OK) raise_shape(w, &p, ieps);
    free(raw);
    cgct_plane_free(&p);
    return st;
}

double cgct_writer_rounding(const cgct_writer *w)
{
    return w->rounding;
}

cgct_status cgct_writer_node(cgct_writer *w, size_t ix, size_t ieps, const cgct_node *node,
                             cgct_err *err)
{
    if (!w || !node || !node->modes || !node->error)
        return cgct_fail(err, CGCT_E_USAGE, "cgct_writer_node: an argument is NULL");
    const char *path = w->file.path;
    if (ix >= w->head.n[0] || ieps >= w->head.n[1])
        return cgct_fail(err, CGCT_E_USAGE, "%s: node (%zu,%zu) of %u x %u nodes", path, ix, ieps,
                         w->head.n[0], w->head.n[1]);
    if (node->nm < 1 || node->nm > CGCT_MODES_MAX)
        return cgct_fail(err, CGCT_E_USAGE, "%s: node (%zu,%zu) has %zu modes, want 1 to %d", path,
                         ix, ieps, node->nm, CGCT_MODES_MAX);
    if (w->failed)
        return cgct_fail(err, CGCT_E_IO, "%s: an earlier write failed; nothing is kept", path);
    cgct_entry *e = &w->entry[ix * w->head.n[1] + ieps];
    double x = w->axes[ix], eps = w->axes[w->head.n[0] + ieps];
    if (e->nm)
        return cgct_fail(err, CGCT_E_USAGE, "%s: node x = %g, eps = %g is written twice", path, x,
                         eps);
    cgct_status st = write_node(w, node, ieps, e, err);
    if (st == CGCT_OK || st == CGCT_E_IO)
        return st; /* E_IO names the path and the reason already */
    return cgct_context(err, st, "%s: node x = %g, eps = %g", path, x, eps);
}

static cgct_status check_complete(const cgct_writer *w, cgct_err *err)
{
    size_t nodes = (size_t)w->head.n[0] * w->head.n[1], neps = w->head.n[1], missing = 0, first = 0;
    for (size_t i = nodes; i-- > 0;)
        if (!w->entry[i].nm) {
            missing++;
            first = i;
        }
    if (missing)
        return cgct_fail(err, CGCT_E_USAGE,
                         "%s: %zu of %zu nodes missing, the first x = %g, eps = %g", w->file.path,
                         missing, nodes, w->axes[first / neps],
                         w->axes[w->head.n[0] + first % neps]);
    return CGCT_OK;
}

static cgct_status write_shape(cgct_writer *w, cgct_err *err)
{
    size_t n = (size_t)w->head.n[1] * w->head.n[2] * w->head.n[3];
    uint8_t *bytes = malloc(2 * n);
    if (!bytes) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for the shape", w->file.path);
    for (size_t i = 0; i < n; i++) cgct_put_u16(bytes + 2 * i, w->shape[i]);
    cgct_status st = append(w, bytes, 2 * n, &w->head.shape, err);
    free(bytes);
    return st;
}

static cgct_status write_index(cgct_writer *w, cgct_err *err)
{
    size_t nodes = (size_t)w->head.n[0] * w->head.n[1];
    uint8_t *bytes = malloc(CGCT_NODE_SIZE * nodes);
    if (!bytes) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for the index", w->file.path);
    for (size_t i = 0; i < nodes; i++) cgct_entry_pack(&w->entry[i], bytes + CGCT_NODE_SIZE * i);
    cgct_status st = append(w, bytes, CGCT_NODE_SIZE * nodes, &w->head.index, err);
    free(bytes);
    return st;
}

/* Everything behind the nodes, and the header. */
static cgct_status write_end(cgct_writer *w, cgct_err *err)
{
    uint8_t head[CGCT_HEADER_SIZE];
    if (w->failed)
        return cgct_fail(err, CGCT_E_IO, "%s: an earlier write failed; nothing is kept",
                         w->file.path);
    CGCT_TRY(check_complete(w, err));
    CGCT_TRY(append(w, w->meta.text, w->meta.size, &w->head.meta, err));
    CGCT_TRY(write_shape(w, err));
    CGCT_TRY(write_index(w, err));
    w->head.file_size = w->file.end;
    cgct_header_pack(&w->crc, &w->head, head);
    return cgct_tmpfile_write_at(&w->file, 0, head, sizeof head, err);
}

/* The close writes over it: metadata only grow, so that the file never has to shrink. */
cgct_status cgct_writer_preview(cgct_writer *w, const char **path, cgct_err *err)
{
    uint64_t end = w->file.end;
    cgct_status st = write_end(w, err);
    w->file.end = end;
    *path = w->file.tmp;
    return st;
}

static cgct_status finish(cgct_writer *w, const char *extra_meta, cgct_err *err)
{
    cgct_status st = cgct_writer_meta_add(&w->meta, extra_meta, err);
    if (st != CGCT_OK) return cgct_context(err, st, "%s", w->file.path);
    CGCT_TRY(write_end(w, err));
    return cgct_tmpfile_commit(&w->file, err);
}

cgct_status cgct_writer_close(cgct_writer *w, const char *extra_meta, cgct_err *err)
{
    if (!w) return cgct_fail(err, CGCT_E_USAGE, "cgct_writer_close: the writer is NULL");
    cgct_status st = finish(w, extra_meta, err);
    cgct_writer_abort(w); /* after a commit there is no temporary file left to remove */
    return st;
}

void cgct_writer_abort(cgct_writer *w)
{
    if (!w) return;
    cgct_tmpfile_discard(&w->file);
    cgct_writer_meta_free(&w->meta);
    free(w->axes);
    free(w->shape);
    free(w->entry);
    free(w);
}
