/* SPDX-License-Identifier: MIT */
/* lists.h: numbers and lists of numbers as they are typed on a command line or in a run card. */
#ifndef CGCT_LISTS_H
#define CGCT_LISTS_H
#include <stddef.h>

#include "error.h"

typedef struct {
    size_t n;
    double *v;   /* owned */
    double from; /* of "cheb ... from X"; 0: none */
} number_list;

/* The one place where numbers are read from text, in any locale: sign, digits with a point or
 * without, exponent.  As Fortran prints them, the letter of the exponent is e, d or q in either
 * case, or is missing before a sign and three digits (1.0-103).  Hexadecimal numbers, nan and inf
 * are none.
 * Returns what follows the number at the start of the text; NULL where there is none, or none that
 * a double can hold.  *unit (or NULL): that of the last digit, 0.01 for 1.25. */
const char *number_scan(const char *text, double *v, double *unit);
/* 1 if the text is one such number, with blanks around it or not; 0 otherwise. */
int number_parse(const char *text, double *v);
/* The same for an integer, of at most 2^53 so that it is exact; "1e6" is one. */
int integer_parse(const char *text, double *v);
/* Two of them with the separator between: "18x275", "2:50", "1/4". */
int number_pair(const char *text, char separator, double v[2]);
int integer_pair(const char *text, char separator, double v[2]);

/* A list in one of five forms:
 *   "1,2,5"          the numbers themselves, separated by commas, blanks or both
 *   "geom LO HI N"   N values with a constant ratio, 0 < LO < HI, both included, N >= 2
 *   "lin LO HI N"    N values at a constant distance, LO < HI, both included, N >= 2
 *   "cheb A B ... N" panels from A > 0 to B, from B to the next end and so on; in each of them N >=
 *                    2 Chebyshev-Lobatto nodes in the logarithm, the ends of panels among them once
 *   "cheb A B ... N from X"   the same in the variable ln ln(X/v), X above the last end
 * On success the list is to be freed with number_list_free, after a failure it is empty.
 * Errors: E_CONFIG with a message that quotes the text, E_NOMEM. */
cgct_status number_list_parse(const char *text, number_list *list, cgct_err *err);

/* How many panels a list "cheb ..." has; 0 for every other text. */
size_t number_list_cheb(const char *text);

/* Appends v.  Errors: E_NOMEM. */
cgct_status number_list_add(number_list *list, double v, cgct_err *err);
void number_list_free(number_list *list);

int number_compare(const void *a, const void *b); /* of doubles, for qsort */
/* The least and the largest of v[n], n > 0. */
void number_range(size_t n, const double *v, double range[2]);
#endif
