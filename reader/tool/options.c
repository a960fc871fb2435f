/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int tool_fail(const char *message)
{
    fprintf(stderr, "cgctab: %s\n", message);
    return TOOL_FAILED;
}

int tool_usage(const char *what, const char *reason)
{
    fprintf(stderr, "cgctab: %s: %s; see 'cgctab --help'\n", what, reason);
    return TOOL_USAGE;
}

int tool_flush(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return TOOL_OK;
    fprintf(stderr, "cgctab: standard output: cannot write: %s\n", strerror(errno));
    return TOOL_FAILED;
}

static tool_option *find(size_t nopt, tool_option *opt, const char *arg, size_t n)
{
    for (size_t i = 0; i < nopt; i++)
        if (strlen(opt[i].name) == n && !strncmp(opt[i].name, arg, n)) return &opt[i];
    return NULL;
}

/* One option with its value, which may be the next argument (*i moves on). */
static int take_option(int argc, char **argv, int *i, size_t nopt, tool_option *opt)
{
    const char *arg = argv[*i], *equals = strchr(arg, '=');
    tool_option *o = find(nopt, opt, arg, equals ? (size_t)(equals - arg) : strlen(arg));
    if (!o) return tool_usage(arg, "unknown option");
    if (o->text) return tool_usage(o->name, "given twice");
    if (o->is_switch) {
        if (equals) return tool_usage(o->name, "takes no value");
        o->text = o->name;
    } else if (equals) {
        o->text = equals + 1;
    } else if (*i + 1 < argc) {
        o->text = argv[++*i];
    } else {
        return tool_usage(o->name, "needs a value");
    }
    return TOOL_OK;
}

int tool_parse(int argc, char **argv, size_t nopt, tool_option *opt, size_t nword,
               const char **words, size_t *n)
{
    *n = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) return -1;
        if (argv[i][0] == '-' && argv[i][1] != 0) {
            int st = take_option(argc, argv, &i, nopt, opt);
            if (st != TOOL_OK) return st;
        } else if (*n == nword) {
            return tool_usage(argv[i], "one argument too many");
        } else {
            words[(*n)++] = argv[i];
        }
    }
    return TOOL_OK;
}

int tool_number(const char *text, double *v)
{
    char *end;
    *v = strtod(text, &end);
    return end != text && *end == 0 && isfinite(*v);
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

int tool_list_parse(const char *option, const char *text, tool_list *list)
{
    *list = (tool_list){0, NULL};
    for (const char *p = text; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        char word[64], why[128];
        size_t n = strcspn(p, ",");
        double v;
        snprintf(word, sizeof word, "%.*s", n < sizeof word ? (int)n : 63, p);
        if (!tool_number(word, &v)) {
            snprintf(why, sizeof why, "'%s' is not a finite number", word);
            return tool_usage(option, why);
        }
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
