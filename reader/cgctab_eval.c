/* SPDX-License-Identifier: MIT */
/* Evaluates a table: one point, many, all members, a slice, angular modes, cross sections.
 *
 * Every value goes the same way: (x,eps) gives the R numbers U of a segment; (q,k1,theta) gives the
 * shorter momentum k, the variables v and t of its patch (format/FORMAT.md section 5) and the nodes
 * around (q,v); at each of them the rows m = 0, 1, ... times U are l and r_m. */
#define CGCTAB_PRIVATE
#include "cgctab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One copy of the inner loops for each width of vectors, chosen when the program is loaded. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && __GNUC__ >= 12 &&        \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&      \
    !defined(__AVX512F__) && !defined(CGCT_NO_CLONES)
#define CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define CLONES
#endif

#define PI 3.14159265358979323846
#define SMALL_EXCESS 1e-12 /* beyond an end by this share of it is the end */
#define K_LARGE 1e150      /* its square is a number */
#define THETA_LARGE 1e6    /* half_sine reduces smaller angles itself */
enum { GROUP = 8, CHEBYSHEV_MAX = 2 * CGCT_MODES_MAX + 3 * GROUP };

/* ---- eight numbers ---- */

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
typedef double four __attribute__((vector_size(32)));
typedef double four_at __attribute__((vector_size(32), aligned(8), may_alias));
enum { FOURS = 2 };
#else
#define INLINE static inline
typedef double four, four_at;
enum { FOURS = 8 };
#endif
#define FOUR(p, i) (*(const four_at *)((p) + 8 / FOURS * (i)))

typedef struct {
    four v[FOURS];
} eight;

INLINE void set_zero(eight *a)
{
    const four zero = {0};
    for (int i = 0; i < FOURS; i++) a->v[i] = zero;
}

INLINE void add_words(eight *sum, const double *a, const int32_t *w)
{
    double b[8];
    for (int i = 0; i < 8; i++) b[i] = w[i];
    for (int i = 0; i < FOURS; i++) sum->v[i] += FOUR(a, i) * FOUR(b, i);
}

INLINE void halves(const int32_t *w, double low[8], double high[8])
{
    for (int i = 0; i < 8; i++) low[i] = (int32_t)((uint32_t)w[i] << 16) >> 16;
    for (int i = 0; i < 8; i++) high[i] = w[i] >> 16;
}

INLINE void add_halves(eight *sum, const double *a, const int32_t *w)
{
    double low[8], high[8];
    halves(w, low, high);
    for (int i = 0; i < FOURS; i++)
        sum->v[i] += FOUR(a, i) * FOUR(low, i) + FOUR(a + 8, i) * FOUR(high, i);
}

INLINE void add_product(eight *sum, const double *a, const double *b)
{
    for (int i = 0; i < FOURS; i++) sum->v[i] += FOUR(a, i) * FOUR(b, i);
}

INLINE void add_times(eight *sum, double w, const double *a)
{
    for (int i = 0; i < FOURS; i++) sum->v[i] += w * FOUR(a, i);
}

INLINE void add_scaled(eight *sum, double w, const eight *a)
{
    for (int i = 0; i < FOURS; i++) sum->v[i] += w * a->v[i];
}

INLINE double number_of(const eight *a, int i)
{
    return ((const double *)(const void *)a)[i];
}

/* out[i]: sum of its i-th four numbers */
INLINE void add_fours(const eight *a, double out[2])
{
    for (int i = 0; i < 2; i++)
        out[i] = (number_of(a, 4 * i) + number_of(a, 4 * i + 1)) +
                 (number_of(a, 4 * i + 2) + number_of(a, 4 * i + 3));
}

/* ---- functions without branches, so that loops over points become vectors ---- */

INLINE uint64_t bits_of(double v)
{
    uint64_t b;
    memcpy(&b, &v, sizeof b);
    return b;
}

INLINE double from_bits(uint64_t b)
{
    double v;
    memcpy(&v, &b, sizeof v);
    return v;
}

/* a or b without a branch */
INLINE double choose(int which, double a, double b)
{
    uint64_t mask = UINT64_C(0) - (uint64_t)(which != 0);
    return from_bits((bits_of(a) & mask) | (bits_of(b) & ~mask));
}

/* v, or the end of a range that it exceeds; low where v is no number */
INLINE double limit(double v, double low, double high)
{
    v = choose(v > low, v, low);
    return choose(v < high, v, high);
}

#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW 0x1.a39ef35793c76p-33
#define ROUNDING 0x1.8p52 /* adding it rounds |v| < 2^51 to an integer, found in the low bits */

/* u > 0, not subnormal; within 1 ulp.  u = 2^k (1 + f), 1/sqrt(2) <= 1 + f < sqrt(2), and with
 * s = f/(2+f), h = f^2/2:  ln(1+f) = f - (h - s (h + R)),  R = 2 s^2/3 + 2 s^4/5 + ... */
INLINE double ln_of(double u)
{
    const uint64_t sqrt_half = UINT64_C(0x3fe6a09e667f3bcd), shift = UINT64_C(1024) << 52;
    uint64_t b = bits_of(u), k = (b - sqrt_half + shift) >> 52;
    double e = from_bits(k | bits_of(0x1p52)) - 0x1p52 - 1024;
    double f = from_bits(b - (k << 52) + shift) - 1;
    double s = f / (2 + f), z = s * s, z2 = z * z, z4 = z2 * z2, h = f * f / 2;
    double a = (2.0 / 3 + 2.0 / 5 * z) + z2 * (2.0 / 7 + 2.0 / 9 * z);
    double c = (2.0 / 11 + 2.0 / 13 * z) + z2 * (2.0 / 15 + 2.0 / 17 * z);
    double R = z * (a + z4 * (c + z4 * (2.0 / 19 + 2.0 / 21 * z)));
    return e * LN2_HIGH - ((h - (s * (h + R) + e * LN2_LOW)) - f);
}

/* Within 1 ulp; 0 below -745.2, infinity above 709.8. */
INLINE double exponential(double x)
{
    x = limit(x, -746, 710);
    double shifted = x * 0x1.71547652b82fep0 + ROUNDING, n = shifted - ROUNDING;
    double r = (x - n * LN2_HIGH) - n * LN2_LOW, r2 = r * r, r4 = r2 * r2;
    double a = 1.0 / 2 + r * (1.0 / 6) + r2 * (1.0 / 24 + r * (1.0 / 120));
    double b = 1.0 / 720 + r * (1.0 / 5040) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
    double c =
        1.0 / 3628800 + r * (1.0 / 39916800) + r2 * (1.0 / 479001600 + r * (1.0 / 6227020800));
    double p = 1 + (r + r2 * (a + r4 * (b + r4 * c)));
    /* 2^n as the product of two powers, so that results near the ends come out right */
    uint64_t i = bits_of(shifted) - bits_of(ROUNDING) + 2048, half = i / 2;
    return p * from_bits((half - 1) << 52) * from_bits((i - half - 1) << 52);
}

