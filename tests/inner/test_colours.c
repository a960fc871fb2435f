/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The separable builder at a finite number of colours against graded quadrature of the definition.
 */
#include <math.h>

#include "inner/colours.h"
#include "inner/grids.h"
#include "inner/separable.h"
#include "chain.h"
#include "check_rel.h"
#include "have.h"
#include "oracle/graded.h"
#include "run_suite.h"

#define TOL_COLOURS 1e-6 /* of the largest mode at each (Delta,R) ... */
#define TOL_COARSE 1e-4  /* ... and where a node asks for no more */
#define TOL_SINGLET 1e-5 /* likewise, of the singlet part alone */

enum { NODES = 4, MODES = 96, COMPARED = 4 };

/* n random nodes of x[nx], rising, within [lo, hi]. */
static void pick(double *x, size_t nx, double lo, double hi, uint64_t *seed)
{
    size_t taken = 0;
    for (size_t i = 0; i < NODES; i++) {
        double want = lo * pow(hi / lo, ((double)i + chain_random(seed)) / (double)NODES);
        size_t j = taken;
        while (j + 1 < nx && x[j] < want) j++;
        x[i] = x[j];
        taken = j + 1;
    }
}

/* The largest difference at one (Delta,R), of the largest mode there; *share: of what colours
 * change. */
static double apart(const inner_table *a, const inner_table *b, const inner_table *large, int pol,
                    size_t point, double *share)
{
    const size_t plane = a->nd * a->nr;
    double most = 0, worst = 0, change = 0;
    for (size_t im = 0; im < a->nm; im++) {
        const size_t at = ((size_t)pol * a->nm + im) * plane + point;
        const double e = fabs(a->g[at] - b->g[((size_t)pol * b->nm + im) * plane + point]);
        worst = larger_error(worst, e);
        most = fmax(most, fabs(a->g[at]));
        change = larger_error(
            change, fabs(a->g[at] - large->g[((size_t)pol * large->nm + im) * plane + point]));
    }
    *share = change / most;
    return worst / most;
}

/* other: infinitely many colours, or beside the singlet part all of S4. */
typedef struct {
    const inner_table *graded, *fine, *coarse, *other;
    int singlet;
} compared_tables;

static void compare_tables(const char *what, const compared_tables *t)
{
    const double tolerance = t->singlet ? TOL_SINGLET : TOL_COLOURS;
    for (int pol = 0; pol < NPOL; pol++) {
        double worst[2] = {0, 0}, share, most = 0;
        for (size_t i = 0; i < t->graded->nd * t->graded->nr; i++)
            for (int k = 0; k < 2; k++) {
                const inner_table *built = k ? t->coarse : t->fine;
                const double e = apart(t->graded, built, t->other, pol, i, &share);
                worst[k] = larger_error(worst[k], e);
                most = fmax(most, share);
            }
        printf("%s %c: off by %.1e, coarse %.1e; %s up to %.1e\n", what, "TL"[pol], worst[0],
               worst[1], t -> singlet ? "the rest is" : "colours change", most);
        ck_assert_msg(worst[0] <= tolerance, "%g > %g", worst[0], tolerance);
        if (!t->singlet) ck_assert_msg(worst[1] <= TOL_COARSE, "%g > %g", worst[1], TOL_COARSE);
    }
}

