/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config.h: a run card as the settings of every stage, and the dipoles that it names. */
#ifndef CGCT_CONFIG_H
#define CGCT_CONFIG_H
#include <stddef.h>

#include "dipole/dipole.h"
#include "format/error.h"
#include "run/job.h"

/* Section dipole: words as they are written, and numbers and files in opts. */
typedef struct {
    const char *kind, *column, *b, *equation, *coupling, *members;
    const char *Nc, *channel, *process; /* of the correlators */
    dipole_opts opts;
    double x_initial, refine; /* bk */
    double S_perp;            /* GeV^-2; 0: not stated */
    int b_nodes;              /* of the integral over b */
    int is_forecast; /* of a run: an evolution by the leading order with twice as wide spacings */
} dipole_keys;

typedef struct {
    dipole_keys dipole;
    run_settings run;
    int jobs;         /* threads; 0: one for each core */
    double memory;    /* GiB for all threads together; 0: four fifths of the free memory */
    const char *file; /* the table to write if the command line names none */
    char *text;   /* the card verbatim, and a line "; --set ..." for each override of a key that the
                   result depends on; stored in tables */
    void **owned; /* (nowned): what config_free frees */
    size_t nowned;
} config;

/* Sets the defaults, then the card's values (path NULL: no card), then the overrides
 * "section.key=value" in order.  Returns OK, E_IO, E_CONFIG or E_NOMEM; a message names the line of
 * the card or the number of the override.  After a failure nothing is left to be freed. */
cgct_status config_init(config *c, const char *path, size_t nset, const char *const *set,
                        cgct_err *err);
void config_free(config *c);

/* All settings that the numbers of a table depend on, as text: lines "section.key TAB value", the
 * line "card", and the card verbatim.  The caller frees it. */
char *config_results(const config *c);
/* Reads such a text back, which may be preceded by other lines: the same values and the same
 * card. */
cgct_status config_from_results(config *c, const char *text, cgct_err *err);

/* ---- dipoles (members.c) ---- */

/* The dipole of the card alone; E_RANGE unless every x[nx] lies inside its range. */
cgct_status members_single(const config *card, size_t nx, const double *x, dipole_source **source,
                           cgct_err *err);
/* *area (GeV^-2): dipole.S_perp of the card, or else what belongs to the source, 0 where that is
 * not known.  E_CONFIG where the card has one for an integral over b, which has its own. */
cgct_status members_area(const config *card, const dipole_source *source, double *area,
                         cgct_err *err);
/* Makes of a card with members the card of one of them, with the axes and the accuracy of the
 * table, as `run` computes its checks.  Errors: E_CONFIG, E_IO, E_FORMAT, E_NOMEM. */
cgct_status members_choose(config *c, const char *name, cgct_err *err);
/* The card's dipole, or the members of the ensemble in the file dipole.members: one on each line
 * "NAME key=value ...", with keys of section dipole; the card supplies those that are left out, and
 * comments are those of a card.  The word comparison in a line keeps the member out of the
 * uncertainty.  Messages name file and line. */
cgct_status members_open(const config *card, dipole_ensemble *m, cgct_err *err);
void members_free(dipole_ensemble *m);
#endif
