/* SPDX-License-Identifier: MIT */
/* Draws events from a slice.
 *
 * k is the shorter momentum, phi = pi - 2 beta its angle to q.  tau goes from 0 to 1 in each patch:
 *     tau = (v/v_end)^2,  v of FORMAT.md 5 in either patch, v_end its value at k_max or at k = q/2
 * beta goes from 0 to pi/2 in the lower patch, to where sin^2 beta = (1 + q/2k)/2 in the upper one.
 * The density in (ln q, tau) is q^2 k dk/dtau Int dphi I; in the lower patch T_m, m > 0, drop out
 * of it.  Cells reach from node to node in q and are equidistant in the root of tau.  An event is a
 * cell, a point in it from a density that is exponential in both variables, and an angle from
 * straight lines through CGCT_LINES values; the weight makes up for what is missing. */
#define CGCTAB_PRIVATE
#include "cgctab.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
/* Cells in tau of both patches, and their largest length in ln q: within them the density of real
 * tables is an exponential to about 1% (tests/reader/test_sample.c). */
enum { LOWER = 40, UPPER = 32, COLUMNS = LOWER + UPPER };
#define ROW_MAX 0.15
#define LEAST_TAU 1e-20 /* below it k is lost in rounding */

/* In a cell the density goes as e^(q a + (tau + change a) b), 0 <= a, b <= 1 along ln q and tau. */
typedef struct {
    double end; /* integral of the density over all cells up to this one */
    double q, tau, change;
} sampler_cell;

struct cgct_sampler {
    const cgct_slice *slice;
    double factor[2], unit; /* the larger factor is 1, in units of unit */
    double ln_top;          /* ln(2 k_max) */
    size_t rows;            /* cells in q */
    double *q;              /* (rows + 1): ln q between them */
    sampler_cell *cell;     /* (rows, COLUMNS) */
    uint32_t *guide;        /* (cells): the first that ends beyond i/cells of the total */
    double total;
    double even[CGCT_LINES]; /* beta over its largest value: ends of the lines, */
    double node[CGCT_LINES], weight[CGCT_LINES]; /* a quadrature */
};

/* ---- a point in (ln q, tau) ---- */

typedef struct {
    double q, k, measure; /* q^2 k dk/dtau */
    double top;           /* largest beta */
    double density[2];    /* factor e^l of T and L */
    cgct_spot spot;
    cgct_lines lines; /* where asked for: sum of both over all density at given shares of top */
} place;

static void find_place(const cgct_sampler *s, int upper, double ln_q, double tau,
                       const double *share, place *p)
{
    const cgct_table *t = s->slice->table;
    const double q = exp(ln_q), half = q / 2, root = sqrt(tau > LEAST_TAU ? tau : LEAST_TAU);
    double end, slope;
    p->q = q;
    p->k = cgct_patch_k(t, upper, half, root, &end, &slope);
    double v = end * root;
    p->measure = q * q * slope * end * end / (2 * v);
    p->top = upper ? asin(sqrt((1 + half / p->k) / 2)) : PI / 2;
    p->lines.stretch = upper ? 2 / (1 + half / p->k) : 1;
    p->spot.upper = upper;
    p->spot.modes = share != NULL;
    p->spot.ln_q = ln_q;
    const double inside = v < 0 ? 0 : v < 1 ? v : 1; /* no q of a damaged file leads out of it */
    p->spot.v = inside * (double)(t->v[upper].n - 1);
    cgct_spot_fill(s->slice, &p->spot);
    for (int pol = 0; pol < 2; pol++) p->density[pol] = s->factor[pol] * p->spot.a[pol];
    if (!share) return;
    const double all = p->density[0] + p->density[1];
    const double part[2] = {p->density[0] / all, p->density[1] / all};
    p->lines.part = part;
    for (int i = 0; i < CGCT_LINES; i++) p->lines.theta[i] = PI - 2 * share[i] * p->top;
    cgct_spot_lines(&p->spot, &p->lines);
}

/* ---- the cells ---- */

