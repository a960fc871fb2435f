/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgctab's looks into a table: keys get axes list dump stats verify diff where completion, each as
 * text, CSV and JSON, against what was put into the table. */
#include "tool_run.h"
#include "have.h"
#include "run_suite.h"

enum { NQ = 3, NK = 4, NM = 3 };

/* I_m = size(x,eps,q,k) (-1/2)^m, exact in binary. */
static double mode(int pol, size_t m, const double at[4], const void *arg)
{
    double scale = *(const double *)arg;
    double size = scale / (at[0] * 128) * at[1] / (at[2] * at[3]) / (pol ? 4 : 1);
    return m == 0 ? size : m == 1 ? -size / 2 : size / 4;
}

static const double unit = 1;

static fixture make_fixture(const double *scale)
{
    fixture f = {.n = {2, 2, NQ, NK},
                 .v = {{1 / 128., 1 / 64.}, {1, 2}, {1, 2, 4}, {1, 2, 4, 8}},
                 .nm = NM,
                 .error = 1 / 1024.,
                 .level = 3,
                 .mode = mode,
                 .arg = scale};
    return f;
}

static void setup_fixture(void)
{
    const fixture f = make_fixture(&unit);
    make_folder(folder);
    path_in(folder, "t.cgct", table);
    fixture_write(&f, table);
}

static void shows(const char *arguments, const char *want)
{
    ck_assert_msg(run("", arguments) == 0 && !message[0], "cgctab %s: %s", arguments, message);
    ck_assert_msg(strstr(output, want) != NULL, "cgctab %s: no '%s' in\n%s", arguments, want,
                  output);
}

START_TEST(metadata)
{
    shows("keys FILE", "quantity\ngenerator\ndipole\nbackend\ncard\n");
    shows("keys FILE --json", "\"keys\": [\"quantity\", \"generator\"");
    shows("get FILE card", "[axes]\nx = 0.01\n");
    shows("get FILE card --json", "\"card\": \"[axes]\\nx = 0.01\\n\"");
    shows("axes FILE", "q 1 2 4\nk 1 2 4 8\n");
    shows("axes FILE eps --quiet", "1 2\n");
    shows("axes FILE x --json --digits 3", "\"x\": [0.00781, 0.0156]");
    shows("info FILE --json", "\"modes_max\": 3");
    shows("where FILE", "/t.cgct\n");
}
END_TEST

START_TEST(where_lists_the_path)
{
    char arguments[3 * PATH_SIZE];
    setenv("CGCTAB_DATA_PATH", folder, 1);
    shows("where", "/t.cgct\n");
    shows("where --json", "\"tables\": [\n{\"table\":");
    snprintf(arguments, sizeof arguments, "where t.cgct");
    shows(arguments, folder);
    fails("where u.cgct", 1, "did you mean 't.cgct'?");
    unsetenv("CGCTAB_DATA_PATH");
}
END_TEST

/* Bound over 2 pi I_0: largest at the smallest I_0 of a node, where q k is 32 and L counts. */
START_TEST(nodes)
{
    char want[128];
    double least = 1 / 32. / 4, share = 1 / 1024. / (2 * 3.14159265358979323846 * least);
    shows("list FILE", "# ix ieps x eps modes stored raw error_max flagged\n");
    snprintf(want, sizeof want, "0 0 0.0078125 1 3 ");
    shows("list FILE", want);
    snprintf(want, sizeof want, " %.8g 0\n", share);
    shows("list FILE --digits 8", want);
    shows("list FILE --csv --quiet", "1,1,0.015625,2,3,");
    shows("stats FILE", "# m min_T max_T decay_T min_L max_L decay_L\n0 1 1 nan 1 1 nan\n"
                        "1 -0.5 -0.5 0.5 -0.5 -0.5 0.5\n2 0.25 0.25 0.5 0.25 0.25 0.5\n");
    shows("stats FILE --csv", "m,min_T");
    shows("stats FILE --json", "\"points\": 96");
    shows("dump FILE --node 0,1", "# q k m T L err_T err_L flag_T flag_L\n"
                                  "1 1 0 2 0.5 0.0009765625 0.0009765625 0 0\n"
                                  "1 1 1 -1 -0.25 0.0009765625 0.0009765625 0 0\n");
    shows("dump FILE --node 1,0 --csv --quiet", "4,8,2,0.00390625,0.0009765625,");
}
END_TEST

