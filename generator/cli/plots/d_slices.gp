# SPDX-License-Identifier: GPL-3.0-or-later
# T (above) and L (below) along k_1; q: three words, GeV.
set terminal pngcairo size 1500,900
set output 'd_slices.png'
set multiplot layout 2,3 title 'I(k_1) at eps = 4 GeV, three angles'
set logscale xy
set format y '10^{%T}'
set xrange [1:25]
set xlabel 'k_1 (GeV)'
do for [p=0:1] { do for [j=0:2] {
  set ylabel (p ? 'I_L (GeV^{-6})' : 'I_T (GeV^{-6})')
  set title 'q = '.word(q, j+1).' GeV'
  plot for [i=0:2] 'd_slices.dat' index 3*j+i using 3:(column(4+2*p)) with lines lw 2 \
       title 'theta = '.word('0.2 1.57 2.8', i+1).' rad'
} }
