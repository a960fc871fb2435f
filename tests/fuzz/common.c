/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "reseal.h"

#ifndef TESTS_DIR
#define TESTS_DIR "tests"
#endif
enum { PATH_SIZE = 64 };

const fuzz_target fuzz_targets[] = {{"open", fuzz_open, 200},       {"eval", fuzz_eval, 30},
                                    {"meta", fuzz_meta, 300},       {"dipole", fuzz_dipole, 300},
                                    {"card", fuzz_card, 500},       {"members", fuzz_members, 300},
                                    {"rows", fuzz_rows, 500},       {"lists", fuzz_lists, 1000},
                                    {"journal", fuzz_journal, 300}, {"inner", fuzz_inner, 25},
                                    {"three", fuzz_three, 1000},    {"cache", fuzz_cache, 200},
                                    {"kept", fuzz_kept, 10},        {"options", fuzz_options, 500},
                                    {"pdf", fuzz_pdf, 300},         {NULL, NULL, 0}};

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

void fuzz_quiet(int on)
{
    static int kept[2];
    const int nowhere = on ? open("/dev/null", O_WRONLY) : -1;
    fflush(stdout);
    for (int i = 0; i < 2; i++) {
        if (on) kept[i] = dup(i + 1);
        dup2(on ? nowhere : kept[i], i + 1);
        if (!on) close(kept[i]);
    }
    if (on) close(nowhere);
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
