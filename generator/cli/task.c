/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common.h"
#include "config/params.h"

enum { KEY_TEXT = 4352, NKEY = 7 }; /* a path and its key */

static cgct_status add_key(cli_texts *all, char *to, const char *key, const char *value,
                           cgct_err *err)
{
    if (!value) return CGCT_OK;
    if (all->n == CLI_SET_MAX)
        return cgct_fail(err, CGCT_E_USAGE, "more than %d settings", CLI_SET_MAX);
    if (snprintf(to, KEY_TEXT, "%s=%s", key, value) >= KEY_TEXT)
        return cgct_fail(err, CGCT_E_USAGE, "%s: value longer than %d bytes", key, KEY_TEXT);
    all->v[all->n++] = to;
    return CGCT_OK;
}

/* --dipole gbw|mv|mv:SET|FILE as the keys dipole.kind, dipole.set, dipole.file */
static void split_dipole(const char *text, const char **kind, const char **set, const char **file)
{
    *kind = *set = *file = NULL;
    if (!text) return;
    if (!strcmp(text, "gbw") || !strcmp(text, "mv")) {
        *kind = text;
    } else if (!strncmp(text, "mv:", 3)) {
        *kind = "mv";
        *set = text + 3;
    } else {
        *kind = "table";
        *file = text;
    }
}

/* "--set 3: ..." where only two were typed is about one of the keys that stand for an option. */
static void drop_label(size_t typed, cgct_err *err)
{
    char *colon = strstr(err->text, ": ");
    if (!strncmp(err->text, "--set ", 6) && colon && strtoul(err->text + 6, NULL, 10) > typed)
        memmove(err->text, colon + 2, strlen(colon + 2) + 1);
}

/* Adds to the message the name nearest to that of a file that is not there. */
static void suggest_file(const char *path, cgct_err *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char folder[1024], near[256] = "";
    size_t least = strlen(name) / 2 + 1, used = strlen(err->text);
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    DIR *d = access(path, F_OK) ? opendir(folder) : NULL;
    for (struct dirent *e; d && (e = readdir(d));) {
        size_t distance = config_distance(name, e->d_name);
        if (*e->d_name == '.' || distance >= least || strlen(e->d_name) >= sizeof near) continue;
        least = distance;
        strcpy(near, e->d_name);
    }
    if (d) closedir(d);
    if (*near) snprintf(err->text + used, sizeof err->text - used, "; did you mean '%s'?", near);
}

cgct_status cli_task_config(cli_task *t, cgct_err *err)
{
    const char *kind, *set, *file;
    split_dipole(t->dipole, &kind, &set, &file);
    const char *const keys[NKEY][2] = {{"dipole.kind", kind},    {"dipole.set", set},
                                       {"dipole.file", file},    {"inner.backend", t->backend},
                                       {"inner.lam", t->frame},  {"run.jobs", t->jobs},
                                       {"run.device", t->device}};
    char text[NKEY][KEY_TEXT];
    cli_texts all = t->set;
    for (size_t i = 0; i < NKEY; i++) CGCT_TRY(add_key(&all, text[i], keys[i][0], keys[i][1], err));
    cgct_status st = config_init(&t->card, t->card_path, all.n, all.v, err);
    if (st != CGCT_OK) drop_label(t->set.n, err);
    if (st == CGCT_E_IO) suggest_file(t->card_path, err);
    return st;
}

cgct_status cli_task_dipole(cli_task *t, size_t nx, const double *x, cgct_err *err)
{
    if (*t->card.dipole.members)
        return cgct_fail(err, CGCT_E_CONFIG, "dipole.members is for 'run'; here it must be empty");
    cgct_status st = members_single(&t->card, nx, x, &t->source, err);
    if (st == CGCT_E_IO) suggest_file(t->card.dipole.file, err);
    if (st == CGCT_E_IO && t->dipole)
        return cgct_context(err, st, "--dipole takes gbw, mv, mv:SET or a table file");
    return st;
}

cgct_status cli_task_members(cli_task *t, dipole_ensemble *members, cgct_err *err)
{
    const config *c = &t->card;
    cgct_status st = members_open(c, members, err);
    if (st == CGCT_E_IO) suggest_file(*c->dipole.members ? c->dipole.members : c->dipole.file, err);
    return st;
}

/* The list of an option, or the card's axis. */
static cgct_status get_list(const cli_task *t, const char *name, const char *text,
                            const char *range, const char *unit, const grid_axis *axis,
                            cli_list *to, cgct_err *err)
{
    cgct_status st = CGCT_OK;
    if (text) {
        st = config_parse_list(text, 0, &to->n, &to->v, err);
    } else if (axis && t->card_path) {
        to->v = malloc(axis->n * sizeof *to->v);
        if (!to->v) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu numbers", axis->n);
        to->n = axis->n;
        memcpy(to->v, axis->v, axis->n * sizeof *to->v);
    } else {
        return cgct_fail(err, CGCT_E_USAGE, "--%s is missing", name);
    }
    for (size_t i = 0; st == CGCT_OK && i < to->n; i++)
        st = config_check_range(to->v[i], range, unit, err);
    if (st == CGCT_OK) return st;
    return cgct_context(err, st == CGCT_E_CONFIG ? CGCT_E_USAGE : st, "--%s", name);
}

cgct_status cli_task_init(cli_task *t, cgct_err *err)
{
    if (!t->dipole && !t->card_path)
        return cgct_fail(err, CGCT_E_USAGE, "--dipole or --card is needed");
    CGCT_TRY(cli_task_config(t, err));
    const config *c = &t->card;
    const struct {
        const char *name, *text, *range, *unit;
        const grid_axis *axis;
        cli_list *to;
    } lists[] = {{"x", t->x_text, "(0,1]", "", &c->run.x, &t->x},
                 {"eps", t->eps_text, "[1e-2,1e2]", "GeV", &c->run.eps, &t->eps},
                 {"q", t->q_text, "(0,1e3]", "GeV", &c->run.q, &t->q},
                 {"k1", t->k1_text, "[0,1e3]", "GeV", &c->run.k1, &t->k1},
                 {"theta", t->theta_text, "[-10,10]", "rad", NULL, &t->theta}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        CGCT_TRY(get_list(t, lists[i].name, lists[i].text, lists[i].range, lists[i].unit,
                          lists[i].axis, lists[i].to, err));
    return cli_task_dipole(t, t->x.n, t->x.v, err);
}

void cli_task_free(cli_task *t)
{
    dipole_source_close(t->source);
    config_free(&t->card);
    cli_list *lists[] = {&t->x, &t->eps, &t->q, &t->k1, &t->theta};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) free(lists[i]->v);
    memset(t, 0, sizeof *t);
}
