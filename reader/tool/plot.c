/* SPDX-License-Identifier: MIT */
#include "plot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- files ---- */

static const char *terminal(const char *out)
{
    static const char *const known[][2] = {
        {".png", "pngcairo size 1000,800 font 'sans,12' linewidth 1.4 dashlength 0.6"},
        {".svg",
         "svg size 1000,800 font 'sans,14' background 'white' linewidth 1.4 dashlength 0.6"},
        {".pdf", "pdfcairo size 7in,5.6in font 'sans,11' linewidth 1.6 dashlength 0.6"}};
    const char *dot = strrchr(out, '.');
    for (size_t i = 0; i < 3 && dot; i++)
        if (!strcmp(dot, known[i][0])) return known[i][1];
    return NULL;
}

static int open_script(plot *p)
{
    const char *folder = getenv("TMPDIR");
    snprintf(p->script, sizeof p->script, "%s/cgctab_plot_XXXXXX",
             folder && *folder ? folder : "/tmp");
    int fd = mkstemp(p->script);
    p->f = fd < 0 ? NULL : fdopen(fd, "w");
    if (p->f) return TOOL_OK;
    if (fd >= 0) close(fd);
    int st = tool_fail("%s: cannot write: %s", p->script, strerror(errno));
    p->script[0] = 0;
    return st;
}

int plot_open(plot *p, const tool_call *c)
{
    const char *out = tool_value(c, "-o"), *data = tool_value(c, "--data");
    TOOL_CLEAR(*p);
    p->call = c;
    if (!out) return tool_usage("plot: needs -o FILE, a picture .png, .svg or .pdf");
    if (!terminal(out)) return tool_usage("-o: '%s', want a name in .png, .svg or .pdf", out);
    if (snprintf(p->part, sizeof p->part, "%s.part", out) >= (int)sizeof p->part)
        return tool_usage("-o: the name is too long");
    int st = open_script(p);
    if (st != TOOL_OK) return st;
    if (data && !(p->data = fopen(data, "w")))
        return tool_fail("%s: cannot write: %s", data, strerror(errno));
    fprintf(p->f, "set terminal %s\nset output ", terminal(out));
    plot_quoted(p, p->part);
    fputs("\nset encoding utf8\nset grid back lc rgb '#d0d0d0' lw 0.5\nset style fill noborder\n"
          "set palette defined (0 '#440154', 1 '#472c7a', 2 '#3b518b', 3 '#2c718e', 4 '#21908d', "
          "5 '#27ad81', 6 '#5cc863', 7 '#aadc32', 8 '#fde725')\n",
          p->f);
    return TOOL_OK;
}

/* ---- gnuplot ---- */

/* First line of what gnuplot complained of. */
static void first_line(const char *path, char *line, size_t size)
{
    FILE *f = fopen(path, "r");
    line[0] = 0;
    while (f && fgets(line, (int)size, f) && strspn(line, " \t\n^") == strlen(line)) continue;
    line[strcspn(line, "\n")] = 0;
    if (f) fclose(f);
}

