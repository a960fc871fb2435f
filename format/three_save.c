/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "crc64.h"
#include "three_archive.h"
#include "three_layout.h"
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

static cgct_status check_lengths(const char *path, const cgct_three *t, cgct_err *err)
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
static cgct_status put_numbers(uint8_t *body, size_t *at, const char *name, size_t n,
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

static cgct_status put_body(const cgct_three *t, uint8_t *body, cgct_err *err)
{
    size_t at = 0, n = cgct_three_count(t);
    CGCT_TRY(put_numbers(body, &at, "k", t->nk, t->k, err));
    CGCT_TRY(put_numbers(body, &at, "p", t->np, t->p, err));
    CGCT_TRY(put_numbers(body, &at, "q", t->nq, t->q, err));
    CGCT_TRY(put_numbers(body, &at, "phi_p", t->nphi_p, t->phi_p, err));
    CGCT_TRY(put_numbers(body, &at, "phi_q", t->nphi_q, t->phi_q, err));
    CGCT_TRY(put_numbers(body, &at, "par", t->npar, t->par, err));
    for (int s = 0; s < CGCT_THREE_NSET; s++)
        CGCT_TRY(put_numbers(body, &at, "the modes", n, t->A[s], err));
    strcpy((char *)body + at, t->integrand);
    at += strlen(t->integrand) + 1;
    strcpy((char *)body + at, t->settings);
    return CGCT_OK;
}

static void put_head(const cgct_three *t, uint8_t *b, const uint8_t *body, size_t size, size_t text)
{
    cgct_crc64_table crc;
    cgct_crc64_init(&crc);
    memset(b, 0, CGCT_HEADER_SIZE);
    memcpy(b + CGCT_AT_MAGIC, CGCT_MAGIC, 8);
    cgct_put_u16(b + CGCT_AT_MAJOR, CGCT_THREE_MAJOR);
    cgct_put_u16(b + CGCT_AT_MINOR, CGCT_THREE_MINOR);
    cgct_put_u32(b + CGCT_AT_HEADER_SIZE, CGCT_HEADER_SIZE);
    cgct_put_u32(b + CGCT_AT_KIND, CGCT_KIND_THREE);
    cgct_put_u32(b + CGCT_AT_DATA_VERSION, CGCT_THREE_DATA_VERSION);
    cgct_put_u64(b + CGCT_AT_FILE_SIZE, CGCT_HEADER_SIZE + size);
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

static cgct_status write_file(const char *path, const uint8_t *head, const uint8_t *body,
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
    CGCT_TRY(check_lengths(path, t, err));
    size_t text = strlen(t->integrand) + strlen(t->settings) + 2;
    if (text > CGCT_THREE_TEXT_MAX)
        return cgct_fail(err, CGCT_E_USAGE, "%s: texts of %zu bytes; a file takes %d", path, text,
                         CGCT_THREE_TEXT_MAX);
    size_t numbers = t->nk + t->np + t->nq + t->nphi_p + t->nphi_q + t->npar +
                     CGCT_THREE_NSET * cgct_three_count(t);
    size_t size = 8 * numbers + text;
    uint8_t *body = malloc(size);
    if (!body) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for %zu bytes", path, size);
    cgct_status st = put_body(t, body, err);
    if (st == CGCT_OK) {
        put_head(t, head, body, size, text);
        st = write_file(path, head, body, size, err);
    } else {
        st = cgct_context(err, st, "%s", path);
    }
    free(body);
    return st;
}
