/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forward_node.c: what a table of a proton's dijets holds, from the tables of a node.
 *
 *   qg      X with k2 the shorter and with k2 the longer momentum
 *   pairs   X of two gluons, and of quark and antiquark, each symmetric under k1 <-> k2
 *   fields  Z = k2.V + pi F_2(q) with k2 the shorter and with k2 the longer momentum
 *
 * V(q,k2) = Int d2l/(2 pi)^2 F(l) F(q-l) G(k2-l) for gluons, with p in the place of G for quarks,
 * is a field without rotation whose divergence rho is what I_T and I_L of such a node are: it
 * follows from the modes of rho in K = k2 - q/2 as in electrostatics, V = grad Phi,
 *
 *   K Phi_m' = [A_m - B_m]/2   m Phi_m = -[A_m + B_m]/2      A_m = Int_0^K (k/K)^m rho_m k dk
 *   K Phi_0' = A_0                                           B_m = Int_K^inf (K/k)^m rho_m k dk
 * Source: METHOD.md 12. */
#include <math.h>
#include <stdlib.h>

#include "node/passes.h"
#include "numerics/grid.h"
#include "numerics/memory.h"
#include "numerics/quadrature.h"

/* ---- the field of a density ---- */

enum { FIELD_NODES = 10, FIELD_GAUSS = 8, TAIL_POWER = 8 };
static const double CHARGE_ERROR = 1e-11; /* of the field of F, a share of it */

static size_t field_nodes(const mode_table *t)
{
    return t->np < FIELD_NODES ? t->np : FIELD_NODES;
}

/* Of polarisation pol of t; NULL in *f where there is no table. */
static void field_init(node_field *f, const mode_table *t, int pol)
{
    const size_t nm = t->nm, np = t->np, row = np * nm, nodes = field_nodes(t);
    quad_gauss g;
    if (!t->I) return;
    quad_gauss_init(&g, FIELD_GAUSS);
    f->a = memory_zeros(2 * t->nq * row, sizeof *f->a);
    f->b = f->a + t->nq * row;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t iq = 0; iq < t->nq; iq++) {
        const double *I = t->I + ((size_t)pol * t->nq + iq) * row;
        double *A = f->a + iq * row, *B = f->b + iq * row;
        for (size_t im = 0; im < nm; im++) /* rho falls like F^2 beyond the last P */
            B[row - nm + im] = I[row - nm + im] * t->P[np - 1] * t->P[np - 1] /
                               ((double)im * t->step + TAIL_POWER - 2);
        for (size_t cell = 0; cell + 1 < np; cell++)
            for (size_t n = 0; n < 2 * FIELD_GAUSS; n++) {
                /* A of cell + 1 in the first half, B of the cell np - 2 - cell in the other */
                const int down = n >= FIELD_GAUSS;
                const size_t low = down ? np - 2 - cell : cell, at = n % FIELD_GAUSS;
                const double from = t->P[low], h = t->P[low + 1] - from;
                const double k = from + h * (0.5 * (1 + g.x[at])), w = h * (0.5 * g.w[at]) * k;
                const double ratio = down ? from / k : k / t->P[low + 1];
                const double shift = from / t->P[low + 1];
                double c[FIELD_NODES];
                const size_t first = grid_weights(np, t->P, k, nodes, c);
                double *to = down ? B + low * nm : A + (low + 1) * nm;
                const double *before = down ? B + (low + 1) * nm : A + low * nm;
                for (size_t im = 0; im < nm; im++) {
                    const int m = (int)im * t->step;
                    double rho = 0;
                    for (size_t l = 0; l < nodes; l++) rho += c[l] * I[(first + l) * nm + im];
                    if (at == 0) to[im] = before[im] * (m ? pow(shift, m) : 1);
                    to[im] += w * rho * (m ? pow(ratio, m) : 1);
                }
            }
        for (size_t i = 0; i < row; i++) {
            const size_t im = i % nm;
            const double unit = im ? ((int)im * t->step % 2 ? -2 : 2) * M_PI : 2 * M_PI;
            const double up = unit * A[i], down = im ? unit * B[i] : 0;
            A[i] = up - down;
            B[i] = im ? -up - down : 0;
        }
    }
}

/* What lies beyond the last P, at q[iq] and K: as much may be wrong. */
static double field_tail(const node_field *f, const mode_table *t, size_t iq, double K)
{
    const size_t last = (iq * t->np + t->np - 1) * t->nm;
    double sum = 0;
    for (size_t im = 1; im < t->nm; im++)
        sum += pow(K / t->P[t->np - 1], (double)im * t->step) *
               fabs(f->a[last + im] + f->b[last + im]) / 2;
    return sum;
}

