/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Angular modes l_m(R,s) of L(|R-s|) - L(R) = sum_m l_m(R,s) cos(m beta), beta = angle(R,s), and
 * their kink at s = R.
 *
 * Across s = R the modes have a kink |s-R|^(p+1) and, for large m, the shape e^{-m |s-R|/R}; no
 * polynomial through the coarse nodes follows either.  What interpolation loses there is tabulated
 * at Gauss nodes of the cells about R.  Where phi is smooth, three moments of the loss are added to
 * the three nodes about R, so that
 *
 *   sum_j l_j W_j(p) = int l_m(R,s) p(s) ds     W_j(p) = int lambda_j p ds
 *
 * for p = 1, s - R, (s - R)^2, where lambda_j is the coarse interpolation.  Next to a centre of the
 * wave functions phi is as rough as l_m: there the loss is integrated against phi itself
 * (separable_product.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inner/separable.h"
#include "numerics/blas.h"
#include "numerics/clock.h"
#include "numerics/grid.h"
#include "numerics/memory.h"
#include "numerics/vmath.h"

/* A node of s counts as R[ir] within this share of R: both grids are made by the same formula. */
static const double KINK_SAME_NODE = 1e-9;
/* Where S(|R-s|) has fallen by e^-42 its angular dependence is of no interest. */
static const double ESS_EXPONENT = 42;

/* Neighbouring values of s that share a rule go through one difference of L and one product. */
enum { ELL_ALIKE = 8 };

typedef struct {
    double *x, *f; /* (ELL_ALIKE, 2, most_angles): squared length less R^2, L there less L(R) */
    double *S;     /* the same: S there less S(R) */
    double *mode;  /* (ELL_ALIKE, nm) */
    separable_choice *l, *e; /* (ns): of one row */
    double operations;
} ell_work;

/* n of these values of s, from the first one on, the rule that serves all of them, and the leading
 * orders at each: of l_m, and of e_m, 0 for none. */
typedef struct {
    size_t n, rule, ell[ELL_ALIKE], ess[ELL_ALIKE];
} ell_alike;

static void ell_add(ell_alike *k, size_t ell, size_t ess)
{
    k->ell[k->n] = ell;
    k->ess[k->n++] = ess;
}

/* w->f: L(|R-s|) - L(R) at the angles of the rule for each s, and at pi less these angles where
 * only even modes are wanted. */
static void ell_samples(const separable_plan *p, double R, const double *s, const ell_alike *k,
                        const ell_work *w)
{
    const angle_rule *a = &p->angles.rule[k->rule];
    const size_t n = a->n, row = p->symmetric ? 2 * n : n;
    for (size_t i = 0; i < k->n; i++) {
        double *x = w->x + i * row;
        for (size_t j = 0; j < n; j++) {
            const double across = 2 * R * s[i] * (1 - 2 * a->hav[j]), near = s[i] * s[i] - across;
            x[j] = near > -R * R ? near : -R * R;
            if (p->symmetric) x[n + j] = s[i] * s[i] + across;
        }
    }
    dipole_diff(p->d, R * R, k->n * row, w->x, w->f);
}

/* w->mode (n, nm): the modes of the samples f, which are spoiled; at each s those of `orders`, then
 * zeros to the most of these, nm, which is returned. */
static size_t modes_of_samples(const separable_plan *p, const ell_alike *k, const size_t *orders,
                               double *f, ell_work *w)
{
    const angle_rule *a = &p->angles.rule[k->rule];
    const size_t n = a->n;
    size_t nm = 0;
    for (size_t i = 0; i < k->n; i++) nm = orders[i] > nm ? orders[i] : nm;
    for (size_t i = 0; p->symmetric && i < k->n; i++)
        for (size_t j = 0; j < n; j++)
            f[i * n + j] = 0.5 * (f[2 * i * n + j] + f[(2 * i + 1) * n + j]);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)k->n, (int)nm, (int)n, 1 / M_PI, f,
                (int)n, a->weight, (int)a->nm, 0, w->mode, (int)nm);
    for (size_t i = 0; i < k->n; i++) {
        double *mode = w->mode + i * nm;
        mode[0] *= 0.5;
        memset(mode + orders[i], 0, (nm - orders[i]) * sizeof *mode);
    }
    w->operations += 2 * (double)(k->n * n * nm);
    return nm;
}

