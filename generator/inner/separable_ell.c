/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Angular modes of L(|R-s|) - L(R) = sum_m l_m(R,s) cos(m beta), beta = angle(R,s). */

#include <math.h>
#include <stdlib.h>

#include "numerics/blas.h"
#include "inner/separable_impl.h"

/* Samples of one (R,s) on the rule, folded about pi/2 where only even modes are wanted. */
static void sample(const separable_plan *p, double R, double s, const angle_rule *a, double *x,
                   double *f)
{
    size_t n = a->n;
    for (size_t j = 0; j < n; j++) {
        double cosine = 1 - 2 * a->hav[j];
        x[j] = fmax(s * s - 2 * R * s * cosine, -R * R);
        x[n + j] = s * s + 2 * R * s * cosine;
    }
    size_t total = p->symmetric ? 2 * n : n;
    dipole_diff(p->d, R * R, total, x, f);
    if (p->symmetric)
        for (size_t j = 0; j < n; j++) f[j] = 0.5 * (f[j] + f[n + j]);
}

size_t separable_ell_modes(const separable_plan *p, size_t ir, double s, double ln_s,
                           separable_ell_work *w)
{
    const inner_opts *o = p->o;
    const separable_choice c = separable_ell_choice(p, ir, ln_s);
    const angle_rule *a = &p->angles.rule[c.rule];
    sample(p, o->r[ir], s, a, w->x, w->f);
    cblas_dgemv(CblasRowMajor, CblasTrans, (int)a->n, (int)c.nm, 1 / M_PI, a->weight, (int)o->nm,
                w->f, 1, 0, w->mode, 1);
    w->mode[0] *= 0.5;
    return c.nm;
}

static void modes_at(separable_plan *p, size_t ir, separable_ell_work *w)
{
    const inner_opts *o = p->o;
    for (size_t is = 0; is < o->ns; is++) {
        size_t nm = separable_ell_modes(p, ir, o->s[is], p->ln_s[is], w);
        for (size_t im = 0; im < nm; im++) p->ell[(im * o->nr + ir) * o->ns + is] = w->mode[im];
    }
    separable_kink(p, ir, w);
}

cgct_status separable_ell(separable_plan *p, cgct_err *err)
{
    const inner_opts *o = p->o;
    p->ell = calloc(o->nm * o->nr * o->ns, sizeof *p->ell);
    p->ell_max = calloc(o->nm, sizeof *p->ell_max);
    size_t buffer = separable_angle_buffer(p);
    CGCT_TRY(separable_kink_init(p, err));
    int failed = !p->ell || !p->ell_max;
#pragma omp parallel reduction(| : failed)
    {
        double *x = malloc((2 * buffer + o->nm) * sizeof *x);
        separable_ell_work w = {x, x + buffer, x + 2 * buffer};
        failed |= !x;
#pragma omp for schedule(dynamic, 4)
        for (size_t ir = 0; ir < o->nr; ir++)
            if (!failed) modes_at(p, ir, &w);
        free(x);
    }
    if (failed)
        return cgct_fail(err, CGCT_E_NOMEM, "modes of L on %zu x %zu nodes: no memory", o->nr,
                         o->ns);
    for (size_t im = 0; im < o->nm; im++) {
        const double *e = p->ell + im * o->nr * o->ns;
        for (size_t i = 0; i < o->nr * o->ns; i++)
            p->ell_max[im] = fmax(p->ell_max[im], fabs(e[i]));
    }
    return CGCT_OK;
}
