/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgctab's looks into a table: keys get axes list dump stats verify diff where completion, each as
 * text, CSV and JSON, against what was put into the table. */
#include "tool_run.h"
#include "field_table.h"
#include "have.h"
#include "run_suite.h"
#include "reader/cgctab.h"

/* I = e^l (1 + r_1 t) with l = -3 for T and -4 for L, and 0.1 less from member to member. */
static double even(size_t member, int pol, size_t m, const double at[4])
{
    (void)at;
    return m ? 0 : -3 - pol - 0.1 * (double)member;
}

/* The same larger by a quarter. */
static double larger(size_t member, int pol, size_t m, const double at[4])
{
    return even(member, pol, m, at) + (m ? 0 : log(1.25));
}

static double third_larger(size_t member, int pol, size_t m, const double at[4])
{
    return (member == 2 ? larger : even)(member, pol, m, at);
}

/* Falls below 0 most at t = -1 and k = k_max = 8, by e^l/3. */
static double negative(size_t member, int pol, size_t m, const double at[4])
{
    return m == 1 ? 1.5 * at[3] / (at[3] + 1) : even(member, pol, m, at);
}

static field_table make_table(field_function field)
{
    static const table_meta meta[] = {
        {"quantity", "I_T, I_L"}, {"dipole", "none"}, {"card", "[axes]\nx = 0.01\n"}};
    field_table f = field_table_small(field);
    f.nmeta = sizeof meta / sizeof *meta;
    memcpy(f.meta, meta, sizeof meta);
    return f;
}

static field_table make_members(void)
{
    field_table f = make_table(even);
    f.members = 3;
    f.nmeta = 4;
    f.meta[3] = (table_meta){"members", "first second third"};
    return f;
}

static void setup_table(void)
{
    const field_table f = make_table(even);
    make_folder(folder);
    path_in(folder, "t.cgct", table);
    field_table_write(&f, table);
}

static void shows(const char *arguments, const char *want)
{
    ck_assert_msg(run("", arguments) == 0 && !message[0], "cgctab %s: %s", arguments, message);
    ck_assert_msg(strstr(output, want) != NULL, "cgctab %s: no '%s' in\n%s", arguments, want,
                  output);
}

