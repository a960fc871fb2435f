/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress lines, summaries and reports; the orderly end of the program on a signal. */
#include "cli/progress.h"

#include <math.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common.h"
#include "format/safe_text.h"
#include "format/tmpfile.h"
#include "numerics/blas.h"
#include "numerics/clock.h"

/* ---- progress and summary ---- */

/* Infinity and NaN do not exist in JSON. */
static void print_json_number(const char *key, double v)
{
    if (isfinite(v))
        printf(",\"%s\":%.6g", key, v);
    else
        printf(",\"%s\":null", key);
}

/* On a terminal the line takes the place of the one before, cut to the width; the next one takes
 * its place unless it stays. */
static void CGCT_PRINTF_(3, 4) print_line(cli_progress *p, int stays, const char *format, ...)
{
    char given[1024], text[1024];
    va_list args;
    const int tty = isatty(STDERR_FILENO);
    if (p->quiet) return;
    va_start(args, format);
    vsnprintf(given, sizeof given, format, args);
    va_end(args);
    safe_copy(SAFE_LINE, given, text, sizeof text);
    if (tty && !stays) {
        struct winsize w;
        const char *columns = getenv("COLUMNS");
        int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &w) ? 0 : w.ws_col;
        if (width < 1 && columns) width = atoi(columns);
        fprintf(stderr, "\r\033[K%.*s", width < 1 ? 79 : width - 1, text);
    } else
        fprintf(stderr, "%s%s\n", tty ? "\r\033[K" : "", text);
    p->unfinished = tty && !stays;
}

void cli_progress_stage(cli_progress *p, const char *what, int takes_long)
{
    if (takes_long || isatty(STDERR_FILENO)) print_line(p, 0, "%s run: %s ...", cli_name, what);
}

void cli_progress_leave(cli_progress *p)
{
    if (p->unfinished) fputc('\n', stderr);
    p->unfinished = 0;
}

void cli_progress_start(cli_progress *p, const char *path, size_t dropped)
{
    char torn[80] = "";
    p->start = clock_wall();
    p->before = p->done;
    if (p->json) {
        printf("{\"event\":\"start\",\"all\":%zu,\"done\":%zu}\n", p->all, p->done);
        fflush(stdout);
    }
    if (dropped)
        snprintf(torn, sizeof torn, "; %zu bytes of torn or damaged ones do not count", dropped);
    if (p->done || dropped)
        print_line(p, 1, "%s run: %zu of %zu items are in %s already, worst %.2g%s", cli_name,
                   p->done, p->all, path, p->worst, torn);
    if (p->done < p->all) print_line(p, 0, "%s run: %zu/%zu items done", cli_name, p->done, p->all);
}

void cli_progress_keep(cli_progress *p, const run_summary *s)
{
    p->worst = fmax(p->worst, s->worst);
}

void cli_progress_item(cli_progress *p, const char *what, double work, double x, double eps,
                       const run_summary *s)
{
    char text[208], left_text[32];
    snprintf(text, sizeof text, "%s", what);
    p->done++;
    p->work_left -= work;
    if (s) {
        cli_progress_keep(p, s);
        char negative[48] = "";
        if (s->negative) snprintf(negative, sizeof negative, ", %zu negative", s->negative);
        snprintf(text, sizeof text, "x %g eps %g: m to %zu, rank %d, %zu of %zu flagged%s, %.1f s",
                 x, eps, s->nm - 1 - (size_t)s->either_sign, s->report.rank, s->flagged, s->points,
                 negative, s->report.seconds_total);
    }
    double used = clock_wall() - p->start, gone = p->work - p->work_left;
    double left = p->done < p->all ? used * p->work_left / gone : 0;
    double rate = 60 * (double)(p->done - p->before) / used;
    if (p->json) {
        printf("{\"event\":\"%s\",\"done\":%zu,\"all\":%zu", what, p->done, p->all);
        if (s) {
            print_json_number("x", x);
            print_json_number("eps", eps);
            printf(",\"modes\":%zu,\"rank\":%d,\"points\":%zu,\"flagged\":%zu,\"negative\":%zu",
                   s->nm, s->report.rank, s->points, s->flagged, s->negative);
            print_json_number("worst", s->worst);
            print_json_number("seconds", s->report.seconds_total);
        }
        print_json_number("items_per_minute", rate);
        print_json_number("seconds_left", left);
        puts("}");
        fflush(stdout);
    }
    const long s_left = (long)(left + 0.5);
    snprintf(left_text, sizeof left_text, "%ld:%02ld:%02ld", s_left / 3600, s_left / 60 % 60,
             s_left % 60);
    print_line(p, p->done == p->all, "%s run: %zu/%zu, %s left, worst %.2g; %s; %.3g/min", cli_name,
               p->done, p->all, left_text, p->worst, text, rate);
}

