/* SPDX-License-Identifier: MIT */
/* Files of the transform to three momenta (THREE.md): write one, and read one with every length and
 * number checked. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive.h"
#include "three_archive.h"
#include "tmpfile.h"

size_t cgct_three_count(const cgct_three *t)
{
    size_t planes = (t->is_complex ? 2u : 1u) * (t->is_symmetric ? 1u : 2u);
    size_t n = planes * (t->M + 1) * (2 * t->M + 1);
    const size_t lengths[] = {t->nk, t->np, t->nq};
    for (int i = 0; i < 3; i++) {
        if (lengths[i] && n > SIZE_MAX / 64 / lengths[i]) return 0;
        n *= lengths[i];
    }
    return n;
}

static cgct_status check_three_lengths(const char *path, const cgct_three *t, cgct_err *err)
{
    const size_t lengths[] = {t->nk, t->np, t->nq, t->nphi_p, t->nphi_q, t->npar};
    static const char names[][8] = {"k", "p", "q", "phi_p", "phi_q", "par"};
    for (int i = 0; i < 6; i++)
        if (lengths[i] > CGCT_THREE_LENGTH_MAX || (i < 5 && lengths[i] < 1))
            return cgct_fail(err, CGCT_E_USAGE, "%s: %zu values of %s; a file takes 1 to %d", path,
                             lengths[i], names[i], CGCT_THREE_LENGTH_MAX);
    if (t->M > CGCT_THREE_ORDER_MAX || !cgct_three_count(t))
        return cgct_fail(err, CGCT_E_USAGE,
                         "%s: M = %zu and %zu x %zu x %zu momenta; a file takes M <= %d and less "
                         "than 2^64 bytes",
                         path, t->M, t->nk, t->np, t->nq, CGCT_THREE_ORDER_MAX);
    return CGCT_OK;
}

/* Body bytes from *at on; E_USAGE where a number is not finite. */
static cgct_status put_three_numbers(uint8_t *body, size_t *at, const char *name, size_t n,
                                     const double *v, cgct_err *err)
{
    for (size_t i = 0; i < n; i++, *at += 8) {
        if (!isfinite(v[i]))
            return cgct_fail(err, CGCT_E_USAGE, "number %zu of %s is %g; a file takes finite ones",
                             i, name, v[i]);
        cgct_put_f64(body + *at, v[i]);
    }
    return CGCT_OK;
}

static cgct_status put_three_body(const cgct_three *t, uint8_t *body, cgct_err *err)
{
    size_t at = 0, n = cgct_three_count(t);
    CGCT_TRY(put_three_numbers(body, &at, "k", t->nk, t->k, err));
    CGCT_TRY(put_three_numbers(body, &at, "p", t->np, t->p, err));
    CGCT_TRY(put_three_numbers(body, &at, "q", t->nq, t->q, err));
    CGCT_TRY(put_three_numbers(body, &at, "phi_p", t->nphi_p, t->phi_p, err));
    CGCT_TRY(put_three_numbers(body, &at, "phi_q", t->nphi_q, t->phi_q, err));
    CGCT_TRY(put_three_numbers(body, &at, "par", t->npar, t->par, err));
    for (int s = 0; s < CGCT_THREE_NSET; s++)
        CGCT_TRY(put_three_numbers(body, &at, "the modes", n, t->A[s], err));
    strcpy((char *)body + at, t->integrand);
    at += strlen(t->integrand) + 1;
    strcpy((char *)body + at, t->settings);
    return CGCT_OK;
}

