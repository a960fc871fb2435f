/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the command line of a subcommand, its numbers, run card and points; prints its messages. */
#include "cli/common.h"

#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config/params.h"
#include "format/tmpfile.h"
#include "numerics/blas.h"
#include "run/machine.h"

/* ---- messages ---- */

static void name_program(const char *subcommand, char who[64])
{
    snprintf(who, 64, "%s%s%s", cli_name, *subcommand ? " " : "", subcommand);
}

void cli_say(const char *subcommand, const char *format, ...)
{
    char who[64];
    va_list args;
    name_program(subcommand, who);
    va_start(args, format);
    message_print(who, "", format, args);
    va_end(args);
}

static int CGCT_PRINTF_(2, 3) usage_error(const cli_spec *spec, const char *fmt, ...)
{
    char who[64], tail[128];
    va_list ap;
    name_program(spec->name, who);
    snprintf(tail, sizeof tail, "; try '%s --help'", who);
    va_start(ap, fmt);
    message_print(who, tail, fmt, ap);
    va_end(ap);
    return CLI_USAGE;
}

int cli_end(const cli_spec *spec, cgct_status st, const cgct_err *err)
{
    char who[64];
    if (st == CGCT_E_USAGE) return usage_error(spec, "%s", err->text);
    name_program(spec->name, who);
    if (st == CGCT_OK) return message_flush_output(who) ? CLI_DONE : CLI_FAILED;
    cli_say(spec->name, "%s", err->text);
    return st == CGCT_E_CONFIG ? CLI_USAGE : CLI_FAILED;
}

void cli_program(char *to, size_t size)
{
    snprintf(to, size, "%s %d.%d.%d", cli_name, CGCT_VERSION_MAJOR, CGCT_VERSION_MINOR,
             CGCT_VERSION_PATCH);
}

void cli_print_version(void)
{
    char text[64];
    cli_program(text, sizeof text);
    puts(text);
}

cgct_status cli_check_writable(const char *path, cgct_err *err)
{
    cgct_tmpfile file = cgct_tmpfile_none();
    cgct_status st = cgct_tmpfile_open(&file, path, err);
    cgct_tmpfile_discard(&file);
    return st;
}

/* ---- command lines ---- */

static const command_option options_of_all[] = {{.name = "--help", .doc = "this text"},
                                                {.name = "--version", .doc = "the version"},
                                                {.name = NULL}};

static int print_subcommand_help(const cli_spec *spec)
{
    char who[64];
    name_program(spec->name, who);
    printf("Usage: %s %s\n%s\n\n", who, spec->synopsis, spec->doc);
    options_print(spec->options);
    options_print(options_of_all);
    if (spec->show_keys) {
        putchar('\n');
        config_print_help(stdout);
    }
    return cli_end(spec, CGCT_OK, NULL);
}

int cli_parse(const cli_spec *spec, int argc, char **argv, size_t npos, const char **pos)
{
    option_scan s = {
        .argc = argc - 1, .argv = argv + 1, .own = spec->options, .common = options_of_all};
    size_t n = 0;
    for (;;) {
        switch (options_next(&s)) {
        case OPTIONS_END:
            return CLI_GO;
        case OPTIONS_WORD:
            if (n == npos) return usage_error(spec, "unexpected argument '%s'", s.word);
            pos[n++] = s.word;
            break;
        case OPTIONS_WRONG:
            return usage_error(spec, "%s", s.message);
        case OPTIONS_FOUND:
            if (s.found == &options_of_all[0]) return print_subcommand_help(spec);
            if (s.found == &options_of_all[1])
                return cli_print_version(), cli_end(spec, CGCT_OK, NULL);
        }
    }
}

/* ---- numbers ---- */

/* Puts --name before the message; a wrong value on the command line is wrong usage. */
static cgct_status blame_option(const char *name, cgct_status st, cgct_err *err)
{
    if (st == CGCT_OK) return st;
    return cgct_context(err, st == CGCT_E_CONFIG ? CGCT_E_USAGE : st, "--%s", name);
}

cgct_status cli_numbers(const char *name, const char *text, const char *range, const char *unit,
                        number_list *to, cgct_err *err)
{
    if (!text) return cgct_fail(err, CGCT_E_USAGE, "--%s is missing", name);
    cgct_status st = number_list_parse(text, to, err);
    for (size_t i = 0; st == CGCT_OK && i < to->n; i++)
        st = config_check_range(to->v[i], range, unit, err);
    return blame_option(name, st, err);
}

