/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forward.c: forward dijets of a proton and a nucleus: functions of one variable, their
 * convolutions in the plane of momenta, and limits. */
#include "node/forward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "node/reference.h"
#include "numerics/bessel.h"
#include "numerics/grid.h"
#include "numerics/memory.h"
#include "numerics/quadrature.h"

/* ---- functions of one variable ---- */

/* The limit of G is taken at this eps, in units of Qs: what is left is eps^2 ln eps. */
static const double TINY_EPS = 1e-7;
enum { F_NODES = 10, F_FEWER = 8 };
/* The error of F or G at a node is twice the change when the steps of the quadrature are WIDER, and
 * the change with F_FEWER nodes of the interpolation, the largest at AROUND nodes on each side. */
static const double WIDER = 1.25;
enum { AROUND = 5 };

void forward_functions_free(forward_functions *f)
{
    single_free(&f->wave);
    free(f->F[1]);
    *f = (forward_functions){.eps = 0};
}

/* error: of f's values; on entry the same values from another quadrature. */
static void bound_function(const forward_functions *f, const double *values, double *error)
{
    const size_t n = f->wave.nk;
    const double *k = f->wave.k;
    double *each = memory_new(n, sizeof *each);
    for (size_t i = 0; i < n; i++) {
        const double middle = i + 1 < n ? (k[i] + k[i + 1]) / 2 : k[i];
        each[i] =
            2 * fabs(values[i] - error[i]) + fabs(grid_interpolate(n, k, values, middle, F_NODES) -
                                                  grid_interpolate(n, k, values, middle, F_FEWER));
    }
    for (size_t i = 0; i < n; i++) {
        error[i] = 0;
        for (size_t j = i > AROUND ? i - AROUND : 0; j < n && j <= i + AROUND; j++)
            error[i] = fmax(error[i], each[j]);
    }
    free(each);
}

cgct_status forward_functions_init(forward_functions *f, const dipole *d, double eps, double k_max,
                                   cgct_err *err)
{
    const double Qs = sqrt(d->Qs2);
    *f = (forward_functions){.eps = eps > 0 ? eps : TINY_EPS * Qs, .Qs = Qs};
    single_task task = {.d = d, .eps = f->eps, .k_max = k_max};
    single_factors other = {.nq = 0};
    CGCT_TRY(single_init(&f->wave, &task, err));
    const size_t nk = f->wave.nk;
    f->F[1] = memory_new((4 + NPOL) * nk, sizeof *f->F[1]);
    f->F[2] = f->F[1] + nk;
    f->F_error[1] = f->F[2] + nk;
    f->F_error[2] = f->F_error[1] + nk;
    f->G_error = f->F_error[2] + nk;
    for (int power = 1; power <= 2; power++) {
        CGCT_TRY(single_dipole(d, power, 1, nk, f->wave.k, f->F[power], err));
        CGCT_TRY(single_dipole(d, power, WIDER, nk, f->wave.k, f->F_error[power], err));
        bound_function(f, f->F[power], f->F_error[power]);
    }
    task.wider = WIDER;
    const cgct_status st = single_init(&other, &task, err);
    for (size_t pol = 0; pol < NPOL && st == CGCT_OK; pol++) {
        double *error = f->G_error + pol * nk;
        memcpy(error, other.Psi + pol * nk, nk * sizeof *error);
        bound_function(f, f->wave.Psi + pol * nk, error);
        for (size_t i = 0; i < nk; i++) error[i] *= f->eps;
    }
    single_free(&other);
    return st;
}

double forward_function_error(const forward_functions *f, const double *error, double k)
{
    const size_t i = grid_cell_of(f->wave.nk, f->wave.k, k);
    return fmax(error[i], error[i + 1]);
}

double forward_product(const forward_functions *f, int a, double k1, int b, double k2,
                       double *error)
{
    const double A = forward_F(f, a, k1), B = forward_F(f, b, k2);
    const double A_error = forward_function_error(f, f->F_error[a], k1);
    const double B_error = forward_function_error(f, f->F_error[b], k2);
    *error = A_error * (fabs(B) + B_error) + B_error * fabs(A);
    return A * B;
}

