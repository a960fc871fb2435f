/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forward.h: `point --process`: forward dijets of a proton and a nucleus. */
#ifndef CGCT_CLI_FORWARD_H
#define CGCT_CLI_FORWARD_H
#include "cli/common.h"

/* What was typed; the rest is in the task. */
typedef struct {
    const char *z, *k2, *angle, *Lambda, *mass, *dps;
} forward_texts;

/* clang-format off */
#define FORWARD_OPTIONS(t, o) \
    {"--process", 0, OPTION_TEXT, &(t)->process, "qg|gg|qqb", \
     "forward dijets of a proton: q -> qg, g -> gg or g -> q qbar (correlator.process)"}, \
    {"--z", 0, OPTION_TEXT, &(o)->z, "LIST", "share of parton 1, of momentum k1"}, \
    {"--k2", 0, OPTION_TEXT, &(o)->k2, "LIST", "parton 2, GeV"}, \
    {"--angle", 0, OPTION_TEXT, &(o)->angle, "LIST", "angle between k1 and k2, radian"}, \
    {"--Lambda", 0, OPTION_TEXT, &(o)->Lambda, "L", \
     "scale of what is taken off for double parton scattering, GeV"}, \
    {"--mass", 0, OPTION_TEXT, &(o)->mass, "M", "mass of the quark of q -> qg, GeV"}, \
    {"--dps", 0, OPTION_TEXT, &(o)->dps, "log|wave|none", \
     "how double parton scattering is taken off"}
/* clang-format on */

/* E_USAGE where an option of --process is given without it. */
cgct_status cli_forward_unused(const forward_texts *o, cgct_err *err);
/* Prints the points; limit NULL: none. */
cgct_status cli_forward(cli_task *t, const forward_texts *o, const char *limit, cgct_err *err);
#endif
