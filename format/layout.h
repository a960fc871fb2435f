/* SPDX-License-Identifier: MIT */
/* layout.h: the numbers of FORMAT.md, INNER.md and THREE.md (offsets, limits, ids), and
 * little-endian access to bytes. */
#ifndef CGCT_LAYOUT_H
#define CGCT_LAYOUT_H
#include <stdint.h>
#include <string.h>

#define CGCT_MAGIC                                                                                 \
    "\x89"                                                                                         \
    "CGCT\r\n\x1a"
enum {
    CGCT_MAJOR = 1,
    CGCT_MINOR = 2,       /* what is written */
    CGCT_MINOR_LEAST = 1, /* what is read, too: the same but for encoding 5 */
    CGCT_DATA_VERSION = 1,
    CGCT_KIND_CROSS_SECTION = 1,
    CGCT_KIND_INNER_TABLE = 2,
    CGCT_KIND_THREE = 3,
    CGCT_FEATURE_FOLD = 1,
    CGCT_FEATURE_SPLIT = 2,
    CGCT_FEATURE_CROSS = 4,
    CGCT_FEATURE_MEMBERS = 8,
    CGCT_FEATURES_KNOWN =
        CGCT_FEATURE_FOLD | CGCT_FEATURE_SPLIT | CGCT_FEATURE_CROSS | CGCT_FEATURE_MEMBERS,
    CGCT_NPOL_STORED = 2,
    CGCT_ORDER_WRITTEN = 4,
    CGCT_ORDER_MIN = 2,
    CGCT_ORDER_MAX = 8,
    CGCT_AXIS_LENGTH_MAX = 65536,
    CGCT_MODES_MAX = 4096,
    CGCT_MEMBERS_MAX = 65536,
    CGCT_ENCODING_F64 = 1,
    CGCT_ENCODING_DIFFERENCES = 2,
    CGCT_ENCODING_RECORDS_F32 = 3,
    CGCT_ENCODING_RECORDS_F64 = 4,
    CGCT_ENCODING_PREDICTED = 5,
    CGCT_STORED = 0,
    CGCT_ZSTD = 1,
    CGCT_ZSTD_RATIO_MAX = 32768,
    CGCT_FLAG_SCALE = 1, /* the scale is not I_0 */
    CGCT_ALIGN = 8,
    CGCT_ALIGN_RECORDS = 64,
    CGCT_BLOCK = 16, /* numbers in a block of a record */
    CGCT_DIFFERENCES_MAX = 3
};
#define CGCT_LN_SPACING_MIN 1e-9
#define CGCT_ZERO_MAX 1.5 /* |I_0/s| of a flagged point: 1, and what rounding adds */
#define CGCT_SCALE_REST_MAX                                                                        \
    0x1p-14                      /* b of a record: what rounding of ln s leaves, taken as linear */
#define CGCT_ZERO_MAX_RECORD 2.0 /* the same where s itself is rounded */

enum {
    CGCT_AT_MAGIC = 0,
    CGCT_AT_MAJOR = 8,
    CGCT_AT_MINOR = 10,
    CGCT_AT_HEADER_SIZE = 12,
    CGCT_AT_KIND = 16,
    CGCT_AT_DATA_VERSION = 20,
    CGCT_AT_FEATURES = 24,
    CGCT_AT_RESERVED_BEFORE_SIZE = 28, /* 4 bytes */
    CGCT_AT_FILE_SIZE = 32,
    CGCT_AT_LENGTHS = 40,
    CGCT_AT_NPOL = 56,
    CGCT_AT_ORDER = 60,
    CGCT_AT_FOLD_POWER = 64,
    CGCT_AT_META = 72,
    CGCT_AT_AXES = 96,
    CGCT_AT_INDEX = 120,
    CGCT_AT_GENERATOR = 144,
    CGCT_AT_SHAPE = 208,
    CGCT_AT_MEMBERS = 232,
    CGCT_AT_RESERVED = 236,
    CGCT_AT_CRC = 248,
    CGCT_HEADER_SIZE = 256,
    CGCT_GENERATOR_SIZE = CGCT_AT_SHAPE - CGCT_AT_GENERATOR
};

enum {
    CGCT_NODE_AT_OFFSET = 0,
    CGCT_NODE_AT_STORED = 8,
    CGCT_NODE_AT_RAW = 16,
    CGCT_NODE_AT_STORED_CRC = 24,
    CGCT_NODE_AT_RAW_CRC = 32,
    CGCT_NODE_AT_NM = 40,
    CGCT_NODE_AT_ENCODING = 44,
    CGCT_NODE_AT_COMPRESSION = 48,
    CGCT_NODE_AT_FLAGGED = 52,
    CGCT_NODE_AT_RESERVED = 56,
    CGCT_NODE_SIZE = 64
};

