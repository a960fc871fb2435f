/* SPDX-License-Identifier: MIT */
/* The public calls that take (x,eps) with every point. */
#include <math.h>

#include "cgctab_everett.h"
#include "../format/elementary.h"
#include "../format/vectors.h"

cgct_status cgct_eval(const cgct_table *t, double x, double eps, double q, double k1, double theta,
                      double value[2])
{
    cgct_planes p;
    if (!value) return CGCT_E_USAGE;
    value[CGCT_T] = value[CGCT_L] = NAN;
    if (!t || !t->node) return CGCT_E_USAGE;
    const cgct_arguments a = {&x, &eps, &q, &k1, &theta};
    if (t->everett) return cgct_everett_eval(t, 1, &a, value, NULL);
    CGCT_TRY(cgct_planes_at(t, x, eps, &p, NULL));
    return cgct_eval_planes(&p, 1, &a, value, NULL);
}

/* Points that share (x,eps) with the one before go through one batch. */
cgct_status cgct_eval_many(const cgct_table *t, size_t n, const double *x, const double *eps,
                           const double *q, const double *k1, const double *theta, double *values,
                           size_t *first)
{
    cgct_planes p;
    cgct_status result = CGCT_OK;
    if (first) *first = n;
    if (!t || !t->node || (n && (!x || !eps || !q || !k1 || !theta || !values)))
        return CGCT_E_USAGE;
    const cgct_arguments a = {x, eps, q, k1, theta};
    if (t->everett) return cgct_everett_eval(t, n, &a, values, first);
    for (size_t i = 0, m; i < n; i += m) {
        size_t bad = 0;
        for (m = 1; i + m < n && x[i + m] == x[i] && eps[i + m] == eps[i]; m++) continue;
        for (size_t j = 2 * i; j < 2 * (i + m); j++) values[j] = NAN;
        cgct_status st = cgct_planes_at(t, x[i], eps[i], &p, NULL);
        if (st == CGCT_OK) {
            const cgct_arguments from = cgct_arguments_at(&a, i);
            st = cgct_eval_planes(&p, m, &from, values + 2 * i, &bad);
        }
        if (st != CGCT_OK && result == CGCT_OK) {
            result = st;
            if (first) *first = i + bad;
        }
    }
    return result;
}

cgct_status cgct_check(const cgct_table *t, double x, double eps, double q, double k1, double theta,
                       cgct_err *err)
{
    cgct_planes p;
    cgct_places at;
    if (!t || !t->node) return cgct_fail(err, CGCT_E_USAGE, "cgct_check: the table has no nodes");
    cgct_status st = cgct_planes_at(t, x, eps, &p, err);
    if (st == CGCT_OK) {
        const cgct_arguments a = {&x, &eps, &q, &k1, &theta};
        cgct_place(t, 1, &a, &at, err);
        st = at.status[0];
    }
    return st == CGCT_OK ? st : cgct_context(err, st, "%s", t->path);
}

/* Interpolated A, B and modes of one polarisation; s = 1 where flags forbid logarithms. */
static double polarised_modes_at(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k,
                                 int pol, size_t n, double *out)
{
    enum { CHUNK = 8 };
    CGCT_ALIGNED double block[CGCT_BLOCK * CHUNK];
    double s = 1;
    size_t nblock = cgct_blocks_at(p, q, k);
    if (p->flagged && cgct_any_flag(p, q, k, pol)) {
        cgct_flagged_modes(p, q, k, pol, n, out);
        return 1;
    }
    for (size_t m = 0; m < n; m++) out[m] = 0;
    for (size_t v = 0; v < nblock; v += CHUNK) {
        size_t nv = nblock - v < CHUNK ? nblock - v : (size_t)CHUNK;
        cgct_blend(p, q, k, v, nv, block);
        if (v == 0) s = cgct_scale(block[pol], block[2 + pol]);
        for (size_t i = v ? 0 : 4; i < CGCT_BLOCK * nv; i += 2) {
            size_t m = (CGCT_BLOCK * v + i - 2) / 2;
            if (m < n) out[m] = s * block[i + (size_t)pol];
        }
    }
    if (n) out[0] = s;
    return s;
}

/* Largest bound over s among the corners, times s; the largest bound itself where s means nothing.
 */
static double error_bound_at(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k,
                             int pol)
{
    size_t nk = p->table->grid[CGCT_AXIS_K].n, nq = p->table->grid[CGCT_AXIS_Q].n;
    int flagged = p->flagged && cgct_any_flag(p, q, k, pol);
    double largest = 0;
    for (size_t i = 0; i < p->ncorner; i++)
        for (size_t iq = 0; iq < q->nl; iq++)
            for (size_t ik = 0; ik < k->nl; ik++) {
                const cgct_records *r = p->corner[i];
                size_t point = (q->cell + iq) * nk + k->cell + ik;
                if (q->l[iq] == 0 || k->l[ik] == 0) continue;
                double a = cgct_record_get(r, r->start[point], (size_t)pol);
                double error = r->error[(size_t)pol * nq * nk + point];
                largest = fmax(largest, flagged ? error * cgct_exp(a) : error);
            }
    return flagged ? largest : largest * fabs(polarised_modes_at(p, q, k, pol, 0, NULL));
}

