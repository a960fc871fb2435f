/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config/params.h"

#include <string.h>
#include <strings.h>

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

/* The types of params.def are those of the members. */
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

enum { NAME_MAX_ = 64 }; /* longer names are compared by their first 64 bytes */

const config_param *config_find(const char *section, const char *key)
{
    for (size_t i = 0; i < config_nparam; i++)
        if (!strcmp(config_params[i].section, section) && !strcmp(config_params[i].key, key))
            return &config_params[i];
    return NULL;
}

/* One row at a time. */
size_t config_distance(const char *a, const char *b)
{
    size_t row[NAME_MAX_ + 1], na = strnlen(a, NAME_MAX_), nb = strnlen(b, NAME_MAX_);
    for (size_t j = 0; j <= nb; j++) row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[nb];
}

const config_param *config_nearest(const char *section, const char *key)
{
    const config_param *best = config_params;
    size_t least = (size_t)-1;
    for (size_t i = 0; i < config_nparam; i++) {
        const config_param *p = &config_params[i];
        size_t d_key = config_distance(key, p->key);
        size_t d_section = config_distance(section, p->section);
        if (!strcasecmp(key, p->key) && strcmp(key, p->key)) d_key = 0; /* Q for q */
        if (d_key > 1 && strlen(key) > 2 && !strncmp(key, p->key, strlen(key))) d_key = 1;
        /* a right key in a wrong section is one mistake, however different the sections are */
        size_t d = d_key + (d_section < 2 ? d_section : 2);
        if (d < least) {
            least = d;
            best = p;
        }
    }
    return best;
}

int config_is_result(const config_param *p)
{
    return strcmp(p->section, "run") && (strcmp(p->section, "output") || strcmp(p->key, "file"));
}

void config_print(const config *c, const config_param *p, FILE *out)
{
    const void *member = (const char *)c + p->offset;
    const grid_axis *axis = member;
    if (p->type == CONFIG_STR) fputs(*(const char *const *)member, out);
    if (p->type == CONFIG_INT) fprintf(out, "%d", *(const int *)member);
    if (p->type == CONFIG_REAL) fprintf(out, "%.17g", *(const double *)member);
    for (size_t i = 0; p->type == CONFIG_AXIS && i < axis->n; i++)
        fprintf(out, "%s%.17g", i ? "," : "", axis->v[i]);
}
