/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 'cgctab-generate three': F(k,p,q) of an integrand, from the options to a table of values and a
 * file of modes. */
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common.h"
#include "cuda/three_cuda.h"
#include "format/crc64.h"
#include "format/safe_text.h"
#include "format/tmpfile.h"
#include "numerics/grid.h"
#include "three/gaussian_family.h"
#include "three/three_user.h"

enum { AXES = 3, POINT_AXES = THREE_PAR }; /* k p q; with phi_p phi_q */
enum { GAUSSIAN_PARAMS = 6 };              /* a, b0, c, g1, g2, g3 */
#define GIB 1073741824.0

/* What --integrand, --params and --backend name, ready to be called or run on a device. */
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
} named_integrand;

typedef struct {
    const char *typed[POINT_AXES]; /* k p q phi_p phi_q */
    const char *output, *from;
    const char *modes, *angles, *nodes, *last, *degree, *memory, *jobs, *checkpoint;
    char *state; /* the checkpoint behind symbolic links */
    int resume, quiet;
    number_list at[POINT_AXES]; /* their values */
    double *node[AXES];
    named_integrand integrand;
    three_opts o;
    three_report report;
    double start;
    int shown; /* tenths of the work already reported */
} three_job;

/* ---- the integrand ---- */

/* The family of par[GAUSSIAN_PARAMS]; E_USAGE for another number. */
static cgct_status take_gaussian(gaussian_family *to, size_t npar, const double *v, cgct_err *err)
{
    if (npar != GAUSSIAN_PARAMS)
        return cgct_fail(err, CGCT_E_USAGE, "--params: %zu numbers, gaussian takes a,b0,c,g1,g2,g3",
                         npar);
    *to = (gaussian_family){v[0], v[1], v[2], v[3], v[4], v[5]};
    return gaussian_check(to, err);
}

static cgct_status open_shared_object(named_integrand *c, cgct_err *err)
{
    const char *path = c->integrand;
    char file[4096]; /* dlopen looks elsewhere for a name without a slash */
    if ((size_t)snprintf(file, sizeof file, "%s%s", strchr(path, '/') ? "" : "./", path) >=
        sizeof file)
        return cgct_fail(err, CGCT_E_IO, "%.60s...: name longer than %zu bytes", path, sizeof file);
    c->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!c->library)
        return cgct_fail(err, CGCT_E_IO, "--integrand: %s; give gaussian, FILE.so or FILE.cu",
                         dlerror());
    const three_library *l = dlsym(c->library, "cgct_three_library");
    if (!l)
        return cgct_fail(err, CGCT_E_IO,
                         "%s: no symbol cgct_three_library; end the source with "
                         "THREE_INTEGRAND(...) of three_user.h",
                         path);
    if (l->version != THREE_LIBRARY_VERSION)
        return cgct_fail(err, CGCT_E_VERSION,
                         "%s: made with version %d of three_user.h, this program needs %d; compile "
                         "it again",
                         path, l->version, THREE_LIBRARY_VERSION);
    if (l->nparam < 0 || (size_t)l->nparam != c->par.n)
        return cgct_fail(err, CGCT_E_DOMAIN, "%s: takes %d parameters, %zu are given; give as many",
                         path, l->nparam, c->par.n);
    c->g = (three_integrand){.self = c->par.v,
                             .is_complex = l->is_complex != 0,
                             .is_symmetric = l->is_symmetric != 0,
                             .block = l->block};
    return CGCT_OK;
}

static void print_compile_error(const char *line)
{
    cli_say("three", "%s", line);
}

/* CRC-64 of the file, so that a checkpoint of an edited integrand is refused. */
static cgct_status integrand_file_crc(const char *path, uint64_t *crc, cgct_err *err)
{
    cgct_crc64_table table;
    unsigned char bytes[4096];
    size_t n;
    FILE *f = fopen(path, "rb");
    if (!f) return cgct_fail(err, CGCT_E_IO, "%s: %s", path, strerror(errno));
    cgct_crc64_init(&table);
    *crc = 0;
    while ((n = fread(bytes, 1, sizeof bytes, f)) > 0) *crc = cgct_crc64(&table, *crc, bytes, n);
    int bad = ferror(f);
    fclose(f);
    return bad ? cgct_fail(err, CGCT_E_IO, "%s: cannot be read", path) : CGCT_OK;
}

