/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.h: memory for arrays and texts, or the end of the program.  A computation cannot go on
 * without its arrays; finished nodes are in the journal by then, and what is half-written goes. */
#ifndef CGCT_MEMORY_H
#define CGCT_MEMORY_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* n elements of `size` bytes, to be freed; never NULL, also for n = 0.  Where there is no room, or
 * n size is no size_t: a line on standard error that names both, temporary files of the process are
 * removed, exit status 1.  Any thread may call these. */
void *memory_new(size_t n, size_t size);
/* The same, zeros. */
void *memory_zeros(size_t n, size_t size);
/* `old` (or NULL), larger or smaller: what both hold is kept. */
void *memory_resize(void *old, size_t n, size_t size);
char *memory_copy_text(const char *text);
/* A stream into *text, to be freed, which is complete once memory_text_close has been called; *size
 * must live until then. */
FILE *memory_text_open(char **text, size_t *size);
void memory_text_close(FILE *f);
/* Returns `got`, n elements of `size` bytes that another library has allocated; where it is NULL,
 * the program ends in the same way. */
void *memory_or_end(void *got, size_t n, size_t size);

/* Several arrays in one allocation, so that one free ends them all. */
typedef struct {
    void *array; /* address of the pointer that is to be set */
    size_t bytes;
} array_part;

/* The part of n elements whose address goes to the pointer p. */
#define ARRAY_PART(p, n)                                                                           \
    {                                                                                              \
        &(p), (n) * sizeof *(p)                                                                    \
    }

/* Cuts one allocation into the parts, each aligned to 16 bytes as by malloc; returns what must be
 * freed.  ARRAYS takes an array of array_part and clears them, ARRAYS_UNSET leaves them unset. */
static inline void *arrays_alloc(size_t count, const array_part *part, int clear)
{
    size_t bytes = 16;
    for (size_t i = 0; i < count; i++) bytes += (part[i].bytes + 15) / 16 * 16;
    char *block = clear ? memory_zeros(bytes, 1) : memory_new(bytes, 1), *at = block;
    for (size_t i = 0; i < count; at += (part[i++].bytes + 15) / 16 * 16)
        memcpy(part[i].array, &at, sizeof at);
    return block;
}
#define ARRAYS(part) arrays_alloc(sizeof part / sizeof *part, part, 1)
#define ARRAYS_UNSET(part) arrays_alloc(sizeof part / sizeof *part, part, 0)

/* What is freed stays with the process and serves its next arrays.  glibc gives large ones back at
 * once, and the kernel clears every page of the next: a tenth of the time of a node.  To be called
 * once, at the start of a program. */
void memory_keep_freed(void);
#endif
