/* SPDX-License-Identifier: MIT */
/* Dijets of a proton and a nucleus.  Optional: nothing else of the reader calls it.
 *
 *   T = |p(P)|^2 A + 2 p(P).V + X - D ln(Lambda/Lambda0)      FORMAT.md section 11
 *
 * X is stored as I is for photons, and so are two scalars of V for gg and qqb: they are evaluated
 * by the same functions, from views of the table that these take.  A, D and V of qg are made of
 * functions of one variable. */
#define CGCTAB_PRIVATE
#include "cgctab.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define LAMBDA0 0.1       /* GeV */
#define COLLINEAR 1e-9    /* P over k1 + k2 */
#define LAMBDA_LEAST 1e-3 /* GeV */
#define LAMBDA_MOST 1e3
#define K_LEAST 1e-30 /* GeV */
#define K_MOST 1e30

/* ---- x ---- */

/* The blocks of all parts at an x: the sum of weights times those of nodes, `all` apart.  Errors
 * are the larger ones of two nodes. */
typedef struct {
    size_t all;
    const double *from, *error[2];
    cgct_stencil x;
} blocks;

struct cgct_pa_slice {
    cgct_table view[CGCT_FORWARD_MEMBERS];
    cgct_slice *of[CGCT_FORWARD_MEMBERS];
    const cgct_table *table;
    blocks at;
    double *block; /* (parts, cgct_block_size): those of `at` */
};

static void find_blocks(const cgct_table *t, double x, blocks *b)
{
    const double inside = fmin(fmax(x, t->info.x[0]), t->info.x[1]);
    const size_t cell = cgct_weigh_axis(&t->x, cgct_variable(t->info.x_from, inside), &b->x);
    b->all = t->parts * cgct_block_size(t);
    b->from = t->tensor + b->x.first * b->all;
    b->error[0] = t->tensor + cell * b->all;
    b->error[1] = b->error[0] + (cell + 1 < t->x.n ? b->all : 0);
}

/* Makes of them one block for each part, in to. */
static void blend_blocks(const cgct_table *t, blocks *b, double *to)
{
    for (size_t l = 0; l < b->all; l++) {
        to[l] = 0;
        for (size_t i = 0; i < b->x.n; i++) to[l] += b->x.w[i] * b->from[i * b->all + l];
        const size_t at = l % cgct_block_size(t);
        if (at >= 1 && at <= 3) to[l] = fmax(b->error[0][l], b->error[1][l]);
    }
    b->x.n = 1;
    b->x.w[0] = 1;
    b->from = b->error[0] = b->error[1] = to;
}

/* ---- functions of one variable ---- */

/* The eight nodes around k with their weights, divided by that of the stored numbers. */
typedef struct {
    size_t first;
    double w[CGCT_FUNCTION_ORDER], weight;
} place;

static void place_momentum(const cgct_table *t, double k, place *p)
{
    enum { N = CGCT_FUNCTION_ORDER };
    const double k0 = t->info.k0, rise = 1 + k / k0 * (k / k0);
    const double step = asinh(t->k_end / k0) / (double)(t->functions - 1);
    const double u = fmin(asinh(k / k0) / step, (double)(t->functions - 1));
    const size_t cell = (size_t)u, back = (N - 1) / 2;
    p->first = cell > back ? cell - back : 0;
    if (p->first > t->functions - N) p->first = t->functions - N;
    p->weight = 1 / (rise * rise);
    /* each weight is a product of all distances but one, over i! (7 - i)! and with a sign */
    static const double unit[N] = {-1. / 5040, 1. / 720, -1. / 240, 1. / 144,
                                   -1. / 144,  1. / 240, -1. / 720, 1. / 5040};
    double before = p->weight, after = 1;
    for (size_t i = 0; i < N; i++) {
        p->w[i] = before * unit[i];
        before *= u - (double)(p->first + i);
    }
    for (size_t i = N; i-- > 0;) {
        p->w[i] *= after;
        after *= u - (double)(p->first + i);
    }
}

/* Function which = 0, 1, 2 of a part: F_1, F_2, G/k, and its error. */
static double function_at(const cgct_table *t, const blocks *b, size_t part, size_t which,
                          const place *p, double *error)
{
    const size_t block = part * cgct_block_size(t), e = block + 1 + which;
    const double *W = b->from + block + 4 + which * t->functions + p->first;
    double sum = 0;
    for (size_t i = 0; i < b->x.n; i++, W += b->all)
        for (size_t j = 0; j < CGCT_FUNCTION_ORDER; j++) sum += b->x.w[i] * p->w[j] * W[j];
    *error = fmax(b->error[0][e], b->error[1][e]) * p->weight;
    return sum;
}