static void put_three_head(const cgct_three *t, uint8_t *b, const uint8_t *body, size_t size,
                           size_t text)
{
    cgct_crc64_table crc;
    cgct_crc64_init(&crc);
    cgct_header_begin(b, CGCT_KIND_THREE, CGCT_THREE_MAJOR, CGCT_THREE_MINOR,
                      CGCT_THREE_DATA_VERSION, CGCT_HEADER_SIZE + size);
    cgct_put_u32(b + CGCT_AT_LENGTHS, (uint32_t)t->nk);
    cgct_put_u32(b + CGCT_AT_LENGTHS + 4, (uint32_t)t->np);
    cgct_put_u32(b + CGCT_AT_LENGTHS + 8, (uint32_t)t->nq);
    cgct_put_u32(b + CGCT_THREE_AT_M, (uint32_t)t->M);
    cgct_put_u32(b + CGCT_THREE_AT_SETS, CGCT_THREE_NSET);
    cgct_put_u32(b + CGCT_THREE_AT_COMPLEX, t->is_complex != 0);
    cgct_put_u32(b + CGCT_THREE_AT_SYMMETRIC, t->is_symmetric != 0);
    cgct_put_u32(b + CGCT_THREE_AT_ANGLES, (uint32_t)t->nphi_p);
    cgct_put_u32(b + CGCT_THREE_AT_ANGLES + 4, (uint32_t)t->nphi_q);
    cgct_put_u32(b + CGCT_THREE_AT_NPAR, (uint32_t)t->npar);
    cgct_put_u32(b + CGCT_THREE_AT_TEXT, (uint32_t)text);
    cgct_put_u64(b + CGCT_THREE_AT_BODY_CRC, cgct_crc64(&crc, body, size));
    strncpy((char *)b + CGCT_AT_GENERATOR, t->generator, CGCT_GENERATOR_SIZE - 1);
    cgct_put_u64(b + CGCT_AT_CRC, cgct_crc64(&crc, b, CGCT_AT_CRC));
}

static cgct_status write_three_file(const char *path, const uint8_t *head, const uint8_t *body,
                                    size_t size, cgct_err *err)
{
    cgct_tmpfile f = cgct_tmpfile_none();
    cgct_status st = cgct_tmpfile_open(&f, path, err);
    if (st == CGCT_OK) st = cgct_tmpfile_append(&f, head, CGCT_HEADER_SIZE, err);
    if (st == CGCT_OK) st = cgct_tmpfile_append(&f, body, size, err);
    if (st == CGCT_OK) st = cgct_tmpfile_commit(&f, err);
    cgct_tmpfile_discard(&f);
    return st;
}

cgct_status cgct_three_save(const char *path, const cgct_three *t, cgct_err *err)
{
    uint8_t head[CGCT_HEADER_SIZE];
    CGCT_TRY(check_three_lengths(path, t, err));
    size_t text = strlen(t->integrand) + strlen(t->settings) + 2;
    if (text > CGCT_THREE_TEXT_MAX)
        return cgct_fail(err, CGCT_E_USAGE, "%s: texts of %zu bytes; a file takes %d", path, text,
                         CGCT_THREE_TEXT_MAX);
    size_t numbers = t->nk + t->np + t->nq + t->nphi_p + t->nphi_q + t->npar +
                     CGCT_THREE_NSET * cgct_three_count(t);
    size_t size = 8 * numbers + text;
    uint8_t *body = malloc(size);
    if (!body) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for %zu bytes", path, size);
    cgct_status st = put_three_body(t, body, err);
    if (st == CGCT_OK) {
        put_three_head(t, head, body, size, text);
        st = write_three_file(path, head, body, size, err);
    } else {
        st = cgct_context(err, st, "%s", path);
    }
    free(body);
    return st;
}

/* ---- read ---- */

typedef struct {
    FILE *f;
    uint64_t size; /* of the body, as the header has it */
    size_t text;
    uint8_t head[CGCT_HEADER_SIZE];
    cgct_crc64_table crc;
} state;

static int any_bit(const uint8_t *b, int from, int to)
{
    int bits = 0;
    for (int i = from; i < to; i++) bits |= b[i];
    return bits;
}

static cgct_status check_three_reserved(const uint8_t *b, cgct_err *err)
{
    if (!any_bit(b, CGCT_AT_FEATURES, CGCT_AT_FILE_SIZE) &&
        !any_bit(b, CGCT_THREE_AT_RESERVED, CGCT_THREE_AT_BODY_CRC) &&
        !any_bit(b, CGCT_THREE_AT_RESERVED2, CGCT_AT_GENERATOR) &&
        !any_bit(b, CGCT_THREE_AT_RESERVED3, CGCT_AT_CRC))
        return CGCT_OK;
    return cgct_fail(err, CGCT_E_VERSION, "reserved fields are in use; needs a newer program");
}

