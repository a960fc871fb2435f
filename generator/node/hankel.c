/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hankel.c: Hankel transforms as products with Filon weights, and what is evaluated from them. */
#include "node/hankel.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/blas.h"
#include "numerics/clock.h"
#include "numerics/filon.h"
#include "numerics/grid.h"
#include "numerics/memory.h"

/* Nodes of the interpolation in P, and of sigma in q. */
enum { P_NODES = 10, SIGMA_NODES = 10 };
static const double ARCHIVE_SAFETY = 2; /* as for a node (passes.c) */

/* ---- the two transforms ---- */

/* Seconds since *last, which becomes now. */
static double lap_seconds(double *last)
{
    double before = *last;
    *last = clock_wall();
    return *last - before;
}

static cgct_status transform_r_then_delta(const inner_table *t, const backend_transform *k,
                                          double *w, double *H, double *modes, double seconds[2],
                                          cgct_err *err)
{
    double last = clock_wall();
    const filon_task to_q = {t->nr, k->nq, t->nm, t->r, k->q, t->m, k->degree, k->tail};
    CGCT_TRY(filon_weights(&to_q, w, err));
    seconds[0] += lap_seconds(&last);
    const int nq = (int)k->nq, nd = (int)t->nd, nr = (int)t->nr;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < NPOL * t->nm; i++) /* H (NPOL, nm, nq, nd) = sum_R w_m(q,R) G_m */
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, nq, nd, nr, 1,
                    w + (i % t->nm) * k->nq * t->nr, nr, t->g + i * t->nd * t->nr, nr, 0,
                    H + i * k->nq * t->nd, nd);
    seconds[1] += lap_seconds(&last);
    for (size_t first = 0; first < k->np; first += HANKEL_CHUNK) {
        size_t left = k->np - first, n = left < HANKEL_CHUNK ? left : HANKEL_CHUNK;
        const filon_task to_P = {t->nd, n, t->nm, t->delta, k->P + first, t->m, k->degree, NULL};
        CGCT_TRY(filon_weights(&to_P, w, err));
        seconds[0] += lap_seconds(&last);
#pragma omp parallel for schedule(dynamic, 1)
        for (size_t i = 0; i < NPOL * t->nm; i++) /* columns of sum_Delta H w_m(P,Delta) */
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, nq, (int)n, nd, 1,
                        H + i * k->nq * t->nd, nd, w + (i % t->nm) * n * t->nd, nd, 0,
                        modes + first + i * k->nq * k->np, (int)k->np);
        seconds[1] += lap_seconds(&last);
    }
    return CGCT_OK;
}

cgct_status hankel_transform(const inner_table *t, const backend_transform *k, double *modes,
                             double seconds[2], cgct_err *err)
{
    size_t rows = k->nq * t->nr, chunk = HANKEL_CHUNK * t->nd;
    double *w = memory_new(t->nm * (rows > chunk ? rows : chunk), sizeof *w);
    double *H = memory_new(NPOL * t->nm * k->nq * t->nd, sizeof *H);
    const cgct_status st = transform_r_then_delta(t, k, w, H, modes, seconds, err);
    free(w);
    free(H);
    return st;
}

/* ---- the table of modes ---- */

void mode_table_init(mode_table *t, const backend_transform *k, const double *modes)
{
    const size_t nm = k->inner->nm, nq = k->nq, np = k->np;
    *t = (mode_table){.lam = k->inner->lam, .nm = nm, .nq = nq, .np = np};
    t->step = nm > 1 ? k->inner->m[1] : 1; /* odd modes vanish in the symmetric frame */
    t->q = memory_new(nq + np + NPOL * nq * np * nm, sizeof *t->q);
    t->P = t->q + nq;
    t->I = t->P + np;
    memcpy(t->q, k->q, nq * sizeof *t->q);
    memcpy(t->P, k->P, np * sizeof *t->P);
    for (size_t pol = 0; pol < NPOL; pol++)
        for (size_t im = 0; im < nm; im++)
            for (size_t iq = 0; iq < nq; iq++)
                for (size_t ip = 0; ip < np; ip++)
                    t->I[((pol * nq + iq) * np + ip) * nm + im] =
                        modes[((pol * nm + im) * nq + iq) * np + ip];
}

