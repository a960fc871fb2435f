/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_profile.h: times the calls of a device of cuda/gpu.h by stage, and states what each stage
 * costs at least and what the device can do at most, for the rates of the benchmark. */
#ifndef GPU_PROFILE_H
#define GPU_PROFILE_H
#include <string.h>
#include <time.h>

#include "cuda/colours_kernels.h"
#include "cuda/direct_kernels.h"
#include "cuda/filon_kernels.h"
#include "cuda/gpu.h"
#include "cuda/product_kernels.h"
#include "cuda/separable_kernels.h"

/* Every kernel is a stage; behind them stand: */
enum { STAGE_PRODUCTS = GPU_KERNEL_COUNT, STAGE_UPLOAD, STAGE_FETCH, STAGE_COUNT };

static inline const char *gpu_stage_name(int stage)
{
    static const char *const others[] = {"products", "copy in", "copy out"};
    return stage < GPU_KERNEL_COUNT ? gpu_kernel_name((gpu_kernel)stage)
                                    : others[stage - GPU_KERNEL_COUNT];
}

/* ---- limits of a device ---- */

/* Results in double precision per clock and multiprocessor. */
static inline int fp64_lanes(int major, int minor)
{
    if (minor) return 2; /* 6.1, 7.5, 8.6, 8.9: parts for graphics */
    switch (major) {
    case 6:
    case 7:
    case 8:
        return 32;
    case 9:
    case 10:
        return 64;
    default:
        return 2;
    }
}

/* Theoretical operations in double precision (a multiply-add is one) per second without tensor
 * cores.  Source: CUDA C programming guide, throughput of native arithmetic instructions. */
static inline double device_fp64_rate(const device_info *d)
{
    return d->clock * d->multiprocessors * fp64_lanes(d->major, d->minor);
}

/* ---- the cost of a stage ---- */

/* Operations in double precision (a multiply-add is one) and bytes that must move between the
 * memory of the device and its multiprocessors. */
typedef struct {
    double operations, bytes;
} gpu_work;

/* Operations in double precision of one sample, a multiply-add counting as one: what the
 * double-precision units are busy with.  tests/gpu/count_operations.sh counts them. */
#define ASSEMBLE_LOOKUP 28.33
#define ASSEMBLE_LINEAR 20.67
#define ASSEMBLE_TURNED 19.33
static inline double assemble_operations(int far)
{
    return far == FAR_LOOKUP   ? ASSEMBLE_LOOKUP
           : far == FAR_LINEAR ? ASSEMBLE_LINEAR
                               : ASSEMBLE_TURNED;
}

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
static inline gpu_work work_of_threads(size_t n, double operations, double numbers)
{
    return (gpu_work){(double)n * operations, (double)n * numbers * NUMBER};
}

static inline gpu_work work_of_direct(gpu_kernel kernel, size_t n, const direct_view *v)
{
    double nk = (double)v->nk, steps = (double)v->ns * (double)v->n;
    double samples = (double)v->nd * nk * (double)v->nr * steps;
    switch (kernel) {
    case GPU_wave:
        return work_of_threads(n, WAVE + EXP + 2 * LENGTH, WAVE_SIZE);
    case GPU_cross:
        return work_of_threads(n, LENGTH, 1);
    case GPU_project:
        return work_of_threads(n, nk, nk / (double)v->nm + 1);
    default: /* assemble */
        return (gpu_work){samples * assemble_operations(v->far),
                          NUMBER * (double)n * steps *
                              (WAVE_SIZE + TILE_R * TILE_BETA / TILE_ALPHA)};
    }
}

static inline gpu_work work_of_full(gpu_kernel kernel, size_t n, const full_view *v)
{
    if (kernel == GPU_pair) return work_of_threads(n, 2 * LENGTH + EXP, 2);
    if (kernel == GPU_full) return work_of_threads(n, assemble_operations(FAR_LOOKUP), 2);
    return work_of_threads(n, (double)v->v.ns, (double)v->v.ns + 1);
}

static inline gpu_work work_of_angles(gpu_kernel kernel, size_t n, const angle_view *v)
{
    (void)kernel, (void)v;
    return work_of_threads(n, SINCOS + 1, 2);
}

static inline gpu_work work_of_ell(gpu_kernel kernel, size_t n, const ell_view *v)
{
    if (kernel == GPU_ell)
        return work_of_threads(n, (v->symmetric ? 3 : 2) * (LENGTH + (v->single ? EXP : 0)), 1);
    if (kernel == GPU_place || kernel == GPU_patch) return work_of_threads(n, 1, 2);
    return work_of_threads(n, ELL_CELLS * (SEPARABLE_NODES + KINK_MOMENTS), 2 * ELL_CELLS);
}

