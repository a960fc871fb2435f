#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make_v2.sh GENERATE > v2.ref: v_2 of T, L and both that reader/examples/v2.c prints for the first
# member of tables/proton.cgct, from the dipole without a table.  Minutes.  GENERATE is
# cgctab-generate.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "# q (GeV), v_2 of T, L, both; make_v2.sh"
for q in 1 3; do
    x=$(awk -v q=$q 'BEGIN { printf "%.15g", (4 + q * q + 4 * 3 * 3)/(0.6 * 4 * 18 * 275) }')
    "$1" plot vn -o "$folder" --dipole bk:bayes4 --set correlator.Nc=3 --x "$x" --eps 1 --q $q \
        --k 3 >&2
    # factors of I at z = 1/2, Q2 = 4 GeV^2: 1/2 and 1; fluxes at y = 0.6: 1.16 and 0.8
    awk '$4 == 3 { T = 1.16 * 0.5 * $5; L = 0.8 * $15
                   printf "%g %.7f %.7f %.7f\n", $3, $6, $16, (T * $6 + L * $16)/(T + L) }' \
        "$folder/vn.dat"
done
