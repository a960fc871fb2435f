/* SPDX-License-Identifier: MIT */
/* Header, axes and index of a table: packing, and parsing with every number checked. */
#include "header.h"

#include <inttypes.h>
#include <math.h>

#include "predicted.h"

void cgct_section_pack(const cgct_section *s, uint8_t out[24])
{
    cgct_put_u64(out, s->offset);
    cgct_put_u64(out + 8, s->size);
    cgct_put_u64(out + 16, s->crc);
}

void cgct_header_pack(const cgct_crc64_table *crc, const cgct_header *h,
                      uint8_t out[CGCT_HEADER_SIZE])
{
    cgct_header_begin(out, CGCT_KIND_CROSS_SECTION, CGCT_MAJOR, CGCT_MINOR, CGCT_DATA_VERSION,
                      h->file_size);
    cgct_put_u32(out + CGCT_AT_FEATURES, h->features);
    for (int a = 0; a < 4; a++) {
        cgct_put_u32(out + CGCT_AT_LENGTHS + 4 * a, h->n[a]);
        out[CGCT_AT_ORDER + a] = h->order[a];
    }
    cgct_put_u32(out + CGCT_AT_NPOL, CGCT_NPOL_STORED);
    cgct_put_f64(out + CGCT_AT_FOLD_POWER, h->fold_power);
    if (h->features & CGCT_FEATURE_MEMBERS) cgct_put_u32(out + CGCT_AT_MEMBERS, h->members);
    cgct_section_pack(&h->meta, out + CGCT_AT_META);
    cgct_section_pack(&h->axes, out + CGCT_AT_AXES);
    cgct_section_pack(&h->index, out + CGCT_AT_INDEX);
    cgct_section_pack(&h->shape, out + CGCT_AT_SHAPE);
    memcpy(out + CGCT_AT_GENERATOR, h->generator, CGCT_GENERATOR_SIZE);
    cgct_put_u64(out + CGCT_AT_CRC, cgct_crc64(crc, out, CGCT_AT_CRC));
}

static int all_zero(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i]) return 0;
    return 1;
}

static cgct_status check_identity(const uint8_t *b, size_t have, cgct_err *err)
{
    if (have == 0) return cgct_fail(err, CGCT_E_FORMAT, "file is empty");
    if (have < 8 || memcmp(b, CGCT_MAGIC, 8) != 0)
        return cgct_fail(err, CGCT_E_FORMAT, "not a cgctab container: begins with byte 0x%02x, %s",
                         b[0],
                         have < 8 ? "and has less than 8 bytes" : "not with the magic 89 43 47 43");
    if (have < CGCT_HEADER_SIZE)
        return cgct_fail(err, CGCT_E_FORMAT, "truncated: %zu bytes, the header alone has %d", have,
                         CGCT_HEADER_SIZE);
    unsigned major = cgct_get_u16(b + CGCT_AT_MAJOR);
    if (major > CGCT_MAJOR)
        return cgct_fail(err, CGCT_E_VERSION,
                         "format version %u.%u, this program reads %d.x; use a newer cgctab", major,
                         cgct_get_u16(b + CGCT_AT_MINOR), CGCT_MAJOR);
    return CGCT_OK;
}

static cgct_section section_parse(const uint8_t *in)
{
    const cgct_section s = {cgct_get_u64(in), cgct_get_u64(in + 8), cgct_get_u64(in + 16)};
    return s;
}

static void header_unpack(const uint8_t *b, cgct_header *h)
{
    h->major = cgct_get_u16(b + CGCT_AT_MAJOR);
    h->minor = cgct_get_u16(b + CGCT_AT_MINOR);
    h->features = cgct_get_u32(b + CGCT_AT_FEATURES);
    h->file_size = cgct_get_u64(b + CGCT_AT_FILE_SIZE);
    for (int a = 0; a < 4; a++) {
        h->n[a] = cgct_get_u32(b + CGCT_AT_LENGTHS + 4 * a);
        h->order[a] = b[CGCT_AT_ORDER + a];
    }
    h->fold_power = cgct_get_f64(b + CGCT_AT_FOLD_POWER);
    h->members = 1;
    if (h->features & CGCT_FEATURE_MEMBERS) h->members = cgct_get_u32(b + CGCT_AT_MEMBERS);
    h->meta = section_parse(b + CGCT_AT_META);
    h->axes = section_parse(b + CGCT_AT_AXES);
    h->index = section_parse(b + CGCT_AT_INDEX);
    h->shape = section_parse(b + CGCT_AT_SHAPE);
    memcpy(h->generator, b + CGCT_AT_GENERATOR, CGCT_GENERATOR_SIZE);
}