/* Rows of a slice are those of eval --error. */
START_TEST(slice)
{
    char kept[sizeof output];
    shows("dump FILE --x 0.01 --eps 1.5 --theta 0,1", "# x eps q k1 theta I_T I_L err_T err_L\n");
    strcpy(kept, output);
    shows("eval FILE --x 0.01 --eps 1.5 --q 1,2,4 --k1 1,2,4,8 --theta 0,1 --error", "#");
    ck_assert_str_eq(kept, output);
    shows("dump FILE --x 0.01 --eps 1.5 --q 3 --k1 1,2 --csv --digits 3", "0.01,1.5,3,1,0,");
    fails("dump FILE --x 0.01 --eps 3", 1, "eps = 3 outside the table");
}
END_TEST

/* At q = k1 = 1, eps = 1, x = 1/128: I_T = 2 pi (1 + 2 (1/2) + 2 (1/4)) at theta = 0. */
START_TEST(eval_files)
{
    char path[PATH_SIZE], arguments[2 * PATH_SIZE];
    double v;
    path_in(folder, "points", path);
    spill(path, "# x eps q k1 theta\n0.0078125 1 1 1 0\n", 37);
    snprintf(arguments, sizeof arguments, "eval FILE %s --quiet", path);
    shows(arguments, "0.0078125 1 1 1 0 ");
    ck_assert_int_eq(sscanf(output, "%*f %*f %*f %*f %*f %lf", &v), 1);
    CHECK_REL(v, 2 * 3.14159265358979323846 * 2.5, 1e-15);
    shows("eval FILE --x 0.0078125 --eps 1 --q 'geom 1 4 3' --k1 'lin 1 8 3' --theta 0 --csv",
          "0.0078125,1,2,4.5,0,");
    shows("eval FILE --x 0.0078125 --eps 1 --q 1 --k1 1 --theta 0 --json --digits 6",
          "\"I_T\": 15.708, \"I_L\": 3.92699}");
}
END_TEST

START_TEST(json_is_valid)
{
    static const char *const commands[] = {
        "info FILE",
        "keys FILE",
        "get FILE card",
        "axes FILE",
        "list FILE",
        "where",
        "stats FILE",
        "verify FILE",
        "dump FILE --node 0,0",
        "where FILE",
        "eval FILE --x 0.01 --eps 1.5 --q 1 --k1 1 --theta 0 --error",
        "eval FILE --x 0.01 --z 0.5 --Q2 9 --q 1 --k1 1 --theta 0",
        "dump FILE --x 0.01 --eps 1.5"};
    char arguments[256], command[2 * PATH_SIZE + 64];
    if (!have("python3")) return;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        snprintf(arguments, sizeof arguments, "%s --json", commands[i]);
        ck_assert_int_eq(run("", arguments), 0);
        snprintf(command, sizeof command,
                 "python3 -c 'import json,sys; v = json.load(open(sys.argv[1])); assert v' %s/out",
                 folder);
        ck_assert_msg(system(command) == 0, "%s: %s", arguments, output);
    }
}
END_TEST

/* ---- diff ---- */

static void diff_ends(const char *options, const char *other, int status, const char *word)
{
    char arguments[3 * PATH_SIZE];
    snprintf(arguments, sizeof arguments, "diff FILE %s %s", other, options);
    int got = run("", arguments);
    ck_assert_msg(got == status && strstr(output, word), "%s: %d, want %d and '%s' in %s%s",
                  arguments, got, status, word, output, message);
}

START_TEST(diff)
{
    const double more = 1.25;
    char other[PATH_SIZE], coarse[PATH_SIZE], arguments[3 * PATH_SIZE];
    fixture f = make_fixture(&more);
    path_in(folder, "o.cgct", other);
    path_in(folder, "c.cgct", coarse);
    fixture_write(&f, other);
    diff_ends("", table, 0, "different     0");
    diff_ends("", other, 1, "relative      0.2\n");
    diff_ends("--rtol 0.19", other, 1, "compared      480");
    diff_ends("--rtol 0.21", other, 0, "different     0");
    diff_ends("--bounds", other, 1, " at x = ");
    diff_ends("--atol 100", other, 0, "metadata      same");
    diff_ends("--quiet", other, 1, "");
    ck_assert_str_eq(output, "");
    f = make_fixture(&unit);
    f.n[3] = NK - 1;
    fixture_write(&f, coarse);
    diff_ends("", coarse, 1, "axes_same     no");
    diff_ends("--rtol 1e-6", coarse, 0, "outside       12");
    for (size_t i = 0; i < f.n[2]; i++) f.v[2][i] += 100;
    fixture_write(&f, coarse);
    snprintf(arguments, sizeof arguments, "diff FILE %s", coarse);
    fails(arguments, 2, "no node of the first lies inside the second");
}
END_TEST