/* Fejer's quadrature on [0,1]: its nodes lie at the zeros of T_CGCT_LINES. */
static void fill_angles(cgct_sampler *s)
{
    for (int i = 0; i < CGCT_LINES; i++) {
        double angle = PI * (i + 0.5) / CGCT_LINES, sum = 1;
        for (int j = 1; j <= CGCT_LINES / 2; j++) sum -= 2 * cos(2 * j * angle) / (4.0 * j * j - 1);
        s->node[i] = (1 - cos(angle)) / 2;
        s->weight[i] = sum / CGCT_LINES;
        s->even[i] = i / (CGCT_LINES - 1.0);
    }
}

/* The density in (ln q, tau). */
static double integrate_angle(const cgct_sampler *s, int upper, double ln_q, double tau)
{
    place p;
    double mean = !upper;
    find_place(s, upper, ln_q, tau, upper ? s->node : NULL, &p);
    for (int i = 0; i < CGCT_LINES && upper; i++) mean += s->weight[i] * p.lines.value[0][i];
    double v = p.measure * 2 * p.top * (p.density[0] + p.density[1]) * mean;
    return v > 0 ? v : 0;
}

/* Of column j: its patch, and tau from one end to the other. */
static int column_range(size_t j, double tau[2])
{
    int upper = j >= LOWER;
    size_t n = upper ? UPPER : LOWER, i = upper ? j - LOWER : j;
    for (size_t end = 0; end < 2; end++) {
        double y = (double)(i + end) / (double)n;
        tau[end] = y * y;
    }
    return upper;
}

#define ROOT3 1.7320508075688773
#define SLOPE_MAX 40

/* Exponent over a unit from the values at the two points of Gauss, which lie 1/ROOT3 apart. */
static double slope_of(double a, double b)
{
    double c = a > 0 && b > 0 ? ROOT3 * log(b / a) : 0;
    return c > SLOPE_MAX ? SLOPE_MAX : c < -SLOPE_MAX ? -SLOPE_MAX : c;
}

static void fill_cell(cgct_sampler *s, size_t i, size_t j)
{
    static const double node[2] = {(1 - 1 / ROOT3) / 2, (1 + 1 / ROOT3) / 2};
    sampler_cell *c = &s->cell[i * COLUMNS + j];
    double tau[2], v[2][2] = {{0, 0}, {0, 0}}, along[2];
    double width = s->q[i + 1] - s->q[i];
    int upper = column_range(j, tau);
    if (!upper || s->q[i + 1] <= s->ln_top)
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                v[a][b] = integrate_angle(s, upper, s->q[i] + node[a] * width,
                                          tau[0] + node[b] * (tau[1] - tau[0]));
    for (int a = 0; a < 2; a++) along[a] = slope_of(v[a][0], v[a][1]);
    c->q = slope_of(v[0][0] + v[0][1], v[1][0] + v[1][1]);
    c->change = ROOT3 * (along[1] - along[0]);
    c->tau = along[0] - node[0] * c->change;
    s->total += width * (tau[1] - tau[0]) * (v[0][0] + v[0][1] + v[1][0] + v[1][1]) / 4;
    c->end = s->total;
}

/* u times the total, in spite of rounding below it for u < 1. */
static double end_of(const cgct_sampler *s, double u)
{
    return u * s->total * (1 - 4 * DBL_EPSILON);
}

static void fill_guide(cgct_sampler *s)
{
    const size_t n = s->rows * COLUMNS;
    for (size_t i = 0, cell = 0; i < n; i++) {
        while (cell + 1 < n && !(s->cell[cell].end > end_of(s, (double)i / (double)n))) cell++;
        s->guide[i] = (uint32_t)cell;
    }
}

/* The nodes in q, more where they are far apart, and 2 k_max, where the upper patch ends. */
static cgct_status fill_rows(cgct_sampler *s)
{
    const cgct_nodes *a = &s->slice->table->q;
    size_t room = (size_t)((double)a->n + 2 + (a->u[a->n - 1] - a->u[0]) / ROW_MAX);
    s->q = (double *)malloc(room * sizeof *s->q);
    if (!s->q) return CGCT_E_NOMEM;
    s->q[0] = a->u[0];
    for (size_t i = 1; i < a->n; i++) {
        double from = a->u[i - 1], step = a->u[i] - from, parts = ceil(step / ROW_MAX);
        for (double j = 1; j <= parts; j++) {
            double next = j < parts ? from + j / parts * step : a->u[i];
            if (s->q[s->rows] < s->ln_top && s->ln_top < next) s->q[++s->rows] = s->ln_top;
            s->q[++s->rows] = next;
        }
    }
    return CGCT_OK;
}

