/* SPDX-License-Identifier: MIT */
/* setup.h: from the words of the command line to the set-up of a run of cgctab-events. */
#ifndef CGCTAB_SETUP_H
#define CGCTAB_SETUP_H
#include "events.h"

#define EV_WHO "cgctab-events"

typedef struct {
    const char *table, *beams, *Q2, *y, *z, *q, *pt, *K, *n, *out, *seed, *threads, *S_perp,
        *alpha_em, *flavours, *m_light, *m_c, *m_b, *photon, *direction, *soft, *process, *pdf, *mu,
        *Lambda, *alpha_s, *projectile;
    int freeze, dilute, csv, dry_run, no_weights, quiet, help, version;
} ev_words;

/* One line on standard error; returns the exit status. */
CGCT_PRINTF_(2, 3) int ev_complain(int status, const char *format, ...);

#define EV_TRY(call)                                                                               \
    do {                                                                                           \
        int st_ = (call);                                                                          \
        if (st_) return st_;                                                                       \
    } while (0)

/* These return 0, or the exit status after a message. */
int ev_read_words(int argc, char **argv,
                  ev_words *w); /* prints what --help and --version ask for */
int ev_read_counts(const ev_words *w, ev_run *run);
/* Beams, flavours, and ranges that the table does not limit. */
int ev_read_setup(const ev_words *w, ev_setup *s);
/* The same, and what pa has of the words, for --process pa. */
int ev_read_pa(const ev_words *w, ev_setup *s, ev_pa *pa);
/* --photon and names of colliders (photon.c).  pair: the species of emitter and target, -1: not
 * known; of names of colliders, where text may be NULL, the emitter may be either.  energy: GeV of
 * two nucleons.  The names give the energies of both per nucleon in GeV; 0: the text is no such
 * name. */
int ev_read_photons(const char *text, double energy, double alpha_em, int pair[2], ev_photons *p);
int ev_read_collider(const char *text, double beam[2], int pair[2]);
/* --soft (soft.c): *soft, to be freed, and what the source has of it; NULL where there are none. */
int ev_begin_soft(const ev_words *w, ev_run *run, cgct_soft **soft);
void ev_warn_soft(const ev_run *run);
/* What the table says of the rest. */
int ev_fit_to_table(const ev_words *w, const cgct_table *table, ev_setup *s);
#endif
