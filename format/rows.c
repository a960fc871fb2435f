/* SPDX-License-Identifier: MIT */
/* Reads text files line by line, and the rows of numbers in them. */
#include "rows.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>

static const char blanks[] = " \t\r\v\f";
enum { ROW_COLUMNS = 64, NAMED_MOST = 8 }; /* columns that are looked at; that can be asked for */
static const double PRODUCT_MAX = 1e7;     /* points of lists */

/* ---- lines ---- */

/* A text holds no zero byte: reading ends at one, and text_lines_next refuses it. */
cgct_status text_lines_open(text_lines *t, const char *path, cgct_err *err)
{
    *t = (text_lines){.name = path ? path : "standard input"};
    FILE *f = path ? fopen(path, "rb") : stdin;
    if (!f) return cgct_fail(err, CGCT_E_IO, "%s: cannot open: %s", path, strerror(errno));
    size_t room = 0;
    errno = 0;
    ssize_t size = getdelim(&t->text, &room, 0, f);
    const int why = errno, whole = !ferror(f) && (size >= 0 || feof(f));
    if (path) fclose(f);
    if (size >= 0) t->size = (size_t)size;
    if (whole) return CGCT_OK;
    return cgct_fail(err, why == ENOMEM ? CGCT_E_NOMEM : CGCT_E_IO, "%s: cannot read: %s", t->name,
                     strerror(why));
}

cgct_status text_lines_next(text_lines *t, char **line, cgct_err *err)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    *line = NULL;
    if (t->pos >= t->size) return CGCT_OK;
    char *begin = t->text + t->pos, *end = memchr(begin, '\n', t->size - t->pos);
    if (!end) end = t->text + t->size;
    t->pos = (size_t)(end - t->text) + 1;
    t->line++;
    if (memchr(begin, 0, (size_t)(end - begin)))
        return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: a zero byte; only text is read", t->name,
                         t->line);
    *end = 0;
    if (t->line == 1 && !strncmp(begin, byte_order_mark, 3)) begin += 3;
    begin += strspn(begin, blanks);
    while (end > begin && strchr(blanks, end[-1])) end--;
    *end = 0;
    *line = begin;
    return CGCT_OK;
}

void text_lines_close(text_lines *t)
{
    free(t->text);
    *t = (text_lines){.name = NULL};
}

/* ---- columns ---- */

size_t row_split(char *line, size_t most, char **word)
{
    size_t n = 0;
    line[strcspn(line, "#!")] = 0;
    for (char *at = line + strspn(line, blanks); *at;) {
        char *end = at + strcspn(at, " \t\r\v\f,"), *next = end + strspn(end, blanks);
        const int comma = *next == ',';
        if (n < most) word[n] = at;
        n++;
        at = next + comma;
        at += strspn(at, blanks);
        *end = 0;
        if (!comma || *at) continue;
        if (n < most) word[n] = at; /* nothing follows the last comma */
        n++;
    }
    return n;
}

size_t row_heading(size_t n, char **word)
{
    size_t names = 0;
    for (size_t i = 0; i < n; i++) {
        const char *w = word[i] + strspn(word[i], "+-"), *letter = w;
        while (*letter && !isalpha((unsigned char)*letter) && (unsigned char)*letter < 0x80)
            letter++;
        if (!*letter || isdigit((unsigned char)*w) || *w == '.' || !strcasecmp(w, "nan") ||
            !strcasecmp(w, "inf") || !strcasecmp(w, "infinity"))
            return 0;
        if (*w != '(' && *w != '[') word[names++] = word[i];
    }
    return names;
}

static cgct_status row_number(const text_lines *t, const char *word, double *v, double *unit,
                              cgct_err *err)
{
    const char *end = number_scan(word, v, unit);
    if (end && !*end) return CGCT_OK;
    return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: '%.60s' is not a finite number", t->name, t->line,
                     word);
}

cgct_status row_numbers(const text_lines *t, size_t found, char *const *word, size_t n, double *v,
                        double *unit, cgct_err *err)
{
    for (size_t i = 0; i < found && i < n; i++)
        CGCT_TRY(row_number(t, word[i], &v[i], i + 1 == n ? unit : NULL, err));
    if (found == n) return CGCT_OK;
    return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: %zu column%s, want %zu", t->name, t->line, found,
                     found == 1 ? "" : "s", n);
}

/* ---- rows ---- */

/* A line of names: of how many columns, and where the wanted ones are, from 1 (0: nowhere). */
typedef struct {
    size_t n, at[NAMED_MOST];
    int all;       /* each wanted one is there */
    unsigned line; /* 0: there was none */
} row_names;