static inline gpu_work work_of_separable(gpu_kernel kernel, size_t n, const separable_view *v)
{
    double rank = (double)v->rank;
    double entries = (double)v->weights / ((double)(v->rows - 1) * (double)v->nd); /* of a row */
    switch (kernel) {
    case GPU_share: { /* a node's cells are as many as its weights less 6.5, about; each cell counts
                       * for the parts that it reaches */
        const double nodes = (double)n / (double)v->share_parts,
                     weights = (double)v->weights / nodes;
        const double cells = (weights - 6.5) * (1 + (SEPARABLE_NODES - 1.) / SHARE_PART);
        return (gpu_work){nodes * cells * OVERLAP_NODES *
                              (2 * RADIAL_NODES + 5 * KINK_NODES + DIVISION),
                          NUMBER * 2 * (double)v->weights};
    }
    case GPU_phi:
        return work_of_threads(n, WAVE + 2 * LENGTH + EXP + rank * (W + 4), 2 * rank);
    case GPU_spread:
        return work_of_threads(n, SPREAD_ORDERS * SPREAD_TILE * entries,
                               (SPREAD_ORDERS + SPREAD_TILE) * entries +
                                   SPREAD_ORDERS * SPREAD_TILE);
    case GPU_near:
        return work_of_threads(n, ELL_CELLS + 3, ELL_CELLS + 4);
    case GPU_pick:
    case GPU_put:
    case GPU_gather:
    case GPU_scatter:
        return work_of_threads(n, 0, 2);
    default: /* combine */
        return work_of_threads(n, 4 * LENGTH + 4 * EXP + rank * (W + rank + DIVISION + 6),
                               2 * rank + 2);
    }
}

static inline gpu_work work_of_product(gpu_kernel kernel, size_t n, const product_view *v)
{
    double modes = (double)(v->pass[0].nm + v->pass[1].nm);
    (void)kernel;
    return work_of_threads(n, modes * (2 * PRODUCT_NODES + 6) + 4 * LAGRANGE + 5 * SINCOS, 4);
}

/* colours: as if no node were done before the last turn. */
static inline gpu_work work_of_colours(gpu_kernel kernel, size_t n, const colours_view *v)
{
    const double points = (double)v->points / (double)v->rows, row = NPOL * (double)v->nm;
    const double cubic = 5 + LOOKUP_DEGREE, S4 = 3 * W + ROOT + DIVISION + 40;
    const double angles = (double)v->n, panel = 12; /* nodes of a panel, about */
    switch (kernel) {
    case GPU_lattice:
        return work_of_threads(v->points, WAVE + 6 * SINCOS + 2 * cubic + EXP, POINT_SIZE);
    case GPU_colours:
        return work_of_threads(n, points * (2 * cubic + W + S4 + 10), COLOURS_SUMS);
    case GPU_resolve:
        return work_of_threads(n, row * angles, COLOURS_SUMS * angles + row);
    case GPU_blend:
        return work_of_threads(n, panel, panel + 1);
    default: /* widen_r */
        return work_of_threads(n, row * panel, row * (panel + 1));
    }
}

/* bessel: the steps of both recurrences, each 4 operations, and the logarithms of its start; as if
 * every lane lay below the turning point of the largest order, which most do. */
static inline gpu_work work_of_filon(gpu_kernel kernel, size_t n, const filon_view *v)
{
    double nm = (double)v->nm, nk = (double)v->nk, top = 2 * nm; /* orders are even, mostly */
    double starts = 10 * 2 * EXP + 4 * ROOT;
    if (kernel == GPU_bessel) return work_of_threads(n, 2 * 4 * (top + 40) + 2 * nm + starts, nm);
    if (kernel == GPU_widen) /* a row holds nk functions and zeros */
        return work_of_threads(n, nk * (3 * nk + DIVISION) / FILON_ROW, 1 + 3. / FILON_ROW);
    if (kernel == GPU_weigh) {
        /* every lane is read by two groups of columns, where there are two */
        const filon_sums *s = &v->sums;
        const double groups = s->columns > FILON_GROUP ? 2 : 1;
        const double reads = (double)((s->end - s->begin) * v->nq * v->nm) * groups;
        return (gpu_work){reads * FILON_GROUP,
                          NUMBER * (reads + 2 * WEIGH_ORDERS * FILON_GROUP * (double)n)};
    }
    return work_of_threads(n,
                           FILON_LAGUERRE_TAIL * (8 * top + 4 * SINCOS + 4 * BESSEL_HANKEL_TERMS),
                           FILON_LAGUERRE_TAIL * 2 * nm);
}

