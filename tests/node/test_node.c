/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From dipole to cross section: exact GBW values and limits, exchange, frames, refinement. */
#include <omp.h>

#include "dipole/exact_gbw.h"
#include "inner/separable.h"
#include "node/hankel.h"
#include "check_rel.h"
#include "chain.h"
#include "run_suite.h"

enum { NQ = 5, NK = 5, NT = 4, NPOINT = NQ * NK * NT };
static const double qs[NQ] = {0.25, 0.5, 1, 2, 3}, ks[NK] = {1, 2, 5, 12, 25},
                    thetas[NT] = {0, 0.7, 1.5, 2.9};

#define X_GBW 0.01
#define TOL_VALUE 1e-6
#define TOL_FLOOR 1e-12       /* of the value at k1 = 1 and the same q and theta */
#define ESTIMATE_LARGEST 1000 /* times the true error ... */
#define TOL_SINGLE 1e-7       /* of I_T + I_L */
#define TOL_SUM_RULE 1e-8
#define TOL_MODES 1e-7       /* of I_T: what more modes change beside a ridge that stands out */
#define TOL_SCALING 1e-9     /* the same grids in other units: rounding of the cancellations */
#define TOL_SMALL_Q 1e-5     /* O(Qs^2/D) */
#define ESTIMATE_FLOOR 1e-12 /* ... or this share of I */

typedef struct {
    double q, k1, theta, got[2], error[2], want[2];
} point;

static double gbw_Qs2(void)
{
    dipole *d = chain_dipole("gbw", X_GBW);
    double Qs2 = d->Qs2;
    dipole_free(d);
    return Qs2;
}

static void exact_at(point *p, double eps, double Qs2)
{
    double P, phi;
    cgct_err err = {""};
    mode_recentre(0.5, p->q, p->k1, p->theta, &P, &phi);
    ck_assert_msg(exact_gbw(p->q, P, eps, Qs2, p->want, &err) == CGCT_OK, "%s", err.text);
}

static void value_at(const node_tables *pipe, size_t iq, point *p)
{
    cgct_err err = {""};
    cgct_status st = node_point(pipe, iq, p->k1, p->theta, p->got, p->error, &err);
    ck_assert_msg(st == CGCT_OK, "%s", err.text);
}

/* ---- exact values ---- */

/* Values below this share of the natural scale of the integral, I(q = 0.25, k1 = 1), are
 * differences of doubles that cancel to their rounding: there only the error estimate is asked for.
 */
#define ROUNDING_SHARE 1e-17
#define ALL_BUT 0.01

typedef struct {
    int points, below_rounding, value, value_below, low, high;
    double worst; /* relative error, q <= 1 */
} violations;

static void judge(const point p[NPOINT], int pol, double eps, violations *v)
{
    double scale = 0;
    for (int i = 0; i < NT; i++) scale = fmax(scale, p[i].want[pol]);
    for (int i = 0; i < NPOINT; i++) {
        const point *first = &p[i / (NK * NT) * (NK * NT) + i % NT]; /* k1 = 1 */
        double want = p[i].want[pol], e = fabs(p[i].got[pol] - want), est = p[i].error[pol];
        double tol = TOL_VALUE * fabs(want) + TOL_FLOOR * fabs(first->want[pol]);
        int below = tol < ROUNDING_SHARE * scale, value = !(e <= tol), low = !(est >= e);
        int high = !(est <= fmax(ESTIMATE_LARGEST * e, ESTIMATE_FLOOR * fabs(want)));
        if (p[i].q <= 1) v->worst = larger_error(v->worst, e / fabs(want));
        v->points++;
        v->below_rounding += below;
        v->value += value && !below;
        v->value_below += value && below;
        v->low += low;
        v->high += high;
        if ((value && !below) || low)
            printf("  %c eps %g q %g k1 %g theta %g: want %.4e, off by %.1e, tolerance %.1e, "
                   "estimate %.1e\n",
                   "TL"[pol], eps, p[i].q, p[i].k1, p[i].theta, want, e, tol, est);
    }
}

