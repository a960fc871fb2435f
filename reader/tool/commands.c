/* SPDX-License-Identifier: MIT */
/* The table of all commands and options, from which the parser and --help work.  Completion in
 * shells reads --help. */
#include "tool.h"

/* value: NULL where the option takes none. */
#define OPTION(name, value, doc)                                                                   \
    {                                                                                              \
        name, 0, OPTION_FLAG, NULL, value, doc                                                     \
    }

const command_option tool_common[] = {
    OPTION("--json", NULL, "results as one JSON object"),
    OPTION("--digits", "N", "significant digits of numbers, 1 to 17"),
    OPTION("--quiet", NULL, "no headings and no remarks"),
    OPTION("--help", NULL, "options of a command"),
    OPTION("--version", NULL, "version of the program"),
    {.name = NULL},
};

static const command_option csv_options[] = {
    OPTION("--csv", NULL, "commas between the columns"),
    {.name = NULL},
};

static const command_option eval_options[] = {
    OPTION("--x", "LIST", "momentum fraction"),
    OPTION("--eps", "LIST", "eps = sqrt(z(1-z) Q2 + mass^2) in GeV"),
    OPTION("--z", "LIST", "with --Q2, instead of --eps: gives dsigma"),
    OPTION("--Q2", "LIST", "virtuality in GeV^2; 0 for real photons"),
    OPTION("--mass", "M", "of the quark in GeV, for dsigma; default 0"),
    OPTION("--q", "LIST", "recoil |k1 + k2| in GeV"),
    OPTION("--k1", "LIST", "tagged parton's momentum in GeV"),
    OPTION("--theta", "LIST", "angle(k1,q) in radian"),
    OPTION("--process", "qg|gg|qqb", "dijets of a proton, from a table of these"),
    OPTION("--k2", "LIST", "with --process: the other parton's momentum in GeV"),
    OPTION("--angle", "LIST", "with --process: angle(k1,k2) in radian"),
    OPTION("--Lambda", "LIST", "with --process: scale of double scattering, GeV"),
    OPTION("--error", NULL, "two more columns: bounds on the error of both"),
    OPTION("--reference", NULL, "four more: the correlation limit, and the ratio to it"),
    OPTION("--soft", "SPEC", "six more: with soft gluons, jets or hadrons, as jets:radius=0.4"),
    OPTION("--uncertainty", NULL, "six more: central, low and high of the members"),
    OPTION("--members", NULL, "a row for each member of an ensemble"),
    OPTION("--dsigma", NULL, "points from a file: columns x z Q2 q k1 theta"),
    OPTION("--policy", "error|freeze", "outside the table: refuse, or take the nearest end"),
    OPTION("--negative", "error|keep", "values below 0 by more than their bound: refuse, or print"),
    OPTION("--alpha-em", "A", "for dsigma; default 1/137.036"),
    OPTION("--e-q2", "E", "squared charge summed over flavours; default 1"),
    OPTION("--S-perp", "S", "transverse area in GeV^-2; default: of the table"),
    OPTION("--csv", NULL, "commas between the columns"),
    {.name = NULL},
};
static const char eval_more[] =
    "\nLists are '1,2,5', 'geom LO HI N' or 'lin LO HI N'; the points are their outer product,\n"
    "theta fastest.  POINTS is a file of lines 'x eps q k1 theta' (with --dsigma 'x z Q2 q k1\n"
    "theta'), '-' standard input; where a line before them names all columns, also in a comment,\n"
    "these are taken by name, as from the output of this command.  Columns: x eps q k1 theta\n"
    "I_T I_L, or with z and Q2 x z Q2 q k1 theta dsigma_T dsigma_L in GeV^-6 for dz d2k1 d2k2,\n"
    "q = k1 + k2: the cross sections of transverse and longitudinal photons, as all columns that\n"
    "go with them.  The error bound is of computation, storage and interpolation together, "
    "without\n"
    "the dipole's uncertainty.  With --process the columns are x z k1 k2 angle Lambda T sigma, z\n"
    "the share of the parton with k1, sigma = dsigma/(dy1 dy2 d2k1 d2k2) over x_p f alpha_s "
    "S_perp.\n";

