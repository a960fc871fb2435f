/* SPDX-License-Identifier: MIT */
/* out.h: prints results as text, CSV, TSV or JSON, with the same calls.  The first call opens the
 * JSON object and out_end closes it, so that it is complete even after a failure. */
#ifndef CGCTAB_OUT_H
#define CGCTAB_OUT_H
#include <stddef.h>
#include <stdio.h>

#include "../../format/error.h"

typedef enum { OUT_TEXT, OUT_CSV, OUT_TSV, OUT_JSON } out_form;

typedef struct {
    FILE *f;
    out_form form;
    int quiet;  /* text, CSV and TSV: no headings */
    int digits; /* significant digits; 0: as many as identify the number (10 for single values) */
    int open, comma; /* JSON: the object is open; a comma comes before the next item */
    size_t column, ncolumn;
    const char *const *columns; /* names of the columns of the table being printed */
} tool_out;

/* A line "# ..." of text, in front of a table. */
void out_remark(tool_out *o, const char *format, ...) CGCT_PRINTF_(2, 3);

/* Single values; as text a line "key value unit". */
void out_text(tool_out *o, const char *key, const char *value);
void out_number(tool_out *o, const char *key, double v, const char *unit);
void out_count(tool_out *o, const char *key, size_t n);
void out_truth(tool_out *o, const char *key, int yes);
void out_numbers(tool_out *o, const char *key, size_t n, const double *v);
void out_texts(tool_out *o, const char *key, size_t n, const char *const *v);

/* An object within the object, in JSON; nothing in text. */
void out_enter(tool_out *o, const char *key);
void out_leave(tool_out *o);

/* A table of rows of n cells, printed one by one; in JSON an array of objects. */
void out_table(tool_out *o, const char *key, size_t n, const char *const *columns);
void out_cell(tool_out *o, double v);
void out_cells(tool_out *o, size_t n, const double *v);
void out_cell_count(tool_out *o, size_t n);
void out_cell_text(tool_out *o, const char *text); /* NULL: "-", in JSON null */
void out_table_end(tool_out *o);

void out_end(tool_out *o);
#endif
