/* SPDX-License-Identifier: GPL-3.0-or-later */
/* members.h: the dipoles of a run: the card's one, or the members of an ensemble, which a file
 * names: "NAME key=value ..." on each line, keys of section dipole, what they leave out as in the
 * card;
 * '#' begins a comment. */
#ifndef CGCT_RUN_MEMBERS_H
#define CGCT_RUN_MEMBERS_H
#include "config/config.h"
#include "dipole/dipole.h"

/* The dipole of a card alone; every x[nx] must lie inside its range. */
cgct_status members_single(const config *card, size_t nx, const double *x, dipole_source **source,
                           cgct_err *err);
/* All of them.  Messages name file and line. */
cgct_status members_open(const config *card, dipole_ensemble *m, cgct_err *err);
void members_free(dipole_ensemble *m);
#endif
