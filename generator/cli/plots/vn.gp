# SPDX-License-Identifier: GPL-3.0-or-later
# v_2 (above) and v_4 (below) of T and L against q: I, its limits dashed; one colour for each block.
# blocks, how many; name[i]; heading; q_lo, q_hi: GeV.
set terminal pngcairo size 1300,900
set output 'vn.png'
rows = blocks / (strlen(name[1]) > 14 ? 1 : 3) + 1  # of the legend on the left
set multiplot layout 2,2 margins 0.07,0.97,0.07,0.88-0.022*rows spacing 0.08,0.12 title \
    'v_n = <cos(nφ)>, φ the angle between K = k1 - q/2 and q'.heading."\n".subject noenhanced
set logscale x
eval momentum_ticks
set xrange [q_lo/1.1:q_hi*1.1]
set xlabel 'q (GeV)'
set xzeroaxis lt -1
do for [n=1:2] { do for [pol=0:1] {
  c = 5 + 10*pol + n
  set key at screen (pol ? 0.72 : 0.29),0.935
  set title sprintf('v_%d, %s', 2*n, pol ? 'L' : 'T')
  plot for [i=0:blocks-1] 'vn.dat' index i using 3:(column(c)) with linespoints pt 7 lc i%8+1 \
         title (panel == 0 ? name[i+1] : ''), \
       for [i=0:blocks-1] 'vn.dat' index i using 3:(column(c+3)) with linespoints pt 4 dt 3 lc i%8+1 notitle, \
       for [i=0:blocks-1] 'vn.dat' index i using 3:(column(c+6)) with linespoints pt 8 dt 2 lc i%8+1 notitle, \
       for [k=0:2] NaN with linespoints pt int(word('7 4 8', k+1)) dt int(word('1 3 2', k+1)) lc rgb 'black' \
         title (panel != 1 ? '' : k == 0 ? 'I' : k == 1 ? 'back to back' : 'with twists')
  panel = panel + 1
} }
