/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli_common.h"

void cli_report_print(FILE *out, double x, double eps, const pipeline_report *r)
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

void cli_report_fallback(const char *command, const pipeline_report *r)
{
    if (*r->fallback)
        fprintf(stderr, "%s %s: %s; went on with %s\n", CLI_PROGRAM, command, r->fallback,
                r->backend);
}

static cgct_status reserve(cli_summary *s, size_t npoint, cgct_err *err)
{
    if (s->points + npoint <= s->capacity) return CGCT_OK;
    size_t capacity = 2 * s->capacity + npoint;
    double *grown = realloc(s->relative, capacity * sizeof *grown);
    if (!grown) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu error estimates", capacity);
    s->relative = grown;
    s->capacity = capacity;
    return CGCT_OK;
}

static void add_report(cli_summary *s, const pipeline_report *r)
{
    if (r->rank > s->rank_max) s->rank_max = r->rank;
    if (!(fabs(r->sum_rule) <= s->sum_rule)) s->sum_rule = fabs(r->sum_rule);
    if (r->bytes_peak > s->bytes_peak) s->bytes_peak = r->bytes_peak;
    s->seconds_inner += r->seconds_inner;
    s->seconds_weights += r->seconds_weights;
    s->seconds_hankel += r->seconds_hankel;
    s->seconds_certificate += r->seconds_certificate;
    s->seconds_total += r->seconds_total;
    s->nodes++;
}

cgct_status cli_summary_add(cli_summary *s, const pipeline_report *r, size_t npoint, size_t nm,
                            const double *modes, const double *error, double flag, size_t *nflagged,
                            cgct_err *err)
{
    const double two_pi = 6.283185307179586;
    *nflagged = 0;
    CGCT_TRY(reserve(s, 2 * npoint, err));
    for (size_t i = 0; i < 2 * npoint; i++) {
        double relative = error[i] / fabs(two_pi * modes[i * nm]);
        if (!(relative <= flag)) ++*nflagged;
        s->relative[s->points++] = isfinite(relative) ? relative : INFINITY;
    }
    s->flagged += *nflagged;
    if ((int)nm - 1 > s->modes_max) s->modes_max = (int)nm - 1;
    add_report(s, r);
    return CGCT_OK;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void cli_summary_text(cli_summary *s, char *to, size_t size)
{
    const double *v = s->relative;
    size_t n = s->points;
    if (n) qsort(s->relative, n, sizeof *s->relative, compare);
    snprintf(to, size,
             "nodes\t%zu\npoints\t%zu\nflagged\t%zu\n"
             "error_median\t%.3g\nerror_999\t%.3g\nerror_max\t%.3g\n"
             "modes_max\t%d\nrank_max\t%d\nsum_rule\t%.3g\n"
             "seconds_inner\t%.3f\nseconds_weights\t%.3f\nseconds_hankel\t%.3f\n"
             "seconds_certificate\t%.3f\nseconds_total\t%.3f\nbytes_peak\t%zu\n",
             s->nodes, n, s->flagged, n ? v[n / 2] : 0.0,
             n ? v[(size_t)(0.999 * (double)(n - 1))] : 0.0, n ? v[n - 1] : 0.0, s->modes_max,
             s->rank_max, s->sum_rule, s->seconds_inner, s->seconds_weights, s->seconds_hankel,
             s->seconds_certificate, s->seconds_total, s->bytes_peak);
}

void cli_summary_free(cli_summary *s)
{
    free(s->relative);
    memset(s, 0, sizeof *s);
}
