/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program cgctab: exit status, output, messages. */
#include "tool_run.h"
#include "run_suite.h"
#include "reader/cgctab.h"

#define POINT "eval FILE --x 0.01 --eps 1 --q 1 --k1 1 --theta 0 "

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
    char line[512];
    snprintf(line, sizeof line, "info --%0400d", 0);
    fails(line, 2, "00: unknown option");
    fails("nosuch", 2, "nosuch: unknown command");
    fails("verfy FILE", 2, "did you mean 'verify'?");
    fails("help evla", 2, "did you mean 'eval'?");
    fails("info", 2, "FILE");
    fails("info FILE more", 2, "one argument too many");
    fails("verify --dep FILE", 2, "--dep: unknown option; did you mean '--deep'?");
    fails("info FILE --json=1", 2, "--json: takes no value");
    fails("info FILE --digits 18", 2, "--digits: '18', want an integer from 1 to 17");
    fails("info FILE@", 1, "no member is named behind '@'");
    fails("info FILE@up", 1, "no member up among 1, which have no names");
    fails("axes FILE esp", 2, "did you mean 'eps'?");
    fails("completion bash", 2, "completion: unknown command");
    fails("dump FILE", 2, "--node IX,IEPS");
    fails("dump FILE --node 0,0 --x 0.01 --eps 1", 2, "either --node");
    fails("dump FILE --x 0.01", 2, "--eps E");
    fails("dump FILE --node 0", 2, "'0', want IX,IEPS");
    fails("eval FILE --x 'geom 2 1 3' --eps 1 --q 1 --k1 1 --theta 0", 2, "LO < HI");
    fails("eval FILE --x 0.01 --eps 1 --q 'geo 1 2 3' --k1 1 --theta 0", 2, "'geom LO HI N'");
    fails("eval FILE --x 0.01 --eps 1 --q 'lin 1 2 100000' --k1 'lin 1 3 1000' --theta 0", 2,
          "1e+08 points");
    fails("info -- --json", 1, "--json: no such file");
    fails("axes FILE EPS", 2, "did you mean 'eps'?");
    fails("diff FILE", 2, "diff: needs FILE OTHER");
    fails("eval --x 0.01", 2, "FILE");
    fails("eval FILE --x 0.01 --eps 1 --q 1 --k1 1", 2, "--theta: is missing");
    fails("eval FILE --x 0.01 --eps 1 --q 1 --k1 1 --theta", 2, "--theta: needs LIST");
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
    fails(POINT "--S-perp 50", 2, "--S-perp: is for cross sections");
    fails(POINT "--e-q2 1", 2, "--e-q2: is for cross sections");
    fails(POINT "--Lambda 3", 2, "--Lambda: is for forward dijets; give --process");
    fails(POINT "--z .5 --Q2 1 --mass 1 --process qg --k2 1 --angle 1 --Lambda 1 --error "
                "--reference --soft jets --uncertainty --members --dsigma --policy error "
                "--negative error --alpha-em 1 --e-q2 1 --S-perp 1 --csv --quiet --digits 3",
          2, "--process"); /* all that there are */
    fails("eval FILE - more", 2, "one argument too many");
    fails("eval FILE - --members --error", 2, "--members: cannot go with");
    fails("unpack FILE other.cgct", 2, "unpack: unknown command");
}
END_TEST

START_TEST(failures)
{
    fails("eval FILE --x 0.01 --eps 1 --q 1,5 --k1 1 --theta 0", 1,
          "q = 5 lies outside of the table: 1 to 2");
    fails("eval FILE --x 0.01 --eps 2.2 --q 1 --k1 1 --theta 0", 1, "eps = 2.2 lies outside");
    fails("eval FILE --x 0.01 --eps 1 --q 1 --k1 -1 --theta 0", 1, "-1");
    fails("eval FILE --x 0.01 --z 1.5 --Q2 4 --q 1 --k1 1 --theta 0 --S-perp 1", 1, "z = 1.5");
    fails("eval FILE --x 0.01 --z 0.5 --Q2 4 --q 1 --k1 1 --theta 0", 1, "give --S-perp");
    fails("info nosuch.cgct", 1, "nosuch.cgct: no such file");
    fails("eval FILE nosuch", 1, "nosuch: cannot open: No such file");
    fails("get FILE quantty", 1, "no key quantty among 2; did you mean 'quantity'?");
    fails("dump FILE --node 0,2", 1, "node (0,2) of 1 x 2");
    fails("diff FILE nosuch.cgct", 2, "nosuch.cgct: no such file");
    fails("verify /tmp", 1, "/tmp: is a directory");
    fails("eval FILE /tmp", 1, "/tmp: cannot read: Is a directory");
    fails("eval FILE - <&-", 1, "standard input: cannot read");
    fails("info FILE >&-", 1, "standard output: cannot write");
    if (access("/dev/full", W_OK) == 0) {
        ck_assert_int_eq(run("", "diff FILE FILE >/dev/full"), 2);
        ck_assert_int_eq(run("", "info FILE >/dev/full"), 1);
        ck_assert_msg(strstr(message, "No space left"), "%s", message);
        ck_assert_int_eq(run("", "eval FILE --x 0.01 --eps 1 --q 1 --k1 1 --theta 0 >/dev/full"),
                         1);
    }
}
END_TEST

