/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The journal under everything that can befall a file that is being written. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/journal.h"
#include "run_suite.h"
#include "table_folder.h"

static void write_bytes(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
    ck_assert_int_eq(fclose(f), 0);
}

enum { N = 5 };
static const char *const content[N] = {"first", "", "a longer third record", "4", "fifth"};

static journal *open_journal(const char *text, int want_existing)
{
    journal *j;
    cgct_err err;
    int existing;
    cgct_status st = journal_open(&j, table, text, &existing, &err);
    ck_assert_msg(st == CGCT_OK, "%s", err.text);
    ck_assert_int_eq(existing, want_existing);
    return j;
}

static void append_all(journal *j)
{
    for (uint32_t i = 0; i < N; i++)
        ck_assert_int_eq(journal_append(j, "ITEM", i, content[i], strlen(content[i]), NULL),
                         CGCT_OK);
}

/* Records, whole. */
static void holds_content(const journal *j)
{
    for (size_t i = 0; i < j->n; i++) {
        uint8_t *data;
        const cgct_chunk *r = &j->record[i];
        ck_assert(r->index < N && (!i || r->index > r[-1].index));
        const char *want = content[r->index];
        ck_assert_int_eq(cgct_chunk_read(&j->f, r, &data, NULL), CGCT_OK);
        ck_assert_uint_eq(r->size, strlen(want));
        ck_assert_int_eq(memcmp(data, want, strlen(want)), 0);
        free(data);
    }
}

/* The first n of them. */
static void holds(const journal *j, size_t n)
{
    ck_assert_uint_eq(j->n, n);
    holds_content(j);
    if (n) ck_assert_uint_eq(j->record[n - 1].index, n - 1);
}

static long file_size(void)
{
    struct stat st;
    ck_assert_int_eq(stat(table, &st), 0);
    return (long)st.st_size;
}

START_TEST(goes_on)
{
    journal *j = open_journal("mine", 0);
    append_all(j);
    holds(j, N);
    journal_close(j);
    j = open_journal("another", 1);
    ck_assert_str_eq(j->text, "mine");
    holds(j, N);
    ck_assert_int_eq(journal_reset(j, "another", NULL), CGCT_OK);
    holds(j, 0);
    append_all(j);
    journal_close(j);
    ck_assert_int_eq(journal_open_read(&j, table, NULL), CGCT_OK);
    ck_assert_str_eq(j->text, "another");
    holds(j, N);
    journal_close(j);
}
END_TEST

/* Cut at every byte: the records before the cut are there, the torn one is not, and the journal
 * goes on to the same bytes. */
START_TEST(torn_anywhere)
{
    long end[N + 1];
    journal *j = open_journal("text", 0);
    end[0] = file_size();
    for (uint32_t i = 0; i < N; i++) {
        ck_assert_int_eq(journal_append(j, "ITEM", i, content[i], strlen(content[i]), NULL),
                         CGCT_OK);
        end[i + 1] = file_size();
    }
    journal_close(j);
    size_t size, size_again;
    uint8_t *whole = slurp(table, &size);
    ck_assert_uint_eq(size, (size_t)end[N]);
    for (long cut = 0; cut < end[N]; cut++) {
        size_t want = 0;
        while (want < N && end[want + 1] <= cut) want++;
        write_bytes(table, whole, size);
        ck_assert_int_eq(truncate(table, cut), 0);
        j = open_journal("text", cut >= end[0]);
        holds(j, want);
        for (uint32_t i = (uint32_t)want; i < N; i++)
            ck_assert_int_eq(journal_append(j, "ITEM", i, content[i], strlen(content[i]), NULL),
                             CGCT_OK);
        journal_close(j);
        uint8_t *again = slurp(table, &size_again);
        ck_assert_uint_eq(size_again, size);
        ck_assert_int_eq(memcmp(whole, again, size), 0);
        free(again);
    }
    free(whole);
}
END_TEST

