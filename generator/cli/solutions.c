/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file holds the key of its solution, a zero byte, the numbers, and the crc64 of all that; its
 * name is the crc64 of the key. */
#include "cli/common.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/crc64.h"
#include "format/tmpfile.h"
#include "numerics/memory.h"

enum { KEY_ROOM = 1024, NAME_ROOM = 64, CRC_BYTES = 8 };
/* Files of the folder that begin so are ours, also those whose writer was killed. */
static const char prefix[] = "bk-";
/* Another build may round differently. */
#if defined(__AVX512F__)
#define INSTRUCTIONS "avx512"
#elif defined(__AVX2__)
#define INSTRUCTIONS "avx2"
#else
#define INSTRUCTIONS "plain"
#endif

static char *join_path(const char *folder, const char *name)
{
    char *path = memory_new(strlen(folder) + strlen(name) + 2, 1);
    return strcat(strcat(strcpy(path, folder), "/"), name);
}

static void write_full_key(const char *key, char full[KEY_ROOM])
{
    char program[NAME_ROOM];
    cli_program(program, sizeof program);
    snprintf(full, KEY_ROOM, "%s, " INSTRUCTIONS ", " __VERSION__ ": %s", program, key);
}

static char *solution_path(const cli_solutions *s, const char *key)
{
    char name[NAME_ROOM];
    snprintf(name, sizeof name, "%s%016" PRIx64, prefix, cgct_crc64_of(key, strlen(key)));
    return join_path(s->folder, name);
}

/* The whole file, for free(); NULL where it cannot be read.  Its time becomes that of this use. */
static uint8_t *read_whole(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    struct stat is;
    uint8_t *data = NULL;
    *size = 0;
    if (!f) return NULL;
    if (fstat(fileno(f), &is) == 0 && S_ISREG(is.st_mode) &&
        (uint64_t)is.st_size <= SOLUTIONS_BYTES) {
        data = memory_new((size_t)is.st_size, 1);
        *size = fread(data, 1, (size_t)is.st_size, f);
        futimens(fileno(f), NULL);
    }
    fclose(f);
    return data;
}

static int is_solution(const uint8_t *data, size_t size, const char *key)
{
    const size_t head = strlen(key) + 1;
    uint64_t crc;
    if (size < head + CRC_BYTES || (size - head) % sizeof(double)) return 0;
    memcpy(&crc, data + size - CRC_BYTES, sizeof crc);
    return crc == cgct_crc64_of(data, size - CRC_BYTES) && memcmp(data, key, head) == 0;
}

static double *find_solution(void *self, const char *key, size_t *n)
{
    const cli_solutions *s = self;
    char full[KEY_ROOM];
    size_t size;
    double *numbers = NULL;
    write_full_key(key, full);
    char *path = solution_path(s, full);
    uint8_t *data = read_whole(path, &size);
    if (data && is_solution(data, size, full)) {
        const size_t head = strlen(full) + 1;
        *n = (size - head - CRC_BYTES) / sizeof *numbers;
        numbers = memory_new(*n, sizeof *numbers);
        memcpy(numbers, data + head, *n * sizeof *numbers);
    } else if (data) {
        cli_say("",
                "%s is damaged or not a solution of this program; the evolution is solved again",
                path);
    }
    free(data);
    free(path);
    return numbers;
}

/* Makes the folder and those above it. */
static void make_folder(const char *folder)
{
    char *path = memory_copy_text(folder);
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = 0;
        mkdir(path, 0700);
        *at = '/';
    }
    mkdir(path, 0700);
    free(path);
}

/* Bytes of all solutions; *oldest: the path of the one that was not used for the longest time. */
static uint64_t measure_folder(const char *folder, char **oldest)
{
    uint64_t bytes = 0;
    struct timespec first = {0};
    DIR *d = opendir(folder);
    *oldest = NULL;
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        struct stat is;
        if (strncmp(e->d_name, prefix, strlen(prefix)) ||
            fstatat(dirfd(d), e->d_name, &is, AT_SYMLINK_NOFOLLOW) || !S_ISREG(is.st_mode))
            continue;
        bytes += (uint64_t)is.st_size;
        const struct timespec *t = &is.st_mtim;
        if (*oldest && (t->tv_sec > first.tv_sec ||
                        (t->tv_sec == first.tv_sec && t->tv_nsec >= first.tv_nsec)))
            continue;
        free(*oldest);
        *oldest = join_path(folder, e->d_name);
        first = *t;
    }
    if (d) closedir(d);
    return bytes;
}

static void keep_solution(void *self, const char *key, size_t n, const double *numbers)
{
    const cli_solutions *s = self;
    char full[KEY_ROOM];
    write_full_key(key, full);
    const size_t head = strlen(full) + 1, size = head + n * sizeof *numbers;
    char *path = solution_path(s, full);
    uint8_t *data = malloc(size + CRC_BYTES); /* what cannot be kept is no failure */
    cgct_tmpfile f = cgct_tmpfile_none();
    make_folder(s->folder);
    if (data && cgct_tmpfile_open(&f, path, NULL) == CGCT_OK) {
        memcpy(data, full, head);
        memcpy(data + head, numbers, n * sizeof *numbers);
        const uint64_t crc = cgct_crc64_of(data, size);
        memcpy(data + size, &crc, sizeof crc);
        if (cgct_tmpfile_append(&f, data, size + CRC_BYTES, NULL) == CGCT_OK)
            cgct_tmpfile_commit(&f, NULL);
    }
    cgct_tmpfile_discard(&f);
    free(data);
    free(path);
    for (int more = 1; more;) {
        char *oldest;
        more = measure_folder(s->folder, &oldest) > SOLUTIONS_BYTES && oldest && !unlink(oldest);
        free(oldest);
    }
}

const bk_keeper *cli_solutions_open(cli_solutions *s, int off)
{
    const char *without = getenv("CGCTAB_NO_CACHE");
    const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    s->folder = NULL;
    if (off || (without && *without)) return NULL;
    /* a relative path is none, as the XDG base directory specification has it */
    if (caches && *caches == '/')
        s->folder = join_path(caches, "cgctab");
    else if (home && *home == '/')
        s->folder = join_path(home, ".cache/cgctab");
    if (!s->folder) return NULL;
    s->keeper = (bk_keeper){s, find_solution, keep_solution};
    return &s->keeper;
}

void cli_solutions_free(cli_solutions *s)
{
    free(s->folder);
    s->folder = NULL;
}
