/* SPDX-License-Identifier: MIT */
/* chunks.h: the chunks of a file, and which of them are damaged. */
#ifndef CGCTAB_CHUNKS_H
#define CGCTAB_CHUNKS_H
#include "tool.h"

typedef struct {
    char name[5];
    size_t at, bytes;  /* from the name to the checksum */
    const char *fault; /* NULL: good */
} chunk;

typedef struct {
    size_t n, damaged, after; /* after: bytes behind the last chunk */
    chunk *v;                 /* (n), owned */
} chunk_list;

/* Checks the chunks as far as they can be found, by name, size and checksum, not by content.  A file
 * that does not begin as one of format 2 has none.  The caller frees list->v. */
int chunks_walk(const char *path, chunk_list *list);
#endif
