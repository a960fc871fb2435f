/* SPDX-License-Identifier: MIT */
/* cgctab_internal.h: what the reader's files share; not installed. */
#ifndef CGCTAB_INTERNAL_H
#define CGCTAB_INTERNAL_H
#include "../format/codec.h"
#include "../format/header.h"
#include "cgctab.h"

/* ---- file ---- */

typedef struct {
    int fd; /* -1: none */
    uint64_t size;
    char *path; /* where it was found */
} cgct_file;

/* search 0: path as it is; 1: also along CGCTAB_DATA_PATH. */
cgct_status cgct_file_open(cgct_file *f, const char *path, int search, cgct_err *err);
cgct_status cgct_file_read(const cgct_file *f, uint64_t at, void *out, size_t n, cgct_err *err);
/* The whole file, read only; NULL and a message where the system refuses. */
const uint8_t *cgct_file_map(const cgct_file *f, cgct_err *err);
void cgct_file_unmap(const uint8_t *map, uint64_t size); /* accepts NULL */
void cgct_file_close(cgct_file *f);

/* ---- axes ---- */

typedef struct {
    const char *name;
    size_t n, order;
    const double *v, *ln; /* values and their logarithms */
    /* (cells, order + 1): 1/Prod_j (ln_i - ln_j) over the stencil of a cell, then 1/length */
    const double *inverse;
    double per_step; /* cells per unit of the logarithm, on average */
} cgct_grid;

/* Doubles that cgct_grid_init needs beside v. */
size_t cgct_grid_size(size_t n, size_t order);
void cgct_grid_init(cgct_grid *g, const char *name, size_t n, size_t order, const double *v,
                    double *storage);
size_t cgct_grid_cells(const cgct_grid *g); /* 1 for a single value */

/* Nodes of one axis and their weights. */
typedef struct {
    size_t first, n; /* local polynomial: nodes first..first+n-1 */
    size_t cell, nl; /* the cell and its corners, 2 (1 on an axis of one value) */
    double w[CGCT_ORDER_MAX], l[2];
} cgct_stencil;

/* The argument, or the end of the axis that stands for it. Returns OK, E_DOMAIN, E_RANGE. */
cgct_status cgct_into_range(const cgct_grid *g, double *value, int freeze, cgct_err *err);
/* The cell that holds u, the logarithm of a value inside the axis, and the weights of its corners.
 */
size_t cgct_cell_at(const cgct_grid *g, double u, double l[2]);
/* Nodes around a cell, and with the weights at u, the logarithm of a value inside the axis. */
void cgct_stencil_at(const cgct_grid *g, size_t cell, cgct_stencil *s);
void cgct_locate(const cgct_grid *g, double u, cgct_stencil *s);
/* The same place with the polynomial through nodes first..first+n-1. */
void cgct_stencil_from(const cgct_grid *g, size_t first, cgct_stencil *s);

/* ---- nodes in memory: records ---- */

/* A point (q,k) holds both polarisations in blocks of sixteen numbers, T and L alternating:
 *   A A' B B' r_1 r_1' ... r_6 r_6' | r_7 r_7' ... r_14 r_14' | r_15 ...
 * r_m = I_m/s; s = e^A (1 + B), or for a flagged point s = e^A and B = I_0/s.  A block of floats is
 * one cache line. */
enum { CGCT_MODES_HEAD = 7, CGCT_MODES_BLOCK = CGCT_BLOCK / 2 };

static inline size_t cgct_blocks(size_t modes)
{
    return modes > CGCT_MODES_HEAD
               ? 1 + (modes - CGCT_MODES_HEAD + CGCT_MODES_BLOCK - 1) / CGCT_MODES_BLOCK
               : 1;
}

/* Modes that so many blocks hold, m = 0 included. */
static inline size_t cgct_modes_in(size_t blocks)
{
    return CGCT_MODES_HEAD + CGCT_MODES_BLOCK * (blocks - 1);
}

typedef struct {
    const uint32_t *start; /* (nq nk + 1): first block of each point */
    const void *record;    /* (start[nq nk], 16) float, or double where wide */
    int wide;
    const double *error; /* (2 nq nk): bound over s */
    const uint8_t *flag; /* (2 nq nk) */
    size_t flagged;      /* number of points with flag */
} cgct_records;

/* Memory for records, in few large pieces: random points touch hundreds of places, and each is
 * found faster where the system has large pages. */
typedef struct {
    size_t n, left;
    char *at;
    void **piece;
} cgct_pool;