/* Lengths, each checked before it is used, and the size of the body that follows from them. */
static cgct_status parse_three_head(state *s, cgct_three *t, cgct_err *err)
{
    const uint8_t *b = s->head;
    uint32_t v[6], M = cgct_get_u32(b + CGCT_THREE_AT_M),
                   sets = cgct_get_u32(b + CGCT_THREE_AT_SETS);
    uint32_t size = cgct_get_u32(b + CGCT_AT_HEADER_SIZE);
    uint32_t flags[] = {cgct_get_u32(b + CGCT_THREE_AT_COMPLEX),
                        cgct_get_u32(b + CGCT_THREE_AT_SYMMETRIC)};
    for (int i = 0; i < 3; i++) v[i] = cgct_get_u32(b + CGCT_AT_LENGTHS + 4 * i);
    for (int i = 3; i < 6; i++) v[i] = cgct_get_u32(b + CGCT_THREE_AT_ANGLES + 4 * (i - 3));
    s->text = cgct_get_u32(b + CGCT_THREE_AT_TEXT);
    for (int i = 0; i < 6; i++)
        if (v[i] > CGCT_THREE_LENGTH_MAX || (i < 5 && v[i] < 1))
            return cgct_fail(err, CGCT_E_FORMAT,
                             "length %d of the header is %" PRIu32 ", 1 to %d are allowed", i, v[i],
                             CGCT_THREE_LENGTH_MAX);
    if (size != CGCT_HEADER_SIZE || M > CGCT_THREE_ORDER_MAX || sets != CGCT_THREE_NSET ||
        flags[0] > 1 || flags[1] > 1 || s->text < CGCT_THREE_TEXTS || s->text > CGCT_THREE_TEXT_MAX)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "header of %" PRIu32 " bytes, M = %" PRIu32 ", %" PRIu32
                         " sets, flags %" PRIu32 " %" PRIu32 ", %zu bytes of text: not what the "
                         "format allows",
                         size, M, sets, flags[0], flags[1], s->text);
    *t = (cgct_three){.nk = v[0],
                      .np = v[1],
                      .nq = v[2],
                      .M = M,
                      .nphi_p = v[3],
                      .nphi_q = v[4],
                      .npar = v[5],
                      .is_complex = (int)flags[0],
                      .is_symmetric = (int)flags[1]};
    size_t count = cgct_three_count(t);
    uint64_t lists = 0;
    for (int i = 0; i < 6; i++) lists += v[i];
    s->size = 8 * (lists + CGCT_THREE_NSET * (uint64_t)count) + s->text;
    uint64_t file = cgct_get_u64(b + CGCT_AT_FILE_SIZE);
    if (count && file == CGCT_HEADER_SIZE + s->size) return CGCT_OK;
    return cgct_fail(err, CGCT_E_FORMAT,
                     "file of %" PRIu64 " bytes by its header, its lengths make %" PRIu64, file,
                     CGCT_HEADER_SIZE + s->size);
}

static cgct_status read_three_head(state *s, cgct_three *t, cgct_err *err)
{
    static const char *const others[CGCT_KIND_THREE] = {
        NULL, NULL, "an inner table, for 'cgctab-generate transform'; three momenta are kind 3"};
    size_t got = fread(s->head, 1, CGCT_HEADER_SIZE, s->f);
    if (ferror(s->f)) return cgct_fail(err, CGCT_E_IO, "cannot be read");
    if (got < CGCT_HEADER_SIZE)
        return cgct_fail(err, CGCT_E_FORMAT, "has %zu bytes, the header alone %d", got,
                         CGCT_HEADER_SIZE);
    uint32_t kind = cgct_get_u32(s->head + CGCT_AT_KIND);
    CGCT_TRY(cgct_archive_check(s->head, CGCT_KIND_THREE, CGCT_THREE_MAJOR, CGCT_THREE_DATA_VERSION,
                                kind < CGCT_KIND_THREE ? others[kind] : NULL, &s->crc, err));
    CGCT_TRY(check_three_reserved(s->head, err));
    return parse_three_head(s, t, err);
}

/* A length is believed only as far as the file goes: no memory is taken for bytes that are not
 * there. */
