/* SPDX-License-Identifier: GPL-3.0-or-later */
/* have.h: tests that need a program say so where it is absent. */
#ifndef HAVE_H
#define HAVE_H
#include <stdio.h>
#include <stdlib.h>

static inline int have(const char *program)
{
    char command[128];
    snprintf(command, sizeof command, "command -v %s >/dev/null", program);
    if (system(command) == 0) return 1;
    printf("skipped: no %s\n", program);
    return 0;
}
#endif
