/* SPDX-License-Identifier: GPL-3.0-or-later */
/* separable_kernels.h: what each thread computes in cuda-separable, as inline text for C and CUDA.
 *
 * Between these kernels stand matrix products.  In the order of use:
 *
 *   cosine   the matrices of the angular rules from their nodes
 *   ell      L(|R-s|) - L(R), or S(|R-s|) - S(R), at the angles of one rule; a product gives its
 *            modes l_m(R,s) or e_m(R,s)
 *   place    the modes at their places: on the coarse nodes of s, or on the cells about s = R
 *   kink     the latter less the interpolation of the former; its moments go onto three nodes
 *   patch    the same onto three nodes of e_m
 *   phi      F = psi(r).psi(r') u_k(A) at the angles of one rule, for nodes (Delta, s) that use it
 *   share    weights that take the nodes of a panel of s to coarse nodes and to cells
 *   spread   modes of F at the fine nodes of s -> coarse nodes, cells about the centres, and P_k
 *   pick     the columns e of phi, of which a product with e_m makes E_m
 *   put      E_m in place of the columns e of R
 *   near     R_{k,m} next to a centre: adds what the interpolation of l_m loses there
 *   gather   R_{k,m} at the points (Delta, R) that use one rule in gamma
 *   combine  g at the angles of that rule from sum_m cos(m gamma) R_{k,m}
 *   scatter  modes of g -> G_m(Delta,R)
 *
 * A column is one pair (polarisation, k); there are ncol = 2 nu of them.
 * Source: METHOD.md section 3; names as in inner/separable.h. */
#ifndef CGCT_SEPARABLE_KERNELS_H
#define CGCT_SEPARABLE_KERNELS_H
#include "direct_kernels.h"
#include "inner/separable.h"
#include "numerics/grid.h"
#include "numerics/skeleton.h"

/* ---- angular rules ---- */

typedef struct {
    size_t nm;
    const int *m;            /* (nm) */
    const double *x, *w;     /* of the nodes of all rules */
    double *weight, *cosine; /* (nodes, nm): w cos(m x), cos(m x) */
} angle_view;

/* i over (nodes, nm) */
CGCT_KERNEL void cosine_thread(const angle_view *a, size_t i)
{
    size_t j = i / a->nm;
    double c = cos(a->m[i % a->nm] * a->x[j]);
    a->cosine[i] = c;
    a->weight[i] = a->w[j] * c;
}

/* ---- modes of L ---- */

enum { ELL_CELLS = KINK_CELLS * KINK_NODES };

/* One pair (R,s) and its number nm of leading orders, beyond which l_m or e_m vanishes.  to < ns:
 * R[at] and coarse node `to`; else, for l_m, point to - ns of the cells about kink `at`. */
typedef struct {
    uint32_t at, to, nm;
} ell_pair;

typedef struct {
    size_t nm, nr, ns, kinks, nr1, ns1;
    int single;    /* 1: e_m at the pairs of coarse nodes below nr1 and ns1; 0: l_m */
    int symmetric; /* even modes: folded about pi/2 */
    device_lnS lnS;
    const double *r, *s;
    const separable_cell *cell;      /* (ns - 1, KINK_NODES) */
    const separable_kink_rule *rule; /* (kinks) */
    double *ell, *lost, *patch;      /* (nm, nr, ns), (nm, nr, ELL_CELLS), (nm, nr, KINK_MOMENTS) */
    double *ess;                     /* (nm, nr1, ns1) */
    /* one batch: pairs first..first+count-1, n angles with sin^2(x/2) = hav */
    const ell_pair *pair;
    const double *hav;
    size_t first, count, n;
    double *F;    /* (count, n) */
    double *mode; /* (nm, count) */
} ell_view;

CGCT_KERNEL uint32_t ell_ir(const ell_view *a, const ell_pair *p)
{
    return p->to < a->ns ? p->at : a->rule[p->at].ir;
}

CGCT_KERNEL double ell_s(const ell_view *a, const ell_pair *p)
{
    return p->to < a->ns ? a->s[p->to] : a->cell[a->rule[p->at].first + (p->to - a->ns)].s;
}

