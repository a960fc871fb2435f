/* SPDX-License-Identifier: MIT */
/* cgctab.h: read tables of the CGC DIS dijet cross section.  The one public header of the reader.
 *
 *   I(q,k1,theta; x,eps) for the polarisations T and L, GeV^-6; momenta and eps in GeV,
 *   theta = angle(k1,q) in radian.  Physics prefactors are applied by cgct_dsigma only.
 *
 * The library never prints, never ends the process and has no global or thread-local state.  A
 * table is const once opened, its policy set and prepared: any number of threads may evaluate it.
 * A NULL argument where an object or array is needed gives CGCT_E_USAGE.  Runtime needs libc and
 * libm only.  The same table gives the same bits on every machine and in every thread. */
#ifndef CGCTAB_H
#define CGCTAB_H
#include <stddef.h>

#include "../format/status.h"

#define CGCT_VERSION_MAJOR 1
#define CGCT_VERSION_MINOR 1
#define CGCT_VERSION_PATCH 0

#if defined(__GNUC__)
#define CGCT_API __attribute__((visibility("default")))
#else
#define CGCT_API
#endif
#ifdef __cplusplus
extern "C" {
#endif

enum { CGCT_T = 0, CGCT_L = 1 }; /* index of the polarisation in every value[2] */

typedef struct cgct_table cgct_table;

/* Version of the linked library, "major.minor.patch". */
CGCT_API const char *cgct_version(void);
/* One line for a status; never NULL. */
CGCT_API const char *cgct_strerror(cgct_status status);

/* ---- open and close ---- */

/* Reads the whole table and checks every size, checksum and number in it.  An unpacked table is
 * mapped into memory instead, and each of its nodes checked the first time that it is evaluated
 * (then CGCT_E_CHECKSUM).  A name without '/' that does not exist here is looked up along the
 * colon list of the environment variable CGCTAB_DATA_PATH.  Of a file with several members (the
 * metadata name them: "members") path@NAME opens one.  *table is NULL after a failure.
 * Returns OK, E_USAGE, E_IO, E_FORMAT, E_VERSION, E_CHECKSUM, E_NOMEM, E_RANGE (no such member). */
CGCT_API cgct_status cgct_open(const char *path, cgct_table **table, cgct_err *err);
/* The same without the nodes: header, metadata, axes and index only.  Evaluation gives E_USAGE. */
CGCT_API cgct_status cgct_open_index(const char *path, cgct_table **table, cgct_err *err);
CGCT_API void cgct_close(cgct_table *table); /* accepts NULL */

/* Writes the table unpacked: larger, opened by mapping, no zstd needed.  The file appears under
 * its name only when complete.  Values are those of the table itself, bit by bit. */
CGCT_API cgct_status cgct_unpack(const cgct_table *table, const char *path, cgct_err *err);

/* Outside the grid: refuse with E_RANGE, or take the nearest end of each axis.  The
 * default is to refuse.  Set it before threads share the table. */
typedef enum { CGCT_POLICY_ERROR = 0, CGCT_POLICY_FREEZE = 1 } cgct_policy;
CGCT_API cgct_status cgct_set_policy(cgct_table *table, cgct_policy policy);

/* Prepares a table for random points: stores the differences of its numbers along each axis, so
 * that cgct_eval, cgct_eval_many and cgct_dsigma read only the 16 corners of a cell and not all
 * nodes around it.  This halves the time of points that differ in x and eps.
 * Cost: 1.3 times the memory of the table in addition (2 times where points have few modes), and
 * about a second for a table of 170 MB.
 * Accuracy: values at nodes do not change.  Between nodes they change by about 1e-6 of the largest
 * value at any angle there; where polynomials have more than four nodes, also by a part of what the
 * further nodes contribute: 3 to 6% of that of the fifth and sixth for even steps, up to a half of
 * that of the fifth alone or for uneven steps.  Near flags and in noise nothing changes, nor for
 * tables without rounding or with another rule than "cross" (FORMAT.md section 5).
 * Call it before threads share the table; a second call does nothing.
 * Returns OK, E_USAGE, E_NOMEM, E_CHECKSUM; after a failure the table is as before. */
CGCT_API cgct_status cgct_prepare(cgct_table *table, cgct_err *err);

/* ---- what the file says of itself; strings belong to the table ---- */

CGCT_API const char *cgct_meta(const cgct_table *table, const char *key); /* NULL: no such key */
CGCT_API size_t cgct_meta_count(const cgct_table *table);
/* In the order of the file. */
CGCT_API const char *cgct_meta_key(const cgct_table *table, size_t i);

typedef enum { CGCT_AXIS_X, CGCT_AXIS_EPS, CGCT_AXIS_Q, CGCT_AXIS_K } cgct_axis;
/* Rising values, *n of them (n may be NULL); NULL for a NULL table or an unknown axis. */
CGCT_API const double *cgct_axis_values(const cgct_table *table, cgct_axis axis, size_t *n);

typedef struct {
    int format_major, format_minor, data_version;
    int fold;                    /* 1: the modes are those of J = I k2^p/(k1^p + k2^p) */
    double fold_power;           /* p, 0 where fold = 0 */
    int split;                   /* FORMAT.md section 5: 0 product, 1 split, 2 cross */
    int unpacked;                /* 1: mapped records */
    cgct_policy policy;          /* in force now */
    int order[4];                /* nodes of the local polynomials in ln x, ln eps, ln q, ln k */
    size_t modes_max;            /* largest number of modes of a node */
    size_t flagged;              /* scales that are not I_0 (FORMAT.md 3.6) */
    unsigned long long checksum; /* of the header, and through it of all that the file holds */
    double file_bytes, stored_bytes, raw_bytes; /* file; all nodes as stored; all nodes decoded */
} cgct_info;
CGCT_API cgct_status cgct_table_info(const cgct_table *table, cgct_info *info);
CGCT_API const char *cgct_table_path(const cgct_table *table); /* where it was found */

/* Reads one node again and checks its checksums, sizes and numbers (a table of cgct_open_index
 * will do).  modes: how many it has, or NULL.  Returns as cgct_open. */
CGCT_API cgct_status cgct_verify_node(const cgct_table *table, size_t ix, size_t ieps,
                                      size_t *modes, cgct_err *err);

/* ---- nodes as they are stored ---- */

typedef struct {
    size_t modes;
    double stored_bytes, raw_bytes; /* in the file; decoded */
} cgct_node_info;
CGCT_API cgct_status cgct_node_sizes(const cgct_table *table, size_t ix, size_t ieps,
                                     cgct_node_info *info);
/* Reads the bytes of a node and compares their checksum; decodes nothing. */
CGCT_API cgct_status cgct_node_checksum(const cgct_table *table, size_t ix, size_t ieps,
                                        cgct_err *err);

/* All numbers of a node, polarisation slowest; of I, or of J in a folded table.  GeV^-6. */
typedef struct {
    size_t nq, nk, nm;
    double *modes;       /* (2, nq, nk, nm) */
    double *error;       /* (2, nq, nk): bound on the error of I (of J) at any angle */
    unsigned char *flag; /* (2, nq, nk): 1 where the scale is not I_0 (FORMAT.md 3.6) */
} cgct_node_data;
/* Needs cgct_node_free after success.  A packed table of cgct_open_index will do; an unpacked one
 * must come from cgct_open (else E_USAGE).  Returns as cgct_open. */
CGCT_API cgct_status cgct_node_read(const cgct_table *table, size_t ix, size_t ieps,
                                    cgct_node_data *data, cgct_err *err);
CGCT_API void cgct_node_free(cgct_node_data *data); /* accepts NULL */

/* ---- evaluate ---- */

/* x, eps, q, k1 > 0 and finite, theta finite: else E_DOMAIN.  Outside the grid E_RANGE, unless the
 * policy is to freeze; a folded table reaches as far as the shorter of k1 and k2 = |q - k1|, and
 * down to 0.  After a failure the outputs are NaN.
 * Accuracy: at nodes what the file stores, to rounding (unpacked or rounded tables: to single
 * precision of the modes over I_0); between nodes FORMAT.md section 5, or as cgct_prepare says. */
CGCT_API cgct_status cgct_eval(const cgct_table *table, double x, double eps, double q, double k1,
                               double theta, double value[2]);
/* n points, each argument an array of n; values (n, 2) row-major.  Points that fail give NaN and
 * do not stop the others; returns the status of the first of them and its index in *first (n:
 * none; first may be NULL).  Fastest where points with the same x and eps are neighbours. */
CGCT_API cgct_status cgct_eval_many(const cgct_table *table, size_t n, const double *x,
                                    const double *eps, const double *q, const double *k1,
                                    const double *theta, double *values, size_t *first);
/* The stored bound on |error of I|, GeV^-6: exact at nodes; between them the largest relative
 * bound of the surrounding nodes.  The error of interpolation is not part of it; the metadata
 * interpolation.* tell what was found for that. */
CGCT_API cgct_status cgct_eval_error(const cgct_table *table, double x, double eps, double q,
                                     double k1, double theta, double error[2]);
/* Stored modes at (q,k): modes (2, capacity) row-major gets m = 0..capacity-1, zeros beyond the
 * last; *nm (may be NULL) how many there can be, a few zeros included.  They are those of I, or of
 * J in a folded table.  capacity 0 with modes NULL only asks for *nm. */
CGCT_API cgct_status cgct_modes(const cgct_table *table, double x, double eps, double q, double k,
                                size_t capacity, double *modes, size_t *nm);
/* The status that cgct_eval gives there, and in err the argument at fault with its range. */
CGCT_API cgct_status cgct_check(const cgct_table *table, double x, double eps, double q, double k1,
                                double theta, cgct_err *err);

/* ---- slice: x and eps blended once, for many (q, k1, theta) ---- */

/* The table must outlive the slice.  Values equal those of cgct_eval (unprepared) to rounding in a
 * lossless table; else to single precision, some 1e-6 of the largest value at any angle there. */
typedef struct cgct_slice cgct_slice;
CGCT_API cgct_status cgct_slice_init(cgct_slice **slice, const cgct_table *table, double x,
                                     double eps, cgct_err *err);
CGCT_API cgct_status cgct_slice_eval(const cgct_slice *slice, double q, double k1, double theta,
                                     double value[2]);
/* As cgct_eval_many. */
CGCT_API cgct_status cgct_slice_many(const cgct_slice *slice, size_t n, const double *q,
                                     const double *k1, const double *theta, double *values,
                                     size_t *first);
/* n angles at one (q,k1); values (n, 2).  Equal to cgct_slice_eval to rounding, beside points with
 * a flag to single precision. */
CGCT_API cgct_status cgct_slice_angles(const cgct_slice *slice, double q, double k1, size_t n,
                                       const double *theta, double *values);
CGCT_API void cgct_slice_free(cgct_slice *slice); /* accepts NULL */

/* ---- cross section ---- */

/*   dsigma_T = 2 Nc alpha_em e_q^2 S_perp/(2 pi)^6 [z^2 + (1-z)^2] eps^2 I_T
 *   dsigma_L = 2 Nc alpha_em e_q^2 S_perp/(2 pi)^6 4 Q^2 z^2 (1-z)^2   I_L
 * for the measure dz d2k1 d2k2, q = k1 + k2, eps^2 = z(1-z) Q^2, Nc = 3: GeV^-6. */
typedef struct {
    double alpha_em; /* > 0, for instance 1/137.036 */
    double e_q2;     /* > 0: squared charge in units of e^2, summed over flavours by the caller */
    double S_perp;   /* > 0: transverse area of the target, GeV^-2 */
    double z, Q2;    /* 0 < z < 1; virtuality > 0, GeV^2 */
} cgct_dis;
/* eps in GeV and the factors of I_T, I_L above, GeV^0; E_DOMAIN outside the ranges just named. */
CGCT_API cgct_status cgct_dis_factors(const cgct_dis *dis, double *eps, double factor[2]);
/* Returns as cgct_eval. */
CGCT_API cgct_status cgct_dsigma(const cgct_table *table, const cgct_dis *dis, double x, double q,
                                 double k1, double theta, double dsigma[2]);

/* ---- sample ---- */

/* Draws events from factor[T] I_T + factor[L] I_L of a slice over the measure d2q d2k1, in the
 * range of its axes (folded: the shorter of k1 and k2 below the end of the k axis, down to 0). */
typedef struct cgct_sampler cgct_sampler;
typedef struct {
    double q, k1;  /* GeV */
    double theta;  /* angle(k1,q) in (-pi,pi] */
    double weight; /* density over that which was sampled: 1 but for the shape within a cell */
} cgct_event;
/* factor >= 0, not both 0, as of cgct_dis_factors: else E_DOMAIN.  The slice must outlive the
 * sampler.  Where I_0 is dominated by its error and negative, it counts as 0. */
CGCT_API cgct_status cgct_sampler_init(cgct_sampler **sampler, const cgct_slice *slice,
                                       const double factor[2], cgct_err *err);
/* u: five independent numbers, uniform in [0,1). */
CGCT_API cgct_status cgct_sample(const cgct_sampler *sampler, const double u[5], cgct_event *event);
/* n events from u (n, 5), row-major, faster from five on: those of cgct_sample to rounding.
 * Events whose u are out of range are NaN and do not stop the others; returns the status of the
 * first of them and its index in *first (n: none; first may be NULL). */
CGCT_API cgct_status cgct_sample_many(const cgct_sampler *sampler, size_t n, const double *u,
                                      cgct_event *events, size_t *first);
/* Int d2q d2k1 of the density over that range, GeV^-2 times the factors; NaN for NULL. */
CGCT_API double cgct_sampler_total(const cgct_sampler *sampler);
CGCT_API void cgct_sampler_free(cgct_sampler *sampler); /* accepts NULL */

#ifdef __cplusplus
}
#endif
#endif
