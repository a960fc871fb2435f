/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a table needs, before it is computed: `run --plan` estimates time, memory and size. */
#include <stdio.h>

#include "cli/common.h"
#include "run/record.h"
#include "run/schedule.h"

/* The largest grids among the nodes of one eps, and the node with the largest inner table. */
typedef struct {
    node_report most;
    size_t nodes, largest;
    double size;
} plan_row;

static void widen_row(plan_row *row, const node_report *r, size_t item)
{
    node_report *m = &row->most;
    size_t *to[] = {&m->n_delta, &m->n_r, &m->n_s, &m->n_p, &m->bytes_peak};
    const size_t v[] = {r->n_delta, r->n_r, r->n_s, r->n_p, r->bytes_peak};
    double size = (double)r->n_delta * (double)(r->n_r + r->n_s) * (r->modes + 1);
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        if (v[i] > *to[i]) *to[i] = v[i];
    if (r->modes > m->modes) m->modes = r->modes;
    if (size > row->size) row->size = size, row->largest = item;
    row->nodes++;
}

static cgct_status fill_row(const run_job *j, const run_load *load, size_t ie, plan_row *row,
                            cgct_err *err)
{
    for (size_t i = 0; i < load->n && run_job_is_node(j, load->item[i]); i++) {
        node_report r;
        double work;
        size_t member, ix, ieps;
        run_job_node(j, load->item[i], &member, &ix, &ieps);
        if (ieps != ie) continue;
        const node_task task = run_node_task(j, load->item[i]);
        CGCT_TRY(node_plan(&task, &r, &work, NULL, err));
        widen_row(row, &r, load->item[i]);
    }
    return CGCT_OK;
}

/* Prints a line for each eps.  *device: bytes of device memory that hold any node as a whole. */
static cgct_status print_grids(const run_job *j, const run_load *load, size_t *device,
                               cgct_err *err)
{
    const grid_axis *eps = &j->settings->eps;
    *device = 0;
    printf("# eps (GeV)  nodes  Delta    R    s    P    M    MiB\n");
    for (size_t ie = 0; ie < eps->n; ie++) {
        plan_row row = {.size = 0};
        const node_report *m = &row.most;
        node_report r;
        size_t bytes;
        double work;
        CGCT_TRY(fill_row(j, load, ie, &row, err));
        if (!row.nodes) continue;
        const node_task task = run_node_task(j, row.largest);
        CGCT_TRY(node_plan(&task, &r, &work, &bytes, err));
        *device = bytes > *device ? bytes : *device;
        printf("%11.5g %6zu %6zu %4zu %4zu %4zu %4d %6.0f\n", eps->v[ie], row.nodes, m->n_delta,
               m->n_r, m->n_s, m->n_p, m->modes, (double)m->bytes_peak / 0x1p20);
    }
    return CGCT_OK;
}

cgct_status cli_plan(const run_job *j, const run_load *load, cgct_err *err)
{
    run_forecast f;
    size_t nodes = 0, checks = 0, device;
    CGCT_TRY(print_grids(j, load, &device, err));
    CGCT_TRY(run_plan(j, load, &f, err));
    for (size_t i = 0; i < load->n; i++) {
        nodes += run_job_is_node(j, load->item[i]) != 0;
        checks += run_job_is_check(j, load->item[i]) != 0;
    }
    printf("table              %zu x, %zu eps, %zu q, %zu + %zu k\n", j->nx, j->settings->eps.n,
           j->grid.nq, j->grid.nl, j->grid.nu);
    printf("to compute         %zu nodes, %zu checks, %zu nodes with changed dipoles%s\n", nodes,
           checks, load->n - nodes - checks,
           j->nx < j->settings->x.n ? "; the dipole is the same at every x" : "");
    printf("threads            %d\n", load->threads);
    printf("samples            %zu nodes in %.1f s\n", f.samples, f.seconds_sampling);
    printf("seconds processor  %.0f\n", f.seconds_nodes);
    printf("seconds elapsed    %.0f\n", f.seconds);
    printf("memory MiB         %.0f\n", (double)f.bytes_memory / 0x1p20);
    if (device) printf("device MiB         %.0f, or in more chunks\n", (double)device / 0x1p20);
    printf("file bytes         %.0f\n", f.bytes_file);
    return CGCT_OK;
}
