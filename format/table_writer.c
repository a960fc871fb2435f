/* SPDX-License-Identifier: MIT */
/* table_writer.c: the chunks of FORMAT.md in their order. */
#include "table_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chunks.h"
#include "rice.h"

enum { PROGRAM_ROOM = 24 };
static const int32_t LARGEST = INT32_MAX - 0x8000;   /* integer V */
static const uint64_t LINES_MAX = UINT64_C(1) << 26; /* of eight integers in memory, of a file */

/* ---- bounds as codes ---- */

static const double CODE_OF_ONE = 200, CODES_PER_OCTAVE = 4;

uint8_t table_bound_code(double bound)
{
    if (bound == 0) return 0;
    if (!(bound < INFINITY)) return 255; /* NaN, too */
    return (uint8_t)fmin(fmax(ceil(CODE_OF_ONE + CODES_PER_OCTAVE * log2(bound) - 1e-9), 1), 255);
}

/* ---- the file ---- */

static cgct_status write_head(cgct_chunks *to, const table_content *t, cgct_err *err)
{
    const size_t version = t->either_sign ? 4 : 3;
    const size_t sizes[] = {version, t->members, t->px, t->peps, t->nx,
                            t->neps, t->nq,      t->nl, t->nu,   t->nm};
    char program[PROGRAM_ROOM] = "";
    cgct_chunk_begin(to, "HEAD", 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) cgct_chunk_put_u32(to, sizes[i]);
    for (int i = 0; i < 4; i++) cgct_chunk_put_u32(to, (size_t)t->order[i]);
    cgct_chunk_put_u32(to, t->bq);
    cgct_chunk_put_u32(to, t->bl);
    cgct_chunk_put_u32(to, t->bu);
    cgct_chunk_put_u32(to, t->shared);
    cgct_chunk_put_f64(to, 1, &t->k0);
    cgct_chunk_put_f64(to, 1, &t->k_max);
    strncpy(program, t->program, sizeof program - 1);
    cgct_chunk_put(to, program, sizeof program);
    cgct_chunk_put_u32(to, t->dx);
    cgct_chunk_put_u32(to, t->deps);
    cgct_chunk_put_f64(to, 1, &t->x_from);
    return cgct_chunk_end(to, err);
}

static cgct_status write_meta(cgct_chunks *to, const table_content *t, cgct_err *err)
{
    static const char plain[] = "\\\n\r\t", escaped[] = "\\nrt"; /* of a value */
    cgct_chunk_begin(to, "META", 0);
    for (size_t i = 0; i < t->nmeta; i++) {
        const table_meta *m = &t->meta[i];
        cgct_chunk_put(to, m->key, strlen(m->key));
        cgct_chunk_put(to, "\t", 1);
        for (const char *value = m->value; *value; value++) {
            const char *at = strchr(plain, *value);
            if (at) cgct_chunk_put(to, "\\", 1);
            cgct_chunk_put(to, at ? &escaped[at - plain] : value, 1);
        }
        cgct_chunk_put(to, "\n", 1);
    }
    return cgct_chunk_end(to, err);
}

static cgct_status write_axes(cgct_chunks *to, const table_content *t, cgct_err *err)
{
    cgct_chunk_begin(to, "AXES", 0);
    cgct_chunk_put_f64(to, 2, t->x_range);
    cgct_chunk_put_f64(to, t->nx, t->x);
    cgct_chunk_put_f64(to, 2, t->eps_range);
    cgct_chunk_put_f64(to, t->neps, t->eps);
    cgct_chunk_put_f64(to, t->nq, t->q);
    cgct_chunk_put_f64(to, t->dx, t->x_of_d);
    cgct_chunk_put_f64(to, t->deps, t->eps_of_d);
    for (size_t i = 0; i < t->px; i++) cgct_chunk_put_u32(to, t->panel_x[i]);
    for (size_t i = 0; i < t->peps; i++) cgct_chunk_put_u32(to, t->panel_eps[i]);
    cgct_chunk_pad(to);
    return cgct_chunk_end(to, err);
}

static cgct_status write_tensor(cgct_chunks *to, const table_content *t, cgct_err *err)
{
    size_t n = t->members * t->nx * t->nq * 2;
    cgct_chunk_begin(to, t->parts ? "FUNC" : "TENS", 0);
    if (t->parts) {
        cgct_chunk_put_u32(to, t->parts);
        cgct_chunk_put_u32(to, t->functions);
        cgct_chunk_put_f64(to, 1, &t->k_end);
        n = t->nx * t->parts * (4 + 3 * t->functions);
    }
    cgct_chunk_put_f64(to, n, t->tensor);
    return cgct_chunk_end(to, err);
}

/* ---- segments ---- */

enum { GROUP = 4 }; /* r of one polarisation */

/* A group of a segment: V of its r for m = 0 are at v, those of the next m R planes further. */
typedef struct {
    const int32_t *v;
    size_t n; /* r */
} group;

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

