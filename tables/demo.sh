#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# demo.sh BIN OUT: a table from demo.card, verified and compared with exact values, and a picture.
set -eu
cd "$(dirname "$0")/.."
bin=$1 out=$2
card=tables/demo.card table=$out/demo.cgct picture=$out/demo.png
mkdir -p "$out"

if [ "$table" -nt "$card" ] && [ "$table" -nt "$bin/cgctab-generate" ]; then
    echo "== the table: $table is newer than its card and the program, and is kept"
else
    echo "== the table: cgctab-generate run $card -o $table"
    "$bin/cgctab-generate" run "$card" -o "$table"
fi
echo
echo "== the file: cgctab verify, cgctab info"
"$bin/cgctab" verify "$table"
"$bin/cgctab" info "$table" | sed '/^card/,$d'

# Each point: the reader's value beside the exact one.  compare OUT X EPS Q K1 THETA (lists)
compare() {
    "$bin/cgctab-generate" exact --card "$card" --x "$2" --eps "$3" --q "$4" --k1 "$5" \
        --theta "$6" | grep -v '^#' >"$1.exact"
    cut -d' ' -f1-5 "$1.exact" | "$bin/cgctab" eval "$table" - | grep -v '^#' >"$1.reader"
    paste -d' ' "$1.reader" <(cut -d' ' -f6,7 "$1.exact") >"$1"
}

echo
echo "== reader against exact values, on the nodes of the table and between them"
compare "$out/points" 0.01 1,1.25 0.5,1,2.9,3 1,1.6,5,12 0,1.5,2.9
awk 'BEGIN { printf "%-5s %-4s %-5s %-5s %-5s %15s %15s %9s %15s %15s %9s\n", "x", "eps", "q", "k1",
             "theta", "reader T", "exact T", "rel", "reader L", "exact L", "rel" }
     function size(v) { return v < 0 ? -v : v }
     { T = $6 / $8 - 1; L = $7 / $9 - 1
       if (!(size(T) <= worst)) worst = size(T)
       if (!(size(L) <= worst)) worst = size(L)
       if ($5 != 1.5) next
       printf "%-5g %-4g %-5g %-5g %-5g %15.8e %15.8e %9.1e %15.8e %15.8e %9.1e\n", $1, $2, $3, $4,
              $5, $6, $8, T, $7, $9, L }
     END { print "(theta = 1.5; the other angles are in the file points beside the table)"
           printf "%d points, largest relative difference %.1e\n", NR, worst
           exit !(NR > 0 && worst < 1e-2) }' "$out/points"

echo
for theta in 0 1.5 2.9; do
    compare "$out/slice_$theta" 0.01 1 1.7 "geom 1 12 60" "$theta"
done
gnuplot <<PLOT
set terminal pngcairo size 720,620 font "sans,10" linewidth 1.2
set output "$picture"
set encoding utf8
theta = "0 1.5 2.9"
set linetype 1 lc rgb "#0072B2"
set linetype 2 lc rgb "#D55E00"
set linetype 3 lc rgb "#009E73"
set logscale xy
set xrange [1:12]
set xtics (1, 2, 3, 5, 8, 12)
set format y "10^{%T}"
set multiplot layout 2,1 title "A table of the GBW model against exact values: "\
."x = 0.01, ε = 1 GeV, q = 1.7 GeV"
set ylabel "I_T (GeV^{-6})"
plot for [i=1:3] "$out/slice_".word(theta, i) using 4:8 with lines lw 2 lc i \
         title "exact, θ = ".word(theta, i)." rad", \
     for [i=1:3] "$out/slice_".word(theta, i) using 4:6 every 2 with points pt 6 lc rgb "black" \
         title (i == 1 ? "table" : "")
set xlabel "k_1 (GeV)"
set ylabel "|table/exact - 1|"
plot for [i=1:3] "$out/slice_".word(theta, i) using 4:(abs(\$6/\$8 - 1)) with linespoints pt 7 \
         ps 0.4 lc i notitle
PLOT

echo "table:   $table"
echo "picture: $picture"
