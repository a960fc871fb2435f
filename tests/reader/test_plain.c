/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader gives the same bits however it is compiled: plain loops, vectors of 32 bytes, copies
 * for each width of vectors chosen at run time. */
#include <sys/wait.h>

#include "have.h"
#include "run_suite.h"
#include "synthetic.h"
#include "table_folder.h"

#define TOP TESTS_DIR "/.."

static const char program[] =
    "#include <math.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include \"cgctab.h\"\n"
    "enum { N = 200 };\n"
    "static double at[5][N], u[N][5], value[N][2];\n"
    "static unsigned long long state = 1;\n"
    "static double uniform(void)\n"
    "{\n"
    "    state = state * 6364136223846793005ULL + 1442695040888963407ULL;\n"
    "    return (double)(state >> 11) * 0x1p-53;\n"
    "}\n"
    "static void print(const char *name)\n"
    "{\n"
    "    for (int i = 0; i < N; i++) printf(\"%s %a %a\\n\", name, value[i][0], value[i][1]);\n"
    "}\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    cgct_table *t;\n"
    "    cgct_slice *s;\n"
    "    cgct_sampler *sampler;\n"
    "    cgct_event e[N];\n"
    "    const double factor[2] = {1, 2};\n"
    "    if (argc != 2 || cgct_open(argv[1], &t, NULL)) return 1;\n"
    "    for (int a = 0; a < 4; a++) {\n"
    "        size_t n;\n"
    "        const double *v = cgct_axis_values(t, (cgct_axis)a, &n);\n"
    "        for (int i = 0; i < N; i++) at[a][i] = v[0] + (v[n - 1] - v[0]) * uniform();\n"
    "    }\n"
    "    for (int i = 0; i < N; i++) at[4][i] = 7 * uniform();\n"
    "    for (int i = 0; i < 5 * N; i++) u[i / 5][i % 5] = uniform();\n"
    "    cgct_eval_many(t, N, at[0], at[1], at[2], at[3], at[4], value[0], NULL);\n"
    "    print(\"eval\");\n"
    "    if (cgct_prepare(t, NULL)) return 4;\n"
    "    cgct_eval_many(t, N, at[0], at[1], at[2], at[3], at[4], value[0], NULL);\n"
    "    print(\"prepared\");\n"
    "    if (cgct_slice_init(&s, t, at[0][0], at[1][0], NULL)) return 2;\n"
    "    for (int i = 0; i < N; i++) cgct_slice_eval(s, at[2][i], at[3][i], at[4][i], value[i]);\n"
    "    print(\"slice\");\n"
    "    cgct_slice_many(s, N, at[2], at[3], at[4], value[0], NULL);\n"
    "    print(\"many\");\n"
    "    cgct_slice_angles(s, at[2][0], at[3][0], N, at[4], value[0]);\n"
    "    print(\"angles\");\n"
    "    if (cgct_sampler_init(&sampler, s, factor, NULL)) return 3;\n"
    "    cgct_sample_many(sampler, N, u[0], e, NULL);\n"
    "    for (int i = 0; i < N; i++) {\n"
    "        cgct_event one;\n"
    "        cgct_sample(sampler, u[i], &one);\n"
    "        printf(\"event %a %a %a %a\\n\", e[i].q, e[i].k1, e[i].theta, e[i].weight);\n"
    "        printf(\"one %a %a %a %a\\n\", one.q, one.k1, one.theta, one.weight);\n"
    "    }\n"
    "    cgct_sampler_free(sampler);\n"
    "    cgct_slice_free(s);\n"
    "    cgct_close(t);\n"
    "    return 0;\n"
    "}\n";

static void must(const char *command)
{
    int status = system(command);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s", command);
}

/* The flat folder without its example, and the program above. */
static void make_sources(void)
{
    char line[4 * PATH_SIZE], path[PATH_SIZE];
    snprintf(line, sizeof line, "make -s -C %s BUILD=%s dist-reader-files", TOP, folder);
    must(line);
    snprintf(line, sizeof line, "rm %s/dist-reader/evaluate.c", folder);
    must(line);
    path_in(folder, "dist-reader/probe.c", path);
    FILE *f = fopen(path, "w");
    ck_assert(f && fputs(program, f) >= 0 && fclose(f) == 0);
}

static const int order[][4] = {{4, 6, 4, 4}, {4, 4, 6, 6}, {2, 3, 5, 3}};

/* Unpacked, since the flat folder has no zstd. */
static void make_table(int i)
{
    double x[4], eps[6], q[9], k[11];
    synthetic s = {{4, 6, 9, 11}, {x, eps, q, k}, 1};
    cgct_writer_spec spec = {.level = 3, .bound = 1e-5, .split = 2};
    char path[PATH_SIZE], name[16];
    cgct_table *t;
    cgct_err err;
    synthetic_axis(1e-4, 1e-2, 4, x);
    synthetic_axis(0.3, 3, 6, eps);
    synthetic_axis(1, 8, 9, q);
    synthetic_axis(0.2, 8, 11, k);
    for (int a = 0; a < 4; a++) spec.order[a] = order[i][a];
    ck_assert_msg(synthetic_write(&s, table, spec, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(cgct_open(table, &t, &err) == CGCT_OK, "%s", err.text);
    snprintf(name, sizeof name, "t%d.cgct", i);
    path_in(folder, name, path);
    ck_assert_msg(cgct_unpack(t, path, &err) == CGCT_OK, "%s", err.text);
    cgct_close(t);
}

START_TEST(same_bits)
{
    static const char *const flags[] = {"-O2 -ftree-vectorize", "-O1 -DCGCT_NO_DISPATCH",
                                        "-O2 -ftree-vectorize -DCGCT_NO_DISPATCH",
                                        "-O3 -mavx2 -DCGCT_NO_DISPATCH"};
    char line[4 * PATH_SIZE];
    if (!have("gcc")) return;
    make_sources();
    for (int i = 0; i < 3; i++) make_table(i);
    for (int i = 0; i < 4; i++) {
        snprintf(line, sizeof line,
                 "cd %s/dist-reader && gcc -std=c11 %s -o ../p *.c -lm && cd .. "
                 "&& for t in t0 t1 t2; do ./p $t.cgct || exit 1; done > p%d && "
                 "[ $(wc -l < p%d) = 4200 ] && ! grep -q nan p%d && cmp p0 p%d",
                 folder, flags[i], i, i, i, i);
        must(line);
    }
}
END_TEST

/* Whatever the compiler is told of the machine: AVX-512 is more than some copies ask for. */
START_TEST(compiles_for_more)
{
    char line[2 * PATH_SIZE];
    if (!have("gcc")) return;
    make_sources();
    snprintf(line, sizeof line, "cd %s/dist-reader && gcc -std=c11 -O2 -march=x86-64-v4 -c *.c",
             folder);
    must(line);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plain");
    TCase *c = tcase_create("plain");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 300);
    tcase_add_test(c, same_bits);
    tcase_add_test(c, compiles_for_more);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