/* ---- a point ---- */

typedef struct {
    double z, k1, k2, P2, P_k2, q, log; /* GeV, GeV^2; of Lambda */
    double k, theta;                    /* the shorter momentum and its angle to q */
    int longer;                         /* whether it is k1 */
} pa_point;

/* at: z, k1, k2, angle, Lambda. */
static cgct_status take_point(const double at[5], pa_point *p, cgct_err *err)
{
    const double z = at[0], Lambda = at[4];
    if (!cgct_positive(z) || !cgct_positive(1 - z))
        return cgct_message(err, CGCT_E_DOMAIN, "z = %g, want 0 < z < 1", z);
    for (int i = 1; i < 3; i++)
        if (!cgct_positive(at[i]) || at[i] < K_LEAST || at[i] > K_MOST)
            return cgct_message(err, CGCT_E_DOMAIN, "k%d = %g GeV, want %g to %g", i, at[i],
                                K_LEAST, K_MOST);
    if (!cgct_finite(at[3]))
        return cgct_message(err, CGCT_E_DOMAIN, "angle = %g, want a finite number", at[3]);
    if (!cgct_positive(Lambda) || Lambda < LAMBDA_LEAST || Lambda > LAMBDA_MOST)
        return cgct_message(err, CGCT_E_DOMAIN, "Lambda = %g GeV, want %g to %g", Lambda,
                            LAMBDA_LEAST, LAMBDA_MOST);
    const double k1 = p->k1 = at[1], k2 = p->k2 = at[2], s = sin(at[3] / 2), c = cos(at[3] / 2);
    const double along = (1 - z) * k1 - z * k2, dot = k1 * k2 * (c - s) * (c + s);
    p->z = z;
    p->P2 = along * along + 4 * z * (1 - z) * k1 * k2 * s * s;
    p->P_k2 = (1 - z) * dot - z * k2 * k2;
    p->q = sqrt((k1 - k2) * (k1 - k2) + 4 * k1 * k2 * c * c);
    p->longer = k1 < k2;
    p->k = p->longer ? k1 : k2;
    const double other = p->longer ? k2 : k1;
    p->theta = atan2(2 * other * s * c, (p->k - other) + 2 * other * c * c);
    p->log = log(Lambda / LAMBDA0);
    if (p->P2 > COLLINEAR * COLLINEAR * (k1 + k2) * (k1 + k2)) return CGCT_OK;
    return cgct_message(err, CGCT_E_DOMAIN,
                        "P = |(1-z) k1 - z k2| = %g GeV at z = %g, k1 = %g, k2 = %g, angle = %g: "
                        "the partons are collinear and T diverges; cut it with a jet radius",
                        sqrt(p->P2), z, k1, k2, at[3]);
}

/* What T has beside X, and beside V for gg and qqb. */
static double closed_parts(const cgct_table *t, const blocks *b, cgct_channel channel,
                           const pa_point *p, double *error)
{
    place at_q, at_k1, at_k2;
    double sum = 0;
    const size_t n = channel == CGCT_QG ? 0 : 1; /* of A; of D: */
    const size_t n1 = channel == CGCT_QQB ? 0 : 1, n2 = channel == CGCT_GG ? 1 : 0;
    /* Z has pi F_2(q) beside k2.V */
    const double pp = (channel == CGCT_QG ? 4 : 8) * PI * PI / p->P2;
    const double pk = channel == CGCT_QG ? 4 * PI / p->P2 * p->P_k2 : 0;
    place_momentum(t, p->q, &at_q);
    place_momentum(t, p->k1, &at_k1);
    place_momentum(t, p->k2, &at_k2);
    *error = 0;
    for (size_t i = 0; i < t->parts; i++) {
        double dF, dG, d1, d2;
        const double F = function_at(t, b, i, n, &at_q, &dF);
        const double G = function_at(t, b, i, 2, &at_k2, &dG);
        const double f1 = function_at(t, b, i, n1, &at_k1, &d1);
        const double f2 = function_at(t, b, i, n2, &at_k2, &d2);
        const double share = b->error[0][i * cgct_block_size(t)]; /* the same at every x */
        sum += share * (F * (pp + pk * G) - 2 * PI * f1 * f2 * p->log);
        *error += share * (pp * dF + fabs(pk) * (fabs(F) * dG + (fabs(G) + dG) * dF) +
                           2 * PI * fabs(p->log) * (fabs(f1) * d2 + (fabs(f2) + d2) * d1));
    }
    return sum;
}

