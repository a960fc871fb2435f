/* SPDX-License-Identifier: MIT */
/* cgctab_cells.h: the cells of an axis with the weights of their stencils as polynomials of the
 * place in the cell; not installed. */
#ifndef CGCTAB_CELLS_H
#define CGCTAB_CELLS_H
#include "cgctab_internal.h"
#include "cgctab_vector.h"

/* Each cell: where it begins (ln), 1/length, then weight i = Sum_j t^j power[j][i], t = 0..1, in
 * order rows of width numbers; each weight stands repeat times side by side. */
typedef struct {
    const cgct_grid *grid;
    size_t order, repeat, width, stride;
    double *cell;
    double per_bin;  /* bins per unit of the logarithm */
    uint32_t *guide; /* (bins): the cell in which a bin begins */
    size_t steps;    /* most cells that a bin reaches beyond it */
} cgct_cells;

/* Needs an axis of two values at least; repeat is 1 or 2.  Returns OK, E_NOMEM. */
cgct_status cgct_cells_init(cgct_cells *c, const cgct_grid *grid, size_t repeat);
void cgct_cells_free(cgct_cells *c);

/* Largest i <= n-2 with ln[i] <= u, 0 if none; without a branch that depends on u. */
CGCT_INLINE int cgct_cell_of(const cgct_cells *c, double u)
{
    const double *ln = c->grid->ln;
    int last = (int)c->grid->n - 2;
    double bin = (u - ln[0]) * c->per_bin;
    int i = (int)c->guide[(int)(bin > 0 ? bin : 0)];
    for (size_t step = 0; step < c->steps; step++) i += (ln[i + 1] <= u) & (i < last);
    return i;
}

/* The weights in a cell, and again in single precision: from memory the cheapest factors of a
 * vector. */
typedef struct {
    CGCT_ALIGNED double w[2 * CGCT_ORDER_MAX];
    double l[2];
    float narrow[2 * CGCT_ORDER_MAX], narrow_l[2];
    size_t first; /* node of the stencil */
} cgct_local;

/* order and width are those of c, constants where the compiler is to know them; w gets width
 * numbers. */
CGCT_INLINE void cgct_local_at(const cgct_cells *c, size_t cell, double u, size_t order,
                               size_t width, cgct_local *s)
{
    size_t back = (order - 1) / 2, last = c->grid->n - order;
    s->first = cell > back ? cell - back : 0;
    s->first = s->first < last ? s->first : last;
    const double *at = c->cell + cell * c->stride, *power = at + 2 + order * width;
    double t = (u - at[0]) * at[1];
    s->l[0] = 1 - t;
    s->l[1] = t;
    for (size_t i = 0; i < width; i++) s->w[i] = 0;
    CGCT_UNROLL
    for (size_t j = 0; j < order; j++) {
        power -= width;
        for (size_t i = 0; i < width; i++) s->w[i] = s->w[i] * t + power[i];
    }
    for (size_t i = 0; i < width; i++) s->narrow[i] = (float)s->w[i];
    for (size_t i = 0; i < 2; i++) s->narrow_l[i] = (float)s->l[i];
}
#endif
