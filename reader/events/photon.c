/* SPDX-License-Identifier: MIT */
/* Real photons of an ion, or of a table that the user gives: their number in dy. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../format/lists.h"
#include "../../format/rows.h"
#include "setup.h"

#define NUCLEON 0.9315   /* GeV, of a bound one */
#define HBAR_C 0.1973270 /* GeV fm */

/* The density of a nucleus is n (1 + w r^2/R^2)/(1 + exp[(r - R)/d]), R and d in fm, of H. de Vries
 * et al., Atom. Data Nucl. Data Tabl. 36 (1987) 495, and of Xe as in arXiv:1710.07098. */
static const struct {
    char name[4];
    double Z, A, R, d, w;
} species[] = {{"p", 1, 1, 0, 0, 0},
               {"O", 8, 16, 2.608, 0.513, -0.051},
               {"Xe", 54, 129, 5.36, 0.59, 0},
               {"Au", 79, 197, 6.38, 0.535, 0},
               {"Pb", 82, 208, 6.62, 0.546, 0}};
enum { SPECIES = sizeof species / sizeof *species, ION = SPECIES }; /* ION: ion:Z=.. */

/* Of the nucleus in fm; of the proton its charge radius. */
static double radius(int i)
{
    return species[i].A > 1 ? 1.2 * cbrt(species[i].A) : 0.84;
}

/* K_n(x) = Int_0^inf dt e^(-x cosh t) cosh(n t), by equal steps, which converge exponentially. */
static double bessel_K(int n, double x)
{
    const double step = 0.05;
    double sum = exp(-x) / 2;
    for (double t = step; x * (cosh(t) - 1) < 40 && t < 40; t += step)
        sum += exp(-x * cosh(t)) * cosh(n * t);
    return step * sum;
}

double ev_ion_photons(double alpha_em, double Z, double b_min, double y)
{
    const double xi = y * NUCLEON * b_min / HBAR_C, K0 = bessel_K(0, xi), K1 = bessel_K(1, xi);
    return 2 * Z * Z * alpha_em / (EV_PI * y) * (xi * K0 * K1 - xi * xi / 2 * (K1 * K1 - K0 * K0));
}

/* Logarithms at equal steps in ln y, between which a polynomial of degree 3 in ln y is good to
 * 1e-9: from 1e-7, or first, to xi = end. */
static int lay_nodes(ev_photons *p, double first, double end)
{
    const size_t n = 800;
    p->y[1] = fmin(end * HBAR_C / (NUCLEON * p->b_min), 0.999);
    p->y[0] = fmin(first, p->y[1] / 2);
    if (!(p->ln = (double *)malloc(2 * n * sizeof *p->ln)))
        return ev_complain(1, "--photon: no memory");
    p->smooth = 1;
    p->n = n;
    for (size_t i = 0; i < n; i++)
        p->ln[2 * i] = log(p->y[0]) + (double)i / (double)(n - 1) * log(p->y[1] / p->y[0]);
    return 0;
}

static int point_like(double alpha_em, double first, double end, ev_photons *p)
{
    EV_TRY(lay_nodes(p, first, end));
    for (size_t i = 0; i < p->n; i++)
        p->ln[2 * i + 1] = log(ev_ion_photons(alpha_em, p->Z, p->b_min, exp(p->ln[2 * i])));
    return 0;
}

int ev_average_photons(double alpha_em, size_t n, double b, double step, const double *P,
                       ev_photons *p)
{
    const double last = b + step * (double)n;
    size_t i = 0;
    ev_photons far = {.Z = p->Z, .b_min = last};
    EV_TRY(point_like(alpha_em, 1e-8, 40, &far));
    while (i < n && P[i] < 1e-3) i++;
    p->b_min = b + step * (double)i;
    const int st = lay_nodes(p, 1e-7, 30);
    for (size_t j = 0; j < p->n; j++) {
        const double y = exp(p->ln[2 * j]);
        double sum = 0;
        /* dN/dy is that of the farthest b, but for its argument */
        for (i = 0; i <= n; i++) {
            const double share = (b + step * ((double)i - 0.5)) / last;
            sum += ((i < n ? P[i] : 1) - (i ? P[i - 1] : 0)) * share *
                   ev_photons_at(&far, fmax(y * share, far.y[0]));
        }
        p->ln[2 * j + 1] = log(sum);
    }
    free(far.ln);
    return st;
}

/* ---- the probability that two nuclei do not touch ---- */

enum { THICK = 4000 };  /* values of T(s) */
#define THICK_STEP 0.01 /* fm; straight lines between them are good to 4e-5 */

