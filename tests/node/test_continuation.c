/* SPDX-License-Identifier: GPL-3.0-or-later */
/* I beyond what is resolved: a cross section in closed form with known errors, and dipoles whose
 * tensor itself is lost. */
#include <math.h>

#include <gsl/gsl_sf_expint.h>

#include "node/fields.h"
#include "node/reference.h"
#include "check_rel.h"
#include "chain.h"
#include "run_suite.h"
#include "tensor.h"

enum { NQ = 30, NL = 5, NU = 6, NK = NL + NU, PLACES = NQ * NK };
static const double EPS = 1;

/* Axis, tensor, values; truth: as they were before noise and continuation. */
typedef struct {
    dipole *d;
    double q[NQ], G[NQ], H[NQ];
    node_grid grid;
    field_values v;
    double *truth;
} stage;

static void stage_init(stage *s, const char *name, double q_min)
{
    s->d = chain_dipole(name, 0.01);
    for (int i = 0; i < NQ; i++) s->q[i] = q_min * pow(25 / q_min, i / (NQ - 1.));
    s->grid = (node_grid){NQ, NL, NU, s->q, 0.3, 25, NULL};
    ck_assert_int_eq(tensor_at(s->d, NQ, s->q, s->G, s->H, NULL), CGCT_OK);
    field_values_init(&s->v, &s->grid);
    s->truth = malloc(s->v.points * NODE_ANGLES * sizeof *s->truth);
    ck_assert_ptr_nonnull(s->truth);
}

static void stage_free(stage *s)
{
    dipole_free(s->d);
    field_values_free(&s->v);
    free(s->truth);
}

static reference_point place_of(const stage *s, size_t i, double mu2)
{
    size_t at = i / NODE_ANGLES % PLACES;
    return (reference_point){s->q[at / NK], s->v.k[at], s->v.theta[i % (PLACES * NODE_ANGLES)], EPS,
                             mu2};
}

/* The correlation limit, smeared in another way than continuation does, times a factor that is 1
 * where the softer parton is hard and depends on k and the angle elsewhere. */
static void make_truth(stage *s)
{
    for (size_t i = 0; i < s->v.points * NODE_ANGLES; i++) {
        const reference_point p = place_of(s, i, 1.1 * EPS * EPS);
        size_t iq = i / NODE_ANGLES % PLACES / NK;
        double I[NPOL];
        reference_smeared(&p, 0.1, s->G[iq], s->H[iq], I);
        s->truth[i] =
            I[i / NODE_ANGLES / PLACES] * (1 - 0.4 * (1 + 0.3 * cos(p.theta)) / (1 + p.k1 * p.k1));
    }
}

/* Errors of one size everywhere, and noise of a third of it. */
static void add_noise(stage *s, double error)
{
    uint64_t seed = 3;
    for (size_t i = 0; i < s->v.points * NODE_ANGLES; i++) {
        s->v.bound[i] = error;
        s->v.I[i] = s->truth[i] + error / 3 * (2 * chain_random(&seed) - 1);
    }
}

static double mean_of(const double *I)
{
    double sum = 0;
    for (int j = 0; j < NODE_ANGLES; j++) sum += I[j];
    return sum / NODE_ANGLES;
}

/* Whether point i was kept. */
static int is_kept(const stage *s, const double *before, size_t i)
{
    return memcmp(before + i * NODE_ANGLES, s->v.I + i * NODE_ANGLES,
                  NODE_ANGLES * sizeof *before) == 0;
}

static double *copy_of(const stage *s)
{
    size_t bytes = s->v.points * NODE_ANGLES * sizeof(double);
    double *before = malloc(bytes);
    ck_assert_ptr_nonnull(before);
    memcpy(before, s->v.I, bytes);
    return before;
}

/* Largest error, of the mean, of all points n beyond the last kept one of their column. */
static double worst_beyond(const stage *s, const double *before, size_t n)
{
    double worst = 0;
    for (size_t i = n * NK; i < s->v.points; i++) {
        size_t iq = i / NK % NQ, lost = 0;
        while (lost <= iq && !is_kept(s, before, i - lost * NK)) lost++;
        if (lost != n || lost > iq) continue;
        const double *got = s->v.I + i * NODE_ANGLES, *want = s->truth + i * NODE_ANGLES;
        for (int j = 0; j < NODE_ANGLES; j++)
            worst = larger_error(worst, fabs(got[j] - want[j]) / mean_of(want));
    }
    return worst;
}

START_TEST(within_bound_and_close)
{
    stage s;
    size_t continued, kept = 0;
    stage_init(&s, "mve", 1);
    make_truth(&s);
    add_noise(&s, 1e-7);
    double *before = copy_of(&s);
    ck_assert_int_eq(field_values_continue(&s.v, s.d, EPS, &continued, NULL), CGCT_OK);
    for (size_t i = 0; i < s.v.points; i++) {
        double mean = mean_of(before + i * NODE_ANGLES);
        ck_assert_int_eq(is_kept(&s, before, i), mean > 0 && 1e-7 < FIELD_RESOLVED * mean);
        kept += is_kept(&s, before, i);
        for (size_t j = i * NODE_ANGLES; j < (i + 1) * NODE_ANGLES; j++) {
            ck_assert(fabs(s.v.I[j] - s.truth[j]) <= s.v.bound[j]);
            ck_assert(s.v.bound[j] >= 1e-7);
            if (!is_kept(&s, before, i)) ck_assert(s.v.I[j] > 0);
        }
    }
    ck_assert_uint_eq(kept + continued, s.v.points);
    ck_assert(continued > s.v.points / 4 && kept > s.v.points / 4);
    double one = worst_beyond(&s, before, 1), five = worst_beyond(&s, before, 5);
    printf("%zu of %zu continued; of the mean, the first is off by %.1e, the fifth by %.1e\n",
           continued, s.v.points, one, five);
    ck_assert(one < 0.05 && five < 0.1);
    free(before);
    stage_free(&s);
}
END_TEST

