/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon_functions.c: the functions whose integrals make Filon weights: local polynomials, as
 * Lagrange's cardinal functions rather than monomials, because those would lose digits in the step
 * from moments to weights; and the inverse powers of a tail, with their least-squares fit.  How
 * intervals are cut into panels with just enough nodes for them. */
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

#include "numerics/filon_parts.h"
#include "numerics/memory.h"
#include "numerics/vmath.h"

/* g_k = x l_k(x) as the product of the differences from the nodes left of k, then of those right of
 * k. */
static void filon_real_cardinals(const filon_functions *f, int n, const double *u, double *g)
{
    double p[FILON_LANES], inv = 1 / f->scale;
    for (int i = 0; i < n; i++) p[i] = f->a + u[i];
    for (int k = 0; k < f->nk; k++)
        for (int i = 0; i < n; i++) {
            g[k * FILON_LANES + i] = p[i] * f->bary[k];
            p[i] *= (u[i] + f->offset[k]) * inv;
        }
    for (int i = 0; i < n; i++) p[i] = 1;
    for (int k = f->nk - 1; k >= 0; k--)
        for (int i = 0; i < n; i++) {
            g[k * FILON_LANES + i] *= p[i];
            p[i] *= (u[i] + f->offset[k]) * inv;
        }
}

static void filon_complex_cardinals(const filon_functions *f, int n, double u, const double *y,
                                    double *re, double *im)
{
    double inv = 1 / f->scale;
    for (int i = 0; i < n; i++) {
        bessel_complex p = {f->a + u, y[i]}, v = {0, y[i] * inv};
        for (int k = 0; k < f->nk; k++) {
            re[k * FILON_LANES + i] = p.re * f->bary[k];
            im[k * FILON_LANES + i] = p.im * f->bary[k];
            v.re = (u + f->offset[k]) * inv;
            p = bessel_times(p, v);
        }
        p = (bessel_complex){1, 0};
        for (int k = f->nk - 1; k >= 0; k--) {
            bessel_complex g = {re[k * FILON_LANES + i], im[k * FILON_LANES + i]};
            g = bessel_times(g, p);
            re[k * FILON_LANES + i] = g.re;
            im[k * FILON_LANES + i] = g.im;
            v.re = (u + f->offset[k]) * inv;
            p = bessel_times(p, v);
        }
    }
}

size_t filon_local_window(const filon_local *l, size_t i)
{
    size_t half = (size_t)l->degree / 2, last = l->nx - 1 - (size_t)l->degree;
    size_t first = i > half ? i - half : 0;
    return first < last ? first : last;
}

void filon_local_init(filon_local *l, size_t nx, const double *x, int degree)
{
    double *b = memory_new((nx - 1) * ((size_t)degree + 1), sizeof *b);
    *l = (filon_local){nx, x, degree, b};
    for (size_t i = 0; i + 1 < nx; i++) {
        const double *node = x + filon_local_window(l, i);
        for (int k = 0; k <= degree; k++, b++) {
            *b = 1;
            for (int j = 0; j <= degree; j++)
                if (j != k) *b *= (node[degree] - node[0]) / (node[k] - node[j]);
        }
    }
}

void filon_local_functions(const filon_local *l, size_t i, filon_functions *f)
{
    const double *x = l->x + filon_local_window(l, i), *b = l->bary + i * ((size_t)l->degree + 1);
    f->nk = l->degree + 1;
    f->degree = l->degree + 1;
    f->power = 0;
    f->real = filon_real_cardinals;
    f->imag = filon_complex_cardinals;
    f->a = l->x[i];
    f->scale = x[l->degree] - x[0];
    for (int k = 0; k < f->nk; k++) {
        f->offset[k] = f->a - x[k];
        f->bary[k] = b[k];
    }
}

/* ---- the tail ---- */

/* Singular values below this share of the largest one are dropped from the pseudo-inverse: only the
 * rounding of the powers at the nodes makes them differ from 0. */
static const double SINGULAR_MIN = 1e-14;

