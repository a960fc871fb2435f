/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole_file.c: the three layouts of table files.
 *
 * rcBK     '#' comments; '###' and a number: r_min, multiplier, n_r, x0, then for each rapidity
 *          '###Y' and n_r lines of N(r_min mult^i);  Y = ln(x0/x).
 * Y r N    three columns, Y slowest, the same r in every block;  x = x0 exp(-Y), x0 = 1 unless a
 *          comment '# x0 = VALUE' says otherwise.  With is_S the last column is S.
 * r N      two columns for one x, used at every x; with is_S the second column is S.
 * Blank lines are skipped everywhere.  The first line that is not a comment decides the layout. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/dipole_impl.h"
#include "dipole/text.h"

/* Solvers overshoot N = 1 by rounding and by their own accuracy. */
#define N_EXCESS 1e-6
#define NR_MIN 8
#define NR_MAX 100000
#define VALUES_MAX 20000000
/* Relative agreement of the r values of two blocks: they are printed with this many digits at
 * least. */
#define SAME_R 1e-9
#define LNR_MAX 100.0

typedef struct {
    dipole_text text;
    dipole_grid *g;
    int is_S;
    size_t n, room; /* values so far, and room for them */
    size_t nr_room, ny_room;
    size_t col; /* values in the current block */
    int nhead;  /* '###' header lines seen */
    double head[4];
} parser;

static cgct_status bad(const parser *p, cgct_err *err, const char *what, double got, double limit)
{
    return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: %s (%.17g, %.17g)", p->text.path, p->text.line,
                     what, got, limit);
}

static cgct_status no_memory(const parser *p, cgct_err *err)
{
    return cgct_fail(err, CGCT_E_NOMEM, "%s:%u: out of memory after %zu values", p->text.path,
                     p->text.line, p->n);
}

/* realloc that keeps v and clears *ok on failure */
static void *grown(void *v, size_t n, size_t size, int *ok)
{
    void *w = realloc(v, n * size);
    if (!w) *ok = 0;
    return w ? w : v;
}

static cgct_status grow_values(parser *p, cgct_err *err)
{
    dipole_grid *g = p->g;
    if (p->n < p->room) return CGCT_OK;
    if (p->n >= VALUES_MAX)
        return bad(p, err, "more values than a dipole table can have", (double)p->n, VALUES_MAX);
    size_t room = 2 * p->room + 1024;
    int ok = 1;
    g->gamma = grown(g->gamma, room, sizeof *g->gamma, &ok);
    g->quantum = grown(g->quantum, room, sizeof *g->quantum, &ok);
    g->line = grown(g->line, room, sizeof *g->line, &ok);
    if (!ok) return no_memory(p, err);
    p->room = room;
    return CGCT_OK;
}

/* One N or S, with q its printed resolution, as Gamma = -ln S. */
static cgct_status push(parser *p, double v, double q, cgct_err *err)
{
    CGCT_TRY(grow_values(p, err));
    if (p->is_S && !(v >= -N_EXCESS && v <= 1))
        return bad(p, err, "S lies outside [0, 1] (value, limit); is the column N?", v, v > 1);
    if (!p->is_S && !(v >= 0 && v <= 1 + N_EXCESS))
        return bad(p, err, "N lies outside [0, 1 + 1e-6] (value, limit); is the column S?", v,
                   v > 0);
    double S = p->is_S ? v : 1 - v;
    p->g->gamma[p->n] = S <= 0 ? INFINITY : p->is_S ? -log(v) : -log1p(-v);
    p->g->quantum[p->n] = fmax(q, DBL_EPSILON / 2 * v);
    p->g->line[p->n] = p->text.line;
    p->n++;
    p->col++;
    return CGCT_OK;
}

static cgct_status end_block(const parser *p, cgct_err *err)
{
    const dipole_grid *g = p->g;
    if (!g->ny || p->col == g->nr) return CGCT_OK;
    return cgct_fail(err, CGCT_E_FORMAT,
                     "%s:%u: the block Y = %.17g ends after %zu values, want %zu", p->text.path,
                     p->text.line, g->Y[g->ny - 1], p->col, g->nr);
}

