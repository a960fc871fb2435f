/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Soft gluons: emission against integrals over eikonal factors, their sum W against a transform in
 * R and against drawn gluons, the cross section against a transform in R of the exact GBW model and
 * against drawn gluons, weights against other options, and limits. */
#include <gsl/gsl_integration.h>
#include <gsl/gsl_sf_bessel.h>
#include <math.h>

#include "command.h"
#include "dipole/exact_gbw.h"
#include "have.h"
#include "open_ref.h"
#include "reader/cgctab.h"
#include "run_suite.h"
#include "table_fixture.h"

#define PI 3.14159265358979323846
#define X 3.04e-4 /* where the saturation scale of GBW is 1 GeV */

static cgct_soft *make_soft(const cgct_table *t, const char *options)
{
    cgct_soft_options o;
    cgct_soft *s;
    cgct_err err;
    ck_assert_msg(cgct_soft_parse(options, &o, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(cgct_soft_init(&s, t, X, 1, &o, &err) == CGCT_OK, "%s", err.text);
    return s;
}

static double next(void *state)
{
    return uniform((uint64_t *)state);
}

/* Mode m of f = k^2 n/alpha_s pi^2 over the angle. */
static double mode_of(const cgct_soft *s, double P, double z, double k, int m)
{
    double sum = 0;
    for (int i = 0; i < 16; i++)
        sum += cgct_soft_density(s, P, 1e-7, z, k, 2 * PI * i / 16) * cos(2 * PI * i * m / 16);
    return sum / 16 * PI * PI * k * k;
}

/* What is left out is 0.050, 0.30 and 0.62 Rj^4 at most in the three modes, 0.41 of the last one at
 * Rj = 1. */
START_TEST(eikonal)
{
    static const double left_out[] = {0.051, 0.31, 0.63};
    FILE *f = open_ref("soft.ref");
    double radius, dy, want[3];
    int rows = 0;
    for (; fscanf(f, "%lf %lf %lf %lf %lf", &radius, &dy, want, want + 1, want + 2) == 5; rows++) {
        char options[64];
        snprintf(options, sizeof options, "jets:alpha=1,radius=%g", radius);
        cgct_soft *s = make_soft(NULL, options);
        const double u = 8, z = 1 / (1 + exp(-dy)), r4 = pow(radius, 4);
        for (int i = 0; i < 3; i++) {
            const double got = mode_of(s, 10, z, 10 * exp(-u), 2 * i) - (i ? 0 : 3 * u);
            CHECK_ABS(got, want[i], 1e-5 + fmin(left_out[i] * r4, 0.41));
        }
        cgct_soft_free(s);
    }
    ck_assert_int_eq(rows, 16);
    fclose(f);
}
END_TEST

/* Nodes and weights on [-1,1]. */
static void gauss_legendre(size_t n, double *x, double *w)
{
    gsl_integration_glfixed_table *t = gsl_integration_glfixed_table_alloc(n);
    for (size_t i = 0; i < n; i++) gsl_integration_glfixed_point(-1, 1, i, &x[i], &w[i], t);
    gsl_integration_glfixed_table_free(t);
}

/* ---- a second route to exp(-S) and its modes ---- */

enum { MODES = 4, ANGLES = 32 };

/* alpha_s of one loop with its cap of 0.7, once more. */
static double alpha_s(double k)
{
    const double L2 = 0.241 * 0.241, b = 12 * PI / 27;
    return b / (0.2 * log(exp(5 * b / 0.7) + pow(k * k / L2, 5)));
}

/* Modes in cos 2m phi of exp(-S(R)), eps = 1, z = 1/2, Rj = 0.4, from modes of the emission; the
 * integral over ln k on panels that resolve J_n(kR). */
static void modes_of_R(double P, const double C[3], double R, double E[MODES])
{
    enum { NODES = 8 };
    double x[NODES], w[NODES], S[3] = {0};
    gauss_legendre(NODES, x, w);
    double k = P;
    while (k > 1e-9 * P) {
        const double ratio = 1 / (1 + fmin(0.5, 3 / (k * R))), h = -log(ratio);
        for (int i = 0; i < NODES; i++) {
            const double u = log(P / k) + h * (1 + x[i]) / 2, at = P * exp(-u);
            const double f = 2 / PI * alpha_s(at) * h * w[i] / 2;
            S[0] += f * (3 * u + C[0]) * (1 - gsl_sf_bessel_J0(at * R));
            S[1] += f * C[1] * gsl_sf_bessel_Jn(2, at * R);
            S[2] -= f * C[2] * gsl_sf_bessel_Jn(4, at * R);
        }
        k *= ratio;
    }
    for (int m = 0; m < MODES; m++) E[m] = 0;
    for (int a = 0; a < ANGLES; a++) {
        const double phi = 2 * PI * (a + 0.5) / ANGLES;
        const double e = exp(-S[0] - 2 * S[1] * cos(2 * phi) - 2 * S[2] * cos(4 * phi)) / ANGLES;
        for (int m = 0; m < MODES; m++) E[m] += e * cos(2 * m * phi);
    }
}

/* Nodes in R, with exp(-S) there, of a transform Int d2R e^{-iqR} exp(-S) h(R). */
enum { R_PANELS = 30, R_NODES = 6, R_ALL = R_PANELS * R_NODES };
typedef struct {
    double R[R_ALL], w[R_ALL], E[R_ALL][MODES];
} transform;

static double transform_at(const transform *t, double q, double phi, const double *h)
{
    double sum = 0;
    for (int i = 0; i < R_ALL; i++)
        for (int m = 0; m < MODES; m++)
            sum += 2 * PI * t->w[i] * t->R[i] * (m % 2 ? -1 : 1) * (m ? 2 : 1) * cos(2 * m * phi) *
                   gsl_sf_bessel_Jn(2 * m, q * t->R[i]) * t->E[i][m] * (h ? h[i] : 1);
    return sum;
}

/* At z = 1/2 and eps = 1, with modes of the emission, which a test above is about; R on panels of
 * that length. */
static void make_transform(double P, double panel, transform *t)
{
    double C[3], x[R_NODES], w[R_NODES];
    cgct_soft *s = make_soft(NULL, "jets:alpha=1");
    for (int i = 0; i < 3; i++) C[i] = mode_of(s, P, 0.5, P * exp(-8), 2 * i);
    C[0] += 3 * log(1 + 1 / (P * P)) - 24;
    cgct_soft_free(s);
    gauss_legendre(R_NODES, x, w);
    for (int i = 0; i < R_ALL; i++) {
        t->R[i] = panel * (i / R_NODES + (1 + x[i % R_NODES]) / 2);
        t->w[i] = panel * w[i % R_NODES] / 2;
        modes_of_R(P, C, t->R[i], t->E[i]);
    }
}

static cgct_table *open_table(const char *path)
{
    cgct_table *t;
    cgct_err err;
    ck_assert_msg(cgct_open(path, &t, &err) == CGCT_OK, "%s", err.text);
    return t;
}
#define GBW TESTS_DIR "/../tables/gbw.cgct" /* from q = 0.02 GeV */

/* GBW at one x and eps, with these momenta q. */
static cgct_table *make_gbw(const char *q)
{
    char path[PATH_SIZE], command[256];
    command_write(&place, "q.card",
                  "[dipole]\nkind = gbw\n[axes]\nx = 3.04e-4\neps = 1\nq = 1\n"
                  "k_max = 8\n[accuracy]\ntolerance = 1e-5\n[table]\nlower = 18\nupper = 18\n");
    snprintf(command, sizeof command,
             "rm -f q.cgct && " GENERATE "run q.card -o q.cgct --set axes.q='%s' --quiet", q);
    ck_assert_msg(command_run(&place, command) == 0, "%s", place.output);
    snprintf(path, sizeof path, "%s/q.cgct", place.folder);
    return open_table(path);
}

START_TEST(kernel)
{
    cgct_table *t = open_table(GBW);
    cgct_soft *s = make_soft(t, "jets");
    const double P = 6;
    transform w;
    double rest;
    make_transform(P, 0.25, &w);
    for (int i = 0; i < 3; i++) {
        const double k = (const double[]){0.3, 2, 5}[i], phi = 0.6 * i;
        const double want = transform_at(&w, k, phi, NULL) / (4 * PI * PI);
        CHECK_REL(cgct_soft_kernel(s, P, k, phi, &rest), want, 3e-4);
        ck_assert(rest >= 0 && rest < 1e-10);
    }
    cgct_soft_free(s);
    cgct_close(t);
}
END_TEST

/* The exact GBW model depends on q and P alone: h(R) = (1/2pi) Int l dl J0(lR) I(l,P). */
START_TEST(gbw)
{
    enum { L_NODES = 40 };
    static double h[2][R_ALL];
    static transform r;
    const double P = 4;
    double x[L_NODES], w[L_NODES];
    cgct_table *t = make_gbw("geom 0.04 5 34");
    cgct_soft *s = make_soft(t, "jets");
    cgct_err err;
    make_transform(P, 0.5, &r);
    gauss_legendre(L_NODES, x, w);
    for (int i = 0; i < L_NODES; i++) { /* in ln l, from 1e-4 to 7 GeV */
        const double half = log(7e4) / 2, l = 7 * exp(half * (x[i] - 1));
        double I[2];
        ck_assert_int_eq(exact_gbw(l, P, 1, 1, I, &err), CGCT_OK);
        for (int j = 0; j < R_ALL; j++)
            for (int pol = 0; pol < 2; pol++)
                h[pol][j] += half * w[i] * l * l * gsl_sf_bessel_J0(l * r.R[j]) * I[pol] / (2 * PI);
    }
    for (int i = 0; i < 3; i++) {
        const double q = (const double[]){0.3, 1, 3}[i], phi = (const double[]){0.4, 1, 0}[i];
        const double along = P * cos(phi) + q / 2, across = P * sin(phi);
        const double k1 = sqrt(along * along + across * across), theta = atan2(across, along);
        double got[2], error[2], below[2];
        ck_assert_int_eq(cgct_soft_eval(s, q, k1, theta, got, error, below), CGCT_OK);
        for (int pol = 0; pol < 2; pol++) {
            const double want = transform_at(&r, q, phi, h[pol]);
            CHECK_REL(got[pol], want, 1e-3);
            CHECK_ABS(got[pol], want, error[pol]);
            ck_assert(error[pol] < 1e-2 * want && below[pol] > 0 && below[pol] < 0.02);
        }
    }

    /* Where the first q lies above the saturation momentum the error is infinite; here what is
     * below happens to be continued well, too. */
    cgct_table *high = make_gbw("geom 0.5 5 24");
    cgct_soft *of_high = make_soft(high, "jets");
    double got[2], want[2], error[2], below[2];
    for (double q = 0.2; q < 4; q += 1) {
        ck_assert_int_eq(cgct_soft_eval(s, q, 5, 0.4, want, NULL, NULL), CGCT_OK);
        ck_assert_int_eq(cgct_soft_eval(of_high, q, 5, 0.4, got, error, below), CGCT_OK);
        for (int pol = 0; pol < 2; pol++) {
            ck_assert(isinf(error[pol]) && below[pol] > 0.2 && below[pol] < 0.4);
            CHECK_REL(got[pol], want[pol], 0.03); /* of this dipole */
        }
    }
    cgct_soft_free(s);
    cgct_soft_free(of_high);
    cgct_close(t);
    cgct_close(high);
}
END_TEST

/* ---- drawn gluons ---- */

static double W_of_ring(const cgct_soft *s, double P, double lo, double hi, int sign)
{
    double sum = 0, rest;
    for (int i = 0; i < 16; i++)
        for (int a = 0; a < 32; a++) {
            const double k = lo * pow(hi / lo, (i + 0.5) / 16), phi = 2 * PI * (a + 0.5) / 32;
            if ((cos(2 * phi) > 0) != (sign > 0)) continue;
            sum += k * k * log(hi / lo) / 16 * 2 * PI / 32 * cgct_soft_kernel(s, P, k, phi, &rest);
        }
    return sum;
}

/* Sums of gluons in rings of k, along P and across it; weights make them those of other options.
 * The largest deviation of 48 in units of the statistical error is below 4. */
START_TEST(drawn)
{
    enum { RINGS = 8, KINDS = 3 };
    static const char *const options[KINDS] = {"jets", "jets:isotropic", "jets:scale=0.5"};
    const double P = 5, lo = 0.2, hi = 12.8;
    const int n = 60000 * test_mult();
    double sum[KINDS][2 * RINGS] = {{0}}, square[KINDS][2 * RINGS] = {{0}}, total[KINDS] = {0};
    uint64_t state = 3;
    cgct_table *t = open_table(GBW);
    cgct_soft *s = make_soft(t, "jets");
    for (int i = 0; i < n; i++) {
        cgct_gluons g;
        ck_assert_int_eq(cgct_soft_draw(s, P, 1, 0.5, next, &state, &g), CGCT_OK);
        const double k = hypot(g.k[0], g.k[1]);
        const int ring = (int)floor(RINGS * log(k / lo) / log(hi / lo));
        const int bin = 2 * ring + (fabs(g.k[0]) > fabs(g.k[1]));
        for (int kind = 0; kind < KINDS; kind++) {
            const double w = kind ? g.weight[kind - 1] : 1;
            total[kind] += w / n;
            if (ring < 0 || ring >= RINGS) continue;
            sum[kind][bin] += w / n;
            square[kind][bin] += w * w / n;
        }
    }
    cgct_soft_free(s);
    CHECK_ABS(total[1], 1, 3e-2);
    CHECK_ABS(total[2], 1, 3e-2);
    for (int kind = 0; kind < KINDS; kind++) {
        s = make_soft(t, options[kind]);
        for (int bin = 0; bin < 2 * RINGS; bin++) {
            const double step = pow(hi / lo, 1.0 / RINGS), from = lo * pow(step, bin / 2);
            const double want = W_of_ring(s, P, from, from * step, bin % 2 ? 1 : -1);
            const double sigma = sqrt((square[kind][bin] - sum[kind][bin] * sum[kind][bin]) / n);
            CHECK_ABS(sum[kind][bin], want, 4 * sigma + 1e-5);
        }
        cgct_soft_free(s);
    }
    cgct_close(t);
}
END_TEST

static int is_long(void)
{
    return getenv("CHECK_LONG") && *getenv("CHECK_LONG");
}

/* Draws l, adds gluons, and compares the sum of I(l,P) of a slice, continued as in cgct_soft_eval,
 * with the mean of I_S in bins of q and of the angle, of Gauss's rule: within 4 standard deviations
 * in each of 12; of 1e-3 at P = 5 GeV in the long test, which also takes 3 and 10 GeV. */
START_TEST(events_and_points)
{
    enum { BINS = 6 };
    static const double P_of[] = {5, 3, 10};
    const double P = P_of[_i], q_most = 6;
    const int n = 100000 * (is_long() ? _i ? 100 : 300 : test_mult());
    const double node[4] = {0.0694318442029737, 0.3300094782075719, 0.6699905217924281,
                            0.9305681557970263};
    const double weight[4] = {0.1739274225687269, 0.3260725774312731, 0.3260725774312731,
                              0.1739274225687269};
    double sum[2 * BINS] = {0}, square[2 * BINS] = {0};
    uint64_t state = 5;
    cgct_table *t;
    cgct_slice *slice;
    cgct_info info;
    cgct_err err;
    ck_assert_int_eq(cgct_open(TESTS_DIR "/../tables/mv.cgct", &t, &err), CGCT_OK);
    ck_assert_int_eq(cgct_slice_init(&slice, t, X, 1, &err), CGCT_OK);
    cgct_table_info(t, &info);
    cgct_soft *s = make_soft(t, "jets");
    double first[64], mean = 0, twice = 0;
    for (int a = 0; a < 64; a++)
        for (int i = 1; i < 3; i++) {
            const double phi = 2 * PI * a / 64, l = i * info.q[0];
            const double x = P * cos(phi) + l / 2, y = P * sin(phi);
            double I[2];
            cgct_slice_eval(slice, l, hypot(x, y), atan2(y, x), I);
            *(i == 1 ? &mean : &twice) += I[CGCT_T] / 64;
            if (i == 1) first[a] = I[CGCT_T];
        }
    for (int i = 0; i < n; i++) {
        /* ln l evenly over the table and below, and more often where most of the sum is */
        const double most[2] = {log(0.3), log(10)}, all[2] = {log(0.003), log(info.q[1])};
        const double *r = uniform(&state) < 0.7 ? most : all;
        const double ln_l = r[0] + (r[1] - r[0]) * uniform(&state), l = exp(ln_l);
        const double density = 0.3 / (all[1] - all[0]) +
                               (ln_l > most[0] && ln_l < most[1] ? 0.7 / (most[1] - most[0]) : 0);
        const int a = (int)(64 * uniform(&state));
        const double phi = 2 * PI * (a + (l < info.q[0] ? 0 : uniform(&state))) / 64;
        const double x = P * cos(phi) + l / 2, y = P * sin(phi);
        double I[2] = {mean + (mean - twice) * log(info.q[0] / l) / log(2) +
                       pow(l / info.q[0], 2) * (first[a] - mean)};
        if (l >= info.q[0]) cgct_slice_eval(slice, l, hypot(x, y), atan2(y, x), I);
        cgct_gluons g;
        ck_assert_int_eq(cgct_soft_draw(s, P, 1, 0.5, next, &state, &g), CGCT_OK);
        const double qx = l * cos(phi) + g.k[0], qy = l * sin(phi) + g.k[1];
        const int ring = (int)(BINS * hypot(qx, qy) / q_most);
        if (ring >= BINS) continue;
        const double w = 2 * PI * l * l / density * I[CGCT_T];
        sum[2 * ring + (fabs(qx) > fabs(qy))] += w / n;
        square[2 * ring + (fabs(qx) > fabs(qy))] += w * w / n;
    }
    for (int bin = 0; bin < 2 * BINS; bin++) {
        double want = 0, got[2];
        for (int i = 0; i < 4; i++)
            for (int a = 0; a < 4; a++) {
                const double q = q_most / BINS * (bin / 2 + node[i]);
                const double phi = PI / 2 * (node[a] + (bin % 2 ? -0.5 : 0.5));
                const double x = P * cos(phi) + q / 2, y = P * sin(phi);
                const cgct_status st =
                    cgct_soft_eval(s, q, hypot(x, y), atan2(y, x), got, NULL, NULL);
                ck_assert_int_eq(st, CGCT_OK);
                want += 2 * PI / 2 * q * q_most / BINS * weight[i] * weight[a] * got[CGCT_T];
            }
        const double sigma = sqrt((square[bin] - sum[bin] * sum[bin]) / n);
        if (is_long())
            printf("P %g, bin %d: events %.5g, points %.5g, %.2f standard deviations of %.1e\n", P,
                   bin, sum[bin], want, (sum[bin] - want) / sigma, sigma / want);
        CHECK_ABS(sum[bin], want, 4 * sigma);
    }
    cgct_soft_free(s);
    cgct_slice_free(slice);
    cgct_close(t);
}
END_TEST

/* Without coupling there are no gluons; the two kinds and options differ as they should. */
START_TEST(limits)
{
    double I[2], got[2], error[2], below[2], rest;
    cgct_table *t = open_table(GBW);
    cgct_soft *s = make_soft(t, "jets:alpha=1e-9");
    ck_assert_int_eq(cgct_eval(t, X, 1, 2, 5, 0.7, I), CGCT_OK);
    ck_assert_int_eq(cgct_soft_eval(s, 2, 5, 0.7, got, error, below), CGCT_OK);
    for (int i = 0; i < 2; i++) CHECK_REL(got[i], I[i], 1e-6);
    ck_assert(cgct_soft_kernel(s, 5, 1, 0, &rest) < 1e-8 && rest > 1 - 1e-6);
    cgct_soft_free(s);
    s = make_soft(NULL, "hadrons"); /* Nc u, but for eps: no jets */
    CHECK_REL(mode_of(s, 8, 0.3, 1, 0), 3 * log(8) * alpha_s(1), 1e-12);
    CHECK_ABS(mode_of(s, 8, 0.3, 1, 2), 0, 1e-12);
    ck_assert(cgct_soft_density(s, 8, 1, 0.3, 8.01, 0) == 0);
    cgct_soft_free(s);
    s = make_soft(NULL, "hadrons:scale=2,cut=0.5,cap=0.4");
    CHECK_REL(mode_of(s, 8, 0.3, 12, 0), 3 * log(16 / 12.0) * alpha_s(12), 1e-4);
    ck_assert(cgct_soft_density(s, 8, 1, 0.3, 0.49, 0) == 0);
    uint64_t state = 2;
    for (int i = 0; i < 100; i++) {
        cgct_gluons g;
        ck_assert_int_eq(cgct_soft_draw(s, 0.2, 1, 0.5, next, &state, &g), CGCT_OK);
        ck_assert(g.n == 0 && g.k[0] == 0 && g.k[1] == 0); /* all would be below the cut */
    }
    cgct_soft_free(s);
    cgct_close(t);
}
END_TEST

/* Gluons below 0.02 P are drawn as one Gaussian of what is left of them above the cut, where
 * k^2 n(k) hardly depends on k. */
START_TEST(cut_below_the_softest)
{
    double mean[2];
    for (int i = 0; i < 2; i++) {
        cgct_soft *s = make_soft(NULL, i ? "jets:alpha=0.02,cut=0.16" : "jets:alpha=0.02");
        uint64_t state = 3;
        int n = 0;
        mean[i] = 0;
        for (int j = 0; j < 40000; j++) {
            cgct_gluons g;
            ck_assert_int_eq(cgct_soft_draw(s, 10, 1, 0.5, next, &state, &g), CGCT_OK);
            if (g.n) continue;
            mean[i] += g.k[0] * g.k[0] + g.k[1] * g.k[1];
            n++;
        }
        mean[i] /= n;
        cgct_soft_free(s);
    }
    CHECK_REL(mean[1] / mean[0], 1 - 0.8 * 0.8, 0.05);
}
END_TEST

static double a_number(void *state)
{
    return *(const double *)state;
}

/* Numbers that are not uniform in [0,1) neither go on for ever nor give gluons. */
START_TEST(no_random_numbers)
{
    static const double bad[] = {1, NAN, -0.5, 2, INFINITY};
    cgct_soft *s = make_soft(NULL, "jets");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double number = bad[i];
        cgct_gluons g;
        ck_assert_int_eq(cgct_soft_draw(s, 10, 1, 0.5, a_number, &number, &g), CGCT_E_DOMAIN);
        ck_assert(g.n == 0 && g.k[0] == 0 && g.k[1] == 0 && g.weight[0] == 1 && g.weight[1] == 1);
    }
    cgct_soft_free(s);
}
END_TEST

/* Points of a table whose circle around q reaches beyond k_max in some direction. */
START_TEST(near_the_largest_momentum)
{
    static const double at[][3] = {{6, 24, 1.57}, {8, 24, 1.57}, {8, 23, 1.57}, {12, 24, 1.57}};
    cgct_table *t;
    cgct_err err;
    double value[2], error[2];
    ck_assert_int_eq(cgct_open(TESTS_DIR "/../tables/mv.cgct", &t, &err), CGCT_OK);
    cgct_soft *s = make_soft(t, "jets");
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const double x = at[i][1] * cos(at[i][2]) + at[i][0] / 2, y = at[i][1] * sin(at[i][2]);
        const cgct_status st =
            cgct_soft_eval(s, at[i][0], hypot(x, y), atan2(y, x), value, error, NULL);
        ck_assert_int_eq(st, CGCT_OK);
        ck_assert(value[0] > 0 && value[1] > 0 && error[0] > 0);
        ck_assert(error[0] < value[0] && error[1] < value[1]);
        printf("q %g, P %g: bounds %.2g, %.2g of I_S\n", at[i][0], at[i][1], error[0] / value[0],
               error[1] / value[1]);
    }
    cgct_soft_free(s);
    cgct_close(t);
}
END_TEST

