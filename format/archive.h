/* SPDX-License-Identifier: MIT */
/* archive.h: what the generator's archives of inner tables (INNER.md) and of three momenta
 * (THREE.md) share: the check of their header, and sections. */
#ifndef CGCT_ARCHIVE_H
#define CGCT_ARCHIVE_H
#include "crc64.h"
#include "error.h"
#include "layout.h"
#include "tmpfile.h"

typedef struct {
    uint64_t offset, size, crc;
} cgct_section;

void cgct_section_pack(const cgct_section *s, uint8_t out[24]);
/* Appends n bytes at the next multiple of CGCT_ALIGN; fills *s. */
cgct_status cgct_section_append(cgct_tmpfile *f, const cgct_crc64_table *crc, const void *data,
                                size_t n, cgct_section *s, cgct_err *err);

/* The header of an archive of kind 2 or 3: magic, kind, versions and checksum.  other: message for
 * a file of another kind; NULL where the kind is this one or unknown.  E_FORMAT, E_VERSION,
 * E_CHECKSUM. */
cgct_status cgct_archive_check(const uint8_t b[CGCT_HEADER_SIZE], uint32_t kind, int major,
                               int data_version, const char *other, const cgct_crc64_table *crc,
                               cgct_err *err);
#endif
