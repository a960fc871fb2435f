/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Production runs as a user meets them: killed, resumed, divided, refused; always the same bytes.
 */
#include <time.h>
#include <unistd.h>

#include "format/journal.h"
#include "run_fixture.h"
#include "run_suite.h"

static char first_folder[64]; /* of the card and the table that every test wants */
static double alone;          /* seconds that it took, on this machine under this load */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void make_first(void)
{
    setup();
    strcpy(first_folder, place.folder);
    write_file("t.card", CARD);
    double start = now();
    works(GENERATE "run t.card --quiet -o want.cgct");
    alone = now() - start;
}

static void remove_first(void)
{
    strcpy(place.folder, first_folder);
    teardown();
}

static void cards(void)
{
    char line[128];
    setup();
    snprintf(line, sizeof line, "cp %s/* .", first_folder);
    works(line);
}

START_TEST(same_bytes)
{
    works(GENERATE "run t.card --quiet -o a.cgct -j 1 && cmp a.cgct want.cgct");
    works("OMP_NUM_THREADS=5 " GENERATE "run t.card --quiet -o b.cgct && cmp b.cgct want.cgct");
    works(GENERATE "run t.card --quiet -o c.cgct --set run.memory=1e-6 && cmp c.cgct want.cgct");
    works("for i in 4 1 3 2; do " GENERATE
          "run t.card --quiet -o s$i --shard $i/4 || exit 1; done; "
          "rm -f t.card; ulimit -Sn 6; " GENERATE
          "merge -o d.cgct s3 s1 s2 s4 --quiet && cmp d.cgct want.cgct");
    works(CGCTAB "verify d.cgct");
    ck_assert_int_ne(run("ls *.nodes *-part-*"), 0);
}
END_TEST

/* What the journal held before a kill it holds afterwards, record by record, each item once. */
typedef struct {
    size_t n;
    cgct_chunk r[ITEMS];
} durable;

static durable look(void)
{
    durable d = {0};
    journal *j;
    char path[64];
    snprintf(path, sizeof path, "%s/k.cgct.nodes", place.folder);
    if (journal_open_read(&j, path, NULL) != CGCT_OK) return d;
    d.n = j->n;
    ck_assert_uint_le(d.n, ITEMS);
    for (size_t i = 0; i < d.n; i++) d.r[i] = j->record[i];
    journal_close(j);
    return d;
}

static void compare(const durable *before, const durable *after)
{
    int seen[ITEMS] = {0};
    ck_assert_msg(after->n >= before->n, "%zu records, %zu before", after->n, before->n);
    for (size_t i = 0; i < after->n; i++) {
        ck_assert_msg(!seen[after->r[i].index]++, "item %u twice", after->r[i].index);
        if (i < before->n)
            ck_assert_int_eq(memcmp(&before->r[i], &after->r[i], sizeof *after->r), 0);
    }
}

/* Kills at random moments of the run, until the table is there; then again. */
START_TEST(killed)
{
    const char *more = getenv("CHECK_LONG");
    int kills = more && *more ? 200 : 25, tables = 0, status = 0;
    uint64_t state = 7;
    durable before = {0};
    for (int done = 0; done < kills || status; done++) {
        char line[256];
        double after = 0.6 * alone * uniform(&state);
        if (done >= kills) after = 60;
        snprintf(line, sizeof line, "timeout -s KILL %.4f " GENERATE "run t.card --quiet -o k.cgct",
                 after);
        status = run(line);
        ck_assert_msg(status == 0 || status == 137, "status %d: %s", status, place.output);
        /* A kill may also come when all is done and only the process is left to end. */
        if (status == 0 || run("test -f k.cgct && ! test -f k.cgct.nodes") == 0) {
            status = 0;
            works("cmp k.cgct want.cgct && rm k.cgct");
            ck_assert_int_ne(run("ls k.cgct*"), 0);
            before.n = 0;
            tables++;
            continue;
        }
        durable now = look();
        compare(&before, &now);
        before = now;
    }
    ck_assert_int_gt(tables, 0);
}
END_TEST

