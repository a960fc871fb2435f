/* SPDX-License-Identifier: GPL-3.0-or-later */
/* builders.h: the builders that run on a device.  Each does not care what stands behind the gpu. */
#ifndef CGCT_BUILDERS_H
#define CGCT_BUILDERS_H
#include "numerics/filon.h"
#include "inner/backend.h"
#include "gpu_crew.h"

/* Purpose  the paper's table builder: the discretisation of inner_direct_build, samples on the
 *          device; chunks of Delta and R, each copied out while the next is computed
 * In       full = 0: sums over alpha at fixed gamma = alpha - beta, then cosines; 1: all pairs of
 *          angles stored and projected by a matrix product, as the paper does
 * Returns  OK, E_CONFIG, E_NOMEM, E_ACCURACY (the dipole is too rough for its table), E_DEVICE
 * Accuracy 1e-12 of the largest entry beside inner_direct; see tests/cuda/test_cuda_table.c
 * Source   [P: sec. tablecuda, alg. tablecuda] */
cgct_status cuda_table_build(inner_table *t, const inner_opts *o, const dipole *d, int full, gpu *g,
                             cgct_err *err);

/* The paper's fused transform: one plan for all dipoles at the same eps, grids and momenta.  It
 * holds rules, Bessel tables and Filon weights on the device; of the inner table only one chunk of
 * R exists at a time, and only the modes leave the device. */
typedef struct cuda_fused_plan cuda_fused_plan;
typedef struct {
    const inner_opts *inner; /* kept by reference, with its arrays */
    size_t nq, np;
    const double *q, *P; /* GeV */
    int degree;          /* of the Filon rule */
    const filon_tail_opts *tail;
} cuda_fused_task;

cgct_status cuda_fused_init(cuda_fused_plan **p, const cuda_fused_task *task, gpu *g,
                            cgct_err *err);
/* modes (NPOL, nm, nq, np), caller-owned, GeV^-6; origin: g at the first Delta and R = 0.
 * Source [P: sec. fusedcuda, eq. fused] */
cgct_status cuda_fused_apply(cuda_fused_plan *p, const dipole *d, double *modes,
                             double origin[NPOL], cgct_err *err);
void cuda_fused_free(cuda_fused_plan *p);

/* The separable builder: nodes and weights on the processor, samples, products and sums on the
 * device.  Agrees with inner_separable to 1e-11 of the largest entry; see
 * tests/cuda/test_cuda_separable.c.  Source: METHOD.md section 3. */
cgct_status cuda_separable_build(inner_table *t, const inner_opts *o, const dipole *d, gpu *g,
                                 cgct_err *err);

/* The same and both transforms: the table stays on the device.  The plan is the processor's work,
 * for one or several threads, without a device; what it points to outlives it. */
typedef struct cuda_separable cuda_separable;
cgct_status cuda_separable_init(cuda_separable **s, const cuda_fused_task *task, const dipole *d,
                                cgct_err *err);
void cuda_separable_free(cuda_separable *s);
int cuda_separable_rank(const cuda_separable *s); /* of the cross approximation */
/* modes and origin as cuda_fused_apply leaves them */
cgct_status cuda_separable_apply(const cuda_separable *s, gpu *g, double *modes,
                                 double origin[NPOL], cgct_err *err);

/* A finished node of a run by cuda-separable: two passes whose difference is the certificate, the
 * ridges, and the projection on the paper's modes; as projection_apply leaves it before trimming. */
enum { CUDA_PASSES = 2 };
typedef struct {
    cuda_fused_task pass[CUDA_PASSES]; /* fine, coarse: the same q and frame */
    const dipole *dipole;
    struct {
        size_t n;                    /* 0: none */
        const double *k, *F, *sigma; /* (n), (NPOL, n), (nq): ridge.h */
    } ridge;
    size_t nk;
    const double *k;              /* GeV */
    const size_t *modes, *angles; /* (nq): of the product at each q; angles on [0,pi], at least 2 */
    size_t nm;                    /* the largest of modes */
    double safety, rounding;      /* error = safety |fine - coarse| + rounding |I| */
} cuda_node_task;

/* A plan as above; the device then makes all of modes (NPOL, nq, nk, nm), zeros behind those
 * of a q, and error (NPOL, nq, nk), GeV^-6; nothing else leaves it but g at the origin. */
typedef struct cuda_node cuda_node;
cgct_status cuda_node_init(cuda_node **n, const cuda_node_task *task, cgct_err *err);
void cuda_node_free(cuda_node *n);
int cuda_node_rank(const cuda_node *n, int pass); /* of the cross approximation */
cgct_status cuda_node_run(const cuda_node *n, gpu *g, double *modes, double *error,
                          double origin[CUDA_PASSES][NPOL], cgct_err *err);

/* Bytes of a device that holds all at once, as an upper bound: the inner table of a builder, and
 * with momenta both transforms; with less, chunks are smaller.  E_CONFIG, E_ACCURACY, E_NOMEM. */
typedef struct {
    const inner_opts *inner;
    const dipole *dipole;
    size_t nq, np; /* 0: the table alone */
    const double *q, *P;
} cuda_size;
cgct_status cuda_table_bytes(const cuda_size *k, int full, size_t *bytes, cgct_err *err);
cgct_status cuda_fused_bytes(const cuda_size *k, size_t *bytes, cgct_err *err);
cgct_status cuda_separable_bytes(const cuda_size *k, size_t *bytes, cgct_err *err);

/* All builders of the program, those of the processor among them; crew: open devices that the nodes of
 * a run share, or NULL: one is opened where it is needed. */
backend_set cuda_backends(gpu_crew *crew);
#endif
