/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_kernel.c: the integral over z of the BK equation as a fixed sum for every r of the grid.
 *
 * By symmetry z is integrated over the half plane x < y, twice, in polar coordinates (ln x, theta)
 * about z = 0, the only singular point there:
 *     (dS/dY)/S = Int d2z K expm1[Gamma(r) - Gamma(x) - Gamma(y)],  d2z = 4 x^2 dln x dtheta,
 * theta from arccos(r/2x), or 0 for x < r/2, to pi.  Panels end where Gamma or alpha_s has a kink
 * in x, and where a kink in y enters or leaves the range of theta.
 *
 * In equations with shifts of Y the integral ends where the shift D = 2 |ln(x/r)| reaches Y, at
 * large x (kc) or at small x (t).  The panel in which that happens has points of its own for every
 * Y. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/bk_impl.h"
#include "format/lists.h"
#include "numerics/memory.h"

#define NC 3.0
enum { BREAKS_MAX = 40 };
/* Panels reach down to x = r e^-DEPTH.  From there to 0 the integrand is a power of x between 1 and
 * 2, and x = r e^-DEPTH s^POWER makes it smooth in s. */
#define DEPTH 14.0
#define POWER 3.0
/* Widest panels in ln x at refine = 1: around r/2 and where Gamma is of order 1, elsewhere, and at
 * the transition of a smooth freeze. */
#define PANEL 0.75
#define PANEL_WIDE 1.5
#define PANEL_TRANSITION 0.35
/* Gamma up to which panels far from r are wide, and ends of panels about a transition. */
#define LN_GAMMA_WIDE -5.0
static const double transition_edges[] = {-1, -0.35, 0.35, 1};
/* exp(-Gamma) peaks at z on the line between the ends of r; width in ln x and in theta of that peak
 * is 1/sqrt(Gamma).  Panels are no wider than this number of widths. */
#define PANEL_PEAK 3.0
/* Where theta begins at arccos(r/2x) > 0 the peak is cut off within a length of order 1/Gamma in
 * ln x right of r/2: width of the first panel there. */
#define CUT_PEAK 1.0
/* Larger Gamma is not resolved: splitting replaces such S at once.  Gamma ~ r, which it becomes,
 * has the resolution of a profile ~ r^2 that is GAMMA_LATER times as large. */
#define GAMMA_MAX 300.0
#define GAMMA_LATER 3.0
/* Ratio of the distances of the ends of a panel from a square root behind it, in ln x; a distance
 * that is none. */
#define GROW_FROM_ROOT 3.0
#define NEGLIGIBLE 1e-12
/* Logarithms of the errors of the rules in theta, from the singularity at y = 0 and the peak. */
#define ANGLE_LOG 20.0
#define PEAK_LOG 12.0

/* A place in ln x where panels end; root: right of it the integral over theta is like a square
 * root. */
typedef struct {
    double t;
    int root;
} radial_break;

typedef struct {
    bk_points *points;
    const bk_grid *grid;
    const bk_grid_opts *o;
    double r, t, Gamma0; /* r, ln r, Gamma to be resolved */
    int side;            /* +1, -1: shifts where x > r (kc), x < r (t); 0: none */
} point_build;

static point_build build_at(bk_points *p, const bk_grid *g, double t)
{
    const bk_equation e = g->o.alpha->equation;
    const double now = exp(bk_grid_lnGamma(g, t)), start = bk_start_Gamma(g->o.start, t);
    return (point_build){.points = p,
                         .grid = g,
                         .o = &g->o,
                         .r = exp(t),
                         .t = t,
                         .Gamma0 = fmin(fmin(fmax(start, now), GAMMA_LATER * now), GAMMA_MAX),
                         .side = (e == BK_CONSTRAINED) - (e == BK_TARGET)};
}

static void grow(void **p, size_t *cap, size_t need, size_t bytes)
{
    if (need <= *cap) return;
    *cap = need + need / 2 + 256;
    *p = memory_resize(*p, *cap, bytes);
}

/* Multiples of BK_LANES angles that resolve the integrand at q = x/r. */
static int angle_count(const point_build *b, double q)
{
    const double a = q < 1 ? 2 * b->Gamma0 * q : 0;
    double n = 0.5 * sqrt(2 * PEAK_LOG * a);
    if (q < 0.5)
        n += 0.5 * ANGLE_LOG / log(1 / q);
    else
        n += q < 0.7 ? 15 : q < 3 ? 11 : 7;
    if (isfinite(b->o->alpha->transition) && fabs(b->t - log(b->o->alpha->transition)) < 1.5 &&
        q > 0.05)
        n += 8;
    n *= b->o->refine;
    return BK_LANES * (int)fmin(fmax(ceil(n / BK_LANES), 1), BK_ANGLES / BK_LANES);
}

