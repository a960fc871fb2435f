/* SPDX-License-Identifier: MIT */
/* The beginning of the programs; options; messages. */
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

CGCT_PRINTF_(2, 3) static option_event wrong(option_scan *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(s->message, sizeof s->message, format, args);
    va_end(args);
    return OPTIONS_WRONG;
}

static option_event read_option(option_scan *s)
{
    size_t length = strcspn(s->word, "=");
    const command_option *o = find_in_table(s->own, s->word, length);
    if (!o) o = find_in_table(s->common, s->word, length);
    if (!o) {
        const command_option *tables[] = {s->own, s->common};
        char name[64], hint[300];
        nearest_word near;
        snprintf(name, sizeof name, "%.*s", (int)length, s->word);
        nearest_start(&near, name);
        for (int t = 0; t < 2; t++)
            for (o = tables[t]; o && o->name; o++) nearest_try(&near, o->name);
        return wrong(s, "%.200s: unknown option%s", s->word, nearest_hint(&near, hint));
    }
    s->found = o;
    s->value = s->word[length] ? s->word + length + 1 : NULL;
    if (!o->value && s->value) return wrong(s, "%s: takes no value", o->name);
    if (o->value && !s->value) {
        if (s->at == s->argc) return wrong(s, "%s: needs %s", o->name, o->value);
        s->value = s->argv[s->at++];
    }
    if (!o->to) return OPTIONS_FOUND;
    if (o->kind == OPTION_FLAG) {
        *(int *)o->to = 1;
    } else if (o->kind == OPTION_TEXT) {
        const char **to = o->to;
        if (*to) return wrong(s, "%s: given twice", o->name);
        *to = s->value;
    } else {
        option_texts *to = o->to;
        if (to->n == OPTION_TEXTS_MAX)
            return wrong(s, "%s: given more than %d times", o->name, OPTION_TEXTS_MAX);
        to->v[to->n++] = s->value;
    }
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

void options_print(const command_option *o)
{
    for (; o && o->name; o++) {
        char left[64], letter[8] = "";
        if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
        snprintf(left, sizeof left, "%s%s %s", letter, o->name, o->value ? o->value : "");
        printf("  %-24s %s\n", left, o->doc);
    }
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
