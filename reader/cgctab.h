/* SPDX-License-Identifier: MIT */
/* cgctab.h: read tables of the CGC DIS dijet cross section.  The one public header of the reader.
 *
 *   I(q,k1,theta; x,eps) for the polarisations T and L, GeV^-6; momenta and eps in GeV,
 *   theta = angle(k1,q) in radian.  Physics prefactors are applied by cgct_dsigma only.
 *
 * The library never prints, never ends the process and has no global or thread-local state.  A
 * table is const once it is opened and its policies are set: any number of threads may evaluate it.
 * A NULL argument where an object or array is needed gives CGCT_E_USAGE.  The library needs only
 * libc and libm.  The same table gives the same values on every machine, to 1e-13 of the largest
 * value at any angle, also where reader or program are compiled with -ffast-math.  No call raises
 * an exception for an invalid operation, a division by zero or an overflow, where the table is one
 * that the generator has written. */
#ifndef CGCTAB_H
#define CGCTAB_H
#include <stddef.h>

#include "../format/status.h"

#define CGCT_VERSION_MAJOR 2
#define CGCT_VERSION_MINOR 0
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

/* Reads the whole file and checks every size and checksum.  The numbers of a segment, which is one
 * panel in x and one in eps, are unpacked by the first call that needs them: it takes up to 0.2 s
 * more, and may return E_FORMAT or E_NOMEM.  A name without '/' that is no file here is searched
 * for, as it is and with .cgct behind it, in the folders of the environment variable
 * CGCTAB_DATA_PATH, which are separated by colons, and then in that of the installed tables; the
 * first hit is opened.  path@NAME or path@17 selects a member of a file with
 * several (members count from 0), path alone the first one.  *table is NULL after a failure.
 * Returns OK, E_USAGE, E_IO, E_FORMAT, E_VERSION, E_CHECKSUM, E_NOMEM, E_RANGE (no such member),
 * E_ACCURACY (the reader was compiled with flags under which it computes wrong numbers). */
CGCT_API cgct_status cgct_open(const char *path, cgct_table **table, cgct_err *err);
/* The same from the n bytes of a file, which are copied: they may change or go once the call has
 * returned.  member is a name, or a number in digits, as behind '@' above; NULL: the first member.
 * Messages and cgct_table_path call it "memory". */
CGCT_API cgct_status cgct_open_memory(const void *bytes, size_t n, const char *member,
                                      cgct_table **table, cgct_err *err);
/* Another member of an open table, by name or number as behind '@', with that table's policies.  It
 * takes nearly no memory and time: what the file holds is shared.  Close it before that table.
 * Returns OK, E_USAGE, E_RANGE (no such member), E_NOMEM. */
CGCT_API cgct_status cgct_open_member(const cgct_table *from, const char *member,
                                      cgct_table **table, cgct_err *err);
/* Unpacks all that no call has needed yet, and checks it.  For programs that want no delay later,
 * with many threads for instance, each of which unpacks on its own what it finds packed; or that do
 * not trust the file.  Returns OK, E_USAGE, E_FORMAT, E_NOMEM. */
CGCT_API cgct_status cgct_load(const cgct_table *table, cgct_err *err);
CGCT_API void cgct_close(cgct_table *table); /* accepts NULL */
/* The folder of the installed tables; NULL where the library was built without one. */
CGCT_API const char *cgct_data_folder(void);

/* Outside the table's range: refuse with E_RANGE, or take the nearest end of each range.  Below the
 * smallest eps, down to 1e-20 of it, eps^2 I_T and I_L are those at the end: this is what massless
 * quarks need, whose cross section stays finite for Q^2 -> 0.  Above the largest eps I would fall
 * with powers of it: what is frozen there makes no cross section.  The bounds are those of the
 * edge, too, and do not tell how good it is out there.  Of the momenta the shorter of k1 and k2 is
 * set to k_max at its own angle to q.  The default is to refuse.  Set it before threads share the
 * table. */
typedef enum { CGCT_POLICY_ERROR = 0, CGCT_POLICY_FREEZE = 1 } cgct_policy;
CGCT_API cgct_status cgct_set_policy(cgct_table *table, cgct_policy policy);

/* I may come out negative.  By no more than its bound, where it is small compared with its mean
 * over the angle: the default is to return 0 there.  By more, where the dipole itself gives no
 * positive cross section, as one with an anomalous dimension above 1 at large q: the default is
 * E_NEGATIVE.  CGCT_NEGATIVE_KEEP returns the negative number in both cases. */
typedef enum { CGCT_NEGATIVE_ZERO = 0, CGCT_NEGATIVE_KEEP = 1 } cgct_negative;
CGCT_API cgct_status cgct_set_negative(cgct_table *table, cgct_negative negative);

/* ---- metadata and axes; strings belong to the table ---- */

CGCT_API const char *cgct_meta(const cgct_table *table, const char *key); /* NULL: no such key */
CGCT_API size_t cgct_meta_count(const cgct_table *table);
/* In the order of the file. */
CGCT_API const char *cgct_meta_key(const cgct_table *table, size_t i);

