/* SPDX-License-Identifier: MIT */
/* bytes.h: little-endian numbers in bytes. */
#ifndef CGCT_BYTES_H
#define CGCT_BYTES_H
#include <stdint.h>
#include <string.h>

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
#endif