static cgct_status check_known(const uint8_t *b, const cgct_header *h, cgct_err *err)
{
    uint32_t kind = cgct_get_u32(b + CGCT_AT_KIND);
    uint32_t data_version = cgct_get_u32(b + CGCT_AT_DATA_VERSION);
    if (kind != CGCT_KIND_CROSS_SECTION)
        return cgct_fail(err, CGCT_E_VERSION,
                         "holds kind %" PRIu32 ", this program reads kind %d (cross sections)",
                         kind, CGCT_KIND_CROSS_SECTION);
    if (h->major < CGCT_MAJOR || h->minor < CGCT_MINOR_LEAST)
        return cgct_fail(err, CGCT_E_VERSION,
                         "format version %u.%u, made by an older cgctab; make the table again",
                         h->major, h->minor);
    if (data_version != CGCT_DATA_VERSION)
        return cgct_fail(err, CGCT_E_VERSION,
                         "data version %" PRIu32 ", this program reads %d; use a newer cgctab",
                         data_version, CGCT_DATA_VERSION);
    if (h->features & ~(uint32_t)CGCT_FEATURES_KNOWN)
        return cgct_fail(err, CGCT_E_VERSION,
                         "feature bits 0x%" PRIx32 " of format %u.%u, this program knows 0x%x; "
                         "use a newer cgctab",
                         h->features, h->major, h->minor, (unsigned)CGCT_FEATURES_KNOWN);
    int reserved = h->features & CGCT_FEATURE_MEMBERS ? CGCT_AT_RESERVED : CGCT_AT_MEMBERS;
    if (h->minor <= CGCT_MINOR && (cgct_get_u32(b + CGCT_AT_RESERVED_BEFORE_SIZE) ||
                                   !all_zero(b + reserved, (size_t)(CGCT_AT_CRC - reserved))))
        return cgct_fail(err, CGCT_E_FORMAT, "reserved bytes of the header are not zero");
    return CGCT_OK;
}

static cgct_status check_values(const uint8_t *b, const cgct_header *h, cgct_err *err)
{
    static const char *const name[4] = {"x", "eps", "q", "k"};
    uint32_t size = cgct_get_u32(b + CGCT_AT_HEADER_SIZE), npol = cgct_get_u32(b + CGCT_AT_NPOL);
    int fold = (h->features & CGCT_FEATURE_FOLD) != 0;
    if (size != CGCT_HEADER_SIZE)
        return cgct_fail(err, CGCT_E_FORMAT, "header size %" PRIu32 ", want %d", size,
                         CGCT_HEADER_SIZE);
    if ((h->features & CGCT_FEATURE_CROSS) && !(h->features & CGCT_FEATURE_SPLIT))
        return cgct_fail(err, CGCT_E_FORMAT, "feature bits 0x%" PRIx32 ": cross without split",
                         h->features);
    if (npol != CGCT_NPOL_STORED)
        return cgct_fail(err, CGCT_E_FORMAT, "%" PRIu32 " polarisations, want %d", npol,
                         CGCT_NPOL_STORED);
    if ((h->features & CGCT_FEATURE_MEMBERS) && (h->members < 2 || h->members > CGCT_MEMBERS_MAX))
        return cgct_fail(err, CGCT_E_FORMAT, "%" PRIu32 " members, want 2 to %d", h->members,
                         CGCT_MEMBERS_MAX);
    for (int a = 0; a < 4; a++) {
        if (h->n[a] < 1 || h->n[a] > CGCT_AXIS_LENGTH_MAX)
            return cgct_fail(err, CGCT_E_FORMAT, "axis %s has %" PRIu32 " values, want 1 to %d",
                             name[a], h->n[a], CGCT_AXIS_LENGTH_MAX);
        if (h->order[a] < CGCT_ORDER_MIN || h->order[a] > CGCT_ORDER_MAX)
            return cgct_fail(err, CGCT_E_FORMAT, "order %d of axis %s, want %d to %d", h->order[a],
                             name[a], CGCT_ORDER_MIN, CGCT_ORDER_MAX);
    }
    if (!(fold ? h->fold_power > 0 && isfinite(h->fold_power) : h->fold_power == 0))
        return cgct_fail(err, CGCT_E_FORMAT, "fold power %g with fold flag %d", h->fold_power,
                         fold);
    if (h->generator[CGCT_GENERATOR_SIZE - 1])
        return cgct_fail(err, CGCT_E_FORMAT, "generator text is not terminated");
    return CGCT_OK;
}

/* size_want 0: any. */
static cgct_status check_section(const char *name, const cgct_section *s, uint64_t size_want,
                                 uint64_t file_size, cgct_err *err)
{
    if (size_want && s->size != size_want)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s has %" PRIu64 " bytes, the header's lengths imply %" PRIu64, name,
                         s->size, size_want);
    if (s->offset < CGCT_HEADER_SIZE || s->offset > file_size || s->size > file_size - s->offset)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s at %" PRIu64 " with %" PRIu64
                         " bytes lies outside the file of %" PRIu64 " bytes",
                         name, s->offset, s->size, file_size);
    return CGCT_OK;
}

