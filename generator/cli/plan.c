/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a table needs, before it is computed: `run --plan` estimates time, memory and size. */
#include <math.h>
#include <stdio.h>

#include "cli/common.h"
#include "numerics/blas.h"
#include "run/checks.h"
#include "run/record.h"

/* Prints a line for each eps that is surveyed.  *device: bytes of device memory that hold any node
 * as a whole. */
static cgct_status print_grids(const run_survey *s, const run_load *load, size_t *device,
                               cgct_err *err)
{
    const grid_axis *eps = &s->job->settings->eps;
    *device = 0;
    if (s->eps.n < eps->n) printf("# %zu of %zu eps\n", s->eps.n, eps->n);
    printf("# eps (GeV)  nodes  Delta    R    s    P    M    MiB\n");
    for (size_t pe = 0; pe < s->eps.n; pe++) {
        survey_node most = {.work = 0}; /* the largest of the grids at this eps */
        size_t nodes = 0, largest = 0;  /* a node with the largest inner table */
        double size = 0, work;
        for (size_t i = 0; i < load->n && run_job_is_node(s->job, load->item[i]); i++) {
            if (run_job_place(s->job, load->item[i]).ieps != s->eps.at[pe]) continue;
            const survey_node n = run_survey_item(s, load->item[i]);
            const node_report *r = &n.report;
            double of = (double)r->n_delta * (double)(r->n_r + r->n_s) * (r->modes + 1);
            survey_widen(&most, &n);
            if (of > size) size = of, largest = load->item[i];
            nodes++;
        }
        if (!nodes) continue;
        const node_task task = run_node_task(s->job, largest);
        const node_report *m = &most.report;
        node_report r;
        size_t bytes;
        CGCT_TRY(node_plan(&task, &r, &work, &bytes, err));
        *device = bytes > *device ? bytes : *device;
        printf("%11.5g %6zu %6zu %4zu %4zu %4zu %4d %6.0f\n", eps->v[s->eps.at[pe]], nodes,
               m->n_delta, m->n_r, m->n_s, m->n_p, m->modes, (double)m->bytes_peak / 0x1p20);
    }
    return CGCT_OK;
}

/* Where the correlation limit of the first member, the sign of which is that of I at large momenta,
 * is negative, at some of the x and q. */
enum { X_MOST = 4, Q_MOST = 64 };
static cgct_status print_negative(const run_job *j, cgct_err *err)
{
    const grid_axis *axis = &j->settings->q, *x = &j->settings->x;
    const size_t nx = j->nx < X_MOST ? j->nx : X_MOST, nq = axis->n < Q_MOST ? axis->n : Q_MOST;
    size_t count = 0;
    double first = INFINITY, q[Q_MOST], G[2 * Q_MOST];
    for (size_t i = 0; i < nq; i++) q[i] = axis->v[nq > 1 ? i * (axis->n - 1) / (nq - 1) : 0];
    for (size_t ix = 0; ix < nx; ix++) {
        const double at = x->v[nx > 1 ? ix * (j->nx - 1) / (nx - 1) : 0];
        CGCT_TRY(node_tensor(j->members->source[0], at, nq, q, G, G + nq, err));
        /* G is known to 1e-12 of its value at Qs, the largest there is */
        double top = 0;
        for (size_t i = 0; i < nq; i++) top = fmax(top, G[i]);
        for (size_t i = 0; i < nq; i++) {
            if (!(G[i] < -1e-9 * top)) continue;
            count++;
            first = fmin(first, q[i]);
        }
    }
    if (count)
        printf(
            "negative           the correlation limit at %zu of %zu (x,q), first at q = %.4g GeV: "
            "from about there on the dipole gives no positive cross section\n",
            count, nx * nq, first);
    return CGCT_OK;
}

cgct_status cli_plan(const run_survey *s, const run_load *load, const run_forecast *f, int evolves,
                     cgct_err *err)
{
    const run_job *j = s->job;
    size_t nodes = 0, checks = 0, coarse = 0, device;
    CGCT_TRY(print_grids(s, load, &device, err));
    for (size_t i = 0; i < load->n; i++) {
        nodes += run_job_is_node(j, load->item[i]) != 0;
        checks += run_job_is_check(j, load->item[i]) != 0;
        coarse += run_job_is_coarse(j, load->item[i]) != 0;
    }
    if (j->x0) printf("dipole             %s\n", j->x0);
    if (!j->settings->forward) CGCT_TRY(print_negative(j, err));
    printf("table              %zu x, %zu eps, %zu q, %zu + %zu k\n", j->nx, j->settings->eps.n,
           j->grid.nq, j->grid.nl, j->grid.nu);
    printf("to compute         %zu nodes, %zu checks, %zu nodes with changed dipoles, %zu coarse "
           "nodes of members%s\n",
           nodes, checks, load->n - nodes - checks - coarse, coarse,
           j->nx < j->settings->x.n ? "; the dipole is the same at every x" : "");
    if (j->settings->checks < CHECKS_MANY)
        printf("bounds             fewer than %d checks do not make them smaller; take "
               "accuracy.checks = 64\n",
               CHECKS_MANY);
    printf("builder            %s\n", j->backend);
    printf("BLAS               %s\n", blas_describe());
    printf("threads            %d\n", load->threads);
    if (f->samples)
        printf("samples            %zu node%s in %.1f s\n", f->samples, f->samples > 1 ? "s" : "",
               f->seconds_sampling);
    else if (load->n)
        printf("samples            0: a node would take about %.0f s and %.0f MiB; time by the "
               "number of operations\n",
               f->seconds_sample, (double)f->bytes_sample / 0x1p20);
    printf("seconds processor  %.*f\n", f->seconds_nodes < 10 ? 1 : 0, f->seconds_nodes);
    if (f->seconds_device > 0) printf("seconds device     %.0f\n", f->seconds_device);
    printf("seconds elapsed    %.0f%s\n", f->seconds,
           evolves ? ", and the evolution of the dipole" : "");
    printf("memory MiB         %.0f", (double)f->bytes_memory / 0x1p20);
    if (!f->samples) printf(" of the nodes");
    if (f->bytes_memory > load->budget)
        printf("; run.memory or the free memory is %.0f: take fewer q, or a larger tolerance",
               (double)load->budget / 0x1p20);
    putchar('\n');
    if (device) printf("device MiB         %.0f, or in more chunks\n", (double)device / 0x1p20);
    if (f->samples)
        printf("file bytes         %.3g, to a third\n", f->bytes_file);
    else
        printf("file bytes         unknown without a sample\n");
    return CGCT_OK;
}
