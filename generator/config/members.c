/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dipoles of a run card: one, or the members of an ensemble. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/params.h"
#include "format/lists.h"
#include "format/rows.h"
#include "format/words.h"
#include "numerics/memory.h"

enum { MEMBERS_MAX = 4096 };
static const char blanks[] = " \t\r\v\f";
/* of names, which are part of keys of the metadata (FORMAT.md 3) */
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

/* The options of kind bk; the equation is solved down to the smallest x. */
static cgct_status members_bk(const config *c, size_t nx, const double *x, dipole_opts *o,
                              cgct_err *err)
{
    const char *equation = c->dipole.is_forecast ? "lo" : c->dipole.equation;
    o->kind = DIPOLE_BK;
    o->bk.coupling.freeze = o->bk.coupling.c > 0 ? BK_SMOOTH : BK_SHARP;
    o->bk.refine = c->dipole.is_forecast ? c->dipole.refine / 2 : c->dipole.refine;
    o->x_initial = c->dipole.x_initial;
    for (size_t i = 0; i < nx; i++)
        if (!i || x[i] < o->xmin) o->xmin = x[i];
    CGCT_TRY(bk_equation_named(equation, &o->bk.coupling.equation, err));
    return bk_scheme_named(c->dipole.coupling, &o->bk.coupling.scheme, err);
}

/* A number of fm or "all", which a nucleus needs and nothing else has. */
static cgct_status members_impact(const config *c, dipole_opts *o, cgct_err *err)
{
    const char *text = c->dipole.b;
    const int given = strcmp(text, "auto") != 0;
    if (!given && o->nucleus == 1) return CGCT_OK;
    if (!given)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "dipole.nucleus = %d needs an impact parameter; set dipole.b (fm), or "
                         "dipole.b = all for the integral over it",
                         o->nucleus);
    if (o->nucleus == 1)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "dipole.b = %.40s fm is for a nucleus; set dipole.nucleus, or leave b out",
                         text);
    if (!strcmp(text, "all")) {
        o->impacts = c->dipole.b_nodes;
        return CGCT_OK;
    }
    if (!number_parse(text, &o->b))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "dipole.b: '%.40s' is not one finite number of fm, nor 'all'", text);
    return CGCT_OK;
}

/* A number from 2 on, or "inf", for which the option is 0. */
static cgct_status members_colours(const config *c, dipole_opts *o, cgct_err *err)
{
    o->Nc = 0;
    o->singlet = !strcmp(c->dipole.channel, "singlet");
    if (!strcmp(c->dipole.process, "qg") || c->run.forward) o->process = PROCESS_QG;
    if (!strcmp(c->dipole.process, "gg") || o->forward_parts) o->process = PROCESS_GG;
    if (!strcmp(c->dipole.Nc, "inf") || (number_parse(c->dipole.Nc, &o->Nc) && o->Nc >= 2))
        return CGCT_OK;
    return cgct_fail(err, CGCT_E_CONFIG,
                     "correlator.Nc: '%.40s' is neither a number of colours from 2 on nor inf",
                     c->dipole.Nc);
}

cgct_status members_single(const config *c, size_t nx, const double *x, dipole_source **source,
                           cgct_err *err)
{
    dipole_opts o = c->dipole.opts;
    o.is_S = !strcmp(c->dipole.column, "S");
    CGCT_TRY(members_colours(c, &o, err));
    o.kind = !strcmp(c->dipole.kind, "mv") ? DIPOLE_MV : DIPOLE_GBW;
    if (!strcmp(c->dipole.kind, "table")) o.kind = DIPOLE_TABLE;
    if (!strcmp(o.set, "auto")) o.set = NULL;
    CGCT_TRY(members_impact(c, &o, err));
    if (!strcmp(c->dipole.kind, "bk")) CGCT_TRY(members_bk(c, nx, x, &o, err));
    if (o.kind == DIPOLE_TABLE && !*o.path)
        return cgct_fail(err, CGCT_E_CONFIG, "dipole.kind = table needs dipole.file");
    CGCT_TRY(dipole_source_open(source, &o, err));
    const dipole_source *s = *source;
    const char *x0 = s->x0->text;
    for (size_t i = 0; i < nx; i++)
        if (!(x[i] >= s->xmin && x[i] <= s->xmax))
            return cgct_fail(err, CGCT_E_RANGE,
                             "%s: x = %.10g lies outside its range [%.10g, %.10g]%s%s", s->name,
                             x[i], s->xmin, s->xmax, x0 ? "; " : "", x0 ? x0 : "");
    return CGCT_OK;
}

