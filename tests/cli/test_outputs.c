/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the programs write: standard output, symbolic links, files that may not grow, signals, and
 * files that are read by the same command. */
#include "command.h"
#include "have.h"
#include "run_suite.h"
#include "table_fixture.h"

#define TOOL BIN_DIR "/cgctab "
#define REPORT "PATH=/no/gnuplot " BIN_DIR "/cgctab report --quiet " /* faster without pictures */
#define EVENTS BIN_DIR "/cgctab-events t.cgct --S-perp 1 --beams 18x275 --q 1.5:2 --pt 3 --freeze "
#define THREE                                                                                      \
    GENERATE "three --integrand gaussian --k 1 --p 1 --q 1 --phi-p 0 --phi-q 0 --nodes 20 "        \
             "--last 6 --angles 16 --quiet "
#define EVOLVE GENERATE "evolve --dipole bk:mve --set axes.x=9.9e-3 --set dipole.refine=0.5 "
/* Four nodes of the paper's discretisation, far too coarse. */
#define CARD                                                                                       \
    "[axes]\nx = 1e-3,1e-2\neps = 1,2\nq = 0.5,1\nk_max = 3\n[table]\nlower = 3\nupper = 3\n"      \
    "[accuracy]\ntolerance = 1e-3\nchecks = 0\n[inner]\nbackend = direct\n"                        \
    "delta_grid = uniform\ndelta_n = 20\nr_grid = uniform\nr_n = 24\ndelta_max = 10\nr_max = 20\n" \
    "s_max = 10\ngauss_n = 24\nphi_n = 32\nmodes = 8\n"                                            \
    "[hankel]\ntail_nodes = 4\ntail_terms = 2\ndegree = 4\n"
#define INNER                                                                                      \
    GENERATE "inner --card t.card --set axes.x=0.01 --x 0.01 --eps 1 --q-max 1 --k1-max 2 "

static void inputs(void)
{
    char line[512];
    setup();
    command_write(&place, "t.card", CARD);
    snprintf(line, sizeof line, "cp %s t.cgct && cp %s p.cgct", GOLDEN_SMALL, GOLDEN_PANELS);
    ck_assert_msg(command_run(&place, line) == 0, "%s", place.output);
}

static void works(const char *command)
{
    int status = command_run(&place, command);
    ck_assert_msg(status == 0, "%s: status %d: %s", command, status, place.output);
}

/* Fails in one line that contains `word`, and leaves no file. */
static void leaves_nothing(const char *command, int status, const char *word)
{
    works("ls -A | grep -v '^before$' > before");
    command_fails(&place, command, status, word, "cgctab");
    works("ls -A | grep -v '^before$' | cmp - before");
}

/* The limit is met within each of these. */
START_TEST(limited_size)
{
    static const char *const commands[] = {REPORT "p.cgct -o out",
                                           TOOL "plot slice t.cgct -o out.png",
                                           TOOL "plot slice t.cgct -o - --data out",
                                           EVENTS "-n 300 -o out",
                                           INNER "-o out",
                                           THREE "--modes 7 -o out > /dev/null"};
    char line[512];
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        snprintf(line, sizeof line, "TMPDIR=. && export TMPDIR; " LIMIT_FILES "2; %s", commands[i]);
        leaves_nothing(line, 1, "File too large");
    }
    works(LIMIT_FILES "2; ! " TOOL "info p.cgct > out; rm out");
    ck_assert_msg(strstr(place.output, "standard output: cannot write"), "%s", place.output);
    if (!have("gnuplot")) return;
    works("mkdir d; " LIMIT_FILES "30; ! " GENERATE
          "plot dipole --dipole gbw --x 0.01 -o d && ls d");
    ck_assert_msg(strstr(place.output, "d/dipole.png: gnuplot left it unfinished") &&
                      strstr(place.output, "dipole.dat\ndipole.gp\n"),
                  "%s", place.output);
    works("rm d/*; " LIMIT_FILES "2; ! " GENERATE
          "plot dipole --dipole gbw --x 0.01 -o d && rmdir d");
    ck_assert_ptr_nonnull(strstr(place.output, "d/dipole.dat: cannot write: File too large"));
}
END_TEST