cgct_status cgct_header_parse(const cgct_crc64_table *crc, const uint8_t *b, size_t have,
                              uint64_t file_size, cgct_header *h, cgct_err *err)
{
    CGCT_TRY(check_identity(b, have, err));
    uint64_t want = cgct_get_u64(b + CGCT_AT_CRC), got = cgct_crc64(crc, b, CGCT_AT_CRC);
    if (got != want)
        return cgct_fail(err, CGCT_E_CHECKSUM,
                         "header is damaged: checksum %016" PRIx64 ", stored %016" PRIx64
                         "; copy the file again",
                         got, want);
    header_unpack(b, h);
    h->crc = got;
    CGCT_TRY(check_known(b, h, err));
    CGCT_TRY(check_values(b, h, err));
    if (h->file_size != file_size)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s: %" PRIu64 " bytes, the header says %" PRIu64 "; copy the file again",
                         file_size < h->file_size ? "truncated" : "has bytes after its end",
                         file_size, h->file_size);
    uint64_t values = (uint64_t)h->n[0] + h->n[1] + h->n[2] + h->n[3];
    uint64_t nodes = (uint64_t)h->n[0] * h->n[1] * h->members;
    CGCT_TRY(check_section("metadata", &h->meta, 0, file_size, err));
    CGCT_TRY(check_section("axes", &h->axes, 8 * values, file_size, err));
    CGCT_TRY(check_section("shape", &h->shape, 2 * (uint64_t)h->n[1] * h->n[2] * h->n[3], file_size,
                           err));
    return check_section("index", &h->index, CGCT_NODE_SIZE * nodes, file_size, err);
}

