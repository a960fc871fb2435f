/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c: the table of subcommands of cgctab-generate. */
#include <gsl/gsl_errno.h>
#include <string.h>

#include "cli/common.h"
#include "config/params.h"

typedef struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *doc;
} command;

static int help(int argc, char **argv);

static const command commands[] = {
    {"run", cli_run, "compute the table that a run card describes"},
    {"axes", cli_axes, "how many values a table needs on each axis"},
    {"merge", cli_merge, "join the parts made by 'run --shard'"},
    {"slurm", cli_slurm, "the script that submits a run to Slurm"},
    {"point", cli_point, "the cross section at points, with error estimates"},
    {"inner", cli_inner, "write an inner table, which holds no momenta"},
    {"transform", cli_transform, "the cross section at points, from such a table"},
    {"exact", cli_exact, "the exact values of the GBW model at points"},
    {"validate", cli_validate, "the paper's convergence studies, and the true errors"},
    {"three", cli_three, "the transform with three momenta, of any integrand"},
    {"backends", cli_backends, "builders of the inner table, and the device"},
    {"help", help, "this list, or the help of a subcommand"},
};
enum { NCOMMAND = sizeof commands / sizeof *commands };

static const command *find(const char *name)
{
    for (size_t i = 0; i < NCOMMAND; i++)
        if (!strcmp(commands[i].name, name)) return &commands[i];
    return NULL;
}

static int unknown(const char *name)
{
    const command *near = commands;
    for (size_t i = 1; i < NCOMMAND; i++)
        if (config_distance(name, commands[i].name) < config_distance(name, near->name))
            near = &commands[i];
    fprintf(stderr, "%s: unknown subcommand %s; nearest: %s; try '%s --help'\n", CLI_PROGRAM, name,
            near->name, CLI_PROGRAM);
    return CLI_USAGE;
}

static int first_contact(void)
{
    fputs(
        "cgctab-generate computes tables of the Color-Glass-Condensate cross section for dijets in "
        "DIS.\nThree commands to try:\n"
        "  cgctab-generate point --dipole gbw --x 0.01 --eps 4 --q 1 --k1 5 --theta 0 --exact\n"
        "  cgctab-generate run CARD -o FILE              a table from a run card\n"
        "  cgctab-generate run --help                    every key of a card\n"
        "'cgctab-generate --help' lists the others.\n",
        stderr);
    return CLI_USAGE;
}

static int help(int argc, char **argv)
{
    static const cli_spec spec = {.name = "help"};
    const command *c = argc > 1 && argv[1][0] != '-' ? find(argv[1]) : NULL;
    if (argc > 1 && argv[1][0] != '-' && !c) return unknown(argv[1]);
    if (c && c->run != help) {
        char *args[] = {argv[1], "--help", NULL};
        return c->run(2, args);
    }
    printf("Usage: %s SUBCOMMAND ...\n"
           "Makes tables of the Color-Glass-Condensate DIS dijet cross section.\n\n",
           CLI_PROGRAM);
    for (size_t i = 0; i < NCOMMAND; i++) printf("  %-10s %s\n", commands[i].name, commands[i].doc);
    printf(
        "\n'%s SUBCOMMAND --help' shows options.  Exit status: 0 done, 1 failed, 2 wrong usage.\n",
        CLI_PROGRAM);
    return cli_finish_stdout(&spec);
}

int main(int argc, char **argv)
{
    static const cli_spec spec = {.name = "--version"};
    gsl_set_error_handler_off();
    if (argc < 2) return first_contact();
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) return help(1, argv);
    if (!strcmp(argv[1], "--version")) return cli_print_version(), cli_finish_stdout(&spec);
    const command *c = find(argv[1]);
    return c ? c->run(argc - 1, argv + 1) : unknown(argv[1]);
}