/* Nodes in x, eps and q, rising, *n of them (n may be NULL); NULL for a NULL table or an unknown
 * axis.  An axis of one node may span a range (cgct_info): nothing depends on it. */
typedef enum { CGCT_AXIS_X, CGCT_AXIS_EPS, CGCT_AXIS_Q } cgct_axis;
CGCT_API const double *cgct_axis_values(const cgct_table *table, cgct_axis axis, size_t *n);

typedef struct {
    int format_major, format_minor, data_version;
    cgct_policy policy; /* in force now */
    cgct_negative negative;
    double x[2], eps[2], q[2];       /* first and last value; GeV */
    double k_max;                    /* GeV: largest value of the shorter of k1 and k2 */
    double k0;                       /* GeV: FORMAT.md section 5 */
    double x_from;                   /* polynomials in x are in ln ln(x_from/x); 0: in ln x */
    int order[4];                    /* nodes of the local polynomials in x, eps, q, v */
    size_t nq, nk_lower, nk_upper;   /* nodes in q, and at each of them in k below and above q/2 */
    size_t modes;                    /* largest number of coefficients of a point */
    size_t members, member;          /* number of members; the one that is evaluated */
    size_t segments, rank;           /* of the nodes; largest rank of one */
    double file_bytes, memory_bytes; /* memory: what is taken now, with most of what is shared */
    unsigned long long checksum;     /* of the file's checksums in order */
} cgct_info;
CGCT_API cgct_status cgct_table_info(const cgct_table *table, cgct_info *info);
CGCT_API const char *cgct_table_path(const cgct_table *table); /* where it was found */

/* Momenta of the table's nodes: the k of node i in q and node j = 0..nk_lower+nk_upper-1, GeV;
 * those below q/2 come first, k = 0 among them.  NaN out of range. */
CGCT_API double cgct_node_k(const cgct_table *table, size_t i, size_t j);

/* Name of a member, NULL beyond the last; "" where a table has one member without a name. */
CGCT_API const char *cgct_member_name(const cgct_table *table, size_t member);
/* Transverse area of a member in GeV^-2 from the metadata; NaN where the file does not state it. */
CGCT_API double cgct_member_S_perp(const cgct_table *table, size_t member);

/* ---- evaluate ---- */

/* x, eps, q, k1 > 0 and finite (k1 = 0 is allowed), theta finite: else E_DOMAIN.  Outside the table
 * E_RANGE, unless the policy is to freeze; E_NEGATIVE where I is negative by more than its bound,
 * unless such numbers are kept.  After a failure the outputs are NaN. */
CGCT_API cgct_status cgct_eval(const cgct_table *table, double x, double eps, double q, double k1,
                               double theta, double value[2]);
/* n points, each argument an array of n; values (n, 2) row-major.  Points that fail give NaN and
 * do not stop the others; returns the status of the first of them and its index in *first (n:
 * none; first may be NULL).  Fastest where points with the same x and eps are neighbours. */
CGCT_API cgct_status cgct_eval_many(const cgct_table *table, size_t n, const double *x,
                                    const double *eps, const double *q, const double *k1,
                                    const double *theta, double *values, size_t *first);
/* A bound on |error of I| of cgct_eval, GeV^-6: the numerical computation of dipole and I,
 * rounding, reduction and interpolation together (FORMAT.md section 8); infinity where none is
 * known.  It does not contain the physical uncertainty of the dipole, which members describe. */
CGCT_API cgct_status cgct_eval_error(const cgct_table *table, double x, double eps, double q,
                                     double k1, double theta, double error[2]);
/* I of one polarisation, CGCT_T or CGCT_L, at {x, eps, q, k1, theta}, for generators of events: in
 * less time than both, with the bound of cgct_eval_error at hardly any cost; error may be NULL.
 * Where E_NEGATIVE is returned, *error still is the bound. */
CGCT_API cgct_status cgct_eval_one(const cgct_table *table, int polarisation, const double at[5],
                                   double *value, double *error);
/* The correlation limit with all kinematic twists (FORMAT.md section 7), GeV^-6; NaN where it is
 * not known.  I approaches it where k1 and k2 are both far above the saturation momentum; that K =
 * |k1 - q/2| is large is not enough.  I/reference - 1 is the genuine saturation correction. */
CGCT_API cgct_status cgct_reference(const cgct_table *table, double x, double eps, double q,
                                    double k1, double theta, double value[2]);
/* Angular modes m = 0..n-1 of I at (q,k1): modes (2, n) row-major, GeV^-6,
 *   I(theta) = 2 pi I_0 + 4 pi Sum_{m>=1} (-1)^m cos(m theta) I_m.
 * Returns as cgct_eval, but not E_NEGATIVE: a negative I counts as it is.  E_RANGE where the
 * shorter of k1 and k2 exceeds k_max at any angle. */