/* ---- verify ---- */

/* Largest bound over 2 pi I_0: L at x = 1/64, eps = 1, q k = 32, where I_0 = 1/256: 1/(8 pi). */

/* I at theta = pi: 1 - 4 < 0 in units of 2 pi I_0, far below the bound. */
static double negative_mode(int pol, size_t m, const double at[4], const void *arg)
{
    double v = mode(pol, m, at, arg);
    return m == 1 ? 4 * v : m == 2 ? 0 : v;
}

START_TEST(verify_finds_wrong_bounds)
{
    shows("verify FILE", "4 of 4 nodes good: checksums; 4 decoded");
    shows("verify FILE", "0 of 864 values below 0, 0 beyond bound");
    shows("verify FILE --deep --json", "\"error_max\": 0.03978873577");
    shows("verify FILE --quiet", "");
    ck_assert_str_eq(output, "");
    fixture f = make_fixture(&unit);
    f.mode = negative_mode;
    fixture_write(&f, table);
    ck_assert_int_eq(run("", "verify FILE"), 1);
    ck_assert_msg(strstr(message, "are below 0 by more than their bound") &&
                      strstr(message, "theta = 3.14159: -"),
                  "%s", message);
    f.error = 100;
    fixture_write(&f, table);
    shows("verify FILE", "larger than it at 96");
}
END_TEST

/* I of q alone is the same after exchange; that of the other tables here is not. */
static double even_mode(int pol, size_t m, const double at[4], const void *arg)
{
    (void)arg;
    return m == 0 ? 1 / (at[2] * (pol ? 2 : 1)) : 0;
}

START_TEST(verify_compares_partons)
{
    double upper;
    fixture f = make_fixture(&unit);
    f.error = 1e-6;
    fixture_write(&f, table);
    shows("verify FILE --deep", "exchange of the partons");
    const char *at = strstr(output, "percentile ");
    ck_assert(at && sscanf(at, "percentile %lf", &upper) == 1 && upper > 0.5);
    f.mode = even_mode;
    fixture_write(&f, table);
    shows("verify FILE --deep", "exchange of the partons");
    at = strstr(output, "percentile ");
    ck_assert(at && sscanf(at, "percentile %lf", &upper) == 1 && upper < 1e-14);
    shows("verify FILE --deep --json", "\"exchange_pairs\": ");
    f.fold = 1;
    f.fold_power = 4;
    fixture_write(&f, table);
    shows("verify FILE --deep", "4 decoded");
    ck_assert_ptr_null(strstr(output, "exchange"));
}
END_TEST

/* Unpacked tables hold single precision: powers of two stay what they are. */
START_TEST(unpacked)
{
    char packed[sizeof output], arguments[3 * PATH_SIZE], other[PATH_SIZE];
    shows("dump FILE --node 1,1", "# q k m");
    strcpy(packed, output);
    path_in(folder, "u.cgct", other);
    snprintf(arguments, sizeof arguments, "unpack FILE %s", other);
    shows(arguments, "");
    strcpy(table, other);
    shows("dump FILE --node 1,1", "# q k m");
    ck_assert_str_eq(output, packed);
    shows("list FILE", "1 1 0.015625 2 3 ");
    shows("verify FILE --deep", "4 of 4 nodes good");
    size_t n;
    uint8_t *bytes = slurp(table, &n);
    size_t index = (size_t)cgct_get_u64(bytes + CGCT_AT_INDEX);
    bytes[cgct_get_u64(bytes + index) + 20] ^= 1;
    spill(table, bytes, n);
    free(bytes);
    ck_assert_int_eq(run("", "verify FILE"), 1);
    ck_assert_msg(strstr(output, "3 of 4 nodes good") && strstr(message, "frame damaged"), "%s",
                  message);
    ck_assert_int_eq(run("", "list FILE"), 1);
}
END_TEST

