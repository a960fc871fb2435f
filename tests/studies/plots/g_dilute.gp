# SPDX-License-Identifier: GPL-3.0-or-later
# Deviation of a dilute target from its limit, and what is left of it at zero density.
set terminal pngcairo size 1300,600
set output 'g_dilute.png'
set multiplot layout 1,2 margins 0.07,0.97,0.1,0.8 spacing 0.09,0 \
    title "|I/I_itmd - 1|, the largest of all angles; dashed: extrapolated to zero density\n\
mv with Qs0^2 = 1e-4 GeV^2, ε = 1 GeV" noenhanced
set key at screen 0.5,0.92
set logscale xy
set format y '10^{%T}'
eval momentum_ticks
set xrange [0.04:5]
set xlabel 'q (GeV)'
ks = '3 8 25'
do for [pol=0:1] {
  set title (pol ? 'L' : 'T')
  plot for [i=1:3] 'g_dilute.dat' index pol every 3::i-1 using 2:5 \
         with linespoints pt 7 lc i title once('k_1 = '.word(ks,i).' GeV'), \
       for [i=1:3] 'g_dilute.dat' index pol every 3::i-1 using 2:7 \
         with linespoints pt 6 dt 2 lc i notitle
  panel = panel + 1
}
