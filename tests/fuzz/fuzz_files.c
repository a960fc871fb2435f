/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The generator's own files: damaged ones, and well sealed ones that hold anything. */
#include <math.h>

#include "format/journal.h"
#include "fuzz/fuzz.h"
#include "node/hankel.h"
#include "reseal.h"
#include "run/record.h"
#include "three/momentum.h"

/* Both as it is and with right checksums, so that what is behind them is reached. */
static void as_is_and_sealed(const uint8_t *bytes, size_t n, void (*use)(const char *path))
{
    uint8_t *copy = malloc(n + 1);
    PROMISE(copy);
    memcpy(copy, bytes, n);
    use(fuzz_file(0, bytes, n));
    reseal(copy, n);
    use(fuzz_file(0, copy, n));
    free(copy);
}

/* ---- finished nodes ---- */

static void use_record(const uint8_t *data, size_t size)
{
    run_record r;
    char makers[300] = "";
    cgct_err err = {""};
    if (run_record_parse(data, size, &r, &err) != CGCT_OK) {
        PROMISE_MESSAGE(err);
        return;
    }
    double *value = malloc((r.s.nm + 1) * r.s.points * sizeof *value + 1),
           *tensor = malloc(r.s.ntensor * sizeof *tensor + 1);
    PROMISE(value && tensor);
    run_record_fields(&r, r.s.nm, value, value + r.s.nm * r.s.points);
    run_record_tensor(&r, tensor);
    run_record_add_maker(&r, makers, sizeof makers);
    free(value);
    free(tensor);
}

static void use_journal(const char *path)
{
    journal *j, *again;
    cgct_err err = {""};
    int existing;
    char what[400];
    if (journal_open_read(&j, path, &err) != CGCT_OK) {
        PROMISE(!j);
        PROMISE_MESSAGE(err);
        return;
    }
    for (size_t i = 0; i < j->n; i++) {
        uint8_t *data;
        PROMISE(cgct_chunk_read(&j->f, &j->record[i], &data, &err) == CGCT_OK);
        use_record(data, (size_t)j->record[i].size);
        free(data);
    }
    run_identity_get(j->text, "items");
    run_identity_differ(j->text, "items\t3\ncard\nx\n", IDENTITY_TABLE, what, sizeof what);
    PROMISE(!run_identity_differ(j->text, j->text, IDENTITY_ALL, what, sizeof what));
    /* what is torn is cut off, and the next record follows what is whole */
    PROMISE(journal_open(&again, path, "", &existing, &err) == CGCT_OK && existing);
    PROMISE(again->n == j->n && again->f.file.end == j->f.file.end &&
            !strcmp(again->text, j->text));
    PROMISE(journal_append(again, "LAST", 8, "seven", 5, &err) == CGCT_OK);
    journal_close(again);
    PROMISE(journal_open_read(&again, path, &err) == CGCT_OK);
    PROMISE(again->n == j->n + 1 && again->dropped <= j->dropped && again->record[j->n].index == 8);
    journal_close(again);
    journal_close(j);
}

void fuzz_journal(const uint8_t *bytes, size_t n)
{
    as_is_and_sealed(bytes, n, use_journal);
}

/* ---- inner tables ---- */

static void use_inner(const char *path)
{
    archive a;
    stored_modes modes;
    double I[NPOL], error[NPOL];
    cgct_err err = {""};
    if (archive_load(&a, path, &err) != CGCT_OK) {
        PROMISE_MESSAGE(err);
        return;
    }
    PROMISE(a.table.nm >= 1 && a.table.nd >= 1 && a.table.nr >= 1);
    const double q = a.q_max;
    if (stored_modes_init(&modes, &a, 1, &q, &err) == CGCT_OK) {
        if (stored_modes_point(&modes, 0, a.k_max, 1, I, error, &err) != CGCT_OK)
            PROMISE(*err.text);
        stored_modes_free(&modes);
    } else {
        PROMISE_MESSAGE(err);
    }
    archive_free(&a);
}

void fuzz_inner(const uint8_t *bytes, size_t n)
{
    as_is_and_sealed(bytes, n, use_inner);
}

/* ---- three momenta ---- */

static void use_three(const char *path)
{
    three_momentum *t;
    three_head head;
    void *memory;
    cgct_err err = {""};
    if (three_momentum_load(path, &t, &head, &memory, &err) == CGCT_OK) {
        const three_momenta at = {
            .ik = head.n[THREE_K] - 1, .ip = head.n[THREE_P] - 1, .iq = head.n[THREE_Q] - 1};
        size_t n, nagain;
        double F[2], G[2], error;
        three_momentum *again;
        void *memory_again;
        three_momentum_value(t, &at, F, &error);
        uint8_t *was = fuzz_slurp(path, &n);
        PROMISE(three_momentum_save(path, t, &head, &err) == CGCT_OK);
        uint8_t *is = fuzz_slurp(path, &nagain);
        PROMISE(three_momentum_load(path, &again, &head, &memory_again, &err) == CGCT_OK);
        three_momentum_value(again, &at, G, &error);
        PROMISE(nagain <= n && !memcmp(F, G, sizeof F));
        three_momentum_free(again);
        free(memory_again);
        free(was);
        free(is);
    } else {
        PROMISE_MESSAGE(err);
    }
    three_momentum_free(t);
    free(memory);
}

void fuzz_three(const uint8_t *bytes, size_t n)
{
    as_is_and_sealed(bytes, n, use_three);
}
