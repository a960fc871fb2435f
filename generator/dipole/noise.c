/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise.c: the noise of a table file, measured from its own values, the smoothing that it needs,
 * and pseudo-random changes of the file within its noise.
 *
 * A divided difference of order k of f = ln Gamma, divided by the root of the sum of its squared
 * coefficients, has the variance of the noise of f where the noise of different nodes is
 * independent, whatever k is; the contribution of a smooth f falls with k.  The rms of such
 * differences over some neighbouring nodes, the least of several k, is the noise there.  Errors
 * that vary slowly from node to node are not seen. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "dipole/dipole_impl.h"
#include "numerics/memory.h"

/* Orders of the differences: at r in steps of 9% the lowest sees 1e-9 in MV, the highest 1e-12;
 * higher ones see noise of 1e-16, too, but reach over many nodes. */
enum { ORDER_MIN = 4, ORDER_MAX = 10, ORDER_STEP = 2 };
/* Differences whose rms is taken: their centres are this many nodes away, at most. */
enum { NEIGHBOURS = 4 };

/* The difference of order k of f at y[0..k], normalised as above. */
static long double noise_difference(int k, const long double *y, const long double *f)
{
    long double sum = 0, norm = 0;
    const long double step = (y[k] - y[0]) / k; /* a unit that keeps the products near 1 */
    for (int i = 0; i <= k; i++) {
        long double c = 1;
        for (int j = 0; j <= k; j++)
            if (j != i) c *= step / (y[i] - y[j]);
        sum += c * f[i];
        norm += c * c;
    }
    return sum / sqrtl(norm);
}

void dipole_noise_nodes(size_t n, const long double *y, const long double *f, double *sigma,
                        double *scratch)
{
    for (size_t i = 0; i < n; i++) sigma[i] = INFINITY;
    for (size_t k = ORDER_MIN; k <= ORDER_MAX && k + 2 <= n; k += ORDER_STEP) {
        const size_t count = n - k;
        for (size_t i = 0; i < count; i++) {
            const double e = (double)noise_difference((int)k, y + i, f + i);
            scratch[i] = e * e;
        }
        for (size_t i = 0; i < n; i++) {
            size_t at = i < k / 2 ? 0 : i - k / 2;
            if (at >= count) at = count - 1;
            /* the rms over the neighbours, as far as there are such */
            const size_t from = at < NEIGHBOURS ? 0 : at - NEIGHBOURS;
            const size_t to = at + NEIGHBOURS + 1 < count ? at + NEIGHBOURS + 1 : count;
            double sum = 0;
            for (size_t j = from; j < to; j++) sum += scratch[j];
            sigma[i] = fmin(sigma[i], sqrt(sum / (double)(to - from)));
        }
    }
}

/* ---- a file ---- */

/* The noise of N is the rms over the nodes with N in this range, whose noise is what I shows. */
#define N_LOW 0.05
#define N_HIGH 0.95
/* What noise of N changes of I, as a share of I, in orders of magnitude: measured 1e3 to 4e4 times
 * the noise at q = 4 GeV in solutions of the BK equation at x = 1e-3, 2e5 times in the MV model,
 * ten times less at 1 GeV and up to five times more at 15 GeV. */
#define NOISE_GAIN 1e4
/* Smoothing lengths to choose from, and rapidities, at most, that decide. */
static const double lengths[] = {0.05, 0.07, 0.1, 0.15, 0.2, 0.3};
enum { NLENGTH = sizeof lengths / sizeof *lengths, DECIDING = 16 };
/* The noise that is left is at most this share of the error of smoothing.  In a solution of the BK
 * equation (set mve, x = 1e-3, eps = 1, k1 = 1.8 and 5 GeV, q = 1 to 16 GeV) with noise of N of
 * 3e-7 and 2e-6 the largest error of I was the smallest, 1.4e-3 and 2.5e-3, at the two lengths that
 * this share gives. */
#define NOISE_LEFT 0.25
/* Smaller noise of N changes I less than the shortest length does: there, 1e-5 with noise of 2e-10
 * and 3e-4 with that length. */
