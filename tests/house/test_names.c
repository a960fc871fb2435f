/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of files and members and metadata of every byte, through all programs: Python's strict
 * parsers read what they print. */
#include <math.h>

#include "command.h"
#include "field_table.h"
#include "have.h"
#include "run_suite.h"

static double even(size_t member, int pol, size_t m, const double at[4])
{
    (void)at;
    return m ? 0 : -3 - pol - 0.1 * (double)member;
}

/* All bytes but zero and those of `without`. */
static const char *every_byte(const char *without)
{
    static char text[2][256];
    char *to = text[!*without];
    size_t n = 0;
    for (int c = 1; c < 256; c++)
        if (!strchr(without, c)) to[n++] = (char)c;
    to[n] = 0;
    return to;
}

/* The names of the file, as $TABLE for the shell, and of its member. */
static void write_names(void)
{
    char members[1024], path[1024], *name = path + strlen(place.folder) + 1;
    snprintf(members, sizeof members, "%s ]]>--<!--&\"'\\\xed\xa0\x80\xef\xbf\xbf",
             every_byte(" "));
    const table_meta meta[] = {
        {"quantity", "I"},    {"dipole", every_byte("")},   {"card", every_byte("")},
        {"members", members}, {"citation", every_byte("")}, {"S_perp", "42"}};
    field_table f = field_table_small(even);
    f.members = 2;
    f.nmeta = sizeof meta / sizeof *meta;
    memcpy(f.meta, meta, sizeof meta);
    snprintf(path, sizeof path, "%s/%s.cgct", place.folder,
             every_byte("/@0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL"));
    field_table_write(&f, path);
    ck_assert_int_eq(setenv("TABLE", name, 1), 0);
}

static void prints(const char *command)
{
    ck_assert_msg(command_run(&place, command) == 0, "%s: %s", command, place.output);
}

#define TOOL BIN_DIR "/cgctab "
#define POINT "--x 0.01 --eps 1 --q 1 --k1 2 --theta 0 "

/* Every file by the suffix of its name. */
static const char check[] =
    "import csv, glob, json, re, xml.dom.minidom\n"
    "control = re.compile('[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]')\n"
    "def lines(p, same=True):\n"
    "    text = open(p, encoding='utf-8', newline='').read()\n"
    "    assert not control.search(text), p\n"
    "    return text.split('\\n')[:-1]\n"
    "def table(rows, p):\n"
    "    assert rows and len({len(r) for r in rows}) == 1, (p, rows)\n"
    "for p in glob.glob('*.json'): json.load(open(p, encoding='utf-8'))\n"
    "for e in 'html', 'svg', 'lhe':\n"
    "    for p in glob.glob('*.' + e): xml.dom.minidom.parse(p)\n"
    "for p in glob.glob('*.csv'):\n"
    "    f = open(p, encoding='utf-8', newline='')\n"
    "    table(list(csv.reader((l for l in f if l[0] != '#'), strict=True)), p)\n"
    "for p in glob.glob('*.tsv'): table([l.split('\\t') for l in lines(p)], p)\n"
    "for p in glob.glob('*.columns'):\n"
    "    table([l.split(' ') for l in lines(p) if l[0] != '#'], p)\n"
    "for p in glob.glob('*.text'): lines(p)\n"
    "for p in glob.glob('*.error'): assert len(lines(p)) == 1, open(p, 'rb').read()\n"
    "print(sorted(p[-20:] for p in glob.glob('*') if p.isascii()))\n";

START_TEST(tables)
{
    if (!have("python3")) return;
    write_names();
    prints(TOOL "info \"$TABLE\" > info.text && " TOOL "info \"$TABLE\" --json > info.json");
    prints(TOOL "index . > index.tsv && " TOOL "index . --json > index.json");
    prints(TOOL "where > where.text && " TOOL "where \"$TABLE\" --json > where.json && " TOOL
                "where \"$TABLE\" --all > all.text");
    prints(TOOL "verify \"$TABLE\" --deep > verify.text && " TOOL
                "verify \"$TABLE\" --deep --json > verify.json");
    prints(TOOL "eval \"$TABLE\" " POINT "--members > eval.columns && " TOOL
                "eval \"$TABLE\" " POINT "--members --csv > eval.csv && " TOOL
                "eval \"$TABLE\" " POINT "--members --json > eval.json && " TOOL
                "eval \"$TABLE\" " POINT "--uncertainty > range.columns");
    prints(TOOL "get \"$TABLE\" card --json > card.json");
    prints("! " TOOL "info \"$TABLE@none\" 2> member.error && ! " TOOL
           "info \"x$TABLE\" 2> file.error && ! " TOOL
           "info info.text \"$TABLE\" 2> many.error && ! " TOOL
           "get \"$TABLE\" \"$TABLE\" 2> key.error && ! " TOOL
           "eval \"$TABLE\" --x \"$TABLE\" 2> x.error && ! " TOOL
           "plot map \"$TABLE\" -o \"$TABLE\" 2> out.error");
    command_write(&place, "check.py", check);
    prints("python3 check.py");
    ck_assert_msg(strstr(place.output, "verify.json") && strstr(place.output, "key.error"), "%s",
                  place.output);
}
END_TEST

