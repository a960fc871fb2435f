/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry.c: the target FUZZ_TARGET as libFuzzer and AFL++ call it. */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    FUZZ_TARGET(bytes, n);
    return 0;
}
