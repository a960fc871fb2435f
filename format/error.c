/* SPDX-License-Identifier: MIT */
/* Messages of failed calls. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

cgct_status cgct_fail(cgct_err *err, cgct_status st, const char *fmt, ...)
{
    if (!err) return st;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    return st;
}

cgct_status cgct_context(cgct_err *err, cgct_status st, const char *fmt, ...)
{
    if (!err) return st;
    char inner[sizeof err->text];
    memcpy(inner, err->text, sizeof inner);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);

    /* What does not fit is cut at the end: the context is kept whole before the inner message. */
    size_t last = sizeof err->text - 1, n = strlen(err->text);
    const char *sep = ": ";
    while (n < last && *sep) err->text[n++] = *sep++;
    for (size_t i = 0; n < last && i < sizeof inner && inner[i]; i++) err->text[n++] = inner[i];
    err->text[n] = 0;
    return st;
}