CGCT_API cgct_status cgct_modes(const cgct_table *table, double x, double eps, double q, double k1,
                                size_t n, double *modes);
/* Returns the status of cgct_eval at this point; err names the argument at fault and its range, or
 * the negative value and its bound. */
CGCT_API cgct_status cgct_check(const cgct_table *table, double x, double eps, double q, double k1,
                                double theta, cgct_err *err);

/* ---- members of an ensemble ---- */

/* The values of all members at one point, (members, 2).  Where members are combinations of
 * variations (FORMAT.md 6), the time grows with the number of these, and hardly with that of the
 * members; else each member costs about a tenth to a fifth of one cgct_eval.  Where members are
 * negative by more than their bounds they alone are NaN, and E_NEGATIVE is returned. */
CGCT_API cgct_status cgct_eval_members(const cgct_table *table, double x, double eps, double q,
                                       double k1, double theta, double *values);
/* The same of one polarisation, values[members], with the bound on the error of the table's member;
 * error may be NULL. */
CGCT_API cgct_status cgct_eval_one_members(const cgct_table *table, int polarisation,
                                           const double at[5], double *values, double *error);
/* As cgct_reference, of all members, (members, 2): each with its own gluon distributions. */
CGCT_API cgct_status cgct_reference_members(const cgct_table *table, double x, double eps, double q,
                                            double k1, double theta, double *values);
/* The central value, which is that of the first member, and its range among the members, according
 * to the metadata `uncertainty`:
 *   replicas  16th and 84th percentile of the other members, linear between neighbouring values
 *   hessian   down and up by sqrt(Sum max(differences of a pair to the first member, 0)^2)
 *   none      the smallest and the largest value of all members
 * Members that the metadata `comparison` names take no part.  Where no other member is left, low
 * and high are the central value.  Each of central, low, high has T and L, GeV^-6.  All are NaN
 * where I of a member that takes part is negative by more than its bound in either polarisation
 * (E_NEGATIVE); a smaller negative number counts as 0, unless negative numbers are kept. */
CGCT_API cgct_status cgct_uncertainty(const cgct_table *table, double x, double eps, double q,
                                      double k1, double theta, double central[2], double low[2],
                                      double high[2]);
/* The same for any quantity that was computed for each member, values[members], for instance a
 * cross section integrated over a bin: range[3] is its central value, low and high.  E_DOMAIN where
 * a value is not finite or above 1e150 in size. */
CGCT_API cgct_status cgct_uncertainty_of(const cgct_table *table, const double *values,
                                         double range[3]);

/* ---- slice: x and eps fixed, for many (q, k1, theta) ---- */

/* The table must outlive the slice.  Values equal those of cgct_eval to rounding. */
typedef struct cgct_slice cgct_slice;
CGCT_API cgct_status cgct_slice_init(cgct_slice **slice, const cgct_table *table, double x,
                                     double eps, cgct_err *err);
CGCT_API cgct_status cgct_slice_eval(const cgct_slice *slice, double q, double k1, double theta,
                                     double value[2]);
/* As cgct_eval_many. */
CGCT_API cgct_status cgct_slice_many(const cgct_slice *slice, size_t n, const double *q,
                                     const double *k1, const double *theta, double *values,
                                     size_t *first);
/* n angles at one (q,k1); values (n, 2). */
CGCT_API cgct_status cgct_slice_angles(const cgct_slice *slice, double q, double k1, size_t n,
                                       const double *theta, double *values);
/* As cgct_modes, in a tenth of its time or less.  Where a few harmonics are wanted, sums over the
 * angles of cgct_slice_angles are faster still. */
CGCT_API cgct_status cgct_slice_modes(const cgct_slice *slice, double q, double k1, size_t n,
                                      double *modes);
CGCT_API void cgct_slice_free(cgct_slice *slice); /* accepts NULL */

/* ---- cross section ---- */

/* Cross sections of transverse and longitudinal photons for a quark of mass m:
 *   dsigma_T = C { [z^2 + (1-z)^2] eps^2 I_T + m^2 I_L }    C = 2 Nc alpha_em e_q^2 S_perp/(2 pi)^6
 *   dsigma_L = C 4 Q^2 z^2 (1-z)^2 I_L                      eps^2 = z(1-z) Q^2 + m^2
 * for the measure dz d2k1 d2k2, q = k1 + k2, Nc = 3: GeV^-6.  T and L of a table are wave functions
 * with K1 and K0, not the photon's polarisation: m^2 I_L comes from transverse photons that flip
 * the quark's helicity.  So one table serves all masses, and real photons, Q^2 = 0. */
typedef struct {
    double alpha_em; /* > 0, as all up to 1e60; for instance 1/137.036 */
    double e_q2;     /* > 0: squared charge in units of e^2, summed over flavours by the caller */
    double S_perp;   /* transverse area of the target, GeV^-2; 0: that of the table's member */
    double z, Q2;    /* 0 < z < 1; virtuality >= 0, GeV^2 */
    double mass;     /* of the quark, >= 0, GeV; not 0 where Q2 is 0 */
} cgct_dis;
/* eps in GeV and the dimensionless factors of I in the cross sections above: factor[photon][I], so
 * that dsigma_T = factor[CGCT_T][CGCT_T] I_T + factor[CGCT_T][CGCT_L] I_L.  Returns E_DOMAIN
 * outside the ranges stated in cgct_dis; here S_perp must be > 0. */