cgct_status members_area(const config *c, const dipole_source *source, double *area, cgct_err *err)
{
    double share;
    *area = c->dipole.S_perp;
    if (*area > 0 && dipole_source_part(source, 0, &share) != source)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "dipole.S_perp = %.9g GeV^-2, but the integral over b has its own area, "
                         "%.9g; leave S_perp out",
                         *area, source->area);
    if (!(*area > 0)) *area = source->area;
    return CGCT_OK;
}

/* Sets the keys of one member in c; *aside: the word comparison is among them. */
static cgct_status set_member_keys(config *c, char *keys, int *aside, cgct_err *err)
{
    char *save, *word = strtok_r(keys, blanks, &save);
    *aside = 0;
    for (; word; word = strtok_r(NULL, blanks, &save)) {
        if (!strcmp(word, "comparison")) {
            *aside = 1;
            continue;
        }
        char *value = strchr(word, '=');
        if (value) *value++ = 0;
        const config_param *p = strcmp(word, "correlator.Nc") ? config_find("dipole", word)
                                                              : config_find("correlator", "Nc");
        if (!value || !p || !strcmp(word, "members") || !strcmp(word, "uncertainty"))
            return cgct_fail(err, CGCT_E_CONFIG,
                             "'%s' is not key=value of section dipole, nor comparison", word);
        CGCT_TRY(config_set(c, p, value, err));
    }
    return CGCT_OK;
}

/* Appends a and b to a growing text (NULL: a new one), after `before` unless it is empty. */
static void append_text(char **text, const char *before, const char *a, const char *b)
{
    size_t n = *text ? strlen(*text) : 0;
    *text = memory_resize(*text, n + strlen(before) + strlen(a) + strlen(b) + 1, 1);
    strcat(strcat(strcpy(*text + n, n ? before : ""), a), b);
}

/* Appends the words of a line, each after one blank. */
static void append_words(char **text, const char *line)
{
    char *words = memory_copy_text(line), *save, *word = strtok_r(words, blanks, &save);
    for (; word; word = strtok_r(NULL, blanks, &save)) append_text(text, " ", word, "");
    free(words);
}

/* One more source, of the card's section dipole: it, its line, its accuracy, its changes, its area
 * and its name, which is NULL where there is one member. */
static cgct_status add_dipole(dipole_ensemble *m, const config *c, const char *name, cgct_err *err)
{
    const char *before = name ? "; " : "", *colon = name ? ": " : "", *own = name ? name : "";
    double S_perp;
    char number[32];
    dipole_source **source = m->source = memory_resize(m->source, m->n + 1, sizeof(*source));
    dipole_changes *changes = m->changes = memory_resize(m->changes, m->n + 1, sizeof *changes);
    source[m->n] = NULL;
    changes[m->n] = (dipole_changes){0};
    const size_t at = m->n++, nx = c->run.x.n, nmore = c->run.members.x.n;
    double *x = memory_new(nx + nmore, sizeof *x); /* members may have x beyond those of the axis */
    memcpy(x, c->run.x.v, nx * sizeof *x);
    if (nmore) memcpy(x + nx, c->run.members.x.v, nmore * sizeof *x);
    const cgct_status st = members_single(c, nx + nmore, x, &source[at], err);
    free(x);
    if (st != CGCT_OK) return st;
    CGCT_TRY(members_area(c, source[at], &S_perp, err));
    append_text(&m->describe, before, own, colon);
    append_text(&m->describe, "", source[at]->describe, "");
    append_text(&m->accuracy, before, own, colon);
    append_text(&m->accuracy, "", source[at]->accuracy, "");
    CGCT_TRY(dipole_changes_open(&changes[at], source[at], err));
    snprintf(number, sizeof number, "%.17g", S_perp);
    append_text(&m->S_perp, " ", number, "");
    if (name) append_text(&m->names, " ", name, "");
    return CGCT_OK;
}

