/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cuda/device.h"
#include "backend.h"
#include "cli_common.h"

static void print_device(void)
{
    cgct_err err = {""};
    device_info d;
    int n;
    cgct_status st = device_count(&n, &err);
    if (st != CGCT_OK) printf("device: none (%s)\n", err.text);
    for (int i = 0; i < n; i++) {
        if (device_probe(i, &d, &err) != CGCT_OK) {
            printf("device %d: not usable (%s)\n", i, err.text);
            continue;
        }
        printf(
            "device %d: %s, compute capability %d.%d, %d multiprocessors, %.1f of %.1f GiB free, "
            "CUDA driver %d.%d, runtime %d.%d\n",
            i, d.name, d.major, d.minor, d.multiprocessors, (double)d.bytes_free / (1 << 30),
            (double)d.bytes_total / (1 << 30), d.driver / 1000, d.driver % 1000 / 10,
            d.runtime / 1000, d.runtime % 1000 / 10);
    }
}

int cli_backends(int argc, char **argv)
{
    static const cli_option options[] = {{.name = NULL}};
    static const cli_spec spec = {.name = "backends",
                                  .synopsis = "",
                                  .doc =
                                      "Lists the builders of the inner table: name, available or "
                                      "why not, what it does.",
                                  .options = options};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    for (const backend *const *b = backends; *b; b++) {
        const char *why = (*b)->unavailable();
        printf("%-16s %s%s%s  %s\n", (*b)->name, why ? "unavailable (" : "available",
               why ? why : "", why ? ")" : "", (*b)->doc);
    }
    print_device();
    return cli_finish_stdout(&spec);
}
