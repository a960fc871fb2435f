/* SPDX-License-Identifier: MIT */
/* error.h: statuses with a bounded message; the lowest layer of reader, format and generator. */
#ifndef CGCT_ERROR_H
#define CGCT_ERROR_H
#include "status.h"

#if defined(__GNUC__)
#define CGCT_PRINTF_(f, a) __attribute__((format(printf, f, a)))
#else
#define CGCT_PRINTF_(f, a)
#endif

/* Set the message (err may be NULL) and return st, so that a failure is one line: return
 * cgct_fail(...). */
cgct_status cgct_fail(cgct_err *err, cgct_status st, const char *fmt, ...) CGCT_PRINTF_(3, 4);

/* Put "context: " before a message that a callee left, and return st unchanged. */
cgct_status cgct_context(cgct_err *err, cgct_status st, const char *fmt, ...) CGCT_PRINTF_(3, 4);

#define CGCT_TRY(call)                                                                             \
    do {                                                                                           \
        cgct_status st_ = (call);                                                                  \
        if (st_ != CGCT_OK) return st_;                                                            \
    } while (0)
#endif
