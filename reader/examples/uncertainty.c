/* SPDX-License-Identifier: MIT */
/* uncertainty FILE x z Q2 q k1 theta: the cross section of a table of several members at one point,
 * with the uncertainty of its dipole and of its transverse area (GeV, radian; dsigma in GeV^-6).
 * cc uncertainty.c $(cgctab-config --cflags --libs) -lm -o uncertainty */
#include <cgctab.h>
#include <stdio.h>
#include <stdlib.h>

/* The cross sections of all members, each with its own area, and their range. */
static cgct_status print_cross_sections(const cgct_table *table, const double v[6], size_t members)
{
    const cgct_dis dis = {1 / 137.036, 2. / 3, 0, v[1], v[2], 0}; /* u, d, s; area: of the member */
    double *dsigma = (double *)malloc(2 * members * sizeof *dsigma), range[3];
    double *one = (double *)malloc(members * sizeof *one);
    cgct_status status = dsigma && one ? CGCT_OK : CGCT_E_NOMEM;
    if (status == CGCT_OK)
        status = cgct_dsigma_members(table, &dis, v[0], v[3], v[4], v[5], dsigma);
    for (int pol = CGCT_T; pol <= CGCT_L && status == CGCT_OK; pol++) {
        for (size_t i = 0; i < members; i++) one[i] = dsigma[2 * i + (size_t)pol];
        status = cgct_uncertainty_of(table, one, range);
        if (status == CGCT_OK)
            printf("dsigma_%c = %.6e, from %.6e to %.6e GeV^-6\n", pol == CGCT_T ? 'T' : 'L',
                   range[0], range[1], range[2]);
    }
    free(one);
    free(dsigma);
    return status;
}

int main(int argc, char **argv)
{
    cgct_table *table;
    cgct_err err;
    cgct_info info;
    double v[6];
    if (argc != 8) return fputs("usage: uncertainty FILE x z Q2 q k1 theta\n", stderr), 2;
    for (int i = 0; i < 6; i++) v[i] = atof(argv[2 + i]);
    cgct_status status = cgct_open(argv[1], &table, &err);
    if (status != CGCT_OK) return fprintf(stderr, "uncertainty: %s\n", err.text), 1;
    status = cgct_table_info(table, &info);
    for (size_t i = 0; status == CGCT_OK && i < info.members; i++)
        if (!(cgct_member_S_perp(table, i) > 0)) {
            fprintf(stderr,
                    "uncertainty: %s: no area of member %zu is stated, and all are needed\n",
                    argv[1], i);
            cgct_close(table);
            return 1;
        }
    if (status == CGCT_OK) status = print_cross_sections(table, v, info.members);
    if (status != CGCT_OK) fprintf(stderr, "uncertainty: %s\n", cgct_strerror(status));
    cgct_close(table);
    return status != CGCT_OK;
}