/* The file that was there stays as it was. */
START_TEST(full_device)
{
    works("echo older > out; " LIMIT_FILES "2; ! " REPORT
          "p.cgct -o out && echo older | cmp - out");
    if (access("/dev/full", W_OK)) return;
    leaves_nothing(REPORT "t.cgct -o - > /dev/full", 1, "standard output: cannot write: No space");
    leaves_nothing(EVENTS "--help > /dev/full", 1, "standard output: cannot write: No space");
    leaves_nothing(REPORT "t.cgct -o /dev/full", 1, "/dev/full: cannot write: No space");
}
END_TEST

/* The same bytes as in a file; everything else goes to standard error. */
START_TEST(standard_output)
{
    works(EVENTS "-n 9 -o a > said && " EVENTS "-n 9 -o - > b 2> other && cmp a b && "
                 "cmp said other && test -s said");
    works(EVOLVE "-o - --report > a 2> b && test $(grep -c '^[0-9]' a) = 800 && "
                 "grep 'lambda$' b && ! grep lambda a");
    works(REPORT "t.cgct -o a && " REPORT "t.cgct -o - > b && cmp a b && " REPORT
                 "t.cgct -o /dev/stdout | cmp - a && " REPORT
                 "t.cgct -o c > c && cmp a c && " REPORT
                 "t.cgct -o /dev/stdout > d && cmp a d; tail -n 1 b");
    ck_assert_str_eq(place.output, "</html>\n");
    if (have("gnuplot"))
        works(TOOL "plot slice t.cgct -o a.svg --data a > said && " TOOL
                   "plot slice t.cgct -o - | cmp - a.svg && " TOOL
                   "plot slice t.cgct -o b.svg --data - 2> other | cmp - a && "
                   "sed s/a.svg/b.svg/ said | cmp - other");
    works("! ls ./-*");
    command_fails(&place, TOOL "plot map t.cgct -o - --data -", 2, "--data", "picture's name");
}
END_TEST

/* Nothing of a table, an archive or modes goes to a terminal or a pipe, nor into a file "-". */
START_TEST(binary_is_refused)
{
    static const char *const commands[] = {GENERATE "run t.card -o -",
                                           GENERATE "run t.card --set output.file=-",
                                           GENERATE "merge -o - part",
                                           GENERATE "slurm t.card --nodes 1 -o -",
                                           INNER "-o -",
                                           THREE "-o -"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        leaves_nothing(commands[i], 2, "-: standard output takes text");
    leaves_nothing(GENERATE "plot dipole --dipole gbw --x 0.01 -o -", 2, "want a folder");
    leaves_nothing(GENERATE "run t.card -o /dev/null", 1, "not a regular file");
    works(THREE "--modes 3 -o ./- && rm ./-");
}
END_TEST

/* A link stays a link, and what it leads to is replaced, in the folder where that is. */
START_TEST(links)
{
    static const char *const commands[] = {THREE "--modes 3 -o ", REPORT "t.cgct -o ",
                                           GENERATE "run t.card --quiet -o "};
    char line[1024];
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        snprintf(line, sizeof line,
                 "rm -rf d want; mkdir d; echo older > d/file; ln -s d/file link; "
                 "ln -s \"$PWD/link\" twice; ln -s d/new dangling; %swant > /dev/null && "
                 "%stwice > /dev/null && %sdangling > /dev/null && test -h twice -a -h link && "
                 "test -h dangling && cmp want d/file && cmp want d/new && ls -A d && "
                 "rm link twice dangling",
                 commands[i], commands[i], commands[i]);
        works(line);
        ck_assert_str_eq(place.output, "file\nnew\n");
        works("rm -r d; mkdir d; ln -s d link; ln -s b a; ln -s a b");
        snprintf(line, sizeof line, "%slink > /dev/null", commands[i]);
        leaves_nothing(line, 1, "is a directory");
        snprintf(line, sizeof line, "%sa > /dev/null", commands[i]);
        leaves_nothing(line, 1, "a: cannot create: Too many levels of symbolic links");
        works("rm a b link");
    }
}
END_TEST

