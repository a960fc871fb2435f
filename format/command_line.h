/* SPDX-License-Identifier: MIT */
/* command_line.h: the beginning, options and one-line messages of all three programs. */
#ifndef CGCT_COMMAND_LINE_H
#define CGCT_COMMAND_LINE_H
#include <stdarg.h>

#include "words.h"

/* The first call of a program.  Opens the standard streams that the caller closed, so that no file
 * gets their descriptors; a limit on the size of files becomes an error of writing; and a signal
 * leaves no temporary file (cgct_tmpfile_clear_on_signals). */
void command_begin(void);

/* ---- options ---- */

/* What `to` of an option points to: an int that becomes 1, a const char *, which is NULL before, an
 * option_texts. */
typedef enum { OPTION_FLAG, OPTION_TEXT, OPTION_TEXTS } option_kind;

enum { OPTION_TEXTS_MAX = 256 };
typedef struct {
    size_t n;
    const char *v[OPTION_TEXTS_MAX];
} option_texts; /* the values of an option that may be repeated */

typedef struct {
    const char *name; /* with its dashes */
    char letter;      /* of the short form, as 'j' of "-j"; 0: there is none */
    option_kind kind;
    void *to;          /* where the value goes; NULL: the caller takes it */
    const char *value; /* its value in --help, or the words allowed, "a|b|c"; NULL: no value */
    const char *doc;
} command_option; /* arrays of them end with name NULL */

/* Reads the words of a command line one after the other; "--" ends the options.  The caller sets
 * argc, argv, own and common, and leaves the rest 0. */
typedef struct {
    int argc;
    char **argv;
    const command_option *own, *common; /* the options allowed, in two tables; or NULL */
    int at, ended;                      /* words read; "--" was among them */
    const char *word;                   /* the last one read, as typed */
    const command_option *found;        /* the option it names */
    const char *value;                  /* of that option, NULL if it takes none */
    char message[400];                  /* what is wrong, as "--flag: takes no value" */
} option_scan;

typedef enum {
    OPTIONS_END,
    OPTIONS_WORD,  /* an argument that is no option, also "-" */
    OPTIONS_FOUND, /* an option: found and value are set, and what its `to` points to */
    OPTIONS_WRONG, /* the caller prints the message */
} option_event;

option_event options_next(option_scan *s);

/* The lines of --help: name, value, doc. */
void options_print(const command_option *o);

/* ---- messages ---- */

/* Prints "who: message" and `tail` as one line on standard error, in one write so that lines of
 * several processes do not mix; what would upset a terminal is replaced (SAFE_LINE).  Standard
 * output is flushed before. */
void message_print(const char *who, const char *tail, const char *format, va_list args);

/* Flushes standard output.  Returns 1, or 0 with a message if not everything could be written. */
int message_flush_output(const char *who);
#endif
