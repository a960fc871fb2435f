/* SPDX-License-Identifier: MIT */
/* Pieces of an output file, as they are or as members of a gzip file, which may follow each other.
 * A member that is only stored has a length that depends on the length of its text alone, so that
 * a header can be written again in its place. */
#include <stdlib.h>
#include <string.h>

#include "events.h"
#if CGCT_WITH_ZLIB
#include <zlib.h>
#endif

int ev_has_gzip(void)
{
    return CGCT_WITH_ZLIB;
}

cgct_status ev_pack(const char *text, size_t n, ev_place place, unsigned char **out, size_t *len,
                    cgct_err *err)
{
    *out = NULL;
#if CGCT_WITH_ZLIB
    enum { WINDOW_AND_GZIP = 15 + 16, MEMORY = 8 };
    z_stream z;
    memset(&z, 0, sizeof z);
    if (n > 1u << 30) return cgct_fail(err, CGCT_E_IO, "a piece of %zu bytes is too long", n);
    if (deflateInit2(&z, place == EV_EVENTS ? Z_BEST_SPEED : Z_NO_COMPRESSION, Z_DEFLATED,
                     WINDOW_AND_GZIP, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return cgct_fail(err, CGCT_E_NOMEM, "no memory to compress the events");
    const size_t room = deflateBound(&z, (uLong)n);
    int done = Z_MEM_ERROR;
    if ((*out = (unsigned char *)malloc(room))) {
        z.next_in = (Bytef *)(uintptr_t)text; /* which it does not change */
        z.avail_in = (uInt)n;
        z.next_out = *out;
        z.avail_out = (uInt)room;
        done = deflate(&z, Z_FINISH);
    }
    *len = z.total_out;
    deflateEnd(&z);
    if (done == Z_STREAM_END) return CGCT_OK;
    free(*out);
    *out = NULL;
    return cgct_fail(err, CGCT_E_NOMEM, "no memory to compress %zu bytes", n);
#else
    (void)text, (void)place;
    *len = n;
    return cgct_fail(err, CGCT_E_USAGE, "this program was built without zlib");
#endif
}

cgct_status ev_write(cgct_tmpfile *file, const ev_format *f, const char *text, size_t n,
                     ev_place place, cgct_err *err)
{
    unsigned char *packed = NULL;
    if (f->zipped) CGCT_TRY(ev_pack(text, n, place, &packed, &n, err));
    const void *from = packed ? (const void *)packed : text;
    const cgct_status st = place == EV_HEADER_AGAIN ? cgct_tmpfile_write_at(file, 0, from, n, err)
                                                    : cgct_tmpfile_append(file, from, n, err);
    free(packed);
    return st;
}
