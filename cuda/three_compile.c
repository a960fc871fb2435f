/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiles the text of an integrand with NVRTC, which is loaded at run time. */
#include "three_compile.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libraries.h"
#include "numerics/memory.h"

typedef struct {
    void *handle;
    const char *(*error)(int);
    int (*arch_count)(int *);
    int (*archs)(int *);
    int (*create)(void **, const char *, const char *, int, const char *const *,
                  const char *const *);
    int (*destroy)(void **);
    int (*compile)(void *, int, const char *const *);
    int (*log_size)(void *, size_t *);
    int (*log)(void *, char *);
    int (*cubin_size)(void *, size_t *);
    int (*cubin)(void *, char *);
    int (*ptx_size)(void *, size_t *);
    int (*ptx)(void *, char *);
} nvrtc;

enum { NVRTC_ERROR_COMPILATION = 6, ARCHS_MAX = 64 };

static cgct_status nvrtc_open(nvrtc *n, cgct_err *err)
{
    static const char *const suffixes[] = {".13", ".12", ".11.2", "", NULL};
    const library_symbol symbols[] = {
        {"nvrtcGetErrorString", &n->error},       {"nvrtcGetNumSupportedArchs", &n->arch_count},
        {"nvrtcGetSupportedArchs", &n->archs},    {"nvrtcCreateProgram", &n->create},
        {"nvrtcDestroyProgram", &n->destroy},     {"nvrtcCompileProgram", &n->compile},
        {"nvrtcGetProgramLogSize", &n->log_size}, {"nvrtcGetProgramLog", &n->log},
        {"nvrtcGetCUBINSize", &n->cubin_size},    {"nvrtcGetCUBIN", &n->cubin},
        {"nvrtcGetPTXSize", &n->ptx_size},        {"nvrtcGetPTX", &n->ptx}};
    const library_request r = {"libnvrtc.so", suffixes,
                               "install CUDA's NVRTC or set LD_LIBRARY_PATH",
                               sizeof symbols / sizeof *symbols, symbols};
    return library_open(&n->handle, &r, err);
}

static cgct_status nvrtc_check(const nvrtc *n, const char *call, int code, cgct_err *err)
{
    if (code == 0) return CGCT_OK;
    return cgct_fail(err, CGCT_E_DEVICE, "%s: %s", call, n->error(code));
}

/* *arch: that of the device where the compiler knows it; else the newest that it knows, as PTX. */
static cgct_status choose_arch(const nvrtc *n, int capability, int *arch, int *is_ptx,
                               cgct_err *err)
{
    int known[ARCHS_MAX], count = 0;
    CGCT_TRY(nvrtc_check(n, "nvrtcGetNumSupportedArchs", n->arch_count(&count), err));
    if (count < 1 || count > ARCHS_MAX)
        return cgct_fail(err, CGCT_E_DEVICE,
                         "NVRTC compiles for %d architectures; 1 to %d expected", count, ARCHS_MAX);
    CGCT_TRY(nvrtc_check(n, "nvrtcGetSupportedArchs", n->archs(known), err));
    *arch = known[0];
    for (int i = 0; i < count; i++)
        if (known[i] <= capability) *arch = known[i];
    *is_ptx = capability > 0 && *arch != capability;
    if (capability == 0 || capability >= known[0]) return CGCT_OK;
    return cgct_fail(err, CGCT_E_DEVICE,
                     "this NVRTC compiles for sm_%d and newer, the device is sm_%d; use an older "
                     "CUDA",
                     known[0], capability);
}

/* Reports "FILE(LINE): error: TEXT" as "FILE:LINE: TEXT"; returns 0 where the line is no error. */
static int report_error_line(const three_source *source, const char *line)
{
    const char *mark = strstr(line, "): "), *what = mark ? strstr(mark, "error") : NULL;
    const char *open = mark, *text = what ? strstr(what, ": ") : NULL;
    while (open && open > line && *open != '(') open--;
    if (!text || what > mark + strlen("): catastrophic ") || *open != '(') return 0;
    char out[512];
    snprintf(out, sizeof out, "%.*s:%.*s: %s", (int)(open - line), line, (int)(mark - open - 1),
             open + 1, text + 2);
    source->report(out);
    return 1;
}

