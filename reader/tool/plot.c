/* SPDX-License-Identifier: MIT */
/* The script of a picture, the run of gnuplot, and the files that both leave. */
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

/* What a complete file of each form has near its end. */
static const struct {
    const char *suffix, *end;
} picture_forms[] = {{".png", "IEND"}, {".svg", "</svg>"}, {".pdf", "%%EOF"}};

/* Index of the form that the name's suffix asks for, or -1. */
static int form_of(const char *out)
{
    const char *dot = strrchr(out, '.');
    for (int i = 0; i < 3 && dot; i++)
        if (!strcmp(dot, picture_forms[i].suffix)) return i;
    return -1;
}

/* gnuplot does not tell when the disk is full. */
static int check_picture(const char *path, const char *out)
{
    const char *end = picture_forms[form_of(out)].end;
    char tail[32], *c = tail;
    size_t n = 0, length = strlen(end);
    FILE *f = fopen(path, "rb");
    if (f && !fseek(f, -(long)sizeof tail, SEEK_END)) n = fread(tail, 1, sizeof tail, f);
    if (f) fclose(f);
    for (; n >= length; n--, c++)
        if (!memcmp(c, end, length)) return TOOL_OK;
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

/* Is `name` one of the tables of the command line? */
static int is_input(const tool_call *c, const char *name)
{
    struct stat a, b;
    for (size_t i = c->command->first ? 1 : 0; i < c->n && !stat(name, &a); i++)
        if (!stat(c->word[i], &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino) return 1;
    return 0;
}

int plot_part_open(const tool_call *c, const char *name, char part[PLOT_PATH], FILE **f)
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
    int st = plot_part_open(c, out, p->part, &f);
    if (st == TOOL_OK) fclose(f); /* gnuplot opens it again */
    if (st == TOOL_OK && data) st = plot_part_open(c, data, p->data_part, &p->data);
    return st == TOOL_OK ? open_script(p) : st;
}

int plot_open(plot *p, tool_call *c)
{
    const char *out = tool_value(c, "-o");
    TOOL_CLEAR(*p);
    p->call = c;
    if (!out) return tool_usage("plot: needs -o FILE, a picture .png, .svg or .pdf");
    if (form_of(out) < 0) return tool_usage("-o: '%s', want a name in .png, .svg or .pdf", out);
    int st = open_files(p, c, out, tool_value(c, "--data"));
    if (st != TOOL_OK) return st;
    plot_string(p, "form", picture_forms[form_of(out)].suffix + 1);
    plot_string(p, "output", p->part[0] ? p->part : out);
    fprintf(p->f, "array legend[%d]\n", PLOT_CURVES_MAX);
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

int plot_gnuplot_missing(void)
{
    char file[PLOT_PATH];
    const char *path = getenv("PATH");
    for (; path && *path; path += strcspn(path, ":"), path += *path == ':') {
        snprintf(file, sizeof file, "%.*s/gnuplot", (int)strcspn(path, ":"), path);
        if (!access(file, X_OK)) return 0;
    }
    return 1;
}

static int draw_with_gnuplot(plot *p)
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

int plot_part_close(const char *part, const char *name, int st)
{
    if (!part[0]) return st;
    if (st == TOOL_OK && rename(part, name) != 0)
        st = tool_fail("%s: cannot write: %s", name, strerror(errno));
    if (st != TOOL_OK) remove(part);
    return st;
}

int plot_close(plot *p, int st, const char *gp)
{
    const char *out = tool_value(p->call, "-o"), *data = tool_value(p->call, "--data");
    if (p->f && st == TOOL_OK) fprintf(p->f, "%s%s", text_frame_gp, gp);
    if (p->f && fclose(p->f) != 0 && st == TOOL_OK)
        st = tool_fail("%s: cannot write: %s", p->script, strerror(errno));
    if (p->data && fclose(p->data) != 0 && st == TOOL_OK)
        st = tool_fail("%s: cannot write: %s", data, strerror(errno));
    if (st == TOOL_OK) st = draw_with_gnuplot(p);
    if (st == TOOL_OK && p->part[0]) st = check_picture(p->part, out);
    st = plot_part_close(p->part, out, st);
    st = plot_part_close(p->data_part, data, st);
    if (p->script[0]) remove(p->script);
    number_list_free(&p->place.list);
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

/* ---- variables ---- */

void plot_number(plot *p, const char *name, double v)
{
    fprintf(p->f, "%s = %.17g\n", name, v);
}

void plot_pair(plot *p, const char *name, double T, double L)
{
    fprintf(p->f, "%s(pol) = pol ? %.17g : %.17g\n", name, L, T);
}

void plot_string(plot *p, const char *name, const char *text)
{
    fprintf(p->f, "%s = '", name);
    for (; *text; text++) {
        if (*text == '\'') putc('\'', p->f);
        putc(*text == '\n' ? ' ' : *text, p->f);
    }
    fputs("'\n", p->f);
}

void plot_legend(plot *p, size_t i, const char *text)
{
    char name[32];
    snprintf(name, sizeof name, "legend[%zu]", i + 1);
    plot_string(p, name, text);
}

plot_range plot_range_none(void)
{
    const plot_range none = {INFINITY, 0};
    return none;
}

void plot_range_add(plot_range *r, double v)
{
    if (!(v > 0 && isfinite(v))) return;
    r->lo = fmin(r->lo, v);
    r->hi = fmax(r->hi, v);
}

double plot_colours(plot *p, plot_range r, double least)
{
    if (!(r.hi > 0)) r.lo = r.hi = 1;
    r.lo = fmax(r.lo, least * r.hi);
    r.hi = fmax(r.hi, 1.01 * r.lo);
    plot_number(p, "diverging", 0);
    plot_pair(p, "colour_lo", r.lo, r.lo);
    plot_pair(p, "colour_hi", r.hi, r.hi);
    return r.lo;
}

const char *plot_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}