/* i over (count, n) */
CGCT_KERNEL void ell_thread(const ell_view *a, size_t i)
{
    const ell_pair *p = &a->pair[a->first + i / a->n];
    double R = a->r[ell_ir(a, p)], s = ell_s(a, p), R2 = R * R;
    double cosine = 1 - 2 * a->hav[i % a->n];
    double L = direct_length(&a->lnS, R2, 0), x = s * s - 2 * R * s * cosine;
    double f = direct_length(&a->lnS, R2, x < -R2 ? -R2 : x) - L;
    double g = 0, SR = a->single ? direct_S(direct_L0(&a->lnS, R2) + L) : 0;
    if (a->symmetric) g = direct_length(&a->lnS, R2, s * s + 2 * R * s * cosine) - L;
    if (a->single) {
        f = SR * expm1(f);
        g = SR * expm1(g);
    }
    a->F[i] = a->symmetric ? 0.5 * (f + g) : f;
}

/* i over (nm, count) */
CGCT_KERNEL void place_thread(const ell_view *a, size_t i)
{
    size_t im = i / a->count;
    const ell_pair *p = &a->pair[a->first + i % a->count];
    double v = im < p->nm ? a->mode[i] * (im ? M_1_PI : M_1_PI / 2) : 0;
    size_t row = im * a->nr + ell_ir(a, p);
    if (a->single)
        a->ess[(im * a->nr1 + p->at) * a->ns1 + p->to] = v;
    else if (p->to < a->ns)
        a->ell[row * a->ns + p->to] = v;
    else
        a->lost[row * ELL_CELLS + (p->to - a->ns)] = v;
}

/* i over (nm, kinks) */
CGCT_KERNEL void kink_thread(const ell_view *a, size_t i)
{
    const separable_kink_rule *k = &a->rule[i % a->kinks];
    size_t row = i / a->kinks * a->nr + k->ir;
    double *ell = a->ell + row * a->ns, *lost = a->lost + row * ELL_CELLS,
           y[KINK_MOMENTS] = {0, 0, 0}, R = a->s[k->at], h = a->s[k->at + 1] - R;
    for (int j = 0; j < ELL_CELLS; j++) {
        const separable_cell *c = &a->cell[k->first + j];
        double d = lost[j], t = (c->s - R) / h;
        for (int l = 0; l < SEPARABLE_NODES; l++) d -= c->lagrange[l] * ell[c->window + l];
        lost[j] = d;
        y[0] += c->ds * d;
        y[1] += c->ds * t * d;
        y[2] += c->ds * (t * t) * d;
    }
    for (int l = 0; l < KINK_MOMENTS; l++) {
        double x = 0;
        for (int r = 0; r < KINK_MOMENTS; r++) x += k->inverse[l][r] * y[r];
        a->patch[row * KINK_MOMENTS + l] = x;
        ell[k->at - 1 + l] += x;
    }
}

/* i over (nm, kinks) */
CGCT_KERNEL void patch_thread(const ell_view *a, size_t i)
{
    const separable_kink_rule *k = &a->rule[i % a->kinks];
    size_t im = i / a->kinks;
    if (k->ir >= a->nr1 || k->at + 1 >= a->ns1) return;
    for (size_t l = 0; l < KINK_MOMENTS; l++)
        a->ess[(im * a->nr1 + k->ir) * a->ns1 + k->at - 1 + l] +=
            a->patch[(im * a->nr + k->ir) * KINK_MOMENTS + l];
}

/* ---- the rest ---- */

/* A fine node of s at Delta number id of the chunk; beyond nm leading orders its modes vanish. */
typedef struct {
    double s;
    uint32_t id, nm;
} separable_node;

/* The nodes of one panel of s, node..node+n-1 in the order of the columns Delta, and the rows of
 * phi to which they contribute with (n, width) weights at `offset`: coarse nodes, or nodes of a
 * cell. */
typedef struct {
    double mid, half; /* of the panel */
    uint32_t offset, node, n, row, width;
    uint32_t cell; /* of the coarse grid, or SEPARABLE_COARSE */
    uint32_t rule; /* number of its Gauss rule */
    uint32_t nm;   /* leading orders that any of its nodes has */
} separable_block;
#define SEPARABLE_COARSE UINT32_MAX

/* A rule on [-1,1] and 1/prod_{l != i} (x_i - x_l). */
typedef struct {
    int n;
    double x[RADIAL_NODES], w[RADIAL_NODES], scale[RADIAL_NODES];
} separable_gauss;
enum { GAUSS_FAR, GAUSS_LOG_LOWER, GAUSS_LOG_UPPER, GAUSS_CELL, GAUSS_OVERLAP, GAUSS_RULES };

