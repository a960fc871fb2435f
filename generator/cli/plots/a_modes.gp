# SPDX-License-Identifier: GPL-3.0-or-later
# Sum of modes to M over the sum to 31 (above), and its relative error (below).
set terminal pngcairo size 1500,900
set output 'a_modes.png'
set multiplot layout 2,3 title 'Sum of modes to M: q = 2 GeV, k_1 = 5 GeV, T'
eps = '0.5 1 4'
set xlabel 'M'
set xrange [0:31]
set ylabel 'sum to M / sum to 31'
do for [e=0:2] {
  set title 'eps = '.word(eps, e+1).' GeV'
  plot for [i=0:4] 'a_modes.dat' index 5*e+i using 3:4 with linespoints pt 7 ps 0.5 \
       title sprintf('theta = %.2f rad', i*pi/4)
}
set logscale y
set format y '10^{%T}'
set ylabel '|sum to M / I - 1|'
do for [e=0:2] {
  set title 'eps = '.word(eps, e+1).' GeV'
  plot for [i=0:4] 'a_modes.dat' index 5*e+i using 3:(abs($5-1)) with linespoints pt 7 ps 0.5 \
       title sprintf('theta = %.2f rad', i*pi/4)
}
