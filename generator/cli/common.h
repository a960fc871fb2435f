/* SPDX-License-Identifier: GPL-3.0-or-later */
/* common.h: what the subcommands share: command lines, messages, exit statuses, the run card and
 * the points that are asked for. */
#ifndef CGCT_CLI_COMMON_H
#define CGCT_CLI_COMMON_H
#include <stdio.h>

#include "config/config.h"
#include "dipole/dipole.h"
#include "format/command_line.h"
#include "format/lists.h"
#include "format/rows.h"
#include "reader/cgctab.h"
#include "run/forecast.h"
#include "run/survey.h"

/* "cgctab-generate"; every program of these parts defines its own, beside main. */
extern const char cli_name[];
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_GO = -1 };

/* ---- subcommands: argv[0] is the subcommand's name; they return the exit status ---- */

int cli_backends(int argc, char **argv);
int cli_evolve(int argc, char **argv);
int cli_exact(int argc, char **argv);
int cli_f2(int argc, char **argv);
int cli_inner(int argc, char **argv);
int cli_merge(int argc, char **argv);
int cli_plot(int argc, char **argv);
int cli_point(int argc, char **argv);
int cli_run(int argc, char **argv);
int cli_slurm(int argc, char **argv);
int cli_three(int argc, char **argv);
int cli_tmd(int argc, char **argv);
int cli_transform(int argc, char **argv);

/* `run --plan`: the largest grids for each eps that is surveyed, then time, memory and size, on
 * standard output.  evolves: whether the run begins with an equation that the forecast left out. */
cgct_status cli_plan(const run_survey *s, const run_load *load, const run_forecast *f, int evolves,
                     cgct_err *err);

/* ---- command lines and messages ---- */

typedef struct {
    const char *name, *synopsis, *doc; /* name: of the subcommand, or "" */
    const command_option *options;     /* ends with name NULL */
    int show_keys;                     /* --help ends with the keys of a run card */
} cli_spec;

/* Reads options in any order; "--" ends them.  At most npos other words go to pos[] (the rest stays
 * NULL).  Returns CLI_GO, or the exit status after --help, --version, or a usage error (with its
 * message). */
int cli_parse(const cli_spec *spec, int argc, char **argv, size_t npos, const char **pos);

/* The end of a subcommand: the exit status.  After OK standard output is flushed, and CLI_FAILED
 * returned if not everything could be written.  Otherwise the message goes to standard error; wrong
 * usage is CLI_USAGE for E_USAGE and E_CONFIG, everything else CLI_FAILED. */
int cli_end(const cli_spec *spec, cgct_status st, const cgct_err *err);

/* A line on standard error, "cgctab-generate SUBCOMMAND: ..."; subcommand: or "". */
void cli_say(const char *subcommand, const char *format, ...) CGCT_PRINTF_(2, 3);

void cli_program(char *to, size_t size); /* name and version */
void cli_print_version(void);
/* Called before a long computation, so that a mistyped path costs no time. */
cgct_status cli_check_writable(const char *path, cgct_err *err);

/* ---- numbers ---- */

/* The list that is the value of --name, each number in range (see config_check_range), which is
 * given in unit.  E_USAGE where text is NULL or wrong. */
cgct_status cli_numbers(const char *name, const char *text, const char *range, const char *unit,
                        number_list *to, cgct_err *err);
/* The same for one number. */
cgct_status cli_number(const char *name, const char *text, const char *range, const char *unit,
                       double *to, cgct_err *err);
cgct_status cli_integer(const char *name, const char *text, const char *range, const char *unit,
                        double *to, cgct_err *err);

/* The smallest saturation momentum (GeV) at x of the parts of a source.  Errors of dipole_init. */
cgct_status cli_smallest_Qs(const dipole_source *source, double x, double *Qs, cgct_err *err);

/* ---- points ---- */

/* A column of the points: the option --name that lists it, its range, its unit, what was typed or
 * NULL, and the axis of the card that stands in for it or NULL. */
typedef struct {
    const char *name, *range, *unit, *text;
    const grid_axis *axis;
} cli_column;

/* The points of --points path, or where path is NULL the outer product of the lists, the last of
 * the n <= 8 columns fastest; to is all zero before.  Errors: E_USAGE, E_RANGE with the line, and
 * those of number_rows_read. */
cgct_status cli_points(number_rows *to, const char *path, size_t n, const cli_column *columns,
                       cgct_err *err);

/* ---- solutions of the BK equation that the program keeps between its runs (solutions.c), one file
 * each in the user's cache folder, $XDG_CACHE_HOME/cgctab or ~/.cache/cgctab ---- */

typedef struct {
    bk_keeper keeper;
    char *folder;
} cli_solutions;

/* The keeper, for bk_opts; NULL, so that every solution is computed, where `off` is set or
 * CGCTAB_NO_CACHE in the environment, or where there is no home.  Files that are not what was
 * written are named in one line on standard error and count as missing; what cannot be written is
 * not kept.  Beyond SOLUTIONS_BYTES those that were not used for the longest time are removed. */
#define SOLUTIONS_BYTES ((uint64_t)256 << 20)
const bk_keeper *cli_solutions_open(cli_solutions *s, int off);
void cli_solutions_free(cli_solutions *s);

/* ---- the card, the dipole and the points of a subcommand ---- */

