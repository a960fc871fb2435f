/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "three/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "three/three_user.h"

static cgct_status find(void *handle, const char *path, size_t npar, const three_library **l,
                        cgct_err *err)
{
    *l = dlsym(handle, "cgct_three_library");
    if (!*l)
        return cgct_fail(err, CGCT_E_IO,
                         "%s: no symbol cgct_three_library; end the source with "
                         "THREE_INTEGRAND(...) of three_user.h",
                         path);
    if ((*l)->version != THREE_LIBRARY_VERSION)
        return cgct_fail(err, CGCT_E_VERSION,
                         "%s: made with version %d of three_user.h, this program needs %d; compile "
                         "it again",
                         path, (*l)->version, THREE_LIBRARY_VERSION);
    if ((*l)->nparam < 0 || (size_t)(*l)->nparam != npar)
        return cgct_fail(err, CGCT_E_DOMAIN, "%s: takes %d parameters, %zu are given; give as many",
                         path, (*l)->nparam, npar);
    return CGCT_OK;
}

cgct_status three_library_open(void **handle, const char *path, size_t npar, const double *par,
                               three_integrand *g, cgct_err *err)
{
    char file[4096]; /* a name without a slash would be looked for elsewhere */
    const three_library *l;
    *handle = NULL;
    if ((size_t)snprintf(file, sizeof file, "%s%s", strchr(path, '/') ? "" : "./", path) >=
        sizeof file)
        return cgct_fail(err, CGCT_E_IO, "%.60s...: name longer than %zu bytes", path, sizeof file);
    *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!*handle) return cgct_fail(err, CGCT_E_IO, "%s", dlerror());
    cgct_status st = find(*handle, path, npar, &l, err);
    if (st == CGCT_OK)
        *g = (three_integrand){.self = par,
                               .is_complex = l->is_complex,
                               .is_symmetric = l->is_symmetric,
                               .block = l->block};
    if (st == CGCT_OK) return st;
    three_library_close(*handle);
    *handle = NULL;
    return st;
}

void three_library_close(void *handle)
{
    if (handle) dlclose(handle);
}