/* Shift of Y at x. */
static double bk_shift(const point_build *b, double lnx)
{
    return fmax(0, 2 * b->side * (lnx - b->t));
}

/* One point: theta by its cosine, weight without K. */
static void add_point(const point_build *b, double x, double cosine, double weight)
{
    bk_points *p = b->points;
    const double r2 = b->r * b->r, x2 = x * x, w = (r2 - 2 * b->r * x * cosine) / x2;
    const double lnx = log(x), lny = lnx + 0.5 * log1p(w), y2 = x2 * (1 + w);
    p->y[p->npoint] = bk_grid_locate(b->grid, lny);
    p->w[p->npoint] = weight * bk_bracket(b->o->alpha, r2, x2, w) * r2 / y2;
    p->shift[p->npoint] = bk_shift(b, b->side < 0 ? lny : lnx);
    p->npoint++;
}

/* Angles at which the integrand of radius x has kinks, rising from the least angle to pi: where y
 * is the r of a sharp freeze, and where the shift of y begins at y = r. */
static int angle_edges(const point_build *b, double x, double edge[4])
{
    const double q = x / b->r, kink = b->o->alpha->kink;
    int n = 1;
    edge[0] = q <= 0.5 ? 0 : acos(0.5 / q);
    const double frozen = (b->r * b->r + x * x - kink * kink) / (2 * b->r * x);
    if (isfinite(kink) && frozen > -1 && frozen < cos(edge[0])) edge[n++] = acos(frozen);
    if (b->side < 0 && x < b->r) {
        const double equal = acos(0.5 * q);
        const int before = n > 1 && edge[1] > equal;
        edge[n] = before ? edge[1] : equal;
        if (before) edge[1] = equal;
        n++;
    }
    edge[n] = M_PI;
    return n;
}

/* Adds the weights of the edges for w S(y) to row, which begins at edge `begin`: the polynomial in
 * barycentric form. */
static void add_to_row(const bk_grid *g, double y, double w, size_t begin, double *row)
{
    const size_t c = (size_t)y, first = g->edges[c];
    const double *edge = g->left + first, *rule = g->rule + c * BK_STENCIL;
    const double t = g->left[c] + (y - (double)c) * (g->left[c + 1] - g->left[c]);
    double share[BK_STENCIL], sum = 0;
#pragma omp simd
    for (int k = 0; k < BK_STENCIL; k++) {
        const double d = t - edge[k];
        share[k] = rule[k] / (d != 0 ? d : 1e-30);
    }
    for (int k = 0; k < BK_STENCIL; k++) sum += share[k];
    w /= sum;
    for (int k = 0; k < BK_STENCIL; k++) row[first - begin + (size_t)k] += w * share[k];
}

/* The points of the last radius become a row. */
static void make_row(const bk_grid *g, bk_points *p)
{
    bk_radius *x = &p->radius[p->nradius - 1];
    const double *y = p->y + x->first, *w = p->w + x->first;
    double range[2];
    number_range(x->n, y, range);
    x->edge = g->edges[(size_t)range[0]];
    const size_t edges = g->edges[(size_t)range[1]] + BK_STENCIL - x->edge;
    const size_t n = (edges + BK_LANES - 1) / BK_LANES * BK_LANES;
    grow((void **)&p->row, &p->cap_row, p->nrow + n, sizeof *p->row);
    memset(p->row + p->nrow, 0, n * sizeof *p->row);
    for (size_t i = 0; i < x->n; i++) {
        x->weight += w[i];
        add_to_row(g, y[i], w[i], x->edge, p->row + p->nrow);
    }
    p->npoint = x->first;
    x->first = p->nrow;
    x->n = n;
    p->nrow += n;
}