CGCT_API cgct_status cgct_dis_factors(const cgct_dis *dis, double *eps, double factor[2][2]);
/* dsigma of both photons.  Returns as cgct_eval, and cgct_check with the eps of cgct_dis_factors
 * says why; E_DOMAIN where S_perp is 0 and the file does not state it. */
CGCT_API cgct_status cgct_dsigma(const cgct_table *table, const cgct_dis *dis, double x, double q,
                                 double k1, double theta, double dsigma[2]);
/* The cross sections of all members, (members, 2), each with its own S_perp where dis->S_perp is 0:
 * the areas of a fit vary with its dipoles, and cgct_uncertainty_of the values of one photon is the
 * uncertainty of both together.  Returns as cgct_dsigma; of the members those are NaN
 * whose area is not stated, and not the others. */
CGCT_API cgct_status cgct_dsigma_members(const cgct_table *table, const cgct_dis *dis, double x,
                                         double q, double k1, double theta, double *values);
#define CGCT_ELECTRON_MASS 0.51099895e-3 /* GeV */
/* The numbers of transverse and longitudinal photons of a lepton of mass m_l in dy dQ2, GeV^-2:
 *   f_T = alpha_em/(2 pi y Q^2) [1 + (1-y)^2 - 2 (m_l y)^2/Q^2]
 *   f_L = alpha_em/(2 pi y Q^2) 2 (1-y)                            Q^2 >= (m_l y)^2/(1-y)
 *   dsigma/(dy dQ2 dz d2k1 d2k2) = f_T dsigma_T + f_L dsigma_L
 * E_DOMAIN where Q2 is below its least or outside 1e-30 .. 1e30, or y outside 0 < y < 1. */
CGCT_API cgct_status cgct_dis_fluxes(double alpha_em, double y, double Q2, double lepton_mass,
                                     double flux[2]);

/* ---- kinematics ---- */

/* A quark and an antiquark of lepton-nucleon scattering.  The lepton comes along -z, the target
 * (per nucleon, massless) along +z.  Transverse momenta k1, k2 (x and y) are those in the frame
 * where photon and target collide head-on. */
typedef struct {
    double lepton, target; /* energies of the beams, GeV */
    double lepton_mass;    /* GeV, >= 0 and below its energy; 0 for real photons, Q2 = 0 */
    double Q2;             /* virtuality of the photon, GeV^2; >= (m_l y)^2/(1-y) */
    double y, W;           /* inelasticity P.photon/P.l, 0 < y < 1; 0: from W, the energy of photon
                              and nucleon in GeV, y s = W^2 + Q2, s = 2 P.l; else W is not read */
    double z, mass;        /* P.quark/P.photon, 0 < z < 1; mass of both quarks, >= 0, GeV */
    double k1[2], k2[2];   /* of quark and antiquark, GeV */
    double turn;           /* azimuth of the scattered lepton, radian, at most 1e6 in size; uniform,
                              without a factor 2 pi: the fluxes are integrated over it */
} cgct_dijet;
typedef struct {
    double x, eps, q, k1, theta; /* as a table takes them: x = (Q2 + q^2 + M2)/(y s) */
    double y, W;                 /* GeV */
    double M2;                   /* GeV^2: of the pair, (K^2 + mass^2)/(z(1-z)) */
    double K, phi; /* GeV: length of (1-z) k1 - z k2; its angle to q, as theta in [-pi, pi] */
} cgct_variables;
/* Both return E_DOMAIN outside the ranges above, where y s <= Q2, or where a number is above 1e30,
 * or below 1e-30 and neither 0 nor part of a vector; x may be above 1. */
CGCT_API cgct_status cgct_dijet_variables(const cgct_dijet *dijet, cgct_variables *variables);
/* Four-momenta (px, py, pz, E) in GeV in the frame of the beams, on their mass shells: across the
 * beams the quark has k1 - z p_l, where p_l is that of the scattered lepton.  The gluon's is what
 * the others need: where photon and target collide head-on it is x P with transverse momentum q;
 * in the frame of the beams its energy is x P - q.p_l/(2 y lepton), so that x is that of
 * cgct_variables and not its share of the beam.  Its square is -q^2. */
enum { CGCT_GLUON, CGCT_LEPTON_IN, CGCT_LEPTON, CGCT_QUARK, CGCT_ANTIQUARK, CGCT_PARTICLES };
CGCT_API cgct_status cgct_dijet_momenta(const cgct_dijet *dijet, double p[CGCT_PARTICLES][4]);

/* ---- sample ---- */

