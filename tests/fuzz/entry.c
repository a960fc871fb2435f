/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry.c: the target that FUZZ_TARGET of the environment names, as libFuzzer and AFL++ call it. */
#include <gsl/gsl_errno.h>

#include "fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const fuzz_target *target = fuzz_targets;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("FUZZ_TARGET");
    (void)argc;
    (void)argv;
    gsl_set_error_handler_off(); /* as the programs do */
    while (target->name && (!name || strcmp(target->name, name))) target++;
    if (target->name) return 0;
    fprintf(stderr, "FUZZ_TARGET=%s is no target\n", name ? name : "");
    exit(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    target->run(bytes, n);
    return 0;
}