/* ---- the kink at s = R ---- */

static void kink_powers(double t, double v[KINK_MOMENTS])
{
    v[0] = 1;
    v[1] = t;
    v[2] = t * t;
}

/* M[r][k] = W_{at-1+k}(t^r) over the KINK_CELLS cells to either side of node `at`, which are all
 * that the windows of these three nodes reach; t = (s - R)/h. */
static void kink_matrix(const separable_plan *p, size_t at, double M[KINK_MOMENTS][KINK_MOMENTS])
{
    const double *grid = p->o->s, h = grid[at + 1] - grid[at];
    memset(M, 0, KINK_MOMENTS * sizeof *M);
    for (size_t c = (at - KINK_CELLS) * KINK_NODES; c < (at + KINK_CELLS) * KINK_NODES; c++) {
        const separable_cell *q = &p->cell[c];
        double v[KINK_MOMENTS];
        kink_powers((q->s - grid[at]) / h, v);
        for (size_t k = 0; k < KINK_MOMENTS; k++) {
            size_t j = at - 1 + k - q->window; /* wraps below the window */
            if (j >= SEPARABLE_NODES) continue;
            for (int r = 0; r < KINK_MOMENTS; r++) M[r][k] += q->ds * v[r] * q->lagrange[j];
        }
    }
}

void separable_cells_init(separable_plan *p)
{
    const inner_opts *o = p->o;
    quad_gauss_init(&p->gauss_cell, KINK_NODES);
    /* the node of s that is R[ir], with enough neighbours */
    for (size_t ir = 0; ir < o->nr; ir++) {
        size_t at = grid_window(o->ns, o->s, o->r[ir], 2);
        at += o->r[ir] - o->s[at] > o->s[at + 1] - o->r[ir];
        const int ok = fabs(o->s[at] - o->r[ir]) <= KINK_SAME_NODE * o->r[ir] &&
                       at >= 2 * KINK_CELLS && at + 2 * KINK_CELLS < o->ns;
        p->kink_node[ir] = ok ? at : 0;
    }
#pragma omp parallel for schedule(static)
    for (size_t c = 0; c < o->ns - 1; c++)
        for (size_t i = 0; i < KINK_NODES; i++) {
            separable_cell *q = &p->cell[c * KINK_NODES + i];
            double a = o->s[c], b = o->s[c + 1];
            q->s = 0.5 * (a + b + (b - a) * p->gauss_cell.x[i]);
            q->ds = 0.5 * (b - a) * p->gauss_cell.w[i];
            q->ln = vlog(q->s);
            q->window = (uint32_t)grid_window_in(o->ns, o->s, c, q->s, SEPARABLE_NODES);
            grid_lagrange(SEPARABLE_NODES, o->s + q->window, q->s, q->lagrange);
        }
}

/* The inverse of the matrix is that of its cofactors over its determinant. */
int separable_kink_rule_at(const separable_plan *p, size_t ir, separable_kink_rule *k)
{
    size_t at = p->kink_node[ir];
    if (!at) return 0;
    double M[KINK_MOMENTS][KINK_MOMENTS], det = 0;
    k->ir = (uint32_t)ir;
    k->at = (uint32_t)at;
    k->first = (uint32_t)((at - KINK_CELLS / 2) * KINK_NODES);
    kink_matrix(p, at, M);
    for (int i = 0; i < KINK_MOMENTS; i++)
        for (int j = 0; j < KINK_MOMENTS; j++) {
            int a = (i + 1) % 3, b = (i + 2) % 3, d = (j + 1) % 3, e = (j + 2) % 3;
            k->inverse[j][i] = M[a][d] * M[b][e] - M[a][e] * M[b][d];
        }
    for (int j = 0; j < KINK_MOMENTS; j++) det += M[0][j] * k->inverse[j][0];
    for (int i = 0; i < KINK_MOMENTS; i++)
        for (int j = 0; j < KINK_MOMENTS; j++) k->inverse[j][i] /= det;
    return 1;
}

