/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the writer refuses, and what it leaves behind when the system refuses: nothing. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "table_folder.h"
#include "run_suite.h"

static const double good_axis[2] = {1, 2};

static cgct_writer_spec good_spec(void)
{
    return (cgct_writer_spec){.nx = 2,
                              .neps = 2,
                              .nq = 2,
                              .nk = 2,
                              .x = good_axis,
                              .eps = good_axis,
                              .q = good_axis,
                              .k = good_axis,
                              .card = "card",
                              .generator = "g",
                              .dipole = "d",
                              .backend = "b",
                              .level = 3};
}

/* open must fail with this status and a message that holds `word`; nothing may be left. */
static void refused(const cgct_writer_spec *spec, const char *path, cgct_status want,
                    const char *word)
{
    cgct_writer *w = (cgct_writer *)&w;
    cgct_err err = {""};
    cgct_status st = cgct_writer_open(&w, path, spec, &err);
    ck_assert_msg(st == want && strstr(err.text, word), "status %d, want %d and '%s': %s", st, want,
                  word, err.text);
    ck_assert_ptr_null(w);
    ck_assert_int_eq(empty_folder(folder), 0);
}

START_TEST(specs_refused)
{
    static const double falling[2] = {2, 1}, equal[2] = {1, 1}, zero[2] = {0, 1};
    double nan_axis[2] = {1, NAN}, inf_axis[2] = {1, INFINITY};
    const double *bad[] = {falling, equal, zero, nan_axis, inf_axis};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cgct_writer_spec s = good_spec();
        s.q = bad[i];
        refused(&s, table, CGCT_E_USAGE, "axis q");
    }
    cgct_writer_spec s = good_spec();
    s.nk = 0;
    refused(&s, table, CGCT_E_USAGE, "axis k");
    s = good_spec();
    s.x = NULL;
    refused(&s, table, CGCT_E_USAGE, "NULL");
    s = good_spec();
    s.card = NULL;
    refused(&s, table, CGCT_E_USAGE, "NULL");
    s = good_spec();
    s.level = -1;
    refused(&s, table, CGCT_E_USAGE, "level -1");
    s.level = 99;
    refused(&s, table, CGCT_E_USAGE, "level 99");
    s = good_spec();
    s.bound = 1e-12;
    refused(&s, table, CGCT_E_USAGE, "bound 1e-12");
    s.bound = NAN;
    refused(&s, table, CGCT_E_USAGE, "bound nan");
    s = good_spec();
    s.order[1] = 9;
    refused(&s, table, CGCT_E_USAGE, "order 9");
    s = good_spec();
    s.split = 3;
    refused(&s, table, CGCT_E_USAGE, "split 3");
    s = good_spec();
    s.fold = 2;
    refused(&s, table, CGCT_E_USAGE, "fold 2");
    s.fold = 1;
    refused(&s, table, CGCT_E_USAGE, "fold power 0");
    s = good_spec();
    s.generator = "0123456789012345678901234567890123456789012345678901234567890123";
    refused(&s, table, CGCT_E_USAGE, "64 bytes");
    refused(NULL, table, CGCT_E_USAGE, "NULL");
}
END_TEST

START_TEST(nodes_refused)
{
    double modes[24], error[8];
    cgct_writer *w;
    cgct_err err;
    cgct_writer_spec s = good_spec();
    cgct_node node = {3, modes, error};
    for (int i = 0; i < 24; i++) modes[i] = 1;
    for (int i = 0; i < 8; i++) error[i] = 0.1;
    ck_assert_int_eq(cgct_writer_open(&w, table, &s, NULL), CGCT_OK);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        modes[7] = bad[i];
        ck_assert_int_eq(cgct_writer_node(w, 0, 0, &node, &err), CGCT_E_DOMAIN);
        ck_assert_msg(strstr(err.text, "mode 1 of point 2") && strstr(err.text, "eps = 1"), "%s",
                      err.text);
        modes[7] = 1;
        error[5] = i == 2 ? -1 : bad[i];
        ck_assert_int_eq(cgct_writer_node(w, 0, 0, &node, &err), CGCT_E_DOMAIN);
        error[5] = 0.1;
    }
    node.nm = 0;
    ck_assert_int_eq(cgct_writer_node(w, 0, 0, &node, &err), CGCT_E_USAGE);
    node.nm = 5000;
    ck_assert_int_eq(cgct_writer_node(w, 0, 0, &node, &err), CGCT_E_USAGE);
    node.nm = 3;
    ck_assert_int_eq(cgct_writer_node(w, 2, 0, &node, &err), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_writer_node(w, 0, 2, &node, &err), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_writer_node(w, 0, 0, NULL, &err), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_writer_node(w, 0, 1, &node, &err), CGCT_OK);
    ck_assert_int_eq(cgct_writer_node(w, 0, 1, &node, &err), CGCT_E_USAGE);
    ck_assert_msg(strstr(err.text, "twice"), "%s", err.text);
    ck_assert_int_eq(cgct_writer_close(w, NULL, &err), CGCT_E_USAGE);
    ck_assert_msg(strstr(err.text, "3 of 4 nodes missing, the first x = 1, eps = 1"), "%s",
                  err.text);
    ck_assert_int_eq(empty_folder(folder), 0);
    cgct_writer_abort(NULL);
    ck_assert_int_eq(cgct_writer_close(NULL, NULL, &err), CGCT_E_USAGE);
}
END_TEST

