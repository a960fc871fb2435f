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

static int read_point(const char *name, char *line, size_t length, size_t number, tool_points *p)
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
        st = read_point(name, line, (size_t)length, ++number, p);
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

/* ---- what is asked for ---- */

typedef struct {
    int dsigma, error, reference, uncertainty, members; /* 1 where they are columns */
    cgct_dis dis;   /* z and Q2 are those of the point at hand; S_perp of --S-perp, or 0 */
    double *values; /* (members of the table, 3): T and L of each, then T or L of all */
    cgct_table *table;
    size_t nmembers; /* of the table */
} eval_mode;

static const char *const plain_options[] = {"--x", "--eps", "--q", "--k1", "--theta"};
static const char *const dis_options[] = {"--x", "--z", "--Q2", "--q", "--k1", "--theta"};

static int parse_mode(const tool_call *c, eval_mode *m)
{
    const double tiny = 1e-300, huge = 1e300;
    m->dsigma = tool_value(c, "--dsigma") || tool_value(c, "--z") || tool_value(c, "--Q2");
    m->error = tool_value(c, "--error") != NULL;
    m->reference = tool_value(c, "--reference") != NULL;
    m->uncertainty = tool_value(c, "--uncertainty") != NULL;
    m->members = tool_value(c, "--members") != NULL;
    m->dis = (cgct_dis){1 / 137.036, 1, 0, 0, 0};
    TOOL_TRY(tool_option_number(c, "--alpha-em", tiny, huge, &m->dis.alpha_em));
    TOOL_TRY(tool_option_number(c, "--e-q2", tiny, huge, &m->dis.e_q2));
    TOOL_TRY(tool_option_number(c, "--S-perp", tiny, huge, &m->dis.S_perp));
    if (m->dsigma && tool_value(c, "--eps"))
        return tool_usage("--eps: follows from --z and --Q2; give one or the other");
    if (m->members && (m->error || m->reference || m->uncertainty))
        return tool_usage("--members: cannot go with --error, --reference or --uncertainty");
    return TOOL_OK;
}

