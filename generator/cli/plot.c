/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 'cgctab-generate plot', as data and picture: dipole, N(r) at some x and Qs(x) of any dipole; vn,
 * v_2 and v_4 of the angle between K and q, of I and of its limits. */
#include "cli/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda/builders.h"
#include "format/gnuplot.h"
#include "format/safe_text.h"
#include "node/reference.h"
#include "numerics/memory.h"

/* ---- folder, data and script of a picture ---- */

enum { PATH_TEXT = 4096, SUBJECT = 110 }; /* bytes; SUBJECT: of a dipole's description above it */

cgct_status picture_make_folder(const char *dir, cgct_err *err)
{
    struct stat st;
    if (!strcmp(dir, "-")) return cgct_fail(err, CGCT_E_USAGE, "-o -: want a folder");
    if (!mkdir(dir, 0777) || (errno == EEXIST && !stat(dir, &st) && S_ISDIR(st.st_mode)))
        return CGCT_OK;
    return cgct_fail(err, CGCT_E_IO, "%s: cannot be made a folder: %s", dir, strerror(errno));
}

cgct_status picture_open(const char *dir, const char *name, const char *heading, cgct_textfile *f,
                         cgct_err *err)
{
    char path[PATH_TEXT];
    if (snprintf(path, PATH_TEXT, "%s/%s", dir, name) >= PATH_TEXT)
        return cgct_fail(err, CGCT_E_USAGE, "folder name longer than %d bytes", PATH_TEXT);
    CGCT_TRY(cgct_textfile_open(f, path, err));
    if (heading) fprintf(f->f, "%s\n", heading);
    return CGCT_OK;
}

/* The description of a dipole begins with the kind and its parameters, and its end would not fit
 * above a picture. */
cgct_status picture_begin(const char *dir, const dipole_source *source, const char *name,
                          cgct_textfile *script, cgct_err *err)
{
    char file[64], subject[SUBJECT + 1];
    const char *text = source->describe;
    snprintf(file, sizeof file, "%s.gp", name);
    CGCT_TRY(picture_open(dir, file, NULL, script, err));
    fprintf(script->f, "subject = '%s%s'\n%s",
            safe_copy(SAFE_GNUPLOT, text, subject, sizeof subject),
            strlen(text) > SUBJECT ? " ..." : "", text_common_gp);
    return CGCT_OK;
}

cgct_status picture_end(const char *dir, const char *name, cgct_textfile *script, const char *text,
                        cgct_err *err)
{
    char path[PATH_TEXT];
    fputs(text, script->f);
    CGCT_TRY(cgct_textfile_close(script, CGCT_OK, err));
    if (gnuplot_missing()) {
        safe_line(stdout, "   no picture: gnuplot is not there; with it, run 'gnuplot %s.gp' in %s",
                  name, dir);
        return CGCT_OK;
    }
    snprintf(path, sizeof path, "%s/%s.gp", dir, name);
    int fd = open(path, O_RDONLY);
    cgct_status st = gnuplot_run(dir, fd, STDOUT_FILENO, err);
    close(fd);
    if (st != CGCT_OK) return cgct_context(err, st, "%s", path);
    snprintf(path, sizeof path, "%s/%s.png", dir, name);
    fd = open(path, O_RDONLY);
    st = gnuplot_check(fd, PICTURE_PNG, path, err);
    close(fd);
    if (st != CGCT_OK)
        remove(path);
    else
        safe_line(stdout, "   %s", path);
    return st;
}

/* ---- dipole ---- */

enum { NODES = 300, SATURATION_NODES = 41 };
/* r from SMALL/Qs to LARGE/Qs, with Qs of the largest and of the smallest x. */
#define SMALL 1e-2
#define LARGE 20.0

typedef struct {
    cli_task task;
    const char *dir;
    double range[2]; /* of the x, the task's points */
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
    for (size_t i = 0; i < j->task.points.n; i++)
        CGCT_TRY(write_amplitude(j, j->task.points.v.v[i], r, f, err));
    fputs("# x, Qs (GeV)\n", f);
    for (int i = 0; i < SATURATION_NODES; i++) {
        const double part = i / (SATURATION_NODES - 1.0);
        const double x = j->range[0] * pow(j->range[1] / j->range[0], part);
        CGCT_TRY(cli_smallest_Qs(j->task.source, fmin(x, j->range[1]), Qs, err));
        fprintf(f, "%.10g %.17g\n", fmin(x, j->range[1]), *Qs);
    }
    return CGCT_OK;
}

/* ---- vn ---- */

/* Angles on half a circle.  The midpoint rule converges exponentially for periodic functions; next
 * to a ridge of width w, k = q/2 say, some 10 q/w are needed. */
enum { ANGLES = 96 };

