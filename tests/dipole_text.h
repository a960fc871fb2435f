/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole_text.h: a table file of two rapidities of GBW, written line by line, for the tests of what
 * dipole/file.c accepts and refuses. */
#ifndef CGCT_TEST_DIPOLE_TEXT_H
#define CGCT_TEST_DIPOLE_TEXT_H
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check_rel.h"
#include "dipole/dipole_impl.h"

enum { NR = 40, NLINE = 6 + 2 * NR + 1, LINE = 80 };
#define R_MIN 1e-3
#define MULT 1.3
#define Y1 1.5

static char path[] = "/tmp/cgct_dipole_XXXXXX";
static char lines[NLINE + 8][LINE];
static int nline;

static inline void make_path(void)
{
    int fd = mkstemp(path);
    if (fd >= 0) close(fd);
}

static inline void remove_path(void)
{
    unlink(path);
}

static inline void add(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(lines[nline++], LINE, fmt, ap);
    va_end(ap);
}

static inline void save(const char *eol)
{
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < nline; i++) fprintf(f, "%s%s", lines[i], eol);
    fclose(f);
}

/* GBW with Qs^2 = exp(Y/3) GeV^2 */
static inline double model_N(double r, double Y)
{
    return -expm1(-0.25 * exp(Y / 3) * r * r);
}

/* Lines 1: comment, 2 to 5: header, 6: Y = 0, 7 to 46, 47: Y = 1.5, 48 to 87; format of a value. */
static inline void rcbk(const char *hash, const char *value)
{
    nline = 0;
    add("# one block of GBW after the other, x0=0.5 in a comment");
    add("%s%.17g", hash, R_MIN);
    add("%s%.17g", hash, MULT);
    add("%s%.1f", hash, (double)NR);
    add("%s0.01", hash);
    for (int iy = 0; iy < 2; iy++) {
        add("%s%.17g", hash, iy * Y1);
        for (int i = 0; i < NR; i++) add(value, model_N(R_MIN * pow(MULT, i), iy * Y1));
    }
}

static inline cgct_status open_x(int is_S, double x, dipole **d, cgct_err *err)
{
    dipole_source *s;
    dipole_opts o = {.kind = DIPOLE_TABLE, .path = path, .is_S = is_S};
    *d = NULL;
    err->text[0] = 0;
    cgct_status st = dipole_source_open(&s, &o, err);
    if (st == CGCT_OK) st = dipole_init(d, s, x, err);
    dipole_source_close(s);
    return st;
}
#endif
