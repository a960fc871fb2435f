/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole_impl.h: what the files dipole*.c share; nobody else includes it. */
#ifndef CGCT_DIPOLE_IMPL_H
#define CGCT_DIPOLE_IMPL_H
#include <stdint.h>

#include "dipole/dipole.h"

/* Points handled per pass of a blocked loop; the scratch stays in the first-level cache. */
#define DIPOLE_BLOCK 256

/* A table file as read: Gamma = -ln S on a common grid in r, one row per rapidity. */
typedef struct {
    size_t nr, ny;
    long double *lnr; /* nr, rising; long, because slopes divide differences of it */
    double *Y;        /* ny, rising */
    double *gamma;    /* (ny, nr) row-major; infinity where S is printed as 0 or N as 1 and above */
    double *quantum;  /* (ny, nr): unit of the last printed digit of S or N */
    uint32_t *line;   /* (ny, nr): line of the value in the file, from 1 */
    double x0;        /* Y = ln(x0/x) */
    int has_x;        /* 0: a two-column file, the same at every x */
    uint64_t checksum;
    const char *layout;
} dipole_grid;

cgct_status dipole_grid_read(dipole_grid *g, const char *path, int is_S, cgct_err *err);
void dipole_grid_free(dipole_grid *g);

/* Nodes of row iy that are data: from the first clean one at small r to the last one before the
 * freeze. */
cgct_status dipole_grid_usable(const dipole_grid *g, size_t iy, const char *path, size_t *lo,
                               size_t *hi, cgct_err *err);

/* Smooths f(y) over a length in y, in place; *moved: how much S = exp(-exp f) changes at most. */
cgct_status dipole_smooth(size_t n, const long double *y, long double *f, double length,
                          double *moved, cgct_err *err);

/* Quintic spline f(y) through n >= 3 knots, C4, continued linearly beyond them: f'' = f''' = 0 at
 * both ends.  Cell j = number of knots <= y, 0..n: f = f_j + c_0 v + .. + c_4 v^5, v = y - k_j. */
typedef struct {
    double k, f, c[5];
} dipole_cell;

typedef struct {
    size_t n;
    dipole_cell *cell; /* n+1 */
    double *knot;      /* n+1, the last is infinity */
    uint32_t *bucket;  /* cell at the left edge of each bucket of equal width in y */
    double bucket_max; /* number of buckets - 1 */
    double y0, buckets_per_y;
    int crowded; /* a bucket may hold several knots */
} dipole_spline;

/* y, f: n knots; long double keeps the slopes of narrow cells to the last digit of b, c, d. */
cgct_status dipole_spline_init(dipole_spline *s, size_t n, const long double *y,
                               const long double *f, cgct_err *err);
void dipole_spline_free(dipole_spline *s);

struct dipole_source {
    dipole_kind kind;
    dipole_opts o; /* with the defaults filled in; its pointers are not used */
    char *name;    /* "gbw", "mv", or the path */
    char *describe;
    double xmin, xmax;
    dipole_grid grid; /* table */
    size_t *lo, *hi;  /* table: usable nodes of each block */
};

struct dipole {
    dipole_kind kind;
    double Qs2, power, cut, r_min;
    double moved;                   /* table: how much smoothing changes S at most */
    double a;                       /* gbw: Qs^2/4 */
    double Qs0sq, gamma, C, Lambda; /* mv: C = e_c e */
    dipole_spline spline;           /* table: ln Gamma as a function of ln r */
};

void dipole_gbw_lnS(const dipole *d, size_t n, const double *r2, double *out);
void dipole_gbw_diff(const dipole *d, size_t n, const double *x, double *out);

void dipole_mv_lnS(const dipole *d, size_t n, const double *r2, double *out);
void dipole_mv_diff(const dipole *d, double R2, size_t n, const double *x, double *out);

/* Makes d->spline of ln Gamma at rapidity Y: a polynomial in Y through six blocks, knot by knot,
 * each continued beyond its data; sets r_min, cut and moved. */
cgct_status dipole_blocks_at(dipole *d, const dipole_source *src, double Y, cgct_err *err);

cgct_status dipole_table_init(dipole *d, const dipole_source *src, double x, cgct_err *err);
void dipole_table_lnS(const dipole *d, size_t n, const double *r2, double *out);
void dipole_table_diff(const dipole *d, double R2, size_t n, const double *x, double *out);
#endif