static void compare(const char *name, double Nc, double eps, double lam, int singlet,
                    uint64_t *seed)
{
    config card;
    inner_grids g;
    inner_table separable, coarse, other, graded;
    char settings[128];
    cgct_err err = {""};
    dipole_opts opts = {.kind = DIPOLE_MV, .set = name};
    if (!strcmp(name, "gbw")) opts = (dipole_opts){.kind = DIPOLE_GBW};
    if (strstr(name, ".dat")) opts = (dipole_opts){.kind = DIPOLE_TABLE, .path = name};
    if (!strncmp(name, "bk:", 3)) opts = (dipole_opts){.kind = DIPOLE_BK, .set = name + 3};
    dipole *d[2];
    for (int i = 0; i < 2; i++) {
        dipole_source *s;
        opts.Nc = i && !singlet ? 0 : Nc;
        opts.singlet = singlet && !i;
        ck_assert_msg(dipole_source_open(&s, &opts, &err) == CGCT_OK, "%s", err.text);
        ck_assert_msg(dipole_init(&d[i], s, 1e-3, &err) == CGCT_OK, "%s", err.text);
        dipole_source_close(s);
    }
    const double Qs = sqrt(d[0]->Qs2);
    snprintf(settings, sizeof settings,
             "inner.lam=%g inner.modes=%d inner.s_max=%g accuracy.tolerance=1e-8", lam, MODES,
             40 / eps);
    chain_card(&card, settings);
    inner_grids_task task = {&card.run.node.inner, d[0], eps, 3, 6, 1};
    ck_assert_msg(inner_grids_init(&g, &task, &err) == CGCT_OK, "%s", err.text);
    pick(g.delta, g.inner.nd, 0.003 / eps, 8 / (eps + Qs), seed);
    pick(g.r, g.inner.nr, 0.01 / Qs, 40 / Qs, seed);
    g.inner.nd = g.inner.nr = NODES;
    if (!chain_long()) { /* every second R */
        g.inner.nr = NODES / 2;
        for (size_t i = 0; i < NODES / 2; i++) g.r[i] = g.r[2 * i + (opts.path != NULL)];
    }
    g.inner.single = 0;
    g.inner.colours = TOL_COLOURS;
    ck_assert_msg(inner_separable(&separable, &g.inner, d[0], &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(inner_separable(&other, &g.inner, d[1], &err) == CGCT_OK, "%s", err.text);
    g.inner.colours = TOL_COARSE;
    ck_assert_msg(inner_separable(&coarse, &g.inner, d[0], &err) == CGCT_OK, "%s", err.text);
    g.inner.nm = COMPARED; /* the separable sum needs the higher ones */
    ck_assert_msg(inner_graded(&graded, &g.inner, d[0], &err) == CGCT_OK, "%s", err.text);
    snprintf(settings, sizeof settings, "%.60s Nc = %g%s eps = %g lam = %g", name, Nc,
             singlet ? " singlet" : "", eps, lam);
    compare_tables(settings, &(compared_tables){&graded, &separable, &coarse, &other, singlet});
    inner_table_free(&separable);
    inner_table_free(&coarse);
    inner_table_free(&other);
    inner_table_free(&graded);
    for (int i = 0; i < 2; i++) dipole_free(d[i]);
    inner_grids_free(&g);
    config_free(&card);
}

START_TEST(routes)
{
    static const double eps[] = {1, 0.1, 10};
    static const char *const name[] = {"gbw", "mv", "mve", TESTS_DIR "/refs/dipole_table.dat",
                                       "bk:mve"};
    uint64_t seed = 50 + (uint64_t)_i;
    if (!chain_long() && _i != 2 && _i != 4 && _i != 6 && _i != 9) return;
    for (int singlet = 0; singlet < 2; singlet++) {
        compare(name[_i / 3], 3, eps[_i % 3], 0.5, singlet, &seed);
        /* make check: two colours of mve in the sum of the channels, of the file in the singlet */
        if (_i % 3 == 0 && (chain_long() || singlet == (_i == 9)))
            compare(name[_i / 3], 2, eps[_i % 3], 0, singlet, &seed);
    }
}
END_TEST

/* Nodes lie within their panels, and the polynomial of the highest degree that n nodes determine,
 * in the logarithm from -1 to 1, is interpolated exactly, up to PANELS_NODES_MAX of them. */
START_TEST(panels)
{
    chebyshev_panels p = {.n = 1, .end = {0.25, 1}};
    size_t nodes[] = {6, PANELS_NODES_MAX, 1, 13}, n;
    double c[PANELS_NODES_MAX];
    panels_divide(&p, 0.5);
    panels_divide(&p, 0.5004); /* too close */
    panels_divide(&p, 2);
    panels_divide(&p, 8);
    ck_assert_uint_eq(p.n, 4);
    panels_set_nodes(&p, nodes);
    ck_assert_uint_eq(p.first[4], 6 + PANELS_NODES_MAX + 1 + 13);
    for (double x = 0.26; x < 8; x *= 1.03) {
        const size_t from = panels_weights(&p, x, c, &n), at = panels_panel(&p, x);
        const double middle = log(p.end[at] * p.end[at + 1]) / 2,
                     half = log(p.end[at + 1]) - middle;
        const double degree = (double)n - 1;
        double sum = 0, got = 0;
        ck_assert_uint_eq(from, p.first[at]);
        ck_assert_uint_eq(n, nodes[at]);
        for (size_t k = 0; k < n; k++) {
            const double node = panels_at(&p, at, k);
            ck_assert(node > p.end[at] && node < p.end[at + 1]);
            sum += c[k];
            got += c[k] * pow((log(node) - middle) / half, degree);
        }
        ck_assert_double_le(fabs(sum - 1), 1e-11);
        ck_assert_double_le(fabs(got - pow((log(x) - middle) / half, degree)), 1e-11);
    }
}
END_TEST

/* A table whose Delta lie below the grid's first has one panel. */
START_TEST(tiny_delta)
{
    dipole *d = chain_dipole("mv:Nc3", 1e-3);
    const double delta[] = {1e-6, 2e-6}, r[] = {0.1, 1, 10};
    const int m[] = {0, 2};
    dipole *many = chain_dipole("mv", 1e-3);
    inner_table t, three, infinite;
    inner_opts o = {
        .eps = 1, .lam = 0.5, .nm = 2, .m = m, .nd = 2, .nr = 3, .delta = delta, .r = r};
    inner_table_init(&t, &o);
    inner_colours_add(&t, &o, d);
    ck_assert(inner_graded(&three, &o, d, NULL) == CGCT_OK);
    ck_assert(inner_graded(&infinite, &o, many, NULL) == CGCT_OK);
    for (size_t i = 0; i < NPOL * t.nm * t.nd * t.nr; i++) {
        const size_t column = t.nd * t.nr, first = i / (t.nm * column) * t.nm * column + i % column;
        CHECK_ABS(t.g[i], three.g[i] - infinite.g[i], TOL_COLOURS * fabs(three.g[first]));
    }
    inner_table_free(&t);
    inner_table_free(&three);
    inner_table_free(&infinite);
    dipole_free(many);
    dipole_free(d);
}
END_TEST

/* The loop that takes most of the time of a node at three colours multiplies vectors.  A compiler
 * that turns its conditions into jumps multiplies one number at a time there, and the file has 14
 * products of vectors and 362 of numbers (gcc 12, AVX2). */
START_TEST(vectors)
{
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) &&              \
    !defined(__SANITIZE_THREAD__)
    int whole = 0, single = 0;
    if (!have("objdump")) return;
    FILE *f = popen("objdump -d --no-show-raw-insn " BIN_DIR "/../obj/generator/inner/colours.o | "
                    "awk 'match($0, /v?(mul|fn?m(add|sub)[0-9]*)[ps]d/) "
                    "{ ++n[substr($0, RSTART + RLENGTH - 2, 1)] } "
                    "END { print +n[\"p\"], +n[\"s\"] }'",
                    "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(fscanf(f, "%d %d", &whole, &single), 2);
    ck_assert_int_eq(pclose(f), 0);
    printf("products in inner/colours.c: %d of vectors, %d of numbers\n", whole, single);
    ck_assert_int_gt(4 * whole, single);
#else
    printf("skipped: vectors are counted in optimised x86-64 code without sanitizers\n");
#endif
}
END_TEST

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* a failing test ends its process */
    Suite *s = suite_create("colours");
    TCase *t = tcase_create("colours");
    tcase_set_timeout(t, 240);
    tcase_add_loop_test(t, routes, 0, 15);
    tcase_add_test(t, panels);
    tcase_add_test(t, tiny_delta);
    tcase_add_test(t, vectors);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
