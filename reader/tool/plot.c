/* SPDX-License-Identifier: MIT */
/* The script of a picture, the run of gnuplot, and the files that both write. */
#include "plot.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "../../format/safe_text.h"

/* ---- files ---- */

/* Whether the file `name` is what `word` stands for: itself, or a table that it finds. */
static int is_read_as(const char *name, const char *word)
{
    cgct_table *t;
    if (cgct_same_file(name, word)) return 1;
    if (cgct_open(word, &t, NULL) != CGCT_OK) return 0;
    const int same = cgct_same_file(name, cgct_table_path(t));
    cgct_close(t);
    return same;
}

/* TOOL_USAGE where `name` is a table that the call reads. */
static int check_output(const tool_call *c, const char *name)
{
    const int exists = !access(name, F_OK);
    for (size_t i = c->command->first ? 1 : 0; exists && i < c->n; i++)
        if (is_read_as(name, c->word[i]))
            return tool_usage("%s: is the table itself; name another file", name);
    return TOOL_OK;
}

int plot_open(plot *p, tool_call *c, int svg)
{
    const char *out = tool_value(c, "-o"), *data = tool_value(c, "--data");
    cgct_err err;
    TOOL_CLEAR(*p);
    p->call = c;
    p->picture = cgct_tmpfile_none();
    p->into = svg;
    p->form = PICTURE_SVG;
    if (svg < 0) {
        if (!out) return tool_usage("plot: needs -o FILE, a picture .png, .svg or .pdf");
        const char *dot = strcmp(out, "-") ? strrchr(out, '.') : ".svg";
        p->form = 0;
        while (p->form < PICTURE_FORMS && !(dot && !strcmp(dot, picture_suffix[p->form])))
            p->form++;
        if (p->form == PICTURE_FORMS)
            return tool_usage("-o: '%s', want a name in .png, .svg or .pdf, or - (SVG)", out);
        if (data && cgct_same_output(out, data))
            return tool_usage("--data: '%s' is the picture's name", data);
        TOOL_TRY(check_output(c, out));
        TOOL_TRY(tool_status(cgct_tmpfile_open_text(&p->picture, out, &err), &err));
        p->into = p->picture.fd;
    }
    if (svg < 0 && data) {
        TOOL_TRY(check_output(c, data));
        TOOL_TRY(tool_status(cgct_textfile_open(&p->numbers, data, &err), &err));
        p->data = p->numbers.f;
    }
    const int script = cgct_unnamed_file();
    if (script < 0 || !(p->f = fdopen(script, "w+")))
        return tool_fail("no temporary file for gnuplot's script: %s", strerror(errno));
    plot_string(p, "form", "%s", picture_suffix[p->form] + 1);
    fprintf(p->f, "array legend[%d]\n", PLOT_CURVES_MAX);
    return TOOL_OK;
}

/* ---- gnuplot ---- */

static cgct_status draw_with_gnuplot(const plot *p, const char *gp, cgct_err *err)
{
    fprintf(p->f, "%s%s", text_frame_gp, gp);
    if (fflush(p->f) || ferror(p->f)) return cgct_fail_errno(err, "gnuplot's script", NULL, errno);
    rewind(p->f);
    CGCT_TRY(gnuplot_run(".", fileno(p->f), p->into, err));
    const char *out = tool_value(p->call, "-o");
    return gnuplot_check(p->into, p->form, out ? out : "a picture", err);
}

int plot_close(plot *p, int st, const char *gp)
{
    cgct_err err;
    if (st == TOOL_OK) st = tool_status(draw_with_gnuplot(p, gp, &err), &err);
    if (p->f) fclose(p->f);
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

/* ---- pages ---- */

int put_page(tool_call *c, const char *text, int (*put)(void *to, const char *word, size_t n),
             void *to, FILE **f)
{
    const char *out = tool_value(c, "-o");
    cgct_textfile file;
    cgct_err err;
    int st = check_output(c, out);
    if (st == TOOL_OK) st = tool_status(cgct_textfile_open(&file, out, &err), &err);
    if (st != TOOL_OK) return st;
    *f = file.f;
    for (const char *at, *end; st == TOOL_OK && (at = strstr(text, "@@")) != NULL; text = end + 2) {
        fwrite(text, 1, (size_t)(at - text), *f);
        end = strstr(at + 2, "@@");
        st = put(to, at + 2, (size_t)(end - at - 2));
    }
    fputs(text, *f);
    const cgct_status got = cgct_textfile_close(&file, st == TOOL_OK ? CGCT_OK : CGCT_E_IO, &err);
    if (st == TOOL_OK) st = tool_status(got, &err);
    if (st == TOOL_OK && strcmp(out, "-") != 0 && !c->out.quiet) out_text(&c->out, "page", out);
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

void plot_string(plot *p, const char *name, const char *format, ...)
{
    char text[TOOL_PATH];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(p->f, "%s = '", name);
    safe_put(p->f, SAFE_GNUPLOT, text);
    fputs("'\n", p->f);
}

void plot_curves(plot *p, const char *symbol, const number_list *of, const char *unit)
{
    const size_t n = of->n ? of->n : 1;
    plot_number(p, "curves", (double)n);
    for (size_t i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "legend[%zu]", i + 1);
        if (of->n)
            plot_string(p, name, "%s = %.4g%s", symbol, of->v[i], unit);
        else
            plot_string(p, name, "%s", "");
    }
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