double forward_square_error(const forward_functions *f, double q, double size, int pol, double k2)
{
    const double F_error = forward_function_error(f, f->F_error[1], q);
    const double error = forward_function_error(f, f->G_error + (size_t)pol * f->wave.nk, k2);
    return F_error * size * size +
           (fabs(forward_F(f, 1, q)) + F_error) * (2 * size + error) * error;
}

double forward_function(const forward_functions *f, const double *values, double k)
{
    return grid_interpolate(f->wave.nk, f->wave.k, values, k, F_NODES);
}

double forward_F(const forward_functions *f, int n, double k)
{
    return forward_function(f, f->F[n], k);
}

double forward_G(const forward_functions *f, int pol, double k)
{
    return f->eps * forward_function(f, f->wave.Psi + (size_t)pol * f->wave.nk, k);
}

/* ---- the same as tables hold them ---- */

enum { BLOCK_NODES = 8 };

/* k of node j, or of a place between nodes. */
static double forward_table_k(const forward_table *t, double j)
{
    return t->k0 * sinh(j / (FORWARD_NODES - 1) * asinh(t->k_end / t->k0));
}

/* Number which = 0, 1, 2 of F_1, F_2 and G/k, times (1 + k^2/k0^2)^2. */
static double stored_function(const forward_functions *f, const forward_table *t, int which,
                              double k)
{
    const double least = 1e-6 * t->k0, at = fmax(k, least), weight = 1 + k * k / (t->k0 * t->k0);
    return weight * weight *
           (which < 2 ? forward_F(f, which + 1, k) : forward_G(f, POL_T, at) / at);
}

/* One part.  The errors are twice what the polynomials are off halfway between nodes. */
static cgct_status fill_block(const dipole_source *source, double x, const forward_table *t,
                              double *block, cgct_err *err)
{
    dipole *d = NULL;
    forward_functions f = {.eps = 0};
    CGCT_TRY(dipole_init(&d, source, x, err));
    cgct_status st = forward_functions_init(&f, d, 0, 1.01 * t->k_end, err);
    for (int which = 0; which < 3 && st == CGCT_OK; which++) {
        double u[FORWARD_NODES], c[BLOCK_NODES];
        double *W = block + 4 + which * FORWARD_NODES, *error = block + 1 + which;
        for (int j = 0; j < FORWARD_NODES; j++) {
            u[j] = j;
            W[j] = stored_function(&f, t, which, forward_table_k(t, j));
        }
        *error = 0;
        for (int j = 0; j + 1 < FORWARD_NODES; j++) {
            double off = -stored_function(&f, t, which, forward_table_k(t, j + 0.5));
            const size_t first = grid_weights(FORWARD_NODES, u, j + 0.5, BLOCK_NODES, c);
            for (size_t i = 0; i < BLOCK_NODES; i++) off += c[i] * W[first + i];
            *error = fmax(*error, 2 * fabs(off));
        }
    }
    forward_functions_free(&f);
    dipole_free(d);
    return st;
}

cgct_status forward_table_fill(const dipole_source *source, double x, const forward_table *t,
                               double *out, cgct_err *err)
{
    for (size_t i = 0; i < dipole_source_parts(source); i++, out += FORWARD_BLOCK) {
        const dipole_source *part = dipole_source_part(source, i, out);
        CGCT_TRY(fill_block(part, x, t, out, err));
    }
    return CGCT_OK;
}

/* ---- momenta ---- */

typedef struct {
    double x, y;
} vector;

static vector add(double a, vector u, double b, vector v)
{
    return (vector){a * u.x + b * v.x, a * u.y + b * v.y};
}

static double dot(vector u, vector v)
{
    return u.x * v.x + u.y * v.y;
}

typedef struct {
    vector k1, k2, P, q;
} vectors;

static vectors vectors_of(const forward_point *p)
{
    const vector k1 = {p->k1, 0}, k2 = {p->k2 * cos(p->angle), p->k2 * sin(p->angle)};
    return (vectors){k1, k2, add(1 - p->z, k1, -p->z, k2), add(1, k1, 1, k2)};
}

