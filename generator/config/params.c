/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of all keys of a run card, made of params.def: look-up, values, text. */
#include "config/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/lists.h"
#include "format/words.h"
#include "numerics/memory.h"

#define SECTION(name, doc)
#define DEF_STR(def) def
#define DEF_AXIS(def) def
#define DEF_INT(def) #def
#define DEF_REAL(def) #def
#define PARAM(section, key, member, type, def, unit, range, doc)                                   \
    {#section, #key, CONFIG_##type, DEF_##type(def), unit, range, doc, offsetof(config, member)},
const config_param config_params[] = {
#include "config/params.def"
};
#undef PARAM
#undef SECTION

#define PARAM(section, key, member, type, def, unit, range, doc)
#define SECTION(name, doc) doc,
static const char *const section_docs[] = {
#include "config/params.def"
};
#undef PARAM
#undef SECTION

/* Compilation fails where a type in params.def is not that of the member of config. */
#define SECTION(name, doc)
#define TYPE_STR const char *
#define TYPE_INT int
#define TYPE_REAL double
#define TYPE_AXIS grid_axis
#define PARAM(section, key, member, type, def, unit, range, doc)                                   \
    _Static_assert(_Generic(((const config *)0)->member, TYPE_##type : 1, default : 0),            \
                   #section "." #key " has another type in config");
#include "config/params.def"
#undef PARAM

const size_t config_nparam = sizeof config_params / sizeof *config_params;

/* ---- look-up ---- */

const config_param *config_find(const char *section, const char *key)
{
    for (size_t i = 0; i < config_nparam; i++)
        if (!strcmp(config_params[i].section, section) && !strcmp(config_params[i].key, key))
            return &config_params[i];
    return NULL;
}

const config_param *config_nearest(const char *section, const char *key)
{
    const config_param *best = config_params;
    size_t least = (size_t)-1;
    for (size_t i = 0; i < config_nparam; i++) {
        const config_param *p = &config_params[i];
        size_t d_section = word_distance(section, p->section);
        /* the right key in a wrong section counts as two mistakes at most */
        size_t d = word_distance(key, p->key) + (d_section < 2 ? d_section : 2);
        if (d < least) {
            least = d;
            best = p;
        }
    }
    return best;
}

int config_changes_table(const config_param *p)
{
    return strcmp(p->section, "run") && (strcmp(p->section, "output") || strcmp(p->key, "file"));
}

/* ---- values ---- */

cgct_status config_check_range(double value, const char *range, const char *unit, cgct_err *err)
{
    char *end;
    double lo = -INFINITY, hi = INFINITY;
    int open_lo = 0, open_hi = 0;
    if (*range) {
        open_lo = range[0] == '(';
        lo = strtod(range + 1, &end);
        hi = strtod(end + 1, &end);
        open_hi = *end == ')';
    }
    if (isfinite(value) && (open_lo ? value > lo : value >= lo) &&
        (open_hi ? value < hi : value <= hi))
        return CGCT_OK;
    return cgct_fail(err, CGCT_E_CONFIG, "%g lies outside %s%s%s", value,
                     *range ? range : "the finite numbers", *unit ? " " : "", unit);
}

static void own_block(config *c, void *data)
{
    c->owned = memory_resize(c->owned, c->nowned + 1, sizeof *c->owned);
    c->owned[c->nowned++] = data;
}

static cgct_status set_axis(config *c, grid_axis *to, const config_param *p, const char *text,
                            cgct_err *err)
{
    number_list list;
    if (!*text && !*p->def) {
        *to = (grid_axis){.text = ""};
        return CGCT_OK;
    }
    CGCT_TRY(number_list_parse(text, &list, err));
    char *copy = memory_copy_text(text);
    *to = (grid_axis){list.n, list.v, number_list_cheb(text), list.from, copy};
    own_block(c, list.v);
    own_block(c, copy);
    if (to->from > 0 && strcmp(p->key, "x"))
        return cgct_fail(err, CGCT_E_CONFIG, "'%.60s': only x can have 'from X'", text);
    for (size_t i = 1; i < list.n; i++)
        if (!(list.v[i] > list.v[i - 1]))
            return cgct_fail(
                err, CGCT_E_CONFIG,
                "'%.60s': entry %zu (%g) is not above entry %zu (%g); write the values "
                "rising, each once",
                text, i + 1, list.v[i], i, list.v[i - 1]);
    for (size_t i = 0; i < list.n; i++) {
        cgct_status st = config_check_range(list.v[i], p->range, p->unit, err);
        if (st != CGCT_OK) return cgct_context(err, st, "entry %zu", i + 1);
    }
    return CGCT_OK;
}

static cgct_status set_value(config *c, const config_param *p, const char *text, cgct_err *err)
{
    void *member = (char *)c + p->offset;
    const int whole = p->type == CONFIG_INT;
    double v;
    if (p->type == CONFIG_AXIS) return set_axis(c, member, p, text, err);
    if (p->type == CONFIG_STR) {
        if (*p->range && !word_listed(p->range, '|', text))
            return cgct_fail(err, CGCT_E_CONFIG, "'%.60s' is none of %s", text, p->range);
        char *copy = memory_copy_text(text);
        *(const char **)member = copy;
        own_block(c, copy);
        return CGCT_OK;
    }
    if (!number_parse(text, &v) || (whole && v != floor(v)))
        return cgct_fail(err, CGCT_E_CONFIG, "'%.60s' is not %s; allowed: %s%s%s", text,
                         whole ? "an integer" : "a finite number", *p->range ? p->range : "any",
                         *p->unit ? " " : "", p->unit);
    CGCT_TRY(config_check_range(v, p->range, p->unit, err));
    if (whole)
        *(int *)member = (int)v;
    else
        *(double *)member = v;
    return CGCT_OK;
}

cgct_status config_set(config *c, const config_param *p, const char *text, cgct_err *err)
{
    cgct_status st = set_value(c, p, text, err);
    return st == CGCT_OK ? st : cgct_context(err, st, "%s.%s", p->section, p->key);
}

/* ---- text ---- */

void config_print(const config *c, const config_param *p, FILE *out)
{
    const void *member = (const char *)c + p->offset;
    const grid_axis *axis = member;
    if (p->type == CONFIG_STR) fputs(*(const char *const *)member, out);
    if (p->type == CONFIG_INT) fprintf(out, "%d", *(const int *)member);
    if (p->type == CONFIG_REAL) fprintf(out, "%.17g", *(const double *)member);
    if (p->type == CONFIG_AXIS) fputs(axis->text, out);
}

/* Words of a comment, the first behind `column` characters of a line; further lines begin with as
 * many blanks as `indent`. */
static void print_comment(FILE *out, size_t column, int indent, const char *text)
{
    fputc(';', out);
    for (column++; *text; text += strspn(text, " ")) {
        size_t n = strcspn(text, " ");
        if (column + 1 + n > 100) column = (size_t)fprintf(out, "\n%*s;", indent, "") - 1;
        column += (size_t)fprintf(out, " %.*s", (int)n, text);
        text += n;
    }
    fputc('\n', out);
}

void config_print_help(FILE *out)
{
    const char *section = "";
    size_t sections = 0;
    fputs("Keys of a run card (--set section.key=value) with their defaults:\n", out);
    for (size_t i = 0; i < config_nparam; i++) {
        const config_param *p = &config_params[i];
        if (strcmp(section, p->section)) {
            section = p->section;
            fputc('\n', out);
            print_comment(out, 0, 0, section_docs[sections++]);
            fprintf(out, "[%s]\n", section);
        }
        char line[256], text[512];
        int column = snprintf(line, sizeof line, "%s = %s", p->key, p->def);
        fprintf(out, "%-22s ", line);
        snprintf(text, sizeof text, "%s%s%s%s%s", p->doc, *p->unit || *p->range ? "; " : "",
                 p->range, *p->unit && *p->range ? " " : "", p->unit);
        print_comment(out, column > 22 ? (size_t)column + 1 : 23, 23, text);
    }
}