/* Draws events from factor[T] I_T + factor[L] I_L of a slice over the measure d2q d2k1, in the
 * range of its q with the shorter of k1 and k2 up to k_max.  Where an interpolated I is negative,
 * the weight uses 0 in its place, or the negative value with CGCT_NEGATIVE_KEEP; the total always
 * uses the negative value.  Where the density averaged over the angle is negative there is nothing
 * to draw from: by more than its bound, cgct_sampler_init refuses with E_NEGATIVE, and with
 * CGCT_NEGATIVE_KEEP leaves out such places, which cgct_sampler_left_out measures. */
typedef struct cgct_sampler cgct_sampler;
typedef struct {
    double q, k1;  /* GeV */
    double theta;  /* angle(k1,q) in (-pi,pi] */
    double weight; /* density divided by the sampled one: varies within a cell, about 1 but
                      without a bound; 0 where I is */
} cgct_event;
/* factor from 0 to 1e250, not both 0: else E_DOMAIN.  For photons of both polarisations with fluxes
 * f and the matrix F of cgct_dis_factors it is f[T] F[T][I] + f[L] F[L][I], I = T, L; the photon of
 * an event is then transverse with the probability f[T] dsigma_T/(f[T] dsigma_T + f[L] dsigma_L) at
 * its point.  The slice must outlive the sampler. */
CGCT_API cgct_status cgct_sampler_init(cgct_sampler **sampler, const cgct_slice *slice,
                                       const double factor[2], cgct_err *err);
/* u: five independent numbers, uniform in [0,1); others, also 1, are E_DOMAIN and give NaN. */
CGCT_API cgct_status cgct_sample(const cgct_sampler *sampler, const double u[5], cgct_event *event);
/* n events from u (n, 5), row-major, the same as from n calls of cgct_sample.  Events whose u are
 * out of range are NaN and do not stop the others; returns the status of the first of them and its
 * index in *first (n: none; first may be NULL). */
CGCT_API cgct_status cgct_sample_many(const cgct_sampler *sampler, size_t n, const double *u,
                                      cgct_event *events, size_t *first);
/* Int d2q d2k1 of the density over that range, GeV^-2 times the factors; NaN for NULL.  Too small
 * by 2.7e-4, 2.1e-5 and 3e-7 of itself for mv at eps = 0.1, 1 and 10 GeV (test_sample.c); times the
 * mean of the weights it is exact. */
CGCT_API double cgct_sampler_total(const cgct_sampler *sampler);
/* Int d2q d2k1 of |density| over the places that were left out; 0 where the density is positive. */
CGCT_API double cgct_sampler_left_out(const cgct_sampler *sampler);
CGCT_API void cgct_sampler_free(cgct_sampler *sampler); /* accepts NULL */

/* ---- soft gluons (cgctab_soft.c, which the rest of the reader does not need) ---- */

/* Gluons that a pair and its incoming gluon radiate with momenta k < P = |k1 - q/2| change q, and
 * little else.  At fixed P the cross section is that without them, smeared in q:
 *   I_S(q,P) = Int d2l W(q - l; P) I(l,P)    W(k) = Int d2R/(2pi)^2 exp[i k.R - S(R)]
 *   S(R) = Int_{k<P} d2k n(k) [1 - cos k.R]  so W is the density of the sum of a Poisson number of
 *   gluons.  n = alpha_s(k)/(pi^2 k^2) { (Nc/2) ln(P^2/k^2) + B + 2 C2 cos 2phi + 2 C4 cos 4phi },
 *   phi = angle(k,P); PHYSICS.md has B, C2 and C4.
 * alpha_s is of one loop with three flavours, Lambda 0.241 GeV, smoothly capped.  Below q of some
 * 0.7 GeV the cap decides; below P = 3 GeV and for q > P the approximation is poor.  Quarks are
 * massless here, and dipoles evolved at leading order without a kinematical constraint count part
 * of the double logarithm, too.
 * Ranges: radius 0.01 to 1, coupling 0 to 1, cap 0.2 to 2, cut 0 to 1e3 GeV, scale 0.25 to 4, z
 * from 1e-4 to 1 - 1e-4. */
typedef struct {          /* 0 everywhere: the defaults */
    int hadrons;          /* 0: jets; 1: hadrons, only what a final-state shower does not
                                       make: C2 = C4 = 0, B without the jets */
    int isotropic;        /* 1: C2 = C4 = 0 */
    double radius;        /* of the jets; 0: 0.4 */
    double coupling, cap; /* fixed alpha_s, 0: it runs, up to cap, 0: 0.7 */
    double cut;           /* no gluons below it, GeV; 0: none */
    double scale;         /* factor of P as the largest k and in the logarithm; 0: 1 */
    double z;             /* of the quark, for cgct_soft_eval; 0: 1/2 */
} cgct_soft_options;
/* From "jets" or "hadrons", and behind a colon what differs from the defaults, separated by commas:
 * radius=, alpha=, cap=, cut=, scale=, z=, isotropic.  E_USAGE. */
