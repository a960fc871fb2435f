/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/builders.h"
#include "cli/common.h"

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

static cgct_status print_backends(const char *devices, cgct_err *err)
{
    const backend_set all = cuda_backends(NULL);
    for (const backend *const *b = all.row; *b; b++) {
        cgct_err why = {""};
        cgct_status st = backend_usable(*b, &all, devices, &why);
        int no = st != CGCT_OK;
        if (st == CGCT_E_CONFIG) return cgct_fail(err, st, "%s", why.text);
        printf("%-16s %s%s%s  %s\n", (*b)->name, no ? "unavailable (" : "available",
               no ? why.text : "", no ? ")" : "", (*b)->doc);
    }
    return CGCT_OK;
}

int cli_backends(int argc, char **argv)
{
    cli_task task = {0};
    const cli_option options[] = {
        {"device", 0, CLI_TEXT, &task.device, "LIST", "the CUDA devices that are asked; default 0"},
        {.name = NULL}};
    const cli_spec spec = {.name = "backends",
                           .synopsis = "[--device LIST]",
                           .doc = "Lists the builders of the inner table: name, available or why "
                                  "not, what it does.\n'auto' takes the last that is available.",
                           .options = options};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    cgct_status st = cli_task_config(&task, &err);
    if (st == CGCT_OK) st = print_backends(task.card.run.node.inner.device, &err);
    if (st == CGCT_OK) print_device();
    cli_task_free(&task);
    return st == CGCT_OK ? cli_finish_stdout(&spec) : cli_fail(&spec, st, &err);
}