void mode_table_free(mode_table *t)
{
    free(t->q);
    memset(t, 0, sizeof *t);
}

void mode_recentre(double lam, double q, double k1, double theta, double *P, double *phi)
{
    double px = k1 * cos(theta) - lam * q, py = k1 * sin(theta);
    *P = hypot(px, py);
    *phi = atan2(py, px);
}

double mode_k2(double q, double k1, double theta)
{
    return hypot(q - k1 * cos(theta), k1 * sin(theta));
}

/* (-1)^m cos(m phi) times 2 pi or 4 pi for all m, by rotation: mode m loses m roundings. */
static void angular_factors(const mode_table *t, double phi, double *f)
{
    double turn = t->step * (phi + M_PI), c1 = cos(turn), s1 = sin(turn), c = 1, s = 0;
    for (size_t im = 0; im < t->nm; im++) {
        f[im] = 4 * M_PI * c;
        double next = c * c1 - s * s1;
        s = s * c1 + c * s1;
        c = next;
    }
    f[0] = 2 * M_PI;
}

void mode_table_eval(const mode_table *t, size_t iq, double P, double phi, double I[NPOL])
{
    double c[P_NODES], f[t->nm];
    size_t n = t->np < P_NODES ? t->np : P_NODES;
    size_t first = grid_weights(t->np, t->P, P, n, c);
    angular_factors(t, phi, f);
    for (size_t pol = 0; pol < NPOL; pol++) {
        /* sum_m f_m sum_k c_k rows_km; over k first, so that both loops over m vectorise */
        const double *rows = t->I + ((pol * t->nq + iq) * t->np + first) * t->nm;
        double v[t->nm], sum = 0;
        for (size_t im = 0; im < t->nm; im++) v[im] = c[0] * rows[im];
        for (size_t k = 1; k < n; k++)
            for (size_t im = 0; im < t->nm; im++) v[im] += c[k] * rows[k * t->nm + im];
#pragma omp simd reduction(+ : sum)
        for (size_t im = 0; im < t->nm; im++) sum += v[im] * f[im];
        I[pol] = sum;
    }
}

/* ---- from an archive ---- */

static cgct_status stored_mode_table(const stored_modes *k, const inner_table *t, int degree,
                                     mode_table *out, cgct_err *err)
{
    const archive *a = k->a;
    const filon_tail_opts tail = {a->tail_nodes, a->tail_terms, a->power};
    const inner_opts frame = {.lam = t->lam, .nm = t->nm, .m = t->m};
    const backend_transform w = {.inner = &frame,
                                 .nq = k->nq,
                                 .np = a->np,
                                 .q = k->q,
                                 .P = a->P,
                                 .degree = degree,
                                 .tail = a->tail_terms ? &tail : NULL};
    double *I = memory_new(NPOL * t->nm * k->nq * a->np, sizeof *I), seconds[2] = {0, 0};
    const cgct_status st = hankel_transform(t, &w, I, seconds, err);
    if (st == CGCT_OK) mode_table_init(out, &w, I);
    free(I);
    return st;
}

/* Modes of a table of errors as large as measured, with the signs of a fixed random sequence
 * (Knuth's 64-bit linear congruential generator): their size is that of the errors of I. */
static cgct_status stored_noise_table(stored_modes *k, cgct_err *err)
{
    inner_table t = k->a->table;
    size_t block = t.nm * t.nd * t.nr;
    uint64_t seed = 1;
    t.g = memory_new(NPOL * block, sizeof *t.g);
    for (size_t i = 0; i < NPOL * block; i++) {
        const double *measured = &k->a->measured[i / block];
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        t.g[i] = seed >> 63 ? *measured : -*measured;
    }
    cgct_status st = stored_mode_table(k, &t, k->a->degree, &k->noise, err);
    free(t.g);
    return st;
}

