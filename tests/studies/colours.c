/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The study j: what three colours change in the cross section and in its correlation
 * limit.  It fails where an assertion does not hold. */
#include <gsl/gsl_sf_expint.h>
#include <math.h>

#include "node/reference.h"
#include "study.h"
#include "larger_error.h"

#define STUDY_X 0.01
#define COLOURS 3.0

/* ---- the ratio of the gluon distributions, F for three over F for infinitely many colours ---- */

static const double limit_q[] = {0.1, 0.6, 1, 1.5, 2, 3, 5};
enum { LIMIT_NQ = 7 };
/* of the GBW model against its closed form */
#define LIMIT_TOLERANCE 1e-8

/* In the GBW model F is proportional to (1 - 1/Nc^2) E_1(q^2/(p Qs^2)), p = 2/(1 - 1/Nc^2). */
static double gbw_limit_ratio(double q, double Qs2)
{
    const double share = 1 - 1 / (COLOURS * COLOURS);
    return share * gsl_sf_expint_E1(share * q * q / (2 * Qs2)) /
           gsl_sf_expint_E1(q * q / (2 * Qs2));
}

/* ratio (LIMIT_NQ) for one dipole. */
static cgct_status find_limit_ratios(const dipole_source *s, double *ratio, cgct_err *err)
{
    double many[REFERENCE_TRANSFORMS * LIMIT_NQ], three[REFERENCE_TRANSFORMS * LIMIT_NQ];
    CGCT_TRY(node_transforms(s, STUDY_X, INFINITY, LIMIT_NQ, limit_q, many, err));
    CGCT_TRY(node_transforms(s, STUDY_X, COLOURS, LIMIT_NQ, limit_q, three, err));
    for (int i = 0; i < LIMIT_NQ; i++)
        ratio[i] = three[REFERENCE_G * LIMIT_NQ + i] / many[REFERENCE_G * LIMIT_NQ + i];
    return CGCT_OK;
}

static cgct_status compare_limits(const study *v, const dipole_source *mve, cgct_err *err)
{
    const dipole_opts o = {.kind = DIPOLE_GBW, .Q0 = 1, .x0 = STUDY_X, .lambda = 0.288};
    dipole_source *gbw = NULL;
    double of_mve[LIMIT_NQ], of_gbw[LIMIT_NQ], worst = 0;
    CGCT_TRY(dipole_source_open(&gbw, &o, err));
    cgct_status st = find_limit_ratios(gbw, of_gbw, err);
    dipole_source_close(gbw);
    if (st == CGCT_OK) st = find_limit_ratios(mve, of_mve, err);
    if (st != CGCT_OK) return st;
    study_say(v, "   gluon distribution F for 3 over that for infinitely many colours\n"
                 "   | q | mv:mve | gbw, Qs = 1 GeV | its closed form |");
    for (int i = 0; i < LIMIT_NQ; i++) {
        const double exact = gbw_limit_ratio(limit_q[i], 1);
        const double F = exp(-limit_q[i] * limit_q[i] / 2); /* accuracy is relative to F(Qs) */
        worst = larger_error(worst, fabs(of_gbw[i] / exact - 1) * F);
        study_say(v, "   | %g | %.4f | %.4f | %.4f |", limit_q[i], of_mve[i], of_gbw[i], exact);
    }
    study_say(v, "   gbw differs from it by %.0e; %g is allowed", worst, LIMIT_TOLERANCE);
    if (worst <= LIMIT_TOLERANCE) return CGCT_OK;
    return cgct_fail(err, CGCT_E_ACCURACY, "F of gbw is off its closed form by %.1e", worst);
}

/* ---- the ratio of the cross sections ---- */

static const double colours_eps = 1;
static const double colours_q[] = {0.25, 0.3, 0.35, 0.42, 0.5, 0.6, 0.7, 0.84, 1,  1.2,
                                   1.4,  1.7, 2,    2.4,  2.8, 3.4, 4,   4.7,  5.6};
static const double colours_theta[] = {0, M_PI / 4, M_PI / 2, 3 * M_PI / 4, M_PI};
enum { COLOURS_NQ = 19, COLOURS_NK = 36, COLOURS_NTHETA = 5 };
/* Where the limit is compared: q to Qs, K in units of Qs. */
#define LIMIT_K_OVER_QS 25.0
#define LIMIT_DIFFERENCE 1e-3
#define SUM_RULE 1e-7
#define KNOWN 0.01 /* bound on the error of a ratio that counts, as in the picture */

