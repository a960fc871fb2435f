/* SPDX-License-Identifier: MIT */
/* The table of commands at work: arguments into a tool_call, and --help. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

const tool_command *tool_find(const char *name)
{
    for (const tool_command *c = tool_commands; c->name; c++)
        if (!strcmp(c->name, name)) return c;
    return NULL;
}

const char *tool_value(const tool_call *c, const char *name)
{
    for (size_t i = 0; i < c->ngiven; i++)
        if (!strcmp(c->given[i].name, name)) return c->given[i].value;
    return NULL;
}

/* ---- help ---- */

static void print_flags(const tool_flag *flags)
{
    for (; flags && flags->name; flags++) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", flags->name, flags->value ? flags->value : "");
        printf("  %-24s %s\n", left, flags->doc);
    }
}

static void print_help(const tool_command *c)
{
    printf("usage: cgctab %s%s%s [options]\n\n%s.\n", c->name, *c->words ? " " : "", c->words,
           c->doc);
    if (c->more) printf("%s", c->more);
    printf("\n");
    print_flags(c->flags);
    print_flags(tool_common);
}

/* ---- arguments ---- */

static const tool_flag *among(const tool_flag *flags, const char *arg, size_t n)
{
    for (; flags && flags->name; flags++)
        if (strlen(flags->name) == n && !strncmp(flags->name, arg, n)) return flags;
    return NULL;
}

static int unknown_option(const tool_call *c, const char *arg)
{
    tool_nearest near;
    char hint[300];
    tool_nearest_start(&near, arg);
    for (const tool_flag *f = c->command->flags; f && f->name; f++)
        tool_nearest_try(&near, f->name);
    for (const tool_flag *f = tool_common; f->name; f++) tool_nearest_try(&near, f->name);
    return tool_usage("%s: %s: unknown option%s", c->command->name, arg,
                      tool_nearest_hint(&near, hint));
}

/* Is the word one of "a|b"? */
static int one_of(const char *what, const char *words, const char *word)
{
    size_t n = strlen(word);
    tool_nearest near;
    char hint[300];
    for (const char *p = words; *p; p += strcspn(p, "|"), p += *p == '|')
        if (strcspn(p, "|") == n && !strncmp(p, word, n)) return TOOL_OK;
    tool_nearest_start(&near, word);
    tool_nearest_try_all(&near, words);
    return tool_usage("%s: '%s', want %s%s", what, word, words, tool_nearest_hint(&near, hint));
}

/* One option with its value, which may be the next argument (*i moves on). */
static int take_option(tool_call *c, int argc, char **argv, int *i)
{
    const char *arg = argv[*i], *equals = strchr(arg, '='), *value;
    size_t n = equals ? (size_t)(equals - arg) : strlen(arg);
    const tool_flag *f = among(c->command->flags, arg, n);
    if (!f) f = among(tool_common, arg, n);
    if (!f) return unknown_option(c, arg);
    if (tool_value(c, f->name)) return tool_usage("%s: given twice", f->name);
    if (!f->value) {
        if (equals) return tool_usage("%s: takes no value", f->name);
        value = f->name;
    } else if (equals) {
        value = equals + 1;
    } else if (*i + 1 < argc) {
        value = argv[++*i];
    } else {
        return tool_usage("%s: needs a value", f->name);
    }
    if (f->value && strchr(f->value, '|')) {
        int st = one_of(f->name, f->value, value);
        if (st != TOOL_OK) return st;
    }
    c->given[c->ngiven].name = f->name;
    c->given[c->ngiven++].value = value;
    return TOOL_OK;
}

static int take_word(tool_call *c, const char *word)
{
    if (c->n == c->command->most) return tool_usage("%s: one argument too many", word);
    if (c->n == 0 && c->command->first) {
        int st = one_of(c->command->name, c->command->first, word);
        if (st != TOOL_OK) return st;
    }
    c->word[c->n++] = word;
    return TOOL_OK;
}

static int finish(tool_call *c)
{
    double digits = 0;
    if (c->n < c->command->least)
        return tool_usage("%s: needs %s", c->command->name, c->command->words);
    int st = tool_option_number(c, "--digits", 1, 17, &digits);
    c->out = (tool_out){.f = stdout, .digits = (int)digits};
    c->out.quiet = tool_value(c, "--quiet") != NULL;
    if (tool_value(c, "--csv")) c->out.form = OUT_CSV;
    if (tool_value(c, "--json")) c->out.form = OUT_JSON;
    if (st == TOOL_OK && tool_value(c, "--csv") && tool_value(c, "--json"))
        st = tool_usage("--csv: cannot go with --json");
    return st;
}

int tool_parse(tool_call *c, const tool_command *command, int argc, char **argv)
{
    int options = 1; /* until "--" */
    TOOL_CLEAR(*c);
    c->command = command;
    for (int i = 0; i < argc; i++) {
        int st;
        if (options && !strcmp(argv[i], "--")) {
            options = 0;
            continue;
        }
        if (options && !strcmp(argv[i], "--help")) return print_help(command), -1;
        if (options && !strcmp(argv[i], "--version"))
            return printf("cgctab %s\n", cgct_version()), -1;
        if (options && argv[i][0] == '-' && argv[i][1] != 0)
            st = take_option(c, argc, argv, &i);
        else
            st = take_word(c, argv[i]);
        if (st != TOOL_OK) return st;
    }
    return finish(c);
}
