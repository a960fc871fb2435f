/* SPDX-License-Identifier: MIT */
/* sha256.h: the checksum SHA-256 (FIPS 180-4), which names a table in an index. */
#ifndef CGCTAB_SHA256_H
#define CGCTAB_SHA256_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t h[8];
    uint8_t block[64]; /* what does not fill a block yet */
    uint64_t n;        /* bytes so far */
} sha256;

void sha256_init(sha256 *s);
void sha256_add(sha256 *s, const void *data, size_t n);
/* 64 hexadecimal digits and the end of the text. */
void sha256_end(sha256 *s, char hex[65]);
#endif
