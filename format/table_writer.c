/* SPDX-License-Identifier: MIT */
/* table_writer.c: the chunks of FORMAT.md in their order. */
#include "table_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crc64.h"
#include "rice.h"
#include "tmpfile.h"

enum { CHUNK_HEAD = 16, ALIGNED = 8, HEAD_SIZE = 128, PROGRAM_AT = 88, PROGRAM_ROOM = 24 };
static const int32_t LARGEST = INT32_MAX - 0x8000;   /* integer V */
static const uint64_t LINES_MAX = UINT64_C(1) << 25; /* of eight integers in memory, of a file */

/* ---- bounds as codes ---- */

static const double CODE_OF_ONE = 200, CODES_PER_OCTAVE = 4;

uint8_t table_bound_code(double bound)
{
    if (bound == 0) return 0;
    return (uint8_t)fmin(fmax(ceil(CODE_OF_ONE + CODES_PER_OCTAVE * log2(bound) - 1e-9), 1), 255);
}

/* ---- a chunk while it grows ---- */

/* The whole chunk, its head first.  A lack of memory shows in failed. */
typedef struct {
    uint8_t *data;
    size_t size, room;
    int failed;
} chunk;

static void chunk_put(chunk *c, const void *data, size_t n)
{
    if (c->failed || !n) return;
    if (c->room - c->size < n) {
        size_t room = 2 * c->room + n;
        uint8_t *grown = realloc(c->data, room);
        c->failed = !grown;
        if (!grown) return;
        c->data = grown;
        c->room = room;
    }
    memcpy(c->data + c->size, data, n);
    c->size += n;
}

static void chunk_put_number(chunk *c, uint64_t v, size_t bytes)
{
    uint8_t at[8];
    for (size_t i = 0; i < bytes; i++) at[i] = (uint8_t)(v >> 8 * i);
    chunk_put(c, at, bytes);
}

static void chunk_put_u32(chunk *c, size_t v)
{
    chunk_put_number(c, v, 4);
}

static void chunk_put_f64(chunk *c, size_t n, const double *v)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, v + i, sizeof bits);
        chunk_put_number(c, bits, 8);
    }
}

static void chunk_pad(chunk *c)
{
    static const uint8_t zero[ALIGNED] = {0};
    chunk_put(c, zero, (ALIGNED - c->size % ALIGNED) % ALIGNED);
}

static void chunk_begin(chunk *c, const char *name)
{
    c->size = 0;
    chunk_put(c, name, 4);
    chunk_put_u32(c, 0);
    chunk_put_number(c, 0, 8);
}

/* ---- the file ---- */

typedef struct {
    const table_content *table;
    cgct_tmpfile file;
    cgct_crc64_table crc;
    chunk c;
    uint64_t lines; /* of eight integers */
} table_file;

static cgct_status write_chunk(table_file *f, cgct_err *err)
{
    chunk *c = &f->c;
    uint64_t size = c->size - CHUNK_HEAD;
    chunk_pad(c);
    for (size_t i = 0; i < 8 && !c->failed; i++) c->data[8 + i] = (uint8_t)(size >> 8 * i);
    if (!c->failed) chunk_put_number(c, cgct_crc64(&f->crc, c->data, c->size), 8);
    if (c->failed) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a part of the table");
    return cgct_tmpfile_append(&f->file, c->data, c->size, err);
}

static cgct_status write_magic(table_file *f, cgct_err *err)
{
    static const uint8_t magic[16] = {0x89, 'C', 'G', 'C', 'T', 0x0d, 0x0a, 0x1a, 2};
    return cgct_tmpfile_append(&f->file, magic, sizeof magic, err);
}