/* What is no table, and tables of before. */
START_TEST(other_files)
{
    static const char magic[] = "\x89"
                                "CGCT\r\n\x1a";
    char file[16] = {0};
    spill(table, file, 16);
    fails("info FILE", 1, "not a cgctab table");
    memcpy(file, magic, 8);
    file[8] = 1;
    spill(table, file, 16);
    fails("info FILE", 1, "make the table again");
    fails("verify FILE", 1, "make the table again");
    file[8] = 2;
    spill(table, file, 16);
    fails("verify FILE", 1, "HEAD");
}
END_TEST

START_TEST(info_tells_everything)
{
    static const char *const words[] = {
        "format        2.0, data version 3\n",
        "x             0.001 to 0.01, 1 node\n",
        "q             1 to 2 GeV, 2 nodes, 2-node polynomials in ln q\n",
        "k             0 to 4 GeV, the shorter of k1 and k2; 2 nodes to q/2, 2 beyond, 2-node",
        "members       1\n",
        "nodes         2 (x,eps) in 1 segment, rank at most 1\n",
        "coefficients  at most 2 for a pair (q,k)\n",
        "size          552 bytes in the file, ",
        "quantity      I_T, I_L in GeV^-6\n"};
    ck_assert_int_eq(run("", "info FILE"), 0);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ck_assert_msg(strstr(output, words[i]) != NULL, "no '%s' in\n%s", words[i], output);
}
END_TEST

/* The card comes last, what the file says of an ensemble in words. */
START_TEST(info_of_an_ensemble)
{
    keep(GOLDEN_PANELS);
    ck_assert_int_eq(run("", "info FILE@up"), 0);
    const char *members = strstr(output, "members       3, uncertainty: hessian; this is member 1, "
                                         "up\nS_perp        71.25 GeV^-2\n"),
               *card = strstr(output, "card\n    [axes]\n    q = 1,2\n");
    ck_assert_msg(members && card && card > members &&
                      !card[strlen("card\n    [axes]\n    q = "
                                   "1,2\n")],
                  "%s", output);
    keep(GOLDEN_NEGATIVE);
    ck_assert_int_eq(run("", "info FILE"), 0);
    ck_assert_msg(strstr(output, "2-node polynomials in ln ln(0.02/x)\n") != NULL, "%s", output);
}
END_TEST

/* Line i of the output after those that begin with '#' into columns; returns their number. */
static int columns(int line, double v[16])
{
    const char *p = output;
    int n = 0;
    for (int i = 0; *p == '#' || i < line; p++) {
        i += *p != '#';
        p = strchr(p, '\n');
        if (!p) return 0;
    }
    while (*p && *p != '\n' && n < 16) {
        char *end;
        v[n++] = strtod(p, &end);
        if (end == p) return -1;
        p = end;
    }
    return n;
}

/* Without those that begin with '#'. */
static int line_count(void)
{
    int n = 0;
    for (const char *p = output; *p; p = strchr(p, '\n') + 1) n += *p != '#';
    return n;
}

START_TEST(eval_lists)
{
    cgct_table *t;
    double v[16], I[2], e[2];
    ck_assert_int_eq(
        run("", "eval FILE --x=0.01 --eps 1 --q 1,1.5 --k1 1,2,3 --theta 0,-0.7 --error"), 0);
    ck_assert_ptr_nonnull(strstr(output, "# x eps q k1 theta I_T I_L err_T err_L\n"));
    ck_assert_msg(strstr(output, "k1 in GeV") && strstr(output, "err: bound"), "%s", output);
    ck_assert_int_eq(line_count(), 12);
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
    ck_assert_int_eq(line_count(), 2);
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
    ck_assert_msg(strstr(message, "'\xef\xbf\xbd[1m' is not a finite number"), "%s", message);
    ck_assert_int_eq(run("0.01 1 1.5 2 0\n0.01 1 1 inf 0\n", "eval FILE -"), 1);
    ck_assert_msg(strstr(message, "standard input:2: 'inf'") && !output[0], "%s", message);
    static const char massive[] = "# x z Q2 q k1 theta mass eps\n0.01 0.5 4 1.5 2 0.3 1.4 1\n";
    ck_assert_int_eq(run(massive, "eval FILE --dsigma -"), 1);
    ck_assert_msg(strstr(message, "standard input:1: column 7 is named mass, but all points have "
                                  "one; give it as --mass and rename the column") &&
                      !output[0],
                  "%s", message);
    ck_assert_int_eq(run(massive, "eval FILE -"), 0); /* I has eps */
    ck_assert_int_eq(run("# only a comment\n", "eval FILE -"), 1);
    ck_assert_msg(strstr(message, "standard input: no points") && !output[0], "%s", message);
}
END_TEST

