/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fuzz targets over their corpus and over cheap mutations of it, for compilers without a
 * fuzzer: a broken promise aborts and fails the test. */
#include <gsl/gsl_errno.h>

#include "fuzz/fuzz.h"
#include "table_fixture.h"
#include "run_suite.h"

/* Bytes set, cut off, repeated or exchanged; the last two keep numbers of the file together. */
static size_t mutate(uint8_t *bytes, size_t n, uint64_t *state)
{
    for (int changes = 1 + (int)(3 * uniform(state)); changes && n > 8; changes--) {
        size_t at = (size_t)(uniform(state) * (double)(n - 8)) / 8 * 8;
        size_t from = (size_t)(uniform(state) * (double)(n - 8)) / 8 * 8;
        double what = uniform(state);
        if (what < 0.5)
            bytes[at + (size_t)(8 * uniform(state))] = (uint8_t)(256 * uniform(state));
        else if (what < 0.6)
            memset(bytes + at, what < 0.55 ? 0xff : 0, 8);
        else if (what < 0.9)
            memmove(bytes + at, bytes + from, 8);
        else
            n -= (size_t)((double)(n < 16 ? n : 16) * uniform(state));
    }
    return n;
}

static void run_file(const fuzz_target *t, const char *path)
{
    size_t n;
    uint64_t state = 7;
    uint8_t *bytes = slurp(path, &n), *copy = malloc(n + 1);
    ck_assert_ptr_nonnull(copy);
    t->run(bytes, n);
    for (int i = 0; i < t->mutations * test_mult(); i++) {
        memcpy(copy, bytes, n);
        t->run(copy, mutate(copy, n, &state));
    }
    free(bytes);
    free(copy);
}

START_TEST(corpus)
{
    const fuzz_target *t = &fuzz_targets[_i];
    int inputs = 0;
    const char *const folder[2] = {"fuzz/corpus", "golden"};
    for (int i = 0; i < (strcmp(t->name, "open") ? 1 : 2); i++) {
        char path[2 * PATH_SIZE];
        snprintf(path, sizeof path, "%s/%s%s%s", TESTS_DIR, folder[i], i ? "" : "/",
                 i ? "" : t->name);
        const size_t n = strlen(path);
        DIR *d = opendir(path);
        ck_assert_msg(d != NULL, "no folder %s", path);
        for (struct dirent *e; (e = readdir(d));) {
            if (e->d_name[0] == '.') continue;
            snprintf(path + n, sizeof path - n, "/%s", e->d_name);
            run_file(t, path);
            inputs++;
        }
        closedir(d);
    }
    ck_assert_msg(inputs >= 1, "%s: %d inputs", t->name, inputs);
}
END_TEST

int main(void)
{
    gsl_set_error_handler_off(); /* as the programs do */
    Suite *suite = suite_create("fuzz");
    TCase *c = tcase_create("fuzz");
    tcase_set_timeout(c, 120);
    int n = 0;
    while (fuzz_targets[n].name) n++;
    tcase_add_loop_test(c, corpus, 0, n);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