static cgct_status write_head(table_file *f, cgct_err *err)
{
    const table_content *t = f->table;
    const size_t version = t->either_sign ? 2 : 1;
    const size_t sizes[] = {version, t->members, t->px, t->peps, t->nx,
                            t->neps, t->nq,      t->nl, t->nu,   t->nm};
    char program[PROGRAM_ROOM] = "";
    chunk_begin(&f->c, "HEAD");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) chunk_put_u32(&f->c, sizes[i]);
    for (int i = 0; i < 4; i++) chunk_put_u32(&f->c, (size_t)t->order[i]);
    chunk_put_u32(&f->c, t->bq);
    chunk_put_u32(&f->c, t->bl);
    chunk_put_u32(&f->c, t->bu);
    chunk_put_u32(&f->c, t->shared);
    chunk_put_f64(&f->c, 1, &t->k0);
    chunk_put_f64(&f->c, 1, &t->k_max);
    strncpy(program, t->program, sizeof program - 1);
    chunk_put(&f->c, program, sizeof program);
    chunk_put_u32(&f->c, t->dx);
    chunk_put_u32(&f->c, t->deps);
    chunk_put_f64(&f->c, 1, &t->x_from);
    return write_chunk(f, err);
}

/* A value with its line ends, tabs and backslashes escaped. */
static void put_escaped(chunk *c, const char *value)
{
    static const char plain[] = "\\\n\r\t", escaped[] = "\\nrt";
    for (; *value; value++) {
        const char *at = strchr(plain, *value);
        if (at) chunk_put(c, "\\", 1);
        chunk_put(c, at ? &escaped[at - plain] : value, 1);
    }
}

static cgct_status write_meta(table_file *f, cgct_err *err)
{
    chunk_begin(&f->c, "META");
    for (size_t i = 0; i < f->table->nmeta; i++) {
        const table_meta *m = &f->table->meta[i];
        chunk_put(&f->c, m->key, strlen(m->key));
        chunk_put(&f->c, "\t", 1);
        put_escaped(&f->c, m->value);
        chunk_put(&f->c, "\n", 1);
    }
    return write_chunk(f, err);
}

static cgct_status write_axes(table_file *f, cgct_err *err)
{
    const table_content *t = f->table;
    chunk_begin(&f->c, "AXES");
    chunk_put_f64(&f->c, 2, t->x_range);
    chunk_put_f64(&f->c, t->nx, t->x);
    chunk_put_f64(&f->c, 2, t->eps_range);
    chunk_put_f64(&f->c, t->neps, t->eps);
    chunk_put_f64(&f->c, t->nq, t->q);
    chunk_put_f64(&f->c, t->dx, t->x_of_d);
    chunk_put_f64(&f->c, t->deps, t->eps_of_d);
    for (size_t i = 0; i < t->px; i++) chunk_put_u32(&f->c, t->panel_x[i]);
    for (size_t i = 0; i < t->peps; i++) chunk_put_u32(&f->c, t->panel_eps[i]);
    chunk_pad(&f->c);
    return write_chunk(f, err);
}

static cgct_status write_variations(table_file *f, cgct_err *err)
{
    const table_content *t = f->table;
    if (!t->dx) return CGCT_OK;
    chunk_begin(&f->c, "VARY");
    chunk_put_u32(&f->c, t->variations);
    chunk_put_u32(&f->c, 0);
    chunk_put_f64(&f->c, (t->members - 1) * t->variations, t->mix);
    return write_chunk(f, err);
}

static cgct_status write_tensor(table_file *f, cgct_err *err)
{
    const table_content *t = f->table;
    chunk_begin(&f->c, "TENS");
    chunk_put_f64(&f->c, t->members * t->nx * t->nq * 2, t->tensor);
    return write_chunk(f, err);
}

static cgct_status write_bounds(table_file *f, cgct_err *err)
{
    const table_content *t = f->table;
    const size_t blocks = 2 * t->bq * (t->bl + t->bu);
    chunk_begin(&f->c, "ERRS");
    chunk_put(&f->c, t->bounds, (t->members - t->shared) * t->nx * t->neps * blocks);
    chunk_pad(&f->c);
    return write_chunk(f, err);
}

