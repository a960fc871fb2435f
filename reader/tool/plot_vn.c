/* SPDX-License-Identifier: MIT */
/* vn: the harmonics v_2 and v_4 of the angle between q and K = k1 - q/2, against q. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plot.h"

/* A row: q, then v_2 of T and L, v_4 of T and L; their bounds; with members also the lower and the
 * upper ends of their ranges. */
enum { POINTS = 51, VALUES = 4, ROW = 1 + 4 * VALUES, ROW_SINGLE = 1 + 2 * VALUES };

/* phi in the middles of equal parts of a quarter of a turn, which is enough: to exchange the
 * partons turns K by pi. */
enum { ANGLES = 32 };

static double phi_at(size_t a)
{
    return TOOL_PI / 2 * ((double)a + 0.5) / ANGLES;
}

/* v_n of numbers at the angles, `stride` apart. */
static double harmonic(const double *v, size_t stride, int n)
{
    double sum = 0, all = 0;
    for (size_t a = 0; a < ANGLES; a++) {
        sum += v[a * stride] * cos(n * phi_at(a));
        all += v[a * stride];
    }
    return sum / all;
}

/* The most by which errors of I change its harmonic v. */
static double harmonic_bound(const double *I, const double *error, int n, double v)
{
    double sum = 0, all = 0;
    for (size_t a = 0; a < ANGLES; a++) {
        sum += error[2 * a] * fabs(cos(n * phi_at(a)) - v);
        all += I[2 * a];
    }
    return sum / all;
}

/* What is computed at one q. */
typedef struct {
    plot *p;
    cgct_soft *soft; /* NULL: none */
    double K;
    size_t members;
    double I[ANGLES][2], error[ANGLES][2], I_soft[ANGLES][2];
    double *all, *one; /* I of members (ANGLES, members, 2); a harmonic of each member */
    int high_q;
} vn_work;

/* row (ROW): all but q; soft (VALUES).  Fails where an angle lies outside of the table. */
static cgct_status fill_row(vn_work *w, double q, double *row, double *soft)
{
    const cgct_table *t = w->p->call->table;
    const double *v = w->p->place.v;
    for (size_t a = 0; a < ANGLES; a++) {
        const double x = q / 2 + w->K * cos(phi_at(a)), y = w->K * sin(phi_at(a));
        const double k1 = sqrt(x * x + y * y), theta = atan2(y, x);
        CGCT_TRY(cgct_eval(t, v[0], v[1], q, k1, theta, w->I[a]));
        CGCT_TRY(cgct_eval_error(t, v[0], v[1], q, k1, theta, w->error[a]));
        if (w->members > 1)
            CGCT_TRY(cgct_eval_members(t, v[0], v[1], q, k1, theta, w->all + 2 * w->members * a));
        if (w->soft) CGCT_TRY(cgct_soft_eval(w->soft, q, k1, theta, w->I_soft[a], NULL, NULL));
    }
    for (int i = 0; i < VALUES; i++) {
        const int n = i < 2 ? 2 : 4, pol = i % 2;
        double range[3];
        row[i] = harmonic(&w->I[0][pol], 2, n);
        row[VALUES + i] = harmonic_bound(&w->I[0][pol], &w->error[0][pol], n, row[i]);
        if (w->soft) soft[i] = harmonic(&w->I_soft[0][pol], 2, n);
        if (w->members < 2) continue;
        for (size_t m = 0; m < w->members; m++)
            w->one[m] = harmonic(w->all + 2 * m + pol, 2 * w->members, n);
        CGCT_TRY(cgct_uncertainty_of(t, w->one, range));
        row[2 * VALUES + i] = range[1];
        row[3 * VALUES + i] = range[2];
    }
    return CGCT_OK;
}

/* Blocks c<i> and s<i>, q in equal steps from 0.  Places outside of the table, or where a value is
 * not known, are NaN. */
