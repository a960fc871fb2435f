/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The studies g, h and i: the cross section beside its limits, which share none of its
 * machinery.  Each fails where an assertion does not hold. */
#include <math.h>
#include <stdlib.h>

#include "node/reference.h"
#include "study.h"
#include "larger_error.h"

#define STUDY_X 0.01

static cgct_status open_mv(dipole_source **s, double Qs0sq, cgct_err *err)
{
    const dipole_opts o = {.kind = DIPOLE_MV, .Qs0sq = Qs0sq};
    return dipole_source_open(s, &o, err);
}

/* ---- g and i: a dilute target ---- */

/* The density, Qs0^2 (GeV^2), and half of it: what is linear in it cancels in 2 b - a. */
static const double dilute_density[2] = {1e-4, 5e-5};
static const double dilute_q[] = {0.05, 0.2, 0.5, 1, 2, 4}, dilute_k[] = {3, 8, 25};
enum { DILUTE_NQ = 6, DILUTE_NK = 3, DILUTE_ANGLES = 13 };
static const double dilute_eps = 1;
/* What may be left at zero density beside the bounds on the errors. */
#define DILUTE_TOLERANCE 1e-5

typedef struct {
    node_tables *node;
    double G[DILUTE_NQ], H[DILUTE_NQ];
} dilute_target;

/* The largest of all angles, in units of the limit averaged over them. */
typedef struct {
    double at_density, at_half, extrapolated, bound; /* bound: on the error of extrapolated */
    double relative; /* at the density, in units of the limit at the same angle */
} dilute_deviation;

static cgct_status open_dilute(dilute_target *t, double density, cgct_err *err)
{
    dipole_source *s = NULL;
    CGCT_TRY(open_mv(&s, density, err));
    const study_node node = {s, STUDY_X, dilute_eps, DILUTE_NQ, dilute_q, dilute_k[2]};
    cgct_status st = node_tensor(s, STUDY_X, DILUTE_NQ, dilute_q, t->G, t->H, err);
    if (st == CGCT_OK) st = study_production(&t->node, &node, 1e-6, NULL, err);
    dipole_source_close(s);
    return st;
}

static cgct_status find_deviation(const dilute_target t[2], size_t iq, double k1, int pol,
                                  dilute_deviation *d, cgct_err *err)
{
    double diff[2][DILUTE_ANGLES], bound[2][DILUTE_ANGLES], mean[2] = {0, 0};
    *d = (dilute_deviation){0};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < DILUTE_ANGLES; j++) {
            const double theta = M_PI * j / (DILUTE_ANGLES - 1.0), e = dilute_eps;
            double I[NPOL], error[NPOL], limit[NPOL];
            const reference_point at = {dilute_q[iq], k1, theta, e, e * e};
            CGCT_TRY(node_point(t[i].node, iq, k1, theta, I, error, err));
            reference_value(&at, t[i].G[iq], t[i].H[iq], limit);
            diff[i][j] = I[pol] - limit[pol];
            bound[i][j] = error[pol];
            mean[i] += limit[pol] / DILUTE_ANGLES;
            if (i == 0) d->relative = larger_error(d->relative, fabs(diff[i][j] / limit[pol]));
        }
    for (int j = 0; j < DILUTE_ANGLES; j++) {
        const double a = diff[0][j] / mean[0], b = diff[1][j] / mean[1];
        d->at_density = larger_error(d->at_density, fabs(a));
        d->at_half = larger_error(d->at_half, fabs(b));
        d->extrapolated = larger_error(d->extrapolated, fabs(2 * b - a));
        d->bound = larger_error(d->bound, bound[0][j] / mean[0] + 2 * bound[1][j] / mean[1]);
    }
    return CGCT_OK;
}

/* One line of the report, and whether it holds. */
static int write_deviation(const study *v, FILE *f, const double at[2], int pol,
                           const dilute_deviation *d)
{
    const int holds = d->extrapolated <= DILUTE_TOLERANCE + d->bound;
    study_say(v, "   | %c | %g | %g | %.1e | %.1e | %.2f | %.1e | %.1e |%s", "TL"[pol], at[0],
              at[1], d -> relative, d -> at_density, d -> at_density / d -> at_half,
              d -> extrapolated, d -> bound, holds ? "" : " FAILS");
    fprintf(f, "%d %g %g %.4e %.4e %.4e %.4e %.4e\n", pol, at[0], at[1], d->relative, d->at_density,
            d->at_half, d->extrapolated, d->bound);
    return holds;
}