/* Row ir of `lost` at point j of the kink, where l_m has these leading nm modes. */
static void kink_lose(const separable_plan *p, const separable_kink_rule *k, size_t j, size_t nm,
                      const double *mode)
{
    const inner_opts *o = p->o;
    const separable_cell *q = &p->cell[k->first + j];
    for (size_t im = 0; im < o->nm; im++) {
        const double *row = p->ell + (im * o->nr + k->ir) * o->ns + q->window;
        double d = im < nm ? mode[im] : 0;
        for (int l = 0; l < SEPARABLE_NODES; l++) d -= q->lagrange[l] * row[l];
        p->lost[im * p->kink_stride + k->ir * KINK_CELLS * KINK_NODES + j] = d;
    }
}

static void kink_tabulate_loss(const separable_plan *p, const separable_kink_rule *k, ell_work *w)
{
    enum { POINTS = KINK_CELLS * KINK_NODES };
    const separable_cell *q = &p->cell[k->first];
    ell_alike at;
    for (size_t j = 0; j < POINTS; j += at.n) {
        double s[ELL_ALIKE];
        separable_choice c = separable_ell_choice(p, k->ir, q[j].ln, ELL_SMOOTH);
        at = (ell_alike){.rule = c.rule};
        while (at.n < ELL_ALIKE && j + at.n < POINTS && c.rule == at.rule) {
            s[at.n] = q[j + at.n].s;
            ell_add(&at, c.nm, 0);
            if (j + at.n < POINTS) c = separable_ell_choice(p, k->ir, q[j + at.n].ln, ELL_SMOOTH);
        }
        ell_samples(p, p->o->r[k->ir], s, &at, w);
        const size_t nm = modes_of_samples(p, &at, at.ell, w->f, w);
        for (size_t i = 0; i < at.n; i++) kink_lose(p, k, j + i, nm, w->mode + i * nm);
    }
}

/* Row ir of lost and patch; the latter is added to ell. */
static void kink_correct(separable_plan *p, size_t ir, ell_work *w)
{
    const inner_opts *o = p->o;
    separable_kink_rule k;
    if (!separable_kink_rule_at(p, ir, &k)) return;
    double h = o->s[k.at + 1] - o->s[k.at];
    const double *lost = p->lost + ir * KINK_CELLS * KINK_NODES;
    kink_tabulate_loss(p, &k, w);
    for (size_t im = 0; im < o->nm; im++) {
        double y[KINK_MOMENTS] = {0}, *patch = p->patch + (im * o->nr + ir) * KINK_MOMENTS;
        for (size_t j = 0; j < KINK_CELLS * KINK_NODES; j++) {
            const separable_cell *q = &p->cell[k.first + j];
            double v[KINK_MOMENTS];
            kink_powers((q->s - o->s[k.at]) / h, v);
            for (int r = 0; r < KINK_MOMENTS; r++)
                y[r] += q->ds * v[r] * lost[im * p->kink_stride + j];
        }
        for (size_t i = 0; i < KINK_MOMENTS; i++) {
            for (int r = 0; r < KINK_MOMENTS; r++) patch[i] += k.inverse[i][r] * y[r];
            p->ell[(im * o->nr + ir) * o->ns + k.at - 1 + i] += patch[i];
            if (ir < p->nr1 && k.at + 1u < p->ns1)
                p->ess[(im * p->nr1 + ir) * p->ns1 + k.at - 1 + i] += patch[i];
        }
    }
}

/* ---- rows of both tables ---- */

