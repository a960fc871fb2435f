/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader compiled with flags that change arithmetic, in programs with traps or another rounding
 * mode: it gives the values of the library, and NaN and infinity where that does (probe.c). */
#include <sys/wait.h>

#include "table_fixture.h"
#include "reader/cgctab.h"
#include "reseal.h"
#include "run_suite.h"
#include "have.h"

#define TOP TESTS_DIR "/.."
#define INCLUDE " -I" TOP "/reader "
#define SOURCES TOP "/reader/cgctab_eval.c " TOP "/reader/cgctab_table.c "
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZER " -fsanitize=address,undefined "
#else
#define SANITIZER ""
#endif

/* Differences over the size: rounding, to one side in a mode that does so; events lie where a steep
 * function has a given value. */
#define TOL 1e-13
#define TOL_UP 1e-12
#define TOL_EVENT 1e-11
enum { NTABLES = 4, POINTS = 16 };
/* The last one, in the folder of the test, has no bounds. */
static const char *const tables[NTABLES] = {TOP "/tables/gbw.cgct", GOLDEN_PANELS, GOLDEN_VARIED,
                                            "unbounded.cgct"};
static char folder[PATH_SIZE];

static int shell(const char *command)
{
    char line[4096];
    int n = snprintf(line, sizeof line, "cd %s && { %s ; }", folder, command);
    ck_assert_int_lt(n, (int)sizeof line);
    int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void must(const char *command)
{
    ck_assert_msg(shell(command) == 0, "%s", command);
}

static void write_unbounded(void)
{
    size_t n, at = RESEAL_FIRST;
    char path[PATH_SIZE];
    uint8_t *bytes = slurp(GOLDEN_NEGATIVE, &n);
    while (memcmp(bytes + at, "ERRS", 4) != 0) at += reseal_chunk(bytes, at, n) + RESEAL_CRC;
    memset(bytes + at + RESEAL_HEAD, 255, reseal_number(bytes + at + 8));
    reseal(bytes, n);
    path_in(folder, tables[NTABLES - 1], path);
    spill(path, bytes, n);
    free(bytes);
}

static void write_points(int which)
{
    char name[32], path[PATH_SIZE];
    cgct_table *t;
    cgct_info f;
    uint64_t state = 1;
    const char *table = tables[which];
    if (*table != '/') path_in(folder, table, path), table = path;
    ck_assert_int_eq(cgct_open(table, &t, NULL), CGCT_OK);
    cgct_table_info(t, &f);
    snprintf(name, sizeof name, "points%d", which);
    path_in(folder, name, path);
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    for (int i = 0; i < POINTS; i++) {
        const double lo[4] = {f.x[0], f.eps[0], f.q[0], 0.02 * f.k_max};
        const double hi[4] = {f.x[1], f.eps[1], f.q[1], f.k_max};
        double p[5];
        for (int c = 0; c < 4; c++) p[c] = lo[c] * pow(hi[c] / lo[c], uniform(&state));
        p[4] = i % 4 ? 200 * (uniform(&state) - 0.5) : i % 8 ? 3.14159265358979323846 : 0;
        for (int c = 0; c < 5; c++) fprintf(out, "%.17g ", p[c]);
    }
    fclose(out);
    cgct_close(t);
}

/* Once for all tests: what the library gives goes to wantN. */
static void setup(void)
{
    char command[1024];
    make_folder(folder);
    must("cc -std=c11 -O1" SANITIZER INCLUDE TESTS_DIR "/reader/probe.c " BIN_DIR
         "/../lib/libcgctab.a -lm -o library");
    write_unbounded();
    for (int i = 0; i < NTABLES; i++) {
        write_points(i);
        snprintf(command, sizeof command, "./library %s <points%d >want%d", tables[i], i, i);
        must(command);
    }
    must("grep -q '^error 0 0 inf inf' want3 && grep -q '^reference 0 0 nan nan' want3");
}

static void teardown(void)
{
    remove_folder(folder);
}

/* Two lines of the probe: the same words, NaN and infinities, and nearly the same numbers. */
static int alike(const char *line, const char *want, double tolerance)
{
    double size = 0, v, w;
    int n = 0, m = 0, count = 0;
    char *end;
    if (sscanf(want, "%*s %*d%n", &n) || sscanf(line, "%*s %*d%n", &m)) return 0;
    if (n != m || strncmp(line, want, (size_t)n) != 0) return 0;
    for (const char *p = want + n; v = strtod(p, &end), end != p; p = end, count++) {
        if (isfinite(v) && (count == 0 || fabs(v) > size)) size = fabs(v);
        if (count == 0 && size != 0) break;
    }
    for (line += n, want += n; *want != '\n'; want = end) {
        v = strtod(line, &end);
        if (end == line) return 0;
        line = end;
        w = strtod(want, &end);
        const double of = fmax(size, fabs(w)); /* I_L may be ten times I_T */
        if (isfinite(w) ? !(fabs(v - w) <= tolerance * of) : !(isnan(w) ? isnan(v) : v == w))
            return 0;
    }
    return *line == '\n';
}

/* A program gives what the library does, and no signal ends it. */
static void agrees(const char *name, const char *how, double tolerance)
{
    static char line[1 << 15], want[1 << 15];
    char command[1024], path[PATH_SIZE];
    for (int which = 0; which < NTABLES; which++) {
        size_t lines = 0;
        snprintf(command, sizeof command,
                 "./%s %s %s <points%d >out && paste -d '\\n' want%d out >both", name, how,
                 tables[which], which, which);
        must(command);
        path_in(folder, "both", path);
        FILE *both = fopen(path, "r");
        ck_assert_ptr_nonnull(both);
        for (; fgets(want, sizeof want, both) && fgets(line, sizeof line, both); lines++)
            ck_assert_msg(alike(line, want, strncmp(want, "event", 5) ? tolerance : TOL_EVENT),
                          "%s %s on table %d:\n%sin place of\n%s", name, how, which, line, want);
        ck_assert_uint_gt(lines, 500);
        fclose(both);
    }
}

START_TEST(library)
{
    agrees("library", "trap", TOL);
    agrees("library", "up", TOL_UP);
}
END_TEST

/* Linked by flags of the host: they reach the reader's functions, and subnormal numbers are 0. */
START_TEST(fast_host)
{
    if (!have("g++")) return;
    must("gcc -std=c11 -D_POSIX_C_SOURCE=200809L -Ofast -flto" INCLUDE "-c " SOURCES
         "&& g++ -Ofast -flto" INCLUDE "-c -x c++ " TESTS_DIR "/reader/probe.c && "
         "g++ -Ofast -flto=2 *.o -lm -o fast_host && rm *.o");
    agrees("fast_host", "trap", TOL);
}
END_TEST

START_TEST(fast_clang)
{
    if (!have("clang")) return;
    must("clang -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -ffast-math" INCLUDE TESTS_DIR
         "/reader/probe.c " SOURCES "-lm -o fast_clang");
    agrees("fast_clang", "trap", TOL);
}
END_TEST

/* What no source can undo is found when a table is opened. */
START_TEST(refuses)
{
    must("gcc -w -std=c11 -D_POSIX_C_SOURCE=200809L -fsingle-precision-constant" INCLUDE TESTS_DIR
         "/reader/probe.c " SOURCES "-lm -o single && ! ./single " GOLDEN_SMALL
         " <points1 >out && grep -q '^this reader computes exp(10) = 22026.* in place of 22026.*: "
         "compile .* without flags' out");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("flags");
    TCase *c = tcase_create("flags");
    tcase_add_unchecked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_test(c, library);
    tcase_add_test(c, fast_host);
    tcase_add_test(c, fast_clang);
    tcase_add_test(c, refuses);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
