/* SPDX-License-Identifier: MIT */
/* Every command and option, once: the parser and --help read this table.  The files in
 * completion/ repeat it for the shells (a test compares them). */
#include "tool.h"

const tool_flag tool_common[] = {
    {"--json", NULL, "results as one JSON object"},
    {"--digits", "N", "significant digits of numbers, 1 to 17"},
    {"--quiet", NULL, "no headings and no remarks"},
    {"--help", NULL, "options of a command"},
    {"--version", NULL, "version of the program"},
    {NULL, NULL, NULL},
};

static const tool_flag csv_flags[] = {
    {"--csv", NULL, "commas between the columns"},
    {NULL, NULL, NULL},
};

static const tool_flag eval_flags[] = {
    {"--x", "LIST", "momentum fraction"},
    {"--eps", "LIST", "eps = sqrt(z(1-z)) Q in GeV"},
    {"--z", "LIST", "with --Q2, instead of --eps: gives dsigma"},
    {"--Q2", "LIST", "virtuality in GeV^2"},
    {"--q", "LIST", "recoil |k1 + k2| in GeV"},
    {"--k1", "LIST", "tagged parton's momentum in GeV"},
    {"--theta", "LIST", "angle(k1,q) in radian"},
    {"--error", NULL, "two more columns: the stored bounds on the error of both"},
    {"--dsigma", NULL, "points from a file: columns x z Q2 q k1 theta"},
    {"--policy", "error|freeze", "outside the grid: refuse, or take the nearest end"},
    {"--alpha-em", "A", "for dsigma; default 1/137.036"},
    {"--e-q2", "E", "squared charge summed over flavours; default 1"},
    {"--S-perp", "S", "transverse area in GeV^-2; default 1"},
    {"--csv", NULL, "commas between the columns"},
    {NULL, NULL, NULL},
};
static const char eval_more[] =
    "\nLists are '1,2,5', 'geom LO HI N' or 'lin LO HI N'; the points are their outer product,\n"
    "theta fastest.  POINTS is a file of lines 'x eps q k1 theta' (with --dsigma 'x z Q2 q k1\n"
    "theta'), '-' standard input.  Columns: x eps q k1 theta I_T I_L, or with z and Q2\n"
    "x z Q2 q k1 theta dsigma_T dsigma_L in GeV^-6 for dz d2k1 d2k2, q = k1 + k2.\n";

static const tool_flag dump_flags[] = {
    {"--node", "IX,IEPS", "this node as it is stored; numbers as of 'cgctab list'"},
    {"--x", "X", "a slice of values at this x and --eps, anywhere in the table"},
    {"--eps", "E", "eps of the slice in GeV"},
    {"--q", "LIST", "of the slice; default: the axis of the table"},
    {"--k1", "LIST", "of the slice; default: the axis of the table"},
    {"--theta", "LIST", "of the slice; default 0"},
    {"--csv", NULL, "commas between the columns"},
    {NULL, NULL, NULL},
};
static const char dump_more[] =
    "\nA node has the columns q k m T L err_T err_L flag_T flag_L: the modes I_m (of a folded\n"
    "table J_m), the bounds on the error, and 1 where the scale is not I_0 (FORMAT.md 3.6).\n"
    "A slice has the columns of 'cgctab eval --error'.\n";

static const tool_flag verify_flags[] = {
    {"--deep", NULL, "decode every node, not eight; compare I(q,k1) with I(q,k2)"},
    {NULL, NULL, NULL},
};
static const char verify_more[] =
    "\nEvery checksum, sizes, axes; of the nodes decoded: finite numbers, the sign of I at nine\n"
    "angles, and the certificate, that is the share of the error bound in I_0, taken again.  With\n"
    "--deep also how much I(q,k1) and I(q,k2), k2 = q - k1, differ, which are the same number: "
    "the\n"
    "error between nodes shows there (a folded table is symmetric by construction).  Exit status\n"
    "1 where there is damage, or a value below 0 by more than its bound and rounding.\n";