/* z = 1/2, Q2 = 4: eps = 1. */
START_TEST(eval_dsigma)
{
    double v[16], w[16], I[16];
    const cgct_dis d = {0.01, 2, 30, 0.5, 4, 0};
    double eps, factor[2][2];
    ck_assert_int_eq(cgct_dis_factors(&d, &eps, factor), CGCT_OK);
    ck_assert_int_eq(run("", "eval FILE --x 0.01 --eps 1 --q 1.5 --k1 2 --theta 0.3 --error"), 0);
    ck_assert_int_eq(columns(0, I), 9);
    ck_assert_int_eq(run("", "eval FILE --x 0.01 --z 0.5 --Q2 4 --q 1.5 --k1 2 --theta 0.3 --error "
                             "--alpha-em 0.01 --e-q2 2 --S-perp 30"),
                     0);
    ck_assert_msg(
        strstr(output, "\n# x z Q2 q k1 theta dsigma_T dsigma_L err_T err_L\n") &&
            strstr(output, "e_q2 = 2, alpha_em = 0.01, mass = 0 GeV, S_perp = 30 GeV^-2\n"),
        "%s", output);
    ck_assert_int_eq(columns(0, v), 10);
    for (int i = 0; i < 4; i++) CHECK_REL(v[6 + i], factor[i % 2][i % 2] * I[5 + i], 1e-15);
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
    ck_assert_int_eq(run("", "eval FILE --x 0.01 --eps 2 --q 2 --k1 2 --theta 1"), 0);
    ck_assert_int_eq(columns(0, w), 7);
    ck_assert(v[5] == w[5] && v[6] == w[6] && v[2] == 70);
}
END_TEST

/* The area is that of the member unless one is given. */
START_TEST(eval_area_of_the_table)
{
    double v[16], w[16], r[16];
    static const char point[] = "0.001 0.5 4 1.5 2 0.3\n";
    keep(GOLDEN_PANELS);
    ck_assert_int_eq(run(point, "eval FILE@up --dsigma -"), 0);
    ck_assert_msg(strstr(output, "S_perp = 71.25 GeV^-2\n"), "%s", output);
    ck_assert_int_eq(columns(0, v), 8);
    ck_assert_int_eq(run(point, "eval FILE@1 --dsigma - --S-perp 142.5"), 0);
    ck_assert_int_eq(columns(0, w), 8);
    CHECK_REL(w[6], 2 * v[6], 1e-14);
    ck_assert_int_eq(run(point, "eval FILE --dsigma - --uncertainty --S-perp 70.5"), 0);
    ck_assert_msg(strstr(output, "S_perp is the same for all"), "%s", output);
    ck_assert_int_eq(columns(0, r), 14);
    ck_assert_int_eq(run(point, "eval FILE --dsigma - --uncertainty"), 0);
    ck_assert_int_eq(columns(0, v), 14);
    ck_assert_int_eq(run(point, "eval FILE --dsigma - --members --quiet"), 0);
    const char *up = strstr(output, "up "), *down = strstr(output, "down ");
    double rise[2], fall[2];
    ck_assert(up && down && sscanf(up, "up %lf %lf", &rise[0], &rise[1]) == 2);
    ck_assert_int_eq(sscanf(down, "down %lf %lf", &fall[0], &fall[1]), 2);
    CHECK_REL(2 * rise[0], w[6], 1e-14);
    /* the pair with its own areas, not with that of the central member */
    for (int pol = 0; pol < 2; pol++) {
        const double a = rise[pol] - v[8 + pol], b = fall[pol] - v[8 + pol];
        CHECK_REL(v[8 + pol], r[8 + pol], 1e-14);
        CHECK_REL(v[10 + pol], v[8 + pol] - fmax(fmax(-a, -b), 0), 1e-14);
        CHECK_REL(v[12 + pol], v[8 + pol] + fmax(fmax(a, b), 0), 1e-14);
        ck_assert(v[10 + pol] != r[10 + pol] || v[12 + pol] != r[12 + pol]);
    }
}
END_TEST