cgct_status cgct_archive_check(const uint8_t b[CGCT_HEADER_SIZE], uint32_t kind, int major,
                               int data_version, const char *other, const cgct_crc64_table *crc,
                               cgct_err *err)
{
    uint32_t found = cgct_get_u32(b + CGCT_AT_KIND), data = cgct_get_u32(b + CGCT_AT_DATA_VERSION);
    unsigned format = cgct_get_u16(b + CGCT_AT_MAJOR);
    if (memcmp(b, CGCT_MAGIC, 8) != 0)
        return cgct_fail(err, CGCT_E_FORMAT, "not a cgctab file: begins with byte 0x%02x", b[0]);
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

void cgct_entry_pack(const cgct_entry *e, uint8_t out[CGCT_NODE_SIZE])
{
    memset(out, 0, CGCT_NODE_SIZE);
    cgct_put_u64(out + CGCT_NODE_AT_OFFSET, e->offset);
    cgct_put_u64(out + CGCT_NODE_AT_STORED, e->stored_size);
    cgct_put_u64(out + CGCT_NODE_AT_RAW, e->raw_size);
    cgct_put_u64(out + CGCT_NODE_AT_STORED_CRC, e->stored_crc);
    cgct_put_u64(out + CGCT_NODE_AT_RAW_CRC, e->raw_crc);
    cgct_put_u32(out + CGCT_NODE_AT_NM, e->nm);
    cgct_put_u32(out + CGCT_NODE_AT_ENCODING, e->encoding);
    cgct_put_u32(out + CGCT_NODE_AT_COMPRESSION, e->compression);
    cgct_put_u32(out + CGCT_NODE_AT_FLAGGED, e->flagged);
}

static cgct_status entry_check_ids(const uint8_t *in, const cgct_header *h, const cgct_entry *e,
                                   cgct_err *err)
{
    if (e->encoding < CGCT_ENCODING_F64 || e->encoding > CGCT_ENCODING_PREDICTED)
        return cgct_fail(err, CGCT_E_VERSION,
                         "encoding %" PRIu32 ", this program reads %d to %d; use a newer cgctab",
                         e->encoding, CGCT_ENCODING_F64, CGCT_ENCODING_PREDICTED);
    if (e->compression != CGCT_STORED && e->compression != CGCT_ZSTD)
        return cgct_fail(err, CGCT_E_VERSION,
                         "compression %" PRIu32
                         ", this program reads %d and %d; use a newer cgctab",
                         e->compression, CGCT_STORED, CGCT_ZSTD);
    if (e->nm < 1 || e->nm > CGCT_MODES_MAX)
        return cgct_fail(err, CGCT_E_FORMAT, "%" PRIu32 " modes, want 1 to %d", e->nm,
                         CGCT_MODES_MAX);
    if (h->minor <= CGCT_MINOR && cgct_get_u64(in + CGCT_NODE_AT_RESERVED))
        return cgct_fail(err, CGCT_E_FORMAT, "reserved bytes of the index entry are not zero");
    return CGCT_OK;
}

/* Bytes of a payload of encoding 2; no overflow within the format's limits. */
static uint64_t differences_size(uint64_t n, uint64_t nm)
{
    return CGCT_STEPS_SIZE + (2 * (nm + 1) + 7) / 8 * 8 + 2 * ((n + 7) / 8 * 8) + 4 * n * (nm + 1);
}

cgct_entry cgct_entry_get(const uint8_t in[CGCT_NODE_SIZE])
{
    const cgct_entry e = {
        cgct_get_u64(in + CGCT_NODE_AT_OFFSET),   cgct_get_u64(in + CGCT_NODE_AT_STORED),
        cgct_get_u64(in + CGCT_NODE_AT_RAW),      cgct_get_u64(in + CGCT_NODE_AT_STORED_CRC),
        cgct_get_u64(in + CGCT_NODE_AT_RAW_CRC),  cgct_get_u32(in + CGCT_NODE_AT_NM),
        cgct_get_u32(in + CGCT_NODE_AT_ENCODING), cgct_get_u32(in + CGCT_NODE_AT_COMPRESSION),
        cgct_get_u32(in + CGCT_NODE_AT_FLAGGED)};
    return e;
}

cgct_status cgct_entry_parse(const uint8_t in[CGCT_NODE_SIZE], const cgct_header *h, cgct_entry *e,
                             cgct_err *err)
{
    *e = cgct_entry_get(in);
    CGCT_TRY(entry_check_ids(in, h, e, err));
    uint64_t n = 2 * (uint64_t)h->n[2] * h->n[3];
    uint64_t raw = e->encoding == CGCT_ENCODING_F64           ? cgct_payload_size(n, e->nm)
                   : e->encoding == CGCT_ENCODING_DIFFERENCES ? differences_size(n, e->nm)
                                                              : e->raw_size;
    if (e->raw_size != raw)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "raw size %" PRIu64 ", the lengths of the axes imply %" PRIu64,
                         e->raw_size, raw);
    if (e->encoding == CGCT_ENCODING_PREDICTED && raw > cgct_predicted_size_max(n, e->nm))
        return cgct_fail(err, CGCT_E_FORMAT,
                         "raw size %" PRIu64 ", the lengths of the axes allow %" PRIu64, raw,
                         cgct_predicted_size_max(n, e->nm));
    if (cgct_is_records(e->encoding) &&
        (e->compression != CGCT_STORED || e->offset % CGCT_ALIGN_RECORDS))
        return cgct_fail(err, CGCT_E_FORMAT,
                         "records at %" PRIu64 " with compression %" PRIu32
                         ": want a multiple of %d and %d",
                         e->offset, e->compression, CGCT_ALIGN_RECORDS, CGCT_STORED);
    cgct_section frame = {e->offset, e->stored_size, e->stored_crc};
    CGCT_TRY(check_section("frame", &frame, 0, h->file_size, err));
    uint64_t ratio = e->compression == CGCT_STORED ? 1 : CGCT_ZSTD_RATIO_MAX;
    if (raw / ratio > e->stored_size || (ratio == 1 && raw != e->stored_size))
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%" PRIu64 " stored bytes cannot hold %" PRIu64 " raw ones",
                         e->stored_size, raw);
    return CGCT_OK;
}

uint64_t cgct_payload_size(uint64_t n, uint64_t nm)
{
    return 3 * 8 * n + (n + 7) / 8 * 8 + 8 * n * (nm - 1);
}

uint64_t cgct_records_size(uint64_t n, uint64_t blocks, uint32_t encoding)
{
    uint64_t number = encoding == CGCT_ENCODING_RECORDS_F32 ? 4 : 8;
    return CGCT_BLOCK * number * blocks + 8 * n + (n + 7) / 8 * 8;
}

cgct_status cgct_axis_check(const char *name, size_t n, const double *v, cgct_err *err)
{
    if (n < 1 || n > CGCT_AXIS_LENGTH_MAX)
        return cgct_fail(err, CGCT_E_FORMAT, "axis %s has %zu values, want 1 to %d", name, n,
                         CGCT_AXIS_LENGTH_MAX);
    for (size_t i = 0; i < n; i++) {
        if (!(v[i] > 0 && isfinite(v[i])))
            return cgct_fail(err, CGCT_E_FORMAT, "axis %s: value %zu is %g, want finite and > 0",
                             name, i, v[i]);
        if (i && !(log(v[i]) - log(v[i - 1]) >= CGCT_LN_SPACING_MIN))
            return cgct_fail(err, CGCT_E_FORMAT,
                             "axis %s not rising at %zu (%.17g then %.17g); values must differ by "
                             "more than %g of themselves",
                             name, i, v[i - 1], v[i], CGCT_LN_SPACING_MIN);
    }
    return CGCT_OK;
}
