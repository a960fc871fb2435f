/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "crc64.h"
#include "three_archive.h"
#include "three_layout.h"

typedef struct {
    FILE *f;
    uint64_t size; /* of the body, as the header has it */
    size_t text;
    uint8_t head[CGCT_HEADER_SIZE];
    cgct_crc64_table crc;
} state;

static cgct_status check_kind(const uint8_t *b, cgct_err *err)
{
    static const char *const kinds[] = {"a cross-section table, for 'cgctab'",
                                        "an inner table, for 'cgctab-generate transform'"};
    uint32_t kind = cgct_get_u32(b + CGCT_AT_KIND);
    if (memcmp(b, CGCT_MAGIC, 8) != 0)
        return cgct_fail(err, CGCT_E_FORMAT, "not a cgctab file: begins with byte 0x%02x", b[0]);
    if (kind == 1 || kind == 2)
        return cgct_fail(err, CGCT_E_VERSION,
                         "holds kind %" PRIu32 ", %s; three momenta are kind 3", kind,
                         kinds[kind - 1]);
    if (cgct_get_u16(b + CGCT_AT_MAJOR) != CGCT_THREE_MAJOR || kind != CGCT_KIND_THREE ||
        cgct_get_u32(b + CGCT_AT_DATA_VERSION) != CGCT_THREE_DATA_VERSION)
        return cgct_fail(err, CGCT_E_VERSION,
                         "format %u, kind %" PRIu32 ", data version %" PRIu32
                         "; this program reads format %d, kind %d, data version %d",
                         cgct_get_u16(b + CGCT_AT_MAJOR), kind,
                         cgct_get_u32(b + CGCT_AT_DATA_VERSION), CGCT_THREE_MAJOR, CGCT_KIND_THREE,
                         CGCT_THREE_DATA_VERSION);
    return CGCT_OK;
}

static int any(const uint8_t *b, int from, int to)
{
    int bits = 0;
    for (int i = from; i < to; i++) bits |= b[i];
    return bits;
}

static cgct_status check_reserved(const uint8_t *b, cgct_err *err)
{
    if (!any(b, CGCT_AT_FEATURES, CGCT_AT_FILE_SIZE) &&
        !any(b, CGCT_THREE_AT_RESERVED, CGCT_THREE_AT_BODY_CRC) &&
        !any(b, CGCT_THREE_AT_RESERVED2, CGCT_AT_GENERATOR) &&
        !any(b, CGCT_THREE_AT_RESERVED3, CGCT_AT_CRC))
        return CGCT_OK;
    return cgct_fail(err, CGCT_E_VERSION, "reserved fields are in use; needs a newer program");
}

/* Lengths, each checked before it is used, and the size of the body that follows from them. */
static cgct_status parse_head(state *s, cgct_three *t, cgct_err *err)
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

static cgct_status read_head(state *s, cgct_three *t, cgct_err *err)
{
    size_t got = fread(s->head, 1, CGCT_HEADER_SIZE, s->f);
    if (ferror(s->f)) return cgct_fail(err, CGCT_E_IO, "cannot be read");
    if (got < CGCT_HEADER_SIZE)
        return cgct_fail(err, CGCT_E_FORMAT, "has %zu bytes, the header alone %d", got,
                         CGCT_HEADER_SIZE);
    CGCT_TRY(check_kind(s->head, err));
    uint64_t want = cgct_get_u64(s->head + CGCT_AT_CRC);
    uint64_t crc = cgct_crc64(&s->crc, s->head, CGCT_AT_CRC);
    if (crc != want)
        return cgct_fail(err, CGCT_E_CHECKSUM,
                         "header: checksum %016" PRIx64 ", stored %016" PRIx64, crc, want);
    CGCT_TRY(check_reserved(s->head, err));
    return parse_head(s, t, err);
}

/* A length is believed only as far as the file goes: no memory is taken for bytes that are not
 * there. */
static cgct_status check_size(const state *s, cgct_err *err)
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
static cgct_status parse_numbers(const state *s, const uint8_t *body, double *v, cgct_three *t,
                                 cgct_err *err)
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

static cgct_status parse_texts(const char *text, size_t n, cgct_three *t, cgct_err *err)
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
static cgct_status read_body(state *s, cgct_three *t, void **memory, cgct_err *err)
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
    if (st == CGCT_OK) st = parse_numbers(s, body, v, t, err);
    if (st == CGCT_OK) {
        char *text = (char *)v + numbers, *generator = text + s->text;
        memcpy(text, body + numbers, s->text);
        memcpy(generator, s->head + CGCT_AT_GENERATOR, CGCT_GENERATOR_SIZE);
        generator[CGCT_GENERATOR_SIZE - 1] = 0;
        t->generator = generator;
        st = parse_texts(text, s->text, t, err);
    }
    free(body);
    return st;
}

cgct_status cgct_three_load(cgct_three *t, void **memory, const char *path, cgct_err *err)
{
    state s = {.f = fopen(path, "rb")};
    *memory = NULL;
    if (!s.f) {
        char why[128];
        int code = errno;
        if (strerror_r(code, why, sizeof why)) snprintf(why, sizeof why, "error %d", code);
        return cgct_fail(err, CGCT_E_IO, "%s: %s", path, why);
    }
    cgct_crc64_init(&s.crc);
    cgct_status st = read_head(&s, t, err);
    if (st == CGCT_OK) st = check_size(&s, err);
    if (st == CGCT_OK) st = read_body(&s, t, memory, err);
    fclose(s.f);
    return st == CGCT_OK ? st : cgct_context(err, st, "%s", path);
}
