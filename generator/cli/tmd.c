/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tmd.c: the subcommand tmd: Weizsaecker-Williams gluon distributions and the Fourier transform of
 * the dipole. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common.h"
#include "format/safe_text.h"
#include "node/node.h"
#include "node/reference.h"
#include "numerics/memory.h"

/* Colours of the factor in front of the distributions, whatever the correlator has. */
#define COLOURS 3.0

typedef struct {
    cli_task task;
    const char *nc;
    double Nc; /* of the correlator */
} tmd_job;

static void print_tmd_heading(const tmd_job *j)
{
    safe_line(stdout, "# %s", j->task.source->describe);
    fputs("# correlator: ", stdout);
    puts(isinf(j->Nc) ? "Gaussian, Nc = infinity" : "Gaussian");
    if (!isinf(j->Nc)) printf("# Nc = %g\n", j->Nc);
    puts(
        "# Gamma = -ln S(r), w = (1 - 1/Nc^2) (1 - S^p)/(2 Gamma), p = 2/(1 - 1/Nc^2)\n"
        "# F =  pi Int b db J_0(q b) w (Gamma'' + Gamma'/b)\n"
        "# h = -pi Int b db J_2(q b) w (Gamma'' - Gamma'/b)\n"
        "# as_xG = alpha_s xG/S_perp = 3 F/(4 pi^4), as_xh = alpha_s xh/S_perp = 3 h/(4 pi^4): xG\n"
        "#   is dxG/d2q in GeV^-2, S_perp the transverse area in GeV^-2\n"
        "# S_q = Int d2r exp(-i q.r) S(r), GeV^-2\n"
        "# F_qg1 = q^2 S_q, F_qg2 = G_1, F_gg1 = Int d2l/(2 pi)^2 l^2 S_l S_(q-l), F_gg6 = G_2,\n"
        "#   F_gg2 = -Int d2l/(2 pi)^2 l.(q-l) S_l S_(q-l): those of forward dijets for\n"
        "#   infinitely many colours; G_n = 2 pi Int b db J_0(q b) S^n w (Gamma'' + Gamma'/b); "
        "alpha_s times\n"
        "#   each distribution over S_perp is 3/(8 pi^4) times these\n"
        "# q in GeV; columns without a unit are pure numbers\n"
        "# x q as_xG as_xh h/F S_q F h F_qg1 F_qg2 F_gg1 F_gg2 F_gg6");
}

static cgct_status print_tmd_at(const tmd_job *j, double x, cgct_err *err)
{
    const number_list *q = &j->task.q;
    const size_t size = REFERENCE_TRANSFORMS * q->n;
    double *v = memory_new(2 * size, sizeof *v), *many = v + size; /* of infinitely many colours */
    cgct_status st = node_transforms(j->task.source, x, j->Nc, q->n, q->v, v, err);
    if (st == CGCT_OK) st = node_transforms(j->task.source, x, INFINITY, q->n, q->v, many, err);
    for (size_t i = 0; i < q->n && st == CGCT_OK; i++) {
        const double F = v[REFERENCE_G * q->n + i] / 2, h = v[REFERENCE_H * q->n + i] / 2;
        const double unit = COLOURS / (4 * pow(M_PI, 4));
        const double q2 = q->v[i] * q->v[i], slope2 = many[REFERENCE_SLOPE2 * q->n + i];
        printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g", x, q->v[i], unit * F, unit * h,
               h / F, v[REFERENCE_S * q->n + i], F, h);
        printf(" %.17g %.17g %.17g %.17g %.17g\n", q2 * many[REFERENCE_S * q->n + i],
               many[REFERENCE_G1 * q->n + i], slope2 + q2 / 2 * many[REFERENCE_S2 * q->n + i],
               slope2, many[REFERENCE_G2 * q->n + i]);
    }
    free(v);
    return st;
}

static cgct_status print_tmd(tmd_job *j, cgct_err *err)
{
    cli_task *t = &j->task;
    CGCT_TRY(cli_task_config(t, err));
    j->Nc = INFINITY; /* of --nc inf */
    if (j->nc && strcmp(j->nc, "inf") != 0)
        CGCT_TRY(cli_number("nc", j->nc, "[2,1e6]", "", &j->Nc, err));
    CGCT_TRY(cli_numbers("x", t->x_text, "(0,1]", "", &t->x, err));
    CGCT_TRY(cli_numbers("q", t->q_text, "[1e-3,1e3]", "GeV", &t->q, err));
    CGCT_TRY(cli_task_dipole(t, t->x.n, t->x.v, err));
    if (!j->nc) j->Nc = t->source->Nc;
    print_tmd_heading(j);
    for (size_t i = 0; i < t->x.n; i++) {
        cgct_status st = print_tmd_at(j, t->x.v[i], err);
        if (st != CGCT_OK) return cgct_context(err, st, "x = %g", t->x.v[i]);
    }
    return CGCT_OK;
}

int cli_tmd(int argc, char **argv)
{
    tmd_job j = {0};
    const command_option options[] = {
        CLI_DIPOLE_OPTION(&j.task),
        {"--x", 0, OPTION_TEXT, &j.task.x_text, "LIST", "momentum fractions"},
        {"--q", 0, OPTION_TEXT, &j.task.q_text, "LIST", "transverse momenta, GeV"},
        {"--nc", 0, OPTION_TEXT, &j.nc, "N|inf",
         "colours of the correlator; default correlator.Nc"},
        CLI_CARD_OPTIONS(&j.task),
        {.name = NULL}};
    const cli_spec spec = {
        .name = "tmd",
        .synopsis = "--dipole gbw|mv|mv:SET|bk:SET|FILE --x LIST --q LIST [--nc N]",
        .doc =
            "Prints the Weizsaecker-Williams gluon distributions xG and xh in the Gaussian\n"
            "approximation and the Fourier transform of the dipole; formulas and units are in the\n"
            "heading.",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    cgct_status st = print_tmd(&j, &err);
    cli_task_free(&j.task);
    return cli_end(&spec, st, &err);
}