/* sin(theta/2) but for its sign, |theta| <= THETA_LARGE: Taylor's series up to pi/2. */
INLINE double half_sine(double theta)
{
    double x = theta / 2, n = (x * 0x1.45f306dc9c883p-2 + ROUNDING) - ROUNDING;
    /* pi in two parts, the first of 33 bits, so that n times it is exact */
    double r = (x - n * 0x1.921fb54400000p1) - n * 0x1.0b4611a626331p-33;
    double z = r * r, z2 = z * z, z4 = z2 * z2, z8 = z4 * z4;
    double a = (-1.0 / 6 + z * (1.0 / 120)) + z2 * (-1.0 / 5040 + z * (1.0 / 362880));
    double b = (-1.0 / 39916800 + z * (1.0 / 6227020800)) +
               z2 * (-1.0 / 1307674368000 + z * (1.0 / 355687428096000));
    double c = -1.0 / 121645100408832000 + z * (1.0 / 51090942171709440000.0);
    return r + r * z * (a + z4 * b + z8 * c);
}

/* ---- nodes around a point ---- */

typedef struct {
    size_t first, n;
    double w[CGCT_NODES_MAX];
} stencil;

/* w_j = Prod_{i != j} (u - u_i)/(u_j - u_i) over the window of the cell. */
INLINE void weigh_cell(const cgct_nodes *a, size_t cell, double u, stencil *s)
{
    const double *node = a->u + a->first[cell], *inverse = a->inverse + cell * a->width;
    double below = 1, above = 1;
    s->first = a->first[cell];
    s->n = a->count[cell];
    for (size_t j = 0; j < s->n; j++) {
        s->w[j] = inverse[j] * below;
        below *= u - node[j];
    }
    for (size_t j = s->n; j-- > 0;) {
        s->w[j] *= above;
        above *= u - node[j];
    }
}

/* The last cell whose first node is not above u. */
INLINE size_t find_cell(const cgct_nodes *a, double u)
{
    size_t cell = 0;
    for (size_t n = a->cells; n > 1; n -= n / 2) cell += a->u[cell + n / 2] <= u ? n / 2 : 0;
    return cell;
}

/* The cell of a panel: of two panels that share the node u, the first. */
static size_t weigh_axis(const cgct_nodes *a, double u, stencil *s)
{
    size_t cell = find_cell(a, u);
    if (cell && a->u[cell] == u && a->panel[cell] != a->panel[cell - 1]) cell--;
    weigh_cell(a, cell, u, s);
    return cell;
}

/* An argument with its range: an excess of rounding is forgiven, what lies outside is refused or,
 * to
 * freeze, moved to the end. */
static cgct_status into_range(const char *name, const double range[2], int freeze, double *v,
                              cgct_err *err)
{
    if (!(*v > 0) || !isfinite(*v))
        return cgct_message(err, CGCT_E_DOMAIN, "%s = %g, want a number > 0", name, *v);
    double end = *v < range[0] ? range[0] : *v > range[1] ? range[1] : *v;
    if (!freeze && fabs(*v - end) > SMALL_EXCESS * end)
        return cgct_message(err, CGCT_E_RANGE,
                            "%s = %.17g lies outside of the table: %.17g to %.17g", name, *v,
                            range[0], range[1]);
    *v = end;
    return CGCT_OK;
}

/* (x,eps) in a table. */
typedef struct {
    const cgct_segment *segment;
    size_t cell[2];
    stencil x, eps;  /* nodes of the axes */
    double value[2]; /* x and eps after the policy */
} location;

static cgct_status locate_node(const cgct_table *t, double x, double eps, location *at,
                               cgct_err *err)
{
    int freeze = t->info.policy == CGCT_POLICY_FREEZE;
    CGCT_TRY(into_range("x", t->info.x, freeze, &x, err));
    CGCT_TRY(into_range("eps", t->info.eps, freeze, &eps, err));
    at->value[0] = x;
    at->value[1] = eps;
    at->cell[0] = weigh_axis(&t->x, cgct_variable(t->info.x_from, x), &at->x);
    at->cell[1] = weigh_axis(&t->eps, log(eps), &at->eps);
    at->segment = &t->segment[t->x.panel[at->cell[0]] * t->peps + t->eps.panel[at->cell[1]]];
    return CGCT_OK;
}

/* (x,eps) and the U of the member that is evaluated, once they are needed. */
typedef struct {
    location at;
    int ready;
    double U[2 * CGCT_RANK_MAX + GROUP]; /* a group of zeros follows: pairs may reach beyond R */
} blended;

/* U of a member, each number of four repeated as the rows have them: U_0..U_3, U_0..U_3, U_4, ...
 *  */
INLINE void blend_factors(const location *at, size_t member, double *U)
{
    const cgct_segment *g = at->segment;
    const double *from =
        g->U +
        ((member * g->nx + at->x.first - g->x) * g->neps + at->eps.first - g->eps) * g->stride;
    for (size_t r = 0; r < g->stride; r += 8) {
        eight sum;
        set_zero(&sum);
        for (size_t i = 0; i < at->x.n; i++) {
            const double *row = from + i * g->neps * g->stride + r;
            eight along;
            set_zero(&along);
            for (size_t j = 0; j < at->eps.n; j++, row += g->stride)
                add_times(&along, at->eps.w[j], row);
            add_scaled(&sum, at->x.w[i], &along);
        }
        for (int k = 0; k < 8; k++) {
            double *to = U + 2 * r + 8 * (k / 4) + k % 4;
            to[0] = to[4] = number_of(&sum, k);
        }
    }
    for (int k = 0; k < 8; k++) U[2 * g->stride + (size_t)k] = 0;
}

/* Where values come from: a segment with U, or what a slice has blended. */
typedef struct {
    const cgct_table *table;
    blended *node;
    const cgct_slice *slice;
} source;

INLINE void blend_factors_once(const source *from)
{
    blended *b = from->node;
    if (b && !b->ready) blend_factors(&b->at, from->table->info.member, b->U);
    if (b) b->ready = 1;
}

/* ---- points (q,k1,theta) ---- */

/* Up to GROUP points at once.  In: q, k1 and theta; out: the rest. */
typedef struct {
    size_t n;
    double q[GROUP], k1[GROUP], theta[GROUP];
    double k[GROUP], mu[GROUP], t[GROUP]; /* the shorter momentum, its cosine to q, FORMAT.md 5 */
    double ln_q[GROUP], v[GROUP];         /* v in units of the distance of nodes */
    int upper[GROUP];
    cgct_status status[GROUP];
    double l[2][GROUP], s[2][GROUP]; /* I = e^l (1 + s), T and L */
    double value[2][GROUP];
} points;

/* The shorter momentum without cancellation: k2^2 = (q-k1)^2 + 4 q k1 sin^2(theta/2). */
INLINE void take_shorter(points *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double q = p->q[i], k1 = p->k1[i], h = half_sine(p->theta[i]), hh = h * h;
        double along = (q - k1) + 2 * k1 * hh, cosine = 1 - 2 * hh;
        double k2 = sqrt((q - k1) * (q - k1) + 4 * q * k1 * hh);
        int second = 2 * k1 * cosine > q;
        p->k[i] = choose(second, k2, k1);
        p->mu[i] = choose(second, along / choose(k2 > 0, k2, 1), cosine);
    }
}