/* After the first node is durable; before that nothing is left at all. */
START_TEST(stopped)
{
    static const char *const name[] = {"TERM", "INT", "HUP"};
    for (int i = 0; i < 3; i++) {
        char line[256];
        int kept = 0;
        for (double after = 0.05; !kept; after *= 1.3) {
            snprintf(line, sizeof line,
                     "timeout --preserve-status -s %s %.3f " GENERATE
                     "run t.card --quiet -o s.cgct -j 1",
                     name[i], after);
            int status = run(line);
            kept = strstr(place.output, "are kept in s.cgct.nodes") != NULL;
            const int unheard = status > 128 && !*place.output; /* the program had hardly begun */
            ck_assert_msg(unheard || (status == 1 && strchr(place.output, '\n')[1] == 0),
                          "status %d: %s", status, place.output);
            ck_assert_msg(unheard || kept || strstr(place.output, "nothing is left behind"), "%s",
                          place.output);
            works(kept ? "test \"$(ls s.cgct*)\" = s.cgct.nodes" : "! ls s.cgct* 2>/dev/null");
        }
        works(GENERATE "run t.card -o s.cgct && cmp s.cgct want.cgct && rm s.cgct");
        ck_assert_msg(strstr(place.output, "are in s.cgct.nodes already") != NULL, "%s",
                      place.output);
    }
}
END_TEST

/* The journal as another version of the program would have begun it. */
static void older_program(const char *name)
{
    char path[256], *text;
    int existing;
    journal *j;
    cgct_err err;
    snprintf(path, sizeof path, "%s/%s", place.folder, name);
    ck_assert_msg(journal_open(&j, path, "", &existing, &err) == CGCT_OK, "%s", err.text);
    ck_assert_int_eq(existing, 1);
    text = strdup(j->text);
    ck_assert_ptr_nonnull(text);
    char *version = strstr(text, "cgctab-generate ");
    ck_assert_ptr_nonnull(version);
    version[strlen("cgctab-generate ")] = '0' + (version[strlen("cgctab-generate ")] == '0');
    version[strlen("cgctab-generate ") + 2] = '9';
    ck_assert_int_eq(journal_reset(j, text, NULL), CGCT_OK);
    free(text);
    journal_close(j);
}

static void refused(const char *command, const char *a, const char *b)
{
    command_fails(&place, command, 2, a, b);
}

START_TEST(changed_runs_refused)
{
    begun("c.cgct");
    works("cp c.cgct.nodes before");
    refused(GENERATE "run t.card -o c.cgct --set axes.q=0.5,1.25",
            "axes.q was '0.5,1', is '0.5,1.25'", "--restart");
    refused(GENERATE "run t.card -o c.cgct --set dipole.kind=mv", "dipole was 'gbw", "is 'mv");
    refused(GENERATE "run t.card -o c.cgct --shard 1/2", "shard was '1/1', is '1/2'",
            "c.cgct.nodes");
    works("echo '; a remark' >> t.card");
    refused(GENERATE "run t.card -o c.cgct --shard 1/1", "line ", "; a remark");
    works("cmp before c.cgct.nodes");
    /* how nodes are stored, and what the card says beside its keys, may change */
#define STORED " --quiet --set output.bound=1e-4 --set table.reduce=0 --set output.licence=none"
    works(GENERATE "run t.card -o c.cgct" STORED " && " GENERATE "run t.card -o f.cgct" STORED
                   " && cmp c.cgct f.cgct && " CGCTAB "get c.cgct card");
    ck_assert_ptr_nonnull(strstr(place.output, "; a remark\n--set output.bound=1e-4\n"));
    works(CGCTAB "get c.cgct card > a.card && " GENERATE "run a.card --quiet -o f.cgct && cmp "
                 "c.cgct f.cgct");
    works("sed -i '$d' t.card; cp before c.cgct.nodes; rm c.cgct f.cgct");
    older_program("c.cgct.nodes");
    refused(GENERATE "run t.card -o c.cgct", "program was 'cgctab-generate ", "--restart");
    works("cp before c.cgct.nodes");
    works(GENERATE "run t.card --quiet -o c.cgct -j 2 && cmp c.cgct want.cgct");
#undef STORED
    begun("c.cgct");
    works(GENERATE "run t.card --quiet -o c.cgct --restart --set axes.q=0.5,1.25");
    works(CGCTAB "axes c.cgct");
    ck_assert_ptr_nonnull(strstr(place.output, "1.25"));
}
END_TEST

