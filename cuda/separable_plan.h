/* SPDX-License-Identifier: GPL-3.0-or-later */
/* separable_plan.h: all that the processor finds out of one separable table before a device is
 * needed: nodes, rules, cross approximation, lists and tables.  Several threads make the plans of
 * the next tables while a device computes one.  Private to cuda-separable. */
#ifndef CGCT_SEPARABLE_PLAN_H
#define CGCT_SEPARABLE_PLAN_H
#include "device_hankel.h"
#include "lookup_table.h"
#include "separable_ell.h"
#include "separable_lists.h"

typedef struct {
    separable_plan p;
    separable_column *columns;
    separable_lists lists; /* of all columns */
    ell_lists ell;
    separable_gauss gauss[GAUSS_RULES];
    double *rules; /* (3, angles): x, hav, w of all angular rules one behind the other */
    size_t angles;
    device_lnS lnS; /* its table on the processor, up to lnS_last^2 */
    lookup_table lnS_table;
    double lnS_last;
    int lnS_borrowed;
    const lookup_table *K0, *K1; /* shared by all plans */
} cuda_separable_plan;

/* o and d are kept by reference; so is `other`, NULL or a plan of the same dipole, whose table of
 * ln S may serve both. */
cgct_status cuda_separable_plan_init(cuda_separable_plan *s, const inner_opts *o, const dipole *d,
                                     const cuda_separable_plan *other, cgct_err *err);
void cuda_separable_plan_free(cuda_separable_plan *s);

/* The table of a plan, to the processor; or its modes at the momenta of h, which stay on h->g. */
cgct_status cuda_separable_table(inner_table *t, const cuda_separable_plan *plan, gpu *g,
                                 cgct_err *err);
cgct_status cuda_separable_modes(device_hankel *h, const cuda_separable_plan *plan,
                                 double origin[NPOL], cgct_err *err);
#endif
