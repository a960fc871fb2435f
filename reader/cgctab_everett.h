/* SPDX-License-Identifier: MIT */
/* cgctab_everett.h: a prepared table stores, beside its records, their second differences, so that
 * a random point reads the corners of its cell only; not installed.
 *
 * Between nodes i and i+1 the local polynomial of an axis is the straight line plus
 * (u - u_i)(u - u_{i+1}) [(1 - tau) d_i + tau d_{i+1}], d the divided differences of second order
 * about the nodes: Everett's formula, exact for up to four nodes. */
#ifndef CGCTAB_EVERETT_H
#define CGCTAB_EVERETT_H
#include "cgctab_internal.h"

/* The differences of the cross rule (FORMAT.md section 5): along each axis, numbered as these are,
 * and along q and k. */
enum { CGCT_ROW_X, CGCT_ROW_EPS, CGCT_ROW_Q, CGCT_ROW_K, CGCT_ROW_QK, CGCT_ROWS };

/* ---- along an axis (cgctab_differences.c) ---- */

/* d_i = Sum_j w_j f_{first+j}, j = 0..n-1; n = 0: none, the polynomials are straight lines.
 * unfit: in a cell beside the node differences are far from the polynomial. */
typedef struct {
    size_t first, n;
    int unfit;
    double w[CGCT_ORDER_MAX];
} cgct_difference;

/* d (nodes); tau (cells, 2): that of a cell is (u - tau[0]) tau[1]. */
void cgct_differences(const cgct_grid *g, cgct_difference *d, double *tau);

/* ---- of a table ---- */

/* What belongs to a point beside its blocks of fields; one cache line.  number: differences of ln
 * s, the rows, T and L alternating; then the unit of each row's fields, once they are shifted to
 * the top of a word.  shift: five bits for each row, the lowest first, and CGCT_SERVED. */
enum { CGCT_UNIT = 2 * CGCT_ROWS };
typedef struct {
    float number[3 * CGCT_ROWS];
    uint32_t shift;
} cgct_head;

/* As a share of s.  Points whose fields would need larger steps lie in noise and are not served,
 * nor are those where differences miss more than this. */
#define CGCT_COARSEST 0x1p-15

/* Sixteen numbers a block of every row, n in all, as fields; head gets units and shift.  weight:
 * what a difference is multiplied by, about.  0: they are not finite, or noise. */
int cgct_put_fields(const float *const row[CGCT_ROWS], const double weight[CGCT_ROWS], size_t n,
                    cgct_head *head, uint32_t *out);

/* Without it there are flags or noise near by: the cells around this point are not interpolated in
 * this way.  Read as a float, such a shift is a normal number like those beside it. */
#define CGCT_SERVED (UINT32_C(1) << 30)

/* field: differences of the numbers of records, the rows side by side in a word, each a signed
 * integer with those below as its fraction. */
typedef struct {
    cgct_head *head; /* (nq nk) */
    uint32_t *field; /* (start[nq nk], 16) */
} cgct_curvature;

struct cgct_everett {
    double *tau[4];       /* by axis: (cells, 2) */
    cgct_curvature *node; /* (nx, neps) */
    cgct_pool pool;
};

/* Any n, each argument an array; as cgct_eval_many. */
cgct_status cgct_everett_eval(const cgct_table *t, size_t n, const cgct_arguments *a,
                              double *values, size_t *first);
void cgct_everett_free(struct cgct_everett *e); /* accepts NULL */
#endif
