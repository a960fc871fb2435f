/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field_table.h: writes small tables whose l and r_m are any functions, to test the tool. */
#ifndef FIELD_TABLE_H
#define FIELD_TABLE_H
#include <math.h>
#include <stdlib.h>

#include "format/table_writer.h"
#include "table_fixture.h"

enum { AXIS_MAX = 16 };

/* l (m = 0) or r_m (FORMAT.md 5) at (x,eps,q,k). */
typedef double (*field_function)(size_t member, int pol, size_t m, const double at[4]);

/* One panel in x and in eps, each interpolated by all nodes; the orders in q and v are 4. */
typedef struct {
    size_t n[3], dn[2];    /* dn: nodes of the differences of members; 0: none */
    double v[3][AXIS_MAX]; /* x, eps, q */
    double dv[2][AXIS_MAX];
    size_t nl, nu, nm, members;
    int either_sign;         /* data version 4: r_1 belongs to T_0 */
    size_t blocks;           /* of the bound, in each patch; 0: one */
    double k0, k_max, bound; /* bound on |error of I| over e^l; every second block: over 1024 */
    double anisotropy;       /* H/G of the correlation limit; 0: 1/2 */
    field_function field;
    size_t nmeta;
    table_meta meta[9];
} field_table;

/* 2 x 2 nodes, q = 1, 2, 4, one member, no metadata. */
static inline field_table field_table_small(field_function field)
{
    return (field_table){.n = {2, 2, 3},
                         .v = {{1 / 128., 1 / 64.}, {1, 2}, {1, 2, 4}},
                         .nl = 4,
                         .nu = 4,
                         .nm = 3,
                         .members = 1,
                         .k0 = 0.5,
                         .k_max = 8,
                         .bound = 1 / 1024.,
                         .field = field};
}

static inline double field_table_k(const field_table *f, double q, size_t j)
{
    double half = q / 2, B = asinh(half / f->k0) / 2, a = f->k_max * f->k_max;
    double most = sqrt(sqrt(a * a + pow(half, 4)) - half * half);
    double v =
        j < f->nl ? (double)j / (double)(f->nl - 1) : (double)(j - f->nl) / (double)(f->nu - 1);
    return j < f->nl ? half / 2 * (1 + tanh((2 * v - 1) * B) / tanh(B))
                     : hypot(half, f->k0 * sinh(v * asinh(most / f->k0)));
}

/* Rows of the nodes' segment, or of that of the variations. */
static inline size_t field_table_rows(const field_table *f, int varied)
{
    if (varied) return (f->members - 1) * f->dn[0] * f->dn[1];
    return (f->dn[0] ? 1 : f->members) * f->n[0] * f->n[1];
}

/* Every node of every member has its own r, so that any field can be stored: to a millionth. */
static inline table_segment field_table_segment(const field_table *f, int varied)
{
    const size_t R = field_table_rows(f, varied), nk = f->nl + f->nu, points = f->n[2] * nk;
    const size_t *n = varied ? f->dn : f->n;
    const double(*v)[AXIS_MAX] = varied ? f->dv : f->v;
    const double step = 0x1p-20;
    double *U = malloc((R * R + 1) * sizeof *U);
    int32_t *V = malloc((2 * f->nm * R * points + 1) * sizeof *V);
    ck_assert(U && V);
    for (size_t i = 0; i < R * R; i++) U[i] = i / R == i % R;
    for (size_t i = 0; i < 2 * f->nm * R * points; i++) {
        const size_t r = i / points % R, m = i / points / R % f->nm, node = r % (n[0] * n[1]);
        const size_t member = r / (n[0] * n[1]) + (size_t)varied;
        const int pol = i >= f->nm * R * points;
        double at[4] = {v[0][node / n[1]], v[1][node % n[1]], f->v[2][i % points / nk]};
        at[3] = field_table_k(f, at[2], i % nk);
        double value = f->field(member, pol, m, at) - (varied ? f->field(0, pol, m, at) : 0);
        const int at_0 = i % nk == 0 && m > (size_t)f->either_sign; /* k = 0 */
        V[i] = (int32_t)lround((at_0 ? 0 : value) / step);
    }
    return (table_segment){R, step, U, V, NULL};
}

static inline void field_table_free(const table_segment *s)
{
    free((void *)s->U);
    free((void *)s->V);
}

/* G = 1/q. */
static inline void field_table_tensor(const field_table *f, double *tensor)
{
    for (size_t i = 0; i < f->members * f->n[0] * f->n[2]; i++) {
        tensor[2 * i] = -log(f->v[2][i % f->n[2]]);
        tensor[2 * i + 1] = f->anisotropy != 0 ? f->anisotropy : 0.5;
    }
}

/* Each member varies alone. */
static inline double *field_table_mix(size_t others)
{
    double *mix = calloc(others * others + 1, sizeof *mix);
    ck_assert(mix);
    for (size_t i = 0; i < others; i++) mix[i * (others + 1)] = 1;
    return mix;
}

static inline void field_table_write(const field_table *given, const char *path)
{
    field_table copy = *given, *f = &copy;
    if (!f->members) f->members = 1;
    if (!f->blocks) f->blocks = 1;
    const size_t codes = f->members * f->n[0] * f->n[1] * 2 * 2 * f->blocks;
    const uint32_t panel_x = (uint32_t)f->n[0], panel_eps = (uint32_t)f->n[1];
    double *tensor = malloc(2 * f->members * f->n[0] * f->n[2] * sizeof *tensor);
    uint8_t *bounds = malloc(codes);
    cgct_err err;
    ck_assert(tensor && bounds);
    for (size_t i = 0; i < codes; i++)
        bounds[i] = table_bound_code(i % f->blocks % 2 ? f->bound / 1024 : f->bound);
    field_table_tensor(f, tensor);
    const table_segment segment[2] = {field_table_segment(f, 0), field_table_segment(f, 1)};
    const size_t others = f->dn[0] ? f->members - 1 : 0;
    double *mix = field_table_mix(others);
    const table_content content = {.either_sign = f->either_sign,
                                   .members = f->members,
                                   .nx = f->n[0],
                                   .neps = f->n[1],
                                   .nq = f->n[2],
                                   .nl = f->nl,
                                   .nu = f->nu,
                                   .nm = f->nm,
                                   .px = 1,
                                   .peps = 1,
                                   .panel_x = &panel_x,
                                   .panel_eps = &panel_eps,
                                   .x = f->v[0],
                                   .eps = f->v[1],
                                   .q = f->v[2],
                                   .dx = f->dn[0],
                                   .deps = f->dn[1],
                                   .x_of_d = f->dv[0],
                                   .eps_of_d = f->dv[1],
                                   .variations = others,
                                   .mix = mix,
                                   .x_range = {f->v[0][0], f->v[0][f->n[0] - 1]},
                                   .eps_range = {f->v[1][0], f->v[1][f->n[1] - 1]},
                                   .k0 = f->k0,
                                   .k_max = f->k_max,
                                   .order = {32, 32, 4, 4},
                                   .bq = 1,
                                   .bl = (uint32_t)f->blocks,
                                   .bu = (uint32_t)f->blocks,
                                   .program = "tests",
                                   .nmeta = f->nmeta,
                                   .meta = f->meta,
                                   .tensor = tensor,
                                   .segment = segment,
                                   .bounds = bounds};
    ck_assert_msg(table_write(&content, path, &err) == CGCT_OK, "%s", err.text);
    field_table_free(&segment[0]);
    field_table_free(&segment[1]);
    free(tensor);
    free(bounds);
    free(mix);
}
#endif
