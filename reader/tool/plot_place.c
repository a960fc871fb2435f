/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include "plot.h"

const char *const plot_option[PLOT_NVAR] = {"--x", "--eps", "--q", "--k1", "--theta"};
const char *const plot_symbol[PLOT_NVAR] = {"x", "ε", "q", "k_1", "θ"};
const char *const plot_unit[PLOT_NVAR] = {"", " GeV", " GeV", " GeV", ""};
const char *const plot_label[PLOT_NVAR] = {"x", "ε (GeV)", "q (GeV)", "k_1 (GeV)", "θ (rad)"};

static const double THETA_DEFAULT = 1.5;

int plot_place_parse(const tool_call *c, const cgct_table *t, unsigned allowed, unsigned several,
                     plot_place *place)
{
    tool_axes axes = tool_axes_of(t);
    *place = (plot_place){.list_at = -1};
    for (int i = 0; i < PLOT_NVAR; i++) {
        const char *text = tool_value(c, plot_option[i]);
        number_list list;
        place->v[i] = i < 4 ? axes.v[i][axes.n[i] / 2] : THETA_DEFAULT;
        if (!text) continue;
        if (!(allowed >> i & 1))
            return tool_usage("plot %s: %s has no meaning here", c->word[0], plot_option[i]);
        int st = tool_list_parse(plot_option[i], text, &list);
        if (st == TOOL_OK && list.n > 1 && (!(several >> i & 1) || place->list_at >= 0))
            st = tool_usage("plot %s: %s: one value, please: %s", c->word[0], plot_option[i],
                            several >> i & 1 ? "there is a list already" : "no list makes sense");
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

void plot_mode_title(const tool_call *c, const cgct_table *t, const char *text, char *title,
                     size_t size)
{
    cgct_info info;
    int folded = cgct_table_info(t, &info) == CGCT_OK && info.fold;
    snprintf(title, size, "%.400s%s%s", plot_file(c->word[1]), text,
             folded ? "; folded: J in place of I" : "");
}
