/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot_vn.c: 'cgctab-generate plot vn': the harmonics v_2 and v_4 of the angle between K and q, of
 * I and of its limits, as columns and picture. */
#include <math.h>
#include <stdlib.h>

#include "cli/harmonics.h"
#include "cli/plot.h"
#include "cuda/builders.h"

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
    double *G = malloc(2 * t->q.n * sizeof *G);
    if (!G) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu momenta", t->q.n);
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

cgct_status plot_vn(cli_task *t, const char *dir, cgct_err *err)
{
    static const char data[] = "vn.dat";
    cgct_textfile to;
    CGCT_TRY(cli_numbers("x", t->x_text, "(0,1]", "", &t->x, err));
    CGCT_TRY(cli_numbers("eps", t->eps_text, "[1e-2,1e2]", "GeV", &t->eps, err));
    CGCT_TRY(cli_numbers("q", t->q_text, "(0,1e3]", "GeV", &t->q, err));
    CGCT_TRY(cli_numbers("k", t->k1_text, "[0,1e3]", "GeV", &t->k1, err));
    CGCT_TRY(cli_task_dipole(t, t->x.n, t->x.v, err));
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