static cgct_status filon_check_tail(size_t nx, const double *x, const filon_tail_opts *o,
                                    cgct_err *err)
{
    if (o->nterm < 1 || o->nterm > FILON_TAIL_TERMS)
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "filon tail: %d terms, must be 1 to %d; set tail_terms", o->nterm,
                         FILON_TAIL_TERMS);
    if (o->nfit < o->nterm || (size_t)o->nfit > nx)
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "filon tail: fit to %d nodes, must be at least the %d terms and at most "
                         "the %zu nodes of the grid; set tail_nodes",
                         o->nfit, o->nterm, nx);
    if (!(x[nx - (size_t)o->nfit] > 0))
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "filon tail: the fit to %d nodes reaches x = %g, where inverse powers are "
                         "infinite; fit fewer nodes",
                         o->nfit, x[nx - (size_t)o->nfit]);
    for (int j = 0; j < o->nterm; j++) {
        if (!(o->power[j] > 0.5) || !isfinite(o->power[j]))
            return cgct_fail(err, CGCT_E_DOMAIN,
                             "filon tail: power[%d] = %g, must be finite and exceed 0.5 so that "
                             "the integral to infinity exists; choose other powers",
                             j, o->power[j]);
        for (int i = 0; i < j; i++)
            if (!(fabs(o->power[i] - o->power[j]) > 1e-6))
                return cgct_fail(err, CGCT_E_DOMAIN,
                                 "filon tail: power[%d] = %g repeats power[%d] = %g; leave one out",
                                 j, o->power[j], i, o->power[i]);
    }
    return CGCT_OK;
}

cgct_status filon_tail_init(filon_tail_fit *t, size_t nx, const double *x, const filon_tail_opts *o,
                            cgct_err *err)
{
    CGCT_TRY(filon_check_tail(nx, x, o, err));
    const size_t nfit = (size_t)o->nfit, nterm = (size_t)o->nterm;
    double *fit = memory_new(nterm * nfit, sizeof *fit);
    *t = (filon_tail_fit){o->nfit, o->nterm, x[nx - 1], o->power, fit};
    /* (nfit, nterm): the powers at the nodes, each of length 1; they become U of U S V^T */
    double *powers = memory_new(nfit * nterm, sizeof *powers), scale[FILON_TAIL_TERMS];
    double right[FILON_TAIL_TERMS * FILON_TAIL_TERMS], singular[FILON_TAIL_TERMS];
    gsl_matrix_view U = gsl_matrix_view_array(powers, nfit, nterm);
    gsl_matrix_view V = gsl_matrix_view_array(right, nterm, nterm);
    gsl_vector_view S = gsl_vector_view_array(singular, nterm);
    for (size_t j = 0; j < nterm; j++) {
        scale[j] = 0;
        for (size_t i = 0; i < nfit; i++) {
            powers[i * nterm + j] = pow(x[nx - nfit + i] / t->a, -t->power[j]);
            scale[j] = hypot(scale[j], powers[i * nterm + j]);
        }
        for (size_t i = 0; i < nfit; i++) powers[i * nterm + j] /= scale[j];
    }
    const int failed = gsl_linalg_SV_decomp_jacobi(&U.matrix, &V.matrix, &S.vector) != 0;
    for (size_t j = 0; j < nterm; j++) /* V S^-1 U^T */
        for (size_t i = 0; i < nfit; i++) {
            double sum = 0;
            for (size_t k = 0; k < nterm; k++)
                if (singular[k] > SINGULAR_MIN * singular[0])
                    sum += right[j * nterm + k] * powers[i * nterm + k] / singular[k];
            fit[j * nfit + i] = sum / scale[j];
        }
    free(powers);
    if (!failed) return CGCT_OK;
    free(t->fit);
    t->fit = NULL;
    return cgct_fail(err, CGCT_E_ACCURACY,
                     "filon tail: no fit of %d terms to %d nodes from x = %g on, where the powers "
                     "are too large or too much alike; fit fewer nodes or terms",
                     o->nterm, o->nfit, x[nx - nfit]);
}

static void filon_real_powers(const filon_functions *f, int n, const double *u, double *g)
{
    for (int k = 0; k < f->nk; k++)
        for (int i = 0; i < n; i++)
            g[k * FILON_LANES + i] = filon_real_power(f->a, u[i], f->exponent[k]);
}

static void filon_complex_powers(const filon_functions *f, int n, double u, const double *y,
                                 double *re, double *im)
{
    for (int k = 0; k < f->nk; k++)
        for (int i = 0; i < n; i++) {
            bessel_complex v = filon_power(f->a, u, y[i], f->exponent[k]);
            re[k * FILON_LANES + i] = v.re;
            im[k * FILON_LANES + i] = v.im;
        }
}

filon_functions filon_tail_functions(const filon_tail_fit *t)
{
    filon_functions f = {.nk = t->nterm,
                         .a = t->a,
                         .exponent = t->power,
                         .real = filon_real_powers,
                         .imag = filon_complex_powers};
    for (int j = 0; j < t->nterm; j++) f.power = fmax(f.power, t->power[j]);
    return f;
}

/* ---- rules, bands and panels ---- */