/* Appends v[ncol] from that line. */
static cgct_status append_row(number_rows *r, const double *v, unsigned line, cgct_err *err)
{
    for (size_t c = 0; c < r->ncol; c++) CGCT_TRY(number_list_add(&r->v, v[c], err));
    CGCT_TRY(number_list_add(&r->line, line, err));
    r->n++;
    return CGCT_OK;
}

static const char *join_names(size_t n, const char *const *name, char *text, size_t size)
{
    *text = 0;
    for (size_t i = 0; i < n; i++)
        snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? " " : "", name[i]);
    return text;
}

static cgct_status parse_row(number_rows *r, const text_lines *t, const row_names *names, size_t n,
                             char *const *word, const char *const *name, cgct_err *err)
{
    const int as_named = names->all && names->n == n;
    char wanted[128];
    double v[NAMED_MOST];
    if (!as_named && n != r->ncol)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s:%u: %zu columns, want %zu: %s; or a line before it that names all "
                         "columns",
                         t->name, t->line, n, r->ncol,
                         join_names(r->ncol, name, wanted, sizeof wanted));
    for (size_t c = 0; c < r->ncol; c++) {
        if (!as_named && names->n == n && names->at[c] && names->at[c] != c + 1)
            return cgct_fail(err, CGCT_E_FORMAT,
                             "%s:%u: column %zu is named %s; name all of %s, or put them in this "
                             "order",
                             t->name, names->line, names->at[c], name[c],
                             join_names(r->ncol, name, wanted, sizeof wanted));
        CGCT_TRY(row_number(t, word[as_named ? names->at[c] - 1 : c], &v[c], NULL, err));
    }
    return append_row(r, v, t->line, err);
}

static cgct_status read_rows(number_rows *r, text_lines *t, const char *const *name, cgct_err *err)
{
    char *line, *word[ROW_COLUMNS];
    row_names names = {.n = 0};
    for (;;) {
        CGCT_TRY(text_lines_next(t, &line, err));
        if (!line) return CGCT_OK;
        const int comment = *line == '#' || *line == '!';
        const size_t n = row_split(line + comment, ROW_COLUMNS, word);
        if (n > ROW_COLUMNS && !comment)
            return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: %zu columns, at most %d are read", t->name,
                             t->line, n, ROW_COLUMNS);
        const int may_name = n <= ROW_COLUMNS && (comment || (!names.line && !r->n));
        const size_t heading = may_name ? row_heading(n, word) : 0;
        if (heading) {
            /* a comment is prose unless it names every column */
            row_names found = {.n = heading, .all = 1, .line = t->line};
            for (size_t c = 0; c < r->ncol; c++) {
                for (size_t i = 0; i < heading && !found.at[c]; i++)
                    if (!strcmp(word[i], name[c])) found.at[c] = i + 1;
                found.all &= found.at[c] > 0;
            }
            for (size_t i = 0; found.all && r->refused && i < heading; i++)
                if (!strcmp(word[i], r->refused))
                    return cgct_fail(err, CGCT_E_FORMAT,
                                     "%s:%u: column %zu is named %s, but all points have one; give "
                                     "it as --%s and rename the column",
                                     t->name, t->line, i + 1, r->refused, r->refused);
            if (!comment || found.all) names = found;
        } else if (n && !comment) {
            CGCT_TRY(parse_row(r, t, &names, n, word, name, err));
        }
    }
}

cgct_status number_rows_read(number_rows *r, const char *path, size_t ncol, const char *const *name,
                             cgct_err *err)
{
    text_lines t;
    cgct_status st = text_lines_open(&t, strcmp(path, "-") ? path : NULL, err);
    r->name = t.name;
    r->ncol = ncol;
    if (st == CGCT_OK) st = read_rows(r, &t, name, err);
    text_lines_close(&t);
    return st;
}

cgct_status number_rows_product(number_rows *r, const number_list *lists, cgct_err *err)
{
    double all = 1;
    for (size_t c = 0; c < r->ncol; c++) all *= (double)lists[c].n;
    if (all > PRODUCT_MAX)
        return cgct_fail(err, CGCT_E_USAGE,
                         "the lists make %g points, at most %g can be taken at once", all,
                         PRODUCT_MAX);
    for (size_t i = 0; i < (size_t)all; i++) {
        double v[NAMED_MOST];
        size_t at = i;
        for (size_t c = r->ncol; c-- > 0; at /= lists[c].n) v[c] = lists[c].v[at % lists[c].n];
        CGCT_TRY(append_row(r, v, 0, err));
    }
    return CGCT_OK;
}

void number_rows_free(number_rows *r)
{
    number_list_free(&r->v);
    number_list_free(&r->line);
    *r = (number_rows){.n = 0};
}

cgct_status number_rows_blame(const number_rows *r, size_t i, cgct_status st, cgct_err *err)
{
    if (r->line.v[i] == 0) return st;
    return cgct_context(err, st, "%s:%.0f", r->name, r->line.v[i]);
}
