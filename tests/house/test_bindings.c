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

static char folder[PATH_SIZE], output[1 << 16];

/* With the installed programs and libraries in front; what it printed is in output. */
static int shell(const char *command)
{
    char line[4096];
    int n = snprintf(line, sizeof line,
                     "cd %s && PATH=%s/inst/bin:$PATH; export PATH; unset LD_LIBRARY_PATH; "
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
    ck_assert_int_eq(cgct_slice_init(&s, t, 0.01, 1, NULL), CGCT_OK);
    const char *line = output;
    ck_assert_msg(!strncmp(line, "dipole: closed form\n", 20), "%s", output);
    for (int i = 1; i <= 5; i++) {
        line = strchr(line, '\n');
        ck_assert_msg(line && sscanf(++line, "%lf %lf %lf", &k1, &v[0], &v[1]) == 3, "%s", output);
        CHECK_REL(k1, 1 + 0.4 * i, 1e-12);
        cgct_status st =
            sliced ? cgct_slice_eval(s, 1.5, k1, 1, I) : cgct_eval(t, 0.01, 1, 1.5, k1, 1, I);
        ck_assert_int_eq(st, CGCT_OK);
        CHECK_REL(v[0], I[0], 1e-8);
        CHECK_REL(v[1], I[1], 1e-8);
    }
    cgct_slice_free(s);
    cgct_close(t);
}

/* A point of h.cgct: x, eps, q, k1, theta. */
#define POINT "0.001, 0.5, 3.0, 4.0, 1.0"
#define FORTRAN_POINT "0.001d0, 0.5d0, 3d0, 4d0, 1d0"

/* The lines 'T L' there: value, bound, correlation limit, members, uncertainty. */
static void check_members(void)
{
    const double p[5] = {0.001, 0.5, 3, 4, 1};
    double want[9][2], v[2];
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
    for (int i = 0; i < 9; i++) {
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

/* Once, for all tests: t.cgct, and h.cgct with three members. */
static void setup(void)
{
    char line[2048];
    make_folder(folder);
    write_table();
    must("cp " GOLDEN_PANELS " h.cgct");
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
         "inst/share/doc/cgctab/examples/evaluate.cpp $(cgctab-config --libs) -o c && ./c t.cgct");
    check_lines(1);
    must("printf '%s\\n' '#include <cgctab.hpp>' '#include <cstdio>' 'int main()' '{' "
         "'cgctab::table t(\"h.cgct\");' "
         "'cgctab::values e = t.eval_error(" POINT "), r = t.reference(" POINT ");' "
         "'std::vector<cgctab::values> m = t.eval_members(" POINT ");' "
         "'cgctab::interval u = t.uncertainty(" POINT ");' "
         "'if (t.uncertainty_of({m[0][1], m[1][1], m[2][1]})[2] != u.high[1]) return 3;' "
         "'cgct_dis d = {1 / 137.036, 1, 0, 0.5, 1};' "
         "'const double ratio = t.dsigma_members(d, 0.001, 3, 4, 1)[0][0] / t.dsigma(d, 0.001, 3, "
         "4, "
         "1)[0];' 'if (ratio < 1 - 1e-14 || ratio > 1 + 1e-14) return 4;' "
         "'if (t.members().size() != 3 || t.members()[0] != \"central\") return 2;' "
         "'for (cgctab::values v : {t(" POINT "), e, r, m[0], m[1], m[2], u.central, u.low, "
         "u.high})' 'std::printf(\"%.9e %.9e\\n\", v[0], v[1]);' '}' > p.cpp && "
         "g++ -std=c++11 -Wall -Wextra -pedantic -Werror $(cgctab-config --cflags) p.cpp "
         "$(cgctab-config --libs) -o p && ./p");
    check_members();
    ck_assert_int_eq(shell("./c none.cgct"), 1);
    ck_assert_msg(strstr(output, "none.cgct: no such file") != NULL, "%s", output);
}
END_TEST

START_TEST(from_fortran)
{
    if (!have("gfortran")) return;
    must("gfortran -std=f2003 -Wall -Werror $(cgctab-config --fortran) "
         "inst/share/doc/cgctab/examples/evaluate.f90 $(cgctab-config --libs) -o f && "
         "./f t.cgct");
    check_lines(1);
    double mean, error, exact;
    const char *line = strstr(output, "total ");
    ck_assert_msg(line && sscanf(line, "total %lf +- %lf by events, by quadrature %lf", &mean,
                                 &error, &exact) == 3,
                  "%s", output);
    ck_assert_msg(error > 0 && error < 0.02 * exact && fabs(mean - exact) < 5 * error, "%s", line);
    must("printf '%s\\n' 'program shape' 'use cgctab' 'type(cgctab_table) :: t' "
         "'type(cgctab_slice) :: c' 'type(cgctab_sampler) :: s' 'type(cgctab_event) :: e(2)' "
         "'real(kind(1d0)) :: u(6, 2) = 0.5d0' 'integer :: i' \"call cgctab_open(t, 't.cgct', i)\" "
         "'call cgctab_slice_open(c, t, 0.01d0, 1d0, i)' "
         "'call cgctab_sampler_open(s, c, [1d0, 1d0], i)' 'if (i /= 0) stop 2' "
         "'call cgctab_sample_many(s, u(:5, :), e, i)' 'if (i /= 0) stop 3' "
         "'call cgctab_sample_many(s, u, e, i)' 'if (i /= 1) stop 4' "
         "'end program' > shape.f90 && "
         "gfortran -std=f2003 -Wall -Werror $(cgctab-config --fortran) shape.f90 "
         "$(cgctab-config --libs) -o shape && ./shape");
    must("printf '%s\\n' 'program members' 'use cgctab' 'type(cgctab_table) :: t' "
         "'real(kind(1d0)) :: v(2, 9), p(5) = [" FORTRAN_POINT "]' 'integer :: i' "
         "\"call cgctab_open(t, 'h.cgct', i)\" 'if (cgctab_members(t) /= 3) stop 2' "
         "'call cgctab_eval(t, p(1:1), p(2:2), p(3:3), p(4:4), p(5:5), v(:, 1:1), i)' "
         "'if (i /= 0) stop 3' "
         "'call cgctab_error(t, p(1), p(2), p(3), p(4), p(5), v(:, 2), i)' "
         "'if (i /= 0) stop 4' "
         "'call cgctab_reference(t, p(1), p(2), p(3), p(4), p(5), v(:, 3), i)' "
         "'if (i /= 0) stop 5' "
         "'call cgctab_eval_members(t, p(1), p(2), p(3), p(4), p(5), v(:, 4:5), i)' "
         "'if (i /= 1) stop 6' "
         "'call cgctab_eval_members(t, p(1), p(2), p(3), p(4), p(5), v(:, 4:6), i)' "
         "'if (i /= 0) stop 7' "
         "'call cgctab_uncertainty(t, p(1), p(2), p(3), p(4), p(5), v(:, 7), v(:, 8), v(:, 9), "
         "i)' 'if (i /= 0) stop 8' \"write (*, '(2es18.9)') v\" 'end program' > members.f90 && "
         "gfortran -std=f2003 -Wall -Werror $(cgctab-config --fortran) members.f90 "
         "$(cgctab-config --libs) -o members && ./members");
    check_members();
    ck_assert_int_eq(shell("./f none.cgct"), 1);
    ck_assert_msg(strstr(output, "none.cgct: no such file") != NULL, "%s", output);
}
END_TEST

/* Lines for check_members, and points that fail; the same with NumPy and without. */
#define PYTHON_MEMBERS                                                                             \
    "import cgctab\n"                                                                              \
    "t, p = cgctab.Table(\"h.cgct\", negative=\"keep\"), (" POINT ")\n"                            \
    "assert t.members[0] == \"central\" and len(t.members) == 3\n"                                 \
    "v = [t(*p), t.error(*p), t.reference(*p), *t.eval_members(*p), *t.uncertainty(*p)]\n"         \
    "for row in v: print(\"%.9e %.9e\" % tuple(row))\n"                                            \
    "d = t.dsigma_members(0.001, 0.5, 1.0, *p[2:])\n"                                              \
    "eps, T, L = cgctab.dis_factors(0.5, 1.0, t.S_perp(1))\n"                                      \
    "assert eps == 0.5 and abs(d[1][0] - T * v[4][0]) < 1e-12 * d[1][0]\n"                         \
    "assert abs(d[1][1] - L * v[4][1]) < 1e-12 * d[1][1]\n"                                        \
    "r = t.uncertainty_of([row[1] for row in v[3:6]])\n"                                           \
    "assert [r[0], r[1], r[2]] == [row[1] for row in v[6:9]]\n"                                    \
    "try:\n"                                                                                       \
    "    t.dsigma_members(0.001, [0.5, 0.5], 1.0, [3.0, 1e9], *p[3:])\n"                           \
    "    assert False\n"                                                                           \
    "except cgctab.Error as e:\n"                                                                  \
    "    assert \"q = 1000000000 \" in str(e), e\n"                                                \
    "p = (0.001, 0.5, 3.0, [4.0, 1e9, 5.0], 1.0)\n"                                                \
    "u = t.uncertainty(*p, on_error=\"nan\")\n"                                                    \
    "assert [len(u), len(u[0]), len(u[0][0])] == [3, 3, 2]\n"                                      \
    "assert [row[0][0] != row[0][0] for row in u] == [False, True, False]\n"                       \
    "try:\n"                                                                                       \
    "    t.error(*p)\n"                                                                            \
    "    assert False\n"                                                                           \
    "except cgctab.Error as e:\n"                                                                  \
    "    assert \"k1\" in str(e), e\n"

START_TEST(from_python)
{
    const char *const python =
        shell("python3 -c 'import numpy'") == 0 ? "python3" : "/usr/bin/python3";
    ck_assert_int_eq(setenv("PYTHON", python, 1), 0);
    if (shell("$PYTHON -c 'import numpy'") != 0) {
        printf("skipped: no NumPy\n");
        return;
    }
    must("PYTHONPATH=$(cgctab-config --python) $PYTHON "
         "inst/share/doc/cgctab/examples/evaluate.py t.cgct");
    check_lines(0);
    must("PYTHONPATH=$(cgctab-config --python) $PYTHON -c '\n"
         "import cgctab, numpy as np\n"
         "t = cgctab.Table(\"t.cgct\")\n"
         "v = t(0.01, 1.0, np.ones((3, 1)), np.array([1.0, 2.0]), 0.5)\n"
         "assert v.shape == (3, 2, 2) and np.all(v > 0)\n"
         "assert len(t.axis(\"q\")) == 12 and t.meta[\"dipole\"] == \"closed form\"\n"
         "assert np.isnan(t(1.0, 1.0, 1.0, 1.0, 0.0, on_error=\"nan\")).all()\n"
         "try:\n"
         "    t(1.0, 1.0, 1.0, 1.0, 0.0)\n"
         "    assert False\n"
         "except cgctab.Error as e:\n"
         "    assert \"x = 1 lies outside\" in str(e), e\n"
         "t = cgctab.Table(\"t.cgct\", policy=\"freeze\")\n"
         "assert np.all(t.slice(1.0, 1.0)([1.0], [2.0], [0.0]) > 0)\n"
         "s = t.slice(0.01, 1.0).sampler(1.0, 1.0)\n"
         "u = np.random.default_rng(1).random((19, 5))\n"
         "e, one = s.many(u), s(iter(u[7]).__next__)\n"
         "assert e.shape == (19,) and np.all(e[\"weight\"] > 0)\n"
         "for f in e.dtype.names:\n"
         "    assert abs(e[f][7] - getattr(one, f)) < 1e-11, (f, e[7])\n"
         "u[3, 1] = 1\n"
         "assert list(np.isnan(s.many(u, on_error=\"nan\")[\"q\"])) == [i == 3 for i in "
         "range(19)]'");
    must("PYTHONPATH=$(cgctab-config --python) $PYTHON -c '" PYTHON_MEMBERS "\n"
         "import numpy as np\n"
         "d = t.dsigma_members(0.001, [0.4, 0.5], 1.0, 3.0, 4.0, 1.0)\n"
         "r = t.uncertainty_of(np.moveaxis(d, -2, -1))\n"
         "assert d.shape == (2, 3, 2) and r.shape == (2, 2, 3)\n"
         "for i, pol in ((0, 0), (1, 1)):\n"
         "    assert (r[i, pol] == t.uncertainty_of(d[i, :, pol])).all()\n"
         "assert (r[..., 1] <= r[..., 0]).all() and (r[..., 0] <= r[..., 2]).all()'");
    check_members();
}
END_TEST

/* Without NumPy: sampling, factors, wrong shapes; everything that is offered is described. */
#define PYTHON_LISTS                                                                               \
    "import cgctab, inspect, math, sys\n"                                                          \
    "assert \"numpy\" not in sys.modules and cgctab._lib._name.startswith(sys.prefix)\n"           \
    "eps, T, L = cgctab.dis_factors(0.25, 4.0, 36.8, e_q2=0.5)\n"                                  \
    "common = 6 / 137.036 * 0.5 * 36.8 / (2 * math.pi)**6\n"                                       \
    "assert math.isclose(eps**2, 0.75) and math.isclose(T, common * 0.625 * 0.75)\n"               \
    "assert math.isclose(L, common * 16 * 0.1875**2)\n"                                            \
    "t = cgctab.Table(\"t.cgct\")\n"                                                               \
    "assert len(t.axis(\"q\")) == 12 and math.isnan(t.S_perp())\n"                                 \
    "s = t.slice(0.01, 1.0)\n"                                                                     \
    "for a, b in zip(s([1.0, 2.0], 2.0, 0.5), t(0.01, 1.0, [1.0, 2.0], 2.0, 0.5)):\n"              \
    "    assert math.isclose(a[0], b[0]) and math.isclose(a[1], b[1])\n"                           \
    "s = s.sampler(T, L)\n"                                                                        \
    "u = [[(3 * i + j) % 7 / 7 for j in range(5)] for i in range(4)]\n"                            \
    "for e, row in zip(s.many(u), u):\n"                                                           \
    "    one = s(iter(row).__next__)\n"                                                            \
    "    assert math.isclose(e.q, one.q) and math.isclose(e.theta, one.theta), (e, one)\n"         \
    "for wrong in (lambda: s.many([[0.5]]), lambda: t(0.01, 1, [1, 2], [1, 2, 3], 0)):\n"          \
    "    try:\n"                                                                                   \
    "        wrong()\n"                                                                            \
    "        assert False\n"                                                                       \
    "    except ValueError: pass\n"                                                                \
    "assert len(s.many([])) == 0 == len(t(0.01, 1.0, [], 1.0, 0.0))\n"                             \
    "for name in cgctab.__all__: assert getattr(cgctab, name).__doc__, name\n"                     \
    "for c in (cgctab.Table, cgctab.Slice, cgctab.Sampler):\n"                                     \
    "    for name, f in vars(c).items():\n"                                                        \
    "        assert name[0] == \"_\" and name != \"__call__\" or f.__doc__, name\n"

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
    must("v/bin/python -I inst/share/doc/cgctab/examples/evaluate.py t.cgct");
    check_lines(0);
    must("v/bin/python -I -c '" PYTHON_MEMBERS "'");
    check_members();
    must("v/bin/python -I -c '" PYTHON_LISTS "'");
    must("ln -s t.cgct small.cgct && sed -n '/^```python$/,/^```$/p' " TOP "/reader/GUIDE.md | "
         "sed '/^```/d' > guide.py && grep -q cgctab guide.py && v/bin/python -I guide.py");
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
         "inst/share/doc/cgctab/examples/events.cpp $(cgctab-config --libs) -lHepMC3 -o e && "
         "./e t.cgct out.hepmc 20000");
    const char *line = strstr(output, "total cross section");
    ck_assert_msg(line && sscanf(line, "total cross section: %lf +- %lf GeV^-2 by events, %lf by",
                                 &mean, &error, &exact) == 3,
                  "%s", output);
    ck_assert_msg(error < 0.05 * exact && fabs(mean - exact) < 4 * error, "%s", line);
    must("test $(grep -c '^E ' out.hepmc) = 20000 && grep -q '^A cgctab.table .*t.cgct' out.hepmc "
         "&& grep -q '^A cgctab.data_version 1' out.hepmc");
    must("cgctab info t.cgct | sed -n 's/^checksum *//p' | xargs -I% grep -q '^A cgctab.checksum "
         "%' out.hepmc");
    must("cgctab-events " TESTS_DIR "/golden/panels.cgct --beams 18x275 -n 200 -o e.lhe --quiet && "
         "g++ -O1 -std=c++11 -Wall -Wextra inst/share/doc/cgctab/examples/lhef_hepmc.cpp -lHepMC3 "
         "-o l && ./l e.lhe p.hepmc");
    must("test $(grep -c '^E ' p.hepmc) = 200 && test $(grep -c '^P .* 4$' p.hepmc) = 400 && "
         "grep -q '^W Weight.*member_0.*member_2.*bound_high' p.hepmc && "
         "sigma=$(sed -n '/^<init>/{n;n;s/ .*//p}' e.lhe) && "
         "grep '^A 0 GenCrossSection' p.hepmc | awk -v s=$sigma '{ n += $4 > 0.999 * s && $4 < "
         "1.001 * s } END { exit n != 200 }'");
}
END_TEST

