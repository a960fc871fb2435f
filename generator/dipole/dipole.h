/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole.h: L(r) = ln S(r), the logarithm of the dipole S-matrix at one x, and its differences
 * without cancellation.
 *
 * All functions take r^2 (GeV^-2), because callers form squared lengths.  A `dipole` is one x of a
 * `dipole_source`; both are const once opened, and threads may share them. */
#ifndef CGCT_DIPOLE_H
#define CGCT_DIPOLE_H
#include <stddef.h>

#include "dipole/bk.h"
#include "format/error.h"

typedef enum { DIPOLE_GBW, DIPOLE_MV, DIPOLE_TABLE, DIPOLE_BK } dipole_kind;

/* What the dijet's correlator S4(r,r',b) is multiplied by: 1 for a photon, S(|b|) where a quark
 * splits into quark and gluon, S(|b|) S(|Delta+b|) where a gluon splits into two (METHOD.md 12). */
typedef enum { PROCESS_DIS, PROCESS_QG, PROCESS_GG } dipole_process;
/* Of PROCESS_GG: what a table of a proton's dijets needs of two gluons and of quark and antiquark,
 * in the place of T and L (inner/separable_gamma.c).  PAIRS: S4 + S(r) S(r') in the place of S4
 * with the transverse waves, and 1 in the place of S4 with them.  FIELD: S(Delta) and 1 in the
 * place of the integral over r'. */
typedef enum { PARTS_NONE, PARTS_PAIRS, PARTS_FIELD_GG, PARTS_FIELD_QQB } dipole_forward_parts;

/* What the user chooses; numbers that are all 0 mean the defaults (gbw: 1 GeV, 3.04e-4, 0.288). */
typedef struct {
    dipole_kind kind;
    double Q0, x0, lambda; /* gbw: Qs^2 = Q0^2 (x0/x)^lambda.  x0 of files: see dipole_x0 */
    /* mv, and bk at x_initial: N = 1 - exp{-(r^2 Qs0sq)^gamma/4 ln[1/(r Lambda) + ec e]} */
    double Qs0sq, gamma, ec, Lambda;
    const char *set;  /* mv: "mv", "mve", "mvgamma" or NULL; bk: a name of bk_set_named; explicit
                         numbers override it */
    bk_opts bk;       /* bk: all but its initial condition and Ymax */
    double x_initial; /* bk: where the evolution begins; 0: 0.01 */
    double xmin;      /* bk: smallest x that is solved for; 0: x_initial e^-7 */
    const char *path; /* table file */
    int is_S;         /* two-column files: second column is S, not N */
    double smooth;    /* files: length in ln r over which ln(-ln S) is smoothed; 0: none */
    /* bk: a table file whose dipole at x_initial is evolved, in place of set, Qs0sq, gamma and ec;
     * NULL: none.  C2 must be given then. */
    const char *initial;
    double half_sigma0; /* bk: sigma0/2 (mb), half the area of the proton; 0: of the set */
    int nucleus;        /* bk: mass number A; 0 and 1: the proton */
    double b;           /* bk: impact parameter of a nucleus (fm) */
    int impacts; /* bk: integrate a nucleus over b with so many nodes, see dipole_impacts; 0: no */
    unsigned shake; /* files: change number 1, 2, .. within their noise; 0: none */
    double Nc;      /* number of colours in the correlators made of S, >= 2; 0: infinitely many */
    int singlet;    /* whether of the dijet's correlator only the colour-singlet part is meant */
    dipole_process process; /* not PROCESS_DIS: for infinitely many colours alone */
    dipole_forward_parts forward_parts;
} dipole_opts;

typedef struct dipole_source dipole_source; /* table, model or solution, for all its x */
typedef struct dipole dipole;               /* one x of it */

/* Where the rapidity Y = ln(x0/x) of a table file counts from, in this order of precedence: of
 * opts.x0, of the header of the rcBK layout, of a comment, or 1. */
typedef enum { DIPOLE_X0_NONE, DIPOLE_X0_CARD, DIPOLE_X0_FILE, DIPOLE_X0_ASSUMED } dipole_x0_from;
typedef struct {
    dipole_x0_from from;
    double value;
    char *text; /* "x0 = 0.01, from line 1 of FILE", for the user */
} dipole_x0;

