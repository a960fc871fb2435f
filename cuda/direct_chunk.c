/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of Delta and R fits on the device at once. */
#include "direct_stage.h"

enum { R_AT_ONCE = 512 }; /* more than one chunk of R, so that finished ones leave meanwhile */

size_t direct_chunk_numbers(const direct_sizes *s, direct_chunk c)
{
    size_t wave = c.nd * s->ns * s->n * WAVE_SIZE, G = 2 * (2 * s->nm * c.nd * c.nr);
    size_t cross = s->ns * (s->n / 2 + 1);
    if (!s->full) return wave + cross * c.nr + 2 * c.nd * s->nk * c.nr + G;
    return wave + cross + 2 * c.nd * s->n + 2 * c.nd * s->ns * (s->n * s->n + s->nm) + G;
}

direct_chunk direct_chunk_plan(const direct_sizes *s, size_t bytes)
{
    direct_chunk c = {s->nd, s->nr < R_AT_ONCE ? s->nr : R_AT_ONCE};
    for (; c.nr; c.nr /= 2) {
        direct_chunk none = {0, c.nr}, one = {1, c.nr};
        size_t fixed = direct_chunk_numbers(s, none), each = direct_chunk_numbers(s, one) - fixed;
        size_t room = bytes / sizeof(double);
        if (room < fixed + each) continue;
        size_t fit = (room - fixed) / each;
        c.nd = fit < s->nd ? fit : s->nd;
        return c;
    }
    return (direct_chunk){0, 0};
}

direct_chunk direct_chunk_shrink(direct_chunk c)
{
    if (c.nd > 1)
        c.nd = (c.nd + 1) / 2;
    else if (c.nr > 1)
        c.nr = (c.nr + 1) / 2;
    else
        c = (direct_chunk){0, 0};
    return c;
}
