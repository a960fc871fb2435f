/* SPDX-License-Identifier: MIT */
/* (-1)^m cos(m theta) = Re z^m with z = -(cos + i sin): powers by squaring, then blocks of eight
 * modes by one rotation each; the rounding grows as m, not as m^2 of the three-term recurrence. */
#include "cgctab_internal.h"
#include "../format/elementary.h"
#include "../format/vectors.h"

typedef struct {
    double re, im;
} power;

static inline power times_power(power a, power b)
{
    power product = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return product;
}

void cgct_powers_init(cgct_powers *z, double cosine, double sine, int first)
{
    power p[CGCT_MODES_BLOCK + 1] = {{1, 0}, {-cosine, -sine}};
    p[2] = times_power(p[1], p[1]);
    p[3] = times_power(p[1], p[2]);
    p[4] = times_power(p[2], p[2]);
    for (int m = 5; m <= CGCT_MODES_BLOCK; m++) p[m] = times_power(p[4], p[m - 4]);
    for (int m = 0; m <= CGCT_MODES_BLOCK; m++) z->re[m] = p[m].re;
    z->step_im = p[CGCT_MODES_BLOCK].im;
    for (int m = 0; m < CGCT_MODES_BLOCK; m++) {
        power next = first == 1 ? p[m + 1] : times_power(p[first], p[m]);
        z->next_re[2 * m] = z->next_re[2 * m + 1] = next.re;
        z->next_im[2 * m] = z->next_im[2 * m + 1] = next.im;
    }
}

CGCT_CLONES
static void sum_blocks(cgct_powers *z, const double *block, size_t n, double sum[2])
{
    CGCT_ALIGNED double lane[CGCT_BLOCK];
    cgct_wide re, im, lanes = CGCT_WIDE_ZERO;
    if (n == 0) return;
    cgct_wide_load(&re, z->next_re);
    cgct_wide_load(&im, z->next_im);
    for (size_t v = 0; v < n; v++) {
        cgct_wide_add_product(&lanes, &re, block + CGCT_BLOCK * v);
        cgct_wide_rotate(&re, &im, z->re[CGCT_MODES_BLOCK], z->step_im);
    }
    cgct_wide_store(&re, z->next_re);
    cgct_wide_store(&im, z->next_im);
    cgct_wide_store(&lanes, lane);
    for (int pol = 0; pol < 2; pol++)
        sum[pol] += ((lane[pol] + lane[2 + pol]) + (lane[4 + pol] + lane[6 + pol])) +
                    ((lane[8 + pol] + lane[10 + pol]) + (lane[12 + pol] + lane[14 + pol]));
}

void cgct_powers_sum(cgct_powers *z, const double *block, size_t n, double sum[2])
{
    sum_blocks(z, block, n, sum);
}