/* A nucleus (opts.nucleus >= 2) integrated over its impact parameter, with 1 <= opts.impacts <= 64
 * nodes; opts.b is unused.  With six, Int d2b T_A over the disc is exact to 3e-7 for A > 30.  The
 * cross section is I times the transverse area, and I is that of one b:
 *     Int d2b I(b) = Sum_{i<n} weight[i] I_i,   I_i of source[i].
 * The first n - 1 sources are the nucleus at the nodes b[i] of a Gauss-Legendre rule in b^2 over
 * the disc where its saturation scale exceeds the proton's.  The last one is the proton, b[n-1] is
 * the edge of the disc, and its weight is (sigma0/2) A Int T_A d2b beyond the edge, for the scaled
 * proton counts there.
 * node_compute adds the I_i of a source with opts.impacts in this way, and a table stores the area
 * as S_perp.  Bounds of errors add with the same weights.  Each source has its own Qs and its own
 * knots: grids chosen from the dipole differ between sources, so that inner tables cannot be added.
 * All sources have the same range of x; each is a solution of its own. */
typedef struct {
    size_t n;
    dipole_source **source;
    double *b, *weight; /* fm; GeV^-2 */
} dipole_impacts;

/* Other folders read the first part alone. */
struct dipole_source {
    dipole_kind kind;
    dipole_opts o; /* with the defaults filled in; its pointers are not used */
    char *name;    /* "gbw", "mv", "bk", or the path */
    /* A line each for metadata: kind and parameters, for tables checksum, x range, cut and power,
     * for a nucleus its thickness; and how well it is known numerically, of a solution the
     * difference of two resolutions, of a file its digits and its noise. */
    char *describe, *accuracy;
    /* About such noise, for the user; NULL: none, or as much smoothing as it needs. */
    char *warning;
    double xmin, xmax; /* the allowed x, ends included; 0 and 1 for models and tables of one x */
    double x_second;   /* table of several x: the second largest; else 0 */
    int depends_on_x;  /* 0: mv, gbw with lambda = 0, tables of one x */
    /* Of a table file, or of the one that an evolution begins with; from NONE where there is no
     * file or its dipole is the same at every x. */
    const dipole_x0 *x0;
    double Nc; /* number of colours in the correlators that are made of S: o.Nc, or infinity */
    /* The transverse area (GeV^-2) that multiplies I: of a nucleus integrated over its impact
     * parameter the sum of its weights, of an evolved proton sigma0/2 of its set or as given; 0:
     * not known. */
    double area;

    struct dipole_grid *grid;   /* table */
    struct dipole_noise *noise; /* of it */
    size_t *lo, *hi;            /* table: the first and last usable node of each block */
    bk_solution *bk;            /* bk: for all x down to xmin */
    const bk_solution *shown;   /* bk: whose dipoles it has, bk or one that it borrows */
    dipole_source *table; /* bk: the file of the initial condition, and its dipole at x_initial */
    dipole *start;
    dipole_impacts impacts; /* of a nucleus integrated over b; else of no sources */
    double thickness; /* bk: A T_A(b) sigma0/2, 1 for the proton; where it is below 1 the dipole is
                         the proton's, and cross sections count times the thickness */
};

/* Two dipoles with the same origin are the same, as long as the source exists. */
typedef struct {
    const dipole_source *src;
    double x;
} dipole_origin;

struct dipole {
    dipole_kind kind;
    dipole_origin origin; /* the source may be closed before the dipole is freed */
    dipole_opts o;        /* as in the source */
    double Qs2;           /* GeV^2, S(r^2 = 2/Qs2) = exp(-1/2): the scale of grids */
    double power;         /* p of -L ~ r^p at large r; 2 for gbw */
    double Nc;            /* as in the source */
    int singlet;
    dipole_process process;
    dipole_forward_parts forward_parts;
    /* ln Gamma as a function of ln r, whose fifth derivative jumps at knots; NULL for gbw, mv. */
    struct dipole_spline *spline;

    double r_min, cut; /* 1/GeV: first and last node of a table or solution; 0, infinite without */
    double moved;      /* table: the largest change of S by smoothing */
};