forward_momenta forward_momenta_of(const forward_point *p)
{
    const vectors v = vectors_of(p);
    const double cross = v.q.x * v.k2.y - v.q.y * v.k2.x;
    return (forward_momenta){sqrt(dot(v.P, v.P)), sqrt(dot(v.q, v.q)),
                             atan2(cross, dot(v.q, v.k2))};
}

/* ---- the wave function that is cut off at 1/Lambda ---- */

static const double CUT_STEEPNESS = 8, CUT_EXPONENT = 40; /* GeV; e^-40 = 4e-18 */
enum { CUT_PANEL_NODES = 16 };

/* psi(k) of the polarisation: the whole transform less that of what the cut removes, which behaves
 * like u ln u (L) and u^3 ln u (T) at u = 0. */
static double cut_wave(const forward_task *t, int pol, double k)
{
    quad_gauss g, log_g;
    quad_rule u = {0};
    const double eps = t->eps, r = 1 / t->Lambda, last = r + CUT_EXPONENT / CUT_STEEPNESS;
    const double h = fmin(0.25, 10 / (k + 1e-3));
    const double whole = 2 * M_PI * (pol == POL_T ? k : eps) / (k * k + eps * eps);
    double removed = 0;
    quad_gauss_init(&g, CUT_PANEL_NODES);
    quad_log_init(&log_g, 0);
    quad_append(&u, &log_g, 0, h / 4, INFINITY); /* the rule is of lower order */
    for (double x = h / 4; x < last; x += h) quad_append(&u, &g, x, fmin(x + h, last), INFINITY);
    for (size_t i = 0; i < u.n; i++) {
        double z = eps * u.x[i], K0, K1, J[2], kr = k * u.x[i];
        bessel_J_pair(1, 1, 1, &kr, NULL, J);
        if (eps > 0) bessel_K01(1, &z, &K0, &K1);
        const double wave =
            eps > 0 ? (pol == POL_T ? eps * K1 : eps * K0) : (pol == POL_T ? 1 / u.x[i] : 0);
        const double gone = 1 / (1 + exp(CUT_STEEPNESS * (u.x[i] - r)));
        removed += u.w[i] * u.x[i] * J[pol == POL_T] * wave * gone;
    }
    quad_free(&u);
    return whole - 2 * M_PI * removed;
}

/* ---- convolutions ---- */

/* Int d2l/(2 pi)^2 A(|k1+l|) B(|k2-l|) |p + g(|l|) lhat|^2 = p^2 M_0 + 2 p M_1 + M_2, where g
 * may be 2 pi/l at small l: then the logarithm is taken off M_2 that the scheme says. */
typedef enum { WAVE_OF_GLUON, WAVE_BARE, WAVE_CUT } wave_kind;
typedef struct {
    const forward_task *task;
    const forward_functions *f;
    const vectors *v;
    int a, b; /* A = F_a, B = F_b */
    wave_kind wave;
    int pol, takes_log;
    double p; /* |p|, which is along P */
} convolution;
/* M_0, M_1, M_2, and what the errors of A, B and of the gluon's g may change in the whole. */
enum { CONVOLUTION_SUMS = 3, CONVOLUTION_ERROR = CONVOLUTION_SUMS, CONVOLUTION_ALL };

/* Panels of 16 nodes, widest in units of Qs, growing beyond all momenta; of angles, so many and so
 * many more for each Qs of the arm.  The coarser rule, for the error, has two thirds of them. */
enum { CONVOLUTION_NODES = 16, CONVOLUTION_ANGLES = 32 };
static const double CONVOLUTION_PANEL = 0.8, CONVOLUTION_GROWTH = 0.4, CONVOLUTION_EPS = 0.3;
static const double CONVOLUTION_ANGLES_QS = 60, CONVOLUTION_COARSER = 1.5;
static const double CONVOLUTION_REACH = 60; /* A B falls like the eighth power of l at least */

