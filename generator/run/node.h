/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_node.h: one item of a run, computed, as the bytes that a journal keeps.
 *
 *   node    summary, error/|2 pi I_0| of each point (f32), packed node
 *   check   x eps q k1 theta I_T I_L error_T error_L (f64) of each point */
#ifndef CGCT_RUN_NODE_H
#define CGCT_RUN_NODE_H
#include "run/interpolation.h"
#include "node/pipeline.h"
#include "run/job.h"

enum { RUN_NODE = 1, RUN_CHECK = 2 }; /* kinds of journal records */

/* What is reported of a node. */
typedef struct {
    size_t nm, points; /* modes; points of both polarisations */
    size_t flagged;    /* points whose estimate exceeds accuracy.flag */
    /* Points whose estimate exceeds accuracy.tolerance: because of the rounding of the computation,
     * which no grid changes, or because of the grids. */
    size_t missed_rounding, missed_grids;
    size_t continued; /* points beyond what is resolved (continuation.h) */
    int refined;      /* times that finer grids were taken for it (accuracy.refine) */
    double worst;     /* largest estimate, relative to 2 pi I_0 */
    pipeline_report pipeline;
} run_summary;

/* Allocates *record; s: of a node, zero for a check. */
cgct_status run_compute(const run_job *j, size_t item, uint8_t **record, size_t *size,
                        run_summary *s, cgct_err *err);

/* Grids, bytes and rough work of a node (pipeline_plan). */
cgct_status run_job_plan(const run_job *j, size_t node, pipeline_report *report, double *work,
                         cgct_err *err);

/* Bytes of a device that does a node at once; 0: none is used. */
cgct_status run_job_device_bytes(const run_job *j, size_t node, size_t *bytes, cgct_err *err);

/* A node's record taken apart: error (s->points) and packed[size] lie inside it. */
typedef struct {
    run_summary s;
    const uint8_t *error, *packed; /* error: little-endian f32 */
    size_t packed_size;
} run_record;
cgct_status run_record_parse(const uint8_t *record, size_t size, run_record *r, cgct_err *err);

/* The points of a check's record, added to a set. */
cgct_status run_check_parse(const uint8_t *record, size_t size, interpolation_set *set,
                            cgct_err *err);
#endif
