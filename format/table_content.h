/* SPDX-License-Identifier: MIT */
/* table_content.h: what a table holds (FORMAT.md), and whether a file can hold it. */
#ifndef CGCT_TABLE_CONTENT_H
#define CGCT_TABLE_CONTENT_H
#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* The integers V of a segment as bits of the file. */
typedef struct {
    uint8_t *data;
    size_t size;
    uint64_t lines; /* of eight integers, in the memory of a reader */
} table_code;

/* The fields of one segment: step Sum_r U[member][x][eps][r] V[pol][m][r][q][v] (FORMAT.md 6). */
typedef struct {
    size_t R;
    double step;
    const double *U;  /* (members, nodes in x, nodes in eps of the segment, R): with variations of
                         the first member alone; in their segment (variations, dx, deps, R) */
    const int32_t *V; /* (2, nm, R, nq, nl + nu), the lower patch first */
    const table_code *code; /* V as bits; NULL: to be made of V, which is not looked at otherwise */
} table_segment;

typedef struct {
    const char *key, *value; /* the value is any text without NUL; it is escaped by the writer */
} table_meta;

/* All that a table holds; everything is the caller's.  Momenta and eps in GeV. */
typedef struct {
    int either_sign;                          /* 1: data version 4, where r_1 belongs to T_0 */
    size_t members, nx, neps, nq, nl, nu, nm; /* nm: coefficients m = 0..nm-1 */
    size_t px, peps;                          /* panels */
    const uint32_t *panel_x, *panel_eps;      /* (px), (peps): nodes of each, ends counted twice */
    const double *x, *eps, *q;                /* nodes, rising */
    size_t dx, deps; /* nodes of variations, of which members but the first are combinations */
    const double *x_of_d, *eps_of_d;
    size_t variations; /* 0, as dx and deps: every member has numbers of its own */
    const double *mix; /* (members - 1, variations) */
    double x_range[2], eps_range[2];
    double x_from; /* polynomials are in ln ln(x_from/x); 0: in ln x */
    double k0, k_max;
    int order[4];      /* nodes of the interpolation in x, eps, q, v */
    size_t bq, bl, bu; /* blocks of the bounds in q and in v of both patches */
    const char *program;
    size_t nmeta;
    const table_meta *meta; /* (nmeta) */
    const double *tensor;   /* (members, nx, nq, 2): ln G, H/G */
    /* parts > 0: dijets of a proton, and tensor (nx, parts, 4 + 3 functions) is FUNC of FORMAT.md
     * 11, up to k_end (GeV) */
    size_t parts, functions;
    double k_end;
    const table_segment *segment; /* (px, peps); behind them that of the variations */
    const uint8_t *bounds;        /* (members - shared, nx, neps, 2, bq, bl + bu): FORMAT.md 8 */
    size_t shared; /* how many of the last members have the bounds of the one before */
} table_content;

/* Rows of U in segment i; 0 behind the last one, which is that of the variations. */
size_t table_rows(const table_content *t, size_t i);

/* Of the numbers of members, panels and nodes, and of the nodes alone: what can be said before
 * anything is computed.  panel_x and panel_eps may be NULL here.
 * Returns  OK; E_USAGE where they contradict FORMAT.md. */
cgct_status table_check_sizes(const table_content *t, cgct_err *err);
/* Returns  OK; E_USAGE where sizes contradict FORMAT.md; E_RANGE where a number cannot be
 * stored. */
cgct_status table_check(const table_content *t, cgct_err *err);
#endif