/* All angles of radius x; weight: of ln x. */
static void add_radius(const point_build *b, double x, double weight)
{
    bk_points *p = b->points;
    const double q = x / b->r;
    const int n = angle_count(b, q);
    const size_t start = p->npoint;
    double edge[4];
    const int parts = angle_edges(b, x, edge);
    const size_t need = start + (size_t)(parts * n);
    size_t cap_y = p->cap_point, cap_shift = cap_y;
    weight *= 4 * NC / (2 * M_PI * M_PI);
    grow((void **)&p->radius, &p->cap_radius, p->nradius + 1, sizeof *p->radius);
    grow((void **)&p->y, &cap_y, need, sizeof *p->y);
    grow((void **)&p->shift, &cap_shift, need, sizeof *p->shift);
    grow((void **)&p->w, &p->cap_point, need, sizeof *p->w);
    if (q <= 0.5 && parts == 1)
        for (int i = 0; i < n; i++) add_point(b, x, cos(M_PI * (i + 0.5) / n), weight * M_PI / n);
    else
        for (int i = 0; i < parts; i++) {
            const quad_gauss *g = &b->grid->gauss[n / BK_LANES - 1];
            const double half = 0.5 * (edge[i + 1] - edge[i]);
            for (int k = 0; k < n; k++)
                add_point(b, x, cos(edge[i] + half * (1 + g->x[k])), weight * half * g->w[k]);
        }
    p->radius[p->nradius++] = (bk_radius){.x = bk_grid_locate(b->grid, log(x)),
                                          .shift = bk_shift(b, log(x)),
                                          .first = start,
                                          .n = p->npoint - start};
    if (!b->grid->points) make_row(b->grid, p);
}

/* Gauss rule in ln x from a to end; root: in s with ln x = a + (end - a) s^2, in which a square
 * root at a is smooth. */
static void add_panel(const point_build *b, double a, double end, int root)
{
    const quad_gauss *g = &b->grid->gauss[0];
    bk_points *p = b->points;
    grow((void **)&p->panel, &p->cap_panel, p->npanel + 1, sizeof *p->panel);
    p->panel[p->npanel++] = (bk_panel){a, end, fmax(bk_shift(b, a), bk_shift(b, end)), root};
    for (int i = 0; i < BK_RADIAL; i++) {
        const double s = 0.5 * (1 + g->x[i]), ws = 0.5 * g->w[i] * (end - a);
        const double u = root ? s * s : s, du = root ? 2 * s : 1;
        add_radius(b, exp(a + (end - a) * u), ws * du);
    }
}

static double panel_width(const point_build *b, double t)
{
    const double v = t - b->t, far = fabs(t - log(b->o->alpha->transition));
    double h = v < -2 ? PANEL_WIDE * fmin(-0.5 * v, 2.5) : PANEL;
    if (v > 1.5 && bk_grid_lnGamma(b->grid, t) < LN_GAMMA_WIDE) h = PANEL_WIDE;
    if (v > -2.5 && v < 0.7) h = fmin(h, PANEL_PEAK / sqrt(b->Gamma0));
    if (far < 1) h = fmin(h, PANEL_TRANSITION * (1 + far * far * 3));
    return h / b->o->refine;
}

static int compare_breaks(const void *p, const void *q)
{
    const double a = ((const radial_break *)p)->t, b = ((const radial_break *)q)->t;
    return (a > b) - (a < b);
}

static size_t find_breaks(const point_build *b, double begin, double end, radial_break *k)
{
    const double kink = b->o->alpha->kink, gap = fabs(b->r - kink);
    size_t n = 0;
    k[n++] = (radial_break){begin, 0};
    k[n++] = (radial_break){b->t - log(2), 1};
    k[n++] = (radial_break){end, 0};
    for (double v = 2; v < DEPTH - 1; v *= 1.4) k[n++] = (radial_break){b->t - v, 0};
    /* right of r/2 theta < arccos(r/2x) is cut off, with it the peak at theta = 0 */
    k[n++] = (radial_break){b->t - log(2) + fmin(CUT_PEAK / b->Gamma0, 0.5), 0};
    const int resum = b->o->alpha->equation == BK_RESUM;
    if (b->o->alpha->scheme == BK_SMALLEST || resum || b->side) k[n++] = (radial_break){b->t, 0};
    if (resum) k[n++] = (radial_break){b->t + 0.5 * log(b->o->alpha->Ksub), 0};
    for (size_t i = 0; i < sizeof transition_edges / sizeof *transition_edges; i++)
        if (isfinite(b->o->alpha->transition))
            k[n++] = (radial_break){log(b->o->alpha->transition) + transition_edges[i], 0};
    for (double t = b->t + 1.5; t < end; t += 0.5)
        if (bk_grid_lnGamma(b->grid, t) > LN_GAMMA_WIDE) {
            k[n++] = (radial_break){t, 0};
            break;
        }
    if (isfinite(kink)) {
        k[n++] = (radial_break){log(kink), 0};
        if (gap > 1e-9 * b->r && b->r > 1e-7 * kink && b->r < 2 * kink)
            k[n++] = (radial_break){log(gap), 1};
    }
    qsort(k, n, sizeof *k, compare_breaks);
    return n;
}

