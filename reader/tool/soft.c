/* SPDX-License-Identifier: MIT */
/* --soft: its options, and where soft gluons are a poor approximation. */
#include <math.h>

#include "tool.h"

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
