/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/params.h"

enum { AXIS_MAX = 100000 };

/* One finite number at *s; moves *s behind it. */
static int scan_number(const char **s, double *v)
{
    char *end;
    while (isspace((unsigned char)**s)) ++*s;
    *v = strtod(*s, &end);
    if (end == *s || !isfinite(*v)) return 0;
    if (*end && !isspace((unsigned char)*end) && *end != ',') return 0;
    *s = end;
    return 1;
}

static const char *skip_space(const char *s)
{
    while (isspace((unsigned char)*s)) s++;
    return s;
}

static cgct_status parse_spaced(const char *text, int geom, size_t *n, double **v, cgct_err *err)
{
    const char *s = text + strlen(geom ? "geom" : "lin");
    double lo, hi, count;
    if (!scan_number(&s, &lo) || !scan_number(&s, &hi) || !scan_number(&s, &count) ||
        *skip_space(s))
        return cgct_fail(err, CGCT_E_CONFIG, "'%.60s' is not '%s LO HI N' with finite numbers",
                         text, geom ? "geom" : "lin");
    if (!(count >= 2 && count <= AXIS_MAX) || count != floor(count))
        return cgct_fail(err, CGCT_E_CONFIG, "'%.60s': N = %g is not an integer from 2 to %d", text,
                         count, AXIS_MAX);
    if (!(lo < hi) || (geom && !(lo > 0)))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "'%.60s': LO = %g and HI = %g, but %sLO < HI is needed", text, lo, hi,
                         geom ? "0 < " : "");
    *n = (size_t)count;
    *v = malloc(*n * sizeof **v);
    if (!*v) return cgct_fail(err, CGCT_E_NOMEM, "'%.60s': no memory for %zu numbers", text, *n);
    for (size_t i = 0; i < *n; i++) {
        double t = (double)i / (double)(*n - 1);
        (*v)[i] = geom ? lo * pow(hi / lo, t) : lo + (hi - lo) * t;
    }
    (*v)[*n - 1] = hi;
    return CGCT_OK;
}

static cgct_status parse_numbers(const char *text, size_t *n, double *v, cgct_err *err)
{
    const char *s = text;
    *n = 0;
    for (;;) {
        if (*n == AXIS_MAX) return cgct_fail(err, CGCT_E_CONFIG, "more than %d numbers", AXIS_MAX);
        if (!scan_number(&s, &v[*n]))
            return cgct_fail(
                err, CGCT_E_CONFIG,
                "'%.60s': entry %zu is not a finite number; write '1,2,5', 'geom LO HI N' "
                "or 'lin LO HI N'",
                text, *n + 1);
        ++*n;
        s = skip_space(s);
        if (!*s) return CGCT_OK;
        if (*s == ',') s++;
    }
}

static cgct_status check_rising(const char *text, size_t n, const double *v, cgct_err *err)
{
    for (size_t i = 1; i < n; i++)
        if (!(v[i] > v[i - 1]))
            return cgct_fail(
                err, CGCT_E_CONFIG,
                "'%.60s': entry %zu (%g) is not above entry %zu (%g); write the values "
                "rising, each once",
                text, i + 1, v[i], i, v[i - 1]);
    return CGCT_OK;
}

cgct_status config_parse_list(const char *text, int rising, size_t *n, double **v, cgct_err *err)
{
    cgct_status st;
    text = skip_space(text);
    *v = NULL;
    *n = 0;
    if (!strncmp(text, "geom", 4) || !strncmp(text, "lin", 3)) {
        st = parse_spaced(text, *text == 'g', n, v, err);
    } else {
        *v = malloc((strlen(text) / 2 + 2) * sizeof **v); /* a number and a separator each */
        if (!*v) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a list of numbers");
        st = parse_numbers(text, n, *v, err);
    }
    if (st == CGCT_OK && rising) st = check_rising(text, *n, *v, err);
    if (st != CGCT_OK) {
        free(*v);
        *v = NULL;
        *n = 0;
    }
    return st;
}

cgct_status config_check_range(double value, const char *range, const char *unit, cgct_err *err)
{
    char *end;
    double lo = -INFINITY, hi = INFINITY;
    int open_lo = 0, open_hi = 0;
    if (*range) {
        open_lo = range[0] == '(';
        lo = strtod(range + 1, &end);
        hi = strtod(end + 1, &end);
        open_hi = *end == ')';
    }
    if (isfinite(value) && (open_lo ? value > lo : value >= lo) &&
        (open_hi ? value < hi : value <= hi))
        return CGCT_OK;
    return cgct_fail(err, CGCT_E_CONFIG, "%g lies outside %s%s%s", value,
                     *range ? range : "the finite numbers", *unit ? " " : "", unit);
}

/* "a|b|c" contains text as one of its words. */
static int is_choice(const char *text, const char *choices)
{
    size_t n = strlen(text);
    for (const char *s = choices; s; s = strchr(s, '|')) {
        if (*s == '|') s++;
        size_t m = strcspn(s, "|");
        if (m == n && !strncmp(s, text, n)) return 1;
    }
    return 0;
}

static cgct_status set_string(const char **to, const config_param *p, const char *text,
                              void **block, cgct_err *err)
{
    if (*p->range && !is_choice(text, p->range))
        return cgct_fail(err, CGCT_E_CONFIG, "'%.60s' is none of %s", text, p->range);
    size_t size = strlen(text) + 1;
    *block = malloc(size);
    if (!*block) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu bytes", size);
    *to = memcpy(*block, text, size);
    return CGCT_OK;
}

static cgct_status parse_scalar(const config_param *p, const char *text, double *v, cgct_err *err)
{
    const char *s = text;
    const char *what = p->type == CONFIG_INT ? "an integer" : "a finite number";
    if (!scan_number(&s, v) || *skip_space(s) || (p->type == CONFIG_INT && *v != floor(*v)))
        return cgct_fail(err, CGCT_E_CONFIG, "'%.60s' is not %s; allowed: %s%s%s", text, what,
                         *p->range ? p->range : "any", *p->unit ? " " : "", p->unit);
    return config_check_range(*v, p->range, p->unit, err);
}

static cgct_status set_axis(grid_axis *to, const config_param *p, const char *text, void **block,
                            cgct_err *err)
{
    CGCT_TRY(config_parse_list(text, 1, &to->n, &to->v, err));
    *block = to->v;
    for (size_t i = 0; i < to->n; i++) {
        cgct_status st = config_check_range(to->v[i], p->range, p->unit, err);
        if (st != CGCT_OK) return cgct_context(err, st, "entry %zu", i + 1);
    }
    return CGCT_OK;
}

cgct_status config_set(config *c, const config_param *p, const char *text, void **block,
                       cgct_err *err)
{
    void *member = (char *)c + p->offset;
    double v = 0;
    cgct_status st = CGCT_OK;
    *block = NULL;
    if (p->type == CONFIG_STR) st = set_string(member, p, text, block, err);
    if (p->type == CONFIG_AXIS) st = set_axis(member, p, text, block, err);
    if (p->type == CONFIG_INT || p->type == CONFIG_REAL) st = parse_scalar(p, text, &v, err);
    if (st != CGCT_OK) return cgct_context(err, st, "%s.%s", p->section, p->key);
    if (p->type == CONFIG_INT) *(int *)member = (int)v;
    if (p->type == CONFIG_REAL) *(double *)member = v;
    return CGCT_OK;
}
