/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the integrand: gaussian, a shared object for the processor, or a text for a device. */
#include "cli/three_integrand_option.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/params.h"
#include "format/crc64.h"
#include "three/three_user.h"

cgct_status cli_three_gaussian(gaussian_family *to, size_t npar, const double *v, cgct_err *err)
{
    if (npar != GAUSSIAN_PARAMS)
        return cgct_fail(err, CGCT_E_USAGE, "--params: %zu numbers, gaussian takes a,b0,c,g1,g2,g3",
                         npar);
    *to = (gaussian_family){v[0], v[1], v[2], v[3], v[4], v[5]};
    return gaussian_check(to, err);
}

/* ---- a shared object of the user ---- */

static cgct_status open_shared_object(cli_three_integrand *c, cgct_err *err)
{
    const char *path = c->integrand;
    char file[4096]; /* dlopen looks elsewhere for a name without a slash */
    if ((size_t)snprintf(file, sizeof file, "%s%s", strchr(path, '/') ? "" : "./", path) >=
        sizeof file)
        return cgct_fail(err, CGCT_E_IO, "%.60s...: name longer than %zu bytes", path, sizeof file);
    c->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!c->library) return cgct_fail(err, CGCT_E_IO, "%s", dlerror());
    const three_library *l = dlsym(c->library, "cgct_three_library");
    if (!l)
        return cgct_fail(err, CGCT_E_IO,
                         "%s: no symbol cgct_three_library; end the source with "
                         "THREE_INTEGRAND(...) of three_user.h",
                         path);
    if (l->version != THREE_LIBRARY_VERSION)
        return cgct_fail(err, CGCT_E_VERSION,
                         "%s: made with version %d of three_user.h, this program needs %d; compile "
                         "it again",
                         path, l->version, THREE_LIBRARY_VERSION);
    if (l->nparam < 0 || (size_t)l->nparam != c->par.n)
        return cgct_fail(err, CGCT_E_DOMAIN, "%s: takes %d parameters, %zu are given; give as many",
                         path, l->nparam, c->par.n);
    c->g = (three_integrand){.self = c->par.v,
                             .is_complex = l->is_complex,
                             .is_symmetric = l->is_symmetric,
                             .block = l->block};
    return CGCT_OK;
}

/* ---- a text for a device ---- */

static void print_compile_error(void *self, const char *line)
{
    (void)self;
    cli_say("three", "%s", line);
}

/* ---- the choice ---- */

/* CRC-64 of the file, so that a checkpoint of an edited integrand is refused. */
static cgct_status integrand_file_crc(const char *path, uint64_t *crc, cgct_err *err)
{
    cgct_crc64_table table;
    unsigned char bytes[4096];
    size_t n;
    FILE *f = fopen(path, "rb");
    if (!f) return cgct_fail(err, CGCT_E_IO, "%s: %s", path, strerror(errno));
    cgct_crc64_init(&table);
    *crc = 0;
    while ((n = fread(bytes, 1, sizeof bytes, f)) > 0) *crc = cgct_crc64(&table, *crc, bytes, n);
    int bad = ferror(f);
    fclose(f);
    return bad ? cgct_fail(err, CGCT_E_IO, "%s: cannot be read", path) : CGCT_OK;
}

static cgct_status name_integrand(cli_three_integrand *c, cgct_err *err)
{
    uint64_t crc = 0;
    size_t room = sizeof c->name, n;
    if (!c->is_gaussian) CGCT_TRY(integrand_file_crc(c->integrand, &crc, err));
    n = (size_t)snprintf(c->name, room, "%s", c->integrand);
    if (!c->is_gaussian && n < room)
        n += (size_t)snprintf(c->name + n, room - n, " [%016llx]", (unsigned long long)crc);
    for (size_t i = 0; i < c->par.n && n < room; i++)
        n += (size_t)snprintf(c->name + n, room - n, " %.17g", c->par.v[i]);
    if (n >= room)
        return cgct_fail(err, CGCT_E_USAGE,
                         "--integrand and --params: %zu characters together, %zu allowed", n, room);
    c->g.name = c->name;
    return CGCT_OK;
}

/* A text runs on a device, a shared object on the processor, gaussian on both. */
static cgct_status choose_machine(const cli_three_integrand *c, int *device, cgct_err *err)
{
    const char *suffix = strrchr(c->integrand, '.');
    int is_text = suffix && !strcmp(suffix, ".cu");
    *device = c->backend ? !strcmp(c->backend, "cuda") : is_text;
    if (c->backend && !*device && strcmp(c->backend, "cpu"))
        return cgct_fail(err, CGCT_E_USAGE, "--backend '%s'; known are cpu, cuda", c->backend);
    if (is_text && !*device)
        return cgct_fail(
            err, CGCT_E_USAGE,
            "--backend cpu: %s is source code; compile it to a shared object (how: see "
            "three_user.h)",
            c->integrand);
    if (*device && !is_text && strcmp(c->integrand, "gaussian"))
        return cgct_fail(err, CGCT_E_USAGE,
                         "--backend cuda: %s is not source code; give gaussian or FILE.cu",
                         c->integrand);
    return CGCT_OK;
}

cgct_status cli_three_integrand_open(cli_three_integrand *c, cgct_err *err)
{
    int device;
    if (!c->integrand)
        return cgct_fail(err, CGCT_E_USAGE, "--integrand is missing: gaussian, FILE.so or FILE.cu");
    CGCT_TRY(choose_machine(c, &device, err));
    int is_gaussian = !strcmp(c->integrand, "gaussian");
    const char *params = c->params ? c->params : is_gaussian ? "1,1,1,0.5,0.5,0.5" : NULL;
    if (params) CGCT_TRY(cli_numbers("params", params, "", "", &c->par, err));
    if (is_gaussian) {
        CGCT_TRY(cli_three_gaussian(&c->family, c->par.n, c->par.v, err));
        c->is_gaussian = 1;
        c->g = gaussian_integrand(&c->family);
    }
    if (device) {
        three_source source = {.path = c->integrand, .report = print_compile_error};
        if (is_gaussian) source.text = text_three_gaussian_cu;
        CGCT_TRY(three_cuda_open(&c->cuda, &source, c->par.n, c->par.v, &c->g, &c->engine, err));
    } else if (!is_gaussian)
        CGCT_TRY(open_shared_object(c, err));
    return name_integrand(c, err);
}

void cli_three_integrand_close(cli_three_integrand *c)
{
    free(c->par.v);
    if (c->library) dlclose(c->library);
    three_cuda_close(c->cuda);
}