static violations gbw_points(double eps, double Qs2)
{
    violations v = {0};
    static point p[NPOINT];
    node_report rep;
    dipole_source *src = chain_source("gbw");
    node_tables *pipe = chain_node(src, "", X_GBW, eps, NQ, qs, ks[NK - 1], &rep);
    for (int i = 0; i < NPOINT; i++) {
        size_t iq = (size_t)i / (NK * NT);
        p[i] = (point){.q = qs[iq], .k1 = ks[i / NT % NK], .theta = thetas[i % NT]};
        value_at(pipe, iq, &p[i]);
        exact_at(&p[i], eps, Qs2);
    }
    for (int pol = 0; pol < 2; pol++) judge(p, pol, eps, &v);
    ck_assert_msg(rep.sum_rule <= TOL_SUM_RULE, "sum rule %g", rep.sum_rule);
    node_tables_free(pipe);
    dipole_source_close(src);
    printf("gbw eps %g: relative error %.1e or less at q <= 1; %d of %d off by more than the "
           "tolerance, and %d of %d below the rounding of the integral; estimate too small %d, "
           "too large %d\n",
           eps, v.worst, v.value, v.points - v.below_rounding, v.value_below, v.below_rounding,
           v.low, v.high);
    return v;
}

START_TEST(gbw_exact)
{
    static const double eps[] = {0.5, 4, 0.1, 1, 10}; /* the first two always */
    violations v = {0};
    double Qs2 = gbw_Qs2();
    for (int i = 0; i < (chain_long() ? 5 : 2); i++) {
        violations one = gbw_points(eps[i], Qs2);
        v.points += one.points;
        v.value += one.value;
        v.low += one.low;
        v.high += one.high;
    }
    double allowed = ALL_BUT * v.points;
    ck_assert_msg(v.value <= allowed && v.low <= allowed && v.high <= allowed,
                  "of %d values %d are off, %d estimates are too small, %d too large; %g allowed",
                  v.points, v.value, v.low, v.high, allowed);
}
END_TEST

/* The difference of the two computations passes through zero in q at all k1, angles and
 * polarisations together: there one value in twenty was outside of its bound, by up to a factor of
 * 232. */
START_TEST(gbw_at_many_q)
{
    enum { MANY = 40, NEAR = 6 };
    static const char *const settings[] = {"accuracy.tolerance=1e-3", ""};
    static const double k1[] = {0.1, 1, 4}, theta[] = {0.47, 2};
    const double eps = 0.3, Qs2 = gbw_Qs2();
    static point p[MANY][NEAR];
    double q[MANY], worst = 0;
    int outside = 0;
    for (int i = 0; i < MANY; i++) {
        q[i] = 0.1 * pow(35, i / (MANY - 1.));
        for (int j = 0; j < NEAR; j++) {
            p[i][j] = (point){.q = q[i], .k1 = k1[j / 2], .theta = theta[j % 2]};
            exact_at(&p[i][j], eps, Qs2);
        }
    }
    dipole_source *src = chain_source("gbw");
    for (int s = 0; s < 2; s++) {
        node_tables *n = chain_node(src, settings[s], X_GBW, eps, MANY, q, 4, NULL);
        for (int l = 0; l < 2 * MANY * NEAR; l++) {
            point *at = &p[l / 2 / NEAR][l / 2 % NEAR];
            value_at(n, (size_t)(l / 2 / NEAR), at);
            const double share = fabs(at->got[l % 2] - at->want[l % 2]) / at->error[l % 2];
            outside += !(share <= 1);
            worst = larger_error(worst, share);
        }
        node_tables_free(n);
    }
    dipole_source_close(src);
    printf("gbw at many q: %d of %d values outside of their bounds, the worst %.3g times\n",
           outside, 4 * MANY * NEAR, worst);
    ck_assert(outside == 0);
}
END_TEST

/* P = |k1 - q/2| is nearly the largest one that the node serves, beyond which its bound looks. */
START_TEST(largest_momentum)
{
    const double q = 1;
    double I[NPOL], error[NPOL];
    cgct_err err = {""};
    dipole_source *src = chain_source("mve");
    node_tables *n = chain_node(src, "", 1e-3, 1, 1, &q, 2, NULL);
    ck_assert_msg(node_point(n, 0, 2, 3, I, error, &err) == CGCT_OK, "%s", err.text);
    for (int pol = 0; pol < NPOL; pol++) ck_assert_double_lt(error[pol], 3e-7 * I[pol]);
    node_tables_free(n);
    dipole_source_close(src);
}
END_TEST

/* ---- exchange and frames ---- */

#define SHORT_SETTINGS "accuracy.tolerance=1e-4"
#define LONG_SETTINGS "accuracy.tolerance=1e-7"

enum { NQX = 4, NKX = 4, NTX = 4, NPOINTX = NQX * NKX * NTX };