void separable_ell_choices(const separable_plan *p, size_t ir, separable_choice *l,
                           separable_choice *e)
{
    const double *s = p->o->s, R = p->o->r[ir];
    const size_t ns1 = ir < p->nr1 ? p->ns1 : 0;
    double r2[2 * SEPARABLE_BLOCK], L[2 * SEPARABLE_BLOCK];
    for (size_t is = 0; is < p->o->ns; is++)
        l[is] = separable_ell_choice(p, ir, p->ln_s[is], ELL_SMOOTH);
    for (size_t first = 0, n; first < ns1; first += n) {
        n = ns1 - first < SEPARABLE_BLOCK ? ns1 - first : SEPARABLE_BLOCK;
        for (size_t i = 0; i < n; i++) {
            r2[i] = (R - s[first + i]) * (R - s[first + i]);
            r2[n + i] = (R + s[first + i]) * (R + s[first + i]);
        }
        dipole_lnS(p->d, 2 * n, r2, L);
        for (size_t i = 0; i < n; i++) {
            /* e_m varies like exp(z cos beta), by L - L between beta = 0 and pi */
            const size_t is = first + i;
            const double swing = 0.5 * fmin(L[i] - L[n + i], ESS_EXPONENT);
            e[is] = separable_ell_choice(p, ir, p->ln_s[is],
                                         separable_smooth_modes(p->angles.decay, swing));
            if (e[is].rule > l[is].rule)
                l[is].rule = e[is].rule;
            else
                e[is].rule = l[is].rule;
        }
    }
}

/* Modes (n, nm) to n neighbours of each order, which are `stride` from one order to the next. */
static void ell_store(const double *mode, size_t n, size_t nm, double *to, size_t stride)
{
    for (size_t im = 0; im < nm; im++)
        for (size_t i = 0; i < n; i++) to[im * stride + i] = mode[i * nm + im];
}

/* Both at s[is] and its neighbours that share a rule; returns how many. */
static size_t ell_neighbours(separable_plan *p, size_t ir, size_t is, ell_work *w)
{
    const inner_opts *o = p->o;
    const size_t both = ir < p->nr1 && is < p->ns1, end = both ? p->ns1 : o->ns;
    ell_alike k = {.rule = w->l[is].rule};
    do {
        ell_add(&k, w->l[is + k.n].nm, both ? w->e[is + k.n].nm : 0);
    } while (k.n < ELL_ALIKE && is + k.n < end && w->l[is + k.n].rule == k.rule);
    ell_samples(p, o->r[ir], o->s + is, &k, w);
    const size_t samples = k.n * p->angles.rule[k.rule].n * (p->symmetric ? 2 : 1);
    const double SR = vexp(p->LR[ir]);
    for (size_t j = 0; k.ess[0] && j < samples; j++) w->S[j] = SR * vexpm1(w->f[j]);
    size_t nm = modes_of_samples(p, &k, k.ell, w->f, w);
    ell_store(w->mode, k.n, nm, p->ell + ir * o->ns + is, o->nr * o->ns);
    if (!k.ess[0]) return k.n;
    nm = modes_of_samples(p, &k, k.ess, w->S, w);
    ell_store(w->mode, k.n, nm, p->ess + ir * p->ns1 + is, p->nr1 * p->ns1);
    return k.n;
}

void separable_ell(separable_plan *p, inner_stage *stage)
{
    const inner_opts *o = p->o;
    p->kink_stride = o->nr * KINK_CELLS * KINK_NODES;
    const array_part modes[] = {ARRAY_PART(p->ell, o->nm * o->nr * o->ns),
                                ARRAY_PART(p->lost, o->nm * p->kink_stride),
                                ARRAY_PART(p->patch, o->nm * o->nr * KINK_MOMENTS),
                                ARRAY_PART(p->ess, o->nm * p->nr1 * p->ns1)};
    p->modes = ARRAYS(modes);
    const size_t n = 2 * ELL_ALIKE * p->most_angles;
#pragma omp parallel
    {
        const double start = clock_thread();
        ell_work w = {.operations = 0};
        const array_part part[] = {ARRAY_PART(w.x, n),     ARRAY_PART(w.f, n),
                                   ARRAY_PART(w.S, n),     ARRAY_PART(w.mode, ELL_ALIKE * o->nm),
                                   ARRAY_PART(w.l, o->ns), ARRAY_PART(w.e, o->ns)};
        void *block = ARRAYS(part);
#pragma omp for schedule(dynamic, 4)
        for (size_t ir = 0; ir < o->nr; ir++) {
            separable_ell_choices(p, ir, w.l, w.e);
            for (size_t is = 0; is < o->ns;) is += ell_neighbours(p, ir, is, &w);
            kink_correct(p, ir, &w);
        }
        free(block);
#pragma omp critical(ell_stage)
        {
            stage->seconds += clock_thread() - start;
            stage->operations += w.operations;
        }
    }
}
