/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/crc64.h"
#include "cli/three.h"
#include "config/params.h"
#include "three/library.h"

static int ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

static cgct_status get_gaussian(cli_three_integrand *c, cgct_err *err)
{
    const double *v = c->par.v;
    if (c->par.n != CLI_GAUSSIAN_PARAMS)
        return cgct_fail(err, CGCT_E_USAGE, "--params: %zu numbers, gaussian takes a,b0,c,g1,g2,g3",
                         c->par.n);
    c->family = (gaussian_family){v[0], v[1], v[2], v[3], v[4], v[5]};
    c->is_gaussian = 1;
    CGCT_TRY(gaussian_check(&c->family, err));
    c->g = gaussian_integrand(&c->family);
    return CGCT_OK;
}

static void print_error(void *self, const char *line)
{
    (void)self;
    fprintf(stderr, CLI_PROGRAM " three: %s\n", line);
}

static cgct_status open_device(cli_three_integrand *c, cgct_err *err)
{
    three_source source = {.path = c->integrand, .report = print_error};
    if (c->is_gaussian) source.text = three_text_gaussian;
    return three_cuda_open(&c->cuda, &source, c->par.n, c->par.v, &c->g, &c->engine, err);
}

/* CRC-64 of the file, so that a checkpoint knows an edited integrand. */
static cgct_status checksum(const char *path, uint64_t *crc, cgct_err *err)
{
    cgct_crc64_table table;
    unsigned char bytes[4096];
    size_t n;
    FILE *f = fopen(path, "rb");
    if (!f) return cgct_fail(err, CGCT_E_IO, "%s: %s", path, strerror(errno));
    cgct_crc64_init(&table);
    *crc = 0;
    while ((n = fread(bytes + 8, 1, sizeof bytes - 8, f)) > 0) {
        memcpy(bytes, crc, 8);
        *crc = cgct_crc64(&table, bytes, n + 8);
    }
    int bad = ferror(f);
    fclose(f);
    return bad ? cgct_fail(err, CGCT_E_IO, "%s: cannot be read", path) : CGCT_OK;
}

static cgct_status give_name(cli_three_integrand *c, cgct_err *err)
{
    uint64_t crc = 0;
    size_t room = sizeof c->name, n;
    if (!c->is_gaussian) CGCT_TRY(checksum(c->integrand, &crc, err));
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

/* A text is for the device, a shared object for the processor; gaussian is for both. */
static cgct_status choose_backend(const cli_three_integrand *c, int *device, cgct_err *err)
{
    int is_text = ends_with(c->integrand, ".cu");
    *device = c->backend ? !strcmp(c->backend, "cuda") : is_text;
    if (c->backend && !*device && strcmp(c->backend, "cpu"))
        return cgct_fail(err, CGCT_E_USAGE, "--backend '%s'; known are cpu, cuda", c->backend);
    if (is_text && !*device)
        return cgct_fail(err, CGCT_E_USAGE,
                         "--backend cpu: %s is a text; compile it to a shared object (how: see "
                         "three_user.h)",
                         c->integrand);
    if (*device && !is_text && strcmp(c->integrand, "gaussian"))
        return cgct_fail(err, CGCT_E_USAGE,
                         "--backend cuda: %s is not a text; give gaussian or FILE.cu",
                         c->integrand);
    return CGCT_OK;
}

cgct_status cli_three_integrand_open(cli_three_integrand *c, cgct_err *err)
{
    int device;
    if (!c->integrand)
        return cgct_fail(err, CGCT_E_USAGE, "--integrand is missing: gaussian, FILE.so or FILE.cu");
    CGCT_TRY(choose_backend(c, &device, err));
    int is_gaussian = !strcmp(c->integrand, "gaussian");
    const char *params = c->params ? c->params : is_gaussian ? "1,1,1,0.5,0.5,0.5" : NULL;
    if (params) CGCT_TRY(cli_numbers("params", params, "", "", &c->par, err));
    if (is_gaussian) CGCT_TRY(get_gaussian(c, err));
    if (device)
        CGCT_TRY(open_device(c, err));
    else if (!is_gaussian)
        CGCT_TRY(three_library_open(&c->library, c->integrand, c->par.n, c->par.v, &c->g, err));
    return give_name(c, err);
}

void cli_three_integrand_close(cli_three_integrand *c)
{
    free(c->par.v);
    three_library_close(c->library);
    three_cuda_close(c->cuda);
}
