/* SPDX-License-Identifier: MIT */
/* events.h: what the parts of the program cgctab-events share: the set-up of a run, one event, the
 * importance grid, and the writing of events.  They use the public interface of the reader only. */
#ifndef CGCTAB_EVENTS_H
#define CGCTAB_EVENTS_H
#include <stdint.h>
#include <stdio.h>

#include "../../format/command_line.h"
#include "../../format/tmpfile.h"
#include "../cgctab.h"
#include "pdf.h"

#define EV_PI 3.14159265358979323846
#define EV_PB 0.3893793721e9 /* pb in one GeV^-2 */

/* ---- kinematics (kinematics.c) ---- */

/* Flavours of one mass; those of a kind differ in their charges alone. */
enum { EV_LIGHT, EV_CHARM, EV_BEAUTY, EV_KINDS };
typedef struct {
    double mass;     /* GeV */
    int n, id[3];    /* flavours: 1 d, 2 u, 3 s, 4 c, 5 b; n = 0: none is wanted */
    double charges2; /* sum of squared charges */
} ev_kind;
extern const char ev_flavour_name[]; /* by the id */
double ev_charge2(int id);

/* Real photons in place of an electron's: dN/dy between the ends of y. */
typedef struct {
    int real, smooth; /* real: 0 where an electron radiates */
    double Z, b_min;  /* of an ion; fm */
    double target;    /* A of what they hit; 0: not known */
    double y[2];
    size_t n;
    double *ln;        /* (n, 2): ln y, rising, and ln dN/dy */
    double hard, soft; /* GeV^-1: radius and range of the form factor, and its power */
    int power;         /* 0: the photons are collinear with their beam */
    char name[192];
} ev_photons;
/* dN/dy of a point-like charge that passes at b > b_min (fm), y = E_photon/E_nucleon. */
double ev_ion_photons(double alpha_em, double Z, double b_min, double y);
/* The same with a probability P (n) at b + i step, which is 0 before and 1 behind: the mean of the
 * fluxes of all b_min, b_min between two values with the difference of their P.  p has its Z. */
int ev_average_photons(double alpha_em, size_t n, double b, double step, const double *P,
                       ev_photons *p);
double ev_photons_at(const ev_photons *p, double y); /* 0 beyond its ends */

typedef struct {
    ev_kind kind[EV_KINDS];
    ev_photons photons;
    int both;                             /* either beam may be the target: twice the events */
    double electron, proton, s;           /* beam energies in GeV; s = 2 P.l */
    double Q2[2], y[2], z[2], q[2], k[2]; /* GeV^2, 1, 1, GeV; k: the shorter of k1 and k2 */
    double K[2];                          /* GeV: the pair's relative momentum */
    double x[2], eps[2], q_table[2];      /* of the table */
    double alpha_em, S_perp;              /* 1; GeV^-2 */
    int same_area;                        /* S_perp is that of all members */
    int freeze;                           /* 1: beyond x, eps, q of the table its edge */
} ev_setup;

/* ---- forward dijets in proton-nucleus collisions (pa.c) ----
 *
 * A parton of the projectile becomes partons 1 and 2: gluon and quark, two gluons, quark and
 * antiquark.  The projectile flies along +z. */

/* T of a channel in GeV^-4 and the bound on its error, error may be NULL; at: x inside the table, z
 * of parton 1, k1, k2, the angle between them, Lambda.  E_RANGE counts as 0. */
typedef cgct_status (*ev_pa_T)(const cgct_table *of, cgct_channel channel, const double at[6],
                               double *T, double *error);
typedef struct ev_pa_grid ev_pa_grid;
typedef struct {
    ev_pa_T T;
    const cgct_table *of;
    int channels; /* that T has, from the first on */
    int dilute;   /* T of a table in its dilute limit */
    ev_pdf *pdf;
    ev_coupling alpha_s;
    double energy[2], y[2]; /* GeV, of projectile and nucleus per nucleon; rapidities */
    double Lambda, mu;      /* GeV; mu 0: the longer one of k1 and k2; below 0: P */
    int deuteron, n, id[5]; /* mean of proton and neutron; flavours */
    const char *mu_words;
    ev_pa_grid *grid;
} ev_pa;

