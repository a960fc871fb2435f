/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/sampled_plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/layout.h"

enum { ANGLES = 6 };
static const double FLOOR = 1e-12; /* of the largest I: below it the dipole itself is rounding */

void sampled_plane_free(sampled_plane *p)
{
    free(p->modes);
    free(p->error);
    memset(p, 0, sizeof *p);
}

void sampled_largest(sampled_set *s, const sampled_plane *p)
{
    for (size_t i = 0; i < p->points; i++) {
        double *largest = &s->largest[2 * i / p->points], I = 2 * M_PI * p->modes[i * p->nm];
        if (I > *largest) *largest = I;
    }
}

static cgct_status add(sampled_set *s, double v, cgct_err *err)
{
    if (s->n == s->capacity) {
        size_t capacity = 2 * s->capacity + 4096;
        double *more = realloc(s->v, capacity * sizeof *more);
        if (!more) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu differences", capacity);
        s->v = more;
        s->capacity = capacity;
    }
    s->v[s->n++] = v;
    return CGCT_OK;
}

/* Sum over modes at theta of Sum_i c_i modes_i. */
static double sum_modes(size_t n, const sampled_point *node, const double *c, double theta)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const sampled_plane *p = node[i].plane;
        const double *mode = p->modes + node[i].at * p->nm;
        double one = 0.5 * mode[0];
        for (size_t m = 1; m < p->nm; m++)
            one += (m & 1 ? -1 : 1) * cos((double)m * theta) * mode[m];
        sum += c[i] * one;
    }
    return 4 * M_PI * sum;
}

cgct_status sampled_compare(sampled_set *s, size_t n, const sampled_point *node,
                            const double *weight, int pol, cgct_err *err)
{
    double ln_s = 0, c[CGCT_ORDER_MAX];
    const double one = 1;
    for (size_t i = 0; i < n; i++) {
        const sampled_plane *p = node[i].plane;
        double zeroth = p->modes[node[i].at * p->nm];
        if (!(p->error[node[i].at] <= s->resolution * 2 * M_PI * zeroth)) return CGCT_OK;
        ln_s += weight[i] * log(zeroth);
        c[i] = weight[i] / zeroth;
    }
    for (size_t i = 0; i < n; i++) c[i] *= exp(ln_s);
    for (int i = 0; i < ANGLES; i++) {
        double theta = M_PI * (i + 0.5) / ANGLES;
        double want = sum_modes(1, &node[n], &one, theta), got = sum_modes(n, node, c, theta);
        double unit = fmax(fabs(want), FLOOR * s->largest[pol]);
        if (!(node[n].plane->error[node[n].at] <= s->resolution * unit)) continue;
        CGCT_TRY(add(s, fabs(got - want) / unit, err));
    }
    return CGCT_OK;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sampled_quantile(sampled_set *s, double part)
{
    if (s->n == 0) return 0;
    qsort(s->v, s->n, sizeof *s->v, compare);
    return s->v[(size_t)(part * (double)(s->n - 1))];
}

void sampled_set_free(sampled_set *s)
{
    free(s->v);
    memset(s, 0, sizeof *s);
}