static cgct_status begin_block(parser *p, double Y, cgct_err *err)
{
    dipole_grid *g = p->g;
    CGCT_TRY(end_block(p, err));
    if (g->ny && !(Y > g->Y[g->ny - 1]))
        return bad(p, err, "rapidities must rise (this Y, the one before)", Y, g->Y[g->ny - 1]);
    if (g->ny == p->ny_room) {
        size_t room = 2 * p->ny_room + 64;
        int ok = 1;
        g->Y = grown(g->Y, room, sizeof *g->Y, &ok);
        if (!ok) return no_memory(p, err);
        p->ny_room = room;
    }
    g->Y[g->ny++] = Y;
    p->col = 0;
    return CGCT_OK;
}

/* Room for one more r. */
static cgct_status grow_r(parser *p, cgct_err *err)
{
    if (p->g->nr < p->nr_room) return CGCT_OK;
    if (p->g->nr >= NR_MAX)
        return bad(p, err, "too many r in one block (count, limit)", (double)p->g->nr, NR_MAX);
    int ok = 1;
    p->nr_room = 2 * p->nr_room + 256;
    p->g->lnr = grown(p->g->lnr, p->nr_room, sizeof *p->g->lnr, &ok);
    return ok ? CGCT_OK : no_memory(p, err);
}

/* r_min, multiplier, n_r and x0 are complete: check them and fill in the grid. */
static cgct_status rcbk_grid(parser *p, cgct_err *err)
{
    const double rmin = p->head[0], mult = p->head[1], nr = p->head[2], x0 = p->head[3];
    if (!(rmin >= 1e-30 && rmin <= 1e3))
        return bad(p, err, "r_min must be a positive length (r_min, least)", rmin, 1e-30);
    if (!(mult > 1.0001 && mult <= 100))
        return bad(p, err, "the multiplier of r must exceed 1 (multiplier, least)", mult, 1.0001);
    if (!(nr >= NR_MIN && nr <= NR_MAX && nr == floor(nr)))
        return bad(p, err, "n_r must be an integer from 8 to 100000 (n_r, limit)", nr,
                   nr < NR_MIN ? NR_MIN : NR_MAX);
    if (!(x0 > 0 && x0 <= 1)) return bad(p, err, "x0 must lie in (0, 1] (x0, limit)", x0, x0 > 0);
    if (!(log(rmin) + nr * log(mult) < LNR_MAX))
        return bad(p, err, "the last r is not a length (ln r, limit)", log(rmin) + nr * log(mult),
                   LNR_MAX);
    for (; p->g->nr < (size_t)nr; p->g->nr++) {
        CGCT_TRY(grow_r(p, err));
        p->g->lnr[p->g->nr] = logl(rmin) + (long double)p->g->nr * logl(mult);
    }
    p->g->x0 = x0;
    return CGCT_OK;
}

static cgct_status rcbk_hash(parser *p, const char *s, cgct_err *err)
{
    double v;
    CGCT_TRY(dipole_text_numbers(&p->text, s + 3, 1, &v, NULL, err));
    if (p->nhead == 4) return begin_block(p, v, err);
    p->head[p->nhead++] = v;
    return p->nhead == 4 ? rcbk_grid(p, err) : CGCT_OK;
}

static cgct_status rcbk_line(parser *p, const char *s, cgct_err *err)
{
    double v, q;
    if (!strncmp(s, "###", 3)) return rcbk_hash(p, s, err);
    if (!*s || *s == '#') return CGCT_OK;
    if (!p->g->ny)
        return bad(p, err, "a value before the four ### lines and the ### rapidity (found, want)",
                   p->nhead, 5);
    if (p->col == p->g->nr)
        return bad(p, err, "more values in the block than n_r (Y, n_r)", p->g->Y[p->g->ny - 1],
                   (double)p->g->nr);
    CGCT_TRY(dipole_text_numbers(&p->text, s, 1, &v, &q, err));
    return push(p, v, q, err);
}

/* The next r of a column layout: a new one in the first block, a known one later. */
static cgct_status column_r(parser *p, double r, cgct_err *err)
{
    dipole_grid *g = p->g;
    if (!(r >= 1e-30 && r <= 1e30))
        return bad(p, err, "r must be a positive length (r, least)", r, 1e-30);
    if (g->ny > 1) {
        if (p->col >= g->nr)
            return bad(p, err, "more r in this block than in the first (r, count there)", r,
                       (double)g->nr);
        if (!(fabsl(logl(r) - g->lnr[p->col]) <= SAME_R))
            return bad(p, err, "every block needs the same r (r here, r in the first block)", r,
                       exp((double)g->lnr[p->col]));
        return CGCT_OK;
    }
    CGCT_TRY(grow_r(p, err));
    if (g->nr && !(logl(r) > g->lnr[g->nr - 1] + SAME_R))
        return bad(p, err, "r must rise within a block (this r, the one before)", r,
                   exp((double)g->lnr[g->nr - 1]));
    g->lnr[g->nr++] = logl(r);
    return CGCT_OK;
}

