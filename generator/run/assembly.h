/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assembly.h: the table, assembled from the records in one or several journals, with the summary
 * and the measured interpolation error that go into its metadata. */
#ifndef CGCT_ASSEMBLY_H
#define CGCT_ASSEMBLY_H
#include "run/journal.h"
#include "run/record.h"

/* Where the record of an item lies. */
typedef struct {
    const journal *from; /* NULL: not there */
    const journal_record *record;
} run_slot;

/* slot: (j->nitems).  Enters what a journal holds; E_FORMAT for items that the job does not have or
 * that are there already (naming both files). */
cgct_status run_slots_add(const run_job *j, run_slot *slot, const journal *from, cgct_err *err);

/* Summary of all nodes; zero before use, freed with run_total_free. */
typedef struct {
    size_t nodes, points, flagged, missed_rounding, missed_grids, continued, refined;
    int modes_max, rank_max;
    double sum_rule;
    double seconds[5]; /* inner table, weights, Hankel, certificate, total: of all threads */
    double rounding;   /* of the stored modes, relative to I_0 */
    char text[4096];   /* lines of metadata, also for the user */
} run_total;

/* Writes the table to `path`; every item must have its slot filled. */
cgct_status run_assemble(const run_job *j, const run_slot *slot, const char *path, run_total *total,
                         cgct_err *err);

/* Of n numbers, all 0 for n = 0. */
typedef struct {
    size_t n;
    double median, p999, max; /* p999: 99.9th percentile */
} run_quantiles;
run_quantiles run_quantiles_of(size_t n, double *v); /* sorts v */

/* Differences are relative to I, or to this share of the largest I of the polarisation where I is
 * smaller: below it the dipole itself is rounding. */
#define INTERPOLATION_FLOOR 1e-12
/* Points whose error is below this share of I are resolved; others say nothing about the axes. */
#define INTERPOLATION_RESOLUTION 1e-4

/* |I(table) - I|/max(I, INTERPOLATION_FLOOR largest I) at points computed directly. */
typedef struct {
    size_t negative; /* values of the table below 0 */
    run_quantiles all, resolved;
} interpolation_summary;

/* table: a path.  E_RANGE where a point lies outside it. */
cgct_status interpolation_compare(const check_set *s, const char *table, interpolation_summary *out,
                                  cgct_err *err);
#endif