typedef struct {
    const char *name, *settings;
    double x, eps;
    double q[NQX], k[NKX];
    double tol;   /* of I */
    double share; /* of I_T, for I_L where it is smaller by orders of magnitude */
    double Nc;    /* 0: many */
} frame_case;

static const frame_case frames[] = {
    {"mv", SHORT_SETTINGS, 0.01, 2, {0.5, 1, 1.5, 2}, {0.5, 1, 2, 4}, 1e-6, 0, 0},
    {"mve", SHORT_SETTINGS, 0.01, 5, {1, 2, 4, 8}, {1, 2, 4, 8}, 2e-3, 2e-3, 3},
    /* make check-long */
    {"gbw", "accuracy.tolerance=1e-5", 0.01, 2, {0.5, 1, 1.5, 2}, {0.5, 1, 2, 4}, 1e-6, 0, 0},
    {"rcbk_proton_mve.dat", LONG_SETTINGS, 0.01, 1, {1, 3, 6, 10}, {1, 3, 6, 10}, 1e-5, 1e-5, 0},
    /* ln Gamma carries 1e-5 of the solver's noise from node to node: at k1 = q = 10, k2 = 20 GeV
     * the frames see it differently by 4e-5 of what is left of I there */
    {"rcbk_proton_mve.dat", LONG_SETTINGS, 1e-3, 1, {1, 3, 6, 10}, {1, 3, 6, 10}, 5e-5, 5e-5, 0}};
enum { FRAMES_SHORT = 2, FRAMES_ALL = sizeof frames / sizeof *frames };

/* want: the other frame, or the other parton of the same one. */
static int compare(const frame_case *c, const char *what, const point *p)
{
    int off = 0, low = 0;
    double worst[2] = {0, 0};
    for (int i = 0; i < NPOINTX; i++)
        for (int pol = 0; pol < 2; pol++) {
            double d = fabs(p[i].got[pol] - p[i].want[pol]), rel = d / fabs(p[i].got[pol]);
            worst[pol] = larger_error(worst[pol], rel);
            double share = pol == 1 ? d / fabs(p[i].got[0]) : INFINITY;
            int is_off = !(rel <= c->tol || share <= c->share);
            low += !(d <= p[i].error[pol]);
            off += is_off;
            if (is_off)
                printf("  %s %s %c q %g k1 %g theta %g: I %.3e differs by %.1e of I, estimates "
                       "%.1e\n",
                       c->name, what, "TL"[pol], p[i].q, p[i].k1, p[i].theta, p[i].got[pol], rel,
                       p[i].error[pol] / fabs(p[i].got[pol]));
        }
    printf("%s eps %g, %s: largest relative difference T %.1e L %.1e; %d of %d above %g, %d above "
           "the estimates\n",
           c->name, c->eps, what, worst[0], worst[1], off, 2 * NPOINTX, c->tol, low);
    return off + (low > (c - frames < FRAMES_SHORT ? 0 : ALL_BUT * 2 * NPOINTX));
}

static node_tables *in_frame(const frame_case *c, const dipole_source *src, const char *lam,
                             node_report *rep)
{
    char settings[256];
    snprintf(settings, sizeof settings, "%s %s", lam, c->settings);
    double reach = c->k[NKX - 1] + c->q[NQX - 1]; /* k2 is asked for as well */
    node_tables *p = chain_node(src, settings, c->x, c->eps, NQX, c->q, reach, rep);
    printf("%s eps %g %s: M %d, nodes %zu x %zu x %zu, P %zu, %.1f s, %.0f MB\n", c->name, c->eps,
           lam, rep->modes, rep->n_delta, rep->n_r, rep->n_s, rep->n_p, rep->seconds_total,
           1e-6 * (double)rep->bytes_peak);
    return p;
}

