/* SPDX-License-Identifier: MIT */
/* Checks that a file can hold the content of a table. */
#include "table_content.h"

#include <math.h>
#include <string.h>

enum { VARIED_MAX = 32 };                /* nodes of variations in x, in eps */
static const double POINTS_MAX = 0x1p26; /* (q,k) of all panels */

size_t table_rows(const table_content *t, size_t i)
{
    const size_t n = t->px * t->peps, members = t->dx ? 1 : t->members;
    if (i >= n) return i > n ? 0 : t->variations * t->dx * t->deps;
    return members * t->panel_x[i / t->peps] * t->panel_eps[i % t->peps];
}

static cgct_status check_nodes_of(const char *name, size_t n, const double *v, size_t panels,
                                  const uint32_t *of, cgct_err *err)
{
    size_t nodes = 1;
    for (size_t i = 0; i < n; i++)
        if (!(v[i] > 0 && isfinite(v[i])) || (i && !(log(v[i]) - log(v[i - 1]) >= 1e-9)))
            return cgct_fail(err, CGCT_E_USAGE, "%s[%zu] = %.17g: nodes must be positive and rise",
                             name, i, v[i]);
    for (size_t i = 0; i < panels; i++) nodes += of[i] - 1;
    if (panels && nodes != n)
        return cgct_fail(err, CGCT_E_USAGE, "the panels of %s have %zu nodes, the axis %zu", name,
                         nodes, n);
    return CGCT_OK;
}

static cgct_status check_finite(const char *what, size_t n, const double *v, cgct_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(v[i]))
            return cgct_fail(err, CGCT_E_RANGE,
                             "%s: number %zu is %g; a table holds finite numbers", what, i, v[i]);
    return CGCT_OK;
}

/* Nodes below `from` and their distance in ln ln(from/x). */
static int is_below(double from, size_t n, const double *x)
{
    int good = !n || from > x[n - 1];
    for (size_t i = 1; i < n && good; i++)
        good = log(log(from / x[i - 1])) - log(log(from / x[i])) >= 1e-9;
    return good;
}

cgct_status table_check_sizes(const table_content *t, cgct_err *err)
{
    const struct {
        const char *name;
        size_t n, min, max;
    } size[] = {{"members", t->members, 1, 4096},
                {"panels in x", t->px, 1, 64},
                {"panels in eps", t->peps, 1, 64},
                {"nodes in x", t->nx, 1, 4096},
                {"nodes in eps", t->neps, 1, 4096},
                {"nodes in q", t->nq, 2, 4096},
                {"nodes of the lower patch", t->nl, 2, 1024},
                {"nodes of the upper patch", t->nu, 2, 1024}};
    const double points = (double)(t->px * t->peps) * (double)(t->nq * (t->nl + t->nu));
    const double from = t->x_from;
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        if (size[i].n < size[i].min || size[i].n > size[i].max)
            return cgct_fail(err, CGCT_E_USAGE, "%zu %s, a table holds %zu to %zu", size[i].n,
                             size[i].name, size[i].min, size[i].max);
    if (points > POINTS_MAX)
        return cgct_fail(err, CGCT_E_USAGE,
                         "%zu panels of %zu nodes in q and %zu in k, %g in all; a table holds %g",
                         t->px * t->peps, t->nq, t->nl + t->nu, points, POINTS_MAX);
    CGCT_TRY(check_nodes_of("x", t->nx, t->x, t->panel_x ? t->px : 0, t->panel_x, err));
    CGCT_TRY(check_nodes_of("eps", t->neps, t->eps, t->panel_eps ? t->peps : 0, t->panel_eps, err));
    CGCT_TRY(check_nodes_of("q", t->nq, t->q, 0, NULL, err));
    CGCT_TRY(check_nodes_of("x_of_d", t->dx, t->x_of_d, 0, NULL, err));
    CGCT_TRY(check_nodes_of("eps_of_d", t->deps, t->eps_of_d, 0, NULL, err));
    if (from != 0 && !(isfinite(from) && from > t->x_range[1] && is_below(from, t->nx, t->x) &&
                       is_below(from, t->dx, t->x_of_d)))
        return cgct_fail(err, CGCT_E_USAGE, "x_from = %.17g must be 0 or lie above x, up to %.17g",
                         from, t->x_range[1]);
    return CGCT_OK;
}

cgct_status table_check(const table_content *t, cgct_err *err)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    for (size_t i = 0; i < t->nmeta; i++) {
        const char *key = t->meta[i].key;
        if (!*key || key[strspn(key, letters)])
            return cgct_fail(err, CGCT_E_USAGE,
                             "metadata key '%.100s': want letters, digits, '_', '.' and '-'", key);
    }
    CGCT_TRY(table_check_sizes(t, err));
    CGCT_TRY(check_finite("mix", t->dx ? (t->members - 1) * t->variations : 0, t->mix, err));
    if (!t->dx != !t->deps || t->dx > VARIED_MAX || t->deps > VARIED_MAX ||
        (t->dx && !(t->variations && t->variations < t->members)))
        return cgct_fail(err, CGCT_E_USAGE,
                         "%zu variations of %zu members, at %zu x and %zu eps (at most %d each)",
                         t->variations, t->members, t->dx, t->deps, VARIED_MAX);
    CGCT_TRY(check_finite("tensor",
                          t->parts ? t->nx * t->parts * (4 + 3 * t->functions)
                                   : t->members * t->nx * t->nq * 2,
                          t->tensor, err));
    for (size_t i = 0; table_rows(t, i); i++) {
        const table_segment *s = &t->segment[i];
        if (!s->R || !(s->step > 0 && isfinite(s->step)))
            return cgct_fail(err, CGCT_E_USAGE, "segment %zu: rank %zu, step %g", i, s->R, s->step);
        CGCT_TRY(check_finite("coefficients U", table_rows(t, i) * s->R, s->U, err));
    }
    return CGCT_OK;
}
