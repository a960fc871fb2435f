/* SPDX-License-Identifier: MIT */
/* diff: values of two tables at the nodes of the first. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

enum { SAME = 0, DIFFERENT = 1, TROUBLE = 2 };
enum { ANGLES = 5, VALUES = 3 * ANGLES }; /* of T and L, or of three channels */
#define Z_OF_FORWARD 0.37

typedef struct {
    int forward; /* T of forward dijets, of which both tables are */
    double rtol, atol;
    int bounds, tolerant; /* tolerant: some tolerance was given */
    size_t compared, outside, different;
    double largest, relative; /* |a - b|; and the largest over max(|a|,|b|) */
    double at[5];             /* of the largest relative one: x eps q k1 theta */
    int pol;
    double a, b; /* there */
} diff_state;

/* A cell of q, k1 and all angles in both tables; each angle with its I or T. */
typedef struct {
    double x, eps, q, k;
    double value[2][VALUES], error[2][VALUES];
} diff_point;

/* Of forward dijets without the ends, where the longer momentum may be 0. */
static double diff_angle(const diff_state *s, int i)
{
    return s->forward ? TOOL_PI * (i + 0.5) / ANGLES : TOOL_PI * i / (ANGLES - 1);
}

static void compare_numbers(diff_state *s, const diff_point *p, int i)
{
    const int each = s->forward ? 3 : 2;
    double a = p->value[0][i], b = p->value[1][i], d = fabs(a - b), size = fmax(fabs(a), fabs(b));
    double allowed = s->atol + s->rtol * size;
    if (s->bounds) allowed += p->error[0][i] + p->error[1][i];
    s->compared++;
    if (!(d <= allowed)) s->different++;
    if (d > s->largest) s->largest = d;
    if (!(d / size > s->relative)) return;
    s->relative = d / size;
    memcpy(s->at, (const double[]){p->x, p->eps, p->q, p->k, diff_angle(s, i / each)},
           sizeof s->at);
    s->pol = i % each;
    s->a = a;
    s->b = b;
}

/* Where k is 0 there is no T. */
static int compare_forward(diff_state *s, cgct_table *const t[2], diff_point *p)
{
    if (!(p->k > 0)) return TOOL_OK;
    for (int i = 0; i < 2 * VALUES; i++) {
        const int w = i / VALUES, j = i % VALUES;
        const double v[5] = {p->x, Z_OF_FORWARD, p->q, p->k, diff_angle(s, j / 3)};
        const cgct_status st =
            tool_forward_T(t[w], (cgct_channel)(j % 3), v, &p->value[w][j], &p->error[w][j]);
        if (w == 1 && st == CGCT_E_RANGE) return s->outside++, TOOL_OK;
        if (st != CGCT_OK) return tool_fail("%s", cgct_strerror(st));
    }
    for (int i = 0; i < VALUES; i++) compare_numbers(s, p, i);
    return TOOL_OK;
}

static int compare_point(diff_state *s, cgct_table *const t[2], cgct_slice *const slice[2],
                         diff_point *p)
{
    if (s->forward) return compare_forward(s, t, p);
    double theta[ANGLES];
    for (int i = 0; i < ANGLES; i++) theta[i] = diff_angle(s, i);
    for (int w = 0; w < 2; w++) {
        cgct_status st = cgct_slice_angles(slice[w], p->q, p->k, ANGLES, theta, p->value[w]);
        if (w == 1 && st == CGCT_E_RANGE) return s->outside++, TOOL_OK;
        for (int i = 0; i < ANGLES && s->bounds && st == CGCT_OK; i++)
            st = cgct_eval_error(t[w], p->x, p->eps, p->q, p->k, theta[i], p->error[w] + 2 * i);
        if (st != CGCT_OK) return tool_fail("%s", cgct_strerror(st));
    }
    for (int i = 0; i < 2 * ANGLES; i++) compare_numbers(s, p, i);
    return TOOL_OK;
}

static int compare_slice(diff_state *s, cgct_table *const t[2], const tool_axes *axes, double x,
                         double eps)
{
    cgct_slice *slice[2] = {NULL, NULL};
    cgct_err err;
    diff_point p = {.x = x, .eps = eps};
    int st = TOOL_OK;
    cgct_status got = s->forward ? CGCT_OK : cgct_slice_init(&slice[0], t[0], x, eps, &err);
    if (got == CGCT_OK && !s->forward) got = cgct_slice_init(&slice[1], t[1], x, eps, &err);
    if (got != CGCT_OK && !(got == CGCT_E_RANGE && slice[0])) st = tool_fail("%s", err.text);
    for (size_t i = 0; i < tool_qk_count(axes) && st == TOOL_OK; i++) {
        if (!tool_qk(t[0], axes, i, &p.q, &p.k)) continue;
        if (got == CGCT_OK)
            st = compare_point(s, t, slice, &p);
        else
            s->outside++;
    }
    cgct_slice_free(slice[0]);
    cgct_slice_free(slice[1]);
    return st;
}

