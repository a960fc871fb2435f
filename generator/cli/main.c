/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c: the program cgctab-generate: the table of its subcommands; README.md has their files. */
#include <gsl/gsl_errno.h>
#include <string.h>

#include "cli/common.h"
#include "numerics/memory.h"

const char cli_name[] = "cgctab-generate";

typedef struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *doc;
} command;

static int print_help(int argc, char **argv);

static const command commands[] = {
    {"run", cli_run, "compute the table that a run card describes"},
    {"merge", cli_merge, "join the parts made by 'run --shard'"},
    {"slurm", cli_slurm, "the script that submits a run to Slurm"},
    {"point", cli_point, "the cross section at points, with error estimates"},
    {"inner", cli_inner, "write an inner table, which holds no momenta"},
    {"transform", cli_transform, "the cross section at points, from such a table"},
    {"exact", cli_exact, "the exact values of the GBW model at points"},
    {"tmd", cli_tmd, "gluon distributions and the dipole in momentum space"},
    {"f2", cli_f2, "structure functions of DIS, by quark flavour"},
    {"evolve", cli_evolve, "the dipole at all x from the BK equation, as a file"},
    {"plot", cli_plot, "pictures: N(r) and Qs(x) of a dipole, or v_2 and v_4"},
    {"three", cli_three, "the transform with three momenta, of any integrand"},
    {"backends", cli_backends, "builders of the inner table, and the device"},
    {"help", print_help, "this list, or the help of a subcommand"},
};
enum { NCOMMAND = sizeof commands / sizeof *commands };

static const command *find_subcommand(const char *name)
{
    for (size_t i = 0; i < NCOMMAND; i++)
        if (!strcmp(commands[i].name, name)) return &commands[i];
    return NULL;
}

static int unknown_subcommand(const char *name)
{
    nearest_word near;
    char hint[300];
    nearest_start(&near, name);
    for (size_t i = 0; i < NCOMMAND; i++) nearest_try(&near, commands[i].name);
    cli_say("", "unknown subcommand %s%s; try '%s --help'", name, nearest_hint(&near, hint),
            cli_name);
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

static int print_help(int argc, char **argv)
{
    static const cli_spec spec = {.name = "help"};
    const command *c = argc > 1 && argv[1][0] != '-' ? find_subcommand(argv[1]) : NULL;
    if (argc > 1 && argv[1][0] != '-' && !c) return unknown_subcommand(argv[1]);
    if (c && c->run != print_help) {
        char *args[] = {argv[1], "--help", NULL};
        return c->run(2, args);
    }
    printf("Usage: %s SUBCOMMAND ...\n"
           "Makes tables of the Color-Glass-Condensate DIS dijet cross section.\n\n",
           cli_name);
    for (size_t i = 0; i < NCOMMAND; i++) printf("  %-10s %s\n", commands[i].name, commands[i].doc);
    printf(
        "\n'%s SUBCOMMAND --help' shows options.  Exit status: 0 done, 1 failed, 2 wrong usage.\n",
        cli_name);
    return cli_end(&spec, CGCT_OK, NULL);
}

int main(int argc, char **argv)
{
    memory_keep_freed();
    static const cli_spec spec = {.name = "--version"};
    command_begin();
    gsl_set_error_handler_off();
    if (argc < 2) return first_contact();
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) return print_help(1, argv);
    if (!strcmp(argv[1], "--version")) return cli_print_version(), cli_end(&spec, CGCT_OK, NULL);
    const command *c = find_subcommand(argv[1]);
    return c ? c->run(argc - 1, argv + 1) : unknown_subcommand(argv[1]);
}
