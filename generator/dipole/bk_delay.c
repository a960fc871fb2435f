/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_delay.c: equations with shifts of Y integrated in Y.
 *
 * As in bk_evolve.c a step integrates z = S(r,Y)/S(r,Y_n) - 1, here by collocation: dz/dY is a
 * polynomial of degree 6 through its values at the seven Lobatto nodes of the step, which are found
 * by iteration.  Gamma at earlier Y, in this step and in all before, is the polynomial through the
 * same nodes, so that small shifts need no rule of their own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/bk_impl.h"
#include "numerics/memory.h"

#define GROWTH 3.0
#define ORDER 7.0
/* The coefficient of P_6 in dz/dY, times the step and this, is the estimate of the error. */
#define ESTIMATE 0.1
/* Relative change of (dS/dY)/S in a step above which it is not extrapolated. */
#define ROUGH 0.5
/* Iterations end when they change z by this share of the error allowed; their largest number. */
#define CONVERGED 0.05
enum { SWEEPS = 20 };
/* Largest 1 + z in one step. */
#define MOST_GROWTH 1e100
/* Beyond the first node where Gamma exceeds this at the beginning of a step, ln Gamma is continued
 * as a straight line in ln r, through that node and the one BASE before it.  S is not needed there,
 * and evolved from the floor of bk_start_Gamma it became jagged, with rates of any size.  A node
 * that is evolved later has forgotten its first S when Gamma has fallen to GAMMA_LEAST. */
#define GAMMA_EVOLVED 200.0
enum { BASE = 8 };
/* Leading coefficient of P_6(2v - 1). */
#define LEADING 924.0

typedef struct {
    const bk_kernel *kernel;
    const bk_opts *o;
    bk_history history;
    size_t n;
    size_t evolved; /* nodes that this step evolves; beyond, ln Gamma is continued */
    double *f;      /* scratch, and the allocation of all these arrays (n) */
    double *Gamma[BK_STAGES], *z[BK_STAGES], *dz[BK_STAGES];
    double *old[BK_STAGES]; /* (dS/dY)/S at the nodes of the last step */
    bk_values values[BK_STAGES];
    bk_points *cut[BK_STAGES];
    double old_length;
    double v[BK_STAGES], integral[BK_STAGES][BK_STAGES], top[BK_STAGES];
} bk_march;

/* Lobatto nodes in [0,1], integrals to each node of the polynomials that are 1 at one node, and the
 * coefficients of P_6 in these. */
static void march_rule(bk_march *m)
{
    const double a = sqrt((15 + 2 * sqrt(15)) / 33), b = sqrt((15 - 2 * sqrt(15)) / 33);
    const double node[BK_STAGES] = {-1, -a, -b, 0, b, a, 1};
    double c[BK_STAGES * BK_STAGES];
    for (int i = 0; i < BK_STAGES; i++) m->v[i] = 0.5 * (1 + node[i]);
    bk_monomials(BK_STAGES, m->v, c);
    for (int i = 0; i < BK_STAGES; i++) {
        m->top[i] = c[(BK_STAGES - 1) * BK_STAGES + i] / LEADING;
        for (int j = 0; j < BK_STAGES; j++) {
            m->integral[j][i] = 0;
            for (int k = BK_STAGES - 1; k >= 0; k--)
                m->integral[j][i] = (m->integral[j][i] + c[k * BK_STAGES + i] / (k + 1)) * m->v[j];
        }
    }
}

static void march_free(bk_march *m)
{
    free(m->f);
    for (int j = 0; j < BK_STAGES; j++) {
        bk_values_free(&m->values[j]);
        for (size_t i = 0; i < m->n; i++) bk_points_free(&m->cut[j][i]);
        free(m->cut[j]);
    }
    bk_history_free(&m->history);
}

static void march_init(bk_march *m, const bk_kernel *k, const bk_opts *o)
{
    const size_t n = k->grid->n;
    *m = (bk_march){.kernel = k, .o = o, .n = n, .history.ncell = k->grid->ncell};
    march_rule(m);
    m->f = memory_zeros((1 + 4 * BK_STAGES) * n, sizeof *m->f);
    for (size_t j = 0; j < BK_STAGES; j++) {
        m->Gamma[j] = m->f + (1 + 4 * j) * n;
        m->z[j] = m->Gamma[j] + n;
        m->dz[j] = m->z[j] + n;
        m->old[j] = m->dz[j] + n;
        m->cut[j] = memory_zeros(n, sizeof *m->cut[j]);
        bk_values_init(&m->values[j], k->grid);
    }
}