/* One R next to a centre at one Delta: row of phi where its cells start, node of s at R, and how
 * many leading orders are wanted there. */
typedef struct {
    uint32_t id, ir, row, at, nm;
} separable_close;

typedef struct {
    uint32_t id, ir, nm; /* a point (Delta, R) of the chunk */
} separable_point;

/* One chunk of Delta. */
typedef struct {
    size_t nd, nr, ns, nm, rank, nu, ncol, nodes, rows; /* rows: ns, cells, P */
    size_t nr1, ns1;                                    /* where single scattering is not zero */
    size_t step, orders, odd; /* as in separable_plan; 1: combine and scatter make odd orders */
    dipole_process process;
    dipole_forward_parts parts;
    double lam;
    device_lnS lnS;
    device_photon photon;
    const skeleton *w;
    const double *delta, *r;      /* (nd), (nr) */
    const double *profile;        /* (4, nd), f of inner/single.h and S f; or NULL */
    const double *lost, *patch;   /* (nm, nr, ELL_CELLS), (nm, nr, 3) */
    const separable_node *node;   /* (nodes), those of one rule together */
    const uint32_t *place;        /* (nodes): where a node in the order of the columns stands */
    const uint32_t *column;       /* (nd + 1): first of these in each column */
    const double *area;           /* (nodes) of these: s ds */
    const separable_gauss *gauss; /* (GAUSS_RULES) */
    const double *s;              /* (ns) */
    const separable_block *block; /* (blocks) */
    const uint32_t *range;        /* (nd, rows - 1, 2): blocks that contribute to a row */
    size_t blocks, weights, share_parts; /* of the widest block, see share_thread */
    double *share;                       /* (weights) of the blocks */
    const separable_close *close;
    double *mode;   /* (nm, nodes, ncol): the leading orders that a node has */
    double *phi;    /* (nm, rows, nd, ncol) */
    double *R;      /* (nm, nr, nd, ncol) */
    double *e, *E;  /* (nm, ns1, nd, 2), (nm, nr1, nd, 2) */
    double *G;      /* (2, nm, nd, nr) */
    double *origin; /* (2): g at the first Delta and R, or NULL */
    /* one batch: count nodes or points from `first` on, n angles with sin^2(x/2) = hav; none wants
     * more than `most` leading orders */
    size_t first, n, count, most;
    const double *hav;
    const separable_point *point;
    double *F;   /* (count, ncol, n) */
    double *Rg;  /* (most, count, ncol) */
    double *sum; /* (n, count, ncol) */
    double *g;   /* (count, 2, n) */
    double *Gm;  /* (count, 2, most) */
} separable_view;

/* i over (count, n) */
CGCT_KERNEL void phi_thread(const separable_view *a, size_t i)
{
    size_t j = i % a->n;
    const separable_node *node = &a->node[a->first + i / a->n];
    const skeleton *w = a->w;
    double hav = a->hav[j], psi[2];
    const direct_dipoles d =
        direct_dipoles_at(a->lam, a->delta[node->id], node->s, 1 - 2 * hav, hav);
    double A = direct_length(&a->lnS, 0, d.r2) + direct_length(&a->lnS, 0, d.rp2);
    double root = A > 2 * EXPONENT_MIN ? CGCT_EXP(A / 2) : 0,
           *F = a->F + i / a->n * a->ncol * a->n + j;
    direct_wave(&a->photon, &d, psi);
    for (size_t k = 0; k < a->rank; k++) {
        double u = (1 - w->B[k]) * expdiff_roots(A - w->B[k], root, w->rootB[k]);
        F[k * a->n] = psi[0] * u;
        F[(a->nu + k) * a->n] = psi[1] * u;
    }
    for (size_t k = a->rank; k < a->nu; k++) {
        F[k * a->n] = psi[0] * (root * root);
        F[(a->nu + k) * a->n] = psi[1] * (root * root);
    }
}

/* p_i(t) of the rule's nodes */
CGCT_KERNEL double separable_cardinal(const separable_gauss *g, int i, double t)
{
    double v = g->scale[i];
    for (int l = 0; l < g->n; l++) v *= l == i ? 1 : t - g->x[l];
    return v;
}

