/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files, pictures, tables and cross sections for the studies of validate. */
#include "cli/validate_study.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/builders.h"
#include "format/safe_text.h"
#include "node/hankel.h"
#include "numerics/clock.h"

enum {
    SETTINGS_MAX = 16,
    SETTINGS_TEXT = 1024,
    PATH_TEXT = 4096,
    SUBJECT = 110,   /* bytes of the description of a dipole above a picture */
    NO_PROGRAM = 127 /* exit status of a shell for a program that is not there */
};

/* ---- files ---- */

void validation_say(const validation *v, const char *fmt, ...)
{
    FILE *to[2] = {stdout, v->report};
    char text[4096];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    for (int i = 0; i < 2 && to[i]; i++) {
        safe_put(to[i], SAFE_LINES, text);
        fputc('\n', to[i]);
        fflush(to[i]);
    }
}

cgct_status validation_make_folder(const char *dir, cgct_err *err)
{
    struct stat st;
    if (!strcmp(dir, "-")) return cgct_fail(err, CGCT_E_USAGE, "-o -: want a folder");
    if (!mkdir(dir, 0777) || (errno == EEXIST && !stat(dir, &st) && S_ISDIR(st.st_mode)))
        return CGCT_OK;
    return cgct_fail(err, CGCT_E_IO, "%s: cannot be made a folder: %s", dir, strerror(errno));
}

cgct_status validation_open(const validation *v, const char *name, const char *heading,
                            cgct_textfile *f, cgct_err *err)
{
    char path[PATH_TEXT];
    if (snprintf(path, PATH_TEXT, "%s/%s", v->dir, name) >= PATH_TEXT)
        return cgct_fail(err, CGCT_E_USAGE, "folder name longer than %d bytes", PATH_TEXT);
    CGCT_TRY(cgct_textfile_open(f, path, err));
    if (heading) fprintf(f->f, "%s\n", heading);
    return CGCT_OK;
}

cgct_status validation_close(cgct_textfile *f, cgct_status st, cgct_err *err)
{
    cgct_err own;
    const cgct_status got = cgct_textfile_close(f, st == CGCT_E_ACCURACY ? CGCT_OK : st, &own);
    if (st != CGCT_OK || got == CGCT_OK) return st;
    return cgct_fail(err, got, "%s", own.text);
}

/* *found: 0 where there is no gnuplot. */
static cgct_status run_gnuplot_in(const char *dir, const char *script, int *found, cgct_err *err)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (!chdir(dir)) execlp("gnuplot", "gnuplot", script, (char *)NULL);
        _exit(NO_PROGRAM);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return cgct_fail(err, CGCT_E_IO, "gnuplot: %s", strerror(errno));
    *found = !WIFEXITED(status) || WEXITSTATUS(status) != NO_PROGRAM;
    if (!*found || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) return CGCT_OK;
    return cgct_fail(err, CGCT_E_IO, "%s/%s: gnuplot failed; run it by hand to see why", dir,
                     script);
}

/* gnuplot does not tell when the disk is full: a PNG ends with the chunk IEND and its checksum. */
static cgct_status check_png(const char *dir, const char *name, cgct_err *err)
{
    char path[PATH_TEXT], end[8] = "";
    snprintf(path, sizeof path, "%s/%s.png", dir, name);
    FILE *f = fopen(path, "rb");
    const int whole = f && !fseek(f, -(long)sizeof end, SEEK_END) &&
                      fread(end, sizeof end, 1, f) == 1 && !memcmp(end, "IEND", 4);
    if (f) fclose(f);
    if (whole) return CGCT_OK;
    remove(path);
    return cgct_fail(err, CGCT_E_IO,
                     "%s: gnuplot left it unfinished; is the disk full, or the size of files "
                     "limited (ulimit -f)?",
                     path);
}

/* subject = 'dipole, x = X': the description begins with the kind and its parameters, and its end
 * would not fit above a picture. */
static void put_subject(const validation *v, FILE *f)
{
    const char *text = v->source ? dipole_source_describe(v->source) : "";
    char shown[SUBJECT + 1];
    safe_copy(SAFE_GNUPLOT, text, shown, sizeof shown);
    fprintf(f, "subject = '%s%s", shown, strlen(text) > SUBJECT ? " ..." : "");
    if (v->x > 0) fprintf(f, ", x = %.4g", v->x);
    fputs("'\n", f);
}

cgct_status validation_plot(const validation *v, const char *name, const char *variables,
                            const char *script, cgct_err *err)
{
    char file[64];
    cgct_textfile to;
    int found = 1;
    snprintf(file, sizeof file, "%s.gp", name);
    CGCT_TRY(validation_open(v, file, NULL, &to, err));
    put_subject(v, to.f);
    fprintf(to.f, "%s%s%s", text_common_gp, variables, script);
    CGCT_TRY(validation_close(&to, CGCT_OK, err));
    CGCT_TRY(run_gnuplot_in(v->dir, file, &found, err));
    if (found) CGCT_TRY(check_png(v->dir, name, err));
    if (found)
        validation_say(v, "   %s/%s.png", v->dir, name);
    else
        validation_say(v, "   no picture: gnuplot is not there; with it, run 'gnuplot %s' in %s",
                       file, v->dir);
    return CGCT_OK;
}

