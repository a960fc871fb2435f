/* SPDX-License-Identifier: MIT */
/* The beginning of the programs; options; messages. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "command_line.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "safe_text.h"
#include "tmpfile.h"

void command_begin(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0) return;
    signal(SIGXFSZ, SIG_IGN);
    cgct_tmpfile_clear_on_signals();
}

/* The option of a table that the first `length` characters of a word name, or NULL. */
static const command_option *find_in_table(const command_option *table, const char *word,
                                           size_t length)
{
    for (const command_option *o = table; o && o->name; o++) {
        if (strlen(o->name) == length && !strncmp(o->name, word, length)) return o;
        if (o->letter && length == 2 && word[1] == o->letter) return o;
    }
    return NULL;
}

static option_event read_option(option_scan *s)
{
    size_t length = strcspn(s->word, "=");
    s->found = find_in_table(s->own, s->word, length);
    if (!s->found) s->found = find_in_table(s->common, s->word, length);
    if (!s->found) return OPTIONS_UNKNOWN;
    s->value = s->word[length] ? s->word + length + 1 : NULL;
    if (!s->found->value) return s->value ? OPTIONS_TAKES_NONE : OPTIONS_FOUND;
    if (!s->value && s->at == s->argc) return OPTIONS_LACKS_VALUE;
    if (!s->value) s->value = s->argv[s->at++];
    return OPTIONS_FOUND;
}

option_event options_next(option_scan *s)
{
    if (!s->ended && s->at < s->argc && !strcmp(s->argv[s->at], "--")) {
        s->ended = 1;
        s->at++;
    }
    if (s->at >= s->argc) return OPTIONS_END;
    s->word = s->argv[s->at++];
    return s->ended || s->word[0] != '-' || !s->word[1] ? OPTIONS_WORD : read_option(s);
}

void options_nearest(const option_scan *s, nearest_word *near)
{
    const command_option *tables[] = {s->own, s->common};
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(s->word, "="), s->word);
    nearest_start(near, name);
    for (int t = 0; t < 2; t++)
        for (const command_option *o = tables[t]; o && o->name; o++) nearest_try(near, o->name);
}

void message_print(const char *who, const char *tail, const char *format, va_list args)
{
    char text[8192], line[sizeof text + 1024]; /* room for two paths */
    fflush(stdout);
    vsnprintf(text, sizeof text, format, args);
    size_t n = (size_t)snprintf(line, sizeof line, "%s: ", who);
    safe_copy(SAFE_LINE, text, line + n, sizeof line - n - strlen(tail) - 1);
    strcat(strcat(line, tail), "\n");
    fputs(line, stderr);
}

int message_flush_output(const char *who)
{
    errno = 0;
    if (!fflush(stdout) && !ferror(stdout)) return 1;
    fprintf(stderr, "%s: standard output: cannot write: %s\n", who,
            errno ? strerror(errno) : "some of it is missing");
    return 0;
}