static void encode_group(const table_content *t, const table_segment *s, const group *g,
                         group_code *to)
{
    const size_t nk = t->nl + t->nu, points = t->nq * nk;
    int32_t *end = malloc(2 * points * sizeof *end); /* those of find_ends, then of wide ones */
    uint16_t *ends = malloc(points * sizeof *ends);
    uint32_t *scratch = malloc((5 * points + t->nq + nk) * sizeof *scratch);
    memset(to, 0, sizeof *to);
    to->ends.failed = !end || !ends || !scratch;
    if (!to->ends.failed) {
        rice_points patch[2] = {{t->nq, t->nl, nk, 0, NULL}, {t->nq, t->nu, nk, 0, NULL}};
        for (int wide = 0; wide < 2; wide++) find_ends(t, s, g, wide, end + (size_t)wide * points);
        for (size_t j = 0; j < points; j++) {
            to->lines += 1 + (uint32_t)end[j] / 2 + (uint32_t)end[points + j] / 2;
            ends[j] = (uint16_t)end[j];
        }
        for (size_t i = 0; i < 4; i++)
            rice_put_plane(&to->ends, end + i % 2 * points + i / 2 * t->nl, &patch[i / 2], scratch);
        for (size_t upper = 0; upper < 2; upper++) {
            rice_points *p = &patch[upper];
            p->end = ends + upper * t->nl;
            for (p->m = 0; p->m < t->nm; p->m++)
                for (size_t r = 0; r < g->n; r++)
                    rice_put_plane(&to->planes, g->v + (p->m * s->R + r) * points + upper * t->nl,
                                   p, scratch);
        }
    }
    free(end);
    free(ends);
    free(scratch);
}

/* Groups are encoded side by side, each into bits of its own. */
cgct_status table_encode(const table_content *t, const table_segment *s, table_code *code,
                         cgct_err *err)
{
    const size_t groups = (s->R + GROUP - 1) / GROUP;
    rice_bits bits = {NULL, 0, 0, 0, 0};
    *code = (table_code){NULL, 0, 0};
    const size_t points = t->nq * (t->nl + t->nu);
    for (size_t k = 0; k < 2 * t->nm * s->R * points; k++)
        if (s->V[k] > LARGEST)
            return cgct_fail(err, CGCT_E_RANGE, "integer %d above %d; raise output.bound",
                             (int)s->V[k], (int)LARGEST);
    group_code *part = malloc(2 * groups * sizeof *part);
    bits.failed = !part;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < (part ? 2 * groups : 0); i++) {
        const size_t r = GROUP * (i % groups), left = s->R - r;
        const group g = {s->V + (i / groups * t->nm * s->R + r) * points,
                         left < GROUP ? left : GROUP};
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

static cgct_status write_segment(cgct_chunks *to, const table_content *t, size_t i, cgct_err *err)
{
    const table_segment *s = &t->segment[i];
    table_code code = {NULL, 0, 0};
    cgct_status st = CGCT_OK;
    if (s->code)
        code = *s->code;
    else
        st = table_encode(t, s, &code, err);
    if (st == CGCT_OK && code.lines > LINES_MAX / (t->px * t->peps))
        st = cgct_fail(err, CGCT_E_RANGE,
                       "the table has more integers than a reader takes, 2^29 shared by its "
                       "segments: fewer nodes, or a larger output.bound");
    if (st == CGCT_OK) {
        cgct_chunk_begin(to, "SEGM", 0);
        cgct_chunk_put_u32(to, s->R);
        cgct_chunk_put_u32(to, code.size);
        cgct_chunk_put_f64(to, 1, &s->step);
        cgct_chunk_put_f64(to, table_rows(t, i) * s->R, s->U);
        cgct_chunk_put(to, code.data, code.size);
        cgct_chunk_pad(to);
        st = cgct_chunk_end(to, err);
    }
    if (!s->code) free(code.data);
    return st;
}

/* ---- all of it ---- */

static cgct_status write_all(cgct_chunks *to, const table_content *t, cgct_err *err)
{
    CGCT_TRY(write_head(to, t, err));
    CGCT_TRY(write_meta(to, t, err));
    CGCT_TRY(write_axes(to, t, err));
    if (t->dx) {
        cgct_chunk_begin(to, "VARY", 0);
        cgct_chunk_put_u32(to, t->variations);
        cgct_chunk_put_u32(to, 0);
        cgct_chunk_put_f64(to, (t->members - 1) * t->variations, t->mix);
        CGCT_TRY(cgct_chunk_end(to, err));
    }
    CGCT_TRY(write_tensor(to, t, err));
    for (size_t i = 0; table_rows(t, i) > 0; i++) CGCT_TRY(write_segment(to, t, i, err));
    const size_t blocks = 2 * t->bq * (t->bl + t->bu);
    cgct_chunk_begin(to, "ERRS", 0);
    cgct_chunk_put(to, t->bounds, (t->members - t->shared) * t->nx * t->neps * blocks);
    cgct_chunk_pad(to);
    CGCT_TRY(cgct_chunk_end(to, err));
    return cgct_chunks_end(to, err);
}

cgct_status table_put(const table_content *t, cgct_chunks *to, cgct_err *err)
{
    CGCT_TRY(table_check(t, err));
    CGCT_TRY(cgct_chunks_restart(to, t->parts ? CGCT_FORWARD : CGCT_TABLE, err));
    return write_all(to, t, err);
}

cgct_status table_write(const table_content *t, const char *path, cgct_err *err)
{
    cgct_chunks to;
    cgct_status st = cgct_chunks_create(&to, path, CGCT_TABLE, err);
    if (st == CGCT_OK) st = table_put(t, &to, err);
    if (st == CGCT_OK) st = cgct_tmpfile_commit(&to.file, err);
    cgct_chunks_close(&to);
    return st;
}