cgct_status cli_number(const char *name, const char *text, const char *range, const char *unit,
                       double *to, cgct_err *err)
{
    if (!text) return cgct_fail(err, CGCT_E_USAGE, "--%s is missing", name);
    if (!number_parse(text, to))
        return cgct_fail(err, CGCT_E_USAGE, "--%s '%.60s' is not one finite number", name, text);
    return blame_option(name, config_check_range(*to, range, unit, err), err);
}

cgct_status cli_integer(const char *name, const char *text, const char *range, const char *unit,
                        double *to, cgct_err *err)
{
    if (text && !integer_parse(text, to))
        return cgct_fail(err, CGCT_E_USAGE, "--%s '%.60s' is not an integer", name, text);
    return cli_number(name, text, range, unit, to, err);
}

/* ---- the card and the dipole ---- */

enum { KEY_TEXT = 4096 + 256, NKEY = 8 }; /* bytes of "key=path"; keys that stand for options */

/* --dipole gbw|mv|mv:SET|bk:SET|FILE as the keys dipole.kind, dipole.set, dipole.file */
static void split_dipole(const char *text, const char **kind, const char **set, const char **file)
{
    *kind = *set = *file = NULL;
    if (!text) return;
    if (!strcmp(text, "gbw") || !strcmp(text, "mv") || !strcmp(text, "bk")) {
        *kind = text;
    } else if (!strncmp(text, "mv:", 3) || !strncmp(text, "bk:", 3)) {
        *kind = *text == 'm' ? "mv" : "bk";
        *set = text + 3;
    } else {
        *kind = "table";
        *file = text;
    }
}

/* Adds to the message about a missing file the most similar name beside it. */
static void suggest_file(const char *path, cgct_err *err)
{
    nearest_word near;
    char hint[300];
    size_t used = strlen(err->text);
    if (!access(path, F_OK) || errno != ENOENT) return;
    nearest_start_file(&near, path, "");
    snprintf(err->text + used, sizeof err->text - used, "%s", nearest_hint(&near, hint));
}

/* The file that the card's dipole is read from. */
static const char *dipole_file(const config *c)
{
    return *c->dipole.opts.initial ? c->dipole.opts.initial : c->dipole.opts.path;
}

static cgct_status check_not_file(const char *path, const char *input, cgct_err *err)
{
    if (!input || !cgct_same_file(path, input)) return CGCT_OK;
    return cgct_fail(err, CGCT_E_USAGE, "-o %s: is read by this command; name another file", path);
}

cgct_status cli_check_not_read(const cli_task *t, const char *path, cgct_err *err)
{
    CGCT_TRY(check_not_file(path, t->card_path, err));
    CGCT_TRY(check_not_file(path, dipole_file(&t->card), err));
    return check_not_file(path, t->card.dipole.members, err);
}

cgct_status cli_check_not_member(const dipole_ensemble *m, const char *path, cgct_err *err)
{
    for (size_t i = 0; i < m->n; i++) {
        const dipole_source *s = m->source[i];
        if (s->kind == DIPOLE_TABLE) CGCT_TRY(check_not_file(path, s->name, err));
        if (s->table) CGCT_TRY(check_not_file(path, s->table->name, err));
    }
    return CGCT_OK;
}

cgct_status cli_output_file(const cli_task *t, const char *path, char **file, cgct_err *err)
{
    *file = NULL;
    if (!*path) return cgct_fail(err, CGCT_E_USAGE, "no output file: give -o FILE or output.file");
    CGCT_TRY(cli_check_not_read(t, path, err));
    return cgct_output_path(path, file, err);
}

