/* SPDX-License-Identifier: MIT */
/* cgctab eval: values at points that are given as lists, in a file or on standard input. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* ---- --soft ---- */

int tool_soft_options(const tool_call *c, cgct_soft_options *o)
{
    cgct_err err;
    cgct_soft *any = NULL; /* to check ranges */
    cgct_status st = cgct_soft_parse(tool_value(c, "--soft"), o, &err);
    if (st == CGCT_OK) st = cgct_soft_init(&any, NULL, 0, 0, o, &err);
    cgct_soft_free(any);
    return st == CGCT_OK ? TOOL_OK : tool_usage("--soft: %s", err.text);
}

double tool_soft_P(double q, double k1, double theta)
{
    const double along = k1 * cos(theta) - q / 2, across = k1 * sin(theta);
    return sqrt(along * along + across * across);
}

void tool_soft_warn(const tool_call *c, int low_P, int high_q)
{
    const char *dipole = cgct_meta(c->table, "dipole");
    if (dipole && strstr(dipole, "equation lo"))
        tool_fail("warning: --soft: the dipole evolves by the equation lo; soft gluons go with an "
                  "evolution that has a kinematical constraint (equation kc or t)");
    if (low_P) tool_fail("warning: --soft: P is below 3 GeV at some points");
    if (high_q) tool_fail("warning: --soft: q is above P at some points");
    if (c->axes.info.q[0] > 0.1)
        tool_fail("warning: --soft: the table begins at q = %g GeV; what lies below is continued "
                  "from there, and its share is large (columns below_T, below_L)",
                  c->axes.info.q[0]);
    tool_fail("note: --soft: below q of 0.7 GeV the result depends on the cap of alpha_s");
}

/* ---- what is asked for ---- */

typedef struct {
    int dsigma, error, reference, uncertainty, members, soft; /* 1 where they are columns */
    cgct_soft_options gluons;
    cgct_dis dis;   /* but for z and Q2, which are columns; S_perp: 0 where none is given */
    double *values; /* (members of the table, 3): T and L of each, then T or L of all */
    cgct_table *table;
    size_t nmembers; /* of the table */
    double k_max;
    cgct_soft *soft_at; /* soft gluons at the point's x, eps and z, from one point to the next */
    double soft_of[3];
} eval_mode;

static const char *const plain_options[] = {"--x", "--eps", "--q", "--k1", "--theta"};
static const char *const dis_options[] = {"--x", "--z", "--Q2", "--q", "--k1", "--theta"};

static int parse_mode(const tool_call *c, eval_mode *m)
{
    static const char *const of_cross_sections[] = {"--mass", "--S-perp", "--e-q2", "--alpha-em"};
    static const char *const of_forward[] = {"--k2", "--angle", "--Lambda"};
    const double tiny = 1e-60, huge = 1e60; /* as cgct_dis_factors takes them */
    m->dsigma = tool_value(c, "--dsigma") || tool_value(c, "--z") || tool_value(c, "--Q2");
    m->error = tool_value(c, "--error") != NULL;
    m->reference = tool_value(c, "--reference") != NULL;
    m->uncertainty = tool_value(c, "--uncertainty") != NULL;
    m->members = tool_value(c, "--members") != NULL;
    m->soft = tool_value(c, "--soft") != NULL;
    if (m->soft) TOOL_TRY(tool_soft_options(c, &m->gluons));
    m->dis = (cgct_dis){.alpha_em = 1 / 137.036, .e_q2 = 1};
    TOOL_TRY(tool_option_number(c, "--alpha-em", tiny, huge, &m->dis.alpha_em));
    TOOL_TRY(tool_option_number(c, "--e-q2", tiny, huge, &m->dis.e_q2));
    TOOL_TRY(tool_option_number(c, "--S-perp", tiny, huge, &m->dis.S_perp));
    TOOL_TRY(tool_option_number(c, "--mass", 0, huge, &m->dis.mass));
    if (m->dsigma && tool_value(c, "--eps"))
        return tool_usage("--eps: follows from --z and --Q2; give one or the other");
    for (size_t i = 0; i < sizeof of_cross_sections / sizeof *of_cross_sections; i++)
        if (tool_value(c, of_cross_sections[i]) && !m->dsigma)
            return tool_usage("%s: is for cross sections; give --z and --Q2, or --dsigma",
                              of_cross_sections[i]);
    for (size_t i = 0; i < sizeof of_forward / sizeof *of_forward; i++)
        if (tool_value(c, of_forward[i]))
            return tool_usage("%s: is for forward dijets; give --process", of_forward[i]);
    if (m->members && (m->error || m->reference || m->uncertainty || m->soft))
        return tool_usage(
            "--members: cannot go with --error, --reference, --uncertainty or --soft");
    if (m->dsigma && m->gluons.z > 0)
        return tool_usage("--soft: z is that of the points, which have one");
    return TOOL_OK;
}

