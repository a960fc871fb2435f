/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program cgctab: exit status, output, messages. */
#include "tool_run.h"
#include "run_suite.h"
#include "reader/cgctab.h"

START_TEST(help_and_version)
{
    static const char *const good[][2] = {
        {"--help", "Exit status"},    {"help", "CGCTAB_DATA_PATH"}, {"--version", "cgctab "},
        {"info --help", "info FILE"}, {"eval --help", "--theta"},   {"verify --help", "checksum"}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_int_eq(run("", good[i][0]), 0);
        ck_assert_msg(strstr(output, good[i][1]) && !message[0], "%s: %s", good[i][0], output);
    }
    ck_assert_int_eq(run("", "--version"), 0);
    ck_assert_int_eq(strncmp(output + 7, cgct_version(), strlen(cgct_version())), 0);
}
END_TEST

START_TEST(first_contact)
{
    ck_assert_int_eq(run("", ""), 2);
    ck_assert_msg(strstr(message, "Three commands to try") && strstr(message, "cgctab info") &&
                      !output[0],
                  "%s", message);
}
END_TEST

/* A missing file is answered with the name that is there. */
START_TEST(nearest_file)
{
    char arguments[PATH_SIZE + 16];
    snprintf(arguments, sizeof arguments, "info %.200s/tt.cgct", folder);
    fails(arguments, 1, "did you mean 't.cgct'?");
}
END_TEST

START_TEST(wrong_use)
{
    fails("nosuch", 2, "nosuch: unknown command");
    fails("verfy FILE", 2, "did you mean 'verify'?");
    fails("help evla", 2, "did you mean 'eval'?");
    fails("info", 2, "FILE");
    fails("info FILE more", 2, "one argument too many");
    fails("verify --dep FILE", 2, "--dep: unknown option; did you mean '--deep'?");
    fails("info FILE --json=1", 2, "--json: takes no value");
    fails("info FILE --digits 18", 2, "--digits: '18', want a number from 1 to 17");
    fails("axes FILE esp", 2, "did you mean 'eps'?");
    fails("completion bash", 2, "completion: unknown command");
    fails("dump FILE", 2, "--node IX,IEPS");
    fails("dump FILE --node 0,0 --q 1", 2, "--q");
    fails("dump FILE --node 0", 2, "'0', want IX,IEPS");
    fails("eval FILE --x 'geom 2 1 3' --eps 1 --q 1 --k1 1 --theta 0", 2, "LO < HI");
    fails("eval FILE --x 0.01 --eps 1 --q 'geo 1 2 3' --k1 1 --theta 0", 2, "'geom LO HI N'");
    fails("eval FILE --x 0.01 --eps 1 --q 'lin 1 2 100000' --k1 'lin 1 3 1000' --theta 0", 2,
          "1e+08 points");
    fails("info -- --json", 1, "--json: No such file");
    fails("axes FILE EPS", 2, "did you mean 'eps'?");
    fails("diff FILE", 2, "diff: needs FILE OTHER");
    fails("eval --x 0.01", 2, "FILE");
    fails("eval FILE --x 0.01 --eps 1 --q 1 --k1 1", 2, "--theta: is missing");
    fails("eval FILE --x 0.01 --eps 1 --q 1 --k1 1 --theta", 2, "--theta: needs a value");
    fails("eval FILE --x 0.01 --x 1 --eps 1 --q 1 --k1 1 --theta 0", 2, "--x: given twice");
    fails("eval FILE --x 0.01 --eps 1,,2 --q 1 --k1 1 --theta 0", 2, "--eps: ''");
    fails("eval FILE --x 0.01 --eps 1 --q 1a --k1 1 --theta 0", 2, "--q: '1a'");
    fails("eval FILE --x 0.01 --eps 1 --q nan --k1 1 --theta 0", 2, "--q: 'nan'");
    fails("eval FILE --x 0.01 --eps 1 --z 0.5 --Q2 4 --q 1 --k1 1 --theta 0", 2, "--eps");
    fails("eval FILE --x 0.01 --z 0.5 --q 1 --k1 1 --theta 0", 2, "--Q2: is missing");
    fails("eval FILE --x 0.01 --eps 1 --q 1 --k1 1 --theta 0 --policy maybe", 2, "--policy");
    fails("eval FILE - --x 0.01", 2, "--x");
    fails("eval FILE --error=1 -", 2, "--error: takes no value");
    fails("eval FILE --S-perp 0 -", 2, "--S-perp");
    fails("eval FILE - more", 2, "one argument too many");
}
END_TEST

