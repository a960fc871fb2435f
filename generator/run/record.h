/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h: one item of a run, computed, as the record that a journal keeps of it,
 * and where in the journals the records of a run lie.
 *
 *   node    summary; what made it, in words; of the fields of node.h, each in its order: error
 *           (f32), l (f64), r_m (f32, which changes I: run_record_fields); of the first eps, the
 *           tensor (f64)
 *   changed as node, without a tensor: a node of the table with a changed dipole
 *   coarse  as node, on the axes of section members; the first of a member but the first with the
 *           tensor of each x of the table
 *   check   x eps q k1 theta member I_T I_L error_T error_L (f64) of each point */
#ifndef CGCT_RUN_RECORD_H
#define CGCT_RUN_RECORD_H
#include <stdint.h>

#include "format/journal.h"
#include "node/node.h"
#include "run/job.h"

/* What is reported of a node. */
typedef struct {
    size_t nm, points; /* coefficients; points (q,k) of both polarisations */
    size_t ntensor;    /* numbers of the tensor */
    size_t flagged;    /* points whose estimate exceeds accuracy.flag */
    /* Points whose estimate exceeds accuracy.tolerance: because of the rounding of the computation,
     * which no grid changes, or because of the grids. */
    size_t missed_rounding, missed_grids;
    int refined;     /* how often the grids were refined for it (accuracy.refine) */
    int either_sign; /* of the fields (node.h) */
    /* Points where the mean of I over the angle is negative by more than its error, and the place
     * of the first of them in q, then in k; GeV. */
    size_t negative;
    double negative_q, negative_k;
    double worst; /* largest estimate, relative to e^l */
    node_report report;
} run_summary;

/* Its name in a journal. */
static inline const char *run_record_name(const run_job *j, size_t item)
{
    return run_job_is_node(j, item)     ? "NODE"
           : run_job_is_check(j, item)  ? "CHCK"
           : run_job_is_coarse(j, item) ? "COAR"
                                        : "CHNG";
}

/* The task of one node, changed node or coarse node of the job; points into the job. */
node_task run_node_task(const run_job *j, size_t item);

/* Computes any item.  Allocates *record (free with free); s: of any node, zero for
 * a check.  Errors of node_compute, with x and eps added. */
cgct_status run_compute(const run_job *j, size_t item, uint8_t **record, size_t *size,
                        run_summary *s, cgct_err *err);

/* A node's record taken apart: its parts lie inside it.  Of s.report only continued, rank, sum rule
 * and times are kept; s.worst is rounded as the estimates are. */
enum { RUN_MAKER = 192 };
typedef struct {
    run_summary s;
    const char *maker; /* builder, and the device or the kernels of BLAS; below RUN_MAKER bytes */
    const uint8_t *error, *l, *r, *tensor; /* little-endian */
} run_record;
cgct_status run_record_parse(const uint8_t *record, size_t size, run_record *r, cgct_err *err);
/* Adds the maker to a list with "; " between them, unless it is there or the list is full. */
void run_record_add_maker(const run_record *r, char *list, size_t size);
/* The fields of node_fields with nm >= r->s.nm coefficients: value (NPOL, nm, nq, nk), error (NPOL,
 * nq, nk). */
void run_record_fields(const run_record *r, size_t nm, double *value, double *error);
/* The s.ntensor numbers ln G, H/G of each x and q that the record holds. */
void run_record_tensor(const run_record *r, double *tensor);

/* Where the record of an item lies. */
typedef struct {
    const journal *from; /* NULL: not there */
    const cgct_chunk *record;
} run_slot;

/* slot: (j->nitems).  Enters what a journal holds; E_FORMAT for items that the job does not have or
 * that are there already (naming both files). */
cgct_status run_slots_add(const run_job *j, run_slot *slot, const journal *from, cgct_err *err);
#endif
