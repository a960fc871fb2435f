/* SPDX-License-Identifier: MIT */
/* Nodes in memory: where the modes of a point (q,k) lie, and how they get there. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <math.h>
#include <stdlib.h>

#include "cgctab_internal.h"
#include "cgctab_math.h"

static size_t points(const cgct_table *t)
{
    return t->grid[CGCT_AXIS_Q].n * t->grid[CGCT_AXIS_K].n;
}

/* ---- shape ---- */

/* Modes of one node of encoding 1 or 2 in a file without shape: as many as the node has. */
static size_t modes_of_column(const cgct_table *t, size_t ieps)
{
    size_t most = 1, neps = t->grid[CGCT_AXIS_EPS].n;
    for (size_t ix = 0; ix < t->grid[CGCT_AXIS_X].n; ix++)
        if (t->entry[ix * neps + ieps].nm > most) most = t->entry[ix * neps + ieps].nm;
    return most;
}

/* Raises to (cells) to the largest of from (n) over each stencil; lower: also over those that begin
 * lower and still contain the cell, which are taken near flagged points. */
static void raise_over(const cgct_grid *g, const uint32_t *from, size_t stride, int lower,
                       uint32_t *to, size_t step)
{
    for (size_t cell = 0; cell < cgct_grid_cells(g); cell++) {
        cgct_stencil s;
        cgct_stencil_at(g, cell, &s);
        size_t first = s.first;
        while (lower && first > 0 && first + s.n - 2 > cell) first--;
        for (size_t i = first; i < s.first + s.n; i++)
            if (from[i * stride] > to[cell * step]) to[cell * step] = from[i * stride];
    }
}

cgct_status cgct_shape_raise(const cgct_table *t, const uint32_t *start, int lower,
                             uint16_t *blocks, cgct_err *err)
{
    const cgct_grid *gq = &t->grid[CGCT_AXIS_Q], *gk = &t->grid[CGCT_AXIS_K];
    size_t cq = cgct_grid_cells(gq), ck = cgct_grid_cells(gk), n = gq->n * gk->n;
    uint32_t *own = (uint32_t *)calloc(n + gq->n * ck + cq * ck, sizeof *own);
    if (!own) return cgct_fail(err, CGCT_E_NOMEM, "no memory for the shape of %zu points", n);
    uint32_t *along_k = own + n, *both = along_k + gq->n * ck;
    for (size_t i = 0; i < n; i++) own[i] = start[i + 1] - start[i];
    for (size_t i = 0; i < gq->n; i++) raise_over(gk, own + i * gk->n, 1, 0, along_k + i * ck, 1);
    for (size_t j = 0; j < ck; j++) raise_over(gq, along_k + j, ck, lower, both + j, ck);
    for (size_t i = 0; i < cq * ck; i++)
        if (both[i] > blocks[i]) blocks[i] = (uint16_t)both[i];
    free(own);
    return CGCT_OK;
}

static cgct_status fill_blocks(cgct_shape *s, const cgct_table *t, cgct_err *err)
{
    const cgct_grid *ge = &t->grid[CGCT_AXIS_EPS];
    int lower = (t->head.features & CGCT_FEATURE_SPLIT) != 0;
    size_t plane = cgct_grid_cells(&t->grid[CGCT_AXIS_Q]) * cgct_grid_cells(&t->grid[CGCT_AXIS_K]);
    uint16_t *own = s->own; /* of each eps, before the largest over the stencil in eps is taken */
    for (size_t ie = 0; ie < ge->n; ie++)
        CGCT_TRY(
            cgct_shape_raise(t, s->start + ie * (points(t) + 1), lower, own + ie * plane, err));
    for (size_t cell = 0; cell < cgct_grid_cells(ge); cell++) {
        cgct_stencil se;
        cgct_stencil_at(ge, cell, &se);
        uint16_t *to = s->blocks + cell * plane;
        for (size_t ie = se.first; ie < se.first + se.n; ie++)
            for (size_t i = 0; i < plane; i++)
                if (own[ie * plane + i] > to[i]) to[i] = own[ie * plane + i];
    }
    return CGCT_OK;
}