/* The next member of the file: its name and its keys, cut off in place; NULL after the last. */
static cgct_status next_member(text_lines *t, char **name, char **keys, cgct_err *err)
{
    do {
        CGCT_TRY(text_lines_next(t, name, err));
        if (*name) config_cut_comment(*name);
    } while (*name && (!**name || **name == '#' || **name == ';'));
    if (!*name) return CGCT_OK;
    *keys = *name + strcspn(*name, blanks);
    if (**keys) *(*keys)++ = 0;
    return CGCT_OK;
}

static cgct_status add_member(dipole_ensemble *m, const config *card, char *name, char *keys,
                              cgct_err *err)
{
    const int again = word_listed(m->names, ' ', name);
    const int number = !name[strspn(name, "0123456789")]; /* FILE@7 is the member of that number */
    if (name[strspn(name, letters)] || number || again)
        return cgct_fail(err, CGCT_E_CONFIG, "member '%.60s': %s", name,
                         again ? "is named twice"
                               : "a name has letters, digits, '_', '.', '-', not digits alone");
    if (m->n == MEMBERS_MAX)
        return cgct_fail(err, CGCT_E_CONFIG, "more than %d members", MEMBERS_MAX);
    config c = *card; /* borrows the card's strings and owns those of the keys */
    int aside;
    c.owned = NULL;
    c.nowned = 0;
    c.text = NULL;
    cgct_status st = set_member_keys(&c, keys, &aside, err);
    if (st == CGCT_OK && aside && !m->n)
        st = cgct_fail(
            err, CGCT_E_CONFIG,
            "the first member is the central one, not for comparison; give another first");
    if (st == CGCT_OK && aside) append_text(&m->comparison, " ", name, "");
    m->ncomparison += (size_t)aside;
    if (st == CGCT_OK) st = add_dipole(m, &c, name, err);
    config_free(&c);
    return st == CGCT_OK ? st : cgct_context(err, st, "member %.60s", name);
}

static cgct_status read_members(dipole_ensemble *m, const config *card, text_lines *t,
                                cgct_err *err)
{
    for (char *name, *keys;;) {
        CGCT_TRY(next_member(t, &name, &keys, err));
        if (!name) break;
        append_text(&m->list, "\t", name, "");
        append_words(&m->list, keys);
        cgct_status st = add_member(m, card, name, keys, err);
        if (st != CGCT_OK) return cgct_context(err, st, "%s:%u", t->name, t->line);
    }
    if (m->n < 2)
        return cgct_fail(err, CGCT_E_CONFIG, "%s: %zu members, want two or more",
                         card->dipole.members, m->n);
    if (!strcmp(card->run.uncertainty, "hessian") && (m->n - m->ncomparison) % 2 == 0)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "%s: %zu members, but dipole.uncertainty = hessian wants a central one "
                         "and pairs besides those for comparison",
                         card->dipole.members, m->n - m->ncomparison);
    return CGCT_OK;
}

/* Where the table files count rapidity from: the texts of dipole_x0, of alike ones the first. */
static void describe_x0(dipole_ensemble *m)
{
    for (size_t i = 0; i < m->n; i++) {
        const dipole_x0 *x0 = m->source[i]->x0;
        size_t before = 0, alike = 0;
        char more[64] = "";
        if (x0->from == DIPOLE_X0_NONE) continue;
        for (size_t j = 0; j < m->n; j++) {
            const dipole_x0 *other = m->source[j]->x0;
            const int same = other->from == x0->from && other->value == x0->value;
            before += same && j < i;
            alike += same && strcmp(other->text, x0->text);
        }
        m->x0_assumed |= x0->from == DIPOLE_X0_ASSUMED;
        if (before) continue;
        if (alike)
            snprintf(more, sizeof more, " (and %zu member%s alike)", alike, alike == 1 ? "" : "s");
        append_text(&m->x0, "; ", x0->text, more);
    }
}

