/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_kept.c: a solution as numbers that a keeper stores, and back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/bk_impl.h"
#include "format/crc64.h"
#include "numerics/memory.h"

/* Raised when the same options give another solution, or other numbers are kept. */
#define SOLVER_REVISION 5
enum { KEY_MAX = 512, START_SAMPLES = 256 };
/* ln r between which the initial condition is sampled for the key. */
#define START_FIRST (-18.0)
#define START_STEP 0.1

static void write_key(const bk_solution *s, char key[KEY_MAX])
{
    const bk_coupling *c = &s->o.coupling;
    double start[START_SAMPLES]; /* the initial condition counts by its values: it may be any */
    for (int i = 0; i < START_SAMPLES; i++)
        start[i] = s->o.profile.lnGamma(s->o.profile.of, START_FIRST + START_STEP * i);
    snprintf(key, KEY_MAX,
             "solver %d equation %d coupling %d %d C2 %.17g Lambda %.17g Nf %.17g cap %.17g "
             "c %.17g alpha %.17g Ksub %.17g Ymax %.17g refine %.17g start %016llx",
             SOLVER_REVISION, (int)c->equation, (int)c->scheme, (int)c->freeze, c->C2, c->Lambda,
             c->Nf, c->cap, c->c, c->alpha, c->Ksub, s->o.Ymax, s->o.refine,
             (unsigned long long)cgct_crc64_of(start, sizeof start));
}

/* One run: tmax, reach, nodes, steps; Y, ln Gamma and its rate at each step. */
enum { RUN_HEAD = 4 };
/* Larger tmax than any solution has. */
#define TMAX_MOST 100.0

static size_t run_size(const bk_path *p)
{
    return RUN_HEAD + p->steps * (1 + 2 * p->n);
}

static double *put_path(double *to, const bk_solution *s)
{
    const bk_path *p = &s->path;
    const double head[RUN_HEAD] = {s->grid.o.tmax, s->reach, (double)p->n, (double)p->steps};
    memcpy(to, head, sizeof head);
    memcpy(to += RUN_HEAD, p->Y, p->steps * sizeof *to);
    memcpy(to += p->steps, p->f, p->steps * p->n * sizeof *to);
    memcpy(to += p->steps * p->n, p->rate, p->steps * p->n * sizeof *to);
    return to + p->steps * p->n;
}

void bk_kept_keep(const bk_solution *s)
{
    const size_t n = run_size(&s->path) + run_size(&s->coarser->path);
    double *numbers = memory_new(n, sizeof *numbers);
    char key[KEY_MAX];
    put_path(put_path(numbers, s), s->coarser);
    write_key(s, key);
    s->o.keeper->keep(s->o.keeper->self, key, n, numbers);
    free(numbers);
}

/* Whether these are the numbers of a run: all finite, Y rising from 0 to Ymax. */
static int is_path(const bk_solution *s, const double *at, size_t n, size_t steps)
{
    const double *Y = at + RUN_HEAD;
    int good = Y[0] == 0 && Y[steps - 1] >= s->o.Ymax;
    for (size_t i = 1; i < steps; i++) good &= Y[i] > Y[i - 1];
    for (size_t i = 0; i < RUN_HEAD + steps * (1 + 2 * n); i++) good &= isfinite(at[i]) != 0;
    return good;
}

/* *from moves on.  Returns 0 where the numbers are not those of such a run. */
static int take_path(bk_solution *s, const double **from, const double *end)
{
    const double *at = *from;
    if (end - at < RUN_HEAD || !(at[0] >= 0 && at[0] <= TMAX_MOST)) return 0;
    bk_run_grid(s, at[0]);
    const size_t n = s->grid.n, left = (size_t)(end - at) - RUN_HEAD;
    if (at[2] != (double)n || !(at[3] >= 2 && at[3] <= (double)(left / (1 + 2 * n))) ||
        !is_path(s, at, n, (size_t)at[3]))
        return 0;
    s->reach = at[1];
    const size_t steps = (size_t)at[3], numbers = steps * (1 + 2 * n);
    double *Y = memory_new(numbers, sizeof *Y);
    s->path = (bk_path){n, steps, steps, Y, Y + steps, Y + steps * (1 + n)};
    memcpy(Y, at + RUN_HEAD, numbers * sizeof *Y);
    *from = at + RUN_HEAD + numbers;
    return 1;
}

int bk_kept_find(bk_solution *s)
{
    char key[KEY_MAX];
    size_t n;
    write_key(s, key);
    double *numbers = s->o.keeper->find(s->o.keeper->self, key, &n);
    if (!numbers) return 0;
    const double *at = numbers;
    const int found = take_path(s, &at, numbers + n) && take_path(s->coarser, &at, numbers + n);
    free(numbers);
    return found;
}
