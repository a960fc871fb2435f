/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sixteen threads on one table, one slice and one sampler find the bits that one finds.  'make
 * tsan'
 * looks for races in it. */
#include <pthread.h>

#include "reader/cgctab.h"
#include "synthetic.h"
#include "table_fixture.h"
#include "run_suite.h"

enum { THREADS = 16, POINTS = 600, EVENTS = 50, NUMBERS = 4 * POINTS + 4 * EVENTS };

static char folder[PATH_SIZE], path[PATH_SIZE];

static void setup(void)
{
    const synthetic s = {.nx = 4,
                         .neps = 5,
                         .nq = 8,
                         .nl = 6,
                         .nu = 6,
                         .x = {1e-3, 1e-2},
                         .eps = {1, 2},
                         .q = {1, 4},
                         .k0 = 0.5,
                         .k_max = 6,
                         .step = 0x1p-20,
                         .order = {4, 5, 4, 4}};
    cgct_err err;
    make_folder(folder);
    path_in(folder, "t.cgct", path);
    ck_assert_msg(synthetic_write(&s, path, &err) == CGCT_OK, "%s", err.text);
}

static void teardown(void)
{
    remove_folder(folder);
}

typedef struct {
    const cgct_table *table;
    const cgct_slice *slice;
    const cgct_sampler *sampler;
    size_t first; /* where in the list a thread begins */
    double *out;  /* NUMBERS */
} worker;

/* The i-th point is the same for all, whoever comes to it when. */
static void evaluate(const worker *w, size_t i)
{
    uint64_t state = i;
    double x = 1e-3 * pow(10, uniform(&state)), eps = 1 + uniform(&state);
    double q = 1 + 3 * uniform(&state), k1 = 0.4 + 5 * uniform(&state), theta = 6 * uniform(&state);
    cgct_eval(w->table, x, eps, q, k1, theta, w->out + 4 * i);
    cgct_slice_eval(w->slice, q, k1, theta, w->out + 4 * i + 2);
}

static void sample(const worker *w, size_t i)
{
    uint64_t state = 1000 + i;
    double u[5], *out = w->out + 4 * POINTS + 4 * i;
    cgct_event e;
    for (int j = 0; j < 5; j++) u[j] = uniform(&state);
    cgct_sample(w->sampler, u, &e);
    out[0] = e.q, out[1] = e.k1, out[2] = e.theta, out[3] = e.weight;
}

static void *work(void *argument)
{
    const worker *w = argument;
    for (size_t i = 0; i < POINTS; i++) evaluate(w, (w->first + i) % POINTS);
    for (size_t i = 0; i < EVENTS; i++) sample(w, (w->first + i) % EVENTS);
    return NULL;
}

static void run_threads(double (*out)[NUMBERS], int n)
{
    const double factor[2] = {1, 2};
    worker w[THREADS];
    pthread_t id[THREADS];
    cgct_table *t, *packed; /* that all threads unpack at once */
    cgct_slice *slice;
    cgct_sampler *sampler;
    cgct_err err;
    ck_assert_msg(cgct_open(path, &t, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(cgct_open(path, &packed, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(cgct_slice_init(&slice, t, 2e-3, 1.3, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(cgct_sampler_init(&sampler, slice, factor, &err) == CGCT_OK, "%s", err.text);
    for (int i = 0; i < n; i++) {
        w[i] = (worker){packed, slice, sampler, (size_t)(i * POINTS / THREADS), out[i]};
        ck_assert_int_eq(pthread_create(&id[i], NULL, work, &w[i]), 0);
    }
    for (int i = 0; i < n; i++) pthread_join(id[i], NULL);
    cgct_sampler_free(sampler);
    cgct_slice_free(slice);
    cgct_close(packed);
    cgct_close(t);
}

START_TEST(same_bits)
{
    double(*out)[NUMBERS] = calloc(THREADS + 1, sizeof *out);
    ck_assert_ptr_nonnull(out);
    run_threads(out + THREADS, 1);
    for (int i = 0; i < NUMBERS; i++) ck_assert_double_finite(out[THREADS][i]);
    run_threads(out, THREADS);
    for (int i = 0; i < THREADS; i++)
        ck_assert_msg(!memcmp(out[i], out[THREADS], sizeof *out), "thread %d differs", i);
    free(out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *c = tcase_create("threads");
    tcase_add_unchecked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_test(c, same_bits);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