/* Times depend on the machine: they are printed here and stored in no file. */
static void print_times(const cli_progress *p, const run_total *t)
{
    static const char *const name[5] = {"seconds inner", "seconds weights", "seconds Hankel",
                                        "seconds certificate", "seconds all nodes"};
    struct rusage use;
    for (int i = 0; i < 5; i++) fprintf(stderr, "%-20s %.1f\n", name[i], t->seconds[i]);
    const double elapsed = clock_wall() - p->start;
    fprintf(stderr, "%-20s %.1f\n", "seconds elapsed", elapsed);
    if (p->seconds_device > 0)
        fprintf(stderr, "%-20s %.1f, %.0f %% of those elapsed\n", "seconds device",
                p->seconds_device, 100 * p->seconds_device / elapsed);
    fprintf(stderr, "%-20s %.2f\n", "seconds journal", p->seconds_journal);
    fprintf(stderr, "%-20s %.1f\n", "seconds table", p->seconds_table);
    if (getrusage(RUSAGE_SELF, &use)) return;
    fprintf(stderr, "%-20s %.1f\n", "seconds processor",
            (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec));
    fprintf(stderr, "%-20s %.0f\n", "MiB at most", (double)use.ru_maxrss / 1024);
}

static void print_json_summary(const cli_progress *p, const run_total *t, long long bytes)
{
    printf("{\"event\":\"summary\"");
    for (const char *s = t->text; *s; s += strcspn(s, "\n") + 1) {
        char key[64], value[1024], end;
        double v;
        if (sscanf(s, "%63[^\t]\t%1023[^\n]", key, value) != 2) continue;
        if (sscanf(value, "%lf%c", &v, &end) != 1)
            printf(",\"%s\":\"%s\"", key, value);
        else
            printf(",\"%s\":%s", key, isfinite(v) ? value : "null");
    }
    print_json_number("seconds_nodes", t->seconds[4]);
    print_json_number("seconds_elapsed", clock_wall() - p->start);
    if (p->seconds_device > 0) print_json_number("seconds_device", p->seconds_device);
    printf(",\"bytes\":%lld}\n", bytes);
}

void cli_progress_summary(const cli_progress *p, const run_total *t, const char *path, double flag)
{
    struct stat file = {0};
    long long bytes = stat(path, &file) ? 0 : (long long)file.st_size;
    if (p->json) print_json_summary(p, t, bytes);
    if (p->quiet) return;
    for (const char *s = t->text; *s;) {
        int key = (int)strcspn(s, "\t"), value = (int)strcspn(s + key, "\n");
        fprintf(stderr, "%-20.*s %.*s\n", key, s, value - 1, s + key + 1);
        s += key + value + 1;
    }
    print_times(p, t);
    safe_line(stderr, "%-20s %s, %lld bytes", "file", path, bytes);
    if (t->flagged)
        fprintf(stderr,
                "%s run: %zu of %zu points exceed accuracy.flag = %g of I; their estimates are in "
                "the file\n",
                cli_name, t->flagged, t->points, flag);
    if (t->negative)
        fprintf(stderr,
                "%s run: the mean over the angle is negative at %zu of %zu points (q,k), first at "
                "q = %.4g, k = %.4g GeV: the dipole gives no positive cross section there, and a "
                "reader of the table says so\n",
                cli_name, t->negative, t->points, t->negative_q, t->negative_k);
}

/* ---- one node ---- */

/* One line of print_stages, none for a stage that was not needed; limit in operations a second. */
static void print_stage(const char *name, const inner_stage *s, double limit)
{
    if (!(s->seconds > 0)) return;
    const double rate = s->operations / s->seconds;
    fprintf(stderr, "    %-13s %7.3f s %8.1f GFLOP %6.1f GFLOP/s  %3.0f%% of DGEMM\n", name,
            s->seconds, 1e-9 * s->operations, 1e-9 * rate, 100 * rate / limit);
}

