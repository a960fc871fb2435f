/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h: a node of one dipole, of which parts.c makes nodes of dipoles with several parts.
 * Private to this folder. */
#ifndef CGCT_NODE_PARTS_H
#define CGCT_NODE_PARTS_H
#include "node/node.h"

/* node_compute and node_plan where the source is one dipole; report is not NULL. */
cgct_status node_part_compute(const node_task *task, node_tables **n, node_fields *fields,
                              node_report *report, cgct_err *err);
cgct_status node_part_plan(const node_task *task, node_report *report, double *work, size_t *device,
                           cgct_err *err);
#endif