static double convolution_end(const forward_point *p, double Qs)
{
    return CONVOLUTION_REACH * (fmax(p->k1, p->k2) + Qs);
}

static double wave_at(const convolution *c, double l)
{
    const double eps = c->task->eps;
    if (c->wave == WAVE_OF_GLUON) return forward_G(c->f, POL_T, l);
    if (c->wave == WAVE_CUT) return cut_wave(c->task, c->pol, l);
    return 2 * M_PI * l / (l * l + eps * eps);
}

/* Sums over the angles at one l, times the measure. */
static void convolution_ring(const convolution *c, double l, int n, double M[CONVOLUTION_ALL])
{
    const vectors *v = c->v;
    const double P = sqrt(dot(v->P, v->P)), g = wave_at(c, l), measure = l / (2 * M_PI * n);
    const double g_error =
        c->wave == WAVE_OF_GLUON ? forward_function_error(c->f, c->f->G_error, l) : 0;
    memset(M, 0, CONVOLUTION_ALL * sizeof *M);
    for (int j = 0; j < n; j++) {
        const double phi = 2 * M_PI * (j + 0.5) / n;
        const vector k = {l * cos(phi), l * sin(phi)};
        const vector a = add(1, v->k1, 1, k), b = add(1, v->k2, -1, k);
        double error;
        const double product =
            forward_product(c->f, c->a, sqrt(dot(a, a)), c->b, sqrt(dot(b, b)), &error);
        const double AB = product * measure;
        const double along = P > 0 ? g * dot(v->P, k) / (P * l) : 0;
        const double square = fmax(0, c->p * c->p + 2 * c->p * along + g * g);
        M[0] += AB;
        M[1] += AB * along;
        M[2] += AB * g * g;
        M[CONVOLUTION_ERROR] += error * measure * square + (fabs(AB) + error * measure) *
                                                               (2 * sqrt(square) + g_error) *
                                                               g_error;
    }
}

static void convolution_sums(const convolution *c, const forward_point *at, double coarser,
                             double M[CONVOLUTION_ALL])
{
    quad_gauss g;
    quad_rule r = {0};
    const double Qs = c->f->Qs, k = fmax(at->k1, at->k2), eps = c->task->eps;
    const double widest = CONVOLUTION_PANEL * Qs * coarser, last = convolution_end(at, Qs);
    double first = 0, error;
    const double AB = forward_product(c->f, c->a, at->k1, c->b, at->k2, &error);
    quad_gauss_init(&g, CONVOLUTION_NODES);
    for (double x = 0, end; x < last; x = end) {
        double h = widest + fmax(0, CONVOLUTION_GROWTH * coarser * (x - k - 8 * Qs));
        if (eps > 0 && c->wave != WAVE_OF_GLUON) h = fmin(h, CONVOLUTION_EPS * coarser * (eps + x));
        end = fmin(x + h, last);
        if (x == 0) first = end;
        quad_append(&r, &g, x, end, INFINITY);
    }
    double(*ring)[CONVOLUTION_ALL] = memory_new(r.n, sizeof *ring);
#pragma omp parallel for schedule(dynamic, 8)
    for (size_t i = 0; i < r.n; i++) {
        const double arm = fmin(r.x[i], k) / (Qs * coarser);
        convolution_ring(c, r.x[i], CONVOLUTION_ANGLES + (int)(CONVOLUTION_ANGLES_QS * arm),
                         ring[i]);
    }
    memset(M, 0, CONVOLUTION_ALL * sizeof *M);
    for (size_t i = 0; i < r.n; i++) {
        if (c->takes_log && r.x[i] < first) ring[i][2] -= 2 * M_PI * AB / r.x[i];
        for (int j = 0; j < CONVOLUTION_ALL; j++) M[j] += r.w[i] * ring[i][j];
    }
    if (c->takes_log) {
        const double log_off = 2 * M_PI * (log(first / (2 * c->task->Lambda)) + FORWARD_EULER);
        M[2] += AB * log_off;
        M[CONVOLUTION_ERROR] += error * fabs(log_off);
    }
    free(ring);
    quad_free(&r);
}