/* The cardinal polynomials on one cell of s, l_j(s) = scale_j prod_{l != j} (s - x_l), j < n, of
 * the coarse grid or of the cell's own nodes, and the row of phi of the first. */
typedef struct {
    int n;
    size_t row;
    double x[KINK_NODES], scale[KINK_NODES];
} share_cardinals;

/* Of the coarse grid: those that interpolate at s. */
CGCT_KERNEL void share_coarse(const separable_view *a, size_t c, double s, share_cardinals *l)
{
    l->n = SEPARABLE_NODES;
    l->row = grid_window_in(a->ns, a->s, c, s, SEPARABLE_NODES);
    for (int j = 0; j < SEPARABLE_NODES; j++) l->x[j] = a->s[l->row + (size_t)j];
    for (int j = 0; j < SEPARABLE_NODES; j++) {
        double below = 1;
        for (int k = 0; k < SEPARABLE_NODES; k++) below *= k == j ? 1 : l->x[j] - l->x[k];
        l->scale[j] = 1 / below;
    }
}

CGCT_KERNEL void share_cell(const separable_view *a, size_t c, size_t row, share_cardinals *l)
{
    const separable_gauss *own = a->gauss + GAUSS_CELL;
    const double half = 0.5 * (a->s[c + 1] - a->s[c]), mid = a->s[c] + half;
    double power = 1; /* of half, as many as factors */
    for (int j = 1; j < KINK_NODES; j++) power *= half;
    l->n = KINK_NODES;
    l->row = row;
    for (int j = 0; j < KINK_NODES; j++) {
        l->x[j] = mid + half * own->x[j];
        l->scale[j] = own->scale[j] / power;
    }
}

/* Adds to the weights first..end-1 of node i of a panel its part in cell c: the integrals of
 * s_i p_i(s) l_j(s) over what panel and cell have in common, by a Gauss rule that is exact.  At a
 * centre the rule of the panel itself integrates the modes times l_j. */
CGCT_KERNEL void share_add(const separable_view *a, const separable_block *b, int i, size_t c,
                           size_t first, size_t end, double *share)
{
    const separable_gauss *overlap = a->gauss + GAUSS_OVERLAP, *own = a->gauss + b->rule;
    const double left = b->mid - b->half, right = b->mid + b->half;
    const double lo = left > a->s[c] ? left : a->s[c];
    const double hi = right < a->s[c + 1] ? right : a->s[c + 1];
    const double node = b->mid + b->half * own->x[i], half = 0.5 * (hi - lo);
    const int far = b->rule == GAUSS_FAR;
    double sum[KINK_NODES] = {0};
    share_cardinals l;
    if (!(hi > lo) || (!far && !(node >= lo && node < hi))) return;
    if (b->cell == SEPARABLE_COARSE)
        share_coarse(a, c, lo + half, &l);
    else
        share_cell(a, c, b->row, &l);
    const size_t row = l.row - b->row;
    if (row + (size_t)l.n <= first || row >= end) return;
    for (int q = 0; q < (far ? overlap->n : 1); q++) {
        const double s = far ? lo + half * (1 + overlap->x[q]) : node;
        double v = far ? half * overlap->w[q] * separable_cardinal(own, i, (s - b->mid) / b->half)
                       : b->half * own->w[i];
        double before[KINK_NODES], after = 1;
        for (int j = 0; j < KINK_NODES; j++) {
            before[j] = v;
            v *= j < l.n ? s - l.x[j] : 1;
        }
        for (int j = KINK_NODES; j-- > 0;) {
            sum[j] += before[j] * after;
            after *= j < l.n ? s - l.x[j] : 1;
        }
    }
    for (size_t j = 0; j < KINK_NODES; j++)
        if (j < (size_t)l.n && row + j >= first && row + j < end)
            share[row + j] += node * l.scale[j] * sum[j];
}

/* So many weights of a node are made by one thread. */
enum { SHARE_PART = 16 };

