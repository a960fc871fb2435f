/* SPDX-License-Identifier: MIT */
/* cgctab accuracy: how well a table is known in regions of x, eps, q and k1, by its bounds. */
#include "tool.h"

#include <math.h>

/* Places (x,eps) in a region, and points (q,k1,theta) at each of them. */
enum { PLACES = 64, AT_PLACE = 64 };

/* The region that a generator of dijets uses: eps from 0.3 to 5 GeV, q and k1 from 1 to 10 GeV. */
static const double dijet_eps[2] = {0.3, 5}, dijet_momentum[2] = {1, 10};
/* Limits between the other regions, in GeV, and between ranges of x. */
static const double eps_limits[] = {0.3, 1, 5}, q_limits[] = {2, 8, 15};
static const double x_limits[ACCURACY_X_PARTS - 1] = {1e-4, 1e-3, 3e-3, 6e-3};
enum { LIMITS = 3, ALL = LIMITS + 1 };

/* Number i of a sequence that fills [0,1] evenly, and with others of other j the cube: the
 * fractional parts of i g^-(j+1), where g^6 = g + 1. */
static double evenly(size_t i, int j)
{
    const double at = 0.5 + (double)(i + 1) * pow(1.134724138401519, -(j + 1));
    return at - floor(at);
}

/* Whether region r has values of this channel, or polarisation. */
static int is_of(const accuracy_region *r, const char *channel)
{
    return !r->channel || !strcmp(r->channel, channel);
}

static int add_points(const cgct_table *t, const accuracy_region *r, size_t place,
                      number_list *shares)
{
    const int channels = cgct_pa_channels(t);
    const double x = tool_between(r->x, evenly(place, 0));
    const double eps = tool_between(r->eps, evenly(place, 1));
    for (size_t i = 0; i < AT_PLACE; i++) {
        const size_t number = place * AT_PLACE + i;
        const double v[5] = {x, channels ? 0.05 + 0.9 * evenly(number, 1) : eps,
                             tool_between(r->q, evenly(number, 2)),
                             tool_between(r->k1, evenly(number, 3)), TOOL_PI * evenly(number, 4)};
        double I[3], error[3];
        int n = 0;
        for (int c = 0; c < channels; c++) {
            if (!is_of(r, tool_channel[c])) continue;
            if (tool_forward_T(t, (cgct_channel)c, v, &I[n], &error[n]) != CGCT_OK)
                return tool_fail("%s: no T at x = %g, z = %g, q = %g, k1 = %g, theta = %g",
                                 cgct_table_path(t), v[0], v[1], v[2], v[3], v[4]);
            I[n] = fabs(I[n]);
            n++;
        }
        if (!channels) {
            cgct_status st = cgct_eval_error(t, v[0], v[1], v[2], v[3], v[4], error);
            if (st == CGCT_OK) st = cgct_eval(t, v[0], v[1], v[2], v[3], v[4], I);
            if (st != CGCT_OK) return tool_fail_at(t, v, st);
            if (!is_of(r, "T")) {
                I[0] = I[1];
                error[0] = error[1];
            }
            n = r->channel ? 1 : 2;
        }
        for (int j = 0; j < n; j++)
            TOOL_TRY(tool_list_add(shares, I[j] > 0 ? error[j] / I[j] : INFINITY));
    }
    return TOOL_OK;
}

int accuracy_of(const cgct_table *t, accuracy_region *r)
{
    number_list shares = {0};
    int st = TOOL_OK;
    for (size_t i = 0; i < PLACES && st == TOOL_OK; i++) st = add_points(t, r, i, &shares);
    if (st == TOOL_OK) {
        const double *share = shares.v;
        size_t n = shares.n, resolved = 0, known = 0;
        tool_list_sort(&shares);
        while (resolved < n && share[resolved] < 1) resolved++;
        while (known < n && share[known] <= ACCURACY_KNOWN) known++;
        r->points = n;
        r->resolved = (double)resolved / (double)n;
        r->known = (double)known / (double)n;
        r->median = resolved ? share[resolved / 2] : NAN;
        r->p999 = resolved ? share[(size_t)(0.999 * (double)(resolved - 1) + 0.5)] : NAN;
        r->worst = share[n - 1];
    }
    number_list_free(&shares);
    return st;
}

accuracy_region accuracy_whole(const tool_axes *a)
{
    accuracy_region r = {.name = "all"};
    memcpy(r.x, a->range[TOOL_X], sizeof r.x);
    memcpy(r.eps, a->range[TOOL_EPS], sizeof r.eps);
    memcpy(r.q, a->range[TOOL_Q], sizeof r.q);
    r.k1[0] = fmin(r.q[0], a->info.k_max);
    r.k1[1] = a->info.k_max;
    return r;
}

