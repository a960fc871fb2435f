/* SPDX-License-Identifier: MIT */
/* cgctab eval: values at points that are given as lists, in a file or on standard input. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* ---- points ---- */

/* Columns: x eps q k1 theta, or x z Q2 q k1 theta for cross sections. */
enum { POINT_COLUMNS_MAX = 6 };

typedef struct {
    int ncol;
    number_list v; /* (number of points, ncol) row-major */
} tool_points;

static const double PRODUCT_MAX = 1e7; /* points of lists; more would fill the memory */

/* Outer product of ncol lists, the last fastest. */
static int points_product(const number_list *lists, tool_points *p)
{
    int ncol = p->ncol;
    size_t index[POINT_COLUMNS_MAX] = {0};
    double points = 1;
    for (int c = 0; c < ncol; c++) points *= (double)lists[c].n;
    if (points > PRODUCT_MAX)
        return tool_usage("the lists make %g points, at most %g can be taken at once", points,
                          PRODUCT_MAX);
    for (;;) {
        for (int c = 0; c < ncol; c++) TOOL_TRY(tool_list_add(&p->v, lists[c].v[index[c]]));
        int c = ncol - 1;
        while (c >= 0 && ++index[c] == lists[c].n) index[c--] = 0;
        if (c < 0) return TOOL_OK;
    }
}

/* What is no text would upset a terminal. */
static const char *printable(char *word)
{
    for (char *c = word; *c; c++)
        if (!isprint((unsigned char)*c)) *c = '?';
    return word;
}

static int read_line(const char *name, char *line, size_t length, size_t number, tool_points *p)
{
    static const char blank[] = " \t\r\n";
    char *save, *word;
    int n = 0;
    if (strlen(line) != length)
        return tool_fail("%s:%zu: a zero byte; only text is read", name, number);
    word = strtok_r(line, blank, &save);
    if (!word || *word == '#') return TOOL_OK;
    for (; word; word = strtok_r(NULL, blank, &save), n++) {
        double v;
        if (!number_parse(word, &v))
            return tool_fail("%s:%zu: '%.60s' is not a finite number", name, number,
                             printable(word));
        if (n < p->ncol) TOOL_TRY(tool_list_add(&p->v, v));
    }
    if (n == p->ncol) return TOOL_OK;
    return tool_fail("%s:%zu: %d columns, want %d", name, number, n, p->ncol);
}

static int read_lines(FILE *f, const char *name, tool_points *p)
{
    char *line = NULL;
    size_t capacity = 0, number = 0;
    int st = TOOL_OK;
    ssize_t length;
    while (st == TOOL_OK && (length = getline(&line, &capacity, f)) >= 0)
        st = read_line(name, line, (size_t)length, ++number, p);
    free(line);
    if (st == TOOL_OK && ferror(f)) st = tool_fail("%s: cannot read: %s", name, strerror(errno));
    return st;
}

/* Lines of ncol numbers; blank lines and lines that begin with '#' are skipped.  "-": standard
 * input. */
static int points_read(const char *file, tool_points *p)
{
    if (!strcmp(file, "-")) return read_lines(stdin, "standard input", p);
    FILE *f = fopen(file, "r");
    if (!f) return tool_fail("%s: cannot open: %s", file, strerror(errno));
    int st = read_lines(f, file, p);
    fclose(f);
    return st;
}

/* ---- values ---- */

typedef struct {
    int dsigma, error;
    cgct_dis dis; /* z and Q2 are those of the point at hand */
} eval_mode;

static const char *const plain_options[] = {"--x", "--eps", "--q", "--k1", "--theta"};
static const char *const dis_options[] = {"--x", "--z", "--Q2", "--q", "--k1", "--theta"};

static int parse_mode(const tool_call *c, eval_mode *m)
{
    const double tiny = 1e-300, huge = 1e300;
    m->dsigma = tool_value(c, "--dsigma") || tool_value(c, "--z") || tool_value(c, "--Q2");
    m->error = tool_value(c, "--error") != NULL;
    m->dis = (cgct_dis){1 / 137.036, 1, 1, 0, 0};
    TOOL_TRY(tool_option_number(c, "--alpha-em", tiny, huge, &m->dis.alpha_em));
    TOOL_TRY(tool_option_number(c, "--e-q2", tiny, huge, &m->dis.e_q2));
    TOOL_TRY(tool_option_number(c, "--S-perp", tiny, huge, &m->dis.S_perp));
    if (m->dsigma && tool_value(c, "--eps"))
        return tool_usage("--eps: follows from --z and --Q2; give one or the other");
    return TOOL_OK;
}

static int points_from_options(const tool_call *c, int dsigma, tool_points *p)
{
    const char *const *name = dsigma ? dis_options : plain_options;
    int st = TOOL_OK;
    number_list list[POINT_COLUMNS_MAX] = {{0, NULL}};
    for (int i = 0; i < p->ncol && st == TOOL_OK; i++) {
        const char *text = tool_value(c, name[i]);
        st =
            text ? tool_list_parse(name[i], text, &list[i]) : tool_usage("%s: is missing", name[i]);
    }
    if (st == TOOL_OK) st = points_product(list, p);
    for (int i = 0; i < p->ncol; i++) number_list_free(&list[i]);
    return st;
}