#define NOISE_WORTH_SMOOTHING 5e-9

/* The usable nodes of one rapidity. */
typedef struct {
    size_t n;
    const long double *y;
    long double *f, *g, *h; /* ln Gamma; two for scratch */
    double *sigma, *scratch;
} noise_row;

/* The error of f at node i of rapidity iy by rounding, from the finest digit printed around it:
 * zeros at the end of a number may be left out. */
static double noise_of_rounding(const noise_row *b, const dipole_source *s, size_t iy, size_t i)
{
    const double *quantum = s->grid->quantum + iy * s->grid->nr + s->lo[iy];
    double unit = quantum[i], Gamma = (double)expl(b->f[i]);
    for (size_t j = i < NEIGHBOURS ? 0 : i - NEIGHBOURS; j < b->n && j <= i + NEIGHBOURS; j++)
        unit = fmin(unit, quantum[j]);
    return unit / sqrt(12) * exp(Gamma) / Gamma;
}

/* Takes rapidity iy and measures its noise; differences do not see that of the last nodes well. */
static void noise_row_take(noise_row *b, const dipole_source *s, size_t iy)
{
    const dipole_grid *g = s->grid;
    const double *Gamma = g->gamma + iy * g->nr + s->lo[iy];
    b->n = s->hi[iy] - s->lo[iy] + 1;
    b->y = g->lnr + s->lo[iy];
    for (size_t i = 0; i < b->n; i++) b->f[i] = logl(Gamma[i]);
    dipole_noise_nodes(b->n, b->y, b->f, b->sigma, b->scratch);
    for (size_t i = 0; i < b->n; i++)
        b->sigma[i] = fmax(b->sigma[i], noise_of_rounding(b, s, iy, i));
}

/* dN/df at node i, or 0 where N is outside the range above. */
static double noise_weight(const noise_row *b, size_t i)
{
    const double Gamma = (double)expl(b->f[i]), N = -expm1(-Gamma);
    return N >= N_LOW && N <= N_HIGH ? Gamma * (1 - N) : 0;
}

/* Adds up the squares of dN/df e''. */
static double noise_curvature(const noise_row *b, const long double *e)
{
    double sum = 0;
    for (size_t i = 1; i + 1 < b->n; i++) {
        const long double *y = b->y + i, left = (e[i] - e[i - 1]) / (y[0] - y[-1]);
        const long double right = (e[i + 1] - e[i]) / (y[1] - y[0]);
        const double c = noise_weight(b, i) * (double)(2 * (right - left) / (y[1] - y[-1]));
        sum += c * c;
    }
    return sum;
}

/* The shortest length that leaves little noise in the curvature of N beside what it changes there
 * itself; the longest where none does; 0 where nodes are too close for dipole_smooth.  The dipole
 * itself is approximated by the smoothed one. */
static double noise_choose_length(const dipole_source *s, noise_row *b, const gsl_rng *random)
{
    const size_t ny = s->grid->ny, stride = (ny + DECIDING - 1) / DECIDING;
    double left[NLENGTH] = {0}, bent[NLENGTH] = {0}, moved; /* squared curvatures */
    size_t best = 0;
    for (size_t iy = 0; iy < ny; iy += stride) {
        noise_row_take(b, s, iy);
        for (size_t l = 0; l < NLENGTH; l++) {
            for (size_t i = 0; i < b->n; i++) b->g[i] = gsl_ran_gaussian(random, b->sigma[i]);
            if (dipole_smooth(b->n, b->y, b->g, lengths[l], &moved, NULL) != CGCT_OK) return 0;
            left[l] += noise_curvature(b, b->g);
            for (size_t i = 0; i < b->n; i++) b->g[i] = b->f[i];
            if (dipole_smooth(b->n, b->y, b->g, lengths[l], &moved, NULL) != CGCT_OK) return 0;
            for (size_t i = 0; i < b->n; i++) b->h[i] = b->g[i];
            if (dipole_smooth(b->n, b->y, b->h, lengths[l], &moved, NULL) != CGCT_OK) return 0;
            for (size_t i = 0; i < b->n; i++) b->h[i] -= b->g[i];
            bent[l] += noise_curvature(b, b->h);
        }
    }
    while (best + 1 < NLENGTH && left[best] > NOISE_LEFT * NOISE_LEFT * bent[best]) best++;
    return lengths[best];
}

