/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_params.h: params.def as a table, and what is done with one of its rows: look up, parse,
 * print. */
#ifndef CGCT_CONFIG_PARAMS_H
#define CGCT_CONFIG_PARAMS_H
#include <stdio.h>

#include "config/config.h"

typedef enum { CONFIG_STR, CONFIG_INT, CONFIG_REAL, CONFIG_AXIS } config_type;

typedef struct {
    const char *section, *key;
    config_type type;
    const char *def; /* the default as one would write it in a card */
    const char *unit, *range, *doc;
    size_t offset; /* of the member in config */
} config_param;

extern const config_param config_params[];
extern const size_t config_nparam;

/* Row of section.key, or NULL. */
const config_param *config_find(const char *section, const char *key);
/* The row whose name is nearest to section.key by edit distance; never NULL. */
const config_param *config_nearest(const char *section, const char *key);
/* Insertions, deletions and replacements that make b of a. */
size_t config_distance(const char *a, const char *b);

/* Numbers "1,2,5" (commas, blanks or both), "geom LO HI N" or "lin LO HI N" (N >= 2, ends
 * included): allocates *v (free with free).  Finite; any order unless rising != 0, which asks for
 * strictly rising. Returns OK, E_CONFIG, E_NOMEM; the message starts with the text. */
cgct_status config_parse_list(const char *text, int rising, size_t *n, double **v, cgct_err *err);

/* E_CONFIG unless value lies in range, written "(0,1]", "[0,2]" ... ; "" allows every finite value.
 */
cgct_status config_check_range(double value, const char *range, const char *unit, cgct_err *err);

/* Store text as p's member of c.  What it allocates goes to *block (to be freed with the config),
 * NULL if nothing.  Returns OK, E_CONFIG, E_NOMEM; the message names the key, the value, what is
 * allowed. */
cgct_status config_set(config *c, const config_param *p, const char *text, void **block,
                       cgct_err *err);

/* 0 for the keys that only say how and where to compute: section run, and output.file. */
int config_is_result(const config_param *p);
/* p's value in c, as it could be given to config_set. */
void config_print(const config *c, const config_param *p, FILE *out);

/* All keys with default, unit, range and meaning, for --help. */
void config_print_help(FILE *out);
#endif
