/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

#include "format/tmpfile.h"
#include "cli/three.h"
#include "numerics/clock.h"
#include "numerics/grid.h"
#include "three/momentum_file.h"

enum { AXES = 3 };

typedef struct {
    const char *momenta[AXES], *phi_p, *phi_q;
    const char *output, *from;
    const char *modes, *angles, *nodes, *last, *degree, *memory, *jobs, *checkpoint;
    int resume, quiet;
    cli_list mom[AXES], phi[2];
    double *node[AXES];
    cli_three_integrand integrand;
    three_opts o;
    three_report report;
    double start;
    int shown; /* tenths of the work already reported */
} three_job;

/* ---- options ---- */

/* v[most]: as many numbers, or one for all; integers on request. */
static cgct_status get_numbers(const char *name, const char *text, const char *range, int integer,
                               size_t most, double *v, cgct_err *err)
{
    cli_list l = {0, NULL};
    cgct_status st = cli_three_list(name, text, range, "", &l, err);
    if (st == CGCT_OK && l.n != 1 && l.n != most)
        st = cgct_fail(err, CGCT_E_USAGE, "--%s: %zu numbers, want 1%s", name, l.n,
                       most > 1 ? " or 3 (Delta, r', b)" : "");
    for (size_t i = 0; st == CGCT_OK && i < most; i++) {
        v[i] = l.v[l.n == 1 ? 0 : i];
        if (integer && v[i] != floor(v[i]))
            st = cgct_fail(err, CGCT_E_USAGE, "--%s: %g is not an integer", name, v[i]);
    }
    free(l.v);
    return st;
}

static cgct_status get_axes(three_job *j, cgct_err *err)
{
    static const char *const names[AXES] = {"k", "p", "q"};
    three_axis *axes[AXES] = {&j->o.delta, &j->o.rp, &j->o.b};
    double n[AXES], last[AXES];
    CGCT_TRY(get_numbers("nodes", j->nodes ? j->nodes : "320", "[9,100000]", 1, AXES, n, err));
    CGCT_TRY(get_numbers("last", j->last ? j->last : "10", "(0,1e4]", 0, AXES, last, err));
    for (int i = 0; i < AXES; i++) {
        CGCT_TRY(cli_three_list(names[i], j->momenta[i], "[0,1e3]", "GeV", &j->mom[i], err));
        CGCT_TRY(grid_power(GRID_UNIFORM, (size_t)n[i], last[i], &j->node[i], err));
        *axes[i] = (three_axis){
            .n = (size_t)n[i], .node = j->node[i], .nmom = j->mom[i].n, .mom = j->mom[i].v};
    }
    CGCT_TRY(cli_three_list("phi-p", j->phi_p, "[-10,10]", "rad", &j->phi[0], err));
    return cli_three_list("phi-q", j->phi_q, "[-10,10]", "rad", &j->phi[1], err);
}

static cgct_status get_opts(three_job *j, cgct_err *err)
{
    double M, N, degree, memory, jobs;
    CGCT_TRY(get_numbers("modes", j->modes ? j->modes : "25", "[0,256]", 1, 1, &M, err));
    CGCT_TRY(get_numbers("angles", j->angles ? j->angles : "64", "[1,4096]", 1, 1, &N, err));
    CGCT_TRY(get_numbers("degree", j->degree ? j->degree : "8", "[4,8]", 1, 1, &degree, err));
    CGCT_TRY(get_numbers("memory", j->memory ? j->memory : "4", "(0,1e4]", 0, 1, &memory, err));
    if (j->jobs) {
        CGCT_TRY(get_numbers("jobs", j->jobs, "[1,1024]", 1, 1, &jobs, err));
        omp_set_num_threads((int)jobs);
    }
    j->o.modes = (int)M;
    j->o.nphi = (int)N;
    j->o.degree = (int)degree;
    j->o.bytes = (size_t)(memory * 1073741824);
    j->o.checkpoint = j->checkpoint;
    j->o.resume = j->resume;
    if (j->resume && !j->checkpoint)
        return cgct_fail(err, CGCT_E_USAGE, "--resume needs --checkpoint FILE");
    return CGCT_OK;
}

/* ---- output ---- */

