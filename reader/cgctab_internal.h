/* SPDX-License-Identifier: MIT */
/* cgctab_internal.h: what the reader's files share; not installed. */
#ifndef CGCTAB_INTERNAL_H
#define CGCTAB_INTERNAL_H
#include "../format/codec.h"
#include "../format/header.h"
#include "cgctab.h"

/* --- file
 * ------------------------------------------------------------------------------------------ */
typedef struct {
    int fd; /* -1: none */
    uint64_t size;
    char *path; /* where it was found */
} cgct_file;

/* search 0: path as it is; 1: also along CGCTAB_DATA_PATH. */
cgct_status cgct_file_open(cgct_file *f, const char *path, int search, cgct_err *err);
cgct_status cgct_file_read(const cgct_file *f, uint64_t at, void *out, size_t n, cgct_err *err);
void cgct_file_close(cgct_file *f);

/* --- table
 * ----------------------------------------------------------------------------------------- */
typedef struct {
    const char *name;
    size_t n, order;
    const double *v, *ln;
} cgct_grid;

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
    cgct_entry *entry; /* (nx, neps) */
    cgct_plane *plane; /* (nx, neps); NULL after cgct_open_index */
    char *meta_text;
    cgct_pair *meta;
    size_t nmeta, nplane; /* nplane: how many were loaded */
};

/* Splits t->meta_text of n bytes, which it changes, into t->meta. */
cgct_status cgct_meta_parse(cgct_table *t, size_t n, cgct_err *err);
/* Reads, checks and decodes one node; p needs cgct_plane_free on success only. */
cgct_status cgct_node_load(const cgct_table *t, const cgct_file *f, size_t node, cgct_plane *p,
                           cgct_err *err);

/* --- interpolation
 * --------------------------------------------------------------------------------- */
/* Nodes of one axis and their weights; nodes of weight 0 are left out. */
typedef struct {
    size_t n, node[CGCT_ORDER_MAX];
    double w[CGCT_ORDER_MAX];
} cgct_rule;

typedef struct {
    double value;     /* the argument, or the end of the axis that stands for it */
    cgct_rule poly;   /* local polynomial */
    cgct_rule linear; /* over the cell */
} cgct_stencil;

/* freeze: bits of CGCT_BELOW and CGCT_ABOVE.  Returns OK, E_DOMAIN, E_RANGE. */
enum { CGCT_BELOW = 1, CGCT_ABOVE = 2 };
cgct_status cgct_locate(const cgct_grid *g, double value, int freeze, cgct_stencil *s,
                        cgct_err *err);
int cgct_freeze_bits(const cgct_table *t);

/* The (x,eps) nodes of a point and their weights. */
typedef struct {
    size_t n;
    const cgct_plane *plane[CGCT_ORDER_MAX * CGCT_ORDER_MAX];
    double w[CGCT_ORDER_MAX * CGCT_ORDER_MAX];
} cgct_plane_rule;

typedef struct {
    cgct_plane_rule poly, linear;
    int flagged; /* some plane has flagged points */
    size_t modes_max;
} cgct_planes;

cgct_status cgct_planes_at(const cgct_table *t, double x, double eps, cgct_planes *p,
                           cgct_err *err);

/* One point (q,k) of one polarisation, reduced to the rules that apply there. */
typedef struct {
    const cgct_plane_rule *p;
    const cgct_rule *q, *k;
    size_t nk, first; /* length of the k axis; offset of the polarisation in a plane */
    int linear;       /* 1: I_m itself, linear over the cell; 0: ln s and I_m/s by polynomials */
} cgct_point;

cgct_point cgct_point_at(const cgct_table *t, const cgct_planes *p, const cgct_stencil *q,
                         const cgct_stencil *k, int pol);
double cgct_blend_scale(const cgct_point *pt); /* 1 where linear */
/* out[j] = blended ratio of mode m0 + j, j < n; times cgct_blend_scale it is I_m. */
void cgct_blend_modes(const cgct_point *pt, size_t m0, size_t n, double *out);

/* --- evaluation at located points
 * ------------------------------------------------------------------ */
cgct_status cgct_eval_planes(const cgct_table *t, const cgct_planes *p, double q, double k1,
                             double theta, double I[2], cgct_err *err);
#endif
