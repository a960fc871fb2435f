/* SPDX-License-Identifier: MIT */
/* Where points lie: the steps that are the same for every point run over batches, so that they
 * vectorise. */
#include "cgctab_place.h"

CGCT_CLONES_512
static void place_one(const cgct_table *t, const double *q, const double *k1, const double *theta,
                      cgct_places *at, cgct_err *err)
{
    cgct_place_points(t, 1, 1, q, k1, theta, at, err);
}

CGCT_CLONES_512
static void place_groups(const cgct_table *t, size_t n, const double *q, const double *k1,
                         const double *theta, cgct_places *at, cgct_err *err)
{
    cgct_place_points(t, n, CGCT_GROUP, q, k1, theta, at, err);
}

/* The last group is filled up with the last point. */
void cgct_place(const cgct_table *t, size_t n, const double *q, const double *k1,
                const double *theta, cgct_places *at, cgct_err *err)
{
    double full[3][CGCT_BATCH];
    size_t whole = (n + CGCT_GROUP - 1) / CGCT_GROUP * CGCT_GROUP;
    if (n == 1) {
        place_one(t, q, k1, theta, at, err);
        return;
    }
    size_t i = 0;
    do {
        size_t j = i < n ? i : n - 1;
        full[0][i] = q[j];
        full[1][i] = k1[j];
        full[2][i] = theta[j];
    } while (++i < whole);
    place_groups(t, whole, full[0], full[1], full[2], at, err);
}

CGCT_CLONES
static int turn_groups(const cgct_table *t, size_t n, double k1, cgct_places *at)
{
    int moved = 0;
    for (size_t i = 0; i < n; i += CGCT_GROUP) {
        double ratio[CGCT_GROUP];
        angles(i, CGCT_GROUP, at);
        if (!(t->head.features & CGCT_FEATURE_FOLD)) {
            half_angles(i, CGCT_GROUP, at);
            continue;
        }
        exchange(i, CGCT_GROUP, at, ratio);
        shares(i, CGCT_GROUP, t->head.fold_power, ratio, at);
        for (size_t j = i; j < i + CGCT_GROUP; j++) moved |= at->k[j] != k1;
    }
    return !moved;
}

int cgct_place_angles(const cgct_table *t, double q, double k1, size_t n, const double *theta,
                      cgct_places *at)
{
    size_t whole = (n + CGCT_GROUP - 1) / CGCT_GROUP * CGCT_GROUP;
    int near = 1;
    for (size_t i = 0; i < whole; i++) {
        at->theta[i] = theta[i < n ? i : n - 1];
        near &= fabs(at->theta[i]) <= THETA_MAX;
        at->q[i] = q;
        at->k[i] = k1;
        at->share[i] = 1;
    }
    return near && turn_groups(t, whole, k1, at);
}
