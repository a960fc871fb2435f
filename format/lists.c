/* SPDX-License-Identifier: MIT */
/* Parses numbers and lists of numbers. */
#include "lists.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 1024 }; /* bytes of one number; strtod itself needs no more than 767 digits */
enum { SPACED_MAX = 1000000 }; /* N of "geom LO HI N": far more values than any axis has */
static const double PI = 3.14159265358979323846;
static const char CHEB[] = "cheb", FROM[] = "from";
static const char BLANKS[] = " \t\r\n\v\f", SEPARATORS[] = " \t\r\n\v\f,";

/* strtod sees a number only after it has been taken apart here: by itself it knows no exponents of
 * Fortran, wants the decimal point of the locale, and takes hexadecimal numbers, nan and inf. */
const char *number_scan(const char *text, double *v, double *unit)
{
    static const char digits[] = "0123456789";
    const char *first = text + (*text == '+' || *text == '-'), *at = first + strspn(first, digits);
    const int whole = (int)(at - text), point = *at == '.';
    const char *decimals = at + point;
    const int ndecimals = point ? (int)strspn(decimals, digits) : 0;
    at = decimals + ndecimals;
    if (at == first + point) return NULL;
    const int letter = *at && strchr("eEdDqQ", *at);
    const char *power = at + letter;
    const int sign = *power == '+' || *power == '-';
    const size_t count = strspn(power + sign, digits);
    /* Fortran prints no letter where the exponent has three digits, as in 1.0-103 */
    const int has_power = letter ? count > 0 : sign && count == 3 && point;
    if (has_power) at = power + sign + count;
    char copy[NUMBER_MAX];
    const int n =
        snprintf(copy, sizeof copy, "%.*s%s%.*se%.*s", whole, text, localeconv()->decimal_point,
                 ndecimals, decimals, has_power ? (int)(at - power) : 1, has_power ? power : "0");
    if (n >= (int)sizeof copy) return NULL;
    *v = strtod(copy, NULL);
    if (unit) *unit = pow(10, (has_power ? (double)strtol(power, NULL, 10) : 0) - ndecimals);
    return isfinite(*v) ? at : NULL;
}

int number_parse(const char *text, double *v)
{
    const char *end = number_scan(text + strspn(text, BLANKS), v, NULL);
    return end && !end[strspn(end, BLANKS)];
}

int integer_parse(const char *text, double *v)
{
    return number_parse(text, v) && *v == floor(*v) && fabs(*v) <= 0x1p53;
}

int number_pair(const char *text, char separator, double v[2])
{
    char first[64];
    const char *at = strchr(text, separator);
    if (!at || (size_t)(at - text) >= sizeof first) return 0;
    memcpy(first, text, (size_t)(at - text));
    first[at - text] = 0;
    return number_parse(first, &v[0]) && number_parse(at + 1, &v[1]);
}

int integer_pair(const char *text, char separator, double v[2])
{
    return number_pair(text, separator, v) && v[0] == floor(v[0]) && v[1] == floor(v[1]);
}

cgct_status number_list_add(number_list *list, double v, cgct_err *err)
{
    /* the memory is doubled whenever n is a power of two */
    if ((list->n & (list->n - 1)) == 0) {
        double *more = realloc(list->v, (list->n ? 2 * list->n : 1) * sizeof *more);
        if (!more) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a list of numbers");
        list->v = more;
    }
    list->v[list->n++] = v;
    return CGCT_OK;
}

void number_list_free(number_list *list)
{
    free(list->v);
    *list = (number_list){0, NULL, 0};
}

static cgct_status parse_plain_list(const char *text, number_list *list, cgct_err *err)
{
    for (const char *at = text;;) {
        double v;
        at += strspn(at, BLANKS);
        size_t length = strcspn(at, SEPARATORS);
        const char *end = number_scan(at, &v, NULL);
        if (!end || end != at + length)
            return cgct_fail(err, CGCT_E_CONFIG,
                             "'%.*s' is not a finite number (entry %zu); a list is '1,2,5', "
                             "'geom LO HI N', 'lin LO HI N' or 'cheb A B ... N'",
                             length < 60 ? (int)length : 60, at, list->n + 1);
        CGCT_TRY(number_list_add(list, v, err));
        at = end + strspn(end, BLANKS);
        if (!*at) return CGCT_OK;
        at += *at == ',';
    }
}

/* N of a list of equal steps or of a panel. */
static cgct_status check_count(const char *text, double count, cgct_err *err)
{
    if (count >= 2 && count <= SPACED_MAX && count == floor(count)) return CGCT_OK;
    return cgct_fail(err, CGCT_E_CONFIG, "'%.60s': N = %g is not an integer from 2 to %d", text,
                     count, SPACED_MAX);
}