START_TEST(refused)
{
    static const char *const bad[] = {
        "jet",         "jets:",    "jets:radius", "jets:radius=",   "jets:scale=x",  "jets:beam=2",
        "jets:cut=-1", "hadronsz", "jets,z=0.3",  "jets:alpha=nan", "jets:cap=1e999"};
    cgct_soft_options o;
    cgct_err err;
    cgct_soft *s;
    double value[2], error[2];
    cgct_table *t = open_table(GBW);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(cgct_soft_parse(bad[i], &o, &err) == CGCT_E_USAGE, "%s", bad[i]);
    o = (cgct_soft_options){.radius = 1.5};
    ck_assert_int_eq(cgct_soft_init(&s, t, X, 1, &o, &err), CGCT_E_DOMAIN);
    ck_assert_ptr_null(s);
    ck_assert_str_eq(err.text, "soft gluons: radius is 1.5, want 0.01 to 1");
    ck_assert_int_eq(cgct_soft_init(&s, t, 0.5, 1, NULL, &err), CGCT_E_RANGE);
    ck_assert_int_eq(cgct_soft_init(&s, t, X, 1, NULL, &err), CGCT_OK);
    ck_assert_int_eq(cgct_soft_eval(s, 5, 5, 0, value, error, NULL), CGCT_E_RANGE); /* q */
    ck_assert(isnan(value[0]) && isnan(error[1]));
    ck_assert_int_eq(cgct_soft_eval(s, 1, 40, 0, value, NULL, NULL), CGCT_E_RANGE); /* P */
    ck_assert_int_eq(cgct_soft_eval(s, 1, 0.5, 0, value, NULL, NULL), CGCT_E_RANGE);
    ck_assert_int_eq(cgct_soft_eval(s, NAN, 5, 0, value, NULL, NULL), CGCT_E_DOMAIN);
    ck_assert(isnan(cgct_soft_density(s, 5, 1, 0.5, -1, 0)));
    ck_assert(isnan(cgct_soft_kernel(s, 5, NAN, 0, NULL)));
    cgct_soft_free(s);
    cgct_close(t);
}
END_TEST