#define WORK_CASE(name, args)                                                                      \
    case GPU_##name:                                                                               \
        return WORK_##args(kernel, n, (const args *)a);
#define WORK_filon_view work_of_filon
#define WORK_direct_view work_of_direct
#define WORK_full_view work_of_full
#define WORK_angle_view work_of_angles
#define WORK_ell_view work_of_ell
#define WORK_separable_view work_of_separable
#define WORK_colours_view work_of_colours
#define WORK_product_view work_of_product

/* A kernel with its argument.  `assemble` is counted in the compiled code; the others follow from
 * the formulas, to some 20 %. */
static inline gpu_work gpu_kernel_work(gpu_kernel kernel, size_t n, const void *a)
{
    switch (kernel) {
        GPU_KERNELS(WORK_CASE)
    case GPU_assemble:
        return work_of_direct(kernel, n, a);
    default:
        return (gpu_work){0, 0};
    }
}

static inline gpu_work gpu_product_work(const gpu_product *p)
{
    double m = (double)p->m, n = (double)p->n, k = (double)p->k, batch = (double)p->batch;
    double a = m * k * (p->sa ? batch : 1), b = k * n * (p->sb ? batch : 1);
    return (gpu_work){m * n * k * batch, NUMBER * (a + b + (p->beta != 0 ? 2 : 1) * m * n * batch)};
}

/* ---- the profile ---- */

/* While it is attached, every call waits for its end. */
typedef struct {
    gpu_ops ops;         /* first, so that the operations of a device lead to its profile */
    const gpu_ops *real; /* those of the device itself */
    size_t calls[STAGE_COUNT];
    double seconds[STAGE_COUNT];
    double operations[STAGE_COUNT], bytes[STAGE_COUNT];
} gpu_profile;

static inline double profile_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline gpu_profile *profile_of(gpu *g)
{
    return (gpu_profile *)(void *)g->ops;
}

static inline cgct_status profile_add(gpu *g, int stage, double begun, gpu_work work, cgct_err *err)
{
    gpu_profile *p = profile_of(g);
    CGCT_TRY(p->real->wait(g, err));
    p->seconds[stage] += profile_clock() - begun;
    p->operations[stage] += work.operations;
    p->bytes[stage] += work.bytes;
    p->calls[stage]++;
    return CGCT_OK;
}

static inline cgct_status profile_upload(gpu *g, void *to, const void *from, size_t bytes,
                                         cgct_err *err)
{
    double begun = profile_clock();
    CGCT_TRY(profile_of(g)->real->upload(g, to, from, bytes, err));
    return profile_add(g, STAGE_UPLOAD, begun, (gpu_work){0, (double)bytes}, err);
}

static inline cgct_status profile_launch(gpu *g, gpu_kernel kernel, size_t n, const void *args,
                                         cgct_err *err)
{
    double begun = profile_clock();
    CGCT_TRY(profile_of(g)->real->launch(g, kernel, n, args, err));
    return profile_add(g, (int)kernel, begun, gpu_kernel_work(kernel, n, args), err);
}

static inline cgct_status profile_product(gpu *g, const gpu_product *p, cgct_err *err)
{
    double begun = profile_clock();
    CGCT_TRY(profile_of(g)->real->product(g, p, err));
    return profile_add(g, STAGE_PRODUCTS, begun, gpu_product_work(p), err);
}

static inline cgct_status profile_fetch(gpu *g, int slot, const gpu_rows *r, cgct_err *err)
{
    double begun = profile_clock();
    const gpu_work work = {0, (double)(r->width * r->rows * sizeof *r->to)};
    CGCT_TRY(profile_of(g)->real->fetch(g, slot, r, err));
    return profile_add(g, STAGE_FETCH, begun, work, err);
}

static inline void gpu_profile_attach(gpu_profile *p, gpu *g)
{
    memset(p, 0, sizeof *p);
    p->real = g->ops;
    p->ops = *g->ops;
    p->ops.upload = profile_upload;
    p->ops.launch = profile_launch;
    p->ops.product = profile_product;
    p->ops.fetch = profile_fetch;
    g->ops = &p->ops;
}

static inline void gpu_profile_detach(gpu_profile *p, gpu *g)
{
    g->ops = p->real;
}
#endif
