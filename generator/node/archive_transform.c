/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "node/archive_transform.h"
#include "numerics/grid.h"
#include "node/hankel.h"

static const double SAFETY = 2, ROUNDING = 1e-13; /* as in pipeline_impl.h */
enum { SIGMA_NODES = 10 };

static cgct_status modes_of(const archive *a, const inner_table *t, int degree, size_t nq,
                            const double *q, mode_table *out, cgct_err *err)
{
    size_t n = NPOL * t->nm * nq * a->np;
    double *I = malloc(n * sizeof *I), seconds[2] = {0, 0};
    filon_tail_opts tail = {a->tail_nodes, a->tail_terms, a->power};
    if (!I) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu modes", n);
    cgct_status st = hankel_transform(t, nq, q, a->np, a->P, degree, a->tail_terms ? &tail : NULL,
                                      I, seconds, err);
    if (st == CGCT_OK)
        st = mode_table_init(out, t->lam, t->nm, t->lam == 0.5 ? 2 : 1, nq, q, a->np, a->P, I, err);
    free(I);
    return st;
}

/* What entries that are off by as much as was measured do to I: signs by a fixed sequence. */
static cgct_status noise_modes(const archive *a, size_t nq, const double *q, mode_table *out,
                               cgct_err *err)
{
    inner_table t = a->table;
    size_t block = t.nm * t.nd * t.nr;
    uint64_t seed = 1;
    t.g = malloc(NPOL * block * sizeof *t.g);
    if (!t.g) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu entries", NPOL * block);
    for (size_t i = 0; i < NPOL * block; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        t.g[i] = seed >> 63 ? a->measured[i / block] : -a->measured[i / block];
    }
    cgct_status st = modes_of(a, &t, a->degree, nq, q, out, err);
    free(t.g);
    return st;
}

static void interpolate_sigma(archive_modes *t)
{
    const ridge *r = &t->a->ridges;
    double c[SIGMA_NODES];
    size_t n = r->nq < SIGMA_NODES ? r->nq : SIGMA_NODES;
    for (size_t iq = 0; r->nk && iq < t->nq; iq++) {
        size_t first = grid_window(r->nq, t->a->ridge_q, t->q[iq], n);
        grid_lagrange(n, t->a->ridge_q + first, t->q[iq], c);
        t->sigma[iq] = 0;
        for (size_t i = 0; i < n; i++) t->sigma[iq] += c[i] * r->sigma[first + i];
    }
}

static cgct_status transform(archive_modes *t, const archive *a, cgct_err *err)
{
    for (size_t iq = 0; iq < t->nq; iq++)
        if (!(t->q[iq] > 0 && t->q[iq] <= a->q_max * (1 + 1e-12)))
            return cgct_fail(err, CGCT_E_RANGE, "q = %g GeV; this archive serves q up to %g GeV",
                             t->q[iq], a->q_max);
    interpolate_sigma(t);
    CGCT_TRY(modes_of(a, &a->table, a->degree, t->nq, t->q, &t->value, err));
    int lower = a->degree >= 4 ? a->degree - 2 : a->degree + 2;
    CGCT_TRY(modes_of(a, &a->table, lower, t->nq, t->q, &t->lower, err));
    if (!(a->measured[POL_T] > 0 || a->measured[POL_L] > 0)) return CGCT_OK;
    return noise_modes(a, t->nq, t->q, &t->noise, err);
}

cgct_status archive_transform(archive_modes *t, const archive *a, size_t nq, const double *q,
                              cgct_err *err)
{
    *t = (archive_modes){.a = a, .nq = nq};
    t->q = malloc(2 * nq * sizeof *t->q);
    if (!t->q) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu momenta", nq);
    t->sigma = t->q + nq;
    memcpy(t->q, q, nq * sizeof *q);
    cgct_status st = transform(t, a, err);
    if (st != CGCT_OK) archive_modes_free(t);
    return st;
}

void archive_modes_free(archive_modes *t)
{
    mode_table_free(&t->value);
    mode_table_free(&t->lower);
    mode_table_free(&t->noise);
    free(t->q);
    memset(t, 0, sizeof *t);
}

cgct_status archive_point(const archive_modes *t, size_t iq, double k1, double theta,
                          double I[NPOL], double error[NPOL], cgct_err *err)
{
    const archive *a = t->a;
    double P, phi, lower[NPOL], noise[NPOL] = {0, 0}, q = t->q[iq];
    if (!(k1 >= 0 && k1 <= a->k_max * (1 + 1e-12)) || !isfinite(theta))
        return cgct_fail(err, CGCT_E_RANGE, "k1 = %g GeV; this archive serves k1 from 0 to %g GeV",
                         k1, a->k_max);
    mode_recentre(a->table.lam, q, k1, theta, &P, &phi);
    mode_table_eval(&t->value, iq, P, phi, I);
    mode_table_eval(&t->lower, iq, P, phi, lower);
    if (t->noise.np) mode_table_eval(&t->noise, iq, P, phi, noise);
    for (int pol = 0; pol < NPOL; pol++)
        error[pol] = SAFETY * (fabs(I[pol] - lower[pol]) + fabs(noise[pol]));
    ridge at = a->ridges;
    at.sigma = t->sigma;
    ridge_add(&at, iq, k1, hypot(q - k1 * cos(theta), k1 * sin(theta)), I);
    for (int pol = 0; pol < NPOL; pol++) error[pol] += ROUNDING * fabs(I[pol]);
    return CGCT_OK;
}
