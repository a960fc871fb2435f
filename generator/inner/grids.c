/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "inner/grids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/grid.h"

/* Measured on GBW against exact values and on evolved dipoles by refinement
 * (tests/node/test_node.c). */
static const double SPACING = 0.030; /* relative step of the graded grids at tolerance 1e-6 */
static const double STEP_QS = 0.040; /* absolute step in R, units of 1/Qs, up to TURN_QS/Qs */
static const double TURN_QS = 10;
static const double SPACING_POWER = 1. / 9; /* degree 8: error ~ spacing^9 */
static const double SCALE_P = 0.2;          /* graded grids turn geometric at SCALE_P / P_max ... */
static const double SCALE_EPS = 0.1;        /* ... but not beyond SCALE_EPS / eps */
static const double EXPONENT = 37;          /* e^-37: what Delta_max and s_max may cut off */
static const double R_MAX_QS = 60;          /* R_max Qs: the inverse powers hold beyond */
static const double MODES_PER_RIDGE = 8;    /* per q max(lam,1-lam)/max(eps,Qs), tolerance 1e-6 */
static const double P_SPACING = 0.04, P_STEP = 0.2; /* of P, and of the width of a ridge */
static const double DIGITS = 13;
static const double RANK_TOLERANCE = 1e-6,
                    RANK_TOLERANCE_MIN = 1e-14; /* of W, per tolerance of I */
static const double RIDGE_CUT_EPS = 2;
static const double DESCENT_RATIO = 1.25;
enum { JOIN = 8, DESCENT = 48 }; /* by 1.25^-48 = 2e-5 */
enum { MODES_MIN = 16, MODES_MAX = 512, MODES_ISOTROPIC = 4 };

/* Exponent of the integrand at separation Delta: wave functions, and the larger of e^A and e^B. */
static double decay(const inner_grids_task *k, double delta)
{
    double r2[2] = {delta * delta / 4, delta * delta}, L[2];
    dipole_lnS(k->dipole, 2, r2, L);
    return k->eps * delta + fmin(-2 * L[0], -L[1]);
}

static double auto_delta_max(const inner_grids_task *k)
{
    double lo = 0, hi = EXPONENT / k->eps;
    for (int i = 0; i < 60; i++) {
        double mid = 0.5 * (lo + hi);
        if (decay(k, mid) < EXPONENT)
            lo = mid;
        else
            hi = mid;
    }
    return hi;
}

static grid_kind kind_of(const char *name)
{
    if (!strcmp(name, "uniform")) return GRID_UNIFORM;
    return strcmp(name, "quadratic") ? GRID_GRADED : GRID_QUADRATIC;
}

/* Graded grids share one map (Delta: stretched), so that the ridges s = R and R = lam Delta meet
 * nodes and what interpolation loses there varies smoothly. */
static cgct_status radial(const char *name, int n, double last, double coarser, const grid_steps *g,
                          size_t *nx, double **x, cgct_err *err)
{
    grid_kind kind = kind_of(name);
    if (kind == GRID_GRADED) return grid_graded(g, last, nx, x, err);
    if (!n)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "a %s grid needs its number of nodes: set inner.delta_n or inner.r_n",
                         name);
    *nx = (size_t)ceil((n - 1) / coarser) + 1;
    return grid_power(kind, *nx, last, x, err);
}

/* The nodes of s: those of R, and below the JOIN-th a geometric descent to s = 0, because the
 * transverse wave functions weigh every decade of s equally where L ~ s^2 ln s. */
