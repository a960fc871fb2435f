/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/exact.h"

#include <math.h>

#include "dipole/exact_gbw.h"

cgct_status cli_exact_Qs2(const cli_task *t, double x, double *Qs2, cgct_err *err)
{
    dipole *d = NULL;
    CGCT_TRY(dipole_init(&d, t->source, x, err));
    int is_gbw = dipole_kind_of(d) == DIPOLE_GBW;
    *Qs2 = dipole_Qs2(d);
    dipole_free(d);
    if (is_gbw) return CGCT_OK;
    return cgct_fail(err, CGCT_E_USAGE, "exact values exist for the gbw model only, not for %s",
                     dipole_source_name(t->source));
}

cgct_status cli_exact_value(double q, double k1, double theta, double eps, double Qs2, double I[2],
                            cgct_err *err)
{
    double K = hypot(k1 * cos(theta) - q / 2, k1 * sin(theta));
    return exact_gbw(q, K, eps, Qs2, I, err);
}

/* All points of one (x, eps). */
static cgct_status print_node(const cli_task *t, double x, double eps, double Qs2, cgct_err *err)
{
    for (size_t iq = 0; iq < t->q.n; iq++)
        for (size_t ik = 0; ik < t->k1.n; ik++)
            for (size_t it = 0; it < t->theta.n; it++) {
                double I[2], q = t->q.v[iq], k1 = t->k1.v[ik], theta = t->theta.v[it];
                CGCT_TRY(cli_exact_value(q, k1, theta, eps, Qs2, I, err));
                printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", x, eps, q, k1, theta, I[0],
                       I[1]);
            }
    return CGCT_OK;
}

static cgct_status print_all(cli_task *t, cgct_err *err)
{
    double Qs2;
    CGCT_TRY(cli_task_init(t, err));
    CGCT_TRY(cli_exact_Qs2(t, t->x.v[0], &Qs2, err));
    puts("# x eps q k1 theta exact_T exact_L");
    for (size_t ix = 0; ix < t->x.n; ix++) {
        CGCT_TRY(cli_exact_Qs2(t, t->x.v[ix], &Qs2, err));
        for (size_t ie = 0; ie < t->eps.n; ie++)
            CGCT_TRY(print_node(t, t->x.v[ix], t->eps.v[ie], Qs2, err));
    }
    return CGCT_OK;
}

int cli_exact(int argc, char **argv)
{
    cli_task t = {0};
    const cli_option options[] = {CLI_POINT_OPTIONS(&t), {.name = NULL}};
    const cli_spec spec = {
        .name = "exact",
        .synopsis = "[--dipole gbw] --x LIST --eps LIST --q LIST --k1 LIST --theta LIST",
        .doc = "Prints x eps q k1 theta exact_T exact_L (GeV, GeV^-6) of the GBW model, from its\n"
               "three-dimensional integral: the outer product of the lists, theta fastest.",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    if (!t.dipole && !t.card_path) t.dipole = "gbw";
    cgct_status st = print_all(&t, &err);
    cli_task_free(&t);
    return st == CGCT_OK ? cli_finish_stdout(&spec) : cli_fail(&spec, st, &err);
}
