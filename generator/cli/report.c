/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/report.h"

#include "cli/common.h"

void cli_report_print(FILE *out, double x, double eps, const node_report *r)
{
    fprintf(out, "x = %g, eps = %g GeV\n", x, eps);
    fprintf(out, "  backend       %s\n", r->backend);
    fprintf(out, "  Delta nodes   %zu up to %g /GeV\n", r->n_delta, r->delta_max);
    fprintf(out, "  R nodes       %zu up to %g /GeV\n", r->n_r, r->r_max);
    fprintf(out, "  s nodes       %zu up to %g /GeV\n", r->n_s, r->s_max);
    fprintf(out, "  P nodes       %zu\n", r->n_p);
    fprintf(out, "  rank, modes   %d, %d\n", r->rank, r->modes);
    fprintf(out, "  sum rule      %.2e\n", r->sum_rule);
    fprintf(out, "  inner table   %.3f s\n", r->seconds_inner);
    fprintf(out, "  weights       %.3f s\n", r->seconds_weights);
    fprintf(out, "  Hankel        %.3f s\n", r->seconds_hankel);
    fprintf(out, "  certificate   %.3f s\n", r->seconds_certificate);
    fprintf(out, "  total         %.3f s\n", r->seconds_total);
    fprintf(out, "  memory        %.1f MiB\n", (double)r->bytes_peak / (1 << 20));
}

void cli_report_fallback(const char *command, const char *fallback, const char *builder)
{
    if (*fallback)
        fprintf(stderr, "%s %s: %s; went on with %s\n", CLI_PROGRAM, command, fallback, builder);
}
