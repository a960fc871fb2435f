/* SPDX-License-Identifier: MIT */
/* Nodes as they lie in the file: for programs that inspect a table instead of evaluating it. */
#include <stdlib.h>

#include "cgctab_internal.h"
#include "../format/elementary.h"

static cgct_status find_node(const cgct_table *t, size_t ix, size_t ieps, size_t *node,
                             cgct_err *err)
{
    *node = 0;
    if (!t) return cgct_fail(err, CGCT_E_USAGE, "table is NULL");
    size_t nx = t->grid[CGCT_AXIS_X].n, neps = t->grid[CGCT_AXIS_EPS].n;
    *node = ix * neps + ieps;
    if (ix < nx && ieps < neps) return CGCT_OK;
    return cgct_fail(err, CGCT_E_USAGE, "%s: node (%zu,%zu) of %zu x %zu", t->path, ix, ieps, nx,
                     neps);
}

cgct_status cgct_node_sizes(const cgct_table *t, size_t ix, size_t ieps, cgct_node_info *info)
{
    size_t node;
    if (!info) return CGCT_E_USAGE;
    memset(info, 0, sizeof *info);
    CGCT_TRY(find_node(t, ix, ieps, &node, NULL));
    info->modes = t->entry[node].nm;
    info->stored_bytes = (double)t->entry[node].stored_size;
    info->raw_bytes = (double)t->entry[node].raw_size;
    return CGCT_OK;
}

cgct_status cgct_node_checksum(const cgct_table *t, size_t ix, size_t ieps, cgct_err *err)
{
    size_t node;
    cgct_file f;
    CGCT_TRY(find_node(t, ix, ieps, &node, err));
    const cgct_entry *e = &t->entry[node];
    uint8_t *bytes = e->stored_size < SIZE_MAX ? (uint8_t *)malloc((size_t)e->stored_size) : NULL;
    if (!bytes) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for a node", t->path);
    cgct_status st = cgct_file_open(&f, t->path, 0, err);
    if (st == CGCT_OK) {
        st = cgct_file_read(&f, e->offset, bytes, (size_t)e->stored_size, err);
        if (st == CGCT_OK && cgct_crc64(&t->crc, bytes, (size_t)e->stored_size) != e->stored_crc)
            st = cgct_fail(err, CGCT_E_CHECKSUM,
                           "%s: node x = %g, eps = %g: frame damaged: checksum differs from the "
                           "stored one; copy the file again",
                           t->path, t->grid[CGCT_AXIS_X].v[ix], t->grid[CGCT_AXIS_EPS].v[ieps]);
        cgct_file_close(&f);
    }
    free(bytes);
    return st;
}

/* ---- numbers of a node ---- */

static cgct_status node_data_init(const cgct_table *t, size_t nm, cgct_node_data *d, cgct_err *err)
{
    d->nq = t->grid[CGCT_AXIS_Q].n;
    d->nk = t->grid[CGCT_AXIS_K].n;
    d->nm = nm;
    size_t n = 2 * d->nq * d->nk;
    d->modes = (double *)calloc(n, nm * sizeof *d->modes);
    d->error = (double *)calloc(n, sizeof *d->error);
    d->flag = (unsigned char *)calloc(n, 1);
    if (d->modes && d->error && d->flag) return CGCT_OK;
    return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for %zu points of %zu modes", t->path, n,
                     nm);
}

static cgct_status node_from_file(const cgct_table *t, size_t node, cgct_node_data *d,
                                  cgct_err *err)
{
    cgct_file f;
    cgct_plane p;
    CGCT_TRY(cgct_file_open(&f, t->path, 0, err));
    cgct_status st = cgct_node_load(t, &f, node, &p, err);
    if (st != CGCT_OK && st != CGCT_E_IO) cgct_context(err, st, "%s", t->path);
    cgct_file_close(&f);
    if (st != CGCT_OK) return st;
    st = node_data_init(t, p.nm, d, err);
    for (size_t i = 0; i < p.n && st == CGCT_OK; i++) {
        double *modes = d->modes + i * p.nm;
        modes[0] = p.scale[i] * p.zero[i];
        for (size_t m = 1; m < p.nm; m++) modes[m] = p.scale[i] * p.mode[(m - 1) * p.n + i];
        d->error[i] = p.scale[i] * p.error[i];
        d->flag[i] = p.flag[i];
    }
    cgct_plane_free(&p);
    return st;
}

static cgct_status node_from_records(const cgct_table *t, size_t node, cgct_node_data *d,
                                     cgct_err *err)
{
    const cgct_records *r = &t->node[node];
    if (cgct_node_check(t, node) != CGCT_OK)
        return cgct_fail(err, CGCT_E_CHECKSUM, "%s: node %zu is damaged; copy the file again",
                         t->path, node);
    CGCT_TRY(node_data_init(t, t->entry[node].nm, d, err));
    for (size_t i = 0; i < 2 * d->nq * d->nk; i++) {
        const uint32_t *at = r->start + i % (d->nq * d->nk);
        size_t pol = i / (d->nq * d->nk), room = cgct_modes_in(at[1] - at[0]);
        double *modes = d->modes + i * d->nm;
        double s = cgct_exp(cgct_record_get(r, at[0], pol)), b = cgct_record_get(r, at[0], 2 + pol);
        modes[0] = s * (r->flag[i] ? b : 1 + b);
        if (!r->flag[i]) s = modes[0];
        for (size_t m = 1; m < d->nm && m < room; m++)
            modes[m] = s * cgct_record_get(r, at[0], 2 + 2 * m + pol);
        d->error[i] = s * r->error[i];
        d->flag[i] = r->flag[i];
    }
    return CGCT_OK;
}

cgct_status cgct_node_read(const cgct_table *t, size_t ix, size_t ieps, cgct_node_data *d,
                           cgct_err *err)
{
    size_t node;
    if (!d) return cgct_fail(err, CGCT_E_USAGE, "cgct_node_read: nowhere to put the node");
    memset(d, 0, sizeof *d);
    CGCT_TRY(find_node(t, ix, ieps, &node, err));
    if (!cgct_is_records(t->entry[node].encoding)) {
        cgct_status st = node_from_file(t, node, d, err);
        if (st != CGCT_OK) cgct_node_free(d);
        return st;
    }
    if (!t->node)
        return cgct_fail(err, CGCT_E_USAGE, "%s: an unpacked table; open it with cgct_open",
                         t->path);
    cgct_status st = node_from_records(t, node, d, err);
    if (st != CGCT_OK) cgct_node_free(d);
    return st;
}

void cgct_node_free(cgct_node_data *d)
{
    if (!d) return;
    free(d->modes);
    free(d->error);
    free(d->flag);
    memset(d, 0, sizeof *d);
}
