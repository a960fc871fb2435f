/* SPDX-License-Identifier: MIT */
/* crc64.h: the checksum of all files, CRC-64/XZ (ECMA-182 polynomial, reflected), eight bytes at a
 * time.  The nine bytes "123456789" give 0x995DC9BBDF1939FA. */
#ifndef CGCT_CRC64_H
#define CGCT_CRC64_H
#include <stddef.h>
#include <stdint.h>

/* Made once by cgct_crc64_init and const from then on: t[j][i] is the effect of byte i followed by
 * j zero bytes. */
typedef struct {
    uint64_t t[8][256];
} cgct_crc64_table;

static inline void cgct_crc64_init(cgct_crc64_table *crc)
{
    for (unsigned i = 0; i < 256; i++) {
        uint64_t c = i;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? (c >> 1) ^ UINT64_C(0xC96C5795D7870F42) : c >> 1;
        crc->t[0][i] = c;
    }
    for (int j = 1; j < 8; j++)
        for (unsigned i = 0; i < 256; i++) {
            uint64_t c = crc->t[j - 1][i];
            crc->t[j][i] = (c >> 8) ^ crc->t[0][c & 0xff];
        }
}

/* Of n bytes that follow those with checksum c; c is 0 at the beginning. */
static inline uint64_t cgct_crc64(const cgct_crc64_table *crc, uint64_t c, const void *data,
                                  size_t n)
{
    const uint8_t *p = (const uint8_t *)data;
    for (c = ~c; n >= 8; n -= 8, p += 8) {
        const uint32_t low =
                           p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24,
                       high =
                           p[4] | (uint32_t)p[5] << 8 | (uint32_t)p[6] << 16 | (uint32_t)p[7] << 24;
        const uint64_t v = c ^ (low | (uint64_t)high << 32);
        c = 0;
        for (int j = 0; j < 8; j++) c ^= crc->t[7 - j][v >> 8 * j & 0xff];
    }
    for (; n; n--, p++) c = (c >> 8) ^ crc->t[0][(c ^ *p) & 0xff];
    return ~c;
}

/* Of one piece, for callers that need few. */
static inline uint64_t cgct_crc64_of(const void *data, size_t n)
{
    cgct_crc64_table crc;
    cgct_crc64_init(&crc);
    return cgct_crc64(&crc, 0, data, n);
}
#endif
