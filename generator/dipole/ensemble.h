/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ensemble.h: the dipoles of one table: a single one, or the members of an ensemble. */
#ifndef CGCT_DIPOLE_ENSEMBLE_H
#define CGCT_DIPOLE_ENSEMBLE_H
#include "dipole/dipole.h"

typedef struct {
    size_t n;
    dipole_source **source;
    char *names;    /* separated by blanks; NULL for a single dipole */
    char *describe; /* one line for all */
} dipole_ensemble;
#endif
