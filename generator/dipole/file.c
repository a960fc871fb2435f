/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file.c: reads dipole tables in three layouts, which the first line that is no comment decides.
 *
 *   rcBK     '#' begins comments; four lines '###' with r_min, multiplier, n_r and x0; then for
 *            each rapidity '###Y' and n_r lines of N(r_min multiplier^i);  Y = ln(x0/x).
 *   Y r N    three columns, Y slowest, the same r in every block;  x = x0 exp(-Y), x0 = 1 unless a
 *            comment '# x0 = VALUE' says otherwise.  With is_S the last column is S.
 *   r N      two columns for one x, used at every x; with is_S the second column is S.
 *
 * Blank lines are skipped everywhere.  Numbers may have Fortran's exponents, 1.2d-09 or 1.2D-09. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "dipole/dipole_impl.h"
#include "format/crc64.h"
#include "numerics/arrays.h"

/* Evolution codes exceed N = 1 by rounding and by their own accuracy. */
#define N_EXCESS 1e-6
#define NR_MIN 8
#define NR_MAX 100000
/* The r of two blocks must agree to this relative accuracy, with which they are printed at
 * least. */
#define SAME_R 1e-9
#define LNR_MAX 100.0 /* ln r of the last node: far beyond any length */

/* ---- the text of a file ---- */

/* A file in memory, which is read line by line; lines are cut off in place. */
typedef struct {
    const char *path;
    char *text; /* size + 1 bytes */
    size_t size, pos;
    unsigned line;     /* of the line last returned, from 1 */
    uint64_t checksum; /* CRC-64/XZ of the bytes of the file */
} table_text;

static void text_close(table_text *t)
{
    free(t->text);
    *t = (table_text){0};
}

/* Reads the whole file, or as far as a zero byte, which no text has and text_next refuses. */
static cgct_status text_open(table_text *t, const char *path, cgct_err *err)
{
    *t = (table_text){.path = path};
    FILE *f = fopen(path, "rb");
    if (!f) return cgct_fail(err, CGCT_E_IO, "%s: cannot open: %s", path, strerror(errno));
    size_t room = 0;
    errno = 0;
    ssize_t size = getdelim(&t->text, &room, 0, f);
    int why = errno, empty = feof(f);
    fclose(f);
    t->size = size > 0 ? (size_t)size : 0;
    cgct_crc64_table table;
    cgct_crc64_init(&table);
    t->checksum = cgct_crc64(&table, t->text, t->size);
    cgct_status st = CGCT_OK;
    if (size < 0 && empty)
        st = cgct_fail(err, CGCT_E_FORMAT, "%s: the file is empty; want a dipole table", path);
    else if (size < 0)
        st = cgct_fail(err, why == ENOMEM ? CGCT_E_NOMEM : CGCT_E_IO, "%s: cannot read: %s", path,
                       strerror(why));
    if (st != CGCT_OK) text_close(t);
    return st;
}

static int text_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* *s: the next line without blanks at its ends, or NULL after the last one. */
static cgct_status text_next(table_text *t, char **s, cgct_err *err)
{
    *s = NULL;
    if (t->pos >= t->size) return CGCT_OK;
    char *begin = t->text + t->pos, *end = memchr(begin, '\n', t->size - t->pos);
    if (!end) end = t->text + t->size;
    t->pos = (size_t)(end - t->text) + 1;
    t->line++;
    if (memchr(begin, 0, (size_t)(end - begin)))
        return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: a zero byte; this is not a text table",
                         t->path, t->line);
    while (begin < end && text_is_blank(*begin)) begin++;
    while (end > begin && text_is_blank(end[-1])) end--;
    *end = 0;
    *s = begin;
    return CGCT_OK;
}

/* The number of fields on a line, separated by blanks. */
static size_t text_fields(const char *s)
{
    size_t n = 0;
    for (; *s; s++)
        if (!text_is_blank(*s) && (!s[1] || text_is_blank(s[1]))) n++;
    return n;
}

/* The unit of the last digit of a printed decimal number; 0 for hexadecimal numbers. */
static double printed_quantum(const char *s, const char *end)
{
    long decimals = 0, exponent = 0;
    int point = 0;
    for (; s < end; s++) {
        if (*s == 'x' || *s == 'X') return 0;
        if (*s == '.') point = 1;
        if (*s >= '0' && *s <= '9') decimals += point;
        if (*s == 'e' || *s == 'E') {
            exponent = strtol(s + 1, NULL, 10);
            break;
        }
    }
    return pow(10, (double)(exponent - decimals));
}

