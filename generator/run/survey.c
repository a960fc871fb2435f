/* SPDX-License-Identifier: GPL-3.0-or-later */
/* survey.c: what the nodes of a run need, from the grids of some of them. */
#include "run/survey.h"

#include <math.h>
#include <stdlib.h>

#include "numerics/memory.h"
#include "run/record.h"

enum { NODES_AIMED_AT = 256, PLACES_LEAST = 3 };

static cgct_status survey_item(const run_job *j, size_t item, survey_node *to, cgct_err *err)
{
    const node_task task = run_node_task(j, item);
    return node_plan(&task, &to->report, &to->work, NULL, err);
}

cgct_status run_survey_init(run_survey *s, const run_job *j, cgct_err *err)
{
    size_t most = RUN_PLACES_MOST;
    while (most > PLACES_LEAST && j->nfull * most * most > NODES_AIMED_AT) most--;
    *s = (run_survey){.job = j};
    s->x = run_places_of(j->nx, most);
    s->eps = run_places_of(j->settings->eps.n, most);
    if (j->ncoarse) s->coarse = run_places_of(j->coarse.eps.n, most);
    s->node = memory_zeros(j->nfull * s->x.n * s->eps.n + s->coarse.n, sizeof *s->node);
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
    size_t x[2], e[2];
    if (run_job_is_check(j, item)) item = j->nnode / 2;
    const run_place at = run_job_place(j, item);
    if (run_job_is_coarse(j, item)) {
        run_places_around(&s->coarse, at.ieps, e);
        for (size_t pe = e[0]; pe <= e[1]; pe++) survey_widen(&n, &s->at_coarse[pe]);
        return n;
    }
    run_places_around(&s->x, at.ix, x);
    run_places_around(&s->eps, at.ieps, e);
    for (size_t px = x[0]; px <= x[1]; px++)
        for (size_t pe = e[0]; pe <= e[1]; pe++)
            survey_widen(&n, &s->node[(at.member * s->x.n + px) * s->eps.n + pe]);
    return n;
}