static cgct_status fill_sampler(cgct_sampler *s, cgct_err *err)
{
    s->ln_top = log(2 * s->slice->table->info.k_max);
    cgct_status st = fill_rows(s);
    s->cell = (sampler_cell *)malloc(s->rows * COLUMNS * sizeof *s->cell);
    s->guide = (uint32_t *)malloc(s->rows * COLUMNS * sizeof *s->guide);
    if (st != CGCT_OK || !s->cell || !s->guide)
        return cgct_message(err, CGCT_E_NOMEM, "no memory for a sampler");
    fill_angles(s);
    for (size_t i = 0; i < s->rows; i++)
        for (size_t j = 0; j < COLUMNS; j++) fill_cell(s, i, j);
    if (!(s->total > 0 && isfinite(s->total)))
        return cgct_message(err, CGCT_E_DOMAIN, "integral of the density is %g, want a number > 0",
                            s->total);
    fill_guide(s);
    return CGCT_OK;
}

cgct_status cgct_sampler_init(cgct_sampler **out, const cgct_slice *slice, const double factor[2],
                              cgct_err *err)
{
    if (out) *out = NULL;
    if (!out || !slice || !factor)
        return cgct_message(err, CGCT_E_USAGE, "cgct_sampler_init: NULL argument");
    if (!(factor[0] >= 0 && factor[1] >= 0 && factor[0] + factor[1] > 0 &&
          isfinite(factor[0] + factor[1])))
        return cgct_message(err, CGCT_E_DOMAIN, "factors %g and %g, want >= 0 and not both 0",
                            factor[0], factor[1]);
    cgct_sampler *s = (cgct_sampler *)calloc(1, sizeof *s);
    if (!s) return cgct_message(err, CGCT_E_NOMEM, "no memory for a sampler");
    s->slice = slice;
    s->unit = factor[0] > factor[1] ? factor[0] : factor[1];
    for (int pol = 0; pol < 2; pol++) s->factor[pol] = factor[pol] / s->unit;
    cgct_status st = fill_sampler(s, err);
    if (st == CGCT_OK)
        *out = s;
    else
        cgct_sampler_free(s);
    return st;
}

/* Both images of the exchange, both signs of the angle, and 2 pi of q. */
double cgct_sampler_total(const cgct_sampler *s)
{
    return s ? 8 * PI * s->total * s->unit : NAN;
}

void cgct_sampler_free(cgct_sampler *s)
{
    if (!s) return;
    free(s->q);
    free(s->cell);
    free(s->guide);
    free(s);
}

/* ---- events ---- */

/* The first cell that ends beyond u times the total. */
static size_t cell_of_share(const cgct_sampler *s, double u)
{
    const size_t n = s->rows * COLUMNS;
    size_t cell = s->guide[(size_t)(u * (double)n)];
    double end = end_of(s, u);
    while (cell + 1 < n && !(s->cell[cell].end > end)) cell++;
    return cell;
}

/* x in [0,1] from the density proportional to e^(c x); *p: that density at x. */
static double draw_exponential(double c, double u, double *p)
{
    if (fabs(c) < 1e-5) { /* to first order */
        double x = u * (1 + c / 2 * (1 - u));
        *p = 1 + c * (x - 0.5);
        return x;
    }
    double e = exp(c) - 1, grown = 1 + u * e;
    *p = c * grown / e;
    return log(grown) / c;
}

/* Lines lie no lower than this share of the mean, so that weights stay small. */
#define LINE_MIN 0.01