/* ---- the program ---- */

/* The rows of a file of events: n of them with their columns, Q2 y z q k1 theta first. */
static int read_events(const char *name, double (*v)[16], int n)
{
    char path[PATH_SIZE], line[512];
    snprintf(path, sizeof path, "%s/%s", place.folder, name);
    FILE *f = fopen(path, "r");
    int rows = 0;
    ck_assert_ptr_nonnull(f);
    while (fgets(line, sizeof line, f) && rows < n) {
        char *at = line, kind;
        double *r = v[rows];
        if (line[0] == '#' || line[0] == 'x') continue;
        /* x,Q2,y,z,q,k1,theta,K,phi,eps,polarisation,flavour,turn,lepton,[gluons,2 sums,]weight */
        const int got =
            sscanf(at, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%*f,%*f,%*f,%c,%*d,%lf,%*f,%lf,%lf,%lf", r,
                   r + 1, r + 2, r + 3, r + 4, r + 5, r + 6, &kind, r + 10, r + 7, r + 8, r + 9);
        ck_assert_int_ge(got, 10);
        rows++;
    }
    fclose(f);
    return rows;
}

#define EVENTS BIN_DIR "/cgctab-events " TESTS_DIR "/../tables/proton-mve.cgct "

/* The same trials with and without gluons: z, Q2, y and P of each event stay, q before them is that
 * without, x follows from q, q's azimuth is within the turn, and the cross section is the same to
 * the last digit. */