/* '# x0 = VALUE', blanks optional; any other comment is only a comment. */
static cgct_status column_comment(parser *p, const char *s, cgct_err *err)
{
    double x0;
    if (sscanf(s, "# x0 = %lf", &x0) != 1) return CGCT_OK;
    if (!(x0 > 0 && x0 <= 1)) return bad(p, err, "x0 must lie in (0, 1] (x0, limit)", x0, x0 > 0);
    p->g->x0 = x0;
    return CGCT_OK;
}

static cgct_status column_line(parser *p, const char *s, cgct_err *err)
{
    const size_t n = p->g->has_x ? 3 : 2;
    double v[3], q;
    if (!*s) return CGCT_OK;
    if (*s == '#') return column_comment(p, s, err);
    CGCT_TRY(dipole_text_numbers(&p->text, s, n, v, &q, err));
    if (!p->g->ny || (n == 3 && v[0] != p->g->Y[p->g->ny - 1]))
        CGCT_TRY(begin_block(p, n == 3 ? v[0] : 0, err));
    CGCT_TRY(column_r(p, v[n - 2], err));
    return push(p, v[n - 1], q, err);
}

/* The layout, decided by the first line that is neither blank nor a plain comment: *s. */
static cgct_status find_layout(parser *p, char **s, int *rcbk, cgct_err *err)
{
    const char *path = p->text.path;
    CGCT_TRY(dipole_text_next(&p->text, s, err));
    while (*s && (!**s || (**s == '#' && strncmp(*s, "###", 3) != 0))) {
        CGCT_TRY(column_comment(p, *s, err));
        CGCT_TRY(dipole_text_next(&p->text, s, err));
    }
    if (!*s) return cgct_fail(err, CGCT_E_FORMAT, "%s: no values; want a dipole table", path);
    *rcbk = **s == '#';
    size_t n = dipole_text_fields(*s);
    if (!*rcbk && n != 2 && n != 3)
        return cgct_fail(
            err, CGCT_E_FORMAT,
            "%s:%u: %zu columns ('%.40s'); want 'Y r N', 'r N', or the rcBK layout with "
            "its ### lines",
            path, p->text.line, n, *s);
    p->g->has_x = *rcbk || n == 3;
    p->g->layout = *rcbk ? "rcBK" : n == 3 ? "Y r N" : "r N";
    if (*rcbk && p->is_S)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "%s: the rcBK layout holds N, but the column is set to S", path);
    return CGCT_OK;
}

static cgct_status parse(parser *p, cgct_err *err)
{
    int rcbk = 0;
    char *s;
    p->g->x0 = 1;
    CGCT_TRY(find_layout(p, &s, &rcbk, err));
    while (s) {
        CGCT_TRY(rcbk ? rcbk_line(p, s, err) : column_line(p, s, err));
        CGCT_TRY(dipole_text_next(&p->text, &s, err));
    }
    if (!p->g->ny) return bad(p, err, "the file ends in its header (### lines, want)", p->nhead, 5);
    if (p->g->nr < NR_MIN)
        return bad(p, err, "too few r for a dipole (count, least)", (double)p->g->nr, NR_MIN);
    return end_block(p, err);
}

cgct_status dipole_grid_read(dipole_grid *g, const char *path, int is_S, cgct_err *err)
{
    parser p = {.g = g, .is_S = is_S};
    *g = (dipole_grid){0};
    CGCT_TRY(dipole_text_open(&p.text, path, err));
    g->checksum = p.text.checksum;
    cgct_status st = parse(&p, err);
    dipole_text_close(&p.text);
    if (st != CGCT_OK) dipole_grid_free(g);
    return st;
}

void dipole_grid_free(dipole_grid *g)
{
    free(g->lnr);
    free(g->Y);
    free(g->gamma);
    free(g->quantum);
    free(g->line);
    *g = (dipole_grid){0};
}