START_TEST(metadata)
{
    shows("keys FILE", "quantity\ndipole\ncard\n");
    shows("keys FILE --json", "\"keys\": [\"quantity\", \"dipole\"");
    shows("get FILE card", "[axes]\nx = 0.01\n");
    shows("get FILE card --json", "\"card\": \"[axes]\\nx = 0.01\\n\"");
    shows("axes FILE", "eps 1 2\nq 1 2 4\n");
    shows("axes FILE k", "# q k\n1 0\n1 ");
    shows("axes FILE eps --quiet", "1 2\n");
    shows("axes FILE x --json --digits 3", "\"x\": [0.00781, 0.0156]");
    shows("info FILE --json", "\"coefficients_max\": 3");
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

/* The angular mean is e^l. */
START_TEST(nodes)
{
    shows("list FILE", "# ix ieps x eps bound_median bound_max\n");
    shows("list FILE --digits 5", "\n1 0 0.015625 1 0.00097656 0.00097656\n");
    shows("list FILE --csv --quiet", "1,1,0.015625,2,0.000976");
    shows("stats FILE --digits 3", "# m min_T max_T decay_T min_L max_L decay_L\n0 1 1 nan 1 1 "
                                   "nan\n1 ");
    shows("stats FILE --csv", "m,min_T");
    shows("stats FILE --json", "\"points\": ");
}
END_TEST

/* What the reader says at every row, nodes first among them. */
START_TEST(modes)
{
    cgct_table *t;
    cgct_slice *s;
    double v[6], I[6], error[2];
    int m, rows = 0;
    field_table f = make_table(negative);
    field_table_write(&f, table);
    ck_assert_int_eq(cgct_open(table, &t, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_slice_init(&s, t, 1 / 128., 2, NULL), CGCT_OK);
    shows("dump FILE --node 0,1", "# q k m I_m_T I_m_L err_T err_L\n1 0 0 ");
    for (const char *p = output; *p; p = strchr(p, '\n') + 1) {
        if (*p == '#') continue;
        ck_assert_int_eq(
            sscanf(p, "%lf %lf %d %lf %lf %lf %lf", v, v + 1, &m, v + 2, v + 3, v + 4, v + 5), 7);
        ck_assert_int_eq(cgct_slice_modes(s, v[0], v[1], 3, I), CGCT_OK);
        ck_assert_int_eq(cgct_eval_error(t, 1 / 128., 2, v[0], v[1], acos(-1.), error), CGCT_OK);
        ck_assert(m == rows % 3 && v[2] == I[m] && v[3] == I[3 + m]);
        ck_assert(v[4] == error[0] && v[5] == error[1]);
        rows++;
    }
    cgct_slice_free(s);
    cgct_close(t);
    /* three q, seven k of four and four: k = q/2 ends both patches */
    ck_assert_int_eq(rows, 3 * 7 * 3);
    shows("dump FILE --x 0.01 --eps 1.5 --csv", "q,k,m,I_m_T,I_m_L,err_T,err_L\n1,0,0,");
    fails("dump FILE --x 0.01 --eps 3", 1, "eps = 3 lies outside of the table");
}
END_TEST

START_TEST(eval_files)
{
    char path[PATH_SIZE], arguments[2 * PATH_SIZE];
    double v;
    path_in(folder, "points", path);
    spill(path, "# x eps q k1 theta\n0.0078125 1 1 1 0\n", 37);
    snprintf(arguments, sizeof arguments, "eval FILE %s --quiet", path);
    shows(arguments, "0.0078125 1 1 1 0 ");
    ck_assert_int_eq(sscanf(output, "%*f %*f %*f %*f %*f %lf", &v), 1);
    CHECK_REL(v, exp(-3), 1e-6);
    shows("eval FILE --x 0.0078125 --eps 1 --q 'geom 1 4 3' --k1 'lin 1 8 3' --theta 0 --csv",
          "x,eps,q,k1,theta,I_T,I_L\n0.0078125,1,1,1,0,");
    shows("eval FILE --x 0.0078125 --eps 1 --q 1 --k1 1 --theta 0 --json --digits 5",
          "\"I_T\": 0.049787, \"I_L\": 0.018316}");
}
END_TEST

START_TEST(members)
{
    static const char point[] = " --x 0.01 --eps 1 --q 1 --k1 1 --theta 0 --digits 5 --quiet";
    const field_table f = make_members();
    char arguments[256];
    field_table_write(&f, table);
    snprintf(arguments, sizeof arguments, "eval FILE --members%s", point);
    shows(arguments, "0.01 1 1 1 0 first 0.049787 0.018316\n"
                     "0.01 1 1 1 0 second 0.045049 0.016573\n"
                     "0.01 1 1 1 0 third 0.040762 0.014996\n");
    snprintf(arguments, sizeof arguments, "eval FILE@second%s", point);
    shows(arguments, "0 0.045049 0.016573\n");
    snprintf(arguments, sizeof arguments, "eval FILE --uncertainty%s", point);
    shows(arguments, "0.049787 0.018316 0.049787 0.018316 0.040762 0.014996 0.049787 0.018316\n");
    shows("info FILE@2", "this is member 2, third");
    shows("verify FILE --deep", "t.cgct@2: ");
    shows("verify FILE@third --deep", "t.cgct@third: ");
    ck_assert_ptr_null(strstr(output, "@0"));
    setenv("CGCTAB_DATA_PATH", folder, 1);
    shows("verify t --deep", "\nt@2: ");
    unsetenv("CGCTAB_DATA_PATH");
    fails("info FILE@fourth", 1, "fourth");
}
END_TEST

/* G = 1/q and H = G/2 of the table, at eps = 1, q = 1, k1 = k2 = 1: FORMAT.md 7. */
START_TEST(correlation_limit)
{
    double v[6], perp = 0.75, a = sqrt(perp + 1), scale = 39.47841760435743;
    double J1 = 2 * atan(0.5 / a) / a, J2 = (0.5 + J1) / (2 * a * a); /* (a^2 + 1/4)/D^2 = 1/2 */
    double L = scale * (0.5 - 0.25) * 4 * perp * J2 * J2;
    double T = scale * ((0.5 - 0.25) * pow(J1 - 2 * perp * J2, 2) + (0.5 + 0.25) * 0.25);
    shows("eval FILE --x 0.01 --eps 1 --q 1 --k1 1 --theta 1.0471975511965976 --reference",
          "ref: the correlation limit");
    ck_assert_int_eq(sscanf(strstr(output, "\n0.01"), "%*f %*f %*f %*f %*f %lf %lf %lf %lf %lf %lf",
                            v, v + 1, v + 2, v + 3, v + 4, v + 5),
                     6);
    CHECK_REL(v[2], T, 1e-12);
    CHECK_REL(v[3], L, 1e-12);
    CHECK_REL(v[4], v[0] / T, 1e-12);
    CHECK_REL(v[5], v[1] / L, 1e-12);
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
        "verify FILE --deep",
        "dump FILE --node 0,0",
        "where FILE",
        "eval FILE --x 0.01 --eps 1.5 --q 1 --k1 1 --theta 0 --error --reference",
        "eval FILE --x 0.01 --eps 1.5 --q 1 --k1 1 --theta 0 --members",
        "eval FILE --x 0.01 --z 0.5 --Q2 9 --q 1 --k1 1 --theta 0 --S-perp 1",
        "axes FILE k"};
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
    char other[PATH_SIZE], coarse[PATH_SIZE], arguments[3 * PATH_SIZE];
    field_table f = make_table(larger);
    path_in(folder, "o.cgct", other);
    path_in(folder, "c.cgct", coarse);
    field_table_write(&f, other);
    diff_ends("", table, 0, "different     0");
    diff_ends("--digits 5", other, 1, "relative      0.2\n");
    diff_ends("--rtol 0.19", other, 1, "compared      840");
    diff_ends("--rtol 0.21", other, 0, "different     0");
    diff_ends("--bounds", other, 1, " at x = ");
    diff_ends("--atol 100", other, 0, "metadata      same");
    diff_ends("--quiet", other, 1, "");
    ck_assert_str_eq(output, "");
    f = make_table(even);
    f.k_max = 4; /* the last nodes in k lie beyond */
    field_table_write(&f, coarse);
    diff_ends("", coarse, 1, "axes_same     no");
    diff_ends("--rtol 1e-6", coarse, 0, "outside       ");
    for (size_t i = 0; i < f.n[2]; i++) f.v[2][i] += 100;
    field_table_write(&f, coarse);
    snprintf(arguments, sizeof arguments, "diff FILE %s", coarse);
    fails(arguments, 2, "no node of the first lies inside the second");
}
END_TEST

/* The first member is the same, another one is not. */
START_TEST(diff_of_members)
{
    char other[PATH_SIZE], named[PATH_SIZE + 8];
    field_table f = make_members();
    field_table_write(&f, table);
    path_in(folder, "m.cgct", other);
    diff_ends("", table, 0, "members       3");
    f.field = third_larger;
    field_table_write(&f, other);
    diff_ends("--digits 5", other, 1, "member        third");
    snprintf(named, sizeof named, "%s@third", other);
    diff_ends("", named, 1, "compared      840\n");
    f.members = 2;
    f.meta[3].value = "first second";
    field_table_write(&f, other);
    diff_ends("", other, 1, "different     0");
}
END_TEST

/* ---- verify ---- */

START_TEST(verify_finds_wrong_bounds)
{
    double deepest;
    shows("verify FILE --deep", "t.cgct: good");
    /* 4 nodes with 3 x 7 pairs and 1 cell with 2 x 6, at 9 angles */
    shows("verify FILE --deep", ": 1728 values at nodes and between them; not finite: 0; below 0: "
                                "0, by at most 0 of their bound; beyond it: 0\n");
    shows("verify FILE --deep --json", "\"negative_beyond_bound\": 0");
    shows("verify FILE --deep --quiet", "");
    ck_assert_str_eq(output, "");
    field_table f = make_table(negative);
    field_table_write(&f, table);
    shows("verify FILE", "good");
    ck_assert_int_eq(run("", "verify FILE --deep"), 1);
    ck_assert_msg(strstr(message, "are below 0 by more than their bound") &&
                      strstr(message, "theta = ") && strstr(message, "bound 2.7e-05\n"),
                  "%s", message);
    f.bound = 1;
    field_table_write(&f, table);
    shows("verify FILE --deep", "beyond it: 0\n");
    const char *at = strstr(output, "by at most ");
    ck_assert(at && sscanf(at, "by at most %lf", &deepest) == 1);
    CHECK_REL(deepest, 0.6, 1e-2); /* I = -e^l/3, its bound (2/3 + 1) e^l/3 */
}
END_TEST

/* ---- accuracy ---- */

/* I does not depend on the angle and the bound is the same share of it everywhere: 2^(c/4), the
 * least such number that is not below f.bound. */
START_TEST(accuracy_by_regions)
{
    static const struct {
        double bound;
        const char *all; /* points, resolved, known, median, p999, worst */
    } with[] = {{0x1p-10, "8192 1 1 0.0009766 0.0009766 0.0009766\n"},
                {0x1p-9, "8192 1 0 0.001953 0.001953 0.001953\n"},
                {2, "8192 0 0 nan nan 2\n"}};
    field_table f = make_table(even);
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        char want[128];
        f.bound = with[i].bound;
        field_table_write(&f, table);
        static const char *const regions[] = {"all 0.007812 0.01562", "dijets 0.007812 0.01562",
                                              "dijets_x 0.007812 0.01562"};
        for (size_t r = 0; r < sizeof regions / sizeof *regions; r++) {
            snprintf(want, sizeof want, "%s 1 2 1 4 8 %s", regions[r], with[i].all);
            shows("accuracy FILE", want);
        }
    }
    shows("accuracy FILE --json", "\"worst\": 2");
    f.bound = 0x1p-10;
    field_table_write(&f, table);
    shows("info FILE", "known         100% of the values within 1e-3, 100% resolved; of these the "
                       "median bound 0.00098, 99.9% 0.00098\n");
}
END_TEST

