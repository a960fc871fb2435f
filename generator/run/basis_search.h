/* SPDX-License-Identifier: GPL-3.0-or-later */
/* basis_search.h: what the parts of basis.h share: rows, in weighted columns, and their singular
 * vectors. */
#ifndef CGCT_RUN_BASIS_SEARCH_H
#define CGCT_RUN_BASIS_SEARCH_H
#include "run/basis.h"

typedef struct {
    const basis_task *task;
    size_t columns, room, kept; /* room: rows of the stack; kept: basis rows at most */
    size_t stripes;             /* parts of the columns, which threads share out */
    double *weight;             /* (columns) */
    double *stack;              /* (room, columns) */
    double *vector;             /* (kept, columns): orthonormal rows, each in units of 1/weight */
    double *singular;           /* (room) */
    double *c;                  /* (rows, kept): coefficients of the rows */
    double *worst; /* (stripes, kept + 1): largest difference/scale with the first r vectors ... */
    size_t *above; /* ... and how many are above the task's reduction */
    size_t n;      /* rows of vector that are there */
    void *arrays;  /* holds all of them */
} basis_search;

/* Some of the columns. */
typedef struct {
    size_t first, n;
} stripe;

/* Columns that are worked on at once: those of 64 vectors fit in a cache beside the processor. */
enum { BLOCK = 512 };

/* Stripe k of `stripes`: what threads share out, and sums are made of, whatever their number. */
static inline stripe stripe_at(const basis_search *s, size_t k)
{
    const size_t first = k * s->columns / s->stripes;
    return (stripe){first, (k + 1) * s->columns / s->stripes - first};
}

/* How many vectors are looked for at first: all where that takes hardly more memory. */
size_t basis_search_kept(size_t rows);
/* With at most `kept` vectors. */
basis_search basis_search_start(const basis_task *t, size_t kept);
void basis_search_free(basis_search *s);

/* value and scale (n, columns) of the rows from `first` on, read by all threads. */
cgct_status basis_search_read(const basis_search *s, size_t first, size_t n, double *value,
                              double *scale, cgct_err *err);
/* To values in units of 1/weight. */
void basis_search_weigh(const basis_search *s, size_t n, double *value);
/* Sets weight, vector, singular and n; the stack is free afterwards.
 * Returns OK, E_ACCURACY, errors of read. */
cgct_status basis_search_vectors(basis_search *s, cgct_err *err);
#endif
