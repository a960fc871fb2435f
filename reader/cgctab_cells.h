/* SPDX-License-Identifier: MIT */
/* cgctab_cells.h: the cells of an axis with the weights of their stencils as polynomials of the
 * place in the cell; not installed. */
#ifndef CGCTAB_CELLS_H
#define CGCTAB_CELLS_H
#include "cgctab_internal.h"
#include "../format/vectors.h"

/* A window of span nodes holds the stencil of a cell.  Each cell: where it begins (ln),
 * 1/length, then weight i = Sum_j t^j power[j][i], t = 0..1, in span rows of width numbers; each
 * weight stands repeat times side by side, those of nodes beyond the stencil are 0. */
typedef struct {
    const cgct_grid *grid;
    size_t span, repeat, width, stride;
    double *cell;
    uint32_t *first; /* (cells): node of the window */
    uint32_t *guide; /* (bins): the cell in which a bin begins */
    uint64_t base;   /* where bins begin, in bits of a double, each of 2^shift of them */
    size_t bins;
    int shift;
    size_t steps; /* most cells that a bin reaches beyond it */
} cgct_cells;

/* Axes of two values at least.  Windows on both axes are 4 or 6 nodes wide, lengths that the
 * compiler knows, if that holds the stencils and the axes are as long; else those of an axis are as
 * wide as its stencils.  Each weight stands twice in k.  Returns OK, E_NOMEM. */
cgct_status cgct_cells_init(cgct_cells *q, const cgct_grid *grid_q, cgct_cells *k,
                            const cgct_grid *grid_k);
void cgct_cells_free(cgct_cells *c);

CGCT_INLINE size_t cgct_cells_width(size_t span, size_t repeat)
{
    return (span * repeat + 3) / 4 * 4;
}

/* Largest i <= n-2 with v[i] <= value, 0 if none; without a branch that depends on value, and
 * without its logarithm, which takes as long to make as the cell to find.  Bits of doubles grow
 * with them, about as logarithms do. */
CGCT_INLINE int cgct_cell_of(const cgct_cells *c, double value)
{
    const double *v = c->grid->v;
    int last = (int)c->grid->n - 2;
    int64_t above = (int64_t)(cgct_bits(value) - c->base);
    uint64_t bin = (uint64_t)(above > 0 ? above : 0) >> c->shift;
    int i = (int)c->guide[bin < c->bins ? bin : c->bins - 1];
    for (size_t step = 0; step < c->steps; step++) i += (v[i + 1] <= value) & (i < last);
    return i;
}

/* The weights in a cell, and again in single precision: from memory the cheapest factors of a
 * vector.  l: those of its corners, repeated like the others. */
typedef struct {
    CGCT_ALIGNED double w[2 * CGCT_ORDER_MAX];
    double l[4];
    float narrow[2 * CGCT_ORDER_MAX], narrow_l[4];
} cgct_local;

/* span and repeat are those of c, constants where the compiler is to know them. */
CGCT_INLINE void cgct_local_at(const cgct_cells *c, size_t cell, double u, size_t span,
                               size_t repeat, cgct_local *s)
{
    const size_t width = cgct_cells_width(span, repeat);
    const double *at = c->cell + cell * c->stride;
    double t = (u - at[0]) * at[1];
    CGCT_UNROLL
    for (size_t i = 0; i < width; i += 4)
        cgct_four_horner(at + 2 + i, span, width, t, s->w + i, s->narrow + i);
    for (size_t i = 0; i < 2 * repeat; i++) s->l[i] = i < repeat ? 1 - t : t;
    for (size_t i = 0; i < 2 * repeat; i++) s->narrow_l[i] = (float)s->l[i];
}
#endif
