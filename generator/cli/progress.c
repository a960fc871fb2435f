/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "numerics/clock.h"
#include "cli/common.h"

static void format_time(double seconds, char *to, size_t size)
{
    long s = (long)(seconds + 0.5);
    snprintf(to, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
}

/* JSON knows no infinity. */
static void json_number(const char *key, double v)
{
    if (isfinite(v))
        printf(",\"%s\":%.6g", key, v);
    else
        printf(",\"%s\":null", key);
}

void cli_progress_start(cli_progress *p, const char *path, size_t dropped)
{
    p->start = clock_wall();
    p->before = p->done;
    if (p->json) {
        printf("{\"event\":\"start\",\"all\":%zu,\"done\":%zu}\n", p->all, p->done);
        fflush(stdout);
    }
    if (p->quiet || (!p->done && !dropped)) return;
    fprintf(stderr, "%s run: %zu of %zu items are in %s already", CLI_PROGRAM, p->done, p->all,
            path);
    if (dropped) fprintf(stderr, "; %zu bytes of a torn one were dropped", dropped);
    fputc('\n', stderr);
}

static void json_item(const cli_progress *p, double x, double eps, const run_summary *s,
                      double rate, double left)
{
    printf("{\"event\":\"%s\",\"done\":%zu,\"all\":%zu", s ? "node" : "check", p->done, p->all);
    if (s) {
        json_number("x", x);
        json_number("eps", eps);
        printf(",\"modes\":%zu,\"rank\":%d,\"points\":%zu,\"flagged\":%zu", s->nm, s->report.rank,
               s->points, s->flagged);
        json_number("worst", s->worst);
        json_number("seconds", s->report.seconds_total);
    }
    json_number("items_per_minute", rate);
    json_number("seconds_left", left);
    puts("}");
    fflush(stdout);
}

void cli_progress_item(cli_progress *p, double work, double x, double eps, const run_summary *s)
{
    char text[160] = "check", left_text[32];
    p->done++;
    p->work_left -= work;
    if (s) {
        p->flagged += s->flagged;
        p->worst = fmax(p->worst, s->worst);
        snprintf(text, sizeof text, "x %g eps %g: M %zu, rank %d, %zu of %zu flagged, %.1f s", x,
                 eps, s->nm - 1, s->report.rank, s->flagged, s->points, s->report.seconds_total);
    }
    double used = clock_wall() - p->start, gone = p->work - p->work_left;
    double left = p->done < p->all ? used * p->work_left / gone : 0;
    double rate = 60 * (double)(p->done - p->before) / used;
    if (p->json) json_item(p, x, eps, s, rate, left);
    if (p->quiet) return;
    int tty = isatty(STDERR_FILENO);
    format_time(left, left_text, sizeof left_text);
    fprintf(stderr, "%s%s run: %zu/%zu %s; %.3g/min, %s left, worst %.2g%s", tty ? "\r\033[K" : "",
            CLI_PROGRAM, p->done, p->all, text, rate, left_text, p->worst,
            tty && p->done < p->all ? "" : "\n");
}

static void line(const char *key, const char *format, double v)
{
    fprintf(stderr, "%-20s ", key);
    fprintf(stderr, format, v);
    fputc('\n', stderr);
}

/* Times depend on the machine: they are said here and stand in no file. */
static void times(const cli_progress *p, const run_total *t)
{
    static const char *const name[5] = {"seconds inner", "seconds weights", "seconds Hankel",
                                        "seconds certificate", "seconds all nodes"};
    struct rusage use;
    for (int i = 0; i < 5; i++) line(name[i], "%.1f", t->seconds[i]);
    line("seconds elapsed", "%.1f", clock_wall() - p->start);
    line("seconds writing", "%.2f", p->seconds_writing);
    if (getrusage(RUSAGE_SELF, &use)) return;
    line("seconds processor", "%.1f",
         (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
             1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec));
    line("MiB at most", "%.0f", (double)use.ru_maxrss / 1024);
}

static void json_summary(const cli_progress *p, const run_total *t, const char *text,
                         long long bytes)
{
    printf("{\"event\":\"summary\"");
    for (const char *s = text; *s; s += strcspn(s, "\n") + 1) {
        char key[64], value[64];
        if (sscanf(s, "%63[^\t]\t%63[^\n]", key, value) != 2) continue;
        int number = !strstr(value, "inf") && !strstr(value, "nan");
        printf(",\"%s\":%s", key, number ? value : "null");
    }
    json_number("seconds_nodes", t->seconds[4]);
    json_number("seconds_elapsed", clock_wall() - p->start);
    printf(",\"bytes\":%lld}\n", bytes);
}

void cli_progress_summary(const cli_progress *p, const run_total *t, const char *text,
                          const char *path, double flag)
{
    struct stat file = {0};
    long long bytes = stat(path, &file) ? 0 : (long long)file.st_size;
    if (p->json) json_summary(p, t, text, bytes);
    if (p->quiet) return;
    for (const char *s = text; *s;) {
        int key = (int)strcspn(s, "\t"), value = (int)strcspn(s + key, "\n");
        fprintf(stderr, "%-20.*s %.*s\n", key, s, value - 1, s + key + 1);
        s += key + value + 1;
    }
    times(p, t);
    fprintf(stderr, "%-20s %s, %lld bytes\n", "file", path, bytes);
    if (t->flagged)
        fprintf(stderr,
                "%s run: %zu of %zu points exceed accuracy.flag = %g of I; their estimates are in "
                "the file\n",
                CLI_PROGRAM, t->flagged, t->points, flag);
}
