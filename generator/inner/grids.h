/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inner_grids.h: all discretisation of one (x,eps), chosen from dipole, eps, momenta and tolerance,
 * or set by the run card. */
#ifndef CGCT_INNER_GRIDS_H
#define CGCT_INNER_GRIDS_H
#include "inner/settings.h"
#include "numerics/filon.h"
#include "inner/table.h"

enum { TAIL_TERMS_MAX = 12 };

typedef struct {
    inner_opts inner; /* points into the arrays below */
    int *m;
    double *delta, *r, *s, *P;
    size_t np;
    double power[TAIL_TERMS_MAX];
    filon_tail_opts tail; /* nterm = 0: cut at the last R node */
} inner_grids;

typedef struct {
    const inner_settings *settings;
    const dipole *dipole;
    double eps, q_max, P_max; /* GeV */
    double coarser; /* 1, or the ratio by which the certificate's computation is coarser */
} inner_grids_task;

cgct_status inner_grids_init(inner_grids *g, const inner_grids_task *task, cgct_err *err);
void inner_grids_free(inner_grids *g);
#endif
