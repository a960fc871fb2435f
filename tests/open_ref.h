/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open_ref.h: files of reference values, which lie in tests/refs. */
#ifndef OPEN_REF_H
#define OPEN_REF_H
#include <check.h>
#include <stdio.h>

/* Past the line at its head; the caller closes it. */
static inline FILE *open_ref(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/refs/%s", TESTS_DIR, name);
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "cannot open %s", path);
    for (int c = 0; c != '\n' && c != EOF;) c = fgetc(f); /* the head */
    return f;
}

#endif