/* What a run keeps lies beside the file, not beside the link. */
START_TEST(journal_of_a_link)
{
    works("mkdir d; ln -s d/t.cgct link; (" LIMIT_FILES "12; ! " GENERATE
          "run t.card -o link) && ls d && test -h link");
    ck_assert_msg(strstr(place.output, "d/t.cgct.nodes: cannot write: File too large") &&
                      strstr(place.output, "\nt.cgct.nodes\n"),
                  "%s", place.output);
    works(GENERATE "run t.card -o link --quiet && " GENERATE
                   "run t.card -o want --quiet && cmp link want && ls -A d");
    ck_assert_str_eq(place.output, "t.cgct\n");
    works(GENERATE "run t.card -o shard --shard 1/1 --quiet; ln -s part one; " GENERATE
                   "run t.card -o one --shard 1/2 --quiet; " GENERATE
                   "run t.card -o two --shard 2/2 --quiet; ln -s whole all; " GENERATE
                   "merge one two -o all --quiet && test -h one -a -h all && cmp whole want");
}
END_TEST

/* Waits for the temporary file, ends the program, and finds nothing; after SIGKILL the next writer
 * removes it.  What only looks like such a file stays. */
START_TEST(signals)
{
#define ENDED(signal)                                                                              \
    EVENTS "-n 1e9 -o big & p=$!; until ls big*-part-* >/dev/null 2>&1; do sleep 0.02; done; "     \
           "kill -" signal " $p; wait $p; echo status $?; ls big*"
    command_run(&place, ENDED("TERM"));
    ck_assert_msg(strstr(place.output, "status 143\n") &&
                      strstr(place.output, "cannot access 'big*'"),
                  "%s", place.output);
    command_run(&place, "cp t.card big.part-1-2; " ENDED("KILL"));
    ck_assert_msg(strstr(place.output, "status 137\nbig.cgctab-part-") != NULL, "%s", place.output);
    works(REPORT "t.cgct -o big && ls -A | grep big");
    ck_assert_str_eq(place.output, "big\nbig.part-1-2\n");
    works("{ " EVENTS "-n 900 -o - --quiet; echo $? > status; } | head -n 1 > first; cat status; "
          "test -s first");
    ck_assert_str_eq(place.output, "141\n"); /* SIGPIPE */
    if (have("gnuplot")) works(TOOL "plot slice t.cgct -o a.png --data - | true; ! ls *-part-*");
}
END_TEST

START_TEST(inputs_are_kept)
{
    works("cat *.cgct t.card > all; ln t.cgct hard; ln -s p.cgct soft; cp t.card d.dat");
    leaves_nothing(EVENTS "-o hard", 2, "is the table itself");
    works("printf '1e-4 8\n1e-3 5\n1e-2 2\n' > flux.dat; cp flux.dat kept");
    leaves_nothing(BIN_DIR "/cgctab-events t.cgct --S-perp 1 --beams PbPb5.36 --photon "
                           "table:flux.dat --flavours c --freeze -n 1 -o flux.dat",
                   2, "is read by this command");
    works("cmp flux.dat kept");
    leaves_nothing(TOOL "report p.cgct@up -o soft", 2, "is the table itself");
    leaves_nothing(TOOL "plot map p.cgct@up -o a.svg --data p.cgct", 2, "is the table itself");
    leaves_nothing(GENERATE "run t.card -o ./t.card", 2, "is read by this command");
    leaves_nothing(GENERATE "run t.card --set dipole.kind=table --set dipole.file=d.dat -o d.dat",
                   2, "is read by this command");
    leaves_nothing(INNER "-o t.card", 2, "is read by this command");
    leaves_nothing(GENERATE "evolve t.card --set dipole.kind=bk -o t.card", 2,
                   "is read by this command");
    works("mkdir folder; cp p.cgct folder/q.cgct; ln -s ../t.card folder/dipole.gp");
    leaves_nothing("CGCTAB_DATA_PATH=$PWD/folder " TOOL "report q@up -o folder/q.cgct", 2,
                   "is the table itself");
    leaves_nothing(TOOL "plot slice t.cgct -o a.png --data ./a.png", 2, "is the picture's name");
    leaves_nothing(GENERATE "plot dipole --card t.card --x 0.01 -o folder", 2,
                   "is read by this command");
    leaves_nothing(THREE "--checkpoint hard", 2, "exists");
    leaves_nothing(THREE "-o a --checkpoint ./a --resume", 2, "is the checkpoint");
    works("cmp p.cgct folder/q.cgct && cat p.cgct t.cgct t.card | cmp - all");
}
END_TEST

