/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_plan.h: run --plan. */
#ifndef CGCT_CLI_PLAN_H
#define CGCT_CLI_PLAN_H
#include "run/schedule.h"

/* Grids by eps and the forecast, on standard output. */
cgct_status cli_plan(const run_job *j, const run_load *load, cgct_err *err);
#endif