/* strtod, which also takes d or D before an exponent; it is then replaced by e. */
static double text_number(char *s, char **end)
{
    double v = strtod(s, end);
    char *at = *end, letter = *at;
    if (letter != 'd' && letter != 'D') return v;
    *at = 'e';
    v = strtod(s, end);
    if (*end == at) *at = letter; /* no exponent follows */
    return v;
}

/* Exactly n <= 3 finite numbers v[n] on line s; quantum (or NULL): the unit of the last digit of
 * the last one. */
static cgct_status text_numbers(const table_text *t, char *s, size_t n, double *v, double *quantum,
                                cgct_err *err)
{
    size_t found = text_fields(s);
    if (found != n)
        return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: %zu values on the line '%.40s', want %zu",
                         t->path, t->line, found, s, n);
    for (size_t i = 0; i < n; i++) {
        char *end;
        v[i] = text_number(s, &end);
        if (end == s || (*end && !text_is_blank(*end)) || !isfinite(v[i]))
            return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: '%.40s' is not a finite number", t->path,
                             t->line, s);
        if (quantum && i + 1 == n) *quantum = printed_quantum(s, end);
        for (s = end; text_is_blank(*s);) s++;
    }
    return CGCT_OK;
}

/* ---- the layouts ---- */

typedef struct {
    table_text text;
    dipole_grid *g;
    int is_S;
    size_t n;   /* values so far */
    size_t col; /* values in the current block */
    int nhead;  /* '###' header lines seen */
    double head[4];
} table_parser;

static cgct_status parser_fail(const table_parser *p, cgct_err *err, const char *what, double got,
                               double limit)
{
    return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: %s (%.17g, %.17g)", p->text.path, p->text.line,
                     what, got, limit);
}

/* Memory for as many values and rapidities as the file has lines. */
static cgct_status parser_alloc(table_parser *p, cgct_err *err)
{
    dipole_grid *g = p->g;
    size_t lines = 1;
    for (size_t i = 0; i < p->text.size; i++) lines += p->text.text[i] == '\n';
    const array_part part[] = {ARRAY_PART(g->lnr, NR_MAX), ARRAY_PART(g->Y, lines),
                               ARRAY_PART(g->gamma, lines), ARRAY_PART(g->quantum, lines),
                               ARRAY_PART(g->line, lines)};
    if ((g->arrays = ARRAYS(part))) return CGCT_OK;
    return cgct_fail(err, CGCT_E_NOMEM, "%s: out of memory for %zu lines", p->text.path, lines);
}

/* A column that is taken for the other one is not noticed here: both N and S lie in [0, 1]. */
static cgct_status parser_check_value(const table_parser *p, double v, cgct_err *err)
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
    if (v >= least && v <= most) return CGCT_OK;
    return parser_fail(p, err, what[p->is_S != 0][v > most], v, v > most ? most : least);
}

/* Stores one N or S, printed with the resolution q, as Gamma = -ln S. */
static cgct_status parser_add_value(table_parser *p, double v, double q, cgct_err *err)
{
    CGCT_TRY(parser_check_value(p, v, err));
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
                     "%s:%u: the block Y = %.17g ends after %zu values, want %zu", p->text.path,
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
    p->g->x0 = x0;
    return CGCT_OK;
}

static cgct_status rcbk_hash(table_parser *p, char *s, cgct_err *err)
{
    double v;
    CGCT_TRY(text_numbers(&p->text, s + 3, 1, &v, NULL, err));
    if (p->nhead == 4) return parser_begin_block(p, v, err);
    p->head[p->nhead++] = v;
    return p->nhead == 4 ? rcbk_grid(p, err) : CGCT_OK;
}