START_TEST(program)
{
    enum { N = 3000 };
    static double plain[N][16], soft[N][16];
    static const char cuts[] = "--beams 18x275 --Q2 2:50 --pt 3 --csv --no-weights --quiet -n 3000";
    char command[1024];
    snprintf(command, sizeof command, EVENTS "%s -o a && " EVENTS "%s --soft jets -o b", cuts,
             cuts);
    ck_assert_msg(command_run(&place, command) == 0, "%s", place.output);
    ck_assert_int_eq(read_events("a", plain, N), N);
    ck_assert_int_eq(read_events("b", soft, N), N);
    double moved = 0;
    for (int i = 0; i < N; i++) {
        const double *a = plain[i], *b = soft[i];
        double P[2][2];
        for (int j = 1; j < 4; j++) CHECK_REL(b[j], a[j], 1e-9);
        for (int j = 0; j < 2; j++) {
            const double *v = j ? b : a;
            P[j][0] = v[5] * cos(v[6]) - v[4] / 2;
            P[j][1] = v[5] * sin(v[6]);
        }
        CHECK_REL(hypot(P[1][0], P[1][1]), hypot(P[0][0], P[0][1]), 1e-8);
        ck_assert(b[10] >= 0 && b[10] < 2 * acos(-1));
        const double before[2] = {b[4] - b[8], -b[9]}; /* q without gluons, b's along x */
        CHECK_ABS(hypot(before[0], before[1]), a[4], 1e-8 * (a[4] + b[4]));
        /* P.q before them */
        CHECK_ABS(P[1][0] * before[0] + P[1][1] * before[1], P[0][0] * a[4],
                  1e-7 * (a[4] + b[4]) * b[5]);
        const double z = b[3], K[2] = {P[1][0] + (0.5 - z) * b[4], P[1][1]};
        const double M2 = (K[0] * K[0] + K[1] * K[1] + 0.14 * 0.14) / (z * (1 - z));
        CHECK_REL(b[0], (b[1] + b[4] * b[4] + M2) / (b[2] * 4 * 18 * 275), 1e-6);
        moved += fabs(b[4] - a[4]) / N;
    }
    ck_assert(moved > 0.3 && moved < 3);
    ck_assert_int_eq(command_run(&place, "grep -h '# cross section' a b | sort -u | wc -l; "
                                         "grep -c '# soft gluons jets;' a b"),
                     0);
    ck_assert_str_eq(place.output, "1\na:0\nb:1\n");
}
END_TEST

