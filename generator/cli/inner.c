/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The subcommands of inner tables: `inner` writes one, `transform` reads it and prints the cross
 * section, `backends` lists the builders. */

#include "cli/common.h"
#include "cli/progress.h"
#include "cuda/builders.h"
#include "format/safe_text.h"
#include "inner/archive.h"
#include "node/hankel.h"
#include "numerics/blas.h"

/* ---- inner ---- */

typedef struct {
    cli_task task;
    const char *output, *bound;
} inner_job;

static cgct_status make_inner_table(inner_job *j, cgct_err *err)
{
    cli_task *t = &j->task;
    double bound = 0;
    if (!j->output) return cgct_fail(err, CGCT_E_USAGE, "no output file: give -o FILE");
    CGCT_TRY(cli_task_config(t, err));
    if (t->card.run.forward)
        return cgct_fail(err, CGCT_E_USAGE, "correlator.process = %s: want dis, qg or gg",
                         t->card.dipole.process);
    const backend_set builders = cuda_backends(NULL);
    archive_task task = {.settings = &t->card.run.node.inner, .builders = &builders};
    CGCT_TRY(cli_number("x", t->x_text, "(0,1]", "", &task.x, err));
    CGCT_TRY(cli_number("eps", t->eps_text, "[1e-2,1e2]", "GeV", &task.eps, err));
    CGCT_TRY(cli_number("q-max", t->q_text, "(0,1e3]", "GeV", &task.q_max, err));
    CGCT_TRY(cli_number("k1-max", t->k1_text, "(0,1e3]", "GeV", &task.k_max, err));
    if (j->bound) CGCT_TRY(cli_number("error", j->bound, "[0,1e-2]", "", &bound, err));
    CGCT_TRY(cli_task_dipole(t, 1, &task.x, err));
    task.source = t->source;
    CGCT_TRY(cli_check_not_read(t, j->output, err));
    CGCT_TRY(cli_check_writable(j->output, err));
    archive a;
    CGCT_TRY(archive_build(&a, &task, err));
    cli_report_fallback("inner", a.fallback, a.backend);
    char generator[64];
    cli_program(generator, sizeof generator);
    archive_save_opts o = {generator, t->source->describe, a.backend, t->card.text, bound};
    cgct_status st = archive_save(&a, j->output, &o, err);
    const inner_table *of = &a.table;
    if (st == CGCT_OK)
        safe_line(stdout,
                  "%s: %zu modes to m = %d, Delta %zu to %g /GeV, R %zu to %g /GeV; largest error "
                  "T %.1e, L %.1e of the largest entry",
                  j->output, of->nm, of->m[of->nm - 1], of->nd, of->delta[of->nd - 1], of->nr,
                  of->r[of->nr - 1], a.measured[POL_T] / a.largest[POL_T],
                  a.measured[POL_L] / a.largest[POL_L]);
    archive_free(&a);
    return st;
}

int cli_inner(int argc, char **argv)
{
    inner_job j = {0};
    cli_task *t = &j.task;
    const command_option options[] = {
        {"--output", 'o', OPTION_TEXT, &j.output, "FILE", "archive to write (.cgci)"},
        CLI_DIPOLE_OPTION(t),
        {"--x", 0, OPTION_TEXT, &t->x_text, "X", "momentum fraction"},
        {"--eps", 0, OPTION_TEXT, &t->eps_text, "E", "sqrt(z(1-z) Q^2 + m^2) in GeV"},
        {"--q-max", 0, OPTION_TEXT, &t->q_text, "Q", "largest q that will be asked for, GeV"},
        {"--k1-max", 0, OPTION_TEXT, &t->k1_text, "K", "largest k1 that will be asked for, GeV"},
        {"--error", 0, OPTION_TEXT, &j.bound, "REL",
         "error allowed, of the largest entry; 0: none"},
        CLI_CARD_OPTIONS(t),
        {"--backend", 0, OPTION_TEXT, &t->backend, "NAME", "builder of the inner table"},
        {"--frame", 0, OPTION_TEXT, &t->frame, "LAM", "frame, 0 to 1 (inner.lam)"},
        {.name = NULL}};
    const cli_spec spec = {
        .name = "inner",
        .synopsis = "--dipole D --x X --eps E --q-max Q --k1-max K -o FILE.cgci [options]",
        .doc =
            "Writes the inner table G_m(Delta,R), which holds no momenta; 'transform' reads it.\n"
            "By default every number is kept.  An error of 1e-9 makes the file many times\n"
            "smaller, and is felt where I is small: see the err columns of 'transform'.",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    cgct_status st = make_inner_table(&j, &err);
    cli_task_free(t);
    return cli_end(&spec, st, &err);
}

/* ---- transform ---- */

static cgct_status print_transform(const cli_task *t, const archive *a, cgct_err *err)
{
    stored_modes modes;
    double I[NPOL], error[NPOL];
    const size_t n = t->q.n * t->k1.n * t->theta.n;
    CGCT_TRY(stored_modes_init(&modes, a, t->q.n, t->q.v, err));
    cgct_status st = CGCT_OK;
    /* so that nothing is printed if k1 is too large */
    for (size_t i = 0; i < t->k1.n && st == CGCT_OK; i++)
        st = stored_modes_point(&modes, 0, t->k1.v[i], t->theta.v[0], I, error, err);
    if (st == CGCT_OK) puts("# x eps q k1 theta I_T err_T I_L err_L");
    for (size_t i = 0; i < n && st == CGCT_OK; i++) {
        const size_t iq = i / t->theta.n / t->k1.n;
        const double k1 = t->k1.v[i / t->theta.n % t->k1.n], theta = t->theta.v[i % t->theta.n];
        st = stored_modes_point(&modes, iq, k1, theta, I, error, err);
        if (st == CGCT_OK)
            printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", a->x, a->table.eps,
                   t->q.v[iq], k1, theta, I[POL_T], error[POL_T], I[POL_L], error[POL_L]);
    }
    stored_modes_free(&modes);
    return st;
}

