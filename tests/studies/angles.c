/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies of angles: a. partial sums over angular modes, d. slices in k1 at fixed angles, e. an
 * angular stress test. */
#include <math.h>

#include "study.h"

/* ---- a. partial sums over modes, [P: fig. modeconv]: five angles, three eps ---- */

enum { SUM_ANGLES = 5, SUM_M = 31 };
/* Twice the modes that are summed, so that the truncation of the table does not show. */
#define SUM_SETTINGS "inner.lam=0 inner.modes=63 accuracy.tolerance=1e-4"

/* For each M: the sum to M over that to 31 and over I. */
static void write_mode_sums(FILE *f, const study_table *t, double theta, const double truth[NPOL])
{
    for (int M = 0; M <= SUM_M; M++) {
        fprintf(f, "%g %.4f %d", t->node->eps, theta, M);
        for (size_t pol = 0; pol < NPOL; pol++) {
            double sum = study_sum(t, pol, 0, 0, M, theta);
            fprintf(f, " %.10e %.10e", sum / study_sum(t, pol, 0, 0, SUM_M, theta),
                    sum / truth[pol]);
        }
        fputc('\n', f);
    }
    fputs("\n\n", f);
}

static cgct_status mode_sums_of_node(const study *v, const study_node *node, FILE *f, cgct_err *err)
{
    study_table t;
    node_tables *p = NULL;
    double k1 = node->k_max, worst[NPOL] = {0, 0};
    CGCT_TRY(study_table_init(&t, node, SUM_SETTINGS, err));
    cgct_status st = study_modes(&t, 1, &k1, err);
    if (st == CGCT_OK) st = study_production(&p, node, 1e-6, NULL, err);
    for (int it = 0; it < SUM_ANGLES && st == CGCT_OK; it++) {
        double theta = M_PI * it / (SUM_ANGLES - 1), truth[NPOL], bound[NPOL];
        st = node_point(p, 0, k1, theta, truth, bound, err);
        if (st != CGCT_OK) break;
        write_mode_sums(f, &t, theta, truth);
        for (size_t pol = 0; pol < NPOL; pol++) {
            double sum = study_sum(&t, pol, 0, 0, SUM_M, theta);
            worst[pol] = fmax(worst[pol], fabs(sum / truth[pol] - 1));
        }
    }
    if (st == CGCT_OK)
        study_say(v, "   eps = %g GeV: summed to M = %d, off by at most %.1e (T), %.1e (L)",
                  node->eps, SUM_M, worst[POL_T], worst[POL_L]);
    node_tables_free(p);
    study_table_free(&t);
    return st;
}

cgct_status study_mode_sums(const study *v, cgct_err *err)
{
    static const char name[] = "a_modes.dat";
    static const double eps[] = {0.5, 1, 4}, q = 2;
    cgct_status st = CGCT_OK;
    cgct_textfile to;
    CGCT_TRY(picture_open(v->dir, name, "# eps theta M  T: sum_M/sum_31 sum_M/I  L: the same", &to,
                          err));
    for (size_t i = 0; i < sizeof eps / sizeof *eps && st == CGCT_OK; i++) {
        const study_node node = {v->source, v->x, eps[i], 1, &q, 5};
        st = mode_sums_of_node(v, &node, to.f, err);
    }
    CGCT_TRY(picture_close(&to, st, err));
    return study_draw(v, "a_modes", "", text_a_modes_gp, err);
}

/* ---- d. slices in k1 at three q and three angles, [P: fig. trainingslice] ---- */

enum { SLICE_ANGLES = 3, SLICE_NK = 97 };

typedef struct {
    const node_tables *p;
    FILE *f;
    int negative;   /* values that are not positive */
    double largest; /* estimated relative error */
} slice_study;

static cgct_status write_k1_slice(slice_study *s, double q, size_t iq, double theta, cgct_err *err)
{
    for (int ik = 0; ik < SLICE_NK; ik++) {
        double k1 = study_k1(ik, SLICE_NK), I[NPOL], error[NPOL];
        CGCT_TRY(node_point(s->p, iq, k1, theta, I, error, err));
        fprintf(s->f, "%g %.4f %.8g %.10e %.3e %.10e %.3e\n", q, theta, k1, I[POL_T], error[POL_T],
                I[POL_L], error[POL_L]);
        for (int pol = 0; pol < NPOL; pol++) {
            s->negative += !(I[pol] > 0);
            s->largest = fmax(s->largest, error[pol] / fabs(I[pol]));
        }
    }
    fputs("\n\n", s->f);
    return CGCT_OK;
}

