/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_common.h: what the subcommands share: options, messages, exit statuses, the points asked for.
 */
#ifndef CGCT_CLI_COMMON_H
#define CGCT_CLI_COMMON_H
#include <stdio.h>

#include "config/config.h"
#include "dipole/dipole.h"
#include "config/members.h"
#include "reader/cgctab.h"

#define CLI_PROGRAM "cgctab-generate"
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_GO = -1 };

/* Subcommands: argv[0] is the subcommand's name; the exit status is returned. */
int cli_run(int argc, char **argv);
int cli_axes(int argc, char **argv);
int cli_point(int argc, char **argv);
int cli_inner(int argc, char **argv);
int cli_transform(int argc, char **argv);
int cli_merge(int argc, char **argv);
int cli_slurm(int argc, char **argv);
int cli_exact(int argc, char **argv);
int cli_validate(int argc, char **argv);
int cli_three(int argc, char **argv);
int cli_backends(int argc, char **argv);

void cli_print_version(void);
void cli_program(char *to, size_t size); /* name and version */

/* ---- options ---- */

enum { CLI_SET_MAX = 256 };
typedef struct {
    size_t n;
    const char *v[CLI_SET_MAX];
} cli_texts;

typedef enum { CLI_FLAG, CLI_TEXT, CLI_TEXTS } cli_kind;
typedef struct {
    const char *name; /* without the dashes */
    char letter;      /* of the short form, or 0 */
    cli_kind kind;
    void *to; /* int * (flag), const char ** (text), cli_texts * */
    const char *arg, *help;
} cli_option;

typedef struct {
    const char *name, *synopsis, *doc;
    const cli_option *options; /* ends with name NULL */
    int show_keys;             /* --help ends with the keys of a run card */
} cli_spec;

/* Options in any order; "--" ends them.  At most npos other words go to pos[] (the rest stays
 * NULL). Returns CLI_GO, or the exit status after --help, --version, or a usage error (message
 * printed). */
int cli_parse(const cli_spec *spec, int argc, char **argv, size_t npos, const char **pos);

/* "cgctab-generate point: message" to stderr; the exit status: wrong usage for E_USAGE and
 * E_CONFIG, failed for the others. */
int cli_fail(const cli_spec *spec, cgct_status st, const cgct_err *err);

/* Flush standard output; CLI_DONE, or CLI_FAILED with a message if not all could be written. */
int cli_finish_stdout(const cli_spec *spec);

/* ---- points ---- */

typedef struct {
    size_t n;
    double *v;
} cli_list;

/* Options as typed, and what they mean.  All zero before use; cli_task_free accepts that. */
typedef struct {
    const char *dipole, *x_text, *eps_text, *q_text, *k1_text, *theta_text;
    const char *card_path, *backend, *frame, *jobs, *device;
    cli_texts set;
    config card;
    dipole_source *source;
    cli_list x, eps, q, k1, theta;
} cli_task;

#define CLI_SHARED_OPTIONS(t)                                                                      \
    {"set", 0, CLI_TEXTS, &(t)->set, "KEY=VALUE", "override section.key of the card; repeatable"}, \
        {"jobs", 'j', CLI_TEXT, &(t)->jobs, "N", "threads (run.jobs)"},                            \
    {                                                                                              \
        "device", 0, CLI_TEXT, &(t)->device, "LIST", "CUDA devices: 0, 0,2 or all (run.device)"    \
    }

#define CLI_POINT_OPTIONS(t)                                                                       \
    {"dipole", 0, CLI_TEXT, &(t)->dipole, "gbw|mv|mv:SET|FILE", "dipole model or table file"},     \
        {"x", 0, CLI_TEXT, &(t)->x_text, "LIST", "momentum fractions"},                            \
        {"eps", 0, CLI_TEXT, &(t)->eps_text, "LIST", "sqrt(z(1-z)) Q, GeV"},                       \
        {"q", 0, CLI_TEXT, &(t)->q_text, "LIST", "pair recoil |q|, GeV"},                          \
        {"k1", 0, CLI_TEXT, &(t)->k1_text, "LIST", "tagged parton |k1|, GeV"},                     \
        {"theta", 0, CLI_TEXT, &(t)->theta_text, "LIST", "angle between k1 and q, radian"},        \
        {"card", 0, CLI_TEXT, &(t)->card_path, "CARD", "run card with the other settings"},        \
        CLI_SHARED_OPTIONS(t)

/* Card with --set and the options that stand for keys; no lists, no dipole yet. */
cgct_status cli_task_config(cli_task *t, cgct_err *err);
/* The dipole that the card names, with every x[nx] inside its range. */
cgct_status cli_task_dipole(cli_task *t, size_t nx, const double *x, cgct_err *err);
/* The dipoles of a production, one or an ensemble. */
cgct_status cli_task_members(cli_task *t, dipole_ensemble *members, cgct_err *err);
/* Both, and the lists: x, eps, q, k1 fall back to the card's axes where a card is given. */
cgct_status cli_task_init(cli_task *t, cgct_err *err);
void cli_task_free(cli_task *t);
#endif
