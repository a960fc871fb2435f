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

# Each point: the reader's values and the bounds on their errors beside the exact values.
# compare OUT X EPS Q K1 THETA (lists)
compare() {
    "$bin/cgctab-generate" exact --card "$card" --x "$2" --eps "$3" --q "$4" --k1 "$5" \
        --theta "$6" | grep -v '^#' >"$1.exact"
    cut -d' ' -f1-5 "$1.exact" | "$bin/cgctab" eval "$table" - --error | grep -v '^#' >"$1.reader"
    paste -d' ' "$1.reader" <(cut -d' ' -f6,7 "$1.exact") >"$1"
}

echo
echo "== reader against exact values, on the nodes of the table and between them"
compare "$out/points" 0.01 1,1.25 0.5,1,2.9,3 1,1.6,5,12 0,1.5,2.9
awk 'BEGIN { printf "%-5s %-4s %-5s %-5s %-5s %15s %15s %9s %15s %15s %9s\n", "x", "eps", "q", "k1",
             "theta", "reader T", "exact T", "rel", "reader L", "exact L", "rel" }
     function size(v) { return v < 0 ? -v : v }
     { T = $6 / $10 - 1; L = $7 / $11 - 1
       if (!(size(T) <= worst)) worst = size(T)
       if (!(size(L) <= worst)) worst = size(L)
       outside += !(size($6 - $10) <= $8) + !(size($7 - $11) <= $9)
       if ($5 != 1.5) next
       printf "%-5g %-4g %-5g %-5g %-5g %15.8e %15.8e %9.1e %15.8e %15.8e %9.1e\n", $1, $2, $3, $4,
              $5, $6, $10, T, $7, $11, L }
     END { print "(theta = 1.5 rad; the other angles are in the file points beside the table)"
           printf "%d points, T and L: largest relative difference %.1e, ", NR, worst
           printf "%d values beyond the stated bound\n", outside
           exit !(NR > 0 && worst < 1e-3 && !outside) }' "$out/points"

echo
for theta in 0 1.5 2.9; do
    compare "$out/slice_$theta" 0.01 1 1.7 "geom 1 12 60" "$theta"
done
gnuplot <<PLOT
set terminal pngcairo size 1000,680 font "sans,10" linewidth 1.2
set output "$picture"
set encoding utf8
theta = "0 1.5 2.9"
file(i) = "$out/slice_".word(theta, i)
colour(i) = word("#0072B2 #D55E00 #009E73", i)
set logscale xy
set xrange [1:12]
set xtics (1, 2, 3, 5, 8, 12)
set format y "10^{%T}"
set label 1 "A table of the GBW model against exact values: x = 0.01, ε = 1 GeV, q = 1.7 GeV" \
    at screen 0.5,0.975 center
set key at screen 0.5,0.945 center top horizontal maxrows 1
set multiplot layout 2,2 columnsfirst margins 0.08,0.98,0.08,0.88 spacing 0.1,0.03
do for [pol = 0:1] {
    set format x ""
    unset xlabel
    set ylabel "I_".(pol ? "L" : "T")." (GeV^{-6})"
    set yrange [*:*]
    plot for [i=1:3] file(i) using 4:10 + pol with lines lw 2 lc rgb colour(i) \
             title (pol ? "" : "exact, θ = ".word(theta, i)." rad"), \
         for [i=1:3] file(i) using 4:6 + pol every 2 with points pt 6 lc rgb "black" \
             title (pol || i > 1 ? "" : "table")
    unset label 1
    set label 2 "shaded: below the stated bound on the error" at graph 0.03,0.94
    set format x "%g"
    set xlabel "k_1 (GeV)"
    set ylabel "|table/exact - 1|"
    set yrange [1e-8:1e-2]
    plot for [i=1:3] file(i) using 4:(column(8 + pol)/column(10 + pol)) with filledcurves y1=1e-8 \
             fc rgb colour(i) fs transparent solid 0.15 notitle, \
         for [i=1:3] file(i) using 4:(abs(column(6 + pol)/column(10 + pol) - 1)) \
             with linespoints pt 7 ps 0.4 lc rgb colour(i) notitle
    unset label 2
}
PLOT

echo "table:   $table"
echo "picture: $picture"
