/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_report.h: what the computation of a node chose and cost, for people. */
#ifndef CGCT_CLI_REPORT_H
#define CGCT_CLI_REPORT_H
#include <stdio.h>

#include "node/node.h"

void cli_report_print(FILE *out, double x, double eps, const node_report *r);
/* One line to stderr where "auto" had to give up a backend. */
void cli_report_fallback(const char *command, const char *fallback, const char *builder);
#endif