cgct_status harmonics_at(const node_tables *n, const harmonics_point *p,
                         harmonics out[HARMONICS_KINDS][NPOL], double error[NPOL], cgct_err *err)
{
    for (int i = 0; i < HARMONICS_KINDS * NPOL; i++) out[i / NPOL][i % NPOL] = (harmonics){0, 0, 0};
    error[POL_T] = error[POL_L] = 0;
    for (int j = 0; j < ANGLES; j++) {
        const double phi = M_PI * (j + 0.5) / ANGLES;
        const double along = p->K * cos(phi) + p->q / 2, across = p->K * sin(phi);
        const reference_point at = {p->q, hypot(along, across), atan2(across, along), p->eps,
                                    p->eps * p->eps};
        double I[HARMONICS_KINDS][NPOL], bound[NPOL];
        CGCT_TRY(node_point(n, p->iq, at.k1, at.theta, I[HARMONICS_FULL], bound, err));
        reference_back_to_back(&at, p->G, p->H, I[HARMONICS_TMD]);
        reference_value(&at, p->G, p->H, I[HARMONICS_ITMD]);
        for (int pol = 0; pol < NPOL; pol++) error[pol] += bound[pol] / ANGLES;
        for (int i = 0; i < HARMONICS_KINDS * NPOL; i++) {
            const double share = I[i / NPOL][i % NPOL] / ANGLES;
            harmonics *h = &out[i / NPOL][i % NPOL];
            h->mean += share;
            h->v2 += share * cos(2 * phi);
            h->v4 += share * cos(4 * phi);
        }
    }
    for (int i = 0; i < HARMONICS_KINDS * NPOL; i++) {
        out[i / NPOL][i % NPOL].v2 /= out[i / NPOL][i % NPOL].mean;
        out[i / NPOL][i % NPOL].v4 /= out[i / NPOL][i % NPOL].mean;
    }
    return CGCT_OK;
}

/* A block of lines for each K, q fastest. */
static cgct_status write_vn_blocks(const cli_task *t, const node_task *task, const double *G,
                                   FILE *f, cgct_err *err)
{
    node_tables *n = NULL;
    cgct_status st = node_compute(task, &n, NULL, NULL, err);
    for (size_t i = 0; i < t->k1.n * task->nq && st == CGCT_OK; i++) {
        const size_t iq = i % task->nq;
        const harmonics_point p = {iq,        task->q[iq], t->k1.v[i / task->nq],
                                   task->eps, G[iq],       G[task->nq + iq]};
        harmonics h[HARMONICS_KINDS][NPOL];
        double error[NPOL];
        if ((st = harmonics_at(n, &p, h, error, err)) != CGCT_OK) break;
        fprintf(f, "%.10g %.10g %.10g %.10g", task->x, p.eps, p.q, p.K);
        for (int pol = 0; pol < NPOL; pol++) {
            for (int kind = 0; kind < HARMONICS_KINDS; kind++)
                fprintf(f, " %.10g %.10g %.10g", h[kind][pol].mean, h[kind][pol].v2,
                        h[kind][pol].v4);
            fprintf(f, " %.2e", error[pol] / h[HARMONICS_FULL][pol].mean);
        }
        fputc('\n', f);
        if (iq + 1 == task->nq) fputs("\n\n", f);
    }
    node_tables_free(n);
    return st;
}

static cgct_status write_vn(cli_task *t, FILE *f, cgct_err *err)
{
    const backend_set builders = cuda_backends(NULL);
    node_task task = {.settings = &t->card.run.node,
                      .source = t->source,
                      .nq = t->q.n,
                      .q = t->q.v,
                      .builders = &builders};
    double *G = memory_new(2 * t->q.n, sizeof *G);
    for (size_t iq = 0; iq < t->q.n; iq++)
        for (size_t ik = 0; ik < t->k1.n; ik++)
            task.k_max = fmax(task.k_max, t->k1.v[ik] + t->q.v[iq] / 2);
    task.k_max *= 1 + 1e-12; /* rounding of |K + q/2| */
    cgct_status st = CGCT_OK;
    for (size_t i = 0; i < t->x.n * t->eps.n && st == CGCT_OK; i++) {
        task.x = t->x.v[i / t->eps.n];
        task.eps = t->eps.v[i % t->eps.n];
        st = node_tensor(t->source, task.x, t->q.n, t->q.v, G, G + t->q.n, err);
        if (st == CGCT_OK) st = write_vn_blocks(t, &task, G, f, err);
        if (st != CGCT_OK) cgct_context(err, st, "x = %g, eps = %g", task.x, task.eps);
    }
    free(G);
    return st;
}

/* Prints the variables of plots/vn.gp: heading states x and eps where there is one of them, and the
 * names of the blocks where there are several. */
