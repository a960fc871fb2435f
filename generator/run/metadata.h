/* SPDX-License-Identifier: GPL-3.0-or-later */
/* metadata.h: what a table says of itself in words: its job, and lines that its assembly prints. */
#ifndef CGCT_RUN_METADATA_H
#define CGCT_RUN_METADATA_H
#include "format/table_writer.h"
#include "run/job.h"

/* The values lie in text and in the job. */
typedef struct {
    table_meta *list;
    size_t n;
    char *text; /* owned: keys and values */
} meta_list;

/* text: lines "key TAB value".  To be freed by metadata_free. */
meta_list metadata_list(const run_job *j, const char *text);
void metadata_free(meta_list *m);
#endif