CGCT_API cgct_status cgct_soft_parse(const char *text, cgct_soft_options *options, cgct_err *err);

/* At x and eps of a table, which must outlive it; or with NULL for the table for all functions but
 * cgct_soft_eval and cgct_soft_kernel.  options may be NULL.  E_DOMAIN: an option out of range;
 * else as cgct_slice_init. */
typedef struct cgct_soft cgct_soft;
CGCT_API cgct_status cgct_soft_init(cgct_soft **soft, const cgct_table *table, double x, double eps,
                                    const cgct_soft_options *options, cgct_err *err);
CGCT_API void cgct_soft_free(cgct_soft *soft); /* accepts NULL */
/* I_S of T and L, GeV^-6.  error and below may be NULL.  Below the table's first q the mean of I
 * over the angle is continued linearly in ln q.  error: an estimate, from half of the points, the
 * bounds of the table, what lies beyond its last q, and half or more of what this continuation adds
 * to I at the first q; infinite where I rises towards the first q like 1/q or faster, because the
 * saturation momentum then lies below it.  below: the share of I_S that comes from below the first
 * q.  E_RANGE where q is above the table's or below 1e-3 GeV, or P not in 0.5 GeV .. k_max, or so
 * close to k_max that 2 sqrt(k_max^2 - P^2) is not above twice the table's first q, as its last q
 * must be; E_DOMAIN for k1 above 1e6 GeV; else as cgct_eval.  cgct_soft_init returns E_RANGE for a
 * table that begins below q = 0.006 GeV or has a k_max below 0.5 GeV. */
CGCT_API cgct_status cgct_soft_eval(const cgct_soft *soft, double q, double k1, double theta,
                                    double value[2], double error[2], double below[2]);
/* W in GeV^-2 at k (GeV) with phi = angle(k,P); NaN where it is not known.  *rest, unless rest is
 * NULL, is the share of W that has no gluon which it could resolve, a delta function at k = 0. */
CGCT_API double cgct_soft_kernel(const cgct_soft *soft, double P, double k, double phi,
                                 double *rest);
/* n(k,phi), GeV^-2, for a pair of any P, eps and z; NaN out of range. */
CGCT_API double cgct_soft_density(const cgct_soft *soft, double P, double eps, double z, double k,
                                  double phi);
/* Weights for other options are ratios of the probabilities of these gluons. */
enum { CGCT_SOFT_ISOTROPIC = 0, CGCT_SOFT_HALF_SCALE = 1 };
typedef struct {
    size_t n;         /* gluons above 0.02 scale P; those below, if any, are Gaussian in the sum */
    double k[2];      /* their sum along P and across, GeV: add it to q, keep P */
    double weight[2]; /* as if C2 = C4 = 0; as if scale were half of what it is */
} cgct_gluons;
/* Draws gluons of a pair.  uniform(state) gives independent numbers in [0,1).  E_USAGE: no soft,
 * uniform or gluons; E_DOMAIN: P, eps, z or such a number, and then no gluons and weights of 1. */
CGCT_API cgct_status cgct_soft_draw(const cgct_soft *soft, double P, double eps, double z,
                                    double (*uniform)(void *), void *state, cgct_gluons *gluons);

/* ---- dijets of a proton and a nucleus (cgctab_pa.c, which the rest does not need) ---- */

/* Tables of correlator.process = pa.  A parton of the proton splits into 1, with the share z of its
 * momentum and transverse momentum k1, and 2, with k2; angle is that between k1 and k2, and x that
 * of the target:
 *   dsigma/(dy1 dy2 d2k1 d2k2) = x_p f(x_p) alpha_s S_perp factor T
 * with the density f of the parton.  With the proton along +z, E_p and E_A the energies of proton
 * and nucleon, z = k1 e^y1/(k1 e^y1 + k2 e^y2), x_p = (k1 e^y1 + k2 e^y2)/(2 E_p) and
 * x = (k1 e^-y1 + k2 e^-y2)/(2 E_A).  T (GeV^-4) is without partons that split long before the
 * target; the scale Lambda (GeV) says which: dT/d ln Lambda = -D (METHOD.md 12).  It is a scheme:
 * vary it by factors of 2 about 1. */
typedef enum { CGCT_QG, CGCT_GG, CGCT_QQB } cgct_channel; /* qg: 1 is the gluon; qqb: the quark */
/* How many channels a table has; 0: it is one of photons. */
CGCT_API int cgct_pa_channels(const cgct_table *table);
/* at: x, z, k1, k2, angle, Lambda.  T and a bound on its error, which may be NULL.  E_USAGE for a
 * table of photons; E_DOMAIN: 0 < z < 1, k1, k2 > 0, Lambda from 1e-3 to 1e3, and
 * P = |(1-z) k1 - z k2| > 1e-9 (k1 + k2), below which the partons are collinear and T diverges;
 * E_RANGE outside the x, q = |k1 + k2| and k_max of the table, whatever its policy.  T may be
 * negative where Lambda is large.  NaN after a failure.  A table of photons is refused here, and
 * this one by all functions for photons. */
