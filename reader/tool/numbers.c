/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

int tool_number(const char *text, double *v)
{
    char *end;
    *v = strtod(text, &end);
    return end != text && *end == 0 && isfinite(*v);
}

int tool_option_number(const tool_call *c, const char *name, double least, double most, double *v)
{
    double got;
    const char *text = tool_value(c, name);
    if (!text) return TOOL_OK;
    if (!tool_number(text, &got) || got < least || got > most)
        return tool_usage("%s: '%s', want a number from %g to %g", name, text, least, most);
    *v = got;
    return TOOL_OK;
}

int tool_list_add(tool_list *list, double v)
{
    /* Doubled at each power of two. */
    if ((list->n & (list->n - 1)) == 0) {
        double *more = realloc(list->v, (list->n ? 2 * list->n : 1) * sizeof *more);
        if (!more) return tool_fail("no memory for the points");
        list->v = more;
    }
    list->v[list->n++] = v;
    return TOOL_OK;
}

/* "LO HI N" behind geom or lin. */
static int spread(const char *option, const char *text, int geometric, tool_list *list)
{
    double lo, hi;
    int n, end = 0, st = TOOL_OK;
    if (sscanf(text, "%lf %lf %d %n", &lo, &hi, &n, &end) != 3 || text[end] || n < 2 ||
        n > 1000000 || !(lo < hi) || (geometric && !(lo > 0)))
        return tool_usage("%s: '%s', want LO HI N with LO < HI%s and N > 1", option, text,
                          geometric ? ", LO > 0" : "");
    for (int i = 0; i < n && st == TOOL_OK; i++) {
        double part = (double)i / (n - 1);
        double v = geometric ? lo * pow(hi / lo, part) : lo + part * (hi - lo);
        st = tool_list_add(list, i == n - 1 ? hi : v);
    }
    return st;
}

int tool_list_parse(const char *option, const char *text, tool_list *list)
{
    *list = (tool_list){0, NULL};
    if (!strncmp(text, "geom ", 5)) return spread(option, text + 5, 1, list);
    if (!strncmp(text, "lin ", 4)) return spread(option, text + 4, 0, list);
    for (const char *p = text; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        char word[64];
        size_t n = strcspn(p, ",");
        double v;
        snprintf(word, sizeof word, "%.*s", n < sizeof word ? (int)n : 63, p);
        if (!tool_number(word, &v))
            return tool_usage(
                "%s: '%s' is not a finite number; a list is '1,2,5', 'geom LO HI N' or "
                "'lin LO HI N'",
                option, word);
        int st = tool_list_add(list, v);
        if (st != TOOL_OK) return st;
    }
    return TOOL_OK;
}

void tool_list_free(tool_list *list)
{
    free(list->v);
    *list = (tool_list){0, NULL};
}
