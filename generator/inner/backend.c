/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "inner/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/device.h"
#include "cuda/gpu_crew.h"
#include "inner/direct.h"

static const backend separable = {.name = "separable",
                                  .doc = "matrix products over the coarse s grid, on the processor",
                                  .bytes_needed = inner_separable_bytes,
                                  .run = inner_separable};

static const backend direct = {.name = "direct",
                               .doc =
                                   "the paper's discretisation of the definition, for comparison",
                               .bytes_needed = inner_direct_bytes,
                               .run = inner_direct};

static const backend graded = {.name = "direct-graded",
                               .doc = "the definition integrated to 1e-9, slow: a reference",
                               .bytes_needed = inner_graded_bytes,
                               .run = inner_graded};

/* The paper's discretisation stands before separable, which is exact, however fast its GPU is. */
const backend *const backends[] = {&graded,
                                   &direct,
                                   &backend_cuda_table_blas,
                                   &backend_cuda_table,
                                   &backend_cuda_fused,
                                   &separable,
                                   &backend_cuda_separable,
                                   NULL};

int backend_is_automatic(const char *name)
{
    return !name || !strcmp(name, "auto");
}

cgct_status backend_usable(const backend *b, const char *devices, cgct_err *why)
{
    size_t n;
    int *id;
    if (!devices) return CGCT_OK;
    cgct_status st = gpu_list(devices, &n, &id, why);
    if (st != CGCT_E_CONFIG && !b->usable) st = CGCT_OK;
    for (size_t i = 0; st == CGCT_OK && b->usable && i < n; i++) st = b->usable(id[i], why);
    free(id);
    return st;
}

/* From the end of the table, so that no device is asked that is not needed. */
static const backend *fastest(const char *devices)
{
    size_t n = 0;
    while (backends[n]) n++;
    while (n-- > 0)
        if (backend_usable(backends[n], devices, NULL) == CGCT_OK) return backends[n];
    return NULL;
}

cgct_status backend_find(const backend **b, const char *name, const char *devices, cgct_err *err)
{
    int automatic = backend_is_automatic(name);
    char names[256] = "auto";
    size_t used = strlen(names);
    *b = automatic ? fastest(devices) : NULL;
    for (size_t i = 0; backends[i]; i++) {
        if (!automatic && !strcmp(backends[i]->name, name)) *b = backends[i];
        int n = snprintf(names + used, sizeof names - used, ", %s", backends[i]->name);
        if (n > 0 && (size_t)n < sizeof names - used) used += (size_t)n;
    }
    if (automatic && !*b) return backend_usable(backends[0], devices, err);
    if (!*b)
        return cgct_fail(err, CGCT_E_CONFIG, "no backend '%s'; there are: %s", name ? name : "auto",
                         names);
    cgct_err why = {""};
    cgct_status st = automatic ? CGCT_OK : backend_usable(*b, devices, &why);
    if (st == CGCT_OK) return st;
    if (st == CGCT_E_CONFIG) return cgct_fail(err, st, "%s", why.text);
    return cgct_fail(err, st, "backend '%s' is not available: %s; on the processor: --backend %s",
                     name, why.text, backend_without_device(*b)->name);
}

int backend_may_do_without(cgct_status st)
{
    return st == CGCT_E_DEVICE || st == CGCT_E_NOMEM || st == CGCT_E_ACCURACY;
}

const backend *backend_without_device(const backend *b)
{
    const backend *best = NULL;
    for (size_t i = 0; backends[i] != b && backends[i]; i++)
        if (!backends[i]->usable) best = backends[i];
    return b->usable ? best : NULL;
}

cgct_status backend_passed_over(const backend *b, const char *devices, cgct_err *why)
{
    size_t n = 0;
    int count;
    if (device_count(&count, NULL) != CGCT_OK) return CGCT_OK;
    while (backends[n]) n++;
    while (n-- > 0 && backends[n] != b) {
        cgct_status st = backend_usable(backends[n], devices, why);
        if (st != CGCT_OK) return cgct_context(why, st, "%s", backends[n]->name);
    }
    return CGCT_OK;
}

cgct_status backend_makes_table(const backend *b, cgct_err *err)
{
    if (b->run) return CGCT_OK;
    return cgct_fail(err, CGCT_E_CONFIG,
                     "backend '%s' transforms as it computes and keeps no inner table; use %s",
                     b->name, backend_cuda_table.name);
}