/* i over (blocks, parts, RADIAL_NODES) */
CGCT_KERNEL void share_thread(const separable_view *a, size_t i)
{
    const separable_block *b = &a->block[i / RADIAL_NODES / a->share_parts];
    const uint32_t at = (uint32_t)(i % RADIAL_NODES);
    const size_t first = i / RADIAL_NODES % a->share_parts * SHARE_PART;
    const size_t end = first + SHARE_PART < b->width ? first + SHARE_PART : b->width;
    double *share = a->share + b->offset + at * b->width;
    if (at >= b->n || first >= end) return;
    for (size_t j = first; j < end; j++) share[j] = 0;
    if (b->cell != SEPARABLE_COARSE) share_add(a, b, (int)at, b->cell, first, end, share);
    /* the window of cell c begins at c - SEPARABLE_NODES + 2 at least, and at c at most */
    for (size_t c = first > SEPARABLE_NODES ? first - SEPARABLE_NODES : 0;
         b->cell == SEPARABLE_COARSE && c + 1 < b->width && c < end + SEPARABLE_NODES; c++)
        share_add(a, b, (int)at, b->row + c, first, end, share);
}

/* So many orders and rows share what `spread` reads: a fine node contributes to some 35 rows. */
enum { SPREAD_ORDERS = 4, SPREAD_TILE = 4 };
typedef double spread_sums[SPREAD_TILE][SPREAD_ORDERS];

/* Tiles of SPREAD_TILE rows, and one of the last row, P. */
CGCT_KERNEL size_t spread_tiles(size_t rows)
{
    return direct_tiles(rows - 1, SPREAD_TILE) + 1;
}

/* sum += weight of each row times the modes at fine node `node` from order im on, `next` numbers
 * from one to the next; orders beyond the leading nm of the node are left out. */
CGCT_KERNEL void spread_add(const separable_view *a, uint32_t node,
                            const double weight[SPREAD_TILE], size_t im, const double *mode,
                            size_t next, spread_sums sum)
{
    const uint32_t nm = a->node[node].nm;
    if (im >= nm) return;
    mode += node * a->ncol;
    for (size_t l = 0; l < SPREAD_ORDERS; l++) {
        const double v = im + l < nm ? mode[l * next] : 0;
        for (size_t t = 0; t < SPREAD_TILE; t++) sum[t][l] += weight[t] * v;
    }
}

/* What all blocks contribute to `count` rows from `row` on at Delta number id. */
CGCT_KERNEL void spread_blocks(const separable_view *a, size_t id, uint32_t row, uint32_t count,
                               size_t im, const double *mode, size_t next, spread_sums sum)
{
    const uint32_t *range = a->range + 2 * (id * (a->rows - 1) + row);
    uint32_t first = UINT32_MAX, end = 0;
    for (uint32_t t = 0; t < count; t++) {
        if (range[2 * t] == range[2 * t + 1]) continue;
        first = range[2 * t] < first ? range[2 * t] : first;
        end = range[2 * t + 1] > end ? range[2 * t + 1] : end;
    }
    for (uint32_t e = first; e < end; e++) {
        const separable_block *b = &a->block[e];
        const uint32_t at = row - b->row; /* the sum with t wraps, too, and tests both ends */
        if (im >= b->nm) continue;
        for (uint32_t k = 0; k < b->n; k++) {
            const double *share = a->share + b->offset + k * b->width;
            double weight[SPREAD_TILE];
            for (uint32_t t = 0; t < SPREAD_TILE; t++)
                weight[t] = at + t < b->width ? share[at + t] : 0;
            spread_add(a, a->place[b->node + k], weight, im, mode, next, sum);
        }
    }
}

/* i over (nm/SPREAD_ORDERS, spread_tiles(rows), nd, ncol) */
CGCT_KERNEL void spread_thread(const separable_view *a, size_t i)
{
    const size_t row_size = a->nd * a->ncol, next = a->nodes * a->ncol, P = a->rows - 1;
    const size_t c = i % a->ncol, id = i / a->ncol % a->nd, tiles = spread_tiles(a->rows);
    const size_t tile = i / row_size % tiles, im = i / row_size / tiles * SPREAD_ORDERS;
    const size_t row = tile + 1 < tiles ? tile * SPREAD_TILE : P;
    const size_t count = row == P ? 1 : P - row < SPREAD_TILE ? P - row : SPREAD_TILE;
    const double *mode = a->mode + im * next + c;
    spread_sums sum = {{0}};
    if (row == P)
        for (uint32_t k = a->column[id]; k < a->column[id + 1]; k++) {
            const double area[SPREAD_TILE] = {a->area[k]};
            spread_add(a, a->place[k], area, im, mode, next, sum);
        }
    else
        spread_blocks(a, id, (uint32_t)row, (uint32_t)count, im, mode, next, sum);
    for (size_t t = 0; t < SPREAD_TILE && t < count; t++)
        for (size_t l = 0; l < SPREAD_ORDERS && im + l < a->nm; l++)
            a->phi[((im + l) * a->rows + row + t) * row_size + id * a->ncol + c] = sum[t][l];
}