/* Programs, manual pages, completion and cards, from the prefix alone. */
START_TEST(programs_and_manuals)
{
    must("cgctab stats t.cgct && cgctab eval t.cgct --x 0.005 --eps 1.5 --q 2 --k1 1 "
         "--theta 0");
    must("cgctab-generate exact --card inst/share/cgctab/cards/demo.card --x 0.01 --eps 4 --q 1 "
         "--k1 5 --theta 0");
    must("cut -f1 inst/share/cgctab/tables/index.tsv | grep -x mv && cd inst/share && ls "
         "man/man1/cgctab.1 man/man3/cgctab.3 man/man1/cgctab-generate.1 "
         "doc/cgctab/GUIDE.md doc/cgctab/METHOD.md doc/cgctab/PHYSICS.md "
         "zsh/site-functions/_cgctab zsh/site-functions/_cgctab-events");
    if (have("man")) must("MANPATH=$PWD/inst/share/man man -w cgctab cgctab-generate");
    if (have("bash"))
        must("bash -c '. inst/share/bash-completion/completions/cgctab && complete -p cgctab'");
    if (have("bash"))
        must("bash -c '. inst/share/bash-completion/completions/cgctab-generate; "
             "ask() { COMP_WORDS=(cgctab-generate \"${@:2}\"); COMP_CWORD=$(($# - 1)); "
             "_cgctab_generate; [ \"${COMPREPLY[*]}\" = \"$1\" ]; }; "
             "ask validate val && ask --plan run --pl && ask separable run c --backend se && "
             "ask accuracy.flag= run c --set accuracy.fl && ask backends help ba'");
    if (have("zsh")) must("zsh -n inst/share/zsh/site-functions/_cgctab-generate");
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
    tcase_add_test(c, from_wheel);
    tcase_add_test(c, events);
    tcase_add_test(c, programs_and_manuals);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
