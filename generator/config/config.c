/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads run cards and their overrides; writes the settings of a table as text and reads them
 * back. */
#include "config/config.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/params.h"
#include "inner/backend.h"
#include "numerics/memory.h"

enum {
    CARD_MAX = 1 << 20, /* bytes of a card: any larger file is some other file, named by mistake */
    VALUE_MAX = 1 << 16 /* bytes of one value with all its continuation lines */
};

void config_free(config *c)
{
    for (size_t i = 0; i < c->nowned; i++) free(c->owned[i]);
    free(c->owned);
    free(c->text);
    memset(c, 0, sizeof *c);
}

static cgct_status refuse_unknown_key(const char *section, const char *key, cgct_err *err)
{
    const config_param *near = config_nearest(section, key);
    if (!*section)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "key '%s' without a section; nearest known key: %s in section [%s]", key,
                         near->key, near->section);
    return cgct_fail(err, CGCT_E_CONFIG, "unknown key %s.%s; nearest known key: %s.%s", section,
                     key, near->section, near->key);
}

/* Begins a line of a card that overrides a key, wherever it stands: 'run' adds its options so. */
#define SET_LINE "--set "

/* ---- the card: inih gets its lines from card_next_line, which counts them for messages ---- */

/* A value is stored when the next key begins, because indented lines continue it. */
typedef struct {
    config *c;
    const char *at;           /* the text not read yet */
    const char *line;         /* the current line */
    int number;               /* its number, from 1 */
    const config_param *open; /* the key whose value may be continued, or NULL */
    int open_line;
    char *value;
    int *seen; /* line where each key was set, or 0 */
    cgct_status st;
    cgct_err *err;
} card_reader;

/* inih by itself knows ';' behind a key's value alone. */
void config_cut_comment(char *line)
{
    for (char *at = line; (at = strpbrk(at, ";#")); at++)
        if (at > line && isspace((unsigned char)at[-1])) {
            *at = 0;
            return;
        }
}

static char *card_next_line(char *to, int size, void *stream)
{
    card_reader *r = stream;
    if (!*r->at || r->st != CGCT_OK) return NULL;
    size_t n = strcspn(r->at, "\n");
    r->line = r->at;
    r->number++;
    if (n + 3 > (size_t)size) {
        r->st = cgct_fail(r->err, CGCT_E_CONFIG,
                          "%zu characters in a line, %d allowed; continue on an indented line", n,
                          size - 3);
        return NULL;
    }
    memcpy(to, r->at, n);
    to[n] = 0;
    if (!strncmp(to, SET_LINE, strlen(SET_LINE))) *to = 0; /* later, by apply_set_lines */
    config_cut_comment(to);
    const char *bare = strchr(to, '\r');
    if (bare && bare[1]) {
        r->st = cgct_fail(r->err, CGCT_E_CONFIG, "a carriage return within the line; remove it");
        return NULL;
    }
    r->at += n + (r->at[n] == '\n');
    return to;
}

static cgct_status store_pending_value(card_reader *r)
{
    const config_param *p = r->open;
    r->open = NULL;
    if (!p) return CGCT_OK;
    cgct_status st = config_set(r->c, p, r->value, r->err);
    if (st == CGCT_OK) return st;
    r->number = r->open_line; /* for the message */
    size_t used = r->err ? strlen(r->err->text) : 0;
    if (r->err && strpbrk(r->value, ";#"))
        snprintf(r->err->text + used, sizeof r->err->text - used,
                 "; a comment begins with a blank and ';' or '#'");
    return st;
}

static cgct_status continue_value(card_reader *r, const char *text)
{
    if (r->open->type != CONFIG_AXIS || strchr(text, '='))
        return cgct_fail(r->err, CGCT_E_CONFIG,
                         "an indented line continues a list, and %s.%s before it %s; remove the "
                         "indentation",
                         r->open->section, r->open->key,
                         r->open->type == CONFIG_AXIS ? "cannot take '='" : "is none");
    if (strlen(r->value) + strlen(text) + 2 > VALUE_MAX)
        return cgct_fail(r->err, CGCT_E_CONFIG, "list of more than %d characters", VALUE_MAX);
    strcat(strcat(r->value, " "), text);
    return CGCT_OK;
}

