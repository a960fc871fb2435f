/* SPDX-License-Identifier: MIT */
/* rows.h: text files line by line, and the rows of numbers in them: points, dipoles, members.
 *
 * Columns are separated by blanks, tabs or commas.  '#' and '!' begin a comment, also behind a row.
 * Lines may end in CR LF. */
#ifndef CGCT_ROWS_H
#define CGCT_ROWS_H
#include <stddef.h>

#include "error.h"
#include "lists.h"

/* A text file in memory; its lines are cut off in place. */
typedef struct {
    const char *name; /* the path that was given, or "standard input" */
    char *text;
    size_t size, pos;
    unsigned line; /* number of the line last returned, from 1 */
} text_lines;

/* Reads the whole file; NULL is standard input.  text_lines_close also after a failure.
 * Errors: E_IO, E_NOMEM. */
cgct_status text_lines_open(text_lines *t, const char *path, cgct_err *err);
/* *line: the next one without blanks at its ends, or NULL after the last.  Errors: E_FORMAT at a
 * zero byte. */
cgct_status text_lines_next(text_lines *t, char **line, cgct_err *err);
void text_lines_close(text_lines *t);

/* Cuts the comment off a line and the rest into columns, in place: word[0..most-1]; "" stands
 * between two commas.  Returns the number of columns, which may exceed `most`; 0: a blank line. */
size_t row_split(char *line, size_t most, char **word);
/* How many names of columns these words are, 0 where they are no heading: each contains a letter,
 * none begins like a number or is nan or inf.  Units in brackets, as (GeV), are left out of
 * word. */
size_t row_heading(size_t n, char **word);
/* v[n] from the `found` columns of the last line, which must be n numbers; unit (or NULL): as in
 * number_scan, of the last one.  Errors: E_FORMAT, with file, line and the text at fault. */
cgct_status row_numbers(const text_lines *t, size_t found, char *const *word, size_t n, double *v,
                        double *unit, cgct_err *err);

/* Rows of ncol numbers, and from which lines they are. */
typedef struct {
    size_t n, ncol;
    number_list v;    /* (n, ncol) row-major */
    number_list line; /* n; 0: from no file */
    const char *name; /* of the file */
    /* a column that would be taken for one that is read: an error; or NULL */
    const char *refused;
} number_rows;

/* Reads the columns name[ncol], ncol <= 8, from a file, or "-" from standard input.  A row holds
 * these alone, in this order; or else a line before it, a comment or not, names as many columns as
 * the row has, and these among them.  The other columns may hold anything.
 * r->ncol and r->name are set here; the rest, but refused, is 0 before.  number_rows_free also
 * after a failure.
 * Errors: E_IO, E_FORMAT with file, line and the text at fault, E_NOMEM. */
cgct_status number_rows_read(number_rows *r, const char *path, size_t ncol, const char *const *name,
                             cgct_err *err);
/* Appends the outer product of ncol lists, the last one fastest.  Errors: E_USAGE (more points than
 * memory is meant for), E_NOMEM. */
cgct_status number_rows_product(number_rows *r, const number_list *lists, cgct_err *err);
void number_rows_free(number_rows *r);
/* Puts "FILE:LINE: " before a message about row i; nothing where it is from no file. */
cgct_status number_rows_blame(const number_rows *r, size_t i, cgct_status st, cgct_err *err);
#endif
