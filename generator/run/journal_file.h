/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal_file.h: what journal.c asks of the system; each failure names path and reason. */
#ifndef CGCT_JOURNAL_FILE_H
#define CGCT_JOURNAL_FILE_H
#include <stddef.h>
#include <stdint.h>

#include "format/error.h"

/* Opens or creates and locks; E_IO names the process that holds the lock. */
cgct_status journal_file_lock(int *fd, const char *path, uint64_t *size, cgct_err *err);
cgct_status journal_file_open_read(int *fd, const char *path, uint64_t *size, cgct_err *err);
cgct_status journal_file_read(int fd, const char *path, uint64_t at, void *data, size_t n,
                              cgct_err *err);
cgct_status journal_file_write(int fd, const char *path, uint64_t at, const void *data, size_t n,
                               cgct_err *err);
cgct_status journal_file_truncate(int fd, const char *path, uint64_t size, cgct_err *err);
cgct_status journal_file_sync(int fd, const char *path, cgct_err *err);
cgct_status journal_file_sync_folder(const char *path, cgct_err *err);
cgct_status journal_file_rename(const char *from, const char *to, cgct_err *err);
void journal_file_remove(const char *path);
void journal_file_close(int fd);
#endif