/* beta over top from the lines; *p: their density in phi. */
static double draw_angle(const place *at, double u, double *p)
{
    double line[CGCT_LINES], two[CGCT_LINES], sum = 0; /* two: sums of neighbours */
    for (int i = 0; i < CGCT_LINES; i++)
        line[i] = at->lines.value[0][i] > LINE_MIN ? at->lines.value[0][i] : LINE_MIN;
    for (int i = 0; i + 1 < CGCT_LINES; i++) two[i] = line[i] + line[i + 1];
    two[CGCT_LINES - 1] = 0;
    for (int i = 0; i < CGCT_LINES; i += 4)
        sum += (two[i] + two[i + 1]) + (two[i + 2] + two[i + 3]);
    int i = 0;
    double left = u * sum;
    for (; i + 2 < CGCT_LINES && left >= two[i]; i++) left -= two[i];
    double a = line[i], square = a * a + (line[i + 1] - a) * left,
           end = sqrt(square > 0 ? square : 0);
    *p = end * (CGCT_LINES - 1) / (sum * at->top);
    double x = left / (a + end);
    return (i + (x < 1 ? x : 1)) / (CGCT_LINES - 1.0);
}

/* The density at theta, each I from 0 on unless the table keeps what is below. */
static double density_at(const cgct_sampler *s, place *p, double theta)
{
    const int keep = s->slice->table->info.negative == CGCT_NEGATIVE_KEEP;
    const double c = cos(theta / 2);
    double sum[2], all = 0;
    cgct_spot_sum(&p->spot, 2 * p->lines.stretch * c * c - 1, sum);
    for (int pol = 0; pol < 2; pol++) {
        double v = 1 + sum[pol];
        all += p->density[pol] * (v > 0 || keep ? v : 0);
    }
    return p->measure * all;
}

/* The same event with the partons' labels exchanged. */
static void exchange_partons(cgct_event *e)
{
    double s = sin(e->theta / 2), along = (e->q - e->k1) + 2 * e->k1 * s * s;
    double across = -e->k1 * sin(e->theta);
    e->k1 = sqrt(along * along + across * across);
    e->theta = atan2(across, along);
}

static void draw_event(const cgct_sampler *s, const double u[5], cgct_event *e)
{
    size_t i = cell_of_share(s, u[0]);
    const sampler_cell *c = &s->cell[i];
    const double *q = s->q + i / COLUMNS;
    double tau[2], p_q, p_tau, p_angle, share = c->end - (i ? c[-1].end : 0);
    int upper = column_range(i % COLUMNS, tau);
    double a = draw_exponential(c->q, u[1], &p_q);
    double b = draw_exponential(c->tau + a * c->change, u[2], &p_tau);
    place p;
    find_place(s, upper, q[0] + a * (q[1] - q[0]), tau[0] + b * (tau[1] - tau[0]), s->even, &p);
    double v = u[3] < 0.5 ? 2 * u[3] : 2 * u[3] - 1;
    double beta = p.top * draw_angle(&p, v, &p_angle);
    double drawn = share * p_q * p_tau * p_angle / ((q[1] - q[0]) * (tau[1] - tau[0]));
    e->q = p.q;
    e->k1 = p.k;
    e->theta = u[3] < 0.5 ? PI - 2 * beta : 2 * beta - PI;
    if (e->theta <= -PI) e->theta = PI;
    e->weight = density_at(s, &p, e->theta) / drawn;
    if (u[4] < 0.5) exchange_partons(e);
}

cgct_status cgct_sample(const cgct_sampler *s, const double u[5], cgct_event *e)
{
    if (!e) return CGCT_E_USAGE;
    e->q = e->k1 = e->theta = e->weight = NAN;
    if (!s || !u) return CGCT_E_USAGE;
    for (int i = 0; i < 5; i++)
        if (!(u[i] >= 0 && u[i] < 1)) return CGCT_E_DOMAIN;
    draw_event(s, u, e);
    return CGCT_OK;
}

cgct_status cgct_sample_many(const cgct_sampler *s, size_t n, const double *u, cgct_event *events,
                             size_t *first)
{
    cgct_status result = CGCT_OK;
    if (first) *first = n;
    if (n && !events) return CGCT_E_USAGE;
    for (size_t i = 0; i < n; i++) {
        cgct_status st = cgct_sample(s, u ? u + 5 * i : NULL, &events[i]);
        if (st == CGCT_OK || result != CGCT_OK) continue;
        result = st;
        if (first) *first = i;
    }
    return s ? result : CGCT_E_USAGE;
}
