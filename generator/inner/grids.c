/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choice of all grids, orders and tolerances of one (x,eps). */
#include "inner/grids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/grid.h"
#include "numerics/memory.h"

/* Constants without another origin were measured for errors of `tolerance` = 1e-6: on GBW against
 * exact values, on other dipoles by refinement (tests/node/test_node.c). */

/* Steps of the graded grids in Delta and R: relative; absolute, up to `turn`, in units of 1/Qs.
 * What single scattering leaves of the singularities at b = 0 and Delta + b = 0 turns into
 * exp(i q Delta/2), which the absolute steps must resolve while S(Delta) is not small.  The
 * Gaussian of gbw has no singularities; there I falls like a Gaussian, and farther R matter. */
typedef struct {
    double spacing, step, turn, rank; /* rank: tolerance of W per tolerance of I */
} grid_choice;
static const grid_choice GRID_SINGULAR = {0.033, 0.025, 6.5, 1e-5};
static const grid_choice GRID_SMOOTH = {0.030, 0.040, 10, 1e-7};
/* Where only small q are asked for, these steps grow by LONGER_UP_TO Qs / q, by LONGER_STEP at
 * most: singularities at b = 0 and Delta + b = 0 oscillate more slowly then. */
static const double LONGER_STEP = 2, LONGER_UP_TO = 8;
static const double GRID_SPACING_POWER = 1. / 9; /* degree 8: error ~ spacing^9 */
static const double GRID_SCALE_P = 0.2;          /* geometric beyond GRID_SCALE_P / P_max ... */
static const double GRID_SCALE_EPS = 0.1;        /* ... but not beyond GRID_SCALE_EPS / eps */
static const double GRID_EXPONENT = 37; /* e^-37 = 1e-16: what Delta_max and s_max may cut off */
static const double GRID_R_MAX_QS = 60; /* R_max Qs: the inverse powers of the tail hold beyond */

/* The mode m at Delta contributes J_m(q |R|) at R = max(lam,1-lam) Delta, where it is largest: with
 * z = q_max |R| as many orders as z and this many more count, in units of 1 + z^(1/3). */
static const double ORDERS_BEYOND = 9;

/* Below the 8-th node the grid of s descends geometrically: by 1.25^-48 = 2e-5. */
static const double DESCENT_RATIO = 1.25;
enum { DESCENT_FROM = 8, DESCENT_NODES = 48 };

/* Modes: some, and as many as a ridge of relative width max(eps,Qs) / (q max(lam,1-lam)) needs;
 * more where eps < Qs, since I on the ridge then exceeds I beside it the more. */
enum { MODES_MIN = 16, MODES_MAX = 512, MODES_ISOTROPIC = 4 };
static const double MODES_PER_RIDGE = 8, MODES_OF_HEIGHT = 0.25;

static const double P_SPACING = 0.04; /* of P, relative ... */
static const double P_STEP = 0.2;     /* ... and in units of eps, of sqrt(eps Qs) where eps < Qs */
static const double P_BEYOND = 5;     /* steps beyond the largest */
/* S(|b|) of the dijets of a proton smears the ridge of one parton, not that of the other. */
static const double MODES_FORWARD = 1.8, P_FORWARD = 0.5;

/* Of the inner integrals; the second pass has one less. */
static const double QUADRATURE_DIGITS = 12;
/* Of W: below 1e-14 rounding decides.  The second pass takes ten times more. */
static const double RANK_TOLERANCE_MIN = 1e-14, RANK_COARSER = 10;
/* Where the integral over r' has no part in the table. */
static const double RANK_UNUSED = 1e-2;
/* Of what colours change; its panels have room for no more nodes than the finest takes. */
static const double COLOURS_FINEST = 1e-8, COLOURS_COARSEST = 1e-3;
enum { DIRECT_ANGLES = 64 }; /* of the paper's discretisation, unless a card says otherwise */

/* L = -r^2 Qs^2/4 is analytic, without singularities, but the function of pairs has some. */
static int is_smooth(const dipole *d)
{
    return d->kind == DIPOLE_GBW && d->forward_parts != PARTS_PAIRS;
}

