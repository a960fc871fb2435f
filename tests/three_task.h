/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_task.h: a three-momentum transform of moderate size, and random members of the Gaussian
 * family. */
#ifndef THREE_TASK_H
#define THREE_TASK_H
#include <stdlib.h>
#include <string.h>

#include "three/gaussian_family.h"
#include "three/plan.h"
#include "check_rel.h"

#define TOL_STAGE 1e-9     /* Filon, degree 8, 96 nodes to 8, of the largest */
#define TOL_ROUNDING 1e-13 /* same sums in another order, of the largest */

enum { M = 5, NPHI = 24, NODES = 96, NK = 3, NP = 2, NQ = 3 };
static const double k_list[NK] = {0, 0.7, 2.1}, p_list[NP] = {0.8, 0}, q_list[NQ] = {1.2, 0, 2.5};

static inline double uniform(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 24);
}

/* Positive definite by diagonal dominance; small enough couplings that M modes suffice. */
static inline gaussian_family random_family(unsigned *seed)
{
    gaussian_family g;
    double *v[] = {&g.a, &g.b0, &g.c, &g.g1, &g.g2, &g.g3};
    for (int i = 0; i < 6; i++) *v[i] = i < 3 ? 0.8 + uniform(seed) : 0.7 * (2 * uniform(seed) - 1);
    cgct_err err = {""};
    ck_assert_msg(gaussian_check(&g, &err) == CGCT_OK, "%s", err.text);
    return g;
}

/* A task of the size above. */
typedef struct {
    double node[NODES];
    three_opts o;
    cgct_err err;
} task;

static inline void task_init(task *t)
{
    memset(t, 0, sizeof *t);
    for (int i = 0; i < NODES; i++) t->node[i] = 8.0 * i / (NODES - 1);
    t->o = (three_opts){.delta = {.n = NODES, .node = t->node, .nmom = NK, .mom = k_list},
                        .rp = {.n = NODES, .node = t->node, .nmom = NP, .mom = p_list},
                        .b = {.n = NODES, .node = t->node, .nmom = NQ, .mom = q_list},
                        .modes = M,
                        .nphi = NPHI};
}

static inline three_momentum *transform(task *t, const three_integrand *g, three_report *report)
{
    three_momentum *r;
    cgct_status st = three_momentum_run(&r, &t->o, g, report, &t->err);
    ck_assert_msg(st == CGCT_OK, "%s", t->err.text);
    return r;
}
#endif
