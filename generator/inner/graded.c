/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One (Delta, R, gamma) without discretisation error.  Elliptic coordinates with the foci r = 0 and
 * r' = 0: their area element is |r||r'|, which takes away the singularities of the wave functions.
 *
 *   t = r' + Delta/2 = c (cosh mu cos nu, sinh mu sin nu)        c = Delta/2, Delta along x
 *   |r'| = c (cosh mu - cos nu)    |r| = c (cosh mu + cos nu)    r.r' = c^2 (sinh^2 mu - sin^2 nu)
 *
 * Rectangles of (mu,nu) are quartered until the last Legendre coefficients of the integrand, summed
 * along either side, are negligible; what is singular (r + b = 0, b = r', knots of a table, the
 * foci) lies in ever smaller ones. */
#include "inner/graded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/quadrature.h"

enum { NODES = 12, POINTS = NODES * NODES, DEPTH_MAX = 40, LAST = 2, STRIPS_MAX = 64 };
static const double EXPONENT = 34;       /* e^-34 of the integrand between the foci is cut off */
static const double COEFFICIENT = 3e-10; /* of the integral of |G|: leaves 1e-10, measured */
static const double DELTA_MIN = 1e-6;    /* units of 1/eps */

struct graded_rule {
    double x[NODES], w[NODES];
    double last[LAST][NODES]; /* (2k+1) w_i P_k(x_i), k = NODES-2, NODES-1 */
};

typedef struct {
    const inner_integrand *f;
    const graded_rule *rule;
    double delta, R, gamma, c, kx; /* kx = (1/2 - lam) Delta */
    double Rx, Ry, b, db;
    double scale[NPOL]; /* integral of |G| */
    double *wave;       /* (nwave, POINTS) */
} graded_task;

typedef struct {
    double mu, nu, hmu, hnu; /* middle and half sides */
} graded_cell;

typedef struct {
    double I[NPOL], norm[NPOL], last[NPOL];
} graded_value;

cgct_status graded_rule_init(graded_rule **out, cgct_err *err)
{
    quad_gauss g;
    graded_rule *r = *out = malloc(sizeof *r);
    if (!r) return cgct_fail(err, CGCT_E_NOMEM, "direct-graded builder: no memory");
    cgct_status st = quad_gauss_init(&g, NODES, err);
    for (int i = 0; st == CGCT_OK && i < NODES; i++) {
        double p[NODES] = {1, g.x[i]};
        for (int k = 2; k < NODES; k++)
            p[k] = ((2 * k - 1) * g.x[i] * p[k - 1] - (k - 1) * p[k - 2]) / k;
        r->x[i] = g.x[i];
        r->w[i] = g.w[i];
        for (int l = 0; l < LAST; l++) {
            int k = NODES - LAST + l;
            r->last[l][i] = (2 * k + 1) * g.w[i] * p[k];
        }
    }
    return st;
}

/* f at the squared lengths R^2 + x */
static void lengths(const graded_task *t, size_t n, double *x, double *out)
{
    double R2 = t->R * t->R;
    for (size_t i = 0; i < n; i++) x[i] = x[i] > -R2 ? x[i] : -R2;
    if (t->f->length)
        t->f->length(t->f->self, R2, n, x, out);
    else
        memcpy(out, x, n * sizeof *x);
}

/* G on the nodes of a cell, times |r||r'|. */
static void sample(const graded_task *t, const graded_cell *cell, double G[NPOL][POINTS])
{
    double r2[POINTS], rp2[POINTS], dot[POINTS], area[POINTS], x[2 * POINTS], f[2 * POINTS];
    double c = t->c, co[NODES], si[NODES], minus[NODES], plus[NODES]; /* 1 -+ cos nu */
    for (int j = 0; j < NODES; j++) {
        double nu = cell->nu + cell->hnu * t->rule->x[j];
        co[j] = cos(nu);
        si[j] = sin(nu);
        minus[j] = 2 * pow(sin(nu / 2), 2);
        plus[j] = 2 * pow(cos(nu / 2), 2);
    }
    for (int i = 0, k = 0; i < NODES; i++) {
        double mu = cell->mu + cell->hmu * t->rule->x[i];
        double ch = cosh(mu), sh = sinh(mu), hm = 2 * pow(sinh(mu / 2), 2);
        for (int j = 0; j < NODES; j++, k++) {
            double rp = c * (hm + minus[j]), r = c * (hm + plus[j]);
            double tx = c * ch * co[j], ty = c * sh * si[j], sx = tx - t->kx, ux = tx + t->kx;
            r2[k] = r * r;
            rp2[k] = rp * rp;
            dot[k] = c * c * (sh * sh - si[j] * si[j]);
            area[k] = r * rp;
            x[k] = sx * sx + ty * ty - 2 * (sx * t->Rx + ty * t->Ry);
            x[POINTS + k] = ux * ux + ty * ty + 2 * (ux * t->Rx + ty * t->Ry);
        }
    }
    lengths(t, 2 * POINTS, x, f);
    if (t->f->nwave) t->f->wave(t->f->self, POINTS, r2, rp2, dot, t->wave);
    inner_points p = {POINTS, t->delta, t->R, t->gamma, r2, rp2,
                      dot,    t->wave,  t->b, t->db,    f,  f + POINTS};
    t->f->value(t->f->self, &p, G[POL_T], G[POL_L]);
    for (int pol = 0; pol < NPOL; pol++)
        for (int k = 0; k < POINTS; k++) G[pol][k] *= area[k];
}