cgct_status study_slices(const study *v, cgct_err *err)
{
    static const char name[] = "d_slices.dat";
    static const double thetas[SLICE_ANGLES] = {0.2, 0.5 * M_PI, 2.8};
    const study_node node = {v->source, v->x, 4, STUDY_NQ, v->q, STUDY_K_MAX};
    char variables[128];
    slice_study s = {.negative = 0};
    node_tables *p = NULL;
    cgct_textfile to;
    CGCT_TRY(picture_open(v->dir, name, "# q theta k1 I_T err_T I_L err_L", &to, err));
    s.f = to.f;
    cgct_status st = study_production(&p, &node, 1e-6, NULL, err);
    s.p = p;
    for (size_t i = 0; i < STUDY_NQ * SLICE_ANGLES && st == CGCT_OK; i++)
        st = write_k1_slice(&s, v->q[i / SLICE_ANGLES], i / SLICE_ANGLES, thetas[i % SLICE_ANGLES],
                            err);
    node_tables_free(p);
    CGCT_TRY(picture_close(&to, st, err));
    study_say(v, "   %d of %d values not positive; largest estimated relative error %.1e",
              s.negative, 2 * STUDY_NQ * SLICE_ANGLES * SLICE_NK, s.largest);
    snprintf(variables, sizeof variables, "q = '%g %g %g'\n", v->q[0], v->q[1], v->q[2]);
    return study_draw(v, "d_slices", variables, text_d_slices_gp, err);
}

/* ---- e. angular stress test, [P: sec. gpu-angular-convergence] ----
 *
 * eps = 0.5, q = 4.47, k1 = 4.51 GeV, theta = 0.17 pi: the direct discretisation with more and more
 * angles, beside the separable builder and the production route. */

enum { STRESS_NK = 49, STRESS_ANGLES = 512, STRESS_TABLES = 4 };
static const double STRESS_K1 = 4.51;
#define STRESS_THETA (0.17 * M_PI)

typedef struct {
    const char *name, *settings;
    int M; /* largest mode */
} stress_table;

#define DIRECT "inner.backend=direct inner.lam=0 inner.s_max=60 "
#define SMALL_GRIDS "inner.gauss_n=128 inner.spacing=0.16 inner.step=0.4"
#define LARGE_GRIDS "inner.gauss_n=256 inner.spacing=0.08 inner.step=0.2"
#define SEPARABLE "inner.lam=0 "

/* Reduced grids, then those of --long; a direct table is named by its angles and modes. */
static const stress_table stress_tables[2][STRESS_TABLES] = {
    {{"direct 64/31", DIRECT SMALL_GRIDS " inner.phi_n=64 inner.modes=31", 31},
     {"direct 128/64", DIRECT SMALL_GRIDS " inner.phi_n=128 inner.modes=64", 64},
     {"separable", SEPARABLE "accuracy.tolerance=1e-4 inner.modes=192", 192},
     {NULL, NULL, 0}},
    {{"direct 64/31", DIRECT LARGE_GRIDS " inner.phi_n=64 inner.modes=31", 31},
     {"direct 128/64", DIRECT LARGE_GRIDS " inner.phi_n=128 inner.modes=64", 64},
     {"direct 256/127", DIRECT LARGE_GRIDS " inner.phi_n=256 inner.modes=127", 127},
     {"separable", SEPARABLE "accuracy.tolerance=1e-5 inner.modes=512", 512}}};

typedef struct {
    const study *v;
    study_node node;
    double k[STRESS_NK + 1]; /* of the slice, and STRESS_K1 */
    double truth[NPOL];      /* I at STRESS_K1 */
    FILE *sums, *slice;
} stress_study;

static void write_stress_sums(const stress_study *s, const study_table *t)
{
    fputs("# M sum_T sum_L |sum_T| |sum_L| I_T I_L\n", s->sums);
    for (int M = 0; M < (int)t->inner.nm; M++) {
        double T = study_sum(t, POL_T, 0, STRESS_NK, M, STRESS_THETA);
        double L = study_sum(t, POL_L, 0, STRESS_NK, M, STRESS_THETA);
        fprintf(s->sums, "%d %.10e %.10e %.10e %.10e %.10e %.10e\n", M, T, L, fabs(T), fabs(L),
                s->truth[POL_T], s->truth[POL_L]);
    }
    fputs("\n\n", s->sums);
}

static const char slice_heading[] = "# k1 L(theta) min_theta(L)";

/* L along k1 at STRESS_THETA, and its smallest value over all angles; returns how many minima are
 * negative. */
static int write_stress_slice(const stress_study *s, const study_table *t)
{
    int negative = 0, M = (int)t->inner.nm - 1;
    fprintf(s->slice, "%s\n", slice_heading);
    for (size_t ik = 0; ik < STRESS_NK; ik++) {
        double least = INFINITY;
        for (int j = 0; j < STRESS_ANGLES; j++)
            least = fmin(least, study_sum(t, POL_L, 0, ik, M, M_PI * j / (STRESS_ANGLES - 1)));
        negative += least < 0;
        fprintf(s->slice, "%.8g %.10e %.10e\n", s->k[ik],
                study_sum(t, POL_L, 0, ik, M, STRESS_THETA), least);
    }
    fputs("\n\n", s->slice);
    return negative;
}

