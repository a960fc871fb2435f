/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Documents tell the truth: their commands run, manual pages know every command and option. */
#include "command.h"
#include "have.h"
#include "run_suite.h"

#define TOP TESTS_DIR "/.."

/* A small demo.cgct and its neighbours, which documents take for granted. */
static void setup_tables(void)
{
    setup();
    ck_assert_msg(command_run(&place,
                              "printf '%s\n' '[axes]' 'x = 0.01' 'eps = 1,1.4' 'q = geom 0.5 3 8' "
                              "'k_max = 12' '[table]' 'lower = 10' 'upper = 10' "
                              "'[accuracy]' 'tolerance = 1e-3' > demo.card && "
                              "ln -s " TOP "/tables . && mkdir -p build/demo && " GENERATE
                              "run demo.card -o demo.cgct --quiet && cp demo.cgct build/demo") == 0,
                  "%s", place.output);
}

/* 1 under `make check-long`. */
static int all(void)
{
    const char *text = getenv("CHECK_LONG");
    return text && *text;
}

/* Runs the lines that the awk program takes from a file, all of them with success.  Those of README
 * are taken as they stand, and in long runs all are.  What the others compute is coarse, which
 * takes half the time, but for trial tables (TABLES_SET), whose values are made again. */
static void runs(const char *document, const char *awk, int least)
{
    static const char coarse[] =
        "/TABLES_SET/b; s/^tolerance = 1e-3/tolerance = 1e-2/; "
        "s/accuracy.tolerance=1e-[34]/accuracy.tolerance=1e-2/; /tolerance|--card|\\$P/b; "
        "s/^cgctab-generate (point|inner|plot vn)/& --set accuracy.tolerance=1e-2/; "
        "s/^cgctab-generate (f2|evolve) --dipole bk:/cgctab-generate \\1 --set "
        "dipole.refine=0.5 --dipole bk:/";
    char line[2048];
    snprintf(line, sizeof line, "awk '%s' %s/%s | sed -E '%s' > commands && wc -l < commands", awk,
             TOP, document, all() || !strcmp(document, "README.md") ? "" : coarse);
    ck_assert_msg(command_run(&place, line) == 0, "%s", place.output);
    ck_assert_msg(atoi(place.output) >= least, "%s: %s lines of commands, want %d", document,
                  place.output, least);
    int status = command_run(&place, "PATH=" BIN_DIR ":$PATH bash -euxo pipefail commands");
    size_t n = strlen(place.output);
    ck_assert_msg(status == 0, "%s: status %d: ...%s", document, status,
                  place.output + (n > 2000 ? n - 2000 : 0));
}

/* "! command" must fail, which bash -e alone does not see. */
static void runs_blocks(const char *document, int least)
{
    runs(document,
         "/^```sh$/ { take = 1; next } /^```$/ { take = 0 } "
         "take && sub(/^! /, \"if \") { print; print \"then exit 9; fi\"; next } take",
         least);
}

static void runs_examples(const char *page, int least)
{
    runs(page,
         "/^.SH/ { take = 0 } /^.SH EXAMPLES/ { take = 1 } take && /^cgctab/ "
         "{ gsub(/\\\\/, \"\"); print }",
         least);
}

START_TEST(readers_guide)
{
    if (have("gnuplot")) runs_blocks("reader/GUIDE.md", 20);
}
END_TEST

START_TEST(producers_guide)
{
    if (have("gnuplot")) runs_blocks("generator/GUIDE.md", 80);
}
END_TEST

START_TEST(readme)
{
    if (have("gnuplot")) runs_blocks("README.md", 5);
}
END_TEST

/* Small ones are made and one node of each again; so is one of each table that is shipped. */
START_TEST(tables)
{
    runs_blocks("tables/README.md", 4);
    ck_assert_msg(
        strstr(place.output, "trial/gbw.cgct: checksum, and 24 values made again: same") &&
            strstr(place.output, "trial/mv.cgct: checksum, and 24 values"),
        "%s", place.output);
    ck_assert_int_eq(command_run(&place, "printf x >> trial/mv.cgct"), 0);
    ck_assert_int_ne(command_run(&place, "bash tables/check.sh " BIN_DIR " trial"), 0);
    ck_assert_msg(strstr(place.output, "mv.cgct: not the file of the MANIFEST"), "%s",
                  place.output);
    if (command_run(&place, "ls tables/MANIFEST") != 0)
        printf("skipped: no tables/MANIFEST\n");
    else
        ck_assert_msg(command_run(&place, "bash tables/check.sh " BIN_DIR " tables") == 0, "%s",
                      place.output);
}
END_TEST

