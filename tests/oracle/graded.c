/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inner table without discretisation error: each point g(Delta,R,gamma) by adaptive cubature,
 * and as many angles gamma as its modes need.
 *
 * Elliptic coordinates with the foci r = 0 and r' = 0 are used at each point.  Their area element
 * is |r||r'|, which removes the singularities of the wave functions there.
 *
 *   t = r' + Delta/2 = c (cosh mu cos nu, sinh mu sin nu)        c = Delta/2, Delta along x
 *   |r'| = c (cosh mu - cos nu)    |r| = c (cosh mu + cos nu)    r.r' = c^2 (sinh^2 mu - sin^2 nu)
 *
 * Rectangles of (mu,nu) are quartered until the last Legendre coefficients of the integrand, summed
 * along either side, are negligible.  The remaining singularities (r + b = 0, b = r', knots of a
 * tabulated dipole, the foci) end up in ever smaller rectangles. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/quadrature.h"
#include "oracle/graded.h"

enum {
    GRADED_NODES = 12, /* of the Gauss rule along either side of a rectangle */
    GRADED_POINTS = GRADED_NODES * GRADED_NODES,
    GRADED_LAST = 2,          /* Legendre coefficients that judge the resolution */
    GRADED_DEPTH_MAX = 40,    /* quarterings: sides of 2^-40, where rounding decides */
    GRADED_STRIPS_MAX = 64,   /* of the first division in mu */
    GRADED_ANGLES_FIRST = 16, /* gamma on the whole circle: at first ... */
    GRADED_ANGLES_MAX = 4096  /* ... and at most */
};
static const double GRADED_EXPONENT = 34; /* the integrand is cut where it fell by e^-34, 2e-15 */
static const double GRADED_TOLERANCE = 3e-10; /* of the integral of |G|: leaves 1e-10, measured in
                                                 tests/inner/test_inner_direct.c */
static const double GRADED_DELTA_MIN = 1e-6;  /* units of 1/eps: the foci must not coincide */
/* Share of the largest mode that the modes next to the sampling limit may have. */
static const double GRADED_MODE_TAIL = 1e-9;

/* ---- one point (Delta, R, gamma) ---- */

typedef struct {
    double x[GRADED_NODES], w[GRADED_NODES];
    double last[GRADED_LAST][GRADED_NODES]; /* (2k+1) w_i P_k(x_i) for the highest orders k */
} graded_rule;

/* One point, and what all points of a thread have in common. */
typedef struct {
    const inner_integrand *f;
    const graded_rule *rule;
    double lam, *wave; /* scratch (nwave, GRADED_POINTS) */
    double delta, R, gamma;
    double c, kx, Rx, Ry;  /* Delta/2; (1/2 - lam) Delta; components of R */
    double ends[2];        /* f of the integrand at |b| and |Delta+b| */
    double absolute[NPOL]; /* integral of |G| */
} graded_task;

typedef struct {
    double mu, nu, hmu, hnu; /* centre and half sides */
} graded_cell;

typedef struct {
    double I[NPOL], absolute[NPOL], last[NPOL]; /* integrals of G and |G|, last coefficients */
} graded_value;

static void graded_rule_init(graded_rule *r)
{
    quad_gauss g;
    quad_gauss_init(&g, GRADED_NODES);
    for (int i = 0; i < GRADED_NODES; i++) {
        double p[GRADED_NODES] = {1, g.x[i]}; /* Legendre polynomials at the node */
        for (int k = 2; k < GRADED_NODES; k++)
            p[k] = ((2 * k - 1) * g.x[i] * p[k - 1] - (k - 1) * p[k - 2]) / k;
        r->x[i] = g.x[i];
        r->w[i] = g.w[i];
        for (int l = 0; l < GRADED_LAST; l++) {
            int k = GRADED_NODES - GRADED_LAST + l;
            r->last[l][i] = (2 * k + 1) * g.w[i] * p[k];
        }
    }
}

/* Geometry of the nodes of one cell: k runs over (mu, nu). */
typedef struct {
    double r2[GRADED_POINTS], rp2[GRADED_POINTS], dot[GRADED_POINTS];
    double area[GRADED_POINTS];  /* |r||r'| */
    double x[2 * GRADED_POINTS]; /* |b-r'|^2 - R^2, then |r+b|^2 - R^2 */
} graded_nodes;

