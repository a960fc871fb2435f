/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file.c: reads dipole tables in three layouts, which the first line that is no comment decides.
 *
 *   rcBK     four lines '###' with r_min, multiplier, n_r and x0; then for each rapidity '###Y' and
 *            n_r lines of N(r_min multiplier^i);  Y = ln(x0/x).
 *   Y r N    three columns, Y slowest, the same r in every block;  Y = ln(x0/x), x0 of a comment.
 *            With is_S the last column is S.
 *   r N      two columns for one x, used at every x; with is_S the second column is S.
 *
 * Comments, headings, blank lines and numbers are those of format/rows.h. */
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "dipole/dipole_impl.h"
#include "format/crc64.h"
#include "format/lists.h"
#include "format/rows.h"
#include "numerics/memory.h"

/* Evolution codes exceed N = 1 by rounding and by their own accuracy. */
#define N_EXCESS 1e-6
#define NR_MIN 8
#define NR_MAX 100000
/* The r of two blocks must agree to this relative accuracy, with which they are printed at
 * least. */
#define SAME_R 1e-9
#define LNR_MAX 100.0 /* ln r of the last node: far beyond any length */

/* ---- where Y counts from ----
 *
 * What comments say, and which of comments, header and run card is taken. */

/* What a file says of x0, with the lines; 0: none. */
typedef struct {
    double value[2]; /* of comments: the first one, and the first that differs from it */
    unsigned line[2];
    double header; /* of the rcBK layout */
    unsigned header_line;
    unsigned unread, mention; /* what stands behind 'x0 =' is no number; x0 is only named */
    char quote[48];           /* of line `unread` */
} x0_said;

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

static void x0_read(x0_said *s, const char *comment, unsigned line)
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
static cgct_status check_comments(const x0_said *s, const char *path, cgct_err *err)
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

/* Decides; given = 0: not given by the user.  Errors: E_FORMAT where comments contradict each other
 * or are not understood. */
static cgct_status x0_settle(dipole_x0 *to, const x0_said *s, const char *path, double given,
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

/* ---- values ---- */

typedef struct {
    text_lines text;
    dipole_grid *g;
    int is_S, rcbk;
    unsigned heading; /* its line, or 0 */
    x0_said x0;
    size_t n;   /* values so far */
    size_t col; /* values in the current block */
    int nhead;  /* '###' header lines seen */
    double head[4];
} table_parser;

static cgct_status parser_fail(const table_parser *p, cgct_err *err, const char *what, double got,
                               double limit)
{
    return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: %s (%.17g, %.17g)", p->text.name, p->text.line,
                     what, got, limit);
}

/* Stores one N or S, printed with the resolution q, as Gamma = -ln S.  A column that is taken for
 * the other one is not noticed here: both N and S lie in [0, 1]. */
static cgct_status parser_add_value(table_parser *p, double v, double q, cgct_err *err)
{
    static const char *const what[2][2] = {
        {"N is negative (value, least), by rounding or by an error of the evolution; begin the "
         "table at a larger r",
         "N is above 1 (value, most), by rounding or by an error of the evolution; cut the table "
         "off before it"},
        {"S is negative (value, least), by rounding or by an error of the evolution; cut the table "
         "off before it",
         "S is above 1 (value, most), by rounding or by an error of the evolution; begin the table "
         "at a larger r"}};
    const double least = p->is_S ? -N_EXCESS : 0, most = p->is_S ? 1 : 1 + N_EXCESS;
    if (!(v >= least && v <= most))
        return parser_fail(p, err, what[p->is_S != 0][v > most], v, v > most ? most : least);
    double S = p->is_S ? v : 1 - v;
    p->g->gamma[p->n] = S <= 0 ? INFINITY : p->is_S ? -log(v) : -log1p(-v);
    p->g->quantum[p->n] = fmax(q, DBL_EPSILON / 2 * v);
    p->g->line[p->n] = p->text.line;
    p->n++;
    p->col++;
    return CGCT_OK;
}

static cgct_status parser_end_block(const table_parser *p, cgct_err *err)
{
    const dipole_grid *g = p->g;
    if (!g->ny || p->col == g->nr) return CGCT_OK;
    return cgct_fail(err, CGCT_E_FORMAT,
                     "%s:%u: the block Y = %.17g ends after %zu values, want %zu", p->text.name,
                     p->text.line, g->Y[g->ny - 1], p->col, g->nr);
}

