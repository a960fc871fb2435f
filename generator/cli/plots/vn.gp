# SPDX-License-Identifier: GPL-3.0-or-later
# v_2 (above) and v_4 (below) of T and L against q: I, its limits dashed; one colour for each block.
set terminal pngcairo size 1300,900
set output 'vn.png'
set multiplot layout 2,2 title 'harmonics of the angle between K and q'
set logscale x
set xlabel 'q (GeV)'
do for [n=1:2] { do for [pol=0:1] {
  c = 5 + 10*pol + n
  set title sprintf('v_%d, %s', 2*n, pol ? 'L' : 'T')
  plot for [i=0:blocks-1] 'vn.dat' index i using 3:(column(c)) with linespoints pt 7 lc i+1 \
         title sprintf('I, block %d', i+1), \
       for [i=0:blocks-1] 'vn.dat' index i using 3:(column(c+3)) with lines dt 3 lc i+1 \
         title 'back to back', \
       for [i=0:blocks-1] 'vn.dat' index i using 3:(column(c+6)) with lines dt 2 lc i+1 \
         title 'with twists'
} }
