/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/builders.h"
#include "cli/validate.h"
#include "node/hankel.h"
#include "numerics/clock.h"

enum { SETTINGS = 16, SETTING_TEXT = 1024, PATH_TEXT = 4096, NO_PROGRAM = 127 };

void validation_say(const validation *v, const char *fmt, ...)
{
    FILE *to[2] = {stdout, v->report};
    for (int i = 0; i < 2; i++) {
        va_list ap;
        va_start(ap, fmt);
        vfprintf(to[i], fmt, ap);
        va_end(ap);
        fputc('\n', to[i]);
        fflush(to[i]);
    }
}

static cgct_status path_of(const validation *v, const char *name, const char *suffix,
                           char path[PATH_TEXT], cgct_err *err)
{
    if (snprintf(path, PATH_TEXT, "%s/%s%s", v->dir, name, suffix) < PATH_TEXT) return CGCT_OK;
    return cgct_fail(err, CGCT_E_USAGE, "folder name longer than %d bytes", PATH_TEXT);
}

cgct_status validation_open(const validation *v, const char *name, FILE **f, cgct_err *err)
{
    char path[PATH_TEXT];
    CGCT_TRY(path_of(v, name, "", path, err));
    *f = fopen(path, "w");
    return *f ? CGCT_OK : cgct_fail(err, CGCT_E_IO, "%s: %s", path, strerror(errno));
}

cgct_status validation_close(const validation *v, const char *name, FILE *f, cgct_err *err)
{
    int bad = ferror(f);
    if (!fclose(f) && !bad) return CGCT_OK;
    return cgct_fail(err, CGCT_E_IO, "%s/%s: not everything could be written", v->dir, name);
}

static cgct_status run_gnuplot(const validation *v, const char *script, int *there, cgct_err *err)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (!chdir(v->dir)) execlp("gnuplot", "gnuplot", script, (char *)NULL);
        _exit(NO_PROGRAM);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return cgct_fail(err, CGCT_E_IO, "gnuplot: %s", strerror(errno));
    *there = !WIFEXITED(status) || WEXITSTATUS(status) != NO_PROGRAM;
    if (!*there || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) return CGCT_OK;
    return cgct_fail(err, CGCT_E_IO, "%s/%s: gnuplot failed; run it by hand to see why", v->dir,
                     script);
}

cgct_status validation_plot(const validation *v, const char *name, int width, int height,
                            const char *script, cgct_err *err)
{
    char file[64];
    FILE *f;
    snprintf(file, sizeof file, "%s.gp", name);
    CGCT_TRY(validation_open(v, file, &f, err));
    fprintf(
        f,
        "set terminal pngcairo size %d,%d\nset output '%s.png'\nset key below\n"
        "q = '%g %g %g'\narray hue[6] = ['#0b559f', '#d6604d', '#1b7837', '#e08214', '#762a83', "
        "'#444444']\ndo for [i=1:6] { set linetype i lc rgb hue[i] lw 1.5 }\n%s",
        width, height, name, v->q[0], v->q[1], v->q[2], script);
    CGCT_TRY(validation_close(v, file, f, err));
    int there = 1;
    CGCT_TRY(run_gnuplot(v, file, &there, err));
    if (there)
        validation_say(v, "   %s/%s.png", v->dir, name);
    else
        validation_say(v, "   no picture: gnuplot is not there; with it, run 'gnuplot %s' in %s",
                       file, v->dir);
    return CGCT_OK;
}

/* "a=1 b=2" as the overrides of a card */
static cgct_status card_of(config *c, const char *settings, cgct_err *err)
{
    char text[SETTING_TEXT];
    const char *set[SETTINGS];
    size_t n = 0;
    snprintf(text, sizeof text, "%s", settings);
    for (char *save, *p = strtok_r(text, " ", &save); p && n < SETTINGS;
         p = strtok_r(NULL, " ", &save))
        set[n++] = p;
    return config_init(c, NULL, n, set, err);
}

cgct_status validation_table_init(validation_table *t, const dipole_source *s, double x, double eps,
                                  double q_max, double k_max, const char *settings, cgct_err *err)
{
    dipole *d = NULL;
    const backend *b;
    const backend_set builders = cuda_backends(NULL);
    memset(t, 0, sizeof *t);
    cgct_status st = card_of(&t->card, settings, err);
    if (st == CGCT_OK) st = dipole_init(&d, s, x, err);
    inner_grids_task task = {
        &t->card.run.node.inner, d, eps, q_max, k_max + t->card.run.node.inner.lam * q_max, 1};
    if (st == CGCT_OK) st = inner_grids_init(&t->g, &task, err);
    if (st == CGCT_OK)
        st = backend_find(&b, &builders, t->card.run.node.inner.backend,
                          t->card.run.node.inner.device, err);
    if (st == CGCT_OK) st = backend_makes_table(b, err);
    t->seconds = -clock_wall();
    t->g.inner.ridge_cut = 0;
    if (st == CGCT_OK) st = b->run(&t->t, &t->g.inner, d, err);
    t->seconds += clock_wall();
    dipole_free(d);
    if (st != CGCT_OK) validation_table_free(t);
    return st;
}

void validation_table_free(validation_table *t)
{
    inner_table_free(&t->t);
    inner_grids_free(&t->g);
    config_free(&t->card);
    memset(t, 0, sizeof *t);
}

cgct_status validation_transform(const validation_table *t, size_t nq, const double *q, size_t nk,
                                 const double *k, double **I, cgct_err *err)
{
    double seconds[2] = {0, 0};
    *I = malloc(NPOL * t->t.nm * nq * nk * sizeof **I);
    if (!*I) return cgct_fail(err, CGCT_E_NOMEM, "no memory for modes at %zu momenta", nq * nk);
    const backend_transform to = {.nq = nq,
                                  .np = nk,
                                  .q = q,
                                  .P = k,
                                  .degree = t->card.run.node.inner.hankel.degree,
                                  .tail = t->g.tail.nterm ? &t->g.tail : NULL};
    cgct_status st = hankel_transform(&t->t, &to, *I, seconds, err);
    if (st == CGCT_OK) return st;
    free(*I);
    *I = NULL;
    return st;
}

double validation_sum(const double *I, size_t stride, int M, double theta)
{
    double sum = 2 * M_PI * I[0];
    for (int m = 1; m <= M; m++)
        sum += 4 * M_PI * (m & 1 ? -1 : 1) * cos(m * theta) * I[(size_t)m * stride];
    return sum;
}

cgct_status validation_reference(node_tables **p, const dipole_source *s, double x, double eps,
                                 size_t nq, const double *q, double k_max, double tolerance,
                                 cgct_err *err)
{
    config card;
    char setting[64];
    snprintf(setting, sizeof setting, "accuracy.tolerance=%g", tolerance);
    CGCT_TRY(card_of(&card, setting, err));
    const backend_set builders = cuda_backends(NULL);
    node_task task = {.settings = &card.run.node,
                      .source = s,
                      .x = x,
                      .eps = eps,
                      .nq = nq,
                      .q = q,
                      .k_max = k_max,
                      .builders = &builders};
    cgct_status st = node_compute(&task, p, NULL, NULL, err);
    config_free(&card);
    return st;
}
