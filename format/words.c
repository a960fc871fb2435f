/* SPDX-License-Identifier: MIT */
/* The nearest word by edit distance. */
#include "words.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const char polarisation_name[2] = {'T', 'L'};

enum { WORD_MAX = 255 }; /* the distance of longer words is WORD_MAX: they are not compared */

int word_listed(const char *list, char between, const char *word)
{
    for (const char *at = list, *end; at; at = end ? end + 1 : NULL) {
        end = strchr(at, between);
        const size_t n = end ? (size_t)(end - at) : strlen(at);
        if (n == strlen(word) && !strncmp(at, word, n)) return 1;
    }
    return 0;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Damerau-Levenshtein distance ("optimal string alignment"); three rows of its matrix suffice. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b), row[3][WORD_MAX + 1];
    if (na > WORD_MAX || nb > WORD_MAX) return WORD_MAX;
    for (size_t j = 0; j <= nb; j++) row[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *now = row[i % 3], *one = row[(i + 2) % 3], *two = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            now[j] = smaller(smaller(one[j], now[j - 1]) + 1, one[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], two[j - 2] + 1);
        }
    }
    return row[na % 3][nb];
}

size_t word_distance(const char *typed, const char *known)
{
    size_t d = edit_distance(typed, known), n = strlen(typed);
    if (!strcasecmp(typed, known)) return 0;
    return d > 1 && n > 1 && !strncmp(typed, known, n) ? 1 : d;
}

void nearest_start(nearest_word *n, const char *typed)
{
    snprintf(n->typed, sizeof n->typed, "%s", typed);
    /* beyond that the words have nothing in common */
    n->distance = strlen(n->typed + strspn(n->typed, "-")) / 2 + 1;
    n->best[0] = 0;
}

void nearest_try(nearest_word *n, const char *known)
{
    size_t d = word_distance(n->typed, known);
    if (d >= n->distance || strlen(known) >= sizeof n->best || !strcmp(n->typed, known)) return;
    n->distance = d;
    strcpy(n->best, known);
}

void nearest_try_choices(nearest_word *n, const char *choices)
{
    for (; *choices; choices += strcspn(choices, "|"), choices += *choices == '|') {
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(choices, "|"), choices);
        nearest_try(n, word);
    }
}

void nearest_try_folder(nearest_word *n, const char *folder, const char *part)
{
    DIR *d = opendir(folder);
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));)
        if (*e->d_name != '.' && strstr(e->d_name, part)) nearest_try(n, e->d_name);
    closedir(d);
}

void nearest_start_file(nearest_word *n, const char *path, const char *part)
{
    const char *slash = strrchr(path, '/');
    char folder[1024] = ".";
    if (slash) snprintf(folder, sizeof folder, "%.*s", (int)(slash - path) + 1, path);
    nearest_start(n, slash ? slash + 1 : path);
    nearest_try_folder(n, folder, part);
}

const char *nearest_hint(const nearest_word *n, char hint[300])
{
    hint[0] = 0;
    if (n->best[0]) snprintf(hint, 300, "; did you mean '%s'?", n->best);
    return hint;
}
