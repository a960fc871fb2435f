/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole_impl.h: the internals that the sources of this folder share; other folders include
 * dipole.h. */
#ifndef CGCT_DIPOLE_IMPL_H
#define CGCT_DIPOLE_IMPL_H
#include <stdint.h>
#include <stdio.h>

#include "dipole/dipole.h"

/* Points in one block of a loop, few enough for the scratch to stay in the first-level cache. */
#define DIPOLE_BLOCK 256

/* A table file as it was read: Gamma = -ln S on a common grid in r, one row (block) per
 * rapidity. */
typedef struct dipole_grid {
    size_t nr, ny;
    long double *lnr; /* nr, rising; long double, because slopes divide its differences */
    double *Y;        /* ny, rising */
    double *gamma;    /* (ny, nr) row-major; infinity where S is printed as 0 or N as 1 and above */
    double *quantum;  /* (ny, nr): unit of the last printed digit of S or N */
    uint32_t *line;   /* (ny, nr): line of the value in the file, from 1 */
    void *arrays;     /* holds all of these */
    dipole_x0 x0;     /* Y = ln(x0/x) */
    int has_x;        /* 0: a two-column file, the same at every x */
    uint64_t checksum;
    const char *layout;
} dipole_grid;

/* Reads a file in one of the layouts of file.c; *g is 0 before; x0 = 0: as the file says.  After a
 * failure, too, g->arrays and g->x0.text are to be freed.  Returns OK, E_IO, E_FORMAT, E_CONFIG. */
cgct_status dipole_grid_read(dipole_grid *g, const char *path, int is_S, double x0, cgct_err *err);

/* The nodes *lo..*hi of row iy that are data: from the first clean one at small r to the last one
 * before Gamma is frozen (usable.c).  Returns OK, E_FORMAT. */
cgct_status dipole_grid_usable(const dipole_grid *g, size_t iy, const char *path, size_t *lo,
                               size_t *hi, cgct_err *err);

/* Smooths f(y) in place over a length in y (table.c); *moved: the largest change of S = exp(-exp
 * f). Returns OK, E_DOMAIN. */
cgct_status dipole_smooth(size_t n, const long double *y, long double *f, double length,
                          double *moved, cgct_err *err);

/* A quintic spline f(y) through n >= 3 knots with four continuous derivatives, f'' = f''' = 0 at
 * both ends and a straight continuation beyond them.  In cell j, the number of knots <= y, 0..n,
 *   f = f_j + c_0 v + .. + c_4 v^5,  v = y - k_j. */
typedef struct {
    double k, f, c[5];
} dipole_cell;

typedef struct dipole_spline {
    size_t n;
    dipole_cell *cell;  /* n+1 */
    dipole_cell *upper; /* n: the same with k the next knot */
    double *knot;       /* n+1, the last is infinity */
    uint32_t *bucket;   /* the cell at the left edge of each bucket of equal width in y */
    void *arrays;       /* holds all of these */
    double bucket_max;  /* number of buckets - 1 */
    double y0, buckets_per_y;
    int crowded; /* a bucket may hold several knots */
} dipole_spline;

/* y, f: n knots, in long double for the slopes of narrow cells.  s->arrays is to be freed. */
void dipole_spline_init(dipole_spline *s, size_t n, const long double *y, const long double *f);
/* f, f' and f'' at y. */
void dipole_spline_jet(const dipole_spline *s, double y, double *f, double *slope, double *bend);
/* The next knot above y; infinity beyond the last. */
double dipole_spline_next(const dipole_spline *s, double y);
/* dipole_lnS and dipole_diff where f = ln Gamma and y = ln r. */
void dipole_spline_lnS(const dipole_spline *s, size_t n, const double *r2, double *out);
void dipole_spline_diff(const dipole_spline *s, double R2, size_t n, const double *x, double *out);

/* Larger noise of N shows in I. */
#define DIPOLE_NOISE_SHOWS 1e-10

/* The noise of a table: the rms error of N, where N is 0.05 to 0.95, of its middle and of its worst
 * rapidity. */
typedef struct dipole_noise {
    double typical, worst, worst_Y;
    int digits;    /* significant digits of the printed values */
    double smooth; /* dipole_opts.smooth that suits the noise; 0: best none */
} dipole_noise;

/* sigma[n]: the noise of f[n] at the nodes y[n], n >= 8; scratch[n] (noise.c). */
void dipole_noise_nodes(size_t n, const long double *y, const long double *f, double *sigma,
                        double *scratch);
/* Fills s->noise and s->warning from s->grid, and with s->o.shake changes the grid. */
void dipole_noise_measure(dipole_source *s);
/* "6 digits, noise of N 3.0e-07" */
void dipole_noise_describe(const dipole_noise *n, FILE *to);

/* The models (models.c): defaults for the options that are 0, with their checks (E_CONFIG); values
 * and differences of mv. */
cgct_status dipole_gbw_defaults(dipole_opts *o, cgct_err *err);
cgct_status dipole_mv_defaults(dipole_opts *o, cgct_err *err);
void dipole_mv_gamma(const dipole *d, double r, double *gamma, double *first, double *second);
void dipole_mv_lnS(const dipole *d, size_t n, const double *r2, double *out);
void dipole_mv_diff(const dipole *d, double R2, size_t n, const double *x, double *out);

/* sigma0/2 (mb) as given or of the set; 0 where it is not known. */
double dipole_bk_half_sigma0(const dipole_opts *o);

/* A nucleus integrated over b, from the options (nucleus.c): impacts, area and the range of x. */
cgct_status dipole_impacts_open(dipole_source *s, cgct_err *err);

/* A solution of the BK equation (bk.c): solves it and sets the range in x; spline, power and cut at
 * x; the line `describe`. */
cgct_status dipole_bk_open(dipole_source *s, cgct_err *err);
cgct_status dipole_bk_init(dipole *d, const dipole_source *src, double x, cgct_err *err);
void dipole_bk_describe(const dipole_source *s, FILE *to);
/* The line `accuracy`. */
void dipole_bk_describe_accuracy(const dipole_source *s, FILE *to);

/* Continues f on n knots y below knot lo, as a power of r, and above knot hi, with a curvature that
 * decays (table.c); dipole_tail_step apart for DIPOLE_TAIL_KNOTS knots above hi. */
enum { DIPOLE_TAIL_KNOTS = 64 };
static const long double dipole_tail_step = 0.0625L;
void dipole_continue(size_t n, const long double *y, size_t lo, size_t hi, long double *f);

/* Interpolates a table to x: spline, power, cut, r_min, moved (table.c). */
cgct_status dipole_table_init(dipole *d, const dipole_source *src, double x, cgct_err *err);

/* t = x/R^2 from inv = 1/R^2, but above -1, so that ln(1 + t) exists; callers treat R^2 + x = 0
 * apart. */
static inline double dipole_relative(double x, double inv)
{
    double t = x * inv;
    return t < -1.0 + 0x1p-53 ? -1.0 + 0x1p-53 : t;
}
#endif