/* ---- completion ---- */

#define COMPLETION TESTS_DIR "/../reader/tool/completion/"

/* Words that bash offers after some others, in order and one to a line. */
static const char ask[] = "ask() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _cgctab; "
                          "printf '%s\\n' \"${COMPREPLY[@]}\" | LC_ALL=C sort; }\n"
                          "is() { want=$1; shift; [ \"$(ask \"$@\")\" = \"$want\" ]; }\n";
/* Subcommands and options of the program's own help, likewise. */
static const char help[] = "commands() { cgctab help | sed -n 's/^  \\([a-z]*\\)  .*/\\1/p'; }\n"
                           "options() { cgctab $1 --help | sed -n 's/^  \\(-[A-Za-z0-9-]*\\) "
                           ".*/\\1/p' | LC_ALL=C sort; }\n";

/* A script for bash, which sources the completion first; 0, or the status that it ends with. */
static int completes(const char *script)
{
    char path[PATH_SIZE], command[2 * PATH_SIZE];
    path_in(folder, "script", path);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "PATH=" BIN_DIR ":$PATH\n. " COMPLETION "cgctab.bash\n%s%sTABLE=%s\n%s", ask, help,
            table, script);
    ck_assert_int_eq(fclose(f), 0);
    snprintf(command, sizeof command, "bash %s", path);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

START_TEST(completion)
{
    if (!have("bash")) return;
    ck_assert_int_eq(completes("is verify cgctab ver || exit 1\n"
                               "is --policy cgctab eval t --pol || exit 2\n"
                               "is map cgctab plot ma || exit 3\n"
                               "is eps cgctab plot map t --along ep || exit 4\n"
                               "is card cgctab get $TABLE ca || exit 5\n"
                               "is eps cgctab axes t e || exit 6\n"
                               "is diff cgctab help di || exit 7\n"
                               "is $TABLE cgctab info $TABLE || exit 8\n"),
                     0);
    if (have("zsh")) ck_assert_int_eq(system("zsh -n " COMPLETION "_cgctab"), 0);
}
END_TEST

/* The files for both shells know the subcommands and options that the program knows. */
START_TEST(completion_agrees_with_help)
{
    if (!have("bash")) return;
    ck_assert_int_eq(
        completes(
            "zsh=" COMPLETION "_cgctab\n"
            "is \"$(commands | LC_ALL=C sort)\" cgctab help '' || exit 1\n"
            "[ \"$(commands)\" = \"$(sed -n \"s/^        '\\([a-z]*\\):.*/\\1/p\" $zsh | "
            "sed 1d)\" ] || exit 2\n"
            "common=$(sed -n '/common=(/,/^    )/p' $zsh)\n"
            "[ $(commands | wc -l) -gt 10 ] || exit 3\n"
            "for c in $(commands); do\n"
            "    is \"$(options $c)\" cgctab $c - || { echo bash: $c; exit 4; }\n"
            "    own=$(sed -nE \"/^    ([a-z| ]*\\| )?$c( \\|[a-z| ]*)?\\)/,/;;/p\" $zsh)\n"
            "    [ \"$(printf '%s' \"$common$own\" | sed -n \"s/^ *'\\(-[^[]*\\)\\[.*/\\1/p\" | "
            "LC_ALL=C sort)\" = \"$(options $c)\" ] || { echo zsh: $c; exit 5; }\n"
            "done\n"),
        0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tool_commands");
    TCase *c = tcase_create("tool_commands");
    tcase_add_checked_fixture(c, setup_fixture, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, metadata);
    tcase_add_test(c, where_lists_the_path);
    tcase_add_test(c, nodes);
    tcase_add_test(c, slice);
    tcase_add_test(c, eval_files);
    tcase_add_test(c, json_is_valid);
    tcase_add_test(c, diff);
    tcase_add_test(c, verify_finds_wrong_bounds);
    tcase_add_test(c, verify_compares_partons);
    tcase_add_test(c, unpacked);
    tcase_add_test(c, completion);
    tcase_add_test(c, completion_agrees_with_help);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
