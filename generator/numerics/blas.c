/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blas.c: loads OpenBLAS with the kernels for this processor, forwards calls to it, and measures
 * the rate of its matrix products. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "numerics/blas.h"

#include <dlfcn.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

#include "numerics/clock.h"
#include "numerics/memory.h"

/* ---- which kernels ---- */

blas_sets blas_processor(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return BLAS_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return BLAS_AVX2;
#endif
    return BLAS_OLDER;
}

const char *blas_better_kernels(blas_sets processor, const char *chosen)
{
    /* without AVX2; the last ones with it, but without AVX-512 */
    static const char *const known[] = {
        "Unknown",   "Katmai",       "Coppermine",  "Northwood",  "Prescott",    "Banias",
        "Atom",      "Core2",        "Penryn",      "Dunnington", "Nehalem",     "Athlon",
        "Opteron",   "Opteron_SSE3", "Barcelona",   "Nano",       "Sandybridge", "Bobcat",
        "Bulldozer", "Piledriver",   "Steamroller", "Excavator",  "Haswell",     "Zen"};
    enum { KNOWN = sizeof known / sizeof *known, WITH_AVX2 = 2 };
    for (int i = 0; i < KNOWN; i++)
        if (!strcasecmp(chosen, known[i]) &&
            processor > (i < KNOWN - WITH_AVX2 ? BLAS_OLDER : BLAS_AVX2))
            return processor == BLAS_AVX512 ? "SkylakeX" : "Haswell";
    return NULL;
}

/* ---- the library ---- */

#define FORWARDED(X)                                                                               \
    X(cblas_dgemm) X(cblas_dgemv) X(cblas_ddot) X(cblas_daxpy) X(dgeqrf_) X(dorgqr_) X(dgesvd_)

/* Filled before main and constant from there on. */
typedef struct {
#define POINTER(name) __typeof__(name) *name;
    FORWARDED(POINTER)
    char text[256]; /* of blas_describe */
    cgct_status st;
    cgct_err err;
    void *(*take_buffer)(int);
    void (*give_buffer)(void *);
} blas_library;
static blas_library loaded;

/* Bytes of address space: of a buffer, which a thread needs that calls OpenBLAS; of the library
 * with those that it loads and the buffer of its start; of a thread's stack. */
static const size_t BUFFER = 128u << 20, LIBRARY = 200u << 20, STACK = 8u << 20;

static int is_room_for(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p != MAP_FAILED && !munmap(p, bytes);
}

/* Sets a variable of the environment, or removes it where value is NULL; returns a copy of the
 * value it had, NULL for none. */
static char *exchange_variable(const char *name, const char *value)
{
    const char *was = getenv(name);
    char *copy = was ? memory_copy_text(was) : NULL;
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
    return copy;
}

/* OpenBLAS reads these variables at its start, and makes buffers and perhaps threads for as many as
 * they say; kernels: or NULL, its own choice.  They are as before when other programs inherit
 * them. */
static void *load_with(const char *kernels)
{
    enum { VARIABLES = 3 };
    static const char *const name[VARIABLES] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
                                                "OPENBLAS_CORETYPE"};
    const char *value[VARIABLES] = {"1", "1", kernels};
    const int n = kernels ? VARIABLES : VARIABLES - 1;
    char *was[VARIABLES];
    for (int i = 0; i < n; i++) was[i] = exchange_variable(name[i], value[i]);
    void *handle = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    for (int i = 0; i < n; i++) {
        free(exchange_variable(name[i], was[i]));
        free(was[i]);
    }
    return handle;
}

/* ISO C has no cast from a pointer to one of a function. */
static int find_function(void *handle, const char *name, void *to)
{
    void *found = dlsym(handle, name);
    memcpy(to, &found, sizeof found);
    return found != NULL;
}

/* What a function without arguments returns, which another library of this name may lack. */
static const char *ask_library(void *handle, const char *name)
{
    char *(*get)(void);
    return find_function(handle, name, &get) ? get() : "unknown";
}

/* Loads it a second time where it has chosen kernels for an older processor; fills in the text. */
static void *load_best(void)
{
    char was[64], choice[128] = "";
    const char *by_user = getenv("OPENBLAS_CORETYPE");
    void *handle = load_with(NULL);
    if (!handle) return NULL;
    snprintf(was, sizeof was, "%s", ask_library(handle, "openblas_get_corename"));
    const char *better = blas_better_kernels(blas_processor(), was);
    if (by_user && *by_user) {
        snprintf(choice, sizeof choice, " (OPENBLAS_CORETYPE=%s)", by_user);
    } else if (better) {
        dlclose(handle);
        handle = load_with(better);
        if (!handle) return NULL;
        if (strcasecmp(better, ask_library(handle, "openblas_get_corename")) != 0)
            snprintf(choice, sizeof choice, " (for an older processor; it has no %s)", better);
        else
            snprintf(choice, sizeof choice,
                     " (set by this program; OpenBLAS takes this processor for a %s)", was);
    }
    const char *config = ask_library(handle, "openblas_get_config"); /* "OpenBLAS VERSION ..." */
    size_t word = strcspn(config, " "), version = word + strspn(config + word, " ");
    version += strcspn(config + version, " ");
    snprintf(loaded.text, sizeof loaded.text, "%.*s, kernels %s%s", (int)version, config,
             ask_library(handle, "openblas_get_corename"), choice);
    return handle;
}

