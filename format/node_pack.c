/* SPDX-License-Identifier: MIT */
/* One node (x,eps) of a table from its modes to the bytes that a file holds. */
#include "node_pack.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "codec.h"

/* The ratio_max of encoding 5.  I >= 0 implies |I_m| <= I_0: beyond it there is nothing but error,
 * and a point of noise would make the steps of all others small. */
#define RATIO_MAX 8.0
/* Encoding 5 has codes for bounds up to here. */
#define ERROR_RATIO_MAX 0x1p13

/* ---- scales and ratios ---- */

static cgct_status check_modes(size_t i, size_t nm, const double *modes, double error,
                               cgct_err *err)
{
    for (size_t m = 0; m < nm; m++)
        if (!isfinite(modes[m]))
            return cgct_fail(err, CGCT_E_DOMAIN,
                             "mode %zu of point %zu is %g, want a finite number", m, i, modes[m]);
    if (!(error >= 0 && isfinite(error)))
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "error bound of point %zu is %g, want a finite number >= 0", i, error);
    return CGCT_OK;
}

/* s = I_0 wherever that is a scale; see FORMAT.md 3.6 for the rest. */
static double choose_scale(size_t nm, const double *modes, double error, double ratio_max,
                           uint8_t *flag)
{
    double largest = 0;
    for (size_t m = 0; m < nm; m++) largest = fmax(largest, fabs(modes[m]));
    int good = modes[0] >= DBL_MIN && largest / modes[0] <= ratio_max &&
               error / modes[0] <= fmax(ratio_max, ERROR_RATIO_MAX);
    *flag = good ? 0 : CGCT_FLAG_SCALE;
    return good ? modes[0] : fmax(fmax(largest, error), DBL_MIN);
}

/* modes (n, nm) and error (n) in GeV^-6 -> p, made here by cgct_plane_init.  ratio_max: a point
 * where a mode exceeds this multiple of I_0 is flagged, or the error bound the larger one of it and
 * ERROR_RATIO_MAX.  Returns E_NOMEM, or
 * E_DOMAIN for numbers that are not finite or a bound below 0, naming (polarisation, point). */
static cgct_status set_plane(cgct_plane *p, size_t n, size_t nm, const double *modes,
                             const double *error, double ratio_max, cgct_err *err)
{
    CGCT_TRY(cgct_plane_init(p, n, nm, err));
    for (size_t i = 0; i < n; i++) {
        const double *I = modes + i * nm;
        cgct_status st = check_modes(i, nm, I, error[i], err);
        if (st != CGCT_OK) {
            cgct_plane_free(p);
            return st;
        }
        double s = p->scale[i] = choose_scale(nm, I, error[i], ratio_max, &p->flag[i]);
        p->flagged += p->flag[i];
        p->error[i] = error[i] / s;
        p->zero[i] = I[0] / s;
        for (size_t m = 1; m < nm; m++) p->mode[(m - 1) * n + i] = I[m] / s;
    }
    return CGCT_OK;
}

static void put_block(uint8_t *out, const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++) cgct_put_f64(out + 8 * i, v[i]);
}

/* Encoding 1; out has cgct_payload_size(n, nm) bytes. */
static void pack_lossless(const cgct_plane *p, uint8_t *out)
{
    size_t n = p->n, flag_bytes = (n + 7) / 8 * 8;
    put_block(out, p->scale, n);
    put_block(out + 8 * n, p->error, n);
    put_block(out + 16 * n, p->zero, n);
    memset(out + 24 * n, 0, flag_bytes);
    memcpy(out + 24 * n, p->flag, n);
    uint8_t *mode = out + 24 * n + flag_bytes;
    for (size_t i = 0; i < n; i++)
        for (size_t m = 1; m < p->nm; m++, mode += 8) cgct_put_f64(mode, p->mode[(m - 1) * n + i]);
}

/* Upper bound of the frame of a payload. */
static size_t frame_bound(const cgct_raw *raw)
{
    const size_t of_block = 16; /* what one more block may cost */
    return ZSTD_compressBound(raw->size) + of_block * (raw->cuts.n + 1);
}

/* Compresses raw as one frame whose blocks end at the cuts. Matches shorter than seven bytes are
 * not looked for: streams of symbols hold few that are of use. */
static size_t compress_blocks(ZSTD_CCtx *c, const cgct_raw *raw, uint8_t *out, size_t capacity)
{
    ZSTD_outBuffer to = {out, capacity, 0};
    size_t done = 0, left = 0;
    if (raw->cuts.n == 0) return ZSTD_compress2(c, out, capacity, raw->data, raw->size);
    ZSTD_CCtx_setParameter(c, ZSTD_c_minMatch, 7);
    ZSTD_CCtx_setPledgedSrcSize(c, raw->size);
    for (size_t i = 0; i <= raw->cuts.n && !ZSTD_isError(left); i++) {
        int last = i == raw->cuts.n;
        size_t end = last ? raw->size : raw->cuts.at[i];
        ZSTD_inBuffer from = {raw->data + done, end - done, 0};
        do left = ZSTD_compressStream2(c, &to, &from, last ? ZSTD_e_end : ZSTD_e_flush);
        while (left > 0 && !ZSTD_isError(left));
        done = end;
    }
    return ZSTD_isError(left) ? left : to.pos;
}