START_TEST(exchange_and_frames)
{
    const frame_case *c = &frames[_i];
    static point frame[NPOINTX], swap[NPOINTX];
    node_report rep;
    dipole_source *src = chain_source_Nc(c->name, c->Nc);
    node_tables *paper = in_frame(c, src, "inner.lam=0", &rep);
    node_tables *middle = in_frame(c, src, "inner.lam=0.5", &rep);
    for (int i = 0; i < NPOINTX; i++) {
        size_t iq = (size_t)i / (NKX * NTX);
        point a = {.q = c->q[iq], .k1 = c->k[i / NTX % NKX], .theta = i % NTX}, b = a, s = a;
        value_at(paper, iq, &a);
        value_at(middle, iq, &b);
        double x = a.q - a.k1 * cos(a.theta), y = -a.k1 * sin(a.theta);
        s.k1 = hypot(x, y);
        s.theta = atan2(y, x);
        value_at(paper, iq, &s);
        frame[i] = swap[i] = a;
        for (int pol = 0; pol < 2; pol++) {
            frame[i].want[pol] = b.got[pol];
            frame[i].error[pol] += b.error[pol];
            swap[i].want[pol] = s.got[pol];
            swap[i].error[pol] += s.error[pol];
        }
    }
    int bad = compare(c, "lam = 0 against 1/2", frame);
    bad += compare(c, "exchange in lam = 0", swap);
    ck_assert_msg(!bad, "%s: %d violations", c->name, bad);
    node_tables_free(paper);
    node_tables_free(middle);
    dipole_source_close(src);
}
END_TEST

/* ---- single scattering ---- */

/* Modes of g itself, or of g less single scattering, and then the factors of that. */
static void by_table(const inner_grids *g, const dipole *d, int single, size_t nq, const double *q,
                     double k_max, mode_table *modes, single_factors *factors)
{
    inner_opts o = g->inner;
    inner_table t;
    cgct_err err = {""};
    double seconds[2] = {0, 0};
    o.single = single;
    ck_assert_msg(inner_separable(&t, &o, d, &err) == CGCT_OK, "%s", err.text);
    ck_assert_int_eq(t.single, single);
    const backend_transform k = {&o, nq, g->np, q, g->P, 8, &g->tail};
    double *I = malloc(NPOL * o.nm * nq * g->np * sizeof *I);
    ck_assert_ptr_nonnull(I);
    ck_assert(hankel_transform(&t, &k, I, seconds, &err) == CGCT_OK);
    mode_table_init(modes, &k, I);
    *factors = (single_factors){0};
    if (single)
        ck_assert(!single_init(factors, &(single_task){d, o.eps, nq, q, 2 * k_max, 0, 0}, &err));
    free(I);
    inner_table_free(&t);
}

/* What is subtracted from the table is what is added in momentum space: I does not change where
 * either way resolves it. */
START_TEST(single_scattering)
{
    static const double q[] = {0.3, 1, 2}, k1[] = {0.2, 1, 3}, theta[] = {0.1, 1.5, 3};
    const double k_max = 3;
    config card;
    inner_grids g;
    mode_table modes[2];
    single_factors factors[2];
    dipole *d = chain_dipole("mv", 0.01);
    chain_card(&card, "accuracy.tolerance=1e-7");
    const inner_grids_task task = {&card.run.node.inner, d, 1, 2, k_max + 2, 1};
    ck_assert(inner_grids_init(&g, &task, NULL) == CGCT_OK);
    for (int i = 0; i < 2; i++) by_table(&g, d, i, 3, q, k_max, &modes[i], &factors[i]);
    double worst = 0;
    for (int i = 0; i < 27; i++) {
        double I[2][NPOL], P, phi, error[NPOL] = {0, 0};
        const double at = q[i / 9], k = k1[i / 3 % 3], t = theta[i % 3];
        mode_recentre(0.5, at, k, t, &P, &phi);
        for (int j = 0; j < 2; j++) {
            mode_table_eval(&modes[j], (size_t)i / 9, P, phi, I[j]);
            single_add(&factors[j], (size_t)i / 9, at, k, mode_k2(at, k, t), I[j], error);
        }
        for (int pol = 0; pol < NPOL; pol++) {
            double apart = fabs(I[1][pol] - I[0][pol]) / (fabs(I[0][POL_T]) + fabs(I[0][POL_L]));
            worst = larger_error(worst, apart);
        }
    }
    printf("mv, with and without single scattering apart: %.1e of I_T + I_L\n", worst);
    ck_assert_double_le(worst, TOL_SINGLE);
    for (int i = 0; i < 2; i++) {
        mode_table_free(&modes[i]);
        single_free(&factors[i]);
    }
    inner_grids_free(&g);
    config_free(&card);
    dipole_free(d);
}
END_TEST

/* ---- refinement ---- */

#define FINER 1.5

static const struct {
    const char *name;
    double eps;
} refined[] = {{"mv", 4}, /* make check-long: */ {"gbw", 1}, {"rcbk_proton_mve.dat", 1}};
enum { REFINED_SHORT = 1, REFINED_ALL = sizeof refined / sizeof *refined };

