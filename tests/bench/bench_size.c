/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_size [FILE [BOUND]]: bits for each stored number at a rounding bound (default 1e-5), beside
 * those of zfp in accuracy mode at the same measured error max |I_m - stored|/s on the same arrays:
 * I_m/s and ln s, three-dimensional in (m,q,k) for each node and polarisation.  FILE is a table
 * without rounding (output.bound = 0); without FILE a synthetic one is taken. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "reader/cgctab.h"
#include "synthetic.h"
#ifdef HAVE_ZFP
#include <zfp.h>
#endif

enum { STEPS = 24 };
/* FORMAT.md 3.6: where a mode or the error bound is larger in units of I_0, s is not I_0. */
static const double RATIO_MAX = 8, ERROR_RATIO_MAX = 8192;

/* One node: n = 2 nq nk points. */
typedef struct {
    size_t n, nm, plane;
    double *modes, *error;      /* as the writer gets them */
    double *scale, *ln, *array; /* s, ln s; (2, nm, nq, nk): I_m/s */
} node;

static void fail(const char *text)
{
    fprintf(stderr, "bench_size: %s\n", text);
    exit(1);
}

static void *memory(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (!p) fail("out of memory");
    return p;
}

static node load(const cgct_table *t, size_t ix, size_t ie)
{
    size_t nq, nk;
    cgct_info info;
    const double *x = cgct_axis_values(t, CGCT_AXIS_X, NULL) + ix;
    const double *eps = cgct_axis_values(t, CGCT_AXIS_EPS, NULL) + ie;
    const double *q = cgct_axis_values(t, CGCT_AXIS_Q, &nq);
    const double *k = cgct_axis_values(t, CGCT_AXIS_K, &nk);
    cgct_table_info(t, &info);
    node d = {.n = 2 * nq * nk, .nm = info.modes_max, .plane = nq * nk};
    d.modes = memory(d.n * d.nm, sizeof(double));
    d.array = memory(d.n * d.nm, sizeof(double));
    d.error = memory(3 * d.n, sizeof(double));
    d.scale = d.error + d.n;
    d.ln = d.scale + d.n;
    double *both = memory(2 * d.nm, sizeof(double));
    for (size_t i = 0; i < d.plane; i++) {
        double e[2];
        if (cgct_modes(t, *x, *eps, q[i / nk], k[i % nk], d.nm, both, NULL) != CGCT_OK ||
            cgct_eval_error(t, *x, *eps, q[i / nk], k[i % nk], 0, e) != CGCT_OK)
            fail("a node cannot be read");
        for (size_t pol = 0; pol < 2; pol++) {
            d.error[pol * d.plane + i] = e[pol];
            memcpy(d.modes + (pol * d.plane + i) * d.nm, both + pol * d.nm, d.nm * sizeof *both);
        }
    }
    free(both);
    return d;
}

/* The arrays that the format rounds, in the order that suits zfp; returns how many numbers. */
static size_t normalise(node *d, double bound)
{
    size_t numbers = 0;
    for (size_t i = 0; i < d->n; i++) {
        const double *I = d->modes + i * d->nm;
        double most = 0;
        size_t last = 0;
        for (size_t m = 0; m < d->nm; m++) most = fmax(most, fabs(I[m]));
        int plain = I[0] > 0 && most <= RATIO_MAX * I[0] && d->error[i] <= ERROR_RATIO_MAX * I[0];
        double s = d->scale[i] = plain ? I[0] : fmax(fmax(most, d->error[i]), 1e-300);
        d->ln[i] = log(s);
        double *to = d->array + i / d->plane * d->nm * d->plane + i % d->plane;
        for (size_t m = 0; m < d->nm; m++) {
            to[m * d->plane] = I[m] / s;
            if (fabs(I[m]) > bound * s) last = m;
        }
        numbers += last + 1;
    }
    return numbers;
}

static void free_node(node *d)
{
    free(d->modes);
    free(d->array);
    free(d->error);
}

#ifdef HAVE_ZFP
/* Bytes; out gets what comes back. */
static double through_zfp(const double *in, size_t nk, size_t nq, size_t nm, double tolerance,
                          double *out)
{
    zfp_field *f = nm > 1 ? zfp_field_3d((void *)(uintptr_t)in, zfp_type_double, nk, nq, nm)
                          : zfp_field_2d((void *)(uintptr_t)in, zfp_type_double, nk, nq);
    zfp_stream *z = zfp_stream_open(NULL);
    zfp_stream_set_accuracy(z, tolerance);
    size_t most = zfp_stream_maximum_size(z, f);
    void *buffer = memory(most, 1);
    bitstream *bits = stream_open(buffer, most);
    zfp_stream_set_bit_stream(z, bits);
    zfp_stream_rewind(z);
    size_t size = zfp_compress(z, f);
    zfp_field_set_pointer(f, out);
    zfp_stream_rewind(z);
    if (!size || !zfp_decompress(z, f)) fail("zfp gives nothing back");
    zfp_field_free(f);
    zfp_stream_close(z);
    stream_close(bits);
    free(buffer);
    return (double)size;
}