static cgct_status pack_frame(const cgct_raw *raw, int level, uint8_t *out, size_t capacity,
                              size_t *size, cgct_err *err)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    if (!c) return cgct_fail(err, CGCT_E_NOMEM, "no memory for zstd");
    ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, level);
    *size = compress_blocks(c, raw, out, capacity);
    ZSTD_freeCCtx(c);
    if (ZSTD_isError(*size))
        return cgct_fail(err, CGCT_E_NOMEM, "zstd cannot compress %zu bytes at level %d: %s",
                         raw->size, level, ZSTD_getErrorName(*size));
    return CGCT_OK;
}

/* ---- where a zstd frame begins a new block ---- */

enum { UNITS_MAX = 512, UNIT_LEAST = 128 };
/* Cost of a block in bits beside that of its symbols: a fixed part, which includes the time a
 * decoder spends on one more block, and a part for each symbol in its table of code lengths. */
#define BLOCK_BITS 240.0
#define SYMBOL_BITS 4.0

typedef struct {
    uint32_t count[256];
    size_t end;         /* in the symbols */
    double cost, merge; /* of it alone, and together with the next one */
} cut_unit;

static double block_bits(const uint32_t *a, const uint32_t *b)
{
    double total = 0, sum = 0, bits = BLOCK_BITS;
    for (int i = 0; i < 256; i++) {
        double c = (double)a[i] + (b ? b[i] : 0);
        if (c == 0) continue;
        total += c;
        sum += c * log2(c);
        bits += SYMBOL_BITS;
    }
    return bits + total * log2(total) - sum;
}

/* Merges unit i with the next one. */
static void merge_units(cut_unit *u, size_t *n, size_t i)
{
    for (int s = 0; s < 256; s++) u[i].count[s] += u[i + 1].count[s];
    u[i].end = u[i + 1].end;
    u[i].cost = u[i].merge;
    memmove(u + i + 1, u + i + 2, (*n - i - 2) * sizeof *u);
    --*n;
    for (size_t j = i ? i - 1 : 0; j <= i && j + 1 < *n; j++)
        u[j].merge = block_bits(u[j].count, u[j + 1].count);
}

/* Merges neighbours as long as that saves bits; returns how many units are left. */
static size_t join_units(cut_unit *u, size_t n)
{
    for (;;) {
        double most = 0;
        size_t best = n;
        for (size_t i = 0; i + 1 < n; i++) {
            double gain = u[i].cost + u[i + 1].cost - u[i].merge;
            if (gain > most) {
                most = gain;
                best = i;
            }
        }
        if (best == n) return n;
        merge_units(u, &n, best);
    }
}

cgct_status cgct_cuts_choose(cgct_cuts *cuts, const uint8_t *data, size_t first, size_t count,
                             cgct_err *err)
{
    size_t each = count / UNITS_MAX + 1 > UNIT_LEAST ? count / UNITS_MAX + 1 : UNIT_LEAST;
    size_t n = (count + each - 1) / each;
    cut_unit *u = calloc(n + 1, sizeof *u);
    cuts->at = malloc((n + 1) * sizeof *cuts->at);
    if (!u || !cuts->at) {
        free(u);
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu blocks", n);
    }
    for (size_t i = 0; i < n; i++) {
        u[i].end = (i + 1) * each < count ? (i + 1) * each : count;
        for (size_t j = i * each; j < u[i].end; j++) u[i].count[data[first + j]]++;
        u[i].cost = block_bits(u[i].count, NULL);
    }
    for (size_t i = 0; i + 1 < n; i++) u[i].merge = block_bits(u[i].count, u[i + 1].count);
    n = join_units(u, n);
    cuts->n = n + 1;
    cuts->at[0] = first;
    for (size_t i = 0; i < n; i++) cuts->at[i + 1] = first + u[i].end;
    free(u);
    return CGCT_OK;
}

void cgct_raw_free(cgct_raw *r)
{
    free(r->data);
    free(r->cuts.at);
    memset(r, 0, sizeof *r);
}

/* ---- the packed node ---- */

enum { AT_ROUNDING = CGCT_NODE_SIZE, AT_SHAPE = AT_ROUNDING + 8 };

/* Number of modes of a point up to its last one that is not zero. */
static size_t modes_kept(const cgct_plane *p, size_t point)
{
    size_t nm = p->nm;
    while (nm > 1 && p->mode[(nm - 2) * p->n + point] == 0) nm--;
    return nm;
}

static void put_shape(const cgct_plane *p, uint8_t *to)
{
    size_t points = p->n / 2;
    for (size_t i = 0; i < points; i++) {
        size_t T = modes_kept(p, i), L = modes_kept(p, points + i);
        cgct_put_u16(to + 2 * i, (uint16_t)(T > L ? T : L));
    }
}

