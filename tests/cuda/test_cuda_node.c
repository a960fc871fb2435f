/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finished nodes on emulated devices, and several devices that share the nodes of a run. */
#include <gsl/gsl_errno.h>

#include <math.h>

#include <time.h>

#include "check_rel.h"
#include "cuda_cases.h"
#include "inner/archive.h"
#include "config/config.h"
#include "numerics/clock.h"
#include "run/forecast.h"
#include "run/record.h"
#include "run/schedule.h"
#include "run/survey.h"
#include "emulated_gpu.h"
#include "run_suite.h"

/* Sums in another order: rounding of single scattering, of which I can be a small part. */
#define TOL_ORDER 1e-12

#define ROOM ((size_t)4 << 30)
enum { DEVICES = 3 };

static gpu_crew *crew_of(emulated_gpu *e, size_t n)
{
    gpu *g[DEVICES];
    for (size_t i = 0; i < n; i++) {
        emulated_init(&e[i], ROOM);
        snprintf(e[i].g.name, sizeof e[i].g.name, "device %zu (emulated)", i);
        g[i] = &e[i].g;
    }
    return gpu_crew_new(n, n, g);
}

START_TEST(against_processor)
{
    emulated_gpu e;
    gpu_crew *crew = crew_of(&e, 1);
    double difference = cuda_node_case(_i, crew);
    printf("%s, eps = %g: node %.1e of the largest coefficient\n", cuda_node_cases[_i].dipole,
           cuda_node_cases[_i].eps, difference);
    ck_assert_double_le(difference, TOL_SEPARABLE);
    ck_assert_uint_eq(e.used, 0);
    gpu_crew_close(crew);
}
END_TEST

/* In chunks of few columns, and with allocations refused that `memory` had promised. */
START_TEST(little_memory)
{
    case_product want, got;
    cgct_err err = {""};
    emulated_gpu e;
    gpu_crew *crew = crew_of(&e, 1);
    ck_assert(case_product_make(1, "cuda-separable", crew, &want, &err) == CGCT_OK);
    e.promised = (size_t)1 << 20;
    ck_assert_msg(case_product_make(1, "cuda-separable", crew, &got, &err) == CGCT_OK, "%s",
                  err.text);
    ck_assert_double_le(case_product_apart(&got, &want), TOL_ORDER);
    case_product_free(&got);
    e.room = e.promised = (size_t)1 << 16;
    ck_assert_int_eq(case_product_make(1, "cuda-separable", crew, &got, &err), CGCT_E_NOMEM);
    ck_assert_uint_eq(e.used, 0);
    case_product_free(&want);
    gpu_crew_close(crew);
}
END_TEST

/* ---- a run ---- */

enum { NODES = 4 };
#define RUN_CARD                                                                                   \
    "axes.x=1e-3,1e-2 axes.eps=2,4 axes.q=0.5,1 axes.k_max=2 table.lower=4 table.upper=4 "         \
    "inner.backend=cuda-separable accuracy.tolerance=1e-2 inner.modes=4 " CUDA_COARSE

typedef struct {
    run_job job;
    uint8_t *record[NODES];
    size_t size[NODES];
} run_records;

static cgct_status one_item(void *self, size_t i, cgct_err *err)
{
    run_records *r = self;
    run_summary s;
    return run_compute(&r->job, i, &r->record[i], &r->size[i], &s, err);
}

static cgct_status run_with(gpu_crew *crew, int threads, config *card, dipole_ensemble *m,
                            run_records *r, cgct_err *err)
{
    const backend_set builders = cuda_backends(crew);
    static const size_t bytes[NODES] = {0};
    memset(r, 0, sizeof *r);
    r->job = (run_job){.settings = &card->run,
                       .members = m,
                       .shard = 1,
                       .nshard = 1,
                       .builders = &builders,
                       .program = "test"};
    CGCT_TRY(run_job_init(&r->job, "", err));
    ck_assert_uint_eq(r->job.nnode, NODES);
    const run_schedule s = {
        .n = NODES, .bytes = bytes, .budget = 1, .threads = threads, .self = r, .work = one_item};
    return run_schedule_go(&s, err);
}

static void records_free(run_records *r)
{
    for (int i = 0; i < NODES; i++) free(r->record[i]);
    run_job_free(&r->job);
}

