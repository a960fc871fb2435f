/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <unistd.h>

#include "format/crc64.h"
#include "format/layout.h"
#include "fuzz/fuzz.h"

#ifndef TESTS_DIR
#define TESTS_DIR "tests"
#endif
enum { NODES_RESEALED = 64, PATH_SIZE = 64 };

static char path[2][PATH_SIZE];

static void remove_files(void)
{
    for (int i = 0; i < 2; i++)
        if (*path[i]) unlink(path[i]);
}

const char *fuzz_file(int which, const uint8_t *bytes, size_t n)
{
    if (!*path[0] && !*path[1]) atexit(remove_files);
    if (!*path[which])
        snprintf(path[which], PATH_SIZE, "%s/cgct_fuzz_%ld_%d",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid(), which);
    FILE *f = fopen(path[which], "wb");
    PROMISE(f && fwrite(bytes, 1, n, f) == n);
    PROMISE(fclose(f) == 0);
    return path[which];
}

const char *fuzz_golden(int which)
{
    static const char *const name[FUZZ_GOLDEN] = {TESTS_DIR "/golden/lossless.cgct",
                                                  TESTS_DIR "/golden/rounded_zstd.cgct"};
    return name[which];
}

uint8_t *fuzz_slurp(const char *name, size_t *n)
{
    enum { LARGEST = 1 << 20 };
    FILE *f = fopen(name, "rb");
    uint8_t *bytes = malloc(LARGEST);
    PROMISE(f && bytes);
    *n = fread(bytes, 1, LARGEST, f);
    fclose(f);
    return bytes;
}

/* Of size bytes at an offset, both of them in the file at 'at'; the sum goes to 'to'. */
static void reseal_part(const cgct_crc64_table *crc, uint8_t *bytes, size_t n, const uint8_t *at,
                        uint8_t *to)
{
    uint64_t offset = cgct_get_u64(at), size = cgct_get_u64(at + 8);
    if (offset <= n && size <= n - offset)
        cgct_put_u64(to, cgct_crc64(crc, bytes + offset, (size_t)size));
}

static void reseal_nodes(const cgct_crc64_table *crc, uint8_t *bytes, size_t n)
{
    uint64_t at = cgct_get_u64(bytes + CGCT_AT_INDEX),
             size = cgct_get_u64(bytes + CGCT_AT_INDEX + 8);
    if (at > n || size > n - at) return;
    for (size_t i = 0; i < size / CGCT_NODE_SIZE && i < NODES_RESEALED; i++) {
        uint8_t *entry = bytes + at + i * CGCT_NODE_SIZE;
        reseal_part(crc, bytes, n, entry, entry + CGCT_NODE_AT_STORED_CRC);
        if (cgct_get_u32(entry + CGCT_NODE_AT_ENCODING) == CGCT_ENCODING_F64 &&
            cgct_get_u32(entry + CGCT_NODE_AT_COMPRESSION) == CGCT_STORED)
            memcpy(entry + CGCT_NODE_AT_RAW_CRC, entry + CGCT_NODE_AT_STORED_CRC, 8);
    }
}

void fuzz_reseal(uint8_t *bytes, size_t n)
{
    static const int section[] = {CGCT_AT_META, CGCT_AT_AXES, CGCT_AT_INDEX, CGCT_AT_SHAPE};
    cgct_crc64_table crc;
    if (n < CGCT_HEADER_SIZE) return;
    cgct_crc64_init(&crc);
    cgct_put_u64(bytes + CGCT_AT_FILE_SIZE, n);
    reseal_nodes(&crc, bytes, n);
    for (int i = 0; i < 4; i++)
        reseal_part(&crc, bytes, n, bytes + section[i], bytes + section[i] + 16);
    cgct_put_u64(bytes + CGCT_AT_CRC, cgct_crc64(&crc, bytes, CGCT_AT_CRC));
}