/* No file gets the descriptor of a stream that the caller closed, and with it what is printed. */
START_TEST(closed_streams)
{
    works(GENERATE "run t.card -o a --shard 1/2 --quiet <&- && " GENERATE
                   "run t.card -o b --shard 1/2 --json-progress >&- 2>&- ; cmp -n 1000 a b");
    works(REPORT "t.cgct -o a && " REPORT "t.cgct -o b >&- ; cmp a b");
}
END_TEST

static void suggests(const char *command, const char *word)
{
    const int status = command_run(&place, command);
    ck_assert_msg((status == 1 || status == 2) && *place.output, "%s: %d %s", command, status,
                  place.output);
    const char *at = strstr(place.output, "did you mean");
    ck_assert_msg(word ? at && strstr(at, word) : !at, "%s: want %s in: %s", command,
                  word ? word : "no suggestion", place.output);
}

/* What was typed is never suggested, nor a letter for another one. */
START_TEST(suggestions)
{
    works("mkdir d.cgct; ln -s nowhere mv.dat");
    suggests(TOOL "info d.cgct@up", NULL);
    suggests("CGCTAB_DATA_PATH=$PWD " TOOL "info d", NULL);
    suggests(TOOL "info d.cgt", "'d.cgct'");
    suggests(GENERATE "tmd --dipole mv.dat --x 0.01 --q 1", NULL);
    suggests(TOOL "plot slice t.cgct -n 3", NULL);
    suggests(TOOL "plot slice t.cgct -O a.png", "'-o'");
    suggests(TOOL "eval t.cgct --teta=0.123456789", "'--theta'");
    suggests(EVENTS "--thread=2", "'--threads'");
    suggests(GENERATE "runn", "'run'");
}
END_TEST

START_TEST(whole_numbers)
{
    static const char *const commands[] = {EVENTS "-o a -n 3.5",
                                           EVENTS "-o a --seed 1.5",
                                           EVENTS "-o a --threads 1.5",
                                           TOOL "info t.cgct --digits 3.5",
                                           TOOL "dump t.cgct --node 0,0.5",
                                           TOOL "plot map t.cgct --m 0.5 -o a.png",
                                           GENERATE
                                           "transform a.cgci --q 1 --k1 1 --theta 0 -j 1.5",
                                           GENERATE "run t.card -o a -j 1.5",
                                           GENERATE "run t.card -o a --shard 1/2.5",
                                           GENERATE "slurm t.card -o a --nodes 1.5",
                                           THREE "--modes 3.5"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        leaves_nothing(commands[i], 2, strstr(commands[i], "shard") ? "1/2.5" : ".5");
    leaves_nothing(TOOL "dump t.cgct --node -1,0", 2, "'-1,0', want IX,IEPS");
    works(EVENTS "-o a --quiet -n 1e1 && grep -c '<event>' a");
    ck_assert_str_eq(place.output, "10\n");
}
END_TEST

/* A beam is not wrong because of its energy, but probably the other one. */
START_TEST(beams_in_order)
{
#define BEAMS BIN_DIR "/cgctab-events none.cgct --S-perp 1 --beams "
    static const char remark[] = "warning: --beams 275x18: the electron comes first";
    ck_assert_int_eq(command_run(&place, BEAMS "275x18 -o a"), 1);
    ck_assert_msg(strstr(place.output, remark) != NULL, "%s", place.output);
    command_fails(&place, BEAMS "275x18 -o a --quiet", 1, "none.cgct: no such", "");
    command_fails(&place, BEAMS "18x275 -o a", 1, "none.cgct: no such", "");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("outputs");
    TCase *c = tcase_create("outputs");
    tcase_add_checked_fixture(c, inputs, teardown);
    tcase_set_timeout(c, 300);
    tcase_add_test(c, limited_size);
    tcase_add_test(c, full_device);
    tcase_add_test(c, standard_output);
    tcase_add_test(c, binary_is_refused);
    tcase_add_test(c, links);
    tcase_add_test(c, journal_of_a_link);
    tcase_add_test(c, signals);
    tcase_add_test(c, inputs_are_kept);
    tcase_add_test(c, closed_streams);
    tcase_add_test(c, suggestions);
    tcase_add_test(c, whole_numbers);
    tcase_add_test(c, beams_in_order);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