static void write_curve(vn_work *w, size_t i, const double range[2])
{
    double rows[POINTS][ROW], soft[POINTS][1 + VALUES];
    char name[32];
    plot *p = w->p;
    for (int j = 0; j < POINTS; j++) {
        rows[j][0] = soft[j][0] = fmax(range[0], range[1] * j / (POINTS - 1));
        if (w->soft && rows[j][0] > w->K) w->high_q = 1;
        if (fill_row(w, rows[j][0], rows[j] + 1, soft[j] + 1) == CGCT_OK) continue;
        for (int k = 1; k < ROW; k++) rows[j][k] = NAN;
        for (int k = 1; k <= VALUES; k++) soft[j][k] = NAN;
    }
    snprintf(name, sizeof name, "c%zu", i);
    plot_block(p, name,
               w->members > 1 ? "q v2_T v2_L v4_T v4_L bounds of these, low, high"
                              : "q v2_T v2_L v4_T v4_L bounds of these");
    for (int j = 0; j < POINTS; j++) plot_row(p, w->members > 1 ? ROW : ROW_SINGLE, rows[j]);
    plot_block_end(p);
    if (!w->soft) return;
    snprintf(name, sizeof name, "s%zu", i);
    plot_block(p, name, "q soft_v2_T soft_v2_L soft_v4_T soft_v4_L");
    for (int j = 0; j < POINTS; j++) plot_row(p, 1 + VALUES, soft[j]);
    plot_block_end(p);
}

/* All K.  q reaches from the table's first to twice the largest K, or to the table's last. */
static int write_curves(vn_work *w, const number_list *K)
{
    const double *q = w->p->call->axes.range[PLOT_Q];
    double range[2] = {q[0], 0}, least = INFINITY;
    for (size_t i = 0; i < K->n; i++) {
        if (!(K->v[i] > 0)) return tool_usage("--K: %g, want a number > 0", K->v[i]);
        range[1] = fmax(range[1], fmin(2 * K->v[i], q[1]));
        least = fmin(least, K->v[i]);
    }
    if (!(range[1] > range[0]))
        return tool_fail("--K: q up to 2 K = %g GeV lies below the table's first, %g GeV", range[1],
                         range[0]);
    for (size_t i = 0; i < K->n; i++) {
        w->K = K->v[i];
        write_curve(w, i, range);
    }
    plot_number(w->p, "x_hi", range[1]);
    if (w->soft) tool_soft_warn(w->p->call, least < 3, w->high_q);
    return TOOL_OK;
}

static int draw_curves(vn_work *w, const number_list *K)
{
    const tool_call *c = w->p->call;
    const double *v = w->p->place.v;
    cgct_soft_options o;
    cgct_err err;
    w->members = plot_has_range(c->table) ? c->axes.info.members : 1;
    w->all = calloc(2 * ANGLES * w->members, sizeof *w->all);
    w->one = calloc(w->members, sizeof *w->one);
    if (!w->all || !w->one) return tool_fail("no memory for %zu members", w->members);
    if (tool_value(c, "--soft")) {
        TOOL_TRY(tool_soft_options(c, &o));
        TOOL_TRY(tool_status(cgct_soft_init(&w->soft, c->table, v[0], v[1], &o, &err), &err));
    }
    TOOL_TRY(write_curves(w, K));
    plot_title(w->p, "", 1u << PLOT_X | 1u << PLOT_EPS);
    plot_note(w->p, "solid: T, dashed: L; ");
    plot_curves(w->p, "K", K, " GeV");
    return TOOL_OK;
}

int plot_vn(plot *p)
{
    const char *text = tool_value(p->call, "--K");
    number_list K = {0};
    vn_work w = {.p = p};
    TOOL_TRY(tool_open_first(p->call));
    TOOL_TRY(plot_place_parse(p, 1u << PLOT_X | 1u << PLOT_EPS, 0));
    TOOL_TRY(text ? tool_list_parse("--K", text, &K) : tool_list_add(&K, 3));
    int st = K.n > PLOT_CURVES_MAX
                 ? tool_usage("--K: %zu values, want at most %d", K.n, PLOT_CURVES_MAX)
                 : draw_curves(&w, &K);
    number_list_free(&K);
    cgct_soft_free(w.soft);
    free(w.all);
    free(w.one);
    return st;
}