static cgct_status rcbk_line(table_parser *p, char *s, cgct_err *err)
{
    double v, q;
    if (!strncmp(s, "###", 3)) return rcbk_hash(p, s, err);
    if (!*s || *s == '#') return CGCT_OK;
    if (!p->g->ny)
        return parser_fail(p, err,
                           "a value before the four ### lines and the ### rapidity (found, want)",
                           p->nhead, 5);
    if (p->col == p->g->nr)
        return parser_fail(p, err, "more values in the block than n_r (Y, n_r)",
                           p->g->Y[p->g->ny - 1], (double)p->g->nr);
    CGCT_TRY(text_numbers(&p->text, s, 1, &v, &q, err));
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

/* '# x0 = VALUE', where blanks are optional, sets x0; other comments are skipped. */
static cgct_status column_comment(table_parser *p, char *s, cgct_err *err)
{
    int at = 0;
    char *end;
    sscanf(s, "# x0 = %n", &at);
    const double x0 = text_number(s + at, &end);
    if (!at || end == s + at) return CGCT_OK;
    if (!(x0 > 0 && x0 <= 1))
        return parser_fail(p, err, "x0 must lie in (0, 1] (x0, limit)", x0, x0 > 0);
    p->g->x0 = x0;
    return CGCT_OK;
}

static cgct_status column_line(table_parser *p, char *s, cgct_err *err)
{
    const size_t n = p->g->has_x ? 3 : 2;
    double v[3], q = 0;
    if (!*s) return CGCT_OK;
    if (*s == '#') return column_comment(p, s, err);
    CGCT_TRY(text_numbers(&p->text, s, n, v, &q, err));
    if (!p->g->ny || (n == 3 && v[0] != p->g->Y[p->g->ny - 1]))
        CGCT_TRY(parser_begin_block(p, n == 3 ? v[0] : 0, err));
    CGCT_TRY(column_add_r(p, v[n - 2], err));
    return parser_add_value(p, v[n - 1], q, err);
}

/* Decides the layout by the first line *s that is neither blank nor a plain comment. */
static cgct_status parser_find_layout(table_parser *p, char **s, int *rcbk, cgct_err *err)
{
    const char *path = p->text.path;
    CGCT_TRY(text_next(&p->text, s, err));
    while (*s && (!**s || (**s == '#' && strncmp(*s, "###", 3) != 0))) {
        CGCT_TRY(column_comment(p, *s, err));
        CGCT_TRY(text_next(&p->text, s, err));
    }
    if (!*s) return cgct_fail(err, CGCT_E_FORMAT, "%s: no values; want a dipole table", path);
    *rcbk = **s == '#';
    size_t n = text_fields(*s);
    if (!*rcbk && n != 2 && n != 3)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s:%u: %zu columns ('%.40s'); want 'Y r N', 'r N', or the rcBK layout "
                         "with its ### lines",
                         path, p->text.line, n, *s);
    p->g->has_x = *rcbk || n == 3;
    p->g->layout = *rcbk ? "rcBK" : n == 3 ? "Y r N" : "r N";
    if (*rcbk && p->is_S)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "%s: the rcBK layout holds N, but the column is set to S", path);
    return CGCT_OK;
}

static cgct_status parser_run(table_parser *p, cgct_err *err)
{
    int rcbk = 0;
    char *s;
    p->g->x0 = 1;
    CGCT_TRY(parser_find_layout(p, &s, &rcbk, err));
    while (s) {
        CGCT_TRY(rcbk ? rcbk_line(p, s, err) : column_line(p, s, err));
        CGCT_TRY(text_next(&p->text, &s, err));
    }
    if (!p->g->ny)
        return parser_fail(p, err, "the file ends in its header (### lines, want)", p->nhead, 5);
    if (p->g->nr < NR_MIN)
        return parser_fail(p, err, "too few r for a dipole (count, least)", (double)p->g->nr,
                           NR_MIN);
    return parser_end_block(p, err);
}

cgct_status dipole_grid_read(dipole_grid *g, const char *path, int is_S, cgct_err *err)
{
    table_parser p = {.g = g, .is_S = is_S};
    *g = (dipole_grid){0};
    CGCT_TRY(text_open(&p.text, path, err));
    g->checksum = p.text.checksum;
    cgct_status st = parser_alloc(&p, err);
    if (st == CGCT_OK) st = parser_run(&p, err);
    text_close(&p.text);
    if (st != CGCT_OK) dipole_grid_free(g);
    return st;
}

void dipole_grid_free(dipole_grid *g)
{
    free(g->arrays);
    *g = (dipole_grid){0};
}