/* 2 p(P).V of gg and qqb, less |p(P)|^2 F_2(q), from Z with k2 the shorter and the longer
 * momentum. */
static double cross_part(const pa_point *p, const double Z[2])
{
    const double of_k1 = Z[p->longer ? 0 : 1], of_k2 = Z[p->longer ? 1 : 0];
    return -4 * PI / p->P2 * ((1 - p->z) * of_k1 + p->z * of_k2);
}

int cgct_pa_channels(const cgct_table *t)
{
    return t && t->forward ? 3 : 0;
}

/* A view of a member that functions for photons take, in which values may have either sign. */
static cgct_status view_of(const cgct_table *t, size_t member, cgct_table *view, cgct_err *err)
{
    if (!t) return cgct_message(err, CGCT_E_USAGE, "NULL table");
    if (!t->forward)
        return cgct_message(err, CGCT_E_USAGE,
                            "holds dijets of a photon, not of a proton (process pa)");
    *view = *t;
    view->forward = 0;
    view->info.member = member;
    view->info.policy = CGCT_POLICY_ERROR;
    view->info.negative = CGCT_NEGATIVE_KEEP;
    return CGCT_OK;
}

static int is_channel(cgct_channel channel)
{
    return channel == CGCT_QG || channel == CGCT_GG || channel == CGCT_QQB;
}

/* Which of X a channel has: T or L of member 0 or 1. */
static int slot_of(cgct_channel channel, const pa_point *p)
{
    if (channel == CGCT_QG) return p->longer ? CGCT_L : CGCT_T;
    return channel == CGCT_GG ? CGCT_T : CGCT_L;
}

static cgct_status eval_point(const cgct_table *t, cgct_channel channel, const double at[6],
                              double *T, double *error, cgct_err *err)
{
    cgct_table view;
    pa_point p;
    blocks b;
    double X, bound, Z[2] = {0, 0}, dZ[2] = {0, 0}, closed_error;
    if (error) *error = CGCT_NAN;
    if (T) *T = CGCT_NAN;
    if (!T || !at || !is_channel(channel)) return cgct_message(err, CGCT_E_USAGE, "wrong argument");
    CGCT_TRY(view_of(t, channel == CGCT_QG ? 0 : 1, &view, err));
    CGCT_TRY(take_point(at + 1, &p, err));
    const double eps = t->value[CGCT_AXIS_EPS][0], place_of_X[5] = {at[0], eps, p.q, p.k, p.theta};
    cgct_status st =
        cgct_eval_one(&view, slot_of(channel, &p), place_of_X, &X, error ? &bound : NULL);
    view.info.member = (size_t)channel + 1;
    for (int pol = 0; pol < 2 && channel != CGCT_QG && st == CGCT_OK; pol++)
        st = cgct_eval_one(&view, pol, place_of_X, &Z[pol], error ? &dZ[pol] : NULL);
    if (st != CGCT_OK) {
        cgct_check(&view, at[0], eps, p.q, p.k, p.theta, err);
        return st;
    }
    find_blocks(t, at[0], &b);
    *T = X + cross_part(&p, Z) + closed_parts(t, &b, channel, &p, &closed_error);
    if (error) *error = bound - cross_part(&p, dZ) + closed_error;
    return CGCT_OK;
}

cgct_status cgct_pa_eval(const cgct_table *t, cgct_channel channel, const double at[6], double *T,
                         double *error)
{
    return eval_point(t, channel, at, T, error, NULL);
}

/* F(q) times |p(k1) + p(k2)|^2, |p(k2) + p(P)|^2 and |p(k1) - p(P)|^2: of qg the first two, of qqb
 * the last two; as k2 + P = (1-z) q and k1 - P = z q, they are simple. */
cgct_status cgct_pa_dilute(const cgct_table *t, cgct_channel channel, const double at[6], double *T,
                           double *error)
{
    pa_point p;
    place at_q;
    blocks b;
    double F = 0, dF = 0, each;
    CGCT_TRY(eval_point(t, channel, at, T, error, NULL)); /* is there a T? */
    CGCT_TRY(take_point(at + 1, &p, NULL));
    find_blocks(t, at[0], &b);
    place_momentum(t, p.q, &at_q);
    for (size_t i = 0; i < t->parts; i++) {
        const double share = b.error[0][i * cgct_block_size(t)];
        F += share * function_at(t, &b, i, 0, &at_q, &each);
        dF += share * each;
    }
    const double k1 = p.k1 * p.k1, k2 = p.k2 * p.k2;
    double sum = (1 - p.z) * (1 - p.z) / (k2 * p.P2);
    if (channel != CGCT_QQB) sum += 1 / (k1 * k2);
    if (channel != CGCT_QG) sum += p.z * p.z / (k1 * p.P2);
    sum *= 4 * PI * PI * p.q * p.q;
    *T = F * sum;
    if (error) *error = dF * sum;
    return CGCT_OK;
}