static void print_vn_variables(const cli_task *t, FILE *to)
{
    const size_t blocks = t->x.n * t->eps.n * t->k1.n;
    double q[2];
    number_range(t->q.n, t->q.v, q);
    fprintf(to, "q_lo = %.6g\nq_hi = %.6g\nheading = '", q[0], q[1]);
    if (t->x.n == 1) fprintf(to, ", x = %.4g", t->x.v[0]);
    if (t->eps.n == 1) fprintf(to, ", ε = %.4g GeV", t->eps.v[0]);
    fprintf(to, "'\nblocks = %zu\narray name[blocks]\n", blocks);
    for (size_t i = 0; i < blocks; i++) {
        const size_t ik = i % t->k1.n, ieps = i / t->k1.n % t->eps.n, ix = i / t->k1.n / t->eps.n;
        fprintf(to, "name[%zu] = '", i + 1);
        if (t->x.n > 1) fprintf(to, "x = %.4g, ", t->x.v[ix]);
        if (t->eps.n > 1) fprintf(to, "ε = %.4g GeV, ", t->eps.v[ieps]);
        fprintf(to, "K = %.4g GeV'\n", t->k1.v[ik]);
    }
}

/* Whether data, script or picture would replace a file that is read. */
static cgct_status check_not_read(const cli_task *t, const char *dir, const char *name,
                                  cgct_err *err)
{
    static const char *const ends[] = {"dat", "gp", "png"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char path[PATH_TEXT];
        snprintf(path, sizeof path, "%s/%s.%s", dir, name, ends[i]);
        CGCT_TRY(cli_check_not_read(t, path, err));
    }
    return CGCT_OK;
}

/* DIR/vn.dat, script and picture.  The card is read; x, eps, q and K (in k1) are still text. */
static cgct_status plot_vn(cli_task *t, const char *dir, cgct_err *err)
{
    static const char data[] = "vn.dat";
    cgct_textfile to;
    CGCT_TRY(cli_numbers("x", t->x_text, "(0,1]", "", &t->x, err));
    CGCT_TRY(cli_numbers("eps", t->eps_text, "[1e-2,1e2]", "GeV", &t->eps, err));
    CGCT_TRY(cli_numbers("q", t->q_text, "(0,1e3]", "GeV", &t->q, err));
    CGCT_TRY(cli_numbers("k", t->k1_text, "[0,1e3]", "GeV", &t->k1, err));
    CGCT_TRY(cli_task_dipole(t, t->x.n, t->x.v, err));
    CGCT_TRY(cli_check_photons(t, err));
    CGCT_TRY(check_not_read(t, dir, "vn", err));
    CGCT_TRY(picture_make_folder(dir, err));
    CGCT_TRY(picture_open(dir, data,
                          "# x eps q K, then for T and for L: mean v2 v4 of I, of the back-to-"
                          "back limit, and of that with twists; bound on mean/mean of I\n"
                          "# GeV, GeV^-6; v_n = <cos(n phi)>, phi = angle(K,q), K = k1 - q/2",
                          &to, err));
    CGCT_TRY(cgct_textfile_close(&to, write_vn(t, to.f, err), err));
    CGCT_TRY(picture_begin(dir, t->source, "vn", &to, err));
    print_vn_variables(t, to.f);
    return picture_end(dir, "vn", &to, text_vn_gp, err);
}

/* ---- the subcommand ---- */

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
    const cli_column column = {"x", "(0,1]", "", t->x_text, t->card_path ? &t->card.run.x : NULL};
    CGCT_TRY(cli_points(&t->points, NULL, 1, &column, err));
    const size_t nx = t->points.n;
    const double *x = t->points.v.v;
    number_range(nx, x, j->range);
    CGCT_TRY(cli_task_dipole(t, nx, x, err));
    CGCT_TRY(check_not_read(t, j->dir, "dipole", err));
    CGCT_TRY(picture_make_folder(j->dir, err));
    CGCT_TRY(picture_open(j->dir, "dipole.dat", NULL, &to, err));
    CGCT_TRY(cgct_textfile_close(&to, write_dipole_data(j, to.f, err), err));
    CGCT_TRY(picture_begin(j->dir, t->source, "dipole", &to, err));
    fprintf(to.f, "x_lo = %.6g\nx_hi = %.6g\nxs = '", j->range[0], j->range[1]);
    for (size_t i = 0; i < nx; i++) fprintf(to.f, "%.4g ", x[i]);
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
            "the picture (gnuplot) is DIR/dipole.png, its script DIR/dipole.gp.  vn: v_2 and v_4\n"
            "of the angle between K and q, of I and of its limits, in the same way.",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 1, &kind);
    if (go != CLI_GO) return go;
    cgct_status st = plot_kind(&j, kind, &err);
    cli_task_free(&j.task);
    return cli_end(&spec, st, &err);
}