START_TEST(failures)
{
    char path[PATH_SIZE];
    fails("eval FILE --x 0.01 --eps 1 --q 1,5 --k1 1 --theta 0", 1,
          "q = 5 outside the table, 1 to 2");
    fails("eval FILE --x 0.01 --eps 1 --q 1 --k1 -1 --theta 0", 1, "k = -1");
    fails("eval FILE --x 0.01 --z 1.5 --Q2 4 --q 1 --k1 1 --theta 0", 1, "z = 1.5");
    fails("info nosuch.cgct", 1, "nosuch.cgct: No such file");
    fails("eval FILE nosuch", 1, "nosuch: cannot open: No such file");
    fails("get FILE dipol", 1, "no key dipol among 6; did you mean 'dipole'?");
    fails("dump FILE --node 0,1", 1, "node (0,1) of 1 x 1");
    fails("diff FILE nosuch.cgct", 2, "nosuch.cgct: No such file");
    fails("verify /tmp", 1, "/tmp: is a directory");
    fails("eval FILE /tmp", 1, "/tmp: cannot read: Is a directory");
    fails("eval FILE - <&-", 1, "standard input: cannot read");
    fails("info FILE >&-", 1, "standard output: cannot write");
    path_in(folder, "short", path);
    spill(path,
          "\x89"
          "CGCT\r\n\x1a",
          8);
    char arguments[PATH_SIZE * 2];
    snprintf(arguments, sizeof arguments, "info %s", path);
    fails(arguments, 1, "truncated");
    if (access("/dev/full", W_OK) == 0) {
        ck_assert_int_eq(run("", "diff FILE FILE >/dev/full"), 2);
        ck_assert_int_eq(run("", "info FILE >/dev/full"), 1);
        ck_assert_msg(strstr(message, "No space left"), "%s", message);
        ck_assert_int_eq(run("", "eval FILE --x 0.01 --eps 1 --q 1 --k1 1 --theta 0 >/dev/full"),
                         1);
    }
}
END_TEST

START_TEST(info_tells_everything)
{
    static const char *const words[] = {
        "format        1.2, data version 1\n",
        "axis x        1 value, 0.01\n",
        "axis q        2 values, 1 to 2 GeV, 2-node polynomials in ln q\n",
        "nodes         1 (x,eps), at most 2 modes\n",
        "680 bytes; nodes 69 stored, 264 raw, ratio",
        "dipole              powers of two\n",
        "backend             none\n",
        "certificate.flagged 0 of 8\n",
        "    q = 1,2\n"};
    ck_assert_int_eq(run("", "info FILE"), 0);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ck_assert_msg(strstr(output, words[i]) != NULL, "no '%s' in\n%s", words[i], output);
}
END_TEST

/* Line i (0: the first after the header) of the output into columns; returns their number. */
static int columns(int line, double v[16])
{
    const char *p = output;
    int n = 0;
    for (int i = 0; i <= line; i++) {
        p = strchr(p, '\n');
        if (!p) return 0;
        p++;
    }
    while (*p && *p != '\n' && n < 16) {
        char *end;
        v[n++] = strtod(p, &end);
        if (end == p) return -1;
        p = end;
    }
    return n;
}

static int line_count(void)
{
    int n = 0;
    for (const char *p = output; (p = strchr(p, '\n')); p++) n++;
    return n;
}