static int run_gnuplot(plot *p)
{
    char errors[PLOT_PATH + 8], line[256], *argv[] = {"gnuplot", p->script, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    snprintf(errors, sizeof errors, "%s.err", p->script);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int code = posix_spawnp(&child, "gnuplot", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    first_line(errors, line, sizeof line);
    remove(errors);
    if (code == ENOENT || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return tool_fail("gnuplot: not found; install the program gnuplot");
    if (code || status) return tool_fail("gnuplot: %s", code ? strerror(code) : line);
    return TOOL_OK;
}

int plot_close(plot *p, int st)
{
    const char *out = tool_value(p->call, "-o"), *data = tool_value(p->call, "--data");
    if (p->f && st == TOOL_OK) fputs("unset multiplot\n", p->f);
    if (p->f && fclose(p->f) != 0 && st == TOOL_OK)
        st = tool_fail("%s: cannot write: %s", p->script, strerror(errno));
    if (p->data && fclose(p->data) != 0 && st == TOOL_OK)
        st = tool_fail("%s: cannot write: %s", data, strerror(errno));
    if (st == TOOL_OK) st = run_gnuplot(p);
    if (st == TOOL_OK && rename(p->part, out) != 0)
        st = tool_fail("%s: cannot write: %s", out, strerror(errno));
    if (p->script[0]) remove(p->script);
    if (p->part[0]) remove(p->part);
    if (st == TOOL_OK && !p->call->out.quiet) {
        tool_out o = p->call->out;
        out_text(&o, "picture", out);
        out_end(&o);
    }
    return st;
}

/* ---- data ---- */

void plot_block(plot *p, const char *name, const char *columns)
{
    fprintf(p->f, "$%s << EOD\n", name);
    if (p->data) fprintf(p->data, "%s# %s: %s\n", p->blocks ? "\n\n" : "", name, columns);
    p->blocks++;
}

void plot_row(plot *p, size_t n, const double *v)
{
    for (size_t i = 0; i < n; i++) {
        const char *end = i + 1 < n ? " " : "\n";
        if (isfinite(v[i]))
            fprintf(p->f, "%.12g%s", v[i], end);
        else
            fprintf(p->f, "NaN%s", end);
        if (p->data) fprintf(p->data, "%.17g%s", v[i], end);
    }
}

void plot_gap(plot *p)
{
    putc('\n', p->f);
    if (p->data) putc('\n', p->data);
}

void plot_block_end(plot *p)
{
    fputs("EOD\n", p->f);
}

/* ---- looks ---- */

const char *plot_colour(size_t i)
{
    /* Okabe and Ito */
    static const char *const colour[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                         "#E69F00", "#56B4E9", "#000000", "#999900"};
    return colour[i % PLOT_CURVES_MAX];
}

void plot_quoted(plot *p, const char *text)
{
    putc('\'', p->f);
    for (; *text; text++) {
        if (*text == '\'') putc('\'', p->f);
        putc(*text == '\n' ? ' ' : *text, p->f);
    }
    putc('\'', p->f);
}

/* Shares of the picture: left and right margin, bottom, top; space between panels. */
void plot_panels(plot *p, int rows, int columns, int legend, const char *title)
{
    const char *sides = columns > 1 ? (rows > 1 ? "0.11,0.97" : "0.09,0.89") : "0.12,0.96";
    p->narrow = columns > 1;
    fprintf(p->f,
            "set multiplot layout %d,%d columnsfirst margins %s,%s,%s spacing %s,%s\nset label 1 ",
            rows, columns, sides, rows > 1 ? "0.09" : "0.12", legend ? "0.85" : "0.9",
            columns > 1 ? "0.18" : "0.12", rows > 1 ? "0.04" : "0");
    plot_quoted(p, title);
    fputs(" at screen 0.5,0.965 center noenhanced\n"
          "set key at screen 0.5,0.935 center top horizontal samplen 4\n",
          p->f);
}

void plot_map_frame(plot *p)
{
    fputs("set view map\nset pm3d corners2color mean\nunset key\nset grid noxtics noytics\n"
          "set border 4095 front\nset tics front out nomirror\nset xtics offset 0,0.6\n",
          p->f);
}

/* Marks at mantissas as dense as the range allows. */
void plot_log_axis(plot *p, const char *axis, double lo, double hi)
{
    static const double dense[] = {1, 1.5, 2, 3, 4, 5, 6, 8}, middle[] = {1, 2, 5}, sparse[] = {1};
    double decades = log10(hi / lo) * (p->narrow && *axis == 'x' ? 2 : 1);
    const double *mark = decades < 1.2 ? dense : decades < 4.5 ? middle : sparse;
    int n = decades < 1.2 ? 8 : decades < 4.5 ? 3 : 1, first = 1, step = (int)(decades / 13) + 1;
    fprintf(p->f, "set logscale %s\nset %srange [%.9g:%.9g]\nset %stics (", axis, axis, lo, hi,
            axis);
    for (int e = (int)floor(log10(lo)); e <= (int)ceil(log10(hi)); e++)
        for (int i = 0; i < n; i++) {
            double v = mark[i] * pow(10, e);
            if (v < lo * (1 - 1e-9) || v > hi * (1 + 1e-9) || e % step) continue;
            fputs(first ? "" : ", ", p->f);
            first = 0;
            if (p->bare && *axis == 'x')
                fprintf(p->f, "'' %.9g", v);
            else if (v > 0.0009 && v < 9999)
                fprintf(p->f, "'%.4g' %.9g", v, v);
            else if (mark[i] == 1)
                fprintf(p->f, "'10^{%d}' %.9g", e, v);
            else
                fprintf(p->f, "'%g·10^{%d}' %.9g", mark[i], e, v);
        }
    fputs(")\n", p->f);
}