static int points_from_options(const tool_call *c, const char *const *option, number_rows *p)
{
    int st = TOOL_OK;
    cgct_err err;
    number_list list[TOOL_COLUMNS_MAX] = {{0, NULL, 0}};
    for (size_t i = 0; i < p->ncol && st == TOOL_OK; i++) {
        const char *text = tool_value(c, option[i]);
        st = text ? tool_list_parse(option[i], text, &list[i])
                  : tool_usage("%s: is missing", option[i]);
    }
    if (st == TOOL_OK) st = tool_status(number_rows_product(p, list, &err), &err);
    for (size_t i = 0; i < p->ncol; i++) number_list_free(&list[i]);
    return st;
}

static int points_from_file(const tool_call *c, const char *const *option, number_rows *p)
{
    const char *name[TOOL_COLUMNS_MAX];
    cgct_err err;
    for (size_t i = 0; i < p->ncol; i++) {
        if (tool_value(c, option[i]))
            return tool_usage("%s: cannot go with '%s', which has all columns", option[i],
                              c->word[1]);
        name[i] = option[i] + 2;
    }
    cgct_status st = number_rows_read(p, c->word[1], p->ncol, name, &err);
    if (st == CGCT_OK && !p->n) st = cgct_fail(&err, CGCT_E_FORMAT, "%s: no points", p->name);
    return tool_status(st, &err);
}

int tool_points(const tool_call *c, const char *const *option, number_rows *p)
{
    return (c->n == 2 ? points_from_file : points_from_options)(c, option, p);
}

/* ---- values ---- */

static double area_of(const eval_mode *m, size_t member)
{
    return m->dis.S_perp > 0 ? m->dis.S_perp : cgct_member_S_perp(m->table, member);
}

/* A row of the points: arguments of cgct_eval, and what makes T and L of the output from those of
 * the table, as cgct_dis_factors; for I itself 1 and 0. */
typedef struct {
    const double *column;
    double v[5], factor[2][2];
    cgct_dis dis;
} eval_point;

/* The area is that of the member. */
static cgct_status place_point(const eval_mode *m, const number_rows *rows, size_t i, size_t member,
                               eval_point *p)
{
    p->column = rows->v.v + i * rows->ncol;
    p->v[0] = p->column[0];
    p->v[1] = p->column[1];
    memcpy(p->v + 2, p->column + rows->ncol - 3, 3 * sizeof *p->v);
    memcpy(p->factor, (const double[2][2]){{1, 0}, {0, 1}}, sizeof p->factor);
    if (!m->dsigma) return CGCT_OK;
    cgct_dis with_area = p->dis = m->dis;
    with_area.z = p->dis.z = p->column[1];
    with_area.Q2 = p->dis.Q2 = p->column[2];
    with_area.S_perp = area_of(m, member);
    return cgct_dis_factors(&with_area, &p->v[1], p->factor);
}

/* I or the cross section of each member, into m->values. */
static cgct_status eval_members(const eval_mode *m, const eval_point *p)
{
    const double *v = p->v;
    return m->dsigma ? cgct_dsigma_members(m->table, &p->dis, v[0], v[2], v[3], v[4], m->values)
                     : cgct_eval_members(m->table, v[0], v[1], v[2], v[3], v[4], m->values);
}

/* Central, low and high of T and of L. */
static cgct_status eval_range(const eval_mode *m, const eval_point *p, double range[2][3])
{
    double *one = m->values + 2 * m->nmembers;
    const cgct_status st = eval_members(m, p); /* negative: perhaps of one that takes no part */
    if (st != CGCT_OK && st != CGCT_E_NEGATIVE) return st;
    for (size_t pol = 0; pol < 2; pol++) {
        for (size_t i = 0; i < m->nmembers; i++) one[i] = m->values[2 * i + pol];
        const cgct_status of = cgct_uncertainty_of(m->table, one, range[pol]);
        if (of != CGCT_OK) return st == CGCT_OK ? of : st;
    }
    return CGCT_OK;
}

