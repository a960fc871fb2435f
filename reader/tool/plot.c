/* SPDX-License-Identifier: MIT */
/* The script of a picture, the run of gnuplot, and the files that both write. */
#include "plot.h"

#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../format/safe_text.h"

extern char **environ;

/* ---- files ---- */

/* What a complete file of each form has near its end. */
enum { PNG, SVG, PDF };
static const struct {
    const char *suffix, *end;
} picture_forms[] = {{".png", "IEND"}, {".svg", "</svg>"}, {".pdf", "%%EOF"}};

/* The form that the name's suffix asks for, or -1; text, SVG, on standard output. */
static int form_of(const char *out)
{
    const char *dot = strrchr(out, '.');
    if (!strcmp(out, "-")) return SVG;
    for (int i = 0; i < 3 && dot; i++)
        if (!strcmp(dot, picture_forms[i].suffix)) return i;
    return -1;
}

/* gnuplot does not tell when the disk is full. */
static int check_picture(const plot *p)
{
    const char *end = picture_forms[p->form].end;
    char tail[32];
    struct stat st;
    const size_t length = strlen(end);
    ssize_t n = -1;
    if (!fstat(p->into, &st) && st.st_size >= (off_t)sizeof tail)
        n = pread(p->into, tail, sizeof tail, st.st_size - (off_t)sizeof tail);
    for (ssize_t i = 0; i + (ssize_t)length <= n; i++)
        if (!memcmp(tail + i, end, length)) return TOOL_OK;
    return tool_fail("%s: gnuplot left it unfinished; is the disk full, or the size of files "
                     "limited (ulimit -f)?",
                     tool_value(p->call, "-o"));
}

int plot_check_output(const tool_call *c, const char *name)
{
    for (size_t i = c->command->first ? 1 : 0; i < c->n; i++) {
        char file[TOOL_PATH];
        const char *at = strrchr(c->word[i], '@');
        snprintf(file, sizeof file, "%.*s", at ? (int)(at - c->word[i]) : -1, c->word[i]);
        if (cgct_same_file(name, c->word[i]) || cgct_same_file(name, file))
            return tool_usage("%s: is the table itself; name another file", name);
    }
    return TOOL_OK;
}

/* The picture, what --data asks for, and gnuplot's script. */
static int open_files(plot *p, const char *out, const char *data)
{
    cgct_err err;
    if (data && !strcmp(out, data)) return tool_usage("--data: '%s' is the picture's name", data);
    TOOL_TRY(plot_check_output(p->call, out));
    TOOL_TRY(tool_status(cgct_tmpfile_open_text(&p->picture, out, &err), &err));
    p->into = p->picture.fd;
    if (!data) return TOOL_OK;
    TOOL_TRY(plot_check_output(p->call, data));
    TOOL_TRY(tool_status(cgct_textfile_open(&p->numbers, data, &err), &err));
    p->data = p->numbers.f;
    return TOOL_OK;
}

int plot_open(plot *p, tool_call *c, int svg)
{
    const char *out = tool_value(c, "-o");
    TOOL_CLEAR(*p);
    p->call = c;
    p->picture = cgct_tmpfile_none();
    p->into = svg;
    p->form = SVG;
    if (svg < 0) {
        if (!out) return tool_usage("plot: needs -o FILE, a picture .png, .svg or .pdf");
        if ((p->form = form_of(out)) < 0)
            return tool_usage("-o: '%s', want a name in .png, .svg or .pdf, or - (SVG)", out);
        TOOL_TRY(open_files(p, out, tool_value(c, "--data")));
    }
    if (!(p->f = open_memstream(&p->script, &p->script_size)))
        return tool_fail("no memory for a picture");
    plot_string(p, "form", picture_forms[p->form].suffix + 1);
    fprintf(p->f, "array legend[%d]\n", PLOT_CURVES_MAX);
    return TOOL_OK;
}

/* ---- gnuplot ---- */

/* Last line of what gnuplot complained of. */
static void last_line(int fd, char *line, size_t size)
{
    char text[2048], *at = text;
    const ssize_t n = pread(fd, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    line[0] = 0;
    for (size_t length; *at; at += length + (at[length] == '\n')) {
        at += strspn(at, " \t");
        length = strcspn(at, "\n");
        if (length) snprintf(line, size, "%.*s", (int)length, at);
    }
}

int plot_gnuplot_missing(void)
{
    char file[TOOL_PATH];
    const char *path = getenv("PATH");
    for (; path && *path; path += strcspn(path, ":"), path += *path == ':') {
        snprintf(file, sizeof file, "%.*s/gnuplot", (int)strcspn(path, ":"), path);
        if (!access(file, X_OK)) return 0;
    }
    return 1;
}

/* Its standard streams are those files. */
static int run_gnuplot(int script, int picture, int errors)
{
    char line[256], name[] = "gnuplot", *argv[] = {name, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, picture, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    int code = posix_spawnp(&child, name, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    last_line(errors, line, sizeof line);
    if (code == ENOENT || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return tool_fail("gnuplot: not found; install the program gnuplot");
    if (code) return tool_fail("gnuplot: %s", strerror(code));
    if (status && line[0]) return tool_fail("gnuplot: %s", line);
    if (WIFSIGNALED(status)) return tool_fail("gnuplot: ended by signal %d", WTERMSIG(status));
    if (status) return tool_fail("gnuplot: ended with status %d", WEXITSTATUS(status));
    return TOOL_OK;
}

static int draw_with_gnuplot(const plot *p)
{
    const int script = cgct_unnamed_file(), errors = script < 0 ? -1 : cgct_unnamed_file();
    cgct_err err;
    int st = errors < 0 ? tool_fail("no temporary file for gnuplot's script: %s", strerror(errno))
                        : TOOL_OK;
    if (st == TOOL_OK)
        st = tool_status(
            cgct_write_at(script, "gnuplot's script", 0, p->script, p->script_size, &err), &err);
    if (st == TOOL_OK) st = run_gnuplot(script, p->into, errors);
    if (script >= 0) close(script);
    if (errors >= 0) close(errors);
    return st == TOOL_OK ? check_picture(p) : st;
}

int plot_close(plot *p, int st, const char *gp)
{
    cgct_err err;
    if (p->f && st == TOOL_OK) fprintf(p->f, "%s%s", text_frame_gp, gp);
    if (p->f && fclose(p->f) != 0 && st == TOOL_OK) st = tool_fail("no memory for a picture");
    if (st == TOOL_OK) st = draw_with_gnuplot(p);
    free(p->script);
    if (p->data) {
        const cgct_status before = st == TOOL_OK ? CGCT_OK : CGCT_E_IO;
        const cgct_status got = cgct_textfile_close(&p->numbers, before, &err);
        if (st == TOOL_OK) st = tool_status(got, &err);
    }
    if (st == TOOL_OK && p->into == p->picture.fd)
        st = tool_status(cgct_tmpfile_commit(&p->picture, &err), &err);
    cgct_tmpfile_discard(&p->picture);
    number_list_free(&p->place.list);
    const char *out = tool_value(p->call, "-o");
    if (st == TOOL_OK && out && strcmp(out, "-") != 0 && !p->call->out.quiet) {
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
    safe_put(p->f, SAFE_GNUPLOT, text);
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