/* T(s) = Int dz rho, with Int d2s T = A, by equal steps in z, which converge exponentially. */
static void find_thickness(int i, double *T)
{
    const double R = species[i].R, d = species[i].d, w = species[i].w / (R * R), step = 0.1;
    double all = 0;
    for (double r = step; r < 40; r += step)
        all += 4 * EV_PI * step * r * r * (1 + w * r * r) / (1 + exp((r - R) / d));
    for (int k = 0; k < THICK; k++) {
        const double s = k * THICK_STEP;
        double sum = 0;
        for (double z = 0; z < 40; z += step) {
            const double r = sqrt(s * s + z * z);
            sum += (z > 0 ? 2 : 1) * (1 + w * r * r) / (1 + exp((r - R) / d));
        }
        T[k] = fmax(sum * step * species[i].A / all, 0);
    }
}

static double thickness_at(const double *T, double s)
{
    const int i = (int)(s / THICK_STEP);
    const double t = s / THICK_STEP - i;
    return i + 1 < THICK ? (1 - t) * T[i] + t * T[i + 1] : 0;
}

/* T_AB(b) in fm^-2, by equal steps in the plane, which converge exponentially; of a proton and a
 * nucleus, B = NULL, T_A(b). */
static double overlap(const double *A, const double *B, double b)
{
    const double step = 0.5;
    double sum = 0;
    if (!B) return thickness_at(A, b);
    for (double v = 0; v < 20; v += step)
        for (double u = -20; u < 20; u += step)
            sum +=
                (v > 0 ? 2 : 1) * thickness_at(A, hypot(u, v)) * thickness_at(B, hypot(u - b, v));
    return sum * step * step;
}

/* The flux with the survival probability P(b) = exp(-sigma T_AB(b)), sigma in mb, outside of the
 * larger nucleus: inside, its charge is not point-like. */
static int survival(double alpha_em, int own, int target, double sigma, ev_photons *p)
{
    enum { N = 500 };
    const double step = 0.05, RA = species[own].R, RB = species[target].R, last = RA + RB + 12;
    const double b = last - N * step, inside = fmax(RA, RB);
    double *T = (double *)malloc(2 * THICK * sizeof *T), *B = NULL, P[N + 1];
    if (!T) return ev_complain(1, "--photon: no memory");
    find_thickness(own > 0 ? own : target, T);
    if (own > 0 && target > 0) find_thickness(target, B = T + THICK);
    P[N] = 1;
    for (int i = N - 1; i >= 0; i--) { /* inwards, until nothing survives */
        const double at = b + step * i;
        P[i] = at < inside || P[i + 1] < 1e-9 ? 0 : exp(-0.1 * sigma * overlap(T, B, at));
    }
    free(T);
    return ev_average_photons(alpha_em, N, b, step, P, p);
}

/* ---- transverse momenta ---- */

/* dN/dkT^2 of a coherent photon is kT^2 F(t)^2/t^2, t = kT^2 + (y m_N)^2, with the form factor
 *     F = 3 (sin v - v cos v)/v^3 / (1 + a^2 t)^n,  v = R sqrt(t),
 * of a hard sphere and a Yukawa range of 0.7 fm (n = 1; S. R. Klein and J. Nystrand, Phys. Rev. C
 * 60 (1999) 014903), of the proton (1 + t/0.71 GeV^2)^-2.  Drawn by rejection in ln t. */
double ev_photon_kt2(const ev_photons *p, double y, ev_random *r)
{
    const double low = y * y * NUCLEON * NUCLEON; /* behind the last t F^2 is below 1e-4 */
    const double range = log1p((p->power > 1 ? 10 : 0.25) / low);
    const double a2 = p->soft * p->soft;
    /* F is at most the smaller of 1 and 3 sqrt(1 + v^2)/v^3 times the power, which falls with t */
    const double v0 = p->hard * sqrt(low);
    const double most =
        fmin(1, 3 * sqrt(1 + v0 * v0) / (v0 * v0 * v0)) / pow(1 + a2 * low, p->power);
    for (;;) {
        const double t = low * exp(range * ev_uniform(r)), v = p->hard * sqrt(t);
        const double sphere = v < 1e-2 ? 1 - v * v / 10 : 3 * (sin(v) - v * cos(v)) / (v * v * v);
        const double F = sphere / pow(1 + a2 * t, p->power);
        if (ev_uniform(r) * most * most < (1 - low / t) * F * F) return t - low;
    }
}

/* ---- words ---- */

static int find_species(const char *name, size_t n)
{
    if (n == 3 && !strncmp(name, "ion", 3)) return ION;
    for (int i = 0; i < SPECIES; i++)
        if (strlen(species[i].name) == n && !strncmp(species[i].name, name, n)) return i;
    return -1;
}

