/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_three.h: the parts of 'cgctab-generate three': lists, integrands, points. */
#ifndef CGCT_CLI_THREE_H
#define CGCT_CLI_THREE_H
#include "cuda/three_cuda.h"
#include "cli/common.h"
#include "three/gaussian_family.h"
#include "three/momentum.h"

/* ---- integrands ---- */

enum { CLI_GAUSSIAN_PARAMS = 6 }; /* a, b0, c, g1, g2, g3 */

typedef struct {
    const char *integrand, *params, *backend; /* as typed */
    number_list par;
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
void cli_three_integrand_close(cli_three_integrand *c);

/* ---- points ---- */

enum { CLI_THREE_AXES = 5 }; /* k p q phi_p phi_q */

typedef struct {
    size_t n[CLI_THREE_AXES];
    const double *v[CLI_THREE_AXES];
    const gaussian_family *family; /* of which exact values are printed, or NULL */
} cli_three_points;

/* Heading and one line for each point of the outer product.  Returns the largest |F - exact|
 * divided by the largest |F|; NaN without a family. */
double cli_three_print(const cli_three_points *p, const three_momentum *t);

/* The same columns from a file; phi_p, phi_q as typed, or NULL: those of the file. */
cgct_status cli_three_show(const char *path, const char *phi_p, const char *phi_q, int quiet,
                           cgct_err *err);
#endif
