/* SPDX-License-Identifier: MIT */
/* cgctab plot: the kinds of pictures, their options, and the variables that these set. */
#include <stdio.h>
#include <string.h>

#include "plot.h"

/* ---- variables ---- */

const char *const plot_option[PLOT_NVAR] = {"--x", "--eps", "--q", "--k1", "--theta"};
const char *const plot_symbol[PLOT_NVAR] = {"x", "ε", "q", "k_1", "θ"};
const char *const plot_unit[PLOT_NVAR] = {"", " GeV", " GeV", " GeV", " rad"};
const char *const plot_label[PLOT_NVAR] = {"x", "ε (GeV)", "q (GeV)", "k_1 (GeV)", "θ (rad)"};

static const double THETA_DEFAULT = 1.5;

int plot_place_parse(plot *p, unsigned allowed, unsigned several)
{
    const tool_call *c = p->call;
    plot_place *place = &p->place;
    *place = (plot_place){.list_at = -1};
    for (int i = 0; i < PLOT_NVAR; i++) {
        const char *text = tool_value(c, plot_option[i]);
        number_list list;
        const tool_axes *a = &c->axes;
        /* without the option: the middle node, or the middle of the range in k */
        place->v[i] = i < TOOL_K     ? a->v[i][a->n[i] / 2]
                      : i == PLOT_K1 ? tool_between(a->range[TOOL_K], 0.5)
                                     : THETA_DEFAULT;
        if (!text) continue;
        if (!(allowed >> i & 1))
            return tool_usage("plot %s: %s has no meaning here", c->word[0], plot_option[i]);
        int st = tool_list_parse(plot_option[i], text, &list);
        if (st == TOOL_OK && list.n > 1 && (!(several >> i & 1) || place->list_at >= 0))
            st = tool_usage("plot %s: %s: one value only: %s", c->word[0], plot_option[i],
                            several >> i & 1 ? "another option is a list already"
                                             : "it cannot be a list");
        if (st == TOOL_OK && list.n > PLOT_CURVES_MAX)
            st = tool_usage("%s: %zu values, want at most %d", plot_option[i], list.n,
                            PLOT_CURVES_MAX);
        if (st == TOOL_OK) place->v[i] = list.v[0];
        if (st == TOOL_OK && list.n > 1) {
            place->list = list;
            place->list_at = i;
        } else {
            number_list_free(&list);
        }
        if (st != TOOL_OK) return st;
    }
    return TOOL_OK;
}

void plot_place_text(const plot_place *place, unsigned shown, char *text, size_t size)
{
    static const char *const name[PLOT_NVAR] = {"x", "ε", "q", "k1", "θ"};
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < PLOT_NVAR && used < size; i++)
        if (shown >> i & 1)
            used += (size_t)snprintf(text + used, size - used, ", %s = %.4g%s", name[i],
                                     place->v[i], plot_unit[i]);
}

void plot_title(plot *p, const char *text, unsigned shown)
{
    char place[160];
    plot_place_text(&p->place, shown, place, sizeof place);
    plot_string(p, "title", "%.380s%s%s", plot_file(p->call->word[1]), text, place);
}

int plot_has_range(const cgct_table *t)
{
    const char *aside = cgct_meta(t, "comparison"), *name;
    cgct_info info;
    size_t n = 0;
    cgct_table_info(t, &info);
    if (word_listed(aside, ' ', cgct_member_name(t, info.member))) return 0;
    for (size_t i = 0; (name = cgct_member_name(t, i)); i++) n += !word_listed(aside, ' ', name);
    return n > 1;
}

static const char *bands_text(const tool_call *c)
{
    const char *kind = cgct_meta(c->table, "uncertainty");
    if (!plot_has_range(c->table)) return "band: bound on the error";
    if (kind && !strcmp(kind, "replicas"))
        return "dark band: bound on the error, light: 16% to 84% of the members";
    if (kind && !strcmp(kind, "hessian"))
        return "dark band: bound on the error, light: uncertainty of the fit";
    return "dark band: bound on the error, light: range of the members";
}

void plot_note(plot *p, const char *before)
{
    const char *soft = tool_value(p->call, "--soft");
    plot_string(p, "note", "%s%s%s%.60s", before, bands_text(p->call),
                soft ? "; thin: with soft gluons, " : "", soft ? soft : "");
    plot_number(p, "soft", soft != NULL);
    plot_number(p, "members", plot_has_range(p->call->table));
}

/* ---- kinds ---- */

#define VARIABLES " --x --eps --q --k1 --theta "

static const struct {
    const char *name;
    int (*draw)(plot *p);
    const char *gp, *options; /* options: between blanks */
} kinds[] = {
    {"slice", plot_slice, text_slice_gp, VARIABLES "--along --soft "},
    {"compare", plot_compare, text_compare_gp, VARIABLES "--along "},
    {"map", plot_map, text_map_gp, " --x --eps --m --ratio --theta "},
    {"certificate", plot_certificate, text_map_gp, " --x --eps --flag "},
    {"modes", plot_modes, text_modes_gp, " --x --eps --q --k1 "},
    {"vn", plot_vn, text_vn_gp, " --x --eps --K --soft "},
    {"inner", plot_inner, text_map_gp, " --m "},
};

/* An option that this kind would not look at is a misunderstanding. */
static int check_options(const tool_call *c, const char *options)
{
    for (size_t i = 0; i < c->ngiven; i++) {
        char word[64];
        snprintf(word, sizeof word, " %s ", c->given[i].name);
        if (strstr(options, word) || strstr(" -o --data ", word)) continue;
        for (const command_option *f = c->command->options; f->name; f++)
            if (!strcmp(f->name, c->given[i].name))
                return tool_usage("plot %s: %s has no meaning here; it takes%.*s", c->word[0],
                                  f->name, (int)strlen(options) - 1, options);
    }
    return TOOL_OK;
}

int plot_draw(tool_call *c, int svg)
{
    if (c->n > 2 && strcmp(c->word[0], "compare") != 0)
        return tool_usage("%s: one argument too many", c->word[2]);
    size_t i = 0; /* KINDS of the command has the names */
    while (strcmp(kinds[i].name, c->word[0]) != 0) i++;
    plot p;
    TOOL_TRY(check_options(c, kinds[i].options));
    int st = plot_open(&p, c, svg);
    if (st == TOOL_OK) st = kinds[i].draw(&p);
    return plot_close(&p, st, kinds[i].gp);
}

int cmd_plot(tool_call *c)
{
    return plot_draw(c, -1);
}
