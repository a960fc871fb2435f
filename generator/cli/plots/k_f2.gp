# SPDX-License-Identifier: GPL-3.0-or-later
# F2 and FL at Q2 = 4.5 GeV^2 from two dipoles with a smooth cap of alpha_s (lines), and F2 of an
# independent calculation (points).
set terminal pngcairo size 800,600
set output 'k_f2.png'
set title 'Q^2 = 4.5 GeV^2, massless u, d, s'
set logscale x
set format x '%.2t·10^{%T}'
set xtics (1.5e-5, 2.25e-5, 3.375e-5)
set xrange [1.4e-5:3.7e-5]
set yrange [0:1.7]
set xlabel 'x'
set ylabel 'F_2, F_L'
set key inside center right vertical
fit = 'bayes4 bayes4median'
plot for [i=0:1] 'k_f2.dat' index 2*i+1 using 1:2 with lines lw 2 lc 1+i dt 1+i \
         title 'F_2, '.word(fit,i+1), \
     for [i=0:1] 'k_f2.dat' index 2*i+1 using 1:3 with lines lc 1+i dt 1+i \
         title 'F_L, '.word(fit,i+1), \
     'k_f2.dat' index 0 using 1:4 with points pt 7 lc rgb 'black' title 'F_2, another fit of the kind'
