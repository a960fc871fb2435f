/* SPDX-License-Identifier: GPL-3.0-or-later */
/* builders.h: the builders of the inner table and of finished nodes that run on a device. */
#ifndef CGCT_BUILDERS_H
#define CGCT_BUILDERS_H
#include "gpu_crew.h"
#include "inner/backend.h"

/* All builders of the program, those of the processor included.  crew: open devices that the nodes
 * of a run share; NULL: each builder opens the device that inner_opts names. */
backend_set cuda_backends(gpu_crew *crew);

/* ---- cuda-table and cuda-table-blas (direct.c) ---- */

/* Purpose  the paper's table builder: the discretisation of inner_direct with the samples on a
 *          device, in chunks of Delta and R of which one is copied out while the next is computed
 * In       full = 0: sums over alpha at fixed gamma = alpha - beta, then cosines; 1: all pairs of
 *          angles stored and projected by a matrix product, as the paper does
 * Returns  OK, E_CONFIG, E_NOMEM, E_ACCURACY (the dipole is too rough for its table), E_DEVICE
 * Accuracy 1e-12 of the largest entry, compared with inner_direct; tests/cuda/test_cuda_table.c
 * Source   [P: sec. tablecuda, alg. tablecuda] */
cgct_status cuda_table_build(inner_table *t, const inner_opts *o, const dipole *d, int full, gpu *g,
                             cgct_err *err);

/* ---- cuda-fused (direct.c) ---- */

/* The paper's fused transform: one plan serves all dipoles at the same eps, grids and momenta.  It
 * keeps rules, Bessel tables and Filon weights on the device; only one chunk of the inner table
 * exists at a time, and only the modes leave the device.  The task's arrays must outlive it. */
typedef struct cuda_fused_plan cuda_fused_plan;
cgct_status cuda_fused_init(cuda_fused_plan **p, const backend_transform *task, gpu *g,
                            cgct_err *err);
/* modes (NPOL, nm, nq, np), caller-owned, GeV^-6; origin: g at the first Delta and R = 0.
 * Source [P: sec. fusedcuda, eq. fused] */
cgct_status cuda_fused_apply(cuda_fused_plan *p, const dipole *d, double *modes,
                             double origin[NPOL], cgct_err *err);
void cuda_fused_free(cuda_fused_plan *p);

/* ---- cuda-separable (separable.c, product.c) ---- */

/* The separable builder: nodes and weights on the processor, samples, products and sums on the
 * device.  Agrees with inner_separable to 1e-11 of the largest entry;
 * tests/cuda/test_cuda_separable.c.  Source: METHOD.md section 3. */
cgct_status cuda_separable_build(inner_table *t, const inner_opts *o, const dipole *d, gpu *g,
                                 cgct_err *err);

/* A node of a run by cuda-separable: two passes whose difference is the certificate, and the
 * ridges.  Init is the processor's part and needs no device, so that several threads can prepare
 * plans while a device computes; what the tasks point to must outlive the plan.  colours: as in
 * backend.product.  Run leaves I and bound of the tasks as evaluate_angles does. */
typedef struct cuda_product cuda_product;
cgct_status cuda_product_init(cuda_product **n, const backend_product *task,
                              const backend_product *colours, const dipole *d, cgct_err *err);
void cuda_product_free(cuda_product *n);
cgct_status cuda_product_run(const cuda_product *n, gpu *g, backend_facts facts[2], cgct_err *err);

/* ---- memory ---- */

/* Bytes of a device that holds everything at once, as an upper bound: the inner table of a builder
 * and, where momenta are given, both transforms.  With less memory the chunks are smaller.
 * E_CONFIG, E_ACCURACY. */
cgct_status cuda_table_bytes(const backend_size *s, size_t *bytes, cgct_err *err);
cgct_status cuda_table_blas_bytes(const backend_size *s, size_t *bytes, cgct_err *err);
cgct_status cuda_fused_bytes(const backend_size *s, size_t *bytes, cgct_err *err);
cgct_status cuda_separable_bytes(const backend_size *s, size_t *bytes, cgct_err *err);
#endif
