/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run says while it computes: objects for programs, lines for users. */
#include "run_fixture.h"
#include "run_suite.h"

static void card(void)
{
    setup();
    write_file("t.card", CARD);
}

START_TEST(json_progress)
{
    if (!have("python3")) return;
    works(GENERATE "run t.card --quiet -o j.cgct --json-progress > j.txt; python3 -c \"\n"
                   "import json\n"
                   "o = [json.loads(l) for l in open('j.txt')]\n"
                   "n = [e for e in o if e['event'] == 'node']\n"
                   "assert len(n) == 20 and o[0] == {'event': 'start', 'all': 22, 'done': 0}, o\n"
                   "assert [e['done'] for e in o[1:-1]] == list(range(1, 23))\n"
                   "assert o[-1]['nodes'] == 20 and o[-1]['event'] == 'summary'\n"
                   "assert n[-1]['points'] == 24 and n[0]['worst'] > 0\"");
}
END_TEST

static int have_terminals(void)
{
    if (!have("python3")) return 0;
    if (system("python3 -c 'import pty; pty.openpty()' 2>/dev/null") == 0) return 1;
    printf("skipped: no pseudo-terminals\n");
    return 0;
}

/* On a terminal of 50 columns, which shows something at once. */
START_TEST(lines_of_terminal)
{
    if (!have_terminals()) return;
    write_file("term.py",
               "import fcntl, os, pty, struct, sys, termios, time\n"
               "pid, fd = pty.fork()\n"
               "if pid == 0:\n"
               "    time.sleep(0.5)\n"
               "    os.execv(sys.argv[1], sys.argv[1:])\n"
               "fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 20, 50, 0, 0))\n"
               "text = b''\n"
               "try:\n"
               "    while True: text += os.read(fd, 4096)\n"
               "except OSError: pass\n"
               "lines = text.decode().split('\\r\\033[K')\n"
               "assert lines[1] == 'cgctab-generate run: dipole ...', lines\n"
               "assert lines[2] == 'cgctab-generate run: grids of the nodes ...', lines\n"
               "assert lines[3] == 'cgctab-generate run: 0/22 items done', lines\n"
               "assert len(lines[4:-2]) == 21, lines\n"
               "assert all(len(l) == 49 and ' left, worst' in l for l in lines[4:-2]), lines\n"
               "assert lines[-1].startswith('cgctab-generate run: table: reduction'), lines\n"
               "print(lines)\n");
    works("python3 term.py " GENERATE "run t.card -o tty.cgct");
}
END_TEST

/* A run that goes on knows the worst estimate of the nodes that are there already. */
START_TEST(worst_is_kept)
{
    begun("w.cgct");
    works("cat begun.log");
    const double first = said(", worst ");
    works(GENERATE "run t.card -o w.cgct 2>&1 | grep already");
    const double kept = said("already, worst "); /* of all nodes that were done by then */
    ck_assert_msg(first > 0 && kept >= 0.95 * first, "%g, then %g", first, kept); /* two digits */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("run_progress");
    TCase *t = tcase_create("run_progress");
    tcase_add_checked_fixture(t, card, teardown);
    tcase_set_timeout(t, 600);
    tcase_add_test(t, json_progress);
    tcase_add_test(t, lines_of_terminal);
    tcase_add_test(t, worst_is_kept);
    suite_add_tcase(s, t);
    return run_suite(s) ? EXIT_FAILURE : EXIT_SUCCESS;
}