/* Every bit but the times is the same, whichever device took which node. */
START_TEST(shared)
{
    emulated_gpu e[DEVICES];
    config card;
    dipole_ensemble m;
    run_records r[2];
    cgct_err err = {""};
    chain_card(&card, RUN_CARD);
    ck_assert_msg(members_open(&card, &m, &err) == CGCT_OK, "%s", err.text);
    for (int i = 0; i < 2; i++) {
        gpu_crew *crew = crew_of(e, i ? DEVICES : 1);
        ck_assert_msg(run_with(crew, 3, &card, &m, &r[i], &err) == CGCT_OK, "%s", err.text);
        for (int k = 0; k < (i ? DEVICES : 1); k++) {
            ck_assert_uint_eq(e[k].used, 0);
            ck_assert_uint_gt(e[k].launches, 0);
        }
        gpu_crew_close(crew);
    }
    for (int i = 0; i < NODES; i++) {
        run_record a, b;
        ck_assert(run_record_parse(r[0].record[i], r[0].size[i], &a, &err) == CGCT_OK);
        ck_assert(run_record_parse(r[1].record[i], r[1].size[i], &b, &err) == CGCT_OK);
        ck_assert_uint_eq(a.s.points, b.s.points);
        ck_assert_uint_eq(a.s.nm, b.s.nm);
        ck_assert_int_eq(memcmp(a.error, b.error, 4 * a.s.points), 0);
        ck_assert_int_eq(memcmp(a.l, b.l, 8 * a.s.points), 0);
        ck_assert_int_eq(memcmp(a.r, b.r, 4 * a.s.points * (a.s.nm - 1)), 0);
        ck_assert_str_eq(b.s.report.backend ? b.s.report.backend : "", "");
    }
    for (int i = 0; i < 2; i++) records_free(&r[i]);
    members_free(&m);
    config_free(&card);
}
END_TEST

/* ---- time ---- */

static void pass_time(double seconds)
{
    const struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&t, NULL);
}

/* Two lanes of the first of two devices, one of them for twice as long, then the second device: a
 * time that both had it counts half for each.  Clocks run on between the calls. */
START_TEST(shares_of_time)
{
    enum { LANES = 4 };
    emulated_gpu e[LANES];
    gpu *g[LANES], *taken[LANES];
    cgct_err err = {""};
    for (int i = 0; i < LANES; i++) {
        emulated_init(&e[i], ROOM);
        g[i] = &e[i].g;
    }
    gpu_crew *crew = gpu_crew_new(2, LANES, g);
    ck_assert_uint_eq(gpu_crew_devices(crew), 2);
    const gpu_use before = gpu_crew_use(crew);
    for (int i = 0; i < LANES; i++) ck_assert(gpu_crew_take(crew, &taken[i], &err) == CGCT_OK);
    for (int i = 0; i < LANES; i += 2) gpu_crew_give(crew, taken[i], CGCT_OK, NULL);
    ck_assert_double_lt(gpu_crew_seconds(crew), 0.1);
    pass_time(0.2); /* one device by two lanes, those of the other are idle */
    gpu_crew_give(crew, taken[1], CGCT_OK, NULL);
    const double first = gpu_crew_use(crew).device - before.device;
    pass_time(0.2); /* one lane */
    gpu_crew_give(crew, taken[3], CGCT_OK, NULL);
    const gpu_use after = gpu_crew_use(crew);
    pass_time(0.1); /* none */
    const double all = after.device - before.device, late = 0.05;
    ck_assert_double_ge(first, 0.1);
    ck_assert_double_le(first, 0.1 + late);
    ck_assert_double_ge(all, 0.4);
    ck_assert_double_le(all, 0.4 + late);
    ck_assert_double_eq_tol(gpu_crew_seconds(crew), all / 2, 1e-3);
    ck_assert_double_le(after.processor - before.processor, late);
    gpu_crew_close(crew);
}
END_TEST

/* A device whose last kernel of a node takes half a second, in which the processor is idle. */
static cgct_status slow_launch(gpu *g, gpu_kernel kernel, size_t n, const void *a, cgct_err *err)
{
    if (kernel == GPU_recentre) pass_time(0.5);
    return emulated_launch(g, kernel, n, a, err);
}