static const command_option dump_options[] = {
    OPTION("--node", "IX,IEPS", "x and eps of this node, as of 'cgctab list'"),
    OPTION("--x", "X", "with --eps, instead of --node: anywhere in the table"),
    OPTION("--eps", "E", "GeV"),
    OPTION("--csv", NULL, "commas between the columns"),
    {.name = NULL},
};
static const char dump_more[] =
    "\nColumns: q k m I_m_T I_m_L err_T err_L, at the pairs (q,k) of the table's nodes with\n"
    "I(theta) = 2 pi I_0 + 4 pi Sum_{m>0} (-1)^m cos(m theta) I_m; err is the bound on the error\n"
    "of I at theta = pi; at other angles 'eval --error' tells.\n";

static const command_option verify_options[] = {
    OPTION("--deep", NULL, "evaluate the whole table, at nodes and between them"),
    {.name = NULL},
};
static const char accuracy_more[] =
    "\nFrom the bounds in the table, at points that fill each region evenly.  known: the share of\n"
    "values of I_T and I_L whose bound is below 1e-3 of I; resolved: below I.  median, p999,\n"
    "worst: bound over I, the first two of what is resolved.\n"
    "The regions are the whole table, that of a generator of dijets ('dijets'; 'dijets_T' and\n"
    "'dijets_L' of one polarisation, 'dijets_x' in ranges of x), and the ranges of eps and q; of\n"
    "forward dijets, where the values are T at z from 0.05 to 0.95 and Lambda = 1 GeV, the\n"
    "channels and ranges of q.\n";

static const char verify_more[] =
    "\nEvery chunk by name, size and checksum, and all numbers in it.  --deep: every value "
    "finite,\n"
    "and how many are below 0 before they are set to 0, by how much of their bound at most; an\n"
    "ensemble member by member.  Exit status 1 where there is damage, or a value below 0 by more\n"
    "than its bound in a table of a dipole whose cross section is positive at all nodes.\n";

static const command_option diff_options[] = {
    OPTION("--rtol", "R", "same within this share of the larger value"),
    OPTION("--atol", "A", "same within this difference, GeV^-6"),
    OPTION("--bounds", NULL, "same within the sum of the error bounds"),
    {.name = NULL},
};
static const char diff_more[] =
    "\nI_T and I_L of both at the nodes of the first inside the second, at five angles; of\n"
    "forward dijets T of each channel, at z = 0.37 and Lambda = 1 GeV.  All members, in their\n"
    "order, unless FILE@MEMBER or OTHER@MEMBER names one; another number of members counts as\n"
    "different.\n"
    "Without a tolerance every number must be equal, and the axes, too.  Metadata that differ\n"
    "are named, but do not count.  Exit status: 0 same, 1 different, 2 trouble.\n";

static const command_option plot_options[] = {
    OPTION("-o", "FILE", "picture; .png, .svg or .pdf; - is SVG on stdout"),
    OPTION("--data", "FILE", "write the numbers of the picture, too; or - (stdout)"),
    OPTION("--along", "k1|q|theta|x|eps", "slice, compare: the variable; default k1"),
    OPTION("--soft", "SPEC", "slice, vn: also with soft gluons, jets or hadrons, as of 'eval'"),
    OPTION("--x", "LIST", "default: the middle node, as of eps and q"),
    OPTION("--eps", "LIST", "GeV"),
    OPTION("--q", "LIST", "GeV"),
    OPTION("--k1", "LIST", "GeV"),
    OPTION("--theta", "LIST", "radian; default 1.5"),
    OPTION("--K", "LIST", "vn: the length of k1 - q/2, GeV; default 3"),
    OPTION("--m", "M", "map, inner: the angular mode; default 0"),
    OPTION("--ratio", NULL, "map: I over the correlation limit, at --theta"),
    OPTION("--flag", "F",
           "certificate: share of the mean above which a point is marked; default 1e-3"),
    {.name = NULL},
};
static const char plot_more[] =
    "\n  slice TABLE        I_T and I_L along a variable with bands of the error bound and of the\n"
    "                     members; one list gives curves\n"
    "  map TABLE          |I_m|, or with --ratio I over the correlation limit, over q and k1\n"
    "  modes TABLE        |I_m|/I_0 over m, for each --k1\n"
    "  vn TABLE           v_2 and v_4 of the angle between q and k1 - q/2 against q, for each --K\n"
    "  certificate TABLE  error bound over the mean of I over the angle, over q and k1\n"
    "  compare A B        two tables along a variable, and their ratio\n"
    "  inner FILE.cgci    |G_m(Delta,R)| of an inner table\n"
    "Pictures are made by the program gnuplot.\n";