/* ---- segments ---- */

enum { GROUP = 4 }; /* r of one polarisation */

/* A group of a segment: V of its r for m = 0 are at v, those of the next m R planes further. */
typedef struct {
    const int32_t *v;
    size_t n; /* r */
} group;

static group group_of(const table_content *t, const table_segment *s, size_t pol, size_t c)
{
    const size_t points = t->nq * (t->nl + t->nu), left = s->R - GROUP * c;
    return (group){s->V + (pol * t->nm * s->R + GROUP * c) * points, left < GROUP ? left : GROUP};
}

/* How many m the group has at each point up to the last with an integer other than 0, or wide: of
 * more than 16 bits. */
static void find_ends(const table_content *t, const table_segment *s, const group *g, int wide,
                      int32_t *end)
{
    const size_t points = t->nq * (t->nl + t->nu);
    memset(end, 0, points * sizeof *end);
    for (size_t m = 0; m < t->nm; m++)
        for (size_t r = 0; r < g->n; r++) {
            const int32_t *v = g->v + (m * s->R + r) * points;
            for (size_t i = 0; i < points; i++)
                if (v[i] != (wide ? (int16_t)v[i] : 0)) end[i] = (int32_t)m + 1;
        }
}

/* One polarisation of a group in bits: its ends, and its planes, which follow the ends of all. */
typedef struct {
    rice_bits ends, planes;
    uint64_t lines; /* of eight integers */
} group_code;

static rice_points points_of(const table_content *t, size_t upper)
{
    const rice_points p = {t->nq, upper ? t->nu : t->nl, t->nl + t->nu, 0, NULL};
    return p;
}

/* end: (2, points), room of 16-bit numbers in ends: (points). */
static void put_group(const table_content *t, const table_segment *s, const group *g,
                      group_code *to, int32_t *end, uint16_t *ends, uint32_t *scratch)
{
    const size_t points = t->nq * (t->nl + t->nu);
    for (int wide = 0; wide < 2; wide++) find_ends(t, s, g, wide, end + (size_t)wide * points);
    for (size_t j = 0; j < points; j++) {
        to->lines += 1 + (uint32_t)end[j] / 2 + (uint32_t)end[points + j] / 2;
        ends[j] = (uint16_t)end[j];
    }
    for (size_t i = 0; i < 4; i++) {
        const rice_points p = points_of(t, i / 2);
        rice_put_plane(&to->ends, end + i % 2 * points + i / 2 * t->nl, &p, scratch);
    }
    for (size_t upper = 0; upper < 2; upper++) {
        rice_points p = points_of(t, upper);
        p.end = ends + upper * t->nl;
        for (p.m = 0; p.m < t->nm; p.m++)
            for (size_t r = 0; r < g->n; r++)
                rice_put_plane(&to->planes, g->v + (p.m * s->R + r) * points + upper * t->nl, &p,
                               scratch);
    }
}

static void encode_group(const table_content *t, const table_segment *s, const group *g,
                         group_code *to)
{
    const size_t nk = t->nl + t->nu, points = t->nq * nk;
    int32_t *end = malloc(2 * points * sizeof *end);
    uint16_t *ends = malloc(points * sizeof *ends);
    uint32_t *scratch = malloc((5 * points + t->nq + nk) * sizeof *scratch);
    *to = (group_code){{NULL, 0, 0, 0, 0}, {NULL, 0, 0, 0, 0}, 0};
    if (end && ends && scratch)
        put_group(t, s, g, to, end, ends, scratch);
    else
        to->ends.failed = 1;
    free(end);
    free(ends);
    free(scratch);
}

static cgct_status check_integers(const table_content *t, const table_segment *s, cgct_err *err)
{
    for (size_t k = 0; k < 2 * t->nm * s->R * t->nq * (t->nl + t->nu); k++)
        if (s->V[k] > LARGEST)
            return cgct_fail(err, CGCT_E_RANGE, "integer %d above %d; raise output.bound",
                             (int)s->V[k], (int)LARGEST);
    return CGCT_OK;
}

