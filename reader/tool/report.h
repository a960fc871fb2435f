/* SPDX-License-Identifier: MIT */
/* report.h: a page in HTML while it is written. */
#ifndef CGCTAB_REPORT_H
#define CGCTAB_REPORT_H
#include "tool.h"

typedef struct {
    tool_call *call;
    FILE *f;
    int pictures; /* how many there are so far */
} page;

/* Writes the file of -o: a page of ../explore/, where put(to, WORD, its length) writes to *f what
 * stands for each @@WORD@@.  *f is opened here. */
int put_page(tool_call *c, const char *text, int (*put)(void *to, const char *word, size_t n),
             void *to, FILE **f);

/* Text from a file or a command line, as SAFE_XML. */
void put_text(FILE *f, const char *text);
/* A row of a table of two columns: head is HTML, value text; nothing where value is NULL. */
void put_row(page *p, const char *head, const char *value);
void put_row_of(page *p, const char *head, const char *format, ...) CGCT_PRINTF_(3, 4);

/* What a dipole's text of n bytes has that the first one's has not, of the parts between commas,
 * without how well it is known ("ln ..."). */
void put_difference(page *p, const char *own, size_t n, const char *first, size_t nfirst);

/* The keys of a section with their values and meanings: those that begin with certificate. or
 * interpolation., or with "" all others that have no place of their own.  Returns how many. */
size_t put_metadata(page *p, const char *prefix);

/* What gnuplot's terminal svg wrote to an open file, as part of the page.  The names in it begin
 * with the number of the picture then, so that no two pictures share one. */
int put_svg(page *p, int svg);
#endif