static const command_option page_options[] = {
    OPTION("-o", "FILE", "the page, in HTML; or - (stdout)"),
    {.name = NULL},
};
static const char report_more[] =
    "\nOne file that any browser shows without anything beside it: ranges and nodes, dipole and\n"
    "members, the bound on the error by regions of eps and q, what was compared with direct\n"
    "computation, pictures (by the program gnuplot), metadata, run card, citation.\n";

static const char explore_more[] =
    "\nOne file that any browser shows without a network: the table and the reader are inside.  "
    "Maps\nof I over the plane of q, curves with their bounds, the correlation limit, members and\n"
    "harmonics follow sliders; two tables stand beside each other.  Numbers are those of 'eval'.\n";

static const command_option where_options[] = {
    OPTION("--all", NULL, "every file that the name stands for, in order, and which is opened"),
    {.name = NULL},
};

#define KINDS "slice|map|modes|vn|certificate|compare|inner"

const tool_command tool_commands[] = {
    {"info", "What a table holds: ranges, nodes, members, sizes, dipole, certificate", "FILE", 1, 1,
     NULL, NULL, NULL, cmd_info},
    {"keys", "The keys of the metadata", "FILE", 1, 1, NULL, NULL, NULL, cmd_keys},
    {"get", "The value of one key of the metadata", "FILE KEY", 2, 2, NULL, NULL, NULL, cmd_get},
    {"accuracy", "Where the values are known, and how well, in ranges of x, eps and q", "FILE", 1,
     1, NULL, csv_options, accuracy_more, cmd_accuracy},
    {"axes", "The values of the axes, or of one of them", "FILE [x|eps|q|k]", 1, 2, NULL, NULL,
     "k: the nodes at each q.  With --quiet the numbers alone.\n", cmd_axes},
    {"list", "The nodes in x and eps, with the error bound over the mean of I over the angle",
     "FILE", 1, 1, NULL, csv_options,
     "\nbound_median and bound_max: of the bounds at the nodes in q and k, T and L, where k is\n"
     "the shorter momentum.\n",
     cmd_list},
    {"eval", "I_T and I_L, or the cross sections, at points", "FILE [POINTS|-]", 1, 2, NULL,
     eval_options, eval_more, cmd_eval},
    {"dump", "The angular modes at the nodes in q and k, at one x and eps", "FILE", 1, 1, NULL,
     dump_options, dump_more, cmd_dump},
    {"verify", "Check every chunk and all numbers in it; name what is damaged", "FILE", 1, 1, NULL,
     verify_options, verify_more, cmd_verify},
    {"stats", "Of each mode over I_0 the least, the largest and the decay; bytes", "FILE", 1, 1,
     NULL, csv_options, NULL, cmd_stats},
    {"diff", "Compare two tables", "FILE OTHER", 2, 2, NULL, diff_options, diff_more, cmd_diff},
    {"plot", "A picture", KINDS " FILE [OTHER]", 2, 3, KINDS, plot_options, plot_more, cmd_plot},
    {"report", "A page about a table in HTML: ranges, dipole, bounds, pictures, run card", "FILE",
     1, 1, NULL, page_options, report_more, cmd_report},
    {"explore", "A page for a browser that draws a table, or two, as sliders move", "FILE [OTHER]",
     1, 2, NULL, page_options, explore_more, cmd_explore},
    {"index", "The tables of a folder with checksum, ranges and dipole, as TSV", "FOLDER", 1, 1,
     NULL, NULL,
     "\nFrom the files themselves, with a heading and tabs between the columns: name data_version\n"
     "sha256 bytes members uncertainty x_lo x_hi eps_lo eps_hi q_lo q_hi k_max dipole citation\n"
     "licence; eps, q and k_max in GeV; '-' where a file does not state it.  A file that is "
     "damaged\n"
     "or of another format is named on standard error, the others are listed; exit status 1 "
     "then.\n",
     cmd_index},
    {"where", "Where tables are looked for, and which one a name means", "[FILE]", 0, 1, NULL,
     where_options,
     "\nA FILE without '/' is a file here, or else FILE or FILE.cgct in a folder of "
     "CGCTAB_DATA_PATH or\n"
     "in that of the installed tables.  The first hit is opened.\n",
     cmd_where},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL},
};
