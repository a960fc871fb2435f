/* SPDX-License-Identifier: GPL-3.0-or-later */
/* colours_kernels.h: what each thread computes of the difference between a finite and infinitely
 * many colours, or of the singlet part, on a coarse grid (inner/colours.h), for C and CUDA:
 *
 *   lattice   one point r' of the lattice of one Delta: wave functions, A and e^(A/2)
 *   colours   the sum over that lattice at one node (Delta,R) and one gamma
 *   resolve   modes in gamma of a node, where their last third is negligible
 *   blend     rows of the coarse grid interpolated to one Delta of the table
 *   widen_r   these interpolated to the table's R
 *
 * colours and resolve take turns, with twice as many gamma each time. */
#ifndef CGCT_COLOURS_KERNELS_H
#define CGCT_COLOURS_KERNELS_H
#include "direct_kernels.h"
#include "inner/colours.h"

/* What `lattice` stores of each point, padded to whole vectors of two numbers. */
enum { POINT_X, POINT_Y, POINT_T2, POINT_A, POINT_ROOT, POINT_PSI_T, POINT_PSI_L, POINT_SIZE = 8 };

/* What `colours` stores at each gamma: T and L, and those of what they are a part of. */
enum { COLOURS_SUMS = 2 * NPOL };

/* A row of the coarse grid; its lattice begins at point number `first`. */
typedef struct {
    colours_row of;
    size_t first;
} colours_line;

/* A node of the coarse grid: number of its row, and of its R in that row. */
typedef struct {
    double R;
    uint32_t row, at;
} colours_node;

/* One chunk of Delta with the rows of the coarse grid that it needs. */
typedef struct {
    size_t rows, nodes, points, nm, nr; /* nr: of the coarse grid */
    int singlet;
    correlator few;
    double lam, span;
    dipole_lookup L;
    device_photon photon;
    const lattice_dipole *singular;
    const double *cosine;  /* (2 COLOURS_ANGLES) */
    const uint32_t *order; /* (nm): in units of pi/span */
    const colours_axes *axes;
    size_t most;              /* points of a row */
    const colours_line *row;  /* (rows) */
    const colours_node *node; /* (nodes) */
    double *point;            /* (points, POINT_SIZE) */
    /* one turn: n intervals of gamma, of which angles from, from + stride, .. are new */
    size_t n, from, stride;
    double *f;      /* (COLOURS_ANGLES + 1, COLOURS_SUMS, nodes) */
    uint32_t *done; /* (nodes): intervals that were enough, or 0 */
    double *G;      /* (rows, nr, NPOL, nm) */
    /* the table */
    size_t nd, table_nr;
    const double *delta, *r; /* (nd), (table_nr); Delta at least the grid's first */
    const uint32_t *first;   /* (nd): first row of the panel of each Delta */
    double *line;            /* (nd, nr, NPOL, nm) */
    double *out;             /* (NPOL, nm, nd, table_nr) */
    int origin;              /* whether the chunk's Delta[0] is 0, where there is no direction */
} colours_view;

/* i over (rows, most) */
CGCT_KERNEL void lattice_thread(const colours_view *a, size_t i)
{
    const colours_line *row = &a->row[i / a->most];
    const size_t k = i % a->most;
    if (k >= row->of.shape.n) return;
    const lattice_place p = lattice_place_at(&row->of.shape, k);
    const direct_dipoles d = {p.r * p.r, p.rp * p.rp, p.dot};
    double *to = a->point + (row->first + k) * POINT_SIZE, psi[NPOL];
    direct_wave(&a->photon, &d, psi);
    to[POINT_X] = p.x;
    to[POINT_Y] = p.y;
    to[POINT_T2] = p.x * p.x + p.y * p.y;
    to[POINT_A] = dipole_lookup_at(&a->L, d.r2) + dipole_lookup_at(&a->L, d.rp2);
    to[POINT_ROOT] = CGCT_EXP(to[POINT_A] > 2 * EXPONENT_MIN ? to[POINT_A] / 2 : EXPONENT_MIN);
    to[POINT_PSI_T] = p.area * psi[POL_T];
    to[POINT_PSI_L] = p.area * psi[POL_L];
    to[POINT_SIZE - 1] = 0;
}

/* What the lattice lacks at t = (X,Y) is taken off the sums; as take_excess_off and lattice_excess
 * on the processor. */
CGCT_KERNEL void colours_take_excess_off(const colours_view *a, const lattice_shape *q, double X,
                                         double Y, double B, double *sum)
{
    const double c = q->delta / 2, t2 = X * X + Y * Y;
    const direct_dipoles d = {(X + c) * (X + c) + Y * Y, (X - c) * (X - c) + Y * Y, t2 - c * c};
    double psi[NPOL];
    if (!(d.r2 * d.rp2 > 0)) return;
    const double weight = colours_singularity(a->few, B, dipole_lookup_at(&a->L, 4 * t2));
    const double factor = 2 * weight * lattice_excess_sum(q, a->singular, sqrt(d.r2), sqrt(d.rp2));
    direct_wave(&a->photon, &d, psi);
    for (int pol = 0; pol < NPOL; pol++) sum[pol] -= factor * psi[pol];
}

