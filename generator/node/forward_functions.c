/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forward_functions.c: F_1, F_2 and G of a dipole, and as tables hold them. */
#include <math.h>
#include <stdlib.h>

#include "node/forward.h"
#include "numerics/grid.h"
#include "numerics/memory.h"

/* The limit of G is taken at this eps, in units of Qs: what is left is eps^2 ln eps. */
static const double TINY_EPS = 1e-7;
enum { F_NODES = 10 };

void forward_functions_free(forward_functions *f)
{
    single_free(&f->wave);
    free(f->F[1]);
    *f = (forward_functions){.eps = 0};
}

cgct_status forward_functions_init(forward_functions *f, const dipole *d, double eps, double k_max,
                                   cgct_err *err)
{
    const double Qs = sqrt(d->Qs2);
    *f = (forward_functions){.eps = eps > 0 ? eps : TINY_EPS * Qs, .Qs = Qs};
    const single_task task = {.d = d, .eps = f->eps, .k_max = k_max};
    CGCT_TRY(single_init(&f->wave, &task, err));
    const size_t nk = f->wave.nk;
    f->F[1] = memory_new(2 * nk, sizeof *f->F[1]);
    f->F[2] = f->F[1] + nk;
    CGCT_TRY(single_dipole(d, 1, nk, f->wave.k, f->F[1], err));
    return single_dipole(d, 2, nk, f->wave.k, f->F[2], err);
}

double forward_function(const forward_functions *f, const double *values, double k)
{
    return grid_interpolate(f->wave.nk, f->wave.k, values, k, F_NODES);
}

double forward_F(const forward_functions *f, int n, double k)
{
    return forward_function(f, f->F[n], k);
}

double forward_G(const forward_functions *f, int pol, double k)
{
    return f->eps * forward_function(f, f->wave.Psi + (size_t)pol * f->wave.nk, k);
}

/* ---- as tables hold them ---- */

enum { BLOCK_NODES = 8 };

double forward_table_k(const forward_table *t, double j)
{
    return t->k0 * sinh(j / (FORWARD_NODES - 1) * asinh(t->k_end / t->k0));
}

/* Number which = 0, 1, 2 of F_1, F_2 and G/k, times (1 + k^2/k0^2)^2. */
static double stored_function(const forward_functions *f, const forward_table *t, int which,
                              double k)
{
    const double least = 1e-6 * t->k0, at = fmax(k, least), weight = 1 + k * k / (t->k0 * t->k0);
    return weight * weight *
           (which < 2 ? forward_F(f, which + 1, k) : forward_G(f, POL_T, at) / at);
}

/* One part.  The errors are twice what the polynomials are off halfway between nodes. */
static cgct_status fill_block(const dipole_source *source, double x, const forward_table *t,
                              double *block, cgct_err *err)
{
    dipole *d = NULL;
    forward_functions f = {.eps = 0};
    CGCT_TRY(dipole_init(&d, source, x, err));
    cgct_status st = forward_functions_init(&f, d, 0, 1.01 * t->k_end, err);
    for (int which = 0; which < 3 && st == CGCT_OK; which++) {
        double u[FORWARD_NODES], c[BLOCK_NODES];
        double *W = block + 4 + which * FORWARD_NODES, *error = block + 1 + which;
        for (int j = 0; j < FORWARD_NODES; j++) {
            u[j] = j;
            W[j] = stored_function(&f, t, which, forward_table_k(t, j));
        }
        *error = 0;
        for (int j = 0; j + 1 < FORWARD_NODES; j++) {
            double off = -stored_function(&f, t, which, forward_table_k(t, j + 0.5));
            const size_t first = grid_weights(FORWARD_NODES, u, j + 0.5, BLOCK_NODES, c);
            for (size_t i = 0; i < BLOCK_NODES; i++) off += c[i] * W[first + i];
            *error = fmax(*error, 2 * fabs(off));
        }
    }
    forward_functions_free(&f);
    dipole_free(d);
    return st;
}

cgct_status forward_table_fill(const dipole_source *source, double x, const forward_table *t,
                               double *out, cgct_err *err)
{
    for (size_t i = 0; i < dipole_source_parts(source); i++, out += FORWARD_BLOCK) {
        const dipole_source *part = dipole_source_part(source, i, out);
        CGCT_TRY(fill_block(part, x, t, out, err));
    }
    return CGCT_OK;
}
