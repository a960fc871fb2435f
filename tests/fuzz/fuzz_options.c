/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command lines of the three programs, up to where a command would begin to work. */
#include <math.h>

#include "cli/common.h"
#include "fuzz/fuzz.h"
#include "reader/events/setup.h"
#include "reader/tool/tool.h"

const char cli_name[] = "cgctab-generate"; /* what main of the program says */

enum { WORDS = 300 };

static void as_events(int argc, char **argv)
{
    ev_words w = {0};
    ev_setup s;
    ev_run run = {0};
    cgct_table *t;
    if (ev_read_words(argc, argv, &w)) return;
    if (!ev_read_counts(&w, &run)) PROMISE(run.n >= 1 && run.threads >= 1);
    if (ev_read_setup(&w, &s)) return;
    PROMISE(s.s > 0 && isfinite(s.s));
    PROMISE(cgct_open(fuzz_golden(FUZZ_SMALL), &t, NULL) == CGCT_OK);
    if (!ev_fit_to_table(&w, t, &s)) PROMISE(s.S_perp > 0 && s.q[0] < s.q[1]);
    cgct_close(t);
}

static void as_generate(int argc, char **argv)
{
    int flag = 0;
    const char *text = NULL, *pos[2] = {NULL, NULL};
    option_texts texts = {0};
    const command_option options[] = {{"--flag", 'f', OPTION_FLAG, &flag, NULL, "a flag"},
                                      {"--text", 't', OPTION_TEXT, &text, "TEXT", "a text"},
                                      {"--set", 0, OPTION_TEXTS, &texts, "KEY=VALUE", "texts"},
                                      {.name = NULL}};
    const cli_spec spec = {.name = "name", .synopsis = "", .doc = "", .options = options};
    number_list list = {0, NULL, 0};
    double v = 1;
    config c;
    cgct_err err = {""};
    if (cli_parse(&spec, argc, argv, 2, pos) != CLI_GO) return;
    if (cli_numbers("text", text, "[0,1e3]", "GeV", &list, &err) == CGCT_OK) PROMISE(list.n >= 1);
    number_list_free(&list);
    if (text && cli_number("text", text, "(0,1]", "", &v, &err) == CGCT_OK)
        PROMISE(v > 0 && v <= 1);
    if (text && cli_integer("text", text, "[1,64]", "", &v, &err) == CGCT_OK)
        PROMISE(v >= 1 && v <= 64 && v == floor(v));
    if (config_init(&c, NULL, texts.n, texts.v, &err) == CGCT_OK)
        config_free(&c);
    else
        PROMISE(*err.text);
}

static void as_cgctab(int argc, char **argv)
{
    const tool_command *command = tool_commands;
    tool_call c;
    double v;
    if (argc < 2) return;
    while (command->name && strcmp(command->name, argv[1])) command++;
    if (!command->name || tool_parse(&c, command, argc - 2, argv + 2) != TOOL_OK) return;
    PROMISE(c.n >= command->least && c.n <= command->most && c.ngiven <= TOOL_OPTIONS_MAX);
    for (size_t i = 0; i < c.ngiven; i++) {
        number_list list = {0, NULL, 0};
        tool_option_number(&c, c.given[i].name, 0, 1, &v);
        tool_option_integer(&c, c.given[i].name, 0, 64, &v);
        tool_list_parse(c.given[i].name, c.given[i].value, &list);
        number_list_free(&list);
    }
}

void fuzz_options(const uint8_t *bytes, size_t n)
{
    static const struct {
        const char *name;
        void (*run)(int argc, char **argv);
    } program[] = {{"events", as_events}, {"generate", as_generate}, {"cgctab", as_cgctab}};
    char *text = malloc(n + 1), *argv[WORDS + 1];
    int argc = 0;
    PROMISE(text);
    memcpy(text, bytes, n);
    text[n] = 0;
    for (char *at = text; *at && argc < WORDS; at += *at == '\n' ? (*at = 0, 1) : 0) {
        argv[argc++] = at;
        at += strcspn(at, "\n");
    }
    argv[argc] = NULL;
    fuzz_quiet(1);
    for (int i = 0; argc && i < 3; i++)
        if (!strcmp(argv[0], program[i].name)) program[i].run(argc, argv);
    fuzz_quiet(0);
    free(text);
}
