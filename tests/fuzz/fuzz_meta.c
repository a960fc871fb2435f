/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "fuzz/fuzz.h"
#include "reader/cgctab.h"

enum { META_AT = 0xa8, CHUNK_HEAD = 16, CHUNK_CRC = 8 }; /* of small.cgct (FORMAT.md section 10) */

/* Bytes of a chunk with n bytes of content. */
static size_t chunk_size(size_t n)
{
    return CHUNK_HEAD + (n + 7) / 8 * 8 + CHUNK_CRC;
}

/* The golden file with other metadata; the caller frees. */
static uint8_t *with_metadata(const uint8_t *text, size_t ntext, size_t *n)
{
    size_t nfile, length = 0;
    uint8_t *golden = fuzz_slurp(fuzz_golden(FUZZ_SMALL), &nfile);
    for (int i = 0; i < 8; i++) length |= (size_t)golden[META_AT + 8 + i] << 8 * i;
    size_t behind = META_AT + chunk_size(length), at = META_AT + chunk_size(ntext);
    uint8_t *bytes = calloc(1, at + nfile - behind);
    PROMISE(bytes != NULL);
    memcpy(bytes, golden, META_AT + 8);
    for (int i = 0; i < 8; i++) bytes[META_AT + 8 + i] = (uint8_t)((uint64_t)ntext >> 8 * i);
    memcpy(bytes + META_AT + CHUNK_HEAD, text, ntext);
    memcpy(bytes + at, golden + behind, nfile - behind);
    *n = at + nfile - behind;
    fuzz_reseal(bytes, *n);
    free(golden);
    return bytes;
}

static char *escaped(char *to, const char *value)
{
    static const char plain[] = "\\\n\r\t", letter[] = "\\nrt";
    for (; *value; value++) {
        const char *found = strchr(plain, *value);
        if (found) {
            *to++ = '\\';
            *to++ = letter[found - plain];
        } else {
            *to++ = *value;
        }
    }
    return to;
}

/* What was read, written again, is the text itself. */
static void written_again(const cgct_table *t, const uint8_t *text, size_t n)
{
    char *again = malloc(2 * n + 1), *to = again;
    PROMISE(again != NULL);
    for (size_t i = 0; i < cgct_meta_count(t); i++) {
        const char *key = cgct_meta_key(t, i);
        to += sprintf(to, "%s\t", key);
        to = escaped(to, cgct_meta(t, key));
        *to++ = '\n';
    }
    PROMISE((size_t)(to - again) == n && !memcmp(again, text, n));
    free(again);
}

void fuzz_meta(const uint8_t *text, size_t ntext)
{
    size_t n;
    cgct_table *t;
    cgct_err err = {""};
    uint8_t *bytes = with_metadata(text, ntext, &n);
    cgct_status st = cgct_open(fuzz_file(0, bytes, n), &t, &err);
    PROMISE(st == CGCT_OK || (st == CGCT_E_FORMAT && *err.text && !strchr(err.text, '\n')));
    if (st == CGCT_OK) written_again(t, text, ntext);
    cgct_close(t);
    free(bytes);
}