/* Of an event; x, z, q, weight, place and values are those of ev_event. */
typedef struct {
    int channel, id[3]; /* of the projectile's parton and of partons 1 and 2 */
    int flow, mirror;   /* of colour */
    double x_p, y[2], k[2], angle, P, mu, alpha_s; /* angle: from parton 1 to 2 */
} ev_pair;

/* A point of phase space in the variables that are drawn.  The parton with the shorter transverse
 * momentum k carries the share zs of the photon, phi is its angle to q. */
typedef struct {
    double Q2, y, zs, q, k, phi, mass;
} ev_point;

typedef struct {
    double Q2, y, z, q, k1, theta, x, eps, mass, weight; /* z, k1, theta: of the quark */
    int pol, photon, flavour; /* CGCT_T or _L, of I and of the photon; id */
    double turn, lepton;      /* azimuths of q and of the electron */
    cgct_gluons gluons;       /* their sum along q and across */
    int direction;            /* -1: the target comes along -z instead */
    int place;                /* EV_INSIDE, or where it leaves the table */
    double *value;            /* weights but for those of gluons, or NULL */
    ev_pair pair;             /* in proton-nucleus collisions */
} ev_event;
/* A point that leaves the table in several variables counts for the first of them. */
enum { EV_X_ABOVE, EV_X_BELOW, EV_EPS, EV_Q, EV_INSIDE, EV_PLACES = EV_INSIDE };

/* The pair's relative momentum K = k - zs q as a length.  For the quark K = k1 - z q is the same as
 * (1-z) k1 - z k2, and for the antiquark it has the other sign. */
double ev_K(const ev_point *p);
/* q^2 and the square of the pair's mass, (K^2 + m^2)/(z(1-z)): x is (Q2 + both)/(y s). */
double ev_mass2(const ev_point *p);
/* Smallest phi for which k is the shorter momentum: acos(q/2k), 0 for q > 2k. */
double ev_phi_min(double q, double k);
/* Whether the cuts take a quark with the share z; whether they never take both zs and 1 - zs. */
int ev_in_z(const ev_setup *s, double z);
int ev_z_apart(const ev_setup *s);
/* What the range of K leaves of k, the shorter of k1 and k2: K - z q <= k, and k^2 is at most
 * (1-z) k1^2 + z k2^2 = K^2 + z(1-z) q^2.  Empty where range[0] >= range[1]. */
void ev_k_range(const ev_setup *s, double range[2]);
/* The least virtuality that cuts and the electron's mass allow at y, GeV^2. */
double ev_Q2_least(const ev_setup *s, double y);
/* What Q2 and the range of x leave of that of y for a pair with this mass2; where x may lie beyond
 * the table, x < 1 does.  Empty where range[0] >= range[1]. */
void ev_y_range(const ev_setup *s, double Q2, double mass2, double range[2]);
/* The range of eps of a kind of flavours, and its least x. */
typedef struct {
    double eps[2], x;
} ev_ends;
void ev_limits(const ev_setup *s, const ev_kind *kind, ev_ends *ends);
/* Those of cgct_dis_factors, summed over the flavours of a kind. */
void ev_factors(const ev_setup *s, const ev_kind *kind, double Q2, double z, double factor[2][2]);
/* Of I_T and I_L in dsigma/(dy dQ2 dz d2k1 d2k2), from those factors; returns the share of
 * transverse photons in that of I_L. */
double ev_densities(const ev_setup *s, double factor[2][2], double Q2, double y, double density[2]);
void ev_momenta(const ev_setup *s, const ev_event *e, double p[CGCT_PARTICLES][4]);

/* ---- random numbers: a stream of their own for each block ---- */

typedef struct {
    uint64_t state;
} ev_random;
void ev_random_start(ev_random *r, uint64_t seed, uint64_t block);
double ev_uniform(ev_random *r); /* in (0,1) */
/* kT^2 in GeV^2 of an ion's photon, where power is not 0. */
double ev_photon_kt2(const ev_photons *p, double y, ev_random *r);

/* ---- importance grid (grid.c) ---- */

/* I of slices at a few x and eps, from which grids are made.  E_NOMEM, or what the reader
 * returns. */
