# SPDX-License-Identifier: GPL-3.0-or-later
# Change of I_m against the full grid (above), and its error (below); q: three words, GeV.
set terminal pngcairo size 1500,900
set output 'b_filon.png'
set multiplot layout 2,3 margins 0.06,0.98,0.07,0.84 spacing 0.06,0.12 \
    title 'Relative change and error of I_m on thinned grids in b: ε = 4 GeV, k1 = 5 GeV, T; '.\
    "degree 4 dashed, 6 full\n".subject noenhanced
m = '0 5 10'
set logscale xy
set format y '10^{%T}'
set xlabel 'nodes in b'
set xrange [50:2500]
set xtics (64, 128, 256, 512, 1024, 2048)
set ylabel '|I_m / I_m(reference) - 1|'
do for [c=5:6] { do for [j=0:2] {
  set title (c == 5 ? 'against the full grid' : 'against the true value').', q = '.\
      word(q, j+1).' GeV'
  plot for [d=0:1] for [i=0:2] 'b_filon.dat' index 9*d+3*j+i using 4:(column(c)) \
       with linespoints pt (d ? 7 : 6) dt 2-d lc i+1 \
       title (d ? once('m = '.word(m, i+1)) : '')
  panel = panel + 1
} }
