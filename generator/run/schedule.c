/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/schedule.h"

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    const run_schedule *s;
    pthread_mutex_t lock;
    pthread_cond_t freed;
    size_t next, running, used; /* tasks begun, in hand; their bytes */
    cgct_status st;
    cgct_err err; /* of the first failure */
} crew;

/* The next task and the threads it may use; 0: no more.  Called with the lock held. */
static int take(crew *c, size_t *i, int *inside)
{
    const run_schedule *s = c->s;
    while (c->st == CGCT_OK && c->next < s->n && c->running &&
           c->used + s->bytes[c->next] > s->budget)
        pthread_cond_wait(&c->freed, &c->lock);
    if (c->st != CGCT_OK || c->next == s->n) return 0;
    *i = c->next++;
    c->running++;
    c->used += s->bytes[*i];
    size_t active = c->running + (s->n - c->next);
    if (s->bytes[*i] && s->budget / s->bytes[*i] < active) active = s->budget / s->bytes[*i];
    if (active < c->running) active = c->running;
    *inside = active < (size_t)s->threads ? s->threads / (int)active : 1;
    return 1;
}

static void finish(crew *c, size_t i, cgct_status st, const cgct_err *err)
{
    c->running--;
    c->used -= c->s->bytes[i];
    if (st != CGCT_OK && c->st == CGCT_OK) {
        c->st = st;
        c->err = *err;
    }
    pthread_cond_broadcast(&c->freed);
}

static void *worker(void *crew_)
{
    crew *c = crew_;
    size_t i;
    int inside;
    pthread_mutex_lock(&c->lock);
    while (take(c, &i, &inside)) {
        cgct_err err = {""};
        pthread_mutex_unlock(&c->lock);
        omp_set_num_threads(inside);
        cgct_status st = c->s->work(c->s->self, i, &err);
        pthread_mutex_lock(&c->lock);
        finish(c, i, st, &err);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

cgct_status run_schedule_go(const run_schedule *s, cgct_err *err)
{
    size_t want = s->n < (size_t)s->threads ? s->n : (size_t)s->threads, have = 0;
    crew c = {.s = s, .lock = PTHREAD_MUTEX_INITIALIZER, .freed = PTHREAD_COND_INITIALIZER};
    pthread_t *thread = malloc((want + 1) * sizeof *thread);
    if (!thread) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu threads", want);
    while (have < want && !pthread_create(&thread[have], NULL, worker, &c)) have++;
    for (size_t i = 0; i < have; i++) pthread_join(thread[i], NULL);
    free(thread);
    if (want && !have) return cgct_fail(err, CGCT_E_NOMEM, "no thread can be started");
    if (c.st != CGCT_OK && err) *err = c.err;
    return c.st;
}

size_t run_memory_budget(void)
{
    char line[128];
    unsigned long long kib = 0;
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %llu", &kib) == 1) break;
    if (f) fclose(f);
    double bytes = 1024.0 * (double)kib;
    if (!kib) bytes = 0.5 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return (size_t)(0.8 * bytes);
}
