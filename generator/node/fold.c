/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "node/fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/error.h"
#include "numerics/blas.h"

/* J needs far fewer modes than I; so many are looked at, on so many angles at least. */
enum { MODES_MAX = 192, ANGLES_MIN = 384, COARSER = 3 };

/* chi changes fastest where k1 = k2, which is at k >= q/2: no coarse steps from here on, in q. */
static const double EXCHANGE = 0.4;

/* A mode below this share of the error bound says nothing. */
static const double SHARE_OF_ERROR = 0.01;

static const double LONGEST = 0.5; /* of ln k */

/* n steps of the axis, from lo up to hi, which belongs to the next part. */
typedef struct {
    double lo, hi;
    size_t n;
} part;

static part part_between(double lo, double hi, double step)
{
    return (part){lo, hi, lo < hi ? (size_t)ceil(log(hi / lo) / step) : 0};
}

cgct_status fold_axis(size_t nk1, const double *k1, double q_min, double flat, double low,
                      size_t *nk, double **k, cgct_err *err)
{
    double step = nk1 > 1 ? log(k1[1] / k1[0]) : 0.1, longest = fmax(LONGEST, COARSER * step);
    double end = fmin(fmax(low, EXCHANGE * q_min), k1[0]), middle = fmin(fmax(low, flat), end);
    const part parts[] = {part_between(low, middle, longest),
                          part_between(middle, end, COARSER * step),
                          part_between(end, k1[0], step)};
    *nk = nk1 + parts[0].n + parts[1].n + parts[2].n;
    *k = malloc(*nk * sizeof **k);
    if (!*k) return cgct_fail(err, CGCT_E_NOMEM, "no memory for an axis of %zu momenta", *nk);
    double *to = *k;
    for (const part *p = parts; p < parts + 3; p++)
        for (size_t i = 0; i < p->n; i++)
            *to++ = p->lo * pow(p->hi / p->lo, (double)i / (double)p->n);
    memcpy(to, k1, nk1 * sizeof *k1);
    return CGCT_OK;
}

typedef struct {
    size_t nm, nt, kept; /* modes of I, angles 0..nt-1 on [0,pi], modes of J */
    size_t columns;      /* the larger number of modes */
    double *to_angle;    /* (nt, columns): factors of I(theta) */
    double *to_mode;     /* (nt, kept): weights of J_m */
    double power;
} transform;

static cgct_status transform_init(transform *t, size_t nm, double power, cgct_err *err)
{
    t->nm = nm;
    t->nt = (nm > ANGLES_MIN ? nm : ANGLES_MIN) + 1;
    t->kept = MODES_MAX;
    t->columns = nm > t->kept ? nm : t->kept;
    t->power = power;
    t->to_angle = malloc(t->nt * t->columns * sizeof(double));
    t->to_mode = malloc(t->nt * t->kept * sizeof(double));
    if (!t->to_angle || !t->to_mode)
        return cgct_fail(err, CGCT_E_NOMEM, "no memory to fold %zu modes", nm);
    for (size_t i = 0; i < t->nt; i++) {
        double theta = M_PI * (double)i / (double)(t->nt - 1);
        double w = (i == 0 || i == t->nt - 1 ? 0.5 : 1) / (2 * M_PI * (double)(t->nt - 1));
        for (size_t m = 0; m < t->columns; m++)
            t->to_angle[i * t->columns + m] =
                (m ? 4 : 2) * M_PI * (m & 1 ? -1 : 1) * cos((double)m * theta);
        for (size_t m = 0; m < t->kept; m++)
            t->to_mode[i * t->kept + m] = w * (m & 1 ? -1 : 1) * cos((double)m * theta);
    }
    return CGCT_OK;
}

/* chi at theta; k2 -> 0 gives 0. */
static double chi(double q, double k1, double theta, double power)
{
    double half = sin(theta / 2), along = (q - k1) + 2 * k1 * half * half;
    double k2 = hypot(along, k1 * sin(theta));
    return k2 > 0 ? 1 / (1 + pow(k1 / k2, power)) : 0;
}

/* error (nk) grows by the largest difference that the modes leave: those of J beyond the last. */
static void add_lost(const transform *t, size_t nk, const double *at_angle, const double *J,
                     double *again, double *error)
{
    const int n = (int)nk, nt = (int)t->nt, kept = (int)t->kept, columns = (int)t->columns;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, nt, kept, 1, J, kept, t->to_angle,
                columns, 0, again, nt);
    for (size_t k = 0; k < nk; k++) {
        double most = 0;
        for (size_t i = k * t->nt; i < (k + 1) * t->nt; i++)
            most = fmax(most, fabs(again[i] - at_angle[i]));
        error[k] += most;
    }
}