/* v and t; rounding may exceed their ranges.  In the lower patch, with X = q/(2 k0), R^2 = 1 + X^2,
 * tanh B = X/(1 + R) and 1 - tanh B = (1 + 1/(R + X))/(1 + R), so that (1 + z)/(1 - z) is a
 * quotient
 * of positive numbers.  In the upper patch X = C/k0; asinh X = ln(X + R) in both. */
INLINE void take_variables(const cgct_table *t, points *p, size_t n)
{
    const double unit = 1 / t->info.k0, a = t->info.k_max * t->info.k_max;
    const double lower_cells = (double)(t->v[0].n - 1), upper_cells = (double)(t->v[1].n - 1);
    for (size_t i = 0; i < n; i++) {
        double q = p->q[i], k = p->k[i], mu = p->mu[i], half = q / 2, hh = half * half;
        int upper = 2 * k > q;
        double C = a / sqrt(sqrt(a * a + hh * hh) + hh), X = choose(upper, C, half) * unit;
        double grown = X + sqrt(1 + X * X), b = X * grown, rest = (grown + 1) * half;
        double odds = (rest + 2 * k * b) / (rest + 2 * (half - k) * b);
        double c = sqrt(choose(upper, (k - half) * (k + half), 0)) * unit;
        double in_k = ln_of(choose(upper, c + sqrt(1 + c * c), odds)), v = in_k / ln_of(grown);
        double mapped = 4 * (1 + mu) * k / (2 * k + q) - 1;
        p->t[i] = limit(choose(upper, mapped, mu), -1, 1);
        p->v[i] = limit(choose(upper, v, (1 + v) / 2), 0, 1);
        p->v[i] *= choose(upper, upper_cells, lower_cells);
        p->ln_q[i] = ln_of(q);
    }
    for (size_t i = 0; i < n; i++) p->upper[i] = 2 * p->k[i] > p->q[i];
}

static const char shorter[] = "k = the shorter of k1 and k2 = |q - k1|";

/* Arguments into their ranges; those of points that fail become ones that do not. */
static void check_arguments(const cgct_table *t, points *p, cgct_err *err)
{
    int freeze = t->info.policy == CGCT_POLICY_FREEZE;
    for (size_t i = 0; i < p->n; i++) {
        cgct_status st = CGCT_OK;
        if (!isfinite(p->theta[i]))
            st = cgct_message(err, CGCT_E_DOMAIN, "theta = %g, want a finite number", p->theta[i]);
        else if (!(p->k1[i] >= 0) || !isfinite(p->k1[i]))
            st = cgct_message(err, CGCT_E_DOMAIN, "k1 = %g, want a number >= 0", p->k1[i]);
        else
            st = into_range("q", t->info.q, freeze, &p->q[i], err);
        if (st == CGCT_OK && p->k1[i] > K_LARGE) p->k1[i] = K_LARGE;
        if (st == CGCT_OK && fabs(p->theta[i]) > THETA_LARGE)
            p->theta[i] = 2 * asin(sin(p->theta[i] / 2));
        p->status[i] = st;
        if (st == CGCT_OK) continue;
        p->q[i] = t->info.q[0];
        p->k1[i] = p->theta[i] = 0;
    }
}

static void check_momentum(const cgct_table *t, points *p, cgct_err *err)
{
    const double range[2] = {0, t->info.k_max};
    for (size_t i = 0; i < p->n; i++) {
        if (p->k[i] <= range[1] || p->status[i] != CGCT_OK) continue;
        p->status[i] =
            into_range(shorter, range, t->info.policy == CGCT_POLICY_FREEZE, &p->k[i], err);
        p->k[i] = range[1];
    }
}

/* ---- sums over the nodes around a point ---- */

/* T_1, T_1, T_2, T_2, ... up to T_n at least: T_{m+4} = 2 T_4 T_m - T_{m-4}. */
INLINE void chebyshev(double t, size_t n, double *T)
{
    double t2 = 2 * t * t - 1, t3 = 2 * t * t2 - t, t4 = 2 * t2 * t2 - 1;
    const double first[4] = {t, t2, t3, t4}, before[4] = {t3, t2, t, 1};
    for (size_t i = 0; i < 8; i++) {
        T[i] = first[i / 2];
        if (n > 4) T[8 + i] = 2 * t4 * first[i / 2] - before[i / 2];
    }
    for (size_t m = 8; m < n; m += 4)
        for (size_t i = 2 * m; i < 2 * m + 8; i++) T[i] = 2 * t4 * T[i - 8] - T[i - 16];
}

/* The nodes around a point with their weights. */
typedef struct {
    size_t n, q, v; /* number of nodes; cells */
    size_t node[CGCT_AROUND_MAX];
    double w[CGCT_AROUND_MAX];
} around;

/* v in units of the distance of nodes */
INLINE void find_nodes(const cgct_table *t, int upper, double ln_q, double v, around *a)
{
    const cgct_nodes *nodes = &t->v[upper];
    size_t cell = (size_t)v;
    stencil along_q, along_v;
    a->v = cell < nodes->cells ? cell : nodes->cells - 1;
    a->q = find_cell(&t->q, ln_q);
    a->n = 0;
    weigh_cell(&t->q, a->q, ln_q, &along_q);
    weigh_cell(nodes, a->v, v, &along_v);
    for (size_t i = 0; i < along_q.n; i++)
        for (size_t j = 0; j < along_v.n; j++, a->n++) {
            a->node[a->n] =
                (along_q.first + i) * t->nk + along_v.first + j + (upper ? t->v[0].n : 0);
            a->w[a->n] = along_q.w[i] * along_v.w[j];
        }
}

INLINE void find_around(const cgct_table *t, const points *p, size_t i, around *a)
{
    find_nodes(t, p->upper[i], p->ln_q[i], p->v[i], a);
}

/* Row m times U; returns where the next row begins. */
INLINE const int32_t *take_product(const cgct_segment *g, size_t m, const double *U,
                                   const int32_t *w, eight *row)
{
    set_zero(row);
    for (size_t c = g->wide[m]; c; c--, U += 8, w += 8) add_words(row, U, w);
    for (size_t c = g->pairs[m]; c; c--, U += 16, w += 8) add_halves(row, U, w);
    return w;
}

/* out: l of T and L, Sum_m r_m T_m of T and L */
INLINE void sum_segment(const cgct_segment *g, const double *U, const around *a, double t,
                        double out[4])
{
    double T[CHEBYSHEV_MAX];
    size_t most = 1;
    eight l, s, row, sum;
    for (size_t i = 0; i < a->n; i++)
        most = g->rows[a->node[i]] > most ? g->rows[a->node[i]] : most;
    chebyshev(t, most, T);
    set_zero(&l);
    set_zero(&s);
    for (size_t i = 0; i < a->n; i++) {
        const int32_t *w = take_product(g, 0, U, g->word + 8 * (size_t)g->start[a->node[i]], &row);
        const size_t rows = g->rows[a->node[i]];
        add_scaled(&l, a->w[i], &row);
        set_zero(&sum);
        for (size_t m = 1; m < rows; m++) {
            w = take_product(g, m, U, w, &row);
            add_scaled(&sum, T[2 * m - 2], &row);
        }
        add_scaled(&s, a->w[i], &sum);
    }
    add_fours(&l, out);
    add_fours(&s, out + 2);
}

