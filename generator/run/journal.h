/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.h: a file of finished results that survives a crash: one text that identifies the run,
 * then records, each on disk before the next is written.  A record that a killed process or a full
 * disk left incomplete is dropped when the file is opened again.  Layout, little-endian:
 *
 *   magic (8), version (u32), check (u32), size of the text (u64), text, crc of all that (u64)
 *   kind (u32), index (u32), size (u64), crc of the content (u64), crc of these 24 bytes, content
 *
 * check: lower half of the crc of the first 24 bytes with 0 in its place.  A file that ends within
 * the text was being created. */
#ifndef CGCT_JOURNAL_H
#define CGCT_JOURNAL_H
#include <stddef.h>
#include <stdint.h>

#include "format/crc64.h"
#include "format/error.h"

typedef struct {
    uint32_t kind, index;
    uint64_t offset, size, crc; /* of the content */
} journal_record;

/* To be read by others, and changed by the functions below alone. */
typedef struct {
    int fd; /* -1: not open */
    char *path, *text;
    uint64_t end, dropped; /* where the next record goes; bytes of a torn one that was there */
    size_t n;
    journal_record *record; /* (n) */
    cgct_crc64_table crc;
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
/* The record is on disk when this returns OK; otherwise the journal is as it was. */
cgct_status journal_append(journal *j, uint32_t kind, uint32_t index, const void *data, size_t size,
                           cgct_err *err);

/* Allocates *data (free with free); E_CHECKSUM if the content has changed since it was written. */
cgct_status journal_read(const journal *j, const journal_record *r, uint8_t **data, cgct_err *err);

/* Gives the file another name, as the finished part of a run in shards. */
cgct_status journal_rename(journal *j, const char *path, cgct_err *err);
void journal_close(journal *j); /* accepts NULL */
#endif