typedef struct {
    dipole_source *source;
    node_tables *node;
    node_report report;
    double G[COLOURS_NQ], H[COLOURS_NQ];
} colours_node;

static void free_node(colours_node *c)
{
    node_tables_free(c->node);
    dipole_source_close(c->source);
}

static cgct_status open_node(colours_node *c, double Nc, cgct_err *err)
{
    const dipole_opts o = {.kind = DIPOLE_MV, .set = "mve", .Nc = Nc};
    CGCT_TRY(dipole_source_open(&c->source, &o, err));
    const study_node n = {c->source, STUDY_X, colours_eps, COLOURS_NQ, colours_q, STUDY_K_MAX};
    CGCT_TRY(node_tensor(c->source, STUDY_X, COLOURS_NQ, colours_q, c->G, c->H, err));
    return study_production(&c->node, &n, 1e-6, &c->report, err);
}

/* I for 3 over I for infinitely many colours, and the bound on the error of this ratio. */
static cgct_status find_ratio(const colours_node c[2], size_t iq, double k1, double theta,
                              double ratio[NPOL], double error[NPOL], cgct_err *err)
{
    double I[2][NPOL], bound[2][NPOL];
    for (int i = 0; i < 2; i++) CGCT_TRY(node_point(c[i].node, iq, k1, theta, I[i], bound[i], err));
    for (int pol = 0; pol < NPOL; pol++) {
        ratio[pol] = I[1][pol] / I[0][pol];
        error[pol] = bound[1][pol] / I[0][pol] + ratio[pol] * bound[0][pol] / I[0][pol];
    }
    return CGCT_OK;
}

/* One block an angle, one line a pair (q,k1), a blank line after each k1.  range: least and largest
 * ratio that is known. */
static cgct_status write_ratios(const colours_node c[2], FILE *f, double range[2], cgct_err *err)
{
    range[0] = INFINITY;
    range[1] = 0;
    for (int it = 0; it < COLOURS_NTHETA; it++) {
        for (int ik = 0; ik < COLOURS_NK; ik++) {
            for (size_t iq = 0; iq < COLOURS_NQ; iq++) {
                const double k1 = study_k1(ik, COLOURS_NK), theta = colours_theta[it];
                double ratio[NPOL], error[NPOL];
                CGCT_TRY(find_ratio(c, iq, k1, theta, ratio, error, err));
                fprintf(f, "%.6g %g %.6g %.8g %.1e %.8g %.1e %.8g\n", theta, colours_q[iq], k1,
                        ratio[POL_T], error[POL_T], ratio[POL_L], error[POL_L],
                        c[1].G[iq] / c[0].G[iq]);
                for (int pol = 0; pol < NPOL; pol++) {
                    if (error[pol] > KNOWN) continue;
                    range[0] = fmin(range[0], ratio[pol]);
                    range[1] = fmax(range[1], ratio[pol]);
                }
            }
            fputs("\n", f);
        }
        fputs("\n", f);
    }
    return CGCT_OK;
}

/* Means over the angle: I for three colours over that for infinitely many, the same of the limits
 * with all kinematic twists, and I over its limit, less 1, for infinitely many and three. */
typedef struct {
    double of_I[NPOL], of_limit[NPOL], away[2][NPOL], bound[NPOL]; /* bound: of away[1] */
} limit_distance;

static cgct_status find_distance(const colours_node c[2], size_t iq, double K, limit_distance *d,
                                 cgct_err *err)
{
    harmonics h[2][HARMONICS_KINDS][NPOL];
    for (int i = 0; i < 2; i++) {
        const harmonics_point p = {iq, colours_q[iq], K, colours_eps, c[i].G[iq], c[i].H[iq]};
        CGCT_TRY(harmonics_at(c[i].node, &p, h[i], d->bound, err));
    }
    for (int pol = 0; pol < NPOL; pol++) {
        d->of_I[pol] = h[1][HARMONICS_FULL][pol].mean / h[0][HARMONICS_FULL][pol].mean;
        d->of_limit[pol] = h[1][HARMONICS_ITMD][pol].mean / h[0][HARMONICS_ITMD][pol].mean;
        for (int i = 0; i < 2; i++)
            d->away[i][pol] = h[i][HARMONICS_FULL][pol].mean / h[i][HARMONICS_ITMD][pol].mean - 1;
        d->bound[pol] /= h[1][HARMONICS_ITMD][pol].mean;
    }
    return CGCT_OK;
}

