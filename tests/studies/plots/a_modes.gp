# SPDX-License-Identifier: GPL-3.0-or-later
# Sum of modes to M over the sum to 31 (above), and its relative error (below).
set terminal pngcairo size 1500,900
set output 'a_modes.png'
set multiplot layout 2,3 margins 0.06,0.98,0.07,0.84 spacing 0.06,0.12 \
    title 'Sum of modes to M: q = 2 GeV, k1 = 5 GeV, T'."\n".subject noenhanced
eps = '0.5 1 4'
theta = '0 π/4 π/2 3π/4 π'
set xlabel 'M'
set xrange [0:31]
do for [error=0:1] {
  if (error) {
    set logscale y
    set format y '10^{%T}'
  }
  set ylabel (error ? '|sum to M / I - 1|' : 'sum to M / sum to 31')
  do for [e=0:2] {
    set title 'ε = '.word(eps, e+1).' GeV'
    plot for [i=0:4] 'a_modes.dat' index 5*e+i using 3:(error ? abs($5-1) : $4) \
         with linespoints pt 7 ps 0.5 title once('θ = '.word(theta, i+1))
    panel = panel + 1
  }
}
