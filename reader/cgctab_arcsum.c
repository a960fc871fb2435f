/* SPDX-License-Identifier: MIT */
/* Values of a slice by arcs: where a point lies on the axes and on which arc, one line of the cache
 * for each node around it, a polynomial. */
#include <math.h>

#include "../format/elementary.h"
#include "cgctab_window.h"

/* A few points at a time: so many lines are on the way while others are summed. */
enum { GROUP = 8 };

#define PI 3.14159265358979323846

typedef struct {
    int q[GROUP], k[GROUP], arc[GROUP]; /* cells, arc of 2 n */
    double v[GROUP];                    /* -1..1 on the arc */
} arc_places;

CGCT_INLINE void find_arcs(int n, const cgct_places *at, size_t i0, size_t group, arc_places *to)
{
    for (size_t i = 0; i < group; i++) {
        double cosine = at->cosine[i0 + i], t = fabs(at->sine[i0 + i]) / (1 + fabs(cosine));
        double u = t * (6 - t * t) * (0.2 * (double)n);
        u = u < (double)n ? u : (double)n; /* no number, where the point has failed: any arc */
        int a = (int)u;
        a -= a == n;
        to->v[i] = 2 * (u - (double)a) - 1;
        to->arc[i] = a + (2 * n - 1 - 2 * a) * (cosine < 0);
    }
}

CGCT_INLINE void find_cells_and_arcs(const cgct_dense *d, const cgct_places *at, size_t i0,
                                     size_t group, arc_places *to)
{
    for (size_t i = 0; i < group; i++) to->q[i] = cgct_cell_of(&d->arcs.q, at->q[i0 + i]);
    for (size_t i = 0; i < group; i++) to->k[i] = cgct_cell_of(&d->arcs.k, at->k[i0 + i]);
    find_arcs((int)d->arcs.n, at, i0, group, to);
}

CGCT_INLINE void fetch_rows(const float *line, size_t row, size_t n)
{
    CGCT_UNROLL
    for (size_t i = 0; i < n; i++, line += row * CGCT_BLOCK) {
        CGCT_UNROLL
        for (size_t j = 0; j < n; j++) CGCT_PREFETCH(line + j * CGCT_BLOCK);
    }
}

CGCT_INLINE void add_up(const cgct_dense *d, const cgct_window *s, double v, size_t span,
                        cgct_places *at, size_t point)
{
    cgct_narrow sum = CGCT_NARROW_ZERO;
    double ln_s[2], value[2];
    cgct_window_sum(d, s, 0, span, &sum);
    cgct_window_scale(d, s, span, ln_s);
    cgct_narrow_polynomial(&sum, v, value);
    for (int pol = 0; pol < 2; pol++) {
        at->sum[pol][point] = value[pol];
        at->a[pol][point] = ln_s[pol];
        at->b[pol][point] = 0;
    }
}

CGCT_INLINE void sum_group(const cgct_planes *p, size_t i0, size_t n, size_t group, size_t span,
                           cgct_places *at, uint8_t *served)
{
    const cgct_dense *d = p->dense;
    arc_places to;
    cgct_window s[GROUP];
    find_cells_and_arcs(d, at, i0, group, &to);
    for (size_t i = 0; i < n; i++) {
        const cgct_cell_point in = {at->ln_q[i0 + i], at->ln_k[i0 + i], (size_t)to.q[i],
                                    (size_t)to.k[i]};
        served[i0 + i] = at->below[i0 + i] ? 0 : 1;
        if (served[i0 + i] && p->dirty) served[i0 + i] += p->dirty[in.q * (d->row - 1) + in.k];
        const size_t arc = (size_t)to.arc[i] * d->points * CGCT_BLOCK;
        const float *const from[2] = {d->arcs.sum[0] + arc,
                                      d->arcs.sum[1] ? d->arcs.sum[1] + arc : NULL};
        cgct_window_at(d, in, span, from, &s[i]);
        if (group == 1) continue;
        fetch_rows(s[i].line[0], d->row, span);
        if (s[i].line[1]) fetch_rows(s[i].line[1], d->row, 2);
    }
    for (size_t i = 0; i < n; i++)
        if (served[i0 + i]) add_up(d, &s[i], to.v[i], span, at, i0 + i);
}
CGCT_INLINE void sum_arc_groups(const cgct_planes *p, size_t n, size_t span, cgct_places *at,
                                uint8_t *served)
{
    if (n == 1) {
        sum_group(p, 0, 1, 1, span, at, served);
        return;
    }
    for (size_t i = 0; i < n; i += GROUP)
        sum_group(p, i, n - i < GROUP ? n - i : (size_t)GROUP, GROUP, span, at, served);
}