/* I_L falls below its mean over the angle, where its bound is a larger share of it. */
static double only_L_varies(size_t member, int pol, size_t m, const double at[4])
{
    return m == 1 && pol ? 0.9 * at[3] / (at[3] + 1) : even(member, pol, m, at);
}

/* Both together are known where the one or the other is. */
START_TEST(accuracy_by_polarisation)
{
    static const char *const regions[] = {"\ndijets ", "\ndijets_T ", "\ndijets_L "};
    double known[3];
    const field_table f = make_table(only_L_varies);
    field_table_write(&f, table);
    ck_assert(!run("", "accuracy FILE"));
    for (int i = 0; i < 3; i++) {
        const char *row = strstr(output, regions[i]);
        ck_assert(row && sscanf(row + strlen(regions[i]), "%*f %*f %*f %*f %*f %*f %*f %*f %*f %lf",
                                &known[i]) == 1);
    }
    ck_assert(known[1] == 1 && known[2] > 0.3 && known[2] < 0.7);
    ck_assert_double_eq_tol(known[0], (known[1] + known[2]) / 2, 1e-4);
}
END_TEST

/* Ranges of x end at 0.001, 0.003 and 0.006; the last one is in `info`, too.  A table that is the
 * same at every x has none. */
START_TEST(accuracy_by_ranges_of_x)
{
    field_table f = make_table(even);
    f.v[0][0] = 1 / 2048.;
    f.v[0][1] = 1 / 256.;
    field_table_write(&f, table);
    shows("accuracy FILE", "\ndijets_x 0.0004883 0.001 1 2 1 4 8 8192 1 1 ");
    shows("accuracy FILE", "\ndijets_x 0.001 0.003 1 2 1 4 8 8192 1 1 ");
    shows("accuracy FILE", "\ndijets_x 0.003 0.003906 1 2 1 4 8 8192 1 1 ");
    ck_assert(!run("", "info FILE") && !strstr(output, "x >= "));
    f.v[0][1] = 1 / 64.;
    field_table_write(&f, table);
    shows("info FILE", "\n  x >= 0.006  100% of the values within 1e-3, 100% resolved");
    f.n[0] = 1;
    field_table_write(&f, table);
    ck_assert(!run("", "accuracy FILE") && !strstr(output, "dijets_x"));
    ck_assert(!run("", "info FILE") && !strstr(output, "x >= "));
}
END_TEST