/* K V_K and K V_phi at q[iq], (K, phi). */
static void field_at(const node_field *f, const mode_table *t, size_t iq, double K, double phi,
                     double V[2])
{
    double c[FIELD_NODES];
    const size_t nodes = field_nodes(t), nm = t->nm;
    const size_t first = grid_weights(t->np, t->P, K, nodes, c);
    const size_t from = (iq * t->np + first) * nm;
    V[0] = V[1] = 0;
    for (size_t im = 0; im < nm; im++) {
        double a = 0, b = 0;
        for (size_t l = 0; l < nodes; l++) {
            a += c[l] * f->a[from + l * nm + im];
            b += c[l] * f->b[from + l * nm + im];
        }
        const double turn = (double)im * t->step * phi;
        V[0] += a * cos(turn);
        V[1] -= b * sin(turn);
    }
}

/* f->G of F_power. */
static void fill_charge(node_forward *f, int power)
{
    const size_t nk = f->f.wave.nk;
    const double *k = f->f.wave.k;
    quad_gauss g;
    quad_gauss_init(&g, FIELD_GAUSS);
    f->G = memory_zeros(nk, sizeof *f->G);
    for (size_t i = 1; i < nk; i++) {
        f->G[i] = f->G[i - 1];
        for (size_t n = 0; n < FIELD_GAUSS; n++) {
            const double h = k[i] - k[i - 1], at = k[i - 1] + h * (0.5 * (1 + g.x[n]));
            f->G[i] += h * (0.5 * g.w[n]) * at * forward_F(&f->f, power, at);
        }
    }
    for (size_t i = 1; i < nk; i++) f->G[i] /= k[i];
}

/* Z in both computations, and a bound on what single scattering adds. */
static void field_value(const node_tables *n, size_t iq, double k2, double k1, double theta,
                        double Z[2], double *error)
{
    const node_forward *w = n->forward;
    const double q = n->coarse.q[iq], single = n->single.nk ? n->single.sigma[iq] : 0;
    double K, phi, V[2], held = 0;
    mode_recentre(n->coarse.lam, q, k2, theta, &K, &phi);
    const double across = K > 0 ? q / (2 * K) : 0;
    *error = (1 + across) * field_tail(&w->coarse, &n->coarse, iq, K);
    if (single != 0) {
        const double G2 = forward_function(&w->f, w->G, k2), G1 = forward_function(&w->f, w->G, k1);
        const double GK = forward_function(&w->f, w->G, K);
        const double dot = (q * q - k1 * k1 - k2 * k2) / 2; /* k1.k2 */
        const double along = k2 * (cos(theta) * cos(phi) + sin(theta) * sin(phi));
        const double part[3] = {k2 * G2, k1 > 0 ? -G1 * dot / k1 : 0, -2 * GK * along};
        for (int i = 0; i < 3; i++) {
            held += single * part[i];
            *error += CHARGE_ERROR * fabs(single * part[i]);
        }
    }
    for (int coarse = 0; coarse < 2; coarse++) {
        const node_field *f = coarse ? &w->coarse : &w->fine;
        field_at(f, coarse ? &n->coarse : &n->fine, iq, K, phi, V);
        Z[coarse] = held + V[0] * (1 + across * cos(phi)) - across * sin(phi) * V[1];
    }
}

/* ---- values ---- */

/* eps^2 I of the two computations, or of the coarser one alone, with what of single scattering is
 * held apart and a bound on the error of that. */
typedef struct {
    double k1, k2, theta; /* of k2 to q */
} forward_place;

static void correlator_at(const node_tables *n, const node_forward *w, size_t iq,
                          const forward_place *at, int pol, double C[2], double *error)
{
    double P, phi, I[NPOL], single[NPOL] = {0}, bound[NPOL] = {0};
    const double q = n->coarse.q[iq], eps = n == w->wider ? FORWARD_LIMIT_RATIO * w->eps : w->eps;
    const double unit = eps * eps;
    mode_recentre(n->coarse.lam, q, at->k2, at->theta, &P, &phi);
    single_add(&n->single, iq, q, at->k2, at->k1, single, bound);
    if (w->parts == PARTS_PAIRS) {
        /* S f_T(Delta) S(R)^2, taken off for its logarithm at Delta = 0 */
        const single_factors *s = &n->single;
        const double F = forward_F(&w->f, 2, q), *f_T = s->F2 + s->nk;
        single[pol] += F * grid_interpolate(s->nk, s->k, f_T, P, FIELD_NODES);
        bound[pol] += SINGLE_OF_TERMS * fabs(F * *f_T);
    }
    mode_table_eval(&n->coarse, iq, P, phi, I);
    C[1] = unit * (I[pol] + single[pol]);
    if (n->fine.I) mode_table_eval(&n->fine, iq, P, phi, I);
    C[0] = unit * (I[pol] + single[pol]);
    *error = unit * bound[pol];
}

