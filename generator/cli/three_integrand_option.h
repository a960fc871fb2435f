/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_integrand_option.h: the integrand that --integrand, --params and --backend of
 * 'cgctab-generate three' name, ready to be called or run on a device. */
#ifndef CGCT_CLI_THREE_INTEGRAND_OPTION_H
#define CGCT_CLI_THREE_INTEGRAND_OPTION_H
#include "cli/common.h"
#include "cuda/three_cuda.h"
#include "three/gaussian_family.h"
#include "three/momentum.h"

typedef struct {
    const char *integrand, *params, *backend; /* as typed */
    number_list par;
    int is_gaussian;
    gaussian_family family;
    void *library; /* of dlopen, or NULL */
    three_cuda *cuda;
    three_engine *engine; /* of the device, or NULL */
    char name[512];       /* with the parameters, and the checksum of a file */
    three_integrand g;    /* points into this struct */
} cli_three_integrand;

/* gaussian, FILE.so or FILE.cu.  Compilation errors of a FILE.cu are printed, one line each.  Close
 * also after a failure. */
cgct_status cli_three_integrand_open(cli_three_integrand *c, cgct_err *err);
void cli_three_integrand_close(cli_three_integrand *c);

enum { GAUSSIAN_PARAMS = 6 }; /* a, b0, c, g1, g2, g3 */

/* The family of par[GAUSSIAN_PARAMS].  Returns as gaussian_check; E_USAGE for another number. */
cgct_status cli_three_gaussian(gaussian_family *to, size_t npar, const double *par, cgct_err *err);
#endif
