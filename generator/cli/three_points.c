/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/three.h"
#include "three/momentum_file.h"

static void print_line(const double v[CLI_THREE_AXES], const double F[2], double error,
                       const double *exact)
{
    for (int i = 0; i < CLI_THREE_AXES; i++) printf("%.17g ", v[i]);
    printf("%.17g %.17g %.3g", F[0], F[1], error);
    if (exact) printf(" %.17g %.3g", *exact, F[0] - *exact);
    putchar('\n');
}

double cli_three_print(const cli_three_points *p, const three_momentum *t)
{
    double top = 0, off = 0;
    size_t n = 1, at[CLI_THREE_AXES];
    for (int i = 0; i < CLI_THREE_AXES; i++) n *= p->n[i];
    printf("# k p q phi_p phi_q Re_F Im_F err%s\n", p->family ? " exact diff" : "");
    for (size_t i = 0; i < n; i++) {
        double v[CLI_THREE_AXES], F[2], error, exact = NAN;
        size_t rest = i;
        for (int a = CLI_THREE_AXES - 1; a >= 0; a--) {
            at[a] = rest % p->n[a];
            v[a] = p->v[a][at[a]];
            rest /= p->n[a];
        }
        three_momentum_value(t, at[0], at[1], at[2], v[3], v[4], F, &error);
        if (p->family) exact = gaussian_F(p->family, v[0], v[1], v[2], v[3], v[4]);
        print_line(v, F, error, p->family ? &exact : NULL);
        top = fmax(top, hypot(F[0], F[1]));
        off = fmax(off, hypot(F[0] - exact, F[1]));
    }
    return p->family ? off / top : NAN;
}

static cgct_status show(const cgct_three *h, const three_momentum *t, const char *const typed[2],
                        number_list phi[2], cgct_err *err)
{
    static const char *const names[] = {"phi-p", "phi-q"};
    gaussian_family family;
    cli_three_points p = {.n = {h->nk, h->np, h->nq, h->nphi_p, h->nphi_q},
                          .v = {h->k, h->p, h->q, h->phi_p, h->phi_q}};
    for (int i = 0; i < 2; i++) {
        if (!typed[i]) continue;
        CGCT_TRY(cli_numbers(names[i], typed[i], "[-10,10]", "rad", &phi[i], err));
        p.n[3 + i] = phi[i].n;
        p.v[3 + i] = phi[i].v;
    }
    if (!strcmp(h->integrand, "gaussian") && h->npar == CLI_GAUSSIAN_PARAMS) {
        const double *v = h->par;
        family = (gaussian_family){v[0], v[1], v[2], v[3], v[4], v[5]};
        CGCT_TRY(gaussian_check(&family, err));
        p.family = &family;
    }
    cli_three_print(&p, t);
    return CGCT_OK;
}

cgct_status cli_three_show(const char *path, const char *phi_p, const char *phi_q, int quiet,
                           cgct_err *err)
{
    const char *const typed[] = {phi_p, phi_q};
    number_list phi[2] = {{0, NULL}, {0, NULL}};
    three_momentum *t;
    cgct_three h;
    void *memory;
    cgct_status st = three_momentum_load(path, &t, &h, &memory, err);
    if (st == CGCT_OK && !quiet) {
        fprintf(stderr, "%s: %s, parameters", path, h.integrand);
        for (size_t i = 0; i < h.npar; i++) fprintf(stderr, "%s%g", i ? "," : " ", h.par[i]);
        fprintf(stderr, "%s; %s; by %s\n", h.npar ? "" : " none", h.settings, h.generator);
    }
    if (st == CGCT_OK) st = show(&h, t, typed, phi, err);
    free(phi[0].v);
    free(phi[1].v);
    three_momentum_free(t);
    free(memory);
    return st;
}