static cgct_status parser_begin_block(table_parser *p, double Y, cgct_err *err)
{
    dipole_grid *g = p->g;
    CGCT_TRY(parser_end_block(p, err));
    if (g->ny && !(Y > g->Y[g->ny - 1]))
        return parser_fail(p, err, "rapidities must rise (this Y, the one before)", Y,
                           g->Y[g->ny - 1]);
    g->Y[g->ny++] = Y;
    p->col = 0;
    return CGCT_OK;
}

/* Checks r_min, multiplier, n_r and x0, once all are read, and fills the grid in r. */
static cgct_status rcbk_grid(table_parser *p, cgct_err *err)
{
    const double rmin = p->head[0], mult = p->head[1], nr = p->head[2], x0 = p->head[3];
    if (!(rmin >= 1e-30 && rmin <= 1e3))
        return parser_fail(p, err, "r_min must be a positive length (r_min, least)", rmin, 1e-30);
    if (!(mult > 1.0001 && mult <= 100))
        return parser_fail(p, err, "the multiplier of r must exceed 1 (multiplier, least)", mult,
                           1.0001);
    if (!(nr >= NR_MIN && nr <= NR_MAX && nr == floor(nr)))
        return parser_fail(p, err, "n_r must be an integer from 8 to 100000 (n_r, limit)", nr,
                           nr < NR_MIN ? NR_MIN : NR_MAX);
    if (!(x0 > 0 && x0 <= 1))
        return parser_fail(p, err, "x0 must lie in (0, 1] (x0, limit)", x0, x0 > 0);
    if (!(log(rmin) + nr * log(mult) < LNR_MAX))
        return parser_fail(p, err, "the last r is not a length (ln r, limit)",
                           log(rmin) + nr * log(mult), LNR_MAX);
    for (; p->g->nr < (size_t)nr; p->g->nr++)
        p->g->lnr[p->g->nr] = logl(rmin) + (long double)p->g->nr * logl(mult);
    p->x0.header = x0;
    p->x0.header_line = p->text.line;
    return CGCT_OK;
}

/* A line that begins with ###: one of the header, or a rapidity. */
static cgct_status rcbk_hash(table_parser *p, char *s, cgct_err *err)
{
    char *word[2];
    double v;
    if (p->is_S)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "%s: the rcBK layout holds N, but the column is set to S", p->text.name);
    p->rcbk = p->g->has_x = 1;
    p->g->layout = "rcBK";
    CGCT_TRY(row_numbers(&p->text, row_split(s + 3, 2, word), word, 1, &v, NULL, err));
    if (p->nhead == 4) return parser_begin_block(p, v, err);
    p->head[p->nhead++] = v;
    return p->nhead == 4 ? rcbk_grid(p, err) : CGCT_OK;
}

static cgct_status rcbk_value(table_parser *p, size_t n, char *const *word, cgct_err *err)
{
    double v, q;
    if (!p->g->ny)
        return parser_fail(p, err,
                           "a value before the four ### lines and the ### rapidity (found, want)",
                           p->nhead, 5);
    if (p->col == p->g->nr)
        return parser_fail(p, err, "more values in the block than n_r (Y, n_r)",
                           p->g->Y[p->g->ny - 1], (double)p->g->nr);
    CGCT_TRY(row_numbers(&p->text, n, word, 1, &v, &q, err));
    return parser_add_value(p, v, q, err);
}

/* The next r of a column layout: a new one in the first block, a known one later. */
static cgct_status column_add_r(table_parser *p, double r, cgct_err *err)
{
    dipole_grid *g = p->g;
    if (!(r >= 1e-30 && r <= 1e30))
        return parser_fail(p, err, "r must be a positive length (r, least)", r, 1e-30);
    if (g->ny > 1) {
        if (p->col >= g->nr)
            return parser_fail(p, err, "more r in this block than in the first (r, count there)", r,
                               (double)g->nr);
        if (!(fabsl(logl(r) - g->lnr[p->col]) <= SAME_R))
            return parser_fail(p, err,
                               "every block needs the same r (r here, r in the first block)", r,
                               exp((double)g->lnr[p->col]));
        return CGCT_OK;
    }
    if (g->nr == NR_MAX)
        return parser_fail(p, err, "too many r in one block (count, limit)", NR_MAX, NR_MAX);
    if (g->nr && !(logl(r) > g->lnr[g->nr - 1] + SAME_R))
        return parser_fail(p, err, "r must rise within a block (this r, the one before)", r,
                           exp((double)g->lnr[g->nr - 1]));
    g->lnr[g->nr++] = logl(r);
    return CGCT_OK;
}