/* The example in C prints what the program prints. */
START_TEST(example_of_uncertainty)
{
    double v[16];
    char command[1024], out[PATH_SIZE], pol;
    keep(GOLDEN_PANELS);
    ck_assert_int_eq(run("0.001 0.5 1 3 4 1\n", "eval FILE --dsigma - --uncertainty --e-q2 "
                                                "0.66666666666666663"),
                     0);
    ck_assert_int_eq(columns(0, v), 14);
    path_in(folder, "out", out);
    snprintf(command, sizeof command, "%s/../examples/uncertainty %s 0.001 0.5 1 3 4 1 >%s",
             BIN_DIR, table, out);
    ck_assert_int_eq(system(command), 0);
    read_text(out, output, sizeof output);
    for (int i = 0; i < 2; i++) {
        double range[3];
        const char *line = i ? strchr(output, '\n') + 1 : output;
        ck_assert_int_eq(
            sscanf(line, "dsigma_%c = %lf, from %lf to %lf", &pol, range, range + 1, range + 2), 4);
        ck_assert_int_eq(pol, "TL"[i]);
        for (int j = 0; j < 3; j++) CHECK_REL(range[j], v[8 + 2 * j + i], 1e-6);
    }
}
END_TEST

/* Values, bounds and the correlation limit of points of all members, from closed forms. */
START_TEST(eval_equals_closed_forms)
{
    static const char *const want[] = {"T", "L", "err_T", "err_L", "ref_T", "ref_L"};
    char line[1024], arguments[64], input[256];
    double v[16], r[12];
    FILE *f = fopen(TESTS_DIR "/refs/golden_panels.ref", "r");
    ck_assert_ptr_nonnull(f);
    keep(GOLDEN_PANELS);
    for (int i = 0; i < 40 && fgets(line, sizeof line, f);) {
        if (*line == '#') continue;
        char *p = line;
        for (int c = 0; c < 12; c++) r[c] = strtod(p, &p);
        snprintf(arguments, sizeof arguments, "eval FILE@%g - --error --reference", r[0]);
        snprintf(input, sizeof input, "%.17g %.17g %.17g %.17g %.17g\n", r[1], r[2], r[3], r[4],
                 r[5]);
        ck_assert_msg(run(input, arguments) == 0, "%s%s", input, message);
        ck_assert_int_eq(columns(0, v), 13);
        for (int c = 0; c < 6; c++)
            ck_assert_msg(fabs(v[5 + c] - r[6 + c]) <= 1e-9 * fabs(r[6 + c]),
                          "%s%s = %.17g, want %.17g", input, want[c], v[5 + c], r[6 + c]);
        CHECK_REL(v[12], v[6] / v[10], 1e-15);
        i++;
    }
    fclose(f);
}
END_TEST

/* ---- verify ---- */

/* Every flipped byte and every truncation, by the chunk that holds it. */
START_TEST(verify_names_damage)
{
    size_t n, at = 16;
    ck_assert_int_eq(run("", "verify FILE"), 0);
    ck_assert_msg(strstr(output, "t.cgct: good"), "%s", output);
    uint8_t *bytes = slurp(table, &n);
    char name[5] = "";
    for (size_t i = 0; i < n; i++) {
        if (i == at) {
            memcpy(name, bytes + at, 4);
            at += 24 + (bytes[at + 8] + 256u * bytes[at + 9] + 7) / 8 * 8;
        }
        bytes[i] ^= 0x41;
        spill(table, bytes, n);
        bytes[i] ^= 0x41;
        fails("verify FILE", 1, name);
        spill(table, bytes, i);
        fails("verify FILE", 1, name);
    }
    ck_assert_uint_eq(at, n);
    bytes[n] = 0;
    spill(table, bytes, n + 1);
    fails("verify FILE", 1, "t.cgct");
    free(bytes);
}
END_TEST

/* Values below 0, none of them by more than its bound. */
START_TEST(verify_deep)
{
    keep(GOLDEN_NEGATIVE);
    ck_assert_msg(run("", "verify FILE --deep") == 0, "%s", message);
    const char *negative = strstr(output, "below 0: ");
    ck_assert_msg(negative && atoi(negative + 9) > 10 && strstr(output, "beyond it: 0\n"), "%s",
                  output);
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
    tcase_add_test(c, other_files);
    tcase_add_test(c, info_tells_everything);
    tcase_add_test(c, info_of_an_ensemble);
    tcase_add_test(c, eval_lists);
    tcase_add_test(c, eval_digits);
    tcase_add_test(c, eval_standard_input);
    tcase_add_test(c, eval_dsigma);
    tcase_add_test(c, eval_policy);
    tcase_add_test(c, eval_area_of_the_table);
    tcase_add_test(c, example_of_uncertainty);
    tcase_add_test(c, eval_equals_closed_forms);
    tcase_add_test(c, verify_names_damage);
    tcase_add_test(c, verify_deep);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
