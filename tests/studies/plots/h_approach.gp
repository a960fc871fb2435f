# SPDX-License-Identifier: GPL-3.0-or-later
# Approach to the limits: saturation (full) and kinematic twists (dashed), one colour for each q.
set terminal pngcairo size 1300,700
set output 'h_approach.png'
set multiplot layout 1,2 margins 0.07,0.97,0.09,0.8 spacing 0.09,0 \
    title 'means over the angle between K and q: |I/I_itmd - 1| (full), |I_itmd/I_tmd - 1| (dashed)'.\
    "\n".subject noenhanced
set logscale xy
set format y '10^{%T}'
set xrange [5.5:22]
set xtics (6, 8, 10, 15, 20)
set key at screen 0.5,0.93
set xlabel 'K (GeV)'
qs = '0.25 0.5 1 2'
do for [pol=0:1] {
  set title (pol ? 'L' : 'T')
  plot for [i=0:3] 'h_approach.dat' index 4*pol+i using 3:(abs($5)) with linespoints pt 7 lc i+1 \
         title once('q = '.word(qs,i+1).' GeV'), \
       for [i=0:3] 'h_approach.dat' index 4*pol+i using 3:(abs($6)) with linespoints pt 6 dt 2 \
         lc i+1 notitle, \
       x**-2 with lines lc rgb 'black' dt 3 title once('(1 GeV/K)^2')
  panel = panel + 1
}
