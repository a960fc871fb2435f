/* SPDX-License-Identifier: MIT */
/* archive.c: headers and sections of the generator's archives. */
#include "archive.h"

#include <inttypes.h>

void cgct_section_pack(const cgct_section *s, uint8_t out[24])
{
    cgct_put_u64(out, s->offset);
    cgct_put_u64(out + 8, s->size);
    cgct_put_u64(out + 16, s->crc);
}

cgct_status cgct_section_append(cgct_tmpfile *f, const cgct_crc64_table *crc, const void *data,
                                size_t n, cgct_section *s, cgct_err *err)
{
    static const uint8_t zeros[CGCT_ALIGN] = {0};
    CGCT_TRY(cgct_tmpfile_append(f, zeros, (size_t)(-f->end % CGCT_ALIGN), err));
    s->offset = f->end;
    s->size = n;
    s->crc = cgct_crc64(crc, data, n);
    return cgct_tmpfile_append(f, data, n, err);
}

cgct_status cgct_archive_check(const uint8_t b[CGCT_HEADER_SIZE], uint32_t kind, int major,
                               int data_version, const char *other, const cgct_crc64_table *crc,
                               cgct_err *err)
{
    uint32_t found = cgct_get_u32(b + CGCT_AT_KIND), data = cgct_get_u32(b + CGCT_AT_DATA_VERSION);
    unsigned format = cgct_get_u16(b + CGCT_AT_MAJOR);
    if (memcmp(b, CGCT_MAGIC, 8) != 0)
        return cgct_fail(err, CGCT_E_FORMAT, "not a cgctab file: begins with byte 0x%02x", b[0]);
    if (memcmp(b + CGCT_AT_KIND, "HEAD", 4) == 0) /* FORMAT.md 1 */
        return cgct_fail(err, CGCT_E_VERSION, "a table of the cross section, which 'cgctab' reads");
    if (other) return cgct_fail(err, CGCT_E_VERSION, "holds kind %" PRIu32 ", %s", found, other);
    if (format != (unsigned)major || found != kind || data != (uint32_t)data_version)
        return cgct_fail(err, CGCT_E_VERSION,
                         "format %u, kind %" PRIu32 ", data version %" PRIu32
                         "; this program reads format %d, kind %" PRIu32 ", data version %d",
                         format, found, data, major, kind, data_version);
    uint64_t want = cgct_get_u64(b + CGCT_AT_CRC), got = cgct_crc64(crc, b, CGCT_AT_CRC);
    if (got != want)
        return cgct_fail(err, CGCT_E_CHECKSUM,
                         "header: checksum %016" PRIx64 ", stored %016" PRIx64, got, want);
    return CGCT_OK;
}
