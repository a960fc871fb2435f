/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend.h"

#include <stdio.h>
#include <string.h>

#include "inner_direct.h"

static const char *always(void)
{
    return NULL;
}

static const backend separable = {"separable",
                                  "matrix products over the coarse s grid, on the processor",
                                  always, inner_separable_bytes, inner_separable};

static const backend direct = {"direct",
                               "the paper's discretisation of the definition, for comparison",
                               always, inner_direct_bytes, inner_direct};

static const backend graded = {"direct-graded",
                               "the definition integrated to 1e-9, slow: a reference", always,
                               inner_graded_bytes, inner_graded};

const backend *const backends[] = {&graded, &direct, &separable, NULL};

cgct_status backend_find(const backend **b, const char *name, cgct_err *err)
{
    int automatic = !name || !strcmp(name, "auto");
    char names[256] = "auto";
    size_t used = strlen(names);
    *b = NULL;
    for (size_t i = 0; backends[i]; i++) {
        if (automatic && !backends[i]->unavailable()) *b = backends[i];
        if (!automatic && !strcmp(backends[i]->name, name)) *b = backends[i];
        int n = snprintf(names + used, sizeof names - used, ", %s", backends[i]->name);
        if (n > 0 && (size_t)n < sizeof names - used) used += (size_t)n;
    }
    if (!*b)
        return cgct_fail(err, CGCT_E_CONFIG, "no backend '%s'; there are: %s", name ? name : "auto",
                         names);
    const char *why = (*b)->unavailable();
    return why ? cgct_fail(err, CGCT_E_DEVICE, "backend '%s' is not available: %s", name, why)
               : CGCT_OK;
}
