/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backend.h: the builders of the inner table, on the processor and on devices, as rows of one
 * table: how one is found by its name, and what follows when it fails. */
#ifndef CGCT_BACKEND_H
#define CGCT_BACKEND_H
#include "inner/single.h"
#include "inner/table.h"
#include "numerics/filon.h"

/* Both Hankel transforms, of a builder that keeps no inner table. */
typedef struct {
    const inner_opts *inner;
    size_t nq, np;
    const double *q, *P; /* GeV */
    int degree;
    const filon_tail_opts *tail; /* or NULL */
} backend_transform;

/* What such a builder reports of the inner table; members as in inner_table. */
typedef struct {
    double origin[NPOL];
    int rank, single;
} backend_facts;

/* One (x,eps) from both passes to I at given points, computed entirely on a device. */
typedef struct {
    backend_transform pass[2];    /* fine and coarse, whose difference is the error estimate */
    const single_factors *single; /* or NULL */
    size_t nk, nt;                /* momenta k at each q, angles at each (q,k) */
    const double *k, *theta;      /* (nq, nk) GeV; (nq, nk, nt) */
    double safety, rounding;      /* bound on the error: safety |fine - coarse| + rounding |I| */
    double *I, *bound;            /* results (NPOL, nq, nk, nt), caller-owned, GeV^-6 */
} backend_product;

/* What the memory of a device depends on. */
typedef struct {
    const inner_opts *inner;
    const dipole *dipole;
    size_t nq, np;       /* 0: the table alone */
    const double *q, *P; /* GeV */
} backend_size;

typedef struct {
    const char *name; /* as typed on the command line */
    const char *doc;  /* one line */
    /* OK when usable on that device, else E_DEVICE and the reason; NULL: always usable */
    cgct_status (*usable)(int device, cgct_err *why);
    /* Memory of the processor, an upper bound that includes the table. */
    size_t (*bytes_needed)(const inner_opts *o);
    /* Memory of a device for the whole task at once; with less, the task is cut into more chunks.
     * NULL: needs no device. */
    cgct_status (*device_bytes)(const backend_size *s, size_t *bytes, cgct_err *err);
    int divides; /* whether `run` heeds inner_opts.part; else it makes the whole table */
    /* Either `run` or `transform` may be NULL.  modes (NPOL, nm, nq, np), GeV^-6. */
    cgct_status (*run)(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err);
    cgct_status (*transform)(const backend_transform *k, const dipole *d, double *modes,
                             backend_facts *facts, cgct_err *err);
    /* Or NULL.  colours: the part INNER_DIFFERENCE of the same node, whose orders are the first of
     * k's, or NULL; facts of both passes of k. */
    cgct_status (*product)(const backend_product *k, const backend_product *colours,
                           const dipole *d, backend_facts facts[2], cgct_err *err);
} backend;

/* The builders of a program, and the devices that are open already.  A program with CUDA passes the
 * set of cuda/builders.h; NULL stands for backend_processor. */
typedef struct {
    const backend *const *row; /* NULL-terminated, fastest last */
    /* "0,2" or "all" -> *id (n), allocated; NULL where no row needs a device */
    cgct_status (*list_devices)(const char *text, size_t *n, int **id, cgct_err *err);
    int (*has_device)(void); /* whether the driver lists a device; or NULL */
    struct gpu_crew *crew;   /* devices that the nodes of a run share, or NULL */
} backend_set;

extern const backend_set backend_processor;
/* Its rows, slowest first. */
extern const backend backend_direct, backend_separable;

int backend_is_automatic(const char *name); /* "auto" or NULL */
/* The builder of that name; "auto": the fastest that is usable on all the listed devices, those of
 * a crew being known to be usable.
 * Returns OK, E_CONFIG where there is no such builder or device number, E_DEVICE and the reason. */
cgct_status backend_find(const backend **b, const backend_set *s, const char *name,
                         const char *devices, cgct_err *err);
/* OK, E_DEVICE and the reason, E_CONFIG where `devices` is no list of devices. */
cgct_status backend_usable(const backend *b, const backend_set *s, const char *devices,
                           cgct_err *why);
/* E_CONFIG where b makes no inner table. */
cgct_status backend_makes_table(const backend *b, cgct_err *err);

/* A builder as it was asked for, and the work that needs one. */
typedef struct {
    const backend_set *set;
    const char *name, *devices;
    cgct_status (*work)(void *self, const backend *b, cgct_err *err);
    void *self;
} backend_task;

enum { BACKEND_REASON = 512 };
/* Does the work with the builder that backend_find gives.  Under "auto", where that one fails for a
 * reason that backend_may_do_without accepts, the work is done once more with the next slower
 * builder that needs no device.
 * Out      *name: the builder used last; fallback: which builder "auto" gave up or passed over, and
 *          why, unchanged where there is none
 * Returns  what backend_find or the last work returned */
cgct_status backend_try(const backend_task *k, const char **name, char fallback[BACKEND_REASON],
                        cgct_err *err);
/* Whether a failure on a device, or for lack of one, may be met by doing without it: the device's
 * tables of functions can be too coarse, and its memory too small. */
int backend_may_do_without(cgct_status st);
/* The next slower builder than b that needs no device; NULL if b needs none itself. */
const backend *backend_without_device(const backend *b, const backend_set *s);
/* E_DEVICE and why, where a faster builder than b is not usable although the driver lists a device;
 * else OK. */
cgct_status backend_passed_over(const backend *b, const backend_set *s, const char *devices,
                                cgct_err *why);
#endif
