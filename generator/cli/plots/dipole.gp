# SPDX-License-Identifier: GPL-3.0-or-later
# N(r) at the x of the list xs, and Qs(x) from x_lo to x_hi.
set terminal pngcairo size 1400,600
set output 'dipole.png'
set multiplot layout 1,2 margins 0.06,0.98,0.1,0.92 spacing 0.07,0 title subject noenhanced
set logscale x
set format x '10^{%T}'
set xlabel 'r (1/GeV)'
set ylabel 'N(r)'
set yrange [0:1.02]
set autoscale xfix
set key inside left top vertical Left reverse
plot for [i=1:words(xs)] 'dipole.dat' index i-1 using 1:2 with lines lw 2 dt dash[(i-1)%8+1] \
     title 'x = '.word(xs, i)
set xlabel 'x'
set ylabel 'Q_s (GeV)'
set yrange [0:*]
set xrange [x_hi*1.2:x_lo/1.2]
plot 'dipole.dat' index words(xs) using 1:2 with linespoints lw 2 pt 7 ps 0.5 notitle
