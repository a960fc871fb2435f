/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "reseal.h"

#ifndef TESTS_DIR
#define TESTS_DIR "tests"
#endif
enum { PATH_SIZE = 64 };

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
    static const char *const name[FUZZ_GOLDEN] = {
        TESTS_DIR "/golden/small.cgct", TESTS_DIR "/golden/negative.cgct",
        TESTS_DIR "/golden/panels.cgct", TESTS_DIR "/golden/varied.cgct"};
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

void fuzz_reseal(uint8_t *bytes, size_t n)
{
    reseal(bytes, n);
}