/* Equal panels from a to end. */
static void add_panels(const point_build *b, double a, double end, int root)
{
    const double middle = panel_width(b, 0.5 * (a + end));
    const double h = fmin(panel_width(b, a), fmin(panel_width(b, end), middle));
    const int n = (int)ceil((end - a) / h);
    const double width = (end - a) / n;
    for (int i = 0; i < n; i++)
        add_panel(b, a + i * width, i + 1 < n ? a + (i + 1) * width : end, root && i == 0);
}

/* The panels between two breaks; those close to the root behind them grow away from it. */
static void add_stretch(const point_build *b, double a, double end, double root)
{
    const int from_root = a - root < NEGLIGIBLE;
    if (end - a < NEGLIGIBLE) return;
    while (!from_root && end - a > 1.5 * (GROW_FROM_ROOT - 1) * (a - root)) {
        const double next = root + GROW_FROM_ROOT * (a - root);
        add_panels(b, a, next, 0);
        a = next;
    }
    add_panels(b, a, end, from_root);
}

void bk_points_init(bk_points *p, const bk_grid *g, double t)
{
    *p = (bk_points){.lnr = t, .r = bk_grid_locate(g, t)};
    radial_break k[BREAKS_MAX];
    const point_build at = build_at(p, g, t), *b = &at;
    /* beyond it K x^2 is a power of r/x; the resummed kernel still depends on logarithms */
    const int resum = b->o->alpha->equation == BK_RESUM;
    double end = fmax(g->t[g->n - 1] + (resum ? 6 : 0.5), t + (resum ? 10 : 4)), begin = t - DEPTH;
    if (b->side > 0) end = t + 0.5 * b->o->Ymax;
    if (b->side < 0) begin = t - 0.5 * b->o->Ymax;
    size_t n = find_breaks(b, begin, end, k);
    double root = -INFINITY;
    for (size_t i = 0; i + 1 < n; i++) {
        if (k[i].root) root = k[i].t;
        if (k[i].t >= begin && k[i + 1].t <= end) add_stretch(b, k[i].t, k[i + 1].t, root);
    }
    const quad_gauss *q = &g->gauss[0];
    for (int i = 0; i < BK_RADIAL && b->side >= 0; i++) { /* (0, begin] */
        const double s = 0.5 * (1 + q->x[i]);
        add_radius(b, exp(begin + POWER * log(s)), 0.5 * q->w[i] * POWER / s);
    }
    /* [end, infinity), where S vanishes and alpha_s is constant: K x^2 is even in r/x */
    for (int i = 0; i < BK_RADIAL && b->side <= 0; i++) {
        const double s = 0.5 * (1 + q->x[i]);
        add_radius(b, exp(end) / sqrt(s), 0.25 * q->w[i] / s);
    }
}

void bk_points_free(bk_points *p)
{
    free(p->radius);
    free(p->panel);
    free(p->y);
    free(p->w);
    free(p->shift);
    free(p->row);
    *p = (bk_points){0};
}

void bk_kernel_init(bk_kernel *k, const bk_grid *g)
{
    *k = (bk_kernel){g, memory_zeros(g->n, sizeof *k->of)};
#pragma omp parallel for schedule(dynamic, 4)
    for (size_t j = 0; j < g->n; j++) bk_points_init(&k->of[j], g, g->t[j]);
}

void bk_points_cut(bk_points *cut, const bk_points *p, const bk_grid *g, double Y)
{
    const point_build b = build_at(cut, g, p->lnr);
    cut->nradius = cut->npoint = cut->nrow = cut->npanel = 0;
    const double end = b.t + 0.5 * b.side * Y;
    for (size_t i = 0; i < p->npanel; i++) {
        const bk_panel *a = &p->panel[i];
        if (!(end - a->begin > NEGLIGIBLE && a->end - end > NEGLIGIBLE)) continue;
        add_stretch(&b, b.side > 0 ? a->begin : end, b.side > 0 ? end : a->end,
                    a->root ? a->begin : -INFINITY);
        return;
    }
}

void bk_kernel_cut(const bk_kernel *k, size_t n, double Y, bk_points *cut)
{
#pragma omp parallel for schedule(dynamic, 4)
    for (size_t j = 0; j < n; j++) bk_points_cut(&cut[j], &k->of[j], k->grid, Y);
}

void bk_kernel_free(bk_kernel *k)
{
    for (size_t j = 0; k->of && j < k->grid->n; j++) bk_points_free(&k->of[j]);
    free(k->of);
    *k = (bk_kernel){0};
}