static int points_from_file(const tool_call *c, tool_points *p)
{
    for (int i = 0; i < 6; i++)
        if (tool_value(c, dis_options[i]) || (i < 5 && tool_value(c, plain_options[i])))
            return tool_usage("%s: cannot go with '%s', which has all columns",
                              tool_value(c, dis_options[i]) ? dis_options[i] : plain_options[i],
                              c->word[1]);
    return points_read(c->word[1], p);
}

/* ---- evaluate ---- */

/* Arrays of n, as cgct_eval_many takes them. */
typedef struct {
    size_t n;
    double *v[5];            /* x eps q k1 theta */
    double *factor, *values; /* (n, 2) */
    double *error;           /* (n, 2) */
    void *owned;
} eval_arrays;

static int arrays_init(eval_arrays *a, size_t n)
{
    a->n = n;
    double *all = calloc(11 * n + 1, sizeof *all);
    a->owned = all;
    if (!all) return tool_fail("no memory for %zu points", n);
    for (int i = 0; i < 5; i++) a->v[i] = all + (size_t)i * n;
    a->factor = all + 5 * n;
    a->values = all + 7 * n;
    a->error = all + 9 * n;
    return TOOL_OK;
}

static int set_points(const eval_mode *m, const tool_points *p, eval_arrays *a)
{
    for (size_t i = 0; i < a->n; i++) {
        const double *v = p->v.v + i * (size_t)p->ncol;
        double eps = v[1];
        cgct_dis d = m->dis;
        a->factor[2 * i] = a->factor[2 * i + 1] = 1;
        d.z = v[1];
        d.Q2 = v[2];
        if (m->dsigma && cgct_dis_factors(&d, &eps, a->factor + 2 * i) != CGCT_OK)
            return tool_fail("z = %g, Q2 = %g: want 0 < z < 1 and Q2 > 0", v[1], v[2]);
        a->v[0][i] = v[0];
        a->v[1][i] = eps;
        for (int c = 0; c < 3; c++) a->v[2 + c][i] = v[p->ncol - 3 + c];
    }
    return TOOL_OK;
}

static int compute_values(const cgct_table *t, const eval_mode *m, eval_arrays *a)
{
    size_t i;
    cgct_err err;
    cgct_status st =
        cgct_eval_many(t, a->n, a->v[0], a->v[1], a->v[2], a->v[3], a->v[4], a->values, &i);
    for (size_t j = 0; j < a->n && st == CGCT_OK && m->error; j++) {
        i = j;
        st = cgct_eval_error(t, a->v[0][j], a->v[1][j], a->v[2][j], a->v[3][j], a->v[4][j],
                             a->error + 2 * j);
    }
    if (st == CGCT_OK) return TOOL_OK;
    if (cgct_check(t, a->v[0][i], a->v[1][i], a->v[2][i], a->v[3][i], a->v[4][i], &err) != CGCT_OK)
        return tool_fail("%s", err.text);
    return tool_fail("%s", cgct_strerror(st));
}

static void print_eval_values(tool_out *o, const eval_mode *m, const tool_points *p,
                              const eval_arrays *a)
{
    static const char *const plain[] = {"x",   "eps", "q",     "k1",   "theta",
                                        "I_T", "I_L", "err_T", "err_L"};
    static const char *const dis[] = {"x",     "z",        "Q2",       "q",     "k1",
                                      "theta", "dsigma_T", "dsigma_L", "err_T", "err_L"};
    size_t ncol = (size_t)p->ncol;
    out_table(o, "points", ncol + (m->error ? 4 : 2), m->dsigma ? dis : plain);
    for (size_t i = 0; i < a->n; i++) {
        for (size_t c = 0; c < ncol; c++) out_cell(o, p->v.v[i * ncol + c]);
        for (size_t k = 0; k < 2; k++) out_cell(o, a->values[2 * i + k] * a->factor[2 * i + k]);
        for (size_t k = 0; k < 2 && m->error; k++)
            out_cell(o, a->error[2 * i + k] * a->factor[2 * i + k]);
    }
    out_table_end(o);
}

/* Nothing is printed before every point is good. */
static int eval_all(tool_call *c, const cgct_table *t, const eval_mode *m, const tool_points *p)
{
    eval_arrays a = {0};
    TOOL_TRY(arrays_init(&a, p->v.n / (size_t)p->ncol));
    int st = set_points(m, p, &a);
    if (st == TOOL_OK) st = compute_values(t, m, &a);
    if (st == TOOL_OK) print_eval_values(&c->out, m, p, &a);
    free(a.owned);
    return st;
}

int cmd_eval(tool_call *c)
{
    eval_mode m;
    const char *policy = tool_value(c, "--policy");
    TOOL_TRY(parse_mode(c, &m));
    tool_points p = {m.dsigma ? 6 : 5, {0, NULL}};
    int st = c->n == 2 ? points_from_file(c, &p) : points_from_options(c, m.dsigma, &p);
    if (st == TOOL_OK) st = tool_open_first(c, TOOL_NODES);
    if (st == TOOL_OK && policy)
        cgct_set_policy(c->table,
                        strcmp(policy, "freeze") ? CGCT_POLICY_ERROR : CGCT_POLICY_FREEZE);
    if (st == TOOL_OK) st = eval_all(c, c->table, &m, &p);
    number_list_free(&p.v);
    return st;
}