static cgct_status name_integrand(named_integrand *c, cgct_err *err)
{
    uint64_t crc = 0;
    size_t room = sizeof c->name, n;
    if (!c->is_gaussian) CGCT_TRY(integrand_file_crc(c->integrand, &crc, err));
    n = (size_t)snprintf(c->name, room, "%s", c->integrand);
    if (!c->is_gaussian && n < room)
        n += (size_t)snprintf(c->name + n, room - n, " [%016llx]", (unsigned long long)crc);
    for (size_t i = 0; i < c->par.n && n < room; i++)
        n += (size_t)snprintf(c->name + n, room - n, " %.17g", c->par.v[i]);
    if (n >= room)
        return cgct_fail(err, CGCT_E_USAGE,
                         "--integrand and --params: %zu characters together, %zu allowed", n, room);
    c->g.name = c->name;
    return CGCT_OK;
}

/* A text runs on a device, a shared object on the processor, gaussian on both. */
static cgct_status choose_machine(const named_integrand *c, int *device, cgct_err *err)
{
    const char *suffix = strrchr(c->integrand, '.');
    int is_text = suffix && !strcmp(suffix, ".cu");
    *device = c->backend ? !strcmp(c->backend, "cuda") : is_text;
    if (c->backend && !*device && strcmp(c->backend, "cpu"))
        return cgct_fail(err, CGCT_E_USAGE, "--backend '%s'; known are cpu, cuda", c->backend);
    if (is_text && !*device)
        return cgct_fail(
            err, CGCT_E_USAGE,
            "--backend cpu: %s is source code; compile it to a shared object (how: see "
            "three_user.h)",
            c->integrand);
    if (*device && !is_text && strcmp(c->integrand, "gaussian"))
        return cgct_fail(err, CGCT_E_USAGE,
                         "--backend cuda: %s is not source code; give gaussian or FILE.cu",
                         c->integrand);
    return CGCT_OK;
}

/* gaussian, FILE.so or FILE.cu.  Compilation errors of a FILE.cu are printed, one line each.  Close
 * also after a failure. */
static cgct_status open_integrand(named_integrand *c, cgct_err *err)
{
    int device;
    if (!c->integrand)
        return cgct_fail(err, CGCT_E_USAGE, "--integrand is missing: gaussian, FILE.so or FILE.cu");
    CGCT_TRY(choose_machine(c, &device, err));
    c->is_gaussian = !strcmp(c->integrand, "gaussian");
    const char *params = c->params ? c->params : c->is_gaussian ? "1,1,1,0.5,0.5,0.5" : NULL;
    if (params) CGCT_TRY(cli_numbers("params", params, "", "", &c->par, err));
    if (c->is_gaussian) {
        CGCT_TRY(take_gaussian(&c->family, c->par.n, c->par.v, err));
        c->g = gaussian_integrand(&c->family);
    }
    if (device) {
        three_source source = {.path = c->integrand, .report = print_compile_error};
        if (c->is_gaussian) source.text = text_three_gaussian_cu;
        CGCT_TRY(three_cuda_open(&c->cuda, &source, c->par.n, c->par.v, &c->g, &c->engine, err));
    } else if (!c->is_gaussian)
        CGCT_TRY(open_shared_object(c, err));
    return name_integrand(c, err);
}

static void close_integrand(named_integrand *c)
{
    free(c->par.v);
    if (c->library) dlclose(c->library);
    three_cuda_close(c->cuda);
}

/* ---- options ---- */

/* One number for each of Delta, r' and b, or one for all. */
static cgct_status get_numbers(const char *name, const char *text, const char *range,
                               int is_integer, double v[AXES], cgct_err *err)
{
    number_list l = {0, NULL, 0};
    cgct_status st = cli_numbers(name, text, range, "", &l, err);
    if (st == CGCT_OK && l.n != 1 && l.n != AXES)
        st = cgct_fail(err, CGCT_E_USAGE, "--%s: %zu numbers, want 1 or 3 (Delta, r', b)", name,
                       l.n);
    for (size_t i = 0; st == CGCT_OK && i < AXES; i++) {
        v[i] = l.v[l.n == 1 ? 0 : i];
        if (is_integer && v[i] != floor(v[i]))
            st = cgct_fail(err, CGCT_E_USAGE, "--%s: %g is not an integer", name, v[i]);
    }
    free(l.v);
    return st;
}

/* List number i of k p q phi_p phi_q. */
static cgct_status get_point_axis(three_job *j, int i, cgct_err *err)
{
    static const char *const names[POINT_AXES] = {"k", "p", "q", "phi-p", "phi-q"};
    int is_angle = i >= AXES;
    return cli_numbers(names[i], j->typed[i], is_angle ? "[-10,10]" : "[0,1e3]",
                       is_angle ? "rad" : "GeV", &j->at[i], err);
}