static cgct_status inner_nodes(const grid_steps *steps, double last, size_t *n, double **s,
                               cgct_err *err)
{
    double *far;
    size_t nfar;
    CGCT_TRY(grid_graded(steps, last, &nfar, &far, err));
    size_t skip = nfar > JOIN ? JOIN : nfar - 1;
    *n = nfar - skip + DESCENT + 1;
    *s = malloc(*n * sizeof **s);
    if (*s) {
        (*s)[0] = 0;
        for (size_t j = 0; j < DESCENT; j++)
            (*s)[DESCENT - j] = far[skip] * pow(DESCENT_RATIO, -(double)(j + 1));
        for (size_t j = skip; j < nfar; j++) (*s)[DESCENT + 1 + j - skip] = far[j];
    }
    free(far);
    return *s ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu nodes of s", *n);
}

static grid_steps choose_steps(const inner_grids_task *k)
{
    const inner_settings *c = k->settings;
    double Qs = sqrt(dipole_Qs2(k->dipole));
    double fine = pow(c->tolerance / 1e-6, SPACING_POWER);
    grid_steps g = {fmin(SCALE_P / k->P_max, SCALE_EPS / k->eps), SPACING * fine,
                    STEP_QS / Qs * fine, TURN_QS / Qs};
    if (c->scale) g.scale = c->scale;
    if (c->spacing) g.spacing = c->spacing;
    if (c->step) g.step = c->step;
    g.spacing *= k->coarser;
    g.step *= k->coarser;
    return g;
}

static cgct_status choose_orders(inner_grids *g, const inner_grids_task *k, cgct_err *err)
{
    const inner_settings *c = k->settings;
    int step = c->lam == 0.5 ? 2 : 1, M = c->modes;
    double ridge = k->q_max * fmax(c->lam, 1 - c->lam) / fmax(k->eps, sqrt(dipole_Qs2(k->dipole)));
    double digits = log(c->tolerance) / log(1e-6);
    if (!M && step == 2 && dipole_kind_of(k->dipole) == DIPOLE_GBW)
        M = MODES_ISOTROPIC; /* the exact value depends on |P| and q only */
    else if (!M)
        M = (int)fmin(MODES_MAX, MODES_MIN + MODES_PER_RIDGE * digits * ridge);
    M = (int)ceil(M / k->coarser);
    g->inner.nm = (size_t)(M / step) + 1;
    g->m = malloc(g->inner.nm * sizeof *g->m);
    if (!g->m) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %d modes", M);
    for (size_t im = 0; im < g->inner.nm; im++) g->m[im] = (int)im * step;
    return CGCT_OK;
}

static cgct_status choose_radii(inner_grids *g, const inner_grids_task *k, cgct_err *err)
{
    const inner_settings *c = k->settings;
    double lam = c->lam, far = fmax(lam, 1 - lam), near = fmin(lam, 1 - lam);
    double Qs = sqrt(dipole_Qs2(k->dipole)), shorter_delta = 1, delta_max = auto_delta_max(k);
    if (c->delta_max) {
        shorter_delta = k->coarser; /* what a given end cuts off shows in the certificate */
        delta_max = c->delta_max / shorter_delta;
    }
    double r_max = c->r_max ? c->r_max : fmax(R_MAX_QS / Qs, 2 * delta_max);
    double s_max = c->s_max ? c->s_max / k->coarser
                            : EXPONENT / (2 * k->eps) + (near == far ? 0 : far * delta_max);
    grid_steps steps = choose_steps(k), wide = steps;
    wide.scale /= far;
    wide.step /= far;
    wide.turn /= far;
    CGCT_TRY(radial(c->delta_grid, c->delta_n, delta_max, k->coarser * shorter_delta, &wide,
                    &g->inner.nd, &g->delta, err));
    CGCT_TRY(radial(c->r_grid, c->r_n, r_max / k->coarser, k->coarser * k->coarser, &steps,
                    &g->inner.nr, &g->r, err));
    return inner_nodes(&steps, s_max, &g->inner.ns, &g->s, err);
}

