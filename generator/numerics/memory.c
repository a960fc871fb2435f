/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c: allocation that succeeds or ends the program. */
#include "numerics/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "format/tmpfile.h"

void *memory_or_end(void *got, size_t n, size_t size)
{
    if (got) return got;
    fprintf(stderr,
            "cgctab-generate: no memory for %zu times %zu bytes; what was finished is kept.  Take "
            "fewer threads or smaller axes, or raise the limit (ulimit -v, -d)\n",
            n, size);
    cgct_tmpfile_clear();
    _exit(EXIT_FAILURE);
}

void *memory_new(size_t n, size_t size)
{
    return memory_resize(NULL, n, size);
}

/* Never of 0 bytes, for which NULL may be no failure. */
void *memory_zeros(size_t n, size_t size)
{
    return memory_or_end(calloc(n ? n : 1, size ? size : 1), n, size);
}

void *memory_resize(void *old, size_t n, size_t size)
{
    const int fits = !size || n <= SIZE_MAX / size;
    return memory_or_end(fits ? realloc(old, n && size ? n * size : 1) : NULL, n, size);
}

char *memory_copy_text(const char *text)
{
    const size_t n = strlen(text) + 1;
    return memcpy(memory_new(n, 1), text, n);
}

FILE *memory_text_open(char **text, size_t *size)
{
    return memory_or_end(open_memstream(text, size), 1, BUFSIZ);
}

void memory_text_close(FILE *f)
{
    const int bad = ferror(f);
    if (fclose(f) || bad) memory_or_end(NULL, 1, BUFSIZ);
}

void memory_keep_freed(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    mallopt(M_ARENA_MAX, 1); /* those of other threads are too small for a node's arrays */
#endif
}