/* Saturation beyond the distributions falls like 1/K^2: twice K tells what is left without it.
 * *worst: the largest of that for three colours. */
static cgct_status compare_with_limit(const study *v, const colours_node c[2], double K,
                                      double *worst, cgct_err *err)
{
    study_say(v,
              "   means over the angle at K = %.3g GeV = %g Qs; extrapolated from K and 2 K\n"
              "   | | q | I, 3 over infinitely many | of the limits | I/I_itmd - 1, "
              "infinitely many | 3 | 3, extrapolated | its bound |",
              K, LIMIT_K_OVER_QS);
    *worst = 0;
    for (int pol = 0; pol < NPOL; pol++)
        for (size_t iq = 0; iq < COLOURS_NQ && colours_q[iq] <= 1; iq += 2) {
            limit_distance near, far;
            CGCT_TRY(find_distance(c, iq, K, &near, err));
            CGCT_TRY(find_distance(c, iq, 2 * K, &far, err));
            const double left = (4 * far.away[1][pol] - near.away[1][pol]) / 3;
            const double bound = (4 * far.bound[pol] + near.bound[pol]) / 3;
            *worst = larger_error(*worst, fabs(left));
            study_say(v, "   | %c | %g | %.4f | %.4f | %.1e | %.1e | %.1e | %.0e |", "TL"[pol],
                      colours_q[iq], near.of_I[pol], near.of_limit[pol], near.away[0][pol],
                      near.away[1][pol], left, bound);
        }
    return CGCT_OK;
}

static cgct_status check_nodes(const study *v, const colours_node c[2], cgct_err *err)
{
    dipole *d;
    double worst;
    CGCT_TRY(dipole_init(&d, c[1].source, STUDY_X, err));
    const double Qs = sqrt(d->Qs2);
    dipole_free(d);
    CGCT_TRY(compare_with_limit(v, c, LIMIT_K_OVER_QS * Qs, &worst, err));
    study_say(v,
              "   largest distance from the limit for three colours, extrapolated, %.1e; "
              "%g is allowed\n   sum rule %.0e, %g is allowed\n"
              "   one node: %.1f s for three, %.1f s for infinitely many colours",
              worst, LIMIT_DIFFERENCE, c[1].report.sum_rule, SUM_RULE, c[1].report.seconds_total,
              c[0].report.seconds_total);
    if (worst <= LIMIT_DIFFERENCE && c[1].report.sum_rule <= SUM_RULE) return CGCT_OK;
    return cgct_fail(err, CGCT_E_ACCURACY,
                     "three colours: %.1e from the correlation limit, sum rule %.1e", worst,
                     c[1].report.sum_rule);
}

cgct_status study_colours(const study *v, cgct_err *err)
{
    static const char name[] = "j_colours.dat";
    colours_node c[2] = {{0}, {0}};
    double range[2];
    cgct_textfile to;
    study_say(v, "   mv:mve always, eps = %g GeV", colours_eps);
    CGCT_TRY(picture_open(v->dir, name, "# theta q k1 ratio_T error_T ratio_L error_L ratio_F", &to,
                          err));
    cgct_status st = open_node(&c[0], 0, err);
    if (st == CGCT_OK) st = open_node(&c[1], COLOURS, err);
    if (st == CGCT_OK) st = compare_limits(v, c[0].source, err);
    if (st == CGCT_OK) st = write_ratios(c, to.f, range, err);
    if (st == CGCT_OK)
        study_say(v,
                  "   I for 3 over infinitely many colours: %.3f to %.3f where it is known to %g",
                  range[0], range[1], KNOWN);
    if (st == CGCT_OK) st = check_nodes(v, c, err);
    for (int i = 0; i < 2; i++) free_node(&c[i]);
    CGCT_TRY(picture_close(&to, st, err));
    return study_draw(v, "j_colours", "", text_j_colours_gp, err);
}
