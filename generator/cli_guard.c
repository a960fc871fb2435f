/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A handler may do next to nothing, so it only posts a semaphore; a thread waits for it and aborts
 * the writer under the lock.  Which thread the signal interrupts does not matter then. */
#include "cli_guard.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli_common.h"

static sem_t stop;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cgct_writer **writer;

static void on_signal(int number)
{
    (void)number;
    sem_post(&stop);
}

static void *wait_for_signal(void *unused)
{
    static const char line[] = "\n" CLI_PROGRAM " run: interrupted, nothing is left behind\n";
    const char *text = isatty(STDERR_FILENO) ? line : line + 1; /* a progress line may be open */
    (void)unused;
    while (sem_wait(&stop)) {
    }
    cli_guard_lock();
    cgct_writer_abort(*writer);
    ssize_t n = write(STDERR_FILENO, text, strlen(text));
    (void)n;
    _exit(CLI_FAILED);
}

cgct_status cli_guard_start(cgct_writer **w, cgct_err *err)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    pthread_t thread;
    struct sigaction action, old;
    writer = w;
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
