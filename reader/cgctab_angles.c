/* SPDX-License-Identifier: MIT */
/* Many angles at one (q,k1) of a slice. */
#include "../format/elementary.h"
#include "cgctab_slice.h"

#define PI 3.14159265358979323846

enum { FEW = 8 }; /* angles for which all arcs are not worth it */

CGCT_CLONES
static void sum_spectrum(const cgct_spectrum *f, const cgct_places *at, double *values)
{
    double re[CGCT_BATCH], im[CGCT_BATCH], t[CGCT_BATCH], l[CGCT_BATCH];
    for (int i = 0; i < CGCT_BATCH; i++) {
        re[i] = 1;
        im[i] = 0;
        t[i] = f->zeroth[0];
        l[i] = f->zeroth[1];
    }
    for (size_t m = 1; m < f->n; m++)
        for (int i = 0; i < CGCT_BATCH; i++) {
            double next = im[i] * at->sine[i] - re[i] * at->cosine[i];
            im[i] = -re[i] * at->sine[i] - im[i] * at->cosine[i];
            re[i] = next;
            t[i] += re[i] * f->r[2 * m - 2];
            l[i] += re[i] * f->r[2 * m - 1];
        }
    for (int i = 0; i < CGCT_BATCH; i++) {
        values[2 * i] = 4 * PI * f->s[0] * at->share[i] * t[i];
        values[2 * i + 1] = 4 * PI * f->s[1] * at->share[i] * l[i];
    }
}

/* What was found at a place: all arcs, or where they do not serve it all modes. */
typedef struct {
    cgct_arc_row row;
    cgct_spectrum spectrum;
} known;

/* One batch, filled up with its last angle.  In a folded table angles differ in where J is taken
 * once k2 < k1; those go one by one. */
static cgct_status batch(const cgct_slice *s, double q, double k1, size_t n, const double *theta,
                         known *f, double *values)
{
    double qs[CGCT_BATCH], ks[CGCT_BATCH], angle[CGCT_BATCH], all[2 * CGCT_BATCH];
    const cgct_planes *p = cgct_slice_planes(s);
    cgct_places at;
    cgct_status st = CGCT_OK;
    int same = 1;
    for (size_t i = 0; i < CGCT_BATCH; i++) {
        qs[i] = q;
        ks[i] = k1;
        angle[i] = theta[i < n ? i : n - 1];
    }
    const cgct_arguments a = {NULL, NULL, qs, ks, angle};
    cgct_place(s->table, CGCT_BATCH, &a, &at, NULL);
    for (size_t i = 0; i < n; i++) {
        same &= at.status[i] == CGCT_OK && at.k[i] == at.k[0];
        if (st == CGCT_OK) st = at.status[i];
    }
    int modes = same && (at.below[0] || !cgct_arcs_serve(p, at.q[0], at.k[0]));
    if (modes && cgct_spectrum_at(p, at.ln_q[0], at.ln_k[0], &f->spectrum)) {
        sum_spectrum(&f->spectrum, &at, all);
        memcpy(values, all, 2 * n * sizeof *values);
    } else {
        cgct_values(p, n, &at, values);
    }
    return st;
}

/* All arcs at (q,k1) itself; 0: there is none. */
static int make_row(const cgct_slice *s, double *q, double *k1, cgct_arc_row *row)
{
    const cgct_grid *gq = &s->table->grid[CGCT_AXIS_Q], *gk = &s->table->grid[CGCT_AXIS_K];
    int freeze = s->table->policy == CGCT_POLICY_FREEZE;
    if (s->table->head.features & CGCT_FEATURE_FOLD && !(*k1 >= gk->v[0])) return 0;
    return cgct_into_range(gq, q, freeze, NULL) == CGCT_OK &&
           cgct_into_range(gk, k1, freeze, NULL) == CGCT_OK &&
           cgct_arcs_row(cgct_slice_planes(s), *q, *k1, row);
}

cgct_status cgct_slice_angles(const cgct_slice *s, double q, double k1, size_t n,
                              const double *theta, double *values)
{
    cgct_status result = CGCT_OK;
    double at_q = q, at_k = k1;
    cgct_places at;
    known f;
    if (!s || (n && (!theta || !values))) return CGCT_E_USAGE;
    f.spectrum.n = 0;
    int row = n >= FEW && make_row(s, &at_q, &at_k, &f.row);
    for (size_t i = 0; i < n; i += CGCT_BATCH) {
        size_t m = n - i < CGCT_BATCH ? n - i : (size_t)CGCT_BATCH;
        cgct_status st = CGCT_OK;
        if (row && cgct_place_angles(s->table, at_q, at_k, m, theta + i, &at))
            cgct_arcs_angles(&f.row, m, &at, values + 2 * i);
        else
            st = batch(s, q, k1, m, theta + i, &f, values + 2 * i);
        if (result == CGCT_OK) result = st;
    }
    return result;
}