/* size zero bytes at the start of a cache line; expected: what else will be wanted. */
cgct_status cgct_pool_take(cgct_pool *p, size_t size, size_t expected, void **out, cgct_err *err);
void cgct_pool_free(cgct_pool *p);

double cgct_record_get(const cgct_records *r, size_t block, size_t i);

/* How many blocks each point has, the same for all x. */
typedef struct {
    uint32_t *start;  /* (neps, nq nk + 1) */
    uint16_t *blocks; /* (cells in eps, q, k): most that a stencil there needs */
    uint16_t *own;    /* (neps, cells in q, k): most that a stencil needs at this eps */
} cgct_shape;

/* modes (neps, nq nk): the shape of the file. */
struct cgct_table;
cgct_status cgct_shape_init(cgct_shape *s, const struct cgct_table *t, const uint16_t *modes,
                            cgct_err *err);
/* Raises blocks (cells in q, k) to what the start of one plane needs; lower: near flagged points,
 * too. */
cgct_status cgct_shape_raise(const struct cgct_table *t, const uint32_t *start, int lower,
                             uint16_t *blocks, cgct_err *err);
void cgct_shape_free(cgct_shape *s);

/* ---- table ---- */

typedef struct {
    const char *key, *value;
} cgct_pair;

struct cgct_table {
    char *path;
    cgct_crc64_table crc;
    cgct_header head;
    cgct_policy policy;
    cgct_grid grid[4]; /* by cgct_axis; into values */
    double *values;
    size_t member;      /* of those in the file, from 0 */
    cgct_entry *entry;  /* (nx, neps) */
    cgct_shape shape;   /* empty after cgct_open_index */
    cgct_records *node; /* (nx, neps); NULL after cgct_open_index */
    cgct_pool pool;     /* of node, unless they lie in map */
    char *meta_text;
    cgct_pair *meta;
    size_t nmeta, nnode;          /* nnode: how many nodes were loaded */
    const uint8_t *map;           /* an unpacked file; else NULL */
    uint8_t *checked;             /* (nx, neps) of a mapped file: 0 not yet, 1 good, 2 damaged */
    struct cgct_everett *everett; /* of a prepared table; else NULL */
};

/* Splits t->meta_text of n bytes, which it changes, into t->meta. */
cgct_status cgct_meta_parse(cgct_table *t, size_t n, cgct_err *err);
/* A node that is not records, read and checked; modes are decoded as they are asked for. */
typedef struct {
    uint8_t *frame, *raw;
    cgct_plane heads; /* scale, error, zero, flag */
    cgct_payload payload;
} cgct_node_stream;

/* s needs cgct_node_end on success only. */
cgct_status cgct_node_begin(const cgct_table *t, const cgct_file *f, size_t node,
                            cgct_node_stream *s, cgct_err *err);
void cgct_node_end(cgct_node_stream *s);
/* Records of a node, in memory of the pool; expected: nodes still to come.  E_FORMAT for a mode
 * that is not zero beyond the shape, start. */
cgct_status cgct_records_pack(cgct_records *r, cgct_node_stream *s, const uint32_t *start, int wide,
                              size_t expected, cgct_pool *pool, cgct_err *err);
/* Every number of it. */
cgct_status cgct_node_verify(const cgct_table *t, const cgct_file *f, size_t node, cgct_err *err);
/* The whole of one node; p needs cgct_plane_free on success only. */
cgct_status cgct_node_load(const cgct_table *t, const cgct_file *f, size_t node, cgct_plane *p,
                           cgct_err *err);
/* The same for records as they lie in an unpacked file. */
cgct_status cgct_records_check(const cgct_table *t, size_t node, const uint8_t *bytes,
                               cgct_err *err);
/* Unpacked files: maps the file and points t->node into it; checks places and sizes only. */
cgct_status cgct_map_nodes(cgct_table *t, const cgct_file *f, cgct_err *err);
/* Mapped files: checksum and numbers of a node, the first time that it is wanted. */
cgct_status cgct_node_check(const cgct_table *t, size_t node);

/* ---- interpolation ---- */

enum { CGCT_PLANES_MAX = CGCT_ORDER_MAX * CGCT_ORDER_MAX };

/* The (x,eps) nodes of a point: Sum_i full_i C_q C_k + linear_i L_q L_k, with C the local
 * polynomials in ln q, ln k and L linear between the corners. */