/* Drops the highest modes that round to zero at every point. */
static void drop_small_modes(cgct_plane *p, double below)
{
    size_t n = p->n * (p->nm - 1);
    while (n > 0 && !(fabs(p->mode[n - 1]) > below)) n--;
    p->nm = 1 + (n + p->n - 1) / p->n;
}

static cgct_status encode_node(const cgct_writer_spec *s, cgct_plane *p, cgct_raw *raw,
                               double *rounding, cgct_err *err)
{
    *rounding = 0;
    if (s->bound > 0) {
        CGCT_TRY(cgct_predicted_pack(p, s->nq, s->nk, s->bound, raw, rounding, err));
        if (*rounding <= s->bound) return CGCT_OK;
        return cgct_fail(err, CGCT_E_ACCURACY, "decoded modes are off by %g of I_0, allowed %g",
                         *rounding, s->bound);
    }
    uint64_t size = cgct_payload_size(p->n, p->nm);
    if (size > SIZE_MAX / 2 || !(raw->data = malloc((size_t)size)))
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu points of %zu modes", p->n, p->nm);
    raw->size = (size_t)size;
    pack_lossless(p, raw->data);
    return CGCT_OK;
}

/* Puts index entry, rounding, shape and the frame (or the payload itself where the level is 0)
 * into one piece of memory. */
static cgct_status assemble_packed_node(const cgct_writer_spec *s, const cgct_plane *p,
                                        const cgct_raw *raw, double rounding, uint8_t **packed,
                                        size_t *size, cgct_err *err)
{
    size_t at = AT_SHAPE + p->n, frame_size = raw->size;
    size_t room = s->level ? frame_bound(raw) : raw->size;
    cgct_crc64_table crc;
    uint8_t *to = malloc(at + room);
    if (!to) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a node of %zu bytes", raw->size);
    cgct_status st = CGCT_OK;
    if (s->level)
        st = pack_frame(raw, s->level, to + at, room, &frame_size, err);
    else
        memcpy(to + at, raw->data, raw->size);
    if (st != CGCT_OK) {
        free(to);
        return st;
    }
    cgct_crc64_init(&crc);
    const cgct_entry e = {.stored_size = frame_size,
                          .raw_size = raw->size,
                          .stored_crc = cgct_crc64(&crc, to + at, frame_size),
                          .raw_crc = s->bound > 0 ? 0 : cgct_crc64(&crc, raw->data, raw->size),
                          .nm = (uint32_t)p->nm,
                          .encoding = s->bound > 0 ? CGCT_ENCODING_PREDICTED : CGCT_ENCODING_F64,
                          .compression = s->level ? CGCT_ZSTD : CGCT_STORED,
                          .flagged = (uint32_t)p->flagged};
    cgct_entry_pack(&e, to);
    cgct_put_f64(to + AT_ROUNDING, rounding);
    put_shape(p, to + AT_SHAPE);
    uint8_t *fit = realloc(to, at + frame_size);
    *packed = fit ? fit : to;
    *size = at + frame_size;
    return CGCT_OK;
}

cgct_status cgct_node_pack(const cgct_writer_spec *s, const cgct_node *node, uint8_t **packed,
                           size_t *size, cgct_err *err)
{
    size_t n = 2 * s->nq * s->nk;
    double rounding, ratio_max = s->bound > 0 ? RATIO_MAX : DBL_MAX;
    cgct_raw raw = {NULL, 0, {0, NULL}};
    cgct_plane p;
    *packed = NULL;
    if (node->nm < 1 || node->nm > CGCT_MODES_MAX)
        return cgct_fail(err, CGCT_E_USAGE, "%zu modes, want 1 to %d", node->nm, CGCT_MODES_MAX);
    CGCT_TRY(set_plane(&p, n, node->nm, node->modes, node->error, ratio_max, err));
    drop_small_modes(&p, 0.8 * s->bound); /* such a mode, left out, is off by less than the bound */
    cgct_status st = encode_node(s, &p, &raw, &rounding, err);
    if (st == CGCT_OK) st = assemble_packed_node(s, &p, &raw, rounding, packed, size, err);
    cgct_raw_free(&raw);
    cgct_plane_free(&p);
    return st;
}

cgct_status cgct_packed_parse(const uint8_t *packed, size_t size, size_t points,
                              cgct_packed_node *node, cgct_err *err)
{
    size_t at = AT_SHAPE + 2 * points;
    if (size < at || cgct_get_u64(packed + CGCT_NODE_AT_STORED) != size - at)
        return cgct_fail(err, CGCT_E_FORMAT, "%zu bytes are no packed node of %zu points", size,
                         points);
    node->entry = cgct_entry_get(packed);
    node->rounding = cgct_get_f64(packed + AT_ROUNDING);
    node->shape = packed + AT_SHAPE;
    node->frame = packed + at;
    return CGCT_OK;
}