START_TEST(eval_lists)
{
    cgct_table *t;
    double v[16], I[2], e[2];
    ck_assert_int_eq(
        run("", "eval FILE --x=0.01 --eps 1 --q 1,1.5 --k1 1,2,3 --theta 0,-0.7 --error"), 0);
    ck_assert_int_eq(strncmp(output, "# x eps q k1 theta I_T I_L err_T err_L\n", 39), 0);
    ck_assert_int_eq(line_count(), 13);
    ck_assert_int_eq(cgct_open(table, &t, NULL), CGCT_OK);
    for (int i = 0; i < 12; i++) {
        double q = i / 6 ? 1.5 : 1, k1 = 1 + i / 2 % 3, theta = i % 2 ? -0.7 : 0;
        ck_assert_int_eq(columns(i, v), 9);
        ck_assert(v[0] == 0.01 && v[1] == 1 && v[2] == q && v[3] == k1 && v[4] == theta);
        cgct_eval(t, 0.01, 1, q, k1, theta, I);
        cgct_eval_error(t, 0.01, 1, q, k1, theta, e);
        ck_assert(v[5] == I[0] && v[6] == I[1] && v[7] == e[0] && v[8] == e[1]);
    }
    cgct_close(t);
}
END_TEST

/* As few digits as give the number again. */
START_TEST(eval_digits)
{
    double v[16];
    ck_assert_int_eq(run("", "eval FILE --x 0.01 --eps 1 --q 1.1 --k1 1.2 --theta 0.3"), 0);
    ck_assert_msg(strstr(output, "\n0.01 1 1.1 1.2 0.3 "), "%s", output);
    ck_assert_int_eq(run("", "eval FILE --x 0.01 --eps 1 --q 1.3333333333333333 --k1 1 --theta 0"),
                     0);
    ck_assert_int_eq(columns(0, v), 7);
    ck_assert(v[2] == 1.3333333333333333);
    ck_assert_int_eq(run("", "eval FILE --x 0.01 --eps 1 --q 1.1 --k1 1 --theta 0 --digits 17"), 0);
    ck_assert_msg(strstr(output, " 1.1000000000000001 "), "%s", output);
}
END_TEST

START_TEST(eval_standard_input)
{
    double v[16], w[16];
    ck_assert_int_eq(run("# comment\n\n0.01 1 1.5 2 0.3\r\n 0.01\t1 1 1 0\n", "eval FILE -"), 0);
    ck_assert_int_eq(line_count(), 3);
    ck_assert_int_eq(columns(0, v), 7);
    ck_assert_int_eq(columns(1, w), 7);
    ck_assert(v[2] == 1.5 && v[4] == 0.3 && w[3] == 1);
    ck_assert_int_eq(run("", "eval FILE --x 0.01 --eps 1 --q 1.5 --k1 2 --theta 0.3"), 0);
    ck_assert_int_eq(columns(0, w), 7);
    ck_assert(v[5] == w[5] && v[6] == w[6]);
    ck_assert_int_eq(run("0.01 1 1.5 2\n", "eval FILE -"), 1);
    ck_assert_msg(strstr(message, "standard input:1: 4 columns, want 5"), "%s", message);
    char zero[PATH_SIZE], binary[PATH_SIZE + 32];
    path_in(folder, "zero", zero);
    spill(zero, "# x eps\n\0\n", 11);
    snprintf(binary, sizeof binary, "eval FILE - <%s", zero);
    ck_assert_int_eq(run("", binary), 1);
    ck_assert_msg(strstr(message, "standard input:2: a zero byte; only text is read"), "%s",
                  message);
    ck_assert_int_eq(run("0.01 1 1.5 \033[1m 0\n", "eval FILE -"), 1);
    ck_assert_msg(strstr(message, "'?[1m' is not a finite number"), "%s", message);
    ck_assert_int_eq(run("0.01 1 1.5 2 0\n0.01 1 1 inf 0\n", "eval FILE -"), 1);
    ck_assert_msg(strstr(message, "standard input:2: 'inf'") && !output[0], "%s", message);
    ck_assert_int_eq(run("", "eval FILE -"), 0);
    ck_assert_int_eq(line_count(), 1);
}
END_TEST

