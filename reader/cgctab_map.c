/* SPDX-License-Identifier: MIT */
/* Unpacked files: records stay in the file, which is mapped; each node is checked the first time
 * that it is wanted, so that opening costs nothing and damage is still named. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cgctab_internal.h"
#include "../format/elementary.h"

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