static cgct_status transform_inner_table(cli_task *t, const char *path, cgct_err *err)
{
    archive a;
    double jobs = 0;
    if (!path) return cgct_fail(err, CGCT_E_USAGE, "FILE.cgci is missing");
    CGCT_TRY(cli_numbers("q", t->q_text, "", "", &t->q, err));
    CGCT_TRY(cli_numbers("k1", t->k1_text, "", "", &t->k1, err));
    CGCT_TRY(cli_numbers("theta", t->theta_text, "", "", &t->theta, err));
    if (t->jobs) CGCT_TRY(cli_integer("jobs", t->jobs, "[1,1024]", "threads", &jobs, err));
    CGCT_TRY(cli_threads((int)jobs, err));
    CGCT_TRY(archive_load(&a, path, err));
    cgct_status st = print_transform(t, &a, err);
    if (st != CGCT_OK) st = cgct_context(err, st, "%s", path);
    archive_free(&a);
    return st;
}

int cli_transform(int argc, char **argv)
{
    cli_task t = {0};
    const char *path = NULL;
    const command_option options[] = {CLI_MOMENTUM_OPTIONS(&t),
                                      {"--jobs", 'j', OPTION_TEXT, &t.jobs, "N", "threads"},
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
    int go = cli_parse(&spec, argc, argv, 1, &path);
    if (go != CLI_GO) return go;
    cgct_status st = transform_inner_table(&t, path, &err);
    cli_task_free(&t);
    return cli_end(&spec, st, &err);
}

/* ---- backends ---- */

static void print_device(void)
{
    cgct_err err = {""};
    device_info d;
    int n;
    cgct_status st = device_count(&n, &err);
    if (st != CGCT_OK) printf("device: none (%s)\n", err.text);
    for (int i = 0; i < n; i++) {
        if (device_probe(i, &d, &err) != CGCT_OK) {
            printf("device %d: not usable (%s)\n", i, err.text);
            continue;
        }
        printf(
            "device %d: %s, compute capability %d.%d, %d multiprocessors, %.1f of %.1f GiB free, "
            "CUDA driver %d.%d, runtime %d.%d\n",
            i, d.name, d.major, d.minor, d.multiprocessors, (double)d.bytes_free / (1 << 30),
            (double)d.bytes_total / (1 << 30), d.driver / 1000, d.driver % 1000 / 10,
            d.runtime / 1000, d.runtime % 1000 / 10);
    }
}

static cgct_status print_backends(const char *devices, cgct_err *err)
{
    const backend_set all = cuda_backends(NULL);
    for (const backend *const *b = all.row; *b; b++) {
        cgct_err why = {""};
        cgct_status st = backend_usable(*b, &all, devices, &why);
        int no = st != CGCT_OK;
        if (st == CGCT_E_CONFIG) return cgct_fail(err, st, "%s", why.text);
        printf("%-16s %s%s%s  %s\n", (*b)->name, no ? "unavailable (" : "available",
               no ? why.text : "", no ? ")" : "", (*b)->doc);
    }
    return CGCT_OK;
}

int cli_backends(int argc, char **argv)
{
    cli_task task = {.dipole = "gbw"};
    const command_option options[] = {{"--device", 0, OPTION_TEXT, &task.device, "LIST",
                                       "the CUDA devices that are asked; default 0"},
                                      {.name = NULL}};
    const cli_spec spec = {.name = "backends",
                           .synopsis = "[--device LIST]",
                           .doc = "Lists the builders of the inner table: name, available or why "
                                  "not, what it does.\n'auto' takes the last that is available.  "
                                  "Then the library of matrix products\nwith its kernels, and "
                                  "the devices.",
                           .options = options};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    cgct_status st = cli_task_config(&task, &err);
    if (st == CGCT_OK) st = print_backends(task.card.run.node.inner.device, &err);
    if (st == CGCT_OK) {
        const int no = blas_open(1, &err) != CGCT_OK;
        printf("%-16s %s%s%s\n", "BLAS", no ? "none (" : blas_describe(), no ? err.text : "",
               no ? ")" : "");
        print_device();
    }
    cli_task_free(&task);
    return cli_end(&spec, st, &err);
}
