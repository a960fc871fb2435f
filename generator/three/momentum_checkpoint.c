/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoint: magic, fingerprint of the task, steps done, modes, checksum of all that, in the byte
 * order of the machine: the file serves to go on with the same task on the same machine. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/crc64.h"
#include "format/tmpfile.h"
#include "three/momentum_impl.h"

typedef struct {
    char magic[8];
    uint64_t task, done, count; /* count: numbers of each of the two sets */
} head;

static const char magic[8] = "cgct3m1";

/* CRC of pieces: each CRC is mixed with the one before. */
static uint64_t mix(const cgct_crc64_table *table, uint64_t crc, const void *data, size_t n)
{
    uint64_t pair[2] = {crc, cgct_crc64(table, data, n)};
    return cgct_crc64(table, pair, sizeof pair);
}

static uint64_t mix_axis(const cgct_crc64_table *table, uint64_t crc, const three_axis *a)
{
    crc = mix(table, crc, a->node, a->n * sizeof *a->node);
    crc = mix(table, crc, a->mom, a->nmom * sizeof *a->mom);
    if (!a->tail) return crc;
    crc = mix(table, crc, &a->tail->nfit, sizeof a->tail->nfit);
    return mix(table, crc, a->tail->power, (size_t)a->tail->nterm * sizeof *a->tail->power);
}

static uint64_t fingerprint(const three_plan *p, const cgct_crc64_table *table)
{
    const three_opts *o = p->o;
    const int ints[] = {o->modes, o->nphi, o->degree, p->g->is_complex, p->g->is_symmetric};
    const uint64_t loops[] = {p->group, p->subset};
    uint64_t crc = mix(table, 0, ints, sizeof ints);
    crc = mix(table, crc, loops, sizeof loops);
    crc = mix_axis(table, crc, &o->delta);
    crc = mix_axis(table, crc, &o->rp);
    crc = mix_axis(table, crc, &o->b);
    return p->g->name ? mix(table, crc, p->g->name, strlen(p->g->name)) : crc;
}

static uint64_t content(const cgct_crc64_table *table, const head *h, const three_momentum *t)
{
    uint64_t crc = mix(table, 0, h, sizeof *h);
    for (int s = 0; s < THREE_NSET; s++)
        crc = mix(table, crc, t->A[s], three_result_size(t) * sizeof(double));
    return crc;
}

cgct_status three_checkpoint_write(const three_plan *p, const three_momentum *t, size_t done,
                                   cgct_err *err)
{
    cgct_crc64_table table;
    cgct_tmpfile f = cgct_tmpfile_none();
    cgct_crc64_init(&table);
    head h = {.task = fingerprint(p, &table), .done = done, .count = three_result_size(t)};
    memcpy(h.magic, magic, sizeof magic);
    uint64_t crc = content(&table, &h, t);
    cgct_status st = cgct_tmpfile_open(&f, p->o->checkpoint, err);
    if (st == CGCT_OK) st = cgct_tmpfile_append(&f, &h, sizeof h, err);
    for (int s = 0; st == CGCT_OK && s < THREE_NSET; s++)
        st = cgct_tmpfile_append(&f, t->A[s], h.count * sizeof(double), err);
    if (st == CGCT_OK) st = cgct_tmpfile_append(&f, &crc, sizeof crc, err);
    if (st == CGCT_OK) st = cgct_tmpfile_commit(&f, err);
    cgct_tmpfile_discard(&f);
    return st;
}

static cgct_status read_all(FILE *f, const three_plan *p, three_momentum *t, size_t *done,
                            cgct_err *err)
{
    cgct_crc64_table table;
    head h;
    uint64_t crc = 0;
    const char *path = p->o->checkpoint;
    cgct_crc64_init(&table);
    if (fread(&h, sizeof h, 1, f) != 1 || memcmp(h.magic, magic, sizeof magic))
        return cgct_fail(err, CGCT_E_FORMAT, "%s: not a checkpoint; remove it to start afresh",
                         path);
    uint64_t want = fingerprint(p, &table);
    if (h.task != want || h.count != three_result_size(t))
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s: checkpoint of another task (fingerprint %016llx, this one %016llx); "
                         "grids, momenta, integrand, threads and budget must be those it was "
                         "written with, or remove it to start afresh",
                         path, (unsigned long long)h.task, (unsigned long long)want);
    int ok = 1;
    for (int s = 0; s < THREE_NSET; s++)
        ok = ok && fread(t->A[s], sizeof(double), h.count, f) == h.count;
    ok = ok && fread(&crc, sizeof crc, 1, f) == 1 && fgetc(f) == EOF;
    if (!ok || crc != content(&table, &h, t))
        return cgct_fail(err, CGCT_E_CHECKSUM, "%s: damaged; remove it to start afresh", path);
    *done = h.done;
    return CGCT_OK;
}

cgct_status three_checkpoint_read(const three_plan *p, three_momentum *t, size_t *done,
                                  cgct_err *err)
{
    *done = 0;
    FILE *f = fopen(p->o->checkpoint, "rb");
    if (!f && errno == ENOENT) return CGCT_OK;
    if (!f) return cgct_fail(err, CGCT_E_IO, "%s: %s", p->o->checkpoint, strerror(errno));
    cgct_status st = read_all(f, p, t, done, err);
    fclose(f);
    return st;
}