/* A Les Houches file has both weights and the gluons; each warning stands once. */
START_TEST(warnings)
{
    ck_assert_msg(command_run(&place, EVENTS "--beams 18x275 --soft hadrons:scale=2 -n 50 -o c.lhe "
                                             "2>&1 | grep -c soft:") == 0,
                  "%s", place.output);
    ck_assert_str_eq(place.output, "4\n");
    ck_assert_int_eq(command_run(&place, "grep -c ' gluons [0-9]' c.lhe; grep -c '<wgt id=\"soft_' "
                                         "c.lhe; grep -c '<weight id=\"soft_' c.lhe"),
                     0);
    ck_assert_str_eq(place.output, "50\n100\n2\n");
    command_fails(&place, EVENTS "--beams 18x275 --soft jet -o d", 2, "--soft: 'jet'",
                  "want jets or hadrons");
    command_fails(&place, EVENTS "--beams 18x275 --soft jets:radius=3 -o d", 2, "radius is 3",
                  "want 0.01 to 1");
}
END_TEST

/* The tool prints what the library gives, with the z of cross sections; a picture holds both. */
START_TEST(tool)
{
    double got[2], v[6];
    cgct_table *t = open_table(GBW);
    cgct_soft *s = make_soft(t, "jets:z=0.2,scale=2");
    ck_assert_int_eq(cgct_soft_eval(s, 1.5, 5, 0.7, got, NULL, NULL), CGCT_OK);
    ck_assert_int_eq(command_run(&place,
                                 BIN_DIR "/cgctab eval " GBW " --x 3.04e-4 --z 0.2 --Q2 6.25 "
                                         "--q 1.5 --k1 5 --theta 0.7 --S-perp 40 --quiet "
                                         "--soft jets:scale=2 2>/dev/null | tail -n 1"),
                     0);
    ck_assert_int_eq(sscanf(place.output, "%*f %*f %*f %*f %*f %*f %*f %*f %lf %lf %lf %lf %lf %lf",
                            v, v + 1, v + 2, v + 3, v + 4, v + 5),
                     6);
    const cgct_dis dis = {1 / 137.036, 1, 40, 0.2, 6.25, 0};
    double eps, factor[2][2];
    ck_assert_int_eq(cgct_dis_factors(&dis, &eps, factor), CGCT_OK);
    CHECK_REL(eps, 1, 1e-15);
    for (int i = 0; i < 2; i++) CHECK_REL(v[i], factor[i][i] * got[i], 1e-12);
    ck_assert(v[2] > 0 && v[2] < 0.1 * v[0] && v[4] > 0 && v[4] < 0.02);
    cgct_soft_free(s);
    cgct_close(t);
    command_fails(&place,
                  BIN_DIR "/cgctab eval " GBW " --x 1e-3 --eps 1 --q 1 --k1 0.6 --theta 0 "
                          "--soft jets 2>&1 | grep -v 'warning\\|note'",
                  0, "P = |k1 - q/2| is 0.1", "want 0.5 to 24.99");
    command_fails(
        &place, /* whose gluons' q would all be below the first node: nothing is printed */
        BIN_DIR "/cgctab eval " GBW " --x 1e-3 --eps 1 --q 0.02 --k1 24.999995 --theta "
                "1.57079632 --soft jets --quiet",
        1, "P = |k1 - q/2| is 25", "want 0.5 to 24.99");
    command_fails(&place,
                  BIN_DIR "/cgctab eval " GBW " --x 1e-3 --eps 1 --q 1,9 --k1 20 --theta 1 "
                          "--soft jets --policy freeze 2>&1 | grep -v 'warning\\|note'",
                  0, "q 9 GeV", "1e-3 to 4.4");
    if (!have("gnuplot")) return;
    ck_assert_int_eq(command_run(&place, BIN_DIR "/cgctab plot slice " GBW " --along theta --soft "
                                                 "jets --quiet -o p.svg --data p.dat && "
                                                 "grep -c 'thin: with soft gluons, jets' p.svg; "
                                                 "grep -c 'soft_T soft_L' p.dat"),
                     0);
    ck_assert_msg(strstr(place.output, "1\n1\n") != NULL, "%s", place.output);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("soft");
    TCase *c = tcase_create("library"), *p = tcase_create("program");
    tcase_set_timeout(c, 1200);
    tcase_add_test(c, eikonal);
    tcase_add_test(c, kernel);
    tcase_add_test(c, drawn);
    tcase_add_loop_test(c, events_and_points, 0, is_long() ? 3 : 1);
    tcase_add_test(c, limits);
    tcase_add_test(c, cut_below_the_softest);
    tcase_add_test(c, no_random_numbers);
    tcase_add_test(c, near_the_largest_momentum);
    tcase_add_test(c, refused);
    tcase_add_checked_fixture(p, setup, teardown);
    tcase_set_timeout(p, 60);
    tcase_add_test(p, gbw);
    tcase_add_test(p, program);
    tcase_add_test(p, warnings);
    tcase_add_test(p, tool);
    suite_add_tcase(s, c);
    suite_add_tcase(s, p);
    return run_suite(s) != 0;
}