static cgct_status choose_momenta(inner_grids *g, const inner_grids_task *k, cgct_err *err)
{
    double Qs = sqrt(dipole_Qs2(k->dipole)), given = k->settings->hankel.p_spacing;
    double spacing = (given ? given : P_SPACING) * k->coarser;
    double step = P_STEP / P_SPACING * spacing * fmax(k->eps, Qs);
    if (g->inner.nm <= MODES_ISOTROPIC) step = k->P_max;
    grid_steps steps = {fmin(k->eps, Qs), spacing, step, INFINITY};
    return grid_graded(&steps, k->P_max, &g->np, &g->P, err);
}

/* Inverse powers of R in G_m: R^-(2+2i+pj) where Gamma ~ r^p; the linear terms of other frames than
 * the midpoint and the logarithms of mv bring every integer.  Ascending, not closer than 1/2. */
static void choose_tail(inner_grids *g, const inner_grids_task *k)
{
    double p = dipole_large_r_power(k->dipole);
    int every = k->settings->lam != 0.5 || dipole_kind_of(k->dipole) == DIPOLE_MV;
    int n = 0, want = k->settings->hankel.tail_terms;
    for (double last = 0; n < want; last = g->power[n++]) {
        double next = INFINITY;
        for (int i = 0; i <= 2 * want; i++)
            for (int j = 0; j <= 2 * want; j++) {
                double e = 2 + (every ? i : 2 * i) + p * j;
                if (e >= last + 0.5 && e < next) next = e;
            }
        g->power[n] = next;
    }
    g->tail = (filon_tail_opts){k->settings->hankel.tail_nodes, n, g->power};
}

/* The direct builder's own nodes; two angles for each mode are the least it accepts. */
static void choose_direct(inner_grids *g, const inner_grids_task *k)
{
    const inner_settings *c = k->settings;
    int least = 2 * g->m[g->inner.nm - 1];
    double angles = c->phi_n ? c->phi_n / k->coarser : fmax(64 / k->coarser, least + 2);
    g->inner.s_max = c->s_max ? c->s_max : g->s[g->inner.ns - 1];
    g->inner.n_gauss = (int)ceil(c->gauss_n / k->coarser);
    g->inner.n_phi = k->coarser > 1 ? (int)fmax(ceil(angles), least) : (int)angles;
}

static cgct_status choose(inner_grids *g, const inner_grids_task *k, cgct_err *err)
{
    const inner_settings *c = k->settings;
    double given = c->rank_tolerance;
    g->inner.eps = k->eps;
    g->inner.lam = c->lam;
    g->inner.device = (int)strtol(c->device, NULL, 10); /* "all" begins with 0 */
    /* gbw has no ridges: L = -r^2 Qs^2/4 is analytic */
    g->inner.ridge_cut =
        dipole_kind_of(k->dipole) == DIPOLE_GBW ? 0 : fmax(k->P_max, RIDGE_CUT_EPS * k->eps);
    g->inner.digits = k->coarser > 1 ? DIGITS - 1 : DIGITS;
    g->inner.rank_tolerance =
        given ? given : fmax(RANK_TOLERANCE * c->tolerance, RANK_TOLERANCE_MIN);
    if (k->coarser > 1) g->inner.rank_tolerance *= 10;
    CGCT_TRY(choose_orders(g, k, err));
    CGCT_TRY(choose_radii(g, k, err));
    choose_direct(g, k);
    CGCT_TRY(choose_momenta(g, k, err));
    choose_tail(g, k);
    g->inner.m = g->m;
    g->inner.delta = g->delta;
    g->inner.r = g->r;
    g->inner.s = g->s;
    return CGCT_OK;
}

cgct_status inner_grids_init(inner_grids *g, const inner_grids_task *task, cgct_err *err)
{
    memset(g, 0, sizeof *g);
    cgct_status st = choose(g, task, err);
    if (st != CGCT_OK) inner_grids_free(g);
    return st;
}

void inner_grids_free(inner_grids *g)
{
    free(g->m);
    free(g->delta);
    free(g->r);
    free(g->s);
    free(g->P);
    memset(g, 0, sizeof *g);
}
