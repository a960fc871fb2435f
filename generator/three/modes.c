/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The modes A_mn of a three-momentum transform: their memory, the sums over r' and Delta that make
 * them, values of F, and the file of modes. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/blas.h"
#include "three/plan.h"

cgct_status three_momentum_new(three_momentum **to, const three_momentum *like, cgct_err *err)
{
    three_momentum *t = *to = calloc(1, sizeof *t);
    if (!t) return cgct_fail(err, CGCT_E_NOMEM, "three_momentum: no memory");
    *t = *like;
    t->nn = 2 * t->M + 1;
    t->nmode = (t->M + 1) * t->nn;
    t->nplane = (t->is_complex ? 2u : 1u) * (t->is_symmetric ? 1u : 2u);
    t->A[THREE_FINE] = t->A[THREE_COARSE] = NULL;
    for (int s = 0; s < THREE_NSET; s++)
        if (!(t->A[s] = calloc(three_result_size(t), sizeof(double))))
            return cgct_fail(err, CGCT_E_NOMEM, "three_momentum: no memory for %zu modes",
                             three_result_size(t));
    return CGCT_OK;
}

void three_momentum_free(three_momentum *t)
{
    if (!t) return;
    for (int s = 0; s < THREE_NSET; s++) free(t->A[s]);
    free(t);
}

/* ---- sums over r' and Delta ---- */

/* Mode number i of all planes: H (nd, nrow, nr) -> K (nd, nq, np) -> A (nk, nq, np) */
static void add_mode(const three_plan *p, const three_range *at, const double *H, size_t i,
                     double *K, three_momentum *t)
{
    size_t np = t->np, nr = p->o->rp.n, all = p->o->delta.n;
    size_t m = i % p->nmode / p->nn, columns = at->nq * np;
    long order = (long)m + (long)(i % p->nn) - (long)p->M;
    double sign = order > 0 && order % 2 ? -1 : 1; /* J_-l = (-1)^l J_l */
    size_t l = (size_t)labs(order);
    for (size_t s = 0; s < THREE_NSET; s++) {
        const double *wr = p->wr + (l * THREE_NSET + s) * np * nr;
        const double *wd = p->wd + (m * THREE_NSET + s) * t->nk * all + at->d0;
        for (size_t id = 0; id < at->nd; id++)
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)at->nq, (int)np, (int)nr,
                        sign, H + (id * p->group * THREE_NSET + s) * nr, (int)(THREE_NSET * nr), wr,
                        (int)nr, 0, K + id * columns, (int)np);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)t->nk, (int)columns,
                    (int)at->nd, 1, wd, (int)all, K, (int)columns, 1,
                    t->A[s] + (i * t->nk * t->nq + at->q0) * np, (int)(t->nq * np));
    }
}

cgct_status three_add_subset(const three_plan *p, const three_range *at, const double *H,
                             three_momentum *t, cgct_err *err)
{
    size_t size = at->nd * at->nq * t->np, n = p->nplane * p->nmode;
    double *K = malloc(p->nthread * size * sizeof *K);
    if (!K) return cgct_fail(err, CGCT_E_NOMEM, "three_momentum: no memory for %zu numbers", size);
#pragma omp parallel for schedule(static) num_threads((int)p->nthread)
    for (size_t i = 0; i < n; i++)
        add_mode(p, at, H + i * three_mode_step(p), i, K + (size_t)omp_get_thread_num() * size, t);
    free(K);
    return CGCT_OK;
}

/* ---- values ---- */

/* A[re,im] of mode (m, n), m >= 0, of Re G (channel 0) or Im G (channel 1). */
static void channel_mode(const three_momentum *t, int set, int channel, size_t mode, size_t at,
                         double A[2])
{
    size_t nplane = t->is_symmetric ? 1 : 2, step = t->nmode * t->nk * t->nq * t->np;
    const double *a =
        t->A[set] + (size_t)channel * nplane * step + mode * t->nk * t->nq * t->np + at;
    A[0] = a[0];
    A[1] = t->is_symmetric ? 0 : a[step];
}

/* The part of F from Re G or Im G, which is real.  *error: the sum of each mode's change with the
 * coarser weights, and of the absolute values of the outermost modes. */
static double channel_value(const three_momentum *t, int channel, const three_momenta *at,
                            double *error)
{
    double sum = 0, off = 0, M = (double)t->M;
    size_t offset = (at->ik * t->nq + at->iq) * t->np + at->ip;
    for (size_t mode = 0; mode < t->nmode; mode++) {
        double A[2], B[2], m = (double)(mode / t->nn), n = (double)(mode % t->nn) - M;
        double psi = n * at->phi_q - (m + n) * at->phi_p, twice = m > 0 ? 2 : 1;
        channel_mode(t, THREE_FINE, channel, mode, offset, A);
        channel_mode(t, THREE_COARSE, channel, mode, offset, B);
        sum += twice * (A[0] * cos(psi) + A[1] * sin(psi));
        off += twice * hypot(A[0] - B[0], A[1] - B[1]);
        if (m == M || fabs(n) == M) off += twice * hypot(A[0], A[1]);
    }
    *error = pow(2 * M_PI, 3) * off;
    return pow(2 * M_PI, 3) * sum;
}

void three_momentum_value(const three_momentum *t, const three_momenta *at, double F[2],
                          double *error)
{
    F[1] = *error = 0;
    for (int channel = 0; channel <= t->is_complex; channel++) {
        double e;
        F[channel] = channel_value(t, channel, at, &e);
        *error += e;
    }
}

/* ---- file ---- */

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

cgct_status three_momentum_load(const char *path, three_momentum **t, cgct_three *head,
                                void **memory, cgct_err *err)
{
    *t = NULL;
    CGCT_TRY(cgct_three_load(head, memory, path, err));
    const three_momentum like = {.nk = head->nk,
                                 .np = head->np,
                                 .nq = head->nq,
                                 .M = head->M,
                                 .is_symmetric = head->is_symmetric,
                                 .is_complex = head->is_complex};
    cgct_status st = three_momentum_new(t, &like, err);
    if (st != CGCT_OK) return cgct_context(err, st, "%s", path);
    for (int s = 0; s < THREE_NSET; s++)
        memcpy((*t)->A[s], head->A[s], three_result_size(*t) * sizeof(double));
    return CGCT_OK;
}