INLINE void sum_slice(const cgct_slice *s, const around *a, double t, double out[4])
{
    double T[CHEBYSHEV_MAX];
    size_t most = 0;
    eight sum, one;
    for (size_t i = 0; i < a->n; i++)
        most = s->groups[a->node[i]] > most ? s->groups[a->node[i]] : most;
    chebyshev(t, 4 * most, T);
    set_zero(&sum);
    out[0] = out[1] = 0;
    for (size_t i = 0; i < a->n; i++) {
        const double *r = s->r + 8 * (size_t)s->start[a->node[i]];
        set_zero(&one);
        for (size_t c = 0; c < s->groups[a->node[i]]; c++) add_product(&one, T + 8 * c, r + 8 * c);
        add_scaled(&sum, a->w[i], &one);
        for (int pol = 0; pol < 2; pol++) out[pol] += a->w[i] * s->l[2 * a->node[i] + (size_t)pol];
    }
    for (int i = 0; i < 2; i++)
        out[2 + i] = (number_of(&sum, i) + number_of(&sum, i + 2)) +
                     (number_of(&sum, i + 4) + number_of(&sum, i + 6));
}

/* l and s of all points that have a place. */
INLINE void sum_points(const source *from, points *p)
{
    around a[GROUP];
    for (size_t i = 0; i < p->n; i++) {
        if (p->status[i] != CGCT_OK) continue;
        find_around(from->table, p, i, &a[i]);
    }
    blend_factors_once(from);
    for (size_t i = 0; i < p->n; i++) {
        double out[4] = {0, 0, 0, 0};
        if (p->status[i] != CGCT_OK)
            continue;
        else if (from->slice)
            sum_slice(from->slice, &a[i], p->t[i], out);
        else
            sum_segment(from->node->at.segment, from->node->U, &a[i], p->t[i], out);
        for (int pol = 0; pol < 2; pol++) {
            p->l[pol][i] = out[pol];
            p->s[pol][i] = out[2 + pol];
        }
    }
}

INLINE void take_values(points *p, double least, size_t n)
{
    for (int pol = 0; pol < 2; pol++)
        for (size_t i = 0; i < n; i++) {
            double v = exponential(p->l[pol][i]) * (1 + p->s[pol][i]);
            p->value[pol][i] = choose(v > least, v, least);
        }
}

/* ---- slice ---- */

/* Numbers of all points at (x,eps); memory was made. */
INLINE void blend_slice(const cgct_segment *g, const double *U, cgct_slice *s)
{
    const size_t np = s->table->nq * s->table->nk;
    for (size_t i = 0; i < np; i++) {
        const int32_t *z = g->word + 8 * (size_t)g->start[i];
        double *r = s->r + 8 * (size_t)s->start[i];
        for (size_t m = 0; m < g->rows[i]; m++) {
            eight row;
            z = take_product(g, m, U, z, &row);
            add_fours(&row, m ? r + 2 * (m - 1) : s->l + 2 * i);
        }
    }
}

/* ---- all members at a point ---- */

/* Sums of the rows themselves: l and Sum_m r_m T_m are U times these; (2, R/4, 8). */
INLINE void sum_rows(const cgct_segment *g, const around *a, double t, double *out)
{
    double T[CHEBYSHEV_MAX];
    const size_t width = (g->rank + 3) / 4 + 1; /* pairs may reach beyond R */
    chebyshev(t, CGCT_MODES_MAX, T);
    memset(out, 0, 16 * width * sizeof *out);
    for (size_t i = 0; i < a->n; i++) {
        const int32_t *z = g->word + 8 * (size_t)g->start[a->node[i]];
        for (size_t m = 0; m < g->rows[a->node[i]]; m++) {
            const double w = a->w[i] * (m ? T[2 * m - 2] : 1);
            double *to = out + (m ? 8 * width : 0), low[8], high[8];
            for (size_t c = 8u * g->wide[m]; c; c--) *to++ += w * *z++;
            for (size_t c = g->pairs[m]; c; c--, to += 16, z += 8) {
                halves(z, low, high);
                for (int k = 0; k < 8; k++) to[k] += w * low[k];
                for (int k = 0; k < 8; k++) to[8 + k] += w * high[k];
            }
        }
    }
}

typedef struct {
    double *rows, *values; /* scratch for sum_rows and U; (members, 2) */
} member_sums;

INLINE void evaluate_members(const source *from, const points *p, const member_sums *m)
{
    const cgct_segment *g = from->node->at.segment;
    const size_t width = (g->rank + 3) / 4 + 1; /* pairs may reach beyond R */
    double *U = m->rows + 16 * width;
    around a;
    find_around(from->table, p, 0, &a);
    sum_rows(g, &a, p->t[0], m->rows);
    for (size_t j = 0; j < from->table->info.members; j++) {
        double sum[4];
        eight l, r;
        blend_factors(&from->node->at, j, U);
        set_zero(&l);
        set_zero(&r);
        for (size_t c = 0; c < 8 * width; c += 8) {
            add_product(&l, U + c, m->rows + c);
            add_product(&r, U + c, m->rows + 8 * width + c);
        }
        add_fours(&l, sum);
        add_fours(&r, sum + 2);
        for (int pol = 0; pol < 2; pol++)
            m->values[2 * j + pol] = exponential(sum[pol]) * (1 + sum[2 + pol]);
    }
}

/* ---- the coefficients of a slice at (q,v), and sums over many angles ---- */

/* l of T and L; where they are wanted r_m of T and of L, group by group over all nodes. */
INLINE void blend_spot(const cgct_slice *s, const around *a, double l[2], cgct_spot *p)
{
    size_t most = 0;
    l[0] = l[1] = 0;
    for (size_t i = 0; i < a->n; i++) {
        const size_t node = a->node[i];
        most = s->groups[node] > most ? s->groups[node] : most;
        for (size_t pol = 0; pol < 2; pol++) l[pol] += a->w[i] * s->l[2 * node + pol];
    }
    p->n = p->share ? 4 * most : 0;
    for (size_t c = 0; 4 * c < p->n; c++) {
        eight sum;
        set_zero(&sum);
        for (size_t i = 0; i < a->n; i++)
            if (c < s->groups[a->node[i]])
                add_times(&sum, a->w[i], s->r + 8 * (s->start[a->node[i]] + c));
        memcpy(p->r + 8 * c, &sum, sizeof sum);
    }
}

/* Clenshaw's recurrence at all angles side by side. */
INLINE void sum_lines(const double *mixed, cgct_spot *p)
{
    enum { N = CGCT_LINES * FOURS / 8 };
    const four zero = {0};
    double t[CGCT_LINES];
    four one[N], two[N];
    for (int i = 0; i < CGCT_LINES; i++) {
        double x = half_sine(2 * p->share[i] * p->top);
        t[i] = 4 * p->stretch * x * x - 2;
    }
    for (int i = 0; i < N; i++) one[i] = two[i] = zero;
    for (size_t m = p->n; m-- > 0;)
        for (int i = 0; i < N; i++) {
            four next = mixed[m] + FOUR(t, i) * one[i] - two[i];
            two[i] = one[i];
            one[i] = next;
        }
    for (int i = 0; i < N; i++) {
        four value = 1 + FOUR(t, i) / 2 * one[i] - two[i];
        memcpy(p->value + 8 / FOURS * i, &value, sizeof value);
    }
}