cgct_status cgct_shape_init(cgct_shape *s, const cgct_table *t, const uint16_t *modes,
                            cgct_err *err)
{
    size_t neps = t->grid[CGCT_AXIS_EPS].n, n = points(t);
    size_t plane = cgct_grid_cells(&t->grid[CGCT_AXIS_Q]) * cgct_grid_cells(&t->grid[CGCT_AXIS_K]);
    s->start = (uint32_t *)malloc(neps * (n + 1) * sizeof *s->start);
    s->blocks = (uint16_t *)calloc(2 * neps * plane, sizeof *s->blocks);
    if (!s->start || !s->blocks)
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for the shape of %zu x %zu points", neps, n);
    s->own = s->blocks + neps * plane;
    for (size_t ie = 0; ie < neps; ie++) {
        uint32_t *start = s->start + ie * (n + 1);
        uint64_t sum = 0;
        /* records lie where the shape says; of others no node has more modes than the index says */
        int fixed = t->entry[0].encoding >= CGCT_ENCODING_RECORDS_F32;
        size_t all = modes_of_column(t, ie);
        for (size_t i = 0; i < n; i++) {
            size_t nm = modes ? modes[ie * n + i] : all;
            if (nm < 1 || nm > CGCT_MODES_MAX)
                return cgct_fail(err, CGCT_E_FORMAT, "shape: %zu modes, want 1 to %d", nm,
                                 CGCT_MODES_MAX);
            if (!fixed && nm > all) nm = all;
            start[i] = (uint32_t)sum;
            sum += cgct_blocks(nm);
        }
        if (sum > UINT32_MAX)
            return cgct_fail(err, CGCT_E_NOMEM, "%zu points need too many modes", n);
        start[n] = (uint32_t)sum;
    }
    return fill_blocks(s, t, err);
}

void cgct_shape_free(cgct_shape *s)
{
    free(s->start);
    free(s->blocks);
    memset(s, 0, sizeof *s);
}

/* ---- records ---- */

double cgct_record_get(const cgct_records *r, size_t block, size_t i)
{
    return r->wide ? ((const double *)r->record)[CGCT_BLOCK * block + i]
                   : (double)((const float *)r->record)[CGCT_BLOCK * block + i];
}

enum { TILE = 8 }; /* points, so that a line of doubles of each mode is used whole */

/* Some points of both polarisations on their way into records. */
typedef struct {
    const cgct_plane *p;
    const cgct_records *r;
    size_t first, n; /* points first..first+n-1 of nq nk */
} tile;

/* Numbers of one polarisation of a tile. */
typedef struct {
    double a[TILE], b[TILE], unit[TILE], s[TILE], e[TILE];
} heads;

CGCT_CLONES
static void logarithms(heads *h, int wide)
{
    for (int i = 0; i < TILE; i++) h->a[i] = cgct_ln(h->s[i]);
    for (int i = 0; i < TILE && !wide; i++) h->a[i] = (float)h->a[i];
    for (int i = 0; i < TILE; i++) h->e[i] = cgct_exp(h->a[i]);
}

/* What rounding makes of ln s is A; B corrects it exactly.  A flagged point has no room for B: its
 * numbers become multiples of exp A instead of s. */
static void make_heads(const tile *t, size_t pol, heads *h)
{
    size_t at = pol * (t->p->n / 2) + t->first;
    for (size_t i = 0; i < TILE; i++) h->s[i] = t->p->scale[at + (i < t->n ? i : 0)];
    logarithms(h, t->r->wide);
    for (size_t i = 0; i < t->n; i++) {
        if (!isfinite(h->e[i])) { /* rounding went beyond the largest s */
            h->a[i] = nextafterf((float)h->a[i], 0);
            h->e[i] = cgct_exp(h->a[i]);
        }
        int flag = t->p->flag[at + i];
        h->unit[i] = flag ? h->s[i] / h->e[i] : 1;
        h->b[i] = flag ? t->p->zero[at + i] * h->unit[i] : (h->s[i] - h->e[i]) / h->e[i];
        ((double *)(uintptr_t)t->r->error)[at + i] = t->p->error[at + i] * h->unit[i];
    }
}

/* One polarisation of a tile with the room that its points have in the records. */
typedef struct {
    heads h;
    size_t to[TILE], room[TILE], least, most; /* first number; modes 1.. that fit */
} places;