static void evaluate(const graded_task *t, const graded_cell *cell, graded_value *v)
{
    double G[NPOL][POINTS], unit = cell->hmu * cell->hnu;
    const graded_rule *g = t->rule;
    sample(t, cell, G);
    for (int pol = 0; pol < NPOL; pol++) {
        double I = 0, norm = 0, along[2][LAST] = {{0}};
        for (int i = 0; i < NODES; i++)
            for (int j = 0; j < NODES; j++) {
                double value = G[pol][i * NODES + j];
                I += g->w[i] * g->w[j] * value;
                norm += g->w[i] * g->w[j] * fabs(value);
                for (int l = 0; l < LAST; l++) {
                    along[0][l] += g->last[l][i] * g->w[j] * value;
                    along[1][l] += g->w[i] * g->last[l][j] * value;
                }
            }
        v->I[pol] = unit * I;
        v->norm[pol] = unit * norm;
        v->last[pol] = 0;
        for (int l = 0; l < LAST; l++)
            v->last[pol] += unit * (fabs(along[0][l]) + fabs(along[1][l]));
    }
}

/* Quarters the cell where its rule does not resolve the integrand. */
static void integrate(const graded_task *t, const graded_cell *cell, int depth, double I[NPOL])
{
    graded_value v;
    evaluate(t, cell, &v);
    int good = depth == DEPTH_MAX;
    good |= v.last[POL_T] <= COEFFICIENT * t->scale[POL_T] &&
            v.last[POL_L] <= COEFFICIENT * t->scale[POL_L];
    for (int q = 0; !good && q < 4; q++) {
        double hmu = cell->hmu / 2, hnu = cell->hnu / 2;
        graded_cell quarter = {cell->mu + (q & 1 ? hmu : -hmu), cell->nu + (q & 2 ? hnu : -hnu),
                               hmu, hnu};
        integrate(t, &quarter, depth + 1, I);
    }
    for (int pol = 0; good && pol < NPOL; pol++) I[pol] += v.I[pol];
}

static int first_cells(const graded_task *t, graded_cell cell[4 * STRIPS_MAX])
{
    double top = acosh(1 + EXPONENT / (t->f->eps * t->delta));
    int n = (int)fmin(ceil(top / M_PI_2), STRIPS_MAX);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++)
            cell[4 * i + j] =
                (graded_cell){top * (i + 0.5) / n, M_PI_2 * (j - 1.5), top / n / 2, M_PI_4};
    return 4 * n;
}

void graded_point(const inner_integrand *f, const graded_rule *rule, double lam, double delta,
                  double R, double gamma, double *wave, double g[NPOL])
{
    double d = fmax(delta, DELTA_MIN / f->eps), a = lam * d, c = (1 - lam) * d, x[2], at[2];
    graded_cell cell[4 * STRIPS_MAX];
    graded_task t = {.f = f, .rule = rule, .delta = d, .R = R, .gamma = gamma, .wave = wave};
    t.c = d / 2;
    t.kx = (0.5 - lam) * d;
    t.Rx = R * cos(gamma);
    t.Ry = R * sin(gamma);
    x[0] = a * a - 2 * a * t.Rx;
    x[1] = c * c + 2 * c * t.Rx;
    lengths(&t, 2, x, at);
    t.b = at[0];
    t.db = at[1];
    int n = first_cells(&t, cell);
    for (int i = 0; i < n; i++) {
        graded_value v;
        evaluate(&t, &cell[i], &v);
        for (int pol = 0; pol < NPOL; pol++) t.scale[pol] += v.norm[pol];
    }
    g[POL_T] = g[POL_L] = 0;
    for (int i = 0; i < n; i++) integrate(&t, &cell[i], 0, g);
}

size_t graded_wave_doubles(const inner_integrand *f)
{
    return f->nwave * POINTS + 1;
}
