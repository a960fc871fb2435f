/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_fixture.h: a small production run, and what its program says. */
#ifndef RUN_FIXTURE_H
#define RUN_FIXTURE_H
#include "command.h"
#include "have.h"
#include "table_fixture.h"

#define CGCTAB BIN_DIR "/cgctab "

/* Twenty nodes and two checks of some 20 ms: the paper's discretisation, far too coarse. */
#define CARD                                                                                       \
    "[axes]\nx = cheb 1e-3 1e-2 4\neps = cheb 1 2 4 3\nq = 0.5,1\nk_max = 3\n"                     \
    "[table]\nlower = 3\nupper = 3\n"                                                              \
    "[accuracy]\ntolerance = 1e-3\nchecks = 2\n"                                                   \
    "[inner]\nbackend = direct\ndelta_grid = uniform\ndelta_n = 12\nr_grid = uniform\n"            \
    "r_n = 16\ndelta_max = 10\nr_max = 20\ns_max = 10\ngauss_n = 10\nphi_n = 20\nmodes = 8\n"      \
    "[hankel]\ntail_nodes = 4\ntail_terms = 2\ndegree = 4\n"
enum { ITEMS = 22 };

static inline int run(const char *command)
{
    return command_run(&place, command);
}

static inline void works(const char *command)
{
    int status = run(command);
    ck_assert_msg(status == 0, "%s: status %d: %s", command, status, place.output);
}

static inline void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", place.folder, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

/* The number behind `key` in what was printed last. */
static inline double said(const char *key)
{
    const char *at = strstr(place.output, key);
    ck_assert_msg(at != NULL, "no %s in %s", key, place.output);
    return strtod(at + strlen(key), NULL);
}

/* A run that was killed after the first of its nodes, whose line is in begun.log; the journal of
 * `name` is there.  What it prints ends in a pipe that is closed then, so that a late kill cannot
 * find it finished. */
static inline void begun_with(const char *name, const char *options)
{
    char line[512];
    snprintf(line, sizeof line,
             "mkfifo begun; " GENERATE "run t.card -o %s -j 1 %s 2> begun & p=$!; "
             "sed -n '/: 1\\//{p;q}' < begun > begun.log; kill -KILL $p; wait $p; rm begun; test "
             "-s %s.nodes",
             name, options, name);
    works(line);
}

static inline void begun(const char *name)
{
    begun_with(name, "");
}
#endif
