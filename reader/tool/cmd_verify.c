/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* member: "@NAME", or NULL. */
static int verify_nodes(const cgct_table *t, const char *member)
{
    size_t nx, neps, bad = 0, modes = 0, modes_all = 0;
    cgct_axis_values(t, CGCT_AXIS_X, &nx);
    cgct_axis_values(t, CGCT_AXIS_EPS, &neps);
    for (size_t ix = 0; ix < nx; ix++)
        for (size_t ieps = 0; ieps < neps; ieps++) {
            cgct_err err;
            if (cgct_verify_node(t, ix, ieps, &modes, &err) != CGCT_OK) {
                tool_fail(err.text);
                bad++;
            }
            modes_all += modes;
        }
    printf(
        "%s%s: %zu of %zu nodes good: stored and raw checksums, sizes, finite numbers, scales > 0, "
        "%zu modes\n",
        cgct_table_path(t), member ? member : "", nx * neps - bad, nx * neps, modes_all);
    return bad ? TOOL_FAILED : TOOL_OK;
}

static int verify_member(const char *file)
{
    cgct_table *t;
    cgct_err err;
    if (cgct_open_index(file, &t, &err) != CGCT_OK) return tool_fail(err.text);
    int st = verify_nodes(t, strrchr(file, '@'));
    cgct_close(t);
    return st;
}

/* Every member of a file that was named without one; names: separated by blanks. */
static int verify_members(const char *file, const char *names)
{
    int st = TOOL_OK;
    for (const char *at = names; *at; at += strcspn(at, " "), at += *at == ' ') {
        int n = (int)strcspn(at, " ");
        char *name = (char *)malloc(strlen(file) + (size_t)n + 2);
        if (!name) return tool_fail("no memory for a name");
        sprintf(name, "%s@%.*s", file, n, at);
        int one = verify_member(name);
        if (one != TOOL_OK) st = one;
        free(name);
    }
    return st;
}

int cmd_verify(int argc, char **argv)
{
    const char *file;
    size_t n;
    cgct_table *t;
    cgct_err err;
    int st = tool_parse(argc, argv, 0, NULL, 1, &file, &n);
    if (st < 0) {
        printf("usage: cgctab verify FILE\n"
               "Checks every checksum, decodes every node, and checks axes and numbers.\n"
               "Damaged nodes are named one by one; exit status 1 where there is any damage.\n");
        return tool_flush();
    }
    if (st != TOOL_OK) return st;
    if (n != 1) return tool_usage("verify", "needs a FILE");
    if (cgct_open_index(file, &t, &err) != CGCT_OK) return tool_fail(err.text);
    printf("%s: header, axes, metadata (%zu keys) and index good: checksums, sizes, rising axes\n",
           cgct_table_path(t), cgct_meta_count(t));
    const char *names = cgct_meta(t, "members");
    int every = names && !strcmp(cgct_table_path(t), file);
    st = every ? verify_members(file, names) : verify_nodes(t, names ? strrchr(file, '@') : NULL);
    cgct_close(t);
    int flushed = tool_flush();
    return st != TOOL_OK ? st : flushed;
}