/* A generator of another mind is found out. */
START_TEST(tables_that_lie)
{
    static const char manifest[] =
        "cp demo.cgct a.cgct && printf '%s ' a.cgct $(sha256sum <a.cgct | "
        "cut -d' ' -f1) $(wc -c <a.cgct) > MANIFEST && mkdir other && "
        "ln -s " BIN_DIR "/cgctab other && printf '%s\n' '#!/bin/sh' "
        "'exec " GENERATE " \"$@\" --set dipole.Q0=3' > "
        "other/cgctab-generate && chmod 755 other/cgctab-generate";
    ck_assert_msg(command_run(&place, manifest) == 0, "%s", place.output);
    ck_assert_msg(command_run(&place, "bash tables/check.sh " BIN_DIR " .") == 0, "%s",
                  place.output);
    ck_assert_int_eq(command_run(&place, "bash tables/check.sh other ."), 1);
    ck_assert_msg(strstr(place.output, "made again") && strstr(place.output, "in the table"), "%s",
                  place.output);
}
END_TEST

/* The commands of the table of programs that take seconds. */
START_TEST(readme_programs)
{
    runs("README.md",
         "match($0, /^. `cgctab-generate (point|inner|transform|exact|f2|three)/) "
         "{ split($0, part, \"`\"); print part[2] }",
         6);
}
END_TEST

/* Commands that stand alone in an indented line, and what they print; `point` is the slow one. */
START_TEST(method)
{
    runs("generator/METHOD.md", all() ? "/^    cgctab/" : "/^    cgctab-generate exact/", 1);
    ck_assert_msg(strstr(place.output, "14.57719") && strstr(place.output, "8.3178"), "%s",
                  place.output);
}
END_TEST

START_TEST(examples_of_manuals)
{
    runs_examples("generator/man/cgctab-generate.1", 3);
    if (have("gnuplot")) runs_examples("reader/man/cgctab.1", 5);
}
END_TEST

/* Each line of `list`, of which there are `least` or more, is a word of the page, whose "\-" is
 * "-", in a line that sets a font, begins a section or declares a function. */
static void page_has(const char *page, const char *list, int least)
{
    char line[1024];
    snprintf(line, sizeof line,
             "sed 's/\\\\-/-/g' %s/%s | grep '^[.]\\|^[a-z].*[a-z](' > page; n=0; "
             "for w in $(%s); do n=$((n+1)); "
             "grep -qw -e \"$w\" page || { echo \"$w is not in the page\"; exit 1; }; done; "
             "echo $n words; test $n -ge %d",
             TOP, page, list, least);
    ck_assert_msg(command_run(&place, line) == 0, "%s: %s", page, place.output);
}

START_TEST(manuals_are_complete)
{
    page_has("reader/man/cgctab.1", BIN_DIR "/cgctab help | sed -n 's/^  \\([a-z-]*\\) .*/\\1/p'",
             15);
    page_has("reader/man/cgctab.1",
             "for c in $(" BIN_DIR
             "/cgctab help | sed -n 's/^  \\([a-z]*\\) .*/\\1/p'); do " BIN_DIR
             "/cgctab $c --help | sed -n 's/^  \\(-[-a-zA-Z0-9]*\\) .*/\\1/p'; done",
             100);
    page_has("generator/man/cgctab-generate.1",
             BIN_DIR "/cgctab-generate help | sed -n 's/^  \\([a-z0-9]*\\) .*/\\1/p'", 12);
    page_has("generator/man/cgctab-generate.1",
             "for c in $(" BIN_DIR
             "/cgctab-generate help | sed -n 's/^  \\([a-z0-9]*\\) .*/\\1/p'); do " BIN_DIR
             "/cgctab-generate $c --help | sed -n 's/^ *\\(-., \\)*\\(--[a-zA-Z0-9-]*\\).*/\\2/p'; "
             "done | sort -u",
             50);
    page_has("reader/man/cgctab-events.1",
             BIN_DIR "/cgctab-events --help | sed -n 's/^  \\(-[-a-zA-Z0-9]*\\) .*/\\1/p'", 30);
    page_has("reader/man/cgctab.3",
             "sed '/CGCTAB_PRIVATE/,$d' " TOP
             "/reader/cgctab.h | grep -o 'cgct_[a-zA-Z_]*(' | tr -d '('",
             60);
}
END_TEST

/* What documents call by name is there: targets of make, subcommands of both programs. */
START_TEST(names_exist)
{
    static const char *const checks[][2] = {
        {"grep -ohE '(`|^    )make [a-z-]+' $docs | sed 's/.*make //'",
         "sed -n 's/^\\([a-z-]*\\):.*/\\1/p' " TOP "/Makefile " TOP "/*/rules.mk"},
        {"grep -ohE '(`|^    |^)cgctab [a-z]+' $docs | sed 's/.*cgctab //'",
         BIN_DIR "/cgctab help | sed -n 's/^  \\([a-z]*\\) .*/\\1/p'"},
        {"grep -ohE '(`|^    |^)cgctab-generate [a-z0-9]+' $docs | sed 's/.*generate //'",
         BIN_DIR "/cgctab-generate help | sed -n 's/^  \\([a-z0-9]*\\) .*/\\1/p'"}};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        char line[2048];
        snprintf(line, sizeof line,
                 "docs=\"" TOP "/README.md $(ls " TOP
                 "/*/*.md)\"; %s | sort -u > used; %s | sort -u "
                 "> there; wc -l < used; comm -23 used there",
                 checks[i][0], checks[i][1]);
        ck_assert_msg(command_run(&place, line) == 0, "%s", place.output);
        const char *end = strchr(place.output, '\n');
        ck_assert_msg(atoi(place.output) > 3 && end && !end[1], "not there: %s", place.output);
    }
}
END_TEST

