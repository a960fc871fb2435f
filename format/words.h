/* SPDX-License-Identifier: MIT */
/* words.h: words of both programs: the names of the polarisations, and which of the known words a
 * mistyped one probably stands for. */
#ifndef CGCT_WORDS_H
#define CGCT_WORDS_H
#include <stddef.h>

/* Polarisations of the virtual photon, transverse 'T' and longitudinal 'L', in the order in which
 * all arrays hold them. */
extern const char polarisation_name[2];

/* Whether `word` is one of a list, whose words `between` separates; 0 where the list is NULL. */
int word_listed(const char *list, char between, const char *word);

/* Mistakes that turn a known word into the typed one: insertions, deletions, replacements and
 * swaps of neighbouring letters.  A wrong case costs nothing, leaving out the end of the word at
 * most 1. */
size_t word_distance(const char *typed, const char *known);

/* The nearest of the known words tried so far; best is "" while none is near enough to be meant: at
 * most half of its characters are wrong, not counting dashes before them.  It is never what was
 * typed. */
typedef struct {
    char typed[256];
    size_t distance; /* a known word must be nearer than this to be taken */
    char best[256];
} nearest_word;

void nearest_start(nearest_word *n, const char *typed);
void nearest_try(nearest_word *n, const char *known);
/* Tries each word of "a|b|c". */
void nearest_try_choices(nearest_word *n, const char *choices);
/* Tries the names of the files in a folder that contain `part` ("": all), except hidden files. */
void nearest_try_folder(nearest_word *n, const char *folder, const char *part);
/* For the path of a file that does not exist: starts with its name, tries the files beside it. */
void nearest_start_file(nearest_word *n, const char *path, const char *part);

/* "; did you mean 'best'?", or "" where nothing was near enough. */
const char *nearest_hint(const nearest_word *n, char hint[300]);
#endif