/* A forecast beside the run: each of many threads waits for the only device. */
START_TEST(forecast_of_one_device)
{
    emulated_gpu e;
    config card;
    dipole_ensemble m;
    run_records r;
    run_survey survey;
    run_forecast f;
    cgct_err err = {""};
    gpu_crew *crew = crew_of(&e, 1);
    gpu_ops slow = *e.g.ops;
    slow.launch = slow_launch;
    e.g.ops = &slow;
    const backend_set builders = cuda_backends(crew);
    chain_card(&card, RUN_CARD);
    ck_assert_msg(members_open(&card, &m, &err) == CGCT_OK, "%s", err.text);
    const double start = clock_wall(), busy = gpu_crew_seconds(crew);
    ck_assert_msg(run_with(crew, NODES, &card, &m, &r, &err) == CGCT_OK, "%s", err.text);
    const double elapsed = clock_wall() - start, device = gpu_crew_seconds(crew) - busy;
    r.job.builders = &builders;
    size_t item[NODES], bytes[NODES];
    double work[NODES];
    ck_assert_msg(run_survey_init(&survey, &r.job, &err) == CGCT_OK, "%s", err.text);
    for (size_t i = 0; i < NODES; i++) {
        const survey_node like = run_survey_item(&survey, i);
        item[i] = i;
        bytes[i] = like.report.bytes_peak;
        work[i] = like.work;
    }
    const run_load load = {NODES, item, bytes, work, NODES, ROOM};
    ck_assert_msg(run_plan(&r.job, &load, NULL, &f, &err) == CGCT_OK, "%s", err.text);
    printf("%zu samples: %.2f s forecast, %.2f s elapsed, of the device %.2f and %.2f s\n",
           f.samples, f.seconds, elapsed, f.seconds_device, device);
    ck_assert_uint_ge(f.samples, 1);
    ck_assert_double_ge(f.seconds_device, NODES * 0.5);
    ck_assert_double_ge(device, NODES * 0.5);
    ck_assert_double_le(device, elapsed);
    ck_assert_double_ge(f.seconds, f.seconds_device);
    ck_assert_double_le(f.seconds, 1.5 * elapsed);
    ck_assert_double_ge(f.seconds_nodes, f.seconds_device);
    run_survey_free(&survey);
    records_free(&r);
    members_free(&m);
    config_free(&card);
    gpu_crew_close(crew);
}
END_TEST

/* A device that fails is not asked again; the others go on; with none left, there is a reason. */
START_TEST(lost)
{
    emulated_gpu e[2];
    gpu_crew *crew = crew_of(e, 2);
    case_product p;
    cgct_err err = {""};
    e[1].fails = 1; /* the first to be handed out */
    e[1].fail_at = GPU_recentre;
    ck_assert_int_eq(case_product_make(0, "cuda-separable", crew, &p, &err), CGCT_E_DEVICE);
    ck_assert_msg(strstr(err.text, "device 1 (emulated): recentre"), "%s", err.text);
    ck_assert_uint_eq(e[1].used, 0);
    ck_assert_int_eq(case_product_make(0, "cuda-separable", crew, &p, &err), CGCT_OK);
    ck_assert_uint_gt(e[0].launches, 0);
    case_product_free(&p);
    e[0].fails = 1;
    e[0].fail_at = GPU_phi;
    ck_assert_int_eq(case_product_make(0, "cuda-separable", crew, &p, &err), CGCT_E_DEVICE);
    ck_assert_int_eq(case_product_make(0, "cuda-separable", crew, &p, &err), CGCT_E_DEVICE);
    ck_assert_msg(strstr(err.text, "no device works any more: device 0"), "%s", err.text);
    gpu_crew_close(crew);
}
END_TEST