cgct_status cgct_eval_error(const cgct_table *t, double x, double eps, double q, double k1,
                            double theta, double error[2])
{
    cgct_planes p;
    cgct_places at;
    cgct_stencil sq, sk;
    if (!error) return CGCT_E_USAGE;
    error[CGCT_T] = error[CGCT_L] = NAN;
    if (!t || !t->node) return CGCT_E_USAGE;
    CGCT_TRY(cgct_planes_at(t, x, eps, &p, NULL));
    const cgct_arguments a = {&x, &eps, &q, &k1, &theta};
    cgct_place(t, 1, &a, &at, NULL);
    if (at.status[0] != CGCT_OK) return at.status[0];
    cgct_locate(&t->grid[CGCT_AXIS_Q], at.ln_q[0], &sq);
    cgct_locate(&t->grid[CGCT_AXIS_K], at.ln_k[0], &sk);
    for (int pol = 0; pol < 2; pol++) error[pol] = at.share[0] * error_bound_at(&p, &sq, &sk, pol);
    return CGCT_OK;
}

cgct_status cgct_modes(const cgct_table *t, double x, double eps, double q, double k,
                       size_t capacity, double *modes, size_t *nm)
{
    cgct_planes p;
    cgct_stencil sq, sk;
    if (nm) *nm = 0;
    if (capacity && !modes) return CGCT_E_USAGE;
    for (size_t i = 0; i < 2 * capacity; i++) modes[i] = NAN;
    if (!t || !t->node) return CGCT_E_USAGE;
    int freeze = t->policy == CGCT_POLICY_FREEZE;
    CGCT_TRY(cgct_planes_at(t, x, eps, &p, NULL));
    CGCT_TRY(cgct_into_range(&t->grid[CGCT_AXIS_Q], &q, freeze, NULL));
    CGCT_TRY(cgct_into_range(&t->grid[CGCT_AXIS_K], &k, freeze, NULL));
    cgct_locate(&t->grid[CGCT_AXIS_Q], cgct_ln(q), &sq);
    cgct_locate(&t->grid[CGCT_AXIS_K], cgct_ln(k), &sk);
    for (size_t i = 0; i < p.n && nm; i++) {
        const cgct_entry *e = &t->entry[p.plane[i] - t->node];
        if (e->nm > *nm) *nm = e->nm;
    }
    for (int pol = 0; pol < 2 && capacity; pol++)
        polarised_modes_at(&p, &sq, &sk, pol, capacity, modes + (size_t)pol * capacity);
    return CGCT_OK;
}

/* ---- cross section ---- */

#define PI 3.14159265358979323846
#define N_COLOURS 3.0

static int positive(double v)
{
    return v > 0 && isfinite(v);
}

cgct_status cgct_dis_factors(const cgct_dis *d, double *eps, double factor[2])
{
    if (!d || !eps || !factor) return CGCT_E_USAGE;
    *eps = factor[CGCT_T] = factor[CGCT_L] = NAN;
    if (!positive(d->alpha_em) || !positive(d->e_q2) || !positive(d->S_perp) || !positive(d->Q2) ||
        !(d->z > 0 && d->z < 1))
        return CGCT_E_DOMAIN;
    double z = d->z, zbar = 1 - z, eps2 = z * zbar * d->Q2;
    double common = 2 * N_COLOURS * d->alpha_em * d->e_q2 * d->S_perp / pow(2 * PI, 6);
    *eps = sqrt(eps2);
    factor[CGCT_T] = common * (z * z + zbar * zbar) * eps2;
    factor[CGCT_L] = common * 4 * z * zbar * eps2;
    return CGCT_OK;
}

cgct_status cgct_dsigma(const cgct_table *table, const cgct_dis *dis, double x, double q, double k1,
                        double theta, double dsigma[2])
{
    double eps, factor[2];
    if (!dsigma) return CGCT_E_USAGE;
    dsigma[CGCT_T] = dsigma[CGCT_L] = NAN;
    cgct_status st = cgct_dis_factors(dis, &eps, factor);
    if (st == CGCT_OK) st = cgct_eval(table, x, eps, q, k1, theta, dsigma);
    for (int pol = 0; pol < 2; pol++) dsigma[pol] = st == CGCT_OK ? factor[pol] * dsigma[pol] : NAN;
    return st;
}
