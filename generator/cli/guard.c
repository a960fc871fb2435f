/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A handler may do next to nothing, so it only posts a semaphore; a thread waits for it and ends
 * the program under the lock.  Which thread the signal interrupts does not matter then. */
#include "cli/guard.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/common.h"

static sem_t stop;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void (*before_end)(void *self, char *text, size_t size);
static void *before_end_self;

static void on_signal(int number)
{
    (void)number;
    sem_post(&stop);
}

static void *wait_for_signal(void *unused)
{
    char text[1024] = "", line[1200];
    (void)unused;
    for (;;) {
        while (sem_wait(&stop)) {
        }
        cli_guard_lock();
        if (!done) break;
        cli_guard_unlock();
    }
    before_end(before_end_self, text, sizeof text);
    /* a progress line may be open */
    snprintf(line, sizeof line, "%s" CLI_PROGRAM " run: interrupted: %s\n",
             isatty(STDERR_FILENO) ? "\n" : "", text);
    ssize_t n = write(STDERR_FILENO, line, strlen(line));
    (void)n;
    _exit(CLI_FAILED);
}

cgct_status cli_guard_start(void (*leave)(void *self, char *text, size_t size), void *self,
                            cgct_err *err)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    pthread_t thread;
    struct sigaction action, old;
    before_end = leave;
    before_end_self = self;
    int failed = sem_init(&stop, 0, 0) || pthread_create(&thread, NULL, wait_for_signal, NULL);
    if (failed || pthread_detach(thread))
        return cgct_fail(err, CGCT_E_NOMEM, "no thread to wait for signals");
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!sigaction(numbers[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    return CGCT_OK;
}

void cli_guard_lock(void)
{
    pthread_mutex_lock(&lock);
}

void cli_guard_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void cli_guard_done(void)
{
    done = 1;
}
