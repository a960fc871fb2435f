/* SPDX-License-Identifier: MIT */
#include "points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { X, EPS, Z, Q2, Q, K1, THETA, ERROR, DSIGMA, POLICY, ALPHA, CHARGE, AREA, NOPT };

static const char usage_text[] =
    "usage: cgctab eval FILE --x LIST --eps LIST --q LIST --k1 LIST --theta LIST [options]\n"
    "       cgctab eval FILE --x LIST --z LIST --Q2 LIST --q LIST --k1 LIST --theta LIST "
    "[options]\n"
    "       cgctab eval FILE [--dsigma] - [options]\n"
    "Lists are numbers with commas; the points are their outer product, theta fastest.\n"
    "'-' reads lines 'x eps q k1 theta' (with --dsigma 'x z Q2 q k1 theta') from standard input.\n"
    "Momenta and eps in GeV, Q2 in GeV^2, theta = angle(k1,q) in radian.\n"
    "Prints one '#' line and columns x eps q k1 theta I_T I_L in GeV^-6, or with --z and --Q2\n"
    "x z Q2 q k1 theta dsigma_T dsigma_L for the measure dz d2k1 d2k2, q = k1 + k2.\n"
    "  --error            two more columns: the stored bounds on the error of both\n"
    "  --policy P         error or freeze: refuse points outside, or take the nearest end\n"
    "  --alpha-em A       for dsigma, default 1/137.036\n"
    "  --e-q2 E           squared charge summed over flavours, default 1\n"
    "  --S-perp S         transverse area in GeV^-2, default 1\n";

typedef struct {
    int dsigma, error;
    cgct_dis dis; /* z and Q2 are those of the point at hand */
} eval_mode;

static int parse_dis(const tool_option *opt, cgct_dis *d)
{
    const int at[3] = {ALPHA, CHARGE, AREA};
    double *const to[3] = {&d->alpha_em, &d->e_q2, &d->S_perp};
    *d = (cgct_dis){1 / 137.036, 1, 1, 0, 0};
    for (int i = 0; i < 3; i++)
        if (opt[at[i]].text && !(tool_number(opt[at[i]].text, to[i]) && *to[i] > 0))
            return tool_usage(opt[at[i]].name, "want a number > 0");
    return TOOL_OK;
}

static int set_policy(cgct_table *t, const char *text)
{
    if (!text) return TOOL_OK;
    if (!strcmp(text, "error"))
        cgct_set_policy(t, CGCT_POLICY_ERROR);
    else if (!strcmp(text, "freeze"))
        cgct_set_policy(t, CGCT_POLICY_FREEZE);
    else
        return tool_usage("--policy", "want error or freeze");
    return TOOL_OK;
}

static int points_from_options(const tool_option *opt, int dsigma, tool_points *p)
{
    static const int plain[] = {X, EPS, Q, K1, THETA}, dis[] = {X, Z, Q2, Q, K1, THETA};
    const int *which = dsigma ? dis : plain;
    int ncol = dsigma ? 6 : 5, st = TOOL_OK;
    tool_list list[POINT_COLUMNS_MAX] = {{0, NULL}};
    for (int c = 0; c < ncol && st == TOOL_OK; c++) {
        const tool_option *o = &opt[which[c]];
        st = o->text ? tool_list_parse(o->name, o->text, &list[c])
                     : tool_usage(o->name, "is missing");
    }
    if (st == TOOL_OK) st = points_product(ncol, list, p);
    for (int c = 0; c < ncol; c++) tool_list_free(&list[c]);
    return st;
}

/* v: the columns of one point; out: two values, two bounds. */
static int eval_point(const cgct_table *t, const eval_mode *m, const double *v, double out[4])
{
    double eps = v[1], factor[2] = {1, 1};
    const double *tail = v + 2;
    cgct_err err;
    if (m->dsigma) {
        cgct_dis d = m->dis;
        d.z = v[1];
        d.Q2 = v[2];
        tail = v + 3;
        if (cgct_dis_factors(&d, &eps, factor) != CGCT_OK) {
            snprintf(err.text, sizeof err.text, "z = %g, Q2 = %g: want 0 < z < 1 and Q2 > 0", v[1],
                     v[2]);
            return tool_fail(err.text);
        }
    }
    if (cgct_check(t, v[0], eps, tail[0], tail[1], tail[2], &err) != CGCT_OK)
        return tool_fail(err.text);
    cgct_status st = cgct_eval(t, v[0], eps, tail[0], tail[1], tail[2], out);
    if (st == CGCT_OK && m->error)
        st = cgct_eval_error(t, v[0], eps, tail[0], tail[1], tail[2], out + 2);
    if (st != CGCT_OK) return tool_fail(cgct_strerror(st));
    for (int i = 0; i < (m->error ? 4 : 2); i++) out[i] *= factor[i % 2];
    return TOOL_OK;
}