/* The sums R of the half axes of the Bernstein ellipses that filon_degree compares, and ln R. */
static const double radius[] = {1.3, 1.6, 2, 2.6, 3.4, 4.5, 6, 8, 12, 18, 28, 45, 80, 150, 400};
static const double ln_radius[] = {
    0.26236426446749106, 0.47000362924573563, 0.6931471805599453, 0.9555114450274363,
    1.2237754316221157,  1.5040773967762742,  1.791759469228055,  2.0794415416798357,
    2.4849066497880004,  2.8903717578961645,  3.332204510175204,  3.8066624897703196,
    4.382026634673881,   5.0106352940962555,  5.991464547107982,
};
enum { RADII = sizeof radius / sizeof *radius };

filon_rule filon_laguerre(int n)
{
    const double *t = filon_laguerre_rules + (n == FILON_LAGUERRE ? 0 : 2 * FILON_LAGUERRE);
    return (filon_rule){n, t, t + n};
}

/* The degree of the polynomial that represents J_m(q x) x^-power on [a,b] to e^-38 of its maximum,
 * for the phase q (b - a) and rho = (b - a)/(b + a): the smallest value, over Bernstein ellipses
 * with the sum of half axes R, of
 *   (38 + ln of the growth from the interval to the ellipse)/ln R.
 * |J_m(q x)| grows as e^|q Im x|, below its turning point (m > 0) also as |x|^m. */
static double filon_degree(double phase, double rho, double m, double power)
{
    double c[RADII], growth[RADII], best = 1e9; /* c: cosh(ln R) */
    for (int i = 0; i < RADII; i++) {
        c[i] = (radius[i] + 1 / radius[i]) / 2;
        growth[i] = phase / 2 * ((radius[i] - 1 / radius[i]) / 2);
    }
    if (m > 0)
        for (int i = 0; i < RADII; i++) growth[i] += m * vlog((1 + rho * c[i]) / (1 + rho));
    for (int i = 0; power > 0 && i < RADII; i++)
        growth[i] += rho * c[i] < 1 ? power * vlog((1 - rho) / (1 - rho * c[i])) : INFINITY;
    for (int i = 0; i < RADII; i++) {
        double degree = (38 + growth[i]) / ln_radius[i];
        best = degree < best ? degree : best;
    }
    return best;
}

filon_band filon_band_from(size_t nq, const double *q, size_t first)
{
    filon_band b = {0, 0, first, 1};
    if (q[first] > 0) {
        int e;
        double half = sqrt(0.5), f = frexp(q[first], &e); /* 1/2 <= f < 1 */
        b.lo = ldexp(f < half ? 0.5 : half, e);
        b.hi = ldexp(f < half ? half : 1, e);
    }
    while (first + b.n < nq && q[first + b.n] >= b.lo && q[first + b.n] < b.hi) b.n++;
    return b;
}

/* X0 lies beyond the turning point q x = mmax of all orders and beyond BESSEL_HANKEL_MIN, from
 * which the Hankel expansions hold; with these margins the contour rules reach the accuracy of
 * tests/numerics/test_filon.c. */
static const double X0_MIN = 30, X0_PER_ORDER = 2;

double filon_contour_phase(int mmax)
{
    return fmax(X0_MIN, X0_PER_ORDER * mmax);
}

filon_panel filon_panel_at(const filon_band *band, int mmax, const filon_functions *f, double u,
                           double h)
{
    double a = f->a + u, b = a + h;
    int beyond = band->lo * a < mmax, cut = mmax;
    if (beyond && !bessel_order_counts(mmax, band->hi * b)) cut = bessel_order_cut(band->hi * b);
    /* as many nodes as leave an error of 1e-16 of the largest |g J|, from orders whose turning
     * point lies beyond a and that count at b */
    double k = filon_degree(band->hi * h, (b - a) / (b + a), beyond ? cut : 0, f->power);
    int n = 2 * (int)ceil((k + f->degree + 1) / 4);
    n = n < FILON_GAUSS_MIN ? FILON_GAUSS_MIN : n > FILON_GAUSS_MAX ? FILON_GAUSS_MAX : n;
    /* rules of 4, 6, ... nodes lie before it, n/2 + 1 on average */
    const double *t = filon_gauss_rules + (n - FILON_GAUSS_MIN) / 2 * 2 * (n / 2 + 1);
    return (filon_panel){u, h, {n, t, t + n}, cut};
}

size_t filon_panel_count(const filon_band *band, double h)
{
    double n = ceil(band->hi * h / FILON_PANEL_PHASE);
    return n < 1 ? 1 : (size_t)n;
}

double filon_panel_tail(const filon_band *band, const filon_functions *f, double u, double end)
{
    double h = fmin(0.5 * (f->a + u), FILON_PANEL_PHASE / band->hi);
    return u + 1.001 * h > end ? end - u : h;
}

void filon_panel_nodes(const filon_panel *p, double *u)
{
    for (int i = 0; i < p->rule.n; i++) u[i] = p->u + p->h * p->rule.t[i];
}
