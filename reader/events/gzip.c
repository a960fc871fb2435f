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

int ev_named_gzip(const char *path)
{
    const size_t n = strlen(path);
    return n > 3 && !strcmp(path + n - 3, ".gz");
}

#if CGCT_WITH_ZLIB
int ev_has_gzip(void)
{
    return 1;
}

/* *out: malloc'd, *len bytes. */
static cgct_status pack(const char *text, size_t n, int level, unsigned char **out, size_t *len,
                        cgct_err *err)
{
    enum { WINDOW_AND_GZIP = 15 + 16, MEMORY = 8 };
    z_stream z;
    memset(&z, 0, sizeof z);
    *out = NULL;
    if (n > 1u << 30) return cgct_fail(err, CGCT_E_IO, "a piece of %zu bytes is too long", n);
    if (deflateInit2(&z, level, Z_DEFLATED, WINDOW_AND_GZIP, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
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
    return cgct_fail(err, CGCT_E_NOMEM, "no memory to compress %zu bytes", n);
}

cgct_status ev_write(cgct_tmpfile *file, const ev_piece *piece, cgct_err *err)
{
    const size_t n = piece->n;
    if (!piece->zipped)
        return piece->again ? cgct_tmpfile_write_at(file, 0, piece->text, n, err)
                            : cgct_tmpfile_append(file, piece->text, n, err);
    unsigned char *out;
    size_t len = 0;
    CGCT_TRY(
        pack(piece->text, n, piece->header ? Z_NO_COMPRESSION : Z_BEST_SPEED, &out, &len, err));
    cgct_status st = piece->again ? cgct_tmpfile_write_at(file, 0, out, len, err)
                                  : cgct_tmpfile_append(file, out, len, err);
    free(out);
    return st;
}
#else
int ev_has_gzip(void)
{
    return 0;
}

cgct_status ev_write(cgct_tmpfile *file, const ev_piece *piece, cgct_err *err)
{
    return piece->again ? cgct_tmpfile_write_at(file, 0, piece->text, piece->n, err)
                        : cgct_tmpfile_append(file, piece->text, piece->n, err);
}
#endif
