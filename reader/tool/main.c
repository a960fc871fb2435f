/* SPDX-License-Identifier: MIT */
/* cgctab: look into a table of the CGC DIS dijet cross section, evaluate it, verify it. */
#include "tool.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const char *name, *doc;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
    {"info", "what a table holds: versions, axes, sizes, dipole, backend, certificate", cmd_info},
    {"eval", "I_T and I_L, or the cross sections, at points", cmd_eval},
    {"verify", "check every checksum and every number of a table", cmd_verify},
    {"unpack", "write a table uncompressed, to be mapped into memory", cmd_unpack},
};
enum { NCOMMAND = sizeof commands / sizeof *commands };

static void help(void)
{
    printf("usage: cgctab COMMAND FILE [options]\n\n");
    for (int i = 0; i < NCOMMAND; i++) printf("  %-8s %s\n", commands[i].name, commands[i].doc);
    printf("\n'cgctab COMMAND --help' tells the options; 'cgctab --version' the version.\n"
           "A FILE without '/' is also looked up along the colon list CGCTAB_DATA_PATH.\n"
           "Exit status: 0 done, 1 failed, 2 wrong usage.\n");
}

int main(int argc, char **argv)
{
    if (argc < 2) return tool_usage("cgctab", "no command");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
        help();
        return tool_flush();
    }
    if (!strcmp(argv[1], "--version")) {
        printf("cgctab %s\n", cgct_version());
        return tool_flush();
    }
    for (int i = 0; i < NCOMMAND; i++)
        if (!strcmp(argv[1], commands[i].name)) return commands[i].run(argc - 1, argv + 1);
    return tool_usage(argv[1], "unknown command");
}