/* Every spacing divided by 1.5: the steps by way of the tolerance, to which they go as its ninth
 * root (checked on the numbers of nodes), the rest by their own keys. */
START_TEST(refinement)
{
    static const double q[] = {0.5, 1, 2}, k[] = {0.5, 1, 3, 6};
    const char *name = refined[_i].name;
    double eps = refined[_i].eps;
    char settings[256];
    node_report a, b;
    dipole_source *src = chain_source(name);
    node_tables *base = chain_node(src, "", 0.01, eps, 3, q, 6, &a);
    snprintf(settings, sizeof settings,
             "accuracy.tolerance=%.17g inner.r_max=%.17g inner.modes=%d hankel.p_spacing=%.17g "
             "inner.rank_tolerance=1e-15",
             1e-6 * pow(FINER, -9), FINER * a.r_max, (int)(FINER * a.modes) / 2 * 2, 0.04 / FINER);
    node_tables *fine = chain_node(src, settings, 0.01, eps, 3, q, 6, &b);
    printf(
        "%s: nodes %zu x %zu x %zu, P %zu, M %d, %.1f s; then %zu x %zu x %zu, %zu, %d, %.1f s\n",
        name, a.n_delta, a.n_r, a.n_s, a.n_p, a.modes, a.seconds_total, b.n_delta, b.n_r, b.n_s,
        b.n_p, b.modes, b.seconds_total);
    ck_assert(b.n_delta > 1.4 * a.n_delta && b.n_r > 1.4 * a.n_r && b.n_s > 1.4 * a.n_s);
    int moved = 0;
    for (int i = 0; i < 3 * 4 * NT; i++) {
        size_t iq = (size_t)i / (4 * NT);
        point p = {.q = q[iq], .k1 = k[i / NT % 4], .theta = thetas[i % NT]}, f = p;
        value_at(base, iq, &p);
        value_at(fine, iq, &f);
        for (int pol = 0; pol < 2; pol++) {
            double d = fabs(p.got[pol] - f.got[pol]);
            moved += !(d <= p.error[pol]);
            if (!(d <= p.error[pol]))
                printf("  %s %c q %g k1 %g theta %g: I %.4e moves by %.1e, estimate %.1e\n", name,
                       "TL"[pol], p.q, p.k1, p.theta, p.got[pol], d, p.error[pol]);
        }
    }
    ck_assert_msg(moved <= ALL_BUT * 2 * 3 * 4 * NT, "%d of %d move by more than the estimate",
                  moved, 2 * 3 * 4 * NT);
    node_tables_free(base);
    node_tables_free(fine);
    dipole_source_close(src);
}
END_TEST

/* ---- scaling and small q ---- */

/* Qs = Q0 at any x */
static dipole_source *gbw_source(double Q0)
{
    dipole_source *s = NULL;
    dipole_opts o = {.kind = DIPOLE_GBW, .Q0 = Q0, .x0 = 1, .lambda = 0};
    ck_assert(dipole_source_open(&s, &o, NULL) == CGCT_OK);
    return s;
}

/* I(2K, 2q, 2 eps, 4 Qs^2) = I/64 */
START_TEST(scaling)
{
    static const double q[] = {0.7, 2}, twice[] = {1.4, 4};
    dipole_source *one = gbw_source(1), *two = gbw_source(2);
    node_tables *a = chain_node(one, "accuracy.tolerance=1e-4", X_GBW, 2, 2, q, 5, NULL);
    node_tables *b = chain_node(two, "accuracy.tolerance=1e-4", X_GBW, 4, 2, twice, 10, NULL);
    for (int i = 0; i < 24; i++) {
        size_t iq = (size_t)i % 2;
        point p = {.q = q[iq], .k1 = 1 + i / 6, .theta = i % 5 * 0.7};
        point s = {.q = twice[iq], .k1 = 2 * p.k1, .theta = p.theta};
        value_at(a, iq, &p);
        value_at(b, iq, &s);
        for (int pol = 0; pol < 2; pol++)
            CHECK_ABS(64 * s.got[pol], p.got[pol], TOL_SCALING * fabs(p.got[pol]));
    }
    node_tables_free(a);
    node_tables_free(b);
    dipole_source_close(one);
    dipole_source_close(two);
}
END_TEST

/* Coarse grids, with which the number of modes still decides. */
#define MODES_GRID "inner.spacing=0.066 inner.step=0.3"

