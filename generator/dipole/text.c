/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dipole/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/crc64.h"

/* The largest public tables have some 10 MB. */
#define TEXT_BYTES_MAX ((size_t)256 << 20)
#define TEXT_CHUNK ((size_t)1 << 16)

static cgct_status read_all(dipole_text *t, FILE *f, cgct_err *err)
{
    size_t room = 0;
    for (;;) {
        if (t->size + TEXT_CHUNK > room) {
            room = 2 * room + TEXT_CHUNK;
            char *grown = realloc(t->text, room + 1);
            if (!grown)
                return cgct_fail(err, CGCT_E_NOMEM, "%s: out of memory for %zu bytes", t->path,
                                 room);
            t->text = grown;
        }
        size_t got = fread(t->text + t->size, 1, TEXT_CHUNK, f);
        t->size += got;
        if (ferror(f))
            return cgct_fail(err, CGCT_E_IO, "%s: cannot read: %s", t->path, strerror(errno));
        if (got < TEXT_CHUNK) break;
        if (t->size > TEXT_BYTES_MAX)
            return cgct_fail(err, CGCT_E_FORMAT, "%s: more than %zu bytes; not a dipole table",
                             t->path, TEXT_BYTES_MAX);
    }
    t->text[t->size] = 0;
    return CGCT_OK;
}

static cgct_status checksum(dipole_text *t, cgct_err *err)
{
    cgct_crc64_table *table = malloc(sizeof *table);
    if (!table) return cgct_fail(err, CGCT_E_NOMEM, "%s: out of memory for a checksum", t->path);
    cgct_crc64_init(table);
    t->checksum = cgct_crc64(table, t->text, t->size);
    free(table);
    return CGCT_OK;
}

cgct_status dipole_text_open(dipole_text *t, const char *path, cgct_err *err)
{
    *t = (dipole_text){.path = path};
    FILE *f = fopen(path, "rb");
    if (!f) return cgct_fail(err, CGCT_E_IO, "%s: cannot open: %s", path, strerror(errno));
    errno = 0;
    cgct_status st = read_all(t, f, err);
    fclose(f);
    if (st == CGCT_OK) st = checksum(t, err);
    if (st == CGCT_OK && !t->size)
        st = cgct_fail(err, CGCT_E_FORMAT, "%s: the file is empty; want a dipole table", path);
    if (st != CGCT_OK) dipole_text_close(t);
    return st;
}

void dipole_text_close(dipole_text *t)
{
    free(t->text);
    *t = (dipole_text){0};
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

cgct_status dipole_text_next(dipole_text *t, char **s, cgct_err *err)
{
    *s = NULL;
    if (t->pos >= t->size) return CGCT_OK;
    char *begin = t->text + t->pos, *end = memchr(begin, '\n', t->size - t->pos);
    if (!end) end = t->text + t->size;
    t->pos = (size_t)(end - t->text) + 1;
    t->line++;
    if (memchr(begin, 0, (size_t)(end - begin)))
        return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: a zero byte; this is not a text table",
                         t->path, t->line);
    while (begin < end && is_blank(*begin)) begin++;
    while (end > begin && is_blank(end[-1])) end--;
    *end = 0;
    *s = begin;
    return CGCT_OK;
}

size_t dipole_text_fields(const char *s)
{
    size_t n = 0;
    for (; *s; s++)
        if (!is_blank(*s) && (!s[1] || is_blank(s[1]))) n++;
    return n;
}

/* 10^(exponent - decimals) of a printed decimal number; 0 for other notations (hexadecimal). */
static double printed_quantum(const char *s, const char *end)
{
    long decimals = 0, exponent = 0;
    int point = 0;
    for (; s < end; s++) {
        if (*s == 'x' || *s == 'X') return 0;
        if (*s == '.') point = 1;
        if (*s >= '0' && *s <= '9') decimals += point;
        if (*s == 'e' || *s == 'E') {
            exponent = strtol(s + 1, NULL, 10);
            break;
        }
    }
    return pow(10, (double)(exponent - decimals));
}

cgct_status dipole_text_numbers(const dipole_text *t, const char *s, size_t n, double *v,
                                double *quantum, cgct_err *err)
{
    size_t found = dipole_text_fields(s);
    if (found != n)
        return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: %zu values on the line '%.40s', want %zu",
                         t->path, t->line, found, s, n);
    for (size_t i = 0; i < n; i++) {
        char *end;
        v[i] = strtod(s, &end);
        if (end == s || (*end && !is_blank(*end)) || !isfinite(v[i]))
            return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: '%.40s' is not a finite number", t->path,
                             t->line, s);
        if (quantum && i + 1 == n) *quantum = printed_quantum(s, end);
        for (s = end; is_blank(*s);) s++;
    }
    return CGCT_OK;
}