typedef struct ev_shapes ev_shapes;
cgct_status ev_shapes_make(ev_shapes **shapes, const cgct_table *table, const ev_setup *s,
                           cgct_err *err);
void ev_shapes_free(ev_shapes *shapes);

typedef struct ev_grid ev_grid;
/* s must outlive the grid, and have the ranges from which the shapes were made.  A total of 0: the
 * cuts leave nothing.  Each kind of flavours has cells of its own. */
cgct_status ev_grid_make(ev_grid **grid, const ev_shapes *shapes, const ev_setup *s, cgct_err *err);
void ev_grid_free(ev_grid *grid);
double ev_grid_total(const ev_grid *grid);
/* Draws p, the polarisation of I and the kind of flavours; returns their density in (ln Q2, ln y,
 * zs, ln q, ln k, phi), 0 where no y has an x of the table. */
double ev_grid_draw(const ev_grid *grid, ev_random *r, ev_point *p, int *pol, int *kind);

/* ---- weights for members and for the numerical bound (weights.c) ---- */

/* A weight is named ROLE_MEMBER, as in replica_draw01; all but letters, digits, '.', '+', '-' and
 * '_' of the member's name are written as %XX, so that no two are alike in any format.  The last
 * two are bound_low and bound_high. */
typedef struct {
    size_t n, members; /* weights of an event; those of members: 0 where the table has one */
    size_t own;        /* the member whose events these are */
    char **name;       /* those of the n, then of soft gluons, then NULL */
    size_t letters;    /* of all names */
    size_t soft;       /* weights of soft gluons, which are not among the n: 0 or 2 */
    double *area;      /* (members): over that of the member whose events these are */
} ev_weights;

/* E_DOMAIN: the area of a member is not known.  *w is to be freed in any case. */
cgct_status ev_weights_make(ev_weights *w, const cgct_table *table, const ev_setup *s,
                            cgct_err *err);
void ev_weights_free(ev_weights *w);
/* Of the bound: 1 less and plus the bound over I, at least 0 and at most 1 + 100. */
void ev_bound_weights(double I, double bound, double value[2]);

/* ---- runs (run.c) ---- */

typedef struct {
    const cgct_table *table;
    const ev_setup *setup;
    const ev_grid *grid;
    uint64_t seed;
    double top; /* weight that counts as 1; 0: all events are kept with their weight */
    const ev_weights *weights; /* what events get where top > 0, or NULL */
    int outside;               /* only points outside of the table count */
    const cgct_soft *soft;     /* or NULL */
    const char *soft_words;
    const ev_pa *pa; /* a projectile in place of the electron, or NULL; no grid then */
} ev_source;

typedef struct {
    double sum, square, most, above; /* of the weights; the largest one; of w - top where w > top */
    double outside[EV_PLACES];       /* of the weights where a point leaves the table */
    double kind[EV_KINDS];           /* of the weights of each kind of flavours, or channel ... */
    double kind_square[EV_KINDS];    /* ... and of their squares */
    double pdf_edge;                 /* of the weights with PDFs at an edge of their grid */
    double low_P, high_q, first_q;   /* of the weights with P < 3 GeV, q > P, q^2 < 2 times that
                                        of the table's first; with soft gluons alone */
    double negative;                 /* of -w where I is negative, which gives no event */
    size_t trials, copies; /* trials; events beyond the first of a trial, written or not */
} ev_sums;

enum { EV_BLOCK = 4096 };        /* trials that share a stream of random numbers */
enum { EV_ROOM = 2 * EV_BLOCK }; /* events of them */
typedef struct {
    ev_event *events;
    size_t n;
    double *values; /* of all weights */
    ev_sums sums;
    cgct_err err;
} ev_batch;
/* What is kept of the trials of a block, to be freed in any case. */
cgct_status ev_block(const ev_source *from, uint64_t block, ev_batch *batch);
void ev_batch_free(ev_batch *batch);

/* ---- events of proton-nucleus collisions (pa.c) ---- */