/* That the members have values, where they are to be printed. */
static cgct_status check_members(const eval_mode *m, const eval_point *p, cgct_err *err)
{
    double range[2][3];
    cgct_status st = CGCT_OK;
    if (m->members) st = eval_members(m, p);
    if (st == CGCT_OK && m->uncertainty) st = eval_range(m, p, range);
    if (st == CGCT_OK) return st;
    const double *v = p->v;
    return cgct_fail(err, st, "a member at x = %g, eps = %g, q = %g, k1 = %g, theta = %g: %s", v[0],
                     v[1], v[2], v[3], v[4], cgct_strerror(st));
}

static int check_points(const tool_call *c, const eval_mode *m, const number_rows *rows)
{
    int low_P = 0, high_q = 0;
    const double q_end = c->axes.range[TOOL_Q][1], q_first = c->axes.range[TOOL_Q][0];
    /* where a gluon fits: q reaches beyond twice the first one */
    const double P_end = sqrt(fmax(0, m->k_max * m->k_max - 1.001 * q_first * q_first));
    if (m->soft && !(P_end > 0.5 && q_end > 2 * q_first))
        return tool_fail(
            "--soft: the table has q from %g to %g and k_max = %g GeV, want a last q above "
            "twice the first, and a k_max above 0.5 and the first q",
            q_first, q_end, m->k_max);
    for (size_t i = 0; i < rows->n; i++) {
        cgct_err err;
        eval_point p;
        cgct_status st = place_point(m, rows, i, c->axes.info.member, &p);
        if (st != CGCT_OK)
            cgct_fail(&err, st, "z = %g, Q2 = %g: want 0 < z < 1 and Q2 > 0%s", p.dis.z, p.dis.Q2,
                      m->dis.mass > 0 ? ", or 0" : "; Q2 = 0 needs --mass");
        else
            st = cgct_check(m->table, p.v[0], p.v[1], p.v[2], p.v[3], p.v[4], &err);
        const double P = tool_soft_P(p.v[2], p.v[3], p.v[4]);
        if (st == CGCT_OK && m->soft &&
            !(P >= 0.5 && P < P_end && p.v[2] >= 1e-3 && p.v[2] <= q_end))
            st = cgct_fail(&err, CGCT_E_RANGE,
                           "--soft: P = |k1 - q/2| is %g and q %g GeV, want 0.5 to %.10g and 1e-3 "
                           "to %g",
                           P, p.v[2], P_end, q_end);
        if (st == CGCT_OK && m->soft && m->dsigma && !(p.dis.z >= 1e-4 && p.dis.z <= 1 - 1e-4))
            st = cgct_fail(&err, CGCT_E_RANGE, "--soft: z is %g, want 1e-4 to 1 - 1e-4", p.dis.z);
        if (st == CGCT_OK) st = check_members(m, &p, &err);
        low_P |= P < 3;
        high_q |= p.v[2] > P;
        if (st == CGCT_OK) continue;
        number_rows_blame(rows, i, st, &err);
        return tool_fail("%s%s", err.text,
                         st == CGCT_E_NEGATIVE ? "; --negative keep prints the numbers" : "");
    }
    if (m->soft) tool_soft_warn(c, low_P, high_q);
    return TOOL_OK;
}

/* ---- columns ---- */

