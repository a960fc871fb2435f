/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory and processors under limits of control groups, of the shell and of OMP_NUM_THREADS. */
#include <omp.h>
#include <string.h>
#include <sys/resource.h>

#include "command.h"
#include "run/machine.h"
#include "run_suite.h"

static const double MIB = 0x1p20;

/* A file below the test's folder, whose own folder is made. */
static void put(const char *path, const char *text)
{
    char line[512];
    snprintf(line, sizeof line, "d=%s%s && mkdir -p ${d%%/*} && printf -- '%s' > $d", place.folder,
             path, text);
    ck_assert_int_eq(system(line), 0);
}

static double free_mib(void)
{
    return (double)machine_memory(place.folder) / MIB;
}

static void machine(void)
{
    setup();
    unsetenv("OMP_NUM_THREADS");
    put("/proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable: 4096000 kB\n");
}

START_TEST(whole_machine)
{
    ck_assert_double_eq_tol(free_mib(), 0.8 * 4000, 1);
    ck_assert_int_eq(machine_threads(place.folder), omp_get_num_procs());
    put("/proc/self/cgroup", "7:pids:/\nno line of this kind\n0::/\n");
    ck_assert_double_eq_tol(free_mib(), 0.8 * 4000, 1);
    ck_assert_int_eq(machine_threads(place.folder), omp_get_num_procs());
}
END_TEST

/* The tightest group counts; pages of files that were not read lately are free. */
START_TEST(groups_of_version_2)
{
#define V2 "/sys/fs/cgroup"
    put("/proc/self/cgroup", "0::/user/job\n");
    put(V2 "/user/job/memory.max", "max\n");
    put(V2 "/user/job/memory.current", "0\n");
    ck_assert_double_eq_tol(free_mib(), 0.8 * 4000, 1);
    put(V2 "/user/memory.max", "1048576000\n");
    put(V2 "/user/memory.current", "524288000\n");
    ck_assert_double_eq_tol(free_mib(), 0.8 * 500, 1);
    put(V2 "/user/memory.stat", "active_file 7\ninactive_file 209715200\n");
    ck_assert_double_eq_tol(free_mib(), 0.8 * 700, 1);
    put(V2 "/user/job/memory.max", "104857600\n");
    ck_assert_double_eq_tol(free_mib(), 0.8 * 100, 1);
    put(V2 "/user/job/memory.current", "204857600\n");
    ck_assert_double_eq(free_mib(), 0);
    put(V2 "/user/job/cpu.max", "max 100000\n");
    ck_assert_int_eq(machine_threads(place.folder), omp_get_num_procs());
    put(V2 "/user/cpu.max", "50000 100000\n");
    ck_assert_int_eq(machine_threads(place.folder), 1);
}
END_TEST

/* A container shows its own group as the uppermost one, under a path that does not exist there. */
START_TEST(groups_of_version_1)
{
    put("/proc/self/cgroup", "5:cpuset:/\n4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n0::/\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1048576000\n");
    put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "314572800\n");
    put("/sys/fs/cgroup/memory/memory.stat", "inactive_file 5\ntotal_inactive_file 104857600\n");
    ck_assert_double_eq_tol(free_mib(), 0.8 * 800, 1);
    put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    ck_assert_int_eq(machine_threads(place.folder), omp_get_num_procs());
    put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n");
    ck_assert_int_eq(machine_threads(place.folder), 1);
}
END_TEST

#ifndef __SANITIZE_ADDRESS__
START_TEST(limits_of_the_shell)
{
    const struct rlimit limit = {(rlim_t)(1000 * MIB), RLIM_INFINITY};
    const int which = _i ? RLIMIT_DATA : RLIMIT_AS;
    put("/proc/self/status", "Name: x\nVmSize: 204800 kB\nVmData: 102400 kB\n");
    ck_assert_int_eq(setrlimit(which, &limit), 0);
    ck_assert_double_eq_tol(free_mib(), 0.8 * (_i ? 900 : 800), 1);
}
END_TEST
#endif

START_TEST(chosen_threads)
{
    put("/proc/self/cgroup", "0::/\n");
    put("/sys/fs/cgroup/cpu.max", "100000 100000\n");
    setenv("OMP_NUM_THREADS", "3", 1);
    omp_set_num_threads(3); /* as OpenMP has read it */
    ck_assert_int_eq(machine_threads(place.folder), 3);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("machine");
    TCase *t = tcase_create("machine");
    tcase_add_checked_fixture(t, machine, teardown);
    tcase_add_test(t, whole_machine);
    tcase_add_test(t, groups_of_version_2);
    tcase_add_test(t, groups_of_version_1);
#ifndef __SANITIZE_ADDRESS__
    tcase_add_loop_test(t, limits_of_the_shell, 0, 2);
#endif
    tcase_add_test(t, chosen_threads);
    suite_add_tcase(s, t);
    return run_suite(s) ? EXIT_FAILURE : EXIT_SUCCESS;
}
