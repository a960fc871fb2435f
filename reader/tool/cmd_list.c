/* SPDX-License-Identifier: MIT */
/* list and stats: bounds at the nodes in (x,eps), and the size of the angular modes. */
#include <math.h>
#include <stdlib.h>

#include "tool.h"

/* ---- list ---- */

int cmd_list(tool_call *c)
{
    static const char *const columns[] = {"ix", "ieps", "x", "eps", "bound_median", "bound_max"};
    TOOL_TRY(tool_open_first(c));
    tool_out *o = &c->out;
    const tool_axes *a = &c->axes;
    const size_t neps = a->n[TOOL_EPS];
    cgct_slice *slice = NULL;
    number_list shares = {0};
    int st = TOOL_OK;
    out_table(o, "nodes", sizeof columns / sizeof *columns, columns);
    for (size_t i = 0; i < a->n[TOOL_X] * neps && st == TOOL_OK; i++) {
        double v[5] = {a->v[TOOL_X][i / neps], a->v[TOOL_EPS][i % neps], 0, 0, TOOL_PI}, share[2];
        shares.n = 0;
        st = tool_slice(c->table, v, &slice);
        for (size_t j = 0; j < tool_qk_count(a) && st == TOOL_OK; j++) {
            if (!tool_qk(c->table, a, j, v + 2, v + 3)) continue;
            st = tool_bound_share(c->table, slice, v, share);
            for (int pol = 0; pol < 2 && st == TOOL_OK; pol++)
                st = tool_list_add(&shares, share[pol]);
        }
        if (st != TOOL_OK) break;
        tool_list_sort(&shares);
        out_cell_count(o, i / neps);
        out_cell_count(o, i % neps);
        out_cells(o, 2, v);
        out_cell(o, shares.v[shares.n / 2]);
        out_cell(o, shares.v[shares.n - 1]);
    }
    out_table_end(o);
    cgct_slice_free(slice);
    number_list_free(&shares);
    return st;
}

/* ---- stats ---- */

typedef struct {
    size_t nm, points;          /* (q,k) of nodes and polarisations that entered */
    double *low, *high, *modes; /* (2, nm): of I_m/I_0; of one point */
} mode_range;

/* All nodes, or SCANNED of them: modes take as long as hundreds of values. */
static int scan(const tool_call *c, mode_range *r)
{
    enum { SCANNED = 4000 };
    const double golden = 0.61803398874989485; /* its multiples spread evenly */
    const tool_axes *a = &c->axes;
    const size_t nqk = tool_qk_count(a), neps = a->n[TOOL_EPS], n = a->n[TOOL_X] * neps * nqk;
    const size_t scanned = n < SCANNED ? n : SCANNED;
    double node[SCANNED], v[5] = {0};
    cgct_slice *slice = NULL;
    int st = TOOL_OK;
    for (size_t j = 0; j < scanned; j++)
        node[j] = n == scanned ? (double)j : floor((double)n * fmod(golden * (double)j, 1));
    tool_list_sort(&(number_list){.v = node, .n = scanned});
    for (size_t j = 0; j < scanned && st == TOOL_OK; j++) {
        const size_t i = (size_t)node[j], at = i / nqk;
        if (j == 0 || at != (size_t)node[j - 1] / nqk) {
            v[0] = a->v[TOOL_X][at / neps];
            v[1] = a->v[TOOL_EPS][at % neps];
            st = tool_slice(c->table, v, &slice);
        }
        if (st != TOOL_OK || !tool_qk(c->table, a, i % nqk, v + 2, v + 3)) continue;
        const cgct_status got = cgct_slice_modes(slice, v[2], v[3], r->nm, r->modes);
        if (got != CGCT_OK) st = tool_fail_at(c->table, v, got);
        for (size_t k = 0; k < 2 * r->nm && got == CGCT_OK; k++) {
            const size_t first = k < r->nm ? 0 : r->nm; /* of this polarisation */
            if (!(r->modes[first] > 0)) continue;
            r->points += k == first;
            r->low[k] = fmin(r->low[k], r->modes[k] / r->modes[first]);
            r->high[k] = fmax(r->high[k], r->modes[k] / r->modes[first]);
        }
    }
    cgct_slice_free(slice);
    return st;
}

int cmd_stats(tool_call *c)
{
    static const char *const columns[] = {"m",     "min_T", "max_T",  "decay_T",
                                          "min_L", "max_L", "decay_L"};
    double before[2] = {NAN, NAN};
    TOOL_TRY(tool_open_first(c));
    tool_out *o = &c->out;
    const cgct_info *info = &c->axes.info;
    size_t n = 2 * info->modes;
    double *memory = malloc(3 * n * sizeof *memory);
    if (!memory) return tool_fail("no memory for %zu modes", info->modes);
    mode_range r = {info->modes, 0, memory, memory + n, memory + 2 * n};
    for (size_t i = 0; i < n; i++) {
        r.low[i] = INFINITY;
        r.high[i] = -INFINITY;
    }
    int st = scan(c, &r);
    if (st == TOOL_OK && !(o->quiet && o->form != OUT_JSON) && o->form != OUT_CSV) {
        size_t nodes = info->members * c->axes.n[TOOL_X] * c->axes.n[TOOL_EPS];
        out_count(o, "file_bytes", (size_t)info->file_bytes);
        out_number(o, "bytes_a_node", info->file_bytes / (double)nodes, "");
        out_count(o, "memory_bytes", (size_t)info->memory_bytes);
        out_count(o, "points", r.points);
    }
    if (st == TOOL_OK) out_table(o, "modes", sizeof columns / sizeof *columns, columns);
    for (size_t m = 0; m < r.nm && st == TOOL_OK; m++) {
        out_cell_count(o, m);
        for (size_t pol = 0; pol < 2; pol++) {
            double low = r.low[pol * r.nm + m], high = r.high[pol * r.nm + m];
            double size = fmax(fabs(low), fabs(high));
            out_cell(o, low);
            out_cell(o, high);
            out_cell(o, size / before[pol]);
            before[pol] = size;
        }
    }
    if (st == TOOL_OK) out_table_end(o);
    free(memory);
    return st;
}
