/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgctab explore: the page holds the table and the reader, no name in it becomes part of its code,
 * and what goes wrong is one line; with LONG a browser opens it (tests/house/explore.py). */
#include <unistd.h>

#include "tool_run.h"
#include "have.h"
#include "run_suite.h"

#define TABLES TESTS_DIR "/../tables/"
#define OUT BIN_DIR "/../explore"

/* The program may have been built without the reader for browsers: it says so then. */
static int is_left_out(void)
{
    char line[PATH_SIZE + 64];
    snprintf(line, sizeof line, "explore FILE -o %s/p.html", folder);
    if (run("", line) == 0) return 0;
    fails(line, 1, "built without the reader for browsers; install clang, lld, wasi-libc");
    ck_assert_int_ne(access(strchr(line, '/'), F_OK), 0);
    puts("skipped: no clang, lld and wasi-libc for 'cgctab explore'");
    return 1;
}

/* Commands of a shell in the folder, where $CGCTAB is the program. */
static void must(const char *command)
{
    char line[2048];
    int n = snprintf(line, sizeof line, "cd %s && CGCTAB=%s/cgctab && { %s ; }", folder, BIN_DIR,
                     command);
    ck_assert_int_lt(n, (int)sizeof line);
    ck_assert_msg(system(line) == 0, "%s", line);
}

START_TEST(holds_the_table)
{
    if (is_left_out()) return;
    must("$CGCTAB explore $PWD/t.cgct -o - | cmp - p.html");
    must("for id in 'class=\"table\"' 'id=\"reader\"'; do grep -q \"<script $id\" p.html || exit 1;"
         " done; ! grep -q '@@' p.html && ! grep -qE '(src|href)=\"?(http|//)' p.html");
    must("grep '^<script class=\"table\"' p.html | sed 's/^[^>]*>//; s/<.*//' | base64 -d | "
         "cmp - t.cgct");
    must("grep '^<script id=\"reader\"' p.html | sed 's/^[^>]*>//; s/<.*//' | base64 -d | "
         "head -c 4 | od -An -tx1 | grep -q '00 61 73 6d'");
    must("[ $(wc -c < p.html) -lt 1500000 ]");
}
END_TEST

START_TEST(members_and_names)
{
    if (is_left_out()) return;
    keep(GOLDEN_PANELS);
    must(
        "mv t.cgct '\"><script>alert(1)<&.cgct' && "
        "$CGCTAB explore '\"><script>alert(1)<&.cgct@down' '\"><script>alert(1)<&.cgct' -o p.html");
    must(
        "! grep -q '<script>alert' p.html && [ $(grep -c '^<script class=\"table\"' p.html) = 2 ]");
    must("grep -q 'data-name=\"&#34;&#62;&#60;script&#62;alert(1)&#60;&#38;.cgct\" "
         "data-member=\"down\">' p.html && grep -q 'cgct\" data-member=\"\">' p.html");
}
END_TEST

START_TEST(what_goes_wrong)
{
    char line[4 * PATH_SIZE];
    fails("explore FILE", 2, "needs -o FILE");
    if (is_left_out()) return;
    must("rm p.html");
    snprintf(line, sizeof line, "explore FILE -o %s", table);
    fails(line, 2, "is the table itself");
    snprintf(line, sizeof line, "explore %s FILE -o %s", GOLDEN_PANELS, table);
    fails(line, 2, "is the table itself");
    fails("explore FILE -o /dev/full", 1, "/dev/full: cannot write: No space left");
    snprintf(line, sizeof line, "explore FILE %s/none -o %s/p.html", folder, folder);
    fails(line, 1, "no such file");
    snprintf(line, sizeof line, "explore FILE FILE FILE -o %s/p.html", folder);
    ck_assert_int_eq(run("", line), 2);
    must("[ ! -e p.html ]");
}
END_TEST

START_TEST(in_a_browser)
{
    if (is_left_out() || !have("python3") || !have("chromium")) return;
    ck_assert_int_eq(system("mkdir -p " OUT " && python3 " TESTS_DIR
                            "/house/explore.py chromium " BIN_DIR "/cgctab " TABLES
                            "proton.cgct " OUT " " TABLES "gold.cgct"),
                     0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("explore");
    TCase *c = tcase_create("explore");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 300);
    tcase_add_test(c, holds_the_table);
    tcase_add_test(c, members_and_names);
    tcase_add_test(c, what_goes_wrong);
    if (getenv("CHECK_LONG") && *getenv("CHECK_LONG")) tcase_add_test(c, in_a_browser);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
