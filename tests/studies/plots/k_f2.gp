# SPDX-License-Identifier: GPL-3.0-or-later
# The reduced cross section from a dipole that was fitted to light quarks (lines) and of HERA
# (points): inclusive, and of charm with the dipole at x (full) and at x (1 + 4 m^2/Q2) (dashed).
set terminal pngcairo size 1300,700
set output 'k_f2.png'
set multiplot layout 1,2 margins 0.06,0.97,0.09,0.88 spacing 0.07,0 \
    title 'reduced cross section of DIS: bayes4 (lines), H1 and ZEUS (points)'
set logscale x
set format x '10^{%T}'
set yrange [0:*]
set xlabel 'x'
set ylabel 'σ_r'
set key inside bottom left vertical
Q2s = '2 8.5 27 5 18 60'
do for [k=0:1] {
  set title (k ? 'charm, m = 1.4 GeV; dashed: dipole at x (1 + 4 m²/Q²)' : 'inclusive; u, d, s, m = 0.14 GeV')
  plot for [i=1:3] 'k_f2.dat' index k using ($1 == word(Q2s,3*k+i) ? $2 : NaN):6 with lines \
         lc 3*k+i title 'Q² = '.word(Q2s,3*k+i).' GeV²' noenhanced, \
       for [i=1:3] 'k_f2.dat' index k using ($1 == word(Q2s,3*k+i) ? $2 : NaN):4:5 \
         with yerrorbars pt 7 lc 3*k+i notitle, \
       for [i=1:3] 'k_f2.dat' index k using ($1 == word(Q2s,3*k+i) ? $2 : NaN):(column(6+k)) \
         with lines dt 2 lc 3*k+i notitle
}