/* The whole; its error is added. */
static void convolute(const convolution *c, const forward_point *at, double *value, double *error)
{
    const double factor[CONVOLUTION_SUMS] = {c->p * c->p, 2 * c->p, 1};
    double M[CONVOLUTION_ALL], other[CONVOLUTION_ALL];
    convolution_sums(c, at, 1, M);
    convolution_sums(c, at, CONVOLUTION_COARSER, other);
    *value = 0;
    *error += M[CONVOLUTION_ERROR];
    for (int j = 0; j < CONVOLUTION_SUMS; j++) {
        *value += factor[j] * M[j];
        *error += factor[j] * fabs(M[j] - other[j]);
    }
}

/* ---- one point ---- */

static const int power_1[] = {2, 2, 1}, power_2[] = {1, 2, 1}; /* a, b of each channel */

/* closed of q -> qg, both polarisations. */
static void quark_closed(const forward_functions *f, const forward_task *t, const vectors *v,
                         double k2, forward_value *out)
{
    const double q = sqrt(dot(v->q, v->q)), F = forward_F(f, 1, q), P2 = dot(v->P, v->P);
    const double p = 2 * M_PI / (P2 + t->eps * t->eps), G = forward_G(f, POL_T, k2) / k2;
    const vector sum = add(p, v->P, G, v->k2);
    const double flip = p * t->eps - forward_G(f, POL_L, k2);
    out->closed[POL_T] = F * dot(sum, sum);
    out->closed[POL_L] = t->eps > 0 ? F * flip * flip : 0;
    out->error[POL_T] += forward_square_error(f, q, sqrt(dot(sum, sum)), POL_T, k2);
    if (t->eps > 0) out->error[POL_L] += forward_square_error(f, q, fabs(flip), POL_L, k2);
}

static void value_at(const forward_functions *f, const forward_task *t, double c_eps,
                     const forward_point *at, forward_value *out)
{
    const vectors v = vectors_of(at);
    const double P = sqrt(dot(v.P, v.P)), p = 2 * M_PI * P / (P * P + t->eps * t->eps);
    const int a = power_1[t->channel], b = power_2[t->channel];
    convolution c = {t, f, &v, a, b, WAVE_CUT, POL_T, t->eps == 0, 0};
    double error;
    const double product = forward_product(f, a, at->k1, b, at->k2, &error);
    *out = (forward_value){.coefficient = 2 * M_PI * product};
    /* closed of qqb is without the logarithm already */
    const double log_off = t->eps == 0 && t->channel == FORWARD_QQB
                               ? 0
                               : log(2 * t->Lambda / c_eps) - FORWARD_EULER - 0.5;
    for (c.pol = 0; t->scheme == FORWARD_WAVE && c.pol < (t->eps > 0 ? NPOL : 1); c.pol++)
        convolute(&c, at, &out->off[c.pol], &out->error[c.pol]);
    /* with eps -> 0 the convolution is without the logarithm, which C still has */
    if (t->scheme == FORWARD_LOG || (t->scheme == FORWARD_WAVE && t->eps == 0)) {
        out->off[POL_T] += out->coefficient * log_off;
        out->error[POL_T] += 2 * M_PI * error * fabs(log_off);
    }
    if (t->channel == FORWARD_QG) {
        quark_closed(f, t, &v, at->k2, out);
        return;
    }
    c = (convolution){t, f, &v, 1, 1, WAVE_OF_GLUON, POL_T, 0, p};
    if (t->channel == FORWARD_QQB) {
        c.wave = WAVE_BARE;
        c.takes_log = t->eps == 0;
    }
    convolute(&c, at, &out->closed[POL_T], &out->error[POL_T]);
}

/* ---- all points ---- */

