/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_guard.h: on SIGINT, SIGTERM or SIGHUP the half-written container is removed at once and the
 * program ends with status 1, however long the computation in hand would still take. */
#ifndef CGCT_CLI_GUARD_H
#define CGCT_CLI_GUARD_H
#include "../format/writer.h"

/* From here on *w may be touched only between lock and unlock.  One guard per process. */
cgct_status cli_guard_start(cgct_writer **w, cgct_err *err);
void cli_guard_lock(void);
void cli_guard_unlock(void);
#endif
