/* SPDX-License-Identifier: GPL-3.0-or-later */
/* separable_memory.h: what the separable builder takes on a device.  Private to cuda-separable. */
#ifndef CGCT_SEPARABLE_MEMORY_H
#define CGCT_SEPARABLE_MEMORY_H
#include "separable_plan.h"

enum { SEPARABLE_BATCH_MAX = 1 << 23 }; /* numbers: millions of threads at once fill any device */

typedef struct {
    size_t nd, nr, ns, nm, ncol, rows;
    size_t nodes, blocks, weights, close; /* of all columns */
    size_t longest;                       /* nodes of the longest angular rule */
} separable_sizes;

separable_sizes separable_sizes_of(const cuda_separable_plan *k);

/* Bytes of the lists and arrays of one column, on average; without the batch buffer. */
double separable_column_bytes(const separable_sizes *z);

/* Numbers of the batch buffer: one node or point with the longest rule; all that use one rule. */
size_t separable_batch_least(const separable_sizes *z);
size_t separable_batch_most(const cuda_separable_plan *k);

/* Numbers that one node takes of the batch buffer at a rule of n angles, and one point. */
size_t separable_node_batch(const separable_sizes *z, size_t n);
size_t separable_point_batch(const separable_sizes *z, size_t n);
#endif
