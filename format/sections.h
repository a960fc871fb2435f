/* SPDX-License-Identifier: MIT */
/* sections.h: writes the parts of a table file around its nodes: axes, metadata, shape, index,
 * header (FORMAT.md section 3). */
#ifndef CGCT_SECTIONS_H
#define CGCT_SECTIONS_H
#include "header.h"
#include "tmpfile.h"

/* Lines of metadata, "key\tvalue\n" with escapes, not terminated; all zero: none. */
typedef struct {
    char *text;
    size_t size, capacity;
} cgct_metadata;

/* value: plain text.  E_USAGE names a key that is not allowed or is there already. */
cgct_status cgct_metadata_add(cgct_metadata *m, const char *key, const char *value, cgct_err *err);
/* lines: "key\tvalue\n"..., values plain text; NULL adds nothing.  E_USAGE as above, and for a line
 * that is not of that form. */
cgct_status cgct_metadata_add_lines(cgct_metadata *m, const char *lines, cgct_err *err);
void cgct_metadata_free(cgct_metadata *m);

/* Appends n bytes at the next multiple of align, at most CGCT_ALIGN_RECORDS; fills *s. */
cgct_status cgct_section_append(cgct_tmpfile *f, const cgct_crc64_table *crc, const void *data,
                                size_t n, size_t align, cgct_section *s, cgct_err *err);
/* values: of all axes, one after the other, as many as the header says. */
cgct_status cgct_axes_append(cgct_tmpfile *f, const cgct_crc64_table *crc, const double *values,
                             cgct_header *h, cgct_err *err);
/* Metadata, shape (neps, nq, nk) and index behind the nodes, then the header at the begin. */
cgct_status cgct_table_finish(cgct_tmpfile *f, const cgct_crc64_table *crc, cgct_header *h,
                              const cgct_metadata *meta, const uint16_t *shape,
                              const cgct_entry *entry, cgct_err *err);
#endif