/* ln Gamma, or its derivative by Y, beyond the nodes that are evolved. */
static void continue_line(const bk_march *m, double *f)
{
    const double *t = m->kernel->grid->t;
    const size_t last = m->evolved - 1, base = last > BASE ? last - BASE : 0;
    const double slope = (f[last] - f[base]) / (t[last] - t[base]);
    for (size_t i = m->evolved; i < m->n; i++) f[i] = f[last] + slope * (t[i] - t[last]);
}

/* Gamma and its table at node j from z there; 0 where S would change its sign.  Where S is below
 * what is needed it is kept positive and grows by MOST_GROWTH at most. */
static int set_stage(bk_march *m, int j)
{
    for (size_t i = 0; i < m->evolved; i++) {
        m->z[j][i] = fmin(m->z[j][i], MOST_GROWTH);
        if (!bk_step_possible(m->Gamma[0][i], m->z[j][i])) return 0;
        m->z[j][i] = fmax(m->z[j][i], BK_LEAST_Z);
        m->Gamma[j][i] = bk_step_Gamma(m->Gamma[0][i], m->z[j][i]);
        m->f[i] = log(m->Gamma[j][i]);
    }
    continue_line(m, m->f);
    for (size_t i = m->evolved; i < m->n; i++) m->Gamma[j][i] = exp(m->f[i]);
    bk_values_set(&m->values[j], m->kernel->grid, m->f);
    return 1;
}

/* dz/dY at node j. */
static void rate_stage(bk_march *m, int j, double Y)
{
    const bk_past past = {Y, m->values[j].table, &m->history};
    bk_kernel_apply_past(m->kernel, m->evolved, m->cut[j], &past, m->dz[j]);
    for (size_t i = 0; i < m->evolved; i++) m->dz[j][i] *= 1 + m->z[j][i];
}

/* First guess of z and dz/dY: (dS/dY)/S is the cubic through four nodes of the last step, or as at
 * its end where it changed much there.  Where S grows much it grows linearly. */
static void guess_stages(bk_march *m, double h)
{
    enum { USED = 4, STRIDE = 2 };
    const int last = BK_STAGES - 1;
    double w[BK_STAGES][BK_STAGES];
    for (int j = 0; j < BK_STAGES; j++)
        bk_lagrange(m->v, USED, STRIDE, 1 + h / m->old_length * m->v[j], w[j]);
    for (size_t i = 0; i < m->evolved; i++) {
        double R[BK_STAGES];
        const double end = m->old[last][i];
        const int rough = fabs(m->old[0][i] - end) > ROUGH * fabs(end);
        for (int j = 0; j < BK_STAGES; j++) {
            R[j] = rough ? end : 0;
            for (int k = 0; k < BK_STAGES && !rough; k += STRIDE) R[j] += w[j][k] * m->old[k][i];
        }
        for (int j = 1; j < BK_STAGES; j++) {
            double e = 0;
            for (int k = 0; k < BK_STAGES; k++) e += h * m->integral[j][k] * R[k];
            m->z[j][i] = e < 1 ? expm1(e) : e;
            m->dz[j][i] = R[j] * (1 + fmin(m->z[j][i], 1));
        }
    }
}

/* z at node j from the rates; returns its largest change in units of the error allowed. */
static double update_stage(bk_march *m, int j, double Y, double h)
{
    double worst = 0;
    for (size_t i = 0; i < m->evolved; i++) {
        double z = 0;
        for (int k = 0; k < BK_STAGES; k++) z += m->integral[j][k] * m->dz[k][i];
        z *= h;
        const double weight = bk_step_weight(m->Gamma[0][i], z, Y, m->o->refine);
        const double change = weight > 0 ? fabs(z - m->z[j][i]) * weight : 0;
        if (!(change <= worst)) worst = isfinite(change) ? change : INFINITY;
        m->z[j][i] = z;
    }
    return worst;
}

/* In units of the error allowed. */
static double estimate_error(const bk_march *m, double Y, double h)
{
    double worst = 0;
    for (size_t i = 0; i < m->evolved; i++) {
        const double z = m->z[BK_STAGES - 1][i];
        const double weight = bk_step_weight(m->Gamma[0][i], z, Y + h, m->o->refine);
        double top = 0;
        for (int k = 0; k < BK_STAGES; k++) top += m->top[k] * m->dz[k][i];
        if (weight > 0) worst = fmax(worst, ESTIMATE * h * fabs(top) * weight);
    }
    return worst;
}

/* The rates and z at all nodes.  Returns the error in units of the one allowed, infinite where the
 * iteration does not converge. */
