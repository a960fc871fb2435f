/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_work.h"

#include "angle_kernels.h"
#include "ell_kernels.h"
#include "filon_kernels.h"
#include "full_kernels.h"
#include "product_kernels.h"
#include "separable_kernels.h"

/* Operations of CUDA's functions and of ours, measured in compiled code or from their formulas. */
enum {
    LOOKUP = 6,
    EXP = 22,
    SINCOS = 45,
    ROOT = 12,
    DIVISION = 9,
    LENGTH = 3 + LOOKUP,
    WAVE = 2 * ROOT + EXP + 4 * LOOKUP + 2 * DIVISION + 30,
    W = EXP + DIVISION + 6, /* expm1 */
    LAGRANGE = PRODUCT_NODES * (2 * PRODUCT_NODES + DIVISION)
};
static const double NUMBER = sizeof(double);

/* Operations and numbers moved, of each of n threads. */
static gpu_work each(size_t n, double operations, double numbers)
{
    return (gpu_work){(double)n * operations, (double)n * numbers * NUMBER};
}

static gpu_work direct(gpu_stage kernel, size_t n, const direct_view *v)
{
    double nk = (double)v->nk, steps = (double)v->ns * (double)v->n;
    double samples = (double)v->nd * nk * (double)v->nr * steps;
    switch (kernel) {
    case GPU_wave:
        return each(n, WAVE + EXP + 2 * LENGTH, WAVE_SIZE);
    case GPU_cross:
        return each(n, LENGTH, 1);
    case GPU_project:
        return each(n, nk, nk / (double)v->nm + 1);
    default: /* assemble */
        return (gpu_work){samples * assemble_operations(v->far),
                          NUMBER * (double)n * steps *
                              (WAVE_SIZE + TILE_R * TILE_BETA / TILE_ALPHA)};
    }
}

static gpu_work full(gpu_stage kernel, size_t n, const full_view *v)
{
    if (kernel == GPU_pair) return each(n, 2 * LENGTH + EXP, 2);
    if (kernel == GPU_full) return each(n, assemble_operations(FAR_LOOKUP), 2);
    return each(n, (double)v->v.ns, (double)v->v.ns + 1);
}

static gpu_work angles(gpu_stage kernel, size_t n, const angle_view *v)
{
    (void)kernel, (void)v;
    return each(n, SINCOS + 1, 2);
}

static gpu_work ell(gpu_stage kernel, size_t n, const ell_view *v)
{
    if (kernel == GPU_ell) return each(n, (v->symmetric ? 3 : 2) * LENGTH, 1);
    if (kernel == GPU_place) return each(n, 1, 2);
    return each(n, ELL_CELLS * (SEPARABLE_NODES + KINK_MOMENTS), 2 * ELL_CELLS);
}

static gpu_work separable(gpu_stage kernel, size_t n, const separable_view *v)
{
    double rank = (double)v->rank, panels = (double)v->nodes / (double)v->nd / RADIAL_NODES;
    double windows = SEPARABLE_NODES / 2.; /* cells that a panel and a node's windows share */
    double entries = (double)v->nodes * SEPARABLE_NODES / ((double)v->rows * (double)v->nd);
    switch (kernel) {
    case GPU_share:
        return each(n, windows * RADIAL_NODES * (RADIAL_NODES + 2 * SEPARABLE_NODES + DIVISION + 6),
                    1 + panels / 1e3);
    case GPU_phi:
        return each(n, WAVE + 2 * LENGTH + EXP + rank * (W + 4), 2 * rank);
    case GPU_spread:
        return each(n, entries, entries + 1);
    case GPU_near:
        return each(n, ELL_CELLS + 3, ELL_CELLS + 4);
    case GPU_gather:
    case GPU_scatter:
        return each(n, 0, 2);
    default: /* combine */
        return each(n, 4 * LENGTH + 4 * EXP + rank * (W + rank + DIVISION + 6), 2 * rank + 2);
    }
}

static gpu_work product(gpu_stage kernel, size_t n, const product_view *v)
{
    double modes = (double)(v->pass[0].nm + v->pass[1].nm);
    if (kernel == GPU_angle) return each(n, SINCOS, 1);
    if (kernel == GPU_bound) return each(n, 0, (double)v->nt);
    return each(n, modes * (2 * PRODUCT_NODES + 6) + 4 * LAGRANGE + 5 * SINCOS, 4);
}

/* bessel: the steps of both recurrences, each 4 operations, and the logarithms of its start; as if
 * every lane lay below the turning point of the largest order, which most do. */
static gpu_work filon(gpu_stage kernel, size_t n, const filon_view *v)
{
    double nm = (double)v->nm, nk = (double)v->nk, top = 2 * nm; /* orders are even, mostly */
    double starts = 10 * 2 * EXP + 4 * ROOT;
    if (kernel == GPU_bessel) return each(n, 2 * 4 * (top + 40) + 2 * nm + starts, nm);
    if (kernel == GPU_widen) /* a row holds nk functions and zeros */
        return each(n, nk * (3 * nk + DIVISION) / FILON_BLOCK_COLUMNS,
                    1 + 3. / FILON_BLOCK_COLUMNS);
    return each(n, FILON_LAGUERRE_TAIL * (8 * top + 4 * SINCOS + 4 * BESSEL_HANKEL_TERMS),
                FILON_LAGUERRE_TAIL * 2 * nm);
}

#define WORK_CASE(name, args)                                                                      \
    case GPU_##name:                                                                               \
        return WORK_##args(kernel, n, (const args *)a);
#define WORK_filon_view filon
#define WORK_direct_view direct
#define WORK_full_view full
#define WORK_angle_view angles
#define WORK_ell_view ell
#define WORK_separable_view separable
#define WORK_product_view product

gpu_work gpu_kernel_work(gpu_stage kernel, size_t n, const void *a)
{
    switch (kernel) {
        GPU_KERNELS(WORK_CASE)
    case GPU_assemble:
        return direct(kernel, n, a);
    default:
        return (gpu_work){0, 0};
    }
}

gpu_work gpu_product_work(const gpu_product *p)
{
    double m = (double)p->m, n = (double)p->n, k = (double)p->k, batch = (double)p->batch;
    double a = m * k * (p->sa ? batch : 1), b = k * n * (p->sb ? batch : 1);
    return (gpu_work){m * n * k * batch, NUMBER * (a + b + (p->beta != 0 ? 2 : 1) * m * n * batch)};
}
