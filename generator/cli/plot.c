/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 'cgctab-generate plot dipole': N(r) at some x and Qs(x) of any dipole, as data and picture; and
 * the options of 'plot vn', which is in plot_vn.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot.h"
#include "format/safe_text.h"

enum { NODES = 300, SATURATION_NODES = 41 };
/* r from SMALL/Qs to LARGE/Qs, with Qs of the largest and of the smallest x. */
#define SMALL 1e-2
#define LARGE 20.0

typedef struct {
    cli_task task;
    const char *dir;
    size_t nx;
    const double *x; /* as listed: of --x or of the card */
    double range[2]; /* of them */
} plot_job;

static cgct_status write_amplitude(const plot_job *j, double x, const double range[2], FILE *f,
                                   cgct_err *err)
{
    dipole *d;
    CGCT_TRY(dipole_init(&d, j->task.source, x, err));
    fprintf(f, "# x = %.10g: r (1/GeV), N\n", x);
    for (int i = 0; i < NODES; i++) {
        const double r = range[0] * pow(range[1] / range[0], i / (NODES - 1.0)), r2 = r * r;
        double L;
        dipole_lnS(d, 1, &r2, &L);
        fprintf(f, "%.10g %.17g\n", r, -expm1(L));
    }
    fputs("\n\n", f);
    dipole_free(d);
    return CGCT_OK;
}

static cgct_status write_dipole_data(const plot_job *j, FILE *f, cgct_err *err)
{
    double Qs[2];
    CGCT_TRY(cli_smallest_Qs(j->task.source, j->range[0], &Qs[0], err));
    CGCT_TRY(cli_smallest_Qs(j->task.source, j->range[1], &Qs[1], err));
    const double r[2] = {SMALL / fmax(Qs[0], Qs[1]), LARGE / fmin(Qs[0], Qs[1])};
    for (size_t i = 0; i < j->nx; i++) CGCT_TRY(write_amplitude(j, j->x[i], r, f, err));
    fputs("# x, Qs (GeV)\n", f);
    for (int i = 0; i < SATURATION_NODES; i++) {
        const double part = i / (SATURATION_NODES - 1.0);
        const double x = j->range[0] * pow(j->range[1] / j->range[0], part);
        CGCT_TRY(cli_smallest_Qs(j->task.source, fmin(x, j->range[1]), Qs, err));
        fprintf(f, "%.10g %.17g\n", fmin(x, j->range[1]), *Qs);
    }
    return CGCT_OK;
}

static cgct_status plot_kind(plot_job *j, const char *kind, cgct_err *err)
{
    cli_task *t = &j->task;
    cgct_textfile to;
    if (!kind || (strcmp(kind, "dipole") != 0 && strcmp(kind, "vn") != 0))
        return cgct_fail(err, CGCT_E_USAGE,
                         "no picture '%.40s'; there are 'plot dipole' and 'plot vn'",
                         kind ? kind : "");
    if (!j->dir) return cgct_fail(err, CGCT_E_USAGE, "no folder: give -o DIR");
    CGCT_TRY(cli_task_config(t, err));
    if (strcmp(kind, "vn") == 0) return plot_vn(t, j->dir, err);
    j->nx = t->card.run.x.n;
    j->x = t->card.run.x.v;
    if (t->x_text || !t->card_path) {
        CGCT_TRY(cli_numbers("x", t->x_text, "(0,1]", "", &t->x, err));
        j->nx = t->x.n;
        j->x = t->x.v;
    }
    number_range(j->nx, j->x, j->range);
    CGCT_TRY(cli_task_dipole(t, j->nx, j->x, err));
    CGCT_TRY(picture_make_folder(j->dir, err));
    CGCT_TRY(picture_open(j->dir, "dipole.dat", NULL, &to, err));
    CGCT_TRY(cgct_textfile_close(&to, write_dipole_data(j, to.f, err), err));
    CGCT_TRY(picture_begin(j->dir, t->source, "dipole", &to, err));
    fprintf(to.f, "x_lo = %.6g\nx_hi = %.6g\nxs = '", j->range[0], j->range[1]);
    for (size_t i = 0; i < j->nx; i++) fprintf(to.f, "%.4g ", j->x[i]);
    fputs("'\n", to.f);
    return picture_end(j->dir, "dipole", &to, text_dipole_gp, err);
}

int cli_plot(int argc, char **argv)
{
    plot_job j = {0};
    const char *kind = NULL;
    const command_option options[] = {
        {"--output", 'o', OPTION_TEXT, &j.dir, "DIR", "folder for picture, script and data"},
        CLI_DIPOLE_OPTION(&j.task),
        {"--x", 0, OPTION_TEXT, &j.task.x_text, "LIST", "momentum fractions; of the card"},
        {"--eps", 0, OPTION_TEXT, &j.task.eps_text, "LIST", "vn: sqrt(z(1-z) Q^2 + m^2) in GeV"},
        {"--q", 0, OPTION_TEXT, &j.task.q_text, "LIST", "vn: pair recoil |q|, GeV"},
        {"--k", 0, OPTION_TEXT, &j.task.k1_text, "LIST", "vn: |K|, K = k1 - q/2, GeV"},
        CLI_CARD_OPTIONS(&j.task),
        {.name = NULL}};
    const cli_spec spec = {
        .name = "plot",
        .synopsis = "dipole|vn -o DIR --dipole D --x LIST [options]",
        .doc =
            "Writes N(r) at each x, and Qs between the first and the last x, to DIR/dipole.dat;\n"
            "the picture (gnuplot) is DIR/dipole.png, its script DIR/dipole.gp.  vn: v_2 and v_4 "
            "of\n"
            "the angle between K and q, of I and of its limits, in the same way.",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 1, &kind);
    if (go != CLI_GO) return go;
    cgct_status st = plot_kind(&j, kind, &err);
    cli_task_free(&j.task);
    return cli_end(&spec, st, &err);
}
