/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chain.h: dipoles, cards and nodes by name, for the tests and the benchmark of the physics
 * chain.  Whatever fails here fails the test that asked. */
#ifndef CHAIN_H
#define CHAIN_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "cuda/builders.h"
#include "node/node.h"

#ifndef TESTS_DIR
#define TESTS_DIR "tests"
#endif
#ifndef EVOLVED /* a dipole that `make` evolves for the tests: bk:mve, x = 0.01 to 1e-4 */
#define EVOLVED "build/tests/evolved.dat"
#endif

/* Tests include check.h first; a benchmark does not, and ends instead. */
#ifdef CHECK_H
#define CHAIN_REQUIRE(ok, ...) ck_assert_msg(ok, __VA_ARGS__)
#else
#define CHAIN_REQUIRE(ok, ...)                                                                     \
    do {                                                                                           \
        if (ok) break;                                                                             \
        fprintf(stderr, __VA_ARGS__);                                                              \
        exit(1);                                                                                   \
    } while (0)
#endif

enum { CHAIN_SETTINGS = 16 };

/* 1 under `make check-long`. */
static inline int chain_long(void)
{
    const char *s = getenv("CHECK_LONG");
    return s && *s && *s != '0';
}

/* Uniform in [0,1), from a seed that is the test's own. */
static inline double chain_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* Path of a file in CGCTAB_DATA_DIR; where that is not set, of the program's own evolved dipole. */
static inline const char *chain_file(const char *name, char *to, size_t size)
{
    const char *dir = getenv("CGCTAB_DATA_DIR");
    if (!dir) return EVOLVED;
    snprintf(to, size, "%s/%s", dir, name);
    return to;
}

/* What follows the colon in the name of a dipole: the dijet of a quark or of a gluon; what tables
 * of a proton's dijets hold of gluons; three colours, and the singlet part of them. */
static inline void chain_variant(const char *variant, dipole_opts *o)
{
    if (!strcmp(variant, "qg")) o->process = PROCESS_QG;
    if (!strcmp(variant, "gg") || !strncmp(variant, "gg-", 3)) o->process = PROCESS_GG;
    if (!strcmp(variant, "gg-pairs")) o->forward_parts = PARTS_PAIRS;
    if (!strcmp(variant, "gg-field")) o->forward_parts = PARTS_FIELD_GG;
    if (!strcmp(variant, "gg-field-qqb")) o->forward_parts = PARTS_FIELD_QQB;
    if (!strncmp(variant, "Nc3", 3)) o->Nc = 3;
    o->singlet = !strcmp(variant, "Nc3-singlet");
}

/* "gbw", "mv", "mve", "mvgamma", or a file of evolved tables, see chain_file; Nc = 0: many.
 * "mv:qg" and the like: chain_variant. */
static inline dipole_source *chain_source_Nc(const char *name, double Nc)
{
    char path[1024], set[16];
    const char *variant = strchr(name, ':');
    snprintf(set, sizeof set, "%.*s", (int)strcspn(name, ":"), name);
    dipole_opts o = {.kind = DIPOLE_MV, .set = set};
    if (!strcmp(set, "gbw")) o = (dipole_opts){.kind = DIPOLE_GBW};
    if (strstr(name, ".dat"))
        o = (dipole_opts){.kind = DIPOLE_TABLE, .path = chain_file(name, path, sizeof path)};
    o.Nc = Nc;
    if (variant) chain_variant(variant + 1, &o);
    dipole_source *s = NULL;
    cgct_err err = {""};
    CHAIN_REQUIRE(dipole_source_open(&s, &o, &err) == CGCT_OK, "%s: %s", name, err.text);
    return s;
}

static inline dipole_source *chain_source(const char *name)
{
    return chain_source_Nc(name, 0);
}

static inline dipole *chain_dipole(const char *name, double x)
{
    dipole_source *s = chain_source(name);
    dipole *d = NULL;
    cgct_err err = {""};
    CHAIN_REQUIRE(dipole_init(&d, s, x, &err) == CGCT_OK, "%s: %s", name, err.text);
    dipole_source_close(s);
    return d;
}

/* Defaults and "section.key=value" settings, separated by blanks. */
static inline void chain_card(config *c, const char *settings)
{
    char text[512];
    const char *set[CHAIN_SETTINGS];
    size_t n = 0;
    cgct_err err = {""};
    snprintf(text, sizeof text, "%s", settings);
    for (char *p = strtok(text, " "); p && n < CHAIN_SETTINGS; p = strtok(NULL, " ")) set[n++] = p;
    CHAIN_REQUIRE(config_init(c, NULL, n, set, &err) == CGCT_OK, "%s", err.text);
}

static inline node_tables *chain_node(const dipole_source *s, const char *settings, double x,
                                      double eps, size_t nq, const double *q, double k_max,
                                      node_report *report)
{
    config card;
    node_tables *p = NULL;
    cgct_err err = {""};
    chain_card(&card, settings);
    const backend_set builders = cuda_backends(NULL);
    node_task task = {.settings = &card.run.node,
                      .source = s,
                      .x = x,
                      .eps = eps,
                      .nq = nq,
                      .q = q,
                      .k_max = k_max,
                      .builders = &builders};
    CHAIN_REQUIRE(node_compute(&task, &p, NULL, report, &err) == CGCT_OK, "%s", err.text);
    config_free(&card);
    return p;
}
#endif
