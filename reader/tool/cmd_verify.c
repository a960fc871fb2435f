/* SPDX-License-Identifier: MIT */
/* cgctab verify: checksums, numbers, sign and certificate of a table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tool.h"

/* ---- exchange of the partons, with --deep ---- */

/* |I(q,k1,theta) - I(q,k2,theta2)|/I, which exchange of the partons makes 0: from interpolation at
 * k2 against nodes at k1, at eight (x,eps) or fewer.  Pairs whose stored bounds exceed
 * VERIFY_RESOLVED of I are left out. */
typedef struct {
    size_t pairs;
    double median, upper, largest; /* upper: 99.9th percentile */
} verify_exchange;

#define VERIFY_RESOLVED 1e-3

static const double exchange_theta[] = {0.7, 1.5, 2.4};
enum { EXCHANGE_ANGLES = sizeof exchange_theta / sizeof *exchange_theta, NODES_MAX = 8 };

typedef struct {
    const cgct_table *table;
    const cgct_slice *slice;
    double x, eps;
    number_list shares;
} exchange_state;

/* Both polarisations of one pair. */
static int add_pair(exchange_state *s, double q, double k1, double k2, double th1, double th2)
{
    double a[2], b[2], ea[2], eb[2];
    if (cgct_slice_eval(s->slice, q, k1, th1, a) != CGCT_OK ||
        cgct_slice_eval(s->slice, q, k2, th2, b) != CGCT_OK ||
        cgct_eval_error(s->table, s->x, s->eps, q, k1, th1, ea) != CGCT_OK ||
        cgct_eval_error(s->table, s->x, s->eps, q, k2, th2, eb) != CGCT_OK)
        return tool_fail("x = %g, eps = %g, q = %g, k1 = %g: cannot be evaluated", s->x, s->eps, q,
                         k1);
    for (int pol = 0; pol < 2; pol++) {
        double size = fmax(fabs(a[pol]), fabs(b[pol]));
        if (ea[pol] + eb[pol] < VERIFY_RESOLVED * size)
            TOOL_TRY(tool_list_add(&s->shares, fabs(a[pol] - b[pol]) / size));
    }
    return TOOL_OK;
}