typedef struct cgct_planes {
    const cgct_table *table;
    size_t n;
    const cgct_records *plane[CGCT_PLANES_MAX];
    double full[CGCT_PLANES_MAX], linear[CGCT_PLANES_MAX];
    size_t ncorner; /* linear in x and eps, too: for flagged points */
    const cgct_records *corner[4];
    double corner_weight[4];
    int flagged;                    /* some plane has flagged points */
    const uint16_t *blocks;         /* (cells in q, k) */
    const struct cgct_dense *dense; /* of a slice: the planes blended, but for flagged points */
    const uint8_t *dirty; /* (cells in q, k) of a slice: bit p where polarisation p has one */
} cgct_planes;

cgct_status cgct_planes_at(const cgct_table *t, double x, double eps, cgct_planes *p,
                           cgct_err *err);
size_t cgct_blocks_at(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k);
/* out (nv, 16) gets blocks v0.. of the interpolated record. */
void cgct_blend(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k, size_t v0,
                size_t nv, double *out);

static inline int cgct_dirty(const cgct_planes *p, size_t q, size_t k, int pol)
{
    return p->dirty[q * cgct_grid_cells(&p->table->grid[CGCT_AXIS_K]) + k] >> pol & 1;
}

/* Does any node with weight carry a flag? */
int cgct_any_flag(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k, int pol);
/* Modes 0..n-1 of one polarisation where some node with weight is flagged. */
void cgct_flagged_modes(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k, int pol,
                        size_t n, double *out);

/* ---- values ---- */

/* Powers of z = -(cosine + i sine): re[m] of the first, and those of the next block of modes. */
typedef struct {
    double re[CGCT_MODES_BLOCK + 1], step_im, next_re[CGCT_BLOCK], next_im[CGCT_BLOCK];
} cgct_powers;

/* first: the mode that begins the next block. */
void cgct_powers_init(cgct_powers *z, double cosine, double sine, int first);
/* sum += Sum_m Re z^m r_m over n blocks (n, 16), T and L alternating; moves on by n blocks. */
void cgct_powers_sum(cgct_powers *z, const double *block, size_t n, double sum[2]);

enum { CGCT_BATCH = 32 };

/* I = 4 pi s sum, s = e^a (1 + b); by polarisation. */
typedef struct {
    double sum[2], a[2], b[2];
} cgct_angular;

/* Where J or I is taken for a point: at (q, k) with the angle's cosine and sine, both times k/k_0
 * below the k axis of a folded table, and I = share times the value found there. */
typedef struct {
    double q[CGCT_BATCH], k[CGCT_BATCH], cosine[CGCT_BATCH], sine[CGCT_BATCH], share[CGCT_BATCH];
    double theta[CGCT_BATCH], ln_q[CGCT_BATCH], ln_k[CGCT_BATCH];
    uint8_t below[CGCT_BATCH]; /* below the k axis */
    cgct_status status[CGCT_BATCH];
    double sum[2][CGCT_BATCH], a[2][CGCT_BATCH], b[2][CGCT_BATCH]; /* filled by cgct_values */
} cgct_places;

/* Arguments of points, each an array; x and eps are NULL where all points share them. */
typedef struct {
    const double *x, *eps, *q, *k1, *theta;
} cgct_arguments;

/* Those of point i and its successors. */
static inline cgct_arguments cgct_arguments_at(const cgct_arguments *a, size_t i)
{
    const cgct_arguments from = {a->x ? a->x + i : NULL, a->eps ? a->eps + i : NULL, a->q + i,
                                 a->k1 + i, a->theta + i};
    return from;
}

/* n <= CGCT_BATCH points; the status of each, and err of the first that fails. */
void cgct_place(const cgct_table *t, size_t n, const cgct_arguments *a, cgct_places *at,
                cgct_err *err);
/* Cosine, sine and share for angles at one (q,k1) inside the grid; 0: not all of them have J taken
 * right there, or one is not finite or far from 0. */
int cgct_place_angles(const cgct_table *t, double q, double k1, size_t n, const double *theta,
                      cgct_places *at);
/* values (n, 2) from sum, a, b and share; NaN where the status is not OK. */
void cgct_scale_values(size_t n, cgct_places *at, double *values);
void cgct_values(const cgct_planes *p, size_t n, cgct_places *at, double *values);
/* Any n, each argument an array; as cgct_eval_many. */
cgct_status cgct_eval_planes(const cgct_planes *p, size_t n, const cgct_arguments *a,
                             double *values, size_t *first);
/* Adds n blocks (n, 16) of records, the next ones; head: they begin with a record's first. */
void cgct_angular_add(cgct_powers *z, const double *block, int head, size_t n, cgct_angular *out);
void cgct_sum_modes(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k,
                    double cosine, double sine, cgct_angular *out);
#endif
