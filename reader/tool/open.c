/* SPDX-License-Identifier: MIT */
/* Opens tables, with a helpful message where that fails; axes of a table. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

const char *const tool_axis_name[4] = {"x", "eps", "q", "k"};

/* ---- files ---- */

void tool_each_folder(void (*use)(void *to, const char *folder), void *to)
{
    char folder[TOOL_PATH];
    const char *path = getenv("CGCTAB_DATA_PATH"), *installed = cgct_data_folder();
    for (; path && *path; path += strcspn(path, ":"), path += *path == ':') {
        snprintf(folder, sizeof folder, "%.*s", (int)strcspn(path, ":"), path);
        if (*folder) use(to, folder);
    }
    if (installed) use(to, installed);
}

static void try_tables(void *near, const char *folder)
{
    nearest_try_folder(near, folder, ".cgct");
}

static int missing_file(const char *file, const cgct_err *err)
{
    char hint[300];
    nearest_word near;
    nearest_start_file(&near, file, ".cgct");
    if (!strchr(file, '/')) tool_each_folder(try_tables, &near);
    return tool_fail("%s%s", err->text, nearest_hint(&near, hint));
}

int tool_open(const char *file, cgct_table **table)
{
    cgct_err err;
    const char *dot = strrchr(file, '.');
    cgct_status st = cgct_open(file, table, &err);
    if (st == CGCT_OK) cgct_set_negative(*table, CGCT_NEGATIVE_KEEP);
    if (st == CGCT_OK) return TOOL_OK;
    if (st == CGCT_E_IO && strstr(err.text, ": no such file")) return missing_file(file, &err);
    if (dot && !strcmp(dot, ".cgci"))
        return tool_fail("%s: an inner table, which 'cgctab plot inner' and 'cgctab-generate "
                         "transform' read",
                         file);
    return tool_fail("%s", err.text);
}

static int ends_in(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return m <= n && !strcmp(text + n - m, end);
}

size_t tool_members_meant(const char *word, const cgct_table *t)
{
    const char *at = strrchr(word, '@'), *path = cgct_table_path(t);
    char file[TOOL_PATH];
    cgct_info info = {0};
    cgct_table_info(t, &info);
    snprintf(file, sizeof file, "%.*s", (int)(strlen(path) - strlen(".cgct")), path);
    return !at || ends_in(path, at) || ends_in(file, at) ? info.members : 1;
}

void tool_negative(const cgct_table *t, char text[TOOL_PATH])
{
    const char *key[] = {"negative.points", "points", "negative.q", "negative.k"}, *value[4];
    *text = 0;
    for (int i = 0; i < 4; i++)
        if (!(value[i] = cgct_meta(t, key[i]))) return;
    snprintf(text, TOOL_PATH,
             "the mean over the angle is negative at %s of %s computed points (q,k), first at q = "
             "%s, k = %s GeV: the dipole gives no positive cross section there",
             value[0], value[1], value[2], value[3]);
}

enum { PATH_LONGEST = 4096 + 256 }; /* of a folder that can be opened, and a name in it */

static int is_table_name(const struct dirent *e)
{
    size_t n = strlen(e->d_name);
    return n > 5 && !strcmp(e->d_name + n - 5, ".cgct");
}

void tool_each_table(const char *folder, void (*use)(void *to, const char *path), void *to)
{
    struct dirent **entry;
    char path[PATH_LONGEST];
    const int n = scandir(folder, &entry, is_table_name, alphasort);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        free(entry[i]);
        use(to, path);
    }
    if (n >= 0) free(entry);
}

int tool_photons(const tool_call *c, const cgct_table *t)
{
    if (!cgct_pa_channels(t)) return TOOL_OK;
    return tool_fail("%s: a table of forward dijets (process pa), which '%s' does not take; use "
                     "'cgctab eval --process', 'accuracy', 'diff' or 'info'",
                     cgct_table_path(t), c->command->name);
}