static int add_slice(exchange_state *s, const tool_axes *axes)
{
    const double *k = axes->v[3];
    size_t nk = axes->n[3];
    for (size_t i = 0; i < axes->n[2] * nk * EXCHANGE_ANGLES; i++) {
        double q = axes->v[2][i / EXCHANGE_ANGLES / nk], k1 = k[i / EXCHANGE_ANGLES % nk],
               th = exchange_theta[i % EXCHANGE_ANGLES];
        double k2 = sqrt(q * q + k1 * k1 - 2 * q * k1 * cos(th));
        if (!(k2 >= k[0] && k2 <= k[nk - 1])) continue;
        TOOL_TRY(add_pair(s, q, k1, k2, th, acos(fmax(-1, fmin(1, (q - k1 * cos(th)) / k2)))));
    }
    return TOOL_OK;
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* t is not folded (there exchange holds by construction) and comes from tool_open(TOOL_NODES). */
static int exchange_differences(const cgct_table *t, verify_exchange *e)
{
    tool_axes axes = tool_axes_of(t);
    exchange_state s = {.table = t};
    size_t nodes = axes.n[0] * axes.n[1], step = (nodes + NODES_MAX - 1) / NODES_MAX;
    int st = TOOL_OK;
    TOOL_CLEAR(*e);
    for (size_t i = step / 2; i < nodes && st == TOOL_OK; i += step) {
        cgct_slice *slice = NULL;
        cgct_err err;
        s.x = axes.v[0][i / axes.n[1]];
        s.eps = axes.v[1][i % axes.n[1]];
        if (cgct_slice_init(&slice, t, s.x, s.eps, &err) != CGCT_OK)
            return number_list_free(&s.shares), tool_fail("%s", err.text);
        s.slice = slice;
        st = add_slice(&s, &axes);
        cgct_slice_free(slice);
    }
    if (st == TOOL_OK && s.shares.n) {
        qsort(s.shares.v, s.shares.n, sizeof *s.shares.v, rising);
        e->pairs = s.shares.n;
        e->median = s.shares.v[s.shares.n / 2];
        e->upper = s.shares.v[(size_t)(0.999 * (double)(s.shares.n - 1))];
        e->largest = s.shares.v[s.shares.n - 1];
    }
    number_list_free(&s.shares);
    return st;
}

/* ---- nodes ---- */

enum { SAMPLE = 8, ANGLES = 9 };
/* A mode is stored to within `rounding` of I_0 (metadata); this where the file does not say. */
static const double ROUNDING_LEAST = 1e-15;

typedef struct {
    int unpacked;
    double rounding;
    double cosine[4096][ANGLES]; /* weights of the modes in I */
    size_t nodes, decoded, damaged;
    size_t values, negative, beyond; /* of I: below 0, and by more than bound and rounding */
    double lowest;                   /* I over 2 pi I_0 */
    struct {
        double share, I, allowed; /* share: -I over what is allowed */
        size_t ix, ieps, point;   /* point: of (2, nq, nk) */
        int angle;
    } worst;                  /* of those beyond */
    size_t points, unsure;    /* with an I_0 > 0; bound at least as large as I_0 */
    double error_max;         /* largest bound over 2 pi I_0 among the others */
    verify_exchange exchange; /* --deep, not folded */
} verify_state;

static void set_cosines(verify_state *v)
{
    for (size_t m = 0; m < sizeof v->cosine / sizeof *v->cosine; m++)
        for (int a = 0; a < ANGLES; a++)
            v->cosine[m][a] = (m ? 4 : 2) * TOOL_PI * (m & 1 ? -1 : 1) *
                              cos((double)m * TOOL_PI * a / (ANGLES - 1));
}

/* Sign of I (of J in a folded table: I times a positive number) and size of the bound.  Returns
 * whether this point is the worst so far. */
static int scan_point(verify_state *v, size_t nm, const double *modes, double error)
{
    int worst = 0;
    double I[ANGLES] = {0}, mean = 2 * TOOL_PI * modes[0], size = 0;
    for (size_t m = 0; m < nm; m++) {
        size += fabs(modes[m]);
        for (int a = 0; a < ANGLES; a++) I[a] += v->cosine[m][a] * modes[m];
    }
    double allowed =
        error + 4 * TOOL_PI * (v->rounding * fabs(modes[0]) * (double)nm + ROUNDING_LEAST * size);
    for (int a = 0; a < ANGLES; a++) {
        v->values++;
        v->negative += I[a] < 0;
        v->beyond += I[a] < -allowed;
        if (I[a] < -allowed && -I[a] > v->worst.share * allowed) {
            v->worst.share = -I[a] / allowed;
            v->worst.I = I[a];
            v->worst.allowed = allowed;
            v->worst.angle = a;
            worst = 1;
        }
        if (mean > 0 && I[a] / mean < v->lowest) v->lowest = I[a] / mean;
    }
    if (!(mean > 0)) return worst;
    v->points++;
    if (error >= mean)
        v->unsure++;
    else if (error / mean > v->error_max)
        v->error_max = error / mean;
    return worst;
}

/* Reading decodes and checks; nodes of unpacked tables, which lie ready, are checked by name. */
static int verify_node(const cgct_table *t, verify_state *v, size_t ix, size_t ie, int decode)
{
    cgct_err err;
    cgct_node_data d;
    cgct_status st = CGCT_OK;
    if (!decode || v->unpacked) st = cgct_node_checksum(t, ix, ie, &err);
    if (st == CGCT_OK && decode && v->unpacked) st = cgct_verify_node(t, ix, ie, NULL, &err);
    if (st == CGCT_OK && decode) st = cgct_node_read(t, ix, ie, &d, &err);
    if (st != CGCT_OK) return tool_fail("%s", err.text);
    if (!decode) return TOOL_OK;
    v->decoded++;
    for (size_t i = 0; i < 2 * d.nq * d.nk; i++)
        if (!d.flag[i] && scan_point(v, d.nm, d.modes + i * d.nm, d.error[i])) {
            v->worst.ix = ix;
            v->worst.ieps = ie;
            v->worst.point = i;
        }
    cgct_node_free(&d);
    return TOOL_OK;
}

static void verify_nodes(const cgct_table *t, verify_state *v, int deep)
{
    tool_axes axes = tool_axes_of(t);
    size_t step = deep || axes.n[0] * axes.n[1] < SAMPLE ? 1 : axes.n[0] * axes.n[1] / SAMPLE;
    v->nodes = axes.n[0] * axes.n[1];
    for (size_t i = 0; i < v->nodes; i++) {
        int decode = i % step == step / 2 || step == 1;
        if (verify_node(t, v, i / axes.n[1], i % axes.n[1], decode) != TOOL_OK) v->damaged++;
    }
}

static void print_verify_text(const char *path, const cgct_table *t, const verify_state *v)
{
    printf("%s: header, axes, metadata (%zu keys) and index good: checksums, sizes, rising axes\n",
           path, cgct_meta_count(t));
    printf("%s: %zu of %zu nodes good: checksums; %zu decoded: sizes, finite numbers, scales > 0\n",
           path, v->nodes - v->damaged, v->nodes, v->decoded);
    printf("%s: %zu of %zu values below 0, %zu beyond bound and rounding; lowest %.3g of the "
           "angular mean\n",
           path, v->negative, v->values, v->beyond, v->lowest);
    printf(
        "%s: error bound at most %.3g of the angular mean at %zu points, larger than it at %zu\n",
        path, v->error_max, v->points - v->unsure, v->unsure);
    if (v->exchange.pairs)
        printf(
            "%s: exchange of the partons, %zu values with bounds below %g: differ by median %.2g, "
            "99.9th percentile %.2g\n",
            path, v->exchange.pairs, VERIFY_RESOLVED, v->exchange.median, v->exchange.upper);
}

static void print_verify_json(tool_out *o, const char *path, const verify_state *v)
{
    out_text(o, "file", path);
    out_count(o, "nodes", v->nodes);
    out_count(o, "damaged", v->damaged);
    out_count(o, "decoded", v->decoded);
    out_count(o, "values", v->values);
    out_count(o, "negative", v->negative);
    out_count(o, "negative_beyond_bound", v->beyond);
    out_number(o, "lowest", v->lowest, "");
    out_count(o, "points", v->points);
    out_count(o, "points_bound_above_mean", v->unsure);
    out_number(o, "error_max", v->error_max, "");
    if (!v->exchange.pairs) return;
    out_count(o, "exchange_pairs", v->exchange.pairs);
    out_number(o, "exchange_median", v->exchange.median, "");
    out_number(o, "exchange_999", v->exchange.upper, "");
    out_number(o, "exchange_max", v->exchange.largest, "");
}

/* The table is opened again: what does not decode has been named already. */
static int measure_exchange(const char *file, verify_state *v)
{
    cgct_table *t;
    int st = tool_open(file, TOOL_NODES, &t);
    if (st != TOOL_OK) return st;
    st = exchange_differences(t, &v->exchange);
    cgct_close(t);
    return st;
}

static int fail_beyond(const char *file, const cgct_table *t, const verify_state *v)
{
    tool_axes a = tool_axes_of(t);
    size_t point = v->worst.point % (a.n[2] * a.n[3]);
    return tool_fail("%s: %zu of %zu values are below 0 by more than their bound: these bounds are "
                     "too small; farthest: %c, x = %g, eps = %g, q = %g, k = %g, theta = %g: %.3g, "
                     "bound and rounding %.3g",
                     file, v->beyond, v->values, v->worst.point == point ? 'T' : 'L',
                     a.v[0][v->worst.ix], a.v[1][v->worst.ieps], a.v[2][point / a.n[3]],
                     a.v[3][point % a.n[3]], TOOL_PI * v->worst.angle / (ANGLES - 1), v->worst.I,
                     v->worst.allowed);
}

/* t: the file, or the member that was named. */
static int verify_table(tool_call *c, const char *file, const cgct_table *t)
{
    cgct_info info;
    int deep = tool_value(c, "--deep") != NULL, st = TOOL_OK;
    const char *rounding = cgct_meta(t, "rounding");
    verify_state *v = calloc(1, sizeof *v);
    if (!v) return tool_fail("no memory");
    cgct_table_info(t, &info);
    if (rounding && !(number_parse(rounding, &v->rounding) && v->rounding >= 0)) v->rounding = 0;
    v->lowest = 1;
    v->unpacked = info.unpacked;
    set_cosines(v);
    verify_nodes(t, v, deep);
    if (deep && !info.fold && !v->damaged) st = measure_exchange(file, v);
    if (c->out.form == OUT_JSON)
        print_verify_json(&c->out, file, v);
    else if (!c->out.quiet)
        print_verify_text(file, t, v);
    if (v->damaged) st = TOOL_FAILED;
    if (v->beyond) st = fail_beyond(file, t, v);
    free(v);
    return st;
}

/* names: separated by blanks */
static int verify_members(tool_call *c, const char *names)
{
    const char *file = c->word[0];
    int st = TOOL_OK;
    for (const char *at = names; *at; at += strcspn(at, " "), at += *at == ' ') {
        int n = (int)strcspn(at, " ");
        size_t size = strlen(file) + (size_t)n + 2;
        char *name = malloc(size);
        cgct_table *t;
        if (!name) return tool_fail("no memory");
        snprintf(name, size, "%s@%.*s", file, n, at);
        if (c->out.form == OUT_JSON) out_enter(&c->out, name + strlen(file) + 1);
        int one = tool_open(name, TOOL_INDEX, &t);
        if (one == TOOL_OK) {
            one = verify_table(c, name, t);
            cgct_close(t);
        }
        if (c->out.form == OUT_JSON) out_leave(&c->out);
        if (one != TOOL_OK) st = one;
        free(name);
    }
    return st;
}

int cmd_verify(tool_call *c)
{
    TOOL_TRY(tool_open_first(c, TOOL_INDEX));
    const char *names = cgct_meta(c->table, "members");
    int one = !names || strcmp(cgct_table_path(c->table), c->word[0]) != 0;
    return one ? verify_table(c, c->word[0], c->table) : verify_members(c, names);
}
