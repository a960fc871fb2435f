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
    size_t members, member; /* compared, unless words name one each; and the one at hand ... */
    size_t worst;           /* ... and of the largest relative difference */
    double a, b;            /* there */
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
    s->worst = s->member;
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

enum { METADATA_TEXT = 1024 };

/* keys: those that only one has, or with another value, or "same"; at the end how many more. */
static void name_metadata(cgct_table *const t[2], char keys[METADATA_TEXT])
{
    const size_t room = METADATA_TEXT - 32;
    size_t used = 0, left = 0;
    strcpy(keys, "same");
    for (int w = 0; w < 2; w++)
        for (size_t i = 0; i < cgct_meta_count(t[w]); i++) {
            const char *name = cgct_meta_key(t[w], i), *other = cgct_meta(t[!w], name);
            if (other && (w || !strcmp(other, cgct_meta(t[w], name)))) continue;
            if (left || used + strlen(name) + 2 > room)
                left++;
            else
                used += (size_t)snprintf(keys + used, room - used, "%s%s", used ? " " : "", name);
        }
    if (left) snprintf(keys + used, METADATA_TEXT - used, " and %zu more", left);
}

static void report(tool_out *o, cgct_table *const t[2], const diff_state *s, int axes_same)
{
    const char *unit = s->forward ? "GeV^-4" : "GeV^-6";
    char keys[METADATA_TEXT], where[160];
    if (o->quiet && o->form != OUT_JSON) return;
    name_metadata(t, keys);
    out_truth(o, "axes_same", axes_same);
    out_text(o, "metadata", keys);
    if (s->members) out_count(o, "members", s->members);
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
    if (s->members) out_text(o, "member", cgct_member_name(t[0], s->worst));
    out_number(o, "first", s->a, unit);
    out_number(o, "second", s->b, unit);
}

/* The members that are open, at all nodes of the first. */
static int compare_nodes(diff_state *s, cgct_table *const t[2], const tool_axes *a)
{
    const size_t neps = a->n[TOOL_EPS];
    int st = TOOL_OK;
    for (size_t i = 0; i < a->n[TOOL_X] * neps && st == TOOL_OK; i++)
        st = compare_slice(s, t, a, a->v[TOOL_X][i / neps], a->v[TOOL_EPS][i % neps]);
    return st;
}

/* Member s->member of both. */
static int compare_member(diff_state *s, cgct_table *const t[2], const tool_axes *a)
{
    cgct_table *of[2] = {NULL, NULL};
    char number[32];
    cgct_err err;
    int st = TOOL_OK;
    snprintf(number, sizeof number, "%zu", s->member);
    for (int w = 0; w < 2 && st == TOOL_OK; w++)
        st = tool_status(cgct_open_member(t[w], number, &of[w], &err), &err);
    if (st == TOOL_OK) st = compare_nodes(s, of, a);
    for (int w = 0; w < 2; w++) cgct_close(of[w]);
    return st;
}

int cmd_diff(tool_call *c)
{
    cgct_table *t[2] = {NULL, NULL};
    diff_state s = {0};
    tool_axes axes[2];
    size_t members[2] = {1, 1};
    int st = tool_option_number(c, "--rtol", 0, 1e300, &s.rtol), equal = 0;
    if (st == TOOL_OK) st = tool_option_number(c, "--atol", 0, 1e300, &s.atol);
    s.bounds = tool_value(c, "--bounds") != NULL;
    s.tolerant = s.bounds || s.rtol > 0 || s.atol > 0;
    for (int w = 0; w < 2 && st == TOOL_OK; w++) st = tool_open(c->word[w], &t[w]);
    if (st == TOOL_OK) {
        for (int w = 0; w < 2; w++) {
            axes[w] = tool_axes_of(t[w]);
            members[w] = tool_members_meant(c->word[w], t[w]);
        }
        equal = same_axes(&axes[0], &axes[1]);
        s.forward = cgct_pa_channels(t[0]) > 0;
        const int named = members[0] < axes[0].info.members || members[1] < axes[1].info.members;
        if (!s.forward && !named && members[0] + members[1] > 2) /* T takes all that it needs */
            s.members = members[0] < members[1] ? members[0] : members[1];
        if (s.forward != (cgct_pa_channels(t[1]) > 0))
            st = tool_fail("%s, %s: one is a table of forward dijets (process pa), the other one "
                           "of photons; there is nothing to compare",
                           c->word[0], c->word[1]);
        if (!s.members && st == TOOL_OK) st = compare_nodes(&s, t, &axes[0]);
        for (s.member = 0; s.member < s.members && st == TOOL_OK; s.member++)
            st = compare_member(&s, t, &axes[0]);
    }
    if (st == TOOL_OK && s.compared == 0)
        st = tool_fail("%s, %s: no node of the first lies inside the second", c->word[0],
                       c->word[1]);
    if (st == TOOL_OK) report(&c->out, t, &s, equal);
    for (int w = 0; w < 2; w++) cgct_close(t[w]);
    if (st != TOOL_OK) return TROUBLE;
    const int missing = s.members && members[0] != members[1];
    return s.different || missing || (!s.tolerant && !equal) ? DIFFERENT : SAME;
}