static double solve_step(bk_march *m, double Y, double h)
{
    m->history.Y[m->history.n] = Y + h;
    for (int j = 1; j < BK_STAGES; j++)
        bk_kernel_cut(m->kernel, m->evolved, Y + m->v[j] * h, m->cut[j]);
    guess_stages(m, h);
    for (int j = 0; j < BK_STAGES; j++)
        if (!set_stage(m, j)) return INFINITY;
    double change = INFINITY;
    for (int sweep = 0; change > CONVERGED; sweep++) {
        if (sweep == SWEEPS) return INFINITY;
        change = 0;
        for (int j = 1; j < BK_STAGES; j++) {
            if (sweep) change = fmax(change, update_stage(m, j, Y + m->v[j] * h, h));
            if (!set_stage(m, j)) return INFINITY;
            bk_history_set(&m->history, m->v, m->values);
            rate_stage(m, j, Y + m->v[j] * h);
        }
        if (!sweep) change = INFINITY;
    }
    return estimate_error(m, Y, h);
}

/* (dS/dY)/S at node j of the step. */
static void set_rates(bk_march *m, int j)
{
    for (size_t i = 0; i < m->evolved; i++) {
        m->old[j][i] = m->dz[j][i] / (1 + m->z[j][i]);
        m->f[i] = m->old[j][i] / m->Gamma[j][i];
    }
    continue_line(m, m->f);
    for (size_t i = m->evolved; i < m->n; i++) m->old[j][i] = m->f[i] * m->Gamma[j][i];
}

/* The step of length h from Y into the path; the next one begins at its end. */
static void accept_step(bk_march *m, bk_path *p, double Y, double h)
{
    const int last = BK_STAGES - 1;
    for (int j = 0; j < BK_STAGES; j++) set_rates(m, j);
    for (int j = 1; j < BK_STAGES; j++) bk_path_append(p, Y + m->v[j] * h, m->Gamma[j], m->old[j]);
    memcpy(m->Gamma[0], m->Gamma[last], m->n * sizeof *m->Gamma[0]);
    memcpy(m->dz[0], m->old[last], m->n * sizeof *m->dz[0]);
    m->old_length = h;
    m->evolved = 0;
    while (m->evolved < m->n && m->Gamma[0][m->evolved] <= GAMMA_EVOLVED) m->evolved++;
    if (m->evolved < m->n) m->evolved++;
}

/* step > 0: the length of all steps. */
static cgct_status run_march(bk_march *m, bk_path *p, double step, cgct_err *err)
{
    /* in equation t the solution is not smooth at Y = 2 ln 2, where the discs x < r exp(-Y/2) and
     * y < r exp(-Y/2), which do not count, begin to be disjoint */
    const double apart = m->kernel->grid->o.alpha->equation == BK_TARGET ? 2 * log(2) : 0;
    double Y = 0, h = step > 0 ? step : BK_FIRST_STEP;
    while (Y < m->o->Ymax) {
        double end;
        const size_t done = m->history.n;
        h = bk_step_fit(Y, h, Y < apart ? fmin(apart, m->o->Ymax) : m->o->Ymax, &end);
        bk_history_append(&m->history, Y, h);
        const double worst = solve_step(m, Y, h), factor = BK_SAFETY * pow(worst, -1 / ORDER);
        if (worst <= 1 || (step > 0 && isfinite(worst))) {
            accept_step(m, p, Y, h);
            Y = end;
            h = step > 0 ? step : fmin(h * fmin(GROWTH, factor), BK_LARGEST_STEP / m->o->refine);
            continue;
        }
        m->history.n = done;
        free(m->history.row[done]);
        h *= fmax(BK_SHRINK, fmin(factor, 0.9));
        if (h < BK_LEAST_STEP || step > 0)
            return cgct_fail(err, CGCT_E_ACCURACY,
                             "dipole bk: at Y = %.6g no step above %g keeps the accuracy; use a "
                             "smaller dipole.gamma or dipole.cap, or another dipole.equation",
                             Y, BK_LEAST_STEP);
    }
    return CGCT_OK;
}

cgct_status bk_delay_run(bk_path *p, const bk_kernel *k, const bk_opts *o, double step,
                         cgct_err *err)
{
    const bk_grid *g = k->grid;
    bk_march m;
    *p = (bk_path){.n = g->n};
    march_init(&m, k, o);
    for (size_t i = 0; i < m.n; i++) m.Gamma[0][i] = bk_start_Gamma(g->o.start, g->t[i]);
    m.evolved = m.n; /* all in the first step, in which Gamma falls far */
    if (set_stage(&m, 0)) rate_stage(&m, 0, 0);
    set_rates(&m, 0);
    for (int j = 1; j < BK_STAGES; j++) memcpy(m.old[j], m.old[0], m.n * sizeof *m.old[j]);
    m.old_length = 1;
    bk_path_append(p, 0, m.Gamma[0], m.old[0]);
    const cgct_status st = run_march(&m, p, step, err);
    march_free(&m);
    return st;
}
