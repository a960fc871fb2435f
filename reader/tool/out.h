/* SPDX-License-Identifier: MIT */
/* out.h: results as text, CSV or JSON, from the same calls.  The JSON object is opened by the first
 * of them and closed by out_end, so that it is whole after a failure, too. */
#ifndef CGCTAB_OUT_H
#define CGCTAB_OUT_H
#include <stddef.h>
#include <stdio.h>

typedef enum { OUT_TEXT, OUT_CSV, OUT_JSON } out_form;

typedef struct {
    FILE *f;
    out_form form;
    int quiet;  /* text and CSV: no headings */
    int digits; /* significant ones; 0: 17, and 10 for single values in text */
    int open, comma;
    size_t column;
    size_t ncolumn;
    const char *const *columns; /* of the table being printed */
} tool_out;

/* Single values: a line "key value unit" of text. */
void out_text(tool_out *o, const char *key, const char *value);
void out_number(tool_out *o, const char *key, double v, const char *unit);
void out_count(tool_out *o, const char *key, size_t n);
void out_truth(tool_out *o, const char *key, int yes);
void out_numbers(tool_out *o, const char *key, size_t n, const double *v);
void out_texts(tool_out *o, const char *key, size_t n, const char *const *v);

/* JSON only: an object within the object. */
void out_enter(tool_out *o, const char *key);
void out_leave(tool_out *o);

/* A table: rows of n cells.  JSON: an array of objects. */
void out_table(tool_out *o, const char *key, size_t n, const char *const *columns);
void out_cell(tool_out *o, double v);
void out_cell_count(tool_out *o, size_t n);
void out_cell_text(tool_out *o, const char *text);
void out_table_end(tool_out *o);

void out_end(tool_out *o);
#endif