START_TEST(metadata_refused)
{
    static const char *const bad[] = {"no tab\n",       "key\tno newline", "\tno key\n",
                                      "a b\tspace\n",   "card\ttwice\n",   "k\t1\nk\t2\n",
                                      "\xce\xb5\tkey\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double modes[8] = {1, 1, 1, 1, 1, 1, 1, 1}, error[8] = {0};
        cgct_writer *w;
        cgct_err err;
        cgct_writer_spec s = good_spec();
        s.nx = s.neps = 1;
        cgct_node node = {1, modes, error};
        ck_assert_int_eq(cgct_writer_open(&w, table, &s, NULL), CGCT_OK);
        ck_assert_int_eq(cgct_writer_node(w, 0, 0, &node, NULL), CGCT_OK);
        ck_assert_int_eq(cgct_writer_close(w, bad[i], &err), CGCT_E_USAGE);
        ck_assert_msg(strstr(err.text, table) && strstr(err.text, "metadata"), "%s", err.text);
        ck_assert_int_eq(empty_folder(folder), 0);
    }
}
END_TEST

START_TEST(abort_leaves_nothing)
{
    cgct_writer *w;
    cgct_writer_spec s = good_spec();
    ck_assert_int_eq(cgct_writer_open(&w, table, &s, NULL), CGCT_OK);
    cgct_writer_abort(w);
    ck_assert_int_eq(empty_folder(folder), 0);
}
END_TEST

START_TEST(targets_refused)
{
    cgct_writer_spec s = good_spec();
    char path[PATH_SIZE];
    struct stat st;
    path_in(folder, "none/t.cgct", path);
    refused(&s, path, CGCT_E_IO, "No such file or directory");
    refused(&s, folder, CGCT_E_IO, "is a directory");
    refused(&s, "", CGCT_E_USAGE, "empty");
    if (stat("/dev/full", &st) == 0) {
        refused(&s, "/dev/full", CGCT_E_IO, "/dev/full");
        ck_assert_int_eq(stat("/dev/full", &st), 0);
        ck_assert_msg(S_ISCHR(st.st_mode), "/dev/full was replaced");
    }
    if (geteuid() == 0) return; /* root may write anywhere */
    ck_assert_int_eq(chmod(folder, 0500), 0);
    refused(&s, table, CGCT_E_IO, "Permission denied");
    ck_assert_int_eq(chmod(folder, 0700), 0);
}
END_TEST

/* A killed writer's temporary file goes when the same target is written again; a live one's stays.
 */
START_TEST(killed_writers_litter)
{
    cgct_writer_spec s = good_spec();
    char other[PATH_SIZE];
    int ready[2];
    ck_assert_int_eq(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        cgct_writer *w;
        char byte = (char)(cgct_writer_open(&w, table, &s, NULL) == CGCT_OK);
        if (write(ready[1], &byte, 1) != 1) _exit(1);
        for (;;) pause();
    }
    char byte = 0;
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    ck_assert_int_eq(byte, 1);
    snprintf(other, sizeof other, "%.200s.part-%ld-0", table, (long)child);
    cgct_writer *w;
    ck_assert_int_eq(cgct_writer_open(&w, table, &s, NULL), CGCT_OK);
    ck_assert_int_eq(access(other, F_OK), 0);
    cgct_writer_abort(w);
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    ck_assert_int_eq(access(other, F_OK), 0);
    ck_assert_int_eq(cgct_writer_open(&w, table, &s, NULL), CGCT_OK);
    ck_assert_int_eq(access(other, F_OK), -1);
    cgct_writer_abort(w);
    ck_assert_int_eq(empty_folder(folder), 0);
}
END_TEST

/* The disk is full from a certain size on: whatever that size, an error with its reason, the older
 * file of that name untouched and no other. */
START_TEST(disk_full)
{
    enum { NM = 64, N = 8 };
    double modes[N * NM], error[N];
    uint64_t state = 5;
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < N * NM; i++) modes[i] = 1 + uniform(&state);
    for (int i = 0; i < N; i++) error[i] = 0;
    cgct_writer_spec s = good_spec();
    cgct_node node = {NM, modes, error};
    int done = 0;
    for (rlim_t limit = 100; limit < 40000 && !done; limit += 700) {
        const struct rlimit small = {limit, RLIM_INFINITY}, none = {RLIM_INFINITY, RLIM_INFINITY};
        cgct_err err = {""};
        cgct_writer *w = NULL;
        spill(table, "older", 5);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
        cgct_status st = cgct_writer_open(&w, table, &s, &err);
        for (size_t i = 0; i < 4 && st == CGCT_OK; i++)
            st = cgct_writer_node(w, i / 2, i % 2, &node, &err);
        if (st == CGCT_OK)
            st = cgct_writer_close(w, NULL, &err);
        else if (w)
            ck_assert_int_eq(cgct_writer_close(w, NULL, NULL), CGCT_E_IO);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
        done = st == CGCT_OK;
        if (done) break;
        ck_assert_int_eq(st, CGCT_E_IO);
        ck_assert_msg(strstr(err.text, table) && strstr(err.text, "File too large"), "%s",
                      err.text);
        size_t n;
        uint8_t *bytes = slurp(table, &n);
        ck_assert_uint_eq(n, 5);
        free(bytes);
        ck_assert_int_eq(empty_folder(folder), 1);
    }
    ck_assert_msg(done, "never large enough");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("writer");
    TCase *c = tcase_create("writer");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, specs_refused);
    tcase_add_test(c, nodes_refused);
    tcase_add_test(c, metadata_refused);
    tcase_add_test(c, abort_leaves_nothing);
    tcase_add_test(c, targets_refused);
    tcase_add_test(c, killed_writers_litter);
    tcase_add_test(c, disk_full);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