/* The singlet part has no single scattering. */
static int takes_single(const dipole *d)
{
    return !is_smooth(d) && !d->singlet;
}

/* The width in momentum of I: of ridges, or at least Qs where S(|b|) multiplies the correlator, for
 * that convolutes them with its transform. */
static double narrowest(const inner_grids_task *k)
{
    const double Qs = sqrt(k->dipole->Qs2);
    return k->dipole->process == PROCESS_DIS ? k->eps : fmax(k->eps, Qs);
}

static double automatic_delta_max(const inner_grids_task *k)
{
    double lo = 0, hi = GRID_EXPONENT / k->eps;
    for (int i = 0; i < 60; i++) {
        const double mid = 0.5 * (lo + hi);
        if (inner_column_exponent(k->dipole, k->eps, mid) < GRID_EXPONENT)
            lo = mid;
        else
            hi = mid;
    }
    return hi;
}

typedef struct {
    const char *kind;        /* as in the run card */
    int n;                   /* nodes of a uniform or quadratic grid */
    double last, coarser;    /* last node; ratio of the spacings of these grids */
    const grid_steps *steps; /* of a graded grid */
} radial_grid;

/* Graded grids in Delta are those in R stretched by 1/max(lam, 1-lam), so that the kinks at s = R
 * and R = lam Delta meet nodes and the error of interpolation there varies smoothly; but for Delta
 * beyond grid_choice.turn, where S(Delta) leaves nothing of the kinks. */
static cgct_status radial_nodes(const radial_grid *g, size_t *nx, double **x, cgct_err *err)
{
    int uniform = !strcmp(g->kind, "uniform"), quadratic = !strcmp(g->kind, "quadratic");
    if (!uniform && !quadratic) return grid_graded(g->steps, g->last, nx, x, err);
    if (!g->n)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "a %s grid needs its number of nodes: set inner.delta_n or inner.r_n",
                         g->kind);
    *nx = (size_t)ceil((g->n - 1) / g->coarser) + 1;
    return grid_power(uniform ? GRID_UNIFORM : GRID_QUADRATIC, *nx, g->last, x, err);
}

/* The nodes of s: those of R, and below one of the first a geometric descent to s = 0, because the
 * transverse wave functions weigh every decade of s equally where L ~ s^2 ln s. */
static cgct_status descending_nodes(const grid_steps *steps, double last, size_t *n, double **s,
                                    cgct_err *err)
{
    double *far;
    size_t nfar;
    CGCT_TRY(grid_graded(steps, last, &nfar, &far, err));
    size_t skip = nfar > DESCENT_FROM ? DESCENT_FROM : nfar - 1;
    *n = nfar - skip + DESCENT_NODES + 1;
    *s = memory_new(*n, sizeof **s);
    (*s)[0] = 0;
    for (size_t j = 0; j < DESCENT_NODES; j++)
        (*s)[DESCENT_NODES - j] = far[skip] * pow(DESCENT_RATIO, -(double)(j + 1));
    for (size_t j = skip; j < nfar; j++) (*s)[DESCENT_NODES + 1 + j - skip] = far[j];
    free(far);
    return CGCT_OK;
}

static const grid_choice *grid_choice_of(const dipole *d)
{
    return d->kind == DIPOLE_GBW ? &GRID_SMOOTH : &GRID_SINGULAR;
}

static grid_steps choose_grid_steps(const inner_grids_task *k)
{
    const inner_settings *c = k->settings;
    double Qs = sqrt(k->dipole->Qs2);
    double fine = pow(c->tolerance / 1e-6, GRID_SPACING_POWER);
    const grid_choice *at = grid_choice_of(k->dipole);
    grid_steps g = {fmin(GRID_SCALE_P / k->P_max, GRID_SCALE_EPS / k->eps), at->spacing * fine,
                    at->step / Qs * fine, at->turn / Qs};
    if (c->scale) g.scale = c->scale;
    if (c->spacing) g.spacing = c->spacing;
    if (c->step) g.step = c->step;
    if (at == &GRID_SINGULAR) g.step *= fmin(LONGER_STEP, fmax(1, LONGER_UP_TO * Qs / k->q_max));
    g.spacing *= k->coarser;
    g.step *= k->coarser;
    return g;
}