INLINE void evaluate_spot(const cgct_slice *s, cgct_spot *p)
{
    double l[2], mixed[CGCT_MODES_MAX + 4];
    around a;
    find_nodes(s->table, p->upper, p->ln_q, p->v, &a);
    blend_spot(s, &a, l, p);
    for (int pol = 0; pol < 2; pol++) p->a[pol] = p->factor[pol] * exponential(l[pol]);
    const double all = p->a[0] + p->a[1], part[2] = {p->a[0] / all, p->a[1] / all};
    for (size_t m = 0; m < p->n; m++) mixed[m] = part[0] * p->r[2 * m] + part[1] * p->r[2 * m + 1];
    if (p->share) sum_lines(mixed, p);
}

/* Angles at one (q,k1). */
typedef struct {
    double q, k1, t[2]; /* t = t[0] + t[1] mu while k1 is the shorter momentum */
    cgct_spot spot;
} angular;

/* GROUP angles by Clenshaw's recurrence; status E_RANGE where k2 is the shorter momentum. */
INLINE void evaluate_angles(const angular *c, double least, points *p)
{
    double t[GROUP], one[2][GROUP] = {{0}}, two[2][GROUP] = {{0}};
    for (size_t i = 0; i < GROUP; i++) {
        double h = half_sine(p->theta[i]), mu = 1 - 2 * h * h;
        p->status[i] = 2 * c->k1 * mu > c->q ? CGCT_E_RANGE : CGCT_OK;
        t[i] = limit(c->t[0] + c->t[1] * mu, -1, 1);
    }
    for (size_t m = c->spot.n; m-- > 0;)
        for (int pol = 0; pol < 2; pol++)
            for (size_t i = 0; i < GROUP; i++) {
                double b = c->spot.r[2 * m + (size_t)pol] + 2 * t[i] * one[pol][i] - two[pol][i];
                two[pol][i] = one[pol][i];
                one[pol][i] = b;
            }
    for (int pol = 0; pol < 2; pol++)
        for (size_t i = 0; i < GROUP; i++) {
            double v = c->spot.a[pol] * (1 + t[i] * one[pol][i] - two[pol][i]);
            p->value[pol][i] = choose(v > least, v, least);
        }
}

/* ---- the one function of which there are several copies ---- */

typedef enum { RUN_PLACES, RUN_VALUES, RUN_SLICE, RUN_MEMBERS, RUN_ANGLES, RUN_SPOT } run_kind;

typedef struct {
    run_kind kind;
    source from;
    points *p;
    cgct_slice *slice;   /* RUN_SLICE */
    member_sums members; /* RUN_MEMBERS */
    const angular *c;    /* RUN_ANGLES */
    cgct_spot *spot;     /* RUN_SPOT */
    cgct_err *err;
} job;

static double least_value(const cgct_table *t)
{
    return t->info.negative == CGCT_NEGATIVE_KEEP ? -HUGE_VAL : 0;
}

/* A single point, or groups of a size that the compiler knows and turns into vectors. */
INLINE void run_points(const job *j)
{
    const cgct_table *t = j->from.table;
    points *p = j->p;
    const int one = p->n == 1;
    one ? take_shorter(p, 1) : take_shorter(p, GROUP);
    check_momentum(t, p, j->err);
    one ? take_variables(t, p, 1) : take_variables(t, p, GROUP);
    if (j->kind == RUN_PLACES) return;
    sum_points(&j->from, p);
    one ? take_values(p, least_value(t), 1) : take_values(p, least_value(t), GROUP);
}

CLONES
static void run(const job *j)
{
    switch (j->kind) {
    case RUN_SLICE:
        blend_factors_once(&j->from);
        blend_slice(j->from.node->at.segment, j->from.node->U, j->slice);
        break;
    case RUN_MEMBERS:
        evaluate_members(&j->from, j->p, &j->members);
        break;
    case RUN_ANGLES:
        evaluate_angles(j->c, least_value(j->from.table), j->p);
        break;
    case RUN_SPOT:
        evaluate_spot(j->from.slice, j->spot);
        break;
    default:
        run_points(j);
    }
}

/* ---- values ---- */

static cgct_status locate_blended(const cgct_table *t, double x, double eps, blended *b,
                                  cgct_err *err)
{
    b->ready = 0;
    return locate_node(t, x, eps, &b->at, err);
}

static job make_job(run_kind kind, const cgct_table *t, blended *b, const cgct_slice *s, points *p)
{
    job j;
    memset(&j, 0, sizeof j);
    j.kind = kind;
    j.from.table = t;
    j.from.node = b;
    j.from.slice = s;
    j.p = p;
    return j;
}

/* Point i of p is point i of the arrays; the rest of a group repeats the first. */
static void fill_points(points *p, size_t n, const double *q, const double *k1, const double *theta)
{
    p->n = n;
    for (size_t i = 0; i < (n > 1 ? (size_t)GROUP : 1); i++) {
        size_t from = i < n ? i : 0;
        p->q[i] = q[from];
        p->k1[i] = k1[from];
        p->theta[i] = theta[from];
    }
}

/* One point up to its place, or up to its value where there is something to evaluate. */
static cgct_status run_one(job *j, double q, double k1, double theta)
{
    fill_points(j->p, 1, &q, &k1, &theta);
    check_arguments(j->from.table, j->p, j->err);
    if (j->p->status[0] == CGCT_OK) run(j);
    return j->p->status[0];
}

static cgct_status one_value(job *j, double q, double k1, double theta, double value[2])
{
    CGCT_TRY(run_one(j, q, k1, theta));
    for (int pol = 0; pol < 2; pol++) value[pol] = j->p->value[pol][0];
    return CGCT_OK;
}

/* Any number of points; *first: index of the first that fails, n if none does. */
static cgct_status many_values(job *j, size_t n, const double *q, const double *k1,
                               const double *theta, double *values, size_t *first)
{
    cgct_status result = CGCT_OK;
    points *p = j->p;
    *first = n;
    for (size_t at = 0; at < n; at += GROUP) {
        size_t some = n - at < GROUP ? n - at : (size_t)GROUP;
        fill_points(p, some, q + at, k1 + at, theta + at);
        check_arguments(j->from.table, p, NULL);
        for (size_t i = some; i < GROUP && some > 1; i++) { /* as the first became */
            p->q[i] = p->q[0];
            p->k1[i] = p->k1[0];
            p->theta[i] = p->theta[0];
        }
        run(j);
        for (size_t i = 0; i < some; i++) {
            int good = p->status[i] == CGCT_OK;
            for (int pol = 0; pol < 2; pol++)
                values[2 * (at + i) + (size_t)pol] = good ? p->value[pol][i] : NAN;
            if (good || result != CGCT_OK) continue;
            result = p->status[i];
            *first = at + i;
        }
    }
    return result;
}

