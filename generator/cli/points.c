/* SPDX-License-Identifier: GPL-3.0-or-later */
/* points.c: the points of a subcommand: the rows of a file, or the outer product of lists. */
#include "cli/common.h"
#include "config/params.h"

enum { COLUMNS_MOST = 8 }; /* as of number_rows_read */

static cgct_status read_points(number_rows *p, const char *path, size_t n, const cli_column *c,
                               cgct_err *err)
{
    const char *name[COLUMNS_MOST];
    for (size_t i = 0; i < n; i++) {
        name[i] = c[i].name;
        if (c[i].text)
            return cgct_fail(err, CGCT_E_USAGE, "--%s: cannot go with --points, which has it",
                             c[i].name);
    }
    CGCT_TRY(number_rows_read(p, path, n, name, err));
    if (!p->n) return cgct_fail(err, CGCT_E_FORMAT, "%s: no points", p->name);
    for (size_t i = 0; i < p->n * n; i++) {
        const cli_column *of = &c[i % n];
        cgct_status st = config_check_range(p->v.v[i], of->range, of->unit, err);
        if (st == CGCT_OK) continue;
        cgct_context(err, st, "%s", of->name);
        return number_rows_blame(p, i / n, CGCT_E_RANGE, err);
    }
    return CGCT_OK;
}

cgct_status cli_points(number_rows *to, const char *path, size_t n, const cli_column *columns,
                       cgct_err *err)
{
    number_list lists[COLUMNS_MOST] = {{0, NULL, 0}};
    cgct_status st = CGCT_OK;
    if (path) return read_points(to, path, n, columns, err);
    to->ncol = n;
    for (size_t i = 0; i < n && st == CGCT_OK; i++) {
        const cli_column *c = &columns[i];
        if (c->text || !c->axis)
            st = cli_numbers(c->name, c->text, c->range, c->unit, &lists[i], err);
        for (size_t k = 0; !c->text && c->axis && k < c->axis->n && st == CGCT_OK; k++)
            st = number_list_add(&lists[i], c->axis->v[k], err);
    }
    if (st == CGCT_OK) st = number_rows_product(to, lists, err);
    for (size_t i = 0; i < n; i++) number_list_free(&lists[i]);
    return st;
}
