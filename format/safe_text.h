/* SPDX-License-Identifier: MIT */
/* safe_text.h: texts that others wrote (names of files and members, metadata, words of a command
 * line) as the output formats take them.  Such a text may hold any bytes but zero. */
#ifndef CGCT_SAFE_TEXT_H
#define CGCT_SAFE_TEXT_H
#include <stdarg.h>
#include <stdio.h>

#include "error.h"

/* In every form what is not UTF-8 becomes U+FFFD, the replacement character, and so do control
 * characters and code points that are no characters, unless the form says otherwise. */
typedef enum {
    SAFE_LINE,   /* messages, comments, TSV: line feed, return and tab become blanks */
    SAFE_LINES,  /* a terminal: line feed and tab are kept, of "\r\n" the line feed */
    SAFE_COLUMN, /* between blanks: line feed, return and tab become '_' */
    SAFE_CSV,    /* the inside of "...": as SAFE_LINE, and '"' twice */
    SAFE_JSON,   /* the inside of "...": control characters as \u001b; what is no character stays */
    SAFE_XML,    /* text and attributes of XML, HTML and SVG: lines as in SAFE_LINES */
    SAFE_GNUPLOT /* the inside of '...': as SAFE_LINE, and "'" twice */
} safe_form;

enum { SAFE_STEP = 8 }; /* bytes of a step at most, the zero behind them included */

/* Moves *text past one character and fills `step` with what stands for it; returns its bytes, 0 at
 * the end of the text. */
size_t safe_step(safe_form form, const char **text, char step[SAFE_STEP]);

void safe_put(FILE *f, safe_form form, const char *text);
/* Prints what fprintf would print, as SAFE_LINE, and a line feed. */
void safe_line(FILE *f, const char *format, ...) CGCT_PRINTF_(2, 3);
void safe_vline(FILE *f, const char *format, va_list args);
/* As much as there is room for in to[size], whole characters and the zero; returns `to`. */
char *safe_copy(safe_form form, const char *text, char *to, size_t size);
#endif