static cgct_status get_axes(three_job *j, cgct_err *err)
{
    three_axis *axes[AXES] = {&j->o.delta, &j->o.rp, &j->o.b};
    double n[AXES], last[AXES];
    CGCT_TRY(get_numbers("nodes", j->nodes ? j->nodes : "320", "[9,100000]", 1, n, err));
    CGCT_TRY(get_numbers("last", j->last ? j->last : "10", "(0,1e4]", 0, last, err));
    for (int i = 0; i < POINT_AXES; i++) CGCT_TRY(get_point_axis(j, i, err));
    for (int i = 0; i < AXES; i++) {
        CGCT_TRY(grid_power(GRID_UNIFORM, (size_t)n[i], last[i], &j->node[i], err));
        *axes[i] = (three_axis){
            .n = (size_t)n[i], .node = j->node[i], .nmom = j->at[i].n, .mom = j->at[i].v};
    }
    return CGCT_OK;
}

static cgct_status get_opts(three_job *j, cgct_err *err)
{
    double modes, angles, degree, memory, jobs = 0;
    CGCT_TRY(cli_integer("modes", j->modes ? j->modes : "25", "[0,256]", "", &modes, err));
    CGCT_TRY(cli_integer("angles", j->angles ? j->angles : "64", "[1,4096]", "", &angles, err));
    CGCT_TRY(cli_integer("degree", j->degree ? j->degree : "8", "[4,8]", "", &degree, err));
    CGCT_TRY(cli_number("memory", j->memory ? j->memory : "4", "(0,1e4]", "GiB", &memory, err));
    if (j->jobs) CGCT_TRY(cli_integer("jobs", j->jobs, "[1,1024]", "threads", &jobs, err));
    CGCT_TRY(cli_threads((int)jobs, err));
    j->o.modes = (int)modes;
    j->o.nphi = (int)angles;
    j->o.degree = (int)degree;
    j->o.bytes = (size_t)fmax(1, memory * GIB); /* 0 is the default */
    if (j->checkpoint) CGCT_TRY(cgct_output_path(j->checkpoint, &j->state, err));
    j->o.checkpoint = j->state;
    j->o.resume = j->resume;
    if (j->output) {
        size_t n[THREE_LISTS] = {[THREE_PAR] = j->integrand.par.n};
        for (int i = 0; i < POINT_AXES; i++) n[i] = j->at[i].n;
        CGCT_TRY(three_check_lengths(j->output, n, err));
    }
    if (j->resume && !j->checkpoint)
        return cgct_fail(err, CGCT_E_USAGE, "--resume needs --checkpoint FILE");
    if (j->output && j->checkpoint && cgct_same_output(j->output, j->checkpoint))
        return cgct_fail(err, CGCT_E_USAGE, "-o %s: is the checkpoint; name another file",
                         j->output);
    if (j->checkpoint && !j->resume && !access(j->checkpoint, F_OK))
        return cgct_fail(err, CGCT_E_USAGE,
                         "--checkpoint %s: exists; --resume continues its run, or remove it",
                         j->checkpoint);
    return CGCT_OK;
}

/* That no output is the integrand. */
static cgct_status check_outputs(const three_job *j, cgct_err *err)
{
    const char *const given[][2] = {{"-o", j->output}, {"--checkpoint", j->checkpoint}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i][1] && !j->integrand.is_gaussian &&
            cgct_same_file(given[i][1], j->integrand.integrand))
            return cgct_fail(err, CGCT_E_USAGE, "%s %s: is the integrand; name another file",
                             given[i][0], given[i][1]);
    return CGCT_OK;
}

/* ---- values ---- */

/* At the outer product of the five lists of h, with exact values of the family unless that is NULL.
 * Returns the largest |F - exact| divided by the largest |F|; NaN without a family. */
static double print_three_values(const three_head *h, const gaussian_family *family,
                                 const three_momentum *t)
{
    double top = 0, off = 0;
    size_t n = 1, at[POINT_AXES];
    for (int i = 0; i < POINT_AXES; i++) n *= h->n[i];
    printf("# k p q phi_p phi_q Re_F Im_F err%s\n", family ? " exact diff" : "");
    for (size_t i = 0; i < n; i++) {
        double v[POINT_AXES], F[2], error, exact = NAN;
        size_t rest = i;
        for (int a = POINT_AXES - 1; a >= 0; a--) {
            at[a] = rest % h->n[a];
            v[a] = h->list[a][at[a]];
            rest /= h->n[a];
        }
        const three_momenta point = {at[0], at[1], at[2], v[3], v[4]};
        three_momentum_value(t, &point, F, &error);
        if (family) exact = gaussian_F(family, v[0], v[1], v[2], v[3], v[4]);
        for (int a = 0; a < POINT_AXES; a++) printf("%.17g ", v[a]);
        printf("%.17g %.17g %.3g", F[0], F[1], error);
        if (family) printf(" %.17g %.3g", exact, F[0] - exact);
        putchar('\n');
        top = fmax(top, hypot(F[0], F[1]));
        off = fmax(off, hypot(F[0] - exact, F[1]));
    }
    return family ? off / top : NAN;
}

