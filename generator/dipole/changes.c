/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes.c: dipoles that differ from a source by about its numerical error, to find what that
 * error does to I. */
#include <math.h>
#include <stdlib.h>

#include "dipole/bk_impl.h"
#include "dipole/dipole_impl.h"
#include "numerics/memory.h"

/* Twice the difference from the coarser solution, which is its error and larger than that of the
 * finer one; two, because it may pass through zero. */
#define RESOLUTION_WEIGHT 2.0
/* Random changes of a file, and what their rms is multiplied by: where the noise is Gaussian, 94%
 * of the errors that it makes are below (Student's distribution for two). */
enum { SHAKES = 2 };
#define SHAKE_BOUND 4.0

/* One more change, with name, options and range of src and no dipole yet. */
static void changes_add_like(dipole_changes *c, const dipole_source *src, double weight)
{
    dipole_source *s = memory_new(1, sizeof *s);
    *s = (dipole_source){.kind = src->kind,
                         .o = src->o,
                         .name = memory_copy_text(src->name),
                         .xmin = src->xmin,
                         .xmax = src->xmax,
                         .depends_on_x = src->depends_on_x,
                         .x0 = src->x0,
                         .Nc = src->Nc,
                         .area = src->area};
    c->source[c->n] = s;
    c->weight[c->n++] = weight;
}

/* The same source, from a file that is changed within its noise. */
static cgct_status changes_add_shaken(dipole_changes *c, const dipole_source *src, cgct_err *err)
{
    const dipole_source *file = src->table ? src->table : src;
    if (!(file->noise->worst > DIPOLE_NOISE_SHOWS)) return CGCT_OK;
    for (unsigned i = 1; i <= SHAKES; i++) {
        dipole_opts o = src->o;
        o.set = NULL;
        o.path = src->kind == DIPOLE_TABLE ? file->name : NULL;
        o.initial = src->table ? file->name : NULL;
        o.shake = i;
        CGCT_TRY(dipole_source_open(&c->source[c->n], &o, err));
        c->weight[c->n++] = SHAKE_BOUND / sqrt(SHAKES);
        const dipole_source *again = c->source[c->n - 1];
        if ((src->table ? again->table : again)->grid->checksum != file->grid->checksum)
            return cgct_fail(err, CGCT_E_IO, "%s was changed while it was used", file->name);
    }
    return CGCT_OK;
}

/* Change number k of a nucleus integrated over b is that of all its parts, whose changes are of the
 * same kinds. */
static cgct_status changes_add_parts(dipole_changes *c, const dipole_source *src, cgct_err *err)
{
    const dipole_impacts *p = &src->impacts;
    dipole_changes *each = memory_zeros(p->n, sizeof *each);
    cgct_status st = CGCT_OK;
    for (size_t i = 0; i < p->n && st == CGCT_OK; i++)
        st = dipole_changes_open(&each[i], p->source[i], err);
    for (size_t k = 0; st == CGCT_OK && k < each[0].n; k++) {
        dipole_source **part = memory_new(p->n, sizeof(*part));
        changes_add_like(c, src, each[0].weight[k]);
        c->source[c->n - 1]->impacts =
            (dipole_impacts){.n = p->n, .source = part, .weight = p->weight};
        for (size_t i = 0; i < p->n; i++) {
            part[i] = each[i].source[k];
            each[i].source[k] = NULL;
        }
    }
    for (size_t i = 0; i < p->n; i++) dipole_changes_close(&each[i]);
    free(each);
    return st;
}

cgct_status dipole_changes_open(dipole_changes *c, const dipole_source *src, cgct_err *err)
{
    *c = (dipole_changes){0};
    if (src->bk) { /* the other resolution */
        changes_add_like(c, src, RESOLUTION_WEIGHT);
        c->source[0]->shown = src->bk->coarser;
    }
    const cgct_status st =
        src->impacts.n ? changes_add_parts(c, src, err) : changes_add_shaken(c, src, err);
    if (st == CGCT_OK) return CGCT_OK;
    dipole_changes_close(c);
    return cgct_context(err, st, "the dipole changed within its error");
}

void dipole_changes_close(dipole_changes *c)
{
    for (size_t i = 0; i < c->n; i++) dipole_source_close(c->source[i]);
    *c = (dipole_changes){0};
}
