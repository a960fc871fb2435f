/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrays.h: several arrays in one allocation, so that one test finds that memory is short and one
 * free ends them all. */
#ifndef CGCT_ARRAYS_H
#define CGCT_ARRAYS_H
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* What is freed stays with the process and serves its next arrays.  glibc gives large ones back at
 * once, and the kernel clears every page of the next: a tenth of the time of a node.  To be called
 * once, at the start of a program. */
static inline void arrays_keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    mallopt(M_ARENA_MAX, 1); /* those of other threads are too small for a node's arrays */
#endif
}

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
 * freed, or NULL.  ARRAYS takes an array of array_part and clears them; ARRAYS_UNSET leaves them as
 * they are. */
static inline void *arrays_alloc(size_t count, const array_part *part, int clear)
{
    size_t bytes = 16;
    for (size_t i = 0; i < count; i++) bytes += (part[i].bytes + 15) / 16 * 16;
    char *block = clear ? calloc(1, bytes) : malloc(bytes), *at = block;
    for (size_t i = 0; block && i < count; at += (part[i++].bytes + 15) / 16 * 16)
        memcpy(part[i].array, &at, sizeof at);
    return block;
}
#define ARRAYS(part) arrays_alloc(sizeof part / sizeof *part, part, 1)
#define ARRAYS_UNSET(part) arrays_alloc(sizeof part / sizeof *part, part, 0)
#endif
