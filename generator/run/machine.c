/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.c: reads limits of memory and processors from /proc, /sys and the system. */
#include "run/machine.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

/* The number behind `key`, which begins a line, in a file of such lines; fallback where there is
 * none, or a word like "max". */
static double number_in(const char *path, const char *key, double fallback)
{
    char line[256];
    double v = fallback;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, key, strlen(key)) && sscanf(line + strlen(key), "%lf", &v) == 1) break;
    if (f) fclose(f);
    return v;
}

/* ---- control groups ---- */

/* A folder of a control group; `mounted`: length of the part above the uppermost group. */
typedef struct {
    char folder[PATH_SIZE];
    size_t mounted;
    int version; /* 0: no such group */
} control_group;

/* The group of this process that holds `controller`, as the line "NUMBER:CONTROLLERS:PATH" of
 * /proc/self/cgroup says; version 2 has no names of controllers. */
static control_group own_group(const char *root, const char *controller)
{
    control_group g = {.version = 0};
    char path[PATH_SIZE], line[PATH_SIZE], mount[64];
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    snprintf(mount, sizeof mount, "/sys/fs/cgroup/%s", controller);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        char *names = strchr(line, ':'), *own = names ? strchr(names + 1, ':') : NULL;
        if (!own) continue;
        *own++ = 0;
        own[strcspn(own, "\n")] = 0;
        int version = names[1] ? 0 : 2;
        for (char *at = strtok(names + 1, ","); at; at = strtok(NULL, ","))
            if (!strcmp(at, controller)) version = 1;
        if (!version || g.version == 1) continue;
        int n = snprintf(g.folder, sizeof g.folder, "%s%s", root,
                         version == 1 ? mount : "/sys/fs/cgroup");
        if (n < 0 || strlen(own) >= sizeof g.folder - (size_t)n) continue;
        g.mounted = (size_t)n;
        g.version = version;
        strcpy(g.folder + n, own);
    }
    if (f) fclose(f);
    return g;
}

/* The group above; 0: there is none. */
static int go_up(control_group *g)
{
    char *own = g->folder + g->mounted, *slash = strrchr(own, '/');
    if (!slash) return 0;
    *slash = 0;
    return 1;
}

static double group_number(const control_group *g, const char *file, const char *key,
                           double fallback)
{
    char path[PATH_SIZE + 64];
    snprintf(path, sizeof path, "%s/%s", g->folder, file);
    return number_in(path, key, fallback);
}

/* Bytes; what files hold that were not read lately is given up for others. */
static double free_in_groups(const char *root)
{
    double least = INFINITY;
    control_group g = own_group(root, "memory");
    if (!g.version) return least;
    const int old = g.version == 1;
    do {
        const double limit =
            group_number(&g, old ? "memory.limit_in_bytes" : "memory.max", "", INFINITY);
        const double used =
            group_number(&g, old ? "memory.usage_in_bytes" : "memory.current", "", 0);
        const double files =
            group_number(&g, "memory.stat", old ? "total_inactive_file " : "inactive_file ", 0);
        least = fmin(least, limit - fmax(0, used - files));
    } while (go_up(&g));
    return least;
}

/* Processors whose time the groups grant. */
static double processors_in_groups(const char *root)
{
    double least = INFINITY;
    control_group g = own_group(root, "cpu");
    if (!g.version) return least;
    do {
        char path[PATH_SIZE + 64], line[64] = "";
        double quota = -1, period = 0;
        if (g.version == 1) {
            quota = group_number(&g, "cpu.cfs_quota_us", "", -1);
            period = group_number(&g, "cpu.cfs_period_us", "", 0);
        } else {
            snprintf(path, sizeof path, "%s/cpu.max", g.folder);
            FILE *f = fopen(path, "r");
            if (f && fgets(line, sizeof line, f)) sscanf(line, "%lf %lf", &quota, &period);
            if (f) fclose(f);
        }
        if (quota > 0 && period > 0) least = fmin(least, quota / period);
    } while (go_up(&g));
    return least;
}

/* ---- what is left ---- */

static double free_under_limit(int resource, const char *root, const char *used)
{
    struct rlimit limit;
    char path[PATH_SIZE];
    if (getrlimit(resource, &limit) || limit.rlim_cur == RLIM_INFINITY) return INFINITY;
    snprintf(path, sizeof path, "%s/proc/self/status", root);
    return (double)limit.rlim_cur - 1024 * number_in(path, used, 0);
}

/* Other programs and the page cache keep a fifth of the free memory; where the system does not say
 * what is free, half of all memory is taken to be. */
static const double SHARE_OF_FREE = 0.8, SHARE_IF_UNKNOWN = 0.5;

size_t machine_memory(const char *root)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    double bytes = 1024 * number_in(path, "MemAvailable:", 0);
    if (!(bytes > 0))
        bytes = SHARE_IF_UNKNOWN * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    bytes = fmin(bytes, free_in_groups(root));
    bytes = fmin(bytes, free_under_limit(RLIMIT_AS, root, "VmSize:"));
    bytes = fmin(bytes, free_under_limit(RLIMIT_DATA, root, "VmData:"));
    return (size_t)(SHARE_OF_FREE * fmax(0, bytes));
}

int machine_threads(const char *root)
{
    const char *chosen = getenv("OMP_NUM_THREADS");
    if (chosen && *chosen) return omp_get_max_threads();
    return (int)fmin(omp_get_num_procs(), ceil(processors_in_groups(root)));
}
