/* SPDX-License-Identifier: MIT */
/* Opens a table: reads the file, checks every size, checksum and number in it (format/FORMAT.md),
 * and tells what it says of itself. */
#define CGCTAB_PRIVATE
#include "cgctab.h"
#include "../format/bytes.h"
#include "../format/crc64.h"

#include <errno.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Where tables are installed; the Makefile defines it. */
#ifndef CGCT_DATA_DIR
#define CGCT_DATA_DIR ""
#endif

/* ---- version, statuses, messages ---- */

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *cgct_version(void)
{
    return TEXT(CGCT_VERSION_MAJOR) "." TEXT(CGCT_VERSION_MINOR) "." TEXT(CGCT_VERSION_PATCH);
}

const char *cgct_strerror(cgct_status status)
{
#define TEXT_OF_(code, text) text,
    static const char *const texts[] = {CGCT_STATUS_LIST(TEXT_OF_)};
#undef TEXT_OF_
    return (unsigned)status < CGCT_STATUS_COUNT ? texts[status] : "unknown status";
}

cgct_status cgct_message(cgct_err *err, cgct_status st, const char *format, ...)
{
    if (!err) return st;
    va_list list;
    fenv_t host;
    feholdexcept(&host); /* printing a NaN that signals would raise that signal */
    va_start(list, format);
    vsnprintf(err->text, sizeof err->text, format, list);
    va_end(list);
    fesetenv(&host);
    for (char *p = err->text; *p; p++) /* a file's text may hold them: messages are one line */
        if (*p == '\n' || *p == '\r') *p = ' ';
    return st;
}