cgct_status cli_task_config(cli_task *t, cgct_err *err)
{
    const char *kind, *set, *file;
    if (!t->dipole && !t->card_path)
        return cgct_fail(err, CGCT_E_USAGE, "--dipole or --card is needed");
    split_dipole(t->dipole, &kind, &set, &file);
    const int is_key = t->process && (!strcmp(t->process, "qg") || !strcmp(t->process, "gg"));
    const char *const keys[NKEY][2] = {
        {"dipole.kind", kind},     {"dipole.set", set},
        {"dipole.file", file},     {"inner.backend", t->backend},
        {"inner.lam", t->frame},   {"run.jobs", t->jobs},
        {"run.device", t->device}, {"correlator.process", is_key ? t->process : NULL}};
    char text[NKEY][KEY_TEXT], label[KEY_TEXT + 16];
    option_texts all = t->set;
    for (size_t i = 0; i < NKEY; i++) {
        if (!keys[i][1]) continue;
        if (all.n == OPTION_TEXTS_MAX)
            return cgct_fail(err, CGCT_E_USAGE, "more than %d settings", OPTION_TEXTS_MAX);
        if (snprintf(text[i], KEY_TEXT, "%s=%s", keys[i][0], keys[i][1]) >= KEY_TEXT)
            return cgct_fail(err, CGCT_E_USAGE, "%s: value longer than %d bytes", keys[i][0],
                             KEY_TEXT);
        all.v[all.n++] = text[i];
    }
    cgct_status st = config_init(&t->card, t->card_path, all.n, all.v, err);
    /* another option stands for what the message calls "--set KEY=VALUE: " */
    for (size_t i = t->set.n; i < all.n && st != CGCT_OK; i++) {
        size_t n = (size_t)snprintf(label, sizeof label, "--set %s: ", all.v[i]);
        if (n < sizeof label && !strncmp(err->text, label, n))
            memmove(err->text, err->text + n, strlen(err->text + n) + 1);
    }
    if (st == CGCT_E_IO) suggest_file(t->card_path, err);
    if (st == CGCT_OK)
        t->card.dipole.opts.bk.keeper = cli_solutions_open(&t->solutions, t->no_cache);
    if (st != CGCT_OK || !t->member) return st;
    if (t->dipole)
        return cgct_fail(err, CGCT_E_USAGE, "--dipole and --member: both name a dipole; give one");
    return members_choose(&t->card, t->member, err);
}

void cli_say_x0(const cli_task *t, const char *text, int assumed)
{
    if (text && !t->quiet)
        fprintf(stderr, "%s: %s%s\n", cli_name, assumed ? "warning: " : "", text);
}

/* Of what the dipole's file leaves uncertain at the n values x. */
static void warn_of_file(const cli_task *t, const dipole_source *s, size_t n, const double *x)
{
    const char *text = s->table ? s->table->warning : s->warning; /* table: an evolution's file */
    const double first = s->xmax * (1 - 1e-6);                    /* but for that rapidity itself */
    double most = 0;
    if (text) cli_say("", "warning: %s", text);
    for (size_t i = 0; i < n; i++)
        if (x[i] < first) most = fmax(most, x[i]);
    if (!t->quiet && s->x_second > 0 && most > s->x_second)
        cli_say(
            "",
            "warning: %s: x = %.6g lies between its first rapidities, at x = %.6g and %.6g; if the "
            "evolution begins there, I may be off by several per cent, which no bound includes",
            s->name, most, s->xmax, s->x_second);
}

cgct_status cli_threads(int jobs, cgct_err *err)
{
    omp_set_num_threads(jobs > 0 ? jobs : machine_threads(""));
    return blas_open(omp_get_max_threads(), err);
}

cgct_status cli_task_dipole(cli_task *t, size_t nx, const double *x, cgct_err *err)
{
    const char *members = t->card.dipole.members;
    if (*members)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "the card has the members of %.200s: choose one with --member NAME, or "
                         "--set dipole.members= for the dipole of the card itself",
                         members);
    CGCT_TRY(cli_threads(t->card.jobs, err));
    cgct_status st = members_single(&t->card, nx, x, &t->source, err);
    if (st == CGCT_OK) {
        const dipole_x0 *x0 = t->source->x0;
        cli_say_x0(t, x0->text, x0->from == DIPOLE_X0_ASSUMED);
        warn_of_file(t, t->source, nx, x);
    }
    if (st == CGCT_E_IO) suggest_file(dipole_file(&t->card), err);
    if (st == CGCT_E_IO && t->dipole && !strcmp(t->card.dipole.kind, "table"))
        return cgct_context(err, st, "--dipole takes gbw, mv, mv:SET, bk:SET or a table file");
    return st;
}

cgct_status cli_check_photons(const cli_task *t, cgct_err *err)
{
    if (t->source->o.process == PROCESS_DIS) return CGCT_OK;
    return cgct_fail(err, CGCT_E_USAGE, "correlator.process = %s: want dis, dijets of photons",
                     t->card.dipole.process);
}

cgct_status cli_task_members(cli_task *t, dipole_ensemble *members, cgct_err *err)
{
    const config *c = &t->card;
    CGCT_TRY(cli_threads(c->jobs, err));
    cgct_status st = members_open(c, members, err);
    if (st == CGCT_E_IO) suggest_file(*c->dipole.members ? c->dipole.members : dipole_file(c), err);
    for (size_t i = 0; st == CGCT_OK && i < members->n; i++)
        warn_of_file(t, members->source[i], c->run.x.n, c->run.x.v);
    return st;
}

cgct_status cli_task_card(cli_task *t, cgct_err *err)
{
    return t->card_path ? cli_task_config(t, err) : cgct_fail(err, CGCT_E_USAGE, "CARD is missing");
}

