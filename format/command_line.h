/* SPDX-License-Identifier: MIT */
/* command_line.h: options and one-line messages of the programs cgctab and cgctab-generate. */
#ifndef CGCT_COMMAND_LINE_H
#define CGCT_COMMAND_LINE_H
#include <stdarg.h>

#include "words.h"

/* ---- options ---- */

/* What `to` of an option points to: int (set to 1), const char *, option_texts; or it is NULL. */
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
    void *to;          /* where the program keeps the value; NULL: elsewhere */
    const char *value; /* in --help, or the words allowed, "a|b|c"; NULL: it takes no value */
    const char *doc;
} command_option; /* arrays of them end with name NULL */

/* The words of a command line, one after the other; all that stands behind "--" is no option.
 * Set argc, argv and own; let the rest be 0. */
typedef struct {
    int argc;
    char **argv;
    const command_option *own, *common; /* the options allowed; NULL: none */
    int at, ended;
    const char *word;            /* the last one read, as typed */
    const command_option *found; /* the option it names */
    const char *value;           /* of that option, NULL if it takes none */
} option_scan;

typedef enum {
    OPTIONS_END,
    OPTIONS_WORD,        /* not an option; "-" is none either */
    OPTIONS_FOUND,       /* found and value are set */
    OPTIONS_UNKNOWN,     /* the following leave a message to the program */
    OPTIONS_TAKES_NONE,  /* "--flag=value" */
    OPTIONS_LACKS_VALUE, /* the last word names an option that needs a value */
} option_event;

option_event options_next(option_scan *s);
/* After OPTIONS_UNKNOWN: the option that was probably meant. */
void options_nearest(const option_scan *s, nearest_word *near);

/* ---- messages ---- */

/* "who: message" and `tail` as one line on standard error, written at once so that the lines of
 * several programs do not mix; standard output is flushed first. */
void message_print(const char *who, const char *tail, const char *format, va_list args);

/* Flushes standard output: 1, or 0 with a message if not everything could be written. */
int message_flush_output(const char *who);
#endif
