/* SPDX-License-Identifier: MIT */
/* The modes of a slice at one (q,k). */
#include "../format/elementary.h"
#include "cgctab_slice.h"
#include "cgctab_window.h"

static void put_flagged_spectrum(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k,
                                 int pol, cgct_spectrum *f)
{
    double modes[CGCT_SPECTRUM_MODES];
    cgct_flagged_modes(p, q, k, pol, f->n, modes);
    f->s[pol] = 1;
    f->zeroth[pol] = modes[0] / 2;
    for (size_t m = 1; m < f->n; m++) f->r[2 * (m - 1) + (size_t)pol] = modes[m];
}

int cgct_spectrum_at(const cgct_planes *p, double ln_q, double ln_k, cgct_spectrum *f)
{
    cgct_stencil q, k;
    if (f->n && f->ln_q == ln_q && f->ln_k == ln_k) return 1;
    cgct_locate(&p->table->grid[CGCT_AXIS_Q], ln_q, &q);
    cgct_locate(&p->table->grid[CGCT_AXIS_K], ln_k, &k);
    size_t n = cgct_dense_blocks(p->dense, &q, &k);
    f->n = 0;
    if (n > CGCT_SPECTRUM_BLOCKS) return 0;
    f->n = 1 + CGCT_MODES_BLOCK * n;
    f->ln_q = ln_q;
    f->ln_k = ln_k;
    f->zeroth[0] = f->zeroth[1] = 0.5;
    cgct_dense_blend(p->dense, &q, &k, 0, n, f->s, f->r);
    for (int pol = 0; pol < 2; pol++) f->s[pol] = cgct_exp(f->s[pol]);
    for (int pol = 0; pol < 2; pol++)
        if (cgct_any_flag(p, &q, &k, pol)) put_flagged_spectrum(p, &q, &k, pol, f);
    return 1;
}

/* The same where no flag is near, by the weights of a cell. */
CGCT_INLINE void add_windows(const cgct_dense *d, size_t q, size_t k, size_t span, cgct_spectrum *f)
{
    const float *const from[2] = {(const float *)d->layer[0].mode, (const float *)d->layer[1].mode};
    cgct_window s;
    const cgct_cell_point at = {f->ln_q, f->ln_k, q, k};
    cgct_window_at(d, at, span, from, &s);
    double scale[2];
    cgct_window_scale(d, &s, span, scale);
    for (int pol = 0; pol < 2; pol++) scale[pol] = cgct_exp(scale[pol]);
    for (int pol = 0; pol < 2; pol++) f->s[pol] = scale[pol];
    for (size_t m = 0, v = 0; m + 1 < f->n; m += CGCT_MODES_BLOCK, v++) {
        cgct_narrow sum = CGCT_NARROW_ZERO;
        cgct_window_sum(d, &s, v * d->points * CGCT_BLOCK, span, &sum);
        cgct_narrow_store(f->r + CGCT_BLOCK * v, &sum);
    }
}

CGCT_CLONES
static void windows_of_four(const cgct_dense *d, size_t q, size_t k, cgct_spectrum *f)
{
    add_windows(d, q, k, 4, f);
}

CGCT_CLONES
static void windows_of_six(const cgct_dense *d, size_t q, size_t k, cgct_spectrum *f)
{
    add_windows(d, q, k, 6, f);
}

int cgct_spectrum_in(const cgct_planes *p, size_t q, size_t k, double ln_q, double ln_k,
                     cgct_spectrum *f)
{
    const cgct_dense *d = p->dense;
    size_t cell = q * (d->row - 1) + k, span = d->arcs.n ? cgct_window_span(d) : 0;
    if (!span || (p->dirty && p->dirty[cell]) || d->need[cell] > CGCT_SPECTRUM_BLOCKS)
        return cgct_spectrum_at(p, ln_q, ln_k, f);
    f->n = 1 + CGCT_MODES_BLOCK * (size_t)d->need[cell];
    f->ln_q = ln_q;
    f->ln_k = ln_k;
    f->zeroth[0] = f->zeroth[1] = 0.5;
    if (span == 4)
        windows_of_four(d, q, k, f);
    else
        windows_of_six(d, q, k, f);
    return 1;
}

void cgct_zeroth_at(const cgct_planes *p, double ln_q, double ln_k, double zeroth[2])
{
    cgct_stencil q, k;
    double none[CGCT_BLOCK];
    cgct_locate(&p->table->grid[CGCT_AXIS_Q], ln_q, &q);
    cgct_locate(&p->table->grid[CGCT_AXIS_K], ln_k, &k);
    cgct_dense_blend(p->dense, &q, &k, 0, 0, zeroth, none);
    for (int pol = 0; pol < 2; pol++) zeroth[pol] = cgct_exp(zeroth[pol]);
    for (int pol = 0; pol < 2; pol++)
        if (cgct_any_flag(p, &q, &k, pol)) cgct_flagged_modes(p, &q, &k, pol, 1, &zeroth[pol]);
}
