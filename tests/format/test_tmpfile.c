/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that appear under their names only when they are complete, on a disk that fails or without
 * memory. */
#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "format/tmpfile.h"
#include "format/journal.h"
#include "numerics/memory.h"
#include "run_suite.h"
#include "table_fixture.h"

static int failing; /* what the system cannot sync: S_IFDIR, S_IFREG */
static char folder[PATH_SIZE], path[PATH_SIZE];

/* In place of the system's. */
int fsync(int fd)
{
    struct stat st;
    if (fstat(fd, &st) || (failing && (int)(st.st_mode & S_IFMT) == failing))
        return errno = EIO, -1;
    return 0;
}

static void setup(void)
{
    make_folder(folder);
    path_in(folder, "file", path);
    spill(path, "before", 6);
}

static void teardown(void)
{
    failing = 0;
    remove_folder(folder);
}

static cgct_status replace(cgct_err *err)
{
    cgct_tmpfile f;
    ck_assert_int_eq(cgct_tmpfile_open(&f, path, err), CGCT_OK);
    ck_assert_int_eq(cgct_tmpfile_append(&f, "after", 5, err), CGCT_OK);
    const cgct_status st = cgct_tmpfile_commit(&f, err);
    cgct_tmpfile_discard(&f);
    return st;
}

static void holds(const char *text)
{
    size_t n;
    uint8_t *bytes = slurp(path, &n);
    ck_assert(n == strlen(text) && !memcmp(bytes, text, n));
    free(bytes);
    ck_assert_int_eq(empty_folder(folder), 1); /* and there is no temporary file */
}

START_TEST(directory)
{
    cgct_err err = {""};
    failing = S_IFDIR;
    ck_assert_int_ne(cgct_sync_directory(path), 0);
    ck_assert_msg(replace(&err) == CGCT_OK, "%s", err.text);
    holds("after");
}
END_TEST

START_TEST(content)
{
    cgct_err err = {""};
    failing = S_IFREG;
    ck_assert_int_eq(replace(&err), CGCT_E_IO);
    ck_assert_msg(strstr(err.text, "cannot sync"), "%s", err.text);
    holds("before");
}
END_TEST

/* A finished part of a run: likewise. */
START_TEST(finished_journal)
{
    journal *j;
    cgct_err err = {""};
    int existing;
    char nodes[PATH_SIZE];
    path_in(folder, "nodes", nodes);
    ck_assert_int_eq(journal_open(&j, nodes, "text", &existing, &err), CGCT_OK);
    failing = S_IFDIR;
    ck_assert_msg(journal_rename(j, path, &err) == CGCT_OK, "%s", err.text);
    journal_close(j);
    ck_assert_int_eq(journal_open_read(&j, path, &err), CGCT_OK);
    journal_close(j);
}
END_TEST

/* A program that ends for lack of memory, or because a size is no size_t. */
#ifndef __SANITIZE_ADDRESS__
START_TEST(no_memory)
{
    static const size_t n[] = {SIZE_MAX / 2, SIZE_MAX / 4, SIZE_MAX / 4, SIZE_MAX / 4};
    int status;
    const pid_t child = fork();
    if (child == 0) {
        cgct_tmpfile f;
        if (cgct_tmpfile_open(&f, path, NULL) || cgct_tmpfile_append(&f, "after", 5, NULL))
            _exit(9);
        if (_i < 2)
            memory_new(n[_i], _i ? 8 : 1);
        else if (_i == 2)
            memory_zeros(n[_i], 8);
        else
            memory_resize(memory_new(3, 8), n[_i], 8);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 1, "status %d", status);
    holds("before");
}
END_TEST
#endif

START_TEST(memory)
{
    char *text, *copy = memory_copy_text("some");
    size_t size;
    int *v = memory_zeros(3, sizeof *v);
    ck_assert(v[0] == 0 && v[2] == 0);
    v[2] = 7;
    v = memory_resize(v, 30, sizeof *v);
    ck_assert_int_eq(v[2], 7);
    free(memory_new(0, 8)); /* is no failure */
    FILE *f = memory_text_open(&text, &size);
    fprintf(f, "%s text", copy);
    memory_text_close(f);
    ck_assert_str_eq(text, "some text");
    ck_assert_uint_eq(size, 9);
    free(text);
    free(copy);
    free(v);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tmpfile");
    TCase *c = tcase_create("tmpfile");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, directory);
    tcase_add_test(c, content);
    tcase_add_test(c, finished_journal);
#ifndef __SANITIZE_ADDRESS__ /* which ends the program itself */
    tcase_add_loop_test(c, no_memory, 0, 4);
#endif
    tcase_add_test(c, memory);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