enum { COLUMNS_MAX = 30 };

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
                {m->soft, {"soft_T", "soft_L", "soft_err_T", "soft_err_L", "below_T", "below_L"}},
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
    cgct_info info;
    out_remark(o, "eps, q, k1 in GeV, Q2 in GeV^2, theta = angle(k1,q) in radian, %s in GeV^-6",
               m->dsigma ? "dsigma" : "I");
    if (m->error)
        out_remark(o, "err: bound on |error|, numerical and of interpolation; inf: none is known");
    if (cgct_table_info(m->table, &info) == CGCT_OK && info.policy == CGCT_POLICY_FREEZE)
        out_remark(o, "outside of the table I %s at its edge (below the smallest eps: eps^2 I_T)",
                   m->error ? "and its bound are those" : "is that");
    if (m->reference)
        out_remark(o, "ref: the correlation limit, ratio: %s over it", m->dsigma ? "dsigma" : "I");
    if (m->soft)
        out_remark(o,
                   "soft: %s with soft gluons, soft_err: its error, below: the share from below "
                   "the table's first q, %g GeV",
                   m->dsigma ? "dsigma" : "I", *cgct_axis_values(m->table, CGCT_AXIS_Q, NULL));
    if (m->uncertainty)
        out_remark(o, "central, low, high: of %zu members%s%s, uncertainty: %s%s", m->nmembers,
                   aside ? " without " : "", aside ? aside : "", uncertainty ? uncertainty : "none",
                   m->dsigma && one ? "; S_perp is the same for all" : "");
    if (!m->dsigma) return;
    if (one) snprintf(area, sizeof area, "%.6g GeV^-2", area_of(m, member));
    out_remark(o, "T, L: transverse and longitudinal photons");
    out_remark(o,
               "for dz d2k1 d2k2 with e_q2 = %.6g, alpha_em = %.6g, mass = %.6g GeV, S_perp = %s",
               m->dis.e_q2, m->dis.alpha_em, m->dis.mass, area);
    if (o->form != OUT_JSON) return;
    out_number(o, "e_q2", m->dis.e_q2, "");
    out_number(o, "alpha_em", m->dis.alpha_em, "");
    out_number(o, "mass", m->dis.mass, "");
    if (one) out_number(o, "S_perp", area_of(m, member), "");
}

/* ---- rows ---- */

/* From T and L of the table to those of the output, in place.  A factor of 0 leaves out what may be
 * infinite or NaN. */
static void apply_factors(const eval_point *p, double v[2])
{
    double sum[2] = {0, 0};
    for (int out = 0; out < 2; out++)
        for (int in = 0; in < 2; in++)
            if (p->factor[out][in] != 0) sum[out] += p->factor[out][in] * v[in];
    memcpy(v, sum, sizeof sum);
}

/* a over b.  At Q2 = 0, where no photon is longitudinal, that of L is its limit for small Q2. */
static void put_ratio(tool_out *o, const eval_point *p, const double a[2], const double b[2],
                      double limit)
{
    out_cell(o, a[CGCT_T] / b[CGCT_T]);
    out_cell(o, p->factor[CGCT_L][CGCT_L] > 0 ? a[CGCT_L] / b[CGCT_L] : limit);
}

/* I or the cross section, and what goes with it. */
static cgct_status put_values(tool_out *o, const eval_mode *m, const eval_point *p)
{
    const double *v = p->v;
    double I[2], a[2];
    CGCT_TRY(cgct_eval(m->table, v[0], v[1], v[2], v[3], v[4], I));
    const double I_L = I[CGCT_L];
    apply_factors(p, I);
    out_cells(o, 2, I);
    if (m->error) {
        CGCT_TRY(cgct_eval_error(m->table, v[0], v[1], v[2], v[3], v[4], a));
        apply_factors(p, a);
        out_cells(o, 2, a);
    }
    if (m->reference) {
        CGCT_TRY(cgct_reference(m->table, v[0], v[1], v[2], v[3], v[4], a));
        const double limit = I_L / a[CGCT_L];
        apply_factors(p, a);
        out_cells(o, 2, a);
        put_ratio(o, p, I, a, limit);
    }
    return CGCT_OK;
}

static cgct_status put_soft(tool_out *o, eval_mode *m, const eval_point *p)
{
    const double *v = p->v, at[3] = {v[0], v[1], m->dsigma ? p->dis.z : m->gluons.z};
    double I[2], error[2], below[2];
    if (!m->soft_at || memcmp(m->soft_of, at, sizeof at) != 0) {
        cgct_soft_options of = m->gluons;
        of.z = at[2];
        cgct_soft_free(m->soft_at);
        CGCT_TRY(cgct_soft_init(&m->soft_at, m->table, v[0], v[1], &of, NULL));
        memcpy(m->soft_of, at, sizeof at);
    }
    CGCT_TRY(cgct_soft_eval(m->soft_at, v[2], v[3], v[4], I, error, below));
    const double limit = below[CGCT_L];
    for (int i = 0; i < 2; i++) below[i] *= I[i];
    apply_factors(p, I);
    apply_factors(p, error);
    apply_factors(p, below);
    out_cells(o, 2, I);
    out_cells(o, 2, error);
    put_ratio(o, p, below, I, limit);
    return CGCT_OK;
}