/* Largest |I_m - stored|/s of a node, and the bytes. */
static double zfp_node(const node *d, size_t nk, double tolerance, double share, double *bytes)
{
    size_t one = d->plane * d->nm, nq = d->plane / nk;
    double *array = memory(one, sizeof *array), *ln = memory(d->plane, sizeof *ln), worst = 0;
    for (size_t pol = 0; pol < 2; pol++) {
        const double *in = d->array + pol * one, *ln_in = d->ln + pol * d->plane;
        *bytes += through_zfp(in, nk, nq, d->nm, tolerance, array);
        *bytes += through_zfp(ln_in, nk, nq, 1, share * tolerance, ln);
        for (size_t i = 0; i < one; i++) {
            double growth = exp(ln[i % d->plane] - ln_in[i % d->plane]);
            worst = fmax(worst, fabs(growth * array[i] - in[i]));
        }
    }
    free(array);
    free(ln);
    return worst;
}

/* The largest tolerance at which zfp errs no more than we do, by bisection. */
static double zfp_bytes(const node *d, size_t nodes, size_t nk, double error, double share)
{
    double lo = error / 64, hi = 64 * error, best = 0;
    for (int step = 0; step < STEPS; step++) {
        double middle = sqrt(lo * hi), bytes = 0, worst = 0;
        for (size_t i = 0; i < nodes; i++)
            worst = fmax(worst, zfp_node(&d[i], nk, middle, share, &bytes));
        if (worst <= error) {
            lo = middle;
            best = bytes;
        } else {
            hi = middle;
        }
    }
    return best;
}
#endif

static cgct_status write_rounded(const cgct_table *t, const node *d, const char *path, double bound,
                                 double *rounding, cgct_err *err)
{
    cgct_writer_spec s = {.card = "",
                          .generator = "bench_size",
                          .dipole = "",
                          .backend = "",
                          .level = 9,
                          .bound = bound,
                          .split = 1};
    cgct_writer *w;
    cgct_info info;
    cgct_table_info(t, &info);
    s.fold = info.fold;
    s.fold_power = info.fold_power;
    s.x = cgct_axis_values(t, CGCT_AXIS_X, &s.nx);
    s.eps = cgct_axis_values(t, CGCT_AXIS_EPS, &s.neps);
    s.q = cgct_axis_values(t, CGCT_AXIS_Q, &s.nq);
    s.k = cgct_axis_values(t, CGCT_AXIS_K, &s.nk);
    cgct_status st = cgct_writer_open(&w, path, &s, err);
    for (size_t i = 0; i < s.nx * s.neps && st == CGCT_OK; i++) {
        cgct_node one = {d[i].nm, d[i].modes, d[i].error};
        st = cgct_writer_node(w, i / s.neps, i % s.neps, &one, err);
    }
    *rounding = st == CGCT_OK ? cgct_writer_rounding(w) : 0;
    return st == CGCT_OK ? cgct_writer_close(w, NULL, err) : st;
}

static void compare(const cgct_table *t, double bound, const char *scratch)
{
    size_t nx, neps, nk, numbers = 0;
    cgct_err err;
    cgct_table *rounded;
    cgct_info info;
    double error;
    cgct_axis_values(t, CGCT_AXIS_X, &nx);
    cgct_axis_values(t, CGCT_AXIS_EPS, &neps);
    cgct_axis_values(t, CGCT_AXIS_K, &nk);
    node *d = memory(nx * neps, sizeof *d);
    for (size_t i = 0; i < nx * neps; i++) {
        d[i] = load(t, i / neps, i % neps);
        numbers += normalise(&d[i], bound);
    }
    if (write_rounded(t, d, scratch, bound, &error, &err) != CGCT_OK ||
        cgct_open(scratch, &rounded, &err) != CGCT_OK)
        fail(err.text);
    cgct_table_info(rounded, &info);
    cgct_close(rounded);
    remove(scratch);
    double n = (double)numbers;
    printf("%zu nodes, %zu numbers above %g of s, largest error %.2e of s\n", nx * neps, numbers,
           bound, error);
    printf("cgctab %10.0f bytes, %.2f bits a number\n", info.stored_bytes,
           8 * info.stored_bytes / n);
#ifdef HAVE_ZFP
    double bytes =
        fmin(zfp_bytes(d, nx * neps, nk, error, 1), zfp_bytes(d, nx * neps, nk, error, 0.25));
    printf("zfp    %10.0f bytes, %.2f bits a number: %.2f times larger\n", bytes, 8 * bytes / n,
           bytes / info.stored_bytes);
#else
    puts("zfp    not compared: built without libzfp-dev");
#endif
    for (size_t i = 0; i < nx * neps; i++) free_node(&d[i]);
    free(d);
}

int main(int argc, char **argv)
{
    const char *folder = getenv("TMPDIR");
    char path[512], scratch[544];
    cgct_table *t;
    cgct_err err;
    double v[4][64];
    synthetic s = {{1, 4, 48, 64}, {v[0], v[1], v[2], v[3]}, 1};
    snprintf(path, sizeof path, "%s/bench_size_%ld.cgct", folder ? folder : "/tmp", (long)getpid());
    snprintf(scratch, sizeof scratch, "%s.rounded", path);
    if (argc == 1) {
        const double lo[4] = {1e-3, 0.1, 1, 0.1}, hi[4] = {1e-3, 10, 25, 25};
        for (int a = 0; a < 4; a++) synthetic_axis(lo[a], hi[a], s.n[a], v[a]);
        if (synthetic_write(&s, path, (cgct_writer_spec){.level = 1}, &err) != CGCT_OK)
            fail(err.text);
    }
    if (cgct_open(argc > 1 ? argv[1] : path, &t, &err) != CGCT_OK) fail(err.text);
    compare(t, argc > 2 ? atof(argv[2]) : 1e-5, scratch);
    cgct_close(t);
    if (argc == 1) remove(path);
    return 0;
}
