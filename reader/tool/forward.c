/* SPDX-License-Identifier: MIT */
/* cgctab eval --process: dijets of a proton and a nucleus; T for other commands. */
#include <math.h>

#include "tool.h"

const char *const tool_channel[3] = {"qg", "gg", "qqb"};

cgct_status tool_forward_T(const cgct_table *t, cgct_channel channel, const double v[5], double *T,
                           double *error)
{
    const double along = v[2] - v[3] * cos(v[4]), across = v[3] * sin(v[4]);
    const double k2 = hypot(along, across), angle = v[4] + atan2(across, along);
    const double at[6] = {v[0], v[1], v[3], k2, angle, 1};
    return cgct_pa_eval(t, channel, at, T, error);
}

/* Nothing is printed before every point is good. */
static int print_forward(tool_call *c, cgct_channel channel, const number_rows *p)
{
    static const char *const column[] = {"x",      "z", "k1",    "k2",   "angle",
                                         "Lambda", "T", "sigma", "err_T"};
    const int error = tool_value(c, "--error") != NULL;
    for (size_t i = 0; i < p->n; i++) {
        cgct_err err;
        const cgct_status st = cgct_pa_check(c->table, channel, p->v.v + 6 * i, &err);
        if (st == CGCT_OK) continue;
        number_rows_blame(p, i, st, &err);
        return tool_fail("%s", err.text);
    }
    out_remark(&c->out, "k1, k2, Lambda in GeV, angle(k1,k2) in radian, T in GeV^-4");
    out_remark(&c->out, "sigma: dsigma/(dy1 dy2 d2k1 d2k2) over x_p f(x_p) alpha_s S_perp, GeV^-4");
    if (error) out_remark(&c->out, "err: bound on |error| of T; inf: none is known");
    out_table(&c->out, "points", error ? 9 : 8, column);
    for (size_t i = 0; i < p->n; i++) {
        double T, bound;
        const double *at = p->v.v + 6 * i;
        cgct_pa_eval(c->table, channel, at, &T, &bound);
        out_cells(&c->out, 6, at);
        out_cell(&c->out, T);
        out_cell(&c->out, cgct_pa_factor(channel, at[1]) * T);
        if (error) out_cell(&c->out, bound);
    }
    out_table_end(&c->out);
    return TOOL_OK;
}

int tool_forward(tool_call *c)
{
    static const char *const option[] = {"--x", "--z", "--k1", "--k2", "--angle", "--Lambda"};
    static const char *const photon[] = {"--eps",         "--Q2",      "--mass",   "--q",
                                         "--theta",       "--dsigma",  "--soft",   "--reference",
                                         "--uncertainty", "--members", "--policy", "--negative",
                                         "--alpha-em",    "--e-q2",    "--S-perp"};
    const char *process = tool_value(c, "--process");
    cgct_channel channel = CGCT_QG;
    while (strcmp(process, tool_channel[channel]) != 0) channel++;
    number_rows p = {.ncol = 6};
    for (size_t i = 0; i < sizeof photon / sizeof *photon; i++)
        if (tool_value(c, photon[i]))
            return tool_usage("%s: is for photons, not for --process %s", photon[i], process);
    int st = tool_points(c, option, &p);
    if (st == TOOL_OK) st = tool_open_first(c);
    if (st == TOOL_OK) st = print_forward(c, channel, &p);
    number_rows_free(&p);
    return st;
}
