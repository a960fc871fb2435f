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

static const struct {
    char name[4];
    double Z, A;
} species[] = {{"p", 1, 1}, {"O", 8, 16}, {"Xe", 54, 129}, {"Au", 79, 197}, {"Pb", 82, 208}};
enum { SPECIES = sizeof species / sizeof *species };

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

/* Where xi = 30: there are e^-60 photons above. */
static double ion_end(const ev_photons *p)
{
    return fmin(30 * HBAR_C / (NUCLEON * p->b_min), 0.999);
}

static int find_species(const char *name, size_t n)
{
    for (int i = 0; i < SPECIES; i++)
        if (strlen(species[i].name) == n && !strncmp(species[i].name, name, n)) return i;
    return -1;
}

/* NAME or ion, and behind a colon or comma Z=.. and bmin=..; partner: the other nucleus, or -1. */
static int read_ion(const char *text, int partner, ev_photons *p)
{
    const size_t n = strcspn(text, ":,");
    const int own = find_species(text, n);
    if (own < 0 && (n != 3 || strncmp(text, "ion", 3)))
        return ev_complain(
            2, "--photon: '%s', want p, O, Xe, Au, Pb, ion:Z=..,bmin=.. or table:FILE", text);
    if (own >= 0) {
        p->Z = species[own].Z;
        p->b_min = radius(own) + radius(partner < 0 ? own : partner);
    }
    for (const char *at = text + n; *at;) {
        char word[64];
        const size_t length = strcspn(++at, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        at += length;
        const int is_Z = !strncmp(word, "Z=", 2);
        double v;
        if ((!is_Z && strncmp(word, "bmin=", 5)) || !number_parse(word + (is_Z ? 2 : 5), &v) ||
            !(v > 0 && v < 1e3))
            return ev_complain(2, "--photon: '%s', want Z=.. or bmin=.. in fm, above 0", word);
        *(is_Z ? &p->Z : &p->b_min) = v;
    }
    if (!(p->Z > 0 && p->b_min > 0))
        return ev_complain(2, "--photon %s: needs Z=.. and bmin=.., in fm", text);
    snprintf(p->name, sizeof p->name, "%.*s, Z = %g, b > %.4g fm", (int)n, text, p->Z, p->b_min);
    return 0;
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
    }
    if (!st && r.n < 2) st = ev_complain(1, "--photon: %s: needs two rows or more", path);
    if (!st && !(p->ln = (double *)malloc(2 * r.n * sizeof *p->ln)))
        st = ev_complain(1, "--photon: no memory for %zu rows", r.n);
    for (size_t i = 0; i < 2 * r.n && !st; i++) p->ln[i] = log(r.v.v[i]);
    p->n = st ? 0 : r.n;
    snprintf(p->name, sizeof p->name, "table %.*s", 100, path);
    number_rows_free(&r);
    return st;
}

int ev_read_photons(const char *text, int partner, double alpha_em, ev_photons *p)
{
    if (!strncmp(text, "table:", 6))
        EV_TRY(read_photon_table(text + 6, p));
    else
        EV_TRY(read_ion(text, partner, p));
    p->real = 1;
    if (p->n) {
        p->y[0] = exp(p->ln[0]);
        p->y[1] = exp(p->ln[2 * (p->n - 1)]);
        return 0;
    }
    /* between its nodes the logarithm is a polynomial of degree 3 in ln y, good to 1e-9 */
    const double last = ion_end(p), first = fmin(1e-7, last / 2);
    const size_t n = 800;
    if (!(p->ln = (double *)malloc(2 * n * sizeof *p->ln)))
        return ev_complain(1, "--photon: no memory");
    p->smooth = 1;
    p->n = n;
    p->y[0] = first;
    p->y[1] = last;
    for (size_t i = 0; i < n; i++) {
        p->ln[2 * i] = log(first) + (double)i / (double)(n - 1) * log(last / first);
        p->ln[2 * i + 1] = log(ev_ion_photons(alpha_em, p->Z, p->b_min, exp(p->ln[2 * i])));
    }
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
        if (j < 0 || !number_parse(text + n + m, &energy) || !(energy > 0 && energy < 1e3))
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

const char *ev_species_name(int i)
{
    return species[i].name;
}
