/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h: one item of a run, computed, as the record that a journal keeps of it.
 *
 *   node    summary, error/|2 pi I_0| of each point (f32), packed node (format/writer_node.h)
 *   check   x eps q k1 theta I_T I_L error_T error_L (f64) of each point */
#ifndef CGCT_RUN_RECORD_H
#define CGCT_RUN_RECORD_H
#include <stdint.h>

#include "node/node.h"
#include "run/job.h"

enum { RUN_NODE = 1, RUN_CHECK = 2 }; /* kinds of journal records */

/* What is reported of a node. */
typedef struct {
    size_t nm, points; /* modes; points (q,k) of both polarisations */
    size_t flagged;    /* points whose estimate exceeds accuracy.flag */
    /* Points whose estimate exceeds accuracy.tolerance: because of the rounding of the computation,
     * which no grid changes, or because of the grids. */
    size_t missed_rounding, missed_grids;
    size_t continued; /* points beyond what is resolved (METHOD.md 6.2) */
    int refined;      /* how often the grids were refined for it (accuracy.refine) */
    double worst;     /* largest estimate, relative to 2 pi I_0 */
    node_report report;
} run_summary;

/* The task of one node of the job; points into the job. */
node_task run_node_task(const run_job *j, size_t item);

/* Computes a node or a check.  Allocates *record (free with free); s: of a node, zero for a
 * check.  Errors of node_compute, with x and eps added. */
cgct_status run_compute(const run_job *j, size_t item, uint8_t **record, size_t *size,
                        run_summary *s, cgct_err *err);

/* A node's record taken apart: error (s.points) and packed[packed_size] lie inside it.  Of s.report
 * only rank, sum rule and times are kept, and s.worst is not. */
typedef struct {
    run_summary s;
    const uint8_t *error, *packed; /* error: little-endian f32 */
    size_t packed_size;
} run_record;
cgct_status run_record_parse(const uint8_t *record, size_t size, run_record *r, cgct_err *err);

/* A point between the nodes of the table, computed directly. */
typedef union {
    struct {
        double at[5]; /* x, eps, q, k1, theta */
        double I[2], error[2];
    };
    double number[9]; /* all of these, in the order of the record */
} check_point;

typedef struct {
    size_t n;
    check_point *v; /* NULL before use; free with free */
} check_set;

/* Adds the points of a check's record to a set. */
cgct_status run_check_parse(const uint8_t *record, size_t size, check_set *set, cgct_err *err);

#endif