static void report_stress_table(const stress_study *s, const stress_table *is, const study_table *t,
                                int negative)
{
    double end[NPOL], error[NPOL];
    for (size_t pol = 0; pol < NPOL; pol++) {
        end[pol] = study_sum(t, pol, 0, STRESS_NK, is->M, STRESS_THETA);
        error[pol] = fabs(end[pol] / s->truth[pol] - 1);
    }
    study_say(s->v,
              "   %-15s M = %3d, %zu x %zu nodes, %5.0f s: I_T = %.6e (error %.1e), I_L = "
              "%.6e (error %.1e); %d of %d minima negative",
              is->name, is->M, t->inner.nd, t->inner.nr, t->seconds, end[POL_T], error[POL_T],
              end[POL_L], error[POL_L], negative, STRESS_NK);
    if (is->M < 127) return;
    double at110 = study_sum(t, POL_L, 0, STRESS_NK, 110, STRESS_THETA);
    double at127 = study_sum(t, POL_L, 0, STRESS_NK, 127, STRESS_THETA);
    study_say(s->v,
              "   %-15s sums of L to 110 and to 127 differ by %.1e (the paper: 8.0e-5 with its "
              "dipole), the sum to 127 from I by %.1e",
              "", fabs(at110 / at127 - 1), fabs(at127 / s->truth[POL_L] - 1));
}

static cgct_status write_stress_table(const stress_study *s, const stress_table *is, cgct_err *err)
{
    study_table t;
    CGCT_TRY(study_table_init(&t, &s->node, is->settings, err));
    cgct_status st = study_modes(&t, STRESS_NK + 1, s->k, err);
    if (st == CGCT_OK) {
        write_stress_sums(s, &t);
        report_stress_table(s, is, &t, write_stress_slice(s, &t));
    }
    study_table_free(&t);
    return st;
}

/* The same slice by the production route, and I at STRESS_K1. */
static cgct_status write_true_slice(stress_study *s, cgct_err *err)
{
    node_tables *p;
    double bound[NPOL];
    int negative = 0;
    CGCT_TRY(study_production(&p, &s->node, 1e-6, NULL, err));
    cgct_status st = node_point(p, 0, STRESS_K1, STRESS_THETA, s->truth, bound, err);
    for (size_t ik = 0; ik < STRESS_NK && st == CGCT_OK; ik++) {
        double I[NPOL], error[NPOL], least = INFINITY;
        for (int j = 0; j < STRESS_ANGLES && st == CGCT_OK; j++) {
            st = node_point(p, 0, s->k[ik], M_PI * j / (STRESS_ANGLES - 1), I, error, err);
            least = fmin(least, I[POL_L]);
        }
        if (st == CGCT_OK) st = node_point(p, 0, s->k[ik], STRESS_THETA, I, error, err);
        fprintf(s->slice, "%.8g %.10e %.10e\n", s->k[ik], I[POL_L], least);
        negative += least < 0;
    }
    fputs("\n\n", s->slice);
    if (st == CGCT_OK)
        study_say(s->v, "   %-15s I_T = %.6e +- %.0e, I_L = %.6e +- %.0e; %d of %d minima negative",
                  "production", s->truth[POL_T], bound[POL_T], s->truth[POL_L], bound[POL_L],
                  negative, STRESS_NK);
    node_tables_free(p);
    return st;
}

cgct_status study_angular_stress(const study *v, cgct_err *err)
{
    static const char sums[] = "e_sums.dat", slice[] = "e_slice.dat";
    const stress_table *tables = stress_tables[v->is_long];
    stress_study s = {.v = v,
                      .node = {v->source, v->x, 0.5, 1, &v->q_angles, STUDY_K_MAX},
                      .k[STRESS_NK] = STRESS_K1};
    char variables[128];
    cgct_textfile to[2];
    for (int i = 0; i < STRESS_NK; i++) s.k[i] = study_k1(i, STRESS_NK);
    if (!v->is_long)
        study_say(v, "   reduced: 128 Gauss nodes, coarser grids, 256/127 left out, M = 192");
    CGCT_TRY(picture_open(v->dir, sums, NULL, &to[0], err));
    cgct_status st = picture_open(v->dir, slice, slice_heading, &to[1], err);
    if (st != CGCT_OK) return picture_close(&to[0], st, err);
    s.sums = to[0].f;
    s.slice = to[1].f;
    st = write_true_slice(&s, err);
    for (int i = 0; i < STRESS_TABLES && st == CGCT_OK; i++)
        if (tables[i].name) st = write_stress_table(&s, &tables[i], err);
    for (int i = 0; i < 2; i++) st = picture_close(&to[i], st, err);
    if (st != CGCT_OK) return st;
    snprintf(variables, sizeof variables, "q = %g\nnames = '%s'\n", v->q_angles,
             v->is_long ? "64/31 128/64 256/127 separable" : "64/31 128/64 separable");
    return study_draw(v, "e_angles", variables, text_e_angles_gp, err);
}