/* range becomes its part within [lo,hi]; 0 where there is none. */
static int restrict_to(double range[2], double lo, double hi)
{
    const int one = range[0] == range[1] && range[0] >= lo && range[0] <= hi;
    range[0] = fmax(range[0], lo);
    range[1] = fmin(range[1], hi);
    return one || range[0] < range[1];
}

int accuracy_dijets(const tool_axes *a, accuracy_region *r)
{
    *r = accuracy_whole(a);
    r->name = "dijets";
    return restrict_to(r->eps, dijet_eps[0], dijet_eps[1]) &&
           restrict_to(r->q, dijet_momentum[0], dijet_momentum[1]) &&
           restrict_to(r->k1, dijet_momentum[0], dijet_momentum[1]);
}

int accuracy_dijets_at(const tool_axes *a, int part, accuracy_region *r)
{
    const int any = accuracy_dijets(a, r), last = part == ACCURACY_X_PARTS - 1;
    r->name = "dijets_x";
    return any && a->n[TOOL_X] > 1 &&
           restrict_to(r->x, part ? x_limits[part - 1] : 0, last ? INFINITY : x_limits[part]);
}

/* Range e of eps and range q of q, counted from 0, or ALL; 0: the table has nothing of it. */
static int accuracy_part(const tool_axes *a, int e, int q, accuracy_region *r)
{
    *r = accuracy_whole(a);
    return (e == ALL || restrict_to(r->eps, e ? eps_limits[e - 1] : 0,
                                    e < LIMITS ? eps_limits[e] : INFINITY)) &&
           (q == ALL ||
            restrict_to(r->q, q ? q_limits[q - 1] : 0, q < LIMITS ? q_limits[q] : INFINITY));
}

static const char *const columns[] = {"region", "x_lo",   "x_hi",  "eps_lo", "eps_hi",
                                      "q_lo",   "q_hi",   "k1_hi", "points", "resolved",
                                      "known",  "median", "p999",  "worst"};

static int print_region(tool_call *c, accuracy_region *r)
{
    tool_out *o = &c->out;
    TOOL_TRY(accuracy_of(c->table, r));
    const double limits[] = {r->x[0], r->x[1], r->eps[0], r->eps[1], r->q[0], r->q[1], r->k1[1]};
    const double found[] = {r->resolved, r->known, r->median, r->p999, r->worst};
    out_cell_text(o, r->name);
    out_cells(o, sizeof limits / sizeof *limits, limits);
    out_cell_count(o, r->points);
    out_cells(o, 5, found);
    return TOOL_OK;
}

static int print_regions(tool_call *c)
{
    const int forward = cgct_pa_channels(c->table) > 0;
    accuracy_region r = accuracy_whole(&c->axes);
    TOOL_TRY(print_region(c, &r));
    if (accuracy_dijets(&c->axes, &r)) {
        TOOL_TRY(print_region(c, &r));
        for (int i = 0; i < 2 && !forward; i++) {
            r.name = i ? "dijets_L" : "dijets_T";
            r.channel = i ? "L" : "T";
            TOOL_TRY(print_region(c, &r));
        }
    }
    for (int i = 0; i < ACCURACY_X_PARTS; i++)
        if (accuracy_dijets_at(&c->axes, i, &r)) TOOL_TRY(print_region(c, &r));
    for (int i = 0; i < 3 * (LIMITS + 2) && forward; i++) { /* all q first */
        if (!accuracy_part(&c->axes, ALL, i < 3 ? ALL : i / 3 - 1, &r)) continue;
        r.name = r.channel = tool_channel[i % 3];
        TOOL_TRY(print_region(c, &r));
    }
    for (int i = 0; i < (LIMITS + 1) * (LIMITS + 1) && !forward; i++) {
        if (!accuracy_part(&c->axes, i / (LIMITS + 1), i % (LIMITS + 1), &r)) continue;
        r.name = "part";
        TOOL_TRY(print_region(c, &r));
    }
    return TOOL_OK;
}

int cmd_accuracy(tool_call *c)
{
    TOOL_TRY(tool_open_first(c));
    if (!c->out.digits) c->out.digits = 4;
    out_table(&c->out, "regions", sizeof columns / sizeof *columns, columns);
    const int st = print_regions(c);
    out_table_end(&c->out);
    return st;
}
