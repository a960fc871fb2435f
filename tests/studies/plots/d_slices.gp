# SPDX-License-Identifier: GPL-3.0-or-later
# T (above) and L (below) along k_1; q: three words, GeV.
set terminal pngcairo size 1500,900
set output 'd_slices.png'
set multiplot layout 2,3 margins 0.06,0.98,0.07,0.84 spacing 0.06,0.12 \
    title 'I at ε = 4 GeV, three angles'."\n".subject noenhanced
set logscale xy
set format y '10^{%T}'
set xrange [1:25]
eval momentum_ticks
set xlabel 'k_1 (GeV)'
do for [p=0:1] { do for [j=0:2] {
  set ylabel (p ? 'I_L (GeV^{-6})' : 'I_T (GeV^{-6})')
  set title 'q = '.word(q, j+1).' GeV'
  plot for [i=0:2] 'd_slices.dat' index 3*j+i using 3:(column(4+2*p)) with lines lw 2 dt dash[i+1] \
       title once('θ = '.word('0.2 1.57 2.8', i+1).' rad')
  panel = panel + 1
} }
