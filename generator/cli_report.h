/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_report.h: what a computation chose, cost and achieved, as "key value" lines. */
#ifndef CGCT_CLI_REPORT_H
#define CGCT_CLI_REPORT_H
#include <stdio.h>

#include "pipeline.h"

/* One (x, eps). */
void cli_report_print(FILE *out, double x, double eps, const pipeline_report *r);
/* One line to stderr where "auto" had to give up a backend. */
void cli_report_fallback(const char *command, const pipeline_report *r);

/* All nodes of a table.  All zero before the first node. */
typedef struct {
    size_t nodes, points, flagged; /* points: both polarisations of each (node, q, k1) */
    size_t capacity;
    double *relative; /* error / |2 pi I_0| of every point; inf where I_0 = 0 or not finite */
    int modes_max, rank_max;
    double sum_rule; /* the worst node */
    double seconds_inner, seconds_weights, seconds_hankel, seconds_certificate, seconds_total;
    size_t bytes_peak;
} cli_summary;

/* Add a node: modes (2, nq*nk, nm), error (2, nq*nk) as pipeline_modes leaves them; points whose
 * relative error is not <= flag are flagged.  *nflagged: those of this node.  Returns OK, E_NOMEM.
 */
cgct_status cli_summary_add(cli_summary *s, const pipeline_report *r, size_t npoint, size_t nm,
                            const double *modes, const double *error, double flag, size_t *nflagged,
                            cgct_err *err);
/* "key\tvalue\n" lines as the container's metadata takes them, at most size - 1 bytes; sorts
 * s->relative. */
void cli_summary_text(cli_summary *s, char *to, size_t size);
void cli_summary_free(cli_summary *s);
#endif
