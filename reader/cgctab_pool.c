/* SPDX-License-Identifier: MIT */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* madvise */
#endif
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <stdlib.h>
#include <sys/mman.h>

#include "cgctab_internal.h"

#define PIECE ((size_t)32 << 20)
#define LARGE_PAGE ((size_t)2 << 20)

static cgct_status add_piece(cgct_pool *p, size_t size, cgct_err *err)
{
    size_t align = size < LARGE_PAGE ? (size_t)CGCT_ALIGN_RECORDS : LARGE_PAGE;
    void **list = (void **)realloc(p->piece, (p->n + 1) * sizeof *list);
    if (list) p->piece = list;
    char *piece = list && size < SIZE_MAX - align ? (char *)calloc(1, size + align) : NULL;
    if (!piece) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu bytes of records", size);
    p->piece[p->n++] = piece;
    p->at = piece + (size_t)(-(uintptr_t)piece % align);
    p->left = size;
#ifdef MADV_HUGEPAGE
    if (align == LARGE_PAGE) (void)madvise(p->at, size, MADV_HUGEPAGE); /* a wish, no more */
#endif
    return CGCT_OK;
}

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

cgct_status cgct_pool_take(cgct_pool *p, size_t size, size_t expected, void **out, cgct_err *err)
{
    size = round_up(size, CGCT_ALIGN_RECORDS);
    if (size > p->left) {
        size_t want = expected < PIECE - size % PIECE ? size + expected : PIECE;
        CGCT_TRY(add_piece(p, round_up(want > size ? want : size, CGCT_ALIGN_RECORDS), err));
    }
    *out = p->at;
    p->at += size;
    p->left -= size;
    return CGCT_OK;
}

void cgct_pool_free(cgct_pool *p)
{
    for (size_t i = 0; i < p->n; i++) free(p->piece[i]);
    free(p->piece);
    memset(p, 0, sizeof *p);
}