/* ---- completion ---- */

#define COMPLETION TESTS_DIR "/../format/"

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
}
END_TEST

/* bash offers the subcommands and options that --help has, and in zsh their texts, too. */
START_TEST(completion_agrees_with_help)
{
    if (!have("bash")) return;
    ck_assert_int_eq(
        completes("is \"$(commands | LC_ALL=C sort)\" cgctab help '' || exit 1\n"
                  "[ $(commands | wc -l) -gt 10 ] || exit 3\n"
                  "for c in $(commands); do\n"
                  "    is \"$(options $c)\" cgctab $c - || { echo bash: $c; exit 4; }\n"
                  "done\n"
                  "is --beams cgctab-events t --be || exit 5\n"
                  "HOME=" BIN_DIR "; is info '~/cgctab' inf || exit 6\n"),
        0);
    if (!have("zsh")) return;
    static const char *const asked[][2] = {{"cgctab-events --be", "--beams:energies of electron.*"},
                                           {"cgctab list --cs", "--csv:commas between the columns"},
                                           {"cgctab-generate run -", "--jobs:threads (run.jobs)"},
                                           {"cgctab h", "help:.*"},
                                           {"\\~/cgctab ax", "axes:.*"},
                                           {"cgctab ax", "axes:The values of the axes.*"},
                                           {"cgctab eval t --policy e", "freeze"},
                                           {"cgctab plot m", "certificate"},
                                           {"cgctab-generate point --dipole b", "bk:bayes4"}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        char line[1024];
        snprintf(line, sizeof line,
                 "zsh -f -c 'fpath=(" COMPLETION "); autoload -U _cgctab; HOME=" BIN_DIR
                 " PATH=$HOME:$PATH\n"
                 "compadd() { print -l -- $@ }; _files() { }; _describe() { print -l -- $found }\n"
                 "words=(%s); CURRENT=$#words; _cgctab' | grep -qx -e '%s'",
                 asked[i][0], asked[i][1]);
        ck_assert_msg(system(line) == 0, "%s", asked[i][0]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tool_commands");
    TCase *c = tcase_create("tool_commands");
    tcase_add_checked_fixture(c, setup_table, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, metadata);
    tcase_add_test(c, where_lists_the_path);
    tcase_add_test(c, nodes);
    tcase_add_test(c, modes);
    tcase_add_test(c, eval_files);
    tcase_add_test(c, members);
    tcase_add_test(c, correlation_limit);
    tcase_add_test(c, json_is_valid);
    tcase_add_test(c, diff);
    tcase_add_test(c, diff_of_members);
    tcase_add_test(c, verify_finds_wrong_bounds);
    tcase_add_test(c, accuracy_by_regions);
    tcase_add_test(c, accuracy_by_polarisation);
    tcase_add_test(c, accuracy_by_ranges_of_x);
    tcase_add_test(c, completion);
    tcase_add_test(c, completion_agrees_with_help);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
