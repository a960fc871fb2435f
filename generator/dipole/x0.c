/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x0.c: where the rapidity Y = ln(x0/x) of a table file counts from: what its comments say, and
 * which of comments, header and run card is taken. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "dipole/dipole_impl.h"
#include "format/lists.h"
#include "numerics/memory.h"

/* Programs print six digits if nothing else is asked of them: such values are the same. */
#define SAME_X0 1e-5

static const char blanks[] = " \t";

static int is_x0(double v)
{
    return v > 0 && v <= 1;
}

static int differs(double a, double b)
{
    return fabs(a - b) > SAME_X0 * fabs(a);
}

/* The first x0 in a text, in one of its spellings; *end: what follows it.  NULL: there is none. */
static const char *find_x0(const char *text, const char **end)
{
    static const char *const name[] = {"x_initial", "x_init", "xinit", "x_{0}", "x_0", "x0"};
    for (const char *at = text; *at; at++) {
        if (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_')) continue;
        for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
            *end = at + strlen(name[i]);
            if (!strncasecmp(at, name[i], strlen(name[i])) && !isalnum((unsigned char)**end) &&
                **end != '_')
                return at;
        }
    }
    return NULL;
}

/* Whether a number ends here: 10^-2, 1/100, 1 x 10 and 0,01 go on. */
static int number_ends(const char *at)
{
    const char *next = at + strspn(at, blanks);
    if (*at == ',' || *at == '.') return !isalnum((unsigned char)at[1]);
    if (*next && strchr("*/^", *next)) return 0;
    if (*next == 'x' && isdigit((unsigned char)next[1 + strspn(next + 1, blanks)])) return 0;
    return !*at || strchr(" \t;:)]}\"'$", *at);
}

/* The number that a text behind x0 states; 0 where it states none.  *sign: whether there is a sign
 * between them, which promises one; without it only a possible x0 is meant. */
static int read_statement(const char *at, double *v, int *sign)
{
    static const char *const words[] = {":=", "==", "=", ":", "~", "is "}, around[] = " \t\"'$(){}";
    const char *begin = at;
    at += strspn(at, around);
    *sign = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(at, words[i], strlen(words[i]))) {
            *sign = ispunct((unsigned char)*at);
            at += strlen(words[i]);
            break;
        }
    at += strspn(at, around);
    const char *end = at > begin ? number_scan(at, v, NULL) : NULL;
    return end && number_ends(end) && (*sign || is_x0(*v));
}

void dipole_x0_read(dipole_x0_said *s, const char *comment, unsigned line)
{
    const char *end;
    for (const char *at = comment; (at = find_x0(at, &end)) != NULL; at = end) {
        double v;
        int sign;
        if (read_statement(end, &v, &sign)) {
            const int other = s->line[0] && differs(v, s->value[0]);
            if (s->line[other]) continue;
            s->value[other] = v;
            s->line[other] = line;
        } else if (sign && !s->unread) {
            s->unread = line;
            snprintf(s->quote, sizeof s->quote, "%s", at);
        } else if (!s->mention) {
            s->mention = line;
        }
    }
}

/* Refuses what comments say where nothing else decides. */
static cgct_status check_comments(const dipole_x0_said *s, const char *path, cgct_err *err)
{
    if (s->line[1])
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s: x0 = %.9g in line %u, but x0 = %.9g in line %u; remove one, or set "
                         "dipole.x0",
                         path, s->value[0], s->line[0], s->value[1], s->line[1]);
    if (s->line[0] && !is_x0(s->value[0]))
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s:%u: x0 = %.9g, but x0 must lie in (0, 1]; mend it, or set dipole.x0",
                         path, s->line[0], s->value[0]);
    if (!s->line[0] && s->unread)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s:%u: '%s' is not understood; write x0 as one decimal number, or set "
                         "dipole.x0",
                         path, s->unread, s->quote);
    return CGCT_OK;
}

cgct_status dipole_x0_settle(dipole_x0 *to, const dipole_x0_said *s, const char *path, double given,
                             cgct_err *err)
{
    const int header = s->header_line > 0;
    const unsigned line = header ? s->header_line : s->line[0];
    const double in_file = header ? s->header : s->line[0] ? s->value[0] : 1;
    if (!header && !(given > 0)) CGCT_TRY(check_comments(s, path, err));
    size_t size;
    FILE *f = memory_text_open(&to->text, &size);
    to->value = given > 0 ? given : in_file;
    to->from = given > 0 ? DIPOLE_X0_CARD : line ? DIPOLE_X0_FILE : DIPOLE_X0_ASSUMED;
    fprintf(f, "x0 = %.9g", to->value);
    if (to->from == DIPOLE_X0_CARD) {
        fputs(", from dipole.x0", f);
        if (line && differs(given, in_file))
            fprintf(f, "; line %u of %.200s has %.9g", line, path, in_file);
    } else if (to->from == DIPOLE_X0_FILE) {
        fprintf(f, ", from line %u of %.200s", line, path);
        for (int i = 0; i < 2 && header; i++)
            if (s->line[i] && differs(s->value[i], in_file))
                fprintf(f, "; the comment in line %u has %.9g", s->line[i], s->value[i]);
    } else if (s->mention) {
        fprintf(f, " is assumed: line %u of %.200s names x0, but no number; set dipole.x0",
                s->mention, path);
    } else {
        fprintf(f, " is assumed: %.200s does not state it; set dipole.x0", path);
    }
    memory_text_close(f);
    return CGCT_OK;
}
