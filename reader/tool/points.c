/* SPDX-License-Identifier: MIT */
#include "points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int points_product(int ncol, const tool_list *lists, tool_points *p)
{
    size_t index[POINT_COLUMNS_MAX] = {0};
    *p = (tool_points){ncol, {0, NULL}};
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

static int read_line(char *line, size_t length, size_t number, tool_points *p)
{
    char *save, why[160], *word;
    int n = 0;
    if (strlen(line) != length) {
        snprintf(why, sizeof why, "standard input:%zu: a zero byte; only text is read", number);
        return tool_fail(why);
    }
    word = strtok_r(line, " \t\r\n", &save);
    if (!word || *word == '#') return TOOL_OK;
    for (; word; word = strtok_r(NULL, " \t\r\n", &save), n++) {
        double v;
        if (!tool_number(word, &v)) {
            snprintf(why, sizeof why, "standard input:%zu: '%.60s' is not a finite number", number,
                     word);
            return tool_fail(why);
        }
        if (n < p->ncol) {
            int st = tool_list_add(&p->v, v);
            if (st != TOOL_OK) return st;
        }
    }
    if (n == p->ncol) return TOOL_OK;
    snprintf(why, sizeof why, "standard input:%zu: %d columns, want %d", number, n, p->ncol);
    return tool_fail(why);
}

int points_read(int ncol, tool_points *p)
{
    char *line = NULL;
    size_t capacity = 0, number = 0;
    int st = TOOL_OK;
    *p = (tool_points){ncol, {0, NULL}};
    ssize_t length;
    while (st == TOOL_OK && (length = getline(&line, &capacity, stdin)) >= 0)
        st = read_line(line, (size_t)length, ++number, p);
    free(line);
    if (st == TOOL_OK && ferror(stdin)) st = tool_fail("standard input: cannot read");
    return st;
}

void points_free(tool_points *p)
{
    tool_list_free(&p->v);
}
