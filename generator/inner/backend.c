/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of the processor's builders, and the choice among all rows. */
#include "inner/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inner/direct.h"
#include "inner/separable.h"

const backend backend_separable = {
    .name = "separable",
    .doc = "matrix products over the coarse s grid, on the processor",
    .bytes_needed = inner_separable_bytes,
    .divides = 1,
    .run = inner_separable,
};
const backend backend_direct = {
    .name = "direct",
    .doc = "the paper's discretisation of the definition, for comparison",
    .bytes_needed = inner_direct_bytes,
    .run = inner_direct,
};

static const backend *const processor_rows[] = {&backend_direct, &backend_separable, NULL};
const backend_set backend_processor = {.row = processor_rows};

int backend_is_automatic(const char *name)
{
    return !name || !strcmp(name, "auto");
}

static const backend_set *set_or_processor(const backend_set *s)
{
    return s ? s : &backend_processor;
}

cgct_status backend_usable(const backend *b, const backend_set *s, const char *devices,
                           cgct_err *why)
{
    size_t n = 0;
    int *id = NULL;
    s = set_or_processor(s);
    if (!devices || s->crew || !s->list_devices) return CGCT_OK;
    cgct_status st = s->list_devices(devices, &n, &id, why);
    if (st != CGCT_E_CONFIG && !b->usable) st = CGCT_OK;
    for (size_t i = 0; st == CGCT_OK && b->usable && i < n; i++) st = b->usable(id[i], why);
    free(id);
    return st;
}

cgct_status backend_find(const backend **b, const backend_set *s, const char *name,
                         const char *devices, cgct_err *err)
{
    const int automatic = backend_is_automatic(name);
    size_t rows = 0;
    s = set_or_processor(s);
    *b = NULL;
    while (s->row[rows]) rows++;
    /* from the end of the table, so that devices are probed only where that is needed */
    for (size_t i = rows; !*b && i-- > 0;)
        if (automatic ? backend_usable(s->row[i], s, devices, NULL) == CGCT_OK
                      : !strcmp(s->row[i]->name, name))
            *b = s->row[i];
    if (automatic) return *b ? CGCT_OK : backend_usable(s->row[0], s, devices, err);
    if (!*b) {
        char names[256] = "auto";
        for (size_t i = 0, used = strlen(names); i < rows && used < sizeof names; i++)
            used += (size_t)snprintf(names + used, sizeof names - used, ", %s", s->row[i]->name);
        return cgct_fail(err, CGCT_E_CONFIG, "no backend '%s'; there are: %s", name, names);
    }
    cgct_err why = {""};
    cgct_status st = backend_usable(*b, s, devices, &why);
    if (st == CGCT_OK) return st;
    if (st == CGCT_E_CONFIG) return cgct_fail(err, st, "%s", why.text);
    return cgct_fail(err, st, "backend '%s' is not available: %s; on the processor: --backend %s",
                     name, why.text, backend_without_device(*b, s)->name);
}

int backend_may_do_without(cgct_status st)
{
    return st == CGCT_E_DEVICE || st == CGCT_E_NOMEM || st == CGCT_E_ACCURACY;
}

const backend *backend_without_device(const backend *b, const backend_set *s)
{
    const backend *const *row = set_or_processor(s)->row, *best = NULL;
    for (; *row && *row != b; row++)
        if (!(*row)->usable) best = *row;
    return b->usable ? best : NULL;
}

cgct_status backend_passed_over(const backend *b, const backend_set *s, const char *devices,
                                cgct_err *why)
{
    size_t n = 0;
    s = set_or_processor(s);
    if (!s->has_device || !s->has_device()) return CGCT_OK;
    while (s->row[n]) n++;
    while (n-- > 0 && s->row[n] != b) {
        cgct_status st = backend_usable(s->row[n], s, devices, why);
        if (st != CGCT_OK) return cgct_context(why, st, "%s", s->row[n]->name);
    }
    return CGCT_OK;
}

cgct_status backend_makes_table(const backend *b, cgct_err *err)
{
    if (b->run) return CGCT_OK;
    return cgct_fail(err, CGCT_E_CONFIG,
                     "backend '%s' transforms as it computes and keeps no inner table; use %s",
                     b->name, backend_separable.name);
}

cgct_status backend_try(const backend_task *k, const char **name, char fallback[BACKEND_REASON],
                        cgct_err *err)
{
    const backend *b, *slower = NULL;
    cgct_err why = {""};
    CGCT_TRY(backend_find(&b, k->set, k->name, k->devices, err));
    *name = b->name;
    if (backend_is_automatic(k->name)) {
        slower = backend_without_device(b, k->set);
        if (backend_passed_over(b, k->set, k->devices, &why) != CGCT_OK)
            snprintf(fallback, BACKEND_REASON, "%s", why.text);
    }
    cgct_status st = k->work(k->self, b, &why);
    if (slower && backend_may_do_without(st)) {
        snprintf(fallback, BACKEND_REASON, "%s: %.400s", b->name, why.text);
        *name = slower->name;
        st = k->work(k->self, slower, &why);
    }
    return st == CGCT_OK ? st : cgct_fail(err, st, "%s", why.text);
}