/* A changed byte costs its record, be it of its size, and no other; at the head it is refused. */
START_TEST(changed_bytes)
{
    journal *j = open_journal("text", 0);
    long head = file_size();
    append_all(j);
    journal_close(j);
    size_t size;
    uint8_t *whole = slurp(table, &size);
    for (size_t at = 0; at < size; at++) {
        int existing;
        cgct_err err;
        whole[at] ^= 0x10;
        write_bytes(table, whole, size);
        cgct_status st = journal_open(&j, table, "text", &existing, &err);
        whole[at] ^= 0x10;
        if (st == CGCT_OK) {
            ck_assert_msg((long)at >= head, "byte %zu of the head", at);
            holds_content(j);
            ck_assert(j->n == N - 1 && j->dropped > 0);
        } else {
            ck_assert_msg(strstr(err.text, table) != NULL, "%s", err.text);
        }
        journal_close(st == CGCT_OK ? j : NULL);
    }
    free(whole);
}
END_TEST

START_TEST(other_files_are_left_alone)
{
    int existing;
    journal *j;
    cgct_err err;
    write_bytes(table, "something else of a user", 24);
    ck_assert_int_eq(journal_open(&j, table, "text", &existing, &err), CGCT_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(err.text, "not a journal"));
    ck_assert_int_eq(file_size(), 24);
}
END_TEST

START_TEST(locked)
{
    int ready[2];
    ck_assert_int_eq(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        journal *j;
        int existing;
        char byte = (char)(journal_open(&j, table, "text", &existing, NULL) == CGCT_OK);
        if (write(ready[1], &byte, 1) != 1) _exit(1);
        for (;;) pause();
    }
    char byte = 0, pid[32];
    int existing;
    journal *j;
    cgct_err err;
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    ck_assert_int_eq(byte, 1);
    snprintf(pid, sizeof pid, "process %ld", (long)child);
    ck_assert_int_eq(journal_open(&j, table, "text", &existing, &err), CGCT_E_IO);
    ck_assert_msg(strstr(err.text, pid) != NULL, "%s", err.text);
    ck_assert_int_eq(journal_open_read(&j, table, &err), CGCT_E_IO);
    ck_assert_msg(strstr(err.text, pid) != NULL, "%s", err.text);
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    journal_close(open_journal("text", 1));
}
END_TEST

/* The disk is full from a certain size on: what was durable stays, what follows fits when there is
 * room again. */
START_TEST(disk_full)
{
    signal(SIGXFSZ, SIG_IGN);
    journal *j = open_journal("text", 0);
    long head = file_size();
    append_all(j);
    long all = file_size();
    for (long limit = head; limit < all; limit++) {
        const struct rlimit small = {(rlim_t)limit, RLIM_INFINITY},
                            none = {RLIM_INFINITY, RLIM_INFINITY};
        cgct_status st = CGCT_OK;
        cgct_err err;
        size_t n;
        ck_assert_int_eq(journal_reset(j, "text", NULL), CGCT_OK);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
        for (uint32_t i = 0; st == CGCT_OK && i < N; i++)
            st = journal_append(j, "ITEM", i, content[i], strlen(content[i]), &err);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
        ck_assert_int_eq(st, CGCT_E_IO);
        ck_assert_ptr_nonnull(strstr(err.text, "too large"));
        n = j->n;
        holds(j, n);
        for (uint32_t i = (uint32_t)n; i < N; i++)
            ck_assert_int_eq(journal_append(j, "ITEM", i, content[i], strlen(content[i]), NULL),
                             CGCT_OK);
        ck_assert_int_eq(file_size(), all);
        holds(j, N);
    }
    journal_close(j);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("journal");
    TCase *t = tcase_create("journal");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, goes_on);
    tcase_add_test(t, torn_anywhere);
    tcase_add_test(t, changed_bytes);
    tcase_add_test(t, other_files_are_left_alone);
    tcase_add_test(t, locked);
    tcase_add_test(t, disk_full);
    suite_add_tcase(s, t);
    return run_suite(s) ? EXIT_FAILURE : EXIT_SUCCESS;
}
