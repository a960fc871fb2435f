/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "three/momentum_file.h"

#include <stdlib.h>
#include <string.h>

#include "three/momentum_impl.h"

cgct_status three_momentum_save(const char *path, const three_momentum *t, const cgct_three *head,
                                cgct_err *err)
{
    cgct_three all = *head;
    all.M = t->M;
    all.is_complex = t->is_complex;
    all.is_symmetric = t->is_symmetric;
    for (int s = 0; s < THREE_NSET; s++) all.A[s] = t->A[s];
    if (all.nk == t->nk && all.np == t->np && all.nq == t->nq)
        return cgct_three_save(path, &all, err);
    return cgct_fail(err, CGCT_E_USAGE,
                     "%s: lists of %zu x %zu x %zu momenta for modes at %zu x %zu x %zu", path,
                     all.nk, all.np, all.nq, t->nk, t->np, t->nq);
}

cgct_status three_momentum_load(const char *path, three_momentum **to, cgct_three *head,
                                void **memory, cgct_err *err)
{
    *to = NULL;
    CGCT_TRY(cgct_three_load(head, memory, path, err));
    three_momentum *t = *to = calloc(1, sizeof *t);
    if (!t) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory", path);
    *t = (three_momentum){.nk = head->nk,
                          .np = head->np,
                          .nq = head->nq,
                          .M = head->M,
                          .nn = 2 * head->M + 1,
                          .nmode = (head->M + 1) * (2 * head->M + 1),
                          .nplane = (head->is_complex ? 2u : 1u) * (head->is_symmetric ? 1u : 2u),
                          .is_symmetric = head->is_symmetric,
                          .is_complex = head->is_complex};
    size_t n = three_result_size(t);
    for (int s = 0; s < THREE_NSET; s++) {
        t->A[s] = malloc(n * sizeof(double));
        if (!t->A[s]) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for %zu modes", path, n);
        memcpy(t->A[s], head->A[s], n * sizeof(double));
    }
    return CGCT_OK;
}
