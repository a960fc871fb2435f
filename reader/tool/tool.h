/* SPDX-License-Identifier: MIT */
/* tool.h: what the subcommands of the program cgctab share.  They see the public interface of the
 * reader only; plot_inner.c, which reads another kind of file, is the exception. */
#ifndef CGCTAB_TOOL_H
#define CGCTAB_TOOL_H
#include <stddef.h>
#include <string.h>

#include "../cgctab.h"
#include "out.h"

enum { TOOL_OK = 0, TOOL_FAILED = 1, TOOL_USAGE = 2 }; /* exit status */
enum { TOOL_T_AND_L = 2 };
#define TOOL_PI 3.14159265358979323846
#define TOOL_CLEAR(object) memset(&(object), 0, sizeof(object))

/* ---- the table of commands: help and parser come from it ---- */

typedef struct {
    const char *name;  /* with its dashes */
    const char *value; /* what follows, in capitals, or the words allowed: "a|b"; NULL: a switch */
    const char *doc;
} tool_flag;

struct tool_call;
typedef struct {
    const char *name, *doc;
    const char *words; /* beside the options; "[FILE]": may be missing */
    size_t least, most;
    const char *first;      /* words allowed for the first one, "a|b", or NULL: any */
    const tool_flag *flags; /* ends with name NULL; or NULL */
    const char *more;       /* the rest of --help, or NULL */
    int (*run)(struct tool_call *call);
} tool_command;

extern const tool_command tool_commands[]; /* ends with name NULL */
extern const tool_flag tool_common[];      /* options of every command */
const tool_command *tool_find(const char *name);

/* ---- one run ---- */

enum { TOOL_WORDS_MAX = 4, TOOL_FLAGS_MAX = 24 };
typedef struct tool_call {
    const tool_command *command;
    size_t n;
    const char *word[TOOL_WORDS_MAX];
    struct {
        const char *name, *value;
    } given[TOOL_FLAGS_MAX];
    size_t ngiven;
    tool_out out;
} tool_call;

/* Fills c from the arguments after the command's name.  Returns TOOL_OK, TOOL_USAGE with a message,
 * or -1 after --help or --version, which are printed. */
int tool_parse(tool_call *c, const tool_command *command, int argc, char **argv);
/* What was given for an option (for a switch its name), or NULL. */
const char *tool_value(const tool_call *c, const char *name);

/* ---- messages: one line on stderr, "cgctab: ..."; they return the exit status ---- */

#if defined(__GNUC__)
#define TOOL_PRINTF __attribute__((format(printf, 1, 2)))
#else
#define TOOL_PRINTF
#endif
int tool_fail(const char *format, ...) TOOL_PRINTF;  /* TOOL_FAILED */
int tool_usage(const char *format, ...) TOOL_PRINTF; /* TOOL_USAGE, and where help is */
int tool_flush(void);                                /* TOOL_FAILED where stdout took not all */

/* The candidate nearest to a word, if it is near enough to be meant. */
typedef struct {
    const char *word;
    size_t distance;
    char best[256]; /* "" for none */
} tool_nearest;
void tool_nearest_start(tool_nearest *n, const char *word);
void tool_nearest_try(tool_nearest *n, const char *candidate);
/* The same for the words of "a|b|c". */
void tool_nearest_try_all(tool_nearest *n, const char *words);
/* "; did you mean 'best'?" or "" */
const char *tool_nearest_hint(const tool_nearest *n, char hint[300]);

/* ---- numbers and lists ---- */

typedef struct {
    size_t n;
    double *v;
} tool_list;

/* "1,2,5"; "geom LO HI N"; "lin LO HI N".  Call tool_list_free always. */
int tool_list_parse(const char *option, const char *text, tool_list *list);
int tool_list_add(tool_list *list, double v); /* TOOL_FAILED without memory */
void tool_list_free(tool_list *list);
int tool_number(const char *text, double *v); /* 0: the text is not one finite number */
/* The option's number, if given and in [least, most]; *v stays where it is not. */
int tool_option_number(const tool_call *c, const char *name, double least, double most, double *v);

/* ---- tables ---- */

typedef enum { TOOL_INDEX, TOOL_NODES } tool_want;
/* TOOL_INDEX: nodes can be read one by one, TOOL_NODES: evaluated.  A missing file is answered with
 * the nearest name that is there. */
int tool_open(const char *file, tool_want want, cgct_table **table);

typedef struct {
    size_t n[4]; /* x, eps, q, k */
    const double *v[4];
} tool_axes;
tool_axes tool_axes_of(const cgct_table *t);
extern const char *const tool_axis_name[4];
size_t tool_nearest_node(size_t n, const double *v, double at); /* in the logarithm */
/* 2 pi I_0 + 4 pi Sum (-1)^m cos(m theta) I_m of one point. */
double tool_sum_modes(size_t nm, const double *modes, double theta);

/* ---- commands ---- */

int cmd_axes(tool_call *c);
int cmd_diff(tool_call *c);
int cmd_dump(tool_call *c);
int cmd_eval(tool_call *c);
int cmd_get(tool_call *c);
int cmd_info(tool_call *c);
int cmd_keys(tool_call *c);
int cmd_list(tool_call *c);
int cmd_plot(tool_call *c);
int cmd_stats(tool_call *c);
int cmd_unpack(tool_call *c);
int cmd_verify(tool_call *c);
int cmd_where(tool_call *c);
#endif
