/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config.h: a run card as a struct, expanded from params.def; knows keys and ranges, no physics. */
#ifndef CGCT_CONFIG_H
#define CGCT_CONFIG_H
#include <stddef.h>

#include "format/error.h"

typedef const char *config_STR;
typedef int config_INT;
typedef double config_REAL;
typedef struct {
    size_t n;
    double *v; /* strictly rising */
} config_AXIS;

/* One member per key, named section_key: card.inner_lam, card.axes_q.n ... */
#define PARAM(section, key, type, def, unit, range, doc) config_##type section##_##key;
typedef struct {
#include "config/params.def"
    char *text; /* the card verbatim, with one line "; --set ..." per override of a key that the
                   result depends on; stored in containers */
    void *owned;
} config;
#undef PARAM

/* Defaults, then the card (path NULL: none), then overrides "section.key=value" in order. */
cgct_status config_init(config *c, const char *path, size_t nset, const char *const *set,
                        cgct_err *err);
void config_free(config *c);
#endif
