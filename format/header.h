/* SPDX-License-Identifier: MIT */
/* header.h: header, axes and index of a container as structs, checked on the way in. */
#ifndef CGCT_HEADER_H
#define CGCT_HEADER_H
#include <stdint.h>

#include "crc64.h"
#include "error.h"
#include "layout.h"

typedef struct {
    uint64_t offset, size, crc;
} cgct_section;

typedef struct {
    unsigned major, minor; /* as read; what is written has CGCT_MAJOR and CGCT_MINOR */
    uint32_t features;
    uint64_t file_size;
    uint32_t n[4];    /* lengths of the axes x, eps, q, k */
    uint32_t members; /* 1 where the feature is absent */
    uint8_t order[4];
    double fold_power;
    cgct_section meta, axes, index, shape;
    char generator[CGCT_GENERATOR_SIZE];
    uint64_t crc; /* of the header; set by cgct_header_parse */
} cgct_header;

typedef struct {
    uint64_t offset, stored_size, raw_size, stored_crc, raw_crc;
    uint32_t nm, encoding, compression, flagged;
} cgct_entry;

void cgct_section_pack(const cgct_section *s, uint8_t out[24]);
void cgct_header_pack(const cgct_crc64_table *crc, const cgct_header *h,
                      uint8_t out[CGCT_HEADER_SIZE]);

/* bytes: the first `have` bytes of the file, at most CGCT_HEADER_SIZE; file_size: the real one.
 * On success every length is in range and every section lies inside the file with the size that
 * the lengths imply.  Returns OK, E_FORMAT, E_VERSION, E_CHECKSUM. */
cgct_status cgct_header_parse(const cgct_crc64_table *crc, const uint8_t *bytes, size_t have,
                              uint64_t file_size, cgct_header *h, cgct_err *err);

/* The header of an archive of kind 2 or 3: magic, kind, versions and checksum.  other: message for
 * a file of another kind; NULL where the kind is this one or unknown.  E_FORMAT, E_VERSION,
 * E_CHECKSUM. */
cgct_status cgct_archive_check(const uint8_t b[CGCT_HEADER_SIZE], uint32_t kind, int major,
                               int data_version, const char *other, const cgct_crc64_table *crc,
                               cgct_err *err);

void cgct_entry_pack(const cgct_entry *e, uint8_t out[CGCT_NODE_SIZE]);

/* All fields as they are, unchecked. */
cgct_entry cgct_entry_get(const uint8_t in[CGCT_NODE_SIZE]);
/* On success the frame lies inside the file and raw_size is what nm and the lengths imply; of
 * records (encodings 3 and 4) only what does not need the shape is checked. */
cgct_status cgct_entry_parse(const uint8_t in[CGCT_NODE_SIZE], const cgct_header *h, cgct_entry *e,
                             cgct_err *err);

/* Bytes of a payload of encoding 1 for n = 2 nq nk points; no overflow within the format's limits.
 */
uint64_t cgct_payload_size(uint64_t n, uint64_t nm);

/* Bytes of a payload of encoding 3 or 4 with so many blocks. */
uint64_t cgct_records_size(uint64_t n, uint64_t blocks, uint32_t encoding);

/* Finite, positive and rising in the logarithm; name is put before the message. */
cgct_status cgct_axis_check(const char *name, size_t n, const double *v, cgct_err *err);
#endif
