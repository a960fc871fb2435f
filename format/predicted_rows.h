/* SPDX-License-Identifier: MIT */
/* predicted_rows.h: a payload of encoding 5 while it is being decoded. */
#ifndef CGCT_PREDICTED_ROWS_H
#define CGCT_PREDICTED_ROWS_H
#include "predicted.h"

struct cgct_predicted {
    cgct_lattice lattice;
    const uint8_t *descriptor, *descriptor_end;
    const uint8_t *next[CGCT_PREDICTED_STREAMS], *last[CGCT_PREDICTED_STREAMS]; /* of symbols */
    const uint8_t *bits;
    uint64_t bit, nbits;
    int32_t *plane[2][3];  /* by polarisation: a mode and the two before */
    uint16_t *modes;       /* (2, nq nk) */
    uint32_t *first, *end; /* (2, nq): where the next mode's integers lie */
    uint32_t *row;
    uint8_t *symbol[2], *choice; /* of a row and the one before; the streams of its groups */
};

/* All rows of a plane into plane[0]; 0: symbols or bits run out, or a symbol is not allowed. */
int cgct_predicted_rows(struct cgct_predicted *d, const cgct_predictor *p, int32_t *const plane[3],
                        const uint32_t *first, const uint32_t *end);
#endif