/* Links within the repository lead to files; those of a page to its headings. */
START_TEST(links_lead_somewhere)
{
    static const char check[] =
        "cd " TOP " && for d in *.md */*.md; do "
        "grep -oE '\\]\\([^)]*[.#][^)]*\\)' $d | tr -d '])(' | "
        "while read -r l; do echo link; case $l in http*) ;; "
        "'#'*) grep -E '^#' $d | tr 'A-Z' 'a-z' | sed \"s/^#* *//; s/[,:'().]//g; s/ /-/g\" | "
        "grep -qxF -e \"${l#?}\" || echo \"$d: $l\" ;; "
        "*) [ -f \"$(dirname $d)/${l%%#*}\" ] || echo \"$d: $l\" ;; esac; done; done > "
        "$OLDPWD/links; cd $OLDPWD && grep -c link links && ! grep -v '^link' links";
    ck_assert_msg(command_run(&place, check) == 0 && atoi(place.output) > 10, "%s", place.output);
}
END_TEST

/* Manual pages without complaint of the formatter. */
START_TEST(manuals_are_well_formed)
{
    if (!have("groff")) return;
    ck_assert_msg(command_run(&place, "groff -man -Tutf8 -ww " TOP "/*/man/*.[1-9] 2>&1 >/dev/null "
                                      "| head") == 0 &&
                      !place.output[0],
                  "%s", place.output);
}
END_TEST

/* Eight pictures; no page where one cannot be drawn. */
START_TEST(gallery)
{
    const char *line = "bash " TOP "/tables/gallery.sh " BIN_DIR " page.html && "
                       "grep -c 'src=\"data:image/png;base64,iVBOR' page.html && rm page.html";
    if (!have("gnuplot")) return;
    ck_assert_msg(command_run(&place, line) == 0 && strstr(place.output, "\n8\n"), "%s",
                  place.output);
    line = "printf '#!/bin/sh\nexit 1\n' > gnuplot; chmod +x gnuplot; PATH=$PWD:$PATH bash " TOP
           "/tables/gallery.sh " BIN_DIR " page.html; ls page.html*";
    ck_assert_int_ne(command_run(&place, line), 0);
    ck_assert_msg(strstr(place.output, "gnuplot: ended with status 1") != NULL, "%s", place.output);
}
END_TEST

/* The numbers of generator/DATA.md, under `make check-long`: structure functions, and events. */
START_TEST(data)
{
    static const char *const part[] = {"hera", "events"};
    char line[512];
    snprintf(line, sizeof line,
             "for p in " BIN_DIR "/../events/venv/bin/python python3 /usr/bin/python3; do $p -c "
             "'import numpy' && break; done; $p -B " TESTS_DIR "/house/data.py %s " BIN_DIR,
             part[_i]);
    const int status = command_run(&place, line);
    const char *why = strstr(place.output, "skipped: ");
    if (status == 77 && why) printf("%s", why);
    ck_assert_msg(status == 0 || (status == 77 && why), "%s", place.output);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("documents");
    TCase *c = tcase_create("documents");
    tcase_add_unchecked_fixture(c, setup_tables, teardown);
    tcase_set_timeout(c, all() ? 1200 : 300); /* also nodes of nuclei */
    tcase_add_test(c, readers_guide);
    tcase_add_test(c, producers_guide);
    tcase_add_test(c, readme);
    tcase_add_test(c, readme_programs);
    tcase_add_test(c, tables);
    tcase_add_test(c, tables_that_lie);
    tcase_add_test(c, method);
    tcase_add_test(c, examples_of_manuals);
    tcase_add_test(c, manuals_are_complete);
    tcase_add_test(c, names_exist);
    tcase_add_test(c, links_lead_somewhere);
    tcase_add_test(c, manuals_are_well_formed);
    suite_add_tcase(suite, c);
    if (all()) {
        TCase *slow = tcase_create("data");
        tcase_add_unchecked_fixture(slow, setup, teardown);
        tcase_set_timeout(slow, 3600);
        tcase_add_loop_test(slow, data, 0, 2);
        suite_add_tcase(suite, slow);
        slow = tcase_create("gallery");
        tcase_add_unchecked_fixture(slow, setup, teardown);
        tcase_set_timeout(slow, 600);
        tcase_add_test(slow, gallery);
        suite_add_tcase(suite, slow);
    }
    return run_suite(suite) != 0;
}
