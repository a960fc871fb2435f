/* SPDX-License-Identifier: MIT */
/* produce.h: runs all blocks of cgctab-events on several threads. */
#ifndef CGCTAB_PRODUCE_H
#define CGCTAB_PRODUCE_H
#include "events.h"

enum { EV_THREADS = 256 };

typedef struct {
    ev_source source;
    int threads, quiet;
    size_t n, written; /* events wanted, and done */
    uint64_t pilot;    /* blocks of the first pass; 0: as many as usual */
    ev_sums sums;      /* of the last pass */
} ev_run;

/* Sets source.top and the sums.  A sum of 0: the cuts leave nothing. */
cgct_status ev_pilot(ev_run *run, cgct_err *err);
/* Writes run->n events; the sums are those of the blocks that were used, which do not depend on the
 * number of threads. */
cgct_status ev_produce(ev_run *run, const ev_format *format, cgct_tmpfile *file, cgct_err *err);
#endif