/* Groups are encoded side by side, each into bits of its own. */
cgct_status table_encode(const table_content *t, const table_segment *s, table_code *code,
                         cgct_err *err)
{
    const size_t groups = (s->R + GROUP - 1) / GROUP;
    rice_bits bits = {NULL, 0, 0, 0, 0};
    *code = (table_code){NULL, 0, 0};
    CGCT_TRY(check_integers(t, s, err));
    group_code *part = malloc(2 * groups * sizeof *part);
    bits.failed = !part;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < (part ? 2 * groups : 0); i++) {
        const group g = group_of(t, s, i / groups, i % groups);
        encode_group(t, s, &g, &part[i]);
    }
    for (size_t i = 0; i < 2 * groups && part; i++) {
        rice_append(&bits, &part[i].ends);
        code->lines += part[i].lines;
    }
    for (size_t i = 0; i < 2 * groups && part; i++) {
        rice_append(&bits, &part[i].planes);
        free(part[i].ends.data);
        free(part[i].planes.data);
    }
    free(part);
    code->data = bits.data;
    code->size = bits.size;
    if (bits.failed || bits.size > UINT32_MAX)
        return cgct_fail(err, CGCT_E_NOMEM, "no memory to encode a table");
    return CGCT_OK;
}

static cgct_status write_code(table_file *f, size_t i, const table_code *code, cgct_err *err)
{
    const table_segment *s = &f->table->segment[i];
    f->lines += code->lines;
    if (f->lines > LINES_MAX)
        return cgct_fail(err, CGCT_E_RANGE,
                         "the table has more than 2^28 integers: fewer nodes, or a larger "
                         "output.bound");
    chunk_begin(&f->c, "SEGM");
    chunk_put_u32(&f->c, s->R);
    chunk_put_u32(&f->c, code->size);
    chunk_put_f64(&f->c, 1, &s->step);
    chunk_put_f64(&f->c, table_rows(f->table, i) * s->R, s->U);
    chunk_put(&f->c, code->data, code->size);
    chunk_pad(&f->c);
    return write_chunk(f, err);
}

static cgct_status write_segment(table_file *f, size_t i, cgct_err *err)
{
    const table_segment *s = &f->table->segment[i];
    table_code code;
    if (s->code) return write_code(f, i, s->code, err);
    cgct_status st = table_encode(f->table, s, &code, err);
    if (st == CGCT_OK) st = write_code(f, i, &code, err);
    free(code.data);
    return st;
}

/* ---- all of it ---- */

static cgct_status write_all(table_file *f, cgct_err *err)
{
    CGCT_TRY(write_magic(f, err));
    CGCT_TRY(write_head(f, err));
    CGCT_TRY(write_meta(f, err));
    CGCT_TRY(write_axes(f, err));
    CGCT_TRY(write_variations(f, err));
    CGCT_TRY(write_tensor(f, err));
    for (size_t i = 0; table_rows(f->table, i) > 0; i++) CGCT_TRY(write_segment(f, i, err));
    CGCT_TRY(write_bounds(f, err));
    chunk_begin(&f->c, "TEND");
    CGCT_TRY(write_chunk(f, err));
    return cgct_tmpfile_commit(&f->file, err);
}

cgct_status table_write(const table_content *t, const char *path, cgct_err *err)
{
    table_file f = {t, cgct_tmpfile_none(), {{{0}}}, {NULL, 0, 0, 0}, 0};
    CGCT_TRY(table_check(t, err));
    cgct_crc64_init(&f.crc);
    cgct_status st = cgct_tmpfile_open(&f.file, path, err);
    if (st == CGCT_OK) st = write_all(&f, err);
    cgct_tmpfile_discard(&f.file);
    free(f.c.data);
    return st;
}
