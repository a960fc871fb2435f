/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sixteen threads on one handle find the bits that one finds: packed tables, prepared ones, and
 * mapped ones, whose nodes are checked by whichever thread comes first.  'make tsan' looks for
 * races in it. */
#include <pthread.h>

#include "reader/cgctab.h"
#include "synthetic.h"
#include "table_fixture.h"
#include "run_suite.h"

enum { THREADS = 16, POINTS = 600, EVENTS = 50, NUMBERS = 4 * POINTS + 4 * EVENTS };

static char folder[PATH_SIZE], packed[PATH_SIZE], unpacked[PATH_SIZE];

static void setup(void)
{
    double x[4], eps[5], q[8], k[10];
    synthetic s = {{4, 5, 8, 10}, {x, eps, q, k}, 1};
    cgct_writer_spec spec = {.level = 3, .bound = 1e-6, .split = 2};
    cgct_table *t;
    cgct_err err;
    make_folder(folder);
    path_in(folder, "t.cgct", packed);
    path_in(folder, "u.cgct", unpacked);
    synthetic_axis(1e-3, 1e-2, 4, x);
    synthetic_axis(1, 2, 5, eps);
    synthetic_axis(1, 4, 8, q);
    synthetic_axis(0.3, 6, 10, k);
    ck_assert_msg(synthetic_write(&s, packed, spec, &err) == CGCT_OK, "%s", err.text);
    ck_assert_int_eq(cgct_open(packed, &t, &err), CGCT_OK);
    ck_assert_int_eq(cgct_unpack(t, unpacked, &err), CGCT_OK);
    cgct_close(t);
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

/* The handle is new: the threads find no node checked. */
static void run_threads(const char *path, int prepared, double (*out)[NUMBERS], int n)
{
    const double factor[2] = {1, 2};
    worker w[THREADS];
    pthread_t id[THREADS];
    cgct_table *t;
    cgct_slice *slice;
    cgct_sampler *sampler;
    cgct_err err;
    ck_assert_msg(cgct_open(path, &t, &err) == CGCT_OK, "%s", err.text);
    if (prepared) ck_assert_int_eq(cgct_prepare(t, &err), CGCT_OK);
    ck_assert_msg(cgct_slice_init(&slice, t, 2e-3, 1.3, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(cgct_sampler_init(&sampler, slice, factor, &err) == CGCT_OK, "%s", err.text);
    for (int i = 0; i < n; i++) {
        w[i] = (worker){t, slice, sampler, (size_t)(i * POINTS / THREADS), out[i]};
        ck_assert_int_eq(pthread_create(&id[i], NULL, work, &w[i]), 0);
    }
    for (int i = 0; i < n; i++) pthread_join(id[i], NULL);
    cgct_sampler_free(sampler);
    cgct_slice_free(slice);
    cgct_close(t);
}

START_TEST(same_bits)
{
    double(*out)[NUMBERS] = calloc(THREADS + 1, sizeof *out);
    const char *path = _i == 1 ? unpacked : packed;
    int prepared = _i == 2;
    ck_assert_ptr_nonnull(out);
    run_threads(packed, prepared, out + THREADS, 1);
    for (int i = 0; i < NUMBERS; i++) ck_assert_double_finite(out[THREADS][i]);
    run_threads(path, prepared, out, THREADS);
    for (int i = 0; i < THREADS; i++)
        ck_assert_msg(!memcmp(out[i], out[THREADS], sizeof *out), "thread %d of %s differs", i,
                      path);
    free(out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *c = tcase_create("threads");
    tcase_add_unchecked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, same_bits, 0, 3);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