cgct_status forward_values(const forward_task *t, double c_eps, forward_value *out, cgct_err *err)
{
    memset(out, 0, t->n * sizeof *out);
    for (size_t part = 0; part < dipole_source_parts(t->source); part++) {
        dipole *d = NULL;
        forward_functions f = {.eps = 0};
        double share, k_max = 0;
        CGCT_TRY(dipole_init(&d, dipole_source_part(t->source, part, &share), t->x, err));
        const double Qs = sqrt(d->Qs2);
        const int is_wide = t->channel != FORWARD_QG || t->scheme == FORWARD_WAVE;
        for (size_t i = 0; i < t->n; i++) {
            const forward_point *p = &t->point[i];
            k_max = fmax(k_max, (is_wide ? convolution_end(p, Qs) : 0) + p->k1 + p->k2);
        }
        cgct_status st = forward_functions_init(&f, d, t->eps, 1.01 * k_max, err);
        for (size_t i = 0; i < t->n && st == CGCT_OK; i++) {
            forward_value one;
            value_at(&f, t, c_eps, &t->point[i], &one);
            for (int pol = 0; pol < NPOL; pol++) {
                out[i].closed[pol] += share * one.closed[pol];
                out[i].error[pol] += share * one.error[pol];
                out[i].off[pol] += share * one.off[pol];
            }
            out[i].coefficient += share * one.coefficient;
        }
        forward_functions_free(&f);
        dipole_free(d);
        CGCT_TRY(st);
    }
    return CGCT_OK;
}

/* ---- the cross section ---- */

double forward_factor(forward_channel channel, double z)
{
    const double Nc = 3, unit = pow(2 * M_PI, -6), y = 1 - z;
    if (channel == FORWARD_QG) return unit * Nc * y * (1 + y * y);
    if (channel == FORWARD_GG) return unit * 4 * Nc * z * y * (z / y + y / z + z * y);
    return unit * z * y * (z * z + y * y);
}

/* ---- limits ---- */

double forward_limit_value(forward_limit limit, forward_channel channel, const forward_point *p,
                           const double *transforms)
{
    const vectors v = vectors_of(p);
    const double q2 = dot(v.q, v.q), P2 = dot(v.P, v.P), unit = 4 * M_PI * M_PI, z = p->z;
    const double F = transforms[REFERENCE_S], F2 = transforms[REFERENCE_S2];
    /* transforms of S (-Laplacian of S) and of (dS/dr)^2 */
    const double slope2 = transforms[REFERENCE_SLOPE2], A = slope2 + q2 * F2 / 2;
    const size_t of_G = channel == FORWARD_QG ? REFERENCE_G1 : REFERENCE_G2;
    const double G = channel == FORWARD_QQB ? 0 : transforms[of_G];
    const double H = channel == FORWARD_QQB ? 0 : transforms[of_G + REFERENCE_H1 - REFERENCE_G1];
    /* p(P) + p(k2), p(k1) - p(P) and their sum */
    const vector to_2 = add(2 * M_PI / P2, v.P, 2 * M_PI / (p->k2 * p->k2), v.k2);
    const vector to_1 = add(2 * M_PI / (p->k1 * p->k1), v.k1, -2 * M_PI / P2, v.P);
    const vector both = add(1, to_1, 1, to_2);
    if (limit == FORWARD_TMD) {
        const double before =
            channel == FORWARD_QG ? (1 - z) * (1 - z) * q2 * F : A - z * (1 - z) * q2 * F2;
        return unit * (before + G) / (P2 * P2);
    }
    if (limit == FORWARD_DILUTE) {
        const double pairs[] = {dot(to_2, to_2) + dot(both, both),
                                dot(to_2, to_2) + dot(both, both) + dot(to_1, to_1),
                                dot(to_2, to_2) + dot(to_1, to_1)};
        return F * pairs[channel];
    }
    const forward_momenta m = forward_momenta_of(p);
    const double eps = 1e-8 * fmin(p->k1, p->k2); /* leaves 1e-16 */
    const reference_point at = {m.q, p->k2, m.theta, eps, eps * eps};
    double I[2], before = F * dot(to_2, to_2);
    reference_value(&at, G, H, I);
    if (channel != FORWARD_QG)
        before = ((dot(to_2, to_2) + dot(to_1, to_1)) * A + 2 * dot(to_2, to_1) * slope2) / q2;
    return before + eps * eps * I[POL_T];
}