cgct_status cli_smallest_Qs(const dipole_source *source, double x, double *Qs, cgct_err *err)
{
    *Qs = INFINITY;
    for (size_t i = 0; i < dipole_source_parts(source); i++) {
        dipole *d;
        double share;
        CGCT_TRY(dipole_init(&d, dipole_source_part(source, i, &share), x, err));
        *Qs = fmin(*Qs, sqrt(d->Qs2));
        dipole_free(d);
    }
    return CGCT_OK;
}

/* ---- points ---- */

enum { COLUMNS_MOST = 8 }; /* as of number_rows_read */

static cgct_status read_points(number_rows *p, const char *path, size_t n, const cli_column *c,
                               cgct_err *err)
{
    const char *name[COLUMNS_MOST];
    for (size_t i = 0; i < n; i++) {
        name[i] = c[i].name;
        if (c[i].text)
            return cgct_fail(err, CGCT_E_USAGE, "--%s: cannot go with --points, which has it",
                             c[i].name);
    }
    CGCT_TRY(number_rows_read(p, path, n, name, err));
    if (!p->n) return cgct_fail(err, CGCT_E_FORMAT, "%s: no points", p->name);
    for (size_t i = 0; i < p->n * n; i++) {
        const cli_column *of = &c[i % n];
        cgct_status st = config_check_range(p->v.v[i], of->range, of->unit, err);
        if (st == CGCT_OK) continue;
        cgct_context(err, st, "%s", of->name);
        return number_rows_blame(p, i / n, CGCT_E_RANGE, err);
    }
    return CGCT_OK;
}

cgct_status cli_points(number_rows *to, const char *path, size_t n, const cli_column *columns,
                       cgct_err *err)
{
    number_list lists[COLUMNS_MOST] = {{0, NULL, 0}};
    cgct_status st = CGCT_OK;
    if (path) return read_points(to, path, n, columns, err);
    to->ncol = n;
    for (size_t i = 0; i < n && st == CGCT_OK; i++) {
        const cli_column *c = &columns[i];
        if (c->text || !c->axis)
            st = cli_numbers(c->name, c->text, c->range, c->unit, &lists[i], err);
        for (size_t k = 0; !c->text && c->axis && k < c->axis->n && st == CGCT_OK; k++)
            st = number_list_add(&lists[i], c->axis->v[k], err);
    }
    if (st == CGCT_OK) st = number_rows_product(to, lists, err);
    for (size_t i = 0; i < n; i++) number_list_free(&lists[i]);
    return st;
}

cgct_status cli_task_points(cli_task *t, const cli_column columns[POINT_COLUMNS], cgct_err *err)
{
    CGCT_TRY(cli_points(&t->points, t->points_path, POINT_COLUMNS, columns, err));
    for (size_t i = 0; i < t->points.n; i++)
        CGCT_TRY(number_list_add(&t->x, cli_task_point(t, i).x, err));
    cgct_status st = cli_task_dipole(t, t->x.n, t->x.v, err);
    if (st == CGCT_E_RANGE && t->source) { /* an x that the dipole does not have */
        size_t i = 0;
        while (i + 1 < t->x.n && t->x.v[i] >= t->source->xmin && t->x.v[i] <= t->source->xmax) i++;
        st = number_rows_blame(&t->points, i, st, err);
    }
    return st;
}

cgct_status cli_task_init(cli_task *t, cgct_err *err)
{
    CGCT_TRY(cli_task_config(t, err));
    const run_settings *c = &t->card.run;
    const int has_axes = t->card_path != NULL;
    const cli_column columns[POINT_COLUMNS] = {
        {"x", "(0,1]", "", t->x_text, has_axes ? &c->x : NULL},
        {"eps", "[1e-2,1e2]", "GeV", t->eps_text, has_axes ? &c->eps : NULL},
        {"q", "(0,1e3]", "GeV", t->q_text, has_axes ? &c->q : NULL},
        {"k1", "[0,1e3]", "GeV", t->k1_text, NULL},
        {"theta", "[-10,10]", "rad", t->theta_text, NULL}};
    return cli_task_points(t, columns, err);
}

void cli_task_free(cli_task *t)
{
    dipole_source_close(t->source);
    config_free(&t->card);
    cli_solutions_free(&t->solutions);
    number_list *lists[] = {&t->x, &t->eps, &t->q, &t->k1, &t->theta};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) number_list_free(lists[i]);
    number_rows_free(&t->points);
    memset(t, 0, sizeof *t);
}

cli_point_at cli_task_point(const cli_task *t, size_t i)
{
    const double *v = t->points.v.v + i * POINT_COLUMNS;
    return (cli_point_at){v[0], v[1], v[2], v[3], v[4]};
}
