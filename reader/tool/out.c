/* SPDX-License-Identifier: MIT */
/* Prints results as text, CSV, TSV or JSON. */
#include "tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../format/safe_text.h"

enum { DIGITS_LEAST = 15, DIGITS_ALL = 17, DIGITS_TEXT = 10 };

/* Where o->digits is 0, as few as identify the number, so that reading it gives the same bits.
 * Infinity and NaN do not exist in JSON; printf may give NaN a sign. */
static void put_number(const tool_out *o, double v)
{
    char text[32];
    int digits = o->digits ? o->digits : DIGITS_LEAST;
    const int json = o->form == OUT_JSON;
    if (json ? !isfinite(v) : isnan(v)) {
        fputs(json ? "null" : "nan", o->f);
        return;
    }
    do snprintf(text, sizeof text, "%.*g", digits, v);
    while (!o->digits && digits++ < DIGITS_ALL && strtod(text, NULL) != v);
    fputs(text, o->f);
}

/* ---- JSON ---- */

static void quoted(FILE *f, safe_form form, const char *text)
{
    putc('"', f);
    safe_put(f, form, text);
    putc('"', f);
}

static void json_key(tool_out *o, const char *key)
{
    if (!o->open) putc('{', o->f);
    if (o->comma) putc(',', o->f);
    o->open = 1;
    o->comma = 1;
    putc('\n', o->f);
    quoted(o->f, SAFE_JSON, key);
    fputs(": ", o->f);
}

/* ---- single values ---- */

void out_remark(tool_out *o, const char *format, ...)
{
    va_list args;
    if (o->form != OUT_TEXT || o->quiet) return;
    va_start(args, format);
    fputs("# ", o->f);
    safe_vline(o->f, format, args);
    va_end(args);
}

/* Begins a value; 1 where it goes on as text. */
static int begin_text(tool_out *o, const char *key)
{
    if (o->form == OUT_JSON)
        json_key(o, key);
    else
        fprintf(o->f, "%-13s ", key);
    return o->form != OUT_JSON;
}

void out_text(tool_out *o, const char *key, const char *value)
{
    if (begin_text(o, key))
        safe_line(o->f, "%s", value);
    else
        quoted(o->f, SAFE_JSON, value);
}

void out_number(tool_out *o, const char *key, double v, const char *unit)
{
    if (begin_text(o, key))
        fprintf(o->f, "%.*g%s%s\n", o->digits ? o->digits : DIGITS_TEXT, v, *unit ? " " : "", unit);
    else
        put_number(o, v);
}

void out_count(tool_out *o, const char *key, size_t n)
{
    fprintf(o->f, begin_text(o, key) ? "%zu\n" : "%zu", n);
}

void out_truth(tool_out *o, const char *key, int yes)
{
    if (begin_text(o, key))
        fputs(yes ? "yes\n" : "no\n", o->f);
    else
        fputs(yes ? "true" : "false", o->f);
}

void out_numbers(tool_out *o, const char *key, size_t n, const double *v)
{
    int json = o->form == OUT_JSON;
    if (json) {
        json_key(o, key);
        putc('[', o->f);
    } else if (!o->quiet) {
        fprintf(o->f, "%s", key);
    }
    for (size_t i = 0; i < n; i++) {
        if (i || (!json && !o->quiet)) fputs(json ? ", " : " ", o->f);
        put_number(o, v[i]);
    }
    fputs(json ? "]" : "\n", o->f);
}

void out_texts(tool_out *o, const char *key, size_t n, const char *const *v)
{
    if (o->form == OUT_JSON) {
        json_key(o, key);
        putc('[', o->f);
        for (size_t i = 0; i < n; i++) {
            if (i) fputs(", ", o->f);
            quoted(o->f, SAFE_JSON, v[i]);
        }
        putc(']', o->f);
        return;
    }
    for (size_t i = 0; i < n; i++) safe_line(o->f, "%s", v[i]);
}

void out_enter(tool_out *o, const char *key)
{
    if (o->form != OUT_JSON) return;
    json_key(o, key);
    putc('{', o->f);
    o->comma = 0;
}

void out_leave(tool_out *o)
{
    if (o->form != OUT_JSON) return;
    fputs("\n}", o->f);
    o->comma = 1;
}

/* ---- tables ---- */

static int separator(const tool_out *o)
{
    return o->form == OUT_CSV ? ',' : o->form == OUT_TSV ? '\t' : ' ';
}

void out_table(tool_out *o, const char *key, size_t n, const char *const *columns)
{
    o->column = 0;
    o->ncolumn = n;
    o->columns = columns;
    if (o->form == OUT_JSON) {
        json_key(o, key);
        putc('[', o->f);
        o->comma = 0;
        return;
    }
    if (o->quiet) return;
    if (o->form == OUT_TEXT) putc('#', o->f);
    for (size_t i = 0; i < n; i++) {
        if (i || o->form == OUT_TEXT) putc(separator(o), o->f);
        fputs(columns[i], o->f);
    }
    putc('\n', o->f);
}

/* Prints the separator before a cell, in JSON also its key. */
static void begin_cell(tool_out *o)
{
    size_t i = o->column;
    if (o->form == OUT_JSON)
        fprintf(o->f, "%s\"%s\": ", i ? ", " : o->comma ? ",\n{" : "\n{", o->columns[i]);
    else if (i)
        putc(separator(o), o->f);
}

static void end_cell(tool_out *o)
{
    o->comma = 1;
    if (++o->column < o->ncolumn) return;
    o->column = 0;
    putc(o->form == OUT_JSON ? '}' : '\n', o->f);
}

void out_cell(tool_out *o, double v)
{
    begin_cell(o);
    put_number(o, v);
    end_cell(o);
}

void out_cells(tool_out *o, size_t n, const double *v)
{
    for (size_t i = 0; i < n; i++) out_cell(o, v[i]);
}

void out_cell_count(tool_out *o, size_t n)
{
    begin_cell(o);
    fprintf(o->f, "%zu", n);
    end_cell(o);
}

void out_cell_text(tool_out *o, const char *text)
{
    begin_cell(o);
    if (!text || (o->form == OUT_TSV && !*text))
        fputs(o->form == OUT_JSON ? "null" : "-", o->f);
    else if (o->form == OUT_JSON)
        quoted(o->f, SAFE_JSON, text);
    else if (o->form == OUT_CSV && strpbrk(text, ",\"\r\n"))
        quoted(o->f, SAFE_CSV, text);
    else
        safe_put(o->f, o->form == OUT_TEXT ? SAFE_COLUMN : SAFE_LINE, text);
    end_cell(o);
}

void out_table_end(tool_out *o)
{
    if (o->form != OUT_JSON) return;
    fputs("\n]", o->f);
    o->comma = 1;
}

void out_end(tool_out *o)
{
    if (o->form == OUT_JSON && o->open) fputs("\n}\n", o->f);
}