static cgct_status begin_value(card_reader *r, const char *section, const char *key,
                               const char *text)
{
    CGCT_TRY(store_pending_value(r));
    const config_param *p = config_find(section, key);
    if (!p) return refuse_unknown_key(section, key, r->err);
    int *seen = &r->seen[p - config_params];
    if (*seen)
        return cgct_fail(r->err, CGCT_E_CONFIG, "%s.%s is set again (first in line %d); keep one",
                         section, key, *seen);
    *seen = r->open_line = r->number;
    r->open = p;
    strcpy(r->value, text); /* one line of inih, far shorter than VALUE_MAX */
    return CGCT_OK;
}

static int card_on_pair(void *user, const char *section, const char *key, const char *text)
{
    card_reader *r = user;
    if (r->st != CGCT_OK) return 0;
    if (isspace((unsigned char)*r->line) && r->open && !strcmp(key, r->open->key) &&
        !strcmp(section, r->open->section))
        r->st = continue_value(r, text);
    else
        r->st = begin_value(r, section, key, text);
    return r->st == CGCT_OK;
}

static cgct_status parse_card(config *c, const char *path, cgct_err *err)
{
    card_reader r = {.c = c, .at = c->text, .err = err};
    const array_part part[] = {ARRAY_PART(r.value, VALUE_MAX), ARRAY_PART(r.seen, config_nparam)};
    void *arrays = ARRAYS(part);
    int bad = ini_parse_stream(card_next_line, &r, card_on_pair, &r);
    if (r.st == CGCT_OK && bad) {
        r.number = bad;
        r.st = cgct_fail(err, CGCT_E_CONFIG, "neither '[section]' nor 'key = value'");
    }
    if (r.st == CGCT_OK) r.st = store_pending_value(&r);
    if (r.st == CGCT_OK && !r.open_line) {
        r.number = 1;
        r.st = cgct_fail(err, CGCT_E_CONFIG,
                         "an empty card: no 'key = value' in it; tables/reference.card has all "
                         "keys");
    }
    free(arrays);
    return r.st == CGCT_OK ? CGCT_OK : cgct_context(err, r.st, "%s:%d", path, r.number);
}

/* ---- text, overrides, defaults ---- */

/* Makes c->text: the card, with room for the lines of the overrides. */
static cgct_status read_card_text(config *c, const char *path, size_t nset, const char *const *set,
                                  cgct_err *err)
{
    size_t extra = 1;
    for (size_t i = 0; i < nset; i++) extra += strlen(set[i]) + strlen(SET_LINE "\n");
    char *text = c->text = memory_zeros(CARD_MAX + 3 + extra, 1);
    if (path) {
        FILE *f = fopen(path, "rb");
        if (!f) return cgct_fail(err, CGCT_E_IO, "%s: %s", path, strerror(errno));
        errno = 0;
        size_t n = fread(text, 1, CARD_MAX + 1, f);
        int bad = ferror(f) ? errno : 0;
        fclose(f);
        if (bad) return cgct_fail(err, CGCT_E_IO, "%s: %s", path, strerror(bad));
        if (n > CARD_MAX || memchr(text, 0, n))
            return cgct_fail(err, CGCT_E_CONFIG, "%s: not a run card (%s)", path,
                             n > CARD_MAX ? "more than 1 MiB" : "contains a zero byte");
        text[n] = 0;
        if (n && text[n - 1] != '\n') strcpy(text + n, "\n");
    }
    c->text = memory_resize(text, strlen(text) + extra, 1);
    return CGCT_OK;
}

/* Applies "section.key=value".  *result: whether the numbers of a table depend on the key. */
static cgct_status apply_override(config *c, const char *text, int *result, cgct_err *err)
{
    char name[128];
    const char *eq = strchr(text, '='), *dot = strchr(text, '.');
    if (!eq || !dot || dot > eq || strpbrk(text, "\r\n") || (size_t)(eq - text) >= sizeof name)
        return cgct_fail(err, CGCT_E_CONFIG, "'%s' is not section.key=value", text);
    memcpy(name, text, (size_t)(eq - text));
    name[eq - text] = 0;
    char *key = name + (dot - text);
    *key++ = 0;
    const config_param *p = config_find(name, key);
    if (!p) return refuse_unknown_key(name, key, err);
    *result = config_changes_table(p);
    return config_set(c, p, eq + 1, err);
}