/* A heading is skipped, but its names must not say that the columns are other ones. */
static cgct_status column_heading(table_parser *p, size_t n, char *const *word, cgct_err *err)
{
    const char *const last = p->is_S ? "S" : "N", *const other = p->is_S ? "N" : "S";
    p->heading = p->text.line;
    for (size_t i = 0; i < n; i++) {
        const char *w = word[i];
        const size_t left = n - i; /* 1: the last column */
        if (strcasecmp(w, "x") && strcmp(w, other) && (strcasecmp(w, "Y") || left == 3) &&
            (strcmp(w, "r") || left == 2) && (strcmp(w, last) || left == 1))
            continue;
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s:%u: column %zu is named %.20s; want 'Y r %s' or 'r %s'%s",
                         p->text.name, p->text.line, i + 1, w, last, last,
                         strcmp(w, other) ? "" : ", or the other dipole.column");
    }
    return CGCT_OK;
}

static cgct_status column_line(table_parser *p, size_t n, char *const *word, cgct_err *err)
{
    dipole_grid *g = p->g;
    double v[3], q = 0;
    if (!g->layout && n != 2 && n != 3)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s:%u: %zu columns; want 'Y r N', 'r N', or the rcBK layout with its ### "
                         "lines",
                         p->text.name, p->text.line, n);
    if (!g->layout) {
        g->has_x = n == 3;
        g->layout = g->has_x ? "Y r N" : "r N";
    }
    const size_t ncol = g->has_x ? 3 : 2;
    CGCT_TRY(row_numbers(&p->text, n, word, ncol, v, &q, err));
    if (!g->ny || (g->has_x && v[0] != g->Y[g->ny - 1]))
        CGCT_TRY(parser_begin_block(p, g->has_x ? v[0] : 0, err));
    CGCT_TRY(column_add_r(p, v[ncol - 2], err));
    return parser_add_value(p, v[ncol - 1], q, err);
}

static cgct_status parser_line(table_parser *p, char *s, cgct_err *err)
{
    enum { LOOKED_AT = 8 };
    char *word[LOOKED_AT];
    if (!strncmp(s, "###", 3) && (p->rcbk || !p->g->layout)) return rcbk_hash(p, s, err);
    const char *comment = strpbrk(s, "#!");
    if (comment) x0_read(&p->x0, comment, p->text.line);
    const size_t n = row_split(s, LOOKED_AT, word);
    if (!n) return CGCT_OK;
    if (p->rcbk) return rcbk_value(p, n, word, err);
    const int first = !p->g->layout && !p->heading && n <= LOOKED_AT;
    const size_t names = first ? row_heading(n, word) : 0;
    if (names) return column_heading(p, names, word, err);
    return column_line(p, n, word, err);
}

static cgct_status parser_run(table_parser *p, double x0, cgct_err *err)
{
    const char *path = p->text.name;
    dipole_grid *g = p->g;
    size_t lines = 1; /* there are not more values and rapidities */
    for (size_t i = 0; i < p->text.size; i++) lines += p->text.text[i] == '\n';
    const array_part part[] = {ARRAY_PART(g->lnr, NR_MAX), ARRAY_PART(g->Y, lines),
                               ARRAY_PART(g->gamma, lines), ARRAY_PART(g->quantum, lines),
                               ARRAY_PART(g->line, lines)};
    g->arrays = ARRAYS(part);
    g->checksum = cgct_crc64_of(p->text.text, p->text.size);
    for (char *s;;) {
        CGCT_TRY(text_lines_next(&p->text, &s, err));
        if (!s) break;
        CGCT_TRY(parser_line(p, s, err));
    }
    if (!p->text.size)
        return cgct_fail(err, CGCT_E_FORMAT, "%s: the file is empty; want a dipole table", path);
    if (!g->layout)
        return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: no values; want a dipole table", path,
                         p->heading ? p->heading : p->text.line);
    if (!g->ny)
        return parser_fail(p, err, "the file ends in its header (### lines, want)", p->nhead, 5);
    if (g->nr < NR_MIN)
        return parser_fail(p, err, "too few r for a dipole (count, least)", (double)g->nr, NR_MIN);
    CGCT_TRY(parser_end_block(p, err));
    if (!g->has_x && x0 != 0)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "%s: has one dipole for every x, so that dipole.x0 = %.9g does nothing; "
                         "leave it out",
                         path, x0);
    return g->has_x ? x0_settle(&g->x0, &p->x0, path, x0, err) : CGCT_OK;
}

cgct_status dipole_grid_read(dipole_grid *g, const char *path, int is_S, double x0, cgct_err *err)
{
    table_parser p = {.g = g, .is_S = is_S};
    cgct_status st = text_lines_open(&p.text, path, err);
    if (st == CGCT_OK) st = parser_run(&p, x0, err);
    text_lines_close(&p.text);
    return st;
}