static cgct_status check_three_size(const state *s, cgct_err *err)
{
    if (fseeko(s->f, 0, SEEK_END)) return cgct_fail(err, CGCT_E_IO, "not a file with an end");
    uint64_t size = (uint64_t)ftello(s->f);
    if (size != CGCT_HEADER_SIZE + s->size)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "has %" PRIu64 " bytes, its header says %" PRIu64
                         ": truncated or appended to",
                         size, CGCT_HEADER_SIZE + s->size);
    if (fseeko(s->f, CGCT_HEADER_SIZE, SEEK_SET)) return cgct_fail(err, CGCT_E_IO, "cannot seek");
    return CGCT_OK;
}

/* Numbers of the body to the aligned place v, where pieces of t then point. */
static cgct_status parse_three_numbers(const state *s, const uint8_t *body, double *v,
                                       cgct_three *t, cgct_err *err)
{
    size_t n = ((size_t)s->size - s->text) / 8, count = cgct_three_count(t);
    for (size_t i = 0; i < n; i++) {
        v[i] = cgct_get_f64(body + 8 * i);
        if (!isfinite(v[i]))
            return cgct_fail(err, CGCT_E_FORMAT, "number %zu of %zu is %g", i, n, v[i]);
    }
    const struct {
        const double **to;
        size_t n;
    } parts[] = {{&t->k, t->nk},         {&t->p, t->np},         {&t->q, t->nq},
                 {&t->phi_p, t->nphi_p}, {&t->phi_q, t->nphi_q}, {&t->par, t->npar},
                 {&t->A[0], count},      {&t->A[1], count}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        *parts[i].to = v;
        v += parts[i].n;
    }
    return CGCT_OK;
}

static cgct_status parse_three_texts(const char *text, size_t n, cgct_three *t, cgct_err *err)
{
    const char *end = memchr(text, 0, n);
    if (!end || end == text + n - 1 ||
        memchr(end + 1, 0, n - (size_t)(end + 1 - text)) != text + n - 1)
        return cgct_fail(err, CGCT_E_FORMAT, "%zu bytes of text are not %d strings", n,
                         CGCT_THREE_TEXTS);
    t->integrand = text;
    t->settings = end + 1;
    return CGCT_OK;
}

/* memory: the numbers, then the texts and the generator's name. */
static cgct_status read_three_body(state *s, cgct_three *t, void **memory, cgct_err *err)
{
    size_t n = (size_t)s->size, numbers = n - s->text;
    uint8_t *body = malloc(n);
    double *v = *memory = malloc(n + CGCT_GENERATOR_SIZE);
    cgct_status st = CGCT_OK;
    if (!body || !v)
        st = cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu bytes", n);
    else if (fread(body, 1, n, s->f) != n)
        st = cgct_fail(err, CGCT_E_IO, "cannot be read");
    uint64_t want = cgct_get_u64(s->head + CGCT_THREE_AT_BODY_CRC), crc = want;
    if (st == CGCT_OK) crc = cgct_crc64(&s->crc, body, n);
    if (crc != want)
        st = cgct_fail(err, CGCT_E_CHECKSUM, "body: checksum %016" PRIx64 ", stored %016" PRIx64,
                       crc, want);
    if (st == CGCT_OK) st = parse_three_numbers(s, body, v, t, err);
    if (st == CGCT_OK) {
        char *text = (char *)v + numbers, *generator = text + s->text;
        memcpy(text, body + numbers, s->text);
        memcpy(generator, s->head + CGCT_AT_GENERATOR, CGCT_GENERATOR_SIZE);
        generator[CGCT_GENERATOR_SIZE - 1] = 0;
        t->generator = generator;
        st = parse_three_texts(text, s->text, t, err);
    }
    free(body);
    return st;
}

cgct_status cgct_three_load(cgct_three *t, void **memory, const char *path, cgct_err *err)
{
    state s = {.f = fopen(path, "rb")};
    *memory = NULL;
    if (!s.f) return cgct_fail_errno(err, path, NULL, errno);
    cgct_crc64_init(&s.crc);
    cgct_status st = read_three_head(&s, t, err);
    if (st == CGCT_OK) st = check_three_size(&s, err);
    if (st == CGCT_OK) st = read_three_body(&s, t, memory, err);
    fclose(s.f);
    return st == CGCT_OK ? st : cgct_context(err, st, "%s", path);
}
