/* SPDX-License-Identifier: MIT */
/* Walks the chunks of a file (FORMAT.md 1) to name the one that is damaged. */
#include "chunks.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../format/crc64.h"

enum { BEFORE = 16, NAME = 4, AT_SIZE = 8, AT_CONTENT = 16, CRC = 8, AROUND = AT_CONTENT + CRC };

static const char *const first_names[] = {"HEAD", "META", "AXES", "TENS"};

static uint64_t number(const unsigned char *b, int bytes)
{
    uint64_t v = 0;
    while (bytes--) v = v << 8 | b[bytes];
    return v;
}

/* The name in the file if it is one that may stand there, otherwise what is expected. */
static void name_chunk(const unsigned char *b, size_t i, int ended, char name[NAME + 1])
{
    static const char *const later[] = {"SEGM", "ERRS", "TEND"};
    const char *want = i < 4 ? first_names[i] : ended ? "TEND" : "SEGM";
    for (int j = 0; j < 3 && i >= 4; j++)
        if (!memcmp(b, later[j], NAME)) want = later[j];
    memcpy(name, want, NAME + 1);
}

/* Fills c from the bytes at c->at; returns whether the next chunk can be found. */
static int look_at_chunk(const unsigned char *b, size_t size, chunk *c,
                         const cgct_crc64_table *table)
{
    size_t left = size - c->at;
    c->bytes = left;
    c->fault = "the file ends in it";
    if (left < AROUND) return 0;
    uint64_t n = number(b + c->at + AT_SIZE, 8);
    if (n > left - AROUND || (n + 7) / 8 * 8 > left - AROUND) {
        c->fault = "its size exceeds the file: the size is damaged, or the file is cut off";
        return 0;
    }
    size_t summed = AT_CONTENT + (size_t)(n + 7) / 8 * 8;
    c->bytes = summed + CRC;
    int same = cgct_crc64(table, b + c->at, summed) == number(b + c->at + summed, CRC);
    c->fault = !same                                   ? "its checksum differs"
               : memcmp(b + c->at, c->name, NAME) != 0 ? "it has another name"
                                                       : NULL;
    return 1;
}

static int walk(const unsigned char *b, size_t size, chunk_list *list)
{
    cgct_crc64_table table;
    size_t at = BEFORE;
    int ended = 0, found = 1; /* ERRS, TEND were there */
    cgct_crc64_init(&table);
    while (found && ended < 2) {
        chunk *more = realloc(list->v, (list->n + 1) * sizeof *more);
        if (!more) return tool_fail("no memory for %zu chunks", list->n);
        list->v = more;
        chunk *c = &list->v[list->n];
        c->at = at;
        memcpy(c->name, list->n < 4 ? first_names[list->n] : ended ? "TEND" : "SEGM", NAME + 1);
        if (size - at >= NAME) name_chunk(b + at, list->n, ended, c->name);
        list->n++;
        found = look_at_chunk(b, size, c, &table);
        if (c->fault) list->damaged++;
        if (!strcmp(c->name, "ERRS")) ended = 1;
        if (!strcmp(c->name, "TEND")) ended = 2;
        at += c->bytes;
    }
    list->after = size - at;
    return TOOL_OK;
}

int chunks_walk(const char *path, chunk_list *list)
{
    static const unsigned char magic[] = {0x89, 'C', 'G', 'C', 'T', 0x0d, 0x0a, 0x1a, 2, 0};
    unsigned char *bytes = NULL;
    long size = -1;
    int st = TOOL_OK;
    TOOL_CLEAR(*list);
    FILE *f = fopen(path, "rb");
    if (f && !fseek(f, 0, SEEK_END)) size = ftell(f);
    if (size >= BEFORE && !fseek(f, 0, SEEK_SET)) bytes = malloc((size_t)size);
    if (bytes && fread(bytes, 1, (size_t)size, f) == (size_t)size &&
        !memcmp(bytes, magic, sizeof magic))
        st = walk(bytes, (size_t)size, list);
    if (f) fclose(f);
    free(bytes);
    return st;
}