/* A script gets the bytes of a value and of a name. */
START_TEST(bytes_as_they_are)
{
    char path[96];
    size_t n;
    write_names();
    prints(TOOL "get \"$TABLE\" dipole > dipole; " TOOL "where \"$TABLE\" > path; printf '%s\\n' "
                "\"$TABLE\" | cmp - path");
    snprintf(path, sizeof path, "%s/dipole", place.folder);
    uint8_t *bytes = slurp(path, &n);
    ck_assert_uint_eq(n, strlen(every_byte("")) + 1);
    ck_assert_int_eq(memcmp(bytes, every_byte(""), n - 1), 0);
    free(bytes);
    /* a terminal gets neither */
    if (!have("python3") || command_run(&place, "python3 -c 'import pty; pty.openpty()'")) return;
    command_write(
        &place, "terminal.py",
        "import os, pty\n"
        "for words in ['get', os.environ['TABLE'], 'dipole'], ['where', os.environ['TABLE']]:\n"
        "    pty.spawn(['" BIN_DIR "/cgctab'] + words)\n");
    command_write(&place, "check.py", check);
    prints("python3 terminal.py | tr -d '\\r' > tty.text; test -s tty.text && python3 check.py");
}
END_TEST

START_TEST(pictures_and_pages)
{
    if (!have("python3") || !have("gnuplot")) return;
    write_names();
    prints(TOOL "plot slice \"$TABLE\" -o slice.svg --quiet && " TOOL
                "plot map \"$TABLE\" -o \"$TABLE.svg\" --quiet && " TOOL
                "plot compare \"$TABLE\" \"$TABLE\" -o - > compare.svg");
    prints(TOOL "report \"$TABLE\" -o - > page.html");
    command_write(&place, "check.py", check);
    prints("python3 check.py");
    ck_assert_ptr_nonnull(strstr(place.output, "page.html"));
}
END_TEST

START_TEST(events)
{
#define EVENTS BIN_DIR "/cgctab-events \"$TABLE@1\" --beams 18x275 -n 5 --quiet "
    if (!have("python3")) return;
    write_names();
    prints(EVENTS "-o events.lhe && " EVENTS "--csv -o events.csv && " EVENTS
                  "--csv -o - | grep '^#' > head.text");
    prints("! " BIN_DIR "/cgctab-events \"$TABLE\" \"$TABLE\" 2> two.error; ! " BIN_DIR
           "/cgctab-events \"$TABLE\" --beams \"$TABLE\" -o a 2> beams.error");
    command_write(&place, "check.py", check);
    prints("python3 check.py");
    ck_assert_ptr_nonnull(strstr(place.output, "events.lhe"));
}
END_TEST

/* A dipole file of such a name: but for line feed and return, which no card can hold. */
START_TEST(dipoles)
{
    if (!have("python3")) return;
    ck_assert_int_eq(
        setenv("FILE", every_byte("/\r\n0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL"), 1), 0);
    prints("awk 'BEGIN { for (y = 0; y < 2; y++) for (r = 1e-4; r < 6; r *= 1.1) "
           "printf \"%d %.17g %.17g\\n\", y, r, 1 - exp(-r*r*(1 + y)/4) }' > \"$FILE\"");
    prints(GENERATE "tmd --dipole \"$FILE\" --x 0.5 --q 1 > tmd.text && " GENERATE
                    "plot dipole --dipole \"$FILE\" --x 0.5 -o d > plot.text && "
                    "cp d/dipole.gp script.text");
    prints("! " GENERATE "tmd --dipole \"x$FILE\" --x 0.5 --q 1 2> file.error && ! " GENERATE
           "run \"$FILE\" -o a 2> card.error && ! " GENERATE
           "\"$FILE\" 2> word.error && ! " GENERATE "tmd \"--$FILE\" 2> option.error && ! " GENERATE
           "three --integrand \"$FILE\" --k 1 "
           "2> object.error && ! " GENERATE "tmd --dipole \"a\n$FILE\" --x 1 --q 1 2> line.error");
    command_write(&place, "check.py", check);
    prints("python3 check.py");
    ck_assert_msg(strstr(place.output, "tmd.text") && strstr(place.output, "line.error"), "%s",
                  place.output);
}
END_TEST

/* The name of a member is part of a key of the metadata, where a reader takes few characters. */
START_TEST(members)
{
    command_write(&place, "t.card",
                  "[dipole]\nmembers = m.txt\n[axes]\nx = 0.01\neps = 1\n"
                  "q = 1,2\nk_max = 3\n");
    command_write(&place, "m.txt", "a Q0=1\nb+ Q0=2 S_perp=3\n");
    command_fails(&place, GENERATE "run t.card -o t.cgct", 2, "m.txt:2: member 'b+': a name has",
                  "letters");
    command_write(&place, "m.txt", "a Q0=1\n7 Q0=2\n");
    command_fails(&place, GENERATE "run t.card -o t.cgct", 2, "m.txt:2: member '7': a name has",
                  "not digits alone");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("names");
    TCase *c = tcase_create("names");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_test(c, tables);
    tcase_add_test(c, bytes_as_they_are);
    tcase_add_test(c, pictures_and_pages);
    tcase_add_test(c, events);
    tcase_add_test(c, dipoles);
    tcase_add_test(c, members);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
