/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backend.h: the builders of the inner table as rows of one table. */
#ifndef CGCT_BACKEND_H
#define CGCT_BACKEND_H
#include "numerics/filon.h"
#include "inner/table.h"
#include "inner/ridge.h"

/* Both Hankel transforms with a builder that keeps no inner table. */
typedef struct {
    const inner_opts *inner;
    size_t nq, np;
    const double *q, *P; /* GeV */
    int degree;
    const filon_tail_opts *tail; /* or NULL */
} backend_transform;

/* What is known of the inner table of a transform; as in inner_table. */
typedef struct {
    double origin[NPOL], ridge_cut;
    int rank;
} backend_facts;

/* A node from both passes to the paper's modes, without anything but these on the processor. */
typedef struct {
    backend_transform pass[2]; /* fine and coarse, whose difference is the certificate */
    const ridge *ridges;
    size_t nk;
    const double *k;              /* GeV */
    size_t nm;                    /* modes of the product: the largest of ... */
    const size_t *modes, *angles; /* (nq): ... those at each q; angles on [0,pi] */
    double safety, rounding;      /* error = safety |fine - coarse| + rounding |I| */
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
    /* OK when usable on that device, else E_DEVICE and the reason; NULL: always */
    cgct_status (*usable)(int device, cgct_err *why);
    size_t (*bytes_needed)(const inner_opts *o); /* of the processor; upper bound, with the table */
    /* Of a device, all at once; with less, it takes more chunks.  NULL: needs none. */
    cgct_status (*device_bytes)(const backend_size *s, size_t *bytes, cgct_err *err);
    /* One of the two may be NULL.  modes (NPOL, nm, nq, np), GeV^-6. */
    cgct_status (*run)(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err);
    cgct_status (*transform)(const backend_transform *k, const dipole *d, double *modes,
                             backend_facts *facts, cgct_err *err);
    /* Or NULL.  modes (NPOL, nq, nk, nm), error (NPOL, nq, nk) as projection_apply leaves them before
     * trimming; facts of both passes. */
    cgct_status (*product)(const backend_product *k, const dipole *d, double *modes, double *error,
                           backend_facts facts[2], cgct_err *err);
} backend;

/* Which builders there are, and the devices that are open already.  A program with CUDA passes the set
 * of cuda/builders.h down; NULL stands for backend_processor. */
typedef struct {
    const backend *const *row; /* NULL-terminated, fastest last */
    /* "0,2" or "all" -> *id (n), allocated; NULL where no row needs a device */
    cgct_status (*list_devices)(const char *text, size_t *n, int **id, cgct_err *err);
    int (*has_device)(void); /* the driver lists one; or NULL */
    struct gpu_crew *crew;   /* devices that the nodes of a run share, or NULL */
} backend_set;

extern const backend_set backend_processor;
/* Its rows, slowest first. */
extern const backend backend_graded, backend_direct, backend_separable;

/* "auto" (or NULL): the fastest that is usable on all the listed devices; those of a crew are. */
cgct_status backend_find(const backend **b, const backend_set *s, const char *name,
                         const char *devices, cgct_err *err);
/* OK, E_DEVICE and the reason, E_CONFIG where the list is none. */
cgct_status backend_usable(const backend *b, const backend_set *s, const char *devices,
                           cgct_err *why);
int backend_is_automatic(const char *name);
/* Whether what has failed on a device, or for lack of one, may do without: tables of functions can
 * be too rough for it, and its memory too small. */
int backend_may_do_without(cgct_status st);
/* After `b`, taken for "auto", has failed: the next slower that needs no device; NULL if b is it. */
const backend *backend_without_device(const backend *b, const backend_set *s);
/* A faster one than b, taken for "auto", is not usable although the driver lists a device: E_DEVICE
 * and why; else OK. */
cgct_status backend_passed_over(const backend *b, const backend_set *s, const char *devices,
                                cgct_err *why);
/* E_CONFIG where b makes none. */
cgct_status backend_makes_table(const backend *b, cgct_err *err);
#endif
