/* SPDX-License-Identifier: MIT */
/* journal.h: a file of finished results that survives a crash: one text that identifies the run,
 * then records, each on disk before the next is written.  A record that a killed process or a full
 * disk left incomplete is dropped when the file is opened again; a damaged one does not count.  A
 * container (chunks.h) of kind CGCT_JOURNAL without an end: the chunk TEXT, whose index is the
 * lower half of the checksum of its size (8 bytes), then a chunk for each record.  A file that ends
 * within the text was being created. */
#ifndef CGCT_JOURNAL_H
#define CGCT_JOURNAL_H
#include "chunks.h"

/* To be read by others, and changed by the functions below alone. */
typedef struct {
    cgct_chunks f;
    char *text;
    uint64_t dropped; /* bytes of a torn record that was there, and of damaged ones */
    size_t n;
    const cgct_chunk *record; /* (n) */
} journal;

/* Creates path with the text, or opens the journal that is there (*existing = 1), whatever its
 * text.  It is locked until it is closed.
 * Returns  OK, E_IO (where it is locked, naming the process), E_FORMAT, E_NOMEM. */
cgct_status journal_open(journal **j, const char *path, const char *text, int *existing,
                         cgct_err *err);
/* Opens an existing journal to read; E_IO while another process writes it. */
cgct_status journal_open_read(journal **j, const char *path, cgct_err *err);
/* Removes all records and starts again with this text. */
cgct_status journal_reset(journal *j, const char *text, cgct_err *err);
/* name: four characters.  The record is on disk when this returns OK; otherwise the journal is as
 * it was. */
cgct_status journal_append(journal *j, const char *name, uint32_t index, const void *data,
                           size_t size, cgct_err *err);

/* Gives the file another name, as the finished part of a run in shards. */
cgct_status journal_rename(journal *j, const char *path, cgct_err *err);
void journal_close(journal *j); /* accepts NULL */
#endif
