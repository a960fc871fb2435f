/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader as others use it, from an installed prefix: C++, Fortran, Python, an event generator.
 * What needs a program that is not here is skipped with a word. */
#include <sys/stat.h>
#include <sys/wait.h>

#include "synthetic.h"
#include "table_fixture.h"
#include "reader/cgctab.h"
#include "run_suite.h"
#include "have.h"

#ifndef BIN_DIR
#define BIN_DIR "build/bin"
#endif
#define TOP TESTS_DIR "/.."
#define BUILD_DIR BIN_DIR "/.."
/* That of the build, so that nothing is compiled again. */
#define DATA_DIR " DATA_DIR=$(cat " BUILD_DIR "/obj/data_dir)"

/* Of a program that reads what it has freed, the numbers are wrong (glibc). */
#define POISON "GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.perturb=165 "

static char folder[PATH_SIZE], output[1 << 16];

/* With the installed programs and libraries in front; what it printed is in output. */
static int shell(const char *command)
{
    char line[4096];
    int n = snprintf(line, sizeof line,
                     "cd %s && PATH=%s/inst/bin:$PATH; export PATH; unset LD_LIBRARY_PATH "
                     "CGCTAB_LIBRARY; "
                     "{ %s ; } 2>&1 </dev/null",
                     folder, folder, command);
    ck_assert_int_lt(n, (int)sizeof line);
    FILE *p = popen(line, "r");
    ck_assert_ptr_nonnull(p);
    output[fread(output, 1, sizeof output - 1, p)] = 0;
    int status = pclose(p);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void must(const char *command)
{
    int status = shell(command);
    ck_assert_msg(status == 0, "%s: status %d: %s", command, status, output);
}

/* The lines 'k1 T L' that every example prints, nine digits of what the table or a slice gives. */
static void check_lines(int sliced)
{
    cgct_table *t;
    cgct_slice *s;
    char path[PATH_SIZE];
    double k1, v[2], I[2];
    path_in(folder, "t.cgct", path);
    ck_assert_int_eq(cgct_open(path, &t, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_slice_init(&s, t, 0.005, 1, NULL), CGCT_OK);
    const char *line = output;
    ck_assert_msg(!strncmp(line, "dipole: closed form\n", 20), "%s", output);
    for (int i = 1; i <= 5; i++) {
        line = strchr(line, '\n');
        ck_assert_msg(line && sscanf(++line, "%lf %lf %lf", &k1, &v[0], &v[1]) == 3, "%s", output);
        CHECK_REL(k1, 1 + 0.4 * i, 1e-12);
        cgct_status st =
            sliced ? cgct_slice_eval(s, 1.5, k1, 1, I) : cgct_eval(t, 0.005, 1, 1.5, k1, 1, I);
        ck_assert_int_eq(st, CGCT_OK);
        CHECK_REL(v[0], I[0], 1e-8);
        CHECK_REL(v[1], I[1], 1e-8);
    }
    cgct_slice_free(s);
    cgct_close(t);
}

/* The lines 'T L' at a point of h.cgct: value, bound, correlation limit, members, uncertainty; then
 * of each channel of pa.cgct T and its bound, T of a slice and the factor. */
static void check_members(void)
{
    const double p[5] = {0.001, 0.5, 3, 4, 1}, at[6] = {0.002, 0.4, 2, 1.5, 2.5, 1};
    double want[15][2], v[2];
    const char *line = output;
    char path[PATH_SIZE];
    cgct_table *t;
    path_in(folder, "h.cgct", path);
    ck_assert_int_eq(cgct_open(path, &t, NULL), CGCT_OK);
    cgct_eval(t, p[0], p[1], p[2], p[3], p[4], want[0]);
    cgct_eval_error(t, p[0], p[1], p[2], p[3], p[4], want[1]);
    cgct_reference(t, p[0], p[1], p[2], p[3], p[4], want[2]);
    cgct_eval_members(t, p[0], p[1], p[2], p[3], p[4], want[3]);
    cgct_uncertainty(t, p[0], p[1], p[2], p[3], p[4], want[6], want[7], want[8]);
    cgct_close(t);
    path_in(folder, "pa.cgct", path);
    ck_assert_int_eq(cgct_open(path, &t, NULL), CGCT_OK);
    for (int c = 0; c < 3; c++) {
        double *row = want[9 + 2 * c];
        cgct_pa_eval(t, (cgct_channel)c, at, &row[0], &row[1]);
        row[2] = row[0];
        row[3] = cgct_pa_factor((cgct_channel)c, at[1]);
    }
    cgct_close(t);
    for (int i = 0; i < 15; i++) {
        ck_assert_msg(line && sscanf(line, "%lf %lf", &v[0], &v[1]) == 2, "%s", output);
        for (int pol = 0; pol < 2; pol++) {
            ck_assert(isfinite(want[i][pol]) && want[i][pol] != 0);
            CHECK_REL(v[pol], want[i][pol], 1e-8);
        }
        line = strchr(line, '\n');
        if (line) line++;
    }
}

static void write_table(void)
{
    const synthetic s = {.nx = 4,
                         .neps = 5,
                         .nq = 12,
                         .nl = 8,
                         .nu = 10,
                         .x = {1e-3, 1e-2},
                         .eps = {1, 2},
                         .q = {1, 4},
                         .k0 = 0.5,
                         .k_max = 6,
                         .step = 0x1p-20,
                         .order = {4, 5, 6, 6}};
    char path[PATH_SIZE];
    cgct_err err;
    path_in(folder, "t.cgct", path);
    ck_assert_msg(synthetic_write(&s, path, &err) == CGCT_OK, "%s", err.text);
}

/* Once, for all tests: t.cgct, h.cgct with three members, and pa.cgct of forward dijets. */
static void setup(void)
{
    char line[2048];
    make_folder(folder);
    write_table();
    must("cp " GOLDEN_PANELS " h.cgct && cp " TOP "/tables/proton-pa.cgct pa.cgct");
    snprintf(line, sizeof line, "make -s -C %s BUILD=%s install PREFIX=%s/inst" DATA_DIR, TOP,
             BUILD_DIR, folder);
    must(line);
}

static void teardown(void)
{
    char line[2 * PATH_SIZE];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    ck_assert_int_eq(system(line), 0);
}

START_TEST(from_cxx)
{
    if (!have("g++")) return;
    must("g++ -std=c++11 -Wall -Wextra -pedantic -Werror $(cgctab-config --cflags) "
         "inst/share/doc/cgctab/reader/examples/evaluate.cpp $(cgctab-config --libs) -o c && ./c "
         "t.cgct");
    check_lines(1);
    ck_assert_int_eq(shell("./c none.cgct"), 1);
    ck_assert_msg(strstr(output, "none.cgct: no such file") != NULL, "%s", output);
    must("g++ -std=c++11 -Wall -Wextra -pedantic -Werror $(cgctab-config --cflags) " TESTS_DIR
         "/house/cxx_binding.cpp $(cgctab-config --libs) -o p && " POISON "./p");
    check_members();
}
END_TEST

START_TEST(from_fortran)
{
    if (!have("gfortran")) return;
    must("gfortran -std=f2003 -Wall -Werror $(cgctab-config --fortran) "
         "inst/share/doc/cgctab/reader/examples/evaluate.f90 $(cgctab-config --libs) -o f && "
         "./f t.cgct");
    check_lines(1);
    double mean, error, exact;
    const char *line = strstr(output, "total ");
    ck_assert_msg(line && sscanf(line, "total %lf +- %lf by events, by quadrature %lf", &mean,
                                 &error, &exact) == 3,
                  "%s", output);
    ck_assert_msg(error > 0 && error < 0.02 * exact && fabs(mean - exact) < 5 * error, "%s", line);
    ck_assert_int_eq(shell("./f none.cgct"), 1);
    ck_assert_msg(strstr(output, "none.cgct: no such file") != NULL, "%s", output);
    must("gfortran -std=f2003 -Wall -Werror $(cgctab-config --fortran) " TESTS_DIR
         "/house/fortran_binding.f90 $(cgctab-config --libs) -o o && " POISON "./o");
    check_members();
}
END_TEST

/* The lines for check_members. */
#define PYTHON_MEMBERS                                                                             \
    "import cgctab\n"                                                                              \
    "t, p = cgctab.Table(\"h.cgct\", negative=\"keep\"), (0.001, 0.5, 3.0, 4.0, 1.0)\n"            \
    "v = [t(*p), t.error(*p), t.reference(*p), *t.eval_members(*p), *t.uncertainty(*p)]\n"         \
    "r = t.uncertainty_of([row[1] for row in v[3:6]])\n"                                           \
    "assert [r[0], r[1], r[2]] == [row[1] for row in v[6:9]]\n"                                    \
    "t, p = cgctab.Table(\"pa.cgct\"), (0.4, 2, 1.5, 2.5, 1)\n"                                    \
    "s, z = t.pa_slice(2e-3), p[0]\n"                                                              \
    "for c in cgctab.CHANNELS:\n"                                                                  \
    "    v += [t.pa(c, 2e-3, *p), (s(c, *p), cgctab.pa_factor(c, z))]\n"                           \
    "for row in v: print(\"%.9e %.9e\" % tuple(row))\n"

/* PYTHON is one with NumPy; 0: there is none. */
static int choose_python(void)
{
    const char *const python =
        shell("python3 -c 'import numpy'") == 0 ? "python3" : "/usr/bin/python3";
    ck_assert_int_eq(setenv("PYTHON", python, 1), 0);
    if (shell("$PYTHON -c 'import numpy'") == 0) return 1;
    printf("skipped: no NumPy\n");
    return 0;
}

START_TEST(from_python)
{
    if (!choose_python()) return;
    must("PYTHONPATH=$(cgctab-config --python) $PYTHON "
         "inst/share/doc/cgctab/reader/examples/evaluate.py t.cgct");
    check_lines(0);
    must("PYTHONPATH=$(cgctab-config --python) $PYTHON -c '" PYTHON_MEMBERS "'");
    check_members();
    must("PYTHONPATH=$(cgctab-config --python) " POISON "$PYTHON " TESTS_DIR
         "/house/python_binding.py");
}
END_TEST

/* The structure that Python fills has the shape of the library's. */
START_TEST(python_knows_cgct_info)
{
    char line[512];
    snprintf(line, sizeof line,
             "PYTHONPATH=$(cgctab-config --python) python3 -c 'import cgctab, ctypes\n"
             "i = cgctab.Table(\"h.cgct\")._info\n"
             "print(ctypes.sizeof(i), cgctab._Info.k_max.offset, cgctab._Info.members.offset, "
             "cgctab._Info.checksum.offset)'");
    if (!have("python3")) return;
    must(line);
    snprintf(line, sizeof line, "%zu %zu %zu %zu\n", sizeof(cgct_info), offsetof(cgct_info, k_max),
             offsetof(cgct_info, members), offsetof(cgct_info, checksum));
    ck_assert_str_eq(output, line);
}
END_TEST

/* The wheel in an empty virtual environment, where there is no NumPy. */
START_TEST(from_wheel)
{
    if (!have("python3")) return;
    if (shell("unset PYTHONPATH; python3 -m venv v && v/bin/python -I -m pip --version") != 0) {
        printf("skipped: no venv or pip of Python\n");
        return;
    }
    must("make -s --no-print-directory -C " TOP " BUILD=" BUILD_DIR " wheel > name && "
         "v/bin/python -I -m pip install -q --no-index --no-deps --disable-pip-version-check "
         "$(tail -n 1 name)");
    must("v/bin/python -I -c 'import cgctab, sys; assert \"numpy\" not in sys.modules; "
         "assert cgctab._lib._name.startswith(sys.prefix)'");
    must("v/bin/python -I inst/share/doc/cgctab/reader/examples/evaluate.py t.cgct");
    check_lines(0);
    must("v/bin/python -I -c '" PYTHON_MEMBERS "'");
    check_members();
    must(POISON "v/bin/python -I " TESTS_DIR "/house/python_binding.py");
    must("ln -s t.cgct small.cgct && awk '/^```python$/ { take = 1; n++; next } /^```$/ { take = 0 "
         "} "
         "take && n == 1' " TOP "/reader/GUIDE.md > guide.py && grep -q cgctab guide.py && "
         "v/bin/python -I guide.py");
}
END_TEST

/* What v2.c prints of q, T, L and both: q and nine numbers in a row. */
enum { V2_ROWS = 46, V2_COLUMNS = 10 };
static void read_v2(double v[V2_ROWS][V2_COLUMNS])
{
    char *line = strchr(output, '\n');
    ck_assert_msg(line && output[0] == '#', "%s", output);
    for (int i = 0; i < V2_ROWS; i++)
        for (int j = 0; j < V2_COLUMNS; j++) v[i][j] = strtod(line, &line);
    ck_assert_str_eq(line, "\n");
}

/* In C and in Python the same; the first member without a table, tests/refs/make_v2.sh. */
START_TEST(v2_of_dijets)
{
    static double in_c[V2_ROWS][V2_COLUMNS], in_python[V2_ROWS][V2_COLUMNS];
    double q, want[3];
    char line[128];
    must("awk '/^```python$/ { n++; next } /^```$/ { n += n % 2 } n == 3' " TOP
         "/reader/GUIDE.md > guide.py; sed 1d inst/share/doc/cgctab/reader/examples/v2.py | "
         "diff - guide.py");
    if (shell("cp " TOP "/tables/proton.cgct .") != 0) {
        printf("skipped: no tables/proton.cgct\n");
        return;
    }
    must("cc -std=c11 -Wall -Wextra -pedantic -Werror inst/share/doc/cgctab/reader/examples/v2.c "
         "$(cgctab-config --cflags --libs) -lm -o v2 && ./v2 proton.cgct");
    read_v2(in_c);
    FILE *f = fopen(TESTS_DIR "/refs/v2.ref", "r");
    ck_assert(f && fgets(line, sizeof line, f));
    for (int n = 0; n < 2; n++) {
        ck_assert_int_eq(fscanf(f, "%lf %lf %lf %lf", &q, &want[0], &want[1], &want[2]), 4);
        const double *row = in_c[lround(10 * q) - 5];
        CHECK_REL(row[0], q, 1e-12);
        for (int i = 0; i < 3; i++) CHECK_ABS(row[1 + 3 * i], want[i], 1e-4);
    }
    fclose(f);
    if (!choose_python()) return;
    must("PYTHONPATH=$(cgctab-config --python) $PYTHON inst/share/doc/cgctab/reader/examples/v2.py "
         "proton.cgct");
    read_v2(in_python);
    for (int i = 0; i < V2_ROWS; i++)
        for (int j = 0; j < V2_COLUMNS; j++) CHECK_ABS(in_python[i][j], in_c[i][j], 1.5e-6);
    if (shell("$PYTHON -c 'import matplotlib'") != 0)
        printf("skipped: no matplotlib\n");
    else
        must("PYTHONPATH=$(cgctab-config --python) MPLCONFIGDIR=. $PYTHON "
             "inst/share/doc/cgctab/reader/examples/v2.py proton.cgct v2.png && test -s v2.png");
}
END_TEST

START_TEST(events)
{
    double mean, error, exact;
    if (!have("g++")) return;
    if (shell("printf '#include <HepMC3/GenEvent.h>\\n' | g++ -E -x c++ - >/dev/null") != 0) {
        printf("skipped: no HepMC3\n");
        return;
    }
    must("g++ -O1 -std=c++11 -Wall -Wextra $(cgctab-config --cflags) "
         "inst/share/doc/cgctab/reader/examples/events.cpp $(cgctab-config --libs) -lHepMC3 "
         "-o e && ./e t.cgct out.hepmc 20000");
    const char *line = strstr(output, "total cross section");
    ck_assert_msg(line && sscanf(line, "total cross section: %lf +- %lf GeV^-2 by events, %lf by",
                                 &mean, &error, &exact) == 3,
                  "%s", output);
    ck_assert_msg(error < 0.05 * exact && fabs(mean - exact) < 4 * error, "%s", line);
    must("test $(grep -c '^E ' out.hepmc) = 20000 && grep -q '^A cgctab.table .*t.cgct' out.hepmc "
         "&& grep -q '^A cgctab.data_version 3' out.hepmc");
    must("cgctab info t.cgct | sed -n 's/^checksum *//p' | xargs -I% grep -q '^A cgctab.checksum "
         "%' out.hepmc");
    must("cgctab-events " TESTS_DIR "/golden/panels.cgct --beams 18x275 -n 200 -o e.lhe --quiet && "
         "g++ -O1 -std=c++11 -Wall -Wextra "
         "inst/share/doc/cgctab/reader/examples/lhef_hepmc.cpp -lHepMC3 "
         "-o l && ./l e.lhe p.hepmc");
    must("test $(grep -c '^E ' p.hepmc) = 200 && test $(grep -c '^P .* 4$' p.hepmc) = 400 && "
         "grep -q '^W Weight.*central_central.*hessian_up.*hessian_down.*bound_high' p.hepmc && "
         "sigma=$(sed -n '/^<init>/{n;n;s/ .*//p}' e.lhe) && "
         "grep '^A 0 GenCrossSection' p.hepmc | awk -v s=$sigma '{ n += $4 > 0.999 * s && $4 < "
         "1.001 * s } END { exit n != 200 }'");
}
END_TEST

/* Programs, manual pages, completion and cards, from the prefix alone. */
START_TEST(programs_and_manuals)
{
    must("cgctab info t.cgct && cgctab eval t.cgct --x 0.005 --eps 1.5 --q 2 --k1 1 "
         "--theta 0");
    must("cgctab-generate exact --card inst/share/cgctab/cards/demo.card --x 0.01 --eps 4 --q 1 "
         "--k1 5 --theta 0");
    must("cut -f1 inst/share/cgctab/tables/index.tsv | grep -x mv && cd inst/share && ls "
         "man/man1/cgctab.1 man/man3/cgctab.3 man/man1/cgctab-generate.1 "
         "doc/cgctab/reader/GUIDE.md doc/cgctab/generator/METHOD.md "
         "doc/cgctab/generator/PHYSICS.md zsh/site-functions/_cgctab");
    if (have("man")) must("MANPATH=$PWD/inst/share/man man -w cgctab cgctab-generate");
    if (have("bash"))
        must("bash -c '. inst/share/bash-completion/completions/cgctab-generate; "
             "ask() { COMP_WORDS=(cgctab-generate \"${@:2}\"); COMP_CWORD=$(($# - 1)); "
             "_cgctab; [ \"${COMPREPLY[*]}\" = \"$1\" ]; }; "
             "ask transform trans && ask --plan run --pl && ask separable run c --backend se && "
             "ask accuracy.flag= run c --set accuracy.fl && ask backends help ba && ask f2 f && "
             "ask --Q2 f2 --Q'");
    if (have("zsh")) must("zsh -n inst/share/zsh/site-functions/_cgctab");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bindings");
    TCase *c = tcase_create("bindings");
    tcase_add_unchecked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_test(c, from_cxx);
    tcase_add_test(c, from_fortran);
    tcase_add_test(c, from_python);
    tcase_add_test(c, python_knows_cgct_info);
    tcase_add_test(c, from_wheel);
    tcase_add_test(c, v2_of_dijets);
    tcase_add_test(c, events);
    tcase_add_test(c, programs_and_manuals);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