cgct_status cgct_pa_check(const cgct_table *t, cgct_channel channel, const double at[6],
                          cgct_err *err)
{
    double T;
    return eval_point(t, channel, at, &T, NULL, err);
}

cgct_status cgct_pa_stored(const cgct_table *t, const double at[4], double value[2],
                           double error[2])
{
    cgct_table view;
    if (!at || !value || !error) return CGCT_E_USAGE;
    for (int i = 0; i < 2; i++) value[i] = error[i] = CGCT_NAN;
    CGCT_TRY(view_of(t, t ? t->info.member : 0, &view, NULL));
    const double eps = t->value[CGCT_AXIS_EPS][0];
    CGCT_TRY(cgct_eval(&view, at[0], eps, at[1], at[2], at[3], value));
    return cgct_eval_error(&view, at[0], eps, at[1], at[2], at[3], error);
}

double cgct_pa_factor(cgct_channel channel, double z)
{
    const double unit = 1 / (64 * PI * PI * PI * PI * PI * PI), y = 1 - z;
    if (!cgct_positive(z) || !cgct_positive(y) || !is_channel(channel)) return CGCT_NAN;
    if (channel == CGCT_QG) return unit * 3 * y * (1 + y * y);
    if (channel == CGCT_GG) return unit * 12 * (z * z + y * y + z * z * y * y);
    return unit * z * y * (z * z + y * y);
}

/* ---- slice ---- */

void cgct_pa_slice_free(cgct_pa_slice *s)
{
    if (!s) return;
    for (int i = 0; i < CGCT_FORWARD_MEMBERS; i++) cgct_slice_free(s->of[i]);
    free(s->block);
    free(s);
}

cgct_status cgct_pa_slice_init(cgct_pa_slice **slice, const cgct_table *t, double x, cgct_err *err)
{
    if (slice) *slice = NULL;
    if (!slice || !t) return cgct_message(err, CGCT_E_USAGE, "cgct_pa_slice_init: NULL argument");
    cgct_pa_slice *s = (cgct_pa_slice *)calloc(1, sizeof *s);
    if (!s) return cgct_message(err, CGCT_E_NOMEM, "no memory for a slice");
    cgct_status st = CGCT_OK;
    for (size_t i = 0; i < CGCT_FORWARD_MEMBERS && st == CGCT_OK; i++) {
        st = view_of(t, i, &s->view[i], err);
        if (st == CGCT_OK)
            st = cgct_slice_init(&s->of[i], &s->view[i], x, t->value[CGCT_AXIS_EPS][0], err);
    }
    if (st == CGCT_OK) {
        s->table = t;
        s->block = (double *)malloc(t->parts * cgct_block_size(t) * sizeof *s->block);
        if (!s->block) st = cgct_message(err, CGCT_E_NOMEM, "no memory for a slice");
    }
    if (st == CGCT_OK) {
        find_blocks(t, x, &s->at);
        blend_blocks(t, &s->at, s->block);
        *slice = s;
    } else {
        cgct_pa_slice_free(s);
    }
    return st;
}

cgct_status cgct_pa_slice_eval(const cgct_pa_slice *s, cgct_channel channel, const double at[5],
                               double *T)
{
    pa_point p;
    double X[2], Z[2] = {0, 0}, unused;
    if (T) *T = CGCT_NAN;
    if (!s || !at || !T || !is_channel(channel)) return CGCT_E_USAGE;
    const int qg = channel == CGCT_QG;
    CGCT_TRY(take_point(at, &p, NULL));
    CGCT_TRY(cgct_slice_eval(s->of[qg ? 0 : 1], p.q, p.k, p.theta, X));
    if (!qg) CGCT_TRY(cgct_slice_eval(s->of[channel + 1], p.q, p.k, p.theta, Z));
    *T = X[slot_of(channel, &p)] + cross_part(&p, Z) +
         closed_parts(s->table, &s->at, channel, &p, &unused);
    return CGCT_OK;
}
