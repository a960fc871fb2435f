/* SPDX-License-Identifier: MIT */
#include "plot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- files ---- */

typedef struct {
    const char *suffix, *terminal, *end; /* end: near the end of a file that is complete */
} picture_form;

static const picture_form *form_of(const char *out)
{
    static const picture_form known[] = {
        {".png", "pngcairo size 1000,800 font 'sans,12' linewidth 1.4 dashlength 0.6", "IEND"},
        {".svg", "svg size 1000,800 font 'sans,14' background 'white' linewidth 1.4 dashlength 0.6",
         "</svg>"},
        {".pdf", "pdfcairo size 7in,5.6in font 'sans,11' linewidth 1.6 dashlength 0.6", "%%EOF"}};
    const char *dot = strrchr(out, '.');
    for (size_t i = 0; i < 3 && dot; i++)
        if (!strcmp(dot, known[i].suffix)) return &known[i];
    return NULL;
}

/* gnuplot does not tell when the disk is full. */
static int check_picture(const char *path, const char *out)
{
    const picture_form *form = form_of(out);
    char tail[32], *c = tail;
    size_t n = 0, length = strlen(form->end);
    FILE *f = fopen(path, "rb");
    if (f && !fseek(f, -(long)sizeof tail, SEEK_END)) n = fread(tail, 1, sizeof tail, f);
    if (f) fclose(f);
    for (; n >= length; n--, c++)
        if (!memcmp(c, form->end, length)) return TOOL_OK;
    return tool_fail("%s: gnuplot left it unfinished; is the disk full?", out);
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

/* Is `name` one of the tables that the picture is made of? */
static int is_input(const tool_call *c, const char *name)
{
    struct stat a, b;
    for (size_t i = 1; i < c->n && !stat(name, &a); i++)
        if (!stat(c->word[i], &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino) return 1;
    return 0;
}

/* Opens what becomes `name` by being renamed, so that nothing half-written bears that name; what
 * is no regular file (/dev/stdout) is opened itself, and part is "". */
static int open_part(const tool_call *c, const char *name, char *part, FILE **f)
{
    struct stat s;
    int there = !stat(name, &s);
    part[0] = 0;
    if (is_input(c, name)) return tool_usage("%s: is the table itself; name another file", name);
    if (there && S_ISDIR(s.st_mode)) return tool_fail("%s: is a directory", name);
    if (!there || S_ISREG(s.st_mode)) {
        if (snprintf(part, PLOT_PATH, "%s.part", name) >= PLOT_PATH) {
            part[0] = 0;
            return tool_usage("%.60s...: the name is too long", name);
        }
    }
    if ((*f = fopen(part[0] ? part : name, "w"))) return TOOL_OK;
    part[0] = 0;
    return tool_fail("%s: cannot write: %s", name, strerror(errno));
}

/* Both files of the picture, and gnuplot's script. */
static int open_files(plot *p, const tool_call *c, const char *out, const char *data)
{
    FILE *f;
    if (data && !strcmp(out, data)) return tool_usage("--data: '%s' is the picture's name", data);
    int st = open_part(c, out, p->part, &f);
    if (st == TOOL_OK) fclose(f); /* gnuplot opens it again */
    if (st == TOOL_OK && data) st = open_part(c, data, p->data_part, &p->data);
    return st == TOOL_OK ? open_script(p) : st;
}

int plot_open(plot *p, const tool_call *c)
{
    const char *out = tool_value(c, "-o");
    TOOL_CLEAR(*p);
    p->call = c;
    if (!out) return tool_usage("plot: needs -o FILE, a picture .png, .svg or .pdf");
    if (!form_of(out)) return tool_usage("-o: '%s', want a name in .png, .svg or .pdf", out);
    int st = open_files(p, c, out, tool_value(c, "--data"));
    if (st != TOOL_OK) return st;
    fprintf(p->f, "set terminal %s\nset output ", form_of(out)->terminal);
    plot_quoted(p, p->part[0] ? p->part : out);
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
    if (code) return tool_fail("gnuplot: %s", strerror(code));
    if (status && line[0]) return tool_fail("gnuplot: %s", line);
    if (WIFSIGNALED(status)) return tool_fail("gnuplot: ended by signal %d", WTERMSIG(status));
    if (status) return tool_fail("gnuplot: ended with status %d", WEXITSTATUS(status));
    return TOOL_OK;
}

static int take_name(const char *part, const char *name, int st)
{
    if (!part[0]) return st;
    if (st == TOOL_OK && rename(part, name) != 0)
        st = tool_fail("%s: cannot write: %s", name, strerror(errno));
    if (st != TOOL_OK) remove(part);
    return st;
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
    if (st == TOOL_OK && p->part[0]) st = check_picture(p->part, out);
    st = take_name(p->part, out, st);
    st = take_name(p->data_part, data, st);
    if (p->script[0]) remove(p->script);
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

const char *plot_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
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
          "set object 1 rectangle from graph 0,0 to graph 1,1 front fillstyle empty border "
          "lc rgb 'black' lw 0.7\nset tics front out nomirror\nset xtics offset 0,0.6\n",
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