/* What stands behind a species as KEY=VALUE. */
typedef struct {
    double Z, bmin, sigma; /* 0: not given; fm, mb */
    int target, survival, kt;
} ion_words;

static int read_ion_words(const char *at, ion_words *w)
{
    static const char *const name[] = {"Z=", "bmin=", "sigma="};
    double *const to[] = {&w->Z, &w->bmin, &w->sigma};
    while (*at) {
        char word[64];
        const size_t length = strcspn(++at, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        at += length;
        int known = !strcmp(word, "survival=woods-saxon") ? w->survival = 1
                    : !strcmp(word, "kt=form-factor")     ? w->kt = 1
                                                          : 0;
        if (!strncmp(word, "target=", 7))
            known = (w->target = find_species(word + 7, strlen(word + 7))) >= 0;
        for (int i = 0; i < 3; i++)
            if (!strncmp(word, name[i], strlen(name[i])))
                known = number_parse(word + strlen(name[i]), to[i]) && *to[i] > 0 && *to[i] < 1e3;
        if (!known)
            return ev_complain(
                2,
                "--photon: '%s', want Z=.., bmin=.. in fm, sigma=.. in mb, each above "
                "0 and below 1000, target=Pb, survival=woods-saxon or "
                "kt=form-factor",
                word);
    }
    return 0;
}

/* NAME or ion, and behind a colon or comma KEY=VALUE. */
static int read_ion(const char *text, double energy, double alpha_em, int pair[2], ev_photons *p)
{
    const size_t n = strcspn(text, ":,");
    const int own = find_species(text, n), named = pair[0] >= 0;
    ion_words w = {.target = -1};
    char target[16] = "";
    if (own < 0)
        return ev_complain(
            2, "--photon: '%s', want p, O, Xe, Au, Pb, ion:Z=..,bmin=.. or table:FILE", text);
    EV_TRY(read_ion_words(text + n, &w));
    if (named && own != ION && own != pair[0] && own != pair[1])
        return ev_complain(2, "--photon %s: --beams has %s and %s", text, species[pair[0]].name,
                           species[pair[1]].name);
    if (named && w.target >= 0)
        return ev_complain(2, "--photon %s: --beams names the target already", text);
    if (!named) pair[1] = w.target;
    if (named && own == pair[1]) pair[1] = pair[0];
    pair[0] = named && own == ION ? pair[0] : own;
    p->Z = w.Z > 0 || own == ION ? w.Z : species[own].Z;
    const int known = own < ION && pair[1] >= 0 && pair[1] < ION;
    if (w.survival && (!known || w.bmin > 0 || (!own && !pair[1])))
        return ev_complain(
            2,
            "--photon %s: survival needs two of p, O, Xe, Au, Pb (target=..), not both "
            "p, and no bmin",
            text);
    if (w.sigma > 0 && !w.survival)
        return ev_complain(2, "--photon %s: sigma goes with survival=woods-saxon", text);
    p->b_min = w.bmin;
    if (!(w.bmin > 0) && known) p->b_min = radius(own) + radius(pair[1]);
    if (!(p->Z > 0 && p->b_min > 0))
        return ev_complain(
            2,
            own == ION ? "--photon %s: needs Z=.. and bmin=.., in fm"
                       : "--photon %s: the target is not known: add target=Pb, say, or bmin=..",
            text);
    if (w.kt) {
        const double R = own == ION ? p->b_min / 2 : own ? radius(own) : 0;
        p->hard = R / HBAR_C;
        p->soft = R > 0 ? 0.7 / HBAR_C : 1 / sqrt(0.71);
        p->power = R > 0 ? 1 : 2;
    }
    if (pair[1] >= 0)
        snprintf(target, sizeof target, " on %s", pair[1] < ION ? species[pair[1]].name : "ion");
    if (!w.survival) {
        snprintf(p->name, sizeof p->name, "%.*s%s, Z = %g, b > %.4g fm%s", (int)n, text, target,
                 p->Z, p->b_min, w.kt ? ", kT of its form factor" : "");
        return point_like(alpha_em, 1e-7, 30, p);
    }
    /* inelastic, mb: D. d'Enterria and C. Loizides, arXiv:2011.14909, eq. (6) */
    const double sigma = w.sigma > 0 ? w.sigma : 28.84 + 0.0458 * pow(2 * log(energy), 2.374);
    snprintf(p->name, sizeof p->name,
             "%.*s%s, Z = %g, survival exp(-sigma_NN T_AB(b)), Woods-Saxon, sigma_NN = %.4g mb%s",
             (int)n, text, target, p->Z, sigma, w.kt ? ", kT of its form factor" : "");
    return survival(alpha_em, own, pair[1], sigma, p);
}

static int read_photon_table(const char *path, ev_photons *p)
{
    static const char *const column[] = {"y", "dN/dy"};
    number_rows r = {.n = 0};
    cgct_err err;
    int st = 0;
    if (number_rows_read(&r, path, 2, column, &err) != CGCT_OK)
        st = ev_complain(1, "--photon: %s", err.text);
    for (size_t i = 0; i < r.n && !st; i++) {
        const double *v = r.v.v + 2 * i;
        if (!(v[0] > 0 && v[0] < 1 && v[1] > 0 && v[1] < 1e30) || (i && !(v[0] > v[-2])))
            st = ev_complain(1,
                             "--photon: %s, line %.0f: y = %g, dN/dy = %g: want y rising between 0 "
                             "and 1, and dN/dy above 0",
                             path, r.line.v[i], v[0], v[1]);
        else if (i && v[0] > 10.0001 * v[-2])
            st =
                ev_complain(1,
                            "--photon: %s, line %.0f: nothing between y = %g and y = %g, more than "
                            "a factor of 10: add rows, or end the table before",
                            path, r.line.v[i], v[-2], v[0]);
    }
    if (!st && r.n < 2) st = ev_complain(1, "--photon: %s: needs two rows or more", path);
    for (size_t i = 0; i < 2 * r.n && !st; i++) r.v.v[i] = log(r.v.v[i]);
    if (!st) {
        p->ln = r.v.v;
        p->n = r.n;
        p->y[0] = exp(p->ln[0]);
        p->y[1] = exp(p->ln[2 * (p->n - 1)]);
        r.v = (number_list){0};
    }
    snprintf(p->name, sizeof p->name, "table %.100s", path);
    number_rows_free(&r);
    return st;
}

int ev_read_photons(const char *text, double energy, double alpha_em, int pair[2], ev_photons *p)
{
    p->real = 1;
    if (!text) text = species[pair[0]].name;
    const int is_table = !strncmp(text, "table:", 6);
    EV_TRY(is_table ? read_photon_table(text + 6, p) : read_ion(text, energy, alpha_em, pair, p));
    if (pair[1] >= 0 && pair[1] < ION) p->target = species[pair[1]].A;
    return 0;
}

double ev_photons_at(const ev_photons *p, double y)
{
    const double at = log(y), *ln = p->ln;
    size_t low = 0, high = p->n - 1;
    if (!(y >= p->y[0] * (1 - 1e-12) && y <= p->y[1] * (1 + 1e-12))) return 0;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *(ln[2 * middle] <= at ? &low : &high) = middle;
    }
    if (!p->smooth) {
        const double t = (at - ln[2 * low]) / (ln[2 * high] - ln[2 * low]);
        return exp((1 - t) * ln[2 * low + 1] + t * ln[2 * high + 1]);
    }
    const size_t first = low < 1 ? 0 : low + 2 < p->n ? low - 1 : p->n - 4;
    double sum = 0;
    for (size_t i = first; i < first + 4; i++) {
        double w = 1;
        for (size_t j = first; j < first + 4; j++)
            if (j != i) w *= (at - ln[2 * j]) / (ln[2 * i] - ln[2 * j]);
        sum += w * ln[2 * i + 1];
    }
    return exp(sum);
}

/* NameNameENERGY, as PbPb5.36 or pPb8.16: the names, and TeV of two nucleons. */
int ev_read_collider(const char *text, double beam[2], int pair[2])
{
    double energy;
    for (int i = 0; i < SPECIES; i++) {
        const size_t n = strlen(species[i].name);
        if (strncmp(text, species[i].name, n)) continue;
        const size_t m = strcspn(text + n, "0123456789.");
        const int j = find_species(text + n, m);
        const int named = j >= 0 && j < SPECIES; /* not an ion of any A, whose Z/A is not known */
        if (!named || !number_parse(text + n + m, &energy) || !(energy > 0 && energy < 1e3))
            continue;
        /* the emitter of photons comes first; the same magnets hold both beams */
        const int first = species[i].Z >= species[j].Z ? i : j, second = i + j - first;
        const double a = species[first].Z / species[first].A,
                     b = species[second].Z / species[second].A;
        pair[0] = first;
        pair[1] = second;
        beam[0] = 500 * energy * sqrt(a / b);
        beam[1] = 500 * energy * sqrt(b / a);
        return 1;
    }
    return 0;
}
