/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pool of open devices behind one lock, and the list of devices that a user asks for. */
#include "gpu_crew.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/clock.h"
#include "numerics/memory.h"

enum { DEVICES_MAX = 1024 };

/* What one of `all` is doing: its share of the time since it was taken, and the thread's clock
 * then. */
typedef struct {
    int taken;
    double share, processor;
} crew_lane;

typedef struct {
    pthread_t thread;
    gpu_use use;
} crew_user;

struct gpu_crew {
    pthread_mutex_t lock;
    pthread_cond_t given;
    size_t n, nfree, alive, devices;
    gpu **all, **free; /* (n); the first nfree that are idle, of which the last is taken first */
    crew_lane *lane;   /* (n), of `all` */
    crew_user *user;   /* (nuser): every thread that has given one back or asked for its use */
    size_t nuser;
    double last, busy; /* when a lane was last taken or given; sum over devices, seconds */
    cgct_err why;      /* failure of the last device that failed */
};

/* ---- which devices ---- */

static cgct_status list_all_devices(size_t *n, int **id, cgct_err *err)
{
    int count;
    CGCT_TRY(device_count(&count, err));
    *id = memory_new((size_t)count, sizeof **id);
    for (*n = 0; *n < (size_t)count; ++*n) (*id)[*n] = (int)*n;
    return CGCT_OK;
}

cgct_status gpu_list(const char *text, size_t *n, int **id, cgct_err *err)
{
    *n = 0;
    *id = NULL;
    if (!strcmp(text, "all")) return list_all_devices(n, id, err);
    int *list = memory_new(strlen(text) + 1, sizeof *list);
    for (const char *at = text;; at++) {
        char *end;
        long v = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : -1;
        for (size_t i = 0; i < *n; i++)
            if (list[i] == v) v = -1;
        if (v < 0 || v >= DEVICES_MAX || (*end && *end != ',')) {
            free(list);
            return cgct_fail(
                err, CGCT_E_CONFIG,
                "run.device '%s': want numbers below %d, each once, with commas between, or 'all'",
                text, DEVICES_MAX);
        }
        list[(*n)++] = (int)v;
        at = end;
        if (!*at) break;
    }
    *id = list;
    return CGCT_OK;
}

/* ---- the crew ---- */

gpu_crew *gpu_crew_new(size_t devices, size_t n, gpu *const *g)
{
    gpu_crew *c = memory_zeros(1, sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->given, NULL);
    c->n = c->nfree = c->alive = n;
    c->devices = devices;
    c->lane = memory_zeros(n, sizeof *c->lane);
    c->all = memory_new(2 * n, sizeof *c->all);
    c->free = c->all + n;
    for (size_t i = 0; i < n; i++) c->all[i] = c->free[i] = g[i];
    return c;
}

cgct_status gpu_crew_open(gpu_crew **c, const char *devices, cgct_err *err)
{
    size_t n, open = 0;
    int *id;
    *c = NULL;
    CGCT_TRY(gpu_list(devices, &n, &id, err));
    gpu **g = memory_new(GPU_LANES * n, sizeof *g);
    cgct_status st = CGCT_OK;
    for (; st == CGCT_OK && open < GPU_LANES * n; open += st == CGCT_OK)
        st = gpu_open(&g[open], id[open % n], GPU_LANES, err);
    if (st == CGCT_OK)
        *c = gpu_crew_new(n, open, g);
    else
        while (open > 0) gpu_close(g[--open]);
    free(g);
    free(id);
    return st;
}

void gpu_crew_close(gpu_crew *c)
{
    if (!c) return;
    for (size_t i = 0; i < c->n; i++) gpu_close(c->all[i]);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->given);
    free(c->all);
    free(c->lane);
    free(c->user);
    free(c);
}

const char *gpu_crew_name(const gpu_crew *c)
{
    return c->all[0]->name;
}

/* ---- time ---- */

/* The account of the calling thread, opened when it is first asked for.  With the lock held. */
static gpu_use *own_use(gpu_crew *c)
{
    for (size_t i = 0; i < c->nuser; i++)
        if (pthread_equal(c->user[i].thread, pthread_self())) return &c->user[i].use;
    c->user = memory_resize(c->user, c->nuser + 1, sizeof *c->user);
    c->user[c->nuser] = (crew_user){.thread = pthread_self()};
    return &c->user[c->nuser++].use;
}

gpu_use gpu_crew_use(gpu_crew *c)
{
    if (!c) return (gpu_use){0, 0};
    pthread_mutex_lock(&c->lock);
    const gpu_use use = *own_use(c);
    pthread_mutex_unlock(&c->lock);
    return use;
}

size_t gpu_crew_devices(const gpu_crew *c)
{
    return c->devices;
}

/* Divides the time since the last call among the lanes that are taken.  Called with the lock
 * held. */
static void share_time(gpu_crew *c)
{
    const double now = clock_wall(), past = now - c->last;
    c->last = now;
    for (size_t d = 0; d < c->devices; d++) {
        int taken = 0;
        for (size_t i = d; i < c->n; i += c->devices) taken += c->lane[i].taken;
        if (!taken) continue;
        c->busy += past;
        for (size_t i = d; i < c->n; i += c->devices)
            if (c->lane[i].taken) c->lane[i].share += past / taken;
    }
}

double gpu_crew_seconds(gpu_crew *c)
{
    pthread_mutex_lock(&c->lock);
    share_time(c);
    const double busy = c->busy;
    pthread_mutex_unlock(&c->lock);
    return c->devices ? busy / (double)c->devices : 0;
}

static crew_lane *lane_of(const gpu_crew *c, const gpu *g)
{
    size_t i = 0;
    while (c->all[i] != g) i++;
    return &c->lane[i];
}

cgct_status gpu_crew_take(gpu_crew *c, gpu **g, cgct_err *err)
{
    pthread_mutex_lock(&c->lock);
    while (c->alive && !c->nfree) pthread_cond_wait(&c->given, &c->lock);
    *g = c->alive ? c->free[--c->nfree] : NULL;
    share_time(c);
    if (*g) *lane_of(c, *g) = (crew_lane){1, 0, clock_thread()};
    cgct_err why = c->why;
    pthread_mutex_unlock(&c->lock);
    if (!*g) return cgct_fail(err, CGCT_E_DEVICE, "no device works any more: %s", why.text);
    cgct_status st = (*g)->ops->bind(*g, err);
    if (st != CGCT_OK) gpu_crew_give(c, *g, st, err);
    return st;
}

void gpu_crew_give(gpu_crew *c, gpu *g, cgct_status st, const cgct_err *why)
{
    pthread_mutex_lock(&c->lock);
    crew_lane *lane = lane_of(c, g);
    share_time(c);
    gpu_use *use = own_use(c);
    use->device += lane->share;
    use->processor += clock_thread() - lane->processor;
    lane->taken = 0;
    if (st == CGCT_E_DEVICE) {
        c->alive--;
        if (why) c->why = *why;
    } else {
        c->free[c->nfree++] = g;
    }
    pthread_cond_broadcast(&c->given);
    pthread_mutex_unlock(&c->lock);
}
