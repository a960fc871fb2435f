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

/* text: lines "key TAB value".  Returns OK, E_NOMEM; metadata_free also after a failure. */
cgct_status metadata_list(const run_job *j, const char *text, meta_list *m, cgct_err *err);
void metadata_free(meta_list *m);
#endif