/* The lines "--set section.key=value" of a card, to the end of each. */
static cgct_status apply_set_lines(config *c, const char *path, cgct_err *err)
{
    const size_t word = strlen(SET_LINE);
    int number = 1, result;
    for (const char *at = c->text; *at; number++) {
        const size_t n = strcspn(at, "\n");
        if (!strncmp(at, SET_LINE, word)) {
            char *line = memory_copy_text(at);
            line[at[n - 1] == '\r' ? n - 1 : n] = 0;
            const cgct_status st = apply_override(c, line + word, &result, err);
            free(line);
            if (st != CGCT_OK) return cgct_context(err, st, "%s:%d", path, number);
        }
        at += n + (at[n] == '\n');
    }
    return CGCT_OK;
}

static cgct_status apply_card_and_overrides(config *c, const char *path, size_t nset,
                                            const char *const *set, cgct_err *err)
{
    for (size_t i = 0; i < config_nparam; i++)
        CGCT_TRY(config_set(c, &config_params[i], config_params[i].def, err));
    CGCT_TRY(read_card_text(c, path, nset, set, err));
    if (path) CGCT_TRY(parse_card(c, path, err));
    if (path) CGCT_TRY(apply_set_lines(c, path, err));
    for (size_t i = 0; i < nset; i++) {
        int result = 0;
        cgct_status st = apply_override(c, set[i], &result, err);
        if (st != CGCT_OK) return cgct_context(err, st, "--set %s", set[i]);
        if (result) strcat(strcat(strcat(c->text, SET_LINE), set[i]), "\n");
    }
    return CGCT_OK;
}

/* A table of a proton's dijets has no eps, one kind of frame, and is made on the processor. */
static cgct_status check_forward(config *c, cgct_err *err)
{
    run_settings *r = &c->run;
    r->forward = !strcmp(c->dipole.process, "pa");
    if (!r->forward) return CGCT_OK;
    if (r->eps.n > 1 || r->members.eps.n || *c->dipole.members || r->node.inner.lam != 0.5)
        return cgct_fail(err, CGCT_E_CONFIG, "correlator.process = pa: %s; leave it out",
                         r->node.inner.lam != 0.5 ? "inner.lam must be 0.5"
                         : *c->dipole.members     ? "dipole.members has no effect"
                                                  : "eps has no effect");
    if (backend_is_automatic(r->node.inner.backend)) r->node.inner.backend = "separable";
    return CGCT_OK;
}

cgct_status config_init(config *c, const char *path, size_t nset, const char *const *set,
                        cgct_err *err)
{
    memset(c, 0, sizeof *c);
    cgct_status st = apply_card_and_overrides(c, path, nset, set, err);
    if (st == CGCT_OK) st = check_forward(c, err);
    if (st != CGCT_OK) config_free(c);
    return st;
}

/* ---- the card at the head of a journal ---- */

char *config_results(const config *card)
{
    size_t size;
    char *text;
    FILE *f = memory_text_open(&text, &size);
    for (size_t i = 0; i < config_nparam; i++) {
        const config_param *p = &config_params[i];
        if (!config_changes_table(p)) continue;
        fprintf(f, "%s.%s\t", p->section, p->key);
        config_print(card, p, f);
        fputc('\n', f);
    }
    fprintf(f, "card\n%s", card->text);
    memory_text_close(f);
    return text;
}

/* Turns each line "section.key TAB value" into "section.key=value" in place and lists them in
 * set[n]; lines whose key has no dot are not settings. */
static size_t results_to_overrides(char *lines, const char **set)
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
    const char *own = run_identity_card(text);
    char *lines = memory_copy_text(text);
    const char **set = memory_new(config_nparam, sizeof *set);
    lines[own - text] = 0;
    const cgct_status st = config_init(card, NULL, results_to_overrides(lines, set), set, err);
    free(lines);
    free(set);
    if (st != CGCT_OK) return st;
    free(card->text);
    card->text = memory_copy_text(own);
    return CGCT_OK;
}