CGCT_API cgct_status cgct_pa_eval(const cgct_table *table, cgct_channel channel, const double at[6],
                                  double *T, double *error);
/* The same in the dilute limit, where the target scatters once: F(q), which has all scatterings of
 * one quark, times squares of amplitudes (METHOD.md 12).  Lambda has no influence, but must be in
 * its range. */
CGCT_API cgct_status cgct_pa_dilute(const cgct_table *table, cgct_channel channel,
                                    const double at[6], double *T, double *error);
/* The status of cgct_pa_eval, and what is wrong. */
CGCT_API cgct_status cgct_pa_check(const cgct_table *table, cgct_channel channel,
                                   const double at[6], cgct_err *err);
/* The factor of the cross section above, Nc = 3.  Of two gluons both orders are counted, so that an
 * integral over all y1 and y2 counts each pair twice; of q qbar it is that of one flavour, and f
 * that of the gluon.  NaN unless 0 < z < 1, and for another channel. */
CGCT_API double cgct_pa_factor(cgct_channel channel, double z);
/* Many points at one x; the table must outlive it.  at: z, k1, k2, angle, Lambda. */
typedef struct cgct_pa_slice cgct_pa_slice;
CGCT_API cgct_status cgct_pa_slice_init(cgct_pa_slice **slice, const cgct_table *table, double x,
                                        cgct_err *err);
CGCT_API cgct_status cgct_pa_slice_eval(const cgct_pa_slice *slice, cgct_channel channel,
                                        const double at[5], double *T);
CGCT_API void cgct_pa_slice_free(cgct_pa_slice *slice); /* accepts NULL */
/* What such a table stores of its member (path@NAME) in the place of I_T and I_L, and bounds,
 * FORMAT.md 11; at: x, q, k, theta = angle(k,q). */
CGCT_API cgct_status cgct_pa_stored(const cgct_table *table, const double at[4], double value[2],
                                    double error[2]);

#ifdef CGCTAB_PRIVATE
/* ---- shared by the sources of the reader; not part of the interface ---- */
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define CGCT_HIDDEN __attribute__((visibility("hidden")))
#define CGCT_PRINTF_(format_, first) __attribute__((format(printf, format_, first)))
#else
#define CGCT_HIDDEN
#define CGCT_PRINTF_(format_, first)
#endif

enum { CGCT_NODES_MAX = 32, CGCT_AROUND_MAX = 64, CGCT_RANK_MAX = 1024, CGCT_MODES_MAX = 256 };

/* An axis in the variable u of its polynomials.  Cell i lies between nodes i and i+1 and its window
 * is first[i] .. first[i] + count[i] - 1; an axis of one node has one cell. */
typedef struct {
    size_t n, cells, width;
    double *u;                       /* (n), rising */
    uint16_t *first, *count, *panel; /* (cells) */
    double *inverse;                 /* (cells, width): 1/Prod_i (u_j - u_i) over the window */
} cgct_nodes;

/* A point (q,k) in memory.  A line has eight integers of 16 bits; where 16 bits are not enough a
 * second line has the upper halves, and counts 2^16 times.  First come the lines of l, one for each
 * group of four r, which holds those of T and those of L, and the upper halves of the first `wide`
 * groups.  Blocks follow, those of T before those of L, one line each: two rows m = 1, 2 or 3, 4
 * ... of a group. */
typedef struct {
    uint32_t line, tag;  /* the first line; the tag of the first block */
    uint32_t blocks[2];  /* how many, of T and L */
    uint16_t wide, rows; /* m = 0 .. rows - 1 */
} cgct_point;

/* What a block is: group, and (m - 1)/2, which is CGCT_PAIRS_MAX more for upper halves. */
enum { CGCT_PAIRS_MAX = CGCT_MODES_MAX / 2 };
typedef struct {
    uint8_t group, pair;
} cgct_tag;

typedef struct {
    void *blocks;
    size_t bytes;
} cgct_memory;

/* A copy, `ready`, gets the integers when they are first needed. */
typedef struct cgct_segment {
    size_t rank, stride, width; /* R; R rounded up to a multiple of 8; groups of four r */
    size_t x, eps;              /* first node */
    size_t nx, neps;            /* nodes */
    double *U;                  /* (members, nx, neps, stride), times h; with variations (1, ...) */
    const uint8_t *bits;        /* the integers in the file */
    size_t bytes;
    struct cgct_segment *ready; /* NULL, or it has what follows; cgct_ready */
    cgct_memory memory;
    cgct_point *point; /* (nq, nk) */
    cgct_tag *tag;     /* of all blocks */
    int16_t *line;     /* (lines, 8) */
} cgct_segment;

typedef struct {
    char *key, *value;
} cgct_pair;