/* "auto" then goes on with the processor, and says so. */
START_TEST(lost_automatic)
{
    emulated_gpu e;
    gpu_crew *crew = crew_of(&e, 1);
    case_product got, want;
    cgct_err err = {""};
    e.fails = 1;
    e.fail_at = GPU_spread;
    ck_assert_msg(case_product_make(0, "auto", crew, &got, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(strstr(got.report.fallback, "spread: launch failed"), "%s", got.report.fallback);
    ck_assert_str_eq(got.report.backend, "separable");
    ck_assert(case_product_make(0, "separable", NULL, &want, &err) == CGCT_OK);
    ck_assert_double_eq(case_product_apart(&got, &want), 0);
    case_product_free(&got);
    case_product_free(&want);
    gpu_crew_close(crew);
}
END_TEST

/* So does an inner table. */
START_TEST(lost_inner)
{
    const int automatic = _i;
    emulated_gpu e;
    gpu_crew *crew = crew_of(&e, 1);
    config card;
    archive a;
    cgct_err err = {""};
    dipole_source *s;
    dipole_opts o = {.kind = DIPOLE_GBW};
    char text[128];
    e.fails = 1;
    e.fail_at = GPU_spread;
    snprintf(text, sizeof text, "accuracy.tolerance=1e-2 inner.modes=4 inner.backend=%s",
             automatic ? "auto" : "cuda-separable");
    chain_card(&card, text);
    ck_assert_int_eq(dipole_source_open(&s, &o, &err), CGCT_OK);
    const backend_set builders = cuda_backends(crew);
    archive_task task = {&card.run.node.inner, s, 0.01, 3, 1, 3, &builders};
    cgct_status st = archive_build(&a, &task, &err);
    ck_assert_msg(st == (automatic ? CGCT_OK : CGCT_E_DEVICE), "%s", err.text);
    const char *said = automatic ? a.fallback : err.text;
    ck_assert_msg(strstr(said, "spread: launch failed") != NULL, "%s", said);
    if (st == CGCT_OK) {
        ck_assert_str_eq(a.backend, "separable");
        ck_assert(isfinite(a.table.g[0]));
        archive_free(&a);
    }
    dipole_source_close(s);
    config_free(&card);
    gpu_crew_close(crew);
}
END_TEST

/* A dipole whose table of ln S no device can keep: noise on knots 0.05 % apart. */
START_TEST(too_rough)
{
    char path[] = "/tmp/cgct_rough_XXXXXX";
    emulated_gpu e;
    config card;
    node_report report;
    cgct_err err = {""};
    gpu_crew *crew = crew_of(&e, 1);
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    FILE *f = fdopen(fd, "w");
    int i = 0;
    for (double r = 1e-3; r < 20; r *= 1.0005, i++)
        fprintf(f, "%.17g %.17g\n", r, -expm1(-0.25 * r * r * (1 + 3e-5 * sin(2.5 * i))));
    fclose(f);
    dipole_opts o = {.kind = DIPOLE_TABLE, .path = path};
    dipole_source *s;
    ck_assert_msg(dipole_source_open(&s, &o, &err) == CGCT_OK, "%s", err.text);
    remove(path);
    for (int automatic = 0; automatic < 2; automatic++) {
        node_fields fields;
        char text[256];
        snprintf(text, sizeof text, "accuracy.tolerance=1e-2 inner.modes=4 inner.backend=%s",
                 automatic ? "auto" : "cuda-separable");
        chain_card(&card, text);
        const backend_set builders = cuda_backends(crew);
        node_task task = {.settings = &card.run.node,
                          .source = s,
                          .x = 0.01,
                          .eps = 3,
                          .nq = CUDA_NQ,
                          .q = cuda_q,
                          .grid = &cuda_node_grid,
                          .builders = &builders};
        cgct_status st = node_compute(&task, NULL, &fields, &report, &err);
        ck_assert_int_eq(st, automatic ? CGCT_OK : CGCT_E_ACCURACY);
        const char *said = automatic ? report.fallback : err.text;
        ck_assert_msg(strstr(said, "table of ln S") && strstr(said, "--backend separable"), "%s",
                      said);
        if (st == CGCT_OK) ck_assert_str_eq(report.backend, "separable");
        node_fields_free(&fields);
        config_free(&card);
    }
    dipole_source_close(s);
    gpu_crew_close(crew);
}
END_TEST

/* cuBLAS and launches count in int: builders then take smaller chunks, as if memory were short. */
START_TEST(too_large)
{
    emulated_gpu e;
    cgct_err err = {""};
    const gpu_product p = {.m = (size_t)1 << 31, .n = 1, .k = 1, .batch = 1};
    emulated_init(&e, ROOM);
    ck_assert_int_eq(gpu_multiply(&e.g, &p, &err), CGCT_E_NOMEM);
    ck_assert_msg(strstr(err.text, "too large for cuBLAS"), "%s", err.text);
    ck_assert_int_eq(gpu_launch(&e.g, GPU_phi, (size_t)1 << 40, NULL, &err), CGCT_E_NOMEM);
    ck_assert_msg(strstr(err.text, "phi") && strstr(err.text, "fewer nodes"), "%s", err.text);
}
END_TEST

START_TEST(lists)
{
    static const char *const bad[] = {"",   ",",  "0,",    "1,,2", "0,0",
                                      "-1", "1x", "all,0", " 1",   "1024"};
    static const struct {
        const char *text;
        size_t n;
        int id[3];
    } good[] = {{"0", 1, {0}}, {"7", 1, {7}}, {"2,0,1023", 3, {2, 0, 1023}}};
    size_t n;
    int *id;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cgct_err err = {""};
        ck_assert_int_eq(gpu_list(bad[i], &n, &id, &err), CGCT_E_CONFIG);
        ck_assert_msg(strstr(err.text, "run.device"), "%s", err.text);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_int_eq(gpu_list(good[i].text, &n, &id, NULL), CGCT_OK);
        ck_assert_uint_eq(n, good[i].n);
        for (size_t k = 0; k < n; k++) ck_assert_int_eq(id[k], good[i].id[k]);
        free(id);
    }
}
END_TEST

int main(void)
{
    gsl_set_error_handler_off();
    Suite *s = suite_create("cuda_node");
    TCase *c = tcase_create("cuda_node");
    tcase_set_timeout(c, 300);
    tcase_add_loop_test(c, against_processor, 0, CUDA_NODE_CASES);
    tcase_add_test(c, little_memory);
    tcase_add_test(c, shared);
    tcase_add_test(c, shares_of_time);
    tcase_add_test(c, forecast_of_one_device);
    tcase_add_test(c, lost);
    tcase_add_test(c, lost_automatic);
    tcase_add_loop_test(c, lost_inner, 0, 2);
    tcase_add_test(c, too_rough);
    tcase_add_test(c, too_large);
    tcase_add_test(c, lists);
    suite_add_tcase(s, c);
    return run_suite(s) != 0;
}
