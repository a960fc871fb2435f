/* SPDX-License-Identifier: MIT */
#include "points.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PRODUCT_MAX = 1e7; /* points of lists; more would fill the memory */

int points_product(int ncol, const number_list *lists, tool_points *p)
{
    size_t index[POINT_COLUMNS_MAX] = {0};
    double points = 1;
    *p = (tool_points){ncol, {0, NULL}};
    for (int c = 0; c < ncol; c++) points *= (double)lists[c].n;
    if (points > PRODUCT_MAX)
        return tool_usage("the lists make %g points, at most %g can be taken at once", points,
                          PRODUCT_MAX);
    for (;;) {
        for (int c = 0; c < ncol; c++) {
            int st = tool_list_add(&p->v, lists[c].v[index[c]]);
            if (st != TOOL_OK) return st;
        }
        int c = ncol - 1;
        while (c >= 0 && ++index[c] == lists[c].n) index[c--] = 0;
        if (c < 0) return TOOL_OK;
    }
}

/* What is no text would upset a terminal. */
static const char *printable(char *word)
{
    for (char *c = word; *c; c++)
        if (!isprint((unsigned char)*c)) *c = '?';
    return word;
}

static int read_line(const char *name, char *line, size_t length, size_t number, tool_points *p)
{
    static const char blank[] = " \t\r\n";
    char *save, *word;
    int n = 0;
    if (strlen(line) != length)
        return tool_fail("%s:%zu: a zero byte; only text is read", name, number);
    word = strtok_r(line, blank, &save);
    if (!word || *word == '#') return TOOL_OK;
    for (; word; word = strtok_r(NULL, blank, &save), n++) {
        double v;
        if (!number_parse(word, &v))
            return tool_fail("%s:%zu: '%.60s' is not a finite number", name, number,
                             printable(word));
        if (n < p->ncol) {
            int st = tool_list_add(&p->v, v);
            if (st != TOOL_OK) return st;
        }
    }
    if (n == p->ncol) return TOOL_OK;
    return tool_fail("%s:%zu: %d columns, want %d", name, number, n, p->ncol);
}

static int read_lines(FILE *f, const char *name, tool_points *p)
{
    char *line = NULL;
    size_t capacity = 0, number = 0;
    int st = TOOL_OK;
    ssize_t length;
    while (st == TOOL_OK && (length = getline(&line, &capacity, f)) >= 0)
        st = read_line(name, line, (size_t)length, ++number, p);
    free(line);
    if (st == TOOL_OK && ferror(f)) st = tool_fail("%s: cannot read: %s", name, strerror(errno));
    return st;
}

int points_read(const char *file, int ncol, tool_points *p)
{
    *p = (tool_points){ncol, {0, NULL}};
    if (!strcmp(file, "-")) return read_lines(stdin, "standard input", p);
    FILE *f = fopen(file, "r");
    if (!f) return tool_fail("%s: cannot open: %s", file, strerror(errno));
    int st = read_lines(f, file, p);
    fclose(f);
    return st;
}

void points_free(tool_points *p)
{
    number_list_free(&p->v);
}