static cgct_status write_dilute(const study *v, const dilute_target t[2], FILE *f, cgct_err *err)
{
    int failures = 0;
    study_say(v, "   | | q | k1 | of I_itmd | of its mean | over half the density | "
                 "extrapolated | its bound |");
    for (int pol = 0; pol < NPOL; pol++) {
        for (size_t i = 0; i < DILUTE_NQ * (size_t)DILUTE_NK; i++) {
            const double at[2] = {dilute_q[i / DILUTE_NK], dilute_k[i % DILUTE_NK]};
            dilute_deviation d;
            CGCT_TRY(find_deviation(t, i / DILUTE_NK, at[1], pol, &d, err));
            failures += !write_deviation(v, f, at, pol, &d);
        }
        fputs("\n\n", f);
    }
    study_say(v, "   %d of %d lines fail: at zero density |I/I_itmd - 1| <= %g + bound", failures,
              NPOL * DILUTE_NQ * DILUTE_NK, DILUTE_TOLERANCE);
    if (!failures) return CGCT_OK;
    return cgct_fail(err, CGCT_E_ACCURACY, "a dilute target does not have its limit at %d points",
                     failures);
}

cgct_status study_dilute(const study *v, cgct_err *err)
{
    static const char name[] = "g_dilute.dat";
    dilute_target t[2] = {{0}, {0}};
    cgct_textfile to;
    study_say(v, "   mv, Qs0^2 = %g GeV^2 and half of it, eps = %g GeV; largest of %d angles",
              dilute_density[0], dilute_eps, DILUTE_ANGLES);
    CGCT_TRY(picture_open(v->dir, name, "# pol q k1 relative at_density at_half extrapolated bound",
                          &to, err));
    cgct_status st = open_dilute(&t[0], dilute_density[0], err);
    if (st == CGCT_OK) st = open_dilute(&t[1], dilute_density[1], err);
    if (st == CGCT_OK) st = write_dilute(v, t, to.f, err);
    for (int i = 0; i < 2; i++) node_tables_free(t[i].node);
    CGCT_TRY(picture_close(&to, st, err));
    return study_draw(v, "g_dilute", "", text_g_dilute_gp, err);
}

/* ---- h: the approach to the limits ---- */

static const double approach_q[] = {0.25, 0.5, 1, 2}, approach_K[] = {6, 9, 13, 20};
enum { APPROACH_NQ = 4, APPROACH_NK = 4 };
static const double approach_eps = 1;
/* Saturation beyond the distributions is of the order (Qs/K)^2 times logarithms, which leave a
 * power between these where it keeps its sign. */
#define GENUINE_POWER_MIN 1.5
#define GENUINE_POWER_MAX 2.1
/* Averaged over the angle, the expansion of the closed forms in q/K begins for T at K^-4, for L
 * with q^2/D [K^2/D - 2/3 + (H/G) (K^2/(2 D) - 1/3)], D = K^2 + eps^2. */
#define TWIST_POWER_T 4.0
#define TWIST_TOLERANCE 0.15 /* absolute for the power, for L relative */

typedef struct {
    double G[APPROACH_NQ], H[APPROACH_NQ];
    double mean[APPROACH_NQ][APPROACH_NK][HARMONICS_KINDS][NPOL];
} approach_means;

static cgct_status find_approach(const study *v, approach_means *m, cgct_err *err)
{
    const study_node node = {v->source, v->x, approach_eps, APPROACH_NQ, approach_q, STUDY_K_MAX};
    node_tables *n = NULL;
    double error[NPOL];
    harmonics h[HARMONICS_KINDS][NPOL];
    CGCT_TRY(node_tensor(v->source, v->x, APPROACH_NQ, approach_q, m->G, m->H, err));
    cgct_status st = study_production(&n, &node, 1e-6, NULL, err);
    for (size_t i = 0; i < APPROACH_NQ * (size_t)APPROACH_NK && st == CGCT_OK; i++) {
        const size_t iq = i / APPROACH_NK, ik = i % APPROACH_NK;
        const harmonics_point p = {iq,           approach_q[iq], approach_K[ik],
                                   approach_eps, m->G[iq],       m->H[iq]};
        st = harmonics_at(n, &p, h, error, err);
        for (int j = 0; j < HARMONICS_KINDS * NPOL; j++)
            m->mean[iq][ik][j / NPOL][j % NPOL] = h[j / NPOL][j % NPOL].mean;
    }
    node_tables_free(n);
    return st;
}

/* I over a limit, or one limit over the other, less 1. */
static double approach_ratio(const approach_means *m, int iq, int ik, int pol, int over, int under)
{
    return m->mean[iq][ik][over][pol] / m->mean[iq][ik][under][pol] - 1;
}

/* -dln|ratio|/dlnK between K number ik - 1 and ik. */
static double approach_power(const approach_means *m, int iq, int ik, int pol, int over, int under)
{
    const double a = approach_ratio(m, iq, ik - 1, pol, over, under);
    const double b = approach_ratio(m, iq, ik, pol, over, under);
    return log(fabs(a / b)) / log(approach_K[ik] / approach_K[ik - 1]);
}