static int show_progress(void *self, size_t done, size_t total)
{
    three_job *j = self;
    double part = (double)done / (double)total, seconds = clock_wall() - j->start;
    int tenth = (int)(10 * part), terminal = isatty(STDERR_FILENO);
    if (!terminal && tenth == j->shown) return 0;
    j->shown = tenth;
    fprintf(stderr, "%s%zu of %zu steps, %.0f s%s", terminal ? "\r" : "", done, total, seconds,
            terminal && done < total ? "   " : "\n");
    return 0;
}

static void print_summary(const three_job *j, double off)
{
    const three_report *r = &j->report;
    if (j->integrand.cuda) fprintf(stderr, "on %s: ", three_cuda_device(j->integrand.cuda));
    fprintf(stderr,
            "%.3g samples, %.3g floating-point operations in matrix products, %.1f s; %.0f MB; %zu "
            "q and %zu Delta at a time\n",
            r->samples, r->flop, r->seconds, 1e-6 * (double)r->bytes, r->q_group, r->delta_subset);
    if (j->integrand.is_gaussian)
        fprintf(stderr, "largest |F - exact|: %.1e of the largest |F| printed\n", off);
}

static cgct_status save(const three_job *j, const three_momentum *t, const cli_three_points *p,
                        cgct_err *err)
{
    char generator[64], settings[256];
    const three_opts *o = &j->o;
    snprintf(generator, sizeof generator, "%s %d.%d.%d", CLI_PROGRAM, CGCT_VERSION_MAJOR,
             CGCT_VERSION_MINOR, CGCT_VERSION_PATCH);
    snprintf(settings, sizeof settings,
             "M = %d, %d angles, degree %d, nodes of Delta, r', b: %zu to %g, %zu to %g, %zu to %g "
             "/GeV; %s",
             o->modes, o->nphi, o->degree, o->delta.n, o->delta.node[o->delta.n - 1], o->rp.n,
             o->rp.node[o->rp.n - 1], o->b.n, o->b.node[o->b.n - 1],
             j->integrand.cuda ? three_cuda_device(j->integrand.cuda) : "cpu");
    const cgct_three head = {.nk = p->n[0],
                             .np = p->n[1],
                             .nq = p->n[2],
                             .nphi_p = p->n[3],
                             .nphi_q = p->n[4],
                             .npar = j->integrand.par.n,
                             .k = p->v[0],
                             .p = p->v[1],
                             .q = p->v[2],
                             .phi_p = p->v[3],
                             .phi_q = p->v[4],
                             .par = j->integrand.par.v,
                             .generator = generator,
                             .integrand = j->integrand.integrand,
                             .settings = settings};
    return three_momentum_save(j->output, t, &head, err);
}

static cgct_status finish(const three_job *j, const three_momentum *t, cgct_err *err)
{
    cli_three_points p = {.family = j->integrand.is_gaussian ? &j->integrand.family : NULL};
    for (int a = 0; a < CLI_THREE_AXES; a++) {
        const cli_list *l = a < AXES ? &j->mom[a] : &j->phi[a - AXES];
        p.n[a] = l->n;
        p.v[a] = l->v;
    }
    double off = cli_three_print(&p, t);
    if (!j->quiet) print_summary(j, off);
    return j->output ? save(j, t, &p, err) : CGCT_OK;
}

/* Before the long stage, not after it. */
static cgct_status can_write(const char *path, cgct_err *err)
{
    cgct_tmpfile file = cgct_tmpfile_none();
    cgct_status st = cgct_tmpfile_open(&file, path, err);
    cgct_tmpfile_discard(&file);
    return st;
}

/* A file holds the modes: only angles can still be chosen. */
static cgct_status show(const three_job *j, cgct_err *err)
{
    const char *const others[] = {j->integrand.integrand,
                                  j->integrand.params,
                                  j->integrand.backend,
                                  j->momenta[0],
                                  j->momenta[1],
                                  j->momenta[2],
                                  j->modes,
                                  j->angles,
                                  j->nodes,
                                  j->last,
                                  j->degree,
                                  j->memory,
                                  j->jobs,
                                  j->checkpoint,
                                  j->output};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i] || j->resume)
            return cgct_fail(err, CGCT_E_USAGE,
                             "--from FILE goes with --phi-p, --phi-q and --quiet only; the rest is "
                             "in the file");
    return cli_three_show(j->from, j->phi_p, j->phi_q, j->quiet, err);
}