static void find_places(const tile *t, size_t pol, places *at)
{
    make_heads(t, pol, &at->h);
    at->least = SIZE_MAX;
    at->most = 0;
    for (size_t i = 0; i < t->n; i++) {
        const uint32_t *start = t->r->start + t->first + i;
        size_t room = at->room[i] = cgct_modes_in(start[1] - start[0]) - 1;
        at->to[i] = CGCT_BLOCK * (size_t)start[0] + pol;
        at->least = room < at->least ? room : at->least;
        at->most = room > at->most ? room : at->most;
    }
}

/* Number `next` of each point that has room for mode m. */
static void put_wide(const places *at, size_t n, size_t m, size_t next, const double *v, double *to)
{
    for (size_t i = 0; i < n; i++)
        if (m <= at->room[i]) to[at->to[i] + next] = v[i] * at->h.unit[i];
}

static void put_narrow(const places *at, size_t n, size_t m, size_t next, const double *v,
                       float *to)
{
    if (n == TILE && m <= at->least)
        for (size_t i = 0; i < TILE; i++) to[at->to[i] + next] = (float)(v[i] * at->h.unit[i]);
    else
        for (size_t i = 0; i < n; i++)
            if (m <= at->room[i]) to[at->to[i] + next] = (float)(v[i] * at->h.unit[i]);
}

static void put_heads(const places *at, size_t n, int wide, void *record)
{
    for (size_t i = 0; i < n; i++) {
        if (wide) {
            ((double *)record)[at->to[i]] = at->h.a[i];
            ((double *)record)[at->to[i] + 2] = at->h.b[i];
        } else {
            ((float *)record)[at->to[i]] = (float)at->h.a[i];
            ((float *)record)[at->to[i] + 2] = (float)at->h.b[i];
        }
    }
}

/* Modes beyond a point's room must be zero. */
static cgct_status check_rest(const tile *t, const places *at, size_t m, const double *mode,
                              cgct_err *err)
{
    for (size_t i = 0; i < t->n; i++)
        if (m > at->room[i] && mode[i] != 0)
            return cgct_fail(err, CGCT_E_FORMAT, "point %zu has mode %zu, its shape %zu modes",
                             t->first + i, m, at->room[i] + 1);
    return CGCT_OK;
}

static cgct_status put_tile(const tile *t, size_t pol, cgct_err *err)
{
    places at;
    int wide = t->r->wide;
    void *record = (void *)(uintptr_t)t->r->record;
    find_places(t, pol, &at);
    put_heads(&at, t->n, wide, record);
    for (size_t m = 1; m < t->p->nm; m++) {
        const double *mode = t->p->mode + (m - 1) * t->p->n + pol * (t->p->n / 2) + t->first;
        if (m > at.least) CGCT_TRY(check_rest(t, &at, m, mode, err));
        if (m > at.most) continue;
        if (wide)
            put_wide(&at, t->n, m, 2 + 2 * m, mode, (double *)record);
        else
            put_narrow(&at, t->n, m, 2 + 2 * m, mode, (float *)record);
    }
    return CGCT_OK;
}

cgct_status cgct_records_pack(cgct_records *r, const cgct_plane *p, const uint32_t *start, int wide,
                              size_t expected, cgct_pool *pool, cgct_err *err)
{
    size_t n = p->n / 2, number = wide ? sizeof(double) : sizeof(float);
    size_t bytes = CGCT_BLOCK * number * start[n], size = bytes + p->n * (sizeof(double) + 1);
    void *memory;
    CGCT_TRY(cgct_pool_take(pool, size, expected * size, &memory, err));
    double *error = (double *)(void *)((char *)memory + bytes);
    uint8_t *flag = (uint8_t *)(error + p->n);
    const cgct_records made = {start, memory, wide, error, flag, p->flagged};
    *r = made;
    memcpy(flag, p->flag, p->n);
    for (tile t = {p, r, 0, 0}; t.first < n; t.first += TILE) {
        t.n = n - t.first < TILE ? n - t.first : (size_t)TILE;
        for (size_t pol = 0; pol < 2; pol++) CGCT_TRY(put_tile(&t, pol, err));
    }
    return CGCT_OK;
}
