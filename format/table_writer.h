/* SPDX-License-Identifier: MIT */
/* table_writer.h: writes a table (FORMAT.md), which appears under its name only once complete. */
#ifndef CGCT_TABLE_WRITER_H
#define CGCT_TABLE_WRITER_H
#include "chunks.h"
#include "table_content.h"

/* Returns  OK; E_USAGE and E_RANGE as table_check; E_IO, E_NOMEM. */
cgct_status table_write(const table_content *t, const char *path, cgct_err *err);
/* The same into a file that was created, in place of what is in it: it can be read under its
 * temporary name, to->file.tmp, and gets its own by cgct_tmpfile_commit. */
cgct_status table_put(const table_content *t, cgct_chunks *to, cgct_err *err);

/* The integers of a segment in bits, code->data for free(); of t only nq, nl, nu, nm count.
 * Returns  OK; E_RANGE where an integer is too large; E_NOMEM. */
cgct_status table_encode(const table_content *t, const table_segment *s, table_code *code,
                         cgct_err *err);

/* The code of a bound (FORMAT.md 8): the least that is not below it; 255 where it exceeds all. */
uint8_t table_bound_code(double bound);
#endif