/* i over (new angles, nodes) */
CGCT_KERNEL void colours_thread(const colours_view *a, size_t i)
{
    const size_t at = i % a->nodes, angle = a->from + i / a->nodes * a->stride;
    if (a->done[at]) return;
    const colours_node node = a->node[at];
    const colours_line *row = &a->row[node.row];
    const lattice_shape *q = &row->of.shape;
    const double gamma = a->span * (double)angle / COLOURS_ANGLES, c = q->delta / 2;
    const double X = node.R * cos(gamma) + (1 - 2 * a->lam) * c, Y = node.R * sin(gamma);
    const double R2 = X * X + Y * Y;
    const double B = dipole_lookup_at(&a->L, (X - c) * (X - c) + Y * Y) +
                     dipole_lookup_at(&a->L, (X + c) * (X + c) + Y * Y);
    const double rootB = CGCT_EXP(B > 2 * EXPONENT_MIN ? 0.5 * B : EXPONENT_MIN);
    double sum[COLOURS_SUMS] = {0, 0, 0, 0};
    const double *p = a->point + row->first * POINT_SIZE;
    for (size_t k = 0; k < q->n; k++, p += POINT_SIZE) {
        const double dot = 2 * (p[POINT_X] * X + p[POINT_Y] * Y), A = p[POINT_A];
        const double near = p[POINT_T2] + R2, root = p[POINT_ROOT];
        const double dN =
            dipole_lookup_at(&a->L, near - dot) + dipole_lookup_at(&a->L, near + dot) - B;
        double whole, value;
        if (a->singlet)
            value = whole = correlator_singlet(a->few, A, B, dN, root * root);
        else
            value = colours_difference(a->few, A, root, B, rootB, dN, &whole);
        sum[POL_T] += p[POINT_PSI_T] * value;
        sum[POL_L] += p[POINT_PSI_L] * value;
        sum[NPOL + POL_T] += p[POINT_PSI_T] * whole;
        sum[NPOL + POL_L] += p[POINT_PSI_L] * whole;
    }
    if (!a->singlet) colours_take_excess_off(a, q, X, Y, B, sum);
    for (size_t s = 0; s < COLOURS_SUMS; s++)
        a->f[(angle * COLOURS_SUMS + s) * a->nodes + at] = sum[s];
}

/* i over nodes */
CGCT_KERNEL void resolve_thread(const colours_view *a, size_t i)
{
    const size_t step = COLOURS_ANGLES / a->n, next = COLOURS_SUMS * a->nodes, n = a->n;
    const colours_node node = a->node[i];
    const colours_row *row = &a->row[node.row].of;
    int done = 1;
    if (a->done[i]) return;
    for (size_t pol = 0; pol < NPOL; pol++) {
        const double *f = a->f + pol * a->nodes + i, *w = f + NPOL * a->nodes;
        double whole = 0;
        for (size_t k = 0; k <= n; k++) whole = fmax(whole, fabs(w[k * step * next]));
        done &= colours_resolved(a->cosine, f, step * next, n, whole, row->tail);
    }
    if (!done && n < COLOURS_ANGLES) return;
    a->done[i] = (uint32_t)n;
    for (size_t pol = 0; pol < NPOL; pol++)
        for (size_t im = 0; im < a->nm; im++)
            a->G[((node.row * a->nr + node.at) * NPOL + pol) * a->nm + im] =
                a->order[im] < n ? colours_mode(a->cosine, a->f + pol * a->nodes + i, step * next,
                                                n, a->order[im])
                                 : 0;
}

/* i over (nd, nr NPOL nm) */
CGCT_KERNEL void blend_thread(const colours_view *a, size_t i)
{
    const size_t all = a->nr * NPOL * a->nm, id = i / all;
    const double *G = a->G + a->first[id] * all + i % all;
    double c[PANELS_NODES_MAX], v = 0;
    size_t n;
    panels_weights(&a->axes->delta, a->delta[id], c, &n);
    for (size_t k = 0; k < n; k++) v += c[k] * G[k * all];
    a->line[i] = v;
}

/* i over (nd, table_nr) */
CGCT_KERNEL void widen_r_thread(const colours_view *a, size_t i)
{
    const size_t id = i / a->table_nr, ir = i % a->table_nr, row = NPOL * a->nm;
    double c[PANELS_NODES_MAX];
    size_t n;
    const size_t from = colours_weights_of_r(a->axes, a->r[ir], a->delta[id], c, &n);
    const double *line = a->line + (id * a->nr + from) * row;
    for (size_t pol = 0; pol < NPOL; pol++)
        for (size_t im = 0; im < a->nm; im++) {
            double v = 0;
            for (size_t k = 0; k < n; k++) v += c[k] * line[k * row + pol * a->nm + im];
            a->out[((pol * a->nm + im) * a->nd + id) * a->table_nr + ir] =
                a->origin && id == 0 && im > 0 ? 0 : v;
        }
}
#endif