int tool_open_first(tool_call *c)
{
    static int (*const of_photons[])(tool_call *) = {cmd_dump, cmd_explore, cmd_list,
                                                     cmd_plot, cmd_report,  cmd_stats};
    TOOL_TRY(tool_open(c->word[c->command->first ? 1 : 0], &c->table));
    c->axes = tool_axes_of(c->table);
    for (size_t i = 0; i < sizeof of_photons / sizeof *of_photons; i++)
        if (c->command->run == of_photons[i]) return tool_photons(c, c->table);
    return TOOL_OK;
}

/* ---- axes ---- */

tool_axes tool_axes_of(const cgct_table *t)
{
    tool_axes a;
    cgct_table_info(t, &a.info);
    for (int i = 0; i < TOOL_K; i++) a.v[i] = cgct_axis_values(t, (cgct_axis)i, &a.n[i]);
    memcpy(a.range[TOOL_X], a.info.x, sizeof a.info.x);
    memcpy(a.range[TOOL_EPS], a.info.eps, sizeof a.info.eps);
    memcpy(a.range[TOOL_Q], a.info.q, sizeof a.info.q);
    a.range[TOOL_K][0] = fmin(cgct_node_k(t, a.n[TOOL_Q] / 2, 1), 0.1 * a.info.k_max);
    a.range[TOOL_K][1] = a.info.k_max;
    return a;
}

double tool_between(const double range[2], double part)
{
    return part <= 0 ? range[0] : part >= 1 ? range[1] : range[0] * pow(range[1] / range[0], part);
}

size_t tool_qk_count(const tool_axes *a)
{
    return a->n[TOOL_Q] * (a->info.nk_lower + a->info.nk_upper);
}

int tool_qk(const cgct_table *t, const tool_axes *a, size_t i, double *q, double *k)
{
    size_t nk = a->info.nk_lower + a->info.nk_upper, iq = i / nk, j = i % nk;
    double most = a->info.k_max;
    *q = a->v[TOOL_Q][iq];
    *k = fmin(cgct_node_k(t, iq, j), most);
    return j == 0 || *k > fmin(cgct_node_k(t, iq, j - 1), most) * (1 + 1e-12);
}

int tool_fail_at(const cgct_table *t, const double v[5], cgct_status st)
{
    cgct_err err;
    if (cgct_check(t, v[0], v[1], v[2], v[3], v[4], &err) != CGCT_OK)
        return tool_fail("%s", err.text);
    return tool_fail("x = %g, eps = %g, q = %g, k1 = %g, theta = %g: %s", v[0], v[1], v[2], v[3],
                     v[4], cgct_strerror(st));
}

int tool_slice(const cgct_table *t, const double x_eps[2], cgct_slice **slice)
{
    cgct_err err;
    cgct_slice_free(*slice);
    return tool_status(cgct_slice_init(slice, t, x_eps[0], x_eps[1], &err), &err);
}

int tool_bound_share(const cgct_table *t, const cgct_slice *slice, const double v[5],
                     double share[2])
{
    enum { ANGLES = 17 };
    double theta[ANGLES], I[2 * ANGLES], error[2];
    for (int i = 0; i < ANGLES; i++) theta[i] = TOOL_PI * (i + 0.5) / ANGLES;
    cgct_status st = cgct_slice_angles(slice, v[2], v[3], ANGLES, theta, I);
    for (int pol = 0; pol < 2 && st == CGCT_OK; pol++) {
        double mean = 0;
        int near = 0;
        for (int i = 0; i < ANGLES; i++) mean += I[2 * i + pol] / ANGLES;
        for (int i = 1; i < ANGLES; i++)
            if (fabs(I[2 * i + pol] - mean) < fabs(I[2 * near + pol] - mean)) near = i;
        st = cgct_eval_error(t, v[0], v[1], v[2], v[3], theta[near], error);
        share[pol] = error[pol] / fabs(mean);
    }
    return st == CGCT_OK ? TOOL_OK : tool_fail_at(t, v, st);
}