static void graded_place_nodes(const graded_task *t, const graded_cell *cell, graded_nodes *q)
{
    double c = t->c, co[GRADED_NODES], si[GRADED_NODES];
    double minus[GRADED_NODES], plus[GRADED_NODES]; /* 1 -+ cos nu without cancellation */
    for (int j = 0; j < GRADED_NODES; j++) {
        double nu = cell->nu + cell->hnu * t->rule->x[j];
        co[j] = cos(nu);
        si[j] = sin(nu);
        minus[j] = 2 * pow(sin(nu / 2), 2);
        plus[j] = 2 * pow(cos(nu / 2), 2);
    }
    for (int i = 0, k = 0; i < GRADED_NODES; i++) {
        double mu = cell->mu + cell->hmu * t->rule->x[i];
        double ch = cosh(mu), sh = sinh(mu), hm = 2 * pow(sinh(mu / 2), 2);
        for (int j = 0; j < GRADED_NODES; j++, k++) {
            double rp = c * (hm + minus[j]), r = c * (hm + plus[j]);
            double tx = c * ch * co[j], ty = c * sh * si[j], sx = tx - t->kx, ux = tx + t->kx;
            q->r2[k] = r * r;
            q->rp2[k] = rp * rp;
            q->dot[k] = c * c * (sh * sh - si[j] * si[j]);
            q->area[k] = r * rp;
            q->x[k] = sx * sx + ty * ty - 2 * (sx * t->Rx + ty * t->Ry);
            q->x[GRADED_POINTS + k] = ux * ux + ty * ty + 2 * (ux * t->Rx + ty * t->Ry);
        }
    }
}

/* G on the nodes of a cell, times |r||r'|. */
static void graded_sample(const graded_task *t, const graded_cell *cell,
                          double G[NPOL][GRADED_POINTS])
{
    const inner_integrand *f = t->f;
    double at[2 * GRADED_POINTS];
    graded_nodes q;
    graded_place_nodes(t, cell, &q);
    inner_lengths(f, t->R, 2 * GRADED_POINTS, q.x, at);
    if (f->nwave) f->wave(f->self, GRADED_POINTS, q.r2, q.rp2, q.dot, t->wave);
    const inner_points p = {.n = GRADED_POINTS,
                            .delta = t->delta,
                            .R = t->R,
                            .gamma = t->gamma,
                            .r2 = q.r2,
                            .rp2 = q.rp2,
                            .dot = q.dot,
                            .wave = t->wave,
                            .b = t->ends[0],
                            .db = t->ends[1],
                            .cross = at,
                            .far = at + GRADED_POINTS};
    f->value(f->self, &p, G[POL_T], G[POL_L]);
    for (int pol = 0; pol < NPOL; pol++)
        for (int k = 0; k < GRADED_POINTS; k++) G[pol][k] *= q.area[k];
}

static void graded_cell_integral(const graded_task *t, const graded_cell *cell, graded_value *v)
{
    double G[NPOL][GRADED_POINTS], unit = cell->hmu * cell->hnu;
    const graded_rule *g = t->rule;
    graded_sample(t, cell, G);
    for (int pol = 0; pol < NPOL; pol++) {
        double I = 0, absolute = 0, along[2][GRADED_LAST] = {{0}};
        for (int i = 0; i < GRADED_NODES; i++)
            for (int j = 0; j < GRADED_NODES; j++) {
                double value = G[pol][i * GRADED_NODES + j];
                I += g->w[i] * g->w[j] * value;
                absolute += g->w[i] * g->w[j] * fabs(value);
                for (int l = 0; l < GRADED_LAST; l++) {
                    along[0][l] += g->last[l][i] * g->w[j] * value;
                    along[1][l] += g->w[i] * g->last[l][j] * value;
                }
            }
        v->I[pol] = unit * I;
        v->absolute[pol] = unit * absolute;
        v->last[pol] = 0;
        for (int l = 0; l < GRADED_LAST; l++)
            v->last[pol] += unit * (fabs(along[0][l]) + fabs(along[1][l]));
    }
}

