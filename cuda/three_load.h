/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_load.h: CUDA's libraries by name at run time, so that the program starts without them. */
#ifndef CGCT_THREE_LOAD_H
#define CGCT_THREE_LOAD_H
#include <stddef.h>

#include "format/error.h"

typedef struct {
    const char *name;
    void *to; /* address of the function pointer */
} three_symbol;

/* In       base, e.g. "libnvrtc.so"; suffixes[], newest first, ended by NULL, e.g. ".13"; looked up
 *          as the dynamic linker does, then in CUDA_HOME, CUDA_PATH and /usr/local/cuda; remedy
 *          for the message where there is none
 * Out      *handle (dlclose by the caller), all of symbol[n]
 * Returns  OK; E_DEVICE: no such library, or one without a symbol. */
cgct_status three_load(void **handle, const char *base, const char *const *suffixes,
                       const char *remedy, size_t n, const three_symbol *symbol, cgct_err *err);
#endif
