/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evolutions that are kept: their files, and their numbers. */
#include <dirent.h>
#include <math.h>
#include <unistd.h>

#include "cli/common.h"
#include "dipole/bk_impl.h"
#include "format/crc64.h"
#include "fuzz/fuzz.h"

/* ---- files ---- */

enum { FOLDER = 64, KEY = 4 }; /* bytes of the key "key" */
static char cache[FOLDER], kept_file[8 * FOLDER];

static void remove_cache(void)
{
    char inner[2 * FOLDER];
    snprintf(inner, sizeof inner, "%s/cgctab", cache);
    unlink(kept_file);
    rmdir(inner);
    rmdir(cache);
}

/* Keeps one solution; kept_file: where.  Its key in the file is *nkey bytes long. */
static const bk_keeper *begin_cache(cli_solutions *s, size_t *nkey)
{
    static const double number[1] = {1};
    const char *had = getenv("XDG_CACHE_HOME"), *off = getenv("CGCTAB_NO_CACHE");
    char before[1024], without[8];
    snprintf(before, sizeof before, "%s", had ? had : "");
    snprintf(without, sizeof without, "%s", off ? off : "");
    if (!*cache) {
        strcpy(cache, access("/dev/shm", W_OK) ? "/tmp/cgct_fuzz_XXXXXX" : "/dev/shm/cgct_XXXXXX");
        PROMISE(mkdtemp(cache));
        atexit(remove_cache);
    }
    setenv("XDG_CACHE_HOME", cache, 1);
    unsetenv("CGCTAB_NO_CACHE");
    const bk_keeper *k = cli_solutions_open(s, 0);
    setenv("XDG_CACHE_HOME", before, 1);
    if (off) setenv("CGCTAB_NO_CACHE", without, 1);
    PROMISE(k);
    k->keep(k->self, "key", 1, number);
    DIR *d = opendir(s->folder);
    PROMISE(d);
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.')
            snprintf(kept_file, sizeof kept_file, "%s/%s", s->folder, e->d_name);
    closedir(d);
    size_t n;
    free(fuzz_slurp(kept_file, &n));
    *nkey = n - sizeof *number - 8;
    return k;
}

static void write_kept(const uint8_t *bytes, size_t n)
{
    FILE *f = fopen(kept_file, "wb");
    PROMISE(f && fwrite(bytes, 1, n, f) == n);
    PROMISE(fclose(f) == 0);
}

/* What is found is what the file holds behind its key, if its checksum is right. */
static void find_kept(const bk_keeper *k, const uint8_t *file, size_t n, size_t nkey, int sealed)
{
    size_t found = 0;
    write_kept(file, n);
    fuzz_quiet(1);
    double *numbers = k->find(k->self, "key", &found);
    fuzz_quiet(0);
    PROMISE(!sealed || !numbers == !((n - nkey) % 8 == 0));
    if (numbers) PROMISE(n == nkey + 8 * found + 8 && !memcmp(numbers, file + nkey, 8 * found));
    free(numbers);
}

void fuzz_cache(const uint8_t *bytes, size_t n)
{
    cli_solutions s;
    size_t nkey, nfile;
    const bk_keeper *k = begin_cache(&s, &nkey);
    uint8_t *head = fuzz_slurp(kept_file, &nfile), *file = malloc(nkey + n + 8);
    PROMISE(file);
    memcpy(file, head, nkey);
    memcpy(file + nkey, bytes, n);
    const uint64_t sum = cgct_crc64_of(file, nkey + n);
    memcpy(file + nkey + n, &sum, sizeof sum);
    find_kept(k, file, nkey + n + 8, nkey, 1);
    find_kept(k, bytes, n, nkey, 0);
    unlink(kept_file);
    cli_solutions_free(&s);
    free(head);
    free(file);
}

/* ---- numbers ---- */

static struct {
    size_t n, now_n;
    double *v, *now; /* of a solution; with the changes of this input */
} kept;

