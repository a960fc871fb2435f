/* SPDX-License-Identifier: MIT */
/* tool.h: what the subcommands of the program cgctab share.  It uses the public interface only. */
#ifndef CGCTAB_TOOL_H
#define CGCTAB_TOOL_H
#include <stddef.h>

#include "../cgctab.h"

enum { TOOL_OK = 0, TOOL_FAILED = 1, TOOL_USAGE = 2 }; /* exit status */

/* argv[0] is the subcommand's name. */
int cmd_info(int argc, char **argv);
int cmd_eval(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_unpack(int argc, char **argv);

/* ---- messages: one line on stderr, "cgctab: ..."; return the exit status ---- */

int tool_fail(const char *message);                   /* TOOL_FAILED */
int tool_usage(const char *what, const char *reason); /* TOOL_USAGE, "what: reason; see ..." */
int tool_flush(void);                                 /* TOOL_FAILED where stdout took not all */

/* ---- options ---- */

typedef struct {
    const char *name; /* with its dashes */
    const char *text; /* what follows it; NULL: not given */
    int is_switch;    /* takes nothing after it; text becomes name */
} tool_option;

/* "--name value", "--name=value" and plain words: at most nword of them into words, *n counted.
 * Returns TOOL_OK, TOOL_USAGE with a message, or -1 after --help (nothing printed). */
int tool_parse(int argc, char **argv, size_t nopt, tool_option *opt, size_t nword,
               const char **words, size_t *n);

typedef struct {
    size_t n;
    double *v;
} tool_list;

/* "1,2,5"; text NULL is an empty list.  Frees nothing on failure: call tool_list_free always. */
int tool_list_parse(const char *option, const char *text, tool_list *list);
int tool_list_add(tool_list *list, double v); /* TOOL_FAILED without memory */
void tool_list_free(tool_list *list);
/* One number of the whole text; 0: it is not one. */
int tool_number(const char *text, double *v);
#endif
