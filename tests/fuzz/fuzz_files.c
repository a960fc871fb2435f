/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The generator's own files: damaged ones, and well sealed ones that hold anything. */
#include <math.h>

#include "format/layout.h"
#include "fuzz/fuzz.h"
#include "node/hankel.h"
#include "run/journal.h"
#include "run/record.h"
#include "three/momentum.h"

static void as_is_and_sealed(const uint8_t *bytes, size_t n,
                             void (*seal)(const cgct_crc64_table *, uint8_t *, size_t),
                             void (*use)(const char *path))
{
    cgct_crc64_table crc;
    uint8_t *copy = malloc(n + 1);
    PROMISE(copy);
    cgct_crc64_init(&crc);
    memcpy(copy, bytes, n);
    use(fuzz_file(0, bytes, n));
    seal(&crc, copy, n);
    use(fuzz_file(0, copy, n));
    free(copy);
}

/* ---- finished nodes ---- */

static void seal_journal(const cgct_crc64_table *crc, uint8_t *b, size_t n)
{
    enum { HEAD = 24, RECORD = 32 };
    if (n < HEAD) return;
    cgct_put_u32(b + 12, 0);
    cgct_put_u32(b + 12, (uint32_t)cgct_crc64(crc, b, HEAD));
    const uint64_t text = cgct_get_u64(b + 16);
    if (text > n || n - text < HEAD + 8) return;
    size_t at = HEAD + (size_t)text;
    cgct_put_u64(b + at, cgct_crc64(crc, b, at));
    for (at += 8; n - at >= RECORD;) {
        uint8_t *head = b + at;
        const uint64_t size = cgct_get_u64(head + 8), left = n - at - RECORD;
        if (size <= left) cgct_put_u64(head + 16, cgct_crc64(crc, head + RECORD, (size_t)size));
        cgct_put_u64(head + 24, cgct_crc64(crc, head, 24));
        if (size > left) return;
        at += RECORD + (size_t)size;
    }
}

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
        PROMISE(journal_read(j, &j->record[i], &data, &err) == CGCT_OK);
        use_record(data, (size_t)j->record[i].size);
        free(data);
    }
    run_identity_get(j->text, "items");
    run_identity_differ(j->text, "items\t3\ncard\nx\n", 0, what, sizeof what);
    PROMISE(!run_identity_differ(j->text, j->text, 1, what, sizeof what));
    /* what is torn is cut off, and the next record follows what is whole */
    PROMISE(journal_open(&again, path, "", &existing, &err) == CGCT_OK && existing);
    PROMISE(again->n == j->n && again->end == j->end && !strcmp(again->text, j->text));
    PROMISE(journal_append(again, 9, 8, "seven", 5, &err) == CGCT_OK);
    journal_close(again);
    PROMISE(journal_open_read(&again, path, &err) == CGCT_OK);
    PROMISE(again->n == j->n + 1 && !again->dropped && again->record[j->n].kind == 9);
    journal_close(again);
    journal_close(j);
}

void fuzz_journal(const uint8_t *bytes, size_t n)
{
    as_is_and_sealed(bytes, n, seal_journal, use_journal);
}

/* ---- inner tables ---- */

static void seal_section(const cgct_crc64_table *crc, uint8_t *b, size_t n, uint64_t at,
                         uint64_t size, uint8_t *to)
{
    if (at <= n && size <= n - at) cgct_put_u64(to, cgct_crc64(crc, b + at, (size_t)size));
}

static void seal_inner(const cgct_crc64_table *crc, uint8_t *b, size_t n)
{
    static const int section[] = {CGCT_AT_META, CGCT_AT_AXES, CGCT_AT_INDEX};
    if (n < CGCT_HEADER_SIZE) return;
    const uint64_t index = cgct_get_u64(b + CGCT_AT_INDEX),
                   size = cgct_get_u64(b + CGCT_AT_INDEX + 8);
    if (index <= n && size <= n - index)
        for (uint8_t *e = b + index; e + CGCT_BLOCK_SIZE <= b + index + size; e += CGCT_BLOCK_SIZE)
            seal_section(crc, b, n, cgct_get_u64(e), cgct_get_u64(e + CGCT_BLOCK_AT_STORED),
                         e + CGCT_BLOCK_AT_CRC);
    for (int i = 0; i < 3; i++) {
        uint8_t *s = b + section[i];
        seal_section(crc, b, n, cgct_get_u64(s), cgct_get_u64(s + 8), s + 16);
    }
    cgct_put_u64(b + CGCT_AT_FILE_SIZE, n);
    cgct_put_u64(b + CGCT_AT_CRC, cgct_crc64(crc, b, CGCT_AT_CRC));
}

static void use_inner(const char *path)
{
    archive a;
    archive_modes modes;
    double I[NPOL], error[NPOL];
    cgct_err err = {""};
    if (archive_load(&a, path, &err) != CGCT_OK) {
        PROMISE_MESSAGE(err);
        return;
    }
    PROMISE(a.table.nm >= 1 && a.table.nd >= 1 && a.table.nr >= 1);
    const double q = a.q_max;
    if (archive_transform(&modes, &a, 1, &q, &err) == CGCT_OK) {
        if (archive_point(&modes, 0, a.k_max, 1, I, error, &err) != CGCT_OK) PROMISE(*err.text);
        archive_modes_free(&modes);
    } else {
        PROMISE_MESSAGE(err);
    }
    archive_free(&a);
}

void fuzz_inner(const uint8_t *bytes, size_t n)
{
    as_is_and_sealed(bytes, n, seal_inner, use_inner);
}

/* ---- three momenta ---- */

static void seal_three(const cgct_crc64_table *crc, uint8_t *b, size_t n)
{
    if (n < CGCT_HEADER_SIZE) return;
    cgct_put_u64(b + CGCT_AT_FILE_SIZE, n);
    cgct_put_u64(b + CGCT_THREE_AT_BODY_CRC,
                 cgct_crc64(crc, b + CGCT_HEADER_SIZE, n - CGCT_HEADER_SIZE));
    cgct_put_u64(b + CGCT_AT_CRC, cgct_crc64(crc, b, CGCT_AT_CRC));
}

static void use_three(const char *path)
{
    three_momentum *t;
    cgct_three head;
    void *memory;
    cgct_err err = {""};
    if (three_momentum_load(path, &t, &head, &memory, &err) == CGCT_OK) {
        const three_momenta at = {.ik = head.nk - 1, .ip = head.np - 1, .iq = head.nq - 1};
        size_t n, nagain;
        double F[2], error;
        three_momentum_value(t, &at, F, &error);
        uint8_t *was = fuzz_slurp(path, &n);
        PROMISE(three_momentum_save(path, t, &head, &err) == CGCT_OK);
        uint8_t *is = fuzz_slurp(path, &nagain);
        PROMISE(n == nagain &&
                !memcmp(was + CGCT_HEADER_SIZE, is + CGCT_HEADER_SIZE, n - CGCT_HEADER_SIZE));
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
    as_is_and_sealed(bytes, n, seal_three, use_three);
}