/* A row for each member. */
static cgct_status put_members(tool_out *o, const eval_mode *m, const number_rows *rows,
                               const eval_point *p)
{
    CGCT_TRY(eval_members(m, p));
    for (size_t member = 0; member < m->nmembers; member++) {
        const char *name = cgct_member_name(m->table, member);
        out_cells(o, rows->ncol, p->column);
        out_cell_text(o, *name ? name : "-");
        out_cells(o, 2, m->values + 2 * member);
    }
    return CGCT_OK;
}

static cgct_status put_range(tool_out *o, const eval_mode *m, const eval_point *p)
{
    double range[2][3];
    CGCT_TRY(eval_range(m, p, range));
    for (int i = 0; i < 3; i++) out_cells(o, 2, (const double[]){range[0][i], range[1][i]});
    return CGCT_OK;
}

static int print_values(tool_out *o, eval_mode *m, const number_rows *rows, size_t member)
{
    const char *column[COLUMNS_MAX];
    int st = TOOL_OK;
    print_heading(o, m, member);
    out_table(o, "points", name_columns(m, column), column);
    for (size_t i = 0; i < rows->n && st == TOOL_OK; i++) {
        eval_point p;
        cgct_status got = place_point(m, rows, i, member, &p);
        if (!m->members) out_cells(o, rows->ncol, p.column);
        if (got == CGCT_OK) got = m->members ? put_members(o, m, rows, &p) : put_values(o, m, &p);
        if (got == CGCT_OK && m->soft) got = put_soft(o, m, &p);
        if (got == CGCT_OK && m->uncertainty) got = put_range(o, m, &p);
        if (got != CGCT_OK) {
            cgct_err err;
            cgct_fail(&err, got, "x = %g, eps = %g, q = %g, k1 = %g, theta = %g: %s", p.v[0],
                      p.v[1], p.v[2], p.v[3], p.v[4], cgct_strerror(got));
            number_rows_blame(rows, i, got, &err);
            st = tool_fail("%s", err.text);
        }
    }
    out_table_end(o);
    cgct_soft_free(m->soft_at);
    return st;
}

/* Nothing is printed before every point is good. */
static int eval_all(tool_call *c, eval_mode *m, const number_rows *p)
{
    const cgct_info *info = &c->axes.info;
    m->table = c->table;
    m->nmembers = info->members;
    m->k_max = info->k_max;
    const char *member = cgct_member_name(m->table, info->member);
    if (m->uncertainty && word_listed(cgct_meta(m->table, "comparison"), ' ', member))
        return tool_fail("--uncertainty: %s is for comparison, and the range is that of the other "
                         "members; --members prints all",
                         member);
    const int all = m->members || m->uncertainty; /* cross sections need their areas */
    for (size_t i = 0; i < m->nmembers && m->dsigma; i++)
        if ((all || i == info->member) && !(area_of(m, i) > 0))
            return tool_fail("%s: the table does not state S_perp%s%s; give --S-perp, GeV^-2",
                             cgct_table_path(m->table), m->nmembers > 1 ? " of the member " : "",
                             cgct_member_name(m->table, i));
    m->values = malloc(3 * m->nmembers * sizeof *m->values);
    if (!m->values) return tool_fail("no memory for %zu members", m->nmembers);
    int st = check_points(c, m, p);
    if (st == TOOL_OK) st = print_values(&c->out, m, p, info->member);
    free(m->values);
    return st;
}

int cmd_eval(tool_call *c)
{
    eval_mode m = {0};
    const char *policy = tool_value(c, "--policy"), *negative = tool_value(c, "--negative");
    if (tool_value(c, "--process")) return tool_forward(c);
    TOOL_TRY(parse_mode(c, &m));
    const char *const *option = m.dsigma ? dis_options : plain_options;
    number_rows p = {.ncol = m.dsigma ? 6 : 5, .refused = m.dsigma ? "mass" : NULL};
    int st = tool_points(c, option, &p);
    if (st == TOOL_OK) st = tool_open_first(c);
    if (st == TOOL_OK && policy && !strcmp(policy, "freeze"))
        cgct_set_policy(c->table, CGCT_POLICY_FREEZE);
    if (st == TOOL_OK && !(negative && !strcmp(negative, "keep")))
        cgct_set_negative(c->table, CGCT_NEGATIVE_ZERO);
    if (st == TOOL_OK) st = eval_all(c, &m, &p);
    number_rows_free(&p);
    return st;
}