static void set_nan(double *v, size_t n)
{
    for (size_t i = 0; i < n; i++) v[i] = NAN;
}

cgct_status cgct_eval(const cgct_table *t, double x, double eps, double q, double k1, double theta,
                      double value[2])
{
    blended b;
    points p;
    if (!value) return CGCT_E_USAGE;
    set_nan(value, 2);
    if (!t) return CGCT_E_USAGE;
    CGCT_TRY(locate_blended(t, x, eps, &b, NULL));
    job j = make_job(RUN_VALUES, t, &b, NULL, &p);
    return one_value(&j, q, k1, theta, value);
}

cgct_status cgct_eval_many(const cgct_table *t, size_t n, const double *x, const double *eps,
                           const double *q, const double *k1, const double *theta, double *values,
                           size_t *first)
{
    blended b;
    points p;
    cgct_status result = CGCT_OK;
    if (first) *first = n;
    if (!t || (n && (!x || !eps || !q || !k1 || !theta || !values))) return CGCT_E_USAGE;
    job j = make_job(RUN_VALUES, t, &b, NULL, &p);
    for (size_t i = 0, m; i < n; i += m) { /* points that share x and eps with the one before */
        size_t bad = 0;
        for (m = 1; i + m < n && x[i + m] == x[i] && eps[i + m] == eps[i]; m++) continue;
        cgct_status st = locate_blended(t, x[i], eps[i], &b, NULL);
        if (st == CGCT_OK)
            st = many_values(&j, m, q + i, k1 + i, theta + i, values + 2 * i, &bad);
        else
            set_nan(values + 2 * i, 2 * m);
        if (st == CGCT_OK || result != CGCT_OK) continue;
        result = st;
        if (first) *first = i + bad;
    }
    return result;
}

cgct_status cgct_check(const cgct_table *t, double x, double eps, double q, double k1, double theta,
                       cgct_err *err)
{
    location at;
    points p;
    cgct_err inner;
    if (!t) return cgct_message(err, CGCT_E_USAGE, "cgct_check: NULL table");
    job j = make_job(RUN_PLACES, t, NULL, NULL, &p);
    j.err = &inner;
    cgct_status st = locate_node(t, x, eps, &at, &inner);
    if (st == CGCT_OK) st = run_one(&j, q, k1, theta);
    if (st != CGCT_OK) cgct_message(err, st, "%.200s: %.300s", t->path, inner.text);
    return st;
}

/* ---- bound and reference ---- */

/* By the largest code of the nodes around (x,eps), for the block of the point's cells. */
static double bound_around(const cgct_table *t, const location *at, const around *a,
                           const points *p, size_t pol)
{
    const int upper = p->upper[0];
    const size_t columns = t->block[1] + t->block[2], member = t->info.member;
    size_t row = a->q * t->block[0] / t->q.cells;
    size_t column = a->v * t->block[1 + upper] / t->v[upper].cells + (upper ? t->block[1] : 0);
    uint8_t most = 0;
    for (size_t i = at->cell[0]; i < at->cell[0] + 2 && i < t->x.n; i++)
        for (size_t j = at->cell[1]; j < at->cell[1] + 2 && j < t->eps.n; j++) {
            size_t node = (member * t->x.n + i) * t->eps.n + j;
            uint8_t code = t->bound[((2 * node + pol) * t->block[0] + row) * columns + column];
            if (code > most) most = code;
        }
    return most == 255 ? HUGE_VAL : most ? exp2((most - 200) / 4.0) : 0;
}

cgct_status cgct_eval_error(const cgct_table *t, double x, double eps, double q, double k1,
                            double theta, double error[2])
{
    blended b;
    points p;
    around a;
    if (!error) return CGCT_E_USAGE;
    set_nan(error, 2);
    if (!t) return CGCT_E_USAGE;
    CGCT_TRY(locate_blended(t, x, eps, &b, NULL));
    job j = make_job(RUN_VALUES, t, &b, NULL, &p);
    CGCT_TRY(run_one(&j, q, k1, theta));
    find_around(t, &p, 0, &a);
    for (int pol = 0; pol < 2; pol++)
        error[pol] = bound_around(t, &b.at, &a, &p, (size_t)pol) * exponential(p.l[pol][0]);
    return CGCT_OK;
}

/* ln G and H/G; 0: not known. */
static int tensor_between(const cgct_table *t, const location *at, double ln_q, double out[2])
{
    stencil q;
    weigh_axis(&t->q, ln_q, &q);
    out[0] = out[1] = 0;
    for (size_t i = 0; i < at->x.n; i++)
        for (size_t j = 0; j < q.n; j++) {
            size_t node = (t->info.member * t->x.n + at->x.first + i) * t->nq + q.first + j;
            if (t->tensor[2 * node] <= -800) return 0;
            for (int k = 0; k < 2; k++) out[k] += at->x.w[i] * q.w[j] * t->tensor[2 * node + k];
        }
    return 1;
}

/* FORMAT.md section 7 at the shorter momentum: unchanged under k1 <-> k2. */
cgct_status cgct_reference(const cgct_table *t, double x, double eps, double q, double k1,
                           double theta, double value[2])
{
    location at;
    points p;
    double tensor[2];
    if (!value) return CGCT_E_USAGE;
    set_nan(value, 2);
    if (!t) return CGCT_E_USAGE;
    CGCT_TRY(locate_node(t, x, eps, &at, NULL));
    job j = make_job(RUN_PLACES, t, NULL, NULL, &p);
    CGCT_TRY(run_one(&j, q, k1, theta));
    if (!tensor_between(t, &at, p.ln_q[0], tensor)) return CGCT_OK;
    double k = p.k[0], mu = p.mu[0], e2 = at.value[1] * at.value[1], half = p.q[0] / 2;
    double along = k * mu - half, par = along * along, perp = k * k * (1 - mu) * (1 + mu);
    double K2 = par + perp, shorter2 = k * k + e2, dbar = K2 + half * half + e2;
    double longer2 = (along - half) * (along - half) + perp + e2;
    double common =
        exponential(tensor[0]) * 4 * PI * PI / (shorter2 * longer2 * shorter2 * longer2);
    double f_par = dbar * dbar - 4 * par * dbar + 4 * par * K2;
    double f_perp = dbar * dbar - 4 * perp * dbar + 4 * perp * K2;
    double plus = (1 + tensor[1]) / 2, minus = (1 - tensor[1]) / 2;
    value[CGCT_T] = common / e2 * (plus * f_par + minus * f_perp);
    value[CGCT_L] = common * 4 * (plus * par + minus * perp);
    return CGCT_OK;
}

/* ---- slice ---- */

void cgct_slice_free(cgct_slice *s)
{
    if (!s) return;
    free(s->l);
    free(s->start);
    free(s->groups);
    free(s->r);
    free(s);
}