/* All k of one q, both polarisations: two matrix products about the factor chi; scratch holds
 * 3 nk nt numbers. */
static void fold_momentum(const transform *t, size_t iq, size_t nq, double q, size_t nk,
                          const double *k, const double *I, double *J, double *error,
                          double *scratch)
{
    double *factor = scratch, *at_angle = factor + nk * t->nt, *again = at_angle + nk * t->nt;
    const int n = (int)nk, nt = (int)t->nt, nm = (int)t->nm, kept = (int)t->kept;
    for (size_t i = 0; i < nk * t->nt; i++) {
        double theta = M_PI * (double)(i % t->nt) / (double)(t->nt - 1);
        factor[i] = chi(q, k[i / t->nt], theta, t->power);
    }
    for (size_t pol = 0; pol < 2; pol++) {
        size_t row = (pol * nq + iq) * nk;
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, nt, nm, 1, I + row * t->nm, nm,
                    t->to_angle, (int)t->columns, 0, at_angle, nt);
        for (size_t i = 0; i < nk * t->nt; i++) at_angle[i] *= factor[i];
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, kept, nt, 1, at_angle, nt,
                    t->to_mode, kept, 0, J + row * t->kept, kept);
        add_lost(t, nk, at_angle, J + row * t->kept, again, error + row);
    }
}

/* E_NOMEM or OK. */
static cgct_status fold_all(const transform *t, size_t nq, const double *q, size_t nk,
                            const double *k, const double *I, double *J, double *error)
{
    int failed = 0;
    blas_single_threaded();
#pragma omp parallel reduction(| : failed)
    {
        double *scratch = malloc(3 * nk * t->nt * sizeof *scratch);
        failed |= !scratch;
#pragma omp for schedule(static)
        for (size_t iq = 0; iq < nq; iq++)
            if (scratch) fold_momentum(t, iq, nq, q[iq], nk, k, I, J, error, scratch);
        free(scratch);
    }
    return failed ? CGCT_E_NOMEM : CGCT_OK;
}

/* Modes of one point up to the last that is neither below keep J_0 nor lost in the error. */
static size_t significant(const double *J, size_t nm, double keep, double error)
{
    double least = fmax(keep * fabs(J[0]), SHARE_OF_ERROR * error / (4 * M_PI));
    if (error >= 2 * M_PI * J[0]) return 1; /* nothing but error: isotropic, so never negative */
    while (nm > 1 && !(fabs(J[nm - 1]) > least)) nm--;
    return nm;
}

/* Leaves the significant modes, zeros after them, no J_0 < 0, and says how many any point has. */
static size_t trim(double *J, size_t points, size_t nm, double keep, double *error)
{
    size_t need = 1;
    for (size_t i = 0; i < points; i++) {
        double *at = J + i * nm, lost = 0;
        size_t n = significant(at, nm, keep, error[i]);
        for (size_t m = n; m < nm; m++) {
            lost += 4 * M_PI * fabs(at[m]);
            at[m] = 0;
        }
        if (at[0] < 0) lost -= 2 * M_PI * at[0];
        at[0] = fmax(at[0], 0);
        error[i] += lost;
        need = n > need ? n : need;
    }
    for (size_t i = 0; i < points; i++) memmove(J + i * need, J + i * nm, need * sizeof *J);
    return need;
}

cgct_status fold_modes(double power, size_t nq, const double *q, size_t nk, const double *k,
                       double keep, size_t *nm, double **modes, double *error, cgct_err *err)
{
    transform t = {0};
    size_t points = 2 * nq * nk;
    double *J = malloc(points * MODES_MAX * sizeof *J);
    cgct_status st = J ? transform_init(&t, *nm, power, err)
                       : cgct_fail(err, CGCT_E_NOMEM, "no memory to fold %zu points", points);
    if (st == CGCT_OK && fold_all(&t, nq, q, nk, k, *modes, J, error) != CGCT_OK)
        st = cgct_fail(err, CGCT_E_NOMEM, "no memory to fold %zu momenta on %zu angles", nk, t.nt);
    if (st == CGCT_OK) {
        free(*modes);
        *modes = J;
        *nm = trim(J, points, MODES_MAX, keep, error);
        J = NULL;
    }
    free(J);
    free(t.to_angle);
    free(t.to_mode);
    return st;
}
