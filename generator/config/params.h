/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params.h: the keys of a run card (params.def) as a table, and what can be done with a key: find
 * it, set it, print it. */
#ifndef CGCT_CONFIG_PARAMS_H
#define CGCT_CONFIG_PARAMS_H
#include <stdio.h>

#include "config/config.h"

typedef enum { CONFIG_STR, CONFIG_INT, CONFIG_REAL, CONFIG_AXIS } config_type;

typedef struct {
    const char *section, *key;
    config_type type;
    const char *def; /* the default as written in a card */
    const char *unit, *range, *doc;
    size_t offset; /* of its member in config */
} config_param;

extern const config_param config_params[];
extern const size_t config_nparam;

/* Row of section.key, or NULL. */
const config_param *config_find(const char *section, const char *key);
/* The row whose name is nearest to section.key (word_distance); never NULL. */
const config_param *config_nearest(const char *section, const char *key);

/* E_CONFIG unless value lies in range, an interval like "(0,1]"; "" allows every finite value.
 * unit is for the message. */
cgct_status config_check_range(double value, const char *range, const char *unit, cgct_err *err);

/* Sets p's member of c to what the text says; c owns what is allocated.  Returns OK, E_CONFIG or
 * E_NOMEM; the message names the key, the value and what is allowed. */
cgct_status config_set(config *c, const config_param *p, const char *text, cgct_err *err);

/* Cuts a comment, which begins with ';' or '#' after a blank, off a line. */
void config_cut_comment(char *line);
/* Whether the numbers of a table depend on p: 0 for section run and for output.file. */
int config_changes_table(const config_param *p);
/* Prints p's value in c, as it could be given to config_set. */
void config_print(const config *c, const config_param *p, FILE *out);

/* Prints all keys with default, meaning, range and unit, for --help. */
void config_print_help(FILE *out);
#endif