static double *find_numbers(void *self, const char *key, size_t *n)
{
    (void)self;
    (void)key;
    if (!kept.now) return NULL;
    double *copy = malloc(kept.now_n * sizeof *copy + 1);
    PROMISE(copy);
    memcpy(copy, kept.now, kept.now_n * sizeof *copy);
    *n = kept.now_n;
    return copy;
}

static void keep_numbers(void *self, const char *key, size_t n, const double *v)
{
    (void)self;
    (void)key;
    (void)n;
    (void)v;
}

static const bk_keeper keeper = {NULL, find_numbers, keep_numbers};
static const bk_opts options = {.Ymax = 1, .refine = 0.5, .keeper = &keeper};

/* The two runs as bk_solve begins them. */
static void begin_runs(bk_solution s[2])
{
    memset(s, 0, 2 * sizeof *s);
    s[0].o = options;
    PROMISE(bk_opts_check(&s[0].o, NULL) == CGCT_OK);
    bk_alpha_init(&s[0].alpha, &s[0].o.coupling);
    s[0].o.profile = (bk_profile){bk_initial_lnGamma, &s[0].o.initial};
    s[1] = s[0];
    s[1].o.refine /= 1.3;
    s[0].coarser = &s[1];
}

static void end_runs(bk_solution s[2])
{
    for (int i = 0; i < 2; i++) {
        bk_grid_free(&s[i].grid);
        bk_path_free(&s[i].path);
    }
}

/* Whether bk_solve would take the numbers; where not, it would solve, which takes long. */
static int numbers_are_taken(void)
{
    bk_solution s[2];
    begin_runs(s);
    const int found = bk_kept_find(s);
    end_runs(s);
    return found;
}

/* As if the initial condition stayed: nothing is solved. */
static void make_kept(void)
{
    enum { STEPS = 5 };
    bk_solution s[2];
    begin_runs(s);
    for (int run = 0; run < 2; run++) {
        bk_run_grid(&s[run], 5);
        const size_t n = s[run].grid.n;
        const double head[] = {5, 4.6, (double)n, STEPS};
        kept.v = realloc(kept.v, (kept.n + 4 + STEPS * (1 + 2 * n)) * sizeof *kept.v);
        PROMISE(kept.v);
        memcpy(kept.v + kept.n, head, sizeof head);
        kept.n += 4;
        for (int i = 0; i < STEPS; i++) kept.v[kept.n++] = i / (STEPS - 1.0);
        for (size_t i = 0; i < 2 * STEPS * n; i++)
            kept.v[kept.n++] =
                i < STEPS * n ? s[run].o.profile.lnGamma(s[run].o.profile.of, s[run].grid.t[i % n])
                              : 0;
    }
    end_runs(s);
    kept.now = kept.v;
    kept.now_n = kept.n;
    PROMISE(numbers_are_taken());
}

/* The bytes: pairs of a place (u32) and a number (f64); the last place without one: an end. */
void fuzz_kept(const uint8_t *bytes, size_t n)
{
    enum { PAIR = 12 };
    bk_solution *s;
    cgct_err err = {""};
    uint32_t at;
    if (!kept.v) make_kept();
    kept.now = malloc(kept.n * sizeof *kept.now);
    PROMISE(kept.now);
    memcpy(kept.now, kept.v, kept.n * sizeof *kept.now);
    kept.now_n = kept.n;
    for (; n >= PAIR; n -= PAIR, bytes += PAIR) {
        memcpy(&at, bytes, sizeof at);
        memcpy(kept.now + at % kept.n, bytes + sizeof at, sizeof *kept.now);
    }
    if (n >= sizeof at) {
        memcpy(&at, bytes, sizeof at);
        kept.now_n = at % (kept.n + 1);
    }
    if (numbers_are_taken()) {
        PROMISE(bk_solve(&s, &options, &err) == CGCT_OK);
        double *lnGamma = malloc(s->grid.n * sizeof *lnGamma);
        PROMISE(lnGamma && bk_at(s, 0.4, lnGamma, &err) == CGCT_OK);
        for (size_t i = 0; i < s->grid.n; i++) PROMISE(isfinite(lnGamma[i]));
        free(lnGamma);
        bk_free(s);
    }
    free(kept.now);
    kept.now = NULL;
}