static cgct_status load_library(cgct_err *err)
{
    const char *missing = NULL;
    if (!is_room_for(LIBRARY))
        return cgct_fail(
            err, CGCT_E_NOMEM,
            "OpenBLAS needs %zu MiB of address space to start, and less is left: raise "
            "the limit of memory (ulimit -v, -d)",
            LIBRARY >> 20);
    void *handle = load_best();
    if (!handle) return cgct_fail(err, CGCT_E_IO, "%s; install OpenBLAS", dlerror());
#define FIND(name)                                                                                 \
    if (!find_function(handle, #name, &loaded.name)) missing = #name;
    FORWARDED(FIND)
    find_function(handle, "blas_memory_alloc", &loaded.take_buffer);
    find_function(handle, "blas_memory_free", &loaded.give_buffer);
    if (missing)
        return cgct_fail(err, CGCT_E_IO, "libopenblas.so.0 has no %s: install OpenBLAS with LAPACK",
                         missing);
    return CGCT_OK;
}

__attribute__((constructor)) static void load_before_main(void)
{
    loaded.st = load_library(&loaded.err);
}

cgct_status blas_open(int threads, cgct_err *err)
{
    enum { TAKEN_MAX = 64 };
    void *buffer[TAKEN_MAX];
    const int n = threads < TAKEN_MAX ? threads : TAKEN_MAX;
    if (loaded.st != CGCT_OK) return cgct_fail(err, loaded.st, "%s", loaded.err.text);
    const size_t bytes = (size_t)n * (BUFFER + STACK);
    if (!is_room_for(bytes))
        return cgct_fail(err, CGCT_E_NOMEM,
                         "OpenBLAS needs %zu MiB of address space for %d thread%s, and less is "
                         "left: raise the limit of memory (ulimit -v, -d)%s",
                         bytes >> 20, n, n > 1 ? "s" : "", n > 1 ? ", or take fewer threads" : "");
    if (!loaded.take_buffer || !loaded.give_buffer) return CGCT_OK;
    for (int i = 0; i < n; i++) buffer[i] = loaded.take_buffer(0);
    for (int i = 0; i < n; i++) loaded.give_buffer(buffer[i]);
    return CGCT_OK;
}

const char *blas_describe(void)
{
    return loaded.text;
}

/* ---- forwarded calls ---- */

/* An OpenBLAS that is built on OpenMP takes as many threads as OpenMP would. */
#define ON_THIS_THREAD(call)                                                                       \
    const int threads = omp_get_max_threads();                                                     \
    omp_set_num_threads(1);                                                                        \
    call;                                                                                          \
    omp_set_num_threads(threads)

void cblas_dgemm(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE ta, enum CBLAS_TRANSPOSE tb,
                 blasint m, blasint n, blasint k, double alpha, const double *a, blasint lda,
                 const double *b, blasint ldb, double beta, double *c, blasint ldc)
{
    ON_THIS_THREAD(loaded.cblas_dgemm(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc));
}

void cblas_dgemv(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE ta, blasint m, blasint n,
                 double alpha, const double *a, blasint lda, const double *x, blasint incx,
                 double beta, double *y, blasint incy)
{
    ON_THIS_THREAD(loaded.cblas_dgemv(order, ta, m, n, alpha, a, lda, x, incx, beta, y, incy));
}

double cblas_ddot(blasint n, const double *x, blasint incx, const double *y, blasint incy)
{
    ON_THIS_THREAD(const double sum = loaded.cblas_ddot(n, x, incx, y, incy));
    return sum;
}

void cblas_daxpy(blasint n, double alpha, const double *x, blasint incx, double *y, blasint incy)
{
    ON_THIS_THREAD(loaded.cblas_daxpy(n, alpha, x, incx, y, incy));
}

void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info)
{
    ON_THIS_THREAD(loaded.dgeqrf_(m, n, a, lda, tau, work, lwork, info));
}

void dorgqr_(const int *m, const int *n, const int *k, double *a, const int *lda, const double *tau,
             double *work, const int *lwork, int *info)
{
    ON_THIS_THREAD(loaded.dorgqr_(m, n, k, a, lda, tau, work, lwork, info));
}

void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a,
             const int *lda, double *s, double *u, const int *ldu, double *vt, const int *ldvt,
             double *work, const int *lwork, int *info, size_t nu, size_t nvt)
{
    ON_THIS_THREAD(
        loaded.dgesvd_(jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, info, nu, nvt));
}

/* ---- the rate of products ---- */

enum { RATE_RUNS = 4 };

/* Best rate of several products of one thread. */
static double rate_of_thread(int size)
{
    const size_t n = (size_t)size * (size_t)size;
    double *A = memory_new(3 * n, sizeof *A), best = INFINITY;
    for (size_t i = 0; i < 3 * n; i++) A[i] = 1e-3 * (double)(i % 1013);
#pragma omp barrier
    for (int run = 0; run < RATE_RUNS; run++) {
        double start = clock_thread();
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1, A, size, A + n,
                    size, 0, A + 2 * n, size);
        best = fmin(best, clock_thread() - start);
    }
    free(A);
    return 2 * pow(size, 3) / best;
}

double blas_rate(int size)
{
    double sum = 0;
    int threads = 0;
#pragma omp parallel reduction(+ : sum, threads)
    {
        sum += rate_of_thread(size);
        threads++;
    }
    return sum / threads;
}
