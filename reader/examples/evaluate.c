/* SPDX-License-Identifier: MIT */
/* evaluate FILE x eps q k1 theta: I_T and I_L of a table at one point (GeV, radian; I in GeV^-6).
 * cc evaluate.c $(cgctab-config --cflags --libs) -lm -o evaluate */
#include <cgctab.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    cgct_table *table;
    cgct_err err;
    double v[5], I[2];
    if (argc != 7) return fputs("usage: evaluate FILE x eps q k1 theta\n", stderr), 2;
    for (int i = 0; i < 5; i++) v[i] = atof(argv[2 + i]);
    cgct_status status = cgct_open(argv[1], &table, &err);
    if (status == CGCT_OK) status = cgct_check(table, v[0], v[1], v[2], v[3], v[4], &err);
    if (status == CGCT_OK) status = cgct_eval(table, v[0], v[1], v[2], v[3], v[4], I);
    if (status != CGCT_OK)
        fprintf(stderr, "evaluate: %s\n", err.text);
    else
        printf("I_T = %.10e  I_L = %.10e GeV^-6\n", I[CGCT_T], I[CGCT_L]);
    cgct_close(table);
    return status != CGCT_OK;
}