CGCT_CLONES
static void sum_four(const cgct_planes *p, size_t n, cgct_places *at, uint8_t *served)
{
    sum_arc_groups(p, n, 4, at, served);
}

CGCT_CLONES
static void sum_six(const cgct_planes *p, size_t n, cgct_places *at, uint8_t *served)
{
    sum_arc_groups(p, n, 6, at, served);
}

CGCT_CLONES
static void sum_any(const cgct_planes *p, size_t n, cgct_places *at, uint8_t *served)
{
    for (size_t i = 0; i < n; i++) sum_group(p, i, 1, 1, 0, at, served);
}

void cgct_arcs_sum(const cgct_planes *p, size_t n, cgct_places *at, uint8_t *served)
{
    size_t span = cgct_window_span(p->dense);
    if (span == 4)
        sum_four(p, n, at, served);
    else if (span == 6)
        sum_six(p, n, at, served);
    else
        sum_any(p, n, at, served);
}

/* ---- many angles at one place ---- */

CGCT_INLINE void sum_arc_rows(const cgct_dense *d, const cgct_window *s, size_t span,
                              cgct_arc_row *row)
{
    CGCT_ALIGNED double both[CGCT_BLOCK], ln_s[2];
    cgct_window_scale(d, s, span, ln_s);
    for (int i = 0; i < CGCT_BLOCK; i++) both[i] = 4 * PI * cgct_exp(ln_s[i % 2]);
    for (size_t a = 0; a < 2 * d->arcs.n; a++) {
        CGCT_ALIGNED double each[CGCT_BLOCK];
        cgct_narrow sum = CGCT_NARROW_ZERO;
        cgct_window_sum(d, s, a * d->points * CGCT_BLOCK, span, &sum);
        cgct_narrow_store(each, &sum);
        for (int i = 0; i < CGCT_BLOCK; i++) each[i] *= both[i];
        cgct_wide_load(&row->arc[a], each);
    }
}

CGCT_CLONES
static void arc_rows_at(const cgct_dense *d, cgct_cell_point at, size_t span, cgct_arc_row *row)
{
    cgct_window s;
    const float *const from[2] = {d->arcs.sum[0], d->arcs.sum[1]};
    cgct_window_at(d, at, 0, from, &s);
    if (span == 4)
        sum_arc_rows(d, &s, 4, row);
    else if (span == 6)
        sum_arc_rows(d, &s, 6, row);
    else
        sum_arc_rows(d, &s, 0, row);
}

int cgct_arcs_serve(const cgct_planes *p, double q, double k)
{
    const cgct_dense *d = p->dense;
    if (!d->arcs.n || !p->dirty) return d->arcs.n > 0;
    int iq = cgct_cell_of(&d->arcs.q, q), ik = cgct_cell_of(&d->arcs.k, k);
    return !p->dirty[(size_t)iq * (d->row - 1) + (size_t)ik];
}

int cgct_arcs_row(const cgct_planes *p, double q, double k, cgct_arc_row *row)
{
    const cgct_dense *d = p->dense;
    if (!cgct_arcs_serve(p, q, k)) return 0;
    size_t iq = (size_t)cgct_cell_of(&d->arcs.q, q), ik = (size_t)cgct_cell_of(&d->arcs.k, k);
    row->n = (int)d->arcs.n;
    const cgct_cell_point at = {cgct_ln(q), cgct_ln(k), iq, ik};
    arc_rows_at(d, at, cgct_window_span(d), row);
    return 1;
}

CGCT_CLONES
static void row_values(const cgct_arc_row *row, size_t n, const cgct_places *at, double *values)
{
    for (size_t i0 = 0; i0 < n; i0 += GROUP) {
        arc_places to;
        find_arcs(row->n, at, i0, GROUP, &to);
        for (size_t i = i0; i < n && i < i0 + GROUP; i++, values += 2)
            cgct_wide_polynomial(&row->arc[to.arc[i - i0]], to.v[i - i0], at->share[i], values);
    }
}

void cgct_arcs_angles(const cgct_arc_row *row, size_t n, const cgct_places *at, double *values)
{
    row_values(row, n, at, values);
}