/* Fills s->noise, but the smoothing; noise[ny] is scratch. */
static void noise_summarise(dipole_source *s, noise_row *b, double *noise)
{
    const size_t ny = s->grid->ny;
    for (size_t iy = 0; iy < ny; iy++) {
        noise_row_take(b, s, iy);
        double sum = 0, n = 0;
        for (size_t i = 0; i < b->n; i++) {
            const double w = noise_weight(b, i);
            if (!(w > 0)) continue;
            sum += w * w * b->sigma[i] * b->sigma[i];
            n++;
            /* significant digits of N or S */
            const size_t at = iy * s->grid->nr + s->lo[iy] + i;
            const double N = -expm1(-s->grid->gamma[at]), printed = s->o.is_S ? 1 - N : N;
            const int digits = 1 + (int)floor(log10(printed / s->grid->quantum[at]));
            if (digits > s->noise->digits) s->noise->digits = digits;
        }
        noise[iy] = n > 0 ? sqrt(sum / n) : 0; /* of N */
        if (noise[iy] > s->noise->worst) {
            s->noise->worst = noise[iy];
            s->noise->worst_Y = s->grid->Y[iy];
        }
    }
    gsl_sort(noise, 1, ny);
    s->noise->typical = noise[ny / 2];
}

void dipole_noise_describe(const dipole_noise *n, FILE *to)
{
    fprintf(to, "%d digits, noise of N %.1e", n->digits, n->typical);
    if (n->worst > 2 * n->typical) fprintf(to, " (%.1e at Y = %.6g)", n->worst, n->worst_Y);
}

static void noise_write_warning(dipole_source *s)
{
    dipole_noise *n = s->noise;
    size_t size;
    FILE *to = memory_text_open(&s->warning, &size);
    fprintf(to, "%s: ", s->name);
    dipole_noise_describe(n, to);
    fprintf(to, ", which changes I by some %.0e of itself at q of 4 GeV and above; ",
            fmin(NOISE_GAIN * n->typical, 1));
    if (n->smooth > 0)
        fprintf(to, "with dipole.smooth = %g the noise is below the error of smoothing", n->smooth);
    else
        fputs("no dipole.smooth would improve it", to);
    memory_text_close(to);
}

void dipole_noise_measure(dipole_source *s)
{
    noise_row b = {0};
    dipole_noise *n = s->noise;
    const size_t nr = s->grid->nr, ny = s->grid->ny;
    const array_part part[] = {ARRAY_PART(b.f, nr), ARRAY_PART(b.g, nr), ARRAY_PART(b.h, nr),
                               ARRAY_PART(b.sigma, nr), ARRAY_PART(b.scratch, nr)};
    double *noise = memory_new(ny, sizeof *noise);
    gsl_rng *random = memory_or_end(gsl_rng_alloc(gsl_rng_taus2), 1, sizeof *random);
    void *arrays = ARRAYS(part);
    gsl_rng_set(random, s->o.shake);
    noise_summarise(s, &b, noise);
    if (n->typical > NOISE_WORTH_SMOOTHING) n->smooth = noise_choose_length(s, &b, random);
    const int smoothed = s->o.smooth > 0 && s->o.smooth >= n->smooth;
    if (n->worst > DIPOLE_NOISE_SHOWS && !smoothed) noise_write_warning(s);
    /* each usable value moves by a random number of the size of its noise */
    for (size_t iy = 0; s->o.shake && iy < ny; iy++) {
        double *Gamma = s->grid->gamma + iy * nr + s->lo[iy];
        noise_row_take(&b, s, iy);
        for (size_t i = 0; i < b.n; i++) Gamma[i] *= exp(gsl_ran_gaussian(random, b.sigma[i]));
    }
    gsl_rng_free(random);
    free(arrays);
    free(noise);
}
