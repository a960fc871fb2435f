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
    const cgct_err inner = *err;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    /* What does not fit is cut at the end: the context is kept whole before the inner message. */
    const size_t n = strlen(err->text), room = sizeof err->text - n;
    snprintf(err->text + n, room, ": %.*s", (int)sizeof inner.text, inner.text);
    return st;
}
