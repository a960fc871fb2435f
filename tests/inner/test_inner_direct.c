/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The direct builders against closed forms, the paper's sum written out, and the separable builder.
 */
#include <gsl/gsl_sf_bessel.h>
#include <omp.h>

#include "inner/direct.h"
#include "inner/grids.h"
#include "inner/separable.h"
#include "numerics/quadrature.h"
#include "chain.h"
#include "check_rel.h"
#include "factorised_integrand.h"
#include "oracle/graded.h"
#include "run_suite.h"

#define TOL_SUM 1e-12      /* the same finite sum in another order, of the largest mode */
#define TOL_GRADED 1e-9    /* of the largest mode at each (Delta,R) */
#define TOL_SEPARABLE 1e-8 /* likewise */
#define TOL_SMOOTH 1e-11   /* analytic integrands */
/* 256 nodes and 64 angles leave up to 1e-2 of the largest entry, more near the poles of K1. */
#define TOL_PAPER_T 3e-2
#define TOL_PAPER_L 1e-2

static size_t at(const inner_table *t, int pol, size_t im, size_t id, size_t ir)
{
    return (((size_t)pol * t->nm + im) * t->nd + id) * t->nr + ir;
}

/* Largest difference of two tables at one (Delta,R), relative to the largest mode there. */
static double apart(const inner_table *a, const inner_table *b, int pol, size_t id, size_t ir)
{
    double most = 0, worst = 0;
    for (size_t im = 0; im < a->nm; im++) {
        double G = a->g[at(a, pol, im, id, ir)], e = fabs(G - b->g[at(b, pol, im, id, ir)]);
        worst = larger_error(worst, e);
        most = fmax(most, fabs(G));
    }
    return worst / most;
}

static const int orders[] = {0, 1, 2, 3, 4, 5, 6};
static const int even[] = {0, 2, 4, 6};

static inner_opts small_opts(double eps, double lam, const double *delta, size_t nd,
                             const double *r, size_t nr, double s_max)
{
    return (inner_opts){.eps = eps,
                        .lam = lam,
                        .nm = lam == 0.5 ? 4 : 7,
                        .m = lam == 0.5 ? even : orders,
                        .nd = nd,
                        .nr = nr,

                        .delta = delta,
                        .r = r,
                        .s_max = s_max,
                        .n_gauss = 256,
                        .n_phi = 64};
}

/* ---- an integrand whose integral is known: Gaussians in the four lengths with r' ---- */

typedef struct {
    double r, rp, cross, far, b, db; /* coefficients of the squared lengths, L; T: times r.r' */
} gaussian;

static void gaussian_value(const void *self, const inner_points *p, double *T, double *L)
{
    const gaussian *k = self;
    double R2 = p->R * p->R;
    for (size_t i = 0; i < p->n; i++) {
        double e = k->r * p->r2[i] + k->rp * p->rp2[i] + k->cross * (R2 + p->cross[i]) +
                   k->far * (R2 + p->far[i]) + k->b * (R2 + p->b) + k->db * (R2 + p->db);
        L[i] = exp(-e);
        T[i] = p->dot[i] * exp(-e);
    }
}

/* int d2r' of the above: exponent a|r'|^2 + 2 v.r' + c, centre -v/a. */
static void gaussian_exact(const gaussian *k, double lam, double D, double R, double gamma,
                           double g[NPOL])
{
    double b[2] = {R * cos(gamma) - lam * D, R * sin(gamma)}, d[2] = {D, 0}, v[2], w[2], c = 0;
    double a = k->r + k->rp + k->cross + k->far, vv = 0, wd = 0, ww = 0;
    for (int i = 0; i < 2; i++) {
        v[i] = k->r * d[i] - k->cross * b[i] + k->far * (d[i] + b[i]);
        c += k->r * d[i] * d[i] + (k->cross + k->b) * b[i] * b[i] +
             (k->far + k->db) * (d[i] + b[i]) * (d[i] + b[i]);
        w[i] = -v[i] / a;
        vv += v[i] * v[i];
        ww += w[i] * w[i];
        wd += w[i] * d[i];
    }
    g[POL_L] = M_PI / a * exp(vv / a - c);
    g[POL_T] = g[POL_L] * (ww + 1 / a + wd);
}

