/* SPDX-License-Identifier: MIT */
/* The checksum of all files: a table of eight bytes at a time. */
#include "crc64.h"

#include "layout.h"

/* 0x42F0E1EBA9EA3693 with its bits in reverse order. */
#define POLYNOMIAL_REFLECTED UINT64_C(0xC96C5795D7870F42)

void cgct_crc64_init(cgct_crc64_table *table)
{
    for (unsigned i = 0; i < 256; i++) {
        uint64_t c = i;
        for (int bit = 0; bit < 8; bit++) c = (c & 1) ? (c >> 1) ^ POLYNOMIAL_REFLECTED : c >> 1;
        table->t[0][i] = c;
    }
    /* t[j][i]: the effect of byte i followed by j zero bytes. */
    for (int j = 1; j < 8; j++)
        for (unsigned i = 0; i < 256; i++) {
            uint64_t c = table->t[j - 1][i];
            table->t[j][i] = (c >> 8) ^ table->t[0][c & 0xff];
        }
}

uint64_t cgct_crc64(const cgct_crc64_table *table, const void *data, size_t n)
{
    const uint64_t(*t)[256] = table->t;
    const uint8_t *p = (const uint8_t *)data;
    uint64_t c = ~UINT64_C(0);
    for (; n >= 8; n -= 8, p += 8) {
        c ^= cgct_get_u64(p);
        c = t[7][c & 0xff] ^ t[6][(c >> 8) & 0xff] ^ t[5][(c >> 16) & 0xff] ^
            t[4][(c >> 24) & 0xff] ^ t[3][(c >> 32) & 0xff] ^ t[2][(c >> 40) & 0xff] ^
            t[1][(c >> 48) & 0xff] ^ t[0][c >> 56];
    }
    for (; n; n--, p++) c = (c >> 8) ^ t[0][(c ^ *p) & 0xff];
    return ~c;
}