static cgct_status parse_spaced_list(const char *text, int is_geom, number_list *list,
                                     cgct_err *err)
{
    const char *name = is_geom ? "geom" : "lin";
    CGCT_TRY(parse_plain_list(text + strlen(name), list, err));
    if (list->n != 3)
        return cgct_fail(err, CGCT_E_CONFIG, "'%.60s' is not '%s LO HI N'", text, name);
    const double lo = list->v[0], hi = list->v[1], count = list->v[2];
    list->n = 0;
    CGCT_TRY(check_count(text, count, err));
    if (!(lo < hi) || (is_geom && !(lo > 0)))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "'%.60s': LO = %g and HI = %g, but %sLO < HI is needed", text, lo, hi,
                         is_geom ? "0 < " : "");
    if (!isfinite(is_geom ? hi / lo : hi - lo))
        return cgct_fail(err, CGCT_E_CONFIG, "'%.60s': LO = %g and HI = %g are too far apart", text,
                         lo, hi);
    for (size_t i = 0, n = (size_t)count; i < n; i++) {
        double t = (double)i / (double)(n - 1),
               value = is_geom ? lo * pow(hi / lo, t) : lo + (hi - lo) * t;
        CGCT_TRY(number_list_add(list, i == n - 1 ? hi : value, err));
    }
    return CGCT_OK;
}

/* The nodes of one panel after its first, which is there already. */
static cgct_status append_panel(double lo, double hi, size_t n, number_list *list, cgct_err *err)
{
    for (size_t i = 1; i < n; i++) {
        double u = 0.5 * (1 - cos(PI * (double)i / (double)(n - 1))), v = lo * pow(hi / lo, u);
        if (list->from > 0) {
            double first = log(list->from / lo), last = log(list->from / hi);
            v = list->from * exp(-first * pow(last / first, u));
        }
        CGCT_TRY(number_list_add(list, i == n - 1 ? hi : v, err));
    }
    return CGCT_OK;
}

/* given: the ends of the panels, then the number of nodes of each. */
static cgct_status check_panels(const char *text, const number_list *given, cgct_err *err)
{
    size_t ends = given->n - 1;
    double count = given->v[ends];
    if (given->n < 3) return cgct_fail(err, CGCT_E_CONFIG, "'%.60s' is not 'cheb A B ... N'", text);
    CGCT_TRY(check_count(text, count, err));
    if ((double)(ends - 1) * count > SPACED_MAX)
        return cgct_fail(err, CGCT_E_CONFIG, "'%.60s': %zu panels of %g, at most %d values", text,
                         ends - 1, count, SPACED_MAX);
    for (size_t i = 0; i < ends; i++)
        if (!(given->v[i] > (i ? given->v[i - 1] : 0)) || !isfinite(given->v[i] / given->v[0]))
            return cgct_fail(err, CGCT_E_CONFIG,
                             "'%.60s': the ends of panels must be positive and rise, "
                             "by less than a factor 1e308, but entry %zu "
                             "is %g",
                             text, i + 1, given->v[i]);
    return CGCT_OK;
}

static cgct_status parse_panels(const char *text, number_list *list, cgct_err *err)
{
    number_list given = {0, NULL, 0};
    char *copy = strdup(text);
    if (!copy) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a list of numbers");
    cgct_status st = CGCT_OK;
    char *at = strstr(copy, FROM); /* "from X" at the end */
    if (at) {
        *at = 0;
        if (!number_parse(at + strlen(FROM), &list->from) || !(list->from > 0))
            st =
                cgct_fail(err, CGCT_E_CONFIG, "'from %.40s': want a number > 0", at + strlen(FROM));
    }
    if (st == CGCT_OK) st = parse_plain_list(copy + strlen(CHEB), &given, err);
    if (st == CGCT_OK) st = check_panels(text, &given, err);
    const double last = st == CGCT_OK ? given.v[given.n - 2] : 0;
    if (st == CGCT_OK && at && !(list->from > last * (1 + 1e-9)))
        st = cgct_fail(err, CGCT_E_CONFIG, "'from %g' must lie above the last end, %g", list->from,
                       last);
    if (st == CGCT_OK) st = number_list_add(list, given.v[0], err);
    for (size_t i = 0; st == CGCT_OK && i + 2 < given.n; i++)
        st = append_panel(given.v[i], given.v[i + 1], (size_t)given.v[given.n - 1], list, err);
    number_list_free(&given);
    free(copy);
    return st;
}

cgct_status number_list_parse(const char *text, number_list *list, cgct_err *err)
{
    const char *first = text + strspn(text, BLANKS);
    int is_geom = !strncmp(first, "geom", 4), is_lin = !strncmp(first, "lin", 3);
    *list = (number_list){0, NULL, 0};
    cgct_status st = is_geom || is_lin         ? parse_spaced_list(first, is_geom, list, err)
                     : number_list_cheb(first) ? parse_panels(first, list, err)
                                               : parse_plain_list(first, list, err);
    if (st != CGCT_OK) number_list_free(list);
    return st;
}

size_t number_list_cheb(const char *text)
{
    size_t words = 0;
    text += strspn(text, BLANKS);
    if (strncmp(text, CHEB, strlen(CHEB))) return 0;
    for (const char *at = text; *at && strncmp(at, FROM, strlen(FROM));
         at += strspn(at, SEPARATORS), words++)
        at += strcspn(at, SEPARATORS);
    return words > 3 ? words - 3 : 1;
}

int number_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void number_range(size_t n, const double *v, double range[2])
{
    range[0] = range[1] = v[0];
    for (size_t i = 1; i < n; i++) {
        if (v[i] < range[0]) range[0] = v[i];
        if (v[i] > range[1]) range[1] = v[i];
    }
}