/* Where eps < Qs, I at |K| = q/2 is small beside the peaks at k1 = 0 and k2 = 0. */
START_TEST(modes_beside_a_peak)
{
    const double q = 6, eps = 0.1;
    dipole_source *s = chain_source("mv");
    node_report a, b;
    char more[64];
    node_tables *base = chain_node(s, MODES_GRID, 0.01, eps, 1, &q, q, &a);
    snprintf(more, sizeof more, MODES_GRID " inner.modes=%d", 2 * a.modes);
    node_tables *fine = chain_node(s, more, 0.01, eps, 1, &q, q, &b);
    double worst = 0;
    for (int i = 0; i < 3; i++) {
        const double theta = 0.5 + 0.35 * i; /* k1.k2 = 0 */
        point p = {.q = q, .k1 = q * cos(theta), .theta = theta}, f = p;
        value_at(base, 0, &p);
        value_at(fine, 0, &f);
        for (int pol = 0; pol < NPOL; pol++) {
            double off = fabs(p.got[pol] - f.got[pol]) / f.got[POL_T];
            worst = larger_error(worst, off);
        }
    }
    printf("mv, eps 0.1, q 6: %d and %d modes apart: %.1e of I_T\n", a.modes, b.modes, worst);
    ck_assert_double_le(worst, TOL_MODES);
    node_tables_free(base);
    node_tables_free(fine);
    dipole_source_close(s);
}
END_TEST

/* METHOD.md 7.3; corrections O(Qs^2/D) */
START_TEST(small_q)
{
    const double q = 2e-4, eps = 2, k1 = 3, Qs2 = 4e-6; /* q^2/(2 Qs^2) = 5e-3 */
    dipole_source *s = gbw_source(sqrt(Qs2));
    node_tables *pipe = chain_node(s, "", X_GBW, eps, 1, &q, 4, NULL);
    for (int i = 0; i < 3; i++) {
        point p = {.q = q, .k1 = k1 - i, .theta = M_PI / 2};
        double K2 = p.k1 * p.k1 + q * q / 4, D = K2 + eps * eps, z = q * q / (2 * Qs2);
        double E1 = -0.57721566490153286 - log(z) + z - z * z / 4 + z * z * z / 18 - pow(z, 4) / 96;
        double f = 4 * pow(M_PI, 3) * E1 / pow(D, 4);
        value_at(pipe, 0, &p);
        CHECK_REL(p.got[0], f * 2 * (K2 * K2 + pow(eps, 4)) / (eps * eps), TOL_SMALL_Q);
        CHECK_REL(p.got[1], f * 4 * K2, TOL_SMALL_Q);
    }
    node_tables_free(pipe);
    dipole_source_close(s);
}
END_TEST

/* What three colours change follows a tolerance below the default one, too: its bound falls, and
 * the values agree within both. */
START_TEST(finer_colours)
{
    const double q = 3;
    point p[2] = {{.q = q, .k1 = 2, .theta = 1.2}, {.q = q, .k1 = 2, .theta = 1.2}};
    dipole_source *s = chain_source("gbw:Nc3");
    for (int finer = 0; finer < 2; finer++) {
        node_tables *n =
            chain_node(s, finer ? "accuracy.tolerance=1e-8" : "", X_GBW, 10, 1, &q, 2, NULL);
        value_at(n, 0, &p[finer]);
        node_tables_free(n);
    }
    dipole_source_close(s);
    for (int pol = 0; pol < NPOL; pol++) {
        ck_assert_double_le(2 * p[1].error[pol], p[0].error[pol]);
        ck_assert_double_le(fabs(p[1].got[pol] - p[0].got[pol]), p[0].error[pol] + p[1].error[pol]);
    }
}
END_TEST

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* a failing test ends its process */
    Suite *s = suite_create("node");
    TCase *t = tcase_create("node");
    tcase_set_timeout(t, chain_long() ? 3000 : 300);
    tcase_add_test(t, largest_momentum);
    tcase_add_test(t, gbw_exact);
    tcase_add_test(t, gbw_at_many_q);
    tcase_add_loop_test(t, exchange_and_frames, 0, chain_long() ? FRAMES_ALL : FRAMES_SHORT);
    tcase_add_loop_test(t, refinement, 0, chain_long() ? REFINED_ALL : REFINED_SHORT);
    tcase_add_test(t, single_scattering);
    tcase_add_test(t, scaling);
    tcase_add_test(t, small_q);
    tcase_add_test(t, modes_beside_a_peak);
    tcase_add_test(t, finer_colours);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
