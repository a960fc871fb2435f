# SPDX-License-Identifier: GPL-3.0-or-later
# Errors of T (above) and L (below), one column for each word of eps, GeV.
set terminal pngcairo size 1500,1000
set output 'f_errors.png'
momenta = '0.5 1 2 3'
n = words(eps)
set multiplot layout 2,n margins 0.06,0.98,0.07,0.87 spacing 0.06,0.12 \
    title 'GBW: relative error of I, the largest of four angles; full: the paper, dashed: this program' \
    noenhanced
set logscale xy
set format y '10^{%T}'
set xrange [0.9:13]
eval momentum_ticks
set xlabel 'k_1 (GeV)'
set ylabel '|I/I(exact) - 1|'
do for [c=0:1] { do for [e=0:n-1] {
  set title (c ? 'L' : 'T').', ε = '.word(eps, e+1).' GeV'
  plot for [i=0:3] 'f_errors.dat' index 4*e+i using 3:(column(4+c)) \
       with linespoints pt 6 lc i+1 title once('q = '.word(momenta, i+1).' GeV'), \
     for [i=0:3] 'f_errors.dat' index 4*e+i using 3:(column(6+c)) \
       with linespoints pt 7 dt 2 lc i+1 notitle
  panel = panel + 1
} }
