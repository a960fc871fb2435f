/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "format/layout.h"
#include "fuzz/fuzz.h"
#include "reader/cgctab.h"

/* The golden file with other metadata at its end; the caller frees. */
static uint8_t *with_metadata(const uint8_t *text, size_t ntext, size_t *n)
{
    size_t nfile;
    uint8_t *golden = fuzz_slurp(fuzz_golden(FUZZ_STORED), &nfile);
    size_t at = (nfile + 7) / 8 * 8;
    uint8_t *bytes = calloc(1, at + ntext + 1);
    PROMISE(bytes != NULL);
    memcpy(bytes, golden, nfile);
    memcpy(bytes + at, text, ntext);
    cgct_put_u64(bytes + CGCT_AT_META, at);
    cgct_put_u64(bytes + CGCT_AT_META + 8, ntext);
    *n = at + ntext;
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
    cgct_status st = cgct_open_index(fuzz_file(0, bytes, n), &t, &err);
    PROMISE(st == CGCT_OK || (st == CGCT_E_FORMAT && *err.text && !strchr(err.text, '\n')));
    if (st == CGCT_OK) written_again(t, text, ntext);
    cgct_close(t);
    free(bytes);
}