static cgct_status stored_tables(stored_modes *t, cgct_err *err)
{
    const archive *a = t->a;
    for (size_t iq = 0; iq < t->nq; iq++)
        if (!(t->q[iq] > 0 && t->q[iq] <= a->q_max * (1 + 1e-12)))
            return cgct_fail(err, CGCT_E_RANGE, "q = %g GeV; this archive serves q up to %g GeV",
                             t->q[iq], a->q_max);
    const single_factors *r = &a->single;
    for (size_t iq = 0; r->nk && iq < t->nq; iq++)
        t->sigma[iq] = grid_interpolate(r->nq, a->single_q, r->sigma, t->q[iq], SIGMA_NODES);
    CGCT_TRY(stored_mode_table(t, &a->table, a->degree, &t->value, err));
    int lower = a->degree >= 4 ? a->degree - 2 : a->degree + 2;
    CGCT_TRY(stored_mode_table(t, &a->table, lower, &t->lower, err));
    if (!(a->measured[POL_T] > 0 || a->measured[POL_L] > 0)) return CGCT_OK;
    return stored_noise_table(t, err);
}

cgct_status stored_modes_init(stored_modes *t, const archive *a, size_t nq, const double *q,
                              cgct_err *err)
{
    *t = (stored_modes){.a = a, .nq = nq};
    t->q = memory_new(2 * nq, sizeof *t->q);
    t->sigma = t->q + nq;
    memcpy(t->q, q, nq * sizeof *q);
    cgct_status st = stored_tables(t, err);
    if (st != CGCT_OK) stored_modes_free(t);
    return st;
}

void stored_modes_free(stored_modes *t)
{
    mode_table_free(&t->value);
    mode_table_free(&t->lower);
    mode_table_free(&t->noise);
    free(t->q);
    memset(t, 0, sizeof *t);
}

cgct_status stored_modes_point(const stored_modes *t, size_t iq, double k1, double theta,
                               double I[NPOL], double error[NPOL], cgct_err *err)
{
    const archive *a = t->a;
    double P, phi, interpolated[NPOL] = {0, 0}, lost[NPOL] = {0, 0}, q = t->q[iq];
    if (!(k1 >= 0 && k1 <= a->k_max * (1 + 1e-12)) || !isfinite(theta))
        return cgct_fail(err, CGCT_E_RANGE, "k1 = %g GeV; this archive serves k1 from 0 to %g GeV",
                         k1, a->k_max);
    mode_recentre(a->table.lam, q, k1, theta, &P, &phi);
    for (size_t j = NEIGHBOURS; j-- > 0;) { /* the last one is the point itself */
        const double at = fabs(P + NEIGHBOUR[j] * fmax(P, a->table.eps));
        double lower[NPOL], noise[NPOL] = {0, 0};
        mode_table_eval(&t->value, iq, at, phi, I);
        mode_table_eval(&t->lower, iq, at, phi, lower);
        if (t->noise.np) mode_table_eval(&t->noise, iq, at, phi, noise);
        for (int pol = 0; pol < NPOL; pol++) {
            interpolated[pol] += pow(I[pol] - lower[pol], 2) / NEIGHBOURS;
            lost[pol] += pow(noise[pol], 2) / NEIGHBOURS;
        }
    }
    for (int pol = 0; pol < NPOL; pol++)
        error[pol] = ARCHIVE_SAFETY * (sqrt(interpolated[pol]) + sqrt(lost[pol]));
    single_factors at = a->single;
    at.sigma = t->sigma;
    single_add(&at, iq, q, k1, mode_k2(q, k1, theta), I, error);
    for (int pol = 0; pol < NPOL; pol++) error[pol] += MODE_ROUNDING * fabs(I[pol]);
    return CGCT_OK;
}
