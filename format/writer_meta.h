/* SPDX-License-Identifier: MIT */
/* writer_meta.h: the metadata lines of a container, FORMAT.md section 3.3. */
#ifndef CGCT_WRITER_META_H
#define CGCT_WRITER_META_H
#include "writer.h"

typedef struct {
    char *text; /* lines, not terminated */
    size_t size, capacity;
} cgct_writer_meta;

cgct_status cgct_writer_meta_init(cgct_writer_meta *m, const cgct_writer_spec *s, cgct_err *err);
/* lines: "key\tvalue\n"..., values plain text; NULL adds nothing.  E_USAGE names a line that is not
 * of that form or a key that is there already. */
cgct_status cgct_writer_meta_add(cgct_writer_meta *m, const char *lines, cgct_err *err);
void cgct_writer_meta_free(cgct_writer_meta *m);
#endif