START_TEST(changed_dipole_refused)
{
    works("awk 'BEGIN { for (y = 0; y < 1.05; y += 0.1) for (r = 1e-4; r < 6; r *= 1.1) "
          "printf \"%.1f %.17g %.17g\\n\", y, r, 1 - exp(-r*r*(1 + y)/4) }' > d.dat");
#define WITH "--set dipole.kind=table --set dipole.file=d.dat --set 'axes.x=geom 0.4 0.9 4' "
    begun_with("d.cgct", WITH);
    works("sed -i '20s/1 *$/2/; 20s/[0-9] *$/7/' d.dat");
    refused(GENERATE "run t.card -o d.cgct " WITH, "dipole was ", "crc64");
}
END_TEST

/* A long run and another on its output, which first waits a little: a killed one holds its lock
 * until it is cleared away. */
START_TEST(second_run_refused)
{
    int status =
        run(GENERATE "run t.card --quiet -o l.cgct --set 'axes.x=geom 1e-3 1e-2 400' & p=$!; "
                     "until [ -s l.cgct.nodes ]; do sleep 0.01; done; " GENERATE
                     "run t.card -o l.cgct; code=$?; kill -KILL $p; exit $code");
    ck_assert_msg(status == 1 && strstr(place.output, "another run is writing it (process "),
                  "status %d: %s", status, place.output);
    works(GENERATE "run t.card --quiet -o l.cgct --restart && cmp l.cgct want.cgct");
}
END_TEST

/* Files may not grow beyond so many KiB: nodes that fitted are kept, the rest follows. */
START_TEST(full_disk)
{
    int failures = 0;
    for (int kib = 4; kib <= 28; kib += 4) {
        char line[512];
        snprintf(line, sizeof line, LIMIT_FILES "%d; " GENERATE "run t.card --quiet -o f.cgct",
                 kib);
        int status = run(line);
        if (status == 0) break;
        ck_assert_msg(status == 1 && strstr(place.output, "f.cgct.nodes: cannot write: ") &&
                          strchr(place.output, '\n')[1] == 0,
                      "status %d: %s", status, place.output);
        works("test ! -e f.cgct");
        failures++;
    }
    ck_assert_int_gt(failures, 2);
    works(GENERATE "run t.card -o f.cgct && cmp f.cgct want.cgct");
    ck_assert_ptr_nonnull(strstr(place.output, "already"));
}
END_TEST