/* i over (nm, ns1, nd, 2) */
CGCT_KERNEL void pick_thread(const separable_view *a, size_t i)
{
    size_t column = i % (2 * a->nd), is = i / (2 * a->nd) % a->ns1, im = i / (2 * a->nd) / a->ns1;
    a->e[i] = a->phi[(im * a->rows + is) * a->nd * a->ncol + (column + 1) * a->nu - 1];
}

/* i over (nm, nr, nd, 2) */
CGCT_KERNEL void put_thread(const separable_view *a, size_t i)
{
    size_t column = i % (2 * a->nd), ir = i / (2 * a->nd) % a->nr, im = i / (2 * a->nd) / a->nr;
    a->R[(im * a->nr + ir) * a->nd * a->ncol + (column + 1) * a->nu - 1] =
        ir < a->nr1 ? a->E[(im * a->nr1 + ir) * 2 * a->nd + column] : 0;
}

/* i over (entries of close, nm, ncol) */
CGCT_KERNEL void near_thread(const separable_view *a, size_t i)
{
    size_t c = i % a->ncol, im = i / a->ncol % a->nm, step = a->nd * a->ncol;
    const separable_close *n = &a->close[i / a->ncol / a->nm];
    if (im >= n->nm) return;
    const double *phi = a->phi + im * a->rows * step + n->id * a->ncol + c,
                 *cell = phi + n->row * step;
    const double *lost = a->lost + (im * a->nr + n->ir) * ELL_CELLS;
    const double *patch = a->patch + (im * a->nr + n->ir) * 3;
    double v = 0;
    for (size_t j = 0; j < ELL_CELLS; j++) v += lost[j] * cell[j * step];
    for (size_t k = 0; k < 3; k++) v -= patch[k] * phi[(n->at - 1 + k) * step];
    a->R[(im * a->nr + n->ir) * step + n->id * a->ncol + c] += v;
}

/* i over (most, count, ncol) */
CGCT_KERNEL void gather_thread(const separable_view *a, size_t i)
{
    size_t c = i % a->ncol, im = i / a->ncol / a->count;
    const separable_point *p = &a->point[a->first + i / a->ncol % a->count];
    a->Rg[i] = im < p->nm ? a->R[((im * a->nr + p->ir) * a->nd + p->id) * a->ncol + c] : 0;
}

/* v_k(B), k = 0..rank-1: C v = W(A_k, B) by the factors of C. */
CGCT_KERNEL void separable_v(const skeleton *w, double B, double *v)
{
    double root = B > 2 * EXPONENT_MIN ? CGCT_EXP(B / 2) : 0;
    for (int k = 0; k < w->rank; k++) {
        double y = expdiff_roots(w->A[k] - B, w->rootA[k], root);
        for (int l = 0; l < k; l++) y -= w->lu[k * SKELETON_RANK_MAX + l] * v[l];
        v[k] = y;
    }
    for (int k = w->rank - 1; k >= 0; k--) {
        double y = v[k];
        for (int l = k + 1; l < w->rank; l++) y -= w->lu[k * SKELETON_RANK_MAX + l] * v[l];
        v[k] = y / w->lu[k * SKELETON_RANK_MAX + k];
    }
}

/* What tables of a proton's dijets need in the place of g; as put_forward_parts in
 * inner/separable_gamma.c.  S: that of Delta; P: P_k of Delta. */
CGCT_KERNEL double combine_forward_part(const separable_view *a, size_t id, size_t pol, double S,
                                        const double *P, double g)
{
    if (a->parts == PARTS_NONE) return g;
    if (a->parts == PARTS_PAIRS)
        return pol == 0 ? g + P[a->nu - 1] : S > 0 ? a->profile[id] / S : 0;
    return pol == 0 ? S : 1;
}

/* What single scattering contributes to g times the factor of the process; as
 * subtract_single_process there.  S0, S1, SR: S at |b|, |Delta+b| and R; f (4, nd): its profile. */
