/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_members.h: the dipoles of a run: the card's one, or the members of an ensemble, which a file
 * names: "NAME key=value ..." on each line, keys of section dipole, what they leave out as in the
 * card;
 * '#' begins a comment. */
#ifndef CGCT_RUN_MEMBERS_H
#define CGCT_RUN_MEMBERS_H
#include "config/config.h"
#include "dipole/dipole.h"

typedef struct {
    size_t n;
    dipole_source **source;
    char *names;    /* separated by blanks; NULL for the card's one dipole */
    char *describe; /* one line for all */
} run_members;

/* The dipole of a card alone; every x[nx] must lie inside its range. */
cgct_status run_dipole_open(const config *card, size_t nx, const double *x, dipole_source **source,
                            cgct_err *err);
/* All of them.  Messages name file and line. */
cgct_status run_members_open(const config *card, run_members *m, cgct_err *err);
void run_members_free(run_members *m);
#endif
