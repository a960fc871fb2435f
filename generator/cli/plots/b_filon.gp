# SPDX-License-Identifier: GPL-3.0-or-later
# Change of I_m against the full grid (above), and its error (below); q: three words, GeV.
set terminal pngcairo size 1500,900
set output 'b_filon.png'
set multiplot layout 2,3 title 'Relative change and relative error of I_m on thinned grids in b: eps = 4 GeV, k_1 = 5 GeV, T'
m = '0 5 10'
set logscale xy
set format y '10^{%T}'
set xlabel 'nodes in b'
set xrange [50:2500]
set ylabel '|I_m/I_m(reference) - 1|'
do for [c=5:6] { do for [j=0:2] {
  set title (c == 5 ? 'against the full grid' : 'against the true value').', q = '.\
      word(q, j+1).' GeV'
  plot for [d=0:1] for [i=0:2] 'b_filon.dat' index 9*d+3*j+i using 4:(column(c)) \
       with linespoints pt (d ? 7 : 6) lc i+1 \
       title sprintf('m = %s, degree %d', word(m, i+1), d ? 6 : 4)
} }
