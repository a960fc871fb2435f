/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_guard.h: on SIGINT, SIGTERM or SIGHUP the program ends with status 1 at once, however long
 * the computation in hand would still take, but never in the middle of a write. */
#ifndef CGCT_CLI_GUARD_H
#define CGCT_CLI_GUARD_H
#include "format/error.h"

/* leave(self, text, size): called under the lock before the end; puts what is to be said into text.
 * One guard per process. */
cgct_status cli_guard_start(void (*leave)(void *self, char *text, size_t size), void *self,
                            cgct_err *err);
/* Writes, and what `leave` looks at, lie between these. */
void cli_guard_lock(void);
void cli_guard_unlock(void);
/* Under the lock: everything is written; signals are left alone from here on. */
void cli_guard_done(void);
#endif