/* ---- values from a file ---- */

/* A file holds the modes: only angles can still be chosen. */
static cgct_status check_from_alone(const three_job *j, cgct_err *err)
{
    const named_integrand *g = &j->integrand;
    const char *const others[] = {g->integrand, g->params, g->backend, j->typed[0],   j->typed[1],
                                  j->typed[2],  j->modes,  j->angles,  j->nodes,      j->last,
                                  j->degree,    j->memory, j->jobs,    j->checkpoint, j->output};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i] || j->resume)
            return cgct_fail(err, CGCT_E_USAGE,
                             "--from FILE goes with --phi-p, --phi-q and --quiet only; the rest is "
                             "in the file");
    return CGCT_OK;
}

/* With the angles that were typed in place of those in the file. */
static cgct_status print_file_values(three_job *j, three_head h, const three_momentum *t,
                                     cgct_err *err)
{
    const gaussian_family *family = NULL;
    for (int i = AXES; i < POINT_AXES; i++) {
        if (!j->typed[i]) continue;
        CGCT_TRY(get_point_axis(j, i, err));
        h.n[i] = j->at[i].n;
        h.list[i] = j->at[i].v;
    }
    if (!strcmp(h.integrand, "gaussian") && h.n[THREE_PAR] == GAUSSIAN_PARAMS) {
        CGCT_TRY(take_gaussian(&j->integrand.family, h.n[THREE_PAR], h.list[THREE_PAR], err));
        family = &j->integrand.family;
    }
    print_three_values(&h, family, t);
    return CGCT_OK;
}

static cgct_status print_from_file(three_job *j, cgct_err *err)
{
    three_momentum *t;
    three_head h;
    void *memory;
    CGCT_TRY(check_from_alone(j, err));
    cgct_status st = three_momentum_load(j->from, &t, &h, &memory, err);
    if (st == CGCT_OK && !j->quiet) {
        char parameters[512] = " none";
        for (size_t i = 0, n = 0; i < h.n[THREE_PAR] && n < sizeof parameters; i++)
            n += (size_t)snprintf(parameters + n, sizeof parameters - n, "%s%g", i ? "," : " ",
                                  h.list[THREE_PAR][i]);
        safe_line(stderr, "%s: %s, parameters%s; %s; by %s", j->from, h.integrand, parameters,
                  h.settings, h.generator);
    }
    if (st == CGCT_OK) st = print_file_values(j, h, t, err);
    three_momentum_free(t);
    free(memory);
    return st;
}

/* ---- a run ---- */