START_TEST(merge_refusals)
{
    works("for i in 1 2 3; do " GENERATE "run t.card --quiet -o s$i --shard $i/3 || exit 1; done; "
          "cp s2 s2copy; " GENERATE "run t.card --quiet -o other --shard 1/2; " GENERATE
          "run t.card --quiet -o q --shard 3/3 --set axes.k_max=4; " GENERATE
          "run t.card --quiet -o c --shard 3/3 --set correlator.Nc=3; head -c -9000 s3 > torn");
    command_fails(&place, GENERATE "merge -o m s1 s3", 1, "shard 2 of 3 is missing", "merge: ");
    command_fails(&place, GENERATE "merge s1 s2 s2copy s3 -o m", 1, "s2 and s2copy",
                  "both shard 2");
    command_fails(&place, GENERATE "merge -o m s1 other", 1, "s1 is a shard of 3",
                  "other one of 2");
    command_fails(&place, GENERATE "merge -o m s1 s2 q", 1, "s1 and q",
                  "axes.k_max was '3', is '4'");
    command_fails(&place, GENERATE "merge -o m s1 s2 c", 1, "s1 and c", "correlator of Nc = 3");
    command_fails(&place, GENERATE "merge -o m s1 s2 torn", 1, "torn: shard 3",
                  "run its command again");
    command_fails(&place, GENERATE "merge -o m s1 s2 want.cgct", 1, "want.cgct", "not a journal");
    command_fails(&place, GENERATE "merge -o m s1 none", 1, "none", "No such file");
    command_fails(&place, GENERATE "merge -o ./s1 s1 s2 s3", 2, "-o ./s1 is one of the parts",
                  "name another file");
    command_fails(&place, GENERATE "merge -o m", 2, "SHARD", "--help");
    command_fails(&place, GENERATE "merge s1 s2 s3", 2, "-o FILE", "--help");
    command_fails(&place, GENERATE "merge -o - s1 s2 s3", 2, "standard output", "name a file");
    command_fails(&place, GENERATE "run t.card -o s --shard 4/3", 2, "4/3", "1 <= I <= N");
    command_fails(&place, GENERATE "run t.card -o s --shard 1.5/3", 2, "1.5/3", "1 <= I <= N");
    command_fails(&place, GENERATE "run t.card -o s2 --shard 1/3", 2, "s2 is another shard",
                  "name another file");
    /* and where that one ends only while this one waits for it */
    command_fails(&place,
                  GENERATE
                  "run t.card --quiet -o same --shard 1/3 & while ! test -s same.nodes; do "
                  ":; done; " GENERATE "run t.card --quiet -o same --shard 2/3",
                  2, "same is another shard", "name another file");
    works("test ! -e same.nodes && " GENERATE "merge --quiet -o joined same s2 s3 && cmp joined "
          "want.cgct");
    /* a finished part that was damaged: what is whole of it counts */
    works("n=$(($(wc -c < s3) - 100)); cp s3 part; printf '\\377' | dd of=part bs=1 seek=$n "
          "conv=notrunc status=none; " GENERATE "run t.card -o part --shard 3/3");
    ck_assert_msg(strstr(place.output, "run: 7 of 8 items are in") ||
                      strstr(place.output, "run: 6 of 7 items are in"),
                  "%s", place.output);
    works(GENERATE "merge --quiet -o joined s1 s2 part && cmp joined want.cgct");
    works(GENERATE "run t.card --quiet -o one --shard 1/1 && " GENERATE
                   "merge --quiet -o joined one && cmp joined want.cgct");
    works("test ! -e m && " GENERATE "run t.card -o s1 --shard 1/3");
    ck_assert_ptr_nonnull(strstr(place.output, "complete already"));
    older_program("s1");
    command_fails(&place, GENERATE "merge -o m s2 s1 s3", 1, "program was",
                  "not parts of one table");
    command_fails(&place, GENERATE "merge -o m s1 s2 s3", 1, "s1 was made by", "this is");
}
END_TEST

