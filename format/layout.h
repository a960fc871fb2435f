/* SPDX-License-Identifier: MIT */
/* layout.h: the numbers of INNER.md and THREE.md (offsets, limits, ids), and little-endian
 * access to bytes. */
#ifndef CGCT_LAYOUT_H
#define CGCT_LAYOUT_H
#include <stdint.h>
#include <string.h>

#define CGCT_MAGIC                                                                                 \
    "\x89"                                                                                         \
    "CGCT\r\n\x1a"
enum {
    CGCT_KIND_INNER_TABLE = 2,
    CGCT_KIND_THREE = 3,
    CGCT_ZSTD = 1, /* compression of a block */
    CGCT_ALIGN = 8
};

enum {
    CGCT_AT_MAGIC = 0,
    CGCT_AT_MAJOR = 8,
    CGCT_AT_MINOR = 10,
    CGCT_AT_HEADER_SIZE = 12,
    CGCT_AT_KIND = 16,
    CGCT_AT_DATA_VERSION = 20,
    CGCT_AT_FEATURES = 24,
    CGCT_AT_FILE_SIZE = 32,
    CGCT_AT_LENGTHS = 40,
    CGCT_AT_NPOL = 56,
    CGCT_AT_ORDER = 60,
    CGCT_AT_META = 72,
    CGCT_AT_AXES = 96,
    CGCT_AT_INDEX = 120,
    CGCT_AT_GENERATOR = 144,
    CGCT_AT_SHAPE = 208,
    CGCT_AT_CRC = 248,
    CGCT_HEADER_SIZE = 256,
    CGCT_GENERATOR_SIZE = CGCT_AT_SHAPE - CGCT_AT_GENERATOR
};

/* ---- kind 2: inner tables (INNER.md) ---- */

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