static void print_all(const eval_mode *m, const tool_points *p, const double *out)
{
    size_t n = p->v.n / (size_t)p->ncol;
    printf("# %s%s\n",
           m->dsigma ? "x z Q2 q k1 theta dsigma_T dsigma_L" : "x eps q k1 theta I_T I_L",
           m->error ? " err_T err_L" : "");
    for (size_t i = 0; i < n; i++) {
        for (int c = 0; c < p->ncol; c++) printf("%.17g ", p->v.v[i * (size_t)p->ncol + (size_t)c]);
        printf("%.17g %.17g", out[4 * i], out[4 * i + 1]);
        if (m->error) printf(" %.17g %.17g", out[4 * i + 2], out[4 * i + 3]);
        putchar('\n');
    }
}

/* Nothing is printed before every point is good. */
static int eval_all(const cgct_table *t, const eval_mode *m, const tool_points *p)
{
    size_t n = p->v.n / (size_t)p->ncol;
    double *out = malloc(4 * n * sizeof *out + 1);
    if (!out) return tool_fail("no memory for the results");
    int st = TOOL_OK;
    for (size_t i = 0; i < n && st == TOOL_OK; i++)
        st = eval_point(t, m, p->v.v + i * (size_t)p->ncol, out + 4 * i);
    if (st == TOOL_OK) {
        print_all(m, p, out);
        st = tool_flush();
    }
    free(out);
    return st;
}

static int run(const char *file, int from_stdin, tool_option *opt)
{
    cgct_table *t = NULL;
    cgct_err err;
    tool_points p = {0, {0, NULL}};
    eval_mode m = {.dsigma = opt[DSIGMA].text || opt[Z].text || opt[Q2].text,
                   .error = opt[ERROR].text != NULL};
    int st = parse_dis(opt, &m.dis);
    if (st == TOOL_OK && m.dsigma && opt[EPS].text)
        st = tool_usage("--eps", "follows from --z and --Q2; give one or the other");
    for (int i = X; i <= THETA && st == TOOL_OK && from_stdin; i++)
        if (opt[i].text)
            st = tool_usage(opt[i].name, "cannot go with '-', which reads all columns");
    if (st == TOOL_OK)
        st =
            from_stdin ? points_read(m.dsigma ? 6 : 5, &p) : points_from_options(opt, m.dsigma, &p);
    if (st == TOOL_OK && cgct_open(file, &t, &err) != CGCT_OK) st = tool_fail(err.text);
    if (st == TOOL_OK) st = set_policy(t, opt[POLICY].text);
    if (st == TOOL_OK) st = eval_all(t, &m, &p);
    points_free(&p);
    cgct_close(t);
    return st;
}

int cmd_eval(int argc, char **argv)
{
    tool_option opt[NOPT] = {
        [X] = {"--x", NULL, 0},
        [EPS] = {"--eps", NULL, 0},
        [Z] = {"--z", NULL, 0},
        [Q2] = {"--Q2", NULL, 0},
        [Q] = {"--q", NULL, 0},
        [K1] = {"--k1", NULL, 0},
        [THETA] = {"--theta", NULL, 0},
        [ERROR] = {"--error", NULL, 1},
        [DSIGMA] = {"--dsigma", NULL, 1},
        [POLICY] = {"--policy", NULL, 0},
        [ALPHA] = {"--alpha-em", NULL, 0},
        [CHARGE] = {"--e-q2", NULL, 0},
        [AREA] = {"--S-perp", NULL, 0},
    };
    const char *words[2];
    size_t n;
    int st = tool_parse(argc, argv, NOPT, opt, 2, words, &n);
    if (st < 0) {
        fputs(usage_text, stdout);
        return tool_flush();
    }
    if (st != TOOL_OK) return st;
    if (n < 1) return tool_usage("eval", "needs a FILE");
    if (n == 2 && strcmp(words[1], "-") != 0) return tool_usage(words[1], "one argument too many");
    return run(words[0], n == 2, opt);
}
