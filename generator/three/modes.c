/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The modes A_mn of a three-momentum transform: their memory, the sums over r' and Delta that make
 * them, values of F, and the file of modes. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "format/bytes.h"
#include "numerics/blas.h"
#include "numerics/memory.h"
#include "three/plan.h"

cgct_status three_momentum_new(three_momentum **to, const three_momentum *like, cgct_err *err)
{
    three_momentum *t = *to = memory_zeros(1, sizeof *t);
    *t = *like;
    t->nn = 2 * t->M + 1;
    t->nmode = (t->M + 1) * t->nn;
    t->nplane = (t->is_complex ? 2u : 1u) * (t->is_symmetric ? 1u : 2u);
    t->A[THREE_FINE] = t->A[THREE_COARSE] = NULL;
    for (int s = 0; s < THREE_NSET; s++) /* a file may say any size */
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

void three_add_subset(const three_plan *p, const three_range *at, const double *H,
                      three_momentum *t)
{
    size_t size = at->nd * at->nq * t->np, n = p->nplane * p->nmode;
    double *K = memory_new(p->nthread * size, sizeof *K);
#pragma omp parallel for schedule(static) num_threads((int)p->nthread)
    for (size_t i = 0; i < n; i++)
        add_mode(p, at, H + i * three_mode_step(p), i, K + (size_t)omp_get_thread_num() * size, t);
    free(K);
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
 * coarser weights, and of the absolute values of the outermost order in m and in n, or of the order
 * before it where the outermost one vanishes, as for a G with a parity. */
static double channel_value(const three_momentum *t, int channel, const three_momenta *at,
                            double *error)
{
    const double M = (double)t->M, negligible = 1e-3;
    double sum = 0, off = 0, edge[2][2] = {{0}}; /* of m and n: the order before, the outermost */
    size_t offset = (at->ik * t->nq + at->iq) * t->np + at->ip;
    for (size_t mode = 0; mode < t->nmode; mode++) {
        double A[2], B[2], m = (double)(mode / t->nn), n = (double)(mode % t->nn) - M;
        double psi = n * at->phi_q - (m + n) * at->phi_p, twice = m > 0 ? 2 : 1;
        channel_mode(t, THREE_FINE, channel, mode, offset, A);
        channel_mode(t, THREE_COARSE, channel, mode, offset, B);
        sum += twice * (A[0] * cos(psi) + A[1] * sin(psi));
        off += twice * hypot(A[0] - B[0], A[1] - B[1]);
        const double order[2] = {m, fabs(n)};
        for (int i = 0; i < 2; i++)
            if (order[i] >= M - 1) edge[i][order[i] == M] += twice * hypot(A[0], A[1]);
    }
    for (int i = 0; i < 2; i++)
        off += edge[i][1] > negligible * edge[i][0] ? edge[i][1] : edge[i][0];
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

enum { SIZES = THREE_LISTS + 3, LENGTH_MAX = 65536, TEXTS = 3, TEXT_MAX = 1 << 20 };
static const char *const list_name[THREE_LISTS] = {"k", "p", "q", "phi_p", "phi_q", "par"};

/* `wrong` with a message unless all numbers of that part of the file are finite. */
static cgct_status check_finite(const cgct_chunks *f, const char *part, size_t n, const double *v,
                                cgct_status wrong, cgct_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(v[i]))
            return cgct_fail(err, wrong, "%s: number %zu of %s is %g", f->file.path, i, part, v[i]);
    return CGCT_OK;
}

cgct_status three_write_modes(cgct_chunks *f, const three_momentum *t, cgct_err *err)
{
    const size_t n = three_result_size(t);
    for (uint32_t s = 0; s < THREE_NSET; s++) {
        CGCT_TRY(check_finite(f, "the modes", n, t->A[s], CGCT_E_USAGE, err));
        cgct_chunk_begin(f, "MODE", s);
        cgct_chunk_put_f64(f, n, t->A[s]);
        CGCT_TRY(cgct_chunk_end(f, err));
    }
    return CGCT_OK;
}

/* n finite numbers of a chunk of that size or more. */
static cgct_status read_finite(const cgct_chunks *f, const char *name, const uint8_t *from,
                               size_t n, double *to, cgct_err *err)
{
    for (size_t i = 0; i < n; i++) to[i] = cgct_get_f64(from + 8 * i);
    return check_finite(f, name, n, to, CGCT_E_FORMAT, err);
}

cgct_status three_read_modes(const cgct_chunks *f, three_momentum *t, cgct_err *err)
{
    const size_t n = three_result_size(t);
    const cgct_chunk *c;
    uint8_t *b;
    for (uint32_t s = 0; s < THREE_NSET; s++) {
        CGCT_TRY(cgct_chunk_load(f, "MODE", s, 8 * n, &c, &b, err));
        cgct_status st = read_finite(f, c->name, b, n, t->A[s], err);
        free(b);
        if (st != CGCT_OK) return st;
    }
    return CGCT_OK;
}

static cgct_status write_three(cgct_chunks *f, const three_momentum *t, const three_head *h,
                               cgct_err *err)
{
    const char *const text[TEXTS] = {h->generator, h->integrand, h->settings};
    cgct_chunk_begin(f, "HEAD", 0);
    for (int i = 0; i < THREE_LISTS; i++) cgct_chunk_put_u32(f, h->n[i]);
    cgct_chunk_put_u32(f, t->M);
    cgct_chunk_put_u32(f, (size_t)t->is_complex);
    cgct_chunk_put_u32(f, (size_t)t->is_symmetric);
    CGCT_TRY(cgct_chunk_end(f, err));
    cgct_chunk_begin(f, "LIST", 0);
    for (int i = 0; i < THREE_LISTS; i++) {
        CGCT_TRY(check_finite(f, list_name[i], h->n[i], h->list[i], CGCT_E_USAGE, err));
        cgct_chunk_put_f64(f, h->n[i], h->list[i]);
    }
    CGCT_TRY(cgct_chunk_end(f, err));
    cgct_chunk_begin(f, "TEXT", 0);
    for (int i = 0; i < TEXTS; i++) cgct_chunk_put(f, text[i], strlen(text[i]) + 1);
    CGCT_TRY(cgct_chunk_end(f, err));
    CGCT_TRY(three_write_modes(f, t, err));
    return cgct_chunks_finish(f, err);
}

cgct_status three_check_lengths(const char *path, const size_t n[THREE_LISTS], cgct_err *err)
{
    for (int i = 0; i < THREE_LISTS; i++)
        if (n[i] > LENGTH_MAX || (i < THREE_PAR && n[i] < 1))
            return cgct_fail(err, CGCT_E_USAGE, "%s: %zu values of %s; a file takes 1 to %d", path,
                             n[i], list_name[i], LENGTH_MAX);
    return CGCT_OK;
}

cgct_status three_momentum_save(const char *path, const three_momentum *t, const three_head *h,
                                cgct_err *err)
{
    const size_t *n = h->n;
    cgct_chunks f;
    if (n[THREE_K] != t->nk || n[THREE_P] != t->np || n[THREE_Q] != t->nq)
        return cgct_fail(err, CGCT_E_USAGE,
                         "%s: lists of %zu x %zu x %zu momenta for modes at %zu x %zu x %zu", path,
                         n[THREE_K], n[THREE_P], n[THREE_Q], t->nk, t->np, t->nq);
    CGCT_TRY(three_check_lengths(path, n, err));
    if (strlen(h->generator) + strlen(h->integrand) + strlen(h->settings) + TEXTS > TEXT_MAX)
        return cgct_fail(err, CGCT_E_USAGE, "%s: texts of more than %d bytes", path, TEXT_MAX);
    cgct_status st = cgct_chunks_create(&f, path, CGCT_THREE, err);
    if (st == CGCT_OK) st = write_three(&f, t, h, err);
    cgct_chunks_close(&f);
    return st;
}

/* The sizes, each checked before it is used: no memory is taken for bytes that are not there. */
static cgct_status read_three_head(const cgct_chunks *f, three_head *h, three_momentum *like,
                                   cgct_err *err)
{
    const cgct_chunk *c;
    uint8_t *b;
    uint32_t v[SIZES];
    CGCT_TRY(cgct_chunk_load(f, "HEAD", 0, 4 * SIZES, &c, &b, err));
    for (int i = 0; i < SIZES; i++) v[i] = cgct_get_u32(b + 4 * i);
    free(b);
    *h = (three_head){.generator = NULL};
    for (int i = 0; i < THREE_LISTS; i++) {
        h->n[i] = v[i];
        if (v[i] > LENGTH_MAX || (i < THREE_PAR && v[i] < 1))
            return cgct_fail(err, CGCT_E_FORMAT, "%s: %u values of %s; 1 to %d are allowed",
                             f->file.path, v[i], list_name[i], LENGTH_MAX);
    }
    if (v[6] > THREE_ORDER_MAX || v[7] > 1 || v[8] > 1)
        return cgct_fail(err, CGCT_E_FORMAT, "%s: M = %u, flags %u %u: not what the format allows",
                         f->file.path, v[6], v[7], v[8]);
    const double count =
        (1. + v[7]) * (2. - v[8]) * (v[6] + 1.) * (2. * v[6] + 1.) * v[0] * v[1] * v[2];
    if (THREE_NSET * 8 * count > (double)f->size)
        return cgct_fail(err, CGCT_E_FORMAT, "%s: %g numbers by its sizes in a file of %g bytes",
                         f->file.path, THREE_NSET * count, (double)f->size);
    *like = (three_momentum){.nk = v[0],
                             .np = v[1],
                             .nq = v[2],
                             .M = v[6],
                             .is_complex = (int)v[7],
                             .is_symmetric = (int)v[8]};
    return CGCT_OK;
}

/* memory: the numbers, then the texts. */
static cgct_status read_lists(const cgct_chunks *f, three_head *h, void **memory, cgct_err *err)
{
    const char **const text[TEXTS] = {&h->generator, &h->integrand, &h->settings};
    size_t all = 0;
    const cgct_chunk *c;
    uint8_t *numbers, *texts = NULL;
    for (int i = 0; i < THREE_LISTS; i++) all += h->n[i];
    CGCT_TRY(cgct_chunk_load(f, "LIST", 0, 8 * all, &c, &numbers, err));
    cgct_status st = cgct_chunk_load(f, "TEXT", 0, CGCT_ANY_SIZE, &c, &texts, err);
    double *v = *memory = st == CGCT_OK ? malloc(8 * all + (size_t)c->size + 1) : NULL;
    if (st == CGCT_OK && !v) st = cgct_fail(err, CGCT_E_NOMEM, "%s: no memory", f->file.path);
    if (st == CGCT_OK) st = read_finite(f, "LIST", numbers, all, v, err);
    for (size_t i = 0; st == CGCT_OK && i < h->n[THREE_K] + h->n[THREE_P] + h->n[THREE_Q]; i++)
        if (v[i] < 0)
            st = cgct_fail(err, CGCT_E_FORMAT, "%s: a momentum is %g GeV; none is negative",
                           f->file.path, v[i]);
    if (st == CGCT_OK) {
        for (int i = 0; i < THREE_LISTS; v += h->n[i++]) h->list[i] = v;
        char *p = memcpy(v, texts, (size_t)c->size + 1), *end = p + c->size;
        for (int i = 0; i < TEXTS && p < end; i++, p += strlen(p) + 1) *text[i] = p;
        if (p != end || !h->settings || !c->size || end[-1])
            st = cgct_fail(err, CGCT_E_FORMAT, "%s: the texts are not %d strings", f->file.path,
                           TEXTS);
    }
    free(numbers);
    free(texts);
    return st;
}

cgct_status three_momentum_load(const char *path, three_momentum **t, three_head *head,
                                void **memory, cgct_err *err)
{
    three_momentum like;
    cgct_chunks f;
    *t = NULL;
    *memory = NULL;
    CGCT_TRY(cgct_chunks_open(&f, path, CGCT_THREE, err));
    cgct_status st = read_three_head(&f, head, &like, err);
    if (st == CGCT_OK) st = read_lists(&f, head, memory, err);
    if (st == CGCT_OK) st = three_momentum_new(t, &like, err);
    if (st == CGCT_OK) st = three_read_modes(&f, *t, err);
    cgct_chunks_close(&f);
    return st;
}