/* What the stages of the inner table took, where its builder counts that: matrix products among
 * functions and memory, beside the rate of large products. */
static void print_stages(const node_report *r)
{
    static const char *const name[INNER_STAGES] = {"modes of L, S", "phi", "products", "g",
                                                   "colours"};
    inner_stage all = {0, 0};
    for (int i = 0; i < INNER_STAGES; i++) {
        all.seconds += r->stage[i].seconds;
        all.operations += r->stage[i].operations;
    }
    const double limit = all.operations > 0 ? blas_rate(BLAS_LARGE) : 0;
    if (!(limit > 0)) return;
    fprintf(stderr, "  inner table, sums over threads; DGEMM on all of them: %.1f GFLOP/s each\n",
            1e-9 * limit);
    for (int i = 0; i < INNER_STAGES; i++) print_stage(name[i], &r->stage[i], limit);
    print_stage("together", &all, limit);
}

void cli_report_print(double x, double eps, const node_report *r)
{
    fprintf(stderr, "x = %g, eps = %g GeV\n", x, eps);
    fprintf(stderr, "  backend       %s\n", r->backend);
    fprintf(stderr, "  Delta nodes   %zu up to %g /GeV\n", r->n_delta, r->delta_max);
    fprintf(stderr, "  R nodes       %zu up to %g /GeV\n", r->n_r, r->r_max);
    fprintf(stderr, "  s nodes       %zu up to %g /GeV\n", r->n_s, r->s_max);
    fprintf(stderr, "  P nodes       %zu\n", r->n_p);
    fprintf(stderr, "  rank, modes   %d, %d\n", r->rank, r->modes);
    fprintf(stderr, "  sum rule      %.2e\n", r->sum_rule);
    fprintf(stderr, "  inner table   %.3f s\n", r->seconds_inner);
    fprintf(stderr, "  weights       %.3f s\n", r->seconds_weights);
    fprintf(stderr, "  Hankel        %.3f s\n", r->seconds_hankel);
    fprintf(stderr, "  certificate   %.3f s\n", r->seconds_certificate);
    fprintf(stderr, "  total         %.3f s\n", r->seconds_total);
    fprintf(stderr, "  memory        %.1f MiB\n", (double)r->bytes_peak / (1 << 20));
    print_stages(r);
}

void cli_report_fallback(const char *command, const char *fallback, const char *builder)
{
    if (*fallback) cli_say(command, "%s; went on with %s", fallback, builder);
}

/* ---- interruption ---- */

/* Few functions are safe in a signal handler, and it gets no argument: it posts this semaphore, for
 * which a thread waits that takes the lock and ends the program. */
static sem_t signal_arrived;

static void on_signal(int number)
{
    (void)number;
    sem_post(&signal_arrived);
}

static void *wait_for_signal(void *self)
{
    cli_guard *g = self;
    char text[1024] = "", safe[1024], line[1200];
    while (sem_wait(&signal_arrived)) {
    }
    pthread_mutex_lock(&g->lock);
    if (g->done) return pthread_mutex_unlock(&g->lock), NULL;
    g->leave(g->self, text, sizeof text);
    /* the last progress line may not be finished */
    snprintf(line, sizeof line, "%s%s run: interrupted: %s\n", isatty(STDERR_FILENO) ? "\n" : "",
             cli_name, safe_copy(SAFE_LINE, text, safe, sizeof safe));
    ssize_t n = write(STDERR_FILENO, line, strlen(line));
    (void)n;
    cgct_tmpfile_clear();
    _exit(CLI_FAILED);
}

cgct_status cli_guard_start(cli_guard *g, cgct_err *err)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action, old;
    if (sem_init(&signal_arrived, 0, 0) || pthread_create(&g->thread, NULL, wait_for_signal, g))
        return cgct_fail(err, CGCT_E_NOMEM, "no thread to wait for signals");
    g->started = 1;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!sigaction(numbers[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    return CGCT_OK;
}

void cli_guard_end(cli_guard *g)
{
    pthread_mutex_lock(&g->lock);
    g->done = 1;
    pthread_mutex_unlock(&g->lock);
    if (!g->started) return;
    sem_post(&signal_arrived);
    pthread_join(g->thread, NULL);
}
