/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The local polynomials as Lagrange's cardinal functions of each window, never as monomials, so
 * that nothing is lost between moments and fit. */
#include <stdlib.h>
#include <string.h>

#include "numerics/filon_impl.h"

/* g_k = x l_k(x): products of the differences left of k, then those right of it */
static void real_cardinals(const filon_functions *f, int n, const double *u, double *g)
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

static void complex_cardinals(const filon_functions *f, int n, double u, const double *y,
                              double *re, double *im)
{
    double inv = 1 / f->scale;
    for (int i = 0; i < n; i++) {
        double vi = y[i] * inv, pr = f->a + u, pi = y[i];
        for (int k = 0; k < f->nk; k++) {
            double vr = (u + f->offset[k]) * inv, t = pr * vr - pi * vi;
            re[k * FILON_LANES + i] = pr * f->bary[k];
            im[k * FILON_LANES + i] = pi * f->bary[k];
            pi = pr * vi + pi * vr;
            pr = t;
        }
        pr = 1;
        pi = 0;
        for (int k = f->nk - 1; k >= 0; k--) {
            double vr = (u + f->offset[k]) * inv, t = pr * vr - pi * vi;
            double gr = re[k * FILON_LANES + i], gi = im[k * FILON_LANES + i];
            re[k * FILON_LANES + i] = gr * pr - gi * pi;
            im[k * FILON_LANES + i] = gr * pi + gi * pr;
            pi = pr * vi + pi * vr;
            pr = t;
        }
    }
}

size_t filon_local_window(const filon_local *t, size_t i)
{
    size_t half = (size_t)t->degree / 2, last = t->nx - 1 - (size_t)t->degree;
    size_t first = i > half ? i - half : 0;
    return first < last ? first : last;
}

static void make_bary(const filon_local *t)
{
    for (size_t i = 0; i + 1 < t->nx; i++) {
        const double *x = t->x + filon_local_window(t, i);
        double scale = x[t->degree] - x[0], *b = t->bary + i * ((size_t)t->degree + 1);
        for (int k = 0; k <= t->degree; k++) {
            double p = 1;
            for (int l = 0; l <= t->degree; l++)
                if (l != k) p *= scale / (x[k] - x[l]);
            b[k] = p;
        }
    }
}

cgct_status filon_local_init(filon_local *t, size_t nx, const double *x, int degree, cgct_err *err)
{
    *t = (filon_local){nx, x, degree, NULL};
    t->bary = malloc((nx - 1) * ((size_t)degree + 1) * sizeof *t->bary);
    if (!t->bary)
        return cgct_fail(err, CGCT_E_NOMEM, "filon_weights: no memory for %zu local polynomials",
                         nx - 1);
    make_bary(t);
    return CGCT_OK;
}

void filon_local_free(filon_local *t)
{
    free(t->bary);
    memset(t, 0, sizeof *t);
}

void filon_local_functions(const filon_local *t, size_t i, filon_functions *f)
{
    const double *x = t->x + filon_local_window(t, i), *b = t->bary + i * ((size_t)t->degree + 1);
    f->nk = t->degree + 1;
    f->degree = t->degree + 1;
    f->power = 0;
    f->real = real_cardinals;
    f->imag = complex_cardinals;
    f->a = t->x[i];
    f->scale = x[t->degree] - x[0];
    for (int k = 0; k < f->nk; k++) {
        f->offset[k] = f->a - x[k];
        f->bary[k] = b[k];
    }
}