static cgct_status take_member(config *c, text_lines *t, const char *name, cgct_err *err)
{
    nearest_word near;
    char hint[300], *other, *keys;
    int aside;
    nearest_start(&near, name);
    for (size_t i = 0;; i++) {
        CGCT_TRY(next_member(t, &other, &keys, err));
        if (!other)
            return cgct_fail(err, CGCT_E_CONFIG, "%s: no member %.60s among %zu%s", t->name, name,
                             i, nearest_hint(&near, hint));
        nearest_try(&near, other);
        if (strcmp(other, name)) continue;
        cgct_status st = set_member_keys(c, keys, &aside, err);
        return st == CGCT_OK ? st
                             : cgct_context(err, st, "%s:%u: member %.60s", t->name, t->line, name);
    }
}

cgct_status members_choose(config *c, const char *name, cgct_err *err)
{
    text_lines t;
    if (!*c->dipole.members)
        return cgct_fail(err, CGCT_E_CONFIG, "no members: the card does not set dipole.members");
    cgct_status st = text_lines_open(&t, c->dipole.members, err);
    if (st == CGCT_OK) st = take_member(c, &t, name, err);
    text_lines_close(&t);
    c->dipole.members = "";
    if (st != CGCT_OK) return st;
    /* the text of a card says what differs from it */
    static const char note[] = "; --member ";
    c->text = memory_resize(c->text, strlen(c->text) + sizeof note + strlen(name) + 1, 1);
    strcat(strcat(strcat(c->text, note), name), "\n");
    return CGCT_OK;
}

/* The functions that a table of a proton's dijets holds, FORMAT.md 11, are its members. */
static cgct_status open_forward(const config *card, dipole_ensemble *m, cgct_err *err)
{
    static const char *const names[] = {"qg", "pairs", "gg.vector", "qqb.vector"};
    for (int i = PARTS_NONE; i <= PARTS_FIELD_QQB; i++) {
        config c = *card; /* borrows what the card owns */
        c.dipole.opts.forward_parts = (dipole_forward_parts)i;
        CGCT_TRY(add_dipole(m, &c, names[i], err));
    }
    return CGCT_OK;
}

cgct_status members_open(const config *card, dipole_ensemble *m, cgct_err *err)
{
    *m = (dipole_ensemble){0};
    cgct_status st;
    if (card->run.forward) {
        st = open_forward(card, m, err);
    } else if (*card->dipole.members) {
        text_lines t;
        st = text_lines_open(&t, card->dipole.members, err);
        if (st == CGCT_OK) st = read_members(m, card, &t, err);
        text_lines_close(&t);
    } else {
        st = add_dipole(m, card, NULL, err);
    }
    if (st == CGCT_OK) describe_x0(m);
    if (st == CGCT_OK && m->source[0]->o.singlet)
        st =
            cgct_fail(err, CGCT_E_CONFIG,
                      "correlator.channel = singlet: a table continues I by the correlation limit, "
                      "which is that of channel = all; use 'point'");
    if (st == CGCT_OK && m->source[0]->o.process != PROCESS_DIS && !card->run.forward)
        st = cgct_fail(err, CGCT_E_CONFIG,
                       "correlator.process = %s: tables hold dijets of photons, dis, or forward "
                       "ones of a proton, pa; use 'point'",
                       card->dipole.process);
    if (st != CGCT_OK) members_free(m);
    return st;
}

void members_free(dipole_ensemble *m)
{
    for (size_t i = 0; i < m->n; i++) dipole_changes_close(&m->changes[i]);
    for (size_t i = 0; i < m->n; i++) dipole_source_close(m->source[i]);
    free(m->source);
    free(m->changes);
    free(m->names);
    free(m->list);
    free(m->comparison);
    free(m->describe);
    free(m->accuracy);
    free(m->x0);
    free(m->S_perp);
    memset(m, 0, sizeof *m);
}
