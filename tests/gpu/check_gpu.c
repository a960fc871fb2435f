/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_gpu [DEVICE [N]]: every builder of a real GPU against those of the processor, on the cases
 * of `make check`, where an emulated device computes them; chunks of one element; the same bits
 * twice.  Ends with 'N passed, N failed', or says that there is no GPU.  With N = 0, 1, ... only
 * the kernel `assemble`, in small case N; status 77: there are fewer, or no GPU. */
#include "cuda/direct_stage.h"
#include "cuda_cases.h"
#include "cuda_filon_cases.h"

typedef struct {
    gpu *g;
    int passed, failed;
} score;

static void judge(score *s, const char *what, const char *model, double got, double most)
{
    int ok = got <= most;
    printf("%-6s %-34s %-8s %.1e, at most %.0e\n", ok ? "ok" : "FAILED", what, model, got, most);
    s->passed += ok;
    s->failed += !ok;
}

static void all_cases(score *s)
{
    char text[64];
    for (int i = 0; i < CUDA_FILON_CASES; i++) {
        snprintf(text, sizeof text, "weights, %s", cuda_filon_cases[i].name);
        judge(s, text, "-", cuda_filon_case(i, s->g), TOL_WEIGHTS);
    }
    for (int i = 0; i < CUDA_TABLE_CASES; i++) {
        double e[2];
        cuda_table_case(i, s->g, e);
        snprintf(text, sizeof text, "cuda-table lam = %g, %d angles", cuda_table_cases[i].lam,
                 cuda_table_cases[i].phi);
        judge(s, text, cuda_table_cases[i].dipole, e[0], TOL_DIRECT);
        snprintf(text, sizeof text, "cuda-table-blas");
        judge(s, text, cuda_table_cases[i].dipole, e[1], TOL_DIRECT);
    }
    for (int i = 0; i < CUDA_FUSED_CASES; i++)
        judge(s, i ? "cuda-fused lam = 0.5, tail" : "cuda-fused lam = 0", "two",
              cuda_fused_case(i, s->g), TOL_FUSED);
    for (int i = 0; i < CUDA_SEPARABLE_CASES; i++) {
        double at_points, e = cuda_separable_case(i, s->g, &at_points);
        judge(s, "cuda-separable", cuda_separable_cases[i].dipole, e, TOL_SEPARABLE);
        judge(s, "cuda-separable, each short (Delta,R)", cuda_separable_cases[i].dipole, at_points,
              TOL_POINT);
    }
}

/* By cuda-table alone, which uses no cuBLAS: sanitizer.sh. */
enum { NO_SUCH_CASE = 77, SMALL_CASE = 40 };
static int small_case(score *s, int number)
{
    int i = 0;
    for (; i < CUDA_TABLE_CASES; i++)
        if (cuda_table_cases[i].phi <= SMALL_CASE && !number--) break;
    if (i == CUDA_TABLE_CASES) return NO_SUCH_CASE;
    inner_opts o = cuda_opts(cuda_table_cases[i].eps, cuda_table_cases[i].lam,
                             cuda_table_cases[i].gauss, cuda_table_cases[i].phi);
    dipole *d = cuda_dipole(cuda_table_cases[i].dipole);
    inner_table want, got;
    CHAIN_REQUIRE(inner_direct(&want, &o, d, NULL) == CGCT_OK, "direct\n");
    cuda_build(&got, &o, d, 0, s->g);
    judge(s, "cuda-table alone", cuda_table_cases[i].dipole, cuda_difference(&got, &want),
          TOL_DIRECT);
    inner_table_free(&want);
    inner_table_free(&got);
    dipole_free(d);
    return s->failed != 0;
}

enum { SMALL_GAUSS = 16, SMALL_ANGLES = 96 };

/* A device that reports as free what one element of the case below needs: chunks become one. */
static cgct_status no_memory(gpu *g, size_t *free_bytes, size_t *total, cgct_err *err)
{
    const direct_chunk one = {1, 1};
    inner_opts o = cuda_opts(1, 0, SMALL_GAUSS, SMALL_ANGLES);
    direct_sizes s = {o.nd, o.nr, SMALL_GAUSS, SMALL_ANGLES, SMALL_ANGLES / 2 + 1, o.nm, 0};
    (void)g, (void)err;
    *free_bytes = *total = (size_t)(8 * (double)direct_chunk_numbers(&s, one) / 0.9) + 8;
    return CGCT_OK;
}