static cgct_slice *new_slice(const cgct_table *t, const location *at)
{
    const size_t np = t->nq * t->nk;
    const cgct_segment *g = at->segment;
    size_t groups = 0;
    cgct_slice *s = (cgct_slice *)calloc(1, sizeof *s);
    if (!s) return NULL;
    s->table = t;
    s->x = at->value[0];
    s->eps = at->value[1];
    s->l = (double *)malloc(2 * np * sizeof *s->l);
    s->start = (uint32_t *)malloc(np * sizeof *s->start);
    s->groups = (uint8_t *)malloc(np);
    for (size_t i = 0; i < np && s->start && s->groups; i++) {
        s->start[i] = (uint32_t)groups;
        s->groups[i] = (uint8_t)((g->rows[i] + 2) / 4); /* rows - 1, four by four */
        groups += s->groups[i];
    }
    s->r = (double *)calloc(groups + 1, 8 * sizeof *s->r);
    if (s->l && s->start && s->groups && s->r) return s;
    cgct_slice_free(s);
    return NULL;
}

cgct_status cgct_slice_init(cgct_slice **slice, const cgct_table *t, double x, double eps,
                            cgct_err *err)
{
    blended b;
    cgct_err inner;
    if (slice) *slice = NULL;
    if (!slice || !t) return cgct_message(err, CGCT_E_USAGE, "cgct_slice_init: NULL argument");
    cgct_status st = locate_blended(t, x, eps, &b, &inner);
    if (st != CGCT_OK) return cgct_message(err, st, "%.200s: %.300s", t->path, inner.text);
    cgct_slice *s = new_slice(t, &b.at);
    if (!s) return cgct_message(err, CGCT_E_NOMEM, "%.200s: no memory for a slice", t->path);
    job j = make_job(RUN_SLICE, t, &b, NULL, NULL);
    j.slice = *slice = s;
    run(&j);
    return CGCT_OK;
}

cgct_status cgct_slice_eval(const cgct_slice *s, double q, double k1, double theta, double value[2])
{
    points p;
    if (!value) return CGCT_E_USAGE;
    set_nan(value, 2);
    if (!s) return CGCT_E_USAGE;
    job j = make_job(RUN_VALUES, s->table, NULL, s, &p);
    return one_value(&j, q, k1, theta, value);
}

cgct_status cgct_slice_many(const cgct_slice *s, size_t n, const double *q, const double *k1,
                            const double *theta, double *values, size_t *first)
{
    points p;
    size_t bad = n;
    if (first) *first = n;
    if (!s || (n && (!q || !k1 || !theta || !values))) return CGCT_E_USAGE;
    job j = make_job(RUN_VALUES, s->table, NULL, s, &p);
    cgct_status st = many_values(&j, n, q, k1, theta, values, &bad);
    if (first) *first = bad;
    return st;
}

void cgct_slice_spot(const cgct_slice *s, cgct_spot *p)
{
    job j = make_job(RUN_SPOT, s->table, NULL, s, NULL);
    j.spot = p;
    run(&j);
}

/* What a slice holds at k = k1, which is point 0 of p. */
static void prepare_angles(const cgct_slice *s, const points *p, angular *c)
{
    double share = p->upper[0] ? p->q[0] / (2 * p->k[0]) : 1, l[2], wanted = 0;
    around a;
    find_around(s->table, p, 0, &a);
    c->q = p->q[0];
    c->k1 = p->k1[0];
    c->t[0] = p->upper[0] ? 2 / (1 + share) - 1 : 0;
    c->t[1] = 2 / (1 + share);
    c->spot.share = &wanted;
    blend_spot(s, &a, l, &c->spot);
    for (int pol = 0; pol < 2; pol++) c->spot.a[pol] = exponential(l[pol]);
}

/* Angles where k1 is the shorter momentum share their coefficients; the others are points. */
cgct_status cgct_slice_angles(const cgct_slice *s, double q, double k1, size_t n,
                              const double *theta, double *values)
{
    points p;
    angular c;
    cgct_status result = CGCT_OK;
    if (!s || (n && (!theta || !values))) return CGCT_E_USAGE;
    job at = make_job(RUN_PLACES, s->table, NULL, s, &p), j = at;
    int shared = run_one(&at, q, k1, PI) == CGCT_OK;
    if (shared) prepare_angles(s, &p, &c);
    j.kind = RUN_ANGLES;
    j.c = &c;
    for (size_t i = 0; i < n; i += GROUP) {
        size_t some = n - i < GROUP ? n - i : (size_t)GROUP;
        int easy[GROUP];
        for (size_t a = 0; a < GROUP; a++) {
            double angle = theta[i + (a < some ? a : 0)];
            easy[a] = shared && fabs(angle) <= THETA_LARGE;
            p.theta[a] = easy[a] ? angle : 0;
        }
        if (shared) run(&j);
        const points group = p;
        for (size_t a = 0; a < some; a++) {
            double *value = values + 2 * (i + a);
            cgct_status st = CGCT_OK;
            if (easy[a] && group.status[a] == CGCT_OK) {
                for (int pol = 0; pol < 2; pol++) value[pol] = group.value[pol][a];
                continue;
            }
            st = cgct_slice_eval(s, q, k1, theta[i + a], value);
            if (result == CGCT_OK) result = st;
        }
    }
    return result;
}

/* ---- angular modes ---- */

/* I_m = (-1)^m/(2 pi^2) Int_0^pi I(theta) cos(m theta) dtheta over [from,to], ten points of Gauss
 * and
 * Legendre in each panel of z, theta = width sinh z: panels crowd where k2 is small. */
typedef struct {
    double from, to, width;
    size_t panels;
} angle_range;

static cgct_status add_modes(job *j, const double at[2], const angle_range *g, size_t n,
                             double *modes)
{
    static const double node[5] = {0.14887433898163122, 0.43339539412924719, 0.67940956829902441,
                                   0.86506336668898451, 0.97390652851717172};
    static const double weight[5] = {0.29552422471475287, 0.26926671930999636, 0.21908636251598204,
                                     0.14945134915058059, 0.066671344308688138};
    double low = asinh(g->from / g->width);
    double half = (asinh(g->to / g->width) - low) / (2 * (double)g->panels);
    for (size_t i = 0; i < 10 * g->panels; i++) {
        double z = low + half * (2 * (double)(i / 10) + 1 + (i % 2 ? 1 : -1) * node[i % 10 / 2]);
        double theta = g->width * sinh(z), value[2];
        double w = half * weight[i % 10 / 2] * g->width * cosh(z) / (2 * PI * PI);
        CGCT_TRY(run_one(j, at[0], at[1], theta));
        for (int pol = 0; pol < 2; pol++) /* below 0, too, whatever the table's policy */
            value[pol] = exponential(j->p->l[pol][0]) * (1 + j->p->s[pol][0]);
        double before = cos(theta), now = 1; /* cos((m-1) theta), cos(m theta) */
        for (size_t m = 0; m < n; m++) {
            double next = 2 * cos(theta) * now - before;
            for (size_t pol = 0; pol < 2; pol++)
                modes[pol * n + m] += (m % 2 ? -w : w) * now * value[pol];
            before = now;
            now = next;
        }
    }
    return CGCT_OK;
}