static const tool_flag diff_flags[] = {
    {"--rtol", "R", "same within this share of the larger value"},
    {"--atol", "A", "same within this difference, GeV^-6"},
    {"--bounds", NULL, "same within the sum of the stored error bounds"},
    {NULL, NULL, NULL},
};
static const char diff_more[] =
    "\nI_T and I_L of both at the nodes of the first inside the second, at five angles.\n"
    "Without a tolerance every number must be equal, and the axes, too.  Metadata that differ\n"
    "are named, but do not count.  Exit status: 0 same, 1 different, 2 trouble.\n";

static const tool_flag plot_flags[] = {
    {"-o", "FILE", "picture; .png, .svg or .pdf"},
    {"--data", "FILE", "write the numbers of the picture, too"},
    {"--along", "k1|q|theta|x|eps", "slice, compare: the variable; default k1"},
    {"--x", "LIST", "default: the middle of the axis, as of the other variables"},
    {"--eps", "LIST", "GeV"},
    {"--q", "LIST", "GeV"},
    {"--k1", "LIST", "GeV"},
    {"--theta", "LIST", "radian; default 1.5"},
    {"--m", "M", "map, inner: the angular mode; default 0"},
    {"--flag", "F", "certificate: share of I_0 from which a point is marked; default 1e-3"},
    {NULL, NULL, NULL},
};
static const char plot_more[] =
    "\n  slice TABLE        I_T and I_L along a variable with error bands; one list gives curves\n"
    "  map TABLE          |I_m| over q and k\n"
    "  modes TABLE        |I_m|/I_0 over m, for each --k1\n"
    "  certificate TABLE  error bound over I_0 for q and k of the nearest node\n"
    "  compare A B        two tables along a variable, and their ratio\n"
    "  inner FILE.cgci    |G_m(Delta,R)| of an inner table\n"
    "Pictures are made by the program gnuplot.\n";

#define KINDS "slice|map|modes|certificate|compare|inner"

const tool_command tool_commands[] = {
    {"info", "What a table holds: versions, axes, sizes, dipole, certificate", "FILE", 1, 1, NULL,
     NULL, "Header, metadata, axes and index are checked; nodes are not read.\n", cmd_info},
    {"keys", "The keys of the metadata", "FILE", 1, 1, NULL, NULL, NULL, cmd_keys},
    {"get", "The value of one key of the metadata", "FILE KEY", 2, 2, NULL, NULL, NULL, cmd_get},
    {"axes", "The values of the axes, or of one of them", "FILE [x|eps|q|k]", 1, 2, NULL, NULL,
     "With --quiet the numbers alone.\n", cmd_axes},
    {"list", "The nodes: place, modes, sizes, largest error bound over I_0, flagged points", "FILE",
     1, 1, NULL, csv_flags, NULL, cmd_list},
    {"eval", "I_T and I_L, or the cross sections, at points", "FILE [POINTS|-]", 1, 2, NULL,
     eval_flags, eval_more, cmd_eval},
    {"dump", "A node or a slice as text or CSV", "FILE", 1, 1, NULL, dump_flags, dump_more,
     cmd_dump},
    {"verify", "Check every checksum, the numbers, the sign and the certificate", "FILE", 1, 1,
     NULL, verify_flags, verify_more, cmd_verify},
    {"stats", "Of each mode over I_0 the least, the largest and the decay; bytes and ratio", "FILE",
     1, 1, NULL, csv_flags, NULL, cmd_stats},
    {"diff", "Compare two tables", "FILE OTHER", 2, 2, NULL, diff_flags, diff_more, cmd_diff},
    {"plot", "A picture", "KIND FILE [OTHER]", 2, 3, KINDS, plot_flags, plot_more, cmd_plot},
    {"unpack", "Write a table uncompressed, to be mapped into memory", "FILE TARGET", 2, 2, NULL,
     NULL, "Larger, opened in no time, shared between processes, readable without zstd.\n",
     cmd_unpack},
    {"where", "Where tables are looked for, and which one a name means", "[FILE]", 0, 1, NULL, NULL,
     NULL, cmd_where},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL},
};
