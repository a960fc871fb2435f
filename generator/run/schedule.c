/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.c: independent tasks over threads. */
#include "run/schedule.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

#include "numerics/memory.h"

typedef struct {
    const run_schedule *s;
    pthread_mutex_t lock;
    pthread_cond_t freed;
    size_t next, running, used; /* first task not begun; tasks being done, and their bytes */
    cgct_status st;
    cgct_err err; /* of the first failure */
} worker_pool;

/* The next task and the threads it may use; 0: no more.  Called with the lock held. */
static int take_task(worker_pool *p, size_t *i, int *inside)
{
    const run_schedule *s = p->s;
    while (p->st == CGCT_OK && p->next < s->n && p->running &&
           p->used + s->bytes[p->next] > s->budget)
        pthread_cond_wait(&p->freed, &p->lock);
    if (p->st != CGCT_OK || p->next == s->n) return 0;
    *i = p->next++;
    p->running++;
    p->used += s->bytes[*i];
    size_t active = p->running + (s->n - p->next);
    if (s->bytes[*i] && s->budget / s->bytes[*i] < active) active = s->budget / s->bytes[*i];
    if (active < p->running) active = p->running;
    *inside = active < (size_t)s->threads ? s->threads / (int)active : 1;
    return 1;
}

static void *work_on_tasks(void *pool)
{
    worker_pool *p = pool;
    size_t i;
    int inside;
    pthread_mutex_lock(&p->lock);
    while (take_task(p, &i, &inside)) {
        cgct_err err = {""};
        pthread_mutex_unlock(&p->lock);
        omp_set_num_threads(inside);
        cgct_status st = p->s->work(p->s->self, i, &err);
        pthread_mutex_lock(&p->lock);
        p->running--;
        p->used -= p->s->bytes[i];
        if (st != CGCT_OK && p->st == CGCT_OK) {
            p->st = st;
            p->err = err;
        }
        pthread_cond_broadcast(&p->freed);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

cgct_status run_schedule_go(const run_schedule *s, cgct_err *err)
{
    size_t want = s->n < (size_t)s->threads ? s->n : (size_t)s->threads, have = 0;
    worker_pool p = {.s = s, .lock = PTHREAD_MUTEX_INITIALIZER, .freed = PTHREAD_COND_INITIALIZER};
    pthread_t *thread = memory_new(want, sizeof *thread);
    while (have < want && !pthread_create(&thread[have], NULL, work_on_tasks, &p)) have++;
    for (size_t i = 0; i < have; i++) pthread_join(thread[i], NULL);
    free(thread);
    if (want && !have) return cgct_fail(err, CGCT_E_NOMEM, "no thread can be started");
    if (p.st != CGCT_OK && err) *err = p.err;
    return p.st;
}