static int same_axes(const tool_axes *a, const tool_axes *b)
{
    const cgct_info *i0 = &a->info, *i1 = &b->info;
    if (i0->k0 != i1->k0 || i0->k_max != i1->k_max || i0->nk_lower != i1->nk_lower ||
        i0->nk_upper != i1->nk_upper)
        return 0;
    for (int i = 0; i < TOOL_K; i++)
        if (a->n[i] != b->n[i] || memcmp(a->v[i], b->v[i], a->n[i] * sizeof(double)) != 0) return 0;
    return 1;
}

static void report(tool_out *o, cgct_table *const t[2], const diff_state *s, int axes_same)
{
    const char *key[256], *unit = s->forward ? "GeV^-4" : "GeV^-6";
    char keys[1024] = "", where[160];
    size_t n = 0, used = 0;
    if (o->quiet && o->form != OUT_JSON) return;
    for (int w = 0; w < 2; w++) /* keys that only one has, or with another value */
        for (size_t i = 0; i < cgct_meta_count(t[w]) && n < sizeof key / sizeof *key; i++) {
            const char *name = cgct_meta_key(t[w], i), *other = cgct_meta(t[!w], name);
            if (!other || (w == 0 && strcmp(other, cgct_meta(t[w], name)) != 0)) key[n++] = name;
        }
    for (size_t i = 0; i < n && used + strlen(key[i]) + 2 < sizeof keys; i++)
        used += (size_t)snprintf(keys + used, sizeof keys - used, "%s%s", i ? " " : "", key[i]);
    out_truth(o, "axes_same", axes_same);
    out_text(o, "metadata", n ? keys : "same");
    out_count(o, "compared", s->compared);
    out_count(o, "outside", s->outside);
    out_count(o, "different", s->different);
    out_number(o, "largest", s->largest, unit);
    out_number(o, "relative", s->relative, "");
    if (!(s->relative > 0)) return;
    if (s->forward)
        snprintf(where, sizeof where,
                 "T of %s at x = %.6g, z = %g, q = %.6g, k1 = %.6g, theta = %.6g, Lambda = 1",
                 tool_channel[s->pol], s->at[0], Z_OF_FORWARD, s->at[2], s->at[3], s->at[4]);
    else
        snprintf(where, sizeof where,
                 "I_%c at x = %.6g, eps = %.6g, q = %.6g, k1 = %.6g, theta = %.6g",
                 polarisation_name[s->pol], s->at[0], s->at[1], s->at[2], s->at[3], s->at[4]);
    out_text(o, "where", where);
    out_number(o, "first", s->a, unit);
    out_number(o, "second", s->b, unit);
}

int cmd_diff(tool_call *c)
{
    cgct_table *t[2] = {NULL, NULL};
    diff_state s = {0};
    tool_axes axes[2];
    int st = tool_option_number(c, "--rtol", 0, 1e300, &s.rtol), equal = 0;
    if (st == TOOL_OK) st = tool_option_number(c, "--atol", 0, 1e300, &s.atol);
    s.bounds = tool_value(c, "--bounds") != NULL;
    s.tolerant = s.bounds || s.rtol > 0 || s.atol > 0;
    for (int w = 0; w < 2 && st == TOOL_OK; w++) st = tool_open(c->word[w], &t[w]);
    if (st == TOOL_OK) {
        for (int w = 0; w < 2; w++) axes[w] = tool_axes_of(t[w]);
        equal = same_axes(&axes[0], &axes[1]);
        s.forward = cgct_pa_channels(t[0]) > 0;
        if (s.forward != (cgct_pa_channels(t[1]) > 0))
            st = tool_fail("%s, %s: one is a table of forward dijets (process pa), the other one "
                           "of photons; there is nothing to compare",
                           c->word[0], c->word[1]);
        const tool_axes *a = &axes[0];
        size_t neps = a->n[TOOL_EPS];
        for (size_t i = 0; i < a->n[TOOL_X] * neps && st == TOOL_OK; i++)
            st = compare_slice(&s, t, a, a->v[TOOL_X][i / neps], a->v[TOOL_EPS][i % neps]);
    }
    if (st == TOOL_OK && s.compared == 0)
        st = tool_fail("%s, %s: no node of the first lies inside the second", c->word[0],
                       c->word[1]);
    if (st == TOOL_OK) report(&c->out, t, &s, equal);
    for (int w = 0; w < 2; w++) cgct_close(t[w]);
    if (st != TOOL_OK) return TROUBLE;
    return s.different || (!s.tolerant && !equal) ? DIFFERENT : SAME;
}