/* ---- modes and cross sections ---- */

/* The card with the overrides "key=value key=value ..." */
static cgct_status card_with_settings(config *c, const char *settings, cgct_err *err)
{
    char text[SETTINGS_TEXT];
    const char *set[SETTINGS_MAX];
    size_t n = 0;
    snprintf(text, sizeof text, "%s", settings);
    for (char *save, *p = strtok_r(text, " ", &save); p && n < SETTINGS_MAX;
         p = strtok_r(NULL, " ", &save))
        set[n++] = p;
    return config_init(c, NULL, n, set, err);
}

static cgct_status build_inner(validation_table *t, const dipole *d, cgct_err *err)
{
    const validation_node *n = t->node;
    const inner_settings *s = &t->card.run.node.inner;
    const backend_set builders = cuda_backends(NULL);
    const backend *b;
    double q_max = n->q[n->nq - 1];
    const inner_grids_task task = {s, d, n->eps, q_max, n->k_max + s->lam * q_max, 1};
    CGCT_TRY(inner_grids_init(&t->grids, &task, err));
    CGCT_TRY(backend_find(&b, &builders, s->backend, s->device, err));
    CGCT_TRY(backend_makes_table(b, err));
    t->grids.inner.single = 0;
    double start = clock_wall();
    CGCT_TRY(b->run(&t->inner, &t->grids.inner, d, err));
    t->seconds = clock_wall() - start;
    return CGCT_OK;
}

cgct_status validation_table_init(validation_table *t, const validation_node *node,
                                  const char *settings, cgct_err *err)
{
    dipole *d = NULL;
    memset(t, 0, sizeof *t);
    t->node = node;
    cgct_status st = card_with_settings(&t->card, settings, err);
    if (st == CGCT_OK) st = dipole_init(&d, node->source, node->x, err);
    if (st == CGCT_OK) st = build_inner(t, d, err);
    dipole_free(d);
    if (st != CGCT_OK) validation_table_free(t);
    return st;
}

void validation_table_free(validation_table *t)
{
    inner_table_free(&t->inner);
    inner_grids_free(&t->grids);
    config_free(&t->card);
    free(t->modes);
    memset(t, 0, sizeof *t);
}

cgct_status validation_modes(validation_table *t, size_t nk, const double *k, cgct_err *err)
{
    const validation_node *n = t->node;
    const filon_tail_opts *tail = t->grids.tail.nterm ? &t->grids.tail : NULL;
    double seconds[2] = {0, 0};
    free(t->modes);
    t->nk = nk;
    t->modes = malloc(NPOL * t->inner.nm * n->nq * nk * sizeof *t->modes);
    if (!t->modes)
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for modes at %zu momenta", n->nq * nk);
    const backend_transform to = {.nq = n->nq,
                                  .np = nk,
                                  .q = n->q,
                                  .P = k,
                                  .degree = t->card.run.node.inner.hankel.degree,
                                  .tail = tail};
    return hankel_transform(&t->inner, &to, t->modes, seconds, err);
}

double validation_mode(const validation_table *t, size_t pol, size_t m, size_t iq, size_t ik)
{
    return t->modes[((pol * t->inner.nm + m) * t->node->nq + iq) * t->nk + ik];
}

double validation_sum(const validation_table *t, size_t pol, size_t iq, size_t ik, int M,
                      double theta)
{
    double sum = 2 * M_PI * validation_mode(t, pol, 0, iq, ik);
    for (int m = 1; m <= M; m++)
        sum += 4 * M_PI * (m & 1 ? -1 : 1) * cos(m * theta) *
               validation_mode(t, pol, (size_t)m, iq, ik);
    return sum;
}

cgct_status validation_production(node_tables **p, const validation_node *node, double tolerance,
                                  node_report *report, cgct_err *err)
{
    config card;
    char setting[64];
    snprintf(setting, sizeof setting, "accuracy.tolerance=%g", tolerance);
    CGCT_TRY(card_with_settings(&card, setting, err));
    const backend_set builders = cuda_backends(NULL);
    const node_task task = {.settings = &card.run.node,
                            .source = node->source,
                            .x = node->x,
                            .eps = node->eps,
                            .nq = node->nq,
                            .q = node->q,
                            .k_max = node->k_max,
                            .builders = &builders};
    cgct_status st = node_compute(&task, p, NULL, report, err);
    config_free(&card);
    return st;
}

double validation_k1(int i, int n)
{
    return pow(VALIDATION_K_MAX, i / (n - 1.0));
}
