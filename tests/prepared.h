/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prepared.h: a table as it was opened and the same prepared, for the tests of cgct_prepare. */
#ifndef PREPARED_H
#define PREPARED_H
#include "reader/cgctab.h"
#include "synthetic.h"
#include "table_fixture.h"

enum { POINTS = 3000 };

typedef struct {
    char folder[PATH_SIZE], path[PATH_SIZE];
    cgct_table *plain, *prepared;
} both;

static inline void open_prepared(const char *path, cgct_table **t)
{
    cgct_err err;
    ck_assert_msg(cgct_open(path, t, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(cgct_prepare(*t, &err) == CGCT_OK, "%s", err.text);
}

static inline void open_both(const fixture *f, both *b)
{
    make_folder(b->folder);
    path_in(b->folder, "t.cgct", b->path);
    fixture_write(f, b->path);
    ck_assert_int_eq(cgct_open(b->path, &b->plain, NULL), CGCT_OK);
    open_prepared(b->path, &b->prepared);
}

static inline void close_both(both *b)
{
    cgct_close(b->plain);
    cgct_close(b->prepared);
    remove_folder(b->folder);
}

/* ---- tables ---- */

/* ln s and r_m, polynomials of degree 3 in each logarithm with products of q and k, and an
 * exponential for what polynomials of four nodes cannot follow.  ln s is so large that rounding it
 * to single precision shows in its differences. */
static inline double smooth_mode(int pol, size_t m, const double at[4], const void *arg)
{
    double u[4], ln_s = -60 - 0.3 * pol, r = 0.5 + 0.1 * pol, bent = *(const double *)arg;
    for (int a = 0; a < 4; a++) {
        u[a] = log(at[a]) / 3;
        ln_s += (0.3 - 0.1 * a) * u[a] + 0.2 * u[a] * u[a] - 0.1 * (a + 1) * u[a] * u[a] * u[a];
        ln_s += 0.02 * bent * exp(2 * u[a]);
        r += 1e-4 * u[a] * (1 - u[a] * u[a]);
    }
    ln_s += 0.3 * u[2] * u[3] - 0.2 * u[2] * u[2] * u[3] * u[3];
    r += 1e-4 * u[2] * u[2] * u[3] * u[3];
    return exp(ln_s) * (m == 0 ? 1 : 0.6 * r / (double)(m * m));
}

static inline fixture smooth_table(const double *bent)
{
    fixture f = {.n = {6, 7, 9, 11},
                 .nm = 30,
                 .error = 1e-36,
                 .bound = 1e-7,
                 .level = 3,
                 .split = 2,
                 .mode = smooth_mode,
                 .arg = bent};
    return f;
}

/* Axes whose steps grow by half from the first to the last; uneven: by five times. */
static inline void fill_axes(fixture *f, int uneven)
{
    static const double lo[] = {1e-4, 0.3, 1, 0.5}, hi[] = {1e-2, 3, 20, 20};
    for (int a = 0; a < 4; a++)
        for (size_t i = 0; i < f->n[a]; i++) {
            double t = f->n[a] > 1 ? (double)i / (double)(f->n[a] - 1) : 0;
            t = uneven ? t * (0.4 + 0.6 * t) : t * (0.8 + 0.2 * t);
            f->v[a][i] = lo[a] * pow(hi[a] / lo[a], t);
        }
}

static inline double random_value(const cgct_table *t, int axis, uint64_t *state)
{
    size_t n;
    const double *v = cgct_axis_values(t, (cgct_axis)axis, &n);
    double u = uniform(state);
    if (u < 0.1) return v[(size_t)(uniform(state) * (double)n)];
    return v[0] * pow(v[n - 1] / v[0], uniform(state));
}

/* Largest |a - b| over I_0, T and L, at random points; *rms its root mean square and *served the
 * number of points where they differ at all, or NULL. */
static inline double differences(const cgct_table *a, const cgct_table *b, double *rms, int *served)
{
    uint64_t state = 5;
    double largest = 0, sum = 0;
    int same = 0;
    for (int i = 0; i < POINTS; i++) {
        double at[5], one[2], two[2], modes[2];
        for (int k = 0; k < 4; k++) at[k] = random_value(a, k, &state);
        at[4] = 7 * uniform(&state);
        ck_assert_int_eq(cgct_eval(a, at[0], at[1], at[2], at[3], at[4], one), CGCT_OK);
        ck_assert_int_eq(cgct_eval(b, at[0], at[1], at[2], at[3], at[4], two), CGCT_OK);
        ck_assert_int_eq(cgct_modes(a, at[0], at[1], at[2], at[3], 1, modes, NULL), CGCT_OK);
        for (int pol = 0; pol < 2; pol++) {
            double miss = fabs(one[pol] - two[pol]) / (4 * SYNTHETIC_PI * modes[pol]);
            ck_assert(isfinite(miss));
            largest = fmax(largest, miss);
            sum += miss * miss;
        }
        same += one[0] == two[0] && one[1] == two[1];
    }
    if (served) *served = POINTS - same;
    if (rms) *rms = sqrt(sum / (2 * POINTS));
    return largest;
}

static inline double difference(const cgct_table *a, const cgct_table *b)
{
    return differences(a, b, NULL, NULL);
}
#endif
