/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/common.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "config/params.h"

static int usage_error(const cli_spec *spec, const char *fmt, ...) CGCT_PRINTF_(2, 3);
static int usage_error(const cli_spec *spec, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "%s %s: ", CLI_PROGRAM, spec->name);
    vfprintf(stderr, fmt, ap);
    fprintf(stderr, "; try '%s %s --help'\n", CLI_PROGRAM, spec->name);
    va_end(ap);
    return CLI_USAGE;
}

void cli_program(char *to, size_t size)
{
    snprintf(to, size, "%s %d.%d.%d", CLI_PROGRAM, CGCT_VERSION_MAJOR, CGCT_VERSION_MINOR,
             CGCT_VERSION_PATCH);
}

void cli_print_version(void)
{
    char text[64];
    cli_program(text, sizeof text);
    puts(text);
}

static void print_help(const cli_spec *spec)
{
    printf("Usage: %s %s %s\n%s\n\n", CLI_PROGRAM, spec->name, spec->synopsis, spec->doc);
    for (const cli_option *o = spec->options; o->name; o++) {
        char left[64], letter[8] = "    ";
        if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->arg ? " " : "",
                 o->arg ? o->arg : "");
        printf("  %-34s %s\n", left, o->help);
    }
    printf("  %-34s %s\n  %-34s %s\n", "    --help", "this text", "    --version", "the version");
    if (spec->show_keys) {
        putchar('\n');
        config_print_help(stdout);
    }
}

/* The option that a word names; *value: the text behind '=', or NULL. */
static const cli_option *find_option(const cli_spec *spec, const char *word, const char **value)
{
    *value = NULL;
    for (const cli_option *o = spec->options; o->name; o++) {
        if (word[1] != '-') {
            if (o->letter && word[1] == o->letter && !word[2]) return o;
            continue;
        }
        size_t n = strlen(o->name);
        if (strncmp(word + 2, o->name, n)) continue;
        if (word[2 + n] == '=') *value = word + 3 + n;
        if (!word[2 + n] || *value) return o;
    }
    return NULL;
}

static int store(const cli_spec *spec, const cli_option *o, const char *value)
{
    if (o->kind == CLI_FLAG) {
        *(int *)o->to = 1;
    } else if (o->kind == CLI_TEXT) {
        const char **to = o->to;
        if (*to) return usage_error(spec, "--%s is given twice", o->name);
        *to = value;
    } else {
        cli_texts *to = o->to;
        if (to->n == CLI_SET_MAX)
            return usage_error(spec, "more than %d times --%s", CLI_SET_MAX, o->name);
        to->v[to->n++] = value;
    }
    return CLI_GO;
}

static int unknown_option(const cli_spec *spec, const char *word)
{
    const char *name = word + strspn(word, "-"), *near = "help";
    for (const cli_option *o = spec->options; o && o->name; o++)
        if (config_distance(name, o->name) < config_distance(name, near)) near = o->name;
    return usage_error(spec, "unknown option '%s'; nearest: --%s", word, near);
}

static int parse_option(const cli_spec *spec, int argc, char **argv, int *i)
{
    const char *value, *word = argv[*i];
    if (!strcmp(word, "--help")) return print_help(spec), cli_finish_stdout(spec);
    if (!strcmp(word, "--version")) return cli_print_version(), cli_finish_stdout(spec);
    const cli_option *o = find_option(spec, word, &value);
    if (!o) return unknown_option(spec, word);
    if (o->kind == CLI_FLAG && value) return usage_error(spec, "--%s takes no value", o->name);
    if (o->kind != CLI_FLAG && !value) {
        if (*i + 1 >= argc) return usage_error(spec, "--%s needs %s", o->name, o->arg);
        value = argv[++*i];
    }
    return store(spec, o, value);
}

int cli_parse(const cli_spec *spec, int argc, char **argv, size_t npos, const char **pos)
{
    size_t n = 0;
    int options = 1;
    for (int i = 1; i < argc; i++) {
        if (options && !strcmp(argv[i], "--")) {
            options = 0;
        } else if (options && argv[i][0] == '-' && argv[i][1]) {
            int st = parse_option(spec, argc, argv, &i);
            if (st != CLI_GO) return st;
        } else if (n < npos) {
            pos[n++] = argv[i];
        } else {
            return usage_error(spec, "unexpected argument '%s'", argv[i]);
        }
    }
    return CLI_GO;
}

int cli_fail(const cli_spec *spec, cgct_status st, const cgct_err *err)
{
    if (st == CGCT_E_USAGE) return usage_error(spec, "%s", err->text);
    fprintf(stderr, "%s %s: %s\n", CLI_PROGRAM, spec->name, err->text);
    return st == CGCT_E_CONFIG ? CLI_USAGE : CLI_FAILED;
}

int cli_finish_stdout(const cli_spec *spec)
{
    errno = 0;
    if (!fflush(stdout) && !ferror(stdout)) return CLI_DONE;
    fprintf(stderr, "%s %s: standard output: %s\n", CLI_PROGRAM, spec->name,
            errno ? strerror(errno) : "not everything could be written");
    return CLI_FAILED;
}