/* I += integral over the cell, which is quartered where its rule does not resolve the integrand. */
static void graded_integrate(const graded_task *t, const graded_cell *cell, int depth,
                             double I[NPOL])
{
    graded_value v;
    graded_cell_integral(t, cell, &v);
    int good = depth == GRADED_DEPTH_MAX;
    good |= v.last[POL_T] <= GRADED_TOLERANCE * t->absolute[POL_T] &&
            v.last[POL_L] <= GRADED_TOLERANCE * t->absolute[POL_L];
    for (int q = 0; !good && q < 4; q++) {
        double hmu = cell->hmu / 2, hnu = cell->hnu / 2;
        graded_cell quarter = {cell->mu + (q & 1 ? hmu : -hmu), cell->nu + (q & 2 ? hnu : -hnu),
                               hmu, hnu};
        graded_integrate(t, &quarter, depth + 1, I);
    }
    for (int pol = 0; good && pol < NPOL; pol++) I[pol] += v.I[pol];
}

/* Strips of mu, cut in four along nu, out to where the wave functions are negligible. */
static int graded_first_cells(const graded_task *t, graded_cell cell[4 * GRADED_STRIPS_MAX])
{
    double top = acosh(1 + GRADED_EXPONENT / (t->f->eps * t->delta));
    int n = (int)fmin(ceil(top / M_PI_2), GRADED_STRIPS_MAX);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++)
            cell[4 * i + j] =
                (graded_cell){top * (i + 0.5) / n, M_PI_2 * (j - 1.5), top / n / 2, M_PI_4};
    return 4 * n;
}

/* g[T,L](Delta,R,gamma) of the Delta and R of the task */
static void graded_point(graded_task *t, double gamma, double g[NPOL])
{
    double a = t->lam * t->delta, c = (1 - t->lam) * t->delta;
    graded_cell cell[4 * GRADED_STRIPS_MAX];
    t->gamma = gamma;
    t->c = t->delta / 2;
    t->kx = (0.5 - t->lam) * t->delta;
    t->Rx = t->R * cos(gamma);
    t->Ry = t->R * sin(gamma);
    double x[2] = {a * a - 2 * a * t->Rx, c * c + 2 * c * t->Rx};
    inner_lengths(t->f, t->R, 2, x, t->ends);
    int n = graded_first_cells(t, cell);
    t->absolute[POL_T] = t->absolute[POL_L] = g[POL_T] = g[POL_L] = 0;
    for (int i = 0; i < n; i++) {
        graded_value v;
        graded_cell_integral(t, &cell[i], &v);
        for (int pol = 0; pol < NPOL; pol++) t->absolute[pol] += v.absolute[pol];
    }
    for (int i = 0; i < n; i++) graded_integrate(t, &cell[i], 0, g);
}

/* ---- modes in gamma, and a table of them ---- */

/* g at gamma_k = 2 pi k/n, k = 0..n/2; the other half follows by reflection. */
typedef struct {
    graded_task t;
    size_t n;
    double g[NPOL][GRADED_ANGLES_MAX / 2 + 1];
} graded_angles;

static void graded_at_angle(graded_angles *a, size_t k)
{
    double g[NPOL];
    graded_point(&a->t, 2 * M_PI * (double)k / (double)a->n, g);
    for (int pol = 0; pol < NPOL; pol++) a->g[pol][k] = g[pol];
}

static double graded_mode(const graded_angles *a, int pol, size_t m)
{
    double G = 0;
    for (size_t k = 0; 2 * k <= a->n; k++) {
        double w = k == 0 || 2 * k == a->n ? 1 : 2;
        G += w * cos(2 * M_PI * (double)(m * k % a->n) / (double)a->n) * a->g[pol][k];
    }
    return 2 * M_PI / (double)a->n * G;
}

/* Of the n/2 modes that n angles distinguish, the last quarter is negligible; m_max is at most half
 * of them. */
