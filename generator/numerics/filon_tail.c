/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tail: inverse powers fitted to the last nodes, integrated against x J_m(q x) to infinity. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_linalg.h>

#include "numerics/filon_impl.h"
#include "numerics/filon_point.h"

/* Singular values below this share of the largest are dropped from the pseudo-inverse: their
 * directions are rounding noise of the nodes' powers. */
static const double RANK_TOLERANCE = 1e-14;

static cgct_status check_powers(const filon_tail_opts *o, cgct_err *err)
{
    for (int j = 0; j < o->nterm; j++) {
        if (!(o->power[j] > 0.5) || !isfinite(o->power[j]))
            return cgct_fail(
                err, CGCT_E_DOMAIN,
                "filon tail: power[%d] = %g, must be finite and exceed 0.5 so that the "
                "integral to infinity exists; choose other powers",
                j, o->power[j]);
        for (int i = 0; i < j; i++)
            if (!(fabs(o->power[i] - o->power[j]) > 1e-6))
                return cgct_fail(err, CGCT_E_DOMAIN,
                                 "filon tail: power[%d] = %g repeats power[%d] = %g; leave one out",
                                 j, o->power[j], i, o->power[i]);
    }
    return CGCT_OK;
}

static cgct_status check(size_t nx, const double *x, const filon_tail_opts *o, cgct_err *err)
{
    if (o->nterm < 1 || o->nterm > FILON_TAIL_TERMS)
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "filon tail: %d terms, must be 1 to %d; set tail_terms", o->nterm,
                         FILON_TAIL_TERMS);
    if (o->nfit < o->nterm || (size_t)o->nfit > nx)
        return cgct_fail(
            err, CGCT_E_DOMAIN,
            "filon tail: fit to %d nodes, must be at least the %d terms and at most the "
            "%zu nodes of the grid; set tail_nodes",
            o->nfit, o->nterm, nx);
    if (!(x[nx - (size_t)o->nfit] > 0))
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "filon tail: the fit to %d nodes reaches x = %g, where inverse powers are "
                         "infinite; fit fewer nodes",
                         o->nfit, x[nx - (size_t)o->nfit]);
    return check_powers(o, err);
}

/* fit = V S^-1 U^T of the nfit x nterm matrix u of scaled columns */
static int pseudo_inverse(gsl_matrix *u, const double *scale, double *fit)
{
    size_t nfit = u->size1, nterm = u->size2;
    gsl_matrix *v = gsl_matrix_alloc(nterm, nterm);
    gsl_vector *s = gsl_vector_alloc(nterm);
    int ok = v && s && gsl_linalg_SV_decomp_jacobi(u, v, s) == 0;
    for (size_t j = 0; ok && j < nterm; j++)
        for (size_t i = 0; i < nfit; i++) {
            double sum = 0;
            for (size_t k = 0; k < nterm; k++) {
                double sk = gsl_vector_get(s, k);
                if (sk > RANK_TOLERANCE * gsl_vector_get(s, 0))
                    sum += gsl_matrix_get(v, j, k) * gsl_matrix_get(u, i, k) / sk;
            }
            fit[j * nfit + i] = sum / scale[j];
        }
    gsl_matrix_free(v);
    gsl_vector_free(s);
    return ok;
}

static int make_fit(filon_tail_fit *t, const double *x)
{
    gsl_matrix *u = gsl_matrix_alloc((size_t)t->nfit, (size_t)t->nterm);
    double scale[FILON_TAIL_TERMS];
    if (!u) return 0;
    for (int j = 0; j < t->nterm; j++) {
        double sum = 0;
        for (int i = 0; i < t->nfit; i++) {
            double v = pow(x[i] / t->a, -t->power[j]);
            gsl_matrix_set(u, (size_t)i, (size_t)j, v);
            sum = hypot(sum, v);
        }
        scale[j] = sum;
        for (int i = 0; i < t->nfit; i++)
            gsl_matrix_set(u, (size_t)i, (size_t)j, gsl_matrix_get(u, (size_t)i, (size_t)j) / sum);
    }
    int ok = pseudo_inverse(u, scale, t->fit);
    gsl_matrix_free(u);
    return ok;
}

cgct_status filon_tail_init(filon_tail_fit *t, size_t nx, const double *x, const filon_tail_opts *o,
                            cgct_err *err)
{
    memset(t, 0, sizeof *t);
    CGCT_TRY(check(nx, x, o, err));
    t->nfit = o->nfit;
    t->nterm = o->nterm;
    t->a = x[nx - 1];
    t->power = malloc((size_t)o->nterm * sizeof *t->power);
    t->fit = malloc((size_t)o->nterm * (size_t)o->nfit * sizeof *t->fit);
    if (t->power && t->fit) {
        memcpy(t->power, o->power, (size_t)o->nterm * sizeof *t->power);
        if (make_fit(t, x + nx - o->nfit)) return CGCT_OK;
    }
    filon_tail_free(t);
    return cgct_fail(err, CGCT_E_NOMEM, "filon tail: no memory for a fit of %d terms to %d nodes",
                     o->nterm, o->nfit);
}

void filon_tail_free(filon_tail_fit *t)
{
    free(t->power);
    free(t->fit);
    memset(t, 0, sizeof *t);
}

/* x (x/a)^-p at x = a + u */
static void real_powers(const filon_functions *f, int n, const double *u, double *g)
{
    for (int k = 0; k < f->nk; k++)
        for (int i = 0; i < n; i++)
            g[k * FILON_LANES + i] = filon_real_power(f->a, u[i], f->exponent[k]);
}

static void complex_powers(const filon_functions *f, int n, double u, const double *y, double *re,
                           double *im)
{
    for (int k = 0; k < f->nk; k++)
        for (int i = 0; i < n; i++) {
            filon_complex v = filon_power(f->a, u, y[i], f->exponent[k]);
            re[k * FILON_LANES + i] = v.re;
            im[k * FILON_LANES + i] = v.im;
        }
}

filon_functions filon_tail_functions(const filon_tail_fit *t)
{
    filon_functions f = {.nk = t->nterm,
                         .a = t->a,
                         .exponent = t->power,
                         .real = real_powers,
                         .imag = complex_powers};
    for (int j = 0; j < t->nterm; j++) f.power = fmax(f.power, t->power[j]);
    return f;
}

void filon_tail_add(const filon_tail_fit *t, filon_work *s, double q, int nm, const int *m,
                    double *scratch, double *w, size_t stride)
{
    filon_functions f = filon_tail_functions(t);
    memset(scratch, 0, (size_t)nm * FILON_FUNCTIONS * sizeof *scratch);
    const filon_band one = {q, q, 0, 1};
    filon_begin(s, &one, &q, nm, m, t->nterm, FILON_LAGUERRE_TAIL, scratch, FILON_FUNCTIONS, 0);
    filon_add_tail(s, &f, 0);
    filon_flush(s);
    for (int im = 0; im < nm; im++)
        for (int i = 0; i < t->nfit; i++) {
            double sum = 0;
            for (int j = 0; j < t->nterm; j++)
                sum += scratch[im * FILON_FUNCTIONS + j] * t->fit[j * t->nfit + i];
            w[(size_t)im * stride + (size_t)i] += sum;
        }
}