/* Where nothing of a column is resolved: the reference itself.  What is resolved stays. */
START_TEST(all_or_nothing)
{
    stage s;
    size_t continued;
    stage_init(&s, "mve", 1);
    make_truth(&s);
    add_noise(&s, 0);
    double *before = copy_of(&s);
    ck_assert_int_eq(field_values_continue(&s.v, s.d, EPS, &continued, NULL), CGCT_OK);
    ck_assert(continued == 0 &&
              memcmp(before, s.v.I, s.v.points * NODE_ANGLES * sizeof *before) == 0);
    add_noise(&s, 1e9);
    ck_assert_int_eq(field_values_continue(&s.v, s.d, EPS, &continued, NULL), CGCT_OK);
    ck_assert_uint_eq(continued, s.v.points);
    for (size_t i = 0; i < s.v.points * NODE_ANGLES; i++) {
        const reference_point p = place_of(&s, i, EPS * EPS);
        double I[NPOL], got = s.v.I[i], K2 = p.k1 * p.k1 + p.q * p.q / 4;
        size_t pol = i / NODE_ANGLES / PLACES, iq = i / NODE_ANGLES % PLACES / NK;
        reference_smeared(&p, 0, s.G[iq], s.H[iq], I);
        ck_assert(got > 0 && got <= 1e9);
        /* both partons hard, L where it is not near its zero: what is left is Qs^2/k^2 */
        if (p.k1 > 5 && (pol == POL_T || p.k1 * fabs(cos(p.theta)) - p.q / 2 > 0.3 * sqrt(K2)))
            CHECK_REL(got, I[pol], 3 * s.d->Qs2 / (p.k1 * p.k1));
    }
    free(before);
    stage_free(&s);
}
END_TEST

/* G itself is lost (gbw), or becomes negative (mvgamma): fields fall with q, smoothly, stay above
 * the smallest l of a table, and are a matter of the bound. */
START_TEST(lost_tensor)
{
    static const char *const name[] = {"gbw", "mvgamma"};
    const field_selection keep = {1e-7, 0};
    stage s;
    node_fields f;
    size_t continued;
    stage_init(&s, name[_i], 0.5);
    for (size_t i = 0; i < s.v.points * NODE_ANGLES; i++) {
        const reference_point p = place_of(&s, i, 1);
        double I[NPOL];
        size_t iq = i / NODE_ANGLES % PLACES / NK;
        reference_smeared(&p, 0.1, s.G[iq], s.H[iq], I);
        s.truth[i] = I[i / NODE_ANGLES / PLACES];
    }
    add_noise(&s, 1e-12);
    ck_assert_int_eq(field_values_continue(&s.v, s.d, EPS, &continued, NULL), CGCT_OK);
    ck_assert_uint_gt(continued, 0);
    ck_assert_int_eq(field_values_project(&s.v, &keep, &f, NULL), CGCT_OK);
    for (size_t pol = 0; pol < NPOL; pol++)
        for (size_t ik = 0; ik < NK; ik++)
            for (size_t iq = 1; iq < NQ; iq++) {
                const double *l = f.value + pol * f.nm * PLACES + iq * NK + ik;
                ck_assert(*l >= -690 && isfinite(f.error[pol * PLACES + iq * NK + ik]));
                if (s.q[iq] > 3) ck_assert_msg(*l < l[-NK], "l rises at q = %g", s.q[iq]);
                if (_i || s.q[iq] < 5 || *l < -500) continue; /* mvgamma dives to its zero */
                double bend = l[0] - 2 * l[-NK] + l[-2 * NK];
                double other = l[-NK] - 2 * l[-2 * NK] + l[-3 * NK];
                ck_assert_msg(fabs(bend - other) < 0.05 + 0.35 * fabs(bend), "q = %g k %zu: %g, %g",
                              s.q[iq], ik, bend, other);
            }
    node_fields_free(&f);
    stage_free(&s);
}
END_TEST

/* The form that continues G, against G = 2 pi E1(q^2/2Qs^2) of gbw, down to e^-500. */
START_TEST(continued_tensor_of_gbw)
{
    stage s;
    size_t continued, looked_at = 0;
    stage_init(&s, "gbw", 1);
    memset(s.truth, 0, s.v.points * NODE_ANGLES * sizeof *s.truth);
    add_noise(&s, 1e9);
    ck_assert_int_eq(field_values_continue(&s.v, s.d, EPS, &continued, NULL), CGCT_OK);
    for (size_t i = 0; i < PLACES * NODE_ANGLES; i++) { /* T */
        const reference_point p = place_of(&s, i, EPS * EPS);
        double I[NPOL], z = p.q * p.q / (2 * s.d->Qs2);
        if (p.k1 < 5 || z > 500) continue;
        reference_smeared(&p, 0, 2 * M_PI * gsl_sf_expint_E1_scaled(z), 0, I);
        CHECK_ABS(log(s.v.I[i]), log(I[POL_T]) - z, 0.05 + 0.01 * z);
        looked_at++;
    }
    ck_assert_uint_gt(looked_at, 1000);
    stage_free(&s);
}
END_TEST

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* a failing test ends its process */
    Suite *s = suite_create("continuation");
    TCase *t = tcase_create("continuation");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, within_bound_and_close);
    tcase_add_test(t, all_or_nothing);
    tcase_add_loop_test(t, lost_tensor, 0, 2);
    tcase_add_test(t, continued_tensor_of_gbw);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
