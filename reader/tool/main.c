/* SPDX-License-Identifier: MIT */
/* The program cgctab: looks into a table of the CGC DIS dijet cross section, evaluates and verifies
 * it. */
#include <stdio.h>
#include <string.h>

#include "tool.h"

static const char first_contact[] =
    "cgctab looks into tables of the Color-Glass-Condensate cross section for dijets in DIS.\n"
    "Three commands to try:\n"
    "  cgctab where                                  which tables are there\n"
    "  cgctab info TABLE                             what one of them holds\n"
    "  cgctab plot slice TABLE --along k1 -o k1.png  a picture of it\n"
    "'cgctab --help' lists the others.\n";

static void print_program_help(void)
{
    printf("usage: cgctab COMMAND ... [options]\n\n");
    for (const tool_command *c = tool_commands; c->name; c++)
        printf("  %-10s %s\n", c->name, c->doc);
    printf("\n'cgctab COMMAND --help' tells the options; every command takes\n");
    for (const command_option *o = tool_common; o->name; o++)
        printf("  %-10s %s\n", o->name, o->doc);
    printf("\nA FILE without '/' is also looked for, with or without .cgct, along the colon list\n"
           "CGCTAB_DATA_PATH and among the installed tables.\n"
           "Momenta and eps are in GeV, angles in radian, I_T and I_L in GeV^-6.\n"
           "Exit status: 0 done, 1 failed, 2 wrong usage; diff: 0 same, 1 different, 2 trouble.\n");
}

static const tool_command *find_command(const char *name)
{
    for (const tool_command *c = tool_commands; c->name; c++)
        if (!strcmp(c->name, name)) return c;
    return NULL;
}

static int unknown_command(const char *name)
{
    nearest_word near;
    char hint[300];
    nearest_start(&near, name);
    for (const tool_command *c = tool_commands; c->name; c++) nearest_try(&near, c->name);
    return tool_usage("%s: unknown command%s", name, nearest_hint(&near, hint));
}

static int run_command(const tool_command *command, int argc, char **argv)
{
    tool_call c;
    int st = tool_parse(&c, command, argc, argv);
    if (st < 0) return tool_flush();
    if (st == TOOL_OK) {
        st = command->run(&c);
        cgct_close(c.table);
        out_end(&c.out);
        int flushed = tool_flush();
        /* 1 would say of diff that the tables differ */
        if (flushed != TOOL_OK) st = command->run == cmd_diff ? TOOL_USAGE : TOOL_FAILED;
    }
    return st;
}

int main(int argc, char **argv)
{
    command_begin();
    if (argc < 2) return fputs(first_contact, stderr), TOOL_USAGE;
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        const tool_command *c = argc > 2 ? find_command(argv[2]) : NULL;
        char *ask[] = {"--help"};
        if (argc > 2 && !c) return unknown_command(argv[2]);
        if (c) return run_command(c, 1, ask);
        print_program_help();
        return tool_flush();
    }
    if (!strcmp(argv[1], "--version")) {
        tool_print_version();
        return tool_flush();
    }
    const tool_command *c = find_command(argv[1]);
    return c ? run_command(c, argc - 2, argv + 2) : unknown_command(argv[1]);
}
