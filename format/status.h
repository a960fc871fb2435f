/* SPDX-License-Identifier: MIT */
/* status.h: what a function returns, and the message of a failed call.  It becomes part of the
 * installed cgctab.h and of the copy that 'make dist-reader' makes. */
#ifndef CGCT_STATUS_H
#define CGCT_STATUS_H
#include <stddef.h>

#define CGCT_STATUS_LIST(X)                                                                        \
    X(OK, "success")                                                                               \
    X(E_USAGE, "wrong use of an interface or a command line")                                      \
    X(E_CONFIG, "run card or option not valid")                                                    \
    X(E_DOMAIN, "argument outside the domain of the method")                                       \
    X(E_RANGE, "point outside the tabulated grid")                                                 \
    X(E_IO, "file cannot be read or written")                                                      \
    X(E_FORMAT, "file violates its format")                                                        \
    X(E_VERSION, "file of another version than this program reads")                                \
    X(E_CHECKSUM, "file content is damaged")                                                       \
    X(E_ACCURACY, "requested accuracy not reached")                                                \
    X(E_NOMEM, "out of memory")                                                                    \
    X(E_DEVICE, "device or device library reported failure")                                       \
    X(E_NEGATIVE, "cross section negative by more than its error")
#define CGCT_ENUM_(code, text) CGCT_##code,
typedef enum { CGCT_STATUS_LIST(CGCT_ENUM_) CGCT_STATUS_COUNT } cgct_status;
#undef CGCT_ENUM_

/* Message of a failed call: what, where, values on both sides, remedy.  Owned by the caller;
 * every function that takes one accepts NULL. */
typedef struct {
    char text[512];
} cgct_err;
#endif