/* Where it changes its sign on the way to the largest K no power is seen there; then it must be
 * smaller than at the next q, which it grows with. */
static int genuine_power_holds(const approach_means *m, int iq, int pol)
{
    const int last = APPROACH_NK - 1;
    const double at_last = approach_ratio(m, iq, last, pol, HARMONICS_FULL, HARMONICS_ITMD);
    if (approach_ratio(m, iq, 0, pol, HARMONICS_FULL, HARMONICS_ITMD) * at_last < 0)
        return iq + 1 < APPROACH_NQ &&
               fabs(at_last) <
                   fabs(approach_ratio(m, iq + 1, last, pol, HARMONICS_FULL, HARMONICS_ITMD));
    const double p = approach_power(m, iq, last, pol, HARMONICS_FULL, HARMONICS_ITMD);
    return p >= GENUINE_POWER_MIN && p <= GENUINE_POWER_MAX;
}

static int twist_holds(const approach_means *m, int iq, int pol)
{
    const int last = APPROACH_NK - 1;
    const double K2 = pow(approach_K[last], 2), D = K2 + approach_eps * approach_eps;
    if (pol == POL_T)
        return fabs(approach_power(m, iq, last, pol, HARMONICS_ITMD, HARMONICS_TMD) -
                    TWIST_POWER_T) <= TWIST_TOLERANCE;
    const double unit = pow(approach_q[iq], 2) / D;
    const double want = unit * (K2 / D - 2 / 3. + m->H[iq] / m->G[iq] * (K2 / (2 * D) - 1 / 3.));
    const double got = approach_ratio(m, iq, last, pol, HARMONICS_ITMD, HARMONICS_TMD);
    return fabs(got - want) <= TWIST_TOLERANCE * fabs(want);
}

static void write_approach_line(const study *v, const approach_means *m, int iq, int pol, FILE *f)
{
    for (int ik = 0; ik < APPROACH_NK; ik++) {
        const double tmd = approach_ratio(m, iq, ik, pol, HARMONICS_FULL, HARMONICS_TMD),
                     itmd = approach_ratio(m, iq, ik, pol, HARMONICS_FULL, HARMONICS_ITMD),
                     twist = approach_ratio(m, iq, ik, pol, HARMONICS_ITMD, HARMONICS_TMD);
        char powers[32] = "|";
        if (ik)
            snprintf(powers, sizeof powers, "%.2f | %.2f",
                     approach_power(m, iq, ik, pol, HARMONICS_FULL, HARMONICS_ITMD),
                     approach_power(m, iq, ik, pol, HARMONICS_ITMD, HARMONICS_TMD));
        study_say(v, "   | %c | %g | %g | %.2e | %.2e | %.2e | %s |", "TL"[pol], approach_q[iq],
                  approach_K[ik], tmd, itmd, twist, powers);
        fprintf(f, "%d %g %g %.6e %.6e %.6e\n", pol, approach_q[iq], approach_K[ik], tmd, itmd,
                twist);
    }
    fputs("\n\n", f);
}

static cgct_status write_approach(const study *v, const approach_means *m, FILE *f, cgct_err *err)
{
    int failures = 0;
    study_say(v, "   | | q | K | I/I_tmd - 1 | I/I_itmd - 1 | I_itmd/I_tmd - 1 | "
                 "power of 1/K of I/I_itmd - 1 | of I_itmd/I_tmd - 1 |");
    for (int pol = 0; pol < NPOL; pol++)
        for (int iq = 0; iq < APPROACH_NQ; iq++) {
            write_approach_line(v, m, iq, pol, f);
            failures += !genuine_power_holds(m, iq, pol) + !twist_holds(m, iq, pol);
        }
    study_say(v, "   %d of %d expectations at the two largest K fail", failures,
              2 * NPOL * APPROACH_NQ);
    if (!failures) return CGCT_OK;
    return cgct_fail(err, CGCT_E_ACCURACY, "%d expectations of the approach to the limits fail",
                     failures);
}

cgct_status study_approach(const study *v, cgct_err *err)
{
    static const char name[] = "h_approach.dat";
    approach_means m;
    cgct_textfile to;
    study_say(v, "   averages over the angle of K and q, eps = %g GeV", approach_eps);
    CGCT_TRY(find_approach(v, &m, err));
    CGCT_TRY(picture_open(v->dir, name, "# pol q K I/I_tmd-1 I/I_itmd-1 I_itmd/I_tmd-1", &to, err));
    CGCT_TRY(picture_close(&to, write_approach(v, &m, to.f, err), err));
    return study_draw(v, "h_approach", "", text_h_approach_gp, err);
}