/* ---- kind 2: inner tables (INNER.md); what kind 1 has, too, stands above ---- */

enum {
    CGCT_INNER_MAJOR = 1,
    CGCT_INNER_MINOR = 0,
    CGCT_INNER_DATA_VERSION = 1,
    CGCT_INNER_AXIS_MAX = 65536,
    CGCT_INNER_MODES_MAX = 4096
};

enum {
    CGCT_INNER_AT_BOUND = 64,
    CGCT_INNER_AT_LARGEST = 208,
    CGCT_INNER_AT_MEASURED = 224,
    CGCT_INNER_AT_RESERVED = 240
};

enum {
    CGCT_BLOCK_AT_OFFSET = 0,
    CGCT_BLOCK_AT_STORED = 8,
    CGCT_BLOCK_AT_RAW = 16,
    CGCT_BLOCK_AT_CRC = 24,
    CGCT_BLOCK_AT_STEP = 32,
    CGCT_BLOCK_AT_WIDTH = 40,
    CGCT_BLOCK_AT_ORDER = 44,
    CGCT_BLOCK_AT_COMPRESSION = 48,
    CGCT_BLOCK_SIZE = 64
};

/* ---- kind 3: results of three momenta (THREE.md) ---- */

enum {
    CGCT_THREE_MAJOR = 1,
    CGCT_THREE_MINOR = 0,
    CGCT_THREE_DATA_VERSION = 1,
    CGCT_THREE_TEXTS = 2,
    CGCT_THREE_TEXT_MAX = 1 << 20
};

enum {
    CGCT_THREE_AT_M = 52,
    CGCT_THREE_AT_SETS = 56,
    CGCT_THREE_AT_COMPLEX = 60,
    CGCT_THREE_AT_SYMMETRIC = 64,
    CGCT_THREE_AT_ANGLES = 68,
    CGCT_THREE_AT_NPAR = 76,
    CGCT_THREE_AT_TEXT = 80,
    CGCT_THREE_AT_RESERVED = 84, /* 4 bytes */
    CGCT_THREE_AT_BODY_CRC = 88,
    CGCT_THREE_AT_RESERVED2 = 96, /* up to the generator */
    CGCT_THREE_AT_RESERVED3 = 208 /* up to the crc */
};

/* ---- bytes ---- */

/* Encodings whose numbers lie in the file as they do in memory. */
static inline int cgct_is_records(uint32_t encoding)
{
    return encoding == CGCT_ENCODING_RECORDS_F32 || encoding == CGCT_ENCODING_RECORDS_F64;
}

/* I_0/s as it is stored. */
static inline int cgct_zero_allowed(double zero, int flag)
{
    return flag ? zero >= -CGCT_ZERO_MAX && zero <= CGCT_ZERO_MAX : zero == 1;
}

static inline uint32_t cgct_get_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint16_t cgct_get_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline float cgct_get_f32(const uint8_t *p)
{
    uint32_t bits = cgct_get_u32(p);
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline uint64_t cgct_get_u64(const uint8_t *p)
{
    return (uint64_t)cgct_get_u32(p) | (uint64_t)cgct_get_u32(p + 4) << 32;
}

static inline double cgct_get_f64(const uint8_t *p)
{
    uint64_t bits = cgct_get_u64(p);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline void cgct_put_u32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> 8 * i);
}

static inline void cgct_put_f32(uint8_t *p, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    cgct_put_u32(p, bits);
}

static inline void cgct_put_u16(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline void cgct_put_u64(uint8_t *p, uint64_t v)
{
    for (int i = 0; i < 8; i++) p[i] = (uint8_t)(v >> 8 * i);
}

static inline void cgct_put_f64(uint8_t *p, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    cgct_put_u64(p, bits);
}

/* ---- headers ---- */

/* The fields with which the headers of all kinds begin; the others become 0. */
static inline void cgct_header_begin(uint8_t out[CGCT_HEADER_SIZE], uint32_t kind, int major,
                                     int minor, int data_version, uint64_t file_size)
{
    memset(out, 0, CGCT_HEADER_SIZE);
    memcpy(out + CGCT_AT_MAGIC, CGCT_MAGIC, 8);
    cgct_put_u16(out + CGCT_AT_MAJOR, (uint16_t)major);
    cgct_put_u16(out + CGCT_AT_MINOR, (uint16_t)minor);
    cgct_put_u32(out + CGCT_AT_HEADER_SIZE, CGCT_HEADER_SIZE);
    cgct_put_u32(out + CGCT_AT_KIND, kind);
    cgct_put_u32(out + CGCT_AT_DATA_VERSION, (uint32_t)data_version);
    cgct_put_u64(out + CGCT_AT_FILE_SIZE, file_size);
}
#endif
