# SPDX-License-Identifier: GPL-3.0-or-later
# Sums of modes (above) and slices in k_1 (below); names: one word a table, the last one not direct;
# q: GeV.
set terminal pngcairo size 1400,1000
set output 'e_angles.png'
set multiplot layout 2,2 margins 0.07,0.97,0.07,0.85 spacing 0.09,0.12 \
    title sprintf('ε = 0.5 GeV, q = %g GeV, θ = 0.534 rad; direct: angles/largest mode', q)."\n".subject \
    noenhanced
n = words(names)
label(i) = (i < n ? 'direct ' : '').word(names, i)
set xlabel 'M'
set ylabel 'I_L (GeV^{-6})'
set title 'sum of modes to M, k_1 = 4.51 GeV'
plot for [i=1:n] 'e_sums.dat' index i-1 using 1:3 with lines lw 2 dt dash[i] title label(i), \
     'e_sums.dat' index n-1 using 1:7 with lines lc rgb 'black' notitle, \
     NaN with points pt 6 lc rgb 'black' title 'production'
set logscale y
set format y '10^{%T}'
set title 'its absolute value; line: production'
plot for [i=1:n] 'e_sums.dat' index i-1 using 1:5 with lines lw 2 dt dash[i] notitle, \
     'e_sums.dat' index n-1 using 1:7 with lines lc rgb 'black' notitle
set xlabel 'k_1 (GeV)'
set logscale x
set xrange [1:25]
eval momentum_ticks
set title 'absolute value'
plot for [i=1:n] 'e_slice.dat' index i using 1:(abs($2)) with lines lw 2 dt dash[i] notitle, \
     'e_slice.dat' index 0 using 1:2 with points pt 6 lc rgb 'black' notitle
set title 'smallest over all angles, absolute value; crosses: negative'
plot for [i=1:n] 'e_slice.dat' index i using 1:(abs($3)) with lines lw 2 dt dash[i] notitle, \
     for [i=1:n] 'e_slice.dat' index i using 1:($3 < 0 ? -$3 : NaN) with points pt 2 lc i notitle, \
     'e_slice.dat' index 0 using 1:3 with points pt 6 lc rgb 'black' notitle
