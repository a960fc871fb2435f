/* SPDX-License-Identifier: GPL-3.0-or-later */
/* separable_lists.h: nodes, weights and points of the separable builder as flat lists for a device,
 * where the builder of the processor finds them column by column while it computes. */
#ifndef CGCT_SEPARABLE_LISTS_H
#define CGCT_SEPARABLE_LISTS_H
#include "inner/separable.h"
#include "separable_kernels.h"

/* Rows of phi that follow those of the coarse nodes: the nodes of the cells about both centres. */
enum { LIST_CELL_ROWS = 2 * NEAR_CELLS * KINK_NODES };

/* ---- nodes of s and points (Delta,R) ---- */

/* One column Delta: its fine nodes of s in rising order, the blocks of weights that take them to
 * rows of phi, and which blocks contribute to each row.  Node numbers and offsets count within the
 * column. */
typedef struct {
    double delta;
    size_t n, nblock, nweight, nclose;
    double *s, *area;         /* (n): node, and s ds */
    separable_choice *choice; /* (n) */
    separable_block *block;   /* (nblock) */
    uint32_t *range;          /* (rows - 1, 2): first block, and the one behind the last */
    separable_choice *point;  /* (nr): of the points (Delta, R) */
    separable_close *close;
    void *arrays; /* holds all of them */
} separable_column;

/* All columns (nd) of a plan, OpenMP over them; freed by separable_columns_free. */
separable_column *separable_columns_new(const separable_plan *p);
void separable_columns_free(separable_column *columns, size_t nd);
size_t separable_rows(const separable_plan *p); /* of phi: coarse nodes, cells, P */

/* Columns d0..d0+nd-1 for the device.  Nodes and points are ordered by their angular rule: those of
 * rule i are node_at[i]..node_at[i+1]-1. */
typedef struct {
    size_t nodes, blocks, weights, nclose, points,
        widest; /* widest: weights of a node of a block */
    separable_node *node;
    uint32_t *place;  /* (nodes): where a node of the columns stands in `node` */
    uint32_t *column; /* (nd + 1): first node of each column */
    double *area;     /* (nodes) in the order of the columns */
    separable_block *block;
    uint32_t *range; /* (nd, rows - 1, 2) */
    separable_point *point;
    separable_close *close;
    void *arrays; /* holds all of them */
    size_t node_at[ANGLE_RULES + 1], point_at[ANGLE_RULES + 1];
    size_t node_nm[ANGLE_RULES], point_nm[ANGLE_RULES]; /* leading orders that any of them wants */
} separable_lists;

/* E_CONFIG where they are too long to be numbered. */
cgct_status separable_lists_init(separable_lists *l, const separable_plan *p,
                                 const separable_column *columns, size_t d0, size_t nd,
                                 cgct_err *err);
void separable_lists_free(separable_lists *l);

/* ---- pairs (R,s) at which l_m is computed ---- */

/* All pairs ordered by their angular rule, those at which e_m is computed as well, and the rules of
 * all kinks. */
typedef struct {
    size_t pairs, singles, kinks, at[ANGLE_RULES + 1], single_at[ANGLE_RULES + 1];
    ell_pair *pair, *single;
    separable_kink_rule *rule;
} ell_lists;
void ell_lists_init(ell_lists *l, const separable_plan *p);
void ell_lists_free(ell_lists *l);
#endif