START_TEST(any_integrand)
{
    static const double lam[] = {0, 0.3, 0.5, 1}, delta[] = {0.4, 1.7}, r[] = {0, 0.9, 3};
    const gaussian k = {0.7, 0.5, 0.2, 0.4, 0.1, 0.3};
    const inner_integrand f = {.self = &k, .eps = 2, .value = gaussian_value};
    inner_opts o = small_opts(2, lam[_i], delta, 2, r, 3, 9);
    cgct_err err = {""};
    inner_table direct, graded;
    ck_assert_msg(inner_direct_build(&direct, &o, &f, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(inner_graded_build(&graded, &o, &f, &err) == CGCT_OK, "%s", err.text);
    for (size_t id = 0; id < 2; id++)
        for (size_t ir = 0; ir < 3; ir++) {
            double top[NPOL];
            for (int pol = 0; pol < NPOL; pol++) {
                ck_assert_double_le(apart(&graded, &direct, pol, id, ir), TOL_GRADED);
                double G = 0; /* equally spaced gamma are exact here */
                for (int j = 0; j < 64; j++) {
                    gaussian_exact(&k, lam[_i], delta[id], r[ir], 2 * M_PI * j / 64, top);
                    G += 2 * M_PI / 64 * cos(2 * 2 * M_PI * j / 64) * top[pol];
                }
                size_t im = lam[_i] == 0.5 ? 1 : 2; /* m = 2 */
                double most = fabs(direct.g[at(&direct, pol, 0, id, ir)]);
                CHECK_ABS(direct.g[at(&direct, pol, im, id, ir)], G, TOL_SMOOTH * most);
                CHECK_ABS(graded.g[at(&graded, pol, im, id, ir)], G, TOL_GRADED * most);
            }
        }
    inner_table_free(&direct);
    inner_table_free(&graded);
}
END_TEST

/* ---- the factorised dipole approximation, whose wave functions keep their singularities ---- */

START_TEST(factorised)
{
    static const double eps[] = {0.1, 1, 10}, delta[] = {1e-3, 0.05, 0.6, 2.5}, r[] = {0, 0.3, 2};
    dipole *d = chain_dipole("gbw", 0.01);
    factorised_process self = {d, eps[_i]};
    inner_integrand f = factorised_integrand(&self);
    inner_opts o = small_opts(eps[_i], 0, delta, 4, r, 3, 1);
    cgct_err err = {""};
    inner_table t;
    double a = d->Qs2 / 4, worst = 0;
    ck_assert_msg(inner_graded_build(&t, &o, &f, &err) == CGCT_OK, "%s", err.text);
    for (size_t id = 0; id < 4; id++)
        for (size_t ir = 0; ir < 3; ir++)
            for (size_t im = 0; im < t.nm; im++) {
                double D = delta[id], R = r[ir], z = eps[_i] * D, x = 2 * a * R * D;
                double K0 = gsl_sf_bessel_K0(z), K1 = gsl_sf_bessel_K1(z);
                double psi[NPOL] = {2 * M_PI * (K0 - z * K1 / 2), M_PI * z * K1};
                double angle = 2 * M_PI * gsl_sf_bessel_In_scaled((int)im, x) * (im & 1 ? -1 : 1);
                double zero = 2 * M_PI * gsl_sf_bessel_In_scaled(0, x);
                double S2 = exp(x - a * (2 * R * R + D * D)) / (eps[_i] * eps[_i]);
                for (int pol = 0; pol < NPOL; pol++) {
                    double e = fabs(t.g[at(&t, pol, im, id, ir)] - psi[pol] * angle * S2) /
                               fabs(psi[pol] * zero * S2);
                    worst = larger_error(worst, e);
                }
            }
    printf("factorised, gbw eps = %g: %.1e\n", eps[_i], worst);
    ck_assert_msg(worst <= TOL_GRADED, "%g > %g", worst, TOL_GRADED);
    inner_table_free(&t);
    dipole_free(d);
}
END_TEST

/* ---- the paper's sum, written out: every angle, every logarithm by itself ---- */

static double length2(double ax, double ay)
{
    return ax * ax + ay * ay;
}

static void plain_sample(const dipole *d, double eps, const double r[2], const double rp[2],
                         const double b[2], double G[NPOL])
{
    double dx = r[0] - rp[0], dy = r[1] - rp[1], L[6];
    double r2[6] = {length2(r[0], r[1]),
                    length2(rp[0], rp[1]),
                    length2(r[0] + b[0], r[1] + b[1]),
                    length2(b[0] - rp[0], b[1] - rp[1]),
                    length2(dx + b[0], dy + b[1]),
                    length2(b[0], b[1])};
    dipole_lnS(d, 6, r2, L);
    double N = L[2] + L[3] - L[4] - L[5], D = L[0] + L[1] - L[4] - L[5], x = -D;
    double exprel = fabs(x) < 1e-7 ? 1 + x * (0.5 + x / 6) : expm1(x) / x;
    double S4 = -N * exp(L[0] + L[1]) * exprel, ra = sqrt(r2[0]), rb = sqrt(r2[1]);
    G[POL_T] = S4 * (r[0] * rp[0] + r[1] * rp[1]) / (ra * rb) * gsl_sf_bessel_K1(eps * ra) *
               gsl_sf_bessel_K1(eps * rb);
    G[POL_L] = S4 * gsl_sf_bessel_K0(eps * ra) * gsl_sf_bessel_K0(eps * rb);
}

/* [P: eq. stage1discrete] in the frame lam, s along x. */
static double plain_mode(const dipole *d, const inner_opts *o, const quad_rule *s, int pol, int m,
                         double delta, double R)
{
    double sum = 0;
    int n = o->n_phi;
    for (size_t is = 0; is < s->n; is++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double al = 2 * M_PI * i / n, be = 2 * M_PI * j / n, G[NPOL];
                double D[2] = {delta * cos(al), delta * sin(al)};
                double r[2] = {s->x[is] + (1 - o->lam) * D[0], (1 - o->lam) * D[1]};
                double rp[2] = {s->x[is] - o->lam * D[0], -o->lam * D[1]};
                double b[2] = {R * cos(be) - o->lam * D[0], R * sin(be) - o->lam * D[1]};
                plain_sample(d, o->eps, r, rp, b, G);
                sum += s->w[is] * s->x[is] * cos(m * (al - be)) * G[pol];
            }
    return sum * pow(2 * M_PI / n, 2);
}

START_TEST(paper_sum)
{
    static const double lam[] = {0, 0.3, 0.5}, delta[] = {0, 0.8, 2.1};
    static const double r[] = {0, 0.2, 0.5, 0.9, 1.4, 1.7, 2, 2.5, 4}; /* more than one chunk */
    const char *name = _i < 3 ? "gbw" : "mv";
    dipole *d = chain_dipole(name, 0.01);
    inner_opts o = small_opts(1.3, lam[_i % 3], delta, 3, r, 9, 7);
    o.n_gauss = 5;
    o.n_phi = _i == 1 ? 13 : 12; /* odd numbers of angles, too */
    cgct_err err = {""};
    inner_table t;
    quad_rule rule = {0};
    ck_assert(quad_append_gauss(&rule, o.n_gauss, 0, o.s_max, &err) == CGCT_OK);
    ck_assert_msg(inner_direct(&t, &o, d, &err) == CGCT_OK, "%s", err.text);
    for (size_t id = 0; id < 3; id++)
        for (size_t ir = 0; ir < 9; ir++)
            for (int pol = 0; pol < NPOL; pol++)
                for (size_t im = 0; im < t.nm; im++) {
                    double want = plain_mode(d, &o, &rule, pol, o.m[im], delta[id], r[ir]);
                    CHECK_ABS(t.g[at(&t, pol, im, id, ir)], want,
                              TOL_SUM * fabs(t.g[at(&t, pol, 0, 0, 0)]));
                }
    quad_free(&rule);
    inner_table_free(&t);
    dipole_free(d);
}
END_TEST

/* ---- three routes to the dijet's table ---- */

#define REFS_TABLE "dipole_table.dat" /* of tests/refs; other files by chain_file */
#define SOLVED "bk:mve"

static const struct {
    const char *name;
    double x;
} dipoles[] = {{"gbw", 0.01},
               {"mv", 0.01},
               {REFS_TABLE, 1e-3},
               {SOLVED, 1e-3},
               {"mvgamma", 0.01},
               {"rcbk_proton_mve.dat", 1e-3},
               {"nlobk_pd_map.dat", 1e-3},
               {"rcbk_proton_mv.dat", 0.01},
               {"rcbk_proton_mvgamma.dat", 1e-4},
               {"gbw_nlodis_testgrid.dat", 1e-3}};
enum { NDIPOLE = sizeof dipoles / sizeof *dipoles, NSHORT = 4, NMODES = 96 };

static dipole *open_dipole(const char *name, double x)
{
    const double refine = chain_long() ? 1 : 0.5; /* coarser evolutions are as smooth */
    const int evolved = !strcmp(name, SOLVED);
    if (!evolved && strcmp(name, REFS_TABLE) != 0) return chain_dipole(name, x);
    dipole_opts o = {.kind = DIPOLE_TABLE, .path = TESTS_DIR "/refs/" REFS_TABLE};
    if (evolved)
        o = (dipole_opts){.kind = DIPOLE_BK,
                          .set = "mve",
                          .bk = {.coupling.freeze = BK_SMOOTH, .refine = refine},
                          .xmin = x};
    dipole_source *s;
    dipole *d;
    cgct_err err = {""};
    ck_assert_msg(dipole_source_open(&s, &o, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(dipole_init(&d, s, x, &err) == CGCT_OK, "%s", err.text);
    dipole_source_close(s);
    return d;
}

/* n random nodes of x[nx], rising, within [lo, hi]. */
static void pick(double *x, size_t nx, size_t n, double lo, double hi, uint64_t *seed)
{
    size_t taken = 0;
    for (size_t i = 0; i < n; i++) {
        double want = lo * pow(hi / lo, ((double)i + chain_random(seed)) / (double)n);
        size_t j = taken;
        while (j + 1 < nx && x[j] < want) j++;
        x[i] = x[j];
        taken = j + 1;
    }
}

/* A few nodes of the separable builder's automatic grids. */
static void few_nodes(inner_grids *g, config *card, const dipole *d, double eps, double lam,
                      size_t n, uint64_t *seed)
{
    char settings[128];
    double Qs = sqrt(d->Qs2);
    cgct_err err = {""};
    snprintf(settings, sizeof settings,
             "inner.lam=%g inner.modes=%d inner.s_max=%g accuracy.tolerance=1e-10", lam, NMODES,
             40 / eps);
    chain_card(card, settings);
    inner_grids_task task = {&card->run.node.inner, d, eps, 3, 6, 1};
    ck_assert_msg(inner_grids_init(g, &task, &err) == CGCT_OK, "%s", err.text);
    pick(g->delta, g->inner.nd, n, 0.01 / eps, 8 / (eps + Qs), seed);
    pick(g->r, g->inner.nr, n, 0.01 / Qs, 40 / Qs, seed);
    g->inner.nd = g->inner.nr = n;
    g->inner.nm_delta = NULL; /* which is of the nodes that were left out */
}

static void three_routes(const dipole *d, const char *name, double eps, double lam, size_t n,
                         uint64_t *seed)
{
    config card;
    inner_grids g;
    inner_table separable, graded, direct;
    cgct_err err = {""};
    few_nodes(&g, &card, d, eps, lam, n, seed);
    g.inner.single = 0;
    ck_assert_msg(inner_separable(&separable, &g.inner, d, &err) == CGCT_OK, "%s", err.text);
    g.inner.nm = lam == 0.5 ? 4 : 7; /* the separable sum needs the higher ones */
    g.inner.n_phi = 64;
    ck_assert_msg(inner_graded(&graded, &g.inner, d, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(inner_direct(&direct, &g.inner, d, &err) == CGCT_OK, "%s", err.text);
    for (int pol = 0; pol < NPOL; pol++) {
        double far = 0, paper = 0;
        for (size_t i = 0; i < n * n; i++) {
            double e = apart(&graded, &separable, pol, i / n, i % n);
            double p = apart(&graded, &direct, pol, i / n, i % n);
            far = larger_error(far, e);
            paper = larger_error(paper, p);
        }
        printf("%s eps = %g lam = %g %c: separable %.1e, direct %.1e\n", name, eps, lam, "TL"[pol],
               far, paper);
        ck_assert_msg(far <= TOL_SEPARABLE, "%g > %g", far, TOL_SEPARABLE);
        ck_assert_msg(paper <= (pol == POL_T ? TOL_PAPER_T : TOL_PAPER_L), "%g", paper);
    }
    inner_table_free(&separable);
    inner_table_free(&graded);
    inner_table_free(&direct);
    inner_grids_free(&g);
    config_free(&card);
}

START_TEST(routes)
{
    static const double eps[] = {1, 0.1, 10};
    uint64_t seed = 20 + (uint64_t)_i;
    int table = strstr(dipoles[_i].name, ".dat") != NULL, brief = !chain_long();
    if (brief && _i >= NSHORT) return;
    dipole *d = open_dipole(dipoles[_i].name, dipoles[_i].x);
    const int one_eps = brief && (table || !strcmp(dipoles[_i].name, SOLVED));
    /* the knots of a table cost many angles and cells */
    for (int i = 0; i < (one_eps ? 1 : 3); i++)
        for (int half = 0; half < 2; half++)
            three_routes(d, dipoles[_i].name, eps[i], 0.5 * half, table || (brief && i) ? 2 : 3,
                         &seed);
    dipole_free(d);
}
END_TEST

/* ---- any number of threads; what cannot be asked for ---- */

START_TEST(deterministic)
{
    static const double delta[] = {0, 0.3, 2}, r[] = {0, 0.1, 0.4, 0.8, 1.1, 1.6, 2, 3, 5, 7};
    dipole *d = chain_dipole("mve", 0.01);
    inner_table t[2][2];
    inner_opts o = small_opts(1, 0.3, delta, 3, r, 10, 20);
    o.n_gauss = 30;
    for (int i = 0; i < 2; i++) {
        omp_set_num_threads(i + 1);
        o.nr = 10;
        ck_assert(inner_direct(&t[i][0], &o, d, NULL) == CGCT_OK);
        o.nr = 3;
        ck_assert(inner_graded(&t[i][1], &o, d, NULL) == CGCT_OK);
    }
    for (int k = 0; k < 2; k++) {
        size_t n = NPOL * t[0][k].nm * t[0][k].nd * t[0][k].nr;
        ck_assert(!memcmp(t[0][k].g, t[1][k].g, n * sizeof(double)));
        for (size_t i = 0; i < n; i++) ck_assert(isfinite(t[0][k].g[i]));
        inner_table_free(&t[0][k]);
        inner_table_free(&t[1][k]);
    }
    dipole_free(d);
}
END_TEST

START_TEST(refusals)
{
    static const double delta[] = {0.5, 1}, r[] = {0, 1};
    dipole *d = chain_dipole("mv", 0.01);
    inner_opts o = small_opts(1, 0, delta, 2, r, 2, 5);
    inner_table t;
    cgct_err err = {""};
    o.n_phi = 11; /* modes to 6 need 12 */
    ck_assert_int_eq(inner_direct(&t, &o, d, &err), CGCT_E_CONFIG);
    ck_assert_msg(strstr(err.text, "11 angles") && strstr(err.text, "m = 6"), "%s", err.text);
    ck_assert_ptr_null(t.g);
    o.n_phi = 12;
    o.n_gauss = 0;
    ck_assert_int_eq(inner_direct(&t, &o, d, &err), CGCT_E_DOMAIN);
    o.nd = o.nr = 1;
    o.r = delta; /* b = 0 at Delta = R = 0.5, lam = 1: g has a cusp in gamma */
    o.lam = 1;
    cgct_status st = inner_graded(&t, &o, d, &err);
    ck_assert_msg(st == CGCT_OK || (st == CGCT_E_ACCURACY && strstr(err.text, "R = 0.5")), "%s",
                  err.text);
    inner_table_free(&t);
    dipole_free(d);
}
END_TEST

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* a failing test ends its process */
    Suite *s = suite_create("inner_direct");
    TCase *t = tcase_create("inner_direct");
    tcase_set_timeout(t, chain_long() ? 1200 : 120);
    tcase_add_loop_test(t, any_integrand, 0, 4);
    tcase_add_loop_test(t, factorised, 0, 3);
    tcase_add_loop_test(t, paper_sum, 0, 6);
    tcase_add_loop_test(t, routes, 0, NDIPOLE);
    tcase_add_test(t, deterministic);
    tcase_add_test(t, refusals);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
