/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole_text.h: a text file in memory, line by line, with numbers whose printed resolution is
 * kept. */
#ifndef CGCT_DIPOLE_TEXT_H
#define CGCT_DIPOLE_TEXT_H
#include <stdint.h>
#include <stddef.h>

#include "format/error.h"

typedef struct {
    const char *path;
    char *text; /* size + 1 bytes; lines are cut in place as they are read */
    size_t size, pos;
    unsigned line;     /* of the line last handed out, from 1 */
    uint64_t checksum; /* CRC-64/XZ of the bytes of the file */
} dipole_text;

cgct_status dipole_text_open(dipole_text *t, const char *path, cgct_err *err);
void dipole_text_close(dipole_text *t);

/* *s: the next line without blanks at its ends, or NULL after the last one. */
cgct_status dipole_text_next(dipole_text *t, char **s, cgct_err *err);

/* Exactly n finite numbers (n <= 3) on line s; quantum (or NULL): unit of the last digit of the
 * last one. */
cgct_status dipole_text_numbers(const dipole_text *t, const char *s, size_t n, double *v,
                                double *quantum, cgct_err *err);
/* Fields on a line, separated by blanks. */
size_t dipole_text_fields(const char *s);
#endif
