/* SPDX-License-Identifier: MIT */
/* Evaluates a table: one point, many, all members, a slice, angular modes, cross sections;
 * draws events from a slice.
 *
 * (q,k1,theta) gives the shorter momentum k, the variables v and t of its patch (format/FORMAT.md
 * section 5) and the nodes around (q,v).  With their weights and T_m(t) the integers V of the nodes
 * add up to R numbers for each of l and Sum_m r_m T_m; their products with the R numbers U that
 * belong to (x,eps) are l and the sum.  A slice holds l and r_m of all nodes instead. */
#define CGCTAB_PRIVATE
#include "cgctab.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if FLT_EVAL_METHOD == 2
#error "arithmetic of double must not carry extra digits: compile with -msse2 -mfpmath=sse"
#endif

/* One copy of the inner loops for each width of vectors, chosen when the program is loaded. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && __GNUC__ >= 12 &&        \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&      \
    !defined(__AVX512F__) && !defined(CGCT_NO_CLONES) && !defined(CGCT_PLAIN_C)
#define CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define CLONES
#endif

#define PI 3.14159265358979323846
/* What lies beyond an end by at most this share of it counts as the end.  Messages print 13 digits,
 * in which a larger excess shows. */
#define SMALL_EXCESS 1e-12

#define K_LARGE 1e150   /* its square is a number */
#define THETA_LARGE 1e6 /* half_sine reduces smaller angles itself */
enum { GROUP = 8, CHEBYSHEV_MAX = 2 * CGCT_MODES_MAX + 3 * GROUP };
enum { T_ROOM = 16 * CGCT_PAIRS_MAX }; /* T_m of all m, four times each, and 2^16 times them */

/* ---- eight numbers ---- */

#if (defined(__clang__) || __GNUC__ >= 9) && !defined(CGCT_PLAIN_C)
#define VECTORS
#define INLINE static inline __attribute__((always_inline))
typedef double four __attribute__((vector_size(32)));
typedef double four_at __attribute__((vector_size(32), aligned(8), may_alias));
#define FETCH(p) __builtin_prefetch(p)
enum { FOURS = 2 };
#else
#define INLINE static inline
typedef double four, four_at;
#define FETCH(p) (void)(p)
enum { FOURS = 8 };
#endif
#define FOUR(p, i) (*(const four_at *)((p) + 8 / FOURS * (i)))
#define FOUR_TO(p, i) (*(four_at *)((p) + 8 / FOURS * (i)))

typedef double eight[8];

/* sum += w a */
INLINE void add_times(double *sum, double w, const double *a)
{
    for (int i = 0; i < FOURS; i++) FOUR_TO(sum, i) += w * FOUR(a, i);
}

/* sum += a b, number by number */
INLINE void add_product(double *sum, const double *a, const double *b)
{
    for (int i = 0; i < FOURS; i++) FOUR_TO(sum, i) += FOUR(a, i) * FOUR(b, i);
}

INLINE double sum_four(const double *a, int apart)
{
    return (a[0] + a[apart]) + (a[2 * apart] + a[3 * apart]);
}

/* ---- a line of eight integers as numbers ---- */

typedef struct {
    four v[FOURS];
} numbers;

#ifdef VECTORS
typedef double wide __attribute__((vector_size(64)));
typedef int32_t words __attribute__((vector_size(32)));
typedef int16_t line_at __attribute__((vector_size(16), aligned(2), may_alias));

INLINE numbers take_line(const int16_t *w)
{
    const words all = __builtin_convertvector(*(const line_at *)w, words);
    const wide v = __builtin_convertvector(all, wide);
    numbers a;
    memcpy(a.v, &v, sizeof a.v);
    return a;
}
#else
INLINE numbers take_line(const int16_t *w)
{
    numbers a;
    for (int i = 0; i < 8; i++) a.v[i] = w[i];
    return a;
}
#endif

INLINE numbers zeros(void)
{
    numbers a;
    memset(a.v, 0, sizeof a.v);
    return a;
}

INLINE void add_numbers(numbers *sum, double w, const numbers *a)
{
    for (int i = 0; i < FOURS; i++) sum->v[i] += w * a->v[i];
}

INLINE void add_to(double *sum, double w, const numbers *a)
{
    for (int i = 0; i < FOURS; i++) FOUR_TO(sum, i) += w * a->v[i];
}

/* sum += U a, U_0..U_3 standing for two times four. */
INLINE void add_factors(numbers *sum, const double *U, const numbers *a)
{
    for (int i = 0; i < FOURS; i++) sum->v[i] += FOUR(U, i % (FOURS / 2)) * a->v[i];
}

