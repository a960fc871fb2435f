/* SPDX-License-Identifier: GPL-3.0-or-later */
/* At p = 0 the three-momentum transform is the two-momentum one: modes of both from the same nodes
 * of Delta and b, r' and the angles being integrated by unlike methods. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "numerics/grid.h"
#include "node/hankel.h"
#include "inner/direct.h"
#include "three/momentum.h"
#include "check_rel.h"
#include "three_mode.h"
#include "oracle/graded.h"
#include "run_suite.h"

#define TOL_SMOOTH 1e-7 /* of the largest mode; 150 nodes of r', 96 angles */

enum { NMODE = 4, NNODE = 9, NRP = 150, NMOM = 2 };

/* ---- the integrands of the two-momentum code as integrands of the three-momentum transform ----
 *
 * psi_p(r).psi_p(r') S4(r,r',b) at r = Delta + r'.  With lam = 0 the transform at p = 0 is
 *   A_mn(k,0,q) = 0 unless n = -m,   I_m(q,k1) = (-1)^m (2 pi)^2 A_{m,-m}(k1,0,q)
 * The centres r = 0 and r' = 0, where the wave functions diverge, limit what equally spaced angles
 * and any radial grid reach to 1e-2 or 1e-3; the two-momentum builders treat them properly. */

enum { THREE_DIJET_T, THREE_DIJET_L };

typedef struct {
    inner_integrand inner; /* at most 8 factors `nwave` */
    int polarisation;
} three_dijet;

enum { NWAVE_MAX = 8, NBLOCK = THREE_BLOCK_MAX };

/* What depends on Delta, r' and alpha. */
typedef struct {
    double r2[NBLOCK], rp2[NBLOCK], dot[NBLOCK], wave[NWAVE_MAX * NBLOCK];
} dijet_pair;

static void prepare_pair(const inner_integrand *f, const three_block *at, double cos_alpha,
                         dijet_pair *p)
{
    for (size_t i = 0; i < at->n; i++) {
        double r = at->rp[i], along = at->delta * r * cos_alpha;
        double r2 = at->delta * at->delta + r * r + 2 * along;
        p->rp2[i] = r * r;
        p->r2[i] = r2 > 0 ? r2 : 0;
        p->dot[i] = r * r + along;
    }
    if (f->nwave) f->wave(f->self, at->n, p->r2, p->rp2, p->dot, p->wave);
}

/* All n points at one pair of angles; cos_ab = cos(alpha - beta). */
static void dijet_values(const three_dijet *s, const three_block *at, const dijet_pair *p,
                         double cos_beta, double cos_ab, double *to)
{
    const inner_integrand *f = &s->inner;
    double b2 = at->b * at->b, x[2 * NBLOCK + 2], out[2 * NBLOCK + 2], other[NBLOCK];
    size_t n = at->n;
    for (size_t i = 0; i < n; i++) {
        double rb = at->rp[i] * at->b * cos_beta;
        x[i] = p->rp2[i] - 2 * rb;                                   /* |b-r'|^2 - b^2 */
        x[n + i] = p->r2[i] + 2 * (rb + at->delta * at->b * cos_ab); /* |r+b|^2 - b^2 */
    }
    x[2 * n] = 0;
    x[2 * n + 1] = at->delta * (at->delta + 2 * at->b * cos_ab);
    for (size_t i = 0; i < 2 * n + 2; i++) x[i] = x[i] > -b2 ? x[i] : -b2;
    const double *v = x;
    if (f->length) f->length(f->self, b2, 2 * n + 2, x, out), v = out;
    const inner_points q = {.n = n,
                            .delta = at->delta,
                            .R = at->b,
                            .gamma = acos(fmax(-1, fmin(1, cos_ab))),
                            .r2 = p->r2,
                            .rp2 = p->rp2,
                            .dot = p->dot,
                            .wave = p->wave,
                            .b = v[2 * n],
                            .db = v[2 * n + 1],
                            .cross = v,
                            .far = v + n};
    if (s->polarisation == THREE_DIJET_T)
        f->value(f->self, &q, to, other);
    else
        f->value(f->self, &q, other, to);
}

static void dijet_block(const void *self, const three_block *at, double *re, double *im)
{
    const three_dijet *s = self;
    (void)im;
    for (size_t ia = 0; ia < at->nalpha; ia++) {
        dijet_pair p;
        prepare_pair(&s->inner, at, at->cos_alpha[ia], &p);
        for (size_t ib = 0; ib < at->nbeta; ib++) {
            double cb = at->cos_beta[ib];
            double cos_ab = at->cos_alpha[ia] * cb + at->sin_alpha[ia] * at->sin_beta[ib];
            dijet_values(s, at, &p, cb, cos_ab, re + (ib * at->nalpha + ia) * at->n);
        }
    }
}

/* *self must outlive the integrand. */
static three_integrand three_dijet_integrand(const three_dijet *self)
{
    return (three_integrand){
        .name = "dijet", .self = self, .is_symmetric = 1, .block = dijet_block};
}

/* ---- comparison ---- */

/* The dijet integrand with wave functions of sqrt(r^2 + core^2), which equally spaced angles
 * resolve. */
typedef struct {
    inner_integrand dijet;
    double core2;
} smooth;

