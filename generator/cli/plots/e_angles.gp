# SPDX-License-Identifier: GPL-3.0-or-later
# Sums of modes (above) and slices in k_1 (below); names: one word a table, the last one not direct;
# q: GeV.
set terminal pngcairo size 1400,1000
set output 'e_angles.png'
set multiplot layout 2,2 title sprintf('eps = 0.5 GeV, q = %g GeV, theta = 0.534 rad; direct: angles/largest mode', q)
n = words(names)
label(i) = (i < n ? 'direct ' : '').word(names, i)
set xlabel 'M'
set ylabel 'I_L (GeV^{-6})'
set title 'sum of modes to M, k_1 = 4.51 GeV'
plot for [i=1:n] 'e_sums.dat' index i-1 using 1:3 with lines title label(i), \
     'e_sums.dat' index n-1 using 1:7 with lines dt 2 lc rgb 'black' title 'production'
set logscale y
set format y '10^{%T}'
set title 'its absolute value'
plot for [i=1:n] 'e_sums.dat' index i-1 using 1:5 with lines title label(i)
set xlabel 'k_1 (GeV)'
set logscale x
set xrange [1:25]
set title 'absolute value'
plot for [i=1:n] 'e_slice.dat' index i using 1:(abs($2)) with lines title label(i), \
     'e_slice.dat' index 0 using 1:2 with points pt 6 lc rgb 'black' title 'production'
set title 'smallest over all angles, absolute value; crosses: negative'
plot for [i=1:n] 'e_slice.dat' index i using 1:(abs($3)) with lines title label(i), \
     for [i=1:n] 'e_slice.dat' index i using 1:($3 < 0 ? -$3 : NaN) with points pt 2 lc i notitle, \
     'e_slice.dat' index 0 using 1:3 with points pt 6 lc rgb 'black' title 'production'