struct cgct_table {
    cgct_memory memory; /* but for the file's bytes and segments */
    uint8_t *bytes;
    int shared; /* 1: all but memory and own belong to another table */
    char *path;
    cgct_info info;
    size_t px, peps, nq, nk, nm, block[3]; /* blocks of the bounds: q, lower, upper */
    int either_sign;                       /* 1: r_1 belongs to T_0, r_2 to T_1, ... */
    double *value[3];                      /* nodes in x, eps, q */
    cgct_nodes x, eps, q, v[2];            /* v: lower and upper patch, u = v (n-1) */
    cgct_nodes dx, deps;                   /* of variations; n = 0: none */
    size_t variations;
    double *mix;           /* (members - 1, variations) */
    cgct_segment *segment; /* (px, peps) */
    cgct_segment *varied;  /* of the variations, in the place of members; or NULL */
    uint16_t *span; /* (variations, 2): all of its numbers U are 0 but those of these eights of r */
    double *own;    /* (dx, deps, stride): what the member that was chosen has of them, or NULL */
    double *tensor; /* (members, nx, nq, 2); where `forward` (nx, parts, cgct_block_size) */
    int forward;    /* 1: dijets of a proton */
    size_t parts, functions; /* of these, FORMAT.md 11; momenta up to k_end */
    double k_end;
    const uint8_t *bound; /* FORMAT.md section 8 */
    size_t bounds; /* sets of them: of the first members, the last of which is that of the others */
    cgct_pair *meta;
    size_t nmeta;
    const char **name; /* (members) */
    int uncertainty;   /* CGCT_REPLICAS ... */
    double *S_perp;    /* (members), NaN where the file does not state it */
    uint8_t *aside;    /* (members): 1 where a member takes no part in the uncertainty */
    size_t drawn;      /* how many of them do */
};
enum { CGCT_NONE, CGCT_REPLICAS, CGCT_HESSIAN };

/* Nodes of a polynomial in the functions of FORMAT.md 11, and numbers of one part at one x. */
enum { CGCT_FUNCTION_ORDER = 8, CGCT_FORWARD_MEMBERS = 4 };
static inline size_t cgct_block_size(const cgct_table *t)
{
    return 4 + 3 * t->functions;
}

/* NaN and infinity.  Flags such as -ffinite-math-only allow a compiler to assume that there are
 * none, and where the host has traps a comparison with NaN raises a signal.  So they are recognised
 * and made by their bits, and `volatile` keeps the compiler from knowing whose these are. */
static inline uint64_t cgct_bits(double v)
{
    uint64_t b;
    memcpy(&b, &v, sizeof b);
    volatile uint64_t seen = b;
    return seen;
}

static inline double cgct_from_bits(uint64_t b)
{
    volatile uint64_t seen = b;
    double v;
    b = seen;
    memcpy(&v, &b, sizeof v);
    return v;
}

#define CGCT_INFINITY cgct_from_bits(UINT64_C(0x7ff0000000000000))
#define CGCT_NAN cgct_from_bits(UINT64_C(0x7ff8000000000000))

static inline int cgct_finite(double v)
{
    return (cgct_bits(v) >> 52 & 0x7ff) != 0x7ff;
}

/* Finite and > 0. */
static inline int cgct_positive(double v)
{
    return cgct_bits(v) - 1 < UINT64_C(0x7fefffffffffffff);
}

#define CGCT_TRY(call)                                                                             \
    do {                                                                                           \
        cgct_status st_ = (call);                                                                  \
        if (st_ != CGCT_OK) return st_;                                                            \
    } while (0)

/* The segment with its integers, which are read where they have not been yet. */
CGCT_HIDDEN cgct_status cgct_ready(const cgct_table *t, const cgct_segment *g,
                                   const cgct_segment **ready, cgct_err *err);

/* The number that the n bytes of a text are, whatever the locale; NaN where they are none. */
CGCT_HIDDEN double cgct_number(const char *text, size_t n);

/* The variable of polynomials in x; from = 0 for those in eps and q. */
CGCT_HIDDEN double cgct_variable(double from, double v);

/* The weights of the nodes around u, and its cell: of two panels that share this node, in the
 * first. */
typedef struct {
    size_t first, n;
    double w[CGCT_NODES_MAX];
} cgct_stencil;
CGCT_HIDDEN size_t cgct_weigh_axis(const cgct_nodes *axis, double u, cgct_stencil *to);

/* k at v in [0,1] of a patch at q = 2 half, and k dk/dv.  With end: it is where k is k_max or the
 * patch ends, and v stands for v times it. */
CGCT_HIDDEN double cgct_patch_k(const cgct_table *table, int upper, double half, double v,
                                double *end, double *slope);

/* E_ACCURACY where functions that values are made of give something else than they should. */
CGCT_HIDDEN cgct_status cgct_check_arithmetic(cgct_err *err);

/* Sets the message and returns st; err may be NULL. */
CGCT_HIDDEN CGCT_PRINTF_(3, 4) cgct_status
    cgct_message(cgct_err *err, cgct_status st, const char *format, ...);
#endif

#ifdef __cplusplus
}
#endif
#endif