static void small_chunks(score *s)
{
    const gpu_ops *ops = s->g->ops;
    gpu_ops tight = *ops;
    inner_opts o = cuda_opts(1, 0, SMALL_GAUSS, SMALL_ANGLES);
    dipole *d = cuda_dipole("mv");
    inner_table whole, again, parts;
    tight.memory = no_memory;
    cuda_build(&whole, &o, d, 0, s->g);
    cuda_build(&again, &o, d, 0, s->g);
    s->g->ops = &tight;
    cuda_build(&parts, &o, d, 0, s->g);
    s->g->ops = ops;
    size_t bytes = NPOL * whole.nm * whole.nd * whole.nr * sizeof(double);
    judge(s, "cuda-table twice: the same bits", "mv", memcmp(whole.g, again.g, bytes) != 0, 0);
    judge(s, "cuda-table in one-element chunks", "mv", cuda_difference(&parts, &whole), 0);
    inner_table_free(&whole);
    inner_table_free(&again);
    inner_table_free(&parts);
    dipole_free(d);
}

static void separable_twice(score *s)
{
    const gpu_ops *ops = s->g->ops;
    gpu_ops tight = *ops;
    dipole *d = cuda_dipole("table");
    cuda_grids t;
    inner_table a[3];
    cgct_err err = {""};
    tight.memory = no_memory;
    cuda_grids_init(&t, d, "accuracy.tolerance=1e-2 inner.modes=6", 2, 2, 20, 11);
    for (int i = 0; i < 3; i++) {
        s->g->ops = i < 2 ? ops : &tight;
        CHAIN_REQUIRE(cuda_separable_build(&a[i], &t.g.inner, d, s->g, &err) == CGCT_OK, "%s\n",
                      err.text);
    }
    s->g->ops = ops;
    size_t bytes = NPOL * a[0].nm * a[0].nd * a[0].nr * sizeof(double);
    judge(s, "cuda-separable twice: the same bits", "table", memcmp(a[0].g, a[1].g, bytes) != 0, 0);
    judge(s, "cuda-separable column by column", "table", cuda_difference(&a[2], &a[0]),
          TOL_SEPARABLE);
    for (int i = 0; i < 3; i++) inner_table_free(&a[i]);
    cuda_grids_free(&t);
    dipole_free(d);
}

/* The same bits twice. */
static void weights_twice(score *s)
{
    cuda_filon_task t;
    filon_plan p;
    cgct_err err = {""};
    cuda_filon_init(&t, 0);
    size_t n = t.task.nm * t.task.nq * t.task.nx;
    double *w = malloc(2 * n * sizeof *w);
    for (size_t i = 0; i < 2; i++) {
        CHAIN_REQUIRE(cuda_filon_weights(&t.task, s->g, &p, w + i * n, &err) == CGCT_OK, "%s\n",
                      err.text);
        filon_plan_free(&p);
    }
    judge(s, "weights twice: the same bits", "-", memcmp(w, w + n, n * sizeof *w) != 0, 0);
    free(w);
}

/* Finished nodes, on two shares of the device in turn. */
static void nodes(score *s, const char *device)
{
    gpu_crew *crew;
    cgct_err err = {""};
    CHAIN_REQUIRE(gpu_crew_open(&crew, device, &err) == CGCT_OK, "%s\n", err.text);
    for (int i = 0; i < CUDA_NODE_CASES; i++)
        judge(s, "cuda-separable, node", cuda_node_cases[i].dipole, cuda_node_case(i, crew),
              TOL_SEPARABLE);
    gpu_crew_close(crew);
}

int main(int argc, char **argv)
{
    score s = {0};
    cgct_err err = {""};
    const char *device = argc > 1 ? argv[1] : "0";
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (gpu_open(&s.g, atoi(device), 1, &err) != CGCT_OK) {
        printf("check-gpu: skipped, no GPU: %s\n", err.text);
        return argc > 2 ? NO_SUCH_CASE : 0;
    }
    if (argc > 2) {
        const int status = small_case(&s, atoi(argv[2]));
        gpu_close(s.g);
        return status;
    }
    printf("%s\n", s.g->name);
    all_cases(&s);
    weights_twice(&s);
    small_chunks(&s);
    separable_twice(&s);
    gpu_close(s.g);
    nodes(&s, device);
    printf("%d passed, %d failed\n", s.passed, s.failed);
    return s.failed != 0;
}