/* Options as typed, and what they mean.  All zero before use; cli_task_free accepts that. */
typedef struct {
    const char *process; /* qg, gg or qqb of `point`, or NULL */
    const char *dipole, *x_text, *eps_text, *q_text, *k1_text, *theta_text;
    const char *points_path, *card_path, *member, *backend, *frame, *jobs, *device;
    int quiet; /* nothing about the file of the dipole on standard error but warnings of noise */
    option_texts set;
    int no_cache;
    cli_solutions solutions; /* the keeper of the card's dipole */
    config card;
    dipole_source *source;
    number_list x, eps, q, k1, theta;
    number_rows points; /* x, eps, q, k1, theta */
} cli_task;

/* Rows of a table of options that set the members of cli_task *t. */
/* clang-format off */
#define CLI_SHARED_OPTIONS(t) \
    {"--set", 0, OPTION_TEXTS, &(t)->set, "KEY=VALUE", \
     "override section.key of the card; repeatable"}, \
    {"--jobs", 'j', OPTION_TEXT, &(t)->jobs, "N", "threads (run.jobs)"}, \
    {"--device", 0, OPTION_TEXT, &(t)->device, "LIST", \
     "CUDA devices: 0, 0,2 or all (run.device)"}, \
    {"--no-cache", 0, OPTION_FLAG, &(t)->no_cache, NULL, \
     "solve evolutions anew, and keep none"}
#define CLI_MOMENTUM_OPTIONS(t) \
    {"--q", 0, OPTION_TEXT, &(t)->q_text, "LIST", "pair recoil |q|, GeV"}, \
    {"--k1", 0, OPTION_TEXT, &(t)->k1_text, "LIST", "tagged parton |k1|, GeV"}, \
    {"--theta", 0, OPTION_TEXT, &(t)->theta_text, "LIST", "angle between k1 and q, radian"}
#define CLI_DIPOLE_OPTION(t) \
    {"--dipole", 0, OPTION_TEXT, &(t)->dipole, "gbw|mv|mv:SET|bk:SET|FILE", \
     "dipole model or table file"}
#define CLI_MEMBER_OPTIONS(t) \
    {"--member", 0, OPTION_TEXT, &(t)->member, "NAME", "the member of the card's ensemble"}, \
    {"--quiet", 0, OPTION_FLAG, &(t)->quiet, NULL, "no remarks about the dipole"}
#define CLI_CARD_OPTIONS(t) \
    {"--card", 0, OPTION_TEXT, &(t)->card_path, "CARD", "run card with the other settings"}, \
    CLI_MEMBER_OPTIONS(t), \
    CLI_SHARED_OPTIONS(t)
#define CLI_POINT_OPTIONS(t) \
    CLI_DIPOLE_OPTION(t), \
    {"--x", 0, OPTION_TEXT, &(t)->x_text, "LIST", "momentum fractions"}, \
    {"--eps", 0, OPTION_TEXT, &(t)->eps_text, "LIST", "sqrt(z(1-z) Q^2 + m^2)"}, \
    CLI_MOMENTUM_OPTIONS(t), \
    {"--points", 0, OPTION_TEXT, &(t)->points_path, "FILE|-", \
     "lines 'x eps q k1 theta' in place of the lists; -: standard input"}, \
    CLI_CARD_OPTIONS(t)
/* clang-format on */

/* Reads the card, with --set and the options that stand for keys, and takes the member of it; no
 * lists, no dipole yet.  E_USAGE where neither a card nor a dipole is named. */
cgct_status cli_task_config(cli_task *t, cgct_err *err);
/* The same for subcommands whose argument CARD names the card; E_USAGE without it. */
cgct_status cli_task_card(cli_task *t, cgct_err *err);
/* Sets the number of threads, 0: as many as the machine gives, and sees that they can call BLAS;
 * before a computation.  Errors: those of blas_open. */
cgct_status cli_threads(int jobs, cgct_err *err);
/* Opens the dipole of the card, after cli_threads.  E_RANGE unless every x[nx] lies inside the
 * dipole's range.  Says on standard error which x0 of a file was taken. */
cgct_status cli_task_dipole(cli_task *t, size_t nx, const double *x, cgct_err *err);
/* E_USAGE where the dipole that was opened is for forward dijets of a proton. */
cgct_status cli_check_photons(const cli_task *t, cgct_err *err);
/* The dipoles of a run, after cli_threads: one, or those of an ensemble.  Free them with
 * members_free. */
cgct_status cli_task_members(cli_task *t, dipole_ensemble *members, cgct_err *err);
/* E_USAGE where the task's card or dipole would be written over. */
cgct_status cli_check_not_read(const cli_task *t, const char *path, cgct_err *err);
/* The same for the files of the members' dipoles. */
cgct_status cli_check_not_member(const dipole_ensemble *members, const char *path, cgct_err *err);
/* The file of -o or output.file, as cgct_output_path, which is no input of the task; E_USAGE where
 * path is "". */
cgct_status cli_output_file(const cli_task *t, const char *path, char **file, cgct_err *err);
/* The line about x0, from dipole_x0 or dipole_ensemble, unless the task is quiet. */
void cli_say_x0(const cli_task *t, const char *text, int assumed);
/* The card, the dipole, and the points: of --points, or the outer product of the lists, x slowest,
 * theta fastest; the axes of a card that was given stand in for missing lists. */
cgct_status cli_task_init(cli_task *t, cgct_err *err);
/* The part of it after the card, for points with other columns behind x. */
enum { POINT_COLUMNS = 5 };
cgct_status cli_task_points(cli_task *t, const cli_column columns[POINT_COLUMNS], cgct_err *err);
void cli_task_free(cli_task *t);

/* Row i of the points. */
typedef struct {
    double x, eps, q, k1, theta;
} cli_point_at;
cli_point_at cli_task_point(const cli_task *t, size_t i);
#endif