static void choose_orders(inner_grids *g, const inner_grids_task *k)
{
    const inner_settings *c = k->settings;
    const int is_even = inner_is_symmetric(c->lam, k->dipole), step = is_even ? 2 : 1;
    int M = c->modes;
    double Qs = sqrt(k->dipole->Qs2), width = fmax(k->eps, Qs);
    double ridges = k->q_max * fmax(c->lam, 1 - c->lam) / width;
    double digits = log(c->tolerance) / log(1e-6);
    double per_ridge = MODES_PER_RIDGE * (1 + MODES_OF_HEIGHT * log(width / narrowest(k)));
    if (k->dipole->process != PROCESS_DIS) per_ridge *= MODES_FORWARD;
    if (!M && is_even && is_smooth(k->dipole))
        M = MODES_ISOTROPIC; /* the exact value depends on |P| and q only */
    else if (!M)
        M = (int)fmin(MODES_MAX, MODES_MIN + per_ridge * digits * ridges);
    M = (int)ceil(M / k->coarser);
    g->inner.nm = (size_t)(M / step) + 1;
    g->m = memory_new(g->inner.nm, sizeof *g->m);
    for (size_t im = 0; im < g->inner.nm; im++) g->m[im] = (int)im * step;
}

static cgct_status choose_radii(inner_grids *g, const inner_grids_task *k, cgct_err *err)
{
    const inner_settings *c = k->settings;
    double lam = c->lam, far = fmax(lam, 1 - lam), near = fmin(lam, 1 - lam);
    double Qs = sqrt(k->dipole->Qs2), shorter_delta = 1, delta_max = automatic_delta_max(k);
    if (c->delta_max) {
        shorter_delta = k->coarser; /* so that the error estimate shows what a given end cuts off */
        delta_max = c->delta_max / shorter_delta;
    }
    double r_max = c->r_max ? c->r_max : fmax(GRID_R_MAX_QS / Qs, 2 * delta_max);
    if (k->dipole->process != PROCESS_DIS && !c->r_max) /* beyond it S(|b|) leaves nothing */
        r_max = dipole_radius(k->dipole, GRID_EXPONENT, GRID_R_MAX_QS / Qs) + lam * delta_max;
    double s_max = c->s_max ? c->s_max / k->coarser
                            : GRID_EXPONENT / (2 * k->eps) + (near == far ? 0 : far * delta_max);
    grid_steps steps = choose_grid_steps(k), wide = steps;
    wide.scale /= far;
    wide.step /= far;
    const radial_grid delta = {c->delta_grid, c->delta_n, delta_max, k->coarser * shorter_delta,
                               &wide};
    const radial_grid r = {c->r_grid, c->r_n, r_max / k->coarser, k->coarser * k->coarser, &steps};
    CGCT_TRY(radial_nodes(&delta, &g->inner.nd, &g->delta, err));
    CGCT_TRY(radial_nodes(&r, &g->inner.nr, &g->r, err));
    return descending_nodes(&steps, s_max, &g->inner.ns, &g->s, err);
}

/* Of the orders m[nm] those that count at each Delta. */
static void choose_orders_at(inner_grids *g, const inner_grids_task *k)
{
    const inner_settings *c = k->settings;
    const double digits = log(c->tolerance) / log(1e-6),
                 reach = k->q_max * fmax(c->lam, 1 - c->lam);
    const double beyond = ORDERS_BEYOND * pow(digits, 2. / 3) / k->coarser;
    g->nm_delta = memory_new(g->inner.nd, sizeof *g->nm_delta);
    for (size_t id = 0; id < g->inner.nd; id++) {
        const double z = reach * g->delta[id], m = z + beyond * (1 + cbrt(z));
        size_t n = 1;
        while (n < g->inner.nm && g->m[n] <= m) n++;
        g->nm_delta[id] = n;
    }
    g->inner.nm_delta = g->nm_delta;
}