/* X with F_a(k1) F_b(k2) in D, and |G(k2)|^2 F(q) where that is apart. */
static void value_at(const node_tables *n, size_t iq, const forward_place *at, int pol, double *X,
                     double *error)
{
    const node_forward *w = n->forward;
    const int qg = w->parts == PARTS_NONE, a = qg || pol == POL_T ? 2 : 1;
    const int b = qg || pol == POL_L ? 1 : 2, slot = qg ? POL_T : pol;
    const double log_off = log(2 * FORWARD_TABLE_LAMBDA / w->eps) - FORWARD_EULER - 0.5;
    double product_error;
    const double D = 2 * M_PI * forward_product(&w->f, a, at->k1, b, at->k2, &product_error);
    const double F = qg ? forward_F(&w->f, 1, n->coarse.q[iq]) : 0;
    const double G = qg ? forward_G(&w->f, POL_T, at->k2) : 0;
    double C[2], wider[2], bound, unused;
    correlator_at(n, w, iq, at, slot, C, &bound);
    correlator_at(w->wider, w, iq, at, slot, wider, &unused);
    *X = C[0] - D * log_off + F * G * G;
    *error = n->safety.field * fabs(C[0] - C[1]) + bound +
             fabs(wider[1] + D * log(FORWARD_LIMIT_RATIO) - C[1]) +
             2 * M_PI * fabs(log_off) * product_error;
    if (qg) *error += forward_square_error(&w->f, n->coarse.q[iq], fabs(G), POL_T, at->k2);
}

void evaluate_forward(const node_tables *n, size_t iq, double k, double theta, double X[NPOL],
                      double error[NPOL])
{
    const double q = n->coarse.q[iq], other = mode_k2(q, k, theta);
    const double turned = atan2(-k * sin(theta), q - k * cos(theta));
    const dipole_forward_parts parts = n->forward->parts;
    for (int pol = 0; pol < NPOL; pol++) {
        const int as_given = (k <= other) == (parts == PARTS_PAIRS || pol == 0);
        const forward_place at = {as_given ? other : k, as_given ? k : other,
                                  as_given ? theta : turned};
        if (parts == PARTS_NONE || parts == PARTS_PAIRS) {
            value_at(n, iq, &at, pol, &X[pol], &error[pol]);
            continue;
        }
        double Z[2];
        field_value(n, iq, at.k2, at.k1, at.theta, Z, &error[pol]);
        const forward_functions *f = &n->forward->f;
        X[pol] = Z[0] + M_PI * forward_F(f, 2, q);
        error[pol] += n->safety.field * fabs(Z[0] - Z[1]) +
                      M_PI * forward_function_error(f, f->F_error[2], q);
    }
}

/* ---- the node ---- */

static cgct_status add_wider(const node_work *w, node_forward *f, cgct_err *err)
{
    node_report unused = {0};
    node_work wider;
    node_task task = *w->task;
    f->wider = memory_zeros(1, sizeof *f->wider);
    task.eps *= FORWARD_LIMIT_RATIO;
    task.forward = 0;
    task.coarser_only = 1;
    cgct_status st = node_work_init(&wider, &task, 0, &unused, err);
    if (st == CGCT_OK) st = node_work_tables(&wider, f->wider, err);
    w->report->seconds_certificate += unused.seconds_total;
    w->report->seconds_total += unused.seconds_total;
    node_work_free(&wider);
    return st;
}

cgct_status node_add_forward(const node_work *w, node_tables *n, cgct_err *err)
{
    node_forward *f = n->forward = memory_zeros(1, sizeof *f);
    f->eps = w->task->eps;
    f->parts = w->dipole->forward_parts;
    CGCT_TRY(
        forward_functions_init(&f->f, w->dipole, 0, node_largest_k(w->task) + w->fine.q_max, err));
    if (!dipole_is_field(w->dipole)) return add_wider(w, f, err);
    const int pol = f->parts == PARTS_FIELD_GG ? POL_T : POL_L;
    fill_charge(f, pol == POL_T ? 2 : 1);
    field_init(&f->fine, &n->fine, pol);
    field_init(&f->coarse, &n->coarse, pol);
    return CGCT_OK;
}

void node_forward_free(node_forward *f)
{
    if (!f) return;
    forward_functions_free(&f->f);
    free(f->G);
    free(f->fine.a);
    free(f->coarse.a);
    node_tables_free(f->wider);
    free(f);
}
