/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_three.h: the parts of 'cgctab-generate three': lists, integrands, points. */
#ifndef CGCT_CLI_THREE_H
#define CGCT_CLI_THREE_H
#include "../cuda/three_cuda.h"
#include "cli_common.h"
#include "gaussian_family.h"
#include "three_momentum.h"

/* A list of an option, each value in the range (config_check_range). */
cgct_status cli_three_list(const char *option, const char *text, const char *range,
                           const char *unit, cli_list *to, cgct_err *err);

/* ---- integrands ---- */

typedef struct {
    const char *integrand, *params, *backend; /* as typed */
    cli_list par;
    int is_gaussian;
    gaussian_family family;
    void *library;
    three_cuda *cuda;
    three_engine *engine; /* of the device, or NULL */
    char name[512];       /* with the parameters, and the checksum of a file */
    three_integrand g;
} cli_three_integrand;

/* gaussian, FILE.so, FILE.cu.  Errors in a text are printed, one line each. */
cgct_status cli_three_integrand_open(cli_three_integrand *c, cgct_err *err);
/* The Gaussian family by its parameters alone. */
cgct_status cli_three_gaussian(cli_three_integrand *c, cgct_err *err);
void cli_three_integrand_close(cli_three_integrand *c);

#endif