/* Number of panels in which no mode turns by more than six radian. */
static size_t panels_of(const angle_range *g, size_t modes)
{
    double z = asinh(g->to / g->width) - asinh(g->from / g->width);
    return 1 + (size_t)(z * (10 + (double)modes * (g->to + g->width) / 6));
}

cgct_status cgct_modes(const cgct_table *t, double x, double eps, double q, double k1, size_t n,
                       double *modes)
{
    blended b;
    points p;
    cgct_status st = CGCT_OK;
    if (n && !modes) return CGCT_E_USAGE;
    set_nan(modes, 2 * n);
    if (!t) return CGCT_E_USAGE;
    CGCT_TRY(locate_blended(t, x, eps, &b, NULL));
    job j = make_job(RUN_VALUES, t, &b, NULL, &p);
    CGCT_TRY(run_one(&j, q, k1, PI));
    q = p.q[0];
    k1 = p.k1[0];
    /* Smooth between these angles: where k2 = q/2, and where k2 = k1 and the shorter changes. */
    const double at[2] = {q, k1}, turn = 2 * k1 > q ? acos(q / (2 * k1)) : 0;
    const double cosine = (0.75 * q * q + k1 * k1) / (2 * q * k1);
    const double half = turn > 0 && cosine < 1 ? acos(cosine) : 0;
    const double width = turn > 0 ? (fabs(q - k1) + t->info.k0) / sqrt(q * k1) : 1;
    angle_range range[3] = {{0, half, width, 0}, {half, turn, width, 0}, {turn, PI, PI, 0}};
    for (size_t i = 0; i < 2 * n; i++) modes[i] = 0;
    for (int i = 0; i < 3 && st == CGCT_OK; i++) {
        if (!(range[i].to > range[i].from)) continue;
        range[i].panels = panels_of(&range[i], n + t->nm);
        st = add_modes(&j, at, &range[i], n, modes);
    }
    if (st != CGCT_OK) set_nan(modes, 2 * n);
    return st;
}

/* ---- members ---- */

cgct_status cgct_eval_members(const cgct_table *t, double x, double eps, double q, double k1,
                              double theta, double *values)
{
    blended b;
    points p;
    if (!values) return CGCT_E_USAGE;
    if (!t) return CGCT_E_USAGE;
    set_nan(values, 2 * t->info.members);
    CGCT_TRY(locate_blended(t, x, eps, &b, NULL));
    job j = make_job(RUN_PLACES, t, &b, NULL, &p);
    CGCT_TRY(run_one(&j, q, k1, theta));
    j.kind = RUN_MEMBERS;
    j.members.values = values;
    j.members.rows = (double *)malloc((6 * b.at.segment->stride + 64) * sizeof(double));
    if (!j.members.rows) return CGCT_E_NOMEM;
    run(&j);
    free(j.members.rows);
    for (size_t i = 0; i < 2 * t->info.members; i++)
        if (!(values[i] > least_value(t))) values[i] = least_value(t);
    return CGCT_OK;
}

static int compare_values(const void *a, const void *b)
{
    const double v = *(const double *)a, w = *(const double *)b;
    return (v > w) - (v < w);
}

/* Of n values in rising order, between neighbours linearly. */
static double quantile(const double *v, size_t n, double share)
{
    double at = share * (double)(n - 1);
    size_t i = (size_t)at;
    return i + 1 < n ? v[i] + (at - (double)i) * (v[i + 1] - v[i]) : v[n - 1];
}

/* out: central, low, high of the n values of one polarisation, which are sorted for it. */
static void summarise(int meaning, double *v, size_t n, double out[3])
{
    double central = v[0], down = 0, up = 0, sum = 0;
    if (meaning == CGCT_HESSIAN) {
        for (size_t i = 1; i + 1 < n; i += 2) {
            double a = v[i] - central, b = v[i + 1] - central;
            double rise = fmax(fmax(a, b), 0), fall = fmax(fmax(-a, -b), 0);
            up += rise * rise;
            down += fall * fall;
        }
        out[0] = central;
        out[1] = central - sqrt(down);
        out[2] = central + sqrt(up);
        return;
    }
    for (size_t i = 0; i < n; i++) sum += v[i] / (double)n;
    qsort(v, n, sizeof *v, compare_values);
    int replicas = meaning == CGCT_REPLICAS;
    out[0] = replicas ? sum : central;
    out[1] = quantile(v, n, replicas ? 0.16 : 0);
    out[2] = quantile(v, n, replicas ? 0.84 : 1);
}

cgct_status cgct_uncertainty(const cgct_table *t, double x, double eps, double q, double k1,
                             double theta, double central[2], double low[2], double high[2])
{
    if (!central || !low || !high) return CGCT_E_USAGE;
    set_nan(central, 2);
    set_nan(low, 2);
    set_nan(high, 2);
    if (!t) return CGCT_E_USAGE;
    size_t n = t->info.members;
    double *values = (double *)malloc(3 * n * sizeof *values), *one, out[3];
    if (!values) return CGCT_E_NOMEM;
    one = values + 2 * n;
    cgct_status st = cgct_eval_members(t, x, eps, q, k1, theta, values);
    for (size_t pol = 0; pol < 2 && st == CGCT_OK; pol++) {
        for (size_t i = 0; i < n; i++) one[i] = values[2 * i + pol];
        summarise(t->uncertainty, one, n, out);
        central[pol] = out[0];
        low[pol] = out[1];
        high[pol] = out[2];
    }
    free(values);
    return st;
}

/* ---- cross section ---- */

#define N_COLOURS 3.0

static int positive(double v)
{
    return v > 0 && isfinite(v);
}

cgct_status cgct_dis_factors(const cgct_dis *d, double *eps, double factor[2])
{
    if (!d || !eps || !factor) return CGCT_E_USAGE;
    *eps = factor[CGCT_T] = factor[CGCT_L] = NAN;
    if (!positive(d->alpha_em) || !positive(d->e_q2) || !positive(d->S_perp) || !positive(d->Q2) ||
        !(d->z > 0 && d->z < 1))
        return CGCT_E_DOMAIN;
    double z = d->z, zbar = 1 - z, eps2 = z * zbar * d->Q2;
    double common = 2 * N_COLOURS * d->alpha_em * d->e_q2 * d->S_perp / pow(2 * PI, 6);
    *eps = sqrt(eps2);
    factor[CGCT_T] = common * (z * z + zbar * zbar) * eps2;
    factor[CGCT_L] = common * 4 * z * zbar * eps2;
    return CGCT_OK;
}

cgct_status cgct_dsigma(const cgct_table *t, const cgct_dis *dis, double x, double q, double k1,
                        double theta, double dsigma[2])
{
    double eps, factor[2];
    if (!dsigma) return CGCT_E_USAGE;
    set_nan(dsigma, 2);
    if (!t || !dis) return CGCT_E_USAGE;
    cgct_dis full = *dis;
    if (full.S_perp == 0) full.S_perp = cgct_member_S_perp(t, t->info.member);
    CGCT_TRY(cgct_dis_factors(&full, &eps, factor));
    CGCT_TRY(cgct_eval(t, x, eps, q, k1, theta, dsigma));
    for (int pol = 0; pol < 2; pol++) dsigma[pol] *= factor[pol];
    return CGCT_OK;
}
