/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of builders: what is found, what is refused and why, with or without a GPU. */
#include <string.h>

#include "cuda/builders.h"
#include "command.h"
#include "gpu_profile.h"
#include "run_suite.h"

static backend_set all; /* of a program with CUDA */

START_TEST(rows)
{
    for (size_t i = 0; all.row[i]; i++) {
        const backend *b = all.row[i], *found;
        cgct_err err = {""};
        ck_assert(*b->name && *b->doc && b->bytes_needed);
        ck_assert(b->run || b->transform);
        ck_assert(!strncmp(b->name, "cuda-", 5) == (b->usable != NULL));
        for (size_t j = 0; j < i; j++) ck_assert_str_ne(b->name, all.row[j]->name);
        cgct_status st = backend_find(&found, &all, b->name, "0", &err);
        ck_assert_ptr_eq(found, b);
        ck_assert_int_eq(st, b->usable ? b->usable(0, NULL) : CGCT_OK);
        if (st != CGCT_OK)
            ck_assert_msg(strstr(err.text, b->name) && strstr(err.text, "not available: ") &&
                              strstr(err.text, backend_without_device(b, &all)->name),
                          "%s", err.text);
        ck_assert_int_eq(backend_makes_table(b, &err), b->run ? CGCT_OK : CGCT_E_CONFIG);
    }
}
END_TEST

START_TEST(automatic)
{
    const backend *b, *none;
    cgct_err err = {""};
    size_t n = 0;
    while (all.row[n]) n++;
    ck_assert(backend_is_automatic(NULL) && backend_is_automatic("auto"));
    ck_assert(!backend_is_automatic("direct"));
    ck_assert_int_eq(backend_find(&b, &all, "auto", "0", &err), CGCT_OK);
    if (gpu_usable(0, NULL) == CGCT_OK) ck_assert_ptr_eq(b, all.row[n - 1]);
    if (gpu_usable(0, NULL) != CGCT_OK) ck_assert_str_eq(b->name, "separable");
    ck_assert_int_eq(backend_find(&none, &all, "abacus", "0", &err), CGCT_E_CONFIG);
    ck_assert_msg(strstr(err.text, "no backend 'abacus'") && strstr(err.text, "cuda-fused"), "%s",
                  err.text);
}
END_TEST

/* "auto" goes on without the device that failed, with the same method where there is one. */
START_TEST(without_device)
{
    static const char *const pairs[][2] = {
        {"cuda-table", "direct"}, {"cuda-fused", "direct"}, {"cuda-separable", "separable"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const backend *b;
        backend_find(&b, &all, pairs[i][0], "0", NULL);
        ck_assert_str_eq(backend_without_device(b, &all)->name, pairs[i][1]);
        ck_assert_ptr_null(backend_without_device(backend_without_device(b, &all), &all));
    }
}
END_TEST

START_TEST(limits)
{
    device_info h = {.major = 9, .multiprocessors = 100, .clock = 1e9}, a = h, consumer = h;
    a.major = 8;
    consumer.major = 8, consumer.minor = 6;
    ck_assert(device_fp64_rate(&h) == 64e11);
    ck_assert(device_fp64_rate(&a) == 32e11);
    ck_assert(device_fp64_rate(&consumer) == 2e11);
}
END_TEST

START_TEST(no_such_device)
{
    cgct_err err = {""};
    int count;
    ck_assert_int_eq(gpu_usable(1000, &err), CGCT_E_DEVICE);
    ck_assert_uint_gt(strlen(err.text), 10);
    if (device_count(&count, NULL) == CGCT_OK)
        ck_assert_msg(strstr(err.text, "device 1000") && strstr(err.text, "--device"), "%s",
                      err.text);
    const backend *b;
    backend_find(&b, &all, "separable", "0", NULL);
    if (device_count(&count, NULL) != CGCT_OK) /* no device: nothing is passed over */
        ck_assert_int_eq(backend_passed_over(b, &all, "0", &err), CGCT_OK);
}
END_TEST

#define POINT GENERATE "point --dipole gbw --x 0.01 --eps 4 --q 1 --k1 1 --theta 0 "

/* One line: what was asked for, why not, what to do; status 1, of a wrong number 2. */
START_TEST(one_line)
{
    setup();
    command_fails(&place, POINT "--backend cuda-separable --device one", 2, "run.device 'one'",
                  "commas");
    command_fails(&place, POINT "--backend cuda-separable --device 1000", 1,
                  "backend 'cuda-separable' is not available", "--backend separable");
    command_fails(&place, POINT "--backend cuda-fused --device 1000", 1,
                  "backend 'cuda-fused' is not available", "--backend direct");
    command_write(&place, "t.card",
                  "[dipole]\nkind = gbw\n[axes]\nx = 0.01\neps = 4\nq = 1, 2\nk_max = 3\n"
                  "[inner]\nbackend = cuda-separable\n[run]\ndevice = 1000\n");
    command_fails(&place, GENERATE "run t.card -o t.cgct --quiet", 1, "cuda-separable",
                  "--backend separable");
    teardown();
}
END_TEST

int main(void)
{
    all = cuda_backends(NULL);
    Suite *s = suite_create("backend");
    TCase *t = tcase_create("backend");
    tcase_add_test(t, rows);
    tcase_add_test(t, automatic);
    tcase_add_test(t, without_device);
    tcase_add_test(t, limits);
    tcase_add_test(t, no_such_device);
    tcase_add_test(t, one_line);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
