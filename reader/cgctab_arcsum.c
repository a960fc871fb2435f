/* SPDX-License-Identifier: MIT */
/* Values of a slice by arcs for many points, and for many angles at one place. */
#include "cgctab_arcsum.h"

#define PI 3.14159265358979323846

CGCT_INLINE void sum_all(const cgct_planes *p, size_t n, size_t span, cgct_places *at,
                         uint8_t *served)
{
    for (size_t i = 0; i < n; i += CGCT_GROUP)
        cgct_arcs_group(p, i, n - i < CGCT_GROUP ? n - i : (size_t)CGCT_GROUP, CGCT_GROUP, span, at,
                        served);
}

CGCT_CLONES
static void sum_four(const cgct_planes *p, size_t n, cgct_places *at, uint8_t *served)
{
    sum_all(p, n, 4, at, served);
}

CGCT_CLONES
static void sum_six(const cgct_planes *p, size_t n, cgct_places *at, uint8_t *served)
{
    sum_all(p, n, 6, at, served);
}

CGCT_CLONES
static void sum_any(const cgct_planes *p, size_t n, cgct_places *at, uint8_t *served)
{
    for (size_t i = 0; i < n; i++) cgct_arcs_group(p, i, 1, 1, 0, at, served);
}

void cgct_arcs_sum(const cgct_planes *p, size_t n, cgct_places *at, uint8_t *served)
{
    size_t span = cgct_arcs_span(p->dense);
    if (span == 4)
        sum_four(p, n, at, served);
    else if (span == 6)
        sum_six(p, n, at, served);
    else
        sum_any(p, n, at, served);
}

/* ---- many angles at one place ---- */

CGCT_INLINE void sum_rows(const cgct_dense *d, const cgct_window *s, size_t span, cgct_arc_row *row)
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
static void rows_of(const cgct_dense *d, double ln_q, double ln_k, size_t q, size_t k, size_t span,
                    cgct_arc_row *row)
{
    cgct_window s;
    const float *const from[2] = {d->arcs.sum[0], d->arcs.sum[1]};
    cgct_window_at(d, ln_q, ln_k, q, k, 0, from, &s);
    if (span == 4)
        sum_rows(d, &s, 4, row);
    else if (span == 6)
        sum_rows(d, &s, 6, row);
    else
        sum_rows(d, &s, 0, row);
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
    rows_of(d, cgct_ln(q), cgct_ln(k), iq, ik, cgct_arcs_span(d), row);
    return 1;
}

CGCT_CLONES
static void row_values(const cgct_arc_row *row, size_t n, const cgct_places *at, double *values)
{
    for (size_t i0 = 0; i0 < n; i0 += CGCT_GROUP) {
        arc_places to;
        find_arcs(row->n, at, i0, CGCT_GROUP, &to);
        for (size_t i = i0; i < n && i < i0 + CGCT_GROUP; i++, values += 2)
            cgct_wide_polynomial(&row->arc[to.arc[i - i0]], to.v[i - i0], at->share[i], values);
    }
}

void cgct_arcs_angles(const cgct_arc_row *row, size_t n, const cgct_places *at, double *values)
{
    row_values(row, n, at, values);
}
