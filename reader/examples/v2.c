/* SPDX-License-Identifier: MIT */
/* v2 TABLE: v_2 of dijets against their recoil q in collisions of electrons of 18 GeV and protons
 * of 275 GeV, at fixed Q2, y, z and K, with the band of the members.  v2.py prints the same.
 * cc v2.c $(cgctab-config --cflags --libs) -lm -o v2
 *
 * v_2 = <cos 2 phi>, phi = angle(K,q), K = (1-z) k1 - z k2, q = k1 + k2, weighted with
 * dsigma/(dy dQ2 dz d2q d2K) = f_T dsigma_T + f_L dsigma_L.  T and L have the weight of their part
 * alone.  Jets are partons here.  Which of them is the quark does not matter. */
#include <cgctab.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ANGLES = 32, ROWS = 46, T_L_BOTH = 3 };
static const double Q2 = 4, y = 0.6, z = 0.5, K = 3; /* GeV^2, 1, 1, GeV */
static const double pi = 3.14159265358979323846;

/* sum[member]: the cross sections of T, L and both, summed over the angle, and those times
 * cos 2 phi.  dsigma has room for (members, 2). */
static cgct_status sum_angles(const cgct_table *table, size_t members, double q, double *dsigma,
                              double (*sum)[2][T_L_BOTH])
{
    const cgct_dis dis = {1, 1, 1, z, Q2, 0}; /* charges and area cancel in v_2 */
    double flux[2];
    cgct_variables v;
    cgct_status status = cgct_dis_fluxes(1, y, Q2, CGCT_ELECTRON_MASS, flux);
    for (size_t m = 0; m < members; m++)
        for (int p = 0; p < T_L_BOTH; p++) sum[m][0][p] = sum[m][1][p] = 0;
    for (int i = 0; i < ANGLES && status == CGCT_OK; i++) {
        const double phi = pi * (i + 0.5) / ANGLES;
        const double along = K * cos(phi) + z * q, across = K * sin(phi); /* k1 = K + z q */
        const cgct_dijet dijet = {.lepton = 18,
                                  .target = 275,
                                  .Q2 = Q2,
                                  .y = y,
                                  .z = z,
                                  .k1 = {along, across},
                                  .k2 = {q - along, -across}};
        status = cgct_dijet_variables(&dijet, &v);
        if (status == CGCT_OK)
            status = cgct_dsigma_members(table, &dis, v.x, v.q, v.k1, v.theta, dsigma);
        for (size_t m = 0; m < members && status == CGCT_OK; m++) {
            const double T = flux[0] * dsigma[2 * m], L = flux[1] * dsigma[2 * m + 1];
            const double weight[T_L_BOTH] = {T, L, T + L};
            for (int p = 0; p < T_L_BOTH; p++) {
                sum[m][0][p] += weight[p];
                sum[m][1][p] += weight[p] * cos(2 * phi);
            }
        }
    }
    return status;
}

static cgct_status print_rows(const cgct_table *table, size_t members)
{
    double *dsigma = (double *)malloc(2 * members * sizeof *dsigma), range[3];
    double *v2 = (double *)malloc(members * sizeof *v2);
    double(*sum)[2][T_L_BOTH] = (double(*)[2][T_L_BOTH])malloc(members * sizeof *sum);
    cgct_status status = dsigma && v2 && sum ? CGCT_OK : CGCT_E_NOMEM;
    puts("# q (GeV), then v_2 of T, of L and of both: central value, low, high");
    for (int i = 0; i < ROWS && status == CGCT_OK; i++) {
        const double q = 0.5 + 0.1 * i;
        status = sum_angles(table, members, q, dsigma, sum);
        if (status != CGCT_OK) break;
        printf("%.2f", q);
        for (int p = 0; p < T_L_BOTH && status == CGCT_OK; p++) {
            for (size_t m = 0; m < members; m++) v2[m] = sum[m][1][p] / sum[m][0][p];
            status = cgct_uncertainty_of(table, v2, range);
            printf(" %9.6f %9.6f %9.6f", range[0], range[1], range[2]);
        }
        putchar('\n');
    }
    free(sum);
    free(v2);
    free(dsigma);
    return status;
}

int main(int argc, char **argv)
{
    cgct_table *table;
    cgct_err err;
    cgct_info info;
    if (argc != 2) return fputs("usage: v2 TABLE\n", stderr), 2;
    cgct_status status = cgct_open(argv[1], &table, &err);
    if (status != CGCT_OK) return fprintf(stderr, "v2: %s\n", err.text), 1;
    cgct_set_negative(table, CGCT_NEGATIVE_KEEP); /* right in sums over points */
    status = cgct_table_info(table, &info);
    if (status == CGCT_OK) status = print_rows(table, info.members);
    if (status != CGCT_OK) fprintf(stderr, "v2: %s: %s\n", argv[1], cgct_strerror(status));
    cgct_close(table);
    return status != CGCT_OK;
}
