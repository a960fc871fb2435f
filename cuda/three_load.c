/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "three_load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

/* CUDA's libraries leave handlers and memory behind: they stay until the program ends. */
static void *open_in(const char *folder, const char *base, const char *const *suffixes)
{
    void *handle = NULL;
    for (size_t i = 0; suffixes[i] && !handle; i++) {
        char path[PATH_SIZE];
        if (snprintf(path, sizeof path, "%s%s%s", folder, base, suffixes[i]) < PATH_SIZE)
            handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    }
    return handle;
}

static void *open_any(const char *base, const char *const *suffixes)
{
    static const char *const lib[] = {"/lib64/", "/lib/", "/targets/x86_64-linux/lib/",
                                      "/targets/sbsa-linux/lib/"};
    const char *home[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
    void *handle = open_in("", base, suffixes);
    for (size_t i = 0; i < sizeof home / sizeof *home && !handle; i++)
        for (size_t j = 0; home[i] && j < sizeof lib / sizeof *lib && !handle; j++) {
            char folder[PATH_SIZE];
            if (snprintf(folder, sizeof folder, "%s%s", home[i], lib[j]) < PATH_SIZE)
                handle = open_in(folder, base, suffixes);
        }
    return handle;
}

cgct_status three_load(void **handle, const char *base, const char *const *suffixes,
                       const char *remedy, size_t n, const three_symbol *symbol, cgct_err *err)
{
    *handle = open_any(base, suffixes);
    if (!*handle)
        return cgct_fail(err, CGCT_E_DEVICE,
                         "%s not found: neither by the dynamic linker nor in CUDA_HOME, CUDA_PATH, "
                         "/usr/local/cuda; %s",
                         base, remedy);
    for (size_t i = 0; i < n; i++) {
        void *found = dlsym(*handle, symbol[i].name);
        if (!found)
            return cgct_fail(err, CGCT_E_DEVICE, "%s has no %s: too old; %s", base, symbol[i].name,
                             remedy);
        memcpy(symbol[i].to, &found, sizeof found); /* ISO C has no cast to a function */
    }
    return CGCT_OK;
}
