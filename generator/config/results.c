/* SPDX-License-Identifier: GPL-3.0-or-later */
/* results.c: the keys that the numbers of a table depend on, as text at the head of a journal, and a
 * card made of that text again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "config/params.h"

static const char CARD_LINE[] = "\ncard\n"; /* behind a complete line */

cgct_status config_results(const config *card, char **text, cgct_err *err)
{
    size_t size;
    *text = NULL;
    FILE *f = open_memstream(text, &size);
    if (!f) return cgct_fail(err, CGCT_E_NOMEM, "no memory for the text of a run card");
    for (size_t i = 0; i < config_nparam; i++) {
        const config_param *p = &config_params[i];
        if (!config_is_result(p)) continue;
        fprintf(f, "%s.%s\t", p->section, p->key);
        config_print(card, p, f);
        fputc('\n', f);
    }
    fprintf(f, "%s%s", CARD_LINE + 1, card->text);
    int bad = ferror(f);
    if (!fclose(f) && !bad) return CGCT_OK;
    free(*text);
    *text = NULL;
    return cgct_fail(err, CGCT_E_NOMEM, "no memory for the text of a run card");
}

/* Makes "section.key=value" of each line that has a dot in its key; set[n] point into lines. */
static size_t split_results(char *lines, const char **set)
{
    size_t n = 0;
    for (char *at = lines, *next; *at; at = next) {
        size_t length = strcspn(at, "\n");
        next = at + length + (at[length] == '\n');
        at[length] = 0;
        char *tab = strchr(at, '\t'), *dot = strchr(at, '.');
        if (!tab || !dot || dot > tab) continue;
        *tab = '=';
        if (n < config_nparam) set[n++] = at;
    }
    return n;
}

cgct_status config_from_results(config *card, const char *text, cgct_err *err)
{
    const char *mark = strstr(text, CARD_LINE), *own = mark ? mark + strlen(CARD_LINE) : "";
    char *lines = strndup(text, mark ? (size_t)(mark - text) : strlen(text)),
         *verbatim = strdup(own);
    const char **set = malloc(config_nparam * sizeof *set);
    cgct_status st = lines && verbatim && set
                         ? config_init(card, NULL, split_results(lines, set), set, err)
                         : cgct_fail(err, CGCT_E_NOMEM, "no memory for a run card");
    free(lines);
    free(set);
    if (st == CGCT_OK) {
        free(card->text);
        card->text = verbatim;
    } else {
        free(verbatim);
    }
    return st;
}
