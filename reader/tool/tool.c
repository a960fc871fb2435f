/* SPDX-License-Identifier: MIT */
/* Reads the arguments of a command, prints its --help and its messages. */
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM "cgctab"

/* ---- messages ---- */

int tool_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_print(PROGRAM, "", format, args);
    va_end(args);
    return TOOL_FAILED;
}

int tool_usage(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_print(PROGRAM, "; see 'cgctab --help' and 'cgctab COMMAND --help'", format, args);
    va_end(args);
    return TOOL_USAGE;
}

int tool_status(cgct_status st, const cgct_err *err)
{
    if (st == CGCT_E_USAGE) return tool_usage("%s", err->text);
    return st == CGCT_OK ? TOOL_OK : tool_fail("%s", err->text);
}

int tool_flush(void)
{
    return message_flush_output(PROGRAM) ? TOOL_OK : TOOL_FAILED;
}

/* ---- words and options ---- */

const char *tool_value(const tool_call *c, const char *name)
{
    for (size_t i = 0; i < c->ngiven; i++)
        if (!strcmp(c->given[i].name, name)) return c->given[i].value;
    return NULL;
}

int tool_check_choice(const char *what, const char *choices, const char *word)
{
    nearest_word near;
    char hint[300];
    if (word_listed(choices, '|', word)) return TOOL_OK;
    nearest_start(&near, word);
    nearest_try_choices(&near, choices);
    return tool_usage("%s: '%s', want %s%s", what, word, choices, nearest_hint(&near, hint));
}

/* Checks and the options of all commands, once all arguments have been read. */
static int finish_call(tool_call *c)
{
    double digits = 0;
    if (c->n < c->command->least)
        return tool_usage("%s: needs %s", c->command->name, c->command->words);
    int st = tool_option_integer(c, "--digits", 1, 17, &digits);
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
    option_scan s = {.argc = argc, .argv = argv, .own = command->options, .common = tool_common};
    TOOL_CLEAR(*c);
    c->command = command;
    for (int st = TOOL_OK; st == TOOL_OK;) {
        switch (options_next(&s)) {
        case OPTIONS_END:
            return finish_call(c);
        case OPTIONS_WORD:
            if (c->n == command->most) return tool_usage("%s: one argument too many", s.word);
            if (c->n == 0 && command->first)
                st = tool_check_choice(command->name, command->first, s.word);
            c->word[c->n++] = s.word;
            break;
        case OPTIONS_WRONG:
            return tool_usage("%s: %s", command->name, s.message);
        case OPTIONS_FOUND:
            if (!strcmp(s.found->name, "--help")) {
                printf("usage: cgctab %s%s%s [options]\n\n%s.\n%s\n", command->name,
                       *command->words ? " " : "", command->words, command->doc,
                       command->more ? command->more : "");
                options_print(command->options);
                options_print(tool_common);
                return -1;
            }
            if (!strcmp(s.found->name, "--version")) return tool_print_version(), -1;
            if (tool_value(c, s.found->name)) return tool_usage("%s: given twice", s.found->name);
            if (s.value && strchr(s.found->value, '|'))
                st = tool_check_choice(s.found->name, s.found->value, s.value);
            if (c->ngiven == TOOL_OPTIONS_MAX)
                return tool_usage("%s: more than %d options", command->name, TOOL_OPTIONS_MAX);
            c->given[c->ngiven].name = s.found->name;
            c->given[c->ngiven++].value = s.value ? s.value : s.found->name;
        }
    }
    return TOOL_USAGE;
}

void tool_print_version(void)
{
    printf("cgctab %s\n", cgct_version());
}

/* ---- numbers ---- */

int tool_option_number(const tool_call *c, const char *name, double least, double most, double *v)
{
    double got;
    const char *text = tool_value(c, name);
    if (!text) return TOOL_OK;
    if (!number_parse(text, &got) || got < least || got > most)
        return tool_usage("%s: '%s', want a number from %g to %g", name, text, least, most);
    *v = got;
    return TOOL_OK;
}

int tool_option_integer(const tool_call *c, const char *name, double least, double most, double *v)
{
    double got;
    const char *text = tool_value(c, name);
    if (!text) return TOOL_OK;
    if (!integer_parse(text, &got) || got < least || got > most)
        return tool_usage("%s: '%s', want an integer from %.0f to %.0f", name, text, least, most);
    *v = got;
    return TOOL_OK;
}

int tool_list_add(number_list *list, double v)
{
    cgct_err err;
    return tool_status(number_list_add(list, v, &err), &err);
}

void tool_list_sort(number_list *list)
{
    if (list->n) qsort(list->v, list->n, sizeof *list->v, number_compare);
}

int tool_list_parse(const char *name, const char *text, number_list *list)
{
    cgct_err err;
    cgct_status st = number_list_parse(text, list, &err);
    if (st == CGCT_E_CONFIG) return tool_usage("%s: %s", name, err.text);
    return st == CGCT_OK ? TOOL_OK : tool_fail("%s", err.text);
}
