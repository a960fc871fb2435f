/* SPDX-License-Identifier: MIT */
/* A single point of a slice by arcs.  What takes time is that each step waits for the one before,
 * so all of them are one function, whose numbers need not go through memory. */
#include "cgctab_arcsum.h"
#include "cgctab_place.h"

CGCT_INLINE int single(const cgct_planes *p, size_t span, const double point[3], double value[2])
{
    cgct_places at; /* only the first numbers are used, and in registers */
    uint8_t served = 0;
    cgct_place_points(p->table, 1, 1, point, point + 1, point + 2, &at, NULL);
    if (at.status[0] != CGCT_OK) return 0;
    cgct_arcs_group(p, 0, 1, 1, span, &at, &served);
    if (served == 1) cgct_scale_point(&at, 0, value);
    return served == 1;
}

CGCT_CLONES
static int single_four(const cgct_planes *p, const double point[3], double value[2])
{
    return single(p, 4, point, value);
}

CGCT_CLONES
static int single_six(const cgct_planes *p, const double point[3], double value[2])
{
    return single(p, 6, point, value);
}

int cgct_arcs_single(const cgct_planes *p, double q, double k1, double theta, double value[2])
{
    const double point[3] = {q, k1, theta};
    size_t span = cgct_arcs_span(p->dense);
    if (span == 4) return single_four(p, point, value);
    if (span == 6) return single_six(p, point, value);
    return 0;
}