/* Before anything is computed. */
START_TEST(what_no_table_holds)
{
    works("n=$(printf '%0245d' 0); ! " GENERATE "run t.card -o $n && test ! -e $n.nodes");
    ck_assert_ptr_nonnull(strstr(place.output, "cannot create: File name too long"));
    works(GENERATE "run t.card --quiet -o $(printf '%0226d' 0) && rm $(printf '%0226d' 0)");
    /* momenta of checks end at k_max, wherever the grid in k begins */
    works(GENERATE "run t.card --quiet -o k.cgct --set axes.k_max=0.2 --set table.k0=5");
    static const char *const wrong[][3] = {
        {"axes.eps=4,4.000000001", "eps[1] = 4.000000001", "nodes must be positive and rise"},
        {"'axes.q=geom 1 2 4097'", "4097 nodes in q", "a table holds 2 to 4096"},
        {"'axes.eps=geom 1 4 4097'", "4097 nodes in eps", "a table holds 1 to 4096"},
        {"'axes.x=geom 1e-4 1e-3 40' --set 'axes.eps=geom 1 2 40' --set table.reduce=0",
         "1600 nodes in a panel, at most 1024", "table.reduce = 1"},
        {"output.bound=1e-8", "output.bound: 1e-08 lies outside", "3e-8"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char command[256];
        snprintf(command, sizeof command, GENERATE "run t.card -o no.cgct --set %s", wrong[i][0]);
        refused(command, wrong[i][1], wrong[i][2]);
    }
    ck_assert_int_ne(run("ls no.cgct*"), 0);
}
END_TEST

/* The dipole mv is the same at every x: its nodes are computed once. */
START_TEST(one_x_for_all)
{
    works(GENERATE "run t.card -o one.cgct --set dipole.kind=mv --set accuracy.checks=0");
    ck_assert_msg(strstr(place.output, "5/5, ") && strstr(place.output, "nodes                5"),
                  "%s", place.output);
    works(CGCTAB
          "verify one.cgct && " CGCTAB "eval one.cgct --x 0.001 --eps 2 --q 1 --k1 1 --theta 1 | "
          "tail -n 1 | cut -d' ' -f2- > a; " CGCTAB
          "eval one.cgct --x 0.01 --eps 2 --q 1 --k1 1 --theta 1 | tail -n 1 | cut -d' ' -f2- > b; "
          "cmp a b && test -s a");
}
END_TEST

/* Between coarse momenta a polynomial of degree five is far closer to direct values. */
START_TEST(orders_of_momenta)
{
    write_file("o.card", "[axes]\nx = 0.001\neps = 1\nq = geom 1 3 12\nk_max = 4\n"
                         "[table]\nlower = 14\nupper = 10\n"
                         "[accuracy]\ntolerance = 1e-4\nchecks = 1\n");
    works("for o in 4 6; do " GENERATE
          "run o.card --quiet -o o$o.cgct --set table.order_q=$o --set table.order_v=$o && " CGCTAB
          "get o$o.cgct interpolation.median >> median; done; "
          "awk '{ v[NR] = $1 } END { exit !(NR == 2 && 3 * v[2] < v[1] && v[2] > 0) }' median");
    command_fails(&place, GENERATE "run t.card -o a --set table.order_q=9", 2, "order_q", "[2,8]");
    command_fails(&place,
                  GENERATE "run t.card -o a --set 'axes.x=geom 1e-3 1e-2 20' --set "
                           "table.order_x=9",
                  2, "table.order_x = 9", "cheb");
    command_fails(&place, GENERATE "run t.card -o a --set table.rank_bound=1e-6", 2,
                  "table.rank_bound = 1e-06", "nothing");
    command_fails(&place, GENERATE "run t.card -o a --set axes.q=1", 2, "axes.q", "two or more");
}
END_TEST

/* An sbatch that runs its script at once, for every index of an array. */
#define SBATCH                                                                                     \
    "#!/bin/sh\ncat > job.$$\nn=1\nfor a; do case $a in\n--array=1-*) n=${a#--array=1-} ;;\n"      \
    "--output=*[!%]%[!%a]*) exit 1 ;;\n--export=*,*) exit 1 ;;\nesac; done\n"                      \
    "for i in $(seq $n); do SLURM_ARRAY_TASK_ID=$i SLURM_CPUS_ON_NODE=2 SLURM_MEM_PER_CPU=512 "    \
    "sh -x job.$$ >&2 || exit 1; done\necho $$\n"

/* The submitted script itself, with a name that a shell would take apart; twice: nothing to do. */
START_TEST(slurm_script)
{
    write_file("sbatch", SBATCH);
    works(
        "chmod +x sbatch; " GENERATE
        "run t.card --quiet -o w --set axes.x=0.001,0.002 --set accuracy.checks=0; " GENERATE
        "slurm t.card --nodes 3 -o \"it's a,b%n.cgct\" --set axes.x=0.001,0.002 "
        "--set accuracy.checks=0 > s.sh && PATH=$PWD:$PATH sh s.sh && cmp \"it's a,b%n.cgct\" w && "
        "! ls *.cgct.[0-9]*");
    ck_assert_ptr_nonnull(strstr(place.output, "shard 3 of 3 is complete"));
    ck_assert_ptr_nonnull(strstr(place.output, "--jobs 2 --set run.memory=0.8 "));
    works(GENERATE "slurm t.card -o a --nodes 2 --backend auto --device all --no-cache");
    ck_assert_ptr_nonnull(strstr(place.output, " --backend 'auto' --device 'all' --no-cache\n"));
    command_fails(&place, GENERATE "slurm t.card -o a", 2, "--nodes", "is missing");
    command_fails(&place, GENERATE "slurm t.card -o a --nodes 2.5", 2, "--nodes", "2.5");
    command_fails(&place, GENERATE "slurm t.card -o - --nodes 2", 2, "standard output", "a file");
    command_fails(&place, GENERATE "slurm t.card -o a --nodes 99", 2, "99", "22 (x,eps)");
    command_fails(&place, GENERATE "slurm t.card --nodes 2", 2, "no output file", "-o FILE");
    command_fails(&place, GENERATE "slurm none.card --nodes 2 -o a", 1, "none.card", "No such");
    write_file("proton.dat", "");
    for (int i = 0; i < 2; i++)
        command_fails(&place,
                      i ? GENERATE "slurm t.card --nodes 2 -o a --set dipole.kind=table "
                                   "--set dipole.file=prton.dat"
                        : GENERATE "run t.card -o a --set dipole.members=prton.dat",
                      1, "prton.dat: ", "did you mean 'proton.dat'?");
}
END_TEST

/* Compares the last line of two outputs of eval: values of T and L within E of each other. */
#define CLOSE(a, b, E)                                                                             \
    "paste " a " " b " | awk 'function d(x, y) { return x > y ? x / y - 1 : y / x - 1 } "          \
    "{ exit !(d($6, $13) < " E " && d($7, $14) < " E ") }'"

/* Three dipoles in one file: each member is the table that its dipole alone gives, but for
 * reduction and rounding. */
START_TEST(ensemble)
{
    write_file("e.txt", "# three\na Q0=1\n b  Q0=1.1 lambda=0.3\nc kind=mv set=mve ? # ?\n");
    command_fails(&place, GENERATE "run t.card -o e --set dipole.members=e.txt", 2, "e.txt:4",
                  "'?'");
    write_file("e.txt", "# three\n\na Q0=1\n b \t Q0=1.1\tlambda=0.3 # b\r\nc kind=mv set=mve\n");
    works(GENERATE "run t.card --quiet -o e.cgct --set dipole.members=e.txt && "
                   "for i in 1 2 3; do " GENERATE "run t.card --quiet -o e$i --shard $i/3 "
                   "--set dipole.members=e.txt || exit 1; done; " GENERATE
                   "merge -o m.cgct e3 e1 e2 --quiet && cmp m.cgct e.cgct && " CGCTAB
                   "verify e.cgct");
    works(GENERATE
          "run t.card --quiet -o c.cgct --set dipole.kind=mv --set dipole.set=mve --set "
          "table.reduce=0; " GENERATE
          "run t.card --quiet -o e.cgct --set dipole.members=e.txt --set "
          "table.reduce=0; " GENERATE "run t.card --quiet -o plain.cgct --set table.reduce=0; "
          "P='--x 0.002 --eps 1.5 --q 0.7 --k1 1.2 --theta 1'; "
          "for f in plain.cgct e.cgct@a c.cgct e.cgct@c e.cgct@b; do " CGCTAB
          "eval $f $P > v; test $? = 0 || exit 1; tail -n 1 v > v.$f; done; " CLOSE(
              "v.plain.cgct", "v.e.cgct@a", "1e-4") " && " CLOSE("v.c.cgct", "v.e.cgct@c", "1e-4"));
    works("paste v.plain.cgct v.e.cgct@b | awk '{ r = $6 / $13; exit !(r > 1.01 && r < 10 || "
          "r < 0.99 && r > 0.1) }'");
    /* from the card and the list of a table the same table follows */
    works(CGCTAB "get e.cgct members.list > again.txt; printf 'a Q0=1\nb Q0=1.1 lambda=0.3\n"
                 "c kind=mv set=mve\n' | cmp - again.txt && " CGCTAB
                 "get e.cgct card > again.card && " GENERATE
                 "run again.card --quiet -o again.cgct --set dipole.members=again.txt "
                 "--set table.reduce=0 && for f in e again; do " CGCTAB
                 "eval $f.cgct@c --x 0.002 --eps 1.5 --q 0.7 --k1 1.2 --theta 1 > v.$f; done; "
                 "cmp v.e v.again");
    write_file("e.txt", "a Q0=1\nb Q0=1.1\nc Q0=1.2 comparison\nd comparison Q0=1.3\n");
    works("O='--set dipole.members=e.txt --set dipole.uncertainty=replicas --set "
          "output.citation=arXiv:1234.5678;9 --set axes.x=0.001,0.002 --set axes.eps=1,2 "
          "--set accuracy.checks=0'; for i in 1 2; do " GENERATE
          "run t.card --quiet -o e$i --shard $i/2 $O || exit 1; done; " GENERATE
          "merge -o e.cgct e1 e2 --quiet; test \"$(" CGCTAB
          "get e.cgct comparison)\" = 'c d' && " CGCTAB "get e.cgct members.list | cmp - e.txt && "
          "test \"$(" CGCTAB "get e.cgct citation)\" = 'arXiv:1234.5678;9' && "
          "! " CGCTAB "get e.cgct licence 2>/dev/null");
    write_file("e.txt", "a Q0=1\nb Q0=1.1\nc Q0=1.2 comparison\n");
    command_fails(&place,
                  GENERATE "run t.card -o e --set dipole.members=e.txt --set "
                           "dipole.uncertainty=hessian",
                  2, "e.txt: 2 members", "pairs besides those for comparison");
    write_file("e.txt", "a Q0=1 comparison\nb Q0=2\n");
    command_fails(&place, GENERATE "run t.card -o e --set dipole.members=e.txt", 2, "e.txt:1",
                  "central");
    write_file("e.txt", "a Q0=1\na Q0=2\n");
    command_fails(&place, GENERATE "run t.card -o e --set dipole.members=e.txt", 2, "e.txt:2",
                  "twice");
    write_file("e.txt", "a Q0=1\nb Q0=0\n");
    command_fails(&place, GENERATE "run t.card -o e --set dipole.members=e.txt", 2, "e.txt:2",
                  "dipole.Q0");
    write_file("e.txt", "a Q0=1\n");
    command_fails(&place, GENERATE "run t.card -o e --set dipole.members=e.txt", 2,
                  "e.txt: 1 members", "two");
    command_fails(&place, GENERATE "run t.card -o e --set dipole.members=no.txt", 1, "no.txt",
                  "No such");
    command_fails(&place,
                  GENERATE "point --card t.card --k1 1 --theta 0 --set dipole.members=e.txt", 2,
                  "the card has the members of e.txt", "--member NAME");
}
END_TEST

START_TEST(places_that_cannot_be_written)
{
    command_fails(&place, GENERATE "run t.card -o /sys/t.cgct", 1, "/sys/t.cgct", "cannot create");
    command_fails(&place, GENERATE "run t.card -o none/t.cgct", 1, "none/t.cgct", "No such file");
    write_file("u.cgct.nodes", "a user's own file");
    command_fails(&place, GENERATE "run t.card -o u.cgct", 1, "u.cgct.nodes", "not a journal");
    works("test $(wc -c < u.cgct.nodes) -eq 17");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("run");
    TCase *t = tcase_create("run");
    tcase_add_unchecked_fixture(t, make_first, remove_first);
    tcase_add_checked_fixture(t, cards, teardown);
    tcase_set_timeout(t, 600);
    tcase_add_test(t, same_bytes);
    tcase_add_test(t, killed);
    tcase_add_test(t, stopped);
    tcase_add_test(t, changed_runs_refused);
    tcase_add_test(t, changed_dipole_refused);
    tcase_add_test(t, second_run_refused);
    tcase_add_test(t, full_disk);
    tcase_add_test(t, merge_refusals);
    tcase_add_test(t, what_no_table_holds);
    tcase_add_test(t, one_x_for_all);
    tcase_add_test(t, orders_of_momenta);
    tcase_add_test(t, ensemble);
    tcase_add_test(t, slurm_script);
    tcase_add_test(t, places_that_cannot_be_written);
    suite_add_tcase(s, t);
    return run_suite(s) ? EXIT_FAILURE : EXIT_SUCCESS;
}
