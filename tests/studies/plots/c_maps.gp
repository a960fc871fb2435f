# SPDX-License-Identifier: GPL-3.0-or-later
# Maps of the inner table; colours are linear in asinh(G/1e-6).
set terminal pngcairo size 1400,1000
set output 'c_maps.png'
set multiplot layout 2,2 margins 0.06,0.9,0.07,0.9 spacing 0.16,0.12 \
    title 'inner table G_m(Δ,b), ε = 4 GeV'."\n".subject noenhanced
set pm3d map
set xrange [0:40]
set yrange [0:4]
set xlabel 'b (1/GeV)'
set ylabel 'Δ (1/GeV)'
set palette defined (-1 '#053061', -0.5 '#4393c3', 0 'white', 0.5 '#d6604d', 1 '#67001f')
s(g) = asinh(g/1e-6)/asinh(1e6)
set cbrange [-1:1]
set cbtics ('0' 0)
do for [i=0:5] { set cbtics add (sprintf('10^{%d}', -i) s(10**-i), \
    sprintf('-10^{%d}', -i) s(-10**-i)) }
do for [m=0:1] { do for [p=0:1] {
  set title sprintf('G_%d (GeV^{-2}), %s', m, p ? 'L' : 'T')
  splot 'c_maps.dat' using 2:1:(s(column(3+2*m+p))) notitle
} }
