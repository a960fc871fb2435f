/* SPDX-License-Identifier: GPL-3.0-or-later */
/* survey.c: what the nodes of a run need, from the grids of some of them. */
#include "run/survey.h"

#include <math.h>
#include <stdlib.h>

#include "run/record.h"

enum { NODES_AIMED_AT = 256, PLACES_LEAST = 3 };

static survey_axis spread_axis(size_t n, size_t most)
{
    survey_axis a = {.n = n < most ? n : most};
    for (size_t i = 0; i < a.n; i++) a.at[i] = a.n > 1 ? i * (n - 1) / (a.n - 1) : 0;
    return a;
}

static cgct_status survey_item(const run_job *j, size_t item, survey_node *to, cgct_err *err)
{
    const node_task task = run_node_task(j, item);
    return node_plan(&task, &to->report, &to->work, NULL, err);
}

cgct_status run_survey_init(run_survey *s, const run_job *j, cgct_err *err)
{
    size_t most = SURVEY_PLACES;
    while (most > PLACES_LEAST && j->nfull * most * most > NODES_AIMED_AT) most--;
    *s = (run_survey){.job = j};
    s->x = spread_axis(j->nx, most);
    s->eps = spread_axis(j->settings->eps.n, most);
    if (j->ncoarse) s->coarse = spread_axis(j->coarse.eps.n, most);
    s->node = calloc(j->nfull * s->x.n * s->eps.n + s->coarse.n, sizeof *s->node);
    if (!s->node) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu nodes", j->nnode);
    s->at_coarse = s->node + j->nfull * s->x.n * s->eps.n;
    for (size_t pe = 0; pe < s->coarse.n; pe++)
        CGCT_TRY(
            survey_item(j, run_job_coarse_item(j, 0, 0, s->coarse.at[pe]), &s->at_coarse[pe], err));
    for (size_t m = 0; m < j->nfull; m++)
        for (size_t px = 0; px < s->x.n; px++)
            for (size_t pe = 0; pe < s->eps.n; pe++) {
                const size_t item = (s->eps.at[pe] * j->nx + s->x.at[px]) * j->nfull + m;
                survey_node *to = &s->node[(m * s->x.n + px) * s->eps.n + pe];
                CGCT_TRY(survey_item(j, item, to, err));
            }
    return CGCT_OK;
}

void run_survey_free(run_survey *s)
{
    free(s->node);
    *s = (run_survey){0};
}

/* The places next to index i: *first <= i <= *last, the same where i is a place. */
static void neighbours(const survey_axis *a, size_t i, size_t *first, size_t *last)
{
    *last = 0;
    while (a->at[*last] < i) ++*last;
    *first = a->at[*last] == i ? *last : *last - 1;
}

void survey_widen(survey_node *to, const survey_node *v)
{
    node_report *m = &to->report;
    const node_report *r = &v->report;
    size_t *most[] = {&m->n_delta, &m->n_r, &m->n_s, &m->n_p, &m->bytes_peak};
    const size_t size[] = {r->n_delta, r->n_r, r->n_s, r->n_p, r->bytes_peak};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        if (size[i] > *most[i]) *most[i] = size[i];
    if (r->modes > m->modes) m->modes = r->modes;
    to->work = fmax(to->work, v->work);
}

survey_node run_survey_item(const run_survey *s, size_t item)
{
    const run_job *j = s->job;
    survey_node n = {.work = 0};
    size_t member, ix, ie, change, x[2], e[2];
    if (run_job_is_coarse(j, item)) {
        run_job_coarse(j, item, &member, &ix, &ie);
        neighbours(&s->coarse, ie, &e[0], &e[1]);
        for (size_t pe = e[0]; pe <= e[1]; pe++) survey_widen(&n, &s->at_coarse[pe]);
        return n;
    }
    if (run_job_is_check(j, item)) item = j->nnode / 2;
    if (run_job_is_node(j, item)) {
        run_job_node(j, item, &member, &ix, &ie);
    } else {
        run_job_changed(j, item, &change, &x[0], &e[0]);
        member = j->change[change].member;
        ix = j->place_x.at[x[0]];
        ie = j->place_eps.at[e[0]];
    }
    neighbours(&s->x, ix, &x[0], &x[1]);
    neighbours(&s->eps, ie, &e[0], &e[1]);
    for (size_t px = x[0]; px <= x[1]; px++)
        for (size_t pe = e[0]; pe <= e[1]; pe++)
            survey_widen(&n, &s->node[(member * s->x.n + px) * s->eps.n + pe]);
    return n;
}