static int points_from_options(const tool_call *c, int dsigma, tool_points *p)
{
    const char *const *name = dsigma ? dis_options : plain_options;
    int st = TOOL_OK;
    number_list list[POINT_COLUMNS_MAX] = {{0, NULL, 0}};
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

/* ---- values ---- */

static double area_of(const eval_mode *m, size_t member)
{
    return m->dis.S_perp > 0 ? m->dis.S_perp : cgct_member_S_perp(m->table, member);
}

/* Cross sections need the areas of all members that enter. */
static int check_areas(const eval_mode *m, size_t member)
{
    size_t first = m->members || m->uncertainty ? 0 : member;
    size_t end = m->members || m->uncertainty ? m->nmembers : member + 1;
    for (size_t i = first; i < end; i++)
        if (!(area_of(m, i) > 0))
            return tool_fail("%s: the table does not state S_perp; give --S-perp, GeV^-2",
                             cgct_table_path(m->table));
    return TOOL_OK;
}

/* Arguments of cgct_eval from the columns of a point, and the factors of I_T and I_L but for the
 * area. */
static int place_point(const eval_mode *m, const double *column, double v[5], double factor[2])
{
    const double *last = column + (m->dsigma ? 3 : 2);
    cgct_dis d = m->dis;
    v[0] = column[0];
    v[1] = column[1];
    factor[0] = factor[1] = 1;
    d.z = column[1];
    d.Q2 = column[2];
    d.S_perp = 1;
    if (m->dsigma && cgct_dis_factors(&d, &v[1], factor) != CGCT_OK)
        return tool_fail("z = %g, Q2 = %g: want 0 < z < 1 and Q2 > 0", d.z, d.Q2);
    memcpy(v + 2, last, 3 * sizeof *v);
    return TOOL_OK;
}

static int check_points(const eval_mode *m, const tool_points *p)
{
    double v[5], factor[2];
    for (size_t i = 0; i < p->v.n; i += (size_t)p->ncol) {
        TOOL_TRY(place_point(m, p->v.v + i, v, factor));
        cgct_err err;
        const cgct_status st = cgct_check(m->table, v[0], v[1], v[2], v[3], v[4], &err);
        if (st != CGCT_OK)
            return tool_fail("%s%s", err.text,
                             st == CGCT_E_NEGATIVE ? "; --negative keep prints the numbers" : "");
    }
    return TOOL_OK;
}

/* ---- columns ---- */

enum { COLUMNS_MAX = 24 };

static size_t name_columns(const eval_mode *m, const char **column)
{
    const struct {
        int shown;
        const char *name[6];
    } part[] = {{!m->dsigma, {"x", "eps", "q", "k1", "theta"}},
                {m->dsigma, {"x", "z", "Q2", "q", "k1", "theta"}},
                {m->members, {"member"}},
                {!m->dsigma, {"I_T", "I_L"}},
                {m->dsigma, {"dsigma_T", "dsigma_L"}},
                {m->error, {"err_T", "err_L"}},
                {m->reference, {"ref_T", "ref_L", "ratio_T", "ratio_L"}},
                {m->uncertainty, {"central_T", "central_L", "low_T", "low_L", "high_T", "high_L"}}};
    size_t n = 0;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        for (size_t j = 0; part[i].shown && j < 6 && part[i].name[j]; j++)
            column[n++] = part[i].name[j];
    return n;
}

/* What a reader of the output has to know beside the names of the columns. */
static void print_heading(tool_out *o, const eval_mode *m, size_t member)
{
    char area[48] = "that of each member";
    const char *uncertainty = cgct_meta(m->table, "uncertainty");
    const char *aside = cgct_meta(m->table, "comparison");
    int one = !(m->members || m->uncertainty) || m->dis.S_perp > 0;
    out_remark(o, "eps, q, k1 in GeV, Q2 in GeV^2, theta = angle(k1,q) in radian, %s in GeV^-6",
               m->dsigma ? "dsigma" : "I");
    if (m->error)
        out_remark(o, "err: bound on |error|, numerical and of interpolation; inf: none is known");
    if (m->reference) out_remark(o, "ref: the correlation limit, ratio: I/I_ref");
    if (m->uncertainty)
        out_remark(o, "central, low, high: of %zu members%s%s, uncertainty: %s%s", m->nmembers,
                   aside ? " without " : "", aside ? aside : "", uncertainty ? uncertainty : "none",
                   m->dsigma && one ? "; S_perp is the same for all" : "");
    if (!m->dsigma) return;
    if (one) snprintf(area, sizeof area, "%.6g GeV^-2", area_of(m, member));
    out_remark(o, "for dz d2k1 d2k2 with e_q2 = %.6g, alpha_em = %.6g, S_perp = %s", m->dis.e_q2,
               m->dis.alpha_em, area);
    if (o->form != OUT_JSON) return;
    out_number(o, "e_q2", m->dis.e_q2, "");
    out_number(o, "alpha_em", m->dis.alpha_em, "");
    if (one) out_number(o, "S_perp", area_of(m, member), "");
}

/* ---- rows ---- */

static const double unit[2] = {1, 1};

static void put_pair(tool_out *o, const double v[2], const double factor[2])
{
    out_cell(o, v[CGCT_T] * factor[CGCT_T]);
    out_cell(o, v[CGCT_L] * factor[CGCT_L]);
}

/* I and what goes with it at the point v. */
static cgct_status put_values(tool_out *o, const eval_mode *m, const double v[5],
                              const double factor[2])
{
    double I[2], a[2];
    CGCT_TRY(cgct_eval(m->table, v[0], v[1], v[2], v[3], v[4], I));
    put_pair(o, I, factor);
    if (m->error) {
        CGCT_TRY(cgct_eval_error(m->table, v[0], v[1], v[2], v[3], v[4], a));
        put_pair(o, a, factor);
    }
    if (m->reference) {
        CGCT_TRY(cgct_reference(m->table, v[0], v[1], v[2], v[3], v[4], a));
        put_pair(o, a, factor);
        put_pair(o, (const double[]){I[0] / a[0], I[1] / a[1]}, unit);
    }
    return CGCT_OK;
}

static void put_columns(tool_out *o, const tool_points *p, size_t at)
{
    for (int c = 0; c < p->ncol; c++) out_cell(o, p->v.v[at + (size_t)c]);
}

/* I or the cross section of each member, into m->values. */
static cgct_status eval_members(const eval_mode *m, const double *column, const double v[5])
{
    cgct_dis d = m->dis;
    if (!m->dsigma) return cgct_eval_members(m->table, v[0], v[1], v[2], v[3], v[4], m->values);
    d.z = column[1];
    d.Q2 = column[2];
    return cgct_dsigma_members(m->table, &d, v[0], v[2], v[3], v[4], m->values);
}

/* A row for each member. */
static cgct_status put_members(tool_out *o, const eval_mode *m, const tool_points *p, size_t at,
                               const double v[5])
{
    CGCT_TRY(eval_members(m, p->v.v + at, v));
    for (size_t i = 0; i < m->nmembers; i++) {
        const char *name = cgct_member_name(m->table, i);
        put_columns(o, p, at);
        out_cell_text(o, *name ? name : "-");
        put_pair(o, m->values + 2 * i, unit);
    }
    return CGCT_OK;
}

/* Central, low and high. */
static cgct_status put_range(tool_out *o, const eval_mode *m, const double *column,
                             const double v[5])
{
    double range[2][3], *one = m->values + 2 * m->nmembers;
    CGCT_TRY(eval_members(m, column, v));
    for (size_t pol = 0; pol < 2; pol++) {
        for (size_t i = 0; i < m->nmembers; i++) one[i] = m->values[2 * i + pol];
        CGCT_TRY(cgct_uncertainty_of(m->table, one, range[pol]));
    }
    for (int i = 0; i < 3; i++) put_pair(o, (const double[]){range[0][i], range[1][i]}, unit);
    return CGCT_OK;
}

static int print_values(tool_out *o, const eval_mode *m, const tool_points *p, size_t member)
{
    const char *column[COLUMNS_MAX];
    double v[5], factor[2];
    int st = TOOL_OK;
    print_heading(o, m, member);
    out_table(o, "points", name_columns(m, column), column);
    for (size_t i = 0; i < p->v.n && st == TOOL_OK; i += (size_t)p->ncol) {
        place_point(m, p->v.v + i, v, factor);
        for (int pol = 0; pol < 2 && m->dsigma; pol++) factor[pol] *= area_of(m, member);
        if (!m->members) put_columns(o, p, i);
        cgct_status got = m->members ? put_members(o, m, p, i, v) : put_values(o, m, v, factor);
        if (got == CGCT_OK && m->uncertainty) got = put_range(o, m, p->v.v + i, v);
        if (got != CGCT_OK) st = tool_fail_at(m->table, v, got);
    }
    out_table_end(o);
    return st;
}

/* Nothing is printed before every point is good. */
static int eval_all(tool_call *c, eval_mode *m, const tool_points *p)
{
    const cgct_info *info = &c->axes.info;
    m->table = c->table;
    m->nmembers = info->members;
    m->values = malloc(3 * m->nmembers * sizeof *m->values);
    if (!m->values) return tool_fail("no memory for %zu members", m->nmembers);
    int st = m->dsigma ? check_areas(m, info->member) : TOOL_OK;
    if (st == TOOL_OK) st = check_points(m, p);
    if (st == TOOL_OK) st = print_values(&c->out, m, p, info->member);
    free(m->values);
    return st;
}

int cmd_eval(tool_call *c)
{
    eval_mode m;
    const char *policy = tool_value(c, "--policy"), *negative = tool_value(c, "--negative");
    TOOL_TRY(parse_mode(c, &m));
    tool_points p = {m.dsigma ? 6 : 5, {0, NULL, 0}};
    int st = c->n == 2 ? points_from_file(c, &p) : points_from_options(c, m.dsigma, &p);
    if (st == TOOL_OK) st = tool_open_first(c);
    if (st == TOOL_OK && policy && !strcmp(policy, "freeze"))
        cgct_set_policy(c->table, CGCT_POLICY_FREEZE);
    if (st == TOOL_OK && !(negative && !strcmp(negative, "keep")))
        cgct_set_negative(c->table, CGCT_NEGATIVE_ZERO);
    if (st == TOOL_OK) st = eval_all(c, &m, &p);
    number_list_free(&p.v);
    return st;
}
