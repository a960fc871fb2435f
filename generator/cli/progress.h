/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h: what a computation tells the user while it runs and at its end, and how a signal ends
 * it. */
#ifndef CGCT_CLI_PROGRESS_H
#define CGCT_CLI_PROGRESS_H
#include <pthread.h>

#include "run/assembly.h"

/* ---- progress: on a terminal a line that is rewritten, otherwise a line for each item, on
 * standard error; with json an object a line on standard output, for programs ---- */

typedef struct {
    int quiet, json;
    size_t all, done;       /* items of this run, including those of earlier invocations */
    size_t before;          /* done when this invocation began */
    double work, work_left; /* of all items that were left then, and that are left now */
    double start;           /* seconds */
    double worst;           /* the largest error estimate among them, as a share of I */
    int unfinished;         /* the terminal shows a line that the next one will replace */
    double seconds_journal; /* spent on the journal and on these lines */
    double seconds_table;   /* from the last item to the table */
    double seconds_device;  /* in which a device had a node, the mean over devices; 0: no device */
} cli_progress;

/* What a terminal shows before the first node and after the last; where it takes long, a line that
 * is printed elsewhere, too. */
void cli_progress_stage(cli_progress *p, const char *what, int takes_long);
/* Ends a line that is unfinished, before messages. */
void cli_progress_leave(cli_progress *p);
/* A node that an earlier invocation has computed; before cli_progress_start. */
void cli_progress_keep(cli_progress *p, const run_summary *s);
/* dropped: bytes of incomplete or damaged records in the journal at `path`. */
void cli_progress_start(cli_progress *p, const char *path, size_t dropped);
/* One item has been stored.  what: as the user reads it; s: the summary of the node
 * at (x, eps), NULL for the others. */
void cli_progress_item(cli_progress *p, const char *what, double work, double x, double eps,
                       const run_summary *s);
/* Of the table at `path`. */
void cli_progress_summary(const cli_progress *p, const run_total *t, const char *path, double flag);

/* ---- one node ---- */

/* Grids chosen and time of each stage, on standard error. */
void cli_report_print(double x, double eps, const node_report *r);
/* One line on standard error if backend "auto" had to give up a builder. */
void cli_report_fallback(const char *command, const char *fallback, const char *builder);

/* ---- interruption: on SIGINT, SIGTERM or SIGHUP the program ends at once with status 1, however
 * long the computation at hand would still take, but never in the middle of a write ---- */

typedef struct {
    /* PTHREAD_MUTEX_INITIALIZER; held while files are written or what `leave` reads is changed. */
    pthread_mutex_t lock;
    /* Called under the lock before the end; puts what the user should know into text. */
    void (*leave)(void *self, char *text, size_t size);
    void *self;
    int done; /* set it under the lock once all is written: signals are ignored from there on */
    int started;
    pthread_t thread; /* waits for signals */
} cli_guard;

/* One guard in a process; it must stay where it is until its end.  Errors: E_NOMEM (no thread). */
cgct_status cli_guard_start(cli_guard *g, cgct_err *err);
/* Signals are ignored from here on; needs no start before it. */
void cli_guard_end(cli_guard *g);
#endif
