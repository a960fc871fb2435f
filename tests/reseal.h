/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reseal.h: repairs the checksums of a table after a test changed its bytes. */
#ifndef RESEAL_H
#define RESEAL_H
#include "format/crc64.h"

enum { RESEAL_FIRST = 16, RESEAL_HEAD = 16, RESEAL_CRC = 8 }; /* bytes of magic, head, checksum */

static inline uint64_t reseal_number(const uint8_t *p)
{
    uint64_t v = 0;
    for (int i = 8; i-- > 0;) v = v << 8 | p[i];
    return v;
}

/* Bytes of the chunk at `at` without its checksum; 0 where it reaches beyond the end at n. */
static inline size_t reseal_chunk(const uint8_t *bytes, size_t at, size_t n)
{
    if (n < at || n - at < RESEAL_HEAD + RESEAL_CRC) return 0;
    uint64_t size = reseal_number(bytes + at + 8), room = n - at - RESEAL_HEAD - RESEAL_CRC;
    return size <= room && (size + 7) / 8 * 8 <= room ? RESEAL_HEAD + (size_t)(size + 7) / 8 * 8
                                                      : 0;
}

static inline void reseal(uint8_t *bytes, size_t n)
{
    cgct_crc64_table crc;
    cgct_crc64_init(&crc);
    for (size_t at = RESEAL_FIRST, size; (size = reseal_chunk(bytes, at, n)) != 0;) {
        uint64_t c = cgct_crc64(&crc, 0, bytes + at, size);
        at += size;
        for (int i = 0; i < RESEAL_CRC; i++) bytes[at++] = (uint8_t)(c >> 8 * i);
    }
}
#endif
