/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "tool.h"

int cmd_unpack(int argc, char **argv)
{
    const char *file[2];
    size_t n;
    cgct_table *t;
    cgct_err err;
    int st = tool_parse(argc, argv, 0, NULL, 2, file, &n);
    if (st < 0) {
        printf(
            "usage: cgctab unpack FILE TARGET\n"
            "Writes the table in the form in which it lies in memory: larger, opened in no time\n"
            "because it is mapped, shared between processes, readable without zstd.\n");
        return tool_flush();
    }
    if (st != TOOL_OK) return st;
    if (n != 2) return tool_usage("unpack", "needs a FILE and a TARGET");
    if (cgct_open(file[0], &t, &err) != CGCT_OK) return tool_fail(err.text);
    st = cgct_unpack(t, file[1], &err) == CGCT_OK ? TOOL_OK : tool_fail(err.text);
    cgct_close(t);
    return st;
}
