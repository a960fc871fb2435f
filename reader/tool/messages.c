/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tool.h"

int tool_fail(const char *format, ...)
{
    va_list args;
    fflush(stdout);
    fputs("cgctab: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    putc('\n', stderr);
    return TOOL_FAILED;
}

int tool_usage(const char *format, ...)
{
    va_list args;
    fputs("cgctab: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputs("; see 'cgctab --help' and 'cgctab COMMAND --help'\n", stderr);
    return TOOL_USAGE;
}

int tool_flush(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return TOOL_OK;
    fprintf(stderr, "cgctab: standard output: cannot write: %s\n", strerror(errno));
    return TOOL_FAILED;
}

/* ---- the nearest word ---- */

enum { WORD_MAX = 255 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours that make b of a. */
static size_t edits(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b), row[3][WORD_MAX + 1];
    if (na > WORD_MAX || nb > WORD_MAX) return WORD_MAX;
    for (size_t j = 0; j <= nb; j++) row[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *now = row[i % 3], *one = row[(i + 2) % 3], *two = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            now[j] = least(least(one[j], now[j - 1]) + 1, one[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], two[j - 2] + 1);
        }
    }
    return row[na % 3][nb];
}

void tool_nearest_start(tool_nearest *n, const char *word)
{
    n->word = word;
    n->distance = strlen(word) / 2 + 1; /* nothing in common beyond that */
    n->best[0] = 0;
}

void tool_nearest_try(tool_nearest *n, const char *candidate)
{
    size_t d = edits(n->word, candidate);
    if (d && !strcasecmp(n->word, candidate)) d = 0; /* Q for q */
    /* the beginning of a word may stand for it */
    if (d > 1 && strlen(n->word) > 1 && !strncmp(n->word, candidate, strlen(n->word))) d = 1;
    if (d >= n->distance || strlen(candidate) >= sizeof n->best) return;
    n->distance = d;
    strcpy(n->best, candidate);
}

void tool_nearest_try_all(tool_nearest *n, const char *words)
{
    for (; *words; words += strcspn(words, "|"), words += *words == '|') {
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(words, "|"), words);
        tool_nearest_try(n, word);
    }
}

const char *tool_nearest_hint(const tool_nearest *n, char hint[300])
{
    hint[0] = 0;
    if (n->best[0]) snprintf(hint, 300, "; did you mean '%s'?", n->best);
    return hint;
}
