/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report, tables and cross sections for the studies. */
#include "study.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/builders.h"
#include "format/safe_text.h"
#include "node/hankel.h"
#include "numerics/clock.h"

enum { SETTINGS_MAX = 16, SETTINGS_TEXT = 1024 };

void study_say(const study *v, const char *fmt, ...)
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

cgct_status study_draw(const study *v, const char *name, const char *variables, const char *script,
                       cgct_err *err)
{
    cgct_textfile to;
    CGCT_TRY(picture_begin(v->dir, v->source, name, &to, err));
    fprintf(to.f, "subject = subject.', x = %.4g'\n%s", v->x, variables);
    return picture_end(v->dir, name, &to, script, err);
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

static cgct_status build_inner(study_table *t, const dipole *d, cgct_err *err)
{
    const study_node *n = t->node;
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

cgct_status study_table_init(study_table *t, const study_node *node, const char *settings,
                             cgct_err *err)
{
    dipole *d = NULL;
    memset(t, 0, sizeof *t);
    t->node = node;
    cgct_status st = card_with_settings(&t->card, settings, err);
    if (st == CGCT_OK) st = dipole_init(&d, node->source, node->x, err);
    if (st == CGCT_OK) st = build_inner(t, d, err);
    dipole_free(d);
    if (st != CGCT_OK) study_table_free(t);
    return st;
}

void study_table_free(study_table *t)
{
    inner_table_free(&t->inner);
    inner_grids_free(&t->grids);
    config_free(&t->card);
    free(t->modes);
    memset(t, 0, sizeof *t);
}

cgct_status study_modes(study_table *t, size_t nk, const double *k, cgct_err *err)
{
    const study_node *n = t->node;
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

double study_mode(const study_table *t, size_t pol, size_t m, size_t iq, size_t ik)
{
    return t->modes[((pol * t->inner.nm + m) * t->node->nq + iq) * t->nk + ik];
}

double study_sum(const study_table *t, size_t pol, size_t iq, size_t ik, int M, double theta)
{
    double sum = 2 * M_PI * study_mode(t, pol, 0, iq, ik);
    for (int m = 1; m <= M; m++)
        sum += 4 * M_PI * (m & 1 ? -1 : 1) * cos(m * theta) * study_mode(t, pol, (size_t)m, iq, ik);
    return sum;
}

cgct_status study_production(node_tables **p, const study_node *node, double tolerance,
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

double study_k1(int i, int n)
{
    return pow(STUDY_K_MAX, i / (n - 1.0));
}

cgct_status picture_close(cgct_textfile *f, cgct_status st, cgct_err *err)
{
    cgct_err own;
    const cgct_status got = cgct_textfile_close(f, st == CGCT_E_ACCURACY ? CGCT_OK : st, &own);
    if (st != CGCT_OK || got == CGCT_OK) return st;
    return cgct_fail(err, got, "%s", own.text);
}
