/* SPDX-License-Identifier: GPL-3.0-or-later */
/* metadata.c: what a table says of itself in words. */
#include "run/metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/memory.h"

static void add_meta(meta_list *m, const char *key, const char *value)
{
    if (value) m->list[m->n++] = (table_meta){key, value};
}

/* A key of the card that may be empty. */
static const char *stated(const char *text)
{
    return text && *text ? text : NULL;
}

/* Takes lines "key TAB value LF" apart, in place; further tabs divide a value into lines. */
static void add_meta_lines(meta_list *m, char *at)
{
    while (*at) {
        char *value = at + strcspn(at, "\t"), *end = at + strcspn(at, "\n");
        *value++ = *end = 0;
        for (char *tab = value; (tab = strchr(tab, '\t'));) *tab = '\n';
        add_meta(m, at, value);
        at = end + 1;
    }
}

/* "S_perp TAB v" where all members have the same area, lines "S_perp.NAME TAB v" otherwise. */
static void print_areas(const run_job *j, FILE *f)
{
    const char *area = j->S_perp, *name = j->names ? j->names : "";
    size_t first = strcspn(area, " "), same = 1;
    for (const char *at = area; *at; at += strcspn(at, " "), at += *at == ' ')
        same &= strcspn(at, " ") == first && !strncmp(at, area, first);
    if (same && strtod(area, NULL) > 0) fprintf(f, "S_perp\t%.*s\n", (int)first, area);
    for (; !same && *area && *name; area += strcspn(area, " "), area += *area == ' ') {
        if (strtod(area, NULL) > 0)
            fprintf(f, "S_perp.%.*s\t%.*s\n", (int)strcspn(name, " "), name,
                    (int)strcspn(area, " "), area);
        name += strcspn(name, " ");
        name += *name == ' ';
    }
}

/* The file that the card names, so that the table itself says what its members are. */
static void print_members(const run_job *j, FILE *f)
{
    const char *list = run_identity_get(j->identity, "members_list");
    const int n = list ? (int)strcspn(list, "\n") : 0;
    if (n) fprintf(f, "members.list\t%.*s\t\n", n, list);
}

meta_list metadata_list(const run_job *j, const char *text)
{
    size_t size, lines = 16;
    meta_list all = {.n = 0}, *m = &all;
    FILE *f = memory_text_open(&m->text, &size);
    fputs(text, f);
    print_areas(j, f);
    print_members(j, f);
    memory_text_close(f);
    for (const char *at = m->text; *at; at++) lines += *at == '\n';
    m->list = memory_new(lines, sizeof *m->list);
    add_meta(m, "quantity",
             j->settings->forward ? "forward dijets of a proton's partons: T (GeV^-4), no prefactor"
                                  : "dijet cross sections I_T, I_L (GeV^-6), no prefactor");
    add_meta(m, "generator", j->program);
    add_meta(m, "dipole", j->dipole);
    add_meta(m, "dipole.x0", j->x0);
    add_meta(m, "dipole.accuracy", j->accuracy);
    add_meta(m, "dipole.N", j->N);
    add_meta(m, "backend", j->backend);
    add_meta(m, "card", run_identity_card(j->identity));
    add_meta(m, "members", j->names);
    add_meta(m, "comparison", j->comparison);
    add_meta(m, "uncertainty", j->settings->uncertainty);
    add_meta(m, "citation", stated(j->settings->citation));
    add_meta(m, "licence", stated(j->settings->licence));
    add_meta_lines(m, m->text);
    return all;
}

void metadata_free(meta_list *m)
{
    free(m->list);
    free(m->text);
    *m = (meta_list){.n = 0};
}
