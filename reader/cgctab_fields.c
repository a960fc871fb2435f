/* SPDX-License-Identifier: MIT */
/* Differences of a point as fields of words of 32 bits (cgctab_everett.h): the bits go where they
 * are needed, so that what is left is an equal part of every row. */
#include <limits.h>
#include <math.h>

#include "cgctab_everett.h"
#include "../format/elementary.h"

#define FINEST -60      /* exponent of the least step */
#define FIELD_MAX 20    /* bits of a field, less than what a float resolves */
#define ROUND 0x1.8p23f /* adding it rounds |v| < 2^22 to an integer */

/* Each row, multiplied by its weight, gets a field of the same step, a power of two: the least for
 * which all fit into a word.  width: bits, 0 for a row that never exceeds half a step. */
typedef struct {
    double step;
    int width[CGCT_ROWS];
} division;

/* Bits of a signed integer up to v in size together with a fraction in (-1/2, 1/2). */
static int width_for(double v)
{
    int above = (int)(cgct_bits(v + 1.5) >> 52) - 1022; /* v + 1.5 < 2^above */
    return v <= 0.5 ? 0 : above + 1;
}

static int try_step(division *d, double step, const double part[CGCT_ROWS])
{
    int sum = 0, most = 0;
    d->step = step;
    for (int r = 0; r < CGCT_ROWS; r++) {
        d->width[r] = width_for(part[r] / step);
        most = d->width[r] > most ? d->width[r] : most;
        sum += d->width[r];
    }
    return sum <= 32 && most <= FIELD_MAX;
}

/* part: the largest number of each row times its weight; finite. */
static void divide(division *d, const double part[CGCT_ROWS])
{
    int exponent[CGCT_ROWS], most = INT_MIN, sum = 0, n = 0;
    memset(d, 0, sizeof *d);
    for (int r = 0; r < CGCT_ROWS; r++) {
        if (part[r] == 0) continue;
        (void)frexp(part[r], &exponent[n]);
        most = exponent[n] > most ? exponent[n] : most;
        n++;
    }
    if (n == 0) return;
    for (int i = 0; i < n; i++)
        sum += exponent[i] < most - FIELD_MAX ? most - FIELD_MAX : exponent[i];
    int start = (sum - 32) / n - 1; /* not above the least that will do */
    if (start < FINEST) start = FINEST;
    while (!try_step(d, ldexp(1, start), part)) start++;
}

/* The largest number in size, 4 to n - 1; as bits, which NaN exceeds all others with. */
CGCT_CLONES
static double largest_size(const float *v, size_t n)
{
    uint32_t most = 0;
    float size;
    for (size_t i = 4; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, v + i, sizeof bits);
        bits &= UINT32_C(0x7fffffff);
        most = bits > most ? bits : most;
    }
    memcpy(&size, &most, sizeof size);
    return (double)size;
}

/* out = the rows times scale as fields, the first one lowest: each is rounded such that it is right
 * together with the fields below it, which become its fraction.  ln s and what corrects it, the
 * first four, have none. */
CGCT_CLONES
static void put_rows(const float *const row[CGCT_ROWS], const float scale[CGCT_ROWS],
                     const int width[CGCT_ROWS], size_t n, uint32_t *out)
{
    float unit = 1;
    for (size_t i = 0; i < n; i++) out[i] = 0;
    for (int r = 0, low = 0; r < CGCT_ROWS; low += width[r++]) {
        for (size_t i = 4; i < n && width[r]; i++) {
            float v = row[r][i] * scale[r] - (float)(int32_t)out[i] * unit;
            v = (v + ROUND) - ROUND;
            out[i] += (uint32_t)(int32_t)v << low;
        }
        for (int bit = 0; bit < width[r]; bit++) unit *= 0.5f;
    }
}

int cgct_put_fields(const float *const row[CGCT_ROWS], const double weight[CGCT_ROWS], size_t n,
                    cgct_head *head, uint32_t *out)
{
    float scale[CGCT_ROWS] = {0};
    double part[CGCT_ROWS], sum = 0;
    division d;
    uint32_t shift = 0;
    for (int r = 0; r < CGCT_ROWS; r++) sum += part[r] = weight[r] * largest_size(row[r], n);
    if (!isfinite(sum)) return 0;
    divide(&d, part);
    if (d.step > CGCT_COARSEST) return 0;
    for (int r = 0, low = 0; r < CGCT_ROWS; r++) {
        if (d.width[r] == 0) continue;
        low += d.width[r];
        scale[r] = (float)(weight[r] / d.step);
        head->number[CGCT_UNIT + r] = (float)ldexp(d.step / weight[r], d.width[r] - 32);
        shift |= (uint32_t)(32 - low) << 5 * r;
    }
    head->shift = shift | CGCT_SERVED;
    put_rows(row, scale, d.width, n, out);
    return 1;
}
