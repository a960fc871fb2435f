/* SPDX-License-Identifier: MIT */
#include "verify.h"

#include <math.h>
#include <stdlib.h>

static const double theta[] = {0.7, 1.5, 2.4};
enum { ANGLES = sizeof theta / sizeof *theta, NODES_MAX = 8 };

typedef struct {
    const cgct_table *table;
    const cgct_slice *slice;
    double x, eps;
    number_list shares;
} exchange_state;

/* Both polarisations of one pair. */
static int add_pair(exchange_state *s, double q, double k1, double k2, double th1, double th2)
{
    double a[2], b[2], ea[2], eb[2];
    int st = TOOL_OK;
    if (cgct_slice_eval(s->slice, q, k1, th1, a) != CGCT_OK ||
        cgct_slice_eval(s->slice, q, k2, th2, b) != CGCT_OK ||
        cgct_eval_error(s->table, s->x, s->eps, q, k1, th1, ea) != CGCT_OK ||
        cgct_eval_error(s->table, s->x, s->eps, q, k2, th2, eb) != CGCT_OK)
        return tool_fail("x = %g, eps = %g, q = %g, k1 = %g: cannot be evaluated", s->x, s->eps, q,
                         k1);
    for (int pol = 0; pol < 2 && st == TOOL_OK; pol++) {
        double size = fmax(fabs(a[pol]), fabs(b[pol]));
        if (!(ea[pol] + eb[pol] < VERIFY_RESOLVED * size)) continue;
        st = tool_list_add(&s->shares, fabs(a[pol] - b[pol]) / size);
    }
    return st;
}

static int add_slice(exchange_state *s, const tool_axes *axes)
{
    const double *k = axes->v[3];
    size_t nk = axes->n[3];
    int st = TOOL_OK;
    for (size_t i = 0; i < axes->n[2] * nk * ANGLES && st == TOOL_OK; i++) {
        double q = axes->v[2][i / ANGLES / nk], k1 = k[i / ANGLES % nk], th = theta[i % ANGLES];
        double k2 = sqrt(q * q + k1 * k1 - 2 * q * k1 * cos(th));
        if (!(k2 >= k[0] && k2 <= k[nk - 1])) continue;
        st = add_pair(s, q, k1, k2, th, acos(fmax(-1, fmin(1, (q - k1 * cos(th)) / k2))));
    }
    return st;
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int verify_exchange_measure(const cgct_table *t, verify_exchange *e)
{
    tool_axes axes = tool_axes_of(t);
    exchange_state s = {.table = t};
    size_t nodes = axes.n[0] * axes.n[1], step = (nodes + NODES_MAX - 1) / NODES_MAX;
    int st = TOOL_OK;
    TOOL_CLEAR(*e);
    for (size_t i = step / 2; i < nodes && st == TOOL_OK; i += step) {
        cgct_slice *slice = NULL;
        cgct_err err;
        s.x = axes.v[0][i / axes.n[1]];
        s.eps = axes.v[1][i % axes.n[1]];
        if (cgct_slice_init(&slice, t, s.x, s.eps, &err) != CGCT_OK)
            return number_list_free(&s.shares), tool_fail("%s", err.text);
        s.slice = slice;
        st = add_slice(&s, &axes);
        cgct_slice_free(slice);
    }
    if (st == TOOL_OK && s.shares.n) {
        qsort(s.shares.v, s.shares.n, sizeof *s.shares.v, rising);
        e->pairs = s.shares.n;
        e->median = s.shares.v[s.shares.n / 2];
        e->upper = s.shares.v[(size_t)(0.999 * (double)(s.shares.n - 1))];
        e->largest = s.shares.v[s.shares.n - 1];
    }
    number_list_free(&s.shares);
    return st;
}
