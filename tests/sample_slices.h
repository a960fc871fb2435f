/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sample_slices.h: slices, samplers and the density that they are to draw from, for tests of
 * both. */
#ifndef SAMPLE_SLICES_H
#define SAMPLE_SLICES_H
#include "synthetic.h"
#include "table_folder.h"
#include "run_suite.h"

#define PI 3.14159265358979323846

static const double factor[2] = {1.0, 2.5};

/* ---- slices ---- */

/* A fine table, one whose q reaches beyond 2 k_max, and one of few nodes; between nodes in
 * (x,eps). */
enum { FINE, WIDE, COARSE, TABLES };

static inline void synthetic_slice(int which, double scale, cgct_slice **s, cgct_table **t)
{
    static const size_t nodes[TABLES][3] = {{40, 32, 24}, {32, 24, 24}, {7, 8, 7}};
    const size_t *n = nodes[which];
    synthetic f = {.nx = 2,
                   .neps = 2,
                   .nq = n[0],
                   .nl = n[1],
                   .nu = n[2],
                   .x = {1e-3, 2e-3},
                   .eps = {0.3, 0.4},
                   .q = {0.5, 16},
                   .k0 = 0.4,
                   .k_max = which == WIDE ? 2.5 : 20,
                   .step = 1e-6,
                   .order = {4, 4, 4, 4},
                   .scale = scale};
    cgct_err err;
    ck_assert_msg(synthetic_write(&f, table, &err) == CGCT_OK, "%s", err.text);
    *t = open_table(table);
    ck_assert_msg(cgct_slice_init(s, *t, 1.3e-3, 0.33, &err) == CGCT_OK, "%s", err.text);
}

static inline cgct_sampler *open_sampler(const cgct_slice *s)
{
    cgct_sampler *sampler;
    cgct_err err;
    ck_assert_msg(cgct_sampler_init(&sampler, s, factor, &err) == CGCT_OK, "%s", err.text);
    return sampler;
}

/* In long loops an assertion that holds costs more than what it looks at: Check notes each one. */
static inline double mixture(const cgct_slice *s, double q, double k1, double theta)
{
    double I[2];
    if (cgct_slice_eval(s, q, k1, theta, I) != CGCT_OK)
        ck_abort_msg("no I at q %g, k1 %g, theta %g", q, k1, theta);
    return factor[0] * I[0] + factor[1] * I[1];
}

static inline void draw(const cgct_sampler *sampler, uint64_t *state, cgct_event *e)
{
    double u[5];
    for (int j = 0; j < 5; j++) u[j] = uniform(state);
    if (cgct_sample(sampler, u, e) != CGCT_OK) ck_abort_msg("no event");
}

static inline double other_momentum(double q, double k1, double theta)
{
    return hypot(q - k1 * cos(theta), k1 * sin(theta));
}
#endif