static inline int dipole_is_field(const dipole *d)
{
    return d->forward_parts == PARTS_FIELD_GG || d->forward_parts == PARTS_FIELD_QQB;
}

/* Reads and checks a table, completes the parameters of a model, or solves the evolution equation
 * down to xmin.  Returns OK, E_CONFIG, E_IO, E_FORMAT, E_DOMAIN, E_ACCURACY. */
cgct_status dipole_source_open(dipole_source **src, const dipole_opts *o, cgct_err *err);
void dipole_source_close(dipole_source *src);

/* The sources of whose cross sections that of src is the mean, I = Sum_i share_i I_i: for a nucleus
 * integrated over its impact parameter those of dipole_impacts, share_i = weight_i/area; for others
 * src itself, with share 1. */
size_t dipole_source_parts(const dipole_source *src);
const dipole_source *dipole_source_part(const dipole_source *src, size_t i, double *share);

/* Returns OK, E_CONFIG (src is integrated over b and has no dipole of its own), E_RANGE (x
 * outside), E_FORMAT (the table has a jump or a kink there), E_DOMAIN. */
cgct_status dipole_init(dipole **d, const dipole_source *src, double x, cgct_err *err);
void dipole_free(dipole *d);

/* out[i] = L(sqrt(r2[i])), r2 >= 0, L(0) = 0, to a relative accuracy of 1e-14.  Vectorised. */
void dipole_lnS(const dipole *d, size_t n, const double *r2, double *out);
double dipole_lnS_at(const dipole *d, double r2);
/* The r up to `most` where -L reaches this exponent, to 2^-60 of `most`. */
double dipole_radius(const dipole *d, double exponent, double most);
/* out[i] = L(sqrt(R2 + x[i])) - L(sqrt(R2)), R2 + x[i] >= 0, to 1e-13 of the difference however
 * small x/R2 is, besides the effect of a rounding of 4e-16 R2 in x.  Vectorised. */
void dipole_diff(const dipole *d, double R2, size_t n, const double *x, double *out);

/* Gamma = -L and its derivatives in ln r, first = r Gamma', second = r (r Gamma')', at r[n] > 0, to
 * some units of rounding of Gamma (table: of the spline's second derivative). */
void dipole_gamma(const dipole *d, size_t n, const double *r, double *gamma, double *first,
                  double *second);
/* The next r beyond this one where the fifth derivative of L jumps; infinity where there is
 * none. */
double dipole_next_knot(const dipole *d, double r);

/* Dipoles that differ from a source by about its numerical error: of a solution of the BK equation
 * the one of coarser resolution, of a file with noise that shows in I (and of a solution that
 * begins with such a file) two that are changed at random within their noise.  Where any quantity
 * changes by d_i with change number i, a bound on its error is
 *     sqrt(Sum_i (weight[i] d_i)^2).
 * Not seen: errors that both resolutions share, errors of a file that vary slowly from node to
 * node, the spacing and the end of a file. */
enum { DIPOLE_CHANGES = 3 };
typedef struct {
    size_t n; /* 0 for gbw, mv, and files without noise that shows */
    dipole_source *source[DIPOLE_CHANGES];
    double weight[DIPOLE_CHANGES];
} dipole_changes;

/* They borrow from src, which must live as long.  A file is read again; a solution that begins with
 * a file that has noise is solved again, twice.  Errors of dipole_source_open. */
cgct_status dipole_changes_open(dipole_changes *c, const dipole_source *src, cgct_err *err);
void dipole_changes_close(dipole_changes *c);

/* The dipoles of one table: a single one, or the members of an ensemble. */
typedef struct {
    size_t n;
    dipole_source **source;
    dipole_changes *changes; /* (n) */
    char *names;             /* separated by blanks; NULL for a single dipole */
    char *list;              /* "NAME KEYS" of each, separated by tabs; NULL likewise */
    size_t ncomparison;
    char *comparison; /* names of those that take no part in the uncertainty; NULL for none */
    char *describe, *accuracy; /* one line for all */
    char *x0;                  /* the texts of dipole_x0, alike ones once; NULL for none */
    int x0_assumed;            /* whether one of them is assumed */
    char *S_perp; /* transverse areas in GeV^-2, separated by blanks; 0 where none is stated */
} dipole_ensemble;
#endif
