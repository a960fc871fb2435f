/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config.h: a run card as the settings of every stage, and the dipoles that it names. */
#ifndef CGCT_CONFIG_H
#define CGCT_CONFIG_H
#include <stddef.h>

#include "dipole/ensemble.h"
#include "format/error.h"
#include "run/settings.h"

/* Section dipole as it is written. */
typedef struct {
    const char *kind, *file, *column, *set, *members;
    double smooth, Q0, x0, lambda, Qs0sq, gamma, ec, Lambda;
} dipole_keys;

typedef struct {
    dipole_keys dipole;
    run_settings run;
    int jobs;         /* threads; 0: one per core */
    double memory;    /* GiB of all threads; 0: four fifths of what is free */
    const char *file; /* of the table, where the command line names none */
    char *text; /* the card verbatim, with one line "; --set ..." per override of a key that the
                   result depends on; stored in containers */
    struct config_block *owned; /* freed by config_free */
} config;

typedef struct config_block {
    struct config_block *next;
    void *data;
} config_block;

/* Defaults, then the card (path NULL: none), then overrides "section.key=value" in order. */
cgct_status config_init(config *c, const char *path, size_t nset, const char *const *set,
                        cgct_err *err);
void config_free(config *c);

/* Lines "section.key TAB value" of the keys that a table's numbers depend on, the line "card" and the
 * card verbatim.  Allocates *text, to be freed with free. */
cgct_status config_results(const config *c, char **text, cgct_err *err);
/* The card of such a text, whatever other lines stand before: every value it had, and its text. */
cgct_status config_from_results(config *c, const char *text, cgct_err *err);

/* ---- dipoles (members.c) ---- */

/* The dipole of the card alone; E_RANGE unless every x[nx] lies inside its range. */
cgct_status members_single(const config *card, size_t nx, const double *x, dipole_source **source,
                           cgct_err *err);
/* The card's dipole, or the members of the ensemble in the file dipole.members: one on each line
 * "NAME key=value ...", with keys of section dipole; the card supplies those that are left out, and
 * '#' begins a comment line.  Messages name file and line. */
cgct_status members_open(const config *card, dipole_ensemble *m, cgct_err *err);
void members_free(dipole_ensemble *m);
#endif
