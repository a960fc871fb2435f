/* SPDX-License-Identifier: MIT */
/* chunks.h: the container of all files (FORMAT.md, section 1).  After a magic that names the kind
 * of the file come chunks, each with a name, a number and a checksum; TEND ends a file that is
 * complete.  A journal (journal.h) has no TEND: it grows by a chunk at a time. */
#ifndef CGCT_CHUNKS_H
#define CGCT_CHUNKS_H
#include "crc64.h"
#include "error.h"
#include "tmpfile.h"

/* Kinds: the table of FORMAT.md, INNER.md, THREE.md, a journal, steps of a run of three momenta,
 * the table of a proton's dijets. */
enum { CGCT_TABLE, CGCT_INNER = 2, CGCT_THREE, CGCT_JOURNAL, CGCT_THREE_STEPS, CGCT_FORWARD };
/* Bytes of the magic, of what stands before the content of a chunk, and of its checksum. */
enum { CGCT_MAGIC_SIZE = 16, CGCT_CHUNK_HEAD = 16, CGCT_CHUNK_CRC = 8 };

typedef struct {
    char name[5];
    uint32_t index;
    uint64_t at, size; /* of the content */
} cgct_chunk;

typedef struct {
    cgct_tmpfile file; /* its end: behind the last chunk that was written or found */
    uint64_t size;     /* of a file that was opened */
    size_t n;
    cgct_chunk *chunk; /* (n): those found, without TEND, or written */
    cgct_crc64_table crc;
    /* the chunk that is being made, its head first; a lack of memory shows in failed */
    uint8_t *made;
    size_t made_size, made_room;
    int failed;
} cgct_chunks;

/* ---- write ---- */

/* A file of this kind, which appears under its name only when it is complete. */
cgct_status cgct_chunks_create(cgct_chunks *f, const char *path, uint32_t kind, cgct_err *err);
/* A chunk: begin, its content piece by piece, end, which appends it to the file. */
void cgct_chunk_begin(cgct_chunks *f, const char *name, uint32_t index);
void cgct_chunk_put(cgct_chunks *f, const void *data, size_t n);
void cgct_chunk_put_u32(cgct_chunks *f, size_t v);
void cgct_chunk_put_f64(cgct_chunks *f, size_t n, const double *v);
void cgct_chunk_pad(cgct_chunks *f); /* with zeros to a multiple of 8 */
cgct_status cgct_chunk_end(cgct_chunks *f, cgct_err *err);
/* TEND: it can be read, under the temporary name file.tmp. */
cgct_status cgct_chunks_end(cgct_chunks *f, cgct_err *err);
/* From the beginning again, without the chunks written so far. */
cgct_status cgct_chunks_restart(cgct_chunks *f, uint32_t kind, cgct_err *err);
/* TEND, and the file gets its name. */
cgct_status cgct_chunks_finish(cgct_chunks *f, cgct_err *err);

/* ---- read ---- */

/* The chunks of a complete file of this kind; what is in them is checked by cgct_chunk_read.  Const
 * from then on: threads may read different chunks.
 * Returns  OK, E_IO, E_FORMAT (also where TEND is missing), E_VERSION (another kind), E_NOMEM. */
cgct_status cgct_chunks_open(cgct_chunks *f, const char *path, uint32_t kind, cgct_err *err);
/* The content of a chunk, followed by a zero byte; free *data.  E_CHECKSUM where it is damaged. */
cgct_status cgct_chunk_read(const cgct_chunks *f, const cgct_chunk *c, uint8_t **data,
                            cgct_err *err);
/* The same of the first chunk of this name and number; E_FORMAT where there is none, or where its
 * size is not `size` (CGCT_ANY_SIZE: any). */
#define CGCT_ANY_SIZE UINT64_MAX
cgct_status cgct_chunk_load(const cgct_chunks *f, const char *name, uint32_t index, uint64_t size,
                            const cgct_chunk **c, uint8_t **data, cgct_err *err);
/* Frees; removes what was created and not finished.  For a struct of zeros, too. */
void cgct_chunks_close(cgct_chunks *f);

/* ---- for journals ---- */

/* Opens a file to read; nothing of it is read yet.  cgct_chunks_close also after a failure. */
cgct_status cgct_chunks_attach(cgct_chunks *f, const char *path, cgct_err *err);
/* Appends the magic, and reads it at the beginning: *whole = 0 where the file ends within it. */
cgct_status cgct_magic_write(cgct_chunks *f, uint32_t kind, cgct_err *err);
cgct_status cgct_magic_read(cgct_chunks *f, uint32_t kind, int *whole, cgct_err *err);
/* The chunk at the end of those found so far; *whole = 0 where the file ends before the chunk. */
cgct_status cgct_chunk_next(const cgct_chunks *f, cgct_chunk *c, int *whole, cgct_err *err);
/* Where the next chunk begins. */
static inline uint64_t cgct_chunk_behind(const cgct_chunk *c)
{
    return c->at + c->size + -c->size % 8 + CGCT_CHUNK_CRC;
}
/* Counts it to those found. */
cgct_status cgct_chunk_keep(cgct_chunks *f, const cgct_chunk *c, cgct_err *err);
#endif