static int graded_modes_resolved(const graded_angles *a, size_t m_max)
{
    if (a->n < 4 * m_max) return 0;
    for (int pol = 0; pol < NPOL; pol++) {
        double most = 0, tail = 0;
        for (size_t m = 0; m <= a->n / 4; m++) most = fmax(most, fabs(graded_mode(a, pol, m)));
        for (size_t m = 3 * a->n / 8; m <= a->n / 2; m++)
            tail = fmax(tail, fabs(graded_mode(a, pol, m)));
        if (!(tail <= GRADED_MODE_TAIL * most)) return 0;
    }
    return 1;
}

/* Twice as many angles; the values at the old ones are kept. */
static void graded_double_angles(graded_angles *a)
{
    a->n *= 2;
    for (int pol = 0; pol < NPOL; pol++)
        for (size_t k = a->n / 4 + 1; k-- > 0;) a->g[pol][2 * k] = a->g[pol][k];
    for (size_t k = 1; 2 * k < a->n; k += 2) graded_at_angle(a, k);
}

/* Returns 0 where GRADED_ANGLES_MAX angles do not resolve the modes up to m_max. */
static int graded_all_angles(graded_angles *a, double delta, double R, size_t m_max)
{
    a->t.delta = fmax(delta, GRADED_DELTA_MIN / a->t.f->eps);
    a->t.R = R;
    a->n = GRADED_ANGLES_FIRST;
    for (size_t k = 0; 2 * k <= a->n; k++) graded_at_angle(a, k);
    while (!graded_modes_resolved(a, m_max)) {
        if (a->n == GRADED_ANGLES_MAX) return 0;
        graded_double_angles(a);
    }
    return 1;
}

static void graded_store(const graded_angles *a, size_t id, size_t ir, inner_table *t)
{
    for (int pol = 0; pol < NPOL; pol++) {
        for (size_t im = 0; im < t->nm; im++)
            t->g[(((size_t)pol * t->nm + im) * t->nd + id) * t->nr + ir] =
                graded_mode(a, pol, (size_t)t->m[im]);
        if (id == 0 && ir == 0) t->origin[pol] = a->g[pol][0];
    }
}

/* *unresolved: 1 + the number of a point whose modes are not resolved, or 0. */
static cgct_status graded_all_points(const inner_integrand *f, const graded_rule *rule,
                                     inner_table *t, size_t *unresolved, cgct_err *err)
{
    size_t failed = 0, m_max = (size_t)t->m[t->nm - 1];
    int starved = 0;
#pragma omp parallel reduction(max : failed) reduction(| : starved)
    {
        graded_angles *a = calloc(1, sizeof *a);
        double *wave = malloc((f->nwave * GRADED_POINTS + 1) * sizeof *wave);
        if (a) a->t = (graded_task){.f = f, .rule = rule, .lam = t->lam, .wave = wave};
        starved |= !a || !wave;
#pragma omp for schedule(dynamic, 1)
        for (size_t i = 0; i < t->nd * t->nr; i++) {
            size_t id = i / t->nr, ir = i % t->nr;
            if (starved || failed) continue;
            if (graded_all_angles(a, t->delta[id], t->r[ir], m_max))
                graded_store(a, id, ir, t);
            else
                failed = i + 1;
        }
        free(wave);
        free(a);
    }
    *unresolved = failed;
    return starved ? cgct_fail(err, CGCT_E_NOMEM, "graded builder: no memory") : CGCT_OK;
}

cgct_status inner_graded_build(inner_table *t, const inner_opts *o, const inner_integrand *f,
                               cgct_err *err)
{
    graded_rule rule;
    size_t failed = 0;
    inner_table_init(t, o);
    graded_rule_init(&rule);
    cgct_status st = graded_all_points(f, &rule, t, &failed, err);
    if (failed)
        st = cgct_fail(err, CGCT_E_ACCURACY,
                       "graded builder: %d angles do not resolve the modes at Delta = %g, "
                       "R = %g; move R away from lam Delta and (1-lam) Delta",
                       GRADED_ANGLES_MAX, o->delta[(failed - 1) / o->nr],
                       o->r[(failed - 1) % o->nr]);
    if (st != CGCT_OK) inner_table_free(t);
    return st;
}

cgct_status inner_graded(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err)
{
    inner_dijet self = {d, o->eps};
    inner_integrand f = inner_dijet_integrand(&self);
    return inner_graded_build(t, o, &f, err);
}
