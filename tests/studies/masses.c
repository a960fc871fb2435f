/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The study l: transverse and longitudinal photons that make pairs of massive quarks,
 * back to back, beside the limit with gluon distributions.  It fails where an assertion does not
 * hold.
 *
 * With e = [z^2 + (1-z)^2], eps^2 = z(1-z) Q^2 + m^2, D = K^2 + eps^2 and phi the angle of K and q,
 *   photon T: (2 pi)^2/D^4 { G [e (K^4 + eps^4) + 2 m^2 K^2]
 *                            + H cos 2phi [2 m^2 K^2 - 2 e eps^2 K^2] }
 *   photon L: (2 pi)^2/D^4 4 Q^2 z^2 (1-z)^2 2 K^2 [G + H cos 2phi]
 * stand beside e eps^2 I_T + m^2 I_L and 4 Q^2 z^2 (1-z)^2 I_L.  z = 1/2, so that K is k1 - q/2. */
#include <math.h>

#include "node/reference.h"
#include "study.h"

/* m and Q2 in GeV and GeV^2: light, charm and beauty from real photons, charm in DIS. */
static const double mass_case[][2] = {{0.14, 0}, {1.4, 0}, {4.75, 0}, {1.4, 10}};
static const double mass_q[] = {0.25, 0.5, 1}, mass_K[] = {6, 9, 13, 20};
enum { MASS_CASES = 4, MASS_NQ = 3, MASS_NK = 4 };
#define Z 0.5

/* Averages over phi: of the cross section, and of it times cos(2 phi). */
typedef struct {
    double mean, cosine;
} moments;

/* From I. */
static moments massive_full(const double of_case[2], int pol, const harmonics h[NPOL])
{
    const double m2 = of_case[0] * of_case[0], eps2 = Z * (1 - Z) * of_case[1] + m2;
    const double T = (1 - 2 * Z * (1 - Z)) * eps2;
    const double L = pol == POL_T ? m2 : 4 * of_case[1] * pow(Z * (1 - Z), 2);
    const moments I_T = {h[POL_T].mean, h[POL_T].mean * h[POL_T].v2};
    const moments I_L = {h[POL_L].mean, h[POL_L].mean * h[POL_L].v2};
    return (moments){(pol == POL_T ? T * I_T.mean : 0) + L * I_L.mean,
                     (pol == POL_T ? T * I_T.cosine : 0) + L * I_L.cosine};
}

/* From G and H. */
static moments massive_limit(const double of_case[2], int pol, double K, const double GH[2])
{
    const double m2 = of_case[0] * of_case[0], eps2 = Z * (1 - Z) * of_case[1] + m2, K2 = K * K;
    const double e = Z * Z + (1 - Z) * (1 - Z), hard = pow(2 * M_PI, 2) / pow(K2 + eps2, 4);
    const double of_L = hard * 4 * of_case[1] * pow(Z * (1 - Z), 2) * 2 * K2;
    if (pol == POL_L) return (moments){of_L * GH[0], of_L * GH[1] / 2};
    return (moments){hard * GH[0] * (e * (K2 * K2 + eps2 * eps2) + 2 * m2 * K2),
                     hard * GH[1] * (2 * m2 * K2 - 2 * e * eps2 * K2) / 2};
}

/* Of the ratio of the means, less 1, for T and L, in units of Qs^2/K^2: saturation that the gluon
 * distributions do not contain; v2 may change by that share, too.  Of v2, in units of q^2/K^2:
 * kinematic twists and saturation, which nearly cancel. */
static const double mean_tolerance[NPOL] = {2, 15};
#define V2_TOLERANCE 0.25