CGCT_KERNEL double combine_single(const separable_view *a, const double *f, size_t pol, double S,
                                  double P_e, double S0, double S1, double SR, double cosine)
{
    const double *own = f + pol * a->nd;
    const int gluon = a->process == PROCESS_GG;
    double near = gluon ? 2 * own[2 * a->nd] : 2 * own[0] - P_e, at_0 = 0;
    if (a->parts == PARTS_PAIRS) {
        near = pol == 0 ? 2 * f[2 * a->nd] : f[0];
        at_0 = a->odd ? 0 : f[0] * SR * SR; /* the logarithm at Delta = 0 */
    } else if (a->parts != PARTS_NONE) {
        near = pol == 0 ? S * S : S;
    }
    const double far = gluon ? near : own[2 * a->nd];
    return at_0 + (a->step == 1 ? near * (S0 - SR) + far * (S1 - SR)
                   : a->odd     ? (near - far) / 2 * (S0 - S1) * cosine
                                : (near + far) / 2 * ((S0 - SR) + (S1 - SR)));
}

/* i over (count, n) */
CGCT_KERNEL void combine_thread(const separable_view *a, size_t i)
{
    size_t j = i % a->n, at = i / a->n;
    const separable_point *p = &a->point[a->first + at];
    double delta = a->delta[p->id], R = a->r[p->ir], cosine = 1 - 2 * a->hav[j];
    double c0 = a->lam * delta, c1 = (1 - a->lam) * delta, v[SKELETON_RANK_MAX];
    double L0 = direct_L0(&a->lnS, R * R), L = L0 + direct_length(&a->lnS, R * R, 0);
    double x1 = c1 * c1 + 2 * c1 * R * cosine, x0 = c0 * c0 - 2 * c0 * R * cosine;
    double d1 = direct_length(&a->lnS, R * R, x1) + (L0 - L);
    double d0 = direct_length(&a->lnS, R * R, x0) + (L0 - L);
    double dB = d1 + d0, B = 2 * L + dB;
    const double *sum = a->sum + (j * a->count + at) * a->ncol;
    const double *P = a->phi + ((a->rows - 1) * a->nd + p->id) * a->ncol;
    separable_v(a->w, B < 0 ? B : 0, v);
    double f = direct_factor(&a->lnS, a->process, a->lam, delta, R, cosine);
    if (a->step == 2) { /* as multiply_by_process, separable_gamma.c */
        double other = direct_factor(&a->lnS, a->process, a->lam, delta, R, -cosine);
        f = a->odd ? (f - other) / 2 * cosine : (f + other) / 2;
    }
    const double S = direct_S(direct_length(&a->lnS, 0, delta * delta));
    const double S1 = direct_S(L + d1), S0 = direct_S(L + d0), SR = direct_S(L);
    for (size_t pol = 0; pol < 2; pol++) {
        double g = 0;
        for (size_t k = 0; k < a->rank; k++)
            g -= v[k] * (2 * sum[pol * a->nu + k] - dB * P[pol * a->nu + k]);
        if (a->origin && p->id == 0 && p->ir == 0 && j == 0) a->origin[pol] = g;
        const size_t e = (pol + 1) * a->nu - 1;
        g = f * combine_forward_part(a, p->id, pol, S, P, g);
        if (a->profile && a->process != PROCESS_DIS)
            g -= combine_single(a, a->profile + p->id, pol, S, P[e], S0, S1, SR, cosine);
        else if (a->profile) /* as subtract_single in inner/separable_gamma.c */
            g -= (a->profile[pol * a->nd + p->id] - P[e]) * (S1 + S0) +
                 P[e] * ((S1 - SR) + (S0 - SR)) - 2 * sum[e];
        a->g[(at * 2 + pol) * a->n + j] = g;
    }
}

/* i over (2, nm, count) */
CGCT_KERNEL void scatter_thread(const separable_view *a, size_t i)
{
    size_t at = i % a->count, im = i / a->count % a->nm, pol = i / a->count / a->nm;
    const separable_point *p = &a->point[a->first + at];
    const double *mode = a->Gm + (at * 2 + pol) * a->most;
    size_t order = a->step * im + a->odd;
    double v = im >= p->nm ? 0 : mode[a->odd ? 0 : im];
    for (size_t l = 1; a->odd && l <= im && im < p->nm; l++) v = 2 * mode[l] - v;
    if (order < a->orders) a->G[((pol * a->orders + order) * a->nd + p->id) * a->nr + p->ir] = v;
}
#endif
