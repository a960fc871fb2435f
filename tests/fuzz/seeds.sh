#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# seeds.sh BIN: makes the binary seeds of the corpus again, with the programs in BIN.
set -eu
cd "$(dirname "$0")/corpus"
generate=$1/cgctab-generate
export CGCTAB_NO_CACHE=1
inner=(--dipole gbw --x 0.01 --eps 1 --q-max 1 --k1-max 1 --error 1e-2 --quiet
    --set accuracy.tolerance=1e-2)
"$generate" inner "${inner[@]}" -o inner/even
"$generate" inner "${inner[@]}" --set inner.lam=0.3 --set inner.modes=2 -o inner/frame
"$generate" three --integrand gaussian --params 1,1,1,0.1,0.1,0.1 --k 0,1 --p 1 --q 1 --phi-p 0 \
    --phi-q 0 --modes 1 --angles 4 --nodes 16 --last 5 --quiet -o three/gaussian
"$generate" run card/small -o journal/part --shard 1/2 --quiet
head -c 1200 journal/part >journal/torn
printf '%s\n' '[dipole]' 'lambda = 0' '[correlator]' 'process = pa' '[axes]' 'q = 1,2' \
    'k_max = 2' '[table]' 'lower = 3' 'upper = 3' '[accuracy]' 'tolerance = 1e-2' '[output]' \
    'bound = 1e-2' >forward.card
"$generate" run forward.card -o open/forward --quiet
rm forward.card
