#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# three.sh BIN OUT [OPTION...]: F(k,p,q) of the Gaussian family beside its exact values, for k from
# 0 to 4 GeV at p = 0.8, q = 1.2 GeV and three pairs of angles: OUT/three.txt and OUT/three.png.
# Further options go to 'cgctab-generate three', e.g. --nodes 100 for a first look.
set -eu
bin=${1:?folder of the programs} out=${2:?folder of the results}
shift 2
mkdir -p "$out"
"$bin/cgctab-generate" three --integrand gaussian --params 1,1,1,0.5,0.5,0.5 \
    --k 'lin 0 4 41' --p 0.8 --q 1.2 --phi-p 0,0.7,2.1 --phi-q 0,1.3,2.9 "$@" >"$out/three.dat"

awk 'BEGIN { print "# k phi_p phi_q F exact relative_difference estimate" }
     /^#/ { next }
     ($4 == 0 && $5 == 0) || ($4 == 0.7 && $5 == 1.3) || ($4 == 2.1 && $5 == 2.9) {
         printf "%.1f %.1f %.1f %.16e %.16e %9.1e %9.1e\n", $1, $4, $5, $6, $9, $10 / $9, $8 / $9
     }' "$out/three.dat" | sort -s -g -k 2,2 >"$out/three.txt"

cd "$out"
gnuplot <<'END'
set terminal pngcairo size 900,600
set encoding utf8
set output 'three.png'
set logscale y
set format y '10^{%T}'
set xlabel 'k (GeV)'
set ylabel 'F(k,p,q) (GeV^{-6})'
set title 'Gaussian family, p = 0.8 GeV, q = 1.2 GeV: computed (points), exact (lines)'
pick(c, angle) = (column(2) == angle ? column(c) : NaN)
f = 'three.txt'
plot f using 1:(pick(5,0)) with lines lc 1 title 'φ_p = 0, φ_q = 0 rad', \
     f using 1:(pick(4,0)) with points pt 8 lc 1 notitle, \
     f using 1:(pick(5,0.7)) with lines lc 2 title '0.7, 1.3 rad', \
     f using 1:(pick(4,0.7)) with points pt 8 lc 2 notitle, \
     f using 1:(pick(5,2.1)) with lines lc 3 title '2.1, 2.9 rad', \
     f using 1:(pick(4,2.1)) with points pt 8 lc 3 notitle
END
echo "$out/three.txt, $out/three.png"
