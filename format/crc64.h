/* SPDX-License-Identifier: MIT */
/* crc64.h: the container's checksum, CRC-64/XZ (ECMA-182 polynomial, reflected). */
#ifndef CGCT_CRC64_H
#define CGCT_CRC64_H
#include <stddef.h>
#include <stdint.h>

/* Made once per reader or writer by cgct_crc64_init and const from then on. */
typedef struct {
    uint64_t t[8][256];
} cgct_crc64_table;

void cgct_crc64_init(cgct_crc64_table *table);

/* CRC of n bytes; "123456789" gives 0x995DC9BBDF1939FA.  Slicing by eight bytes. */
uint64_t cgct_crc64(const cgct_crc64_table *table, const void *data, size_t n);
#endif