/* What threads may set at the same time.  Elsewhere cgct_open reads all segments. */
#if defined(__GNUC__) && !defined(CGCT_PLAIN_C)
enum { READ_ALL = 0 };
#define GET(slot) __atomic_load_n(slot, __ATOMIC_ACQUIRE)
#define SET_IF_NULL(slot, none, to)                                                                \
    __atomic_compare_exchange_n(slot, none, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
#else
enum { READ_ALL = 1 };
#define GET(slot) (*(slot))
#define SET_IF_NULL(slot, none, to) (*(slot) = (to))
#endif

/* ---- memory: lists of blocks, each aligned for vectors, all of a list freed together ---- */

typedef struct block_ {
    struct block_ *next;
} block;
enum { ALIGNMENT = 64 };

/* Zeros; NULL where there is no memory. */
#if defined(__GNUC__)
__attribute__((noinline)) /* many calls, each of which would be larger */
#endif
static void *
take_memory(cgct_memory *m, size_t count, size_t size)
{
    const size_t extra = sizeof(block) + ALIGNMENT;
    if (size && count > (SIZE_MAX - extra) / size) return NULL;
    block *b = (block *)calloc(1, count * size + extra);
    if (!b) return NULL;
    b->next = (block *)m->blocks;
    m->blocks = b;
    m->bytes += count * size + extra;
    char *p = (char *)(b + 1);
    return p + (ALIGNMENT - (uintptr_t)p % ALIGNMENT) % ALIGNMENT;
}

static void free_memory(cgct_memory *m)
{
    for (block *b = (block *)m->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
}

/* A segment with its integers. */
static void free_ready(cgct_segment *g)
{
    if (g) free_memory(&g->memory);
    free(g);
}

void cgct_close(cgct_table *t)
{
    if (!t) return;
    for (size_t i = 0; t->segment && !t->shared && i <= t->info.segments; i++)
        free_ready(t->segment[i].ready);
    free_memory(&t->memory);
    free(t->bytes);
    free(t);
}

static char *copy_text(cgct_table *t, const char *text, size_t n)
{
    char *copy = (char *)take_memory(&t->memory, n + 1, 1);
    if (copy) memcpy(copy, text, n);
    return copy;
}

/* ---- the file ---- */

typedef struct {
    cgct_table *t;
    const uint8_t *bytes; /* those of the table */
    size_t size, at;
    cgct_crc64_table crc;
    cgct_err *err;
} table_file;

/* What is wrong with the content of the file. */
#define BAD(s, ...) cgct_message((s)->err, CGCT_E_FORMAT, __VA_ARGS__)
#define NO_MEMORY(s, what) cgct_message((s)->err, CGCT_E_NOMEM, "no memory for %s", what)

const char *cgct_data_folder(void)
{
    return *CGCT_DATA_DIR ? CGCT_DATA_DIR : NULL;
}

/* The name itself or, where it has no '/', the first of NAME and NAME.cgct along the colon list and
 * in the folder of the installed tables, or else a folder of that name: NULL if there is none. */
static char *find_table(cgct_table *t, const char *name, size_t n)
{
    static const char *const end[] = {"", ".cgct"};
    const int bare = !memchr(name, '/', n);
    const char *asked = getenv("CGCTAB_DATA_PATH");
    const size_t room = strlen(CGCT_DATA_DIR "::/.cgct") + (asked ? strlen(asked) : 0) + n + 1;
    char *list = (char *)take_memory(&t->memory, room, 1);
    char *path = (char *)take_memory(&t->memory, room, 1);
    struct stat st;
    if (!path || !list) return NULL;
    strcat(strcat(strcpy(list, ":"), asked ? asked : ""), ":" CGCT_DATA_DIR);
    for (size_t m; *list; list += bare ? m + (list[m] == ':') : strlen(list)) {
        m = strcspn(list, ":");
        memcpy(path, list, m);
        path[m] = '/'; /* not before the name itself, which comes first */
        memcpy(path + m + !!m, name, n);
        for (int i = 0; i < (m ? 2 : 1) && n; i++) {
            strcpy(path + m + !!m + n, end[i]);
            if (stat(path, &st) == 0 && !(bare && S_ISDIR(st.st_mode))) return path;
        }
    }
    memcpy(path, name, n);
    path[n] = 0;
    return stat(path, &st) == 0 ? path : NULL;
}

/* FILE, or FILE@MEMBER where that is no file itself; *member is NULL or what follows @. */
static cgct_status find_file(cgct_table *t, const char *name, const char **member, cgct_err *err)
{
    const char *at = strrchr(name, '@'), *list = getenv("CGCTAB_DATA_PATH");
    *member = NULL;
    t->path = find_table(t, name, strlen(name));
    if (!t->path && at && (t->path = find_table(t, name, (size_t)(at - name))) != NULL)
        *member = at + 1;
    if (t->path) return CGCT_OK;
    if (strchr(name, '/')) return cgct_message(err, CGCT_E_IO, "%.300s: no such file", name);
    const int folders = (list && *list) || *CGCT_DATA_DIR;
    return cgct_message(err, CGCT_E_IO, "%.150s: no such file here%s%.150s%s%.100s%s", name,
                        folders ? ", nor with or without .cgct in " : "", list ? list : "",
                        list && *list && *CGCT_DATA_DIR ? ":" : "", CGCT_DATA_DIR,
                        list ? "" : "; CGCTAB_DATA_PATH is not set");
}

/* The n bytes or, where they are NULL, those of the file, which is looked at first: opening a pipe
 * would wait for its writer. */
static cgct_status read_bytes(table_file *s, const void *bytes, size_t n)
{
    struct stat st;
    FILE *f = NULL;
    if (!bytes) {
        const int found = stat(s->t->path, &st) == 0;
        if (found && !S_ISREG(st.st_mode))
            return cgct_message(s->err, CGCT_E_IO, "%s",
                                S_ISDIR(st.st_mode) ? "is a directory" : "not a regular file");
        f = found ? fopen(s->t->path, "rb") : NULL;
        if (!f) return cgct_message(s->err, CGCT_E_IO, "cannot open: %s", strerror(errno));
        n = (size_t)st.st_size;
    }
    size_t got = s->size = n;
    uint8_t *to = n > SIZE_MAX - 8 ? NULL : (uint8_t *)malloc(n + 8);
    s->bytes = s->t->bytes = to;
    if (to && f) got = fread(to, 1, n, f);
    if (f) fclose(f);
    if (!to) return NO_MEMORY(s, "the bytes");
    if (n && bytes) memcpy(to, bytes, n);
    memset(to + n, 0, 8);
    if (got == n) return CGCT_OK;
    return cgct_message(s->err, CGCT_E_IO, "ends at byte %zu of %zu while it is read", got, n);
}

enum { KIND_FORWARD = 6 };
static cgct_status check_magic(table_file *s)
{
    static const uint8_t magic[8] = {0x89, 'C', 'G', 'C', 'T', 0x0D, 0x0A, 0x1A};
    const uint8_t *p = s->bytes;
    if (s->size < 16 || memcmp(p, magic, sizeof magic) != 0) return BAD(s, "not a cgctab table");
    unsigned major = cgct_get_u32(p + 8) & 0xffff, minor = cgct_get_u32(p + 8) >> 16;
    if (major != 2 || minor != 0)
        return cgct_message(s->err, CGCT_E_VERSION, "format %u.%u, this reader reads 2.0: %s",
                            major, minor,
                            major < 2 ? "make the table again" : "take a newer reader");
    s->t->forward = cgct_get_u32(p + 12) == KIND_FORWARD;
    if (cgct_get_u32(p + 12) && !s->t->forward)
        return cgct_message(s->err, CGCT_E_VERSION, "holds no table, but something of kind %u",
                            cgct_get_u32(p + 12));
    s->at = 16;
    return CGCT_OK;
}

static cgct_status check_zeros(const table_file *s, const uint8_t *p, size_t n, const char *what)
{
    for (size_t i = 0; i < n; i++)
        if (p[i]) return BAD(s, "%s: bytes behind it are not 0", what);
    return CGCT_OK;
}

enum { CHUNK_HEAD = 16, CHUNK_CRC = 8 };
#define ANY_SIZE UINT64_MAX

/* The next chunk has to be name, with want bytes of content. */
static cgct_status next_chunk(table_file *s, const char *name, uint64_t want,
                              const uint8_t **content, size_t *n)
{
    const uint8_t *p = s->bytes + s->at;
    size_t left = s->size - s->at;
    uint64_t size = left < CHUNK_HEAD + CHUNK_CRC ? ANY_SIZE : cgct_get_u64(p + 8);
    if (size > left || CHUNK_HEAD + (size + 7) / 8 * 8 + CHUNK_CRC > left)
        return BAD(s, "chunk %s at byte %zu reaches beyond the end at %zu: cut or damaged", name,
                   s->at, s->size);
    size_t padded = CHUNK_HEAD + ((size_t)size + 7) / 8 * 8;
    if (cgct_crc64(&s->crc, 0, p, padded) != cgct_get_u64(p + padded))
        return cgct_message(s->err, CGCT_E_CHECKSUM, "chunk %s at byte %zu is damaged", name,
                            s->at);
    if (memcmp(p, name, 4) != 0)
        return BAD(s, "byte %zu: another chunk where %s belongs", s->at, name);
    if (want != ANY_SIZE && want != size)
        return BAD(s, "chunk %s at byte %zu has %llu bytes, want %llu", name, s->at,
                   (unsigned long long)size, (unsigned long long)want);
    if (cgct_get_u32(p + 4) || (size % 8 && cgct_get_u64(p + padded - 8) >> size % 8 * 8))
        return BAD(s, "chunk %s at byte %zu: reserved bytes or padding are not 0", name, s->at);
    s->t->info.checksum = cgct_crc64(&s->crc, s->t->info.checksum, p + padded, 8);
    s->at += padded + CHUNK_CRC;
    *content = p + CHUNK_HEAD;
    *n = (size_t)size;
    return CGCT_OK;
}

/* n numbers into new memory. */
static cgct_status take_doubles(table_file *s, const uint8_t *p, size_t n, const char *what,
                                double **out)
{
    *out = (double *)take_memory(&s->t->memory, n, sizeof **out);
    if (!*out) return NO_MEMORY(s, what);
    for (size_t i = 0; i < n; i++) {
        (*out)[i] = cgct_get_f64(p + 8 * i);
        if (!cgct_finite((*out)[i])) return BAD(s, "%s: number %zu is not finite", what, i);
    }
    return CGCT_OK;
}

/* ---- HEAD ---- */

/* Numbers of HEAD in their order. */
enum { MEMBERS, PX, PEPS, NX, NEPS, NQ, NL, NU, NM, ORDER, BLOCKS = ORDER + 4, SHARED = 16 };

static cgct_status check_sizes(const table_file *s, const uint8_t *p, uint32_t v[SHARED + 1])
{
    static const struct {
        const char *name;
        uint32_t least, most;
    } field[SHARED + 1] = {
        {"members", 1, 4096},     {"panels in x", 1, 64},    {"panels in eps", 1, 64},
        {"nodes in x", 1, 4096},  {"nodes in eps", 1, 4096}, {"nodes in q", 2, 4096},
        {"lower nodes", 2, 1024}, {"upper nodes", 2, 1024},  {"modes", 1, CGCT_MODES_MAX},
        {"order in x", 2, 32},    {"order in eps", 2, 32},   {"order in q", 2, 8},
        {"order in v", 2, 8},     {"blocks in q", 1, 0},     {"lower blocks", 1, 0},
        {"upper blocks", 1, 0},   {"shared bounds", 0, 0}}; /* at most: of the nodes, the members */
    for (int i = 0; i <= SHARED; i++) {
        v[i] = cgct_get_u32(p + 4 * i);
        uint32_t most = i >= BLOCKS && i < SHARED ? v[NQ + i - BLOCKS] - 1 : field[i].most;
        if (i == SHARED) most = v[MEMBERS] - 1;
        if (v[i] < field[i].least || v[i] > most)
            return BAD(s, "HEAD: %s = %u, want %u to %u", field[i].name, (unsigned)v[i],
                       (unsigned)field[i].least, (unsigned)most);
    }
    return CGCT_OK;
}

/* Larger tables are refused before memory is asked for: nodes (q,k) of all segments. */
#define POINTS_MAX ((uint64_t)1 << 26)

static cgct_status read_head(table_file *s)
{
    cgct_table *t = s->t;
    cgct_info *info = &t->info;
    const uint8_t *p;
    uint32_t v[SHARED + 1];
    size_t n;
    CGCT_TRY(next_chunk(s, "HEAD", 128, &p, &n));
    info->format_major = 2;
    info->data_version = (int)cgct_get_u32(p);
    if (info->data_version != 3 && info->data_version != 4)
        return cgct_message(s->err, CGCT_E_VERSION, "data version %u, this reader knows 3 and 4",
                            (unsigned)cgct_get_u32(p));
    t->either_sign = info->data_version == 4;
    CGCT_TRY(check_sizes(s, p + 4, v));
    if (!memchr(p + 88, 0, 24)) return BAD(s, "HEAD: name without end");
    info->members = v[MEMBERS];
    t->px = v[PX];
    t->peps = v[PEPS];
    t->x.n = v[NX];
    t->eps.n = v[NEPS];
    t->nq = t->q.n = info->nq = v[NQ];
    t->v[0].n = info->nk_lower = v[NL];
    t->v[1].n = info->nk_upper = v[NU];
    t->nk = info->nk_lower + info->nk_upper;
    t->nm = info->modes = v[NM];
    for (int i = 0; i < 4; i++) info->order[i] = (int)v[ORDER + i];
    for (int i = 0; i < 3; i++) t->block[i] = v[BLOCKS + i];
    t->bounds = info->members - v[SHARED];
    info->k0 = cgct_get_f64(p + 72);
    info->k_max = cgct_get_f64(p + 80);
    info->x_from = cgct_get_f64(p + 120);
    t->dx.n = cgct_get_u32(p + 112);
    t->deps.n = cgct_get_u32(p + 116);
    if (!t->dx.n != !t->deps.n || t->dx.n > CGCT_NODES_MAX || t->deps.n > CGCT_NODES_MAX)
        return BAD(s, "HEAD: variations at %zu times %zu nodes, want none or 1 to 32 each", t->dx.n,
                   t->deps.n);
    if (!cgct_finite(info->x_from))
        return BAD(s, "HEAD: x_from = %g, want 0 or a number above all x", info->x_from);
    if (!cgct_positive(info->k0) || !cgct_positive(info->k_max) || info->k_max > 1e60)
        return BAD(s, "HEAD: k0 = %g, k_max = %g, want numbers > 0, k_max up to 1e60", info->k0,
                   info->k_max);
    info->segments = t->px * t->peps;
    if ((uint64_t)info->segments * t->nq * t->nk > POINTS_MAX)
        return BAD(s, "%zu segments of %zu times %zu nodes are too many", info->segments, t->nq,
                   t->nk);
    return CGCT_OK;
}

/* ---- META ---- */

/* The value loses its escapes in place. */
static cgct_status read_line(table_file *s, char *line)
{
    static const char keys[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    static const char letters[] = "nrt\\", meaning[] = "\n\r\t\\";
    cgct_table *t = s->t;
    char *tab = line + strspn(line, keys), *out = tab + 1;
    if (*tab != '\t' || tab == line)
        return BAD(s, "metadata line %zu has no key and tab", t->nmeta + 1);
    *tab = 0;
    t->meta[t->nmeta].key = line;
    t->meta[t->nmeta++].value = out;
    for (const char *p = out; *p; p++) {
        const int escaped = *p == '\\';
        p += escaped;
        const char *which = escaped && *p ? strchr(letters, *p) : NULL;
        if (escaped ? !which : *p == '\t' || *p == '\r')
            return BAD(s,
                       "metadata key %.60s: bare tab or return, or a backslash followed by "
                       "none of \\nrt",
                       line);
        *out++ = which ? meaning[which - letters] : *p;
    }
    *out = 0;
    return CGCT_OK;
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(((const cgct_pair *)a)->key, ((const cgct_pair *)b)->key);
}

double cgct_number(const char *text, size_t n)
{
    char copy[64], *point, *end;
    if (n == 0 || n >= sizeof copy) return CGCT_NAN;
    memcpy(copy, text, n);
    copy[n] = 0;
    if ((point = strchr(copy, '.')) != NULL) *point = *localeconv()->decimal_point;
    const double v = strtod(copy, &end);
    return *end ? CGCT_NAN : v;
}

/* The first member of that name, or the number of members. */
static size_t find_member(const cgct_table *t, const char *name)
{
    size_t i = 0;
    while (i < t->info.members && strcmp(t->name[i], name) != 0) i++;
    return i;
}

/* Each member's area: the value of S_perp.NAME, or else of S_perp.  key: all metadata, sorted. */
static cgct_status read_areas(table_file *s, const cgct_pair *key)
{
    static const char prefix[] = "S_perp.";
    cgct_table *t = s->t;
    const char *all = cgct_meta(t, "S_perp"), *names = cgct_meta(t, "members");
    char *own = (char *)take_memory(&t->memory, sizeof prefix + (names ? strlen(names) : 0), 1);
    const cgct_pair wanted = {own, NULL};
    t->S_perp = (double *)take_memory(&t->memory, t->info.members, sizeof *t->S_perp);
    if (!t->S_perp || !own) return NO_MEMORY(s, "the areas of members");
    for (size_t i = 0; i < t->info.members; i++) {
        strcat(strcpy(own, prefix), t->name[i]);
        const cgct_pair *found =
            (const cgct_pair *)bsearch(&wanted, key, t->nmeta, sizeof *key, compare_keys);
        const char *value = found ? found->value : all;
        t->S_perp[i] = value ? cgct_number(value, strlen(value)) : CGCT_NAN;
    }
    return CGCT_OK;
}

/* Cuts the first of the names, which blanks separate, off *p; that is NULL after the last one. */
static char *next_name(char **p)
{
    char *name = *p;
    *p = strchr(name, ' ');
    if (*p) *(*p)++ = 0;
    return name;
}

/* The names in metadata `comparison`, separated by one blank: members that take no part in the
 * uncertainty.  The first member is the central one. */
static cgct_status set_aside(table_file *s)
{
    cgct_table *t = s->t;
    const size_t n = t->info.members;
    const char *text = cgct_meta(t, "comparison");
    char *p = copy_text(t, text ? text : "", text ? strlen(text) : 0);
    t->aside = (uint8_t *)take_memory(&t->memory, n, 1);
    if (!t->aside || !p) return NO_MEMORY(s, "the members that are for comparison");
    t->drawn = n;
    while (text && p) {
        const char *name = next_name(&p);
        const size_t member = find_member(t, name);
        if (member == 0 || member == n || t->aside[member])
            return BAD(s, "metadata `comparison`: '%.60s' is %s", name,
                       !member      ? "the first member"
                       : member < n ? "named twice"
                                    : "not a member");
        t->aside[member] = 1;
        t->drawn--;
    }
    return CGCT_OK;
}

/* n names with one blank between them, no two alike, and what the members mean. */
static cgct_status name_members(table_file *s, const cgct_pair *key)
{
    static const char *const meaning[] = {"none", "replicas", "hessian"};
    cgct_table *t = s->t;
    size_t n = t->info.members, at = 0;
    const char *text = cgct_meta(t, "members"), *error = cgct_meta(t, "uncertainty");
    char *p = copy_text(t, text ? text : "", text ? strlen(text) : 0);
    t->name = (const char **)take_memory(&t->memory, n, sizeof *t->name);
    if (!t->name || !p) return NO_MEMORY(s, "the names of members");
    while (at < n && p) t->name[at++] = next_name(&p);
    int good = at == n && !p;
    for (size_t i = 0; good && i < n; i++)
        good = (*t->name[i] || (n == 1 && !text)) && find_member(t, t->name[i]) == i;
    if (!good) return BAD(s, "metadata `members` does not name %zu members", n);
    CGCT_TRY(set_aside(s));
    CGCT_TRY(read_areas(s, key));
    while (error && t->uncertainty < 3 && strcmp(error, meaning[t->uncertainty]) != 0)
        t->uncertainty++;
    if (t->uncertainty < 3 && (t->uncertainty != CGCT_HESSIAN || t->drawn % 2)) return CGCT_OK;
    return BAD(s,
               "metadata `uncertainty` is %.40s, want none, replicas, or hessian with an odd "
               "number of members besides those for comparison, not %zu",
               error, t->drawn);
}

static cgct_status read_meta(table_file *s)
{
    cgct_table *t = s->t;
    const uint8_t *p;
    size_t n, lines = 0;
    CGCT_TRY(next_chunk(s, "META", ANY_SIZE, &p, &n));
    if (memchr(p, 0, n) || (n && p[n - 1] != '\n'))
        return BAD(s, "metadata holds a zero byte or no last newline");
    for (size_t i = 0; i < n; i++) lines += p[i] == '\n';
    char *line = copy_text(t, (const char *)p, n);
    t->meta = (cgct_pair *)take_memory(&t->memory, lines + 1, sizeof *t->meta);
    cgct_pair *key = (cgct_pair *)take_memory(&t->memory, lines + 1, sizeof *key);
    if (!line || !t->meta || !key) return NO_MEMORY(s, "metadata");
    for (size_t i = 0; i < lines; i++) {
        char *end = strchr(line, '\n');
        *end = 0;
        CGCT_TRY(read_line(s, line));
        line = end + 1;
    }
    memcpy(key, t->meta, lines * sizeof *key);
    qsort(key, lines, sizeof *key, compare_keys); /* a damaged file may hold a million */
    for (size_t i = 1; i < lines; i++)
        if (!strcmp(key[i - 1].key, key[i].key))
            return BAD(s, "a key of the metadata occurs twice");
    return name_members(s, key);
}

/* ---- AXES ---- */

/* Both rise. */
double cgct_variable(double from, double v)
{
    const double a = log(from > 0 ? from / v : v);
    return from > 0 ? -log(from > 0 ? a : 1) : a;
}

/* u is filled; panels of size[j] nodes, or one of all.  Windows as in FORMAT.md section 5. */
static cgct_status prepare_nodes(table_file *s, cgct_nodes *a, int order, const uint8_t *size,
                                 size_t panels)
{
    a->cells = a->n > 1 ? a->n - 1 : 1;
    a->width = (size_t)order;
    a->first = (uint16_t *)take_memory(&s->t->memory, 3 * a->cells, sizeof *a->first);
    a->inverse = (double *)take_memory(&s->t->memory, a->cells * a->width, sizeof *a->inverse);
    if (!a->first || !a->inverse) return NO_MEMORY(s, "the axes");
    a->count = a->first + a->cells;
    a->panel = a->count + a->cells;
    for (size_t j = 0, f = 0, cell = 0; j < panels; j++) {
        size_t nodes = size ? cgct_get_u32(size + 4 * j) : a->n,
               n = nodes < a->width ? nodes : a->width;
        size_t end = nodes > 1 ? f + nodes - 1 : 1;
        for (; cell < end; cell++) {
            size_t back = (n - 1) / 2, low = cell > f + back ? cell - back : f;
            if (low > f + nodes - n) low = f + nodes - n;
            a->first[cell] = (uint16_t)low;
            a->count[cell] = (uint16_t)n;
            a->panel[cell] = (uint16_t)j;
            for (size_t k = low; k < low + n; k++) {
                double product = 1;
                for (size_t i = low; i < low + n; i++)
                    if (i != k) product *= a->u[k] - a->u[i];
                a->inverse[cell * a->width + k - low] = 1 / product;
            }
        }
        f += nodes - 1;
    }
    return CGCT_OK;
}

static cgct_status check_parts(const table_file *s, const uint8_t *size, size_t panels,
                               size_t nodes, const char *name)
{
    size_t last = 0;
    for (size_t j = 0; j < panels; j++) {
        uint32_t n = cgct_get_u32(size + 4 * j);
        if (n > nodes || (n < 2 && !(nodes == 1 && n == 1 && panels == 1)))
            return BAD(s, "panels in %s: panel %zu has %u of %zu nodes", name, j, (unsigned)n,
                       nodes);
        last += n - 1;
    }
    if (last + 1 == nodes) return CGCT_OK;
    return BAD(s, "panels in %s end at node %zu of %zu", name, last + 1, nodes);
}

/* The variables of nodes up to `most`, which is below `from` unless that is 0. */
static cgct_status set_variables(table_file *s, cgct_nodes *a, const double *value, double from,
                                 double most, const char *name)
{
    if (!(a->u = (double *)take_memory(&s->t->memory, a->n, sizeof *a->u)))
        return NO_MEMORY(s, "the axes");
    if (from != 0 && !(from > most))
        return BAD(s, "HEAD: x_from = %g, want 0 or a number above %g", from, most);
    for (size_t i = 0; i < a->n; i++) {
        a->u[i] = value[i] > 0 ? cgct_variable(from, value[i]) : 0;
        if (!(value[i] > 0) || !cgct_finite(a->u[i]) || (i && !(a->u[i] - a->u[i - 1] >= 1e-9)))
            return BAD(s, "nodes in %s do not rise by 1e-9 or more at %zu: %.17g", name, i,
                       value[i]);
    }
    return CGCT_OK;
}

/* lo, hi and the nodes; of q, which = 2, the nodes alone. */
static cgct_status read_axis(table_file *s, const uint8_t **p, int which, cgct_nodes *a,
                             double range[2])
{
    static const char *const name[] = {"x", "eps", "q"};
    const size_t ends = which < 2 ? 2 : 0;
    double *all;
    CGCT_TRY(take_doubles(s, *p, a->n + ends, name[which], &all));
    const double *value = s->t->value[which] = all + ends;
    range[0] = all[0];
    range[1] = ends ? all[1] : all[a->n - 1];
    *p += 8 * (a->n + ends);
    const double from = which == 0 ? s->t->info.x_from : 0;
    CGCT_TRY(set_variables(s, a, value, from, range[1], name[which]));
    if (a->n > 1 ? range[0] != value[0] || range[1] != value[a->n - 1]
                 : !(range[0] > 0 && range[0] <= value[0] && value[0] <= range[1]))
        return BAD(s, "range of %s is %g to %g, nodes %g to %g", name[which], range[0], range[1],
                   value[0], value[a->n - 1]);
    return CGCT_OK;
}

/* The nodes of variations, in one panel; polynomials go through six of them. */
static cgct_status read_variation_nodes(table_file *s, const uint8_t **p, cgct_nodes *a,
                                        double from, const char *name)
{
    double *value;
    if (!a->n) return CGCT_OK;
    CGCT_TRY(take_doubles(s, *p, a->n, name, &value));
    *p += 8 * a->n;
    CGCT_TRY(set_variables(s, a, value, from, value[a->n - 1], name));
    return prepare_nodes(s, a, 6, NULL, 1);
}

static cgct_status read_axes(table_file *s)
{
    cgct_table *t = s->t;
    cgct_info *info = &t->info;
    const uint8_t *p;
    size_t n, panels = 4 * (t->px + t->peps), padded = (panels + 7) / 8 * 8;
    CGCT_TRY(next_chunk(
        s, "AXES", 8 * (4 + t->x.n + t->eps.n + t->nq + t->dx.n + t->deps.n) + padded, &p, &n));
    CGCT_TRY(read_axis(s, &p, 0, &t->x, info->x));
    CGCT_TRY(read_axis(s, &p, 1, &t->eps, info->eps));
    CGCT_TRY(read_axis(s, &p, 2, &t->q, info->q));
    CGCT_TRY(read_variation_nodes(s, &p, &t->dx, info->x_from, "x of variations"));
    CGCT_TRY(read_variation_nodes(s, &p, &t->deps, 0, "eps of variations"));
    CGCT_TRY(check_zeros(s, p + panels, padded - panels, "AXES"));
    CGCT_TRY(check_parts(s, p, t->px, t->x.n, "x"));
    CGCT_TRY(check_parts(s, p + 4 * t->px, t->peps, t->eps.n, "eps"));
    CGCT_TRY(prepare_nodes(s, &t->x, info->order[0], p, t->px));
    CGCT_TRY(prepare_nodes(s, &t->eps, info->order[1], p + 4 * t->px, t->peps));
    CGCT_TRY(prepare_nodes(s, &t->q, info->order[2], NULL, 1));
    for (int i = 0; i < 2; i++) {
        cgct_nodes *v = &t->v[i];
        if (!(v->u = (double *)take_memory(&t->memory, v->n, sizeof *v->u)))
            return NO_MEMORY(s, "the axes");
        for (size_t j = 0; j < v->n; j++) v->u[j] = (double)j;
        CGCT_TRY(prepare_nodes(s, v, info->order[3], NULL, 1));
    }
    return CGCT_OK;
}

/* ---- VARY, TENS and ERRS ---- */

static cgct_status read_variations(table_file *s)
{
    cgct_table *t = s->t;
    const uint8_t *p;
    size_t n, others = t->info.members - 1;
    if (!t->dx.n) return CGCT_OK;
    CGCT_TRY(next_chunk(s, "VARY", ANY_SIZE, &p, &n));
    t->variations = n < 8 ? 0 : cgct_get_u32(p);
    if (t->variations < 1 || t->variations > others || cgct_get_u32(p + 4) ||
        n != 8 + 8 * others * t->variations)
        return BAD(s, "VARY: %zu variations of %zu members in %zu bytes", t->variations,
                   t->info.members, n);
    return take_doubles(s, p + 8, others * t->variations, "VARY", &t->mix);
}

/* FORMAT.md section 11. */
enum { PARTS_MAX = 65, FUNCTION_NODES_MAX = 4096 };
#define K0_LEAST 1e-6 /* GeV */
#define K_END_MOST 1e6
#define FUNCTION_MOST 1e60
static cgct_status read_functions(table_file *s)
{
    cgct_table *t = s->t;
    const uint8_t *p;
    size_t n;
    if (t->eps.n != 1 || t->dx.n || t->info.members != CGCT_FORWARD_MEMBERS)
        return BAD(s, "dijets of a proton with %zu eps, %zu members, want 1 and %d", t->eps.n,
                   t->info.members, CGCT_FORWARD_MEMBERS);
    CGCT_TRY(next_chunk(s, "FUNC", ANY_SIZE, &p, &n));
    t->parts = n < 16 ? 0 : cgct_get_u32(p);
    t->functions = n < 16 ? 0 : cgct_get_u32(p + 4);
    t->k_end = n < 16 ? 0 : cgct_get_f64(p + 8);
    if (t->parts < 1 || t->parts > PARTS_MAX || t->functions < CGCT_FUNCTION_ORDER ||
        t->functions > FUNCTION_NODES_MAX || n - 16 != 8 * t->x.n * t->parts * cgct_block_size(t))
        return BAD(s, "FUNC: %zu dipoles at %zu momenta in %zu bytes", t->parts, t->functions, n);
    if (!cgct_positive(t->k_end) || t->k_end < t->info.q[1] + t->info.k_max)
        return BAD(s, "FUNC: ends at %g GeV, want a number of at least %g", t->k_end,
                   t->info.q[1] + t->info.k_max);
    if (t->info.k0 < K0_LEAST || t->k_end > K_END_MOST)
        return BAD(s, "FUNC: k0 = %g and the end %g GeV, want %g at least and %g at most",
                   t->info.k0, t->k_end, K0_LEAST, K_END_MOST);
    const size_t number = t->x.n * t->parts * cgct_block_size(t);
    CGCT_TRY(take_doubles(s, p + 16, number, "FUNC", &t->tensor));
    for (size_t i = 0; i < number; i++) {
        const size_t at = i % cgct_block_size(t);
        const double v = t->tensor[i];
        if (fabs(v) > FUNCTION_MOST || (at < 4 && v < 0))
            return BAD(s, "FUNC: number %zu is out of range: %g", i, v);
    }
    return CGCT_OK;
}

static cgct_status read_tensor(table_file *s)
{
    cgct_table *t = s->t;
    const uint8_t *p;
    if (t->forward) return read_functions(s);
    size_t n, number = 2 * t->info.members * t->x.n * t->nq;
    CGCT_TRY(next_chunk(s, "TENS", (uint64_t)16 * t->info.members * t->x.n * t->nq, &p, &n));
    CGCT_TRY(take_doubles(s, p, number, "TENS", &t->tensor));
    for (size_t i = 0; i < number; i += 2)
        if (fabs(t->tensor[i]) > 800 || fabs(t->tensor[i + 1]) > 1)
            return BAD(s, "TENS: pair %zu is out of range: %g, %g", i / 2, t->tensor[i],
                       t->tensor[i + 1]);
    return CGCT_OK;
}

static cgct_status read_bounds(table_file *s)
{
    cgct_table *t = s->t;
    const uint8_t *p;
    size_t n;
    uint64_t number = (uint64_t)t->bounds * t->x.n * t->eps.n;
    number *= 2 * t->block[0] * (t->block[1] + t->block[2]);
    CGCT_TRY(next_chunk(s, "ERRS", (number + 7) / 8 * 8, &p, &n));
    t->bound = p;
    return check_zeros(s, p + number, n - (size_t)number, "ERRS");
}

/* ---- SEGM ---- */

typedef struct {
    const uint8_t *bytes; /* at least eight more can be read behind the last */
    uint64_t at, end;     /* bits */
} bit_string;

/* The next 57 bits at least; zeros behind the end. */
static inline uint64_t peek_bits(const bit_string *b)
{
    return b->at <= b->end ? cgct_get_u64(b->bytes + b->at / 8) >> b->at % 8 : 0;
}

/* How many ones come first; not all 64 are. */
static inline unsigned count_ones(uint64_t v)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(~v);
#else
    unsigned n = 0;
    while (v >> n & 1) n++;
    return n;
#endif
}

/* Even numbers stand for those >= 0, odd ones for those below. */
static inline uint32_t unfold(uint32_t z)
{
    return z >> 1 ^ (0 - (z & 1));
}

enum { RUN = 8, KIND_MAX = 25, LONG_CODE = 24, RUNS_MAX = 1024 / RUN };

/* The residuals of a run of n <= RUN with b = low. */
static inline void take_run(bit_string *b, unsigned low, uint32_t *to, size_t n)
{
    const uint32_t mask = (UINT32_C(1) << low) - 1;
    for (size_t i = 0; i < n; i++) {
        const uint64_t w = peek_bits(b);
        const unsigned high = count_ones(w & ((UINT64_C(1) << LONG_CODE) - 1));
        const int is_long = high == LONG_CODE;
        to[i] = unfold(is_long ? (uint32_t)(w >> LONG_CODE)
                               : high << low | ((uint32_t)(w >> 1 >> high) & mask));
        b->at += high + (is_long ? 32 : 1 + low);
    }
}

/* A segment on its way into memory.  Points count from the patch's first node at the first q. */
typedef struct {
    const cgct_table *t;
    cgct_segment *to;
    cgct_err *err;
    bit_string bits;
    uint16_t *ends; /* (2, 2, width, nq, nk): how many m a group has, and how many of 32 bits */
    uint32_t *at;   /* (2, width, nq, nk): line of the group's first block */
    uint32_t *list; /* (nq, nl or nu): points that a plane has numbers for */
    uint32_t *row;  /* (nq + 1): where those of each q begin */
    uint32_t *sum;  /* (3, nl or nu): running sums along q */
    uint32_t *v;    /* (4, nq, nl or nu): four planes at the points of the list */
} segment_reader;

enum { ORDERS = 4 };

/* A plane, at the points of the list. */
static cgct_status take_plane(segment_reader *k, size_t columns, uint32_t *v)
{
    const cgct_table *t = k->t;
    bit_string b = k->bits; /* a copy that stays in registers */
    unsigned kind[RUNS_MAX] = {0};
    const unsigned head = (unsigned)peek_bits(&b), along = head >> 1 & 3, across = head >> 3 & 3;
    b.at += head & 1 ? 5 : 1;
    memset(k->sum, 0, (ORDERS - 1) * columns * sizeof *k->sum);
    if (!(head & 1)) memset(v, 0, k->row[t->nq] * sizeof *v);
    for (size_t i = 0; i < t->nq && head & 1; i++) {
        const size_t n = k->row[i + 1] - k->row[i];
        const uint32_t *list = k->list + k->row[i];
        uint32_t *to = v + k->row[i];
        for (size_t j = 0; j < n; j += RUN) { /* kind: of the last row that has this run */
            const size_t some = n - j < RUN ? n - j : (size_t)RUN;
            const unsigned ones = count_ones(peek_bits(&b) & INT64_MAX);
            const unsigned now = kind[j / RUN] += unfold(ones);
            b.at += ones + 1;
            if (now > KIND_MAX || b.at > b.end)
                return BAD(k, "SEGM: planes reach beyond their bits, or a run has no kind");
            if (now)
                take_run(&b, now - 1, to + j, some);
            else
                memset(to + j, 0, some * sizeof *to);
        }
        for (unsigned c = 0; c < along; c++) {
            uint32_t sum = 0;
            for (size_t j = 0; j < n; j++) to[j] = sum += to[j];
        }
        for (unsigned d = 0; d < across; d++) {
            uint32_t *sum = k->sum + d * columns;
            for (size_t j = 0; j < n; j++) to[j] = sum[list[j] - i * t->nk] += to[j];
        }
    }
    k->bits = b;
    if (b.at <= b.end) return CGCT_OK;
    return BAD(k, "SEGM: planes reach beyond their bits, or a run has no kind");
}

/* All points of a patch. */
static void list_patch(const cgct_table *t, segment_reader *k, size_t columns)
{
    for (size_t i = 0; i <= t->nq; i++) k->row[i] = (uint32_t)(i * columns);
    for (size_t i = 0; i < t->nq; i++)
        for (size_t j = 0; j < columns; j++) k->list[i * columns + j] = (uint32_t)(i * t->nk + j);
}

/* Of the points in the list those with more than m rows. */
static void shorten_list(const cgct_table *t, segment_reader *k, const uint16_t *end, size_t m)
{
    uint32_t n = 0, from = 0;
    for (size_t i = 0; i < t->nq; i++) {
        for (; from < k->row[i + 1]; from++) {
            const uint32_t point = k->list[from];
            k->list[n] = point;
            n += end[point] > m;
        }
        k->row[i + 1] = n;
    }
}

/* A group in a patch: polarisation, number c among the groups of four r, nodes in v, the first of
 * them among those of both patches, and where its points begin in arrays (2, width, nq, nk). */
typedef struct {
    size_t pol, c, nv, first, at;
} group;

/* All of them are counted in their order in the file. */
static group nth_group(const cgct_table *t, const cgct_segment *to, size_t i)
{
    const size_t j = i / 2, first = i % 2 ? t->v[0].n : 0;
    const group g = {j / to->width, j % to->width, t->v[i % 2].n, first, j * t->nq * t->nk + first};
    return g;
}

/* The rows of all groups. */
static cgct_status take_ends(segment_reader *k)
{
    const cgct_table *t = k->t;
    const size_t all = 2 * k->to->width * t->nq * t->nk;
    for (size_t i = 0; i < 4 * k->to->width; i++) {
        const group g = nth_group(t, k->to, i);
        uint16_t *end = k->ends + g.at;
        list_patch(t, k, g.nv);
        for (int wide = 0; wide < 2; wide++, end += all) {
            CGCT_TRY(take_plane(k, g.nv, k->v));
            for (size_t j = 0; j < t->nq * g.nv; j++) {
                const size_t point = k->list[j], at_0 = !g.first && j % g.nv == 0; /* k = 0 */
                const uint32_t nm = (uint32_t)t->nm, flat = 1 + (uint32_t)t->either_sign;
                const uint32_t rows = at_0 && flat < nm ? flat : nm;
                const uint32_t most = wide ? k->ends[g.at + point] : rows;
                if (k->v[j] > most)
                    return BAD(k, "SEGM: %u rows of a group, want %u at most", (unsigned)k->v[j],
                               (unsigned)most);
                end[point] = (uint16_t)k->v[j];
            }
        }
    }
    return CGCT_OK;
}

/* Larger segments are refused: lines of eight integers, as many in each. */
static uint64_t most_lines(const cgct_table *t)
{
    return ((uint64_t)1 << 26) / t->info.segments;
}

/* Where points and groups begin, memory, and what blocks are.  Of the rows of a group the first is
 * l, and the others are two to a block: `end` rows have end/2 blocks. */
static cgct_status lay_out(segment_reader *k)
{
    const cgct_table *t = k->t;
    cgct_segment *to = k->to;
    const size_t np = t->nq * t->nk, all = 2 * to->width * np;
    uint64_t lines = 0, tags = 0, counted = 0;
    for (size_t g = 0; g < 2 * to->width; g++)
        for (size_t i = 0; i < np; i++) {
            const uint16_t end = k->ends[g * np + i], wide = k->ends[all + g * np + i];
            cgct_point *p = &to->point[i];
            const uint32_t blocks = end / 2u + wide / 2u;
            p->blocks[g / to->width] += blocks;
            counted += 1 + blocks;
            if (wide && p->wide <= g % to->width) p->wide = (uint16_t)(g % to->width + 1);
            if (p->rows < end) p->rows = end;
        }
    if (counted > most_lines(t)) return BAD(k, "SEGM: more integers than a segment may have");
    for (size_t i = 0; i < np; i++) {
        cgct_point *p = &to->point[i];
        const size_t blocks = (size_t)p->blocks[0] + p->blocks[1];
        p->line = (uint32_t)lines;
        p->tag = (uint32_t)tags;
        lines += to->width + p->wide + blocks;
        tags += blocks;
    }
    to->line = (int16_t *)take_memory(&to->memory, 8 * (size_t)lines, sizeof *to->line);
    to->tag = (cgct_tag *)take_memory(&to->memory, (size_t)tags, sizeof *to->tag);
    if (!to->line || !to->tag) return NO_MEMORY(k, "a segment");
    for (size_t i = 0; i < np; i++) {
        const cgct_point *p = &to->point[i];
        size_t tag = p->tag, first = p->line + to->width + p->wide;
        for (size_t g = 0; g < 2 * to->width; g++) {
            k->at[g * np + i] = (uint32_t)(first + tag - p->tag);
            for (size_t wide = 0; wide < 2; wide++)
                for (size_t n = k->ends[wide * all + g * np + i] / 2, j = 0; j < n; j++, tag++) {
                    to->tag[tag].group = (uint8_t)(g % to->width);
                    to->tag[tag].pair = (uint8_t)(j + wide * CGCT_PAIRS_MAX);
                }
        }
    }
    return CGCT_OK;
}

/* Row m of a group goes to its places. */
static cgct_status place_row(const segment_reader *k, const group *g, size_t m)
{
    const cgct_segment *to = k->to;
    const size_t np = k->t->nq * k->t->nk, n = k->row[k->t->nq], apart = k->t->nq * g->nv;
    const uint16_t *end = k->ends + g->at, *wide = end + 2 * to->width * np;
    const cgct_point *p = to->point + g->first;
    uint32_t beyond = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t point = k->list[i];
        const size_t line = m ? k->at[g->at + point] + (m - 1) / 2 : p[point].line + g->c;
        int16_t *low = to->line + 8 * line + 4 * (m ? (m - 1) % 2 : g->pol);
        const uint32_t *v = k->v + i;
        int16_t *high = m < wide[point] ? low + 8 * (m ? end[point] / 2u : to->width) : NULL;
        for (size_t r = 0; r < 4; r++) {
            const uint32_t upper = (v[r * apart] + 0x8000) >> 16;
            low[r] = (int16_t)v[r * apart];
            if (high) high[r] = (int16_t)upper;
            beyond |= high ? upper == 0x8000 && !(v[r * apart] >> 31) : upper;
        }
    }
    if (!beyond) return CGCT_OK;
    return BAD(k, "SEGM: an integer of mode %zu is larger than its group allows", m);
}

static cgct_status take_planes(segment_reader *k)
{
    const cgct_table *t = k->t;
    const bit_string *b = &k->bits;
    for (size_t i = 0; i < 4 * k->to->width; i++) {
        const group g = nth_group(t, k->to, i);
        const size_t apart = t->nq * g.nv, left = k->to->rank - 4 * g.c;
        list_patch(t, k, g.nv);
        memset(k->v, 0, 4 * apart * sizeof *k->v);
        for (size_t m = 0; m < t->nm; m++) {
            shorten_list(t, k, k->ends + g.at, m);
            if (!k->row[t->nq]) break;
            for (size_t r = 0; r < 4 && r < left; r++)
                CGCT_TRY(take_plane(k, g.nv, k->v + r * apart));
            CGCT_TRY(place_row(k, &g, m));
        }
    }
    const uint64_t rest = b->end - b->at;
    if (rest < 8 && !(peek_bits(b) & ((UINT64_C(1) << rest) - 1))) return CGCT_OK;
    return BAD(k, "SEGM: %llu bits are left over", (unsigned long long)rest);
}

/* How many nodes have numbers in a segment: of all members, of the first, or of all variations. */
static uint64_t factor_rows(const cgct_table *t, const cgct_segment *g)
{
    const size_t each = g == t->varied ? t->variations : t->varied ? 1 : t->info.members;
    return (uint64_t)g->nx * g->neps * each;
}

/* U times h, each node's numbers filled up with zeros. */
static cgct_status read_factors(table_file *s, cgct_segment *to, double step, const uint8_t *p)
{
    const size_t nodes = (size_t)factor_rows(s->t, to);
    if (!cgct_positive(step)) return BAD(s, "SEGM: h = %g, want a number > 0", step);
    to->stride = (to->rank + 7) / 8 * 8;
    if (!(to->U = (double *)take_memory(&s->t->memory, nodes * to->stride, sizeof *to->U)))
        return NO_MEMORY(s, "the factors of a segment");
    for (size_t i = 0; i < nodes * to->rank; i++) {
        double v = step * cgct_get_f64(p + 8 * i);
        if (!cgct_finite(v)) return BAD(s, "SEGM: factor %zu is not finite", i);
        to->U[i / to->rank * to->stride + i % to->rank] = v;
    }
    return CGCT_OK;
}

/* With memory that is given back. */
static cgct_status read_planes(segment_reader *k)
{
    const cgct_table *t = k->t;
    const size_t most = t->v[t->v[0].n < t->v[1].n].n, np = t->nq * t->nk, plane = t->nq * most;
    const size_t groups = 2 * k->to->width * np, words = groups + 5 * plane + t->nq + 1 + 3 * most;
    k->ends = (uint16_t *)malloc(2 * groups * sizeof *k->ends);
    k->at = (uint32_t *)malloc(words * sizeof *k->at);
    cgct_status st = k->ends && k->at && k->to->point ? CGCT_OK : NO_MEMORY(k, "a segment");
    if (st == CGCT_OK) {
        k->list = k->at + groups;
        k->v = k->list + plane;
        k->row = k->v + 4 * plane;
        k->sum = k->row + t->nq + 1;
        st = take_ends(k);
    }
    if (st == CGCT_OK) st = lay_out(k);
    if (st == CGCT_OK) st = take_planes(k);
    free(k->ends);
    free(k->at);
    return st;
}

/* Where several threads need a segment for the first time, each of them reads it, and that of the
 * first one to be done is kept. */
cgct_status cgct_ready(const cgct_table *t, const cgct_segment *g, const cgct_segment **ready,
                       cgct_err *err)
{
    cgct_segment **slot = &((cgct_segment *)g)->ready, *none = NULL;
    if ((*ready = GET(slot)) != NULL) return CGCT_OK;
    cgct_segment *to = (cgct_segment *)calloc(1, sizeof *to);
    if (!to) return cgct_message(err, CGCT_E_NOMEM, "no memory for a segment");
    memcpy(to, g, offsetof(cgct_segment, ready));
    to->point = (cgct_point *)take_memory(&to->memory, t->nq * t->nk, sizeof *to->point);
    segment_reader k = {t, to, err, {g->bits, 0, 8 * g->bytes}, NULL, NULL, NULL, NULL, NULL, NULL};
    const cgct_status st = read_planes(&k);
    if (st == CGCT_OK && SET_IF_NULL(slot, &none, to)) {
        *ready = to;
        return CGCT_OK;
    }
    free_ready(to);
    *ready = GET(slot);
    return *ready ? CGCT_OK : st;
}

static cgct_status read_all(const cgct_table *t, cgct_err *err)
{
    const cgct_segment *ready;
    for (size_t i = 0; i < t->info.segments + !!t->varied; i++)
        CGCT_TRY(cgct_ready(t, t->segment + i, &ready, err));
    return CGCT_OK;
}

cgct_status cgct_load(const cgct_table *t, cgct_err *err)
{
    cgct_err inner;
    if (!t) return cgct_message(err, CGCT_E_USAGE, "cgct_load: NULL table");
    const cgct_status st = read_all(t, &inner);
    return st ? cgct_message(err, st, "%.200s: %.300s", t->path, inner.text) : CGCT_OK;
}

static cgct_status read_segment(table_file *s, cgct_segment *to)
{
    cgct_table *t = s->t;
    const uint8_t *p;
    size_t n;
    CGCT_TRY(next_chunk(s, "SEGM", ANY_SIZE, &p, &n));
    to->rank = n < 16 ? 0 : cgct_get_u32(p);
    to->bytes = n < 16 ? 0 : cgct_get_u32(p + 4);
    const uint64_t factors = 8 * factor_rows(t, to) * to->rank; /* size_t may have 32 bits */
    const uint64_t bits = ((uint64_t)to->bytes + 7) / 8 * 8;
    if (to->rank < 1 || to->rank > CGCT_RANK_MAX || 16 + factors + bits != n)
        return BAD(s, "SEGM: rank %zu and %llu bytes of bits in %zu", to->rank,
                   (unsigned long long)to->bytes, n);
    if (to != t->varied && to->rank > t->info.rank) t->info.rank = to->rank;
    CGCT_TRY(read_factors(s, to, cgct_get_f64(p + 8), p + 16));
    to->bits = p + 16 + factors;
    to->width = (to->rank + 3) / 4;
    if ((uint64_t)2 * t->nq * t->nk * to->width > most_lines(t))
        return BAD(s, "SEGM: rank and nodes are too many");
    return check_zeros(s, to->bits + to->bytes, (8 - to->bytes % 8) % 8, "SEGM");
}

/* First node and number of nodes of panel j. */
static void panel_nodes(const cgct_nodes *a, size_t j, size_t *first, size_t *n)
{
    *n = a->n > 1;
    for (size_t cell = a->cells; cell-- > 0;)
        if (a->panel[cell] == j) *first = cell, ++*n;
}

/* Where nodes of variations are stored on their own, few numbers of a variation are not 0. */
static cgct_status find_spans(table_file *s)
{
    cgct_table *t = s->t;
    const size_t stride = t->varied->stride, n = t->dx.n * t->deps.n * stride;
    t->span = (uint16_t *)take_memory(&t->memory, 2 * t->variations, sizeof *t->span);
    if (!t->span) return NO_MEMORY(s, "the variations");
    for (size_t i = 0; i < t->variations * n; i++) {
        uint16_t *span = t->span + 2 * (i / n), eight = (uint16_t)(i % stride / 8);
        if (t->varied->U[i] == 0) continue;
        if (!span[1] || eight < span[0]) span[0] = eight;
        if (eight >= span[1]) span[1] = (uint16_t)(eight + 1);
    }
    return CGCT_OK;
}

static cgct_status read_segments(table_file *s)
{
    cgct_table *t = s->t;
    const size_t n = t->info.segments;
    t->segment = (cgct_segment *)take_memory(&t->memory, n + 1, sizeof *t->segment);
    if (!t->segment) return NO_MEMORY(s, "the segments");
    if (t->dx.n) t->varied = t->segment + n;
    for (size_t i = 0; i < n; i++) {
        cgct_segment *to = &t->segment[i];
        panel_nodes(&t->x, i / t->peps, &to->x, &to->nx);
        panel_nodes(&t->eps, i % t->peps, &to->eps, &to->neps);
        CGCT_TRY(read_segment(s, to));
    }
    if (!t->varied) return CGCT_OK;
    t->varied->nx = t->dx.n;
    t->varied->neps = t->deps.n;
    CGCT_TRY(read_segment(s, t->varied));
    return find_spans(s);
}

/* ---- open ---- */

static cgct_status read_table(table_file *s)
{
    const uint8_t *p;
    size_t n;
    CGCT_TRY(check_magic(s));
    CGCT_TRY(read_head(s));
    CGCT_TRY(read_meta(s));
    CGCT_TRY(read_axes(s));
    CGCT_TRY(read_variations(s));
    CGCT_TRY(read_tensor(s));
    CGCT_TRY(read_segments(s));
    CGCT_TRY(read_bounds(s));
    CGCT_TRY(next_chunk(s, "TEND", 0, &p, &n));
    if (s->at != s->size) return BAD(s, "%zu bytes follow the end", s->size - s->at);
    s->t->info.file_bytes = (double)s->size;
    return CGCT_OK;
}

/* By number where there are digits alone, else by name; t->own: what it has beside the first. */
static cgct_status choose_member(cgct_table *t, const char *member, cgct_err *err)
{
    const cgct_segment *g = t->varied;
    const int number = strspn(member, "0123456789") == strlen(member);
    size_t n = t->info.members, i = number ? strtoul(member, NULL, 10) : find_member(t, member);
    if (!*member)
        return cgct_message(err, CGCT_E_RANGE, "no member is named behind '@'; leave it out");
    if (i >= n)
        return cgct_message(err, CGCT_E_RANGE,
                            *t->name[n - 1] ? "no member %.100s among %zu, from %.60s to %.60s"
                                            : "no member %.100s among %zu, which have no names",
                            member, n, t->name[0], t->name[n - 1]);
    t->info.member = i;
    if (!g || !i) return CGCT_OK;
    const double *mix = t->mix + (i - 1) * t->variations;
    n = g->nx * g->neps * g->stride;
    t->own = (double *)take_memory(&t->memory, n, sizeof *t->own);
    if (!t->own) return cgct_message(err, CGCT_E_NOMEM, "no memory for a member");
    for (size_t l = 0; l < t->variations * n; l++) t->own[l % n] += mix[l / n] * g->U[l];
    return CGCT_OK;
}

/* From n bytes or, where bytes is NULL, from the file path or path@member.  In the default
 * environment: damaged bytes may hold numbers that overflow, at which the host may have traps, and
 * the host's rounding mode does not get into the table. */
static cgct_status open_table(const char *path, const void *bytes, size_t n, const char *member,
                              cgct_table **table, cgct_err *err)
{
    fenv_t host;
    cgct_err inner = {""};
    if (table) *table = NULL;
    if (!path || !table) return cgct_message(err, CGCT_E_USAGE, "cgct_open: NULL argument");
    fegetenv(&host);
    fesetenv(FE_DFL_ENV);
    table_file *s = (table_file *)calloc(1, sizeof *s);
    cgct_table *t = (cgct_table *)calloc(1, sizeof *t);
    cgct_status st = cgct_check_arithmetic(err);
    if (st == CGCT_OK && !(s && t)) st = cgct_message(err, CGCT_E_NOMEM, "%.200s: no memory", path);
    if (st == CGCT_OK && !bytes) st = find_file(t, path, &member, err);
    if (st == CGCT_OK) {
        if (bytes) t->path = copy_text(t, path, strlen(path));
        s->t = t;
        s->err = &inner;
        cgct_crc64_init(&s->crc);
        st = t->path ? read_bytes(s, bytes, n) : NO_MEMORY(s, "the table");
        if (st == CGCT_OK) st = read_table(s);
        if (st == CGCT_OK && member) st = choose_member(t, member, &inner);
        if (st == CGCT_OK && READ_ALL) st = read_all(t, &inner);
        if (st != CGCT_OK)
            cgct_message(err, st, "%.200s: %.300s", t->path ? t->path : path, inner.text);
    }
    free(s);
    if (st != CGCT_OK) cgct_close(t), t = NULL;
    *table = t;
    fesetenv(&host);
    return st;
}

cgct_status cgct_open(const char *path, cgct_table **table, cgct_err *err)
{
    return open_table(path, NULL, 0, NULL, table, err);
}

cgct_status cgct_open_memory(const void *bytes, size_t n, const char *member, cgct_table **table,
                             cgct_err *err)
{
    return open_table(bytes ? "memory" : NULL, bytes, n, member, table, err);
}

cgct_status cgct_open_member(const cgct_table *from, const char *member, cgct_table **table,
                             cgct_err *err)
{
    fenv_t host;
    cgct_err inner;
    if (table) *table = NULL;
    if (!from || !member || !table)
        return cgct_message(err, CGCT_E_USAGE, "cgct_open_member: NULL argument");
    cgct_table *t = (cgct_table *)malloc(sizeof *t);
    if (!t) return cgct_message(err, CGCT_E_NOMEM, "%.200s: no memory", from->path);
    fegetenv(&host);
    fesetenv(FE_DFL_ENV);
    *t = *from;
    t->shared = 1;
    t->bytes = NULL;
    t->own = NULL;
    memset(&t->memory, 0, sizeof t->memory);
    cgct_status st = choose_member(t, member, &inner);
    fesetenv(&host);
    if (st == CGCT_OK) return *table = t, st;
    cgct_close(t);
    return cgct_message(err, st, "%.200s: %.300s", from->path, inner.text);
}

/* ---- what it says of itself ---- */

cgct_status cgct_set_policy(cgct_table *t, cgct_policy policy)
{
    if (!t || (policy != CGCT_POLICY_ERROR && policy != CGCT_POLICY_FREEZE)) return CGCT_E_USAGE;
    t->info.policy = policy;
    return CGCT_OK;
}

cgct_status cgct_set_negative(cgct_table *t, cgct_negative negative)
{
    if (!t || (unsigned)negative > CGCT_NEGATIVE_KEEP) return CGCT_E_USAGE;
    t->info.negative = negative;
    return CGCT_OK;
}

const char *cgct_meta(const cgct_table *t, const char *key)
{
    if (!t || !key) return NULL;
    for (size_t i = 0; i < t->nmeta; i++)
        if (!strcmp(t->meta[i].key, key)) return t->meta[i].value;
    return NULL;
}

size_t cgct_meta_count(const cgct_table *t)
{
    return t ? t->nmeta : 0;
}

const char *cgct_meta_key(const cgct_table *t, size_t i)
{
    return t && i < t->nmeta ? t->meta[i].key : NULL;
}

const double *cgct_axis_values(const cgct_table *t, cgct_axis axis, size_t *n)
{
    int known = t && (unsigned)axis <= CGCT_AXIS_Q;
    if (n)
        *n = !known ? 0 : axis == CGCT_AXIS_X ? t->x.n : axis == CGCT_AXIS_EPS ? t->eps.n : t->nq;
    return known ? t->value[axis] : NULL;
}

cgct_status cgct_table_info(const cgct_table *t, cgct_info *info)
{
    if (!t || !info) return CGCT_E_USAGE;
    *info = t->info;
    info->memory_bytes = (double)(sizeof *t + t->memory.bytes) + info->file_bytes;
    for (size_t i = 0; i <= info->segments; i++) {
        const cgct_segment *ready = GET(&t->segment[i].ready);
        if (ready) info->memory_bytes += (double)(sizeof *ready + ready->memory.bytes);
    }
    return CGCT_OK;
}

const char *cgct_table_path(const cgct_table *t)
{
    return t ? t->path : NULL;
}

double cgct_patch_k(const cgct_table *t, int upper, double half, double v, double *end,
                    double *slope)
{
    const double k0 = t->info.k0, k_max = t->info.k_max, k2 = k_max * k_max, h2 = half * half;
    if (upper) {
        double all = asinh(k2 / sqrt(hypot(k2, h2) + h2) / k0);
        double up_to = k_max > half ? (k_max - half) * (k_max + half) : 0;
        if (end) v *= *end = asinh(sqrt(up_to) / k0) / all;
        double c = k0 * sinh(v * all);
        *slope = c * all * hypot(k0, c);
        return hypot(half, c);
    }
    double ratio = half / k0, B = asinh(ratio) / 2, T = ratio / (1 + hypot(1, ratio));
    if (end)
        v *= *end = k_max < half ? (1 + atanh((2 * fmin(k_max, half) / half - 1) * T) / B) / 2 : 1;
    double x = tanh((2 * v - 1) * B), k = half / 2 * (1 + x / T);
    *slope = k * half * B * (1 - x) * (1 + x) / T;
    return k;
}

double cgct_node_k(const cgct_table *t, size_t i, size_t j)
{
    if (!t || i >= t->nq || j >= t->nk) return CGCT_NAN;
    const size_t nl = t->v[0].n, upper = j >= nl, at = upper ? j - nl : j;
    double half = t->value[2][i] / 2, slope;
    if (j == 0) return 0;
    if (j + 1 == nl) return half;
    return cgct_patch_k(t, upper, half, (double)at / (double)(t->v[upper].n - 1), NULL, &slope);
}

const char *cgct_member_name(const cgct_table *t, size_t member)
{
    return t && member < t->info.members ? t->name[member] : NULL;
}

double cgct_member_S_perp(const cgct_table *t, size_t member)
{
    return t && member < t->info.members ? t->S_perp[member] : CGCT_NAN;
}
