/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdlib.h>

#include "node/hankel.h"
#include "cli/common.h"
#include "config/params.h"

typedef struct {
    const char *path, *q_text, *k1_text, *theta_text, *jobs;
    cli_list q, k1, theta;
} transform_job;

static cgct_status get_list(const char *name, const char *text, cli_list *to, cgct_err *err)
{
    if (!text) return cgct_fail(err, CGCT_E_USAGE, "--%s is missing", name);
    cgct_status st = config_parse_list(text, 0, &to->n, &to->v, err);
    if (st == CGCT_OK) return st;
    return cgct_context(err, st == CGCT_E_CONFIG ? CGCT_E_USAGE : st, "--%s", name);
}

static cgct_status print_all(const transform_job *j, const archive *a, cgct_err *err)
{
    archive_modes t;
    cgct_status st = archive_transform(&t, a, j->q.n, j->q.v, err);
    if (st != CGCT_OK) return st;
    size_t n = j->q.n * j->k1.n * j->theta.n;
    double I[NPOL], error[NPOL];
    for (size_t i = 0; i < j->k1.n && st == CGCT_OK; i++) /* refuse before the first line */
        st = archive_point(&t, 0, j->k1.v[i], j->theta.v[0], I, error, err);
    if (st == CGCT_OK) puts("# x eps q k1 theta I_T err_T I_L err_L");
    for (size_t i = 0; i < n && st == CGCT_OK; i++) {
        size_t iq = i / j->theta.n / j->k1.n;
        double k1 = j->k1.v[i / j->theta.n % j->k1.n], theta = j->theta.v[i % j->theta.n];
        st = archive_point(&t, iq, k1, theta, I, error, err);
        if (st == CGCT_OK)
            printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", a->x, a->table.eps,
                   j->q.v[iq], k1, theta, I[POL_T], error[POL_T], I[POL_L], error[POL_L]);
    }
    archive_modes_free(&t);
    return st;
}

static cgct_status transform(transform_job *j, cgct_err *err)
{
    archive a;
    if (!j->path) return cgct_fail(err, CGCT_E_USAGE, "FILE.cgci is missing");
    CGCT_TRY(get_list("q", j->q_text, &j->q, err));
    CGCT_TRY(get_list("k1", j->k1_text, &j->k1, err));
    CGCT_TRY(get_list("theta", j->theta_text, &j->theta, err));
    if (j->jobs) {
        cli_list jobs = {0};
        CGCT_TRY(get_list("jobs", j->jobs, &jobs, err));
        int n = (int)jobs.v[0];
        free(jobs.v);
        if (n < 1 || n > 1024)
            return cgct_fail(err, CGCT_E_USAGE, "--jobs: %s threads, want 1 to 1024", j->jobs);
        omp_set_num_threads(n);
    }
    CGCT_TRY(archive_load(&a, j->path, err));
    cgct_status st = print_all(j, &a, err);
    if (st != CGCT_OK) st = cgct_context(err, st, "%s", j->path);
    archive_free(&a);
    return st;
}

int cli_transform(int argc, char **argv)
{
    transform_job j = {0};
    const cli_option options[] = {
        {"q", 0, CLI_TEXT, &j.q_text, "LIST", "pair recoil |q|, GeV"},
        {"k1", 0, CLI_TEXT, &j.k1_text, "LIST", "tagged parton |k1|, GeV"},
        {"theta", 0, CLI_TEXT, &j.theta_text, "LIST", "angle between k1 and q, radian"},
        {"jobs", 'j', CLI_TEXT, &j.jobs, "N", "threads"},
        {.name = NULL}};
    const cli_spec spec = {
        .name = "transform",
        .synopsis = "FILE.cgci --q LIST --k1 LIST --theta LIST",
        .doc =
            "Prints x eps q k1 theta I_T err_T I_L err_L (GeV, GeV^-6) from the inner table that\n"
            "'inner' wrote: the outer product of the lists, theta fastest.  err covers the\n"
            "transform (two Filon degrees) and what the file lost, not the builder's error,\n"
            "which 'point' estimates.",
        .options = options};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 1, &j.path);
    if (go != CLI_GO) return go;
    cgct_status st = transform(&j, &err);
    free(j.q.v);
    free(j.k1.v);
    free(j.theta.v);
    return st == CGCT_OK ? cli_finish_stdout(&spec) : cli_fail(&spec, st, &err);
}
