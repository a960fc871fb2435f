/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_library.h: an integrand from a shared object made with three_user.h. */
#ifndef CGCT_THREE_LIBRARY_H
#define CGCT_THREE_LIBRARY_H
#include "format/error.h"
#include "three/three_integrand.h"

/* In       path; par[npar], which must live as long as *g is used
 * Out      *handle (close with three_library_close), *g without a name
 * Returns  OK; E_IO (cannot be loaded: why), E_VERSION, E_DOMAIN (number of parameters). */
cgct_status three_library_open(void **handle, const char *path, size_t npar, const double *par,
                               three_integrand *g, cgct_err *err);
void three_library_close(void *handle); /* NULL is accepted */
#endif