static cgct_status fail_compilation(const nvrtc *n, void *program, const three_source *source,
                                    cgct_err *err)
{
    size_t size = 0;
    int errors = 0;
    CGCT_TRY(nvrtc_check(n, "nvrtcGetProgramLogSize", n->log_size(program, &size), err));
    char *log = memory_zeros(size + 1, 1);
    cgct_status st = nvrtc_check(n, "nvrtcGetProgramLog", n->log(program, log), err);
    for (char *line = log, *end; st == CGCT_OK && *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end) *end++ = 0;
        errors += report_error_line(source, line);
    }
    if (st == CGCT_OK && errors == 0) /* no line was understood: quote the log */
        st = cgct_fail(err, CGCT_E_FORMAT, "%s: does not compile: %.300s", source->path, log);
    else if (st == CGCT_OK)
        st = cgct_fail(err, CGCT_E_FORMAT, "%s: does not compile, %d error%s; mend the text",
                       source->path, errors, errors > 1 ? "s" : "");
    free(log);
    return st;
}

/* *code: the PTX or cubin of the program, to be freed. */
static cgct_status copy_code(const nvrtc *n, void *program, int is_ptx, char **code, cgct_err *err)
{
    size_t size = 0;
    CGCT_TRY(nvrtc_check(n, is_ptx ? "nvrtcGetPTXSize" : "nvrtcGetCUBINSize",
                         (is_ptx ? n->ptx_size : n->cubin_size)(program, &size), err));
    *code = memory_zeros(size + 1, 1);
    return nvrtc_check(n, is_ptx ? "nvrtcGetPTX" : "nvrtcGetCUBIN",
                       (is_ptx ? n->ptx : n->cubin)(program, *code), err);
}

/* Without the kernel that THREE_INTEGRAND defines, the text is no integrand. */
static cgct_status require_kernel(const nvrtc *n, void *program, const three_source *source,
                                  cgct_err *err)
{
    char *ptx = NULL;
    cgct_status st = copy_code(n, program, 1, &ptx, err);
    if (st == CGCT_OK && !strstr(ptx, "three_sample_kernel"))
        st = cgct_fail(err, CGCT_E_FORMAT,
                       "%s: no integrand; end the source with THREE_INTEGRAND(...) of three_user.h",
                       source->path);
    free(ptx);
    return st;
}

static cgct_status compile_program(const nvrtc *n, void *program, const three_source *source,
                                   int arch, int is_ptx, three_image *image, cgct_err *err)
{
    char target[48], folder[4096];
    const char *slash = strrchr(source->path, '/');
    snprintf(image->arch, sizeof image->arch, "%s_%d", is_ptx ? "compute" : "sm", arch);
    snprintf(target, sizeof target, "--gpu-architecture=%s", image->arch);
    snprintf(folder, sizeof folder, "--include-path=%.*s",
             slash ? (int)(slash - source->path) + 1 : 1, slash ? source->path : ".");
    const char *const options[] = {target, folder, "--std=c++17",
                                   "--device-as-default-execution-space"};
    int code = n->compile(program, sizeof options / sizeof *options, options);
    if (code == NVRTC_ERROR_COMPILATION) return fail_compilation(n, program, source, err);
    CGCT_TRY(nvrtc_check(n, "nvrtcCompileProgram", code, err));
    CGCT_TRY(require_kernel(n, program, source, err));
    return copy_code(n, program, is_ptx, &image->code, err);
}

static cgct_status create_and_compile(const nvrtc *n, const three_source *source, int capability,
                                      three_image *image, cgct_err *err)
{
    static const char *const names[] = {"three_user.h", "three_integrand.h", "three_kernel.h",
                                        "math.h", "stddef.h"};
    static const char math[] = "#define M_PI 3.14159265358979323846\n"
                               "#define INFINITY __longlong_as_double(0x7ff0000000000000LL)\n"
                               "#define NAN __longlong_as_double(0x7ff8000000000000LL)\n";
    const char *const texts[] = {text_three_user_h, text_three_integrand_h, text_three_kernel_h,
                                 math, ""};
    void *program = NULL;
    int arch = 0, is_ptx = 0;
    CGCT_TRY(choose_arch(n, capability, &arch, &is_ptx, err));
    CGCT_TRY(nvrtc_check(
        n, "nvrtcCreateProgram",
        n->create(&program, source->text, source->path, sizeof names / sizeof *names, texts, names),
        err));
    cgct_status st = compile_program(n, program, source, arch, is_ptx, image, err);
    n->destroy(&program);
    return st;
}

cgct_status three_compile(const three_source *source, int capability, three_image *image,
                          cgct_err *err)
{
    nvrtc n = {NULL};
    memset(image, 0, sizeof *image);
    cgct_status st = nvrtc_open(&n, err);
    if (st == CGCT_OK) st = create_and_compile(&n, source, capability, image, err);
    if (st != CGCT_OK) {
        free(image->code);
        image->code = NULL;
    }
    if (n.handle) dlclose(n.handle);
    return st;
}