/* z = 1/2, Q2 = 4: eps = 1. */
START_TEST(eval_dsigma)
{
    double v[16], w[16], I[16];
    const cgct_dis d = {0.01, 2, 30, 0.5, 4};
    double eps, factor[2];
    ck_assert_int_eq(cgct_dis_factors(&d, &eps, factor), CGCT_OK);
    ck_assert_int_eq(run("", "eval FILE --x 0.01 --eps 1 --q 1.5 --k1 2 --theta 0.3 --error"), 0);
    ck_assert_int_eq(columns(0, I), 9);
    ck_assert_int_eq(run("", "eval FILE --x 0.01 --z 0.5 --Q2 4 --q 1.5 --k1 2 --theta 0.3 --error "
                             "--alpha-em 0.01 --e-q2 2 --S-perp 30"),
                     0);
    ck_assert_int_eq(strncmp(output, "# x z Q2 q k1 theta dsigma_T dsigma_L err_T err_L\n", 50), 0);
    ck_assert_int_eq(columns(0, v), 10);
    for (int i = 0; i < 4; i++) CHECK_REL(v[6 + i], factor[i % 2] * I[5 + i], 1e-15);
    ck_assert_int_eq(
        run("0.01 0.5 4 1.5 2 0.3\n", "eval FILE --dsigma - --alpha-em 0.01 --e-q2 2 --S-perp 30"),
        0);
    ck_assert_int_eq(columns(0, w), 8);
    ck_assert(w[6] == v[6] && w[7] == v[7]);
}
END_TEST

START_TEST(eval_policy)
{
    double v[16], w[16];
    ck_assert_int_eq(run("", "eval FILE --x 0.5 --eps 9 --q 70 --k1 2 --theta 1 --policy freeze"),
                     0);
    ck_assert_int_eq(columns(0, v), 7);
    ck_assert_int_eq(run("", "eval FILE --x 0.01 --eps 1 --q 2 --k1 2 --theta 1"), 0);
    ck_assert_int_eq(columns(0, w), 7);
    ck_assert(v[5] == w[5] && v[6] == w[6] && v[2] == 70);
}
END_TEST

START_TEST(verify_finds_damage)
{
    ck_assert_int_eq(run("", "verify FILE"), 0);
    ck_assert_msg(strstr(output, "1 of 1 nodes good") && strstr(output, "metadata (6 keys)"), "%s",
                  output);
    size_t n;
    uint8_t *bytes = slurp(table, &n);
    size_t index = (size_t)cgct_get_u64(bytes + CGCT_AT_INDEX);
    bytes[cgct_get_u64(bytes + index) + 20] ^= 1;
    spill(table, bytes, n);
    free(bytes);
    ck_assert_int_eq(run("", "verify FILE"), 1);
    ck_assert_msg(strstr(message, "node x = 0.01, eps = 1: frame damaged"), "%s", message);
    ck_assert_msg(strstr(output, "0 of 1 nodes good"), "%s", output);
    ck_assert_int_eq(run("", "info FILE"), 0); /* reads no node */
    fails("eval FILE --x 0.01 --eps 1 --q 1 --k1 1 --theta 0", 1, "frame damaged");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tool");
    TCase *c = tcase_create("tool");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, help_and_version);
    tcase_add_test(c, first_contact);
    tcase_add_test(c, nearest_file);
    tcase_add_test(c, wrong_use);
    tcase_add_test(c, failures);
    tcase_add_test(c, info_tells_everything);
    tcase_add_test(c, eval_lists);
    tcase_add_test(c, eval_digits);
    tcase_add_test(c, eval_standard_input);
    tcase_add_test(c, eval_dsigma);
    tcase_add_test(c, eval_policy);
    tcase_add_test(c, verify_finds_damage);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