static void smooth_wave(const void *self, size_t n, const double *r2, const double *rp2,
                        const double *dot, double *out)
{
    const smooth *s = self;
    double a[256], b[256];
    for (size_t i0 = 0; i0 < n; i0 += 256) {
        size_t m = n - i0 < 256 ? n - i0 : 256;
        double part[8 * 256];
        for (size_t i = 0; i < m; i++) {
            a[i] = r2[i0 + i] + s->core2;
            b[i] = rp2[i0 + i] + s->core2;
        }
        s->dijet.wave(s->dijet.self, m, a, b, dot + i0, part);
        for (size_t w = 0; w < s->dijet.nwave; w++)
            for (size_t i = 0; i < m; i++) out[w * n + i0 + i] = part[w * m + i];
    }
}

static void smooth_length(const void *self, double R2, size_t n, const double *x, double *out)
{
    const smooth *s = self;
    s->dijet.length(s->dijet.self, R2, n, x, out);
}

static void smooth_value(const void *self, const inner_points *p, double *T, double *L)
{
    const smooth *s = self;
    s->dijet.value(s->dijet.self, p, T, L);
}

/* I_m(q,k1) of the two-momentum code: (NPOL, NMODE, NMOM q, NMOM k1) */
static void transform_two(const inner_integrand *f, const double *node, const double *q,
                          const double *k, int degree, double *modes)
{
    static const int m[NMODE] = {0, 1, 2, 3};
    const inner_opts o = {
        .eps = f->eps, .nm = NMODE, .m = m, .nd = NNODE, .nr = NNODE, .delta = node, .r = node};
    inner_table t;
    cgct_err err = {""};
    double seconds[2] = {0, 0};
    ck_assert_msg(inner_graded_build(&t, &o, f, &err) == CGCT_OK, "%s", err.text);
    const backend_transform w = {&o, NMOM, NMOM, q, k, degree, NULL};
    ck_assert_msg(hankel_transform(&t, &w, modes, seconds, &err) == CGCT_OK, "%s", err.text);
    inner_table_free(&t);
}

static void transform_three(const inner_integrand *f, int polarisation, const double *node,
                            const double *q, const double *k, int degree, three_momentum **t)
{
    const double p = 0;
    double *rp;
    cgct_err err = {""};
    three_dijet self = {*f, polarisation};
    three_integrand g = three_dijet_integrand(&self);
    ck_assert_int_eq(grid_power(GRID_UNIFORM, NRP, 14, &rp, &err), CGCT_OK);
    const three_opts o = {.delta = {.n = NNODE, .node = node, .nmom = NMOM, .mom = k},
                          .rp = {.n = NRP, .node = rp, .nmom = 1, .mom = &p},
                          .b = {.n = NNODE, .node = node, .nmom = NMOM, .mom = q},
                          .modes = NMODE,
                          .nphi = 96,
                          .degree = degree};
    ck_assert_msg(three_momentum_run(t, &o, &g, NULL, &err) == CGCT_OK, "%s", err.text);
    free(rp);
}

START_TEST(two_momentum_limit)
{
    static const double q[NMOM] = {0.8, 1.5}, k[NMOM] = {0.5, 2};
    const dipole_opts opts = {.kind = DIPOLE_GBW, .Q0 = 1, .x0 = 3.04e-4, .lambda = 0.288};
    enum { DEGREE = 6 };
    double node[NNODE], two[NPOL * NMODE * NMOM * NMOM], A[2];
    dipole_source *source;
    dipole *d;
    cgct_err err = {""};
    ck_assert_msg(dipole_source_open(&source, &opts, &err) == CGCT_OK, "%s", err.text);
    ck_assert_int_eq(dipole_init(&d, source, 0.01, &err), CGCT_OK);
    const inner_dijet plain = {d, 1.0};
    const smooth s = {inner_dijet_integrand(&plain), 1.0};
    const inner_integrand f = {&s, 1.0, s.dijet.nwave, smooth_wave, smooth_length, smooth_value};
    for (int i = 0; i < NNODE; i++) node[i] = 0.01 + 0.4 * i;
    transform_two(&f, node, q, k, DEGREE, two);
    for (int pol = 0; pol < NPOL; pol++) {
        three_momentum *t;
        const double *want = two + pol * NMODE * NMOM * NMOM;
        double top = fabs(want[0]);
        transform_three(&f, pol == POL_T ? THREE_DIJET_T : THREE_DIJET_L, node, q, k, DEGREE, &t);
        for (int m = 0; m < NMODE; m++)
            for (size_t iq = 0; iq < NMOM; iq++)
                for (size_t ik = 0; ik < NMOM; ik++) {
                    three_momentum_mode(t, m, -m, ik, 0, iq, A);
                    CHECK_ABS((m % 2 ? -1 : 1) * 4 * M_PI * M_PI * A[0],
                              want[((size_t)m * NMOM + iq) * NMOM + ik], TOL_SMOOTH * top);
                    three_momentum_mode(t, m, 1, ik, 0, iq, A);
                    CHECK_ABS(A[0], 0, TOL_SMOOTH * top);
                }
        three_momentum_free(t);
    }
    dipole_free(d);
    dipole_source_close(source);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("three_dijet");
    TCase *t = tcase_create("three_dijet");
    tcase_add_test(t, two_momentum_limit);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