static cgct_status make(three_job *j, cgct_err *err)
{
    three_momentum *t = NULL;
    if (j->from) return show(j, err);
    CGCT_TRY(cli_three_integrand_open(&j->integrand, err));
    CGCT_TRY(get_axes(j, err));
    CGCT_TRY(get_opts(j, err));
    j->o.engine = j->integrand.engine;
    if (j->output) CGCT_TRY(can_write(j->output, err));
    j->start = clock_wall();
    if (!j->quiet) {
        j->o.progress = show_progress;
        j->o.progress_self = j;
    }
    cgct_status st = three_momentum_run(&t, &j->o, &j->integrand.g, &j->report, err);
    if (st == CGCT_OK) st = finish(j, t, err);
    three_momentum_free(t);
    return st;
}

static void release(three_job *j)
{
    for (int i = 0; i < AXES; i++) {
        free(j->mom[i].v);
        free(j->node[i]);
    }
    free(j->phi[0].v);
    free(j->phi[1].v);
    cli_three_integrand_close(&j->integrand);
}

int cli_three(int argc, char **argv)
{
    three_job j = {0};
    cli_three_integrand *g = &j.integrand;
    const cli_option options[] = {
        {"integrand", 0, CLI_TEXT, &g->integrand, "gaussian|FILE.so|FILE.cu",
         "G(Delta,r',b,alpha,beta)"},
        {"backend", 0, CLI_TEXT, &g->backend, "cpu|cuda", "where; a FILE.cu needs cuda"},
        {"params", 0, CLI_TEXT, &g->params, "LIST", "its parameters; gaussian: a,b0,c,g1,g2,g3"},
        {"k", 0, CLI_TEXT, &j.momenta[0], "LIST", "|k|, GeV, with Delta; k is along phi = 0"},
        {"p", 0, CLI_TEXT, &j.momenta[1], "LIST", "|p|, GeV, with r'"},
        {"q", 0, CLI_TEXT, &j.momenta[2], "LIST", "|q|, GeV, with b"},
        {"phi-p", 0, CLI_TEXT, &j.phi_p, "LIST", "azimuths of p, radian"},
        {"phi-q", 0, CLI_TEXT, &j.phi_q, "LIST", "azimuths of q, radian"},
        {"output", 'o', CLI_TEXT, &j.output, "FILE", "keep the modes, too (.cgc3)"},
        {"from", 0, CLI_TEXT, &j.from, "FILE", "print from such a file, at any phi-p, phi-q"},
        {"modes", 0, CLI_TEXT, &j.modes, "M", "angular orders |m|, |n| <= M [25]"},
        {"angles", 0, CLI_TEXT, &j.angles, "N", "samples of each angle, > 2M [64]"},
        {"nodes", 0, CLI_TEXT, &j.nodes, "N|N,N,N", "nodes of Delta, r', b [320]"},
        {"last", 0, CLI_TEXT, &j.last, "R|R,R,R", "last nodes, 1/GeV; the first is 0 [10]"},
        {"degree", 0, CLI_TEXT, &j.degree, "D", "of the local polynomials, 4 to 8 [8]"},
        {"memory", 0, CLI_TEXT, &j.memory, "GIB", "budget, GiB [4]"},
        {"checkpoint", 0, CLI_TEXT, &j.checkpoint, "FILE",
         "state after each step; gone at the end"},
        {"resume", 0, CLI_FLAG, &j.resume, NULL, "continue from that file"},
        {"jobs", 'j', CLI_TEXT, &j.jobs, "N", "threads [all]"},
        {"quiet", 0, CLI_FLAG, &j.quiet, NULL, "no progress, no summary"},
        {.name = NULL}};
    const cli_spec spec = {
        .name = "three",
        .synopsis = "--integrand G --k LIST --p LIST --q LIST --phi-p LIST --phi-q LIST",
        .doc =
            "Prints k p q phi_p phi_q Re_F Im_F err (and exact diff: gaussian), phi_q fastest, of\n"
            "F = int d2Delta d2r' d2b exp[i (k.Delta + p.r' + q.b)] G(Delta,r',b,alpha,beta),\n"
            "alpha = angle(Delta,r'), beta = angle(b,r').  gaussian is exp(-a Delta^2 - b0 r'^2\n"
            "- c b^2 + g1 Delta r' cos alpha + g2 r' b cos beta + g3 Delta b cos(alpha-beta)).",
        .options = options};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    cgct_status st = make(&j, &err);
    release(&j);
    return st == CGCT_OK ? cli_finish_stdout(&spec) : cli_fail(&spec, st, &err);
}
