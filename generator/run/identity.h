/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_identity.h: the text at the head of a journal: everything that the table depends on, as lines
 * "key TAB value", and the card verbatim after the line "card". */
#ifndef CGCT_RUN_IDENTITY_H
#define CGCT_RUN_IDENTITY_H
#include <stddef.h>

#include "format/error.h"

typedef struct {
    const char *program;                  /* name and version */
    const char *backend, *dipole, *names; /* names: of the members of an ensemble, or empty */
    int every_x;                          /* 0: one x stands for all */
    unsigned shard, nshard;               /* 1 of 1: the whole table */
} run_origin;

/* origin, then `results` (config/results.h: the keys that the table depends on, and the card).
 * Allocates *text, to be freed with free. */
cgct_status run_identity_make(const run_origin *origin, const char *results, char **text,
                              cgct_err *err);

/* The value of a key of the first lines, up to the end of its line; NULL where it is missing. */
const char *run_identity_get(const char *text, const char *key);

/* The text of the card: what stands behind the line "card". */
const char *run_identity_card(const char *text);

/* 0 where both are the same; else what differs, as "KEY was A, is B" with the values cut short. The
 * line `shard` is left out where shards = 0. */
int run_identity_differ(const char *was, const char *is, int shards, char *what, size_t size);
#endif