/* Inverse powers of R in G_m: R^-(2+2i+pj) where -ln S ~ r^p at large r, and R^-(2+i+pj) in frames
 * other than the midpoint, which have linear terms, and for the logarithms of mv.  The powers rise,
 * no two closer than 1/2. */
static void choose_tail(inner_grids *g, const inner_grids_task *k)
{
    double p = k->dipole->power;
    int every = k->settings->lam != 0.5 || k->dipole->kind == DIPOLE_MV;
    int n = 0, want = k->settings->hankel.tail_terms;
    if (k->dipole->process != PROCESS_DIS) want = 0; /* S(|b|) leaves no tail */
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

static cgct_status choose_all(inner_grids *g, const inner_grids_task *k, cgct_err *err)
{
    const inner_settings *c = k->settings;
    double given = c->rank_tolerance;
    g->inner.eps = k->eps;
    g->inner.lam = c->lam;
    g->inner.colours = fmin(fmax(c->colours * c->tolerance, COLOURS_FINEST), COLOURS_COARSEST);
    g->inner.coarser = k->coarser;
    g->inner.device = (int)strtol(c->device, NULL, 10); /* "all" begins with 0 */
    g->inner.single = takes_single(k->dipole);
    g->inner.digits = k->coarser > 1 ? QUADRATURE_DIGITS - 1 : QUADRATURE_DIGITS;
    /* a small eps reaches to large |A|, where W is small, but not N W */
    const double rank =
        k->dipole->process == PROCESS_DIS ? grid_choice_of(k->dipole)->rank : GRID_SMOOTH.rank;
    g->inner.rank_tolerance = given ? given : fmax(rank * c->tolerance, RANK_TOLERANCE_MIN);
    if (k->coarser > 1) g->inner.rank_tolerance *= RANK_COARSER;
    if (dipole_is_field(k->dipole)) g->inner.rank_tolerance = RANK_UNUSED;
    choose_orders(g, k);
    CGCT_TRY(choose_radii(g, k, err));
    choose_orders_at(g, k);
    /* the direct builder's own nodes; two angles for each mode are the least it accepts */
    const int least = 2 * g->m[g->inner.nm - 1];
    double angles = c->phi_n ? c->phi_n / k->coarser : fmax(DIRECT_ANGLES / k->coarser, least + 2);
    g->inner.s_max = c->s_max ? c->s_max / k->coarser : g->s[g->inner.ns - 1];
    g->inner.n_gauss = (int)ceil(c->gauss_n / k->coarser);
    g->inner.n_phi = k->coarser > 1 ? (int)fmax(ceil(angles), least) : (int)angles;
    const double Qs = sqrt(k->dipole->Qs2), eps = narrowest(k);
    const double chosen = k->dipole->process == PROCESS_DIS ? P_SPACING : P_FORWARD * P_SPACING;
    const double spacing = (c->hankel.p_spacing ? c->hankel.p_spacing : chosen) * k->coarser;
    double step = P_STEP / P_SPACING * spacing * sqrt(eps * fmax(eps, Qs));
    if (g->inner.nm <= MODES_ISOTROPIC) step = k->P_max;
    const grid_steps steps = {fmin(eps, Qs), spacing, step, INFINITY};
    /* polynomials through one side alone are much worse: nodes on the other side of the last P */
    const double last = k->P_max + P_BEYOND * fmin(spacing * hypot(k->P_max, steps.scale), step);
    CGCT_TRY(grid_graded(&steps, last, &g->np, &g->P, err));
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
    cgct_status st = choose_all(g, task, err);
    if (st != CGCT_OK) inner_grids_free(g);
    return st;
}

void inner_grids_free(inner_grids *g)
{
    free(g->m);
    free(g->nm_delta);
    free(g->delta);
    free(g->r);
    free(g->s);
    free(g->P);
    memset(g, 0, sizeof *g);
}
