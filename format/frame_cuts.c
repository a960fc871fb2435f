/* SPDX-License-Identifier: MIT */
/* Where a zstd frame begins a new block: a block has one table of code lengths, and symbols of one
 * kind deserve their own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codec.h"

enum { UNITS_MAX = 512, UNIT_LEAST = 128 };
/* Bits: what a block costs beside its symbols, with what a decoder loses by one more; and for each
 * symbol that its table knows. */
#define BLOCK_BITS 240.0
#define SYMBOL_BITS 4.0

typedef struct {
    uint32_t count[256];
    size_t end;         /* in the symbols */
    double cost, merge; /* of it alone, and together with the next one */
} unit;

static double cost(const uint32_t *a, const uint32_t *b)
{
    double total = 0, sum = 0, bits = BLOCK_BITS;
    for (int i = 0; i < 256; i++) {
        double c = (double)a[i] + (b ? b[i] : 0);
        if (c == 0) continue;
        total += c;
        sum += c * log2(c);
        bits += SYMBOL_BITS;
    }
    return bits + total * log2(total) - sum;
}

/* The next unit joins u[i]. */
static void merge(unit *u, size_t *n, size_t i)
{
    for (int s = 0; s < 256; s++) u[i].count[s] += u[i + 1].count[s];
    u[i].end = u[i + 1].end;
    u[i].cost = u[i].merge;
    memmove(u + i + 1, u + i + 2, (*n - i - 2) * sizeof *u);
    --*n;
    for (size_t j = i ? i - 1 : 0; j <= i && j + 1 < *n; j++)
        u[j].merge = cost(u[j].count, u[j + 1].count);
}

/* Joins neighbours as long as that saves bits. */
static size_t join(unit *u, size_t n)
{
    for (;;) {
        double most = 0;
        size_t best = n;
        for (size_t i = 0; i + 1 < n; i++) {
            double gain = u[i].cost + u[i + 1].cost - u[i].merge;
            if (gain > most) {
                most = gain;
                best = i;
            }
        }
        if (best == n) return n;
        merge(u, &n, best);
    }
}

cgct_status cgct_cuts_choose(cgct_cuts *cuts, const uint8_t *data, size_t first, size_t count,
                             cgct_err *err)
{
    size_t each = count / UNITS_MAX + 1 > UNIT_LEAST ? count / UNITS_MAX + 1 : UNIT_LEAST;
    size_t n = (count + each - 1) / each;
    unit *u = calloc(n + 1, sizeof *u);
    cuts->at = malloc((n + 1) * sizeof *cuts->at);
    if (!u || !cuts->at) {
        free(u);
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu blocks", n);
    }
    for (size_t i = 0; i < n; i++) {
        u[i].end = (i + 1) * each < count ? (i + 1) * each : count;
        for (size_t j = i * each; j < u[i].end; j++) u[i].count[data[first + j]]++;
        u[i].cost = cost(u[i].count, NULL);
    }
    for (size_t i = 0; i + 1 < n; i++) u[i].merge = cost(u[i].count, u[i + 1].count);
    n = join(u, n);
    cuts->n = n + 1;
    cuts->at[0] = first;
    for (size_t i = 0; i < n; i++) cuts->at[i + 1] = first + u[i].end;
    free(u);
    return CGCT_OK;
}

void cgct_cuts_free(cgct_cuts *cuts)
{
    free(cuts->at);
    memset(cuts, 0, sizeof *cuts);
}
