/* SPDX-License-Identifier: MIT */
/* node_pack.h: a packed node taken apart.  Bytes: index entry with offset 0, rounding (f64),
 * shape (nq nk u16, the larger of both polarisations), frame. */
#ifndef CGCT_NODE_PACK_H
#define CGCT_NODE_PACK_H
#include "header.h"
#include "writer.h"

typedef struct {
    cgct_entry entry;
    double rounding;
    const uint8_t *shape, *frame; /* inside the packed bytes */
} cgct_packed_node;

/* points = nq nk.  E_FORMAT where the size does not fit; content is the caller's to check. */
cgct_status cgct_packed_parse(const uint8_t *packed, size_t size, size_t points,
                              cgct_packed_node *node, cgct_err *err);
#endif