/* A line of the report, for the four K at a q; whether it holds. */
static int compare_massive(const study *v, FILE *f, const double of_case[2], int pol,
                           const harmonics_point *p, const harmonics h[NPOL], double Qs2)
{
    const moments full = massive_full(of_case, pol, h);
    const moments limit = massive_limit(of_case, pol, p->K, (const double[]){p->G, p->H});
    const double ratio = full.mean / limit.mean - 1, K2 = p->K * p->K;
    const double v2 = full.cosine / full.mean, limit_v2 = limit.cosine / limit.mean;
    const double saturation = mean_tolerance[pol] * Qs2 / K2,
                 twist = V2_TOLERANCE * p->q * p->q / K2;
    const int holds =
        fabs(ratio) <= saturation && fabs(v2 - limit_v2) <= twist + saturation * fabs(limit_v2);
    study_say(v, "   | %c | %g | %g | %g | %g | %.2e | %.3e | %.3e |%s", "TL"[pol], of_case[0],
              of_case[1], p -> q, p -> K, ratio, v2, limit_v2, holds ? "" : " FAILS");
    fprintf(f, "%d %g %g %g %g %.6e %.6e %.6e\n", pol, of_case[0], of_case[1], p->q, p->K, ratio,
            v2, limit_v2);
    return holds;
}

static cgct_status study_mass(const study *v, const double of_case[2], double Qs2, FILE *f,
                              int *failures, cgct_err *err)
{
    const double eps = sqrt(Z * (1 - Z) * of_case[1] + of_case[0] * of_case[0]);
    const study_node node = {v->source, v->x, eps, MASS_NQ, mass_q, STUDY_K_MAX};
    node_tables *n = NULL;
    double G[MASS_NQ], H[MASS_NQ], error[NPOL];
    harmonics h[HARMONICS_KINDS][NPOL];
    CGCT_TRY(node_tensor(v->source, v->x, MASS_NQ, mass_q, G, H, err));
    cgct_status st = study_production(&n, &node, 1e-6, NULL, err);
    for (size_t i = 0; i < MASS_NQ * (size_t)MASS_NK && st == CGCT_OK; i++) {
        const size_t iq = i / MASS_NK;
        const harmonics_point p = {iq, mass_q[iq], mass_K[i % MASS_NK], eps, G[iq], H[iq]};
        if ((st = harmonics_at(n, &p, h, error, err)) != CGCT_OK) break;
        for (int pol = 0; pol < (of_case[1] > 0 ? 2 : 1); pol++) /* a real photon is transverse */
            *failures += !compare_massive(v, f, of_case, pol, &p, h[HARMONICS_FULL], Qs2);
    }
    node_tables_free(n);
    return st;
}

cgct_status study_masses(const study *v, cgct_err *err)
{
    static const char name[] = "l_masses.dat";
    cgct_textfile to;
    dipole *d;
    int failures = 0;
    CGCT_TRY(dipole_init(&d, v->source, v->x, err));
    const double Qs2 = d->Qs2;
    dipole_free(d);
    CGCT_TRY(picture_open(v->dir, name, "# pol m Q2 q K ratio-1 v2 limit_v2", &to, err));
    study_say(v, "   averages over the angle of K and q at z = 1/2; Qs^2 = %.3g GeV^2", Qs2);
    study_say(v, "   | photon | m | Q2 | q | K | ratio of the means - 1 | v2 | its limit |");
    cgct_status st = CGCT_OK;
    for (int i = 0; i < MASS_CASES && st == CGCT_OK; i++)
        st = study_mass(v, mass_case[i], Qs2, to.f, &failures, err);
    study_say(v,
              "   %d lines fail: the ratio within s = %g (T) and %g (L) Qs^2/K^2 of 1, v2 "
              "within %g q^2/K^2 + s |v2| of its limit",
              failures, mean_tolerance[POL_T], mean_tolerance[POL_L], V2_TOLERANCE);
    if (st == CGCT_OK && failures)
        st = cgct_fail(err, CGCT_E_ACCURACY, "massive quarks do not have their limit at %d points",
                       failures);
    return picture_close(&to, st, err);
}
