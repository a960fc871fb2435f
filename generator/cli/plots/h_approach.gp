# SPDX-License-Identifier: GPL-3.0-or-later
# Approach to the limits: saturation (full) and kinematic twists (dashed), one colour for each q.
set terminal pngcairo size 1300,600
set output 'h_approach.png'
set multiplot layout 1,2 title 'averages over the angle between K and q'
set logscale xy
set format y '10^{%T}'
set xlabel 'K (GeV)'
qs = '0.25 0.5 1 2'
do for [pol=0:1] {
  set title (pol ? 'L' : 'T')
  plot for [i=0:3] 'h_approach.dat' index 4*pol+i using 3:(abs($5)) with linespoints pt 7 lc i+1 \
         title '|I/I_{itmd} - 1|, q = '.word(qs,i+1).' GeV', \
       for [i=0:3] 'h_approach.dat' index 4*pol+i using 3:(abs($6)) with linespoints pt 6 dt 2 \
         lc i+1 title '|I_{itmd}/I_{tmd} - 1|', \
       x**-2 with lines lc 'black' dt 3 title '(1 GeV/K)^2'
}