/* The sums over the four r of T and of L. */
INLINE void sum_fours(const numbers *a, double out[2])
{
    double v[8];
    memcpy(v, a, sizeof v);
    for (int pol = 0; pol < 2; pol++) out[pol] = sum_four(v + 4 * pol, 1);
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

/* An integer, below 2^52 in size, as it is: the last bit of its fraction is 0.  No rule for sums
 * and products applies to clearing that bit, so that -fassociative-math cannot merge those before
 * it with those after it. */
INLINE double whole(double v)
{
    return from_bits(bits_of(v) & ~UINT64_C(1));
}

/* The integer nearest to v, |v| < 2^19, in any rounding mode. */
INLINE double nearest(double v)
{
    const double offset = 0x1.8p20;
    const uint64_t fraction = UINT64_C(0xffffffff); /* bits of the sum below 1 */
    return whole(from_bits(bits_of(v + (offset + 0.5 - 0x1p-30)) & ~fraction) - offset);
}

#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW 0x1.a39ef35793c76p-33
#define INTEGER 0x1.8p52 /* the sum of it and an integer has that in its low bits */

/* u > 0, not subnormal; within 1 ulp.  u = 2^k (1 + f), 1/sqrt(2) <= 1 + f < sqrt(2), and with
 * s = f/(2+f), h = f^2/2:  ln(1+f) = f - (h - s (h + R)),  R = 2 s^2/3 + 2 s^4/5 + ... */
INLINE double ln_of(double u)
{
    const uint64_t sqrt_half = UINT64_C(0x3fe6a09e667f3bcd), shift = UINT64_C(1024) << 52;
    uint64_t b = bits_of(u), k = (b - sqrt_half + shift) >> 52;
    double e = whole(from_bits(k | bits_of(0x1p52)) - (0x1p52 + 1024));
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
    double n = nearest(x * 0x1.71547652b82fep0);
    double r = (x - n * LN2_HIGH) - n * LN2_LOW, r2 = r * r, r4 = r2 * r2;
    double a = 1.0 / 2 + r * (1.0 / 6) + r2 * (1.0 / 24 + r * (1.0 / 120));
    double b = 1.0 / 720 + r * (1.0 / 5040) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
    double c =
        1.0 / 3628800 + r * (1.0 / 39916800) + r2 * (1.0 / 479001600 + r * (1.0 / 6227020800));
    double p = 1 + (r + r2 * (a + r4 * (b + r4 * c)));
    /* 2^n as the product of two powers, so that results near the ends come out right */
    uint64_t i = bits_of(n + INTEGER) - bits_of(INTEGER) + 2048, half = i / 2;
    return p * from_bits((half - 1) << 52) * from_bits((i - half - 1) << 52);
}

/* sin(theta/2) but for its sign, |theta| <= THETA_LARGE: Taylor's series up to pi/2. */
INLINE double half_sine(double theta)
{
    double x = theta / 2, n = nearest(x * 0x1.45f306dc9c883p-2);
    /* pi in two parts, the first of 33 bits, so that n times it is exact */
    double r = (x - n * 0x1.921fb54400000p1) - n * 0x1.0b4611a626331p-33;
    double z = r * r, z2 = z * z, z4 = z2 * z2, z8 = z4 * z4;
    double a = (-1.0 / 6 + z * (1.0 / 120)) + z2 * (-1.0 / 5040 + z * (1.0 / 362880));
    double b = (-1.0 / 39916800 + z * (1.0 / 6227020800)) +
               z2 * (-1.0 / 1307674368000 + z * (1.0 / 355687428096000));
    double c = -1.0 / 121645100408832000 + z * (1.0 / 51090942171709440000.0);
    return r + r * z * (a + z4 * b + z8 * c);
}

/* At an argument that the compiler does not know. */
cgct_status cgct_check_arithmetic(cgct_err *err)
{
    const double ten = cgct_from_bits(UINT64_C(0x4024000000000000));
    const struct {
        const char *name;
        double got, want;
    } c[] = {{"exp(10)", exponential(ten), 22026.465794806718},
             {"abs(sin(5))", fabs(half_sine(ten)), 0.95892427466313845},
             {"ln(10)", ln_of(ten), 2.3025850929940459}};
    for (size_t i = 0; i < sizeof c / sizeof *c; i++)
        if (!cgct_finite(c[i].got) || !(fabs(c[i].got - c[i].want) <= 1e-14 * c[i].want))
            return cgct_message(err, CGCT_E_ACCURACY,
                                "this reader computes %s = %.16g in place of %.16g: compile "
                                "cgctab_eval.c and cgctab_table.c without flags that change "
                                "the arithmetic of double",
                                c[i].name, c[i].got, c[i].want);
    return CGCT_OK;
}

/* ---- nodes around a point ---- */

typedef cgct_stencil stencil;

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

size_t cgct_weigh_axis(const cgct_nodes *a, double u, stencil *s)
{
    size_t cell = find_cell(a, u);
    if (cell && a->u[cell] == u && a->panel[cell] != a->panel[cell - 1]) cell--;
    weigh_cell(a, cell, u, s);
    return cell;
}

/* ---- arguments ----
 *
 * No operation raises an exception that a host may have traps for.  Arguments, which may be NaN,
 * are tested by their bits.  Later on a compiler may compute both sides of a choice before it is
 * made, so that neither divides by 0 nor takes a function where it is not defined. */

/* abs(v) <= most */
static int is_within(double v, double most)
{
    return (cgct_bits(v) & INT64_MAX) <= bits_of(most);
}

static int is_zero(double v)
{
    return is_within(v, 0);
}

/* 0 <= v <= most */
static int is_between(double v, double most)
{
    return is_zero(v) || (cgct_positive(v) && is_within(v, most));
}

/* The last number below 1. */
#define BELOW_1 0x1.fffffffffffffp-1

/* An argument with its range: an excess of rounding is forgiven; what lies outside is refused
 * or, to freeze, moved to the end. */
static cgct_status into_range(const char *name, const double range[2], int freeze, double *v,
                              cgct_err *err)
{
    if (!cgct_positive(*v))
        return cgct_message(err, CGCT_E_DOMAIN, "%s = %g, want a number > 0", name, *v);
    double end = *v < range[0] ? range[0] : *v > range[1] ? range[1] : *v;
    if (!freeze && fabs(*v - end) > SMALL_EXCESS * end)
        return cgct_message(err, CGCT_E_RANGE,
                            "%s = %.13g lies outside of the table: %.13g to %.13g", name, *v,
                            range[0], range[1]);
    *v = end;
    return CGCT_OK;
}

/* A smaller eps, as a share of the table's smallest, counts as this one. */
#define LEAST_EPS 1e-20

/* (x,eps) in a table. */
typedef struct {
    const cgct_segment *segment, *varied; /* that of variations, where they are needed */
    size_t cell[2];
    stencil x, eps;  /* nodes of the axes */
    double value[2]; /* x and eps after the policy */
    double rise;     /* of ln I_T: where eps is frozen, eps^2 I_T is that at the table's end */
} location;

static cgct_status locate_node(const cgct_table *t, double x, double eps, location *at,
                               cgct_err *err)
{
    int freeze = t->info.policy == CGCT_POLICY_FREEZE;
    if (t->forward)
        return cgct_message(err, CGCT_E_USAGE,
                            "holds forward dijets (process pa), not those of photons: cgct_pa_eval "
                            "and 'cgctab eval --process' take it");
    CGCT_TRY(into_range("x", t->info.x, freeze, &x, err));
    const double asked = eps;
    CGCT_TRY(into_range("eps", t->info.eps, freeze, &eps, err));
    at->rise = freeze && asked < eps ? 2 * log(eps / fmax(asked, LEAST_EPS * eps)) : 0;
    at->value[0] = x;
    at->value[1] = eps;
    at->cell[0] = cgct_weigh_axis(&t->x, cgct_variable(t->info.x_from, x), &at->x);
    at->cell[1] = cgct_weigh_axis(&t->eps, log(eps), &at->eps);
    at->varied = NULL;
    if (t->own) CGCT_TRY(cgct_ready(t, t->varied, &at->varied, err));
    const size_t panel = t->x.panel[at->cell[0]] * t->peps + t->eps.panel[at->cell[1]];
    return cgct_ready(t, &t->segment[panel], &at->segment, err);
}

/* A slice: l of each point, and its r_m in groups of eight, T and L of four m. */
struct cgct_slice {
    const cgct_table *table;
    size_t cell[2];  /* of x and eps */
    double *l;       /* (nq, nk, 2) */
    uint32_t *start; /* (nq, nk): first group */
    uint8_t *groups; /* (nq, nk) */
    double *r;       /* (groups of all points, 4, 2) */
};

/* Up to GROUP points at once.  In: q, k1 and theta; out: the rest. */
typedef struct {
    size_t n;
    double q[GROUP], k1[GROUP], theta[GROUP];
    double k[GROUP], mu[GROUP], t[GROUP]; /* the shorter momentum, its cosine to q, FORMAT.md 5 */
    double ln_q[GROUP], v[GROUP];         /* v in units of the distance of nodes */
    int upper[GROUP];
    cgct_status status[GROUP];
    double l[2][GROUP], value[2][GROUP]; /* l, and I even where it is below 0, of T and L */
} points;

/* A segment and the R numbers that belong to (x,eps). */
typedef struct {
    const cgct_segment *of;
    double U[CGCT_RANK_MAX + GROUP];
} summand;

/* What is asked for, and all that it needs. */
typedef enum { RUN_PLACES, RUN_VALUES, RUN_MEMBERS } run_kind;
typedef struct {
    run_kind kind;
    int first, last; /* polarisations whose sums over m are wanted: first to last - 1 */
    const cgct_table *t;
    const cgct_slice *slice; /* NULL: values come from the table */
    cgct_err *err;
    location at; /* without a slice */
    points p;
    size_t summands; /* the second is what a member has of variations */
    summand part[2];
    eight (*rows)[2];  /* RUN_MEMBERS: l and the sum of each group, without factors; zeros */
    size_t row_count;  /* of them */
    double *values;    /* RUN_MEMBERS: (members, 2) */
    double (*sums)[4]; /* RUN_MEMBERS: (members, 4), as of sum_parts */
} job;

/* U of nodes with their weights, r from first to end; eps is fastest, neps nodes to each x. */
CLONES
static void blend_nodes(const stencil *x, const stencil *eps, const double *from, size_t neps,
                        size_t first, size_t end, summand *to)
{
    const size_t stride = to->of->stride;
    for (size_t r = first; r < end; r += 8) {
        eight sum = {0};
        for (size_t i = 0; i < x->n; i++) {
            const double *row = from + i * neps * stride + r;
            eight along = {0};
            for (size_t j = 0; j < eps->n; j++, row += stride) add_times(along, eps->w[j], row);
            add_times(sum, x->w[i], along);
        }
        memcpy(to->U + r, sum, sizeof sum);
    }
}

/* U of a member at (x,eps); where there are variations of the first. */
INLINE void blend_member(const location *at, size_t member, summand *to)
{
    const cgct_segment *g = at->segment;
    const size_t ix = member * g->nx + at->x.first - g->x;
    const size_t from = (ix * g->neps + at->eps.first - g->eps) * g->stride;
    to->of = g;
    blend_nodes(&at->x, &at->eps, g->U + from, g->neps, 0, g->stride, to);
}

/* The nodes of variations around (x,eps); returns where the U of the first one begin. */
static size_t weigh_variations(const cgct_table *t, const location *at, stencil *x, stencil *eps)
{
    cgct_weigh_axis(&t->dx, cgct_variable(t->info.x_from, at->value[0]), x);
    cgct_weigh_axis(&t->deps, log(at->value[1]), eps);
    return (x->first * t->deps.n + eps->first) * t->varied->stride;
}

CLONES
static void take_factors(job *j)
{
    const cgct_table *t = j->t;
    blend_member(&j->at, t->varied ? 0 : t->info.member, &j->part[0]);
    j->summands = 1;
    if (t->own) {
        stencil x, eps;
        const double *own = t->own + weigh_variations(t, &j->at, &x, &eps);
        j->part[1].of = j->at.varied;
        blend_nodes(&x, &eps, own, t->deps.n, 0, t->varied->stride, &j->part[1]);
        j->summands = 2;
    }
}

/* ---- points (q,k1,theta) ---- */

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
 * quotient of positive numbers.  In the upper patch X = C/k0; asinh X = ln(X + R) in both. */
INLINE void take_variables(const cgct_table *t, points *p, size_t n)
{
    const double unit = 1 / t->info.k0, a = t->info.k_max * t->info.k_max;
    const double lower_cells = (double)(t->v[0].n - 1), upper_cells = (double)(t->v[1].n - 1);
    for (size_t i = 0; i < n; i++) {
        double q = p->q[i], k = p->k[i], mu = p->mu[i], half = q / 2, hh = half * half;
        int upper = 2 * k > q;
        double low = choose(upper, half, k); /* so that the upper patch divides by no 0 either */
        double C = a / sqrt(sqrt(a * a + hh * hh) + hh), X = choose(upper, C, half) * unit;
        double grown = X + sqrt(1 + X * X), b = X * grown, rest = (grown + 1) * half;
        double odds = (rest + 2 * low * b) / (rest + 2 * (half - low) * b);
        double c = sqrt(fabs((k - half) * (k + half))) * unit; /* counts in the upper patch */
        double in_k = ln_of(choose(upper, c + sqrt(1 + c * c), odds)), v = in_k / ln_of(grown);
        double mapped = 4 * (1 + mu) * k / (2 * k + q) - 1;
        p->t[i] = limit(choose(upper, mapped, mu), -1, 1);
        p->v[i] = limit(choose(upper, v, (1 + v) / 2), 0, 1);
        p->v[i] *= choose(upper, upper_cells, lower_cells);
        p->ln_q[i] = ln_of(q);
    }
    for (size_t i = 0; i < n; i++) p->upper[i] = 2 * p->k[i] > p->q[i];
}

/* Arguments into their ranges; those of points that fail become ones that do not. */
static void check_arguments(job *j)
{
    const cgct_table *t = j->t;
    const int freeze = t->info.policy == CGCT_POLICY_FREEZE;
    points *p = &j->p;
    for (size_t i = 0; i < p->n; i++) {
        cgct_status st = CGCT_OK;
        if (!cgct_finite(p->theta[i]))
            st = cgct_message(j->err, CGCT_E_DOMAIN, "theta = %g, want a finite number",
                              p->theta[i]);
        else if (!is_between(p->k1[i], DBL_MAX))
            st = cgct_message(j->err, CGCT_E_DOMAIN, "k1 = %g, want a number >= 0", p->k1[i]);
        else
            st = into_range("q", t->info.q, freeze, &p->q[i], j->err);
        if (st == CGCT_OK && p->k1[i] > K_LARGE) p->k1[i] = K_LARGE;
        if (st == CGCT_OK && fabs(p->theta[i]) > THETA_LARGE)
            p->theta[i] = 2 * asin(sin(p->theta[i] / 2));
        p->status[i] = st;
        if (st == CGCT_OK) continue;
        p->q[i] = t->info.q[0];
        p->k1[i] = p->theta[i] = 0;
    }
}

static void check_momentum(job *j)
{
    static const char name[] = "k = the shorter of k1 and k2 = |q - k1|";
    const double range[2] = {0, j->t->info.k_max};
    const int freeze = j->t->info.policy == CGCT_POLICY_FREEZE;
    points *p = &j->p;
    for (size_t i = 0; i < p->n; i++) {
        if (p->k[i] <= range[1] || p->status[i] != CGCT_OK) continue;
        p->status[i] = into_range(name, range, freeze, &p->k[i], j->err);
        p->k[i] = range[1];
    }
}

/* ---- sums over the nodes around a point ---- */

/* What r_1, r_1, r_2, r_2, ... up to r_n at least belong to: T_1, T_1, T_2, ..., or T_0, T_0, T_1,
 * ... in a table whose mean may have either sign.  T_{m+4} = 2 T_4 T_m - T_{m-4}. */
#define MEAN 2.0 /* in the place of t: the mean over t, to which T_0 alone contributes */
INLINE void chebyshev(const cgct_table *table, double t, size_t n, double *T)
{
    if (t == MEAN) {
        memset(T, 0, (2 * n + 16) * sizeof *T);
        T[0] = T[1] = table->either_sign;
        return;
    }
    double t2 = 2 * t * t - 1, t3 = 2 * t * t2 - t, t4 = 2 * t2 * t2 - 1;
    const double all[5] = {1, t, t2, t3, t4};
    const size_t first = table->either_sign ? 0 : 1;
    for (size_t i = 0; i < 8; i++) {
        T[i] = all[first + i / 2];
        if (n > 4) T[8 + i] = 2 * t4 * T[i] - all[4 - first - i / 2];
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
CLONES
static void find_nodes(const cgct_table *t, int upper, double ln_q, double v, around *a)
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

/* ---- from the integers of a segment ---- */

#define WIDE 65536.0 /* what lines count that hold the upper halves of integers */

INLINE const int16_t *line_of(const cgct_segment *g, size_t i)
{
    return g->line + 8 * i;
}

/* l of a point, four r of T and four of L, with their factors U. */
CLONES
static numbers sum_l(const cgct_segment *g, const cgct_point *p, const double *U)
{
    numbers l = zeros(), high = zeros(), a;
    for (size_t c = 0; c < g->width; c++) {
        a = take_line(line_of(g, p->line + c));
        add_factors(&l, U + 4 * c, &a);
    }
    for (size_t c = 0; c < p->wide; c++) {
        a = take_line(line_of(g, p->line + g->width + c));
        add_factors(&high, U + 4 * c, &a);
    }
    add_numbers(&l, WIDE, &high);
    return l;
}

enum { QUAD = FOURS / 2 }; /* what four numbers are */

/* The blocks of a polarisation. */
typedef struct {
    const int16_t *line;
    const cgct_tag *tag;
    size_t n;
} blocks;

INLINE blocks point_blocks(const cgct_segment *g, const cgct_point *p, int pol)
{
    const size_t skip = pol ? p->blocks[0] : 0;
    const blocks b = {line_of(g, p->line + g->width + p->wide + skip), g->tag + p->tag + skip,
                      p->blocks[pol]};
    return b;
}

enum { FETCHED = 4 }; /* times 64 bytes of each node; more do not help (make bench-reader) */

/* Asks for the integers around a point; the largest number of rows there. */
INLINE size_t fetch_rows(const cgct_segment *g, const around *a)
{
    size_t most = 1;
    for (size_t i = 0; i < a->n; i++) {
        const cgct_point *p = g->point + a->node[i];
        const int16_t *w = line_of(g, p->line);
        for (int k = 0; k < FETCHED; k++) FETCH(w + 32 * k);
        FETCH(g->tag + p->tag);
        most = p->rows > most ? p->rows : most;
    }
    return most;
}

/* Those of r_1 and r_2 four times each, of r_3, ... and WIDE times them. */
CLONES
static void spread_chebyshev(const cgct_table *table, double t, size_t rows, double T[T_ROOM])
{
    double once[CHEBYSHEV_MAX];
    chebyshev(table, t, rows, once);
    for (size_t i = 0; i < 2 * rows; i += 2)
        for (size_t k = 2 * i; k < 2 * i + 4; k++) {
            T[k] = once[i];
            T[8 * CGCT_PAIRS_MAX + k] = WIDE * once[i];
        }
}

/* Adds l and the sums Sum_m r_m T_m that are wanted. */
CLONES
static void add_summand(const job *j, const summand *s, const around *a, const double T[T_ROOM],
                        numbers *l, numbers *sum)
{
    const cgct_segment *g = s->of;
    for (size_t i = 0; i < a->n; i++) {
        const cgct_point *p = g->point + a->node[i];
        const numbers one_l = sum_l(g, p, s->U);
        numbers one = zeros();
        for (int pol = j->first; pol < j->last; pol++) {
            const blocks b = point_blocks(g, p, pol);
            four *sum_m = one.v + QUAD * pol;
            for (size_t n = 0; n < b.n; n++) {
                const numbers v = take_line(b.line + 8 * n);
                const double *u = s->U + 4 * b.tag[n].group, *t = T + 8 * b.tag[n].pair;
                for (int k = 0; k < QUAD; k++)
                    sum_m[k] +=
                        FOUR(u, k) * (FOUR(t, k) * v.v[k] + FOUR(t, QUAD + k) * v.v[QUAD + k]);
            }
        }
        add_numbers(l, a->w[i], &one_l);
        add_numbers(sum, a->w[i], &one);
    }
}

/* out: l of T and L; Sum_m r_m T_m of T and L, 0 where it is not wanted */
CLONES
static void sum_parts(const job *j, const around *a, double t, double out[4])
{
    double T[T_ROOM];
    size_t most = 1;
    numbers l = zeros(), sum = zeros();
    for (size_t i = 0; i < j->summands; i++) {
        const size_t rows = fetch_rows(j->part[i].of, a);
        most = rows > most ? rows : most;
    }
    spread_chebyshev(j->t, t, most, T);
    for (size_t i = 0; i < j->summands; i++) add_summand(j, &j->part[i], a, T, &l, &sum);
    sum_fours(&l, out);
    sum_fours(&sum, out + 2);
}

/* Sum_m r_m T_m of node i, without the factors U, times its weight to the rows of its groups.  No
 * loop ends with a group: a processor would foresee few of these ends. */
INLINE void spread_node(const job *j, const cgct_segment *g, const around *a, size_t i,
                        const double *T, eight (*rows)[2])
{
    const cgct_point *p = g->point + a->node[i];
    const double w = a->w[i];
    for (size_t c = 0; c < g->width + p->wide; c++) {
        const numbers one = take_line(line_of(g, p->line + c));
        const int high = c >= g->width;
        add_to(rows[high ? c - g->width : c][0], high ? WIDE * w : w, &one);
    }
    for (int pol = j->first; pol < j->last; pol++) {
        const blocks b = point_blocks(g, p, pol);
        for (size_t n = 0; n < b.n; n++) {
            const numbers one = take_line(b.line + 8 * n);
            const double *t = T + 8 * b.tag[n].pair;
            double *to = rows[b.tag[n].group][1] + 4 * pol;
            for (int k = 0; k < QUAD; k++)
                FOUR_TO(to, k) += w * (FOUR(t, k) * one.v[k] + FOUR(t, QUAD + k) * one.v[QUAD + k]);
        }
    }
}

/* l and Sum_m r_m T_m from the rows of groups of a part; out: as of sum_parts */
CLONES
static void sum_rows(const summand *s, eight (*const rows)[2], size_t first, size_t end,
                     double out[4])
{
    numbers l = zeros(), sum = zeros();
    for (size_t c = first; c < end; c++)
        for (int k = 0; k < FOURS; k++) {
            const four u = FOUR(s->U + 4 * c, k % QUAD);
            l.v[k] += u * FOUR(rows[c][0], k);
            sum.v[k] += u * FOUR(rows[c][1], k);
        }
    sum_fours(&l, out);
    sum_fours(&sum, out + 2);
}

/* Members that are the first one and its variations. */
INLINE void add_variations(job *j, double (*out)[4])
{
    const cgct_table *t = j->t;
    const size_t n = t->info.members, P = t->variations;
    const size_t each = t->dx.n * t->deps.n * t->varied->stride;
    stencil x, eps;
    for (size_t i = 1; i < n; i++) memcpy(out[i], out[0], sizeof *out);
    const double *U = t->varied->U + weigh_variations(t, &j->at, &x, &eps);
    for (size_t p = 0; p < P; p++) {
        const size_t first = t->span[2 * p], end = t->span[2 * p + 1];
        double of[4];
        blend_nodes(&x, &eps, U + p * each, t->deps.n, 8 * first, 8 * end, &j->part[1]);
        sum_rows(&j->part[1], j->rows, 2 * first, 2 * end, of);
        for (size_t i = 1; i < n; i++)
            for (int k = 0; k < 4; k++) out[i][k] += t->mix[(i - 1) * P + p] * of[k];
    }
}

/* All members.  Where they are the first one and its variations, that one is as any value; else the
 * sums over the nodes come first. */
CLONES
static void evaluate_members(job *j, const around *a)
{
    const cgct_segment *own = j->at.segment, *varied = j->at.varied,
                       *spread = varied ? varied : own;
    const size_t members = j->t->info.members;
    double T[T_ROOM];
    size_t most = fetch_rows(own, a), more = fetch_rows(spread, a);
    spread_chebyshev(j->t, j->p.t[0], more > most ? more : most, T);
    for (size_t i = 0; i < a->n; i++) spread_node(j, spread, a, i, T, j->rows);
    for (size_t i = 0; i < (varied ? 1 : members); i++) {
        blend_member(&j->at, i, &j->part[0]);
        if (!varied) sum_rows(&j->part[0], j->rows, 0, own->width, j->sums[i]);
    }
    if (varied) {
        numbers l = zeros(), sum = zeros();
        add_summand(j, &j->part[0], a, T, &l, &sum);
        sum_fours(&l, j->sums[0]);
        sum_fours(&sum, j->sums[0] + 2);
        j->part[1].of = varied;
        add_variations(j, j->sums);
    }
    const size_t step = j->last - j->first == 1 ? 2 : 1;
    for (size_t i = (size_t)j->first; i < 2 * members; i += step) {
        double *sum = j->sums[i / 2] + i % 2;
        if (i % 2 == CGCT_T) *sum += j->at.rise;
        j->values[i] = exponential(sum[0]) * (1 + sum[2]);
    }
}

/* Adds r_m of a point with the factors U to row[m]. */
INLINE void add_rows(const summand *s, const cgct_point *p, numbers *row)
{
    for (int pol = 0; pol < 2; pol++) {
        const blocks b = point_blocks(s->of, p, pol);
        for (size_t n = 0; n < b.n; n++) {
            const numbers a = take_line(b.line + 8 * n);
            const double *u = s->U + 4 * b.tag[n].group;
            const size_t pair = b.tag[n].pair, high = pair >= CGCT_PAIRS_MAX;
            numbers *to = row + 1 + 2 * (pair - high * CGCT_PAIRS_MAX);
            for (int k = 0; k < QUAD; k++) {
                const four v = (high ? WIDE : 1) * FOUR(u, k);
                to[0].v[QUAD * pol + k] += v * a.v[k];
                to[1].v[QUAD * pol + k] += v * a.v[QUAD + k];
            }
        }
    }
}

/* l and r_m of all nodes at (x,eps); memory was made. */
CLONES
static void fill_slice(const job *j, cgct_slice *s)
{
    numbers row[CGCT_MODES_MAX + 4];
    for (size_t i = 0; i < j->t->nq * j->t->nk; i++) {
        const size_t rows = 1 + 4 * (size_t)s->groups[i];
        double *r = s->r + 8 * (size_t)s->start[i];
        numbers l = zeros();
        memset(row, 0, rows * sizeof *row);
        for (size_t k = 0; k < j->summands; k++) {
            const summand *part = &j->part[k];
            const numbers one = sum_l(part->of, part->of->point + i, part->U);
            add_numbers(&l, 1, &one);
            add_rows(part, part->of->point + i, row);
        }
        sum_fours(&l, s->l + 2 * i);
        s->l[2 * i + CGCT_T] += j->at.rise;
        for (size_t m = 1; m < rows; m++, r += 2) sum_fours(&row[m], r);
    }
}

/* ---- from a slice ---- */

/* What a slice holds at a point (q,v). */
typedef struct {
    int upper;                        /* in: the patch */
    int modes;                        /* in: 0 where r is not wanted */
    double ln_q, v;                   /* in; v in units of the distance of nodes */
    double l[2], a[2];                /* l, e^l of T and L */
    size_t groups;                    /* of r */
    double r[2 * CGCT_MODES_MAX + 8]; /* r_1 of T and L, r_2, ... */
} slice_spot;

/* 1 + Sum_m r_m T_m(t) at angles of k to q, where t = stretch (1 + cos theta) - 1. */
enum { ANGLES = 24 };
typedef struct {
    double stretch, theta[ANGLES]; /* in */
    int mixed;               /* in: 1 for part[0] times that of T plus part[1] times that of L */
    double part[2];          /* in, where mixed is 1: they add up to 1 */
    double mu[ANGLES];       /* cosines */
    double value[2][ANGLES]; /* of T and of L; the mixture in value[0] */
} angle_values;

/* Fills in e^l and, where modes is 1, r_m: in groups of four m, each of them T and L. */
CLONES
static void fill_spot(const cgct_slice *s, slice_spot *p)
{
    const double *from[CGCT_AROUND_MAX];
    around a;
    find_nodes(s->table, p->upper, p->ln_q, p->v, &a);
    size_t least = SIZE_MAX; /* that each of the nodes has */
    p->groups = 0;
    p->l[0] = p->l[1] = 0;
    for (size_t i = 0; i < a.n; i++) {
        const size_t node = a.node[i], groups = s->groups[node];
        if (p->modes && groups > p->groups) p->groups = groups;
        if (groups < least) least = groups;
        from[i] = s->r + 8 * (size_t)s->start[node];
        for (size_t pol = 0; pol < 2; pol++) p->l[pol] += a.w[i] * s->l[2 * node + pol];
    }
    for (size_t c = 0; c < p->groups; c++) {
        eight sum = {0};
        for (size_t i = 0; i < a.n; i++)
            if (c < least || c < s->groups[a.node[i]]) add_times(sum, a.w[i], from[i] + 8 * c);
        memcpy(p->r + 8 * c, sum, sizeof sum);
    }
    for (int pol = 0; pol < 2; pol++) p->a[pol] = exponential(p->l[pol]);
}

/* Sum_m r_m T_m(t) of T and L */
static void sum_spot(const cgct_slice *s, const slice_spot *p, double t, double out[2])
{
    double T[CHEBYSHEV_MAX];
    eight sum = {0};
    chebyshev(s->table, t, 4 * p->groups, T);
    for (size_t c = 0; c < p->groups; c++) add_product(sum, T + 8 * c, p->r + 8 * c);
    for (int pol = 0; pol < 2; pol++) out[pol] = sum_four(sum + pol, 2);
}

/* As sum_parts; for a single angle faster than by way of r_m at the point. */
CLONES
static void sum_slice(const cgct_slice *s, const around *a, double t, double out[4])
{
    double T[CHEBYSHEV_MAX];
    size_t most = 0;
    eight sum = {0};
    for (size_t i = 0; i < a->n; i++)
        most = s->groups[a->node[i]] > most ? s->groups[a->node[i]] : most;
    chebyshev(s->table, t, 4 * most, T);
    out[0] = out[1] = 0;
    for (size_t i = 0; i < a->n; i++) {
        const double *r = s->r + 8 * (size_t)s->start[a->node[i]];
        eight one = {0};
        for (size_t c = 0; c < s->groups[a->node[i]]; c++) add_product(one, T + 8 * c, r + 8 * c);
        add_times(sum, a->w[i], one);
        for (int pol = 0; pol < 2; pol++) out[pol] += a->w[i] * s->l[2 * a->node[i] + (size_t)pol];
    }
    for (int pol = 0; pol < 2; pol++) out[2 + pol] = sum_four(sum + pol, 2);
}

/* A step of Clenshaw's recurrence at eight t.  one and two are the last two partial sums. */
INLINE void step_clenshaw(double r, const double *t, numbers *one, numbers *two)
{
    for (int i = 0; i < FOURS; i++) {
        const four next = r + 2 * FOUR(t, i) * one->v[i] - two->v[i];
        two->v[i] = one->v[i];
        one->v[i] = next;
    }
}

/* With 1 in front; where the mean may have either sign the sum begins with T_0. */
INLINE void end_clenshaw(const double *t, const numbers *one, const numbers *two, int either_sign,
                         double *value)
{
    for (int i = 0; i < FOURS; i++)
        if (either_sign)
            FOUR_TO(value, i) = 1 + one->v[i] - FOUR(t, i) * two->v[i];
        else
            FOUR_TO(value, i) = 1 + FOUR(t, i) * one->v[i] - two->v[i];
}

/* 1 + Sum_m r_m T_m at ANGLES values of t; the n r_m are `stride` apart.  The partial sums are
 * single variables, because compilers keep arrays of them in memory. */
CLONES
static void sum_lines(const double *r, size_t stride, size_t n, const double *t, int either_sign,
                      double *value)
{
    numbers a1 = zeros(), a2 = zeros(), b1 = zeros(), b2 = zeros(), c1 = zeros(), c2 = zeros();
    for (size_t m = n; m-- > 0;) {
        step_clenshaw(r[stride * m], t, &a1, &a2);
        step_clenshaw(r[stride * m], t + 8, &b1, &b2);
        step_clenshaw(r[stride * m], t + 16, &c1, &c2);
    }
    end_clenshaw(t, &a1, &a2, either_sign, value);
    end_clenshaw(t + 8, &b1, &b2, either_sign, value + 8);
    end_clenshaw(t + 16, &c1, &c2, either_sign, value + 16);
}

CLONES
static void fill_lines(const cgct_slice *s, const slice_spot *p, angle_values *a)
{
    const size_t n = 4 * p->groups;
    double t[ANGLES], mixed[CGCT_MODES_MAX + 4];
    for (int i = 0; i < ANGLES; i++) {
        double h = half_sine(a->theta[i]), hh = h * h;
        a->mu[i] = 1 - 2 * hh;
        t[i] = limit(2 * a->stretch * (1 - hh) - 1, -1, 1);
    }
    for (size_t m = 0; m < n && a->mixed; m++)
        mixed[m] = a->part[0] * p->r[2 * m] + a->part[1] * p->r[2 * m + 1];
    const double *r = a->mixed ? mixed : p->r;
    const int sums = a->mixed ? 1 : 2;
    for (int i = 0; i < sums; i++)
        sum_lines(r + i, (size_t)sums, n, t, s->table->either_sign, a->value[i]);
}

/* ---- from either ---- */

/* Evaluates the points whose status is OK; others are 0.  RUN_MEMBERS has one, of all members. */
INLINE void evaluate_points(job *j, size_t n)
{
    points *p = &j->p;
    around a;
    for (size_t i = 0; i < n; i++) {
        double out[4];
        if (i >= p->n || p->status[i] != CGCT_OK) {
            for (int pol = 0; pol < 2; pol++) p->l[pol][i] = p->value[pol][i] = 0;
            continue;
        }
        find_nodes(j->t, p->upper[i], p->ln_q[i], p->v[i], &a);
        if (j->kind == RUN_MEMBERS) {
            evaluate_members(j, &a);
            continue;
        }
        j->slice ? sum_slice(j->slice, &a, p->t[i], out) : sum_parts(j, &a, p->t[i], out);
        out[CGCT_T] += j->at.rise;
        for (int pol = 0; pol < 2; pol++) {
            p->l[pol][i] = out[pol];
            p->value[pol][i] = 1 + out[2 + pol];
        }
    }
}

INLINE void take_values(points *p, size_t n)
{
    for (int pol = 0; pol < 2; pol++)
        for (size_t i = 0; i < n; i++) p->value[pol][i] *= exponential(p->l[pol][i]);
}

/* A single point, or groups of a size that the compiler knows and turns into vectors. */
CLONES
static void run_points(job *j)
{
    points *p = &j->p;
    const int one = p->n == 1;
    one ? take_shorter(p, 1) : take_shorter(p, GROUP);
    check_momentum(j);
    one ? take_variables(j->t, p, 1) : take_variables(j->t, p, GROUP);
    if (j->kind != RUN_PLACES) evaluate_points(j, one ? 1 : GROUP);
    if (j->kind == RUN_VALUES) one ? take_values(p, 1) : take_values(p, GROUP);
}

/* ---- values ---- */

static void set_nan(double *v, size_t n)
{
    for (size_t i = 0; i < n; i++) v[i] = CGCT_NAN;
}

static void start_job(job *j, run_kind kind, const cgct_table *t, const cgct_slice *slice)
{
    j->kind = kind;
    j->first = CGCT_T;
    j->last = CGCT_L + 1;
    j->t = t;
    j->slice = slice;
    j->err = NULL;
    j->at.rise = 0; /* a slice has it in its l */
    if (slice) memcpy(j->at.cell, slice->cell, sizeof slice->cell);
}

/* What functions of one (x,eps) begin with; out gets n numbers. */
static cgct_status start_place(job *j, run_kind kind, const cgct_table *t, double x, double eps,
                               double *out, size_t n, cgct_err *err)
{
    if (!out) return CGCT_E_USAGE;
    set_nan(out, n);
    if (!t) return CGCT_E_USAGE;
    start_job(j, kind, t, NULL);
    j->err = err;
    CGCT_TRY(locate_node(t, x, eps, &j->at, err));
    if (kind == RUN_VALUES) take_factors(j);
    return kind == RUN_MEMBERS && t->varied ? cgct_ready(t, t->varied, &j->at.varied, err)
                                            : CGCT_OK;
}

/* Points up to their places, or to their values.  A group is computed as a whole: the rest of it,
 * and those that fail, get numbers with which that can be done. */
static void run_group(job *j, size_t n, const double *q, const double *k1, const double *theta)
{
    points *p = &j->p;
    p->n = n;
    for (size_t i = 0; i < n; i++) {
        p->q[i] = q[i];
        p->k1[i] = k1[i];
        p->theta[i] = theta[i];
    }
    check_arguments(j);
    for (size_t i = n; n > 1 && i < GROUP; i++) {
        p->q[i] = j->t->info.q[0];
        p->k1[i] = p->theta[i] = 0;
    }
    if (n > 1 || p->status[0] == CGCT_OK) run_points(j);
}

static cgct_status run_one(job *j, double q, double k1, double theta)
{
    run_group(j, 1, &q, &k1, &theta);
    return j->p.status[0];
}

enum { UNKNOWN = 255 }; /* the code where no bound is known */

/* A bound over e^l (FORMAT.md section 8). */
static double share_of(int code)
{
    return code ? exp2((code - 200) / 4.0) : 0;
}

/* The code of point i and a member: the largest of the nodes around (x,eps), for the block of the
 * cells of (q,v). */
static int bound_code(const job *j, size_t i, size_t member, size_t pol)
{
    const cgct_table *t = j->t;
    const int upper = j->p.upper[i];
    const size_t columns = t->block[1] + t->block[2];
    around a;
    find_nodes(t, upper, j->p.ln_q[i], j->p.v[i], &a);
    size_t row = a.q * t->block[0] / t->q.cells;
    size_t column = a.v * t->block[1 + upper] / t->v[upper].cells + (upper ? t->block[1] : 0);
    const size_t set = member < t->bounds ? member : t->bounds - 1;
    uint8_t most = 0;
    for (size_t x = j->at.cell[0]; x < j->at.cell[0] + 2 && x < t->x.n; x++)
        for (size_t e = j->at.cell[1]; e < j->at.cell[1] + 2 && e < t->eps.n; e++) {
            size_t node = (set * t->x.n + x) * t->eps.n + e;
            uint8_t code = t->bound[((2 * node + pol) * t->block[0] + row) * columns + column];
            if (code > most) most = code;
        }
    return most;
}

/* The bound at point i, with its e^l, and I = v. */
static double bound_at(const job *j, size_t i, size_t member, size_t pol, double l, double v)
{
    const int code = bound_code(j, i, member, pol);
    if (code == UNKNOWN) return CGCT_INFINITY;
    return share_of(code) * (2. / 3 * fabs(v) + (1 - 2. / 3) * exponential(l));
}

/* Whether the mean of point i over the angle is negative, in a table where it may be. */
static int is_mean_negative(const job *j, size_t i, size_t pol)
{
    double out[4];
    around a;
    if (!j->t->either_sign) return 0;
    find_nodes(j->t, j->p.upper[i], j->p.ln_q[i], j->p.v[i], &a);
    j->slice ? sum_slice(j->slice, &a, MEAN, out) : sum_parts(j, &a, MEAN, out);
    return 1 + out[2 + pol] < 0;
}

/* Whether this I is below 0 by more than interpolation may make it. */
static int is_negative(const job *j, size_t i, size_t pol)
{
    const double v = j->p.value[pol][i];
    return v <= 0 && (v < -bound_at(j, i, j->t->info.member, pol, j->p.l[pol][i], v) ||
                      is_mean_negative(j, i, pol));
}

/* What the caller gets of point i of a group. */
static cgct_status settle_point(const job *j, size_t i, double value[2])
{
    cgct_status st = j->p.status[i];
    for (size_t pol = 0; pol < 2 && st == CGCT_OK; pol++) {
        double v = value[pol] = j->p.value[pol][i];
        if (!(v <= 0) || j->t->info.negative == CGCT_NEGATIVE_KEEP) continue;
        if (is_negative(j, i, pol)) st = CGCT_E_NEGATIVE;
        value[pol] = 0;
    }
    if (st != CGCT_OK) set_nan(value, 2);
    return st;
}

/* Any number of points; *first, where it is wanted: the first that fails, if one does. */
static cgct_status many_values(job *j, size_t n, const double *q, const double *k1,
                               const double *theta, double *values, size_t *first)
{
    cgct_status result = CGCT_OK;
    for (size_t at = 0; at < n; at += GROUP) {
        const size_t some = n - at < GROUP ? n - at : (size_t)GROUP;
        run_group(j, some, q + at, k1 + at, theta + at);
        for (size_t i = 0; i < some; i++, values += 2) {
            const cgct_status st = settle_point(j, i, values);
            if (st == CGCT_OK || result != CGCT_OK) continue;
            result = st;
            if (first) *first = at + i;
        }
    }
    return result;
}

cgct_status cgct_eval(const cgct_table *t, double x, double eps, double q, double k1, double theta,
                      double value[2])
{
    job j;
    CGCT_TRY(start_place(&j, RUN_VALUES, t, x, eps, value, 2, NULL));
    return many_values(&j, 1, &q, &k1, &theta, value, NULL);
}

cgct_status cgct_eval_many(const cgct_table *t, size_t n, const double *x, const double *eps,
                           const double *q, const double *k1, const double *theta, double *values,
                           size_t *first)
{
    job j;
    cgct_status result = CGCT_OK;
    if (first) *first = n;
    if (!t || (n && (!x || !eps || !q || !k1 || !theta || !values))) return CGCT_E_USAGE;
    for (size_t i = 0, m; i < n; i += m) { /* points that share x and eps with the one before */
        size_t bad = 0;
        const uint64_t one = bits_of(x[i]), two = bits_of(eps[i]);
        for (m = 1; i + m < n && bits_of(x[i + m]) == one && bits_of(eps[i + m]) == two;) m++;
        cgct_status st = start_place(&j, RUN_VALUES, t, x[i], eps[i], values + 2 * i, 2 * m, NULL);
        if (st == CGCT_OK) st = many_values(&j, m, q + i, k1 + i, theta + i, values + 2 * i, &bad);
        if (st == CGCT_OK || result != CGCT_OK) continue;
        result = st;
        if (first) *first = i + bad;
    }
    return result;
}

cgct_status cgct_check(const cgct_table *t, double x, double eps, double q, double k1, double theta,
                       cgct_err *err)
{
    job j;
    cgct_err inner;
    double value[2];
    if (!t) return cgct_message(err, CGCT_E_USAGE, "cgct_check: NULL table");
    cgct_status st = start_place(&j, RUN_VALUES, t, x, eps, value, 2, &inner);
    if (st == CGCT_OK) st = run_one(&j, q, k1, theta);
    if (st == CGCT_OK && (st = settle_point(&j, 0, value)) != CGCT_OK) {
        const int L_is_lower = j.p.value[CGCT_L][0] < j.p.value[CGCT_T][0];
        const int of_L = is_negative(&j, 0, CGCT_L) && (L_is_lower || !is_negative(&j, 0, CGCT_T));
        const size_t pol = of_L ? CGCT_L : CGCT_T;
        cgct_message(&inner, st,
                     "I_%c = %.3g (bound %.1g) is negative at q = %g, k1 = %g, theta = %g: no "
                     "positive cross section exists there",
                     pol == CGCT_T ? 'T' : 'L', j.p.value[pol][0],
                     bound_at(&j, 0, t->info.member, pol, j.p.l[pol][0], j.p.value[pol][0]), q, k1,
                     theta);
    }
    if (st != CGCT_OK) cgct_message(err, st, "%.200s: %.300s", t->path, inner.text);
    return st;
}

/* ---- bound and reference ---- */

cgct_status cgct_eval_error(const cgct_table *t, double x, double eps, double q, double k1,
                            double theta, double error[2])
{
    job j;
    CGCT_TRY(start_place(&j, RUN_VALUES, t, x, eps, error, 2, NULL));
    CGCT_TRY(run_one(&j, q, k1, theta));
    for (size_t pol = 0; pol < 2; pol++)
        error[pol] = bound_at(&j, 0, t->info.member, pol, j.p.l[pol][0], j.p.value[pol][0]);
    return CGCT_OK;
}

/* ln G and H/G of a member; 0: not known. */
static int blend_tensor(const job *j, size_t member, double out[2])
{
    const cgct_table *t = j->t;
    const stencil *x = &j->at.x;
    stencil q;
    cgct_weigh_axis(&t->q, j->p.ln_q[0], &q);
    out[0] = out[1] = 0;
    for (size_t i = 0; i < x->n; i++)
        for (size_t k = 0; k < q.n; k++) {
            size_t node = (member * t->x.n + x->first + i) * t->nq + q.first + k;
            if (t->tensor[2 * node] <= -800) return 0;
            for (int c = 0; c < 2; c++) out[c] += x->w[i] * q.w[k] * t->tensor[2 * node + c];
        }
    return 1;
}

/* FORMAT.md section 7 at the shorter momentum: unchanged under k1 <-> k2.  Of n members, the first
 * of which is `first`; what is not known stays as it is. */
static void take_references(const job *j, size_t first, size_t n, double *value)
{
    double tensor[2];
    const double k = j->p.k[0], mu = j->p.mu[0], q = j->p.q[0];
    const double e2 = j->at.value[1] * j->at.value[1], rise = exp(j->at.rise);
    const double u1 = k * mu, u2 = u1 - q, along = u1 - q / 2;
    const double perp = k * k * (1 - mu) * (1 + mu), a2 = perp + e2, a = sqrt(a2);
    const double product = (u1 * u1 + a2) * (u2 * u2 + a2), straight = (a2 - u1 * u2) / product;
    const double J1 = atan2(a * q, a2 + u1 * u2) / (a * q), J2 = (J1 + straight) / (2 * a2);
    const double par = 2 * along / product, bent = J1 - 2 * perp * J2;
    const double mixed = perp * par * par;
    for (size_t i = 0; i < n; i++, value += 2) {
        if (!blend_tensor(j, first + i, tensor)) continue;
        const double common = 4 * PI * PI * exp(tensor[0]);
        const double plus = common * (1 + tensor[1]) / 2, minus = common * (1 - tensor[1]) / 2;
        value[CGCT_T] =
            rise / e2 * (plus * (straight * straight + mixed) + minus * (bent * bent + mixed));
        value[CGCT_L] = plus * par * par + minus * 4 * perp * J2 * J2;
    }
}

cgct_status cgct_reference(const cgct_table *t, double x, double eps, double q, double k1,
                           double theta, double value[2])
{
    job j;
    CGCT_TRY(start_place(&j, RUN_PLACES, t, x, eps, value, 2, NULL));
    CGCT_TRY(run_one(&j, q, k1, theta));
    take_references(&j, t->info.member, 1, value);
    return CGCT_OK;
}

cgct_status cgct_reference_members(const cgct_table *t, double x, double eps, double q, double k1,
                                   double theta, double *values)
{
    job j;
    const size_t n = t ? t->info.members : 0;
    CGCT_TRY(start_place(&j, RUN_PLACES, t, x, eps, values, 2 * n, NULL));
    CGCT_TRY(run_one(&j, q, k1, theta));
    take_references(&j, 0, n, values);
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

static cgct_slice *new_slice(const job *j)
{
    const cgct_table *t = j->t;
    const size_t np = t->nq * t->nk;
    size_t groups = 0;
    cgct_slice *s = (cgct_slice *)calloc(1, sizeof *s);
    if (!s) return NULL;
    s->table = t;
    memcpy(s->cell, j->at.cell, sizeof s->cell);
    s->l = (double *)malloc(2 * np * sizeof *s->l);
    s->start = (uint32_t *)malloc(np * sizeof *s->start);
    s->groups = (uint8_t *)malloc(np);
    for (size_t i = 0; i < np && s->start && s->groups; i++) {
        const size_t more = j->summands > 1 ? j->part[1].of->point[i].rows : 0;
        const size_t first = j->part[0].of->point[i].rows, rows = first > more ? first : more;
        s->start[i] = (uint32_t)groups;
        s->groups[i] = (uint8_t)((rows + 2) / 4); /* rows - 1, four by four */
        groups += s->groups[i];
    }
    s->r = (double *)calloc(groups + 1, 8 * sizeof *s->r);
    if (s->l && s->start && s->groups && s->r) return s;
    return cgct_slice_free(s), (cgct_slice *)NULL;
}

cgct_status cgct_slice_init(cgct_slice **slice, const cgct_table *t, double x, double eps,
                            cgct_err *err)
{
    job j;
    cgct_err inner;
    double none;
    if (slice) *slice = NULL;
    if (!slice || !t) return cgct_message(err, CGCT_E_USAGE, "cgct_slice_init: NULL argument");
    cgct_status st = start_place(&j, RUN_VALUES, t, x, eps, &none, 1, &inner);
    if (st != CGCT_OK) return cgct_message(err, st, "%.200s: %.300s", t->path, inner.text);
    *slice = new_slice(&j);
    if (!*slice) return cgct_message(err, CGCT_E_NOMEM, "%.200s: no memory for a slice", t->path);
    fill_slice(&j, *slice);
    return CGCT_OK;
}

cgct_status cgct_slice_eval(const cgct_slice *s, double q, double k1, double theta, double value[2])
{
    if (value) set_nan(value, 2);
    return cgct_slice_many(s, 1, &q, &k1, &theta, value, NULL);
}

cgct_status cgct_slice_many(const cgct_slice *s, size_t n, const double *q, const double *k1,
                            const double *theta, double *values, size_t *first)
{
    job j;
    if (first) *first = n;
    if (!s || (n && (!q || !k1 || !theta || !values))) return CGCT_E_USAGE;
    start_job(&j, RUN_VALUES, s->table, s);
    return many_values(&j, n, q, k1, theta, values, first);
}

/* Up to ANGLES angles.  Where k1 is the shorter momentum they share the coefficients of the
 * spot, NULL if there is none; the others, and those that are no good angles, are points. */
static cgct_status some_angles(job *j, const slice_spot *spot, const double at[2], size_t n,
                               const double *theta, double *values)
{
    cgct_status result = CGCT_OK;
    const points *p = &j->p;
    int good[ANGLES];
    angle_values a;
    a.mixed = 0;
    a.stretch = spot && spot->upper ? 2 / (1 + p->q[0] / (2 * p->k[0])) : 1;
    for (size_t i = 0; i < ANGLES; i++) {
        good[i] = spot && i < n && is_within(theta[i], THETA_LARGE);
        a.theta[i] = good[i] ? theta[i] : 0;
    }
    if (spot) fill_lines(j->slice, spot, &a);
    for (size_t i = 0; i < n; i++, values += 2) {
        cgct_status st = CGCT_OK;
        if (good[i] && 2 * p->k1[0] * a.mu[i] <= p->q[0]) {
            for (size_t pol = 0; pol < 2; pol++) {
                j->p.l[pol][0] = spot->l[pol];
                j->p.value[pol][0] = spot->a[pol] * a.value[pol][i];
            }
            st = settle_point(j, 0, values);
        } else
            st = cgct_slice_eval(j->slice, at[0], at[1], theta[i], values);
        if (result == CGCT_OK) result = st;
    }
    return result;
}

cgct_status cgct_slice_angles(const cgct_slice *s, double q, double k1, size_t n,
                              const double *theta, double *values)
{
    const double at[2] = {q, k1};
    job j;
    slice_spot spot;
    cgct_status result = CGCT_OK;
    if (!s || (n && (!theta || !values))) return CGCT_E_USAGE;
    start_job(&j, RUN_PLACES, s->table, s);
    const int shared = run_one(&j, q, k1, PI) == CGCT_OK; /* where k1 is the shorter momentum */
    if (shared) {
        spot.upper = j.p.upper[0];
        spot.ln_q = j.p.ln_q[0];
        spot.v = j.p.v[0];
        spot.modes = 1;
        fill_spot(s, &spot);
    }
    for (size_t i = 0; i < n; i += ANGLES) {
        size_t some = n - i < ANGLES ? n - i : (size_t)ANGLES;
        cgct_status st =
            some_angles(&j, shared ? &spot : NULL, at, some, theta + i, values + 2 * i);
        if (result == CGCT_OK) result = st;
    }
    return result;
}

/* ---- angular modes ---- */

/* I_m = (-1)^m/(2 pi^2) Int_0^pi I(theta) cos(m theta) dtheta in three ranges, ten points of Gauss
 * in each panel of z, theta = width sinh z: panels crowd where k2 is small, and are so many that no
 * mode turns by more than six radian in one. */
static cgct_status take_modes(job *j, double q, double k1, size_t n, double *modes)
{
    static const double node[5] = {0.14887433898163122, 0.43339539412924719, 0.67940956829902441,
                                   0.86506336668898451, 0.97390652851717172};
    static const double weight[5] = {0.29552422471475287, 0.26926671930999636, 0.21908636251598204,
                                     0.14945134915058059, 0.066671344308688138};
    cgct_status st = CGCT_OK;
    CGCT_TRY(run_one(j, q, k1, PI));
    q = j->p.q[0];
    k1 = j->p.k1[0];
    /* Smooth between these angles: where k2 = q/2, and where k2 = k1 and the shorter changes. */
    const double k = fmax(k1, q / 2), turn = acos(q / (2 * k));
    const double half = fmin(acos(fmin((0.75 * q * q + k * k) / (2 * q * k), 1)), turn);
    const double dense = turn > 0 ? (fabs(q - k1) + j->t->info.k0) / sqrt(q * k) : 1;
    const double ends[4] = {0, half, turn, PI};
    for (size_t i = 0; i < 2 * n; i++) modes[i] = 0;
    for (int r = 0; r < 3; r++) {
        if (!(ends[r + 1] > ends[r])) continue;
        const double width = r < 2 ? dense : PI;
        const double low = asinh(ends[r] / width), all = asinh(ends[r + 1] / width) - low;
        const double turns = 10 + (double)(n + j->t->nm) * (ends[r + 1] + width) / 6;
        const size_t panels = 1 + (size_t)(all * turns);
        const double step = all / (2 * (double)panels);
        for (size_t i = 0; i < 10 * panels && st == CGCT_OK; i++) {
            double z =
                low + step * (2 * (double)(i / 10) + 1 + (i % 2 ? 1 : -1) * node[i % 10 / 2]);
            double w = step * weight[i % 10 / 2] * width * cosh(z) / (2 * PI * PI);
            double theta = width * sinh(z), c = cos(theta);
            double before = c, now = 1; /* cos((m-1) theta), cos(m theta) */
            st = run_one(j, q, k1, theta);
            for (size_t m = 0; m < n; m++) {
                for (size_t pol = 0; pol < 2; pol++)
                    modes[pol * n + m] += (m % 2 ? -w : w) * now * j->p.value[pol][0];
                double next = 2 * c * now - before;
                before = now;
                now = next;
            }
        }
    }
    if (st != CGCT_OK) set_nan(modes, 2 * n);
    return st;
}

cgct_status cgct_modes(const cgct_table *t, double x, double eps, double q, double k1, size_t n,
                       double *modes)
{
    job j;
    double none[2] = {0, 0};
    CGCT_TRY(start_place(&j, RUN_VALUES, t, x, eps, n ? modes : none, 2 * n, NULL));
    return take_modes(&j, q, k1, n, modes);
}

cgct_status cgct_slice_modes(const cgct_slice *s, double q, double k1, size_t n, double *modes)
{
    job j;
    if (modes) set_nan(modes, 2 * n);
    if (!s || (n && !modes)) return CGCT_E_USAGE;
    start_job(&j, RUN_VALUES, s->table, s);
    return take_modes(&j, q, k1, n, modes);
}

/* ---- members ---- */

/* Values <= 0 of members become 0, or NaN where they are more than their bounds explain or the mean
 * over the angle is negative. */
static cgct_status settle_members(job *j)
{
    const cgct_table *t = j->t;
    const size_t n = 2 * t->info.members;
    cgct_status st = CGCT_OK;
    double *value = j->values, *mean = NULL;
    size_t low = 0;
    while (low < n && !(value[low] <= 0)) low++;
    if (low == n) return CGCT_OK;
    if (t->either_sign) {
        if (!(mean = (double *)malloc(n * sizeof *mean))) {
            set_nan(value, n);
            return CGCT_E_NOMEM;
        }
        memset(j->rows, 0, j->row_count * sizeof *j->rows);
        j->values = mean;
        j->p.t[0] = MEAN;
        evaluate_points(j, 1);
    }
    for (size_t i = 0; i < n; i++) {
        if (!(value[i] <= 0)) continue;
        const double bound = bound_at(j, 0, i / 2, i % 2, j->sums[i / 2][i % 2], value[i]);
        const int refused = value[i] < -bound || (mean && mean[i] < 0);
        value[i] = 0;
        if (!refused) continue;
        set_nan(&value[i], 1);
        st = CGCT_E_NEGATIVE;
    }
    free(mean);
    return st;
}

/* RUN_MEMBERS at a point; values (members, 2).  The bound on the chosen member's error of
 * polarisation pol where error is not NULL. */
static cgct_status run_members(job *j, const double at[3], double *values, int pol, double *error)
{
    const cgct_table *t = j->t;
    j->values = values;
    j->row_count = (t->varied ? t->varied : j->at.segment)->stride / 4;
    j->rows = (eight(*)[2])calloc(j->row_count, sizeof *j->rows);
    j->sums = (double(*)[4])malloc(t->info.members * sizeof *j->sums);
    cgct_status st = j->rows && j->sums ? run_one(j, at[0], at[1], at[2]) : CGCT_E_NOMEM;
    const size_t m = t->info.member;
    if (st == CGCT_OK && error)
        *error = bound_at(j, 0, m, (size_t)pol, j->sums[m][pol], values[2 * m + (size_t)pol]);
    if (st == CGCT_OK && t->info.negative != CGCT_NEGATIVE_KEEP) st = settle_members(j);
    free(j->rows);
    free(j->sums);
    return st;
}

cgct_status cgct_eval_members(const cgct_table *t, double x, double eps, double q, double k1,
                              double theta, double *values)
{
    job j;
    const double at[3] = {q, k1, theta};
    CGCT_TRY(start_place(&j, RUN_MEMBERS, t, x, eps, values, t ? 2 * t->info.members : 0, NULL));
    return run_members(&j, at, values, 0, NULL);
}

/* ---- one polarisation ---- */

/* out gets n numbers. */
static cgct_status start_one(job *j, run_kind kind, const cgct_table *t, int pol,
                             const double at[5], double *out, size_t n)
{
    if (out) set_nan(out, n);
    if (!at || (pol != CGCT_T && pol != CGCT_L)) return CGCT_E_USAGE;
    CGCT_TRY(start_place(j, kind, t, at[0], at[1], out, n, NULL));
    j->first = pol;
    j->last = pol + 1;
    return CGCT_OK;
}

cgct_status cgct_eval_one(const cgct_table *t, int pol, const double at[5], double *value,
                          double *error)
{
    job j;
    double both[2];
    if (error) set_nan(error, 1);
    CGCT_TRY(start_one(&j, RUN_VALUES, t, pol, at, value, 1));
    CGCT_TRY(run_one(&j, at[2], at[3], at[4]));
    if (error)
        *error = bound_at(&j, 0, t->info.member, (size_t)pol, j.p.l[pol][0], j.p.value[pol][0]);
    CGCT_TRY(settle_point(&j, 0, both));
    *value = both[pol];
    return CGCT_OK;
}

cgct_status cgct_eval_one_members(const cgct_table *t, int pol, const double at[5], double *values,
                                  double *error)
{
    job j;
    const size_t n = t ? t->info.members : 0;
    if (error) set_nan(error, 1);
    CGCT_TRY(start_one(&j, RUN_MEMBERS, t, pol, at, values, n));
    double *both = (double *)malloc(2 * n * sizeof *both);
    if (!both) return CGCT_E_NOMEM;
    for (size_t i = 0; i < 2 * n; i++) both[i] = 1; /* those of the other one remain */
    const cgct_status st = run_members(&j, at + 2, both, pol, error);
    for (size_t i = 0; i < n && (st == CGCT_OK || st == CGCT_E_NEGATIVE); i++)
        values[i] = both[2 * i + (size_t)pol];
    free(both);
    return st;
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

/* Root of the sum of squares by which pairs v[1], v[2], ... exceed v[0]; sign = -1: lie below. */
static double hessian_width(const double *v, size_t n, double sign)
{
    double sum = 0;
    for (size_t i = 1; i + 1 < n; i += 2) {
        double further = fmax(fmax(sign * (v[i] - v[0]), sign * (v[i + 1] - v[0])), 0);
        sum += further * further;
    }
    return sqrt(sum);
}

/* stride: distance of the values of neighbouring members. */
static cgct_status range_of(const cgct_table *t, const double *values, size_t stride,
                            double range[3])
{
    size_t n = 1;
    double *v = (double *)malloc(t->drawn * sizeof *v);
    if (!v) return CGCT_E_NOMEM;
    v[0] = values[0];
    for (size_t i = 1; i < t->info.members; i++)
        if (!t->aside[i]) v[n++] = values[stride * i];
    range[0] = range[1] = range[2] = v[0];
    if (t->uncertainty == CGCT_HESSIAN) {
        range[1] -= hessian_width(v, n, -1);
        range[2] += hessian_width(v, n, 1);
    } else if (n > 1) {
        const int replicas = t->uncertainty == CGCT_REPLICAS;
        qsort(v + 1, n - 1, sizeof *v, compare_values);
        range[1] = replicas ? quantile(v + 1, n - 1, 0.16) : fmin(v[0], v[1]);
        range[2] = replicas ? quantile(v + 1, n - 1, 0.84) : fmax(v[0], v[n - 1]);
    }
    free(v);
    return CGCT_OK;
}

cgct_status cgct_uncertainty_of(const cgct_table *t, const double *values, double range[3])
{
    if (range) set_nan(range, 3);
    if (!t || !values || !range) return CGCT_E_USAGE;
    for (size_t i = 0; i < t->info.members; i++)
        if (!t->aside[i] && !is_within(values[i], K_LARGE)) return CGCT_E_DOMAIN;
    return range_of(t, values, 1, range);
}

cgct_status cgct_uncertainty(const cgct_table *t, double x, double eps, double q, double k1,
                             double theta, double central[2], double low[2], double high[2])
{
    double *const out[3] = {central, low, high};
    if (!central || !low || !high) return CGCT_E_USAGE;
    for (int i = 0; i < 3; i++) set_nan(out[i], 2);
    if (!t) return CGCT_E_USAGE;
    double *values = (double *)malloc(2 * t->info.members * sizeof *values), range[3];
    if (!values) return CGCT_E_NOMEM;
    cgct_status st = cgct_eval_members(t, x, eps, q, k1, theta, values);
    if (st == CGCT_E_NEGATIVE) { /* unless of members that take no part */
        st = CGCT_OK;
        for (size_t i = 0; i < 2 * t->info.members; i++)
            if (!t->aside[i / 2] && !cgct_finite(values[i])) st = CGCT_E_NEGATIVE;
    }
    for (size_t pol = 0; pol < 2 && st == CGCT_OK; pol++) {
        if ((st = range_of(t, values + pol, 2, range)) != CGCT_OK) break;
        for (int i = 0; i < 3; i++) out[i][pol] = range[i];
    }
    free(values);
    return st;
}

/* ---- cross section ---- */

#define N_COLOURS 3.0

/* Positive, and such that the product of four of them is a number. */
static int positive(double v)
{
    return cgct_positive(v) && is_within(v, 1e60);
}

/* Products and quotients of a few numbers of this size are numbers. */
#define LARGE 1e30
#define ROUNDING 1e-12 /* of what is compared with a limit */

static int is_usual(double v)
{
    return cgct_positive(v) && is_between(v, LARGE) && v >= 1 / LARGE;
}

static int is_share(double z)
{
    return cgct_positive(z) && is_within(z, BELOW_1);
}

cgct_status cgct_dis_factors(const cgct_dis *d, double *eps, double factor[2][2])
{
    if (!d || !eps || !factor) return CGCT_E_USAGE;
    set_nan(eps, 1);
    set_nan(factor[0], 4);
    if (!positive(d->alpha_em) || !positive(d->e_q2) || !positive(d->S_perp) || !is_share(d->z) ||
        !is_between(d->Q2, 1e60) || !is_between(d->mass, 1e60))
        return CGCT_E_DOMAIN;
    const double z = d->z, zbar = 1 - z, m2 = d->mass * d->mass, own = z * zbar * d->Q2;
    if (!cgct_positive(own + m2)) return CGCT_E_DOMAIN;
    const double common = 2 * N_COLOURS * d->alpha_em * d->e_q2 * d->S_perp / pow(2 * PI, 6);
    *eps = sqrt(own + m2);
    factor[CGCT_T][CGCT_T] = common * (z * z + zbar * zbar) * (own + m2);
    factor[CGCT_T][CGCT_L] = common * m2;
    factor[CGCT_L][CGCT_T] = 0;
    factor[CGCT_L][CGCT_L] = common * 4 * z * zbar * own;
    return CGCT_OK;
}

/* From I of T and L to the cross sections of both photons, in place.  Without a mass I_L, which may
 * be NaN, is no part of that of transverse photons. */
static void take_photons(double factor[2][2], double area, double v[2])
{
    const double flip = factor[CGCT_T][CGCT_L];
    const double flipped = cgct_positive(flip) ? flip * v[CGCT_L] : 0;
    v[CGCT_T] = area * (factor[CGCT_T][CGCT_T] * v[CGCT_T] + flipped);
    v[CGCT_L] = area * factor[CGCT_L][CGCT_L] * v[CGCT_L];
}

cgct_status cgct_dsigma(const cgct_table *t, const cgct_dis *dis, double x, double q, double k1,
                        double theta, double dsigma[2])
{
    double eps, factor[2][2];
    if (dsigma) set_nan(dsigma, 2);
    if (!t || !dis || !dsigma) return CGCT_E_USAGE;
    cgct_dis full = *dis;
    if (is_zero(full.S_perp)) full.S_perp = cgct_member_S_perp(t, t->info.member);
    CGCT_TRY(cgct_dis_factors(&full, &eps, factor));
    CGCT_TRY(cgct_eval(t, x, eps, q, k1, theta, dsigma));
    take_photons(factor, 1, dsigma);
    return CGCT_OK;
}

cgct_status cgct_dsigma_members(const cgct_table *t, const cgct_dis *dis, double x, double q,
                                double k1, double theta, double *values)
{
    double eps, factor[2][2];
    const size_t n = t ? t->info.members : 0;
    if (values) set_nan(values, 2 * n);
    if (!t || !dis || !values) return CGCT_E_USAGE;
    cgct_dis unit = *dis; /* of area 1 */
    unit.S_perp = 1;
    CGCT_TRY(cgct_dis_factors(&unit, &eps, factor));
    const int own = is_zero(dis->S_perp);
    if (!own && !positive(dis->S_perp)) return CGCT_E_DOMAIN;
    cgct_status st = cgct_eval_members(t, x, eps, q, k1, theta, values);
    for (size_t i = 0; i < n; i++) {
        const double area = own ? t->S_perp[i] : dis->S_perp;
        take_photons(factor, positive(area) ? area : CGCT_NAN, values + 2 * i);
        if (!positive(area) && st == CGCT_OK) st = CGCT_E_DOMAIN;
    }
    return st;
}

cgct_status cgct_dis_fluxes(double alpha_em, double y, double Q2, double lepton_mass,
                            double flux[2])
{
    if (!flux) return CGCT_E_USAGE;
    set_nan(flux, 2);
    if (!positive(alpha_em) || !is_share(y) || !is_usual(Q2) || !is_usual(y) ||
        !(is_zero(lepton_mass) || is_usual(lepton_mass)))
        return CGCT_E_DOMAIN;
    const double ybar = 1 - y, my2 = lepton_mass * y * lepton_mass * y;
    if (my2 > ybar * Q2 * (1 + ROUNDING)) return CGCT_E_DOMAIN;
    const double unit = alpha_em / (2 * PI * y * Q2);
    flux[CGCT_T] = unit * (1 + ybar * ybar - 2 * my2 / Q2);
    flux[CGCT_L] = unit * 2 * ybar;
    return CGCT_OK;
}

/* ---- kinematics ----
 *
 * With light-like l0 and P along the beams, s = 2 l0.P, the lepton's momentum is l0 + (m_l^2/s) P,
 * and after it gave the share y of l0 away, it has the transverse momentum p_l, where
 *     p_l^2 = (1-y) Q^2 - (m_l y)^2
 * so that n = y l0 + p_l^2/(y s) P - p_l is light-like, and the photon n - Q^2/(y s) P. */

typedef struct {
    double v[4]; /* x, y, z, energy */
} four_momentum;

/* What the vectors of a dijet give; those of the public structures, squares of lengths, 2 P.l. */
typedef struct {
    double y, ys, s, l0, recoil2; /* l0: its energy; recoil2: p_l^2 */
    double q[2], K[2], k1_2, k2_2;
} dijet_parts;

static double square(const double v[2])
{
    return v[0] * v[0] + v[1] * v[1];
}

static cgct_status split_dijet(const cgct_dijet *d, dijet_parts *p)
{
    const double ml = d->lepton_mass;
    if (!is_usual(d->lepton) || !is_usual(d->target) || !(is_zero(ml) || is_usual(ml)) ||
        ml >= d->lepton || !(is_zero(d->Q2) || is_usual(d->Q2)) || !is_share(d->z) ||
        !is_usual(d->z) || !(is_zero(d->mass) || is_usual(d->mass)) ||
        !is_usual(is_zero(d->y) ? d->W : d->y) || !is_within(d->turn, THETA_LARGE))
        return CGCT_E_DOMAIN;
    for (int i = 0; i < 2; i++) {
        if (!is_within(d->k1[i], LARGE) || !is_within(d->k2[i], LARGE)) return CGCT_E_DOMAIN;
        p->q[i] = d->k1[i] + d->k2[i];
        p->K[i] = (1 - d->z) * d->k1[i] - d->z * d->k2[i];
    }
    p->k1_2 = square(d->k1);
    p->k2_2 = square(d->k2);
    p->l0 = (d->lepton + sqrt((d->lepton - ml) * (d->lepton + ml))) / 2;
    p->s = 4 * p->l0 * d->target;
    p->y = is_zero(d->y) ? (d->W * d->W + d->Q2) / p->s : d->y;
    p->ys = p->y * p->s;
    p->recoil2 = (1 - p->y) * d->Q2 - ml * p->y * ml * p->y;
    if (p->y >= 1 || p->recoil2 < -ROUNDING * d->Q2 || p->ys <= d->Q2) return CGCT_E_DOMAIN;
    p->recoil2 = fmax(p->recoil2, 0);
    return CGCT_OK;
}

static double angle_from(const double a[2], const double b[2])
{
    return atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
}

cgct_status cgct_dijet_variables(const cgct_dijet *d, cgct_variables *v)
{
    dijet_parts p;
    if (v) set_nan((double *)v, sizeof *v / sizeof(double));
    if (!v || !d) return CGCT_E_USAGE;
    CGCT_TRY(split_dijet(d, &p));
    const double zz = d->z * (1 - d->z), m2 = d->mass * d->mass;
    v->q = sqrt(square(p.q));
    v->k1 = sqrt(p.k1_2);
    v->K = sqrt(square(p.K));
    v->theta = angle_from(p.q, d->k1);
    v->phi = angle_from(p.q, p.K);
    v->eps = sqrt(zz * d->Q2 + m2);
    v->M2 = (v->K * v->K + m2) / zz;
    v->y = p.y;
    v->W = sqrt(p.ys - d->Q2);
    v->x = (d->Q2 + v->q * v->q + v->M2) / p.ys;
    return CGCT_OK;
}

/* a + c b */
static four_momentum add_multiple(four_momentum a, double c, four_momentum b)
{
    for (int i = 0; i < 4; i++) a.v[i] += c * b.v[i];
    return a;
}

/* With its energy from the rest: it has its mass to rounding. */
static void put_on_shell(four_momentum p, double mass, double out[4])
{
    memcpy(out, p.v, sizeof p.v);
    out[3] = sqrt(p.v[0] * p.v[0] + p.v[1] * p.v[1] + p.v[2] * p.v[2] + mass * mass);
}

cgct_status cgct_dijet_momenta(const cgct_dijet *d, double out[CGCT_PARTICLES][4])
{
    dijet_parts p;
    if (out) set_nan(out[0], 4 * CGCT_PARTICLES);
    if (!out || !d) return CGCT_E_USAGE;
    CGCT_TRY(split_dijet(d, &p));
    const double ml = d->lepton_mass, m2 = d->mass * d->mass, recoil = sqrt(p.recoil2);
    const double lx = recoil * cos(d->turn), ly = recoil * sin(d->turn);
    const four_momentum l0 = {{0, 0, -p.l0, p.l0}}, P = {{0, 0, d->target, d->target}};
    const four_momentum zero = {{0, 0, 0, 0}}, across = {{lx, ly, 0, 0}};
    const four_momentum l = add_multiple(l0, ml * ml / p.s, P);
    four_momentum scattered = add_multiple(across, 1 - p.y, l0), n;
    scattered = add_multiple(scattered, (p.recoil2 + ml * ml) / ((1 - p.y) * p.s), P);
    n = add_multiple(add_multiple(add_multiple(zero, -1, across), p.y, l0), p.recoil2 / p.ys, P);
    /* transverse: orthogonal to n and P */
    const four_momentum x = {{1, 0, 0, 0}}, y = {{0, 1, 0, 0}};
    const four_momentum ex = add_multiple(x, -2 * lx / p.ys, P);
    const four_momentum ey = add_multiple(y, -2 * ly / p.ys, P);
    put_on_shell(l, ml, out[CGCT_LEPTON_IN]);
    put_on_shell(scattered, ml, out[CGCT_LEPTON]);
    for (int i = 0; i < 2; i++) {
        const double *k = i ? d->k2 : d->k1, z = i ? 1 - d->z : d->z;
        four_momentum parton = add_multiple(zero, z, n);
        parton = add_multiple(parton, ((i ? p.k2_2 : p.k1_2) + m2) / (z * p.ys), P);
        parton = add_multiple(add_multiple(parton, k[0], ex), k[1], ey);
        put_on_shell(parton, d->mass, out[i ? CGCT_ANTIQUARK : CGCT_QUARK]);
    }
    for (int i = 0; i < 4; i++)
        out[CGCT_GLUON][i] = out[CGCT_LEPTON][i] + out[CGCT_QUARK][i] + out[CGCT_ANTIQUARK][i] -
                             out[CGCT_LEPTON_IN][i];
    return CGCT_OK;
}

/* ---- sample ---- */

/* Events from a slice.  k is the shorter momentum, phi = pi - 2 beta its angle to q.  tau goes from
 * 0 to 1 in each patch:
 *     tau = (v/v_end)^2,  v of FORMAT.md 5 in either patch, v_end its value at k_max or at k = q/2
 * beta goes from 0 to pi/2 in the lower patch, to where sin^2 beta = (1 + q/2k)/2 in the upper one.
 * The density in (ln q, tau) is q^2 k dk/dtau Int dphi I; in the lower patch T_m, m > 0, drop out
 * of it.  Cells reach from node to node in q and are equidistant in the root of tau.  An event is a
 * cell, a point in it from a density that is exponential in both variables, and an angle from
 * straight lines through ANGLES values; the weight makes up for what is missing. */

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
    double total, left_out; /* of the density; of what is negative, its modulus */
    double even[ANGLES];    /* beta over its largest value: ends of the lines, */
    double node[ANGLES], weight[ANGLES]; /* a quadrature */
};

/* ---- a point in (ln q, tau) ---- */

typedef struct {
    double q, k, measure; /* q^2 k dk/dtau */
    double top;           /* largest beta */
    double density[2];    /* factor e^l of T and L */
    slice_spot spot;
    angle_values lines; /* where asked for: sum of both over all density at given shares of top */
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
    p->top = upper ? asin(fmin(sqrt((1 + half / p->k) / 2), 1)) : PI / 2;
    p->lines.stretch = upper ? 2 / (1 + half / p->k) : 1;
    p->spot.upper = upper;
    p->spot.modes = share != NULL;
    p->spot.ln_q = ln_q;
    const double inside = v < 0 ? 0 : v < 1 ? v : 1; /* no q of a damaged file leads out of it */
    p->spot.v = inside * (double)(t->v[upper].n - 1);
    fill_spot(s->slice, &p->spot);
    for (int pol = 0; pol < 2; pol++) p->density[pol] = s->factor[pol] * p->spot.a[pol];
    if (!share) return;
    const double all = p->density[0] + p->density[1], unit = all > 0 ? all : 1;
    p->lines.mixed = 1;
    for (int pol = 0; pol < 2; pol++) p->lines.part[pol] = p->density[pol] / unit;
    for (int i = 0; i < ANGLES; i++) p->lines.theta[i] = PI - 2 * share[i] * p->top;
    fill_lines(s->slice, &p->spot, &p->lines);
}

/* ---- the cells ---- */

/* The density in (ln q, tau), below 0 where its mean over the angle is by more than its bound. */
static double integrate_angle(const cgct_sampler *s, int upper, double ln_q, double tau, place *p)
{
    const int every = upper || s->slice->table->either_sign; /* else T_m drops out */
    double mean = !every, bound = 0;
    find_place(s, upper, ln_q, tau, every ? s->node : NULL, p);
    for (int i = 0; i < ANGLES && every; i++) mean += s->weight[i] * p->lines.value[0][i];
    double v = p->measure * 2 * p->top * (p->density[0] + p->density[1]) * mean;
    if (v > 0) return v;
    job j;
    start_job(&j, RUN_PLACES, s->slice->table, s->slice);
    j.p.upper[0] = upper;
    j.p.ln_q[0] = ln_q;
    j.p.v[0] = p->spot.v;
    for (size_t pol = 0; pol < 2; pol++)
        bound += p->density[pol] * share_of(bound_code(&j, 0, j.t->info.member, pol));
    return j.t->either_sign || -mean * (p->density[0] + p->density[1]) > bound ? v : 0;
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
    const double ratio = b / fmax(a, fmax(1e-12 * b, DBL_MIN));
    double c = a > 0 && b > 0 ? ROOT3 * log(fmax(ratio, 1e-12)) : 0;
    return c > SLOPE_MAX ? SLOPE_MAX : c < -SLOPE_MAX ? -SLOPE_MAX : c;
}

static cgct_status fill_cell(cgct_sampler *s, size_t i, size_t j, cgct_err *err)
{
    static const double node[2] = {(1 - 1 / ROOT3) / 2, (1 + 1 / ROOT3) / 2};
    sampler_cell *c = &s->cell[i * COLUMNS + j];
    double tau[2], v[2][2] = {{0, 0}, {0, 0}}, along[2];
    const int upper = column_range(j, tau);
    const double width = s->q[i + 1] - s->q[i], area = width * (tau[1] - tau[0]) / 4;
    if (!upper || s->q[i + 1] <= s->ln_top)
        for (int n = 0; n < 4; n++) {
            place p;
            double *to = &v[n / 2][n % 2];
            *to = integrate_angle(s, upper, s->q[i] + node[n / 2] * width,
                                  tau[0] + node[n % 2] * (tau[1] - tau[0]), &p);
            if (!(*to < 0)) continue;
            if (s->slice->table->info.negative != CGCT_NEGATIVE_KEEP)
                return cgct_message(err, CGCT_E_NEGATIVE,
                                    "the mean over the angle is negative at q = %g, k = %g GeV: no "
                                    "positive cross section exists there; with "
                                    "CGCT_NEGATIVE_KEEP such places are left out",
                                    p.q, p.k);
            s->left_out -= area * *to;
            *to = 0;
        }
    for (int a = 0; a < 2; a++) along[a] = slope_of(v[a][0], v[a][1]);
    c->q = slope_of(v[0][0] + v[0][1], v[1][0] + v[1][1]);
    c->change = ROOT3 * (along[1] - along[0]);
    c->tau = along[0] - node[0] * c->change;
    s->total += area * (v[0][0] + v[0][1] + v[1][0] + v[1][1]);
    c->end = s->total;
    return CGCT_OK;
}

/* u times the total, in spite of rounding below it for u < 1. */
static double end_of(const cgct_sampler *s, double u)
{
    return u * s->total * (1 - 4 * DBL_EPSILON);
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
    for (int i = 0; i < ANGLES; i++) { /* Fejer's quadrature: nodes at the zeros of T_ANGLES */
        double angle = PI * (i + 0.5) / ANGLES, sum = 1;
        for (int j = 1; j <= ANGLES / 2; j++) sum -= 2 * cos(2 * j * angle) / (4.0 * j * j - 1);
        s->node[i] = (1 - cos(angle)) / 2;
        s->weight[i] = sum / ANGLES;
        s->even[i] = i / (ANGLES - 1.0);
    }
    for (size_t i = 0; i < s->rows; i++)
        for (size_t j = 0; j < COLUMNS; j++) CGCT_TRY(fill_cell(s, i, j, err));
    if (!cgct_positive(s->total))
        return cgct_message(err, CGCT_E_DOMAIN, "integral of the density is %g, want a number > 0",
                            s->total);
    const size_t n = s->rows * COLUMNS;
    for (size_t i = 0, cell = 0; i < n; i++) {
        while (cell + 1 < n && !(s->cell[cell].end > end_of(s, (double)i / (double)n))) cell++;
        s->guide[i] = (uint32_t)cell;
    }
    return CGCT_OK;
}

#define FACTOR_MAX 1e250 /* its product with the integral is a number */

cgct_status cgct_sampler_init(cgct_sampler **out, const cgct_slice *slice, const double factor[2],
                              cgct_err *err)
{
    if (out) *out = NULL;
    if (!out || !slice || !factor)
        return cgct_message(err, CGCT_E_USAGE, "cgct_sampler_init: NULL argument");
    if (!is_between(factor[0], FACTOR_MAX) || !is_between(factor[1], FACTOR_MAX) ||
        (is_zero(factor[0]) && is_zero(factor[1])))
        return cgct_message(err, CGCT_E_DOMAIN,
                            "factors %g and %g, want 0 to %g each and not both 0", factor[0],
                            factor[1], FACTOR_MAX);
    cgct_sampler *s = (cgct_sampler *)calloc(1, sizeof *s);
    if (!s) return cgct_message(err, CGCT_E_NOMEM, "no memory for a sampler");
    s->slice = slice;
    s->unit = factor[0] > factor[1] ? factor[0] : factor[1];
    for (int pol = 0; pol < 2; pol++) s->factor[pol] = factor[pol] / s->unit;
    const cgct_status st = fill_sampler(s, err);
    if (st != CGCT_OK) return cgct_sampler_free(s), st;
    *out = s;
    return CGCT_OK;
}

/* Both images of the exchange, both signs of the angle, and 2 pi of q. */
double cgct_sampler_total(const cgct_sampler *s)
{
    return s ? 8 * PI * s->total * s->unit : CGCT_NAN;
}

double cgct_sampler_left_out(const cgct_sampler *s)
{
    return s ? 8 * PI * s->left_out * s->unit : CGCT_NAN;
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
    const size_t at = (size_t)(u * (double)n); /* n in a rounding mode that goes up */
    size_t cell = s->guide[at < n ? at : n - 1];
    double end = end_of(s, u);
    while (cell + 1 < n && !(s->cell[cell].end > end)) cell++;
    return cell;
}

/* x in [0,1] from the density proportional to e^(c x); *p: that density at x. */
static double draw_exponential(double c, double u, double *p)
{
    const int first_order = fabs(c) < 1e-5;
    const double d = first_order ? 1 : c, e = exp(d) - 1, grown = 1 + u * e;
    const double x = first_order ? u * (1 + c / 2 * (1 - u)) : log(grown) / d;
    *p = first_order ? 1 + c * (x - 0.5) : d * grown / e;
    return x;
}

/* Lines lie no lower than this share of the mean, so that weights stay small. */
#define LINE_MIN 0.01

/* beta over top from the lines; *p: their density in phi. */
static double draw_angle(const place *at, double u, double *p)
{
    double line[ANGLES], two[ANGLES], sum = 0; /* two: sums of neighbours */
    for (int i = 0; i < ANGLES; i++)
        line[i] = at->lines.value[0][i] > LINE_MIN ? at->lines.value[0][i] : LINE_MIN;
    for (int i = 0; i + 1 < ANGLES; i++) two[i] = line[i] + line[i + 1];
    two[ANGLES - 1] = 0;
    for (int i = 0; i < ANGLES; i += 4) sum += (two[i] + two[i + 1]) + (two[i + 2] + two[i + 3]);
    int i = 0;
    double left = u * sum;
    for (; i + 2 < ANGLES && left >= two[i]; i++) left -= two[i];
    double a = line[i], square = a * a + (line[i + 1] - a) * left,
           end = sqrt(square > 0 ? square : 0);
    *p = end * (ANGLES - 1) / (sum * at->top);
    double x = left / (a + end);
    return (i + (x < 1 ? x : 1)) / (ANGLES - 1.0);
}

/* The density at theta, each I from 0 on unless the table keeps what is below. */
static double density_at(const cgct_sampler *s, place *p, double theta)
{
    const int keep = s->slice->table->info.negative == CGCT_NEGATIVE_KEEP;
    const double c = cos(theta / 2);
    double sum[2], all = 0;
    sum_spot(s->slice, &p->spot, 2 * p->lines.stretch * c * c - 1, sum);
    for (int pol = 0; pol < 2; pol++) {
        double v = 1 + sum[pol];
        all += p->density[pol] * (v > 0 || keep ? v : 0);
    }
    return p->measure * all;
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
    if (u[4] >= 0.5) return;
    /* the same event with the partons' labels exchanged */
    const double h = sin(e->theta / 2), along = (e->q - e->k1) + 2 * e->k1 * h * h;
    const double across = -e->k1 * sin(e->theta);
    e->k1 = sqrt(along * along + across * across);
    e->theta = atan2(across, along);
}

cgct_status cgct_sample(const cgct_sampler *s, const double u[5], cgct_event *e)
{
    if (e) e->q = e->k1 = e->theta = e->weight = CGCT_NAN;
    if (!e || !s || !u) return CGCT_E_USAGE;
    for (int i = 0; i < 5; i++)
        if (!is_between(u[i], BELOW_1)) return CGCT_E_DOMAIN;
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