/* Adapts a grid of pa to from->setup.  E_NOMEM, or what T returns. */
cgct_status ev_pa_adapt(ev_pa *pa, const ev_source *from, cgct_err *err);
void ev_pa_free(ev_pa *pa);
/* The trials of a block, for ev_block. */
cgct_status ev_pa_trials(const ev_source *from, ev_random *r, ev_batch *batch);
cgct_status ev_pa_weights(ev_weights *w, cgct_err *err);
/* Lines of colour and anticolour, from 501, of the four partons in the order of the file: of the
 * projectile and of the target, 1, 2. */
void ev_pa_colours(const ev_pair *pair, int colour[4][2]);
/* Of these; the target's parton takes all of the transverse momentum, and has no part of E + pz. */
void ev_pa_momenta(const ev_pa *pa, const ev_event *e, double p[4][4]);

/* ---- soft gluons (soft.c) ---- */

/* Adds gluons to an event whose turn is known: q, turn, k1, theta and x become those with them. */
void ev_radiate(const ev_source *from, ev_random *r, ev_event *e);
/* Adds the weight w of an event, before it radiates, to the sums. */
void ev_sum_soft(const ev_source *from, const ev_event *e, double w, ev_sums *sums);

/* How many events a trial of this weight becomes; accept: uniform in (0,1). */
int ev_copies(const ev_source *from, const ev_event *e, double weight, double accept);
/* Adds a trial to the sums; what its weight adds to the cross section. */
double ev_count(const ev_source *from, const ev_event *e, double weight, int kind, ev_sums *sums);

/* Cross section in pb and its statistical error, of all trials and of those of one kind. */
void ev_cross_section(const ev_sums *sums, double *sigma, double *error);
void ev_cross_section_of(const ev_sums *sums, int kind, double *sigma, double *error);

/* ---- numbers as text (decimal.c) ---- */

enum { EV_NUMBER = 32 }; /* room for a number */
/* What printf writes for %.<digits>e, digits up to 15, and no 0 behind it; returns its end. */
char *ev_decimal(char *to, double v, int digits);

/* ---- output (lhef.c, event_text.c) ---- */

typedef struct {
    char *text;
    size_t n, room;
} ev_text;

typedef struct {
    const ev_source *source;
    int csv;                   /* a flat table */
    const ev_weights *weights; /* n = 0: none */
    int zipped;                /* gzip */
    double sigma, error, efficiency;
    double overweight, copies; /* shares, of the cross section above 1 and of the events */
    double outside[EV_PLACES]; /* shares of the cross section, with I at the table's edge there */
    double negative;           /* |dsigma| where I is negative, over the cross section; below 0: the
                                  table has no such places */
} ev_format;

/* A header of *n bytes, to be freed; n does not depend on the numbers, so that it can be written
 * twice. */
cgct_status ev_header(const ev_format *f, char **text, size_t *n, cgct_err *err);
cgct_status ev_append(const ev_format *f, const ev_event *e, ev_text *text, cgct_err *err);
void ev_text_free(ev_text *text);

/* ---- files (gzip.c) ---- */

/* The length of a packed header depends on that of its text alone; the second one is written in
 * the place of the first. */
typedef enum { EV_EVENTS, EV_HEADER, EV_HEADER_AGAIN } ev_place;
cgct_status ev_write(cgct_tmpfile *file, const ev_format *f, const char *text, size_t n,
                     ev_place place, cgct_err *err);
/* n bytes as a member of a gzip file: *out, to be freed, of *len bytes. */
cgct_status ev_pack(const char *text, size_t n, ev_place place, unsigned char **out, size_t *len,
                    cgct_err *err);
int ev_has_gzip(void); /* whether zlib was there when the program was built */

/* ---- all blocks, on several threads (produce.c) ---- */

enum { EV_THREADS = 256 };

typedef struct {
    ev_source source;
    int threads, quiet;
    size_t n, written; /* events wanted, and done */
    uint64_t pilot;    /* blocks of the first pass; 0: as many as usual */
    ev_sums sums;      /* of the last pass */
} ev_run;

/* Sets source.top and the sums.  A sum of 0: the cuts leave nothing. */
cgct_status ev_pilot(ev_run *run, cgct_err *err);
/* Writes run->n events; the sums are those of the blocks that were used, which do not depend on the
 * number of threads. */
cgct_status ev_produce(ev_run *run, const ev_format *format, cgct_tmpfile *file, cgct_err *err);
#endif