static int show_steps(void *self, size_t done, size_t total)
{
    three_job *j = self;
    double part = (double)done / (double)total, seconds = omp_get_wtime() - j->start;
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

static cgct_status print_and_save(const three_job *j, const three_momentum *t, cgct_err *err)
{
    char program[64], settings[256];
    const three_opts *o = &j->o;
    const named_integrand *g = &j->integrand;
    cli_program(program, sizeof program);
    snprintf(settings, sizeof settings,
             "M = %d, %d angles, degree %d, nodes of Delta, r', b: %zu to %g, %zu to %g, %zu to %g "
             "/GeV; %s",
             o->modes, o->nphi, o->degree, o->delta.n, o->delta.node[o->delta.n - 1], o->rp.n,
             o->rp.node[o->rp.n - 1], o->b.n, o->b.node[o->b.n - 1],
             g->cuda ? three_cuda_device(g->cuda) : "cpu");
    three_head head = {.generator = program, .integrand = g->integrand, .settings = settings};
    for (int i = 0; i < THREE_LISTS; i++) {
        const number_list *from = i < POINT_AXES ? &j->at[i] : &g->par;
        head.n[i] = from->n;
        head.list[i] = from->v;
    }
    double off = print_three_values(&head, g->is_gaussian ? &g->family : NULL, t);
    if (!j->quiet) print_summary(j, off);
    return j->output ? three_momentum_save(j->output, t, &head, err) : CGCT_OK;
}

static cgct_status run_transform(three_job *j, cgct_err *err)
{
    three_momentum *t = NULL;
    CGCT_TRY(open_integrand(&j->integrand, err));
    CGCT_TRY(get_axes(j, err));
    CGCT_TRY(check_outputs(j, err));
    CGCT_TRY(get_opts(j, err));
    j->o.engine = j->integrand.engine;
    if (j->output) CGCT_TRY(cli_check_writable(j->output, err));
    j->start = omp_get_wtime();
    if (!j->quiet) {
        j->o.progress = show_steps;
        j->o.progress_self = j;
    }
    cgct_status st = three_momentum_run(&t, &j->o, &j->integrand.g, &j->report, err);
    if (st == CGCT_OK) st = print_and_save(j, t, err);
    if (st == CGCT_OK && j->state && !fflush(stdout) && !ferror(stdout)) unlink(j->state);
    three_momentum_free(t);
    return st;
}

int cli_three(int argc, char **argv)
{
    three_job j = {0};
    named_integrand *g = &j.integrand;
    const command_option options[] = {
        {"--integrand", 0, OPTION_TEXT, &g->integrand, "gaussian|FILE.so|FILE.cu",
         "G(Delta,r',b,alpha,beta)"},
        {"--backend", 0, OPTION_TEXT, &g->backend, "cpu|cuda", "where; a FILE.cu needs cuda"},
        {"--params", 0, OPTION_TEXT, &g->params, "LIST",
         "its parameters; gaussian: a,b0,c,g1,g2,g3"},
        {"--k", 0, OPTION_TEXT, &j.typed[0], "LIST", "|k|, GeV, with Delta; k is along phi = 0"},
        {"--p", 0, OPTION_TEXT, &j.typed[1], "LIST", "|p|, GeV, with r'"},
        {"--q", 0, OPTION_TEXT, &j.typed[2], "LIST", "|q|, GeV, with b"},
        {"--phi-p", 0, OPTION_TEXT, &j.typed[3], "LIST", "azimuths of p, radian"},
        {"--phi-q", 0, OPTION_TEXT, &j.typed[4], "LIST", "azimuths of q, radian"},
        {"--output", 'o', OPTION_TEXT, &j.output, "FILE", "keep the modes, too (.cgc3)"},
        {"--from", 0, OPTION_TEXT, &j.from, "FILE", "print from such a file, at any phi-p, phi-q"},
        {"--modes", 0, OPTION_TEXT, &j.modes, "M", "angular orders |m|, |n| <= M [25]"},
        {"--angles", 0, OPTION_TEXT, &j.angles, "N",
         "samples of each angle, > 2M, better 2M + 14 [64]"},
        {"--nodes", 0, OPTION_TEXT, &j.nodes, "N|N,N,N", "nodes of Delta, r', b [320]"},
        {"--last", 0, OPTION_TEXT, &j.last, "R|R,R,R", "last nodes, 1/GeV; the first is 0 [10]"},
        {"--degree", 0, OPTION_TEXT, &j.degree, "D", "of the local polynomials, 4 to 8 [8]"},
        {"--memory", 0, OPTION_TEXT, &j.memory, "GIB", "budget, GiB [4]"},
        {"--checkpoint", 0, OPTION_TEXT, &j.checkpoint, "FILE",
         "state after each step; gone at the end"},
        {"--resume", 0, OPTION_FLAG, &j.resume, NULL, "continue from that file"},
        {"--jobs", 'j', OPTION_TEXT, &j.jobs, "N", "threads [all]"},
        {"--quiet", 0, OPTION_FLAG, &j.quiet, NULL, "no progress, no summary"},
        {.name = NULL}};
    const cli_spec spec = {
        .name = "three",
        .synopsis = "--integrand G --k LIST --p LIST --q LIST --phi-p LIST --phi-q LIST",
        .doc =
            "Prints k p q phi_p phi_q Re_F Im_F err (and exact diff: gaussian), phi_q fastest, of\n"
            "F = int d2Delta d2r' d2b exp[i (k.Delta + p.r' + q.b)] G(Delta,r',b,alpha,beta),\n"
            "alpha = angle(Delta,r'), beta = angle(b,r').  gaussian is exp(-a Delta^2 - b0 r'^2\n"
            "- c b^2 + g1 Delta r' cos alpha + g2 r' b cos beta + g3 Delta b cos(alpha-beta)).\n"
            "err is an estimate, of grids and of the angular orders beyond M; what too few angles\n"
            "do is not in it.",
        .options = options};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    cgct_status st = j.from ? print_from_file(&j, &err) : run_transform(&j, &err);
    for (int i = 0; i < POINT_AXES; i++) free(j.at[i].v);
    for (int i = 0; i < AXES; i++) free(j.node[i]);
    free(j.state);
    close_integrand(g);
    return cli_end(&spec, st, &err);
}
