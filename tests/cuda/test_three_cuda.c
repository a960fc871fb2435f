/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An integrand's text on the way to a device: compiled wherever there is NVRTC, its errors told by
 * line, run where there is a device. */
#include <dlfcn.h>
#include <math.h>

#include "cuda/libraries.h"
#include "command.h"
#include "run_suite.h"

#define THREE GENERATE "three --quiet --integrand "
#define POINTS " --k 0,1.5,3 --p 0.8 --q 1.2 --phi-p 0,0.7 --phi-q 1.3 "
#define EXAMPLE TESTS_DIR "/../generator/three/three_gaussian.cu --params 1,1,1,0.5,0.5,0.5"
#define HEAD "#include \"three_user.h\"\n#include <math.h>\n#include \"beside.h\"\n"
#define VALUE "static double value(const three_point *x, const double *par)\n"
#define TOL_DEVICE 1e-9 /* of the largest |F| */

static int has_nvrtc(void)
{
    if (!strstr(place.output, "libnvrtc.so not found")) return 1;
    printf("skipped: no libnvrtc\n");
    return 0;
}

/* With a device: exact values.  Without one: it says that the text is sound and what is missing. */
START_TEST(example_compiles_and_runs_where_it_can)
{
    static const char *const commands[] = {THREE EXAMPLE POINTS "--nodes 88 --last 8",
                                           THREE "gaussian --backend cuda" POINTS};
    int status = command_run(&place, commands[_i]);
    if (!has_nvrtc()) return;
    if (status != 0) {
        command_fails(&place, commands[_i], 1, "compiles (sm_", "no CUDA device");
        return;
    }
    double F[16], top = 0, v[8];
    size_t n = 0;
    for (const char *p = strchr(place.output, '\n'); p && p[1] && n < 16; p = strchr(p + 1, '\n')) {
        ck_assert_int_eq(sscanf(p, "%lf %lf %lf %lf %lf %lf %lf %lf", v, v + 1, v + 2, v + 3, v + 4,
                                v + 5, v + 6, v + 7),
                         8);
        F[n++] = v[5];
        top = fmax(top, fabs(v[5]));
    }
    ck_assert_uint_eq(n, 6);
    command_run(&place, THREE "gaussian" POINTS "--nodes 88 --last 8");
    const char *p = place.output;
    for (size_t i = 0; i < n; i++) {
        p = strchr(p, '\n') + 1;
        ck_assert_int_eq(sscanf(p, "%*f %*f %*f %*f %*f %*f %*f %*f %lf", v), 1);
        ck_assert_msg(fabs(F[i] - v[0]) <= TOL_DEVICE * top, "%g, want %g", F[i], v[0]);
    }
}
END_TEST

/* Lines of the text and of a file that it includes; then the summary. */
START_TEST(errors_by_file_and_line)
{
    command_write(&place, "beside.h",
                  "static double twice(double x) { return 2 * x; }\n\nint y\n;");
    command_write(&place, "wrong.cu",
                  HEAD VALUE "{\n    return exp(-par[0] * x->rq) * twice(z);\n}\n"
                             "THREE_INTEGRAND(value, 1, THREE_SYMMETRIC)\n");
    int status = command_run(&place, THREE "wrong.cu --params 1" POINTS);
    if (!has_nvrtc()) return;
    ck_assert_int_eq(status, 1);
    ck_assert_ptr_nonnull(strstr(place.output, "three: wrong.cu:6: "));
    ck_assert_ptr_nonnull(strstr(place.output, "\"rq\""));
    ck_assert_ptr_nonnull(strstr(place.output, "\"z\" is undefined\n"));
    ck_assert_ptr_nonnull(strstr(place.output, "wrong.cu: does not compile, 2 errors"));
    command_write(&place, "beside.h", "\nint y = ;\n");
    command_run(&place, THREE "wrong.cu --params 1" POINTS);
    ck_assert_ptr_nonnull(strstr(place.output, "beside.h:2: expected an expression\n"));
    command_write(&place, "none.cu", HEAD VALUE "{\n    return exp(-par[0] * x->rp);\n}\n");
    command_write(&place, "beside.h", "");
    command_fails(&place, THREE "none.cu --params 1" POINTS, 1, "none.cu", "THREE_INTEGRAND");
    command_fails(&place, THREE "absent.cu" POINTS, 1, "absent.cu", "No such file");
    command_run(&place, "tr x '\\0' <none.cu >zero.cu");
    command_fails(&place, THREE "zero.cu --params 1" POINTS, 1, "zero.cu", "a zero byte");
    command_write(&place, "empty.cu", "");
    command_fails(&place, THREE "empty.cu" POINTS, 1, "empty.cu", "the file is empty");
}
END_TEST

/* M_PI, INFINITY, special functions, a complex value. */
START_TEST(what_a_text_may_use)
{
    command_write(&place, "beside.h", "#include <stddef.h>\nstatic const double scale = 0.5;\n");
    command_write(&place, "rich.cu",
                  HEAD
                  "static double j0_of(double x) { return cyl_bessel_i0(x) * erf(x) + j0(x); }\n"
                  "static void f(const three_point *x, const double *par, double *re,\n"
                  "              double *im)\n{\n"
                  "    *re = x->b < INFINITY ? exp(-M_PI * x->b) : NAN;\n"
                  "    *im = scale * j0_of(x->delta) * par[0];\n}\n"
                  "THREE_INTEGRAND_COMPLEX(f, 1, THREE_GENERAL)\n");
    int status = command_run(&place, THREE "rich.cu --params 1 --nodes 20 --modes 3" POINTS);
    if (!has_nvrtc()) return;
    ck_assert_msg(status == 0 || strstr(place.output, "rich.cu: compiles (sm_"), "%s",
                  place.output);
}
END_TEST

/* The names that are called, as far as the libraries are here. */
START_TEST(libraries)
{
    cublas_calls blas = {NULL};
    cuda_driver driver = {NULL};
    void *handle = NULL, (*sine)(void) = NULL;
    cgct_err err = {""};
    static const char *const suffixes[] = {".6", NULL};
    const library_symbol known = {"sin", &sine}, unknown = {"sine", &sine};
    library_request r = {"libm.so", suffixes, "mend it", 1, &known};
    ck_assert_int_eq(library_open(&handle, &r, &err), CGCT_OK);
    ck_assert(sine != NULL);
    dlclose(handle);
    r.symbol = &unknown;
    ck_assert_int_eq(library_open(&handle, &r, &err), CGCT_E_DEVICE);
    ck_assert_ptr_nonnull(strstr(err.text, "libm.so has no sine"));
    dlclose(handle);
    r.base = "libabsent.so";
    ck_assert_int_eq(library_open(&handle, &r, &err), CGCT_E_DEVICE);
    ck_assert_ptr_nonnull(strstr(err.text, "libabsent.so not found"));
    if (cublas_open(&blas, 0, &err) != CGCT_OK)
        ck_assert_msg(strstr(err.text, "not found"), "%s", err.text);
    if (driver_open(&driver, &err) != CGCT_OK)
        ck_assert_msg(strstr(err.text, "not found"), "%s", err.text);
    if (blas.handle) dlclose(blas.handle);
    if (driver.handle) dlclose(driver.handle);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("three_cuda");
    TCase *t = tcase_create("three_cuda");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, example_compiles_and_runs_where_it_can, 0, 2);
    tcase_add_test(t, errors_by_file_and_line);
    tcase_add_test(t, what_a_text_may_use);
    tcase_add_test(t, libraries);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
